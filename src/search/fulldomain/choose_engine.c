/* Finds the best nodes of the lattice and all that hold, each in the fastest way there is.
 *
 * by_size is for models on class sizes, by_value for models on values, populations and persons;
 * by_roll_up takes the rest: several quasi-identifiers, and models whose descriptors say too
 * little. An engine whose tables would be too large leaves the problem to the sweep. All of them
 * evaluate a node by the whole-number sums of the plain evaluation, and tests compare them with
 * it. */
#include "search/fulldomain/optimum.h"
#include "search/fulldomain/by_roll_up/by_roll_up.h"
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/fulldomain.h"

/* Prices nodes by their levels alone: if nothing may be suppressed, what a node costs by a measure
 * of cells follows from them, and its classes need not be looked at. */

bool mgl_levels_decide(const mgl_problem *problem)
{
    return problem->limit == 0 && problem->list->n_tuples > 0 && mgl_is_by_column(problem->measure);
}

/* What the statistics have for an attribute. */
typedef struct sums {
    double distortion, loss, bits;
} sums;

static void sum_level(const mgl_problem *p, size_t a, uint32_t l, mgl_statistics *s, sums *out)
{
    const mgl_released_column *column = p->columns[a];
    const mgl_level *level = &column->hierarchy->levels[l];
    uint64_t *rows = s->scratch;
    memset(rows, 0, column->n_values * sizeof *rows);
    for (uint32_t v = 0; v < level->n_values; v++) {
        uint32_t value = column->of_leaf[l][level->first_leaf[v]];
        rows[value] = mgl_rows_at(p->costs, column, a, l, v);
    }
    mgl_statistics_column(s, p->costs, a, rows, column->n_values);
    *out = (sums){s->distortion[a], s->loss[a], s->bits[a]};
}

/* Those of all attributes, one level after the other. */
typedef struct level_sums {
    sums *of_level;
    size_t *first; /* [attribute] */
} level_sums;

static mgl_status find_costs(const mgl_problem *p, const uint8_t *holds, const level_sums *levels,
                             uint32_t *node, mgl_statistics *s, mgl_error *err, mgl_ties *ties)
{
    size_t m = p->list->n_attributes;
    memcpy(node, p->min_level, m * sizeof *node);
    s->n_rows = p->list->n_rows;
    s->weights = p->weights;
    s->node = node;
    uint64_t number = 0;
    do {
        if (!holds[number++])
            continue;
        for (size_t a = 0; a < m; a++) {
            const sums *level = &levels->of_level[levels->first[a] + node[a] - p->min_level[a]];
            s->distortion[a] = level->distortion;
            s->loss[a] = level->loss;
            s->bits[a] = level->bits;
        }
        MGL_TRY(mgl_ties_add(ties, node, mgl_measure_cost(p->measure, s), err));
    } while (mgl_lattice_next(node, p->min_level, p->max_level, m));
    return MGL_OK;
}

mgl_status mgl_levels_cost(const mgl_problem *p, const uint32_t *node, mgl_error *err, double *out)
{
    size_t m = p->list->n_attributes;
    mgl_statistics s = {0};
    sums of_level;
    MGL_TRY(mgl_statistics_init(&s, p->columns, m, err));
    for (size_t a = 0; a < m; a++)
        sum_level(p, a, node[a], &s, &of_level); /* the statistics keep it as well */
    s.n_rows = p->list->n_rows;
    s.weights = p->weights;
    s.node = node;
    *out = mgl_measure_cost(p->measure, &s);
    mgl_statistics_free(&s);
    return MGL_OK;
}

mgl_status mgl_levels_best(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                           mgl_ties *ties)
{
    size_t m = problem->list->n_attributes, n = 0;
    mgl_owned own = {0};
    size_t *first = mgl_own_array(&own, m, sizeof *first);
    uint32_t *node = mgl_own_array(&own, m, sizeof *node);
    for (size_t a = 0; first != NULL && a < m; a++) {
        first[a] = n;
        n += problem->max_level[a] - problem->min_level[a] + 1;
    }
    level_sums levels = {mgl_own_array(&own, n, sizeof(sums)), first};
    mgl_statistics statistics = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&own, err));
    MGL_GO(mgl_statistics_init(&statistics, problem->columns, m, err));
    for (size_t a = 0; a < m; a++)
        for (uint32_t l = problem->min_level[a]; l <= problem->max_level[a]; l++)
            sum_level(problem, a, l, &statistics,
                      &levels.of_level[first[a] + l - problem->min_level[a]]);
    MGL_GO(find_costs(problem, holds, &levels, node, &statistics, err, ties));
done:
    mgl_statistics_free(&statistics);
    mgl_owned_free(&own);
    return status;
}

/* A label with so many values is looked at by the plain evaluation anyway. */
enum { MOST_LABELS = 256 };

/* Records of the other engine count labels. */
static bool counts_labels(const mgl_problem *problem)
{
    return problem->measure->form == MGL_COST_MAJORITY && problem->label != NULL &&
           problem->label->n_values <= MOST_LABELS && mgl_by_value_handles(problem);
}

mgl_status mgl_lattice_best(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    if (mgl_by_size_handles(problem) && !counts_labels(problem))
        return mgl_engine_optimum(&mgl_engine_by_size, problem, MGL_LITTLE_WORK, err, out);
    if (mgl_by_value_handles(problem))
        return mgl_engine_optimum(&mgl_engine_by_value, problem, MGL_LITTLE_WORK, err, out);
    return mgl_by_roll_up_optimum(problem, err, out);
}

/* Classes that violate a model may all be suppressed, and then count no more. */
static mgl_status everything_holds(const mgl_problem *problem, mgl_error *err, bool *out)
{
    *out = false;
    if (problem->treatment != MGL_EXEMPT || problem->limit < problem->list->n_rows ||
        mgl_judges_table(problem))
        return MGL_OK;
    MGL_TRY(mgl_some_must_stay(problem, err, out));
    *out = !*out;
    return MGL_OK;
}

static mgl_status find_holding(const mgl_problem *problem, uint64_t size, bool above,
                               mgl_error *err, uint8_t *holds, uint64_t *checked)
{
    bool everything;
    MGL_TRY(everything_holds(problem, err, &everything));
    if (everything) {
        memset(holds, 1, size);
        *checked = 0;
        return MGL_OK;
    }
    bool by_size = mgl_by_size_handles(problem);
    if (!by_size && !mgl_by_value_handles(problem))
        return mgl_by_roll_up_holding(problem, above, err, holds, checked);
    return mgl_engine_holding(by_size ? &mgl_engine_by_size : &mgl_engine_by_value, problem, above,
                              MGL_LITTLE_WORK, err, holds, checked);
}

static uint64_t size_of(const mgl_problem *problem)
{
    return mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
}

static mgl_status list_holding(const mgl_problem *problem, bool above, mgl_error *err,
                               uint8_t **out, uint64_t *checked)
{
    uint64_t size = size_of(problem);
    uint8_t *holds;
    MGL_TRY(mgl_new_zeroed(size, 1, err, &holds));
    mgl_status status = find_holding(problem, size, above, err, holds, checked);
    if (status != MGL_OK) {
        mgl_free(holds);
        return status;
    }
    *out = holds;
    return MGL_OK;
}

mgl_status mgl_lattice_holding(const mgl_problem *problem, mgl_error *err, uint8_t **out)
{
    uint64_t checked;
    return list_holding(problem, false, err, out, &checked);
}

static mgl_status explore_at_once(const mgl_engine *type, const mgl_problem *problem,
                                  mgl_error *err, mgl_optimum *best, uint8_t **above)
{
    uint8_t *holds;
    MGL_TRY(mgl_new_zeroed(size_of(problem), 1, err, &holds));
    mgl_status status = mgl_engine_both(type, problem, MGL_LITTLE_WORK, err, best, holds);
    if (status == MGL_OK && best->ties.n > 0)
        *above = holds;
    else
        mgl_free(holds);
    return status;
}

mgl_status mgl_lattice_best_and_holding(const mgl_problem *problem, mgl_error *err,
                                        mgl_optimum *best, uint8_t **above)
{
    bool small = size_of(problem) <= MGL_MOST_NODES;
    uint64_t checked;
    *above = NULL;
    /* A deadline wants the best so far, which the nodes that hold do not give. */
    if (small && problem->deadline == 0 && !problem->brief) {
        if (mgl_levels_decide(problem)) {
            MGL_TRY(list_holding(problem, false, err, above, &best->checked));
            return mgl_levels_best(problem, *above, err, &best->ties);
        }
        bool everything;
        MGL_TRY(everything_holds(problem, err, &everything));
        bool at_once = problem->memory == 0 && !everything && !counts_labels(problem);
        if (at_once && mgl_by_size_handles(problem))
            return explore_at_once(&mgl_engine_by_size, problem, err, best, above);
        if (at_once && mgl_by_value_handles(problem))
            return explore_at_once(&mgl_engine_by_value, problem, err, best, above);
    }
    MGL_TRY(mgl_lattice_best(problem, err, best));
    if (!small || best->timed_out || best->ties.n == 0 || problem->brief)
        return MGL_OK;
    return list_holding(problem, true, err, above, &checked);
}
