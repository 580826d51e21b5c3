/* Puts what was found for each stratum together: one recoding of the whole list, one bound where
 * costs add up. search_strata.c calls it. */
#include "search/strata/put_together.h"

#include <math.h>

/* ---- The recoding ---------------------------------------------------------------------------- */

/* Putting a recoding together. */
typedef struct joining {
    const mgl_problem *problem;
    const mgl_strata *strata;
    mgl_released_column **own; /* [m] columns of values that were made; NULL: none were */
    mgl_recoding *recoding;
    uint32_t **numbers; /* [m] what the values of a stratum's own column are in the whole one */
} joining;

/* The column that one stratum made of an attribute; NULL: it made none. */
static const mgl_released_column *own_of(const mgl_recoding *recoding, size_t a)
{
    return recoding->own != NULL ? recoding->own[a] : NULL;
}

static bool any_made(const mgl_strata *strata, size_t a)
{
    for (size_t i = 0; i < strata->n; i++)
        if (own_of(strata->of[i].solution->recoding, a) != NULL)
            return true;
    return false;
}

/* Values are as wide as a share of all numbers of the column, not of those of one stratum. */
static mgl_status make_own(joining *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    size_t n_held = j->strata->n_held;
    for (size_t a = n_held; a < p->list->n_attributes; a++) {
        const mgl_hierarchy *hierarchy = p->columns[a]->hierarchy;
        mgl_scale *scale;
        if (!any_made(j->strata, a - n_held))
            continue;
        MGL_TRY(mgl_scale_new(hierarchy, err, &scale));
        if (scale == NULL)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "strata made values of a column without numbers; please report this");
        double least = scale->of_leaf[scale->ordered[0]];
        double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
        MGL_TRY(mgl_made_column_new(hierarchy, scale, least, most, err, &j->own[a]));
    }
    return MGL_OK;
}

static bool makes_values(const joining *j)
{
    for (size_t a = 0; a < j->problem->list->n_attributes; a++)
        if (j->own[a] != NULL)
            return true;
    return false;
}

static mgl_status make_recoding(joining *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    size_t m = p->list->n_attributes, n = p->list->n_tuples;
    j->own = mgl_zeroed_array(m, sizeof *j->own);
    if (j->own == NULL)
        return mgl_fail_memory(err);
    mgl_status status = make_own(j, err);
    if (status != MGL_OK) {
        for (size_t a = 0; a < m; a++)
            mgl_released_column_free(j->own[a]);
        return status;
    }
    return makes_values(j) ? mgl_recoding_with(p->columns, j->own, m, n, err, &j->recoding)
                           : mgl_recoding_new(p->columns, m, n, err, &j->recoding);
}

/* The cells of one column that is searched, in one stratum. */
static mgl_status take_column(joining *j, const mgl_stratum *stratum, size_t a, mgl_error *err)
{
    const mgl_recoding *from = stratum->solution->recoding;
    size_t inner = a - j->strata->n_held;
    uint32_t *cells = j->recoding->cells[a] + stratum->first, *numbers = NULL;
    memcpy(cells, from->cells[inner], stratum->n_tuples * sizeof *cells);
    if (j->own[a] == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    numbers = mgl_alloc_array(from->columns[inner]->n_values, sizeof *numbers);
    if (numbers == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_made_column_join(j->own[a], from->columns[inner], err, numbers));
    for (size_t t = 0; t < stratum->n_tuples; t++) {
        cells[t] = numbers[cells[t]];
        if (cells[t] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail(err, MGL_CODE_INTERNAL,
                            "strata released a column in different ways; please report this"));
    }
done:
    mgl_free(numbers);
    return status;
}

static mgl_status take_stratum(joining *j, const mgl_stratum *stratum, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    const mgl_recoding *from = stratum->solution->recoding;
    for (size_t a = 0; a < j->strata->n_held; a++)
        for (size_t t = stratum->first; t < stratum->first + stratum->n_tuples; t++)
            j->recoding->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    for (size_t a = j->strata->n_held; a < p->list->n_attributes; a++)
        MGL_TRY(take_column(j, stratum, a, err));
    memcpy(j->recoding->suppressed + stratum->first, from->suppressed, stratum->n_tuples);
    return MGL_OK;
}

static mgl_status join_recodings(const mgl_problem *problem, const mgl_strata *strata,
                                 mgl_error *err, mgl_recoding **out)
{
    joining j = {.problem = problem, .strata = strata};
    mgl_status status = MGL_OK;
    MGL_GO(make_recoding(&j, err));
    for (size_t i = 0; i < strata->n; i++)
        MGL_GO(take_stratum(&j, &strata->of[i], err));
    *out = j.recoding;
    j.recoding = NULL;
done:
    mgl_recoding_free(j.recoding);
    mgl_free(j.own);
    return status;
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

mgl_status mgl_strata_put_together(const mgl_problem *problem, const mgl_strata *strata,
                                   mgl_error *err, mgl_solution *out)
{
    MGL_TRY(join_recodings(problem, strata, err, &out->recoding));
    out->n_attributes = problem->list->n_attributes;
    for (size_t i = 0; i < strata->n; i++) {
        mgl_solution *s = strata->of[i].solution;
        out->suppressed_rows += s->suppressed_rows;
        out->nodes_total = add_up(out->nodes_total, s->nodes_total);
        out->nodes_checked = add_up(out->nodes_checked, s->nodes_checked);
        out->timed_out = out->timed_out || s->timed_out;
        out->made = out->made != NULL ? out->made : s->made;
        out->unsafe = out->unsafe || s->unsafe;
        out->safer = out->safer != NULL ? out->safer : s->safer;
        mgl_recoding_free(s->recoding);
        s->recoding = NULL;
        if (s->classes != NULL)
            mgl_classes_free(s->classes);
        mgl_free(s->classes);
        s->classes = NULL;
    }
    add_bounds(problem, strata, out);
    return MGL_OK;
}
