/* Finds the best nodes of the lattice and all that hold, each in the fastest way there is.
 *
 * by_size is for models on class sizes, by_value for models on values, populations and persons;
 * by_roll_up takes the rest: several quasi-identifiers, and models whose descriptors say too
 * little. An engine whose tables would be too large leaves the problem to the sweep. All of them
 * evaluate a node by the whole-number sums of the plain evaluation, and tests compare them with
 * it. */
#include "search/fulldomain/by_roll_up/by_roll_up.h"
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"

/* A label with so many values is looked at by the plain evaluation anyway. */
enum { MOST_LABELS = 256 };

/* Records of the other engine count labels. */
static bool counts_labels(const mgl_problem *problem)
{
    return problem->measure->form == MGL_COST_MAJORITY && problem->label != NULL &&
           problem->label->n_values <= MOST_LABELS && mgl_by_value_handles(problem);
}

/* ---- The best ----------------------------------------------------------------------- */

mgl_status mgl_lattice_best(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    if (mgl_by_size_handles(problem) && !counts_labels(problem))
        return mgl_by_size_optimum(problem, err, out);
    if (mgl_by_value_handles(problem))
        return mgl_by_value_optimum(problem, err, out);
    return mgl_by_roll_up_optimum(problem, err, out);
}

/* ---- Those that hold ---------------------------------------------------------------- */

/* Classes that violate a model may all be suppressed, and then count no more. */
static mgl_status everything_holds(const mgl_problem *problem, mgl_error *err, bool *out)
{
    *out = false;
    if (problem->treatment != MGL_EXEMPT || problem->limit < problem->list->n_rows)
        return MGL_OK;
    for (size_t q = 0; q < problem->n_sets; q++)
        for (size_t i = 0; i < problem->sets[q].n_models; i++)
            if (problem->sets[q].models[i].type->scope != MGL_SCOPE_CLASS)
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
    if (mgl_by_size_handles(problem))
        return mgl_by_size_holding(problem, above, err, holds, checked);
    if (mgl_by_value_handles(problem))
        return mgl_by_value_holding(problem, above, err, holds, checked);
    return mgl_by_roll_up_holding(problem, above, err, holds, checked);
}

static uint64_t size_of(const mgl_problem *problem)
{
    return mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
}

static mgl_status list_holding(const mgl_problem *problem, bool above, mgl_error *err,
                               uint8_t **out, uint64_t *checked)
{
    uint64_t size = size_of(problem);
    uint8_t *holds = mgl_zeroed_array(size, 1);
    if (holds == NULL)
        return mgl_fail_memory(err);
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

/* ---- Both --------------------------------------------------------------------------- */

static mgl_status explore_at_once(const mgl_engine *type, const mgl_problem *problem,
                                  mgl_error *err, mgl_optimum *best, uint8_t **above)
{
    uint8_t *holds = mgl_zeroed_array(size_of(problem), 1);
    if (holds == NULL)
        return mgl_fail_memory(err);
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
