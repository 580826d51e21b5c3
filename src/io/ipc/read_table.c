/* Reads a table of Arrow IPC, from a stream or by the footer of a file, as a stream of the C
 * interface, which the import takes and checks; and the rows of the two formats. */
#include "io/ipc/ipc.h"

#include <errno.h>
#include <stdio.h>

/* ---- Schema ---------------------------------------------------------------------------------- */

enum { FORMAT_TEXT = 128 };

/* Types that are not supported, as the C interface writes them; the import describes them. */
static const char *const others[MGL_IPC_TYPES] = {[MGL_IPC_BINARY] = "z",
                                                  [11] = "tiM",
                                                  [12] = "+l",
                                                  [13] = "+s",
                                                  [14] = "+us:",
                                                  [15] = "w:1",
                                                  [16] = "+w:1",
                                                  [17] = "+m",
                                                  [18] = "tDs",
                                                  [19] = "Z",
                                                  [21] = "+L",
                                                  [22] = "+r",
                                                  [23] = "vz",
                                                  [24] = "vu",
                                                  [25] = "+vl",
                                                  [26] = "+vL"};

static const char *int_format(mgl_flatbuffer *fb, size_t type)
{
    bool is_signed = mgl_fb_whole(fb, type, 1, 1, 0) != 0;
    switch (mgl_fb_whole(fb, type, 0, 4, 0)) {
    case 8:
        return is_signed ? "c" : "C";
    case 16:
        return is_signed ? "s" : "S";
    case 32:
        return is_signed ? "i" : "I";
    case 64:
        return is_signed ? "l" : "L";
    default:
        return "";
    }
}

static char unit_of(mgl_flatbuffer *fb, size_t type, int64_t otherwise)
{
    int64_t unit = mgl_fb_whole(fb, type, 0, 2, otherwise);
    return unit >= 0 && unit < 4 ? "smun"[unit] : '?';
}

static void write_timestamp(mgl_flatbuffer *fb, size_t type, char format[FORMAT_TEXT])
{
    mgl_span zone = mgl_fb_text(fb, type, 1);
    /* A zone that is longer than any is cut: what follows the colon only shows that there is one.
     */
    int width = zone.size < FORMAT_TEXT - 8 ? (int)zone.size : FORMAT_TEXT - 8;
    snprintf(format, FORMAT_TEXT, "ts%c:%.*s", unit_of(fb, type, 0), width, zone.data);
}

/* "" for an unknown type. */
static void write_format(mgl_flatbuffer *fb, int64_t kind, size_t type, char format[FORMAT_TEXT])
{
    static const char floats[] = "efg";
    int64_t precision;
    switch (kind) {
    case MGL_IPC_NULL:
        strcpy(format, "n");
        break;
    case MGL_IPC_INT:
        strcpy(format, int_format(fb, type));
        break;
    case MGL_IPC_FLOAT:
        precision = mgl_fb_whole(fb, type, 0, 2, 0);
        snprintf(format, FORMAT_TEXT, "%c",
                 precision >= 0 && precision < 3 ? floats[precision] : '?');
        break;
    case MGL_IPC_TEXT:
        strcpy(format, "u");
        break;
    case MGL_IPC_LARGE_TEXT:
        strcpy(format, "U");
        break;
    case MGL_IPC_BOOL:
        strcpy(format, "b");
        break;
    case MGL_IPC_DECIMAL:
        snprintf(format, FORMAT_TEXT, "d:%d,%d,%d", (int)mgl_fb_whole(fb, type, 0, 4, 0),
                 (int)mgl_fb_whole(fb, type, 1, 4, 0), (int)mgl_fb_whole(fb, type, 2, 4, 128));
        break;
    case MGL_IPC_DATE:
        strcpy(format, mgl_fb_whole(fb, type, 0, 2, 1) == 0 ? "tdD" : "tdm");
        break;
    case MGL_IPC_TIME:
        snprintf(format, FORMAT_TEXT, "tt%c", unit_of(fb, type, 1));
        break;
    case MGL_IPC_TIMESTAMP:
        write_timestamp(fb, type, format);
        break;
    default:
        strcpy(format,
               kind > 0 && kind < MGL_IPC_TYPES && others[kind] != NULL ? others[kind] : "?");
    }
}

static char *copy_text(mgl_span text)
{
    char *copy = mgl_alloc(text.size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

static mgl_status read_index_type(const mgl_ipc_file *file, mgl_flatbuffer *fb, size_t encoding,
                                  uint64_t at, mgl_error *err, mgl_ipc_column *out)
{
    size_t index = mgl_fb_table(fb, encoding, 1);
    out->encoded = true;
    out->id = mgl_fb_whole(fb, encoding, 0, 8, 0);
    out->ordered = mgl_fb_whole(fb, encoding, 2, 1, 0) != 0;
    snprintf(out->index_format, sizeof out->index_format, "%s",
             index != 0 ? int_format(fb, index) : "i");
    if (mgl_fb_whole(fb, encoding, 3, 2, 0) != 0 ||
        !mgl_arrow_type_of(out->index_format, &out->index))
        return mgl_ipc_fail(file, at, err, "the dictionary of column %.60s is of an unknown kind",
                            out->name);
    return MGL_OK;
}

static mgl_status read_field(const mgl_ipc_file *file, mgl_flatbuffer *fb, size_t field,
                             uint64_t at, mgl_error *err, mgl_ipc_column *out)
{
    char format[FORMAT_TEXT];
    mgl_span name = mgl_fb_text(fb, field, 0);
    size_t encoding = mgl_fb_table(fb, field, 4);
    out->nullable = mgl_fb_whole(fb, field, 1, 1, 0) != 0;
    write_format(fb, mgl_fb_whole(fb, field, 2, 1, 0), mgl_fb_table(fb, field, 3), format);
    if (fb->bad || memchr(name.data, '\0', name.size) != NULL)
        return mgl_ipc_fail(file, at, err, "the description of a column is broken");
    out->name = copy_text(name);
    out->format = copy_text(mgl_span_of(format));
    MGL_TRY(mgl_check_memory(out->name != NULL && out->format != NULL, err));
    out->taken = mgl_arrow_type_of(format, &out->type);
    if (out->taken && out->type.kind == MGL_ARROW_VIEW)
        return mgl_ipc_fail(file, at, err,
                            "column %.60s has the type text view, which is not read from files "
                            "(cast it to text)",
                            out->name);
    return encoding != 0 ? read_index_type(file, fb, encoding, at, err, out) : MGL_OK;
}

static mgl_status ipc_schema_read(const mgl_ipc_file *file, const mgl_flatbuffer *metadata,
                                  size_t table, uint64_t at, mgl_error *err, mgl_ipc_schema *out)
{
    mgl_flatbuffer fb = *metadata;
    size_t n, fields = mgl_fb_vector(&fb, table, 1, 4, &n);
    if (mgl_fb_whole(&fb, table, 0, 2, 0) != 0)
        return mgl_ipc_fail(file, at, err,
                            "the table was written on a machine with the other order of bytes, and "
                            "only little-endian ones are read");
    if (fb.bad)
        return mgl_ipc_fail(file, at, err, "the schema is broken");
    out->columns = mgl_zeroed_array(n, sizeof *out->columns);
    if (out->columns == NULL && n > 0)
        return mgl_fail_memory(err);
    for (; out->n_columns < n; out->n_columns++) {
        size_t field = mgl_fb_element(&fb, fields, out->n_columns);
        mgl_status status = read_field(file, &fb, field, at, err, &out->columns[out->n_columns]);
        if (status != MGL_OK) {
            out->n_columns++;
            return status;
        }
    }
    return MGL_OK;
}

/* ---- Table ----------------------------------------------------------------------------------- */

typedef struct dictionary {
    int64_t id;
    mgl_ipc_array *entries;
} dictionary;

/* Of a file: where a message lies. */
typedef struct block {
    uint64_t at;
} block;

typedef struct reader {
    mgl_ipc_file *file;
    mgl_ipc_schema schema;
    dictionary *dictionaries;
    size_t n_dictionaries, capacity;
    bool stream;
    uint64_t at;   /* of a stream: the next message */
    block *blocks; /* of a file: its batches */
    size_t n_blocks, next;
    mgl_error *err; /* where failures are written */
    mgl_status status;
} reader;

/* ---- Dictionaries ---------------------------------------------------------------------------- */

static dictionary *find_dictionary(reader *r, int64_t id)
{
    for (size_t i = 0; i < r->n_dictionaries; i++)
        if (r->dictionaries[i].id == id)
            return &r->dictionaries[i];
    return NULL;
}

static const mgl_ipc_column *column_of(const reader *r, int64_t id)
{
    for (size_t c = 0; c < r->schema.n_columns; c++)
        if (r->schema.columns[c].encoded && r->schema.columns[c].id == id)
            return &r->schema.columns[c];
    return NULL;
}

/* Takes the entries over. */
static mgl_status keep_entries(reader *r, int64_t id, bool delta, const mgl_ipc_column *column,
                               mgl_ipc_array *entries, mgl_error *err)
{
    dictionary *there = find_dictionary(r, id);
    mgl_ipc_array *joined;
    mgl_status status = MGL_OK;
    if (there == NULL) {
        if (!mgl_grow(&r->dictionaries, &r->capacity, r->n_dictionaries + 1,
                      sizeof *r->dictionaries))
            MGL_GO(mgl_fail_memory(err));
        there = &r->dictionaries[r->n_dictionaries++];
        *there = (dictionary){.id = id};
    } else if (delta) {
        MGL_GO(mgl_ipc_join(there->entries, entries, &column->type, err, &joined));
        mgl_ipc_array_release(entries);
        entries = joined;
    }
    mgl_ipc_array_release(there->entries);
    there->entries = entries;
    entries = NULL;
done:
    mgl_ipc_array_release(entries);
    return status;
}

static mgl_status read_dictionary(reader *r, const mgl_ipc_message *m, mgl_error *err)
{
    mgl_flatbuffer fb = m->metadata;
    mgl_ipc_parts parts;
    mgl_ipc_array *entries;
    int64_t id = mgl_fb_whole(&fb, m->header, 0, 8, 0);
    size_t table = mgl_fb_table(&fb, m->header, 1);
    bool delta = mgl_fb_whole(&fb, m->header, 2, 1, 0) != 0;
    const mgl_ipc_column *column = column_of(r, id);
    if (fb.bad)
        return mgl_ipc_fail(r->file, m->at, err, "the description of a dictionary is broken");
    if (column == NULL || !column->taken)
        return MGL_OK; /* of what lies within a column that is refused, too */
    MGL_TRY(mgl_ipc_parts_begin(&parts, r->file, m, table, err));
    MGL_TRY(mgl_ipc_parts_next(&parts, &column->type, column->name, err, &entries));
    MGL_TRY(keep_entries(r, id, delta, column, entries, err));
    return mgl_ipc_parts_end(&parts, err);
}

/* ---- Batches --------------------------------------------------------------------------------- */

typedef struct owned_batch {
    struct ArrowArray **children;
    mgl_ipc_array **arrays; /* [2 * n] columns, then their dictionaries */
    size_t n;
    const void *no_buffer[1];
} owned_batch;

static void free_batch(owned_batch *own)
{
    for (size_t i = 0; own->arrays != NULL && i < 2 * own->n; i++)
        mgl_ipc_array_release(own->arrays[i]);
    mgl_free(own->arrays);
    mgl_free(own->children);
    mgl_free(own);
}

/* A batch is released as a whole: its children are not moved out. */
static void release_batch(struct ArrowArray *batch)
{
    free_batch(batch->private_data);
    batch->release = NULL;
}

static void release_child(struct ArrowArray *child)
{
    child->release = NULL;
}

static mgl_status fill_column(reader *r, mgl_ipc_parts *parts, owned_batch *own, size_t c,
                              mgl_error *err)
{
    const mgl_ipc_column *column = &r->schema.columns[c];
    const mgl_arrow_type *type = column->encoded ? &column->index : &column->type;
    MGL_TRY(mgl_ipc_parts_next(parts, type, column->name, err, &own->arrays[c]));
    struct ArrowArray *array = &own->arrays[c]->array;
    array->release = release_child;
    own->children[c] = array;
    if (!column->encoded)
        return MGL_OK;
    dictionary *entries = find_dictionary(r, column->id);
    if (entries == NULL)
        return mgl_ipc_fail(r->file, parts->message->at, err,
                            "column %.60s has a dictionary that is not in the file", column->name);
    own->arrays[own->n + c] = entries->entries;
    entries->entries->holders++;
    entries->entries->array.release = release_child;
    array->dictionary = &entries->entries->array;
    return MGL_OK;
}

static mgl_status read_batch(reader *r, const mgl_ipc_message *m, mgl_error *err,
                             struct ArrowArray *out)
{
    mgl_ipc_parts parts;
    owned_batch *own = mgl_zeroed_array(1, sizeof *own);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(own != NULL, err));
    own->n = r->schema.n_columns;
    own->children = mgl_zeroed_array(own->n, sizeof *own->children);
    own->arrays = mgl_zeroed_array(2 * own->n, sizeof(mgl_ipc_array *));
    if (own->children == NULL || own->arrays == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_ipc_parts_begin(&parts, r->file, m, m->header, err));
    for (size_t c = 0; c < own->n; c++)
        MGL_GO(fill_column(r, &parts, own, c, err));
    MGL_GO(mgl_ipc_parts_end(&parts, err));
    *out = (struct ArrowArray){.length = parts.length,
                               .n_buffers = 1,
                               .n_children = (int64_t)own->n,
                               .buffers = own->no_buffer,
                               .children = own->children,
                               .release = release_batch,
                               .private_data = own};
    own = NULL;
done:
    if (own != NULL)
        free_batch(own);
    return status;
}

/* ---- The stream of the C interface ----------------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t c = 0; c < schema->n_children; c++) {
        mgl_free(schema->children[c]->dictionary);
        mgl_free((char *)schema->children[c]->name);
        mgl_free((char *)schema->children[c]->private_data);
        mgl_free(schema->children[c]);
    }
    mgl_free(schema->children);
    schema->release = NULL;
}

static void release_field(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

/* Takes name and format of the column over. */
static bool export_column(mgl_ipc_column *column, struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){.format = column->format,
                                .name = column->name,
                                .flags = (column->nullable ? ARROW_FLAG_NULLABLE : 0) |
                                         (column->ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0),
                                .release = release_field,
                                .private_data = column->format};
    column->name = column->format = NULL;
    if (!column->encoded)
        return true;
    out->dictionary = mgl_zeroed_array(1, sizeof *out->dictionary);
    if (out->dictionary == NULL)
        return false;
    *out->dictionary = (struct ArrowSchema){
        .format = out->format, .flags = ARROW_FLAG_NULLABLE, .release = release_field};
    mgl_arrow_type type;
    static const char *const formats[] = {"c", "C", "s", "S", "i", "I", "l", "L"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i], column->index_format) == 0)
            out->format = formats[i];
    return mgl_arrow_type_of(out->format, &type);
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    reader *r = stream->private_data;
    size_t n = r->schema.n_columns;
    *out = (struct ArrowSchema){.format = "+s", .name = "", .release = release_schema};
    out->children = mgl_zeroed_array(n, sizeof *out->children);
    for (size_t c = 0; out->children != NULL && c < n; c++) {
        struct ArrowSchema *child = mgl_zeroed_array(1, sizeof *child);
        if (child == NULL)
            break;
        out->children[out->n_children++] = child;
        if (!export_column(&r->schema.columns[c], child))
            break;
    }
    if (out->n_children == (int64_t)n)
        return 0;
    release_schema(out);
    return ENOMEM;
}

static int fail(reader *r, mgl_status status)
{
    r->status = status;
    return EIO;
}

/* The next batch of a stream; dictionaries on the way are taken in. */
static mgl_status next_of_stream(reader *r, struct ArrowArray *out)
{
    for (bool there = true;;) {
        mgl_ipc_message m;
        MGL_TRY(mgl_ipc_message_read(r->file, r->at, r->err, &m, &there));
        if (!there)
            return MGL_OK;
        r->at = m.end;
        mgl_status status = m.kind == MGL_IPC_BATCH        ? read_batch(r, &m, r->err, out)
                            : m.kind == MGL_IPC_DICTIONARY ? read_dictionary(r, &m, r->err)
                                                           : mgl_ipc_fail(r->file, m.at, r->err,
                                                                          "a message is neither a "
                                                                          "dictionary nor rows");
        bool batch = m.kind == MGL_IPC_BATCH;
        mgl_ipc_message_free(&m);
        if (status != MGL_OK || batch)
            return status;
    }
}

static mgl_status read_block(reader *r, uint64_t at, int kind, mgl_error *err,
                             struct ArrowArray *out)
{
    mgl_ipc_message m;
    bool there;
    MGL_TRY(mgl_ipc_message_read(r->file, at, err, &m, &there));
    if (!there)
        return mgl_ipc_fail(r->file, at, err, "the footer lists a message that is not here");
    mgl_status status = m.kind != kind
                            ? mgl_ipc_fail(r->file, at, err, "the footer lists another message")
                        : kind == MGL_IPC_BATCH ? read_batch(r, &m, err, out)
                                                : read_dictionary(r, &m, err);
    mgl_ipc_message_free(&m);
    return status;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    reader *r = stream->private_data;
    mgl_status status = MGL_OK;
    *out = (struct ArrowArray){0};
    if (r->stream)
        status = next_of_stream(r, out);
    else if (r->next < r->n_blocks)
        status = read_block(r, r->blocks[r->next++].at, MGL_IPC_BATCH, r->err, out);
    return status == MGL_OK ? 0 : fail(r, status);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return NULL;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL; /* the reader is freed by its owner */
}

/* ---- Files and streams
 * --------------------------------------------------------------------------- */

static mgl_status begin_stream(reader *r, mgl_error *err)
{
    mgl_ipc_message m;
    bool there;
    r->stream = true;
    MGL_TRY(mgl_ipc_message_read(r->file, 0, err, &m, &there));
    if (!there)
        return mgl_ipc_fail(r->file, 0, err, "the file is empty");
    r->at = m.end;
    mgl_status status = m.kind == MGL_IPC_SCHEMA
                            ? ipc_schema_read(r->file, &m.metadata, m.header, 0, err, &r->schema)
                            : mgl_ipc_fail(r->file, 0, err, "no schema stands in front");
    mgl_ipc_message_free(&m);
    return status;
}

enum { BLOCK = 24 };

static mgl_status read_footer(reader *r, mgl_flatbuffer *fb, uint64_t at, mgl_error *err)
{
    size_t n_dictionaries, n, root = mgl_fb_root(fb);
    size_t dictionaries = mgl_fb_vector(fb, root, 2, BLOCK, &n_dictionaries);
    size_t batches = mgl_fb_vector(fb, root, 3, BLOCK, &n), schema = mgl_fb_table(fb, root, 1);
    if (fb->bad || schema == 0)
        return mgl_ipc_fail(r->file, at, err, "the footer is broken");
    if (mgl_fb_whole(fb, root, 0, 2, 0) < MGL_IPC_V4)
        return mgl_ipc_fail(r->file, at, err, "the file is older than Arrow 0.8 and is not read");
    MGL_TRY(ipc_schema_read(r->file, fb, schema, at, err, &r->schema));
    for (size_t i = 0; i < n_dictionaries; i++)
        MGL_TRY(read_block(r, (uint64_t)mgl_fb_long_at(fb, dictionaries + i * BLOCK),
                           MGL_IPC_DICTIONARY, err, NULL));
    r->blocks = mgl_alloc_array(n, sizeof *r->blocks);
    if (r->blocks == NULL && n > 0)
        return mgl_fail_memory(err);
    for (; r->n_blocks < n; r->n_blocks++)
        r->blocks[r->n_blocks].at = (uint64_t)mgl_fb_long_at(fb, batches + r->n_blocks * BLOCK);
    return MGL_OK;
}

static mgl_status begin_file(reader *r, mgl_error *err)
{
    enum { TAIL = 4 + MGL_IPC_MARK };
    uint64_t size = r->file->state.size;
    char *bytes = NULL;
    int32_t footer;
    if (size < MGL_IPC_FRONT + TAIL)
        return mgl_ipc_fail(r->file, size, err, "the file is cut off");
    MGL_TRY(mgl_ipc_read(r->file, size - TAIL, TAIL, err, &bytes));
    memcpy(&footer, bytes, sizeof footer);
    bool marked = memcmp(bytes + 4, MGL_IPC_MAGIC, MGL_IPC_MARK) == 0;
    mgl_free(bytes);
    if (!marked || footer <= 0 || (uint64_t)footer > size - TAIL - MGL_IPC_FRONT)
        return mgl_ipc_fail(r->file, size, err, "the footer is not there: the file is cut off");
    uint64_t at = size - TAIL - (uint64_t)footer;
    MGL_TRY(mgl_ipc_read(r->file, at, (uint64_t)footer, err, &bytes));
    mgl_flatbuffer fb = {.data = bytes, .size = (size_t)footer};
    mgl_status status = read_footer(r, &fb, at, err);
    mgl_free(bytes);
    return status;
}

static mgl_status begin(reader *r, mgl_error *err)
{
    uint64_t size = r->file->state.size;
    char *front;
    if (size < 8)
        return mgl_ipc_fail(r->file, 0, err, "the file is too short to hold a table of Arrow");
    MGL_TRY(mgl_ipc_read(r->file, 0, 8, err, &front));
    bool file = memcmp(front, MGL_IPC_MAGIC, MGL_IPC_MARK) == 0;
    bool feather = memcmp(front, "FEA1", 4) == 0;
    mgl_free(front);
    if (feather)
        return mgl_fail_at(err, MGL_CODE_FORMAT, r->file->name, 0,
                           "this is a Feather file of version 1, which is not read; write it once "
                           "more with a program that writes version 2");
    return file ? begin_file(r, err) : begin_stream(r, err);
}

/* Reads the file, a stream or a file of its format, as a table. Let go with mgl_arrow_release. */
static mgl_status ipc_table_read(mgl_ipc_file *file, mgl_error *err, mgl_arrow_table **out)
{
    mgl_error own = {0};
    reader r = {.file = file, .err = &own};
    struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, &r};
    mgl_status status = begin(&r, err);
    if (status == MGL_OK)
        status = mgl_arrow_import(&stream, file->name, NULL, err, out);
    for (size_t i = 0; i < r.n_dictionaries; i++)
        mgl_ipc_array_release(r.dictionaries[i].entries);
    mgl_free(r.dictionaries);
    mgl_free(r.blocks);
    for (size_t c = 0; c < r.schema.n_columns; c++) {
        mgl_free(r.schema.columns[c].name);
        mgl_free(r.schema.columns[c].format);
    }
    mgl_free(r.schema.columns);
    r.schema = (mgl_ipc_schema){0};
    /* The failure of the reader is more precise than "no rows". */
    return r.status != MGL_OK ? mgl_fail_as(err, &own) : status;
}

/* ---- Formats --------------------------------------------------------------------------------- */

static mgl_status read_table(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_arrow_table **out)
{
    mgl_ipc_file file = {.name = location, .fd = -1};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_regular_open(location, err, &file.fd, &file.state));
    uint64_t times = file.state.size < UINT64_MAX / MGL_UNPACKED_TIMES
                         ? file.state.size * MGL_UNPACKED_TIMES
                         : UINT64_MAX;
    file.most_unpacked = most_unpacked > 0           ? most_unpacked
                         : times > MGL_UNPACKED_MOST ? times
                                                     : MGL_UNPACKED_MOST;
    MGL_GO(ipc_table_read(&file, err, out));
    status = mgl_regular_unchanged(file.fd, &file.state, location, err);
    if (status != MGL_OK)
        mgl_arrow_release(*out);
done:
    mgl_sys_close(file.fd);
    return status;
}

/* From here on it is a table in memory like any other. */
static mgl_status ipc_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    mgl_arrow_table *table;
    source->operations = &mgl_arrow_operations;
    MGL_TRY(read_table(location->text, source->options->most_unpacked, err, &table));
    source->arrow = table;
    mgl_status status = mgl_arrow_operations.open(source, location, err);
    mgl_arrow_release(table);
    return status;
}

static const mgl_source_operations operations = {.open = ipc_open};

static mgl_status save_file(const mgl_arrow_table *table, int fd, const char *name, mgl_error *err)
{
    return mgl_ipc_table_write(table, false, fd, name, err);
}

static mgl_status save_stream(const mgl_arrow_table *table, int fd, const char *name,
                              mgl_error *err)
{
    return mgl_ipc_table_write(table, true, fd, name, err);
}

const mgl_format mgl_feather_format = {
    .name = "feather",
    .help = "a file of Arrow, which is also Feather version 2",
    .endings = ".feather .arrow",
    .source = &operations,
    .save = save_file,
    .most_rows = UINT32_MAX - 1,
};

const mgl_format mgl_arrows_format = {
    .name = "arrows",
    .help = "a stream of Arrow, in a file",
    .endings = ".arrows",
    .source = &operations,
    .save = save_stream,
    .most_rows = UINT32_MAX - 1,
};
