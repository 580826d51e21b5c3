/* Rolls classes up from node to node, on all threads. closed_classes.c calls it. */
#include "search/cell/bound/rollup.h"

/* The attributes with the most leaves are raised first: most nodes then follow from few classes. */
static void choose_order(mgl_cell_rollup *r)
{
    const mgl_box_space *s = r->space;
    for (size_t i = 0; i < s->m; i++) {
        size_t at = i;
        for (; at > 0 && s->attributes[r->order[at - 1]].n_bits < s->attributes[i].n_bits; at--)
            r->order[at] = r->order[at - 1];
        r->order[at] = i;
    }
}

static bool make_room(mgl_cell_step *step, size_t n, size_t words)
{
    size_t first = step->capacity, rows = first, differ = first;
    return mgl_grow(&step->first, &first, n, sizeof *step->first) &&
           mgl_grow(&step->rows, &rows, n, sizeof *step->rows) &&
           mgl_grow(&step->differ, &differ, n, words * sizeof *step->differ) &&
           mgl_grow(&step->of_below, &step->capacity, n, sizeof *step->of_below);
}

/* Adds the members of a class to the class of the first one's masked key. */
MGL_SPECIALIZE uint32_t join(mgl_cell_rollup *r, mgl_cell_step *step, uint32_t first, uint32_t rows,
                             const uint64_t *differ, size_t words)
{
    const uint64_t *key = r->space->keys + first * words;
    uint32_t before = r->table.n;
    uint32_t e = mgl_key_table_add(&r->table, key, r->mask, words, first) - 1;
    if (e == before) {
        step->first[e] = first;
        step->rows[e] = 0;
        memset(step->differ + e * words, 0, words * sizeof *step->differ);
    }
    const uint64_t *other = r->space->keys + step->first[e] * words;
    for (size_t w = 0; w < words; w++)
        step->differ[e * words + w] |= (differ != NULL ? differ[w] : 0) | (key[w] ^ other[w]);
    step->rows[e] += rows;
    return e;
}

MGL_SPECIALIZE void raise_words(mgl_cell_rollup *r, const mgl_cell_step *below, mgl_cell_step *step,
                                size_t words)
{
    mgl_key_table_clear(&r->table, below->n);
    for (size_t c = 0; c < below->n; c++)
        step->of_below[c] =
            join(r, step, below->first[c], below->rows[c], below->differ + c * words, words);
    step->n = r->table.n;
}

/* The classes of `below` with one more attribute raised. */
static bool raise(mgl_cell_rollup *r, mgl_cell_step *below, mgl_cell_step *step)
{
    size_t words = r->space->words;
    step->below = below;
    step->spread = false;
    if (!make_room(step, below->n, words))
        return false;
    if (words == 1)
        raise_words(r, below, step, 1);
    else
        raise_words(r, below, step, words);
    return true;
}

static mgl_status make_lowest(mgl_cell_rollup *r, mgl_error *err)
{
    const mgl_box_space *s = r->space;
    mgl_cell_step *step = &r->steps[0];
    mgl_box_begin(s, r->levels);
    mgl_box_mask(s, r->levels, r->mask);
    step->of_tuple = mgl_alloc_array(s->n, sizeof *step->of_tuple);
    if (step->of_tuple == NULL || !make_room(step, s->n, s->words))
        return mgl_fail_memory(err);
    mgl_key_table_clear(&r->table, s->n);
    for (uint32_t t = 0; t < s->n; t++)
        step->of_tuple[t] = join(r, step, t, s->rows[t], NULL, s->words);
    step->n = r->table.n;
    step->spread = true;
    for (size_t a = 0; a <= s->m; a++)
        r->at[a] = step;
    return MGL_OK;
}

mgl_status mgl_cell_rollup_begin(mgl_cell_rollup *r, const mgl_box_space *space, mgl_error *err)
{
    size_t m = space->m;
    *r = (mgl_cell_rollup){.space = space};
    r->steps = mgl_zeroed_array(m + 1, sizeof *r->steps);
    r->at = mgl_alloc_array(m + 1, sizeof *r->at);
    r->order = mgl_alloc_array(m, sizeof *r->order);
    r->levels = mgl_alloc_array(m, 1);
    r->partly = mgl_alloc_array(m, 1);
    r->mask = mgl_alloc_array(space->words, sizeof *r->mask);
    if (r->steps == NULL || r->at == NULL || r->order == NULL || r->levels == NULL ||
        r->partly == NULL || r->mask == NULL)
        return mgl_fail_memory(err);
    choose_order(r);
    MGL_TRY(mgl_key_table_init(&r->table, space->n, space->words, err));
    return make_lowest(r, err);
}

void mgl_cell_rollup_end(mgl_cell_rollup *r)
{
    for (size_t i = 0; r->steps != NULL && i <= r->space->m; i++) {
        mgl_free(r->steps[i].first);
        mgl_free(r->steps[i].rows);
        mgl_free(r->steps[i].differ);
        mgl_free(r->steps[i].of_below);
        mgl_free(r->steps[i].of_tuple);
    }
    mgl_key_table_free(&r->table);
    mgl_free(r->steps);
    mgl_free(r->at);
    mgl_free(r->order);
    mgl_free(r->levels);
    mgl_free(r->partly);
    mgl_free(r->mask);
}

int mgl_cell_rollup_compare(const mgl_cell_rollup *r, const uint8_t *levels, const uint8_t *others)
{
    for (size_t i = 0; i < r->space->m; i++) {
        size_t a = r->order[i];
        if (levels[a] != others[a])
            return levels[a] < others[a] ? -1 : 1;
    }
    return 0;
}

mgl_cell_step *mgl_cell_rollup_go(mgl_cell_rollup *r, const uint8_t *levels)
{
    const mgl_box_space *s = r->space;
    size_t i = 0;
    mgl_box_begin(s, r->partly);
    for (; i < s->m && levels[r->order[i]] == r->levels[r->order[i]]; i++)
        r->partly[r->order[i]] = levels[r->order[i]];
    for (; i < s->m; i++) {
        size_t a = r->order[i];
        r->partly[a] = r->levels[a] = levels[a];
        r->at[i + 1] = r->at[i];
        if (levels[a] == s->attributes[a].low)
            continue;
        mgl_box_mask(s, r->partly, r->mask);
        if (!raise(r, r->at[i], &r->steps[i + 1]))
            return NULL;
        r->at[i + 1] = &r->steps[i + 1];
    }
    return r->at[s->m];
}

const uint32_t *mgl_cell_rollup_spread(mgl_cell_rollup *r, mgl_cell_step *step)
{
    size_t n = r->space->n;
    if (step->spread)
        return step->of_tuple;
    const uint32_t *below = mgl_cell_rollup_spread(r, step->below);
    if (step->of_tuple == NULL)
        step->of_tuple = mgl_alloc_array(n, sizeof *step->of_tuple);
    if (below == NULL || step->of_tuple == NULL)
        return NULL;
    uint32_t *of_tuple = step->of_tuple;
    const uint32_t *of_below = step->of_below;
    for (size_t t = 0; t < n; t++)
        of_tuple[t] = of_below[below[t]];
    step->spread = true;
    return of_tuple;
}
