/* Puts the rows of a release in random order while DuckDB reads and writes them: each of its
 * threads puts its rows into buckets of its own (base/shuffle.h), which go to a private file
 * without a name; each thread that fetches rows takes one bucket after another. Rows are stored as
 * records: size (where sizes differ), group, bits of the cells that are present, plain cells, then
 * texts and lists with their lengths. */
#include "io/duckdb/release_functions.h"
#include "io/duckdb/engine_vectors.h"

#include <stdatomic.h>

typedef enum passed_kind {
    MGL_PASSED_FIXED, /* as many bytes for each cell */
    MGL_PASSED_TEXT,
    MGL_PASSED_LIST,
    MGL_PASSED_STRUCT,
    MGL_PASSED_ARRAY
} passed_kind;

typedef struct passed_type {
    passed_kind kind;
    size_t size;                  /* bytes of a cell, or cells of an array */
    struct passed_type *children; /* [n_children] */
    size_t n_children;
} passed_type;

/* Bytes of a cell by the number of its type; 0: not one of these. */
static const unsigned char sizes[] = {
    [1] = 1,  [2] = 1,  [3] = 2,  [4] = 4,   [5] = 8,  [6] = 1,  [7] = 2,   [8] = 4,
    [9] = 8,  [10] = 4, [11] = 8, [12] = 8,  [13] = 4, [14] = 8, [15] = 16, [16] = 16,
    [20] = 8, [21] = 8, [22] = 8, [27] = 16, [30] = 8, [31] = 8, [32] = 16, [39] = 8,
};

enum {
    TEXT = 17,
    BYTES = 18,
    DECIMAL = 19,
    ENUMERATION = 23,
    LIST = 24,
    STRUCT = 25,
    MAP = 26,
    BITS = 29,
    ARRAY = 33,
    BIG_NUMBER = 35
};

static bool passed_type_make(void *type, passed_type *out, bool *no_memory);
static void passed_take(const passed_type *type, void *vector, size_t row, mgl_buffer *out);
static const char *passed_put(const passed_type *type, void *vector, size_t row, const char *bytes);

static void passed_type_free(passed_type *type)
{
    for (size_t i = 0; type->children != NULL && i < type->n_children; i++)
        passed_type_free(&type->children[i]);
    mgl_free(type->children);
    *type = (passed_type){0};
}

static bool make_children(passed_type *out, size_t n, bool *no_memory)
{
    out->children = mgl_zeroed_array(n + 1, sizeof *out->children);
    out->n_children = n;
    *no_memory |= out->children == NULL;
    return out->children != NULL;
}

/* Takes the type over. */
static bool make_child(void *type, passed_type *out, bool *no_memory)
{
    bool known = passed_type_make(type, out, no_memory);
    mgl_vectors()->destroy_type(&type);
    return known;
}

static bool make_struct(void *type, passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_STRUCT;
    bool known = make_children(out, v->struct_size(type), no_memory);
    for (size_t i = 0; known && i < out->n_children; i++)
        known = make_child(v->struct_type(type, i), &out->children[i], no_memory);
    return known;
}

/* A map is a list of structures of a key and a value. */
static bool make_map(void *type, passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_LIST;
    if (!make_children(out, 1, no_memory))
        return false;
    passed_type *pair = &out->children[0];
    pair->kind = MGL_PASSED_STRUCT;
    return make_children(pair, 2, no_memory) &&
           make_child(v->map_key(type), &pair->children[0], no_memory) &&
           make_child(v->map_value(type), &pair->children[1], no_memory);
}

static bool make_list(void *type, passed_type *out, bool *no_memory)
{
    out->kind = MGL_PASSED_LIST;
    return make_children(out, 1, no_memory) &&
           make_child(mgl_vectors()->list_type(type), &out->children[0], no_memory);
}

static bool make_array(void *type, passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    out->kind = MGL_PASSED_ARRAY;
    out->size = v->array_size(type);
    return make_children(out, 1, no_memory) &&
           make_child(v->array_type(type), &out->children[0], no_memory);
}

/* False if the kind is not supported, or memory is out (*no_memory). Free what is in it with
 * passed_type_free, also after a failure. */
static bool passed_type_make(void *type, passed_type *out, bool *no_memory)
{
    const mgl_vector_calls *v = mgl_vectors();
    int id = v->type_id(type);
    *out = (passed_type){0};
    switch (id) {
    case TEXT:
    case BYTES:
    case BITS:
    case BIG_NUMBER:
        out->kind = MGL_PASSED_TEXT;
        return true;
    case LIST:
        return make_list(type, out, no_memory);
    case STRUCT:
        return make_struct(type, out, no_memory);
    case MAP:
        return make_map(type, out, no_memory);
    case ARRAY:
        return make_array(type, out, no_memory);
    case DECIMAL:
        id = v->decimal_type(type);
        break;
    case ENUMERATION:
        id = v->enum_type(type);
        break;
    default:
        break;
    }
    out->kind = MGL_PASSED_FIXED;
    out->size = id > 0 && (size_t)id < sizeof sizes ? sizes[id] : 0;
    return out->size > 0;
}

/* Where a list stands in the vector of all its cells. */
typedef struct list_place {
    uint64_t first, n;
} list_place;

static void take_number(uint64_t number, mgl_buffer *out)
{
    mgl_buffer_append(out, (const char *)&number, sizeof number);
}

static void take_range(const passed_type *type, void *vector, list_place place, mgl_buffer *out)
{
    for (uint64_t i = 0; i < place.n; i++)
        passed_take(type, vector, place.first + i, out);
}

/* Adds the bytes of a cell: whether it is there, and what it is. */
static void passed_take(const passed_type *type, void *vector, size_t row, mgl_buffer *out)
{
    const mgl_vector_calls *v = mgl_vectors();
    mgl_duckdb_cells cells = mgl_vector_cells(vector);
    char there = mgl_duckdb_has(cells, row) ? 1 : 0;
    mgl_buffer_append(out, &there, 1);
    if (!there)
        return;
    if (type->kind == MGL_PASSED_FIXED) {
        mgl_buffer_append(out, (const char *)cells.data + row * type->size, type->size);
    } else if (type->kind == MGL_PASSED_TEXT) {
        mgl_span text = mgl_duckdb_text_at(cells, row);
        take_number(text.size, out);
        mgl_buffer_span(out, text);
    } else if (type->kind == MGL_PASSED_STRUCT) {
        for (size_t i = 0; i < type->n_children; i++)
            passed_take(&type->children[i], v->struct_child(vector, i), row, out);
    } else if (type->kind == MGL_PASSED_ARRAY) {
        list_place place = {row * type->size, type->size};
        take_range(&type->children[0], v->array_child(vector), place, out);
    } else {
        list_place place = ((const list_place *)cells.data)[row];
        take_number(place.n, out);
        take_range(&type->children[0], v->list_child(vector), place, out);
    }
}

static const char *put_range(const passed_type *type, void *vector, list_place place,
                             const char *bytes)
{
    for (uint64_t i = 0; i < place.n; i++)
        bytes = passed_put(type, vector, place.first + i, bytes);
    return bytes;
}

static const char *put_list(const passed_type *type, void *vector, size_t row, const char *bytes)
{
    const mgl_vector_calls *v = mgl_vectors();
    list_place place = {v->list_size(vector), 0};
    memcpy(&place.n, bytes, sizeof place.n);
    ((list_place *)v->data(vector))[row] = place;
    v->reserve_list(vector, place.first + place.n);
    v->set_list_size(vector, place.first + place.n);
    return put_range(&type->children[0], v->list_child(vector), place, bytes + sizeof place.n);
}

/* What a structure or an array that is missing holds is missing, too. */
static void put_missing(const passed_type *type, void *vector, size_t row)
{
    const mgl_vector_calls *v = mgl_vectors();
    mgl_vector_put_null(vector, row);
    if (type->kind == MGL_PASSED_LIST)
        ((list_place *)v->data(vector))[row] = (list_place){v->list_size(vector), 0};
    for (size_t i = 0; type->kind == MGL_PASSED_STRUCT && i < type->n_children; i++)
        put_missing(&type->children[i], v->struct_child(vector, i), row);
    for (size_t i = 0; type->kind == MGL_PASSED_ARRAY && i < type->size; i++)
        put_missing(&type->children[0], v->array_child(vector), row * type->size + i);
}

/* Puts a cell that was taken into a row of a vector whose rows are put in order; returns what
 * stands behind it. */
static const char *passed_put(const passed_type *type, void *vector, size_t row, const char *bytes)
{
    const mgl_vector_calls *v = mgl_vectors();
    if (*bytes++ == 0) {
        put_missing(type, vector, row);
        return bytes;
    }
    if (type->kind == MGL_PASSED_LIST)
        return put_list(type, vector, row, bytes);
    if (type->kind == MGL_PASSED_FIXED) {
        memcpy((char *)v->data(vector) + row * type->size, bytes, type->size);
        return bytes + type->size;
    }
    if (type->kind == MGL_PASSED_TEXT) {
        uint64_t size;
        memcpy(&size, bytes, sizeof size);
        v->put_text(vector, row, bytes + sizeof size, size);
        return bytes + sizeof size + size;
    }
    if (type->kind == MGL_PASSED_ARRAY)
        return put_range(&type->children[0], v->array_child(vector),
                         (list_place){row * type->size, type->size}, bytes);
    for (size_t i = 0; i < type->n_children; i++)
        bytes = passed_put(&type->children[i], v->struct_child(vector, i), row, bytes);
    return bytes;
}

enum {
    MOST_ROWS = 2048,     /* of a vector */
    USUAL_ROOM = 8 << 20, /* bytes for rows that wait in memory */
    LEAST_ROOM = 2 << 20
};

/* The state of a thread that passes rows. */
typedef struct worker {
    mgl_shuffle *shuffle;
    mgl_duckdb_cells *cells; /* [n_columns] of the current rows */
    mgl_buffer *nested;      /* [n_columns] bytes of cells that are lists or structures */
    size_t *ends;            /* [n_columns][MOST_ROWS] where these end */
    uint16_t buckets[MOST_ROWS];
    uint32_t sizes[MOST_ROWS];
} worker;

typedef struct column {
    void *type; /* of the engine */
    passed_type passed;
    size_t place; /* in a record, of a plain cell */
} column;

struct mgl_spooled_rows {
    const mgl_random *random;
    uint64_t n_rows, bytes, budget;
    column *columns; /* [n_columns] */
    size_t n_columns;
    void **types;  /* [1 + n_columns] of the engine, that of the group first */
    size_t head;   /* bytes before the bits */
    size_t plain;  /* bytes before texts and lists */
    bool variable; /* there are such */
    mgl_row_function *function;
    mgl_engine_threads threads; /* whose states are workers */
    _Atomic uint64_t numbered;  /* rows that were drawn for */
    _Atomic size_t next;        /* bucket to be given */
};

static void free_worker(const mgl_spooled_rows *r, worker *w)
{
    if (w == NULL)
        return;
    for (size_t c = 0; w->nested != NULL && c < r->n_columns; c++)
        mgl_buffer_free(&w->nested[c]);
    mgl_shuffle_free(w->shuffle);
    mgl_free(w->cells);
    mgl_free(w->nested);
    mgl_free(w->ends);
    mgl_free(w);
}

static mgl_status make_worker(const void *context, mgl_error *err, void **out)
{
    const mgl_spooled_rows *r = context;
    worker *w = mgl_zeroed_array(1, sizeof *w);
    MGL_TRY(mgl_check_memory(w != NULL, err));
    w->cells = mgl_zeroed_array(r->n_columns + 1, sizeof *w->cells);
    w->nested = mgl_zeroed_array(r->n_columns + 1, sizeof *w->nested);
    w->ends = mgl_zeroed_array((r->n_columns + 1) * MOST_ROWS, sizeof *w->ends);
    mgl_status status =
        w->cells == NULL || w->nested == NULL || w->ends == NULL
            ? mgl_fail_memory(err)
            : mgl_shuffle_new(r->random, r->n_rows, r->bytes, r->budget, err, &w->shuffle);
    if (status != MGL_OK) {
        free_worker(r, w);
        return status;
    }
    *out = w;
    return MGL_OK;
}

static worker *nth_worker(const mgl_spooled_rows *r, size_t i)
{
    return r->threads.list[i].state;
}

static mgl_span text_of(const mgl_spooled_rows *r, const worker *w, size_t c, size_t row)
{
    if (r->columns[c].passed.kind == MGL_PASSED_TEXT)
        return mgl_duckdb_has(w->cells[c], row) ? mgl_duckdb_text_at(w->cells[c], row)
                                                : (mgl_span){"", 0};
    const size_t *ends = w->ends + c * MOST_ROWS;
    size_t start = row > 0 ? ends[row - 1] : 0;
    return (mgl_span){w->nested[c].data + start, ends[row] - start};
}

static inline void copy_cell(char *to, const char *from, size_t size)
{
    switch (size) {
    case 8:
        memcpy(to, from, 8);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, size);
        break;
    }
}

static void write_record(const mgl_spooled_rows *r, const worker *w, int32_t group, size_t row,
                         char *to)
{
    unsigned char *bits = (unsigned char *)to + r->head;
    char *behind = to + r->plain;
    if (r->variable)
        memcpy(to, &w->sizes[row], sizeof w->sizes[row]);
    memcpy(to + r->head - sizeof group, &group, sizeof group);
    memset(bits, 0, r->plain - r->head);
    for (size_t c = 0; c < r->n_columns; c++) {
        const column *column = &r->columns[c];
        bool there = mgl_duckdb_has(w->cells[c], row);
        bits[c / 8] |= (unsigned char)(there << c % 8);
        if (column->passed.kind == MGL_PASSED_FIXED) {
            size_t size = column->passed.size;
            if (there)
                copy_cell(to + column->place, (const char *)w->cells[c].data + row * size, size);
            continue;
        }
        mgl_span text = text_of(r, w, c, row);
        uint32_t size = (uint32_t)text.size;
        memcpy(behind, &size, sizeof size);
        memcpy(behind + sizeof size, text.data, text.size);
        behind += sizeof size + text.size;
    }
}

/* Bytes of lists and structures, and the sizes of all records. */
static mgl_status measure(const mgl_spooled_rows *r, worker *w, void *input, size_t n,
                          mgl_error *err)
{
    for (size_t row = 0; row < n; row++)
        w->sizes[row] = (uint32_t)r->plain;
    for (size_t c = 0; c < r->n_columns; c++) {
        const passed_type *type = &r->columns[c].passed;
        void *vector = mgl_vectors()->chunk_vector(input, c + 1);
        w->cells[c] = mgl_vector_cells(vector);
        w->nested[c].size = 0;
        if (type->kind == MGL_PASSED_FIXED)
            continue;
        for (size_t row = 0; type->kind != MGL_PASSED_TEXT && row < n; row++) {
            passed_take(type, vector, row, &w->nested[c]);
            w->ends[c * MOST_ROWS + row] = w->nested[c].size;
        }
        if (w->nested[c].failed)
            return mgl_fail_memory(err);
        for (size_t row = 0; row < n; row++)
            w->sizes[row] += (uint32_t)(sizeof(uint32_t) + text_of(r, w, c, row).size);
    }
    return MGL_OK;
}

static mgl_status keep(mgl_spooled_rows *r, worker *w, void *input, mgl_error *err)
{
    size_t n = mgl_vectors()->chunk_size(input), kept = 0;
    mgl_duckdb_cells groups = mgl_vector_cells(mgl_vectors()->chunk_vector(input, 0));
    MGL_TRY(measure(r, w, input, n, err));
    mgl_shuffle_draw(w->shuffle, atomic_fetch_add(&r->numbered, n), n, w->buckets);
    MGL_TRY(mgl_shuffle_make_way(w->shuffle, NULL, err));
    for (size_t row = 0; row < n; row++) {
        if (!mgl_duckdb_has(groups, row))
            continue;
        char *to = mgl_shuffle_room(w->shuffle, w->buckets[row], w->sizes[row], 1);
        MGL_TRY(mgl_check_memory(to != NULL, err));
        write_record(r, w, ((const int32_t *)groups.data)[row], row, to);
        kept++;
    }
    mgl_shuffle_taken(w->shuffle, kept);
    return MGL_OK;
}

/* mingle_keep(GROUP, CELL, ...) gives the group back. */
static void keep_rows(void *info, void *input, void *output)
{
    mgl_spooled_rows *r = mgl_scalar_extra(info);
    mgl_error error = {0};
    mgl_engine_thread *thread = mgl_engine_threads_begin(&r->threads);
    mgl_status status = MGL_SYSTEM;
    if (thread != NULL) {
        status = keep(r, thread->state, input, &error);
        mgl_engine_threads_end(&r->threads, thread, status, &error);
    }
    if (status != MGL_OK) {
        mgl_scalar_fail(info);
        return;
    }
    size_t n = mgl_vectors()->chunk_size(input);
    mgl_duckdb_cells groups = mgl_vector_cells(mgl_vectors()->chunk_vector(input, 0));
    memcpy(mgl_vectors()->data(output), groups.data, n * sizeof(int32_t));
    for (size_t row = 0; groups.validity != NULL && row < n; row++)
        if (!mgl_duckdb_has(groups, row))
            mgl_vector_put_null(output, row);
}

mgl_status mgl_spooled_rows_add(mgl_spooled_rows *r, uint32_t group, uint64_t times, mgl_error *err)
{
    mgl_engine_thread *thread = mgl_engine_threads_begin(&r->threads);
    if (thread == NULL)
        return mgl_spooled_rows_failure(r, MGL_OK, err);
    const worker *w = thread->state;
    mgl_status status = MGL_OK;
    for (uint64_t i = 0; i < times && status == MGL_OK; i++) {
        char *to = mgl_shuffle_place(w->shuffle, r->plain, err);
        status = to != NULL ? MGL_OK : MGL_SYSTEM;
        if (to != NULL)
            memcpy(to, &group, sizeof group);
    }
    mgl_engine_threads_end(&r->threads, thread, MGL_OK, NULL);
    return status;
}

mgl_status mgl_spooled_rows_failure(const mgl_spooled_rows *r, mgl_status status, mgl_error *err)
{
    return mgl_engine_threads_failure(&r->threads, status, err);
}

/* The bucket that a thread gives rows of. */
typedef struct giver {
    mgl_buffer records;
    const char **starts; /* [room] of its records */
    uint32_t *order;     /* [room_order] */
    size_t n, at, room, room_order;
} giver;

static void free_giver(void *data)
{
    giver *g = data;
    mgl_buffer_free(&g->records);
    mgl_free(g->starts);
    mgl_free(g->order);
    mgl_free(g);
}

static mgl_status gather(const mgl_spooled_rows *r, giver *g, size_t number, mgl_error *err)
{
    for (size_t i = 0; i < r->threads.n; i++) {
        mgl_buffer records;
        MGL_TRY(mgl_shuffle_take(nth_worker(r, i)->shuffle, number, 1, err, &records));
        g->n += mgl_shuffle_rows(nth_worker(r, i)->shuffle, number);
        if (g->records.size == 0) {
            mgl_buffer_free(&g->records);
            g->records = records;
            continue;
        }
        mgl_buffer_append(&g->records, records.data, records.size);
        mgl_buffer_free(&records);
    }
    return g->records.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* The next bucket that has rows; g->n is 0 if none is left. */
static mgl_status take_bucket(mgl_spooled_rows *r, giver *g, mgl_error *err)
{
    size_t number = 0;
    g->n = g->at = 0;
    while (g->n == 0 && r->threads.n > 0) {
        number = atomic_fetch_add(&r->next, 1);
        if (number >= mgl_shuffle_buckets(nth_worker(r, 0)->shuffle))
            return MGL_OK;
        g->records.size = 0;
        MGL_TRY(gather(r, g, number, err));
    }
    if (!mgl_grow(&g->starts, &g->room, g->n + 1, sizeof *g->starts) ||
        !mgl_grow(&g->order, &g->room_order, g->n + 1, sizeof *g->order))
        return mgl_fail_memory(err);
    const char *record = g->records.data;
    for (size_t i = 0; i < g->n; i++) {
        uint32_t size = (uint32_t)r->plain;
        if (r->variable)
            memcpy(&size, record, sizeof size);
        g->starts[i] = record;
        g->order[i] = (uint32_t)i;
        record += size;
    }
    if (g->n > 0)
        mgl_shuffle_order(nth_worker(r, 0)->shuffle, number, g->order, g->n);
    return MGL_OK;
}

/* Texts stay in the bucket, which is there until the thread asks for the next rows. */
static void give_column(const mgl_spooled_rows *r, size_t c, void *vector, size_t n,
                        const char *const *records, const char **behind)
{
    const column *column = &r->columns[c];
    const passed_type *type = &column->passed;
    bool nested = type->kind != MGL_PASSED_FIXED && type->kind != MGL_PASSED_TEXT;
    char *data = mgl_vectors()->data(vector);
    for (size_t row = 0; row < n; row++) {
        bool there = (records[row][r->head + c / 8] >> c % 8 & 1) != 0;
        if (!there && !nested)
            mgl_vector_put_null(vector, row);
        if (type->kind == MGL_PASSED_FIXED) {
            if (there)
                copy_cell(data + row * type->size, records[row] + column->place, type->size);
            continue;
        }
        uint32_t size;
        memcpy(&size, behind[row], sizeof size);
        const char *text = behind[row] + sizeof size;
        behind[row] = text + size;
        if (nested)
            passed_put(type, vector, row, text);
        else if (there)
            ((mgl_duckdb_text *)data)[row] = mgl_vector_text((mgl_span){text, size});
    }
}

static mgl_status give(mgl_spooled_rows *r, giver *g, const mgl_made_rows *rows, mgl_error *err,
                       size_t *out)
{
    const char *records[MOST_ROWS], *behind[MOST_ROWS];
    size_t most = rows->most < MOST_ROWS ? rows->most : MOST_ROWS;
    if (g->at == g->n)
        MGL_TRY(take_bucket(r, g, err));
    size_t n = g->n - g->at < most ? g->n - g->at : most;
    int32_t *groups = mgl_vectors()->data(mgl_vectors()->chunk_vector(rows->chunk, 0));
    for (size_t i = 0; i < n; i++) {
        records[i] = g->starts[g->order[g->at + i]];
        behind[i] = records[i] + r->plain;
        memcpy(&groups[i], records[i] + r->head - sizeof *groups, sizeof *groups);
    }
    for (size_t c = 0; c < r->n_columns; c++)
        give_column(r, c, mgl_vectors()->chunk_vector(rows->chunk, c + 1), n, records, behind);
    g->at += n;
    *out = n;
    return MGL_OK;
}

static size_t give_rows(void *context, const mgl_made_rows *rows)
{
    mgl_spooled_rows *r = context;
    mgl_error error = {0};
    size_t n = 0;
    if (!mgl_engine_threads_go_on(&r->threads))
        return MGL_ROWS_FAILED;
    if (*rows->local == NULL)
        *rows->local = mgl_zeroed_array(1, sizeof(giver));
    mgl_status status =
        *rows->local == NULL ? mgl_fail_memory(&error) : give(r, *rows->local, rows, &error, &n);
    if (status == MGL_OK)
        return n;
    mgl_engine_threads_fail(&r->threads, status, &error);
    return MGL_ROWS_FAILED;
}

void mgl_spooled_rows_free(mgl_spooled_rows *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->threads.n; i++)
        free_worker(r, nth_worker(r, i));
    for (size_t c = 0; r->columns != NULL && c < r->n_columns; c++) {
        passed_type_free(&r->columns[c].passed);
        if (r->columns[c].type != NULL)
            mgl_vectors()->destroy_type(&r->columns[c].type);
    }
    if (r->types != NULL)
        mgl_vectors()->destroy_type(&r->types[0]);
    mgl_engine_threads_free(&r->threads);
    mgl_free(r->types);
    mgl_free(r->columns);
    mgl_free(r->function);
    mgl_free(r);
}

static mgl_status find_types(mgl_spooled_rows *r, const mgl_spool_request *order, mgl_error *err)
{
    mgl_duckdb *db = order->db;
    bool no_memory = false, known = true;
    if (order->passed == NULL)
        return MGL_OK;
    MGL_TRY(mgl_duckdb_run(db, order->passed, err));
    r->n_columns = mgl_vectors()->result_columns(&db->result);
    MGL_TRY(mgl_new_zeroed(r->n_columns + 1, sizeof *r->columns, err, &r->columns));
    for (size_t c = 0; known && c < r->n_columns; c++) {
        r->columns[c].type = mgl_vectors()->column_type(&db->result, c);
        known = passed_type_make(r->columns[c].type, &r->columns[c].passed, &no_memory);
    }
    /* A statement that is not at its end would take back what is made known after it. */
    MGL_TRY(mgl_duckdb_fetch(db, err));
    mgl_duckdb_end(db);
    if (known)
        return MGL_OK;
    return no_memory ? mgl_fail_memory(err)
                     : mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, db->name, 0,
                                   "a column that is passed through has a type that cannot be "
                                   "put in random order; leave it out with `role: identifier`, or "
                                   "keep the order of the rows (`keep-order`)");
}

static void lay_out(mgl_spooled_rows *r)
{
    for (size_t c = 0; c < r->n_columns; c++)
        r->variable = r->variable || r->columns[c].passed.kind != MGL_PASSED_FIXED;
    r->head = sizeof(int32_t) + (r->variable ? sizeof(uint32_t) : 0);
    r->plain = r->head + (r->n_columns + 7) / 8;
    for (size_t c = 0; c < r->n_columns; c++)
        if (r->columns[c].passed.kind == MGL_PASSED_FIXED) {
            r->columns[c].place = r->plain;
            r->plain += r->columns[c].passed.size;
        }
}

static mgl_status make_known(mgl_spooled_rows *r, const mgl_spool_request *order, mgl_error *err)
{
    MGL_TRY(mgl_new_zeroed(r->n_columns + 1, sizeof *r->types, err, &r->types));
    r->types[0] = mgl_vectors()->create_type(MGL_DUCKDB_INTEGER);
    for (size_t c = 0; c < r->n_columns; c++)
        r->types[c + 1] = r->columns[c].type;
    mgl_scalar_function keeps = {.name = "mingle_keep",
                                 .parameters = r->types,
                                 .n_parameters = r->n_columns + 1,
                                 .returns = MGL_DUCKDB_INTEGER,
                                 .call = keep_rows,
                                 .extra = r,
                                 .sees_nulls = true,
                                 .is_random = true};
    mgl_row_maker gives = {.n_columns = r->n_columns + 1,
                           .types = r->types,
                           .threads = true,
                           .make = give_rows,
                           .context = r,
                           .drop = free_giver};
    if (r->n_columns > 0)
        MGL_TRY(mgl_scalar_function_new(order->db, &keeps, err));
    return mgl_row_function_new(order->db, &gives, err, &r->function);
}

mgl_status mgl_spooled_rows_new(const mgl_spool_request *order, mgl_error *err,
                                mgl_spooled_rows **out)
{
    mgl_spooled_rows *r = mgl_zeroed_array(1, sizeof *r);
    MGL_TRY(mgl_check_memory(r != NULL, err));
    mgl_engine_threads_init(&r->threads, make_worker, r, order->progress);
    r->random = order->random;
    r->n_rows = order->n_rows;
    r->bytes = order->bytes;
    r->budget = order->memory == 0                ? USUAL_ROOM
                : order->memory / 32 < LEAST_ROOM ? LEAST_ROOM
                                                  : order->memory / 32;
    mgl_status status = MGL_OK;
    MGL_GO(find_types(r, order, err));
    lay_out(r);
    MGL_GO(make_known(r, order, err));
    *out = r;
    r = NULL;
done:
    mgl_spooled_rows_free(r);
    return status;
}
