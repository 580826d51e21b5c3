/* Writes what a third party needs: of statements the models that the release alone does not show,
 * labels, disclosed figures and the digest; of results files, columns and the job. */
#include "report/html/sections.h"

#include <stdlib.h>

enum { MOST_LABELS = 100 };

void mgl_html_open(mgl_html *html, const json_t *document)
{
    const json_t *open = json_object_get(document, "not_checkable");
    mgl_html_table(html, "promised|why it cannot be checked here");
    for (size_t i = 0; i < json_array_size(open); i++) {
        const json_t *one = json_array_get(open, i);
        mgl_html_add(html, "<tr><th scope=\"row\">");
        mgl_html_model(html, one);
        mgl_html_add(html, "</th>");
        mgl_html_cells(html, one, "{why}");
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

static void show_labels(mgl_html *html, const json_t *list)
{
    mgl_html_numbers(html, "label|meaning");
    for (size_t i = 0; i < json_array_size(list) && i < MOST_LABELS; i++) {
        const json_t *one = json_array_get(list, i);
        mgl_html_line(html, mgl_json_text(one, "value"), one, "[{coarse}]");
    }
    mgl_html_numbers_end(html);
}

void mgl_html_labels(mgl_html *html, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i), *list = json_object_get(column, "list");
        mgl_html_fill(html, column,
                      "<p>{column:name}: {done}; {values:,|value|different values}</p>\n");
        if (json_array_size(list) > 0)
            show_labels(html, list);
    }
}

void mgl_html_disclosed(mgl_html *html, const json_t *document)
{
    const json_t *promise = json_object_get(document, "promise");
    const char *key;
    json_t *value;
    mgl_html_add(html, "<p>These figures depend on the input and cannot be checked here.</p>\n");
    mgl_html_table(html, "what|value");
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

void mgl_html_digest(mgl_html *html, const json_t *document)
{
    const json_t *release = json_object_get(document, "release");
    const char *file = mgl_json_text(release, "sha256"),
               *rows = mgl_json_text(release, "rows_sha256");
    mgl_html_add(html, "<p>SHA-256 of %s: <code>", file != NULL ? "the file" : "its rows");
    mgl_html_text(html, file != NULL ? file : rows != NULL ? rows : "?");
    mgl_html_add(html, "</code></p>\n");
}

static void show_file(mgl_html *html, const char *what, const char *column, const json_t *file)
{
    const char *name = mgl_json_text(file, "name"), *sha256 = mgl_json_text(file, "sha256"),
               *rows = mgl_json_text(file, "rows_sha256"); /* of a table in a database */
    mgl_html_add(html, "<tr><th scope=\"row\">%s", what);
    if (column != NULL) {
        mgl_html_add(html, " ");
        mgl_html_name(html, column);
    }
    mgl_html_add(html, "</th><td class=\"left\">");
    if (json_is_string(file)) {
        mgl_html_add(html, "<code>");
        mgl_html_name(html, json_string_value(file));
        mgl_html_add(html, "</code></td><td></td><td></td></tr>\n");
        return;
    }
    if (name == NULL) {
        mgl_html_add(html, "%s</td><td></td><td></td></tr>\n",
                     column != NULL ? "value or nothing" : "no file");
        return;
    }
    mgl_html_name(html, name);
    mgl_html_add(html, "</td><td>%s</td><td class=\"left\"><code>",
                 rows != NULL ? "rows"
                 : mgl_json_is_number(file, "bytes")
                     ? mgl_whole_words(&html->numbers, file, "bytes")
                     : "");
    mgl_html_text(html, rows != NULL ? rows : sha256 != NULL ? sha256 : "");
    mgl_html_add(html, "</code></td></tr>\n");
}

static void show_files(mgl_html *html, const json_t *audit)
{
    const char *column;
    json_t *hierarchy;
    mgl_html_add(html, "<div class=\"lefts\">\n<h3>Files</h3>\n");
    mgl_html_table(html, "|name or builder|bytes|SHA-256");
    show_file(html, "input", NULL, json_object_get(audit, "input"));
    show_file(html, "release", NULL, json_object_get(audit, "release"));
    json_object_foreach(json_object_get(audit, "hierarchies"), column, hierarchy)
        show_file(html, "hierarchy of", column, hierarchy);
    mgl_html_table_end(html);
    mgl_html_add(html, "</div>\n");
}

static void show_columns(mgl_html *html, const json_t *document, const json_t *columns)
{
    const json_t *treated = json_object_get(document, "treatments");
    const json_t *linked = json_object_get(document, "linked");
    const json_t *aggregated = mgl_json_at(document, "aggregation.columns");
    mgl_html_add(html, "<h3>Columns</h3>\n");
    mgl_html_table(html, "column|role|released");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        mgl_html_row(html, name != NULL ? name : "?");
        mgl_html_cell(html, role != NULL ? role : "?");
        mgl_html_cell(html, !json_is_true(json_object_get(column, "released")) ? "no"
                            : mgl_json_of_column(aggregated, name) != NULL     ? "aggregated"
                            : mgl_json_is(column, "role", "quasi")             ? "generalized"
                            : mgl_json_of_column(treated, name) != NULL        ? "treated"
                            : mgl_json_of_column(linked, name) != NULL         ? "follows others"
                            : mgl_json_is(column, "role", "items")             ? "sets of items"
                                                                               : "unchanged");
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

/* A text as it is, lists and parameters with commas between them. */
static void show_value(mgl_html *html, const json_t *value)
{
    const char *key, *text = json_string_value(value), *before = "";
    json_t *member;
    if (text != NULL)
        mgl_html_name(html, text);
    for (size_t i = 0; i < json_array_size(value); i++) {
        mgl_html_add(html, "%s", i > 0 ? ", " : "");
        show_value(html, json_array_get(value, i));
    }
    json_object_foreach((json_t *)value, key, member)
    {
        mgl_html_add(html, "%s", before);
        mgl_html_text(html, key);
        mgl_html_add(html, " ");
        show_value(html, member);
        before = ", ";
    }
}

static void show_setting(mgl_html *html, const char *column, const char *key, const json_t *value)
{
    mgl_html_add(html, "<tr><th scope=\"row\">");
    if (column != NULL) {
        mgl_html_name(html, column);
        mgl_html_add(html, ": ");
    }
    mgl_html_text(html, key);
    mgl_html_add(html, "</th><td class=\"left\"><code>");
    show_value(html, value);
    mgl_html_add(html, "</code></td></tr>\n");
}

/* Keys that have several values get rows of their own. */
static bool is_single(const char *key)
{
    return strcmp(key, "attributes") != 0 && strcmp(key, "privacy") != 0;
}

static void show_job(mgl_html *html, const json_t *job)
{
    const char *key, *column;
    json_t *value, *fields;
    mgl_html_add(html, "<h3>Job</h3>\n");
    mgl_html_table(html, "key of the job|value");
    const json_t *privacy = json_object_get(job, "privacy");
    json_object_foreach((json_t *)job, key, value)
    {
        if (is_single(key))
            show_setting(html, NULL, key, value);
    }
    for (size_t i = 0; i < json_array_size(privacy); i++) {
        json_object_foreach(json_array_get(privacy, i), key, value)
            show_setting(html, NULL, key, value);
    }
    json_object_foreach(json_object_get(job, "attributes"), column, fields)
    {
        json_object_foreach(fields, key, value) show_setting(html, column, key, value);
    }
    mgl_html_table_end(html);
}

void mgl_html_audit(mgl_html *html, const json_t *document)
{
    const json_t *audit = json_object_get(document, "audit");
    const char *name = mgl_json_text(json_object_get(audit, "release"), "name");
    mgl_html_add(html, "<p>What a third person needs to verify the release without seeing the "
                       "input. A check of ");
    mgl_html_name(html, name != NULL ? name : "the release");
    mgl_html_add(html, " against the file of this result recomputes what it claims (the command "
                       "<code>check</code> with the key <code>against</code>).</p>\n");
    show_files(html, audit);
    mgl_html_add(html, "<div class=\"pair lefts\">\n<div>");
    show_columns(html, document, json_object_get(audit, "columns"));
    mgl_html_add(html, "</div>\n<div>");
    show_job(html, json_object_get(audit, "job"));
    mgl_html_add(html, "</div>\n</div>\n");
}
