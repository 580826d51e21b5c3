/* Lines of what-if, preview and look. terminal.c calls them. */
#include "report/terminal/terminal.h"

#include <stdio.h>

enum { CHANGE = 32, MOST_CELL = 24 };

static const char *text_or(const json_t *object, const char *key, const char *other)
{
    const char *text = mgl_json_text(object, key);
    return text != NULL ? text : other;
}

/* ---- What if --------------------------------------------------------------------------------- */

/* "precision 0.93, 12 suppressed", or why there is nothing. */
static void add_figures(mgl_page *page, const json_t *figures, const json_t *answer)
{
    char number[MGL_NUMBER_SIZE];
    const json_t *error = json_object_get(figures, "error");
    double value = mgl_json_number(figures, "value"), now = mgl_json_number(answer, "value");
    if (json_is_object(error)) {
        mgl_page_ink(page, MGL_INK_BAD, "none: ");
        mgl_page_text(page, text_or(error, "message", "?"));
        return;
    }
    mgl_page_add(page, "%s %s", text_or(figures, "measure", "?"), mgl_page_real(value, number));
    const char *kind = mgl_json_text(figures, "kind");
    /* Fewer columns are measured by another yardstick. */
    bool alike = figures != answer && kind != NULL && strcmp(kind, "columns") != 0;
    if (alike && mgl_json_is_number(figures, "value") && mgl_json_is_number(answer, "value"))
        mgl_page_add(page, " (%+.3g)", value - now);
    if (mgl_json_is_number(figures, "suppressed_rows"))
        mgl_page_add(page, ", %s suppressed",
                     mgl_page_count(mgl_json_whole(figures, "suppressed_rows"), number));
    if (!json_is_true(json_object_get(figures, "holds")))
        mgl_page_add(page, ", models do not hold");
}

void mgl_terminal_what_if(mgl_page *page, const json_t *document)
{
    const json_t *answer = json_object_get(document, "answer"),
                 *changes = json_object_get(document, "changes"),
                 *left_out = json_object_get(document, "left_out");
    if (answer != NULL) {
        mgl_page_cell(page, "now", CHANGE);
        mgl_page_add(page, " ");
        add_figures(page, answer, answer);
        mgl_page_end(page);
    }
    for (size_t i = 0; i < json_array_size(changes); i++) {
        const json_t *change = json_array_get(changes, i);
        mgl_page_cell(page, text_or(change, "change", "?"), CHANGE);
        mgl_page_add(page, " ");
        add_figures(page, change, answer);
        mgl_page_end(page);
    }
    for (size_t i = 0; i < json_array_size(left_out); i++) {
        mgl_page_cell(page, text_or(json_array_get(left_out, i), "change", "?"), CHANGE);
        mgl_page_add(page, " not asked: time was up");
        mgl_page_end(page);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Bytes of the first characters, at most so many. */
static int cut(const char *text, size_t most)
{
    size_t size = 0;
    for (; text[size] != '\0'; size++)
        if (((unsigned char)text[size] & 0xC0) != 0x80 && most-- == 0)
            break;
    return (int)size;
}

static void add_cells(mgl_page *page, const json_t *cells)
{
    for (size_t i = 0; i < json_array_size(cells); i++) {
        const char *text = json_string_value(json_array_get(cells, i));
        text = text != NULL ? text : "-";
        mgl_page_add(page, "%s%.*s", i > 0 ? " | " : "", cut(text, MOST_CELL), text);
    }
}

void mgl_terminal_preview(mgl_page *page, const json_t *document)
{
    const json_t *window = json_object_get(document, "window"),
                 *columns = json_object_get(document, "columns"),
                 *error = json_object_get(document, "error");
    char matching[MGL_NUMBER_SIZE], rows[MGL_NUMBER_SIZE];
    if (json_is_object(error)) {
        mgl_page_ink(page, MGL_INK_BAD, "no release");
        mgl_page_add(page, "  ");
        mgl_page_text(page, text_or(error, "message", "?"));
        mgl_page_end(page);
    }
    mgl_page_label(page, "rows");
    mgl_page_add(page, "%s of %s", mgl_page_count(mgl_json_whole(document, "matching"), matching),
                 mgl_page_count(mgl_json_whole(document, "rows"), rows));
    mgl_page_end(page);
    mgl_page_label(page, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_page_item(page, text_or(json_array_get(columns, i), "column", "?"));
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(window); i++) {
        const json_t *row = json_array_get(window, i);
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)mgl_json_whole(row, "row"));
        mgl_page_label(page, number);
        add_cells(page, json_object_get(row, "before"));
        mgl_page_add(page, "  (1 of %llu)", (unsigned long long)mgl_json_whole(row, "size_before"));
        mgl_page_end(page);
        mgl_page_label(page, "");
        if (json_is_array(json_object_get(row, "after")))
            add_cells(page, json_object_get(row, "after"));
        else
            mgl_page_add(page, "not released");
        if (mgl_json_is_number(row, "size"))
            mgl_page_add(page, "  (1 of %llu)", (unsigned long long)mgl_json_whole(row, "size"));
        mgl_page_end(page);
    }
}

/* ---- A table --------------------------------------------------------------------------------- */

static void show_format(mgl_page *page, const json_t *table)
{
    const char *delimiter = mgl_json_text(table, "delimiter");
    mgl_page_label(page, "table");
    mgl_page_text(page, text_or(table, "location", "?"));
    if (delimiter != NULL)
        mgl_page_add(
            page, ", %s between cells, %s, %s", strcmp(delimiter, "\t") == 0 ? "tabs" : delimiter,
            text_or(table, "encoding", "?"),
            json_is_true(json_object_get(table, "header")) ? "with a header" : "without a header");
    mgl_page_end(page);
    if (json_is_string(json_object_get(table, "encoding_why"))) {
        mgl_page_label(page, "encoding");
        mgl_page_add(page, "found: %s (", text_or(table, "encoding_found", "none"));
        mgl_page_text(page, text_or(table, "encoding_why", ""));
        mgl_page_add(page, ")");
        mgl_page_end(page);
    }
}

void mgl_terminal_look(mgl_page *page, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns"),
                 *window = json_object_get(document, "window");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    show_format(page, json_object_get(document, "table"));
    mgl_page_label(page, "rows");
    mgl_page_add(page, "%s", mgl_page_count(mgl_json_whole(document, "rows"), a));
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        mgl_page_label(page, i == 0 ? "columns" : "");
        mgl_page_text(page, text_or(column, "column", "?"));
        mgl_page_add(page, ": %s, %s different, %s missing", text_or(column, "kind", "?"),
                     mgl_page_count(mgl_json_whole(column, "distinct"), a),
                     mgl_page_count(mgl_json_whole(column, "missing"), b));
        mgl_page_end(page);
    }
    for (size_t i = 0; i < json_array_size(window); i++) {
        mgl_page_label(page, i == 0 ? "first rows" : "");
        add_cells(page, json_array_get(window, i));
        mgl_page_end(page);
    }
}
