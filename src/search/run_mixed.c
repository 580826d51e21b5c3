/* Runs a method on the columns that are generalized and aggregates the others within the classes
 * that it found (docs/mixed.md). Commands call it for every search; a job in which no column says
 * how it is aggregated is what the method makes of it. */
#include "search/risky_rows.h"
#include "search/search.h"

#include "search/cluster/cluster.h"

/* The problem without the columns that are aggregated: they are at the top, and weigh nothing. */
typedef struct others {
    mgl_problem problem;
    uint32_t *min_level, *max_level;
    double *weights;
    size_t n; /* columns that are left */
} others;

static mgl_status leave_out(const mgl_problem *problem, mgl_error *err, others *out)
{
    size_t m = problem->list->n_attributes;
    double sum = 0;
    out->problem = *problem;
    out->min_level = mgl_alloc_array(m, sizeof *out->min_level);
    out->max_level = mgl_alloc_array(m, sizeof *out->max_level);
    out->weights = mgl_alloc_array(m, sizeof *out->weights);
    if (out->min_level == NULL || out->max_level == NULL || out->weights == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        bool stays = problem->aggregates[a] == MGL_AGGREGATE_NOT;
        uint32_t height = problem->columns[a]->hierarchy->height;
        out->min_level[a] = stays ? problem->min_level[a] : height;
        out->max_level[a] = stays ? problem->max_level[a] : height;
        sum += out->weights[a] = stays ? problem->weights[a] : 0;
        out->n += stays;
    }
    for (size_t a = 0; sum <= 0 && a < m; a++)
        out->weights[a] = problem->aggregates[a] == MGL_AGGREGATE_NOT;
    out->problem.min_level = out->min_level;
    out->problem.max_level = out->max_level;
    out->problem.weights = out->weights;
    out->problem.aggregates = NULL;
    out->problem.wants_proof = false;
    return MGL_OK;
}

static void free_others(others *o)
{
    mgl_free(o->min_level);
    mgl_free(o->max_level);
    mgl_free(o->weights);
}

/* Models that look at some columns at a time do not hold on the classes that would be cut. */
static mgl_status refuse_combinations(const mgl_problem *problem, mgl_error *err)
{
    if (problem->counting.columns == 0 && !problem->counting.tops_match)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_CONFLICT,
                 "`aggregate` works within classes of rows that are equal in all columns, and "
                 "models hold on combinations of columns here; leave `combinations` out, or "
                 "`aggregate`"),
        "aggregate");
}

static mgl_status run_mixed(const mgl_method_type *method, const mgl_problem *problem,
                            mgl_error *err, mgl_solution **out)
{
    others o = {0};
    mgl_solution *solution = NULL;
    if (problem->aggregates == NULL || method->averages)
        return mgl_method_run(method, problem, err, out);
    mgl_status status = MGL_OK;
    MGL_GO(refuse_combinations(problem, err));
    MGL_GO(mgl_aggregate_check(problem, err));
    MGL_GO(leave_out(problem, err, &o));
    if (o.n == 0) {
        MGL_GO(mgl_method_run(&mgl_microaggregate, problem, err, &solution));
        mgl_free(solution->findings); /* which belong to that method: all is in `aggregated` */
        solution->findings = NULL;
        solution->method = method;
    } else {
        MGL_GO(mgl_method_run(method, &o.problem, err, &solution));
        MGL_GO(mgl_aggregate_within(problem, err, solution));
    }
    *out = solution;
    solution = NULL;
done:
    mgl_solution_free(solution);
    free_others(&o);
    return status;
}

mgl_status mgl_search_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                          mgl_solution **out)
{
    MGL_TRY(mgl_progress_report(problem->progress, "search", 0, 0, err));
    if (problem->gone != NULL)
        return mgl_run_without_gone(method, problem, err, out);
    return mgl_held_columns(problem->columns, problem->list->n_attributes) > 0
               ? mgl_strata_run(run_mixed, method, problem, err, out)
               : run_mixed(method, problem, err, out);
}
