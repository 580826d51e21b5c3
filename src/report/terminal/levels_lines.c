/* Lines of a summary about the recoding: levels, single cells, and how near it is to the best.
 * terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

void mgl_terminal_node(mgl_page *page, const json_t *node, const json_t *heights)
{
    const char *column;
    json_t *level;
    json_object_foreach((json_t *)node, column, level)
    {
        char item[256];
        if (mgl_json_is_number(heights, column))
            snprintf(item, sizeof item, "%s %lld/%lld", column,
                     (long long)json_integer_value(level),
                     (long long)mgl_json_whole(heights, column));
        else
            snprintf(item, sizeof item, "%s %lld", column, (long long)json_integer_value(level));
        mgl_page_item(page, item);
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
    mgl_terminal_node(page, node, json_object_get(document, "heights"));
    mgl_page_end(page);
}

/* Single cells that were suppressed, where columns have a level otherwise. */
void mgl_terminal_cells(mgl_page *page, const json_t *document)
{
    const char *column;
    json_t *rows;
    if (!json_is_object(json_object_get(document, "levels")))
        return;
    mgl_page_label(page, "cells");
    bool any = false;
    json_object_foreach(json_object_get(document, "suppressed_cells"), column, rows)
    {
        char item[256], number[MGL_NUMBER_SIZE];
        if (json_integer_value(rows) <= 0)
            continue;
        mgl_page_count((uint64_t)json_integer_value(rows), number);
        snprintf(item, sizeof item, "%s%s %s", any ? "" : "suppressed: ", column, number);
        mgl_page_item(page, item);
        any = true;
    }
    if (!any)
        mgl_page_add(page, "no single ones suppressed");
    mgl_page_end(page);
}

/* front, then the columns and how many rows have unsafe values in them: "race+birth 2". */
static void add_columns(mgl_page *page, const char *front, const json_t *one)
{
    const json_t *columns = json_object_get(one, "columns");
    char item[400], number[MGL_NUMBER_SIZE];
    size_t at = (size_t)snprintf(item, sizeof item, "%s", front);
    for (size_t i = 0; i < json_array_size(columns) && at < sizeof item; i++)
        at += (size_t)snprintf(item + at, sizeof item - at, "%s%.60s", i > 0 ? "+" : "",
                               json_string_value(json_array_get(columns, i)));
    mgl_page_count(mgl_json_whole(one, "rows"), number);
    if (at < sizeof item)
        snprintf(item + at, sizeof item - at, " %s", number);
    mgl_page_item(page, item);
}

/* "10 before cells are suppressed, in 2 rows: race+birth 2  sex+zip 1  and 6 more". */
static void show_unsafe(mgl_page *page, const json_t *state, const char *when)
{
    enum { SHOWN = 5 };
    const json_t *list = json_object_get(state, "combinations");
    char front[200], values[MGL_NUMBER_SIZE], rows[MGL_NUMBER_SIZE];
    size_t n = json_array_size(list);
    if (n == 0) {
        mgl_page_add(page, "no combination of values %s", when);
        return;
    }
    mgl_page_count(mgl_json_whole(state, "values"), values);
    mgl_page_count(mgl_json_whole(state, "rows"), rows);
    snprintf(front, sizeof front, "%s %s, in %s %s: ", values, when, rows,
             mgl_json_whole(state, "rows") == 1 ? "row" : "rows");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        add_columns(page, i == 0 ? front : "", json_array_get(list, i));
    uint64_t more = (n > SHOWN ? n - SHOWN : 0) + mgl_json_whole(state, "combinations_left_out");
    char words[80];
    mgl_page_count(more, values);
    snprintf(words, sizeof words, "and %s more", values);
    if (more > 0)
        mgl_page_item(page, words);
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
    const char *measure = json_string_value(json_object_get(bound, "measure"));
    bool uniform = mgl_is_uniform(document);
    char number[MGL_NUMBER_SIZE];
    if (measure == NULL || !mgl_json_is_number(bound, "best_possible"))
        return;
    mgl_page_label(page, "best");
    mgl_page_add(page, "%s ", measure);
    if (json_is_true(json_object_get(bound, "exact"))) {
        mgl_page_add(page, "%s, proved to be the best %s",
                     mgl_page_real(mgl_json_number(bound, "achieved"), number),
                     uniform ? "with one level per column" : "possible");
    } else {
        mgl_page_add(page, "cannot be better than %s, ",
                     mgl_page_real(mgl_json_number(bound, "best_possible"), number));
        mgl_page_add(page, "this release has %s%s",
                     mgl_page_real(mgl_json_number(bound, "achieved"), number),
                     uniform ? ", not proved to be the best" : "");
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
