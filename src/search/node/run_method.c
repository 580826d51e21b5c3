/* Runs a method and makes the solution say what is released. */
#include "search/node/node.h"

mgl_counting mgl_method_counting(const mgl_problem *problem, bool tops_match)
{
    const mgl_method_type *method = problem->method;
    size_t n = problem->list->n_attributes; /* columns of strata are in every combination */
    n -= mgl_held_columns(problem->columns, n);
    uint32_t columns =
        method->columns_together != NULL ? method->columns_together(problem->options, n) : 0;
    return (mgl_counting){.tops_match = tops_match && method->tops_may_match,
                          .columns = columns < n ? columns : 0};
}

/* Rows that are all at the top, some by suppression, are the top node. */
static void take_top_node(const mgl_problem *problem, mgl_solution *solution)
{
    bool other = false;
    for (size_t a = 0; solution->node != NULL && a < solution->n_attributes; a++) {
        uint32_t height = problem->columns[a]->hierarchy->height;
        other = other || solution->node[a] != height;
        solution->node[a] = height;
    }
    /* Then its height is not what the search went by. */
    if (other && problem->measure->form == MGL_COST_LEVELS)
        solution->exact = solution->bounded = false;
}

static void set_as_released(const mgl_problem *problem, mgl_solution *solution)
{
    bool any = solution->suppressed_rows > 0;
    solution->suppressed_rows =
        mgl_recoding_mark_tops(solution->recoding, problem->list->counts, problem->pool);
    if (any && solution->suppressed_rows == 0)
        take_top_node(problem, solution);
}

/* A method may run another one, with default options. */
static mgl_status run_with_defaults(const mgl_method_type *method, const mgl_problem *problem,
                                    mgl_error *err, mgl_solution *out)
{
    mgl_problem own = *problem;
    mgl_arena *arena = mgl_arena_new();
    mgl_status status = MGL_OK;
    if (arena == NULL)
        MGL_GO(mgl_fail_memory(err));
    own.method = method;
    MGL_GO(mgl_method_options(method, problem->list->n_attributes, NULL, NULL, arena, err,
                              &own.options));
    MGL_GO(method->run(&own, err, out));
done:
    mgl_arena_free(arena);
    return status;
}

mgl_status mgl_solution_without_columns(const mgl_problem *problem, mgl_error *err,
                                        mgl_solution **out)
{
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    if (solution == NULL)
        return mgl_fail_memory(err);
    solution->method = problem->method;
    mgl_status status =
        mgl_recoding_new(problem->columns, 0, problem->list->n_tuples, err, &solution->recoding);
    if (status != MGL_OK) {
        mgl_solution_free(solution);
        return status;
    }
    *out = solution;
    return MGL_OK;
}

mgl_status mgl_method_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                          mgl_solution **out)
{
    if (problem->n_sets > 1 && !method->several_sets)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s handles one quasi-identifier only; give `qi` once, or use another "
                     "method",
                     method->name),
            "method");
    if (problem->population != NULL && method->own_values)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s can release ranges and averages, and no population can be matched with "
                     "these; leave out `population` and what needs it, or use another method",
                     method->name),
            "method");
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    if (solution == NULL)
        return mgl_fail_memory(err);
    solution->n_attributes = problem->list->n_attributes;
    solution->nodes_total =
        mgl_lattice_size(problem->min_level, problem->max_level, solution->n_attributes);
    solution->method = method;
    mgl_status status = problem->method == method || method->n_options == 0
                            ? method->run(problem, err, solution)
                            : run_with_defaults(method, problem, err, solution);
    if (mgl_progress_stopped(problem->progress)) /* which a search may have taken for time's end */
        status = mgl_fail_cancelled(err);
    if (status != MGL_OK) {
        mgl_solution_free(solution);
        return status;
    }
    if (problem->treatment != MGL_DROP)
        set_as_released(problem, solution);
    *out = solution;
    return MGL_OK;
}
