#include "arrow_maker.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every object of ours hides: who made it, and whether it was released. What it frees it
 * knows by itself, whatever a test puts into the fields of the object. */
typedef struct hidden {
    arrow_maker *maker;
    bool released;
} hidden;

static void *must(void *data)
{
    if (data == NULL) {
        fprintf(stderr, "arrow_maker: out of memory\n");
        abort();
    }
    return data;
}

/* h: what begins with it. */
static void once(hidden *h, const char *what)
{
    if (h == NULL || h->released) {
        fprintf(stderr, "arrow_maker: %s is released twice\n", what);
        abort();
    }
    h->released = true;
}

static char *copy(const void *data, size_t size)
{
    char *to = must(malloc(size > 0 ? size : 1));
    if (size > 0)
        memcpy(to, data, size);
    return to;
}

/* ---- Schemas ------------------------------------------------------------------------- */

typedef struct hidden_schema {
    hidden common;
    char *texts[2];
    struct ArrowSchema **children, *dictionary;
    size_t n_children;
} hidden_schema;

static void drop_schema(struct ArrowSchema *schema)
{
    if (schema != NULL && schema->release != NULL)
        schema->release(schema);
    free(schema);
}

static void release_schema(struct ArrowSchema *schema)
{
    hidden_schema *h = schema->private_data;
    once((hidden *)h, "a schema");
    for (size_t c = 0; c < h->n_children; c++)
        drop_schema(h->children[c]);
    free(h->children);
    drop_schema(h->dictionary);
    h->common.maker->schemas--;
    free(h->texts[0]);
    free(h->texts[1]);
    free(h);
    schema->private_data = NULL;
    schema->release = NULL;
}

void made_schema(arrow_maker *maker, const char *format, const char *name, struct ArrowSchema *out)
{
    hidden_schema *h = must(calloc(1, sizeof *h));
    h->common.maker = maker;
    h->texts[0] = format != NULL ? copy(format, strlen(format) + 1) : NULL;
    h->texts[1] = name != NULL ? copy(name, strlen(name) + 1) : NULL;
    *out = (struct ArrowSchema){.format = h->texts[0],
                                .name = h->texts[1],
                                .flags = ARROW_FLAG_NULLABLE,
                                .release = release_schema,
                                .private_data = h};
    maker->schemas++;
}

struct ArrowSchema *made_schema_child(struct ArrowSchema *schema, const char *format,
                                      const char *name)
{
    hidden_schema *h = schema->private_data;
    struct ArrowSchema *child = must(calloc(1, sizeof *child));
    made_schema(h->common.maker, format, name, child);
    h->children = must(realloc(h->children, (h->n_children + 1) * sizeof child));
    h->children[h->n_children++] = child;
    schema->children = h->children;
    schema->n_children = (int64_t)h->n_children;
    return child;
}

struct ArrowSchema *made_schema_dictionary(struct ArrowSchema *schema, const char *format)
{
    hidden_schema *h = schema->private_data;
    h->dictionary = schema->dictionary = must(calloc(1, sizeof *schema->dictionary));
    made_schema(h->common.maker, format, "", schema->dictionary);
    return schema->dictionary;
}

/* ---- Arrays -------------------------------------------------------------------------- */

typedef struct hidden_array {
    hidden common;
    int64_t n_buffers;
    void **buffers;
    const void **shown; /* the same, as the array has them */
    struct ArrowArray **children, *dictionary;
    size_t n_children;
} hidden_array;

static void drop_array(struct ArrowArray *array)
{
    if (array != NULL && array->release != NULL)
        array->release(array);
    free(array);
}

static void release_array(struct ArrowArray *array)
{
    hidden_array *h = array->private_data;
    once((hidden *)h, "an array");
    for (size_t c = 0; c < h->n_children; c++)
        drop_array(h->children[c]);
    free(h->children);
    drop_array(h->dictionary);
    for (int64_t i = 0; i < h->n_buffers; i++)
        free(h->buffers[i]);
    free(h->buffers);
    free(h->shown);
    h->common.maker->arrays--;
    free(h);
    array->private_data = NULL;
    array->release = NULL;
}

void made_array(arrow_maker *maker, int64_t length, int64_t n_buffers, struct ArrowArray *out)
{
    hidden_array *h = must(calloc(1, sizeof *h));
    h->common.maker = maker;
    h->n_buffers = n_buffers;
    h->buffers = must(calloc((size_t)n_buffers + 1, sizeof *h->buffers));
    h->shown = must(calloc((size_t)n_buffers + 1, sizeof *h->shown));
    *out = (struct ArrowArray){.length = length,
                               .n_buffers = n_buffers,
                               .buffers = h->shown,
                               .release = release_array,
                               .private_data = h};
    maker->arrays++;
}

struct ArrowArray *made_child(struct ArrowArray *array, int64_t length, int64_t n_buffers)
{
    hidden_array *h = array->private_data;
    struct ArrowArray *child = must(calloc(1, sizeof *child));
    made_array(h->common.maker, length, n_buffers, child);
    h->children = must(realloc(h->children, (h->n_children + 1) * sizeof child));
    h->children[h->n_children++] = child;
    array->children = h->children;
    array->n_children = (int64_t)h->n_children;
    return child;
}

struct ArrowArray *made_dictionary(struct ArrowArray *array, int64_t length, int64_t n_buffers)
{
    hidden_array *h = array->private_data;
    h->dictionary = array->dictionary = must(calloc(1, sizeof *array->dictionary));
    made_array(h->common.maker, length, n_buffers, array->dictionary);
    return array->dictionary;
}

void made_buffer(struct ArrowArray *array, size_t i, const void *data, size_t size)
{
    hidden_array *h = array->private_data;
    free(h->buffers[i]);
    h->shown[i] = h->buffers[i] = copy(data, size);
}

void made_bits(struct ArrowArray *array, size_t i, const char *bits)
{
    size_t n = strlen(bits), size = (n + 7) / 8;
    unsigned char *bytes = must(calloc(size + 1, 1));
    for (size_t b = 0; b < n; b++)
        bytes[b / 8] |= (unsigned char)((bits[b] == '1') << b % 8);
    made_buffer(array, i, bytes, size);
    free(bytes);
}

void made_valid(struct ArrowArray *array, const char *bits)
{
    made_bits(array, 0, bits);
    array->null_count = -1;
}

/* ---- Tables -------------------------------------------------------------------------- */

void made_table(arrow_maker *maker, struct ArrowSchema *out)
{
    made_schema(maker, "+s", "", out);
}

void made_batch(arrow_maker *maker, int64_t length, struct ArrowArray *out)
{
    made_array(maker, length, 1, out);
}

static void put_offset(char *offsets, size_t i, unsigned width, size_t value)
{
    int64_t wide = (int64_t)value;
    memcpy(offsets + i * width, &wide, width); /* little-endian */
}

static void put_view(char *view, const char *text, size_t at)
{
    int32_t size = (int32_t)strlen(text), place[2] = {0, (int32_t)at};
    memcpy(view, &size, 4);
    if (size <= 12) {
        memcpy(view + 4, text, (size_t)size);
        return;
    }
    memcpy(view + 4, text, 4);
    memcpy(view + 8, place, 8);
}

void made_fill_texts(struct ArrowArray *array, const char *const *texts, size_t n, unsigned width)
{
    size_t all = 0, at = 0;
    char *valid = must(calloc(n + 1, 1));
    for (size_t i = 0; i < n; i++) {
        valid[i] = texts[i] != NULL ? '1' : '0';
        all += texts[i] != NULL ? strlen(texts[i]) : 0;
    }
    char *bytes = must(calloc(all + 1, 1)), *places = must(calloc(n + 1, width));
    for (size_t i = 0; i < n; i++) {
        const char *text = texts[i] != NULL ? texts[i] : "";
        if (width == 16)
            put_view(places + i * width, text, at);
        else
            put_offset(places, i, width, at);
        memcpy(bytes + at, text, strlen(text));
        at += strlen(text);
    }
    if (width != 16)
        put_offset(places, n, width, at);
    if (strchr(valid, '0') != NULL)
        made_valid(array, valid);
    made_buffer(array, 1, places, (n + (width != 16)) * width);
    made_buffer(array, 2, bytes, all);
    if (width == 16) {
        int64_t size = (int64_t)all;
        made_buffer(array, 3, &size, sizeof size);
    }
    free(bytes);
    free(places);
    free(valid);
}

struct ArrowArray *made_texts(struct ArrowArray *batch, const char *const *texts, size_t n,
                              unsigned width)
{
    struct ArrowArray *array = made_child(batch, (int64_t)n, width == 16 ? 4 : 3);
    made_fill_texts(array, texts, n, width);
    return array;
}

struct ArrowArray *made_numbers(struct ArrowArray *batch, const void *values, size_t n,
                                unsigned width, const char *valid)
{
    struct ArrowArray *array = made_child(batch, (int64_t)n, 2);
    made_buffer(array, 1, values, n * width);
    if (valid != NULL)
        made_valid(array, valid);
    return array;
}

/* ---- Streams ------------------------------------------------------------------------- */

typedef struct hidden_stream {
    hidden common;
    struct ArrowSchema schema;
    struct ArrowArray *batches;
    size_t n, next;
    int fails_at;
} hidden_stream;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    hidden_stream *h = stream->private_data;
    if (h->fails_at == -2)
        return EIO;
    *out = h->schema;
    h->schema.release = NULL;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    hidden_stream *h = stream->private_data;
    if (h->fails_at >= 0 && h->next == (size_t)h->fails_at)
        return EIO;
    if (h->next == h->n) {
        out->release = NULL;
        return 0;
    }
    *out = h->batches[h->next];
    h->batches[h->next++].release = NULL;
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    hidden_stream *h = stream->private_data;
    return h->fails_at == -2 ? NULL : "the cable was cut";
}

static void release_stream(struct ArrowArrayStream *stream)
{
    hidden_stream *h = stream->private_data;
    once((hidden *)h, "a stream");
    if (h->schema.release != NULL)
        h->schema.release(&h->schema);
    for (size_t i = 0; i < h->n; i++)
        if (h->batches[i].release != NULL)
            h->batches[i].release(&h->batches[i]);
    free(h->batches);
    h->common.maker->streams--;
    free(h);
    stream->private_data = NULL;
    stream->release = NULL;
}

void made_stream(arrow_maker *maker, struct ArrowSchema *schema, struct ArrowArray *batches,
                 size_t n, int fails_at, struct ArrowArrayStream *out)
{
    hidden_stream *h = must(calloc(1, sizeof *h));
    h->common.maker = maker;
    h->schema = *schema;
    schema->release = NULL;
    h->batches = must(calloc(n + 1, sizeof *h->batches));
    for (size_t i = 0; i < n; i++) {
        h->batches[i] = batches[i];
        batches[i].release = NULL;
    }
    h->n = n;
    h->fails_at = fails_at;
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, h};
    maker->streams++;
}
