/* Makes functions of ours known to DuckDB, which it calls while it writes a release: the map from
 * cells to released cells stays here. push_parquet.c calls it. */
#include "io/duckdb/release_functions.h"
#include "io/duckdb/cell_numbers.h"
#include "io/duckdb/release_map.h"
#include "io/duckdb/spooled_rows.h"

#include <stdio.h>

struct mgl_release_functions {
    mgl_release_map map;
    mgl_random random;
    mgl_spooled_rows *rows; /* of the release, in random order; NULL: not asked for */
};

void mgl_release_functions_free(mgl_release_functions *f)
{
    if (f == NULL)
        return;
    mgl_release_map_free(&f->map);
    mgl_spooled_rows_free(f->rows);
    mgl_free(f);
}

size_t mgl_release_texts(const mgl_release_functions *f, size_t key)
{
    return mgl_map_size(f->map.keys[key].texts);
}

mgl_span mgl_release_text(const mgl_release_functions *f, size_t key, size_t number)
{
    if (number == f->map.keys[key].no_text)
        return (mgl_span){NULL, 0};
    return mgl_map_text(f->map.keys[key].texts, (uint32_t)number);
}

/* ---- What DuckDB calls ------------------------------------------------------------------ */

static uint32_t number_of(void *context, mgl_span cell)
{
    const mgl_map_key *key = context;
    return cell.data == NULL ? key->missing
                             : mgl_map_find(key->cells, mgl_map_cell(key->map->options, cell));
}

/* Adds the numbers of the cells of one column to the packed tuples; known: the cell is in the map.
 */
static void add_numbers(mgl_map_key *key, mgl_duckdb_cells cells, size_t n, uint64_t *words,
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
static void look_up(const mgl_release_map *f, const uint32_t *found, void *input, void *output)
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
        hashes[row] = mgl_packed_hash(words + row * f->n_words, f->n_words);
        __builtin_prefetch(&f->slots[hashes[row] & f->mask]);
    }
    for (size_t row = 0; row < n; row++) {
        uint32_t tuple =
            known[row] ? mgl_packed_find(f, words + row * f->n_words, hashes[row]) : MGL_NOT_FOUND;
        if (tuple != MGL_NOT_FOUND)
            out[row] = (int32_t)found[tuple];
        else
            there[row / 64] &= ~(UINT64_C(1) << row % 64);
    }
}

static void find_groups(void *info, void *input, void *output)
{
    const mgl_release_map *f = mgl_scalar_extra(info);
    mgl_progress_remind(); /* where this is the thread that the listener is heard on */
    if (mgl_progress_stopped(f->progress))
        mgl_scalar_fail(info);
    else
        look_up(f, f->group_of, input, output);
}

static void find_tuples(void *info, void *input, void *output)
{
    const mgl_release_map *f = mgl_scalar_extra(info);
    look_up(f, f->named, input, output);
}

/* The released cells of one column. */
static void show_cells(void *info, void *input, void *output)
{
    const mgl_map_key *key = mgl_scalar_extra(info);
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
                             const mgl_push_order *order, const char *name, mgl_scalar_fn *call,
                             mgl_error *err)
{
    size_t n = order->n_keys;
    void **types = mgl_cell_types(d, order->keys, n);
    if (types == NULL)
        return mgl_fail_memory(err);
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
                                 const mgl_push_order *order, mgl_error *err)
{
    MGL_TRY(make_known(f, d, order, "mingle_group", find_groups, err));
    MGL_TRY(make_known(f, d, order, "mingle_tuple", find_tuples, err));
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
    mgl_release_functions *f = mgl_zeroed_array(1, sizeof *f);
    if (f == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_vectors_load(err));
    MGL_GO(draw_seed(f, order, err));
    MGL_GO(mgl_release_map_make(source, order, err, &f->map));
    MGL_GO(make_all_known(f, source->state, order, err));
    *out = f;
    f = NULL;
done:
    mgl_release_functions_free(f);
    return status;
}

/* ---- Rows in random order --------------------------------------------------------------- */

mgl_status mgl_release_rows_new(mgl_release_functions *f, const mgl_rows_wanted *wanted,
                                mgl_error *err)
{
    mgl_spool_order order = {.db = wanted->db,
                             .passed = wanted->passed,
                             .random = &f->random,
                             .bytes = wanted->bytes,
                             .memory = wanted->memory,
                             .progress = wanted->progress};
    for (uint32_t g = 0; g < f->map.n_groups; g++)
        order.n_rows += f->map.times[g];
    MGL_TRY(mgl_spooled_rows_new(&order, err, &f->rows));
    for (uint32_t g = 0; wanted->counted && g < f->map.n_groups; g++)
        MGL_TRY(mgl_spooled_rows_add(f->rows, g, f->map.times[g], err));
    return MGL_OK;
}

mgl_status mgl_release_rows_end(mgl_release_functions *f, mgl_status status, mgl_error *err)
{
    return mgl_spooled_rows_failure(f->rows, status, err);
}
