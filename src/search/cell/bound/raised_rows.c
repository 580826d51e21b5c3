/* Makes records that stand for all rows at nodes where some attributes are raised, of which there
 * are fewer than tuples. simple_bound.c counts the classes of such nodes from them. */
#include "search/cell/bound/raised_rows.h"

#define MOST_BYTES ((uint64_t)64 << 20) /* for all choices together */

/* The attributes with the most leaves that can be raised, those with the most first. */
static void choose_raised(mgl_raised_choices *x)
{
    const mgl_box_space *s = x->space;
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

static uint64_t bytes_of(const mgl_box_space *s, size_t n)
{
    return n * (s->words * sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t number_of(const mgl_raised_choices *x, const uint8_t *levels)
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

/* ---- Making ---------------------------------------------------------------------------------- */

static void add_up(const mgl_raised_choices *x, const mgl_raised_rows *from, size_t number,
                   mgl_key_table *table)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    uint64_t mask[MGL_BOX_MOST_WORDS];
    mgl_box_begin(s, levels);
    for (size_t i = 0; i < x->n_raised; i++)
        levels[x->raised[i]] += number >> i & 1;
    mgl_box_mask(s, levels, mask);
    mgl_key_table_clear(table, from->n);
    for (size_t i = 0; i < from->n; i++)
        table->rows[mgl_key_table_add(table, from->keys + i * s->words, mask, s->words, 0)] +=
            from->rows[i];
}

static void make(void *context, size_t i, unsigned worker)
{
    mgl_raised_choices *x = context;
    size_t number = x->missing[i], words = x->space->words;
    mgl_raised_rows *out = &x->each[number];
    mgl_key_table *table = x->tables[worker];
    add_up(x, &x->each[below(number)], number, table);
    size_t n = table->n;
    uint64_t *keys = out->own_keys = mgl_alloc_array(n, words * sizeof *keys);
    uint32_t *rows = out->own_rows = mgl_alloc_array(n, sizeof *rows);
    if (keys == NULL || rows == NULL)
        return; /* which is seen by whoever waits for it */
    memcpy(keys, table->keys + words, n * words * sizeof *keys);
    memcpy(rows, table->rows + 1, n * sizeof *rows);
    *out = (mgl_raised_rows){true, out->wanted, n, keys, rows, keys, rows};
}

mgl_status mgl_raised_choices_begin(mgl_raised_choices *x, const mgl_box_space *s, mgl_error *err)
{
    *x = (mgl_raised_choices){.space = s};
    choose_raised(x);
    size_t n = (size_t)1 << x->n_raised;
    x->each = mgl_zeroed_array(n, sizeof *x->each);
    x->missing = mgl_alloc_array(n, sizeof *x->missing);
    if (x->each == NULL || x->missing == NULL)
        return mgl_fail_memory(err);
    x->each[0] = (mgl_raised_rows){.made = true, .n = s->n, .keys = s->keys, .rows = s->rows};
    return MGL_OK;
}

void mgl_raised_choices_end(mgl_raised_choices *x)
{
    for (size_t i = 0; x->each != NULL && i < (size_t)1 << x->n_raised; i++) {
        mgl_free(x->each[i].own_keys);
        mgl_free(x->each[i].own_rows);
    }
    mgl_free(x->each);
    mgl_free(x->missing);
}

void mgl_raised_choices_want(mgl_raised_choices *x, const uint8_t *levels)
{
    for (size_t number = number_of(x, levels); !x->each[number].made; number = below(number))
        x->each[number].wanted++;
}

/* Those that can be made from what there is, within the memory allowed. */
static size_t find_missing(mgl_raised_choices *x, unsigned often)
{
    size_t n = 0;
    uint64_t bytes = x->bytes;
    for (size_t number = 1; number < (size_t)1 << x->n_raised; number++) {
        const mgl_raised_rows *from = &x->each[below(number)];
        if (x->each[number].made || x->each[number].wanted < often || !from->made)
            continue;
        bytes += bytes_of(x->space, from->n);
        if (bytes > MOST_BYTES)
            break;
        x->missing[n++] = number;
    }
    return n;
}

mgl_status mgl_raised_choices_make(mgl_raised_choices *x, unsigned often,
                                   mgl_key_table *const *tables, mgl_error *err)
{
    x->tables = tables;
    for (size_t n; (n = find_missing(x, often)) > 0;) {
        mgl_pool_run(x->space->problem->pool, n, make, x);
        for (size_t i = 0; i < n; i++) {
            if (!x->each[x->missing[i]].made)
                return mgl_fail_memory(err);
            x->bytes += bytes_of(x->space, x->each[x->missing[i]].n);
        }
    }
    return MGL_OK;
}

const mgl_raised_rows *mgl_raised_rows_for(const mgl_raised_choices *x, const uint8_t *levels)
{
    size_t number = number_of(x, levels);
    while (!x->each[number].made)
        number = below(number);
    return &x->each[number];
}
