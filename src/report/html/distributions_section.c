/* Draws the distribution of each column before and after. A section of the page in whole_page.c. */
#include "report/html/sections.h"

#include <stdio.h>

enum { MOST_BARS = 64 };

typedef struct rows {
    mgl_bar bars[MOST_BARS];
    size_t n;
    bool apart; /* the next row is of another kind */
} rows;

static void add_row(rows *r, const char *label, double before, double after)
{
    if (r->n == MOST_BARS || (!(before > 0) && !(after > 0)))
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
    static const char *const headings[] = {"value", "before", "after"};
    char pooled[MGL_NUMBER_SIZE], title[160], description[200], a[MGL_NUMBER_SIZE];
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
             mgl_counted(mgl_json_whole(distribution, "coarser"), "row is", "rows are", a));
    mgl_svg_bars(html, &(mgl_bars){.title = title,
                                   .description = description,
                                   .series = {"before", "after"},
                                   .n_series = 2,
                                   .bars = r.bars,
                                   .n = r.n});
    mgl_html_details(html);
    mgl_html_table(html, headings, 3);
    for (size_t i = 0; i < r.n; i++) {
        mgl_html_row(html, r.bars[i].label);
        mgl_html_count(html, (uint64_t)r.bars[i].values[0]);
        mgl_html_count(html, (uint64_t)r.bars[i].values[1]);
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_add(html, "</figure></div>\n");
}

void mgl_html_distributions(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(json_object_get(document, "figures"), "columns");
    char number[MGL_NUMBER_SIZE];
    mgl_html_add(
        html,
        "<p>How often the values of each quasi-identifier occur. Values that fewer than %s "
        "rows have are pooled as others. A row whose value can no longer be told at this "
        "detail counts as <em>coarser</em>.</p>\n"
        "<div class=\"pair\">\n",
        mgl_page_count(mgl_json_whole(json_object_get(document, "figures"), "threshold"), number));
    for (size_t i = 0; i < json_array_size(list); i++)
        show_distribution(html, json_array_get(list, i));
    mgl_html_add(html, "</div>\n");
}
