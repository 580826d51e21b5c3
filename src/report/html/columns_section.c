/* Writes what became of each column: levels and loss. A section of the page in whole_page.c. */
#include "report/html/sections.h"

#include <stdio.h>

static const json_t *columns_of(const json_t *document)
{
    return json_object_get(json_object_get(document, "figures"), "columns");
}

bool mgl_has_columns(const json_t *document)
{
    return json_array_size(columns_of(document)) > 0;
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
    char text[MGL_NUMBER_SIZE];
    if (!(share > 0))
        return;
    mgl_html_add(html,
                 "<rect class=\"s%u\" x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\"><title>",
                 shade, LEFT + 2 + WIDTH * *at, top, WIDTH * share, THICK);
    mgl_html_text(html, what);
    mgl_html_add(html, ": %s</title></rect>", mgl_share(share, text));
    *at += share;
}

static void draw_column(mgl_html *html, const json_t *column, unsigned top)
{
    const json_t *levels = json_object_get(column, "rows_at_level");
    const char *name = mgl_json_text(column, "column");
    size_t n = json_array_size(levels);
    double all = rows_of(column), at = 0, loss = mgl_json_number(column, "loss");
    char what[MGL_NUMBER_SIZE], text[MGL_NUMBER_SIZE];
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
                 LEFT + 2 + WIDTH, top + 13, mgl_share(loss, text));
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
    char number[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<td>");
    for (size_t l = 0; l < json_array_size(levels); l++)
        mgl_html_add(
            html, "%s%s", l > 0 ? " / " : "",
            mgl_page_count((uint64_t)json_number_value(json_array_get(levels, l)), number));
    mgl_html_add(html, "</td>");
}

/* "mask(right), proposed" where nobody gave it. */
static void add_hierarchy(mgl_html *html, const json_t *document, const char *name)
{
    const json_t *found =
        name != NULL ? json_object_get(json_object_get(document, "hierarchies"), name) : NULL;
    const char *kind = mgl_json_text(found, "hierarchy"),
               *builder = mgl_json_text(found, "builder");
    bool proposed = kind != NULL && strcmp(kind, "proposed") == 0;
    mgl_html_add(html, "<td>");
    mgl_html_text(html, builder != NULL ? builder : "");
    mgl_html_add(html, "%s</td>", proposed ? ", proposed" : "");
}

/* The entry of the column in the audit trail. */
static const json_t *audit_of(const json_t *document, const char *name)
{
    const json_t *columns = json_object_get(json_object_get(document, "audit"), "columns");
    for (size_t i = 0; name != NULL && i < json_array_size(columns); i++) {
        const char *own = mgl_json_text(json_array_get(columns, i), "column");
        if (own != NULL && strcmp(own, name) == 0)
            return json_array_get(columns, i);
    }
    return NULL;
}

void mgl_html_columns(mgl_html *html, const json_t *document)
{
    const json_t *list = columns_of(document);
    static const char *const headings[] = {"column",         "hierarchy",     "values before",
                                           "values after",   "rows by level", "other",
                                           "mean precision", "mean loss"};
    char text[MGL_NUMBER_SIZE];
    mgl_html_figure(html,
                    "How much coarser the cells of each column became. The number is the loss: "
                    "which share of the column's other values a cell stands for on average.");
    draw_levels(html, list);
    mgl_html_details(html);
    mgl_html_table(html, headings, 8);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i);
        const char *name = mgl_json_text(column, "column");
        const json_t *audit = audit_of(document, name);
        mgl_html_row(html, name != NULL ? name : "?");
        add_hierarchy(html, document, name);
        mgl_html_count(html, mgl_json_whole(audit, "values_before"));
        mgl_html_count(html, mgl_json_whole(audit, "values_after"));
        add_levels(html, column);
        mgl_html_count(html, mgl_json_whole(column, "rows_made") +
                                 mgl_json_whole(column, "rows_dropped"));
        mgl_html_cell(html, mgl_page_real(mgl_json_number(column, "precision"), text));
        mgl_html_cell(html, mgl_page_real(mgl_json_number(column, "loss"), text));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_figure_end(html);
}
