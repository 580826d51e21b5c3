/* Functions of ours that DuckDB calls while it writes a release: they look up the released cells of
 * a row in a packed map. Also the type of each released column. */
#include "io/duckdb/release_functions.h"
#include "io/duckdb/engine_vectors.h"
#include "io/duckdb/read_duckdb.h"

#include <stdio.h>

enum { MGL_MAP_WORDS = 8 }; /* of a packed tuple, at most */

typedef struct map_key {
    const struct release_map *map;
    const mgl_duck_column *column;
    mgl_map *cells;    /* of the source, as texts */
    mgl_map *texts;    /* released ones */
    uint32_t missing;  /* number of the cell that stands for all missing ones */
    uint32_t no_text;  /* number of the released text that is no value; MGL_NOT_FOUND if absent */
    unsigned word;     /* of a packed tuple, in which the number of the cell stands */
    unsigned shift;    /* and where */
    uint32_t *text_of; /* [groups] */
    mgl_duckdb_text *made; /* [texts] as the engine has them */
} map_key;

typedef struct release_map {
    const mgl_source_options *options;
    const mgl_progress *progress; /* of the job that waits for the release */
    size_t n_keys;
    map_key *keys; /* [n_keys] */
    uint32_t n_tuples;
    size_t n_words;
    mgl_key_index packed; /* tuples */
    uint32_t *group_of;   /* [n_tuples] */
    uint32_t *named;      /* [n_tuples] as the order calls them */
    uint64_t *times;      /* [groups] rows */
    uint32_t n_groups;
} release_map;

/* ---- The map --------------------------------------------------------------------------------- */

static mgl_span no_value_of(const mgl_source_options *options)
{
    return options->n_missing > 0 ? options->missing[0] : options->no_value;
}

/* All that is missing reads as the first token, as in the map. */
static mgl_span map_cell(const mgl_source_options *options, mgl_span cell)
{
    for (size_t i = 1; i < options->n_missing; i++)
        if (mgl_span_equal(cell, options->missing[i]))
            return options->missing[0];
    return cell;
}

/* Rows of the map while they come in: numbers of cells, and the groups of what they are released
 * as. */
typedef struct map_making {
    release_map *map;
    mgl_map *groups;   /* numbers of released texts */
    uint32_t *numbers; /* [tuples][n_keys] */
    size_t room, room_groups, room_named, room_times;
} map_making;

/* Cells of the keys, and what they are released as. */
static bool take_row(map_making *m, const mgl_span *cells, uint32_t name, uint32_t *released)
{
    release_map *f = m->map;
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
    release_map *f = m->map;
    uint32_t group = f->group_of[f->n_tuples - 1];
    bool is_new = group == f->n_groups;
    if (is_new && !mgl_grow(&f->times, &m->room_times, group + 1, sizeof *f->times))
        return false;
    f->times[group] = times + (is_new ? 0 : f->times[group]);
    f->n_groups += is_new;
    return true;
}

static mgl_status take_rows(map_making *m, const mgl_push_request *request, mgl_error *err)
{
    size_t n = m->map->n_keys;
    mgl_span *cells = mgl_alloc_array(2 * n, sizeof *cells);
    uint32_t *released = mgl_alloc_array(n, sizeof *released);
    bool whole = cells != NULL && released != NULL && m->groups != NULL;
    while (whole && request->next(request->context, cells))
        whole = take_row(m, cells, *request->tuple, released) && add_times(m, *request->times);
    mgl_free(cells);
    mgl_free(released);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* Where the number of each cell stands in a packed tuple. */
static mgl_status lay_out(release_map *f, mgl_error *err)
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
    if (f->n_words <= MGL_MAP_WORDS)
        return MGL_OK;
    return mgl_fail(err, MGL_CODE_UNSUPPORTED,
                    "a release of Parquet as Parquet has no room for so many quasi-identifiers; "
                    "write it to a .csv file");
}

static mgl_status pack(map_making *m, mgl_error *err)
{
    release_map *f = m->map;
    f->packed.size = f->n_words * sizeof(uint64_t);
    for (uint32_t t = 0; t < f->n_tuples; t++) {
        uint64_t words[MGL_MAP_WORDS] = {0};
        for (size_t k = 0; k < f->n_keys; k++)
            words[f->keys[k].word] |= (uint64_t)m->numbers[t * f->n_keys + k] << f->keys[k].shift;
        uint32_t before = f->packed.n, number = mgl_key_index_add(&f->packed, words);
        MGL_TRY(mgl_check_memory(number != MGL_NOT_FOUND, err));
        if (number == before) { /* else it is there already */
            f->group_of[number] = f->group_of[t];
            f->named[number] = f->named[t];
        }
    }
    return MGL_OK;
}

static mgl_status make_texts(map_making *m, size_t k, mgl_error *err)
{
    map_key *key = &m->map->keys[k];
    uint32_t n_groups = mgl_map_size(m->groups), n_texts = mgl_map_size(key->texts);
    key->text_of = mgl_alloc_array(n_groups + 1, sizeof *key->text_of);
    key->made = mgl_alloc_array(n_texts + 1, sizeof *key->made);
    MGL_TRY(mgl_check_memory(key->text_of != NULL && key->made != NULL, err));
    for (uint32_t g = 0; g < n_groups; g++)
        memcpy(&key->text_of[g], mgl_map_text(m->groups, g).data + k * sizeof *key->text_of,
               sizeof *key->text_of);
    for (uint32_t t = 0; t < n_texts; t++)
        key->made[t] = mgl_vector_text(mgl_map_text(key->texts, t));
    return MGL_OK;
}

static mgl_status take_map(release_map *f, const mgl_push_request *request, mgl_error *err)
{
    map_making m = {.map = f, .groups = mgl_map_new()};
    mgl_status status = MGL_OK;
    MGL_GO(take_rows(&m, request, err));
    MGL_GO(lay_out(f, err));
    MGL_GO(pack(&m, err));
    for (size_t k = 0; k < f->n_keys; k++)
        MGL_GO(make_texts(&m, k, err));
done:
    mgl_map_free(m.groups);
    mgl_free(m.numbers);
    return status;
}

static mgl_status make_keys(release_map *f, const mgl_duck *d, const mgl_push_request *request,
                            mgl_error *err)
{
    f->n_keys = request->n_keys;
    f->keys = mgl_zeroed_array(f->n_keys, sizeof *f->keys);
    bool whole = f->keys != NULL;
    for (size_t k = 0; whole && k < f->n_keys; k++) {
        f->keys[k] = (map_key){.map = f,
                               .column = &d->columns[request->keys[k]],
                               .cells = mgl_map_new(),
                               .texts = mgl_map_new(),
                               .no_text = MGL_NOT_FOUND};
        whole = f->keys[k].cells != NULL && f->keys[k].texts != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* Takes the rows of the order. Free with release_map_free, also on failure. */
static mgl_status release_map_make(const mgl_source *source, const mgl_push_request *request,
                                   mgl_error *err, release_map *out)
{
    *out = (release_map){.options = source->options, .progress = request->progress};
    MGL_TRY(make_keys(out, source->state, request, err));
    return take_map(out, request, err);
}

/* ---- Functions ------------------------------------------------------------------------------- */

struct mgl_release_functions {
    release_map map;
    mgl_random random;
    mgl_spooled_rows *rows; /* of the release, in random order; NULL if not needed */
};

void mgl_release_functions_free(mgl_release_functions *f)
{
    if (f == NULL)
        return;
    for (size_t k = 0; f->map.keys != NULL && k < f->map.n_keys; k++) {
        mgl_map_free(f->map.keys[k].cells);
        mgl_map_free(f->map.keys[k].texts);
        mgl_free(f->map.keys[k].text_of);
        mgl_free(f->map.keys[k].made);
    }
    mgl_free(f->map.keys);
    mgl_key_index_free(&f->map.packed);
    mgl_free(f->map.group_of);
    mgl_free(f->map.named);
    mgl_free(f->map.times);
    f->map = (release_map){0};
    mgl_spooled_rows_free(f->rows);
    mgl_free(f);
}

/* Released texts of a key, each once; data NULL: no value. */
static size_t release_texts(const mgl_release_functions *f, size_t key)
{
    return mgl_map_size(f->map.keys[key].texts);
}

static mgl_span release_text(const mgl_release_functions *f, size_t key, size_t number)
{
    if (number == f->map.keys[key].no_text)
        return (mgl_span){NULL, 0};
    return mgl_map_text(f->map.keys[key].texts, (uint32_t)number);
}

/* ---- What DuckDB calls ------------------------------------------------------------------ */

static uint32_t number_of(void *context, mgl_span cell)
{
    const map_key *key = context;
    return cell.data == NULL ? key->missing
                             : mgl_map_find(key->cells, map_cell(key->map->options, cell));
}

/* Adds the numbers of the cells of one column to the packed tuples; known: the cell is in the map.
 */
static void add_numbers(map_key *key, mgl_duckdb_cells cells, size_t n, uint64_t *words,
                        bool *known)
{
    uint32_t numbers[MGL_VECTOR_ROWS];
    mgl_cell_numbers(key->column, cells, n, number_of, key, numbers, 1);
    for (size_t row = 0; row < n; row++) {
        known[row] = known[row] && numbers[row] != MGL_NOT_FOUND;
        words[row * key->map->n_words + key->word] |= (uint64_t)numbers[row] << key->shift;
    }
}

/* What the map has for the cells of some rows, from the first one on. */
static void look_up(const release_map *f, const uint32_t *found, void *input, void *output)
{
    const mgl_vector_calls *calls = mgl_vectors();
    uint64_t words[MGL_VECTOR_ROWS * MGL_MAP_WORDS], hashes[MGL_VECTOR_ROWS];
    bool known[MGL_VECTOR_ROWS];
    size_t n = calls->chunk_size(input);
    int32_t *out = calls->data(output);
    memset(words, 0, n * f->n_words * sizeof *words);
    memset(known, true, n);
    for (size_t k = 0; k < f->n_keys; k++)
        add_numbers(&f->keys[k], mgl_vector_cells(calls->chunk_vector(input, k)), n, words, known);
    calls->make_validity(output);
    uint64_t *there = calls->validity(output);
    for (size_t row = 0; row < n; row++) {
        hashes[row] = mgl_hash(words + row * f->n_words, f->packed.size);
        mgl_key_index_fetch(&f->packed, hashes[row]);
    }
    for (size_t row = 0; row < n; row++) {
        uint32_t tuple =
            known[row]
                ? mgl_key_index_find_hashed(&f->packed, words + row * f->n_words, hashes[row])
                : MGL_NOT_FOUND;
        if (tuple != MGL_NOT_FOUND)
            out[row] = (int32_t)found[tuple];
        else
            there[row / 64] &= ~(UINT64_C(1) << row % 64);
    }
}

static void find_groups(void *info, void *input, void *output)
{
    const release_map *f = mgl_scalar_extra(info);
    mgl_progress_remind(); /* where this is the thread that the listener is heard on */
    if (mgl_progress_stopped(f->progress))
        mgl_scalar_fail(info);
    else
        look_up(f, f->group_of, input, output);
}

static void find_tuples(void *info, void *input, void *output)
{
    const release_map *f = mgl_scalar_extra(info);
    look_up(f, f->named, input, output);
}

/* The released cells of one column. */
static void show_cells(void *info, void *input, void *output)
{
    const map_key *key = mgl_scalar_extra(info);
    const mgl_vector_calls *calls = mgl_vectors();
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

/* ---- Making them known ------------------------------------------------------------------ */

/* With the cells of all keys as parameters. */
static mgl_status make_known(mgl_release_functions *f, const mgl_duck *d,
                             const mgl_push_request *request, const char *name, mgl_scalar_fn *call,
                             mgl_error *err)
{
    size_t n = request->n_keys;
    void **types = mgl_cell_types(d, request->keys, n);
    MGL_TRY(mgl_check_memory(types != NULL, err));
    mgl_scalar_function function = {.name = name,
                                    .parameters = types,
                                    .n_parameters = n,
                                    .returns = MGL_DUCKDB_INTEGER,
                                    .call = call,
                                    .extra = &f->map,
                                    .sees_nulls = true};
    mgl_status status = mgl_scalar_function_new(&d->db, &function, err);
    mgl_cell_types_free(types, n);
    return status;
}

static mgl_status make_all_known(mgl_release_functions *f, const mgl_duck *d,
                                 const mgl_push_request *request, mgl_error *err)
{
    MGL_TRY(make_known(f, d, request, "mingle_group", find_groups, err));
    MGL_TRY(make_known(f, d, request, "mingle_tuple", find_tuples, err));
    mgl_status status = MGL_OK;
    void *group = mgl_vectors()->create_type(MGL_DUCKDB_INTEGER);
    for (size_t k = 0; status == MGL_OK && k < f->map.n_keys; k++) {
        char name[40];
        snprintf(name, sizeof name, "mingle_cell_%zu", k + 1);
        mgl_scalar_function cells = {.name = name,
                                     .parameters = &group,
                                     .n_parameters = 1,
                                     .returns = MGL_DUCKDB_VARCHAR,
                                     .call = show_cells,
                                     .extra = &f->map.keys[k]};
        status = mgl_scalar_function_new(&d->db, &cells, err);
    }
    mgl_vectors()->destroy_type(&group);
    return status;
}

static mgl_status draw_seed(mgl_release_functions *f, const mgl_push_request *request,
                            mgl_error *err)
{
    if (request->seed == NULL)
        return mgl_random_init(&f->random, err);
    mgl_random_seed(&f->random, *request->seed);
    return MGL_OK;
}

mgl_status mgl_release_functions_new(const mgl_source *source, const mgl_push_request *request,
                                     mgl_error *err, mgl_release_functions **out)
{
    mgl_release_functions *f = mgl_zeroed_array(1, sizeof *f);
    MGL_TRY(mgl_check_memory(f != NULL, err));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_vectors_load(err));
    MGL_GO(draw_seed(f, request, err));
    MGL_GO(release_map_make(source, request, err, &f->map));
    MGL_GO(make_all_known(f, source->state, request, err));
    *out = f;
    f = NULL;
done:
    mgl_release_functions_free(f);
    return status;
}

/* ---- Rows in random order --------------------------------------------------------------- */

mgl_status mgl_release_rows_new(mgl_release_functions *f, mgl_spool_request *order, mgl_error *err)
{
    order->random = &f->random;
    for (uint32_t g = 0; g < f->map.n_groups; g++)
        order->n_rows += f->map.times[g];
    MGL_TRY(mgl_spooled_rows_new(order, err, &f->rows));
    for (uint32_t g = 0; order->passed == NULL && g < f->map.n_groups; g++)
        MGL_TRY(mgl_spooled_rows_add(f->rows, g, f->map.times[g], err));
    return MGL_OK;
}

mgl_status mgl_release_rows_end(mgl_release_functions *f, mgl_status status, mgl_error *err)
{
    return mgl_spooled_rows_failure(f->rows, status, err);
}

/* ---- Types of released columns --------------------------------------------------------------- */

/* Is every released text such? */
typedef bool text_is_fn(mgl_span text, const void *context);

static bool all_are(const mgl_release_functions *functions, size_t key, text_is_fn *is,
                    const void *context)
{
    for (size_t i = 0; i < release_texts(functions, key); i++) {
        mgl_span text = release_text(functions, key, i);
        if (text.data != NULL && !is(text, context))
            return false;
    }
    return true;
}

/* ---- Whole numbers ---------------------------------------------------------------------- */

typedef struct whole_type {
    const char *name, *low, *high; /* low: without its sign; "": it has none */
} whole_type;

static const whole_type whole_types[] = {
    {"TINYINT", "128", "127"},
    {"SMALLINT", "32768", "32767"},
    {"INTEGER", "2147483648", "2147483647"},
    {"BIGINT", "9223372036854775808", "9223372036854775807"},
    {"HUGEINT", "170141183460469231731687303715884105728",
     "170141183460469231731687303715884105727"},
    {"UTINYINT", "", "255"},
    {"USMALLINT", "", "65535"},
    {"UINTEGER", "", "4294967295"},
    {"UBIGINT", "", "18446744073709551615"},
    {"UHUGEINT", "", "340282366920938463463374607431768211455"},
};

static bool are_digits(mgl_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
    return text.size > 0 && (text.data[0] != '0' || text.size == 1);
}

static bool is_whole(mgl_span text, const void *context)
{
    const whole_type *type = context;
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span digits = {text.data + minus, text.size - minus};
    mgl_span most = mgl_span_of(minus ? type->low : type->high);
    if (!are_digits(digits) || (minus && digits.data[0] == '0') || digits.size > most.size)
        return false;
    return digits.size < most.size || mgl_span_compare(digits, most) <= 0;
}

/* ---- Others ----------------------------------------------------------------------------- */

static bool is_double(mgl_span text, const void *context)
{
    char again[MGL_NUMBER_TEXT];
    double number;
    (void)context;
    if (!mgl_parse_double(text, &number))
        return false;
    size_t size = mgl_number_write_exact(number, again);
    return mgl_span_equal(text, (mgl_span){again, size});
}

static bool is_float(mgl_span text, const void *context)
{
    char again[MGL_NUMBER_TEXT];
    double number;
    (void)context;
    if (!mgl_parse_double(text, &number))
        return false;
    size_t size = mgl_number_write_single((float)number, again);
    return mgl_span_equal(text, (mgl_span){again, size});
}

/* DECIMAL(p,s) shows s digits behind the point, and has room for p. */
static bool is_decimal(mgl_span text, const void *context)
{
    const unsigned *sizes = context;
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span rest = {text.data + minus, text.size - minus};
    size_t behind = sizes[1];
    if (behind == 0)
        return are_digits(rest) && rest.size <= sizes[0];
    if (rest.size < behind + 2 || rest.data[rest.size - behind - 1] != '.')
        return false;
    mgl_span front = {rest.data, rest.size - behind - 1};
    for (size_t i = 0; i < behind; i++)
        if (rest.data[rest.size - 1 - i] < '0' || rest.data[rest.size - 1 - i] > '9')
            return false;
    return are_digits(front) && front.size + behind <= sizes[0];
}

static bool is_date(mgl_span text, const void *context)
{
    double seconds;
    (void)context;
    return text.size == strlen("1965-09-20") && mgl_date_read(text, &seconds);
}

static bool is_time(mgl_span text, const void *context)
{
    double seconds;
    (void)context;
    return mgl_datetime_read(text, &seconds);
}

static bool is_truth(mgl_span text, const void *context)
{
    (void)context;
    return mgl_span_is(text, "true") || mgl_span_is(text, "false");
}

typedef struct other_type {
    const char *name;
    text_is_fn *is;
} other_type;

static const other_type other_types[] = {
    {"DOUBLE", is_double},  {"FLOAT", is_float},   {"DATE", is_date},
    {"TIMESTAMP", is_time}, {"BOOLEAN", is_truth},
};

static bool keeps(const mgl_release_functions *functions, size_t key, const char *type)
{
    unsigned sizes[2];
    for (size_t i = 0; i < sizeof whole_types / sizeof whole_types[0]; i++)
        if (strcmp(type, whole_types[i].name) == 0)
            return all_are(functions, key, is_whole, &whole_types[i]);
    for (size_t i = 0; i < sizeof other_types / sizeof other_types[0]; i++)
        if (strcmp(type, other_types[i].name) == 0)
            return all_are(functions, key, other_types[i].is, NULL);
    if (sscanf(type, "DECIMAL(%2u,%2u)", &sizes[0], &sizes[1]) == 2)
        return all_are(functions, key, is_decimal, sizes);
    return false;
}

const char *mgl_released_type(const mgl_release_functions *functions, size_t key,
                              const mgl_duck_column *column, mgl_cell_kind kind)
{
    if (keeps(functions, key, column->type))
        return column->type;
    if (kind == MGL_CELLS_NUMBER && all_are(functions, key, is_double, NULL))
        return "DOUBLE";
    return "VARCHAR";
}
