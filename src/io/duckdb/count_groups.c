/* Counts the groups of a table of DuckDB: the engine reads the rows and passes their cells to a
 * function of ours, which counts them in a concurrent hash table. It is divided by the hashes, each
 * division with a lock, so that threads rarely wait and each combination is stored once. The
 * engine's own GROUP BY takes memory that grows with the rows. */
#include "io/duckdb/engine_vectors.h"
#include "io/duckdb/group_counts.h"
#include "base/base.h"

#include <pthread.h>
#include <stdio.h>

enum { PART_BITS = 6, PARTS = 1 << PART_BITS };

typedef struct part {
    pthread_mutex_t lock;
    mgl_key_index groups;
    uint64_t *times; /* [groups.n] */
    size_t room;
} part;

struct mgl_group_counts {
    size_t n_columns;
    part parts[PARTS];
};

static void empty_part(part *p)
{
    mgl_key_index_free(&p->groups);
    mgl_free(p->times);
    p->times = NULL;
}

void mgl_group_counts_free(mgl_group_counts *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < PARTS; i++) {
        empty_part(&c->parts[i]);
        pthread_mutex_destroy(&c->parts[i].lock);
    }
    mgl_free(c);
}

mgl_group_counts *mgl_group_counts_new(size_t n_columns)
{
    mgl_group_counts *c = mgl_zeroed_array(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->n_columns = n_columns;
    for (size_t i = 0; i < PARTS; i++) {
        c->parts[i].groups.size = n_columns * sizeof(uint32_t);
        pthread_mutex_init(&c->parts[i].lock, NULL);
    }
    return c;
}

static bool count_row(part *p, const uint32_t *row, uint64_t hash)
{
    uint32_t n = p->groups.n;
    if (!mgl_grow(&p->times, &p->room, (size_t)n + 1, sizeof *p->times))
        return false;
    uint32_t group = mgl_key_index_add_hashed(&p->groups, row, hash);
    if (group == MGL_NOT_FOUND)
        return false;
    p->times[group] = group == n ? 1 : p->times[group] + 1;
    return true;
}

/* The rows of one part, one after the other. */
static bool add_to_part(mgl_group_counts *c, part *p, const uint32_t *rows, const uint64_t *hashes,
                        const uint16_t *list, size_t n)
{
    bool counted = true;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < n; i++)
        mgl_key_index_fetch(&p->groups, hashes[list[i]]);
    for (size_t i = 0; counted && i < n; i++)
        counted = count_row(p, rows + list[i] * c->n_columns, hashes[list[i]]);
    pthread_mutex_unlock(&p->lock);
    return counted;
}

bool mgl_group_counts_add(mgl_group_counts *c, const uint32_t *rows, size_t n)
{
    uint64_t hashes[MGL_COUNTED_AT_ONCE];
    uint16_t list[MGL_COUNTED_AT_ONCE], starts[PARTS + 1] = {0}, at[PARTS];
    for (size_t i = 0; i < n; i++) {
        hashes[i] = mgl_hash(rows + i * c->n_columns, c->n_columns * sizeof *rows);
        starts[(hashes[i] >> (64 - PART_BITS)) + 1]++;
    }
    for (size_t p = 0; p < PARTS; p++) {
        at[p] = starts[p];
        starts[p + 1] = (uint16_t)(starts[p + 1] + starts[p]);
    }
    for (size_t i = 0; i < n; i++)
        list[at[hashes[i] >> (64 - PART_BITS)]++] = (uint16_t)i;
    for (size_t p = 0; p < PARTS; p++)
        if (starts[p + 1] > starts[p] && !add_to_part(c, &c->parts[p], rows, hashes,
                                                      list + starts[p], starts[p + 1] - starts[p]))
            return false;
    return true;
}

bool mgl_group_counts_drain(mgl_group_counts *c, mgl_group_fn *visit, void *context)
{
    for (size_t i = 0; i < PARTS; i++) {
        part *p = &c->parts[i];
        const uint32_t *numbers = p->groups.keys;
        for (size_t g = 0; g < p->groups.n; g++)
            if (!visit(context, numbers + g * c->n_columns, p->times[g]))
                return false;
        empty_part(p);
    }
    return true;
}

enum { REMEMBERED = 256, HASH_BITS = 8 };

/* Cells that are the same bytes as one before in these rows are asked for once: within a call of a
 * function a text that lies elsewhere stays there. */
typedef struct remembered {
    uint64_t words[2];
    uint32_t number;
    bool there;
} remembered;

/* The cell as the engine has it. */
static inline void take_words(mgl_duck_fetched fetched, const void *data, size_t row,
                              uint64_t words[2])
{
    words[0] = words[1] = 0;
    switch (fetched) {
    case MGL_DUCK_TEXT:
        memcpy(words, (const mgl_duckdb_text *)data + row, sizeof(mgl_duckdb_text));
        break;
    case MGL_DUCK_FLOAT:
        memcpy(words, (const float *)data + row, sizeof(float));
        break;
    case MGL_DUCK_WHOLE:
    case MGL_DUCK_DOUBLE:
        memcpy(words, (const uint64_t *)data + row, sizeof(uint64_t));
        break;
    }
}

static inline size_t place_of(const uint64_t words[2])
{
    uint64_t mixed = (words[0] ^ words[1] * UINT64_C(0x9E3779B97F4A7C15));
    return mixed * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS);
}

void mgl_cell_numbers(const mgl_duck_column *column, mgl_duckdb_cells cells, size_t n,
                      mgl_cell_number_fn *number, void *context, uint32_t *out, size_t stride)
{
    remembered memory[REMEMBERED];
    for (size_t i = 0; i < REMEMBERED; i++)
        memory[i].there = false;
    for (size_t row = 0; row < n; row++) {
        if (!mgl_duckdb_has(cells, row)) {
            out[row * stride] = number(context, (mgl_span){NULL, 0});
            continue;
        }
        uint64_t words[2];
        take_words(column->fetched, cells.data, row, words);
        remembered *slot = &memory[place_of(words)];
        if (!slot->there || slot->words[0] != words[0] || slot->words[1] != words[1]) {
            char text[MGL_NUMBER_TEXT];
            mgl_span cell = mgl_duck_show(column, cells, row, text);
            *slot = (remembered){{words[0], words[1]}, number(context, cell), true};
        }
        out[row * stride] = slot->number;
    }
}

static int parameter_type(const mgl_duck_column *column)
{
    switch (column->fetched) {
    case MGL_DUCK_WHOLE:
        return MGL_DUCKDB_BIGINT;
    case MGL_DUCK_DOUBLE:
        return MGL_DUCKDB_DOUBLE;
    case MGL_DUCK_FLOAT:
        return MGL_DUCKDB_FLOAT;
    case MGL_DUCK_TEXT:
        break;
    }
    return MGL_DUCKDB_VARCHAR;
}

void **mgl_cell_types(const mgl_duck *d, const size_t *columns, size_t n)
{
    void **types = mgl_zeroed_array(n + 1, sizeof *types);
    for (size_t i = 0; types != NULL && i < n; i++)
        types[i] = mgl_vectors()->create_type(parameter_type(&d->columns[columns[i]]));
    return types;
}

void mgl_cell_types_free(void **types, size_t n)
{
    for (size_t i = 0; types != NULL && i < n; i++)
        mgl_vectors()->destroy_type(&types[i]);
    mgl_free(types);
}

void mgl_write_cell_call(mgl_buffer *out, const mgl_source *source, const char *name,
                         const size_t *columns, size_t n)
{
    mgl_buffer_format(out, "%s(", name);
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        mgl_duck_write_cell(out, source->state, columns[i],
                            mgl_span_of(mgl_source_column(source, columns[i])));
    }
    mgl_buffer_text(out, ")");
}

/* The values of a column that one thread has seen, and the codes they have in the table. */
typedef struct seen_values {
    struct counting *counting;
    size_t column; /* of the table */
    mgl_map *values;
    uint32_t *codes; /* [room] */
    size_t room;
    uint32_t missing; /* the code of cells without a value; MGL_NOT_FOUND: there was none yet */
    bool failed;
} seen_values;

/* What a thread works with. */
typedef struct worker {
    uint32_t *rows;     /* [MGL_VECTOR_ROWS][columns of the table] */
    seen_values seen[]; /* [columns of the table] */
} worker;

typedef struct counting {
    mgl_counted counted;
    pthread_mutex_t lock;            /* of the dictionaries */
    const mgl_duck_column **columns; /* [columns of the table] */
    size_t *numbers;                 /* [columns of the table] of the source */
    mgl_group_counts *groups;
    mgl_engine_threads threads;
} counting;

_Static_assert((int)MGL_COUNTED_AT_ONCE >= (int)MGL_VECTOR_ROWS, "a vector is counted at once");

static uint32_t code_of(seen_values *s, mgl_span cell)
{
    counting *c = s->counting;
    pthread_mutex_lock(&c->lock);
    uint32_t code = mgl_counted_code(&c->counted, s->column, cell);
    pthread_mutex_unlock(&c->lock);
    s->failed |= code == MGL_NOT_FOUND;
    return code;
}

static uint32_t number_of(void *context, mgl_span cell)
{
    seen_values *s = context;
    if (cell.data == NULL) {
        if (s->missing == MGL_NOT_FOUND)
            s->missing = code_of(s, cell);
        return s->missing;
    }
    uint32_t known = mgl_map_size(s->values), number = mgl_map_add(s->values, cell);
    if (number == MGL_NOT_FOUND ||
        (number == known && !mgl_grow(&s->codes, &s->room, known + 1, sizeof *s->codes))) {
        s->failed = true;
        return 0;
    }
    if (number == known)
        s->codes[number] = code_of(s, cell);
    return s->codes[number];
}

static mgl_status count_rows(counting *c, worker *w, void *input, mgl_error *err)
{
    size_t n = mgl_vectors()->chunk_size(input), n_columns = c->counted.table->n_columns;
    bool failed = false;
    for (size_t i = 0; i < n_columns; i++) {
        mgl_duckdb_cells cells = mgl_vector_cells(mgl_vectors()->chunk_vector(input, i));
        mgl_cell_numbers(c->columns[i], cells, n, number_of, &w->seen[i], w->rows + i, n_columns);
        failed |= w->seen[i].failed;
    }
    return !failed && mgl_group_counts_add(c->groups, w->rows, n) ? MGL_OK : mgl_fail_memory(err);
}

/* mingle_count(CELL, ...) gives a number, no matter which. */
static void take_rows(void *info, void *input, void *output)
{
    counting *c = mgl_scalar_extra(info);
    mgl_error error = {0};
    mgl_engine_thread *thread = mgl_engine_threads_begin(&c->threads);
    mgl_status status = MGL_SYSTEM;
    if (thread != NULL) {
        status = count_rows(c, thread->state, input, &error);
        mgl_engine_threads_end(&c->threads, thread, status, &error);
    }
    if (status != MGL_OK)
        mgl_scalar_fail(info);
    else
        memset(mgl_vectors()->data(output), 0, mgl_vectors()->chunk_size(input) * sizeof(int32_t));
}

static void free_worker(const counting *c, worker *w)
{
    for (size_t i = 0; w != NULL && i < c->counted.table->n_columns; i++) {
        mgl_map_free(w->seen[i].values);
        mgl_free(w->seen[i].codes);
    }
    if (w != NULL)
        mgl_free(w->rows);
    mgl_free(w);
}

static mgl_status make_worker(const void *context, mgl_error *err, void **out)
{
    counting *c = (counting *)context;
    size_t n = c->counted.table->n_columns;
    worker *w = mgl_zeroed_array(1, sizeof *w + n * sizeof *w->seen);
    bool made =
        w != NULL && (w->rows = mgl_alloc_array(MGL_VECTOR_ROWS, n * sizeof *w->rows)) != NULL;
    for (size_t i = 0; made && i < n; i++) {
        w->seen[i] = (seen_values){
            .counting = c, .column = i, .values = mgl_map_new(), .missing = MGL_NOT_FOUND};
        made = w->seen[i].values != NULL;
    }
    if (!made) {
        free_worker(c, w);
        return mgl_fail_memory(err);
    }
    *out = w;
    return MGL_OK;
}

static mgl_status make_known(const mgl_duck *d, counting *c, const char *name, mgl_error *err)
{
    size_t n = c->counted.table->n_columns;
    void **types = mgl_cell_types(d, c->numbers, n);
    mgl_scalar_function counts = {.name = name,
                                  .parameters = types,
                                  .n_parameters = n,
                                  .returns = MGL_DUCKDB_INTEGER,
                                  .call = take_rows,
                                  .extra = c,
                                  .sees_nulls = true,
                                  .is_random = true}; /* called for each row, also for equal ones */
    mgl_status status =
        types == NULL ? mgl_fail_memory(err) : mgl_scalar_function_new(&d->db, &counts, err);
    mgl_cell_types_free(types, n);
    return status;
}

/* One number. A statement that is not at its end would take back what is made known after it. */
static mgl_status fetch_number(mgl_duckdb *db, mgl_buffer *statement, mgl_error *err, uint64_t *out)
{
    MGL_TRY(mgl_duckdb_ask_numbers(db, statement, 1, err, out));
    return mgl_duckdb_fetch(db, err);
}

/* SELECT count(mingle_count("cell", ...)) FROM ... */
static mgl_status ask(mgl_source *source, counting *c, const char *name, mgl_error *err,
                      uint64_t *rows)
{
    mgl_duck *d = source->state;
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "SELECT count(");
    mgl_write_cell_call(&statement, source, name, c->numbers, c->counted.table->n_columns);
    mgl_buffer_text(&statement, ") FROM ");
    mgl_buffer_span(&statement, (mgl_span){d->from.data, d->from.size});
    mgl_status status = fetch_number(&d->db, &statement, err, rows);
    mgl_duckdb_end(&d->db);
    return mgl_engine_threads_failure(&c->threads, status, err);
}

typedef struct draining {
    mgl_counted *counted;
    uint64_t rows;
} draining;

static bool add_group(void *context, const uint32_t *codes, uint64_t times)
{
    draining *into = context;
    into->rows += times;
    return mgl_counted_add_codes(into->counted, codes, times);
}

static mgl_status take_groups(mgl_source *source, counting *c, uint64_t rows, mgl_error *err)
{
    draining into = {.counted = &c->counted};
    if (!mgl_group_counts_drain(c->groups, add_group, &into) || !mgl_counted_finish(&c->counted))
        return mgl_fail_memory(err);
    if (into.rows != rows)
        return mgl_fail_at(err, MGL_CODE_INTERNAL, source->name, 0,
                           "DuckDB read other rows than were counted; please report this");
    if (rows == 0 && !source->options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0, "there are no rows");
    return MGL_OK;
}

static mgl_status begin(const mgl_source *source, mgl_table *table, counting *c, mgl_error *err)
{
    const mgl_duck *d = source->state;
    size_t n = table->n_columns;
    c->counted = (mgl_counted){.table = table, .options = source->options};
    c->columns = mgl_alloc_array(n, sizeof *c->columns);
    c->numbers = mgl_alloc_array(n, sizeof *c->numbers);
    c->groups = mgl_group_counts_new(n);
    MGL_TRY(mgl_check_memory(c->columns != NULL && c->numbers != NULL && c->groups != NULL, err));
    for (size_t i = 0; i < n; i++) {
        c->numbers[i] = table->columns[i].source_index;
        c->columns[i] = &d->columns[c->numbers[i]];
    }
    return mgl_vectors_load(err);
}

static void end(counting *c)
{
    for (size_t i = 0; i < c->threads.n; i++)
        free_worker(c, c->threads.list[i].state);
    mgl_engine_threads_free(&c->threads);
    mgl_group_counts_free(c->groups);
    mgl_free(c->columns);
    mgl_free(c->numbers);
    pthread_mutex_destroy(&c->lock);
    mgl_free(c);
}

mgl_status mgl_duck_count(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                          mgl_error *err)
{
    mgl_duck *d = source->state;
    char name[40];
    uint64_t rows = 0;
    MGL_TRY(mgl_progress_report(progress, "read", 0, 0, err));
    counting *c = mgl_zeroed_array(1, sizeof *c);
    MGL_TRY(mgl_check_memory(c != NULL, err));
    pthread_mutex_init(&c->lock, NULL);
    mgl_engine_threads_init(&c->threads, make_worker, c, progress);
    mgl_status status = MGL_OK;
    MGL_GO(begin(source, table, c, err));
    /* A function stays known until the connection is closed, and the next count has another. */
    snprintf(name, sizeof name, "mingle_count_%u", d->n_counts++);
    MGL_GO(make_known(d, c, name, err));
    MGL_GO(ask(source, c, name, err, &rows));
    MGL_GO(take_groups(source, c, rows, err));
    MGL_GO(mgl_duck_unchanged(source, err));
done:
    end(c);
    return status;
}
