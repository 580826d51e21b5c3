/* Judges and prices releases of several quasi-identifiers, and keeps the best one. in_turn.c and
 * the cell level offer what they find. */
#include "search/sets/sets.h"

/* ---- What it costs -------------------------------------------------------------------- */

/* A value that a method made has no level: what it loses is all that is known of it. */
static double cost_of(const mgl_problem *p, const mgl_recoding *recoding, size_t a, uint32_t value)
{
    const mgl_measure_type *measure = p->measure;
    double weight = measure->weighted ? p->weights[a] : 1;
    if (recoding->columns[a] != p->columns[a] || !mgl_adds_up(measure))
        return weight * recoding->columns[a]->values[value].loss;
    if (measure->cells == MGL_PAYS_LEVEL)
        return weight * p->costs->distortion[a][value];
    return weight *
           (measure->cells == MGL_PAYS_LEAVES ? p->costs->loss : p->costs->log_rows)[a][value];
}

double mgl_sets_cost(const mgl_problem *problem, const mgl_recoding *recoding)
{
    double sum = 0;
    for (size_t a = 0; a < recoding->n_attributes; a++)
        for (size_t t = 0; t < recoding->n_tuples; t++)
            sum += (double)problem->list->counts[t] *
                   cost_of(problem, recoding, a, recoding->cells[a][t]);
    return sum;
}

/* ---- Does it hold? -------------------------------------------------------------------- */

/* Rows at the top are suppressed ones unless they are a class that levels allow; all of them at the
 * top are one, but nothing is left to release if they are dropped. */
static bool keeps_limit(const mgl_problem *p, const mgl_recoding *recoding)
{
    uint64_t suppressed = 0, tops = 0, n_rows = p->list->n_rows;
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        suppressed += recoding->suppressed[t] ? p->list->counts[t] : 0;
        tops += mgl_recoding_is_top(recoding, t) ? p->list->counts[t] : 0;
    }
    if (p->treatment == MGL_DROP)
        return suppressed <= p->limit && suppressed < n_rows;
    bool allowed = mgl_levels_allow_top(p);
    if (p->treatment == MGL_KEEP)
        return allowed || tops <= p->limit;
    return tops <= p->limit || (tops == n_rows && allowed);
}

mgl_status mgl_sets_offer(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                          mgl_solution *out)
{
    bool takes = false;
    if (problem->treatment != MGL_DROP)
        mgl_recoding_mark_tops(recoding, problem->list->counts, problem->pool);
    mgl_status status = mgl_recoding_holds(problem, recoding, err, &takes);
    takes = takes && keeps_limit(problem, recoding) &&
            (out->recoding == NULL ||
             mgl_sets_cost(problem, recoding) < mgl_sets_cost(problem, out->recoding));
    mgl_recoding *loser = takes ? out->recoding : recoding;
    if (takes) {
        out->recoding = recoding;
        out->suppressed_rows = 0;
        for (size_t t = 0; t < recoding->n_tuples; t++)
            out->suppressed_rows += recoding->suppressed[t] ? problem->list->counts[t] : 0;
    }
    mgl_recoding_free(loser);
    return status;
}
