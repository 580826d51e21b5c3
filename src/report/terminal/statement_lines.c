/* Lines of a summary that only statements have: what the release does not show, how to read its
 * columns, and its digest. terminal.c calls it. */
#include "report/terminal/terminal.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = mgl_json_text(object, key);
    return text != NULL ? text : "?";
}

static void show_open(mgl_page *page, const json_t *open)
{
    for (size_t i = 0; i < json_array_size(open); i++) {
        const json_t *one = json_array_get(open, i);
        mgl_buffer name = {0};
        mgl_page_label(page, i == 0 ? "open" : "");
        mgl_model_words(one, &name);
        mgl_page_take(page, &name);
        mgl_page_add(page, ": %s", text_of(one, "why"));
        mgl_page_end(page);
    }
}

static void show_columns(mgl_page *page, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        mgl_page_label(page, i == 0 ? "columns" : "");
        mgl_page_text(page, text_of(column, "column"));
        mgl_page_add(page, ": %s; %llu different values", text_of(column, "done"),
                     (unsigned long long)mgl_json_whole(column, "values"));
        mgl_page_end(page);
    }
}

static void show_disclosed(mgl_page *page, const json_t *disclosed)
{
    const char *key, *before = "";
    json_t *value;
    if (json_object_size(disclosed) == 0)
        return;
    mgl_page_label(page, "disclosed");
    json_object_foreach((json_t *)disclosed, key, value)
    {
        mgl_page_add(page, "%s%s", before, key);
        before = ", ";
    }
    mgl_page_add(page, " (of the input; cannot be checked here)");
    mgl_page_end(page);
}

void mgl_terminal_statement(mgl_page *page, const json_t *document)
{
    const json_t *release = json_object_get(document, "release");
    if (!json_is_integer(json_object_get(document, "statement")))
        return;
    show_open(page, json_object_get(document, "not_checkable"));
    show_columns(page, json_object_get(document, "columns"));
    show_disclosed(page, json_object_get(json_object_get(document, "promise"), "disclosed"));
    mgl_page_label(page, "sha256");
    mgl_page_add(page, "%s",
                 mgl_json_text(release, "sha256") != NULL ? text_of(release, "sha256")
                                                          : text_of(release, "rows_sha256"));
    mgl_page_end(page);
}
