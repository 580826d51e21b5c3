/* Runs a method on the columns that are generalized and aggregates the others within the classes
 * that it found (docs/mixed.md). */
#include "search/cluster/cluster.h"
#include "search/search.h"
#include "search/sets/sets.h"

/* Rows that are suppressed before anything is generalized, because of their risk in the table as it
 * is: a method looks at the others alone, and what it finds is put together with them.
 *
 * Left out or exempt, these rows are in no class, and the others must hold among themselves. Where
 * they are kept they are a class at the top like any other, and the smallest classes join it until
 * it holds. */

/* The problem without the rows that are gone. Free with mgl_one_set_free. */
static mgl_status without_gone(const mgl_problem *problem, mgl_error *err, mgl_one_set *out)
{
    size_t m = problem->list->n_attributes;
    uint8_t *columns;
    MGL_TRY(mgl_new_array(m, 1, err, &columns));
    memset(columns, 1, m);
    mgl_status status = mgl_one_set_make(
        problem, &(mgl_one_set_request){.columns = columns, .gone = problem->gone}, err, out);
    mgl_free(columns);
    MGL_TRY(status);
    out->problem.gone = NULL;
    out->problem.counting = problem->counting;
    for (size_t i = 0; problem->label != NULL && i < problem->list->n_histograms; i++)
        if (problem->label == &problem->list->sensitive[i])
            out->problem.label = &out->list.sensitive[i];
    return MGL_OK;
}

/* The recoding of all tuples, from that of some; its own columns go over. */
static mgl_status put_together(const mgl_problem *problem, const mgl_one_set *one,
                               mgl_recoding *some, mgl_error *err, mgl_recoding **out)
{
    size_t m = problem->list->n_attributes, n = problem->list->n_tuples;
    mgl_released_column **own = mgl_zeroed_array(m, sizeof *own);
    mgl_recoding *all = NULL;
    MGL_TRY(mgl_check_memory(own != NULL, err));
    for (size_t a = 0; some->own != NULL && a < m; a++) {
        own[a] = some->own[a];
        some->own[a] = NULL;
    }
    mgl_status status = mgl_recoding_with(problem->columns, own, m, n, err, &all);
    mgl_free(own);
    MGL_TRY(status);
    for (size_t t = 0; t < some->n_tuples; t++) {
        for (size_t a = 0; a < m; a++)
            all->cells[a][one->tuple_of[t]] = some->cells[a][t];
        all->suppressed[one->tuple_of[t]] = some->suppressed[t];
    }
    for (size_t t = 0; t < n; t++)
        if (problem->gone[t])
            mgl_recoding_suppress(all, t);
    *out = all;
    return MGL_OK;
}

/* Kept rows at the top are a class, which others join until it holds. */
static mgl_status join_kept(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err)
{
    mgl_problem with = *problem;
    mgl_suppressor *suppressor = NULL;
    mgl_suppression found;
    mgl_status status = MGL_OK;
    with.columns = recoding->columns;
    MGL_GO(mgl_suppressor_new(&with, err, &suppressor));
    mgl_suppress_more(suppressor, recoding->cells, recoding->suppressed, &found);
    if (!found.holds)
        MGL_GO(
            mgl_fail_key(err, MGL_CODE_NO_RELEASE, "suppress-above",
                         "the rows above the risk do not hold the models together, whatever joins "
                         "them; leave them out with `suppressed: drop`"));
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (found.tuples[t])
            mgl_recoding_suppress(recoding, t);
done:
    mgl_suppressor_free(suppressor);
    return status;
}

static uint64_t rows_of(const mgl_problem *problem, const uint8_t *tuples)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < problem->list->n_tuples; t++)
        rows += tuples[t] ? problem->list->counts[t] : 0;
    return rows;
}

/* What is known about some rows need not be true of all. */
static void forget_proofs(mgl_solution *solution)
{
    solution->exact = solution->bounded = solution->minimal_known = false;
    solution->n_ties = 0;
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
}

static mgl_status finish(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                         mgl_solution *solution)
{
    uint64_t before = rows_of(problem, recoding->suppressed);
    mgl_recoding_free(solution->recoding);
    solution->recoding = recoding;
    forget_proofs(solution);
    if (problem->treatment == MGL_KEEP)
        MGL_TRY(join_kept(problem, recoding, err));
    solution->suppressed_rows = rows_of(problem, recoding->suppressed);
    solution->risky_rows = rows_of(problem, problem->gone);
    solution->joined_rows = solution->suppressed_rows - before;
    if (problem->treatment != MGL_DROP)
        solution->suppressed_rows =
            mgl_recoding_mark_tops(recoding, problem->list->counts, problem->pool);
    return MGL_OK;
}

static mgl_status run_on_rest(const mgl_method_type *method, const mgl_problem *problem,
                              const mgl_one_set *one, mgl_error *err, mgl_solution **out)
{
    mgl_solution *solution = NULL;
    mgl_recoding *recoding = NULL;
    mgl_status status = MGL_OK;
    if (one->list.n_tuples == 0) {
        MGL_GO(mgl_new_zeroed(1, sizeof *solution, err, &solution));
        solution->n_attributes = problem->list->n_attributes;
        solution->method = method;
        /* Nothing is left that a method could look at. */
        const mgl_frequency_list *list = problem->list;
        MGL_GO(
            mgl_recoding_new(problem->columns, list->n_attributes, list->n_tuples, err, &recoding));
        for (size_t t = 0; t < list->n_tuples; t++)
            mgl_recoding_suppress(recoding, t);
    } else {
        MGL_GO(mgl_method_run(method, &one->problem, err, &solution));
        MGL_GO(put_together(problem, one, solution->recoding, err, &recoding));
    }
    MGL_GO(finish(problem, recoding, err, solution));
    *out = solution;
    solution = NULL;
done:
    mgl_solution_free(solution);
    return status;
}

/* Runs a method as mgl_method_run does, where some rows are gone before. */
static mgl_status run_without_gone(const mgl_method_type *method, const mgl_problem *problem,
                                   mgl_error *err, mgl_solution **out)
{
    mgl_one_set one = {0};
    mgl_cell_costs *costs = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(without_gone(problem, err, &one));
    MGL_GO(mgl_cell_costs_new(&one.list, problem->columns, problem->pool, err,
                              &costs)); /* of the rows there are */
    one.problem.costs = costs;
    MGL_GO(run_on_rest(method, problem, &one, err, out));
done:
    mgl_cell_costs_free(costs);
    mgl_one_set_free(&one);
    return status;
}

/* The problem without the columns that are aggregated: they are at the top, and weigh nothing. */
typedef struct others {
    mgl_problem problem;
    uint32_t *min_level, *max_level;
    double *weights;
    size_t n; /* columns that are left */
    mgl_owned own;
} others;

static mgl_status leave_out(const mgl_problem *problem, mgl_error *err, others *out)
{
    size_t m = problem->list->n_attributes;
    double sum = 0;
    out->problem = *problem;
    out->min_level = mgl_own_array(&out->own, m, sizeof *out->min_level);
    out->max_level = mgl_own_array(&out->own, m, sizeof *out->max_level);
    out->weights = mgl_own_array(&out->own, m, sizeof *out->weights);
    MGL_TRY(mgl_owned_check(&out->own, err));
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

/* Models that look at some columns at a time do not hold on the classes that would be cut. */
static mgl_status refuse_combinations(const mgl_problem *problem, mgl_error *err)
{
    if (problem->counting.columns == 0 && !problem->counting.tops_match)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, "aggregate",
        "`aggregate` works within classes of rows that are equal in all columns, and "
        "models hold on combinations of columns here; leave `combinations` out, or "
        "`aggregate`");
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
    mgl_owned_free(&o.own);
    return status;
}

mgl_status mgl_search_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                          mgl_solution **out)
{
    MGL_TRY(mgl_progress_report(problem->progress, "search", 0, 0, err));
    if (problem->gone != NULL)
        return run_without_gone(method, problem, err, out);
    return mgl_held_columns(problem->columns, problem->list->n_attributes) > 0
               ? mgl_strata_run(run_mixed, method, problem, err, out)
               : run_mixed(method, problem, err, out);
}
