/* Prints a comparison as a table with one line per method, then failures and warnings. */
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

typedef const char *cell_fn(const json_t *result, const char *key, char *text);

typedef struct column {
    const char *title; /* "class size" has two lines */
    const char *key;
    cell_fn *cell;
    unsigned drop_rank; /* where a line would be too long, the columns with the largest number go
                       first; 0: never */
    size_t width;
} column;

enum { MOST_MEASURES = 8, MOST_COLUMNS = MOST_MEASURES + 5 };

typedef struct table {
    const json_t *list;
    column columns[MOST_COLUMNS];
    size_t n_columns, gap;
    char titles[MOST_COLUMNS][MGL_NUMBER_SIZE];
} table;

static bool has_failed(const json_t *result)
{
    return json_object_get(result, "error") != NULL;
}

static const char *name_cell(const json_t *result, const char *key, char *text)
{
    const char *name = json_string_value(json_object_get(result, key));
    snprintf(text, MGL_NUMBER_SIZE, "%s", name != NULL ? name : "?");
    return text;
}

/* Four digits are enough to compare by, and keep the column narrow. */
static const char *short_number(double value, char *text)
{
    static const char units[] = "kMGTPE";
    size_t unit = 0;
    if (!isfinite(value) || value < 1e6)
        return mgl_page_real(value, text);
    for (value /= 1000; value >= 999.95 && unit + 2 < sizeof units; unit++)
        value /= 1000;
    snprintf(text, MGL_NUMBER_SIZE, "%.*f%c",
             value < 9.9995   ? 3
             : value < 99.995 ? 2
                              : 1,
             value, units[unit]);
    return text;
}

static const char *measure_cell(const json_t *result, const char *key, char *text)
{
    const json_t *utility = json_object_get(result, "utility");
    double value = mgl_json_number(utility, key);
    if (json_is_integer(json_object_get(utility, key)) && value >= 0 && value < 1e6)
        return mgl_page_count((uint64_t)value, text);
    return short_number(value, text);
}

static const char *count_cell(const json_t *result, const char *key, char *text)
{
    return has_failed(result) ? "-" : mgl_page_count(mgl_json_whole(result, key), text);
}

static const char *classes_cell(const json_t *result, const char *key, char *text)
{
    const json_t *classes = json_object_get(result, key);
    return has_failed(result) ? "-" : mgl_page_count(mgl_json_whole(classes, "count"), text);
}

static const char *models_cell(const json_t *result, const char *key, char *text)
{
    const json_t *models = json_object_get(result, key);
    size_t n = json_array_size(models), held = mgl_json_count_true(models, "holds");
    if (has_failed(result))
        return "-";
    if (held == n)
        return "hold";
    snprintf(text, MGL_NUMBER_SIZE, "%zu of %zu", held, n);
    return text;
}

static const char *seconds_cell(const json_t *result, const char *key, char *text)
{
    double seconds = mgl_json_number(json_object_get(result, "seconds"), key);
    if (!isfinite(seconds))
        return "-";
    snprintf(text, MGL_NUMBER_SIZE, "%.2f", seconds);
    return text;
}

static void add_column(table *t, const char *title, const char *key, cell_fn *cell,
                       unsigned drop_rank)
{
    t->columns[t->n_columns++] =
        (column){.title = title, .key = key, .cell = cell, .drop_rank = drop_rank};
}

static void add_measure(table *t, const mgl_measure_view *measure, unsigned drop_rank)
{
    const char *title = measure->title != NULL
                            ? measure->title
                            : mgl_measure_words(measure->key, t->titles[t->n_columns]);
    add_column(t, title, measure->key, measure_cell, drop_rank);
}

/* A title of two words takes two lines. */
static size_t upper_size(const char *title)
{
    const char *space = strrchr(title, ' ');
    return space != NULL ? (size_t)(space - title) : 0;
}

static const char *lower_line(const char *title)
{
    size_t upper = upper_size(title);
    return upper > 0 ? title + upper + 1 : title;
}

static void find_width(const table *t, column *c)
{
    size_t upper = upper_size(c->title), lower = strlen(lower_line(c->title));
    c->width = upper > lower ? upper : lower;
    for (size_t i = 0; i < json_array_size(t->list); i++) {
        char text[MGL_NUMBER_SIZE];
        size_t size = strlen(c->cell(json_array_get(t->list, i), c->key, text));
        c->width = size > c->width ? size : c->width;
    }
}

static size_t table_width(const table *t)
{
    size_t width = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        width += t->columns[i].width + (i > 0 ? t->gap : 0);
    return width;
}

/* The last of those that are least needed. */
static bool drop_column(table *t)
{
    size_t least = 0;
    for (size_t i = 1; i < t->n_columns; i++)
        if (t->columns[i].drop_rank > 0 && t->columns[i].drop_rank >= t->columns[least].drop_rank)
            least = i;
    if (t->columns[least].drop_rank == 0)
        return false;
    t->n_columns--;
    memmove(&t->columns[least], &t->columns[least + 1],
            (t->n_columns - least) * sizeof t->columns[0]);
    return true;
}

/* Closer together if need be, then with fewer columns. */
static void fit(table *t, size_t width)
{
    for (size_t i = 0; i < t->n_columns; i++)
        find_width(t, &t->columns[i]);
    t->gap = 1;
    while (table_width(t) > width && drop_column(t))
        ;
    t->gap = 2;
    if (table_width(t) > width)
        t->gap = 1;
}

/* Text in its column: names at the left, numbers at the right. */
static void put(mgl_page *page, const table *t, size_t i, mgl_ink ink, const char *text,
                size_t size)
{
    char copy[2 * MGL_NUMBER_SIZE];
    size_t blank = t->columns[i].width > size ? t->columns[i].width - size : 0;
    snprintf(copy, sizeof copy, "%.*s", (int)size, text);
    mgl_page_add(page, "%*s", (int)(i > 0 ? t->gap + blank : 0), "");
    mgl_page_ink(page, ink, copy);
    if (i == 0)
        mgl_page_add(page, "%*s", (int)blank, "");
}

static void show_titles(mgl_page *page, const table *t)
{
    bool two_lines = false;
    for (size_t i = 0; i < t->n_columns; i++)
        two_lines = two_lines || upper_size(t->columns[i].title) > 0;
    if (two_lines) {
        size_t last = t->n_columns; /* nothing but blanks behind it */
        while (upper_size(t->columns[last - 1].title) == 0)
            last--;
        for (size_t i = 0; i < last; i++)
            put(page, t, i, MGL_INK_PLAIN, t->columns[i].title, upper_size(t->columns[i].title));
        mgl_page_end(page);
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        const char *line = lower_line(t->columns[i].title);
        put(page, t, i, MGL_INK_PLAIN, line, strlen(line));
    }
    mgl_page_end(page);
}

static mgl_ink ink_of(const column *c, const json_t *result, const char *text)
{
    if (c->cell != models_cell || has_failed(result))
        return MGL_INK_PLAIN;
    return strcmp(text, "hold") == 0 ? MGL_INK_GOOD : MGL_INK_BAD;
}

static void show_method(mgl_page *page, const table *t, const json_t *result)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const column *c = &t->columns[i];
        char space[MGL_NUMBER_SIZE];
        const char *text = c->cell(result, c->key, space);
        put(page, t, i, ink_of(c, result, text), text, strlen(text));
    }
    mgl_page_end(page);
}

/* Words beside a label, in as many lines as they need. */
static void show_words(mgl_page *page, const char *text)
{
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        bool first = page->at == MGL_PAGE_LABEL;
        if (!first && page->at + 1 + size > page->width) {
            mgl_page_end(page);
            mgl_page_label(page, "");
            first = true;
        }
        mgl_page_add(page, "%s%.*s", first ? "" : " ", (int)size, text);
        text += size;
        text += strspn(text, " ");
    }
    mgl_page_end(page);
}

/* A label, the methods that it is about, the message. Frees the text. */
static void show_remark(mgl_page *page, mgl_ink ink, const char *label, mgl_buffer *text,
                        const char *message)
{
    mgl_buffer_text(text, message);
    mgl_buffer_append(text, "", 1);
    mgl_page_ink(page, ink, label);
    mgl_page_add(page, "%*s", (int)(MGL_PAGE_LABEL - strlen(label)), "");
    if (text->failed)
        page->text.failed = true;
    else
        show_words(page, text->data);
    mgl_buffer_free(text);
}

static void show_failures(mgl_page *page, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *result = json_array_get(list, i);
        const char *message = mgl_json_text(result, "error");
        mgl_buffer text = {0};
        char name[MGL_NUMBER_SIZE];
        if (message == NULL)
            continue;
        size_t size = strlen(name_cell(result, "method", name));
        if (strncmp(message, name, size) != 0) /* "cell handles ..." names it already */
            mgl_buffer_format(&text, "%s: ", name);
        show_remark(page, MGL_INK_BAD, "no release", &text, message);
    }
}

static const char *warning_at(const json_t *result, size_t number)
{
    const json_t *warnings = json_object_get(result, "warnings");
    return json_string_value(json_object_get(json_array_get(warnings, number), "message"));
}

static bool warns(const json_t *result, const char *message)
{
    size_t n = json_array_size(json_object_get(result, "warnings"));
    for (size_t i = 0; i < n; i++) {
        const char *other = warning_at(result, i);
        if (other != NULL && strcmp(other, message) == 0)
            return true;
    }
    return false;
}

/* A warning that several methods have, once; the methods are named unless all have it. */
static void show_warning(mgl_page *page, const json_t *list, const char *message)
{
    mgl_buffer text = {0};
    bool all = true;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *result = json_array_get(list, i);
        char name[MGL_NUMBER_SIZE];
        if (warns(result, message))
            mgl_buffer_format(&text, "%s%s", text.size > 0 ? ", " : "",
                              name_cell(result, "method", name));
        else
            all = all && has_failed(result);
    }
    if (all)
        text.size = 0;
    mgl_buffer_text(&text, all ? "" : ": ");
    show_remark(page, MGL_INK_CARE, "warning", &text, message);
}

static void show_warnings(mgl_page *page, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *result = json_array_get(list, i);
        size_t n = json_array_size(json_object_get(result, "warnings"));
        for (size_t w = 0; w < n; w++) {
            const char *message = warning_at(result, w);
            bool shown = message == NULL;
            for (size_t before = 0; !shown && before < i; before++)
                shown = warns(json_array_get(list, before), message);
            if (!shown)
                show_warning(page, list, message);
        }
    }
}

void mgl_terminal_compare(mgl_page *page, const json_t *list)
{
    table t = {.list = list};
    add_column(&t, "method", "method", name_cell, 0);
    /* What the methods were asked for comes first, then what is always worth a look. The class size
     * follows from the number of classes and is dropped first in a narrow terminal. */
    mgl_measure_view wanted = mgl_measure_view_of(page->measures,
                                                  mgl_measure_of(page->measures, t.list)),
                     view;
    add_measure(&t, &wanted, 0);
    for (size_t i = 0; page->measures(NULL, i, &view) && t.n_columns <= MOST_MEASURES; i++)
        if (view.in_table && view.key != wanted.key)
            add_measure(&t, &view, 4);
    add_column(&t, "classes", "classes", classes_cell, 2);
    add_column(&t, "suppr.", "suppressed_rows", count_cell, 1);
    add_column(&t, "models", "models", models_cell, 0);
    add_column(&t, "seconds", "search", seconds_cell, 3);
    fit(&t, page->width);
    show_titles(page, &t);
    for (size_t i = 0; i < json_array_size(list); i++)
        show_method(page, &t, json_array_get(list, i));
    mgl_terminal_proposals(page, list);
    show_failures(page, list);
    show_warnings(page, list);
}
