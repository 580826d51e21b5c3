/* Complementary suppression: suppressed rows that are kept are a class, which classes join, the
 * smallest first, until it holds (docs/definitions.md#suppression). suppress.c calls it. */
#include "search/node/suppressor.h"

/* Rows at the top of one quasi-identifier. */
typedef struct at_top {
    mgl_suppressor *s;
    size_t q;
    uint32_t *const *cells;
    uint64_t rows[MGL_RANGES];
} at_top;

static void find_at_top(void *context, mgl_range range)
{
    at_top *top = context;
    mgl_suppressor *s = top->s;
    const mgl_problem *p = s->problem;
    uint64_t rows = 0;
    for (size_t t = range.first; t < range.end; t++) {
        bool is_top = s->tuples[t] || mgl_tuple_is_top(p, top->q, top->cells, t);
        uint32_t past = s->n_pasts > 0 ? p->pasts[t] : 0;
        s->group_of[t] = is_top ? past : MGL_NOT_FOUND;
        rows += is_top ? p->list->counts[t] : 0;
    }
    top->rows[range.number] = rows;
}

/* Makes them a group, or one for each past. */
static void begin_top(mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    at_top top = {.s = s, .q = q, .cells = cells};
    mgl_pool_run_ranges(s->pool, s->problem->list->n_tuples, find_at_top, &top);
    if (s->n_pasts > 0 || s->maker != NULL) {
        mgl_suppressor_begin_groups(s, s->n_pasts > 0 ? s->n_pasts : 1);
        return;
    }
    s->live[0] = 0;
    for (size_t i = 0; i < MGL_RANGES; i++)
        s->live[0] += top.rows[i];
}

bool mgl_suppressor_top_holds(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    size_t n_groups = s->n_pasts > 0 ? s->n_pasts : 1;
    for (size_t q = 0; q < p->n_sets; q++) {
        begin_top(s, q, cells);
        /* Everybody matches a tuple of tops. */
        uint64_t everybody = p->population != NULL ? p->population->n_rows : 0;
        for (size_t past = 0; past < n_groups; past++) {
            mgl_group group = mgl_suppressor_group(s, past, everybody);
            if ((s->live[past] > 0 || s->n_pasts == 0) &&
                !mgl_suppressor_set_holds(s, &p->sets[q], &group))
                return false;
        }
    }
    return true;
}

/* Order of released tuples: by the first leaf of each cell, in QI order. */
static int compare_released(const mgl_problem *p, uint32_t *const *cells, uint32_t t, uint32_t u)
{
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint32_t x = p->columns[a]->values[cells[a][t]].first_leaf;
        uint32_t y = p->columns[a]->values[cells[a][u]].first_leaf;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The classes that join the suppressed rows: those on all columns. Few nodes come to that. */
static const mgl_classes *joining_classes(mgl_suppressor *s)
{
    const mgl_problem *p = s->problem;
    size_t n = p->list->n_attributes + (s->n_pasts > 0 ? 1 : 0);
    if (p->n_sets == 1)
        return &s->of_set[0];
    if (!s->whole_known)
        mgl_classes_group(&s->whole, s->cells, s->n_values, NULL, n, p->list->counts);
    s->whole_known = true;
    return &s->whole;
}

/* Complementary suppression: the smallest class joins the suppressed rows. False if there
 * is none left. */
bool mgl_suppressor_add_smallest(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    const mgl_classes *classes = joining_classes(s);
    for (size_t t = 0; t < p->list->n_tuples; t++)
        s->group_of[t] = s->tuples[t] ? MGL_NOT_FOUND : classes->of_tuple[t];
    mgl_suppressor_begin_groups(s, classes->n_classes);
    for (size_t c = 0; p->list->persons != NULL && c < classes->n_classes; c++)
        s->live[c] = mgl_suppressor_group(s, c, 0).size;
    size_t least = SIZE_MAX;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (s->live[c] == 0)
            continue;
        if (least == SIZE_MAX || s->live[c] < s->live[least] ||
            (s->live[c] == s->live[least] &&
             compare_released(p, cells, classes->first[c], classes->first[least]) < 0))
            least = c;
    }
    for (size_t t = 0; least != SIZE_MAX && t < p->list->n_tuples; t++)
        s->tuples[t] |= classes->of_tuple[t] == least;
    return least != SIZE_MAX;
}

/* ---- The same past by past ----------------------------------------------------------- */

/* Do the suppressed rows of a past hold, together with those of it that look like them? */
static bool past_holds(mgl_suppressor *s, uint32_t *const *cells, size_t past)
{
    const mgl_problem *p = s->problem;
    size_t n = 0;
    mgl_group group = {0};
    for (size_t i = s->past_start[past]; i < s->past_start[past + 1]; i++) {
        uint32_t t = s->past_tuples[i];
        if (!s->tuples[t] && !mgl_tuple_is_top(p, 0, cells, t))
            continue;
        s->gathered[n++] = t;
        group.size = group.rows += p->list->counts[t];
    }
    if (n > 0 && s->maker != NULL)
        group = *mgl_group_maker_gather(s->maker, s->gathered, n);
    return n == 0 || mgl_suppressor_set_holds(s, &p->sets[0], &group);
}

static bool suppress_smallest_of_past(mgl_suppressor *s, uint32_t *const *cells, size_t past)
{
    const mgl_classes *classes = &s->of_set[0];
    uint32_t least = MGL_NOT_FOUND;
    for (size_t i = s->past_start[past]; i < s->past_start[past + 1]; i++) {
        uint32_t c = classes->of_tuple[s->past_tuples[i]];
        if (s->tuples[s->past_tuples[i]] || c == least)
            continue;
        if (least == MGL_NOT_FOUND || classes->sizes[c] < classes->sizes[least] ||
            (classes->sizes[c] == classes->sizes[least] &&
             compare_released(s->problem, cells, classes->first[c], classes->first[least]) < 0))
            least = c;
    }
    for (size_t i = s->past_start[past]; i < s->past_start[past + 1]; i++)
        s->tuples[s->past_tuples[i]] |= classes->of_tuple[s->past_tuples[i]] == least;
    return least != MGL_NOT_FOUND;
}

/* With one quasi-identifier a class has one past, so that no past needs rows of another. */
bool mgl_suppressor_complement_pasts(mgl_suppressor *s, uint32_t *const *cells)
{
    for (size_t past = 0; past < s->n_pasts; past++)
        while (!past_holds(s, cells, past))
            if (!suppress_smallest_of_past(s, cells, past))
                return false;
    return true;
}
