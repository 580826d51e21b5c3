/* Lines of a summary about models: what was asked for and what was found. terminal.c calls it. */
#include "report/terminal/terminal.h"

/* Numbers of models as they are written in jobs: 4294967295, 0.25. */
static void add_number(mgl_page *page, const json_t *value)
{
    if (json_is_integer(value))
        mgl_page_add(page, "%lld", (long long)json_integer_value(value));
    else
        mgl_page_add(page, "%g", json_number_value(value));
}

static void add_parameters(mgl_page *page, const json_t *parameters)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)parameters, key, value)
    {
        if (json_is_string(value)) {
            mgl_page_add(page, " %.200s", json_string_value(value));
        } else if (json_is_number(value)) {
            mgl_page_add(page, " %s=", key);
            add_number(page, value);
        }
    }
}

/* The columns, where the job has several quasi-identifiers. */
static void add_quasi_identifier(mgl_page *page, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_page_add(page, "%s%.200s", i == 0 ? " on " : ",",
                     json_string_value(json_array_get(columns, i)));
}

/* A model of the whole table breaks without any class to blame. */
static void add_violations(mgl_page *page, const json_t *model)
{
    char text[MGL_NUMBER_SIZE];
    uint64_t rows = mgl_json_whole(model, "violating_rows"),
             classes = mgl_json_whole(model, "violating_classes");
    if (rows == 0)
        return;
    mgl_page_add(page, ": %s row%s", mgl_page_count(rows, text), rows == 1 ? "" : "s");
    if (classes > 0)
        mgl_page_add(page, " in %s class%s", mgl_page_count(classes, text),
                     classes == 1 ? "" : "es");
}

static void show_model(mgl_page *page, const json_t *model)
{
    const char *name = json_string_value(json_object_get(model, "model"));
    mgl_page_add(page, "%s", name != NULL ? name : "?");
    add_parameters(page, json_object_get(model, "parameters"));
    add_quasi_identifier(page, json_object_get(model, "quasi_identifier"));
    mgl_page_add(page, " ");
    if (json_is_true(json_object_get(model, "holds"))) {
        mgl_page_ink(page, MGL_INK_GOOD, "holds");
    } else {
        mgl_page_ink(page, MGL_INK_BAD, "does not hold");
        add_violations(page, model);
    }
    if (mgl_json_is_number(model, "measured")) {
        mgl_page_add(page, " (measured ");
        add_number(page, json_object_get(model, "measured"));
        mgl_page_add(page, ")");
    }
    mgl_page_end(page);
}

/* Rows that were released before, with which the models hold. */
static void show_with(mgl_page *page, const json_t *with)
{
    const char *release = mgl_json_text(with, "release");
    if (release == NULL)
        return;
    mgl_page_label(page, "");
    mgl_page_add(page, "together with the %llu rows of ",
                 (unsigned long long)mgl_json_whole(with, "rows"));
    mgl_page_text(page, release);
    mgl_page_add(page, ", not alone");
    mgl_page_end(page);
}

void mgl_terminal_models(mgl_page *page, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    for (size_t i = 0; i < json_array_size(models); i++) {
        mgl_page_label(page, i == 0 ? "privacy" : "");
        show_model(page, json_array_get(models, i));
    }
    show_with(page, json_object_get(document, "with"));
    if (mgl_json_is_number(document, "k")) {
        mgl_page_label(page, "k");
        bool match = json_object_get(document, "missing_matches") != NULL;
        mgl_page_add(page, "%llu, %s", (unsigned long long)mgl_json_whole(document, "k"),
                     match ? "the fewest rows that match one" : "the smallest class");
        mgl_page_end(page);
    }
}
