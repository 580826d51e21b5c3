/* Writes a table in memory as Arrow IPC: a stream, or a file with its footer. Buffers are not
 * compressed, and begin at multiples of 64 bytes. */
#include "io/ipc/ipc.h"

#include <stdlib.h>

/* ---- Schema ---------------------------------------------------------------------------------- */

typedef struct type_slots {
    mgl_ipc_type type;
    unsigned char widths[3];
    unsigned n;
    int64_t values[3];
} type_slots;

static int64_t unit_of(char letter)
{
    const char *found = strchr("smun", letter);
    return found != NULL ? found - "smun" : 0;
}

static type_slots decimal_of(const char *format)
{
    char *at;
    long precision = strtol(format + 2, &at, 10), scale = strtol(at + 1, &at, 10);
    long bits = *at == ',' ? strtol(at + 1, NULL, 10) : 128;
    return (type_slots){MGL_IPC_DECIMAL, {4, 4, 4}, 3, {precision, scale, bits}};
}

static type_slots int_of(const mgl_arrow_type *type)
{
    return (type_slots){
        MGL_IPC_INT, {4, 1}, 2, {(int64_t)type->width * 8, type->kind == MGL_ARROW_SIGNED}};
}

/* The format is one that the import took. Views are written as large texts. */
static type_slots slots_of(const char *format, const mgl_arrow_type *type)
{
    switch (type->kind) {
    case MGL_ARROW_SIGNED:
    case MGL_ARROW_UNSIGNED:
        return int_of(type);
    case MGL_ARROW_FLOAT:
        return (type_slots){MGL_IPC_FLOAT,
                            {2},
                            1,
                            {type->width == 2   ? 0
                             : type->width == 4 ? 1
                                                : 2}};
    case MGL_ARROW_DECIMAL:
        return decimal_of(format);
    case MGL_ARROW_BOOL:
        return (type_slots){.type = MGL_IPC_BOOL};
    case MGL_ARROW_TEXT:
        return (type_slots){.type = MGL_IPC_TEXT};
    case MGL_ARROW_LARGE_TEXT:
    case MGL_ARROW_VIEW:
        return (type_slots){.type = MGL_IPC_LARGE_TEXT};
    case MGL_ARROW_DAY:
        return (type_slots){MGL_IPC_DATE, {2}, 1, {type->width == 4 ? 0 : 1}};
    case MGL_ARROW_TIME:
        return (type_slots){
            MGL_IPC_TIME, {2, 4}, 2, {unit_of(format[2]), (int64_t)type->width * 8}};
    case MGL_ARROW_MOMENT:
        return (type_slots){MGL_IPC_TIMESTAMP, {2, 0}, 2, {unit_of(format[2])}};
    case MGL_ARROW_NULL:
        break;
    }
    return (type_slots){.type = MGL_IPC_NULL};
}

static void put_type(mgl_fb_writer *out, size_t field, const char *format, type_slots slots)
{
    mgl_span zone = {"", 0};
    if (slots.type == MGL_IPC_TIMESTAMP && strlen(format) > 4) {
        zone = mgl_span_of(format + 4);
        slots.widths[1] = 4;
    }
    mgl_fb_slots put = mgl_fb_put_table(out, field, slots.widths, slots.n);
    for (unsigned i = 0; i < slots.n; i++)
        if (put.at[i] != 0 && !(i == 1 && zone.size > 0))
            mgl_fb_set(out, put.at[i], slots.values[i], slots.widths[i]);
    if (zone.size > 0)
        mgl_fb_put_text(out, put.at[1], zone);
}

static void put_index_type(mgl_fb_writer *out, size_t field, int64_t id,
                           const mgl_arrow_type *index, bool ordered)
{
    static const unsigned char widths[] = {8, 4, 1};
    mgl_fb_slots put = mgl_fb_put_table(out, field, widths, 3);
    mgl_fb_set(out, put.at[0], id, 8);
    mgl_fb_set(out, put.at[2], ordered, 1);
    put_type(out, put.at[1], "", int_of(index));
}

static void put_field(mgl_fb_writer *out, size_t element, const mgl_arrow_table *table, size_t c)
{
    const mgl_arrow_column *column = &table->columns[c];
    const struct ArrowSchema *schema = table->schema.children[c];
    const char *format = column->encoded ? schema->dictionary->format : schema->format;
    const unsigned char widths[] = {4, 1, 1, 4, column->encoded ? 4 : 0, 4};
    type_slots slots = slots_of(format, &column->type);
    mgl_fb_slots put = mgl_fb_put_table(out, element, widths, 6);
    mgl_fb_set(out, put.at[1], column->nullable, 1);
    mgl_fb_set(out, put.at[2], slots.type, 1);
    mgl_fb_put_text(out, put.at[0], mgl_span_of(column->name));
    put_type(out, put.at[3], format, slots);
    if (column->encoded)
        put_index_type(out, put.at[4], (int64_t)c, &column->index,
                       (schema->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0);
    mgl_fb_put_vector(out, put.at[5], 0, 4, 4); /* no columns within */
}

/* The schema of a table as a table of the flatbuffer; field: the offset that names it. */
static bool ipc_schema_write(mgl_fb_writer *out, size_t field, const mgl_arrow_table *table)
{
    static const unsigned char widths[] = {2, 4};
    mgl_fb_slots put = mgl_fb_put_table(out, field, widths, 2);
    size_t elements = mgl_fb_put_vector(out, put.at[1], table->n_columns, 4, 4);
    for (size_t c = 0; c < table->n_columns; c++)
        put_field(out, elements + 4 * c, table, c);
    return !out->bytes.failed;
}

/* ---- Table ----------------------------------------------------------------------------------- */

enum { ALIGNED = 64, METADATA_ALIGNED = 8, NODE = 16, BUFFER = 16, BLOCK = 24 };

typedef struct message_block {
    uint64_t at, body_size;
    int32_t metadata_size;
} message_block;

typedef struct block_list {
    message_block *list;
    size_t n, capacity;
} block_list;

typedef struct writer {
    const mgl_arrow_table *table;
    bool stream;
    int fd;
    const char *name;
    uint64_t at;
    mgl_fb_writer metadata;
    mgl_buffer body;
    struct {
        int64_t offset, length;
    } * buffers; /* of the body */
    size_t n_buffers, buffers_capacity;
    block_list dictionaries, batches;
    const void **known; /* [columns] entries that the last dictionary of the column had */
    size_t *n_known;
    uint64_t *shift; /* [columns] entries before those of the batch, where deltas are written */
} writer;

static mgl_status put(writer *w, const void *data, size_t size, mgl_error *err)
{
    if (size > 0 && mgl_sys_write(w->fd, data, size) != 0)
        return mgl_fail_errno(err, w->name, "write");
    w->at += size;
    return MGL_OK;
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

static bool begin_buffer(writer *w)
{
    static const char zeros[ALIGNED] = {0};
    mgl_buffer_append(&w->body, zeros, (ALIGNED - w->body.size % ALIGNED) % ALIGNED);
    if (!mgl_grow(&w->buffers, &w->buffers_capacity, w->n_buffers + 1, sizeof *w->buffers))
        return false;
    w->buffers[w->n_buffers].offset = (int64_t)w->body.size;
    return true;
}

static void end_buffer(writer *w)
{
    w->buffers[w->n_buffers].length = (int64_t)w->body.size - w->buffers[w->n_buffers].offset;
    w->n_buffers++;
}

static char *put_zeros(writer *w, size_t size)
{
    size_t at = w->body.size;
    if (!mgl_buffer_reserve(&w->body, size + 8))
        return NULL;
    memset(w->body.data + at, 0, size);
    w->body.size += size;
    return w->body.data + at;
}

/* Bits from any bit on; those behind the last are zero. */
static bool put_bits(writer *w, const uint8_t *bits, size_t first, size_t n)
{
    uint8_t *to = (uint8_t *)put_zeros(w, (n + 7) / 8);
    if (to == NULL)
        return false;
    if (first % 8 == 0)
        memcpy(to, bits + first / 8, (n + 7) / 8);
    for (size_t i = 0; first % 8 != 0 && i < n; i++)
        to[i / 8] |= (uint8_t)(mgl_bit_at(bits, first + i) << i % 8);
    if (n % 8 != 0)
        to[n / 8] &= (uint8_t)((1u << n % 8) - 1);
    return true;
}

static bool put_valid(writer *w, const mgl_arrow_cells *cells, int64_t *nulls)
{
    *nulls = 0;
    if (!begin_buffer(w))
        return false;
    if (cells->valid != NULL)
        *nulls = (int64_t)(cells->n - mgl_bits_set(cells->valid, cells->first, cells->n));
    if (*nulls > 0 && !put_bits(w, cells->valid, cells->first, cells->n))
        return false;
    end_buffer(w);
    return true;
}

/* Offsets begin at 0, and nothing stands in the bytes that no cell has. Nulls have no text. */
static bool put_texts(writer *w, const mgl_arrow_cells *cells)
{
    unsigned width = cells->type->kind == MGL_ARROW_TEXT ? 4 : 8;
    uint64_t end = 0;
    if (!begin_buffer(w))
        return false;
    char *offsets = put_zeros(w, (cells->n + 1) * width);
    for (size_t i = 0; offsets != NULL && i < cells->n; i++) {
        end += mgl_arrow_is_null(cells, i) ? 0 : mgl_arrow_text_at(cells, i).size;
        memcpy(offsets + (i + 1) * width, &end, width);
    }
    if (offsets == NULL)
        return false;
    end_buffer(w);
    if (!begin_buffer(w))
        return false;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            mgl_buffer_span(&w->body, mgl_arrow_text_at(cells, i));
    end_buffer(w);
    return !w->body.failed;
}

static bool put_values(writer *w, const mgl_arrow_cells *cells)
{
    unsigned width = cells->type->width;
    if (!begin_buffer(w))
        return false;
    if (cells->type->kind == MGL_ARROW_BOOL) {
        if (!put_bits(w, cells->values, cells->first, cells->n))
            return false;
    } else {
        char *to = put_zeros(w, cells->n * width);
        if (to == NULL)
            return false;
        memcpy(to, (const char *)cells->values + cells->first * width, cells->n * width);
        /* What lies under a null is not passed on. */
        for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
            if (mgl_arrow_is_null(cells, i))
                memset(to + i * width, 0, width);
    }
    end_buffer(w);
    return true;
}

static bool put_cells(writer *w, const mgl_arrow_cells *cells, int64_t *nulls)
{
    if (cells->type->kind == MGL_ARROW_NULL) {
        *nulls = (int64_t)cells->n;
        return true;
    }
    return put_valid(w, cells, nulls) &&
           (mgl_arrow_is_text(cells->type) ? put_texts(w, cells) : put_values(w, cells));
}

/* ---- Messages -------------------------------------------------------------------------------- */

static mgl_status put_message(writer *w, mgl_error *err, block_list *blocks)
{
    static const char zeros[ALIGNED] = {0};
    size_t size = w->metadata.bytes.size, padding;
    padding = (METADATA_ALIGNED - (w->at + 8 + size) % METADATA_ALIGNED) % METADATA_ALIGNED;
    uint32_t words[2] = {UINT32_MAX, (uint32_t)(size + padding)};
    if (w->metadata.bytes.failed || w->body.failed)
        return mgl_fail_memory(err);
    if (blocks != NULL) {
        MGL_TRY(mgl_grow_array(&blocks->list, &blocks->capacity, blocks->n + 1,
                               sizeof *blocks->list, err));
        blocks->list[blocks->n++] =
            (message_block){w->at, w->body.size, (int32_t)(8 + size + padding)};
    }
    MGL_TRY(put(w, words, sizeof words, err));
    MGL_TRY(put(w, w->metadata.bytes.data, size, err));
    MGL_TRY(put(w, zeros, padding, err));
    return put(w, w->body.data, w->body.size, err);
}

/* The table of a message; returns the place of the offset to its header. */
static size_t begin_message(writer *w, int kind, uint64_t body_size)
{
    static const unsigned char widths[] = {2, 1, 4, 8};
    mgl_fb_slots slots = mgl_fb_put_table(&w->metadata, mgl_fb_begin(&w->metadata), widths, 4);
    mgl_fb_set(&w->metadata, slots.at[0], MGL_IPC_V5, 2);
    mgl_fb_set(&w->metadata, slots.at[1], kind, 1);
    mgl_fb_set(&w->metadata, slots.at[3], (int64_t)body_size, 8);
    return slots.at[2];
}

typedef struct node {
    int64_t length, nulls;
} node;

static void put_batch_table(writer *w, size_t field, int64_t length, const node *nodes, size_t n)
{
    static const unsigned char widths[] = {8, 4, 4};
    mgl_fb_writer *out = &w->metadata;
    mgl_fb_slots slots = mgl_fb_put_table(out, field, widths, 3);
    mgl_fb_set(out, slots.at[0], length, 8);
    size_t at = mgl_fb_put_vector(out, slots.at[1], n, NODE, 8);
    for (size_t i = 0; i < n; i++) {
        mgl_fb_set(out, at + i * NODE, nodes[i].length, 8);
        mgl_fb_set(out, at + i * NODE + 8, nodes[i].nulls, 8);
    }
    at = mgl_fb_put_vector(out, slots.at[2], w->n_buffers, BUFFER, 8);
    for (size_t i = 0; i < w->n_buffers; i++) {
        mgl_fb_set(out, at + i * BUFFER, w->buffers[i].offset, 8);
        mgl_fb_set(out, at + i * BUFFER + 8, w->buffers[i].length, 8);
    }
}

static void begin_body(writer *w)
{
    w->body.size = 0;
    w->n_buffers = 0;
}

static bool end_body(writer *w)
{
    bool begun = begin_buffer(w); /* pads it */
    return begun && !w->body.failed;
}

static mgl_status put_dictionary(writer *w, size_t column, const mgl_arrow_cells *entries,
                                 bool delta, mgl_error *err)
{
    static const unsigned char widths[] = {8, 4, 1};
    node of_entries = {.length = (int64_t)entries->n};
    begin_body(w);
    if (!put_cells(w, entries, &of_entries.nulls) || !end_body(w))
        return mgl_fail_memory(err);
    size_t header = begin_message(w, MGL_IPC_DICTIONARY, w->body.size);
    mgl_fb_slots slots = mgl_fb_put_table(&w->metadata, header, widths, 3);
    mgl_fb_set(&w->metadata, slots.at[0], (int64_t)column, 8);
    mgl_fb_set(&w->metadata, slots.at[2], delta, 1);
    put_batch_table(w, slots.at[1], of_entries.length, &of_entries, 1);
    return put_message(w, err, &w->dictionaries);
}

/* What numbers of a width can name. */
static uint64_t most_entries(const mgl_arrow_type *index)
{
    unsigned bits = index->width * 8 - (index->kind == MGL_ARROW_SIGNED);
    return bits >= 63 ? INT64_MAX : (uint64_t)1 << bits;
}

/* A stream replaces a dictionary; in a file new entries come behind the others. */
static mgl_status put_entries(writer *w, size_t batch, size_t c, mgl_error *err)
{
    const mgl_arrow_column *column = &w->table->columns[c];
    mgl_arrow_cells entries = mgl_arrow_entries_of(w->table, batch, c);
    bool delta = w->known[c] != NULL && !w->stream;
    if (w->known[c] == entries.values && w->n_known[c] == entries.n)
        return MGL_OK;
    w->shift[c] += delta ? w->n_known[c] : 0;
    if (w->shift[c] + entries.n > most_entries(&column->index))
        return mgl_fail_at(err, MGL_CODE_NO_ROOM, w->name, 0,
                           "the dictionaries of column %.60s have no room in one, as files need "
                           "it; write a stream (.arrows)",
                           column->name);
    w->known[c] = entries.values;
    w->n_known[c] = entries.n;
    return put_dictionary(w, c, &entries, delta, err);
}

/* Numbers of entries that come behind those of earlier batches. */
static void shift_indices(writer *w, size_t c, const mgl_arrow_cells *cells)
{
    unsigned width = cells->type->width;
    char *at = w->body.data + w->buffers[w->n_buffers - 1].offset;
    for (size_t i = 0; w->shift[c] > 0 && i < cells->n; i++, at += width) {
        uint64_t index = 0;
        memcpy(&index, at, width);
        index += mgl_arrow_is_null(cells, i) ? 0 : w->shift[c];
        memcpy(at, &index, width);
    }
}

static mgl_status put_batch(writer *w, size_t batch, node *nodes, mgl_error *err)
{
    size_t n = w->table->n_columns;
    int64_t length = w->table->batches[batch].length;
    for (size_t c = 0; c < n; c++)
        if (w->table->columns[c].encoded)
            MGL_TRY(put_entries(w, batch, c, err));
    begin_body(w);
    for (size_t c = 0; c < n; c++) {
        mgl_arrow_cells cells = mgl_arrow_cells_of(w->table, batch, c);
        nodes[c].length = length;
        MGL_TRY(mgl_check_memory(put_cells(w, &cells, &nodes[c].nulls), err));
        if (w->table->columns[c].encoded)
            shift_indices(w, c, &cells);
    }
    MGL_TRY(mgl_check_memory(end_body(w), err));
    size_t header = begin_message(w, MGL_IPC_BATCH, w->body.size);
    put_batch_table(w, header, length, nodes, n);
    return put_message(w, err, &w->batches);
}

/* ---- The whole
 * ----------------------------------------------------------------------------------- */

static void put_blocks(writer *w, size_t field, const block_list *blocks)
{
    mgl_fb_writer *out = &w->metadata;
    size_t at = mgl_fb_put_vector(out, field, blocks->n, BLOCK, 8);
    for (size_t i = 0; i < blocks->n; i++, at += BLOCK) {
        mgl_fb_set(out, at, (int64_t)blocks->list[i].at, 8);
        mgl_fb_set(out, at + 8, blocks->list[i].metadata_size, 4);
        mgl_fb_set(out, at + 16, (int64_t)blocks->list[i].body_size, 8);
    }
}

static mgl_status put_footer(writer *w, mgl_error *err)
{
    static const unsigned char widths[] = {2, 4, 4, 4};
    mgl_fb_writer *out = &w->metadata;
    mgl_fb_slots slots = mgl_fb_put_table(out, mgl_fb_begin(out), widths, 4);
    mgl_fb_set(out, slots.at[0], MGL_IPC_V5, 2);
    ipc_schema_write(out, slots.at[1], w->table);
    put_blocks(w, slots.at[2], &w->dictionaries);
    put_blocks(w, slots.at[3], &w->batches);
    if (out->bytes.failed)
        return mgl_fail_memory(err);
    int32_t size = (int32_t)out->bytes.size;
    MGL_TRY(put(w, out->bytes.data, out->bytes.size, err));
    MGL_TRY(put(w, &size, sizeof size, err));
    return put(w, MGL_IPC_MAGIC, MGL_IPC_MARK, err);
}

static mgl_status put_table(writer *w, node *nodes, mgl_error *err)
{
    static const uint32_t the_end[2] = {UINT32_MAX, 0};
    if (!w->stream)
        MGL_TRY(put(w, MGL_IPC_MAGIC "\0", MGL_IPC_FRONT, err));
    begin_body(w);
    ipc_schema_write(&w->metadata, begin_message(w, MGL_IPC_SCHEMA, 0), w->table);
    MGL_TRY(put_message(w, err, NULL));
    for (size_t b = 0; b < w->table->n_batches; b++)
        MGL_TRY(put_batch(w, b, nodes, err));
    MGL_TRY(put(w, the_end, sizeof the_end, err));
    return w->stream ? MGL_OK : put_footer(w, err);
}

mgl_status mgl_ipc_table_write(const mgl_arrow_table *table, bool stream, int fd, const char *name,
                               mgl_error *err)
{
    writer w = {.table = table, .stream = stream, .fd = fd, .name = name};
    size_t n = table->n_columns;
    node *nodes = mgl_zeroed_array(n, sizeof *nodes);
    mgl_status status = MGL_OK;
    w.known = mgl_zeroed_array(n, sizeof *w.known);
    w.n_known = mgl_zeroed_array(n, sizeof *w.n_known);
    w.shift = mgl_zeroed_array(n, sizeof *w.shift);
    if (nodes == NULL || w.known == NULL || w.n_known == NULL || w.shift == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(put_table(&w, nodes, err));
done:
    mgl_free(nodes);
    mgl_free(w.known);
    mgl_free(w.n_known);
    mgl_free(w.shift);
    mgl_free(w.buffers);
    mgl_free(w.dictionaries.list);
    mgl_free(w.batches.list);
    mgl_buffer_free(&w.metadata.bytes);
    mgl_buffer_free(&w.body);
    return status;
}
