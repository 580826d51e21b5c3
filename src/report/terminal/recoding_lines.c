/* Prints what `recoding show` and `codebook` tell. terminal.c calls it. */
#include "report/terminal/terminal.h"

enum { MOST_TUPLES = 40, MOST_VALUES = 40 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void add_list(mgl_page *page, const json_t *texts)
{
    for (size_t i = 0; i < json_array_size(texts); i++)
        mgl_page_add(page, "%s%s", i > 0 ? ", " : "", json_string_value(json_array_get(texts, i)));
}

static void add_count(mgl_page *page, const json_t *object, const char *key, const char *what)
{
    char number[MGL_NUMBER_SIZE];
    mgl_page_add(page, "%s%s", mgl_page_count(mgl_json_whole(object, key), number), what);
}

/* ---- A recoding
 * ---------------------------------------------------------------------------------- */

static void add_quasi(mgl_page *page, const json_t *quasi)
{
    const char *function = text_of(quasi, "aggregate");
    mgl_page_add(page, "%s  ", text_of(quasi, "column"));
    if (function[0] != '\0')
        mgl_page_add(page, "aggregated: %s, ", function);
    else if (json_is_integer(json_object_get(quasi, "level")))
        mgl_page_add(page, "level %.0f of %.0f, ", mgl_json_number(quasi, "level"),
                     mgl_json_number(quasi, "height"));
    else if (json_object_get(quasi, "height") != NULL)
        mgl_page_add(page, "cells of several levels, ");
    add_count(page, quasi, "values", " values");
    if (json_object_get(quasi, "leaves") != NULL) {
        mgl_page_add(page, ", ");
        add_count(page, quasi, "leaves", " leaves");
    }
    if (text_of(quasi, "rule")[0] != '\0')
        mgl_page_add(page, ", others by %s", text_of(quasi, "rule"));
    mgl_page_end(page);
}

/* "dx: A00 -> A", items that stay as they are left out of the list. */
static void add_items(mgl_page *page, const json_t *items)
{
    const json_t *list = json_object_get(items, "items");
    size_t told = 0, changed = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *released = json_string_value(json_object_get(one, "released"));
        if (released != NULL && strcmp(released, text_of(one, "item")) == 0)
            continue;
        if (changed++ >= MOST_VALUES)
            continue;
        mgl_page_add(page, "%s: %s -> %s", text_of(items, "column"), text_of(one, "item"),
                     released != NULL ? released : "left out");
        mgl_page_end(page);
        told++;
    }
    if (changed > told) {
        mgl_page_add(page, "and %zu more items", changed - told);
        mgl_page_end(page);
    }
}

void mgl_terminal_recoding(mgl_page *page, const json_t *document)
{
    const json_t *quasi = json_object_get(document, "quasi_identifier");
    const json_t *tuples = json_object_get(document, "tuples");
    size_t n = json_array_size(tuples);
    mgl_page_add(page, "method %s, saved by mingle %s, of ", text_of(document, "method"),
                 text_of(document, "saved_by"));
    add_count(page, document, "rows", " rows in ");
    mgl_page_add(page, "%zu tuples", n);
    mgl_page_end(page);
    for (size_t a = 0; a < json_array_size(quasi); a++)
        add_quasi(page, json_array_get(quasi, a));
    for (size_t t = 0; t < n && t < MOST_TUPLES; t++) {
        const json_t *tuple = json_array_get(tuples, t);
        add_list(page, json_object_get(tuple, "values"));
        mgl_page_add(page, " -> ");
        add_list(page, json_object_get(tuple, "released"));
        mgl_page_add(page, "  (");
        add_count(page, tuple, "rows", " rows");
        mgl_page_add(page, "%s)",
                     json_is_true(json_object_get(tuple, "suppressed")) ? ", suppressed" : "");
        mgl_page_end(page);
    }
    if (n > MOST_TUPLES) {
        mgl_page_add(page, "and %zu more; `output: FILE.csv` writes all of them", n - MOST_TUPLES);
        mgl_page_end(page);
    }
    add_items(page, json_object_get(document, "items"));
}

/* ---- A codebook
 * ---------------------------------------------------------------------------------- */

static void add_value(mgl_page *page, const json_t *value)
{
    const char *text = text_of(value, "value"), *coarse = text_of(value, "coarse");
    mgl_page_add(page, "    %s", text[0] != '\0' ? text : "(empty)");
    if (coarse[0] != '\0')
        mgl_page_add(page, "  %s", coarse);
    if (json_is_integer(json_object_get(value, "rows"))) {
        mgl_page_add(page, ", ");
        add_count(page, value, "rows", " rows");
    }
    mgl_page_end(page);
}

void mgl_terminal_codebook(mgl_page *page, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns");
    mgl_page_add(page, "%s, ", text_of(document, "release"));
    add_count(page, document, "released_rows", " rows");
    mgl_page_end(page);
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *column = json_array_get(columns, c);
        const json_t *values = json_object_get(column, "list");
        size_t n = json_array_size(values);
        mgl_page_add(page, "%s  %s; ", text_of(column, "column"), text_of(column, "done"));
        add_count(page, column, "values", " different values");
        mgl_page_end(page);
        for (size_t i = 0; i < n && i < MOST_VALUES; i++)
            add_value(page, json_array_get(values, i));
        if (n > MOST_VALUES) {
            mgl_page_add(page, "    and %zu more; `output: FILE.csv` writes all of them",
                         n - MOST_VALUES);
            mgl_page_end(page);
        }
    }
}
