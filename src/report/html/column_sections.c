/* Writes what became of columns: levels and loss, distributions before and after, and what classes
 * show about sensitive columns. */
#include "report/html/sections.h"

#include <stdio.h>

static const json_t *columns_of(const json_t *document)
{
    return mgl_json_at(document, "figures.columns");
}

enum { SHADES = 6, MADE = 6, DROPPED = 7, ROW = 30, THICK = 18, LEFT = 30, WIDTH = 56 };

/* Level 0 is light and the top dark, whatever the height. */
static unsigned shade_of(size_t level, size_t height)
{
    return height == 0 ? 0 : (unsigned)(level * (SHADES - 1) / height);
}

static double rows_of(const json_t *column)
{
    const json_t *levels = json_object_get(column, "rows_at_level");
    double sum = (double)mgl_json_whole(column, "rows_made") +
                 (double)mgl_json_whole(column, "rows_dropped");
    for (size_t l = 0; l < json_array_size(levels); l++)
        sum += json_number_value(json_array_get(levels, l));
    return sum;
}

/* One piece of a stacked bar, which begins where the last one ended. */
static void draw_piece(mgl_html *html, unsigned shade, double *at, double share, unsigned top,
                       const char *what)
{
    if (!(share > 0))
        return;
    mgl_html_add(html,
                 "<rect class=\"s%u\" x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\"><title>",
                 shade, LEFT + 2 + WIDTH * *at, top, WIDTH * share, THICK);
    mgl_html_text(html, what);
    mgl_html_add(html, ": %s</title></rect>", mgl_share_words(&html->numbers, share));
    *at += share;
}

static void draw_column(mgl_html *html, const json_t *column, unsigned top)
{
    const json_t *levels = json_object_get(column, "rows_at_level");
    const char *name = mgl_json_text(column, "column");
    size_t n = json_array_size(levels);
    double all = rows_of(column), at = 0, loss = mgl_json_number(column, "loss");
    char what[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<text class=\"label\" x=\"%d%%\" y=\"%u\">", LEFT, top + 13);
    mgl_html_short(html, name != NULL ? name : "?", 18);
    mgl_html_add(html, "</text>");
    for (size_t l = 0; l < n && all > 0; l++) {
        snprintf(what, sizeof what,
                 l == 0       ? "as it was"
                 : l + 1 == n ? "nothing left"
                              : "level %zu",
                 l);
        draw_piece(html, shade_of(l, n - 1), &at,
                   json_number_value(json_array_get(levels, l)) / all, top, what);
    }
    if (all > 0) {
        draw_piece(html, MADE, &at, (double)mgl_json_whole(column, "rows_made") / all, top,
                   "range or average");
        draw_piece(html, DROPPED, &at, (double)mgl_json_whole(column, "rows_dropped") / all, top,
                   "row left out");
    }
    mgl_html_add(html, "<text class=\"value\" x=\"%d%%\" y=\"%u\" dx=\"6\">%s</text>\n",
                 LEFT + 2 + WIDTH, top + 13, mgl_share_words(&html->numbers, loss));
}

static void draw_key(mgl_html *html, unsigned shade, const char *text)
{
    mgl_html_add(
        html,
        "<span><svg class=\"key\" width=\"14\" height=\"11\"><rect class=\"s%u\" width=\"14\" "
        "height=\"11\"/></svg> %s</span> ",
        shade, text);
}

static void draw_levels(mgl_html *html, const json_t *list)
{
    bool made = false, dropped = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        made = made || mgl_json_whole(json_array_get(list, i), "rows_made") > 0;
        dropped = dropped || mgl_json_whole(json_array_get(list, i), "rows_dropped") > 0;
    }
    mgl_html_add(html, "<div class=\"stack\">\n<p class=\"legend\" aria-hidden=\"true\">");
    draw_key(html, 0, "as it was");
    draw_key(html, 2, "a little coarser");
    draw_key(html, 4, "much coarser");
    draw_key(html, SHADES - 1, "nothing left");
    if (made)
        draw_key(html, MADE, "range or average");
    if (dropped)
        draw_key(html, DROPPED, "row left out");
    mgl_html_add(html, "</p>\n");
    mgl_svg_begin(html, "Levels of the cells of each column",
                  "Each bar is one column, divided by the levels of its cells from the original "
                  "value to the top; the number beside it is the loss.",
                  (unsigned)json_array_size(list) * ROW + 4, 0);
    for (size_t i = 0; i < json_array_size(list); i++)
        draw_column(html, json_array_get(list, i), (unsigned)i * ROW + 4);
    mgl_svg_end(html);
    mgl_html_add(html, "</div>\n");
}

static void add_levels(mgl_html *html, const json_t *column)
{
    const json_t *levels = json_object_get(column, "rows_at_level");
    mgl_html_add(html, "<td>");
    for (size_t l = 0; l < json_array_size(levels); l++)
        mgl_html_add(html, "%s%s", l > 0 ? " / " : "",
                     mgl_count_words(&html->numbers,
                                     (uint64_t)json_number_value(json_array_get(levels, l))));
    mgl_html_add(html, "</td>");
}

void mgl_html_columns(mgl_html *html, const json_t *document)
{
    const json_t *list = columns_of(document);
    mgl_html_figure(html,
                    "How much coarser the cells of each column became. The number is the loss: "
                    "which share of the column's other values a cell stands for on average.");
    draw_levels(html, list);
    mgl_html_numbers(
        html,
        "column|hierarchy|values before|values after|rows by level|other|mean precision|mean loss");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i);
        const char *name = mgl_json_text(column, "column");
        const json_t *audit = mgl_json_of_column(mgl_json_at(document, "audit.columns"), name);
        mgl_html_row(html, name != NULL ? name : "?");
        /* "mask(right), proposed" where the job did not give it. */
        const json_t *found =
            name != NULL ? json_object_get(json_object_get(document, "hierarchies"), name) : NULL;
        bool proposed = mgl_json_is(found, "hierarchy", "proposed");
        mgl_html_cells(html, found, proposed ? "[{builder}], proposed" : "[{builder}]");
        mgl_html_cells(html, audit, "{values_before:,}|{values_after:,}");
        add_levels(html, column);
        mgl_html_count(html, mgl_json_whole(column, "rows_made") +
                                 mgl_json_whole(column, "rows_dropped"));
        mgl_html_cells(html, column, "{precision:~}|{loss:~}");
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
    mgl_html_figure_end(html);
}

enum { MOST_GROUPS = 64 };

typedef struct rows {
    mgl_bar bars[MOST_GROUPS];
    size_t n;
    bool apart; /* the next row is of another kind */
} rows;

static void add_row(rows *r, const char *label, double before, double after)
{
    if (r->n == MOST_GROUPS || (!(before > 0) && !(after > 0)))
        return;
    bool apart = r->apart && r->n > 0;
    r->bars[r->n++] = (mgl_bar){.label = label, .values = {before, after}, .set_apart = apart};
    r->apart = false;
}

static void collect(const json_t *distribution, char *pooled_label, rows *r)
{
    const json_t *groups = json_object_get(distribution, "groups"),
                 *pooled = json_object_get(distribution, "pooled");
    char number[MGL_NUMBER_SIZE];
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        add_row(r, mgl_json_text(group, "value"), mgl_json_number(group, "before"),
                mgl_json_number(group, "after"));
    }
    r->apart = true;
    snprintf(pooled_label, MGL_NUMBER_SIZE, "%.20s others",
             mgl_page_count(mgl_json_whole(pooled, "values"), number));
    add_row(r, pooled_label, mgl_json_number(pooled, "before"), mgl_json_number(pooled, "after"));
    add_row(r, "coarser", 0, mgl_json_number(distribution, "coarser"));
    add_row(r, "row left out", 0, mgl_json_number(distribution, "dropped"));
}

static void show_distribution(mgl_html *html, const json_t *column)
{
    const json_t *distribution = json_object_get(column, "distribution");
    const char *name = mgl_json_text(column, "column");
    const json_t *level = json_object_get(distribution, "level");
    char pooled[MGL_NUMBER_SIZE], title[160], description[200];
    rows r = {.n = 0};
    collect(distribution, pooled, &r);
    mgl_html_add(html, "<div><h3>");
    mgl_html_name(html, name);
    mgl_html_add(html, "</h3>\n<figure>\n");
    if (json_is_integer(level) && json_integer_value(level) > 0)
        mgl_html_add(html, "<figcaption>in the groups of level %d</figcaption>\n",
                     (int)json_integer_value(level));
    snprintf(title, sizeof title, "Rows by %.80s, before and after", name != NULL ? name : "?");
    snprintf(description, sizeof description,
             "%zu groups of values; %s released coarser than these groups.", r.n,
             mgl_many_words(&html->numbers, mgl_json_whole(distribution, "coarser"), "row is",
                            "rows are"));
    mgl_svg_bars_and_numbers(html,
                             &(mgl_bars){.title = title,
                                         .description = description,
                                         .series = {"before", "after"},
                                         .n_series = 2,
                                         .bars = r.bars,
                                         .n = r.n},
                             "value|before|after");
    mgl_html_add(html, "</figure></div>\n");
}

void mgl_html_distributions(mgl_html *html, const json_t *document)
{
    const json_t *list = mgl_json_at(document, "figures.columns");
    mgl_html_add(
        html,
        "<p>How often the values of each quasi-identifier occur. Values that fewer than %s "
        "rows have are pooled as others. A row whose value can no longer be read at this "
        "detail counts as <em>coarser</em>.</p>\n"
        "<div class=\"pair\">\n",
        mgl_whole_words(&html->numbers, json_object_get(document, "figures"), "threshold"));
    for (size_t i = 0; i < json_array_size(list); i++)
        show_distribution(html, json_array_get(list, i));
    mgl_html_add(html, "</div>\n");
}

enum { MOST_BARS = 16 };

static const json_t *sensitive_of(const json_t *document)
{
    return mgl_json_at(document, "figures.sensitive");
}

static double total(const json_t *list)
{
    double sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_number_value(json_array_get(list, i));
    return sum;
}

/* Persons by a number that their class has, before and after. */
typedef struct kind {
    const char *key, *title, *caption, *unit;
    void (*name)(size_t i, size_t n, char *text);
} kind;

static void name_distinct(size_t i, size_t n, char *text)
{
    snprintf(text, MGL_NUMBER_SIZE, i + 1 == n ? "%zu or more" : "%zu", i + 1);
}

static void name_distance(size_t i, size_t n, char *text)
{
    snprintf(text, MGL_NUMBER_SIZE, "%.1f to %.1f", (double)i / (double)n,
             (double)(i + 1) / (double)n);
}

static const kind kinds[] = {
    {"distinct_values", "Persons by the number of values in their class",
     "How many different values the class of a person has. With one value it is known.",
     "values in the class", name_distinct},
    {"distances", "Persons by the distance of their class from the table",
     "How far the values of a class are from those of the whole table (variational distance, as in "
     "t-closeness with equal distances; 0: the same).",
     "distance", name_distance},
};

static void show_kind(mgl_html *html, const json_t *column, const kind *k)
{
    const json_t *before = json_object_get(json_object_get(column, "before"), k->key),
                 *after = json_object_get(json_object_get(column, "after"), k->key);
    size_t n = json_array_size(before), n_bars = 0;
    double all[] = {total(before), total(after)};
    char headings[80];
    char labels[MOST_BARS][MGL_NUMBER_SIZE];
    mgl_bar bars[MOST_BARS];
    if (n == 0 || n > MOST_BARS || json_array_size(after) != n || !(all[0] > 0) || !(all[1] > 0))
        return;
    for (size_t i = 0; i < n; i++) {
        double values[] = {json_number_value(json_array_get(before, i)) / all[0],
                           json_number_value(json_array_get(after, i)) / all[1]};
        if (!(values[0] > 0) && !(values[1] > 0))
            continue;
        k->name(i, n, labels[n_bars]);
        bars[n_bars] = (mgl_bar){.label = labels[n_bars], .values = {values[0], values[1]}};
        n_bars++;
    }
    snprintf(headings, sizeof headings, "%s|before|after", k->unit);
    mgl_html_add(html, "<div>");
    mgl_html_figure(html, k->caption);
    mgl_svg_bars_and_numbers(html,
                             &(mgl_bars){.title = k->title,
                                         .description = "Shares of persons, before and after.",
                                         .series = {"before", "after"},
                                         .n_series = 2,
                                         .bars = bars,
                                         .n = n_bars,
                                         .shares = true},
                             headings);
    mgl_html_figure_end(html);
    mgl_html_add(html, "</div>\n");
}

void mgl_html_sensitive(mgl_html *html, const json_t *document)
{
    const char *name;
    json_t *column;
    json_object_foreach((json_t *)sensitive_of(document), name, column)
    {
        mgl_html_add(html, "<h3>");
        mgl_html_name(html, name);
        mgl_html_add(html, "</h3>\n<p>%s in the whole table.</p>\n<div class=\"pair\">\n",
                     mgl_many_words(&html->numbers, mgl_json_whole(column, "values"), "value",
                                    "different values"));
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            show_kind(html, column, &kinds[k]);
        mgl_html_add(html, "</div>\n");
    }
}
