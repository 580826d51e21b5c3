/* Names models and what was found about them. Summaries, reports of tests and the gate call it. */
#include "report/words/page.h"

/* Numbers of models as they are written in jobs: 4294967295, 0.25. */
static void add_number(mgl_buffer *out, const json_t *value)
{
    if (json_is_integer(value))
        mgl_buffer_format(out, "%lld", (long long)json_integer_value(value));
    else
        mgl_buffer_format(out, "%g", json_number_value(value));
}

static void add_parameters(mgl_buffer *out, const json_t *parameters)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)parameters, key, value)
    {
        if (json_is_string(value)) {
            mgl_buffer_format(out, " %.200s", json_string_value(value));
        } else if (json_is_number(value)) {
            mgl_buffer_format(out, " %s=", key);
            add_number(out, value);
        }
    }
}

/* The columns, where the job has several quasi-identifiers. */
static void add_quasi_identifier(mgl_buffer *out, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_buffer_format(out, "%s%.200s", i == 0 ? " on " : ",",
                          json_string_value(json_array_get(columns, i)));
}

void mgl_model_words(const json_t *model, mgl_buffer *out)
{
    const char *name = json_string_value(json_object_get(model, "model"));
    mgl_buffer_text(out, name != NULL ? name : "?");
    add_parameters(out, json_object_get(model, "parameters"));
    add_quasi_identifier(out, json_object_get(model, "quasi_identifier"));
}

void mgl_violations_words(const json_t *model, mgl_buffer *out)
{
    char text[MGL_NUMBER_SIZE];
    uint64_t rows = mgl_json_whole(model, "violating_rows"),
             classes = mgl_json_whole(model, "violating_classes");
    if (rows == 0)
        return;
    mgl_buffer_format(out, "%s row%s", mgl_page_count(rows, text), rows == 1 ? "" : "s");
    if (classes > 0)
        mgl_buffer_format(out, " in %s class%s", mgl_page_count(classes, text),
                          classes == 1 ? "" : "es");
}

void mgl_measured_words(const json_t *model, mgl_buffer *out)
{
    if (!mgl_json_is_number(model, "measured"))
        return;
    mgl_buffer_text(out, "measured ");
    add_number(out, json_object_get(model, "measured"));
}
