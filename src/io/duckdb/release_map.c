/* Takes the map of a release over: cells and released texts get numbers, tuples are packed into
 * words and found by a table of hashes, in a tenth of the memory of a joined table.
 * release_functions.c has functions that look things up in it. */
#include "io/duckdb/release_map.h"

void mgl_release_map_free(mgl_release_map *f)
{
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
    *f = (mgl_release_map){0};
}

static mgl_span no_value_of(const mgl_source_options *options)
{
    return options->n_missing > 0 ? options->missing[0] : options->no_value;
}

/* All that is missing reads as the first token, as in the map. */
mgl_span mgl_map_cell(const mgl_source_options *options, mgl_span cell)
{
    for (size_t i = 1; i < options->n_missing; i++)
        if (mgl_span_equal(cell, options->missing[i]))
            return options->missing[0];
    return cell;
}

/* Rows of the map while they come in: numbers of cells, and the groups of what they are released
 * as. */
typedef struct map_making {
    mgl_release_map *map;
    mgl_map *groups;   /* numbers of released texts */
    uint32_t *numbers; /* [tuples][n_keys] */
    size_t room, room_groups, room_named, room_times;
} map_making;

/* Cells of the keys, and what they are released as. */
static bool take_row(map_making *m, const mgl_span *cells, uint32_t name, uint32_t *released)
{
    mgl_release_map *f = m->map;
    size_t n = f->n_keys;
    uint32_t tuple = f->n_tuples;
    if (!mgl_grow(&m->numbers, &m->room, (tuple + 1) * n, sizeof *m->numbers) ||
        !mgl_grow(&f->group_of, &m->room_groups, tuple + 1, sizeof *f->group_of) ||
        !mgl_grow(&f->named, &m->room_named, tuple + 1, sizeof *f->named))
        return false;
    for (size_t k = 0; k < n; k++) {
        mgl_map_key *key = &f->keys[k];
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
    mgl_release_map *f = m->map;
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
    size_t n = m->map->n_keys;
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
static mgl_status lay_out(mgl_release_map *f, mgl_error *err)
{
    unsigned used = 64;
    for (size_t k = 0; k < f->n_keys; k++) {
        mgl_map_key *key = &f->keys[k];
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

uint64_t mgl_packed_hash(const uint64_t *words, size_t n)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t mgl_packed_find(const mgl_release_map *f, const uint64_t *words, uint64_t hash)
{
    for (uint64_t at = hash & f->mask; f->slots[at] != 0; at = (at + 1) & f->mask)
        if (memcmp(f->packed + (f->slots[at] - 1) * f->n_words, words,
                   f->n_words * sizeof *words) == 0)
            return f->slots[at] - 1;
    return MGL_NOT_FOUND;
}

static mgl_status pack(map_making *m, mgl_error *err)
{
    mgl_release_map *f = m->map;
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
        uint64_t at = mgl_packed_hash(words, f->n_words) & f->mask;
        while (f->slots[at] != 0)
            at = (at + 1) & f->mask;
        f->slots[at] = t + 1;
    }
    return MGL_OK;
}

static mgl_status make_texts(map_making *m, size_t k, mgl_error *err)
{
    mgl_map_key *key = &m->map->keys[k];
    uint32_t n_groups = mgl_map_size(m->groups), n_texts = mgl_map_size(key->texts);
    key->text_of = mgl_alloc_array(n_groups + 1, sizeof *key->text_of);
    key->made = mgl_alloc_array(n_texts + 1, sizeof *key->made);
    if (key->text_of == NULL || key->made == NULL)
        return mgl_fail_memory(err);
    for (uint32_t g = 0; g < n_groups; g++)
        memcpy(&key->text_of[g], mgl_map_text(m->groups, g).data + k * sizeof *key->text_of,
               sizeof *key->text_of);
    for (uint32_t t = 0; t < n_texts; t++)
        key->made[t] = mgl_vector_text(mgl_map_text(key->texts, t));
    return MGL_OK;
}

static mgl_status take_map(mgl_release_map *f, const mgl_push_order *order, mgl_error *err)
{
    map_making m = {.map = f, .groups = mgl_map_new()};
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

static mgl_status make_keys(mgl_release_map *f, const mgl_duck *d, const mgl_push_order *order,
                            mgl_error *err)
{
    f->n_keys = order->n_keys;
    f->keys = mgl_zeroed_array(f->n_keys, sizeof *f->keys);
    bool whole = f->keys != NULL;
    for (size_t k = 0; whole && k < f->n_keys; k++) {
        f->keys[k] = (mgl_map_key){.map = f,
                                   .column = &d->columns[order->keys[k]],
                                   .cells = mgl_map_new(),
                                   .texts = mgl_map_new(),
                                   .no_text = MGL_NOT_FOUND};
        whole = f->keys[k].cells != NULL && f->keys[k].texts != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_release_map_make(const mgl_source *source, const mgl_push_order *order,
                                mgl_error *err, mgl_release_map *out)
{
    *out = (mgl_release_map){.options = source->options, .progress = order->progress};
    MGL_TRY(make_keys(out, source->state, order, err));
    return take_map(out, order, err);
}
