/* Words that several sections use: commands, measures, models, numbers of things. The sections of
 * the page call it, terminal.c for a few. */
#include "report/html/sections.h"

#include <stdio.h>

bool mgl_is_command(const json_t *document, const char *command)
{
    const char *own = mgl_json_text(document, "command");
    return own != NULL && strcmp(own, command) == 0;
}

const char *mgl_members(const json_t *document)
{
    const json_t *job = json_object_get(json_object_get(document, "audit"), "job");
    return json_is_string(json_object_get(document, "entity")) ||
                   json_object_get(job, "entity") != NULL
               ? "persons"
               : "rows";
}

const char *mgl_counted(uint64_t count, const char *one, const char *many, char *text)
{
    char number[MGL_NUMBER_SIZE];
    snprintf(text, MGL_NUMBER_SIZE, "%s %s", mgl_page_count(count, number),
             count == 1 ? one : many);
    return text;
}

static void add_parameter(mgl_html *html, const char *key, const json_t *value)
{
    char number[MGL_NUMBER_SIZE];
    mgl_html_add(html, ", ");
    mgl_html_text(html, key);
    mgl_html_add(html, " = ");
    if (json_is_string(value)) {
        mgl_html_name(html, json_string_value(value));
        return;
    }
    snprintf(number, sizeof number, json_is_integer(value) ? "%.0f" : "%g",
             json_number_value(value));
    mgl_html_text(html, number);
}

void mgl_html_model(mgl_html *html, const json_t *model)
{
    const char *name = mgl_json_text(model, "model"), *key;
    const json_t *columns = json_object_get(model, "quasi_identifier");
    json_t *value;
    mgl_html_add(html, "<strong>");
    mgl_html_text(html, name != NULL ? name : "?");
    json_object_foreach(json_object_get(model, "parameters"), key, value)
        add_parameter(html, key, value);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        mgl_html_add(html, i == 0 ? " on " : ", ");
        mgl_html_name(html, json_string_value(json_array_get(columns, i)));
    }
    mgl_html_add(html, "</strong>");
}
