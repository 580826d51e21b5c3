/* Makes Arrow tables of tables of text. Tests of roads in memory call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "arrow_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BATCHES = 4, MOST_PADDING = 3, MOST_ENTRIES = 100 };

/* ---- What the cells of a column can be ---------------------------------------------------------
 */

static bool is_null_text(const char *text)
{
    return text[0] == '\0' || strcmp(text, "NA") == 0;
}

static bool is_whole(const char *text)
{
    char again[32];
    snprintf(again, sizeof again, "%d", atoi(text));
    return strcmp(text, again) == 0;
}

/* Halves and quarters: their shortest text is how they are written here. */
static bool is_float(const char *text)
{
    char again[32];
    double number = strtod(text, NULL);
    snprintf(again, sizeof again, "%g", number);
    return number * 4 == (double)(int)(number * 4) && strcmp(text, again) == 0;
}

static bool is_truth(const char *text)
{
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static bool is_day(const char *text)
{
    return strlen(text) == 10 && text[4] == '-' && text[7] == '-' &&
           strspn(text, "-0123456789") == 10;
}

/* Days since 1970, by the calendar's rule. */
static int32_t day_number(const char *text)
{
    int year, month, day;
    assert_int_equal(sscanf(text, "%d-%d-%d", &year, &month, &day), 3);
    year -= month <= 2;
    int shifted = month + (month > 2 ? -3 : 9), of_year = (153 * shifted + 2) / 5 + day - 1;
    return year * 365 + year / 4 - year / 100 + year / 400 + of_year - 719468;
}

/* ---- Types --------------------------------------------------------------------------------------
 */

typedef struct kind {
    const char *format;
    unsigned width; /* bytes of a number, or of what tells where a text is; 0: bits */
    bool texts;
    bool (*takes)(const char *text); /* NULL: any text */
} kind;

static const kind kinds[] = {
    {"u", 4, true, NULL},      {"U", 8, true, NULL},      {"vu", 16, true, NULL},
    {"i", 4, false, is_whole}, {"l", 8, false, is_whole}, {"g", 8, false, is_float},
    {"f", 4, false, is_float}, {"b", 0, false, is_truth}, {"tdD", 4, false, is_day},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct column {
    const kind *kind;
    bool encoded;
    const char **cells; /* [n_rows]; NULL: null */
    size_t n_rows;
} column;

static bool fits(const kind *kind, const column *column)
{
    for (size_t r = 0; r < column->n_rows && kind->takes != NULL; r++)
        if (column->cells[r] != NULL && !kind->takes(column->cells[r]))
            return false;
    return true;
}

static column take_column(const brute_csv *csv, size_t c, size_t first, brute_random *random)
{
    column column = {.n_rows = csv->n_rows - first};
    column.cells = calloc(column.n_rows + 1, sizeof *column.cells);
    assert_non_null(column.cells);
    for (size_t r = 0; r < column.n_rows; r++) {
        const char *text = brute_csv_value(csv, r + first, c);
        column.cells[r] = is_null_text(text) ? NULL : text;
    }
    /* A type of its own is more likely than text where the cells can have one. */
    int from = brute_chance(random, 70) ? 3 : 0, i = from + brute_below(random, KINDS - from);
    for (int tried = 0; tried < KINDS && !fits(&kinds[i], &column); tried++)
        i = (i + 1) % KINDS;
    column.kind = &kinds[i];
    column.encoded = column.kind->width != 0 && brute_chance(random, 40);
    return column;
}

/* ---- Arrays -------------------------------------------------------------------------------------
 */

static void put_number(const kind *kind, const char *text, char *at)
{
    int64_t whole = is_day(text) ? day_number(text) : strtoll(text, NULL, 10);
    double number = strtod(text, NULL);
    float single = (float)number;
    if (kind->format[0] == 'g')
        memcpy(at, &number, sizeof number);
    else if (kind->format[0] == 'f')
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &whole, kind->width); /* little-endian */
}

static int64_t n_buffers(const kind *kind)
{
    return !kind->texts ? 2 : kind->width == 16 ? 4 : 3;
}

/* Fills an array without children: what lies under a null is anything. */
static void fill(struct ArrowArray *array, const kind *kind, const char *const *cells, size_t n)
{
    if (kind->texts) {
        made_fill_texts(array, cells, n, kind->width);
        return;
    }
    char *valid = calloc(n + 1, 1), *bits = calloc(n + 1, 1), *numbers = calloc(n + 1, 8);
    assert_true(valid != NULL && bits != NULL && numbers != NULL);
    for (size_t i = 0; i < n; i++) {
        valid[i] = cells[i] != NULL ? '1' : '0';
        bits[i] = cells[i] == NULL || strcmp(cells[i], "true") == 0 ? '1' : '0';
        if (kind->width > 0)
            put_number(kind, cells[i] != NULL ? cells[i] : "77", numbers + i * kind->width);
    }
    if (kind->width > 0)
        made_buffer(array, 1, numbers, n * kind->width);
    else
        made_bits(array, 1, bits);
    if (strchr(valid, '0') != NULL)
        made_valid(array, valid);
    free(valid);
    free(bits);
    free(numbers);
}

/* Numbers of entries, each entry once and one that no cell has. */
static void fill_encoded(struct ArrowArray *array, const kind *kind, const char *const *cells,
                         size_t n)
{
    const char *entries[MOST_ENTRIES];
    int8_t *numbers = calloc(n + 1, 1);
    char *valid = calloc(n + 1, 1);
    size_t n_entries = 0;
    assert_true(numbers != NULL && valid != NULL);
    for (size_t i = 0; i < n; i++) {
        size_t e = 0;
        valid[i] = cells[i] != NULL ? '1' : '0';
        while (cells[i] != NULL && e < n_entries && strcmp(entries[e], cells[i]) != 0)
            e++;
        if (cells[i] != NULL && e == n_entries)
            entries[n_entries++] = cells[i];
        assert_true(n_entries < MOST_ENTRIES - 1);
        numbers[i] = (int8_t)e;
    }
    if (kind->texts)
        entries[n_entries++] = "nobody has this";
    made_buffer(array, 1, numbers, n);
    if (strchr(valid, '0') != NULL)
        made_valid(array, valid);
    fill(made_dictionary(array, (int64_t)n_entries, n_buffers(kind)), kind, entries, n_entries);
    free(numbers);
    free(valid);
}

/* Rows of a column as a child of the batch; some rows before it lie in its buffers, too. */
static void add_child(struct ArrowArray *batch, const column *column, size_t from, size_t n,
                      brute_random *random)
{
    size_t padding = (size_t)brute_below(random, MOST_PADDING);
    if (padding > from)
        padding = from;
    const char *const *cells = column->cells + from - padding;
    int64_t length = (int64_t)(n + padding);
    struct ArrowArray *array;
    if (column->encoded) {
        array = made_child(batch, length, 2);
        fill_encoded(array, column->kind, cells, (size_t)length);
    } else {
        array = made_child(batch, length, n_buffers(column->kind));
        fill(array, column->kind, cells, (size_t)length);
    }
    array->length = (int64_t)n;
    array->offset = (int64_t)padding;
    array->null_count = -1;
}

/* ---- Tables -------------------------------------------------------------------------------------
 */

static void name_columns(const brute_csv *csv, bool header, const column *columns,
                         struct ArrowSchema *schema)
{
    for (size_t c = 0; c < csv->n_columns; c++) {
        char number[32];
        snprintf(number, sizeof number, "level %zu", c);
        const char *name = header ? brute_csv_value(csv, 0, c) : number;
        const char *format = columns[c].kind->format;
        struct ArrowSchema *child =
            made_schema_child(schema, columns[c].encoded ? "c" : format, name);
        if (columns[c].encoded)
            made_schema_dictionary(child, format);
    }
}

void arrow_table_stream(arrow_maker *maker, const brute_csv *csv, bool header, brute_random *random,
                        struct ArrowArrayStream *out)
{
    struct ArrowSchema schema;
    struct ArrowArray batches[MOST_BATCHES];
    column *columns = calloc(csv->n_columns + 1, sizeof *columns);
    assert_non_null(columns);
    for (size_t c = 0; c < csv->n_columns; c++)
        columns[c] = take_column(csv, c, header ? 1 : 0, random);
    made_table(maker, &schema);
    name_columns(csv, header, columns, &schema);
    size_t n_rows = csv->n_rows - header, n_batches = 1 + (size_t)brute_below(random, MOST_BATCHES);
    for (size_t b = 0, from = 0; b < n_batches; b++) {
        size_t left = n_rows - from;
        size_t n = b + 1 == n_batches ? left : (size_t)brute_below(random, (int)left + 1);
        made_batch(maker, (int64_t)n, &batches[b]);
        for (size_t c = 0; c < csv->n_columns; c++)
            add_child(&batches[b], &columns[c], from, n, random);
        from += n;
    }
    made_stream(maker, &schema, batches, n_batches, -1, out);
    for (size_t c = 0; c < csv->n_columns; c++)
        free(columns[c].cells);
    free(columns);
}
