/* Writes every measure of the result, and how long it took. A section of the page in
 * whole_page.c. */
#include "report/html/sections.h"

#include <stdio.h>

bool mgl_has_measures(const json_t *document)
{
    return json_is_object(json_object_get(document, "utility"));
}

static const char *number_of(const json_t *value, char *text)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        return mgl_page_count((uint64_t)json_integer_value(value), text);
    return mgl_page_real(json_number_value(value), text);
}

static void show_numbers(mgl_html *html, const json_t *object, const char *first,
                         const char *second)
{
    const char *headings[] = {first, second};
    const char *key;
    json_t *value;
    char words[MGL_NUMBER_SIZE], number[MGL_NUMBER_SIZE];
    mgl_html_table(html, headings, 2);
    json_object_foreach((json_t *)object, key, value)
    {
        if (!json_is_number(value))
            continue;
        mgl_html_row(html, mgl_measure_words(key, words));
        mgl_html_cell(html, number_of(value, number));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

void mgl_html_measures(mgl_html *html, const json_t *document)
{
    const char *measure = mgl_json_text(document, "measure");
    const json_t *aggregation = json_object_get(document, "microaggregation");
    char words[MGL_NUMBER_SIZE];
    if (measure != NULL) {
        mgl_html_add(html, "<p>The job asked to keep <strong>");
        mgl_html_text(html, mgl_measure_words(measure, words));
        mgl_html_add(html, "</strong> as well as possible. <code>mingle help measures</code> tells "
                           "what each measure is.</p>\n");
    }
    mgl_html_add(html, "<div class=\"pair\">\n<div>");
    show_numbers(html, json_object_get(document, "utility"), "measure", "value");
    mgl_html_add(html, "</div>\n<div>");
    if (json_is_object(aggregation))
        show_numbers(html, aggregation, "averages", "value");
    if (json_is_object(json_object_get(document, "seconds")))
        show_numbers(html, json_object_get(document, "seconds"), "step", "seconds");
    mgl_html_add(html, "</div>\n</div>\n");
}
