/* Prints the results of commands that have no summary of a release: changes, previews, looks at a
 * table, hierarchies, recodings, codebooks and scripts. */
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

enum { CHANGE = 32, MOST_CELL = 24 };

static const char *text_or(const json_t *object, const char *key, const char *other)
{
    const char *text = mgl_json_text(object, key);
    return text != NULL ? text : other;
}

/* "precision 0.93, 12 suppressed", or why there is nothing. */
static void add_figures(mgl_page *page, const json_t *figures, const json_t *answer)
{
    double value = mgl_json_number(figures, "value"), now = mgl_json_number(answer, "value");
    if (json_is_object(json_object_get(figures, "error"))) {
        mgl_page_ink(page, MGL_INK_BAD, "none: ");
        mgl_page_fill(page, figures, "{error.message}");
        return;
    }
    mgl_page_fill(page, figures, "{measure} {value:~}");
    const char *kind = mgl_json_text(figures, "kind");
    /* Fewer columns are measured by another yardstick. */
    bool alike = figures != answer && kind != NULL && strcmp(kind, "columns") != 0;
    if (alike && isfinite(value) && isfinite(now))
        mgl_page_add(page, " (%+.3g)", value - now);
    mgl_page_fill(page, figures, "[, {suppressed_rows:,} suppressed]");
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
    if (json_is_object(error)) {
        mgl_page_ink(page, MGL_INK_BAD, "no release");
        mgl_page_fill(page, error, "  {message}");
        mgl_page_end(page);
    }
    mgl_page_fact(page, "rows", document, "{matching:,} of {rows:,}");
    mgl_page_label(page, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_page_fill_item(page, json_array_get(columns, i), "{column}");
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(window); i++) {
        const json_t *row = json_array_get(window, i);
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)mgl_json_whole(row, "row"));
        mgl_page_label(page, number);
        add_cells(page, json_object_get(row, "before"));
        mgl_page_fill(page, row, "  (1 of {size_before:.0f})");
        mgl_page_end(page);
        mgl_page_label(page, "");
        if (json_is_array(json_object_get(row, "after")))
            add_cells(page, json_object_get(row, "after"));
        else
            mgl_page_add(page, "not released");
        mgl_page_fill(page, row, "[  (1 of {size:.0f})]");
        mgl_page_end(page);
    }
}

static void show_format(mgl_page *page, const json_t *table)
{
    const char *delimiter = mgl_json_text(table, "delimiter");
    mgl_page_label(page, "table");
    mgl_page_fill(page, table, "{location}");
    if (delimiter != NULL) {
        mgl_page_add(page, ", %s", strcmp(delimiter, "\t") == 0 ? "tabs" : delimiter);
        mgl_page_fill(page, table,
                      json_is_true(json_object_get(table, "header"))
                          ? " between cells, {encoding}, with a header"
                          : " between cells, {encoding}, without a header");
    }
    mgl_page_end(page);
    if (json_is_string(json_object_get(table, "encoding_why")))
        mgl_page_fact(page, "encoding", table,
                      mgl_json_text(table, "encoding_found") != NULL
                          ? "found: {encoding_found} ({encoding_why})"
                          : "found: none ({encoding_why})");
}

void mgl_terminal_look(mgl_page *page, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns"),
                 *window = json_object_get(document, "window");
    show_format(page, json_object_get(document, "table"));
    mgl_page_fact(page, "rows", document, "{rows:,}");
    mgl_page_facts(page, "columns", columns,
                   "{column}: {kind}, {distinct:,} different, {missing:,} missing");
    for (size_t i = 0; i < json_array_size(window); i++) {
        mgl_page_label(page, i == 0 ? "first rows" : "");
        add_cells(page, json_array_get(window, i));
        mgl_page_end(page);
    }
}

enum { INDENT = 4 }; /* of lines that go on */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static size_t longest(const json_t *hierarchies, const char *key)
{
    size_t longest = 0;
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        size_t size = mgl_page_columns(text_of(json_array_get(hierarchies, i), key));
        if (size > longest)
            longest = size;
    }
    return longest < 60 ? longest : 60;
}

static void add_levels(mgl_page *page, const json_t *hierarchy)
{
    const json_t *levels = json_object_get(hierarchy, "levels");
    for (size_t i = 0; i < json_array_size(levels); i++)
        mgl_page_add(page, "%s%s", i > 0 ? " > " : "",
                     mgl_count_words(&page->numbers,
                                     (uint64_t)json_integer_value(json_array_get(levels, i))));
}

static void check(mgl_page *page, const json_t *hierarchies)
{
    size_t column = longest(hierarchies, "column"), source = longest(hierarchies, "source");
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        mgl_page_cell(page, text_of(hierarchy, "column"), column);
        mgl_page_add(page, "  ");
        mgl_page_cell(page, text_of(hierarchy, "source"), source);
        mgl_page_add(page, "  height %.0f, values per level ",
                     mgl_json_number(hierarchy, "height"));
        page->indent = INDENT;
        add_levels(page, hierarchy);
        mgl_page_add(page, "  ");
        mgl_page_ink(page, MGL_INK_GOOD, "good");
        mgl_page_end(page);
    }
}

static void show(mgl_page *page, const json_t *hierarchies)
{
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        const char *tree = text_of(hierarchy, "tree");
        if (i > 0)
            mgl_page_end(page);
        mgl_page_add(page, "%s  %s  height %.0f, values per level ", text_of(hierarchy, "column"),
                     text_of(hierarchy, "source"), mgl_json_number(hierarchy, "height"));
        add_levels(page, hierarchy);
        mgl_page_end(page);
        mgl_page_text(page, tree);
        page->whole = true; /* its lines are what they are */
        if (tree[0] != '\0' && tree[strlen(tree) - 1] != '\n')
            mgl_page_end(page);
        page->begin = page->text.size;
        page->whole = false;
    }
}

/* What a program spells so that one can copy it, and others take for the key and its value. */
static void add_setting(mgl_page *page, const char *column, const char *builder)
{
    bool name_needs_quotes = strpbrk(column, ",=\" ") != NULL;
    mgl_page_add(page, " `hierarchy: ");
    mgl_page_add(page, name_needs_quotes ? "\"" : "");
    for (const char *c = column; *c != '\0'; c++) {
        if (*c == '"')
            mgl_page_add(page, "\"");
        mgl_page_add(page, "%c", *c);
    }
    mgl_page_add(page, "%s=%s`", name_needs_quotes ? "\"" : "", builder);
}

/* What else a person may choose. */
static void add_alternatives(mgl_page *page, int indent, const char *text)
{
    if (text[0] == '\0')
        return;
    mgl_page_add(page, "%*s  or %s", indent, "", text);
    mgl_page_end(page);
}

static void suggest(mgl_page *page, const json_t *hierarchies)
{
    size_t column = longest(hierarchies, "column");
    size_t builder = longest(hierarchies, "builder");
    bool any = false;
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        const char *text = text_of(hierarchy, "builder");
        any = any || text[0] != '\0';
        mgl_page_cell(page, text_of(hierarchy, "column"), column);
        mgl_page_add(page, "  ");
        mgl_page_cell(page, text[0] != '\0' ? text : "-", builder);
        mgl_page_add(page, "  %s", text_of(hierarchy, "reason"));
        page->indent = INDENT;
        mgl_page_end(page);
        add_alternatives(page, (int)column, text_of(hierarchy, "alternatives"));
    }
    if (!any)
        return;
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        if (text_of(hierarchy, "builder")[0] == '\0')
            continue;
        page->whole = true;
        add_setting(page, text_of(hierarchy, "column"), text_of(hierarchy, "builder"));
        mgl_page_add(page, " \\");
        mgl_page_end(page);
    }
    /* The last line goes on to nothing. */
    if (!page->text.failed)
        page->text.size -= 3;
    page->whole = true;
    mgl_page_end(page);
}

/* Each as JSON, as a file of a hierarchy may be. */
static void print_trees(mgl_page *page, const json_t *hierarchies)
{
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        char *text = json_dumps(json_object_get(json_array_get(hierarchies, i), "tree"),
                                JSON_INDENT(1) | JSON_ENCODE_ANY);
        mgl_buffer_text(&page->text, text != NULL ? text : "");
        mgl_buffer_text(&page->text, "\n");
        free(text);
    }
}

void mgl_terminal_hierarchies(mgl_page *page, const json_t *document)
{
    const json_t *hierarchies = json_object_get(document, "hierarchies");
    const char *action = text_of(document, "action");
    if (strcmp(action, "suggest") == 0)
        suggest(page, hierarchies);
    else if (strcmp(action, "show") == 0)
        show(page, hierarchies);
    else if (strcmp(action, "tree") == 0)
        print_trees(page, hierarchies);
    else if (strcmp(action, "check") == 0 || mgl_json_text(document, "output") != NULL)
        check(page, hierarchies);
    else
        for (size_t i = 0; i < json_array_size(hierarchies); i++)
            mgl_buffer_text(&page->text, text_of(json_array_get(hierarchies, i), "file"));
}

enum { MOST_TUPLES = 40, MOST_VALUES = 40 };

static void add_quasi(mgl_page *page, const json_t *quasi)
{
    const char *form = json_is_integer(json_object_get(quasi, "level"))
                           ? "level {level:.0f} of {height:.0f}, "
                       : json_object_get(quasi, "height") != NULL ? "cells of several levels, "
                                                                  : "";
    mgl_page_fill(page, quasi, "{column}  ");
    mgl_page_fill(page, quasi,
                  text_of(quasi, "aggregate")[0] != '\0' ? "aggregated: {aggregate}, " : form);
    mgl_page_fill(page, quasi, "{values:,} values[, {leaves:,} leaves]");
    if (text_of(quasi, "rule")[0] != '\0')
        mgl_page_fill(page, quasi, ", others by {rule}");
    mgl_page_end(page);
}

/* "dx: A00 -> A", items that stay as they are left out of the list. */
static void add_items(mgl_page *page, const json_t *items)
{
    const json_t *list = json_object_get(items, "items");
    size_t shown = 0, changed = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *released = mgl_json_text(one, "released");
        if (released != NULL && strcmp(released, text_of(one, "item")) == 0)
            continue;
        if (changed++ >= MOST_VALUES)
            continue;
        mgl_page_add(page, "%s: %s -> %s", text_of(items, "column"), text_of(one, "item"),
                     released != NULL ? released : "left out");
        mgl_page_end(page);
        shown++;
    }
    if (changed > shown) {
        mgl_page_add(page, "and %zu more items", changed - shown);
        mgl_page_end(page);
    }
}

void mgl_terminal_recoding(mgl_page *page, const json_t *document)
{
    const json_t *quasi = json_object_get(document, "quasi_identifier");
    const json_t *tuples = json_object_get(document, "tuples");
    size_t n = json_array_size(tuples);
    mgl_page_fill(page, document,
                  "method {method}, saved by mingle {saved_by}, of {rows:,} rows in ");
    mgl_page_add(page, "%zu tuples", n);
    mgl_page_end(page);
    for (size_t a = 0; a < json_array_size(quasi); a++)
        add_quasi(page, json_array_get(quasi, a));
    for (size_t t = 0; t < n && t < MOST_TUPLES; t++) {
        const json_t *tuple = json_array_get(tuples, t);
        mgl_page_fill(page, tuple,
                      json_is_true(json_object_get(tuple, "suppressed"))
                          ? "{values:list} -> {released:list}  ({rows:,} rows, suppressed)"
                          : "{values:list} -> {released:list}  ({rows:,} rows)");
        mgl_page_end(page);
    }
    if (n > MOST_TUPLES) {
        mgl_page_add(page, "and %zu more; `output: FILE.csv` writes all of them", n - MOST_TUPLES);
        mgl_page_end(page);
    }
    add_items(page, json_object_get(document, "items"));
}

static void add_value(mgl_page *page, const json_t *value)
{
    mgl_page_fill(page, value, text_of(value, "value")[0] != '\0' ? "    {value}" : "    (empty)");
    if (text_of(value, "coarse")[0] != '\0')
        mgl_page_fill(page, value, "  {coarse}");
    mgl_page_fill(page, value, "[, {rows:,} rows]");
    mgl_page_end(page);
}

void mgl_terminal_codebook(mgl_page *page, const json_t *document)
{
    const json_t *columns = json_object_get(document, "columns");
    mgl_page_fill(page, document, "{release}, {released_rows:,} rows");
    mgl_page_end(page);
    for (size_t c = 0; c < json_array_size(columns); c++) {
        const json_t *column = json_array_get(columns, c);
        const json_t *values = json_object_get(column, "list");
        size_t n = json_array_size(values);
        mgl_page_fill(page, column, "{column}  {done}; {values:,} different values");
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

/* A comment is one line, however long. */
static void comment(mgl_page *page, const char *text)
{
    mgl_page_add(page, text[0] != '\0' ? "-- %.1100s" : "%s", text);
    page->whole = true;
    mgl_page_end(page);
}

/* A text that others wrote, in which keys are not spelt. */
static void quote(mgl_page *page, const char *text)
{
    mgl_buffer_text(&page->text, "--   ");
    for (; *text != '\0'; text++)
        mgl_buffer_append(&page->text, (unsigned char)*text < ' ' || *text == 127 ? "?" : text, 1);
    mgl_buffer_text(&page->text, "\n");
    page->begin = page->text.size;
}

static void hint(mgl_page *page, const json_t *sql, const char *key)
{
    const char *words = mgl_json_text(sql, key);
    if (words != NULL)
        quote(page, words);
}

static void statement(mgl_page *page, const json_t *sql, const char *key)
{
    const char *text = mgl_json_text(sql, key);
    if (text == NULL)
        return;
    mgl_buffer_text(&page->text, text);
    mgl_buffer_text(&page->text, ";\n");
    page->begin = page->text.size;
}

static void gap(mgl_page *page)
{
    mgl_buffer_text(&page->text, "\n");
    page->begin = page->text.size;
}

static void show_passed(mgl_page *page, const json_t *passed)
{
    if (json_array_size(passed) == 0)
        return;
    comment(page, "The leak guard cannot look at columns that are passed through in another "
                  "engine. The job accepts that of:");
    for (size_t i = 0; i < json_array_size(passed); i++)
        quote(page, json_string_value(json_array_get(passed, i)));
}

/* True if the text can be in a line whose keys are spelt. */
static bool is_plain(const char *text)
{
    bool plain = text != NULL;
    for (const char *at = plain ? text : ""; *at != '\0'; at++)
        plain = plain && (unsigned char)*at >= ' ' && *at != '`' && *at != '"' && *at != 127;
    return plain && strlen(text) < 100;
}

/* The texts of missing cells are given, since a file of counts would have its own default. */
static void add_missing(mgl_page *page, const json_t *missing)
{
    bool plain = json_array_size(missing) > 0 && json_array_size(missing) < 5;
    for (size_t i = 0; i < json_array_size(missing); i++)
        plain = plain && is_plain(json_string_value(json_array_get(missing, i)));
    mgl_page_add(page, plain ? " `missing: " : " `missing: TEXT,...");
    for (size_t i = 0; plain && i < json_array_size(missing); i++)
        mgl_page_add(page, "%s\"%s\"", i > 0 ? "," : "",
                     json_string_value(json_array_get(missing, i)));
    mgl_page_add(page, "`");
}

static void show_search(mgl_page *page, const json_t *sql)
{
    const char *count = mgl_json_text(sql, "count_column");
    comment(page, "2. Search, with the options of this job or the file that `save-job` wrote:");
    mgl_page_add(page, "--   `anonymize` JOB.yaml counts.csv `count: %.200s`",
                 is_plain(count) ? count : "COLUMN");
    add_missing(page, json_object_get(sql, "missing"));
    mgl_page_add(page, " `output: counted.csv` `save-map: map.csv` `result: result.json`");
    page->whole = true;
    mgl_page_end(page);
}

void mgl_terminal_script(mgl_page *page, const json_t *sql)
{
    comment(page, "Counts and map hold values of the table, and are as secret as it is; the "
                  "release is secret until it is checked (docs/counted-tables.md).");
    show_passed(page, json_object_get(sql, "passed_through"));
    statement(page, sql, "setting");
    gap(page);
    comment(page, "1. Count, and write the rows to counts.csv, with a header:");
    hint(page, sql, "unload");
    statement(page, sql, "count");
    gap(page);
    show_search(page, sql);
    gap(page);
    comment(page, "3. Load map.csv:");
    statement(page, sql, "map");
    hint(page, sql, "load");
    gap(page);
    comment(page, "4. Make the release, under a name of its own until it is checked:");
    statement(page, sql, "release");
    gap(page);
    comment(page, "5. Count the release, and write the rows to released.csv, with a header:");
    statement(page, sql, "verify");
    comment(page, "Models are judged, and all records are accounted for, by");
    comment(page, "  `check` released.csv `against: result.json`");
    gap(page);
    comment(page, "6. If that holds, give the release its name, and drop the map:");
    statement(page, sql, "publish");
    statement(page, sql, "clean");
    comment(page, "If it does not hold, drop both instead:");
    hint(page, sql, "undo");
    hint(page, sql, "clean");
}
