/* Writes what was found for each stratum. A section of the page in whole_page.c. */
#include "report/html/sections.h"

enum { MOST_ROWS = 500 };

bool mgl_has_strata(const json_t *document)
{
    return json_array_size(json_object_get(document, "strata")) > 0;
}

/* "age 2, zip 1". */
static void write_levels(const json_t *node, mgl_buffer *out)
{
    const char *column;
    json_t *level;
    out->size = 0;
    json_object_foreach((json_t *)node, column, level)
    {
        mgl_buffer_format(out, "%s%.200s %lld", out->size > 0 ? ", " : "", column,
                          (long long)json_integer_value(level));
    }
    mgl_buffer_append(out, "", 1);
}

static void stratum_row(mgl_html *html, const json_t *stratum, bool levels)
{
    mgl_buffer text = {0};
    char number[MGL_NUMBER_SIZE];
    mgl_stratum_words(json_object_get(stratum, "by"), &text);
    mgl_buffer_append(&text, "", 1);
    mgl_html_row(html, text.failed ? NULL : text.data);
    mgl_html_count(html, mgl_json_whole(stratum, "rows"));
    mgl_html_count(html, mgl_json_whole(stratum, "suppressed_rows"));
    mgl_html_count(html, mgl_json_whole(stratum, "classes"));
    mgl_html_count(html, mgl_json_whole(stratum, "smallest_class"));
    mgl_html_cell(html, mgl_json_is_number(stratum, "value")
                            ? mgl_page_real(mgl_json_number(stratum, "value"), number)
                            : "-");
    if (levels) {
        write_levels(json_object_get(stratum, "node"), &text);
        mgl_html_cell(html, text.failed ? "" : text.data);
    }
    mgl_html_row_end(html);
    html->out.failed = html->out.failed || text.failed;
    mgl_buffer_free(&text);
}

void mgl_html_strata(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "strata"), *by = json_object_get(document, "by");
    const char *measure = mgl_json_text(document, "measure");
    size_t n = json_array_size(list);
    bool levels = mgl_is_uniform(document);
    char words[MGL_NUMBER_SIZE] = "measure", a[MGL_NUMBER_SIZE];
    if (measure != NULL)
        mgl_measure_words(measure, words);
    mgl_html_add(html, "<p>%s by ", mgl_counted(n, "stratum", "strata", a));
    for (size_t i = 0; i < json_array_size(by); i++) {
        mgl_html_add(html, i > 0 ? ", " : "");
        mgl_html_name(html, json_string_value(json_array_get(by, i)));
    }
    mgl_html_add(html,
                 ": the rows of each were searched and judged as if there were no others. "
                 "These columns are released as they are, and every %s hides among those of "
                 "the same stratum.</p>\n",
                 strcmp(mgl_members(document), "persons") == 0 ? "person" : "row");
    const char *headings[] = {"stratum",        "rows", "suppressed", "classes",
                              "smallest class", words,  "levels"};
    mgl_html_table(html, headings, levels ? 7 : 6);
    for (size_t i = 0; i < n && i < MOST_ROWS; i++)
        stratum_row(html, json_array_get(list, i), levels);
    mgl_html_table_end(html);
    if (n > MOST_ROWS)
        mgl_html_add(html, "<p>The result lists %s more.</p>\n", mgl_page_count(n - MOST_ROWS, a));
}
