/* Numbers what a level of a column keeps apart, so that a list can be rolled up level by level.
 * roll_lists.c calls it. */
#include "search/node/roll.h"

static unsigned bits_for(uint32_t n)
{
    unsigned bits = 1;
    while (bits < 32 && (UINT64_C(1) << bits) < n)
        bits++;
    return bits;
}

/* ---- One level ------------------------------------------------------------------------- */

/* Codes of one level, made leaf by leaf. Those of one value are a chain, which is longer than one
 * only if equal labels go apart further up. */
typedef struct numbering {
    const uint32_t *value_of_leaf;
    const uint32_t *above_of_leaf; /* codes one level up; NULL: there is none */
    uint32_t *first;               /* [value] a code of it */
    uint32_t *next;                /* [code] another of the same value */
} numbering;

static uint32_t find_code(const numbering *n, mgl_roll_level *level, uint32_t leaf)
{
    uint32_t value = n->value_of_leaf[leaf], code = n->first[value];
    while (code != MGL_NOT_FOUND && n->above_of_leaf != NULL &&
           level->above[code] != n->above_of_leaf[leaf])
        code = n->next[code];
    if (code != MGL_NOT_FOUND)
        return code;
    code = level->n_codes++;
    level->values[code] = value;
    if (n->above_of_leaf != NULL)
        level->above[code] = n->above_of_leaf[leaf];
    n->next[code] = n->first[value];
    return n->first[value] = code;
}

/* codes[leaf] has those of the level above and gets those of this one. */
static mgl_status number_level(const mgl_released_column *column, uint32_t at, bool last,
                               uint32_t *codes, mgl_error *err, mgl_roll_level *level)
{
    uint32_t n_leaves = column->hierarchy->n_leaves;
    numbering n = {.value_of_leaf = column->of_leaf[at],
                   .above_of_leaf = last ? NULL : codes,
                   .first = mgl_alloc_array(column->n_values, sizeof *n.first),
                   .next = mgl_alloc_array(n_leaves, sizeof *n.next)};
    mgl_status status = MGL_OK;
    level->values = mgl_alloc_array(n_leaves, sizeof *level->values);
    level->above = last ? NULL : mgl_alloc_array(n_leaves, sizeof *level->above);
    if (n.first == NULL || n.next == NULL || level->values == NULL ||
        (!last && level->above == NULL))
        MGL_GO(mgl_fail_memory(err));
    memset(n.first, 0xff, column->n_values * sizeof *n.first);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        codes[leaf] = find_code(&n, level, leaf);
done:
    mgl_free(n.first);
    mgl_free(n.next);
    return status;
}

/* ---- Columns --------------------------------------------------------------------------- */

static mgl_status number_column(const mgl_problem *p, size_t a, mgl_error *err,
                                mgl_roll_column *out)
{
    out->n_levels = (size_t)p->max_level[a] - p->min_level[a] + 1;
    out->levels = mgl_zeroed_array(out->n_levels, sizeof *out->levels);
    out->of_leaf = mgl_alloc_array(p->columns[a]->hierarchy->n_leaves, sizeof *out->of_leaf);
    if (out->levels == NULL || out->of_leaf == NULL)
        return mgl_fail_memory(err);
    for (size_t l = out->n_levels; l-- > 0;)
        MGL_TRY(number_level(p->columns[a], p->min_level[a] + (uint32_t)l, l + 1 == out->n_levels,
                             out->of_leaf, err, &out->levels[l]));
    return MGL_OK;
}

static uint32_t number_apart(const mgl_problem *p)
{
    uint32_t n = 1;
    const uint32_t *apart = mgl_roll_apart(p);
    for (size_t t = 0; apart != NULL && t < p->list->n_tuples; t++)
        n = apart[t] >= n ? apart[t] + 1 : n;
    return n;
}

/* A column lies in one word whole. */
static void lay_out(mgl_roll_codes *codes, uint32_t n_apart)
{
    unsigned used = 0;
    codes->words = 1;
    for (size_t c = 0; c <= codes->n_columns; c++) {
        mgl_roll_column *column = &codes->columns[c];
        unsigned bits = bits_for(c < codes->n_columns ? column->levels[0].n_codes : n_apart);
        if (used + bits > 64) {
            codes->words++;
            used = 0;
        }
        column->word = (uint32_t)codes->words - 1;
        column->shift = used;
        column->mask = (UINT64_C(1) << bits) - 1;
        used += bits;
    }
}

mgl_status mgl_roll_codes_make(const mgl_problem *problem, mgl_error *err, mgl_roll_codes *out)
{
    *out = (mgl_roll_codes){.n_columns = problem->list->n_attributes};
    out->columns = mgl_zeroed_array(out->n_columns + 1, sizeof *out->columns);
    if (out->columns == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < out->n_columns; a++)
        MGL_TRY(number_column(problem, a, err, &out->columns[a]));
    lay_out(out, number_apart(problem));
    return MGL_OK;
}

void mgl_roll_codes_free(mgl_roll_codes *codes)
{
    for (size_t c = 0; codes->columns != NULL && c < codes->n_columns; c++) {
        mgl_roll_column *column = &codes->columns[c];
        for (size_t l = 0; column->levels != NULL && l < column->n_levels; l++) {
            mgl_free(column->levels[l].values);
            mgl_free(column->levels[l].above);
        }
        mgl_free(column->levels);
        mgl_free(column->of_leaf);
    }
    mgl_free(codes->columns);
    *codes = (mgl_roll_codes){0};
}
