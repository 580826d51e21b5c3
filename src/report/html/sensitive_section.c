/* Writes what classes tell about sensitive columns. A section of the page in whole_page.c. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

enum { MOST_BARS = 16 };

static const json_t *sensitive_of(const json_t *document)
{
    return json_object_get(json_object_get(document, "figures"), "sensitive");
}

bool mgl_has_sensitive(const json_t *document)
{
    return json_object_size(sensitive_of(document)) > 0;
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
    const char *headings[] = {k->unit, "before", "after"};
    char labels[MOST_BARS][MGL_NUMBER_SIZE], text[MGL_NUMBER_SIZE];
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
    mgl_html_add(html, "<div>");
    mgl_html_figure(html, k->caption);
    mgl_svg_bars(html, &(mgl_bars){.title = k->title,
                                   .description = "Shares of persons, before and after.",
                                   .series = {"before", "after"},
                                   .n_series = 2,
                                   .bars = bars,
                                   .n = n_bars,
                                   .shares = true});
    mgl_html_details(html);
    mgl_html_table(html, headings, 3);
    for (size_t i = 0; i < n_bars; i++) {
        mgl_html_row(html, bars[i].label);
        mgl_html_cell(html, mgl_share(bars[i].values[0], text));
        mgl_html_cell(html, mgl_share(bars[i].values[1], text));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_figure_end(html);
    mgl_html_add(html, "</div>\n");
}

void mgl_html_sensitive(mgl_html *html, const json_t *document)
{
    const char *name;
    json_t *column;
    char number[MGL_NUMBER_SIZE];
    json_object_foreach((json_t *)sensitive_of(document), name, column)
    {
        mgl_html_add(html, "<h3>");
        mgl_html_name(html, name);
        mgl_html_add(
            html, "</h3>\n<p>%s in the whole table.</p>\n<div class=\"pair\">\n",
            mgl_counted(mgl_json_whole(column, "values"), "value", "different values", number));
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            show_kind(html, column, &kinds[k]);
        mgl_html_add(html, "</div>\n");
    }
}
