/* Puts what was found for each stratum together: one recoding of the whole list, one bound where
 * costs add up. search_strata.c calls it. */
#include "search/strata/put_together.h"

#include <math.h>

/* ---- The recoding ---------------------------------------------------------------------------- */

struct mgl_joining {
    const mgl_problem *problem;
    size_t n_held, n_attributes;
    size_t n_filled;           /* tuples that are there */
    mgl_released_column **own; /* [n_attributes] columns of values that were made; NULL: none yet */
    uint32_t **cells;          /* [n_attributes][n_tuples] */
    uint8_t *suppressed;       /* [n_tuples] */
};

mgl_status mgl_joining_new(const mgl_problem *problem, size_t n_held, mgl_error *err,
                           mgl_joining **out)
{
    size_t m = problem->list->n_attributes, n = problem->list->n_tuples;
    mgl_joining *j = mgl_zeroed_array(1, sizeof *j);
    if (j == NULL)
        return mgl_fail_memory(err);
    *j = (mgl_joining){.problem = problem,
                       .n_held = n_held,
                       .n_attributes = m,
                       .own = mgl_zeroed_array(m, sizeof *j->own),
                       .cells = mgl_zeroed_array(m, sizeof *j->cells),
                       .suppressed = mgl_zeroed_array(n, 1)};
    bool room = j->own != NULL && j->cells != NULL && j->suppressed != NULL;
    for (size_t a = 0; room && a < m; a++)
        room = (j->cells[a] = mgl_alloc_array(n, sizeof **j->cells)) != NULL;
    if (!room) {
        mgl_joining_free(j);
        return mgl_fail_memory(err);
    }
    *out = j;
    return MGL_OK;
}

void mgl_joining_free(mgl_joining *j)
{
    if (j == NULL)
        return;
    for (size_t a = 0; a < j->n_attributes; a++) {
        if (j->own != NULL)
            mgl_released_column_free(j->own[a]);
        if (j->cells != NULL)
            mgl_free(j->cells[a]);
    }
    mgl_free(j->own);
    mgl_free(j->cells);
    mgl_free(j->suppressed);
    mgl_free(j);
}

/* Cells of some tuples that are values of another column become those of the own one. */
static mgl_status renumber(mgl_joining *j, size_t a, const mgl_released_column *from, size_t first,
                           size_t end, mgl_error *err)
{
    uint32_t *cells = j->cells[a], *numbers = mgl_alloc_array(from->n_values, sizeof *numbers);
    mgl_status status = MGL_OK;
    if (numbers == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_made_column_join(j->own[a], from, err, numbers));
    for (size_t t = first; t < end; t++) {
        cells[t] = numbers[cells[t]];
        if (cells[t] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail(err, MGL_CODE_INTERNAL,
                            "strata released a column in different ways; please report this"));
    }
done:
    mgl_free(numbers);
    return status;
}

/* Values are as wide as a share of all numbers of the column, not of those of one stratum. What was
 * released as values of the hierarchy before is so among the made ones. */
static mgl_status make_own(mgl_joining *j, size_t a, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = j->problem->columns[a]->hierarchy;
    mgl_scale *scale;
    MGL_TRY(mgl_scale_new(hierarchy, err, &scale));
    if (scale == NULL)
        return mgl_fail(err, MGL_CODE_INTERNAL,
                        "strata made values of a column without numbers; please report this");
    double least = scale->of_leaf[scale->ordered[0]];
    double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
    MGL_TRY(mgl_made_column_new(hierarchy, scale, least, most, err, &j->own[a]));
    return renumber(j, a, j->problem->columns[a], 0, j->n_filled, err);
}

/* The cells of one column that is searched, in one stratum. */
static mgl_status take_column(mgl_joining *j, const mgl_stratum *stratum, size_t a, mgl_error *err)
{
    const mgl_recoding *from = stratum->solution->recoding;
    size_t inner = a - j->n_held, end = stratum->first + stratum->n_tuples;
    if (from->own != NULL && from->own[inner] != NULL && j->own[a] == NULL)
        MGL_TRY(make_own(j, a, err));
    memcpy(j->cells[a] + stratum->first, from->cells[inner],
           stratum->n_tuples * sizeof *from->cells[inner]);
    return j->own[a] != NULL ? renumber(j, a, from->columns[inner], stratum->first, end, err)
                             : MGL_OK;
}

mgl_status mgl_joining_add(mgl_joining *j, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    mgl_solution *solution = stratum->solution;
    for (size_t a = 0; a < j->n_held; a++)
        for (size_t t = stratum->first; t < stratum->first + stratum->n_tuples; t++)
            j->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    for (size_t a = j->n_held; a < j->n_attributes; a++)
        MGL_TRY(take_column(j, stratum, a, err));
    memcpy(j->suppressed + stratum->first, solution->recoding->suppressed, stratum->n_tuples);
    j->n_filled = stratum->first + stratum->n_tuples;
    mgl_recoding_free(solution->recoding);
    solution->recoding = NULL;
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
    return MGL_OK;
}

/* The recoding gets the cells; the own columns are its from then on, also on failure. */
static mgl_status end_recoding(mgl_joining *j, mgl_error *err, mgl_recoding **out)
{
    const mgl_problem *p = j->problem;
    size_t m = j->n_attributes, n = p->list->n_tuples;
    bool made = false;
    for (size_t a = 0; a < m; a++)
        made = made || j->own[a] != NULL;
    mgl_status status = made ? mgl_recoding_with(p->columns, j->own, m, n, err, out)
                             : mgl_recoding_new(p->columns, m, n, err, out);
    memset(j->own, 0, m * sizeof *j->own);
    MGL_TRY(status);
    for (size_t a = 0; a < m; a++)
        memcpy((*out)->cells[a], j->cells[a], n * sizeof **j->cells);
    memcpy((*out)->suppressed, j->suppressed, n);
    return MGL_OK;
}

/* ---- What is known of the whole ---------------------------------------------------------------
 */

/* Cells that a row of the whole has for each one of the stratum: those of columns of strata cost
 * nothing. */
static double share_of_cells(const mgl_problem *p, size_t n_held)
{
    double all = 0, searched = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        double weight = p->measure->weighted ? p->weights[a] : 1;
        all += weight;
        searched += a >= n_held ? weight : 0;
    }
    return searched / all;
}

/* A mean over cells is that of the strata by their rows. Bits are counted by how often values occur
 * in a stratum, which is another figure for the whole. */
static void add_bounds(const mgl_problem *p, const mgl_strata *strata, mgl_solution *out)
{
    const mgl_measure_type *measure = p->measure;
    double share = share_of_cells(p, strata->n_held), cost = 0;
    bool adds_up = mgl_adds_up(measure) && measure->cells != MGL_PAYS_BITS;
    out->bounded = out->exact = adds_up;
    for (size_t i = 0; i < strata->n; i++) {
        const mgl_solution *s = strata->of[i].solution;
        double best = s->exact && !s->bounded ? strata->of[i].value : s->best_possible;
        cost += (measure->higher_is_better ? 1 - best : best) * (double)strata->of[i].n_rows;
        out->bounded = out->bounded && (s->bounded || s->exact) && isfinite(best);
        out->exact = out->exact && s->exact;
    }
    cost *= share / (double)p->list->n_rows;
    out->exact = out->exact && out->bounded;
    out->best_possible = measure->higher_is_better ? 1 - cost : cost;
}

static uint64_t add_up(uint64_t x, uint64_t y)
{
    return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

mgl_status mgl_joining_end(mgl_joining *j, const mgl_strata *strata, mgl_error *err,
                           mgl_solution *out)
{
    MGL_TRY(end_recoding(j, err, &out->recoding));
    out->n_attributes = j->n_attributes;
    for (size_t i = 0; i < strata->n; i++) {
        const mgl_solution *s = strata->of[i].solution;
        out->suppressed_rows += s->suppressed_rows;
        out->nodes_total = add_up(out->nodes_total, s->nodes_total);
        out->nodes_checked = add_up(out->nodes_checked, s->nodes_checked);
        out->timed_out = out->timed_out || s->timed_out;
        out->made = out->made != NULL ? out->made : s->made;
        out->unsafe = out->unsafe || s->unsafe;
        out->safer = out->safer != NULL ? out->safer : s->safer;
    }
    add_bounds(j->problem, strata, out);
    return MGL_OK;
}
