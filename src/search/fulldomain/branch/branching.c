/* Begins a branch and bound: the problem and what is marked, and how much there is to share out.
 * The set-up of both engines calls it. */
#include "search/fulldomain/branch/branch.h"

mgl_status mgl_branching_begin(mgl_branching *branching, const mgl_problem *problem,
                               const mgl_marking *marking, mgl_error *err)
{
    branching->problem = problem;
    branching->n_rows = problem->list->n_rows;
    branching->limit = problem->limit;
    if (marking != NULL) {
        branching->holds = marking->holds;
        branching->above = marking->above;
    }
    branching->arena = mgl_arena_new();
    if (branching->arena == NULL)
        return mgl_fail_memory(err);
    return mgl_some_must_stay(problem, err, &branching->some_stay);
}

void mgl_branching_divide(mgl_branching *branching, size_t n_classes, size_t most_columns)
{
    mgl_parallel *parallel = &branching->parallel;
    parallel->highest = branching->highest;
    parallel->most_columns = most_columns;
    parallel->work = (double)n_classes;
    for (size_t c = 0; c < branching->n_columns; c++)
        parallel->work *= branching->columns[c]->n_levels;
}
