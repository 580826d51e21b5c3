#include "search/cell_sources.h"

#define MOST_BYTES ((uint64_t)64 << 20) /* for all sources together */

/* The attributes with the most leaves that can be raised, those with the most first. */
static void choose_raised(mgl_cell_sources *x)
{
    const mgl_cell_space *s = x->space;
    while (x->n_raised < MGL_CELL_MOST_RAISED) {
        size_t best = s->m;
        for (size_t a = 0; a < s->m; a++) {
            bool taken = s->attributes[a].high == s->attributes[a].low;
            for (size_t i = 0; i < x->n_raised; i++)
                taken = taken || x->raised[i] == a;
            if (!taken && (best == s->m || s->attributes[a].n_bits > s->attributes[best].n_bits))
                best = a;
        }
        if (best == s->m)
            return;
        x->raised[x->n_raised++] = best;
    }
}

static uint64_t bytes_of(const mgl_cell_space *s, size_t n)
{
    return n * (s->words * sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t number_of(const mgl_cell_sources *x, const uint8_t *levels)
{
    size_t number = 0;
    for (size_t i = 0; i < x->n_raised; i++)
        if (levels[x->raised[i]] > x->space->attributes[x->raised[i]].low)
            number |= (size_t)1 << i;
    return number;
}

/* The number without its last attribute, which has the fewest leaves. */
static size_t below(size_t number)
{
    return number & ~((size_t)1 << (63 - (unsigned)__builtin_clzll(number)));
}

static void add_up(mgl_cell_sources *x, const mgl_cell_source *from, size_t number)
{
    const mgl_cell_space *s = x->space;
    uint8_t levels[s->m + 1];
    uint64_t mask[s->words];
    mgl_cell_box_begin(s, levels);
    for (size_t i = 0; i < x->n_raised; i++)
        levels[x->raised[i]] += number >> i & 1;
    mgl_cell_box_mask(s, levels, mask);
    mgl_cell_table_clear(&x->table, from->n);
    for (size_t i = 0; i < from->n; i++)
        x->table
            .rows[mgl_cell_table_add(&x->table, from->keys + i * s->words, mask, s->words, 0)] +=
            from->rows[i];
}

static mgl_status make(mgl_cell_sources *x, size_t number, mgl_error *err)
{
    const mgl_cell_space *s = x->space;
    mgl_cell_source *out = &x->each[number];
    mgl_cell_source tuples = {.n = s->n, .keys = (uint64_t *)s->keys, .rows = (uint32_t *)s->rows};
    add_up(x, number == 0 ? &tuples : &x->each[below(number)], number);
    out->n = x->table.n;
    out->keys = mgl_alloc_array(out->n, s->words * sizeof *out->keys);
    out->rows = mgl_alloc_array(out->n, sizeof *out->rows);
    if (out->keys == NULL || out->rows == NULL)
        return mgl_fail_memory(err);
    memcpy(out->keys, x->table.keys + s->words, out->n * s->words * sizeof *out->keys);
    memcpy(out->rows, x->table.rows + 1, out->n * sizeof *out->rows);
    out->made = true;
    x->bytes += bytes_of(s, out->n);
    return MGL_OK;
}

mgl_status mgl_cell_sources_begin(mgl_cell_sources *x, const mgl_cell_space *space, mgl_error *err)
{
    *x = (mgl_cell_sources){.space = space};
    choose_raised(x);
    x->each = mgl_zeroed_array((size_t)1 << x->n_raised, sizeof *x->each);
    if (x->each == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_cell_table_init(&x->table, space->n, space->words, err));
    return make(x, 0, err);
}

void mgl_cell_sources_end(mgl_cell_sources *x)
{
    for (size_t i = 0; x->each != NULL && i < (size_t)1 << x->n_raised; i++) {
        mgl_free(x->each[i].keys);
        mgl_free(x->each[i].rows);
    }
    mgl_free(x->each);
    mgl_cell_table_free(&x->table);
}

mgl_status mgl_cell_sources_prepare(mgl_cell_sources *x, const uint8_t *levels, mgl_error *err)
{
    size_t missing[MGL_CELL_MOST_RAISED], n = 0;
    for (size_t number = number_of(x, levels); !x->each[number].made; number = below(number))
        missing[n++] = number;
    while (n-- > 0) {
        if (x->bytes + bytes_of(x->space, x->each[below(missing[n])].n) > MOST_BYTES)
            return MGL_OK;
        MGL_TRY(make(x, missing[n], err));
    }
    return MGL_OK;
}

const mgl_cell_source *mgl_cell_source_of(const mgl_cell_sources *x, const uint8_t *levels)
{
    size_t number = number_of(x, levels);
    while (!x->each[number].made)
        number = below(number);
    return &x->each[number];
}
