/* Prints the recoding: levels, suppressed cells, how near it is to the best, the lattice, strata,
 * and hierarchies that were proposed. */
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

/* "birth 2/5": a column and its level, with the height where it is known. */
static void add_node(mgl_page *page, const json_t *node, const json_t *heights)
{
    const char *column;
    json_t *level;
    json_object_foreach((json_t *)node, column, level)
    {
        long long own = json_integer_value(level);
        if (mgl_json_is_number(heights, column))
            mgl_page_put_item(page, "%s %lld/%lld", column, own,
                              (long long)mgl_json_whole(heights, column));
        else
            mgl_page_put_item(page, "%s %lld", column, own);
    }
}

void mgl_terminal_levels(mgl_page *page, const json_t *document)
{
    const json_t *node = json_object_get(document, "node");
    if (!json_is_object(node))
        node = json_object_get(document, "levels");
    if (!json_is_object(node) || json_object_size(node) == 0)
        return;
    mgl_page_label(page, "levels");
    add_node(page, node, json_object_get(document, "heights"));
    mgl_page_end(page);
}

/* Single cells that were suppressed, where they are as they were or have their column's level
 * otherwise. */
void mgl_terminal_cells(mgl_page *page, const json_t *document)
{
    const char *column;
    json_t *rows;
    const json_t *mixture = json_object_get(document, "mixture"),
                 *cells = json_object_get(document, "suppressed_cells");
    bool alone = json_is_object(cells) && json_is_true(json_object_get(mixture, "suppressed")) &&
                 !json_is_true(json_object_get(mixture, "levels"));
    if (!json_is_object(json_object_get(document, "levels")) && !alone)
        return;
    mgl_page_label(page, "cells");
    bool any = false;
    json_object_foreach((json_t *)cells, column, rows)
    {
        if (json_integer_value(rows) <= 0)
            continue;
        mgl_page_put_item(page, "%s%s %s", any ? "" : "suppressed: ", column,
                          mgl_whole_words(&page->numbers, cells, column));
        any = true;
    }
    if (!any)
        mgl_page_add(page, "no single ones suppressed");
    mgl_page_end(page);
}

/* The columns and how many rows have unsafe values in them: "race+birth 2". */
static void add_columns(const json_t *one, mgl_buffer *item)
{
    const json_t *columns = json_object_get(one, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_buffer_format(item, "%s%.60s", i > 0 ? "+" : "",
                          json_string_value(json_array_get(columns, i)));
    mgl_words_fill(item, one, " {rows:,}");
}

/* "10 before cells are suppressed, in 2 rows: race+birth 2  sex+zip 1  and 6 more". */
static void show_unsafe(mgl_page *page, const json_t *state, const char *when)
{
    enum { SHOWN = 5 };
    const json_t *list = json_object_get(state, "combinations");
    size_t n = json_array_size(list);
    if (n == 0) {
        mgl_page_add(page, "no combination of values %s", when);
        return;
    }
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        mgl_buffer item = {0};
        if (i == 0) {
            mgl_words_fill(&item, state, "{values:,} ");
            mgl_buffer_text(&item, when);
            mgl_words_fill(&item, state,
                           mgl_json_whole(state, "rows") == 1 ? ", in {rows:,} row: "
                                                              : ", in {rows:,} rows: ");
        }
        add_columns(json_array_get(list, i), &item);
        mgl_page_take_item(page, &item);
    }
    uint64_t more = (n > SHOWN ? n - SHOWN : 0) + mgl_json_whole(state, "combinations_left_out");
    mgl_buffer words = {0};
    if (more > 0) {
        mgl_buffer_format(&words, "and %s more", mgl_count_words(&page->numbers, more));
        mgl_page_take_item(page, &words);
    }
}

/* Combinations of values that fewer than k rows share (mu-argus), by their columns. */
void mgl_terminal_unsafe(mgl_page *page, const json_t *document)
{
    const json_t *unsafe = json_object_get(document, "unsafe_combinations");
    if (!json_is_object(unsafe))
        return;
    mgl_page_label(page, "unsafe");
    show_unsafe(page, json_object_get(unsafe, "before"), "before cells are suppressed");
    mgl_page_end(page);
    if (!json_is_object(json_object_get(unsafe, "after")))
        return;
    mgl_page_label(page, "");
    show_unsafe(page, json_object_get(unsafe, "after"), "in the release");
    mgl_page_end(page);
}

/* How close to the best possible. */
void mgl_terminal_bound(mgl_page *page, const json_t *document)
{
    const json_t *bound = json_object_get(document, "bound");
    bool uniform = mgl_is_uniform(document);
    if (mgl_json_text(bound, "measure") == NULL || !mgl_json_is_number(bound, "best_possible"))
        return;
    mgl_page_label(page, "best");
    if (json_is_true(json_object_get(bound, "exact"))) {
        mgl_page_fill(page, bound, "{measure} {achieved:~}, proved to be the best ");
        mgl_page_add(page, uniform ? "with one level per column" : "possible");
    } else {
        mgl_page_fill(page, bound,
                      "{measure} cannot be better than {best_possible:~}, this release has "
                      "{achieved:~}");
        mgl_page_add(page, uniform ? ", not proved to be the best" : "");
    }
    mgl_page_end(page);
}

/* Cells of rows that are not suppressed are as they were: there may be other rows, or no such
 * one. */
static const char *untouched_words(const json_t *document)
{
    const json_t *utility = json_object_get(document, "utility");
    bool known = mgl_json_is_number(utility, "precision");
    double precision = known ? mgl_json_number(utility, "precision") : 1;
    return precision <= 0  ? "every cell is at the top of its hierarchy"
           : precision < 1 ? "rows are as they were, or suppressed whole"
                           : "every cell is as it was";
}

/* Columns of a release without a node need not have a level of their own. */
void mgl_terminal_mixture(mgl_page *page, const json_t *document)
{
    const json_t *mixture = json_object_get(document, "mixture");
    const char *made = mgl_json_text(mixture, "made");
    bool mixed = json_is_true(json_object_get(mixture, "levels"));
    if (!json_is_object(mixture) || json_is_object(json_object_get(document, "levels")))
        return;
    mgl_page_label(page, "levels");
    if (mgl_is_uniform(document))
        mgl_page_add(page, "one per column in each stratum");
    else if (made != NULL)
        mgl_page_add(page, "%.40s in place of values, class by class%s", made,
                     mixed ? "; other columns mix levels" : "");
    else if (mixed)
        mgl_page_add(page, "mixed within columns; `method: mingen` gives each column one level");
    else if (json_is_true(json_object_get(mixture, "suppressed")))
        mgl_page_add(page, "cells are as they were, or suppressed one by one");
    else
        mgl_page_add(page, "%s", untouched_words(document));
    mgl_page_end(page);
}

static void show_counts(mgl_page *page, const json_t *document)
{
    mgl_page_fact(page, "nodes", json_object_get(document, "nodes"),
                  "{total:,}, of which {holding:,} hold");
}

static void show_minimal(mgl_page *page, const json_t *document)
{
    const json_t *minimal = json_object_get(document, "minimal_nodes");
    for (size_t i = 0; i < json_array_size(minimal); i++) {
        mgl_page_label(page, i == 0 ? "minimal" : "");
        add_node(page, json_array_get(minimal, i), json_object_get(document, "heights"));
        mgl_page_end(page);
    }
}

/* A number, or the measure of the job out of all of them. */
static double utility_of(const mgl_page *page, const json_t *document, const json_t *row)
{
    const json_t *utility = json_object_get(row, "utility");
    return json_is_number(utility)
               ? json_number_value(utility)
               : mgl_json_number(utility, mgl_measure_of(page->measures, document));
}

static void show_row(mgl_page *page, const json_t *document, const json_t *row)
{
    const char *column;
    json_t *level;
    bool holds = json_is_true(json_object_get(row, "holds"));
    json_object_foreach(json_object_get(row, "node"), column, level)
    {
        int width = (int)strlen(column);
        mgl_page_add(page, "%*lld  ", width, (long long)json_integer_value(level));
    }
    page->indent = 4;
    mgl_page_add(page, "%6.0f  ", mgl_json_number(row, "height"));
    mgl_page_ink(page, holds ? MGL_INK_GOOD : MGL_INK_PLAIN, holds ? "holds" : "   no");
    double n_classes = mgl_json_number(row, "classes");
    mgl_page_add(page, "  %10s  %8s  %8s", mgl_whole_words(&page->numbers, row, "suppressed_rows"),
                 isfinite(n_classes) ? mgl_whole_words(&page->numbers, row, "classes") : "-",
                 mgl_real_words(&page->numbers, utility_of(page, document, row)));
    mgl_page_end(page);
}

void mgl_terminal_lattice(mgl_page *page, const json_t *document)
{
    const json_t *rows = json_object_get(document, "lattice");
    const char *column;
    json_t *level;
    if (!json_is_array(rows))
        return;
    show_counts(page, document);
    show_minimal(page, document);
    mgl_page_end(page);
    json_object_foreach(json_object_get(json_array_get(rows, 0), "node"), column, level)
        mgl_page_add(page, "%s  ", column);
    page->indent = 4;
    mgl_page_add(page, "height  holds  suppressed   classes   utility");
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(rows); i++)
        show_row(page, document, json_array_get(rows, i));
    mgl_page_end(page);
}

enum { MOST_LINES = 12 };

static void show_stratum(mgl_page *page, const json_t *document, const json_t *stratum)
{
    const json_t *node = json_object_get(stratum, "node");
    const char *measure = mgl_json_text(document, "measure");
    mgl_buffer item = {0}, value = {0};
    mgl_page_label(page, "");
    mgl_stratum_words(json_object_get(stratum, "by"), &item);
    mgl_words_fill(&item, stratum, ": {rows:,} rows");
    mgl_page_take_item(page, &item);
    if (mgl_json_whole(stratum, "suppressed_rows") > 0)
        mgl_page_fill_item(page, stratum, "{suppressed_rows:,} suppressed");
    mgl_page_fill_item(page, stratum, "{classes:,} classes of {smallest_class:.0f} or more");
    if (measure != NULL && mgl_json_is_number(stratum, "value")) {
        mgl_buffer_format(&value, "%.60s ", measure);
        mgl_words_fill(&value, stratum, "{value:~}");
        mgl_page_take_item(page, &value);
    }
    if (json_is_object(node))
        add_node(page, node, NULL);
    mgl_page_end(page);
}

void mgl_terminal_strata(mgl_page *page, const json_t *document)
{
    const json_t *list = json_object_get(document, "strata"), *by = json_object_get(document, "by");
    size_t n = json_array_size(list);
    if (!json_is_array(list))
        return;
    mgl_page_label(page, "strata");
    mgl_page_add(page, "%s by ", mgl_count_words(&page->numbers, n));
    for (size_t i = 0; i < json_array_size(by); i++) {
        const char *column = json_string_value(json_array_get(by, i));
        mgl_page_add(page, "%s%.100s", i > 0 ? ", " : "", column != NULL ? column : "?");
    }
    mgl_page_add(page, ", each searched and judged on its own");
    mgl_page_end(page);
    for (size_t i = 0; i < n && i < MOST_LINES; i++)
        show_stratum(page, document, json_array_get(list, i));
    if (n <= MOST_LINES)
        return;
    mgl_page_line(page, "", "... and %s more, which the result lists (`result: FILE`)",
                  mgl_count_words(&page->numbers, n - MOST_LINES));
}

/* The builder that was proposed for a column; NULL: none was, or none but the value or '*', which
 * every column has. */
static const char *proposed(const json_t *document, const char *column)
{
    const json_t *found = json_object_get(json_object_get(document, "hierarchies"), column);
    const char *builder = mgl_json_text(found, "builder");
    bool shown = mgl_json_is(found, "hierarchy", "proposed") && builder != NULL &&
                 strcmp(builder, "suppress") != 0;
    return shown ? builder : NULL;
}

/* As many in a line as it holds; semicolons, since builders have commas of their own. */
static void add_proposal(mgl_page *page, const char *column, const char *builder, bool first)
{
    char text[512];
    size_t size = (size_t)snprintf(text, sizeof text, "%.200s: %.200s, proposed", column, builder);
    bool fits = page->at + 2 + size <= MGL_PAGE_WIDTH;
    if (!first)
        mgl_page_add(page, fits ? "; " : ";");
    if (!first && !fits)
        mgl_page_end(page);
    if (first || !fits)
        mgl_page_label(page, first ? "hierarchies" : "");
    mgl_page_add(page, "%s", text);
}

/* Document i of a comparison, or the only one there is. */
static const json_t *document_at(const json_t *results, size_t i)
{
    return json_is_array(results) ? json_array_get(results, i) : i == 0 ? results : NULL;
}

static bool is_shown_before(const json_t *results, size_t i, const char *column)
{
    while (i-- > 0)
        if (proposed(document_at(results, i), column) != NULL)
            return true;
    return false;
}

void mgl_terminal_proposals(mgl_page *page, const json_t *results)
{
    bool first = true;
    for (size_t i = 0; document_at(results, i) != NULL; i++) {
        const json_t *hierarchies = json_object_get(document_at(results, i), "hierarchies");
        const char *column;
        json_t *found;
        json_object_foreach((json_t *)hierarchies, column, found)
        {
            const char *builder = proposed(document_at(results, i), column);
            if (builder == NULL || is_shown_before(results, i, column))
                continue;
            add_proposal(page, column, builder, first);
            first = false;
        }
    }
    if (!first)
        mgl_page_end(page);
}
