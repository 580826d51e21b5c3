/* Makes Arrow tables of the tables that are measured. memory.c calls it. */
#include "arrow_source.h"

#include "bench.h"
#include "io/io.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1 << 17 };

/* ---- The table: nothing in it is released before all of it is ----------------------------------
 */

typedef struct column {
    char *name, *texts;
    int32_t *ends;    /* [n_entries + 1] */
    int32_t *numbers; /* [n_rows] of entries */
    size_t n_entries;
    struct ArrowSchema schema, entries_schema;
} column;

struct bench_arrow {
    size_t n_rows, n_columns;
    column columns[BENCH_MOST_QUASI];
};

static bool copy_entries(const mgl_dictionary *from, column *to)
{
    size_t size = 0, n = mgl_dictionary_size(from);
    for (uint32_t i = 0; i < n; i++)
        size += mgl_dictionary_value(from, i).size;
    to->n_entries = n;
    to->texts = malloc(size + 1);
    to->ends = calloc(n + 1, sizeof *to->ends);
    if (to->texts == NULL || to->ends == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        mgl_span text = mgl_dictionary_value(from, i);
        memcpy(to->texts + to->ends[i], text.data, text.size);
        to->ends[i + 1] = to->ends[i] + (int32_t)text.size;
    }
    return true;
}

static bool copy_column(const mgl_column *from, size_t n_rows, column *to)
{
    to->name = strdup(from->name);
    to->numbers = malloc(n_rows * sizeof *to->numbers);
    if (to->name == NULL || to->numbers == NULL || !copy_entries(from->dictionary, to))
        return false;
    for (size_t r = 0; r < n_rows; r++)
        to->numbers[r] = (int32_t)mgl_column_code(from, r);
    return true;
}

bench_arrow *bench_arrow_make(const bench_shape *shape, const char *path)
{
    bench_arrow *table = calloc(1, sizeof *table);
    mgl_source_options options = {0};
    mgl_source *source = NULL;
    mgl_table *read = NULL;
    mgl_column_request requested[BENCH_MOST_QUASI];
    bool made = table != NULL && mgl_source_open(path, &options, NULL, &source) == MGL_OK;
    for (size_t c = 0; c < shape->quasi; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    made =
        made && mgl_source_read(source, requested, shape->quasi, NULL, NULL, NULL, &read) == MGL_OK;
    for (size_t c = 0; made && c < shape->quasi; c++) {
        table->n_rows = read->n_rows;
        table->n_columns = c + 1;
        made = copy_column(&read->columns[c], read->n_rows, &table->columns[c]);
    }
    mgl_table_free(read);
    mgl_source_close(source);
    if (made)
        return table;
    bench_arrow_free(table);
    return NULL;
}

void bench_arrow_free(bench_arrow *table)
{
    for (size_t c = 0; table != NULL && c < table->n_columns; c++) {
        free(table->columns[c].name);
        free(table->columns[c].texts);
        free(table->columns[c].ends);
        free(table->columns[c].numbers);
    }
    free(table);
}

/* ---- Streams of it ------------------------------------------------------------------------------
 */

typedef struct reading {
    bench_arrow *table;
    size_t next;
} reading;

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t c = 0; c < schema->n_children; c++)
        schema->children[c]->release = NULL;
    free(schema->children);
    schema->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    bench_arrow *table = ((reading *)stream->private_data)->table;
    struct ArrowSchema **children = calloc(table->n_columns, sizeof *children);
    if (children == NULL)
        return 12;
    for (size_t c = 0; c < table->n_columns; c++) {
        column *column = &table->columns[c];
        column->entries_schema = (struct ArrowSchema){.format = "u", .release = release_schema};
        column->schema = (struct ArrowSchema){.format = "i",
                                              .name = column->name,
                                              .dictionary = &column->entries_schema,
                                              .release = release_schema};
        children[c] = &column->schema;
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = (int64_t)table->n_columns,
                                .children = children,
                                .release = release_schema};
    return 0;
}

typedef struct batch {
    const void *none[1], *buffers[BENCH_MOST_QUASI][2], *entries[BENCH_MOST_QUASI][3];
    struct ArrowArray arrays[BENCH_MOST_QUASI], dictionaries[BENCH_MOST_QUASI];
    struct ArrowArray *children[BENCH_MOST_QUASI];
} batch;

static void release_child(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_batch(struct ArrowArray *array)
{
    free(array->private_data);
    array->release = NULL;
}

static void fill_column(const column *column, size_t from, size_t n, batch *batch, size_t c)
{
    batch->buffers[c][1] = column->numbers + from;
    batch->entries[c][1] = column->ends;
    batch->entries[c][2] = column->texts;
    batch->dictionaries[c] = (struct ArrowArray){.length = (int64_t)column->n_entries,
                                                 .n_buffers = 3,
                                                 .buffers = batch->entries[c],
                                                 .release = release_child};
    batch->arrays[c] = (struct ArrowArray){.length = (int64_t)n,
                                           .n_buffers = 2,
                                           .buffers = batch->buffers[c],
                                           .dictionary = &batch->dictionaries[c],
                                           .release = release_child};
    batch->children[c] = &batch->arrays[c];
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    reading *reading = stream->private_data;
    bench_arrow *table = reading->table;
    size_t from = reading->next, left = table->n_rows - from, n = left < BATCH ? left : BATCH;
    *out = (struct ArrowArray){0};
    if (n == 0)
        return 0;
    batch *batch = calloc(1, sizeof *batch);
    if (batch == NULL)
        return 12;
    for (size_t c = 0; c < table->n_columns; c++)
        fill_column(&table->columns[c], from, n, batch, c);
    reading->next += n;
    *out = (struct ArrowArray){.length = (int64_t)n,
                               .n_buffers = 1,
                               .buffers = batch->none,
                               .n_children = (int64_t)table->n_columns,
                               .children = batch->children,
                               .release = release_batch,
                               .private_data = batch};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    free(stream->private_data);
    stream->release = NULL;
}

void bench_arrow_stream(bench_arrow *table, struct ArrowArrayStream *out)
{
    reading *reading = calloc(1, sizeof *reading);
    if (reading == NULL)
        abort();
    reading->table = table;
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, NULL};
    out->private_data = reading;
}

/* ---- Reading one to its end ---------------------------------------------------------------------
 */

static unsigned width_of(const char *format)
{
    switch (format[0]) {
    case 'c':
    case 'C':
        return 1;
    case 's':
    case 'S':
        return 2;
    default:
        return 4;
    }
}

/* Every byte of the numbers of entries, as reading a file touches every byte of it. */
static uint64_t sum_bytes(const struct ArrowSchema *schema, const struct ArrowArray *array)
{
    unsigned width = width_of(schema->format);
    const uint8_t *at = (const uint8_t *)array->buffers[1] + (size_t)array->offset * width;
    size_t size = (size_t)array->length * width;
    uint64_t sum = 0, word;
    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, at + i, sizeof word);
        sum += word;
    }
    return sum;
}

uint64_t bench_arrow_consume(struct ArrowArrayStream *stream)
{
    static volatile uint64_t sink;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    uint64_t rows = 0;
    if (stream->get_schema(stream, &schema) != 0)
        return 0;
    while (stream->get_next(stream, &batch) == 0 && batch.release != NULL) {
        for (int64_t c = 0; c < batch.n_children; c++)
            sink += sum_bytes(schema.children[c], batch.children[c]);
        rows += (uint64_t)batch.length;
        batch.release(&batch);
    }
    schema.release(&schema);
    stream->release(stream);
    return rows;
}
