/* Writes what `risk` says about rows that stand out and about the columns that make them do so. A
 * section of the page in whole_page.c. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

/* ---- Special uniques --------------------------------------------------------------------------
 */

bool mgl_has_suda(const json_t *document)
{
    return json_is_object(json_object_get(document, "suda"));
}

static void show_contributions(mgl_html *html, const json_t *shares)
{
    enum { MOST = 40 };
    static const char *const headings[] = {"column", "part in the scores"};
    mgl_bar bars[MOST];
    size_t n = 0;
    const char *column;
    json_t *share;
    char text[MGL_NUMBER_SIZE];
    json_object_foreach((json_t *)shares, column, share)
    {
        if (n < MOST)
            bars[n++] = (mgl_bar){.label = column, .values = {json_number_value(share) / 100}};
    }
    if (n == 0)
        return;
    mgl_html_figure(html, "Which columns make rows stand out, by their part in the scores:");
    mgl_html_add(html, "<div class=\"one\">\n");
    mgl_svg_bars(html, &(mgl_bars){.title = "Part of each column in the scores",
                                   .description = "One bar for each column.",
                                   .series = {"part"},
                                   .n_series = 1,
                                   .bars = bars,
                                   .n = n,
                                   .shares = true});
    mgl_html_add(html, "</div>\n");
    mgl_html_details(html);
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < n; i++) {
        mgl_html_row(html, bars[i].label);
        mgl_html_cell(html, mgl_share(bars[i].values[0], text));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_figure_end(html);
}

static void show_by_size(mgl_html *html, const json_t *counts)
{
    static const char *const headings[] = {"columns that are enough", "combinations"};
    char text[MGL_NUMBER_SIZE];
    if (json_array_size(counts) == 0)
        return;
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < json_array_size(counts); i++) {
        mgl_html_row(html, mgl_page_count(i + 1, text));
        mgl_html_cell(html,
                      mgl_page_count((uint64_t)json_number_value(json_array_get(counts, i)), text));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

void mgl_html_suda(mgl_html *html, const json_t *document)
{
    const json_t *suda = json_object_get(document, "suda");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    uint64_t rows = mgl_json_whole(suda, "rows_above_zero");
    mgl_html_add(html,
                 "<p>%s %s unique on some of the columns (SUDA). The fewer columns are enough, the "
                 "higher the score; the highest is %s.</p>\n",
                 mgl_counted(rows, "row", "rows", a), rows == 1 ? "is" : "are",
                 mgl_page_real(mgl_json_number(suda, "max_score"), b));
    show_by_size(html, json_object_get(suda, "uniques_by_size"));
    show_contributions(html, json_object_get(suda, "contribution"));
}

/* ---- Sets of columns --------------------------------------------------------------------------
 */

bool mgl_has_sets(const json_t *document)
{
    return json_array_size(json_object_get(document, "attributes")) > 0 ||
           json_is_array(json_object_get(document, "single_out"));
}

static void set_row(mgl_html *html, const json_t *set, const char *const *keys, size_t n)
{
    const json_t *columns = json_object_get(set, "columns");
    char text[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<tr><th scope=\"row\">");
    for (size_t c = 0; c < json_array_size(columns); c++) {
        mgl_html_add(html, c > 0 ? ", " : "");
        mgl_html_name(html, json_string_value(json_array_get(columns, c)));
    }
    mgl_html_add(html, "</th>");
    for (size_t k = 0; k < n; k++)
        mgl_html_cell(html, mgl_share(mgl_json_number(set, keys[k]), text));
    mgl_html_row_end(html);
}

static void show_sets(mgl_html *html, const json_t *sets)
{
    enum { SHOWN = 15 };
    static const char *const headings[] = {"columns", "distinct tuples", "pairs told apart",
                                           "unique rows"};
    static const char *const keys[] = {"distinction", "separation", "unique_rows"};
    char text[MGL_NUMBER_SIZE];
    size_t n = json_array_size(sets);
    if (n == 0)
        return;
    mgl_html_table(html, headings, 4);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        set_row(html, json_array_get(sets, i), keys, 3);
    mgl_html_table_end(html);
    if (n > SHOWN)
        mgl_html_add(html, "<p>%s in the result.</p>\n",
                     mgl_counted(n - SHOWN, "more set", "more sets", text));
}

static void show_single_out(mgl_html *html, const json_t *sets)
{
    static const char *const headings[] = {"columns", "unique rows"};
    static const char *const keys[] = {"unique_rows"};
    if (!json_is_array(sets))
        return;
    mgl_html_add(html, "<h3>The smallest sets that single out</h3>\n");
    if (json_array_size(sets) == 0) {
        mgl_html_add(html, "<p>No set of columns does.</p>\n");
        return;
    }
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < json_array_size(sets); i++)
        set_row(html, json_array_get(sets, i), keys, 1);
    mgl_html_table_end(html);
}

void mgl_html_sets(mgl_html *html, const json_t *document)
{
    mgl_html_add(html, "<p>How well sets of columns tell rows apart: the share of different tuples "
                       "among all rows, of the pairs of rows that differ, and of the rows that are "
                       "alone.</p>\n");
    show_sets(html, json_object_get(document, "attributes"));
    show_single_out(html, json_object_get(document, "single_out"));
}
