/* Writes what only statements have: models that the release does not show, how to read its columns,
 * what the holder discloses, and the digest. Sections of the page in whole_page.c. */
#include "report/html/sections.h"

#include <stdlib.h>

enum { MOST_LABELS = 100 };

static bool is_statement(const json_t *document)
{
    return mgl_is_command(document, "statement");
}

bool mgl_has_open(const json_t *document)
{
    return is_statement(document) &&
           json_array_size(json_object_get(document, "not_checkable")) > 0;
}

void mgl_html_open(mgl_html *html, const json_t *document)
{
    static const char *const headings[] = {"promised", "why it cannot be checked here"};
    const json_t *open = json_object_get(document, "not_checkable");
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < json_array_size(open); i++) {
        const json_t *one = json_array_get(open, i);
        const char *why = mgl_json_text(one, "why");
        mgl_html_add(html, "<tr><th scope=\"row\">");
        mgl_html_model(html, one);
        mgl_html_add(html, "</th>");
        mgl_html_cell(html, why != NULL ? why : "?");
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

bool mgl_has_labels(const json_t *document)
{
    return is_statement(document) && json_array_size(json_object_get(document, "columns")) > 0;
}

static void show_labels(mgl_html *html, const json_t *list)
{
    static const char *const headings[] = {"label", "meaning"};
    mgl_html_details(html);
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < json_array_size(list) && i < MOST_LABELS; i++) {
        const json_t *one = json_array_get(list, i);
        const char *meaning = mgl_json_text(one, "coarse");
        mgl_html_row(html, mgl_json_text(one, "value"));
        mgl_html_cell(html, meaning != NULL ? meaning : "");
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
}

void mgl_html_labels(mgl_html *html, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i), *list = json_object_get(column, "list");
        const char *done = mgl_json_text(column, "done");
        char text[MGL_NUMBER_SIZE + 32];
        mgl_html_add(html, "<p>");
        mgl_html_name(html, mgl_json_text(column, "column"));
        mgl_html_add(html, ": ");
        mgl_html_text(html, done != NULL ? done : "?");
        mgl_html_add(
            html, "; %s</p>\n",
            mgl_counted(mgl_json_whole(column, "values"), "value", "different values", text));
        if (json_array_size(list) > 0)
            show_labels(html, list);
    }
}

bool mgl_has_disclosed(const json_t *document)
{
    const json_t *promise = json_object_get(document, "promise");
    return is_statement(document) && json_object_size(json_object_get(promise, "disclosed")) > 0;
}

void mgl_html_disclosed(mgl_html *html, const json_t *document)
{
    static const char *const headings[] = {"what", "value"};
    const json_t *promise = json_object_get(document, "promise");
    const char *key;
    json_t *value;
    mgl_html_add(html, "<p>These figures depend on the input and cannot be checked here.</p>\n");
    mgl_html_table(html, headings, 2);
    json_object_foreach(json_object_get(promise, "disclosed"), key, value)
    {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        mgl_html_row(html, key);
        mgl_html_cell(html, text != NULL ? text : "?");
        mgl_html_row_end(html);
        free(text);
    }
    mgl_html_table_end(html);
}

bool mgl_has_digest(const json_t *document)
{
    return is_statement(document) && json_is_object(json_object_get(document, "release"));
}

void mgl_html_digest(mgl_html *html, const json_t *document)
{
    const json_t *release = json_object_get(document, "release");
    const char *file = mgl_json_text(release, "sha256"),
               *rows = mgl_json_text(release, "rows_sha256");
    mgl_html_add(html, "<p>SHA-256 of %s: <code>", file != NULL ? "the file" : "its rows");
    mgl_html_text(html, file != NULL ? file : rows != NULL ? rows : "?");
    mgl_html_add(html, "</code></p>\n");
}
