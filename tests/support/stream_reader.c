/* Turns Arrow streams into texts. Tests of releases in memory call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "stream_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_text(const char *data, size_t size)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static bool bit(const void *bits, int64_t i)
{
    return ((const uint8_t *)bits)[i / 8] >> i % 8 & 1;
}

static bool is_null(const struct ArrowArray *array, int64_t i)
{
    const void *valid = array->n_buffers > 0 ? array->buffers[0] : NULL;
    return valid != NULL && array->null_count != 0 && !bit(valid, array->offset + i);
}

/* ---- Numbers -----------------------------------------------------------------------------------
 */

static int64_t whole_at(const struct ArrowArray *array, const char *format, int64_t i)
{
    const char *at = array->buffers[1];
    i += array->offset;
    switch (format[0]) {
    case 'c':
        return ((const int8_t *)at)[i];
    case 'C':
        return ((const uint8_t *)at)[i];
    case 's':
        return ((const int16_t *)at)[i];
    case 'S':
        return ((const uint16_t *)at)[i];
    case 'i':
        return ((const int32_t *)at)[i];
    case 'I':
        return ((const uint32_t *)at)[i];
    case 'l':
    case 'L':
        return ((const int64_t *)at)[i];
    default:
        fail_msg("the format %s is none of whole numbers", format);
        return 0;
    }
}

static void show_whole(const struct ArrowArray *array, const char *format, int64_t i, char *room)
{
    int64_t number = whole_at(array, format, i);
    if (format[0] == 'L')
        sprintf(room, "%" PRIu64, (uint64_t)number);
    else
        sprintf(room, "%" PRId64, number);
}

/* The fewest digits that give the number back; only for numbers that need no exponent. */
static void show_float(double number, char *room)
{
    for (int digits = 1; digits <= 17; digits++) {
        sprintf(room, "%.*g", digits, number);
        if (strchr(room, 'e') == NULL && strtod(room, NULL) == number)
            return;
    }
    fail_msg("%s is not shown by these tests", room);
}

/* Days since 1970 by counting years and months. */
static void show_day(int64_t day, char *room)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = 1970, month = 0;
    for (; day < 0; day += year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365)
        year--;
    for (;; year++) {
        int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        if (day < 365 + leap)
            break;
        day -= 365 + leap;
    }
    for (;; month++) {
        int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        int length = lengths[month] + (month == 1 && leap);
        if (day < length)
            break;
        day -= length;
    }
    sprintf(room, "%04d-%02d-%02d", year, month + 1, (int)day + 1);
}

/* ---- Cells -------------------------------------------------------------------------------------
 */

static char *text_at(const struct ArrowArray *array, const char *format, int64_t i)
{
    i += array->offset;
    if (strcmp(format, "u") == 0) {
        const int32_t *ends = array->buffers[1];
        return copy_text((const char *)array->buffers[2] + ends[i],
                         (size_t)(ends[i + 1] - ends[i]));
    }
    if (strcmp(format, "U") == 0) {
        const int64_t *ends = array->buffers[1];
        return copy_text((const char *)array->buffers[2] + ends[i],
                         (size_t)(ends[i + 1] - ends[i]));
    }
    const int32_t *view = (const int32_t *)array->buffers[1] + 4 * i;
    if (view[0] <= 12)
        return copy_text((const char *)(view + 1), (size_t)view[0]);
    return copy_text((const char *)array->buffers[2 + view[2]] + view[3], (size_t)view[0]);
}

static char *show(const struct ArrowArray *array, const char *format, int64_t i)
{
    char room[400];
    assert_true(i >= 0 && i < array->length);
    if (is_null(array, i))
        return NULL;
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "vu") == 0)
        return text_at(array, format, i);
    if (strcmp(format, "b") == 0)
        return strdup(bit(array->buffers[1], array->offset + i) ? "true" : "false");
    if (strcmp(format, "f") == 0)
        show_float(((const float *)array->buffers[1])[array->offset + i], room);
    else if (strcmp(format, "g") == 0)
        show_float(((const double *)array->buffers[1])[array->offset + i], room);
    else if (strcmp(format, "tdD") == 0)
        show_day(((const int32_t *)array->buffers[1])[array->offset + i], room);
    else
        show_whole(array, format, i, room);
    return strdup(room);
}

static void read_column(const struct ArrowSchema *schema, const struct ArrowArray *batch, size_t c,
                        streamed *out)
{
    const struct ArrowSchema *column = schema->children[c];
    const struct ArrowArray *array = batch->children[c];
    assert_true(array->length >= batch->offset + batch->length);
    assert_int_equal(column->dictionary != NULL, array->dictionary != NULL);
    for (int64_t i = 0; i < batch->length; i++) {
        char **cell = &out->cells[(out->n_rows + (size_t)i) * out->n_columns + c];
        int64_t at = batch->offset + i;
        if (column->dictionary == NULL || is_null(array, at))
            *cell = column->dictionary == NULL ? show(array, column->format, at) : NULL;
        else
            *cell = show(array->dictionary, column->dictionary->format,
                         whole_at(array, column->format, at));
    }
}

static void read_batch(const struct ArrowSchema *schema, const struct ArrowArray *batch,
                       streamed *out)
{
    assert_int_equal(batch->n_children, schema->n_children);
    assert_true(batch->length >= 0 && batch->offset >= 0);
    size_t cells = (out->n_rows + (size_t)batch->length) * out->n_columns;
    out->cells = realloc(out->cells, (cells + 1) * sizeof *out->cells);
    assert_non_null(out->cells);
    for (size_t c = 0; c < out->n_columns; c++)
        read_column(schema, batch, c, out);
    out->n_rows += (size_t)batch->length;
    out->n_batches++;
}

/* ---- Streams -----------------------------------------------------------------------------------
 */

static void read_names(const struct ArrowSchema *schema, streamed *out)
{
    assert_string_equal(schema->format, "+s");
    out->n_columns = (size_t)schema->n_children;
    out->names = calloc(out->n_columns + 1, sizeof *out->names);
    out->formats = calloc(out->n_columns + 1, sizeof *out->formats);
    out->encoded = calloc(out->n_columns + 1, sizeof *out->encoded);
    for (size_t c = 0; c < out->n_columns; c++) {
        const struct ArrowSchema *column = schema->children[c];
        out->encoded[c] = column->dictionary != NULL;
        out->names[c] = strdup(column->name);
        out->formats[c] = strdup(out->encoded[c] ? column->dictionary->format : column->format);
    }
}

void streamed_read(struct ArrowArrayStream *stream, streamed *out)
{
    struct ArrowSchema schema = {0};
    struct ArrowArray batch = {0};
    *out = (streamed){0};
    assert_non_null(stream->release);
    assert_int_equal(stream->get_schema(stream, &schema), 0);
    read_names(&schema, out);
    for (;;) {
        assert_int_equal(stream->get_next(stream, &batch), 0);
        if (batch.release == NULL)
            break;
        read_batch(&schema, &batch, out);
        batch.release(&batch);
        assert_null(batch.release);
    }
    schema.release(&schema);
    stream->release(stream);
    assert_null(stream->release);
}

void streamed_free(streamed *table)
{
    for (size_t i = 0; i < table->n_rows * table->n_columns; i++)
        free(table->cells[i]);
    for (size_t c = 0; c < table->n_columns; c++) {
        free(table->names[c]);
        free(table->formats[c]);
    }
    free(table->cells);
    free(table->names);
    free(table->formats);
    free(table->encoded);
    *table = (streamed){0};
}

size_t streamed_column(const streamed *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return c;
    fail_msg("there is no column %s", name);
    return 0;
}

const char *streamed_cell(const streamed *table, size_t row, size_t column)
{
    return table->cells[row * table->n_columns + column];
}
