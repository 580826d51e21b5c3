/* Makes functions of ours known to DuckDB, which it calls while it writes a release: the map from
 * cells to released cells stays here, where it takes a tenth of the memory of a joined table, and
 * the order of rows is drawn by our own generator. push_release.c calls it. */
#include "io/duckdb/release_functions.h"
#include "io/duckdb/row_function.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- The library ------------------------------------------------------------------------ */

enum {
    DUCKDB_INTEGER = 4,
    DUCKDB_UBIGINT = 9,
    DUCKDB_FLOAT = 10,
    DUCKDB_DOUBLE = 11,
    DUCKDB_VARCHAR = 17
};

static const char *const names[] = {
    "duckdb_create_scalar_function",
    "duckdb_destroy_scalar_function",
    "duckdb_scalar_function_set_name",
    "duckdb_scalar_function_add_parameter",
    "duckdb_scalar_function_set_return_type",
    "duckdb_scalar_function_set_special_handling",
    "duckdb_scalar_function_set_volatile",
    "duckdb_scalar_function_set_extra_info",
    "duckdb_scalar_function_set_function",
    "duckdb_register_scalar_function",
    "duckdb_scalar_function_get_extra_info",
    "duckdb_create_logical_type",
    "duckdb_destroy_logical_type",
    "duckdb_data_chunk_get_size",
    "duckdb_data_chunk_get_vector",
    "duckdb_vector_get_data",
    "duckdb_vector_get_validity",
    "duckdb_vector_ensure_validity_writable",
};

typedef void function_fn(void *info, void *input, void *output);

/* In the order of their names. */
typedef struct function_calls {
    void *(*create)(void);
    void (*destroy)(void **function);
    void (*set_name)(void *function, const char *name);
    void (*add_parameter)(void *function, void *type);
    void (*set_return)(void *function, void *type);
    void (*see_nulls)(void *function);
    void (*set_volatile)(void *function);
    void (*set_extra)(void *function, void *extra, void (*destroy)(void *));
    void (*set_function)(void *function, function_fn *call);
    int (*register_function)(void *connection, void *function);
    void *(*extra)(void *info);
    void *(*create_type)(int type);
    void (*destroy_type)(void **type);
    uint64_t (*chunk_size)(void *chunk);
    void *(*chunk_vector)(void *chunk, uint64_t column);
    void *(*data)(void *vector);
    uint64_t *(*validity)(void *vector);
    void (*make_validity)(void *vector);
} function_calls;

_Static_assert(sizeof names == sizeof(function_calls), "one name per call");

/* ---- The map ---------------------------------------------------------------------------- */

enum { MOST_WORDS = 8, MOST_ROWS = 2048, REMEMBERED = 256 };

typedef struct map_key {
    mgl_release_functions *all;
    const mgl_duck_column *column;
    mgl_map *cells;    /* of the source, as texts */
    mgl_map *texts;    /* released ones */
    uint32_t missing;  /* number of the cell that stands for all missing ones */
    uint32_t no_text;  /* number of the released text that is no value; MGL_NOT_FOUND: none is */
    unsigned word;     /* of a packed tuple, in which the number of the cell stands */
    unsigned shift;    /* and where */
    uint32_t *text_of; /* [groups] */
    mgl_duckdb_text *made; /* [texts] as the engine has them */
} map_key;

struct mgl_release_functions {
    function_calls calls;
    const mgl_source_options *options;
    size_t n_keys;
    map_key *keys; /* [n_keys] */
    uint32_t n_tuples;
    size_t n_words;
    uint64_t *packed; /* [n_tuples][n_words] */
    uint32_t *slots;  /* [mask + 1] numbers of tuples from 1; 0: free */
    uint64_t mask;
    uint32_t *group_of; /* [n_tuples] */
    uint32_t *named;    /* [n_tuples] as the order calls them */
    uint64_t *times;    /* [groups] rows */
    uint32_t n_groups;
    mgl_random random;
    _Atomic uint64_t placed; /* rows that got a place */
    uint32_t *rows;          /* [n_rows] the groups of all rows, in the order of the release */
    size_t n_rows;
    mgl_row_function *function; /* that gives them */
};

void mgl_release_functions_free(mgl_release_functions *f)
{
    if (f == NULL)
        return;
    for (size_t k = 0; f->keys != NULL && k < f->n_keys; k++) {
        mgl_map_free(f->keys[k].cells);
        mgl_map_free(f->keys[k].texts);
        mgl_free(f->keys[k].text_of);
        mgl_free(f->keys[k].made);
    }
    mgl_free(f->keys);
    mgl_free(f->packed);
    mgl_free(f->slots);
    mgl_free(f->group_of);
    mgl_free(f->named);
    mgl_free(f->times);
    mgl_free(f->rows);
    mgl_free(f->function);
    mgl_free(f);
}

static mgl_span no_value_of(const mgl_source_options *options)
{
    return options->n_missing > 0 ? options->missing[0] : options->no_value;
}

/* All that is missing reads as the first token, as in the map. */
static mgl_span key_of(const mgl_source_options *options, mgl_span cell)
{
    for (size_t i = 1; i < options->n_missing; i++)
        if (mgl_span_equal(cell, options->missing[i]))
            return options->missing[0];
    return cell;
}

/* Rows of the map while they come in: numbers of cells, and the groups of what they are released
 * as. */
typedef struct map_making {
    mgl_release_functions *functions;
    mgl_map *groups;   /* numbers of released texts */
    uint32_t *numbers; /* [tuples][n_keys] */
    size_t room, room_groups, room_named, room_times;
} map_making;

/* Cells of the keys, and what they are released as. */
static bool take_row(map_making *m, const mgl_span *cells, uint32_t name, uint32_t *released)
{
    mgl_release_functions *f = m->functions;
    size_t n = f->n_keys;
    uint32_t tuple = f->n_tuples;
    if (!mgl_grow(&m->numbers, &m->room, (tuple + 1) * n, sizeof *m->numbers) ||
        !mgl_grow(&f->group_of, &m->room_groups, tuple + 1, sizeof *f->group_of) ||
        !mgl_grow(&f->named, &m->room_named, tuple + 1, sizeof *f->named))
        return false;
    for (size_t k = 0; k < n; k++) {
        map_key *key = &f->keys[k];
        bool none = cells[n + k].data == NULL;
        uint32_t number = mgl_map_add(key->cells, cells[k]);
        released[k] = mgl_map_add(key->texts, none ? f->options->no_value : cells[n + k]);
        key->no_text = none ? released[k] : key->no_text;
        if (number == MGL_NOT_FOUND || released[k] == MGL_NOT_FOUND)
            return false;
        m->numbers[tuple * n + k] = number;
    }
    f->group_of[tuple] =
        mgl_map_add(m->groups, (mgl_span){(const char *)released, n * sizeof *released});
    f->named[tuple] = name;
    f->n_tuples++;
    return f->group_of[tuple] != MGL_NOT_FOUND;
}

/* Adds the records that the last row of the map stands for to its group. */
static bool add_times(map_making *m, uint64_t times)
{
    mgl_release_functions *f = m->functions;
    uint32_t group = f->group_of[f->n_tuples - 1];
    bool is_new = group == f->n_groups;
    if (is_new && !mgl_grow(&f->times, &m->room_times, group + 1, sizeof *f->times))
        return false;
    f->times[group] = times + (is_new ? 0 : f->times[group]);
    f->n_groups += is_new;
    return true;
}

static mgl_status take_rows(map_making *m, const mgl_push_order *order, mgl_error *err)
{
    size_t n = m->functions->n_keys;
    mgl_span *cells = mgl_alloc_array(2 * n, sizeof *cells);
    uint32_t *released = mgl_alloc_array(n, sizeof *released);
    bool whole = cells != NULL && released != NULL && m->groups != NULL;
    while (whole && order->next(order->context, cells))
        whole = take_row(m, cells, *order->tuple, released) && add_times(m, *order->times);
    mgl_free(cells);
    mgl_free(released);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* Where the number of each cell stands in a packed tuple. */
static mgl_status lay_out(mgl_release_functions *f, mgl_error *err)
{
    unsigned used = 64;
    for (size_t k = 0; k < f->n_keys; k++) {
        map_key *key = &f->keys[k];
        unsigned bits = 1;
        while (bits < 32 && mgl_map_size(key->cells) >> bits != 0)
            bits++;
        f->n_words += used + bits > 64;
        used = used + bits > 64 ? 0 : used;
        key->word = (unsigned)f->n_words - 1;
        key->shift = used;
        used += bits;
        key->missing = mgl_map_find(key->cells, no_value_of(f->options));
    }
    if (f->n_words <= MOST_WORDS)
        return MGL_OK;
    return mgl_fail(err, MGL_CODE_UNSUPPORTED,
                    "a release of Parquet as Parquet has no room for so many quasi-identifiers; "
                    "write it to a .csv file");
}

static uint64_t hash_of(const uint64_t *words, size_t n)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t find_tuple(const mgl_release_functions *f, const uint64_t *words, uint64_t hash)
{
    for (uint64_t at = hash & f->mask; f->slots[at] != 0; at = (at + 1) & f->mask)
        if (memcmp(f->packed + (f->slots[at] - 1) * f->n_words, words,
                   f->n_words * sizeof *words) == 0)
            return f->slots[at] - 1;
    return MGL_NOT_FOUND;
}

static mgl_status pack(map_making *m, mgl_error *err)
{
    mgl_release_functions *f = m->functions;
    f->mask = 15;
    while (f->mask < 2 * (uint64_t)f->n_tuples)
        f->mask = 2 * f->mask + 1;
    f->packed = mgl_zeroed_array((size_t)f->n_tuples * f->n_words + 1, sizeof *f->packed);
    f->slots = mgl_zeroed_array(f->mask + 1, sizeof *f->slots);
    if (f->packed == NULL || f->slots == NULL)
        return mgl_fail_memory(err);
    for (uint32_t t = 0; t < f->n_tuples; t++) {
        uint64_t *words = f->packed + t * f->n_words;
        for (size_t k = 0; k < f->n_keys; k++)
            words[f->keys[k].word] |= (uint64_t)m->numbers[t * f->n_keys + k] << f->keys[k].shift;
        uint64_t at = hash_of(words, f->n_words) & f->mask;
        while (f->slots[at] != 0)
            at = (at + 1) & f->mask;
        f->slots[at] = t + 1;
    }
    return MGL_OK;
}

/* A text as vectors of the engine have it; long ones stay where the map has them. */
static mgl_duckdb_text made_of(mgl_span text)
{
    mgl_duckdb_text made = {.near = {.size = (uint32_t)text.size}};
    if (text.size <= sizeof made.near.data) {
        memcpy(made.near.data, text.data, text.size);
        return made;
    }
    memcpy(made.far.start, text.data, sizeof made.far.start);
    made.far.data = text.data;
    return made;
}

static mgl_status make_texts(map_making *m, size_t k, mgl_error *err)
{
    map_key *key = &m->functions->keys[k];
    uint32_t n_groups = mgl_map_size(m->groups), n_texts = mgl_map_size(key->texts);
    key->text_of = mgl_alloc_array(n_groups + 1, sizeof *key->text_of);
    key->made = mgl_alloc_array(n_texts + 1, sizeof *key->made);
    if (key->text_of == NULL || key->made == NULL)
        return mgl_fail_memory(err);
    for (uint32_t g = 0; g < n_groups; g++)
        memcpy(&key->text_of[g], mgl_map_text(m->groups, g).data + k * sizeof *key->text_of,
               sizeof *key->text_of);
    for (uint32_t t = 0; t < n_texts; t++)
        key->made[t] = made_of(mgl_map_text(key->texts, t));
    return MGL_OK;
}

static mgl_status take_map(mgl_release_functions *f, const mgl_push_order *order, mgl_error *err)
{
    map_making m = {.functions = f, .groups = mgl_map_new()};
    mgl_status status = MGL_OK;
    MGL_GO(take_rows(&m, order, err));
    MGL_GO(lay_out(f, err));
    MGL_GO(pack(&m, err));
    for (size_t k = 0; k < f->n_keys; k++)
        MGL_GO(make_texts(&m, k, err));
done:
    mgl_map_free(m.groups);
    mgl_free(m.numbers);
    return status;
}

size_t mgl_release_texts(const mgl_release_functions *f, size_t key)
{
    return mgl_map_size(f->keys[key].texts);
}

mgl_span mgl_release_text(const mgl_release_functions *f, size_t key, size_t number)
{
    if (number == f->keys[key].no_text)
        return (mgl_span){NULL, 0};
    return mgl_map_text(f->keys[key].texts, (uint32_t)number);
}

/* ---- What DuckDB calls ------------------------------------------------------------------ */

static mgl_duckdb_cells cells_of(const function_calls *calls, void *vector)
{
    return (mgl_duckdb_cells){calls->data(vector), calls->validity(vector)};
}

static uint32_t number_of(const map_key *key, mgl_duckdb_cells cells, size_t row)
{
    char text[MGL_NUMBER_TEXT];
    if (!mgl_duckdb_has(cells, row))
        return key->missing;
    mgl_span cell = mgl_duck_show(key->column, cells, row, text);
    return mgl_map_find(key->cells, key_of(key->all->options, cell));
}

/* Cells that are the same bytes as one before in these rows are looked up once: within a call a
 * text that lies elsewhere stays there. */
typedef struct remembered {
    mgl_duckdb_text text;
    uint32_t number;
    bool there;
} remembered;

static uint32_t text_number(const map_key *key, mgl_duckdb_cells cells, size_t row,
                            remembered *memory)
{
    const mgl_duckdb_text *text = (const mgl_duckdb_text *)cells.data + row;
    uint64_t words[2];
    if (!mgl_duckdb_has(cells, row))
        return key->missing;
    memcpy(words, text, sizeof words);
    uint64_t hash =
        (words[0] ^ words[1] * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0x9E3779B97F4A7C15);
    remembered *slot = &memory[hash >> 56];
    if (!slot->there || memcmp(&slot->text, text, sizeof *text) != 0)
        *slot = (remembered){*text, number_of(key, cells, row), true};
    return slot->number;
}

/* Adds the numbers of the cells of one column to the packed tuples; known: the cell is in the map.
 */
static void add_numbers(const map_key *key, mgl_duckdb_cells cells, size_t n, uint64_t *words,
                        bool *known)
{
    remembered memory[REMEMBERED];
    bool texts = key->column->fetched == MGL_DUCK_TEXT;
    for (size_t i = 0; i < REMEMBERED; i++)
        memory[i].there = false;
    for (size_t row = 0; row < n; row++) {
        uint32_t number = texts ? text_number(key, cells, row, memory) : number_of(key, cells, row);
        known[row] = known[row] && number != MGL_NOT_FOUND;
        words[row * key->all->n_words + key->word] |= (uint64_t)number << key->shift;
    }
}

/* Where DuckDB keeps what belongs to a function. The library is loaded once and stays. */
static void *(*extra_of)(void *info);

/* What the map has for the cells of some rows, from the first one on. */
static void look_up(const mgl_release_functions *f, const uint32_t *found, void *input,
                    void *output)
{
    const function_calls *calls = &f->calls;
    uint64_t words[MOST_ROWS * MOST_WORDS], hashes[MOST_ROWS];
    bool known[MOST_ROWS];
    size_t n = calls->chunk_size(input);
    int32_t *out = calls->data(output);
    memset(words, 0, n * f->n_words * sizeof *words);
    memset(known, true, n);
    for (size_t k = 0; k < f->n_keys; k++)
        add_numbers(&f->keys[k], cells_of(calls, calls->chunk_vector(input, k)), n, words, known);
    calls->make_validity(output);
    uint64_t *there = calls->validity(output);
    for (size_t row = 0; row < n; row++) {
        hashes[row] = hash_of(words + row * f->n_words, f->n_words);
        __builtin_prefetch(&f->slots[hashes[row] & f->mask]);
    }
    for (size_t row = 0; row < n; row++) {
        uint32_t tuple =
            known[row] ? find_tuple(f, words + row * f->n_words, hashes[row]) : MGL_NOT_FOUND;
        if (tuple != MGL_NOT_FOUND)
            out[row] = (int32_t)found[tuple];
        else
            there[row / 64] &= ~(UINT64_C(1) << row % 64);
    }
}

static void find_groups(void *info, void *input, void *output)
{
    const mgl_release_functions *f = extra_of(info);
    look_up(f, f->group_of, input, output);
}

static void find_tuples(void *info, void *input, void *output)
{
    const mgl_release_functions *f = extra_of(info);
    look_up(f, f->named, input, output);
}

/* The released cells of one column. */
static void show_cells(void *info, void *input, void *output)
{
    const map_key *key = extra_of(info);
    const function_calls *calls = &key->all->calls;
    const int32_t *groups = calls->data(calls->chunk_vector(input, 0));
    mgl_duckdb_text *cells = calls->data(output);
    calls->make_validity(output);
    uint64_t *there = calls->validity(output);
    size_t n = calls->chunk_size(input);
    for (size_t row = 0; row < n; row++) {
        uint32_t number = key->text_of[groups[row]];
        cells[row] = key->made[number];
        if (number == key->no_text)
            there[row / 64] &= ~(UINT64_C(1) << row % 64);
    }
}

/* Each call has a run of the stream for itself, whatever thread it comes from. */
static void draw_places(void *info, void *input, void *output)
{
    mgl_release_functions *f = extra_of(info);
    const function_calls *calls = &f->calls;
    uint64_t *places = calls->data(output);
    size_t n = calls->chunk_size(input);
    mgl_random random = f->random;
    mgl_random_seek(&random, 2 * atomic_fetch_add(&f->placed, n));
    for (size_t row = 0; row < n; row++) {
        uint64_t high = mgl_random_u32(&random);
        places[row] = high << 32 | mgl_random_u32(&random);
    }
}

/* ---- Making them known ------------------------------------------------------------------ */

typedef struct function_row {
    const char *name;
    int returns;
    function_fn *call;
    void *extra;
    bool takes_cells, is_random;
} function_row;

static int parameter_type(const mgl_duck_column *column)
{
    return column->fetched == MGL_DUCK_DOUBLE  ? DUCKDB_DOUBLE
           : column->fetched == MGL_DUCK_FLOAT ? DUCKDB_FLOAT
                                               : DUCKDB_VARCHAR;
}

static void add_type(const function_calls *calls, void *function, int type,
                     void (*add)(void *function, void *type))
{
    void *made = calls->create_type(type);
    add(function, made);
    calls->destroy_type(&made);
}

static bool make_known(const mgl_release_functions *f, const mgl_duck *d, const function_row *row)
{
    const function_calls *calls = &f->calls;
    void *function = calls->create();
    calls->set_name(function, row->name);
    add_type(calls, function, row->returns, calls->set_return);
    if (!row->takes_cells)
        add_type(calls, function, DUCKDB_INTEGER, calls->add_parameter);
    for (size_t k = 0; row->takes_cells && k < f->n_keys; k++)
        add_type(calls, function, parameter_type(f->keys[k].column), calls->add_parameter);
    if (row->takes_cells)
        calls->see_nulls(function);
    if (row->is_random)
        calls->set_volatile(function);
    calls->set_extra(function, row->extra, NULL);
    calls->set_function(function, row->call);
    bool known = calls->register_function(d->db.connection, function) == 0;
    calls->destroy(&function);
    return known;
}

static mgl_status make_all_known(mgl_release_functions *f, const mgl_duck *d, mgl_error *err)
{
    const function_row groups = {"mingle_group", DUCKDB_INTEGER, find_groups, f, true, false};
    const function_row tuples = {"mingle_tuple", DUCKDB_INTEGER, find_tuples, f, true, false};
    const function_row places = {"mingle_place", DUCKDB_UBIGINT, draw_places, f, false, true};
    bool known =
        make_known(f, d, &groups) && make_known(f, d, &tuples) && make_known(f, d, &places);
    for (size_t k = 0; known && k < f->n_keys; k++) {
        char name[40];
        snprintf(name, sizeof name, "mingle_cell_%zu", k + 1);
        const function_row cells = {name, DUCKDB_VARCHAR, show_cells, &f->keys[k], false, false};
        known = make_known(f, d, &cells);
    }
    if (known)
        return MGL_OK;
    return mgl_duckdb_fail(&d->db, MGL_CODE_DATABASE, "functions were not taken", err);
}

/* ---- All -------------------------------------------------------------------------------- */

static mgl_status make_keys(mgl_release_functions *f, const mgl_duck *d,
                            const mgl_push_order *order, mgl_error *err)
{
    f->n_keys = order->n_keys;
    f->keys = mgl_zeroed_array(f->n_keys, sizeof *f->keys);
    bool whole = f->keys != NULL;
    for (size_t k = 0; whole && k < f->n_keys; k++) {
        f->keys[k] = (map_key){.all = f,
                               .column = &d->columns[order->keys[k]],
                               .cells = mgl_map_new(),
                               .texts = mgl_map_new(),
                               .no_text = MGL_NOT_FOUND};
        whole = f->keys[k].cells != NULL && f->keys[k].texts != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status draw_seed(mgl_release_functions *f, const mgl_push_order *order, mgl_error *err)
{
    if (order->seed == NULL)
        return mgl_random_init(&f->random, err);
    mgl_random_seed(&f->random, *order->seed);
    return MGL_OK;
}

mgl_status mgl_release_functions_new(const mgl_source *source, const mgl_push_order *order,
                                     mgl_error *err, mgl_release_functions **out)
{
    const mgl_duck *d = source->state;
    mgl_release_functions *f = mgl_zeroed_array(1, sizeof *f);
    if (f == NULL)
        return mgl_fail_memory(err);
    f->options = source->options;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_duckdb_load(names, sizeof names / sizeof names[0], &f->calls, err));
    extra_of = f->calls.extra;
    MGL_GO(draw_seed(f, order, err));
    MGL_GO(make_keys(f, d, order, err));
    MGL_GO(take_map(f, order, err));
    MGL_GO(make_all_known(f, d, err));
    *out = f;
    f = NULL;
done:
    mgl_release_functions_free(f);
    return status;
}

/* ---- Rows by counts --------------------------------------------------------------------- */

/* A run of the rows for each call, whatever thread it comes from. */
static size_t give_rows(void *context, const mgl_made_rows *rows)
{
    mgl_release_functions *f = context;
    uint64_t first = atomic_fetch_add(&f->placed, rows->most);
    if (first >= f->n_rows)
        return 0;
    size_t n = f->n_rows - first < rows->most ? f->n_rows - first : rows->most;
    memcpy(mgl_made_rows_numbers(rows), f->rows + first, n * sizeof *f->rows);
    return n;
}

static mgl_status put_in_order(mgl_release_functions *f, mgl_error *err)
{
    for (uint32_t g = 0; g < f->n_groups; g++)
        f->n_rows += f->times[g];
    f->rows = mgl_alloc_array(f->n_rows + 1, sizeof *f->rows);
    if (f->rows == NULL)
        return mgl_fail_memory(err);
    uint32_t *row = f->rows;
    for (uint32_t g = 0; g < f->n_groups; g++)
        for (uint64_t i = 0; i < f->times[g]; i++)
            *row++ = g;
    mgl_random_permute(&f->random, f->rows, f->n_rows);
    return MGL_OK;
}

mgl_status mgl_release_rows_new(mgl_release_functions *f, const mgl_duckdb *db, mgl_error *err)
{
    MGL_TRY(put_in_order(f, err));
    return mgl_row_function_new(db, 1, true, give_rows, f, err, &f->function);
}
