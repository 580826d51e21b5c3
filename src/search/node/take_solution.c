/* Turns what a search found, a node or a recoding, into a solution, or says why there is none.
 * Every method ends here. */
#include "search/node/node.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- Unmet ---------------------------------------------------------------------------------- */

/* What methods say where nothing holds: why, and what would help. */

void mgl_problem_column(const mgl_problem *problem, size_t a, char text[MGL_COLUMN_TEXT])
{
    if (problem->names != NULL)
        snprintf(text, MGL_COLUMN_TEXT, "column \"%.60s\"", problem->names[a]);
    else
        snprintf(text, MGL_COLUMN_TEXT, "quasi-identifier column %zu", a + 1);
}

static mgl_status take_least(void *context, uint64_t number, const uint32_t *node,
                             const mgl_evaluation *evaluation, mgl_error *err)
{
    _Atomic uint64_t *least = context;
    (void)number, (void)node, (void)err;
    uint64_t known = *least;
    while (evaluation->met && evaluation->suppressed_rows < known &&
           !atomic_compare_exchange_weak(least, &known, evaluation->suppressed_rows))
        ;
    return MGL_OK;
}

/* What suppressing more rows would come to. */
typedef struct outlook {
    uint64_t rows; /* the fewest that make a node hold when they are suppressed; UINT64_MAX: none */
    bool all;      /* every node was looked at, not only the top one */
} outlook;

/* Where there are too many nodes for a look at each, the top one has the largest classes. */
static mgl_status look_ahead(const mgl_problem *problem, mgl_error *err, outlook *out)
{
    enum { MOST_WORK = 50000000 };
    mgl_problem p = *problem;
    _Atomic uint64_t least = UINT64_MAX;
    uint64_t visited;
    bool timed_out;
    uint64_t nodes = mgl_lattice_size(p.min_level, p.max_level, p.list->n_attributes);
    p.limit = p.list->n_rows;
    p.deadline = 0;
    out->all = !mgl_problem_is_late(problem) && nodes <= MOST_WORK / (p.list->n_tuples + 1);
    if (!out->all)
        p.min_level = p.max_level;
    MGL_TRY(mgl_lattice_visit(&p, take_least, &least, err, &visited, &timed_out));
    out->rows = least;
    return MGL_OK;
}

static mgl_status fail_beyond(const mgl_problem *problem, const outlook *ahead, mgl_error *err)
{
    if (ahead->rows >= problem->list->n_rows)
        return mgl_fail_key(err, MGL_CODE_NO_RELEASE, "suppress",
                            "no node of the lattice holds%s; widen `level`, or ask for less",
                            ahead->all ? ", however few rows are left"
                                       : ", and the top one does not however few rows are left");
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "no node of the lattice holds within %llu suppressed rows; suppressing %llu "
        "row%s (%.3g %%) would do: `suppress: %llu`; or widen `level`, or ask for less",
        (unsigned long long)problem->limit, (unsigned long long)ahead->rows,
        ahead->rows == 1 ? "" : "s", 100 * (double)ahead->rows / (double)problem->list->n_rows,
        (unsigned long long)ahead->rows);
}

mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err)
{
    outlook ahead;
    if (timed_out)
        return mgl_fail_key(err, MGL_CODE_TIME_LIMIT, "time-limit",
                            "the time limit came before any release that holds was found; raise "
                            "`time-limit`");
    MGL_TRY(look_ahead(problem, err, &ahead));
    return fail_beyond(problem, &ahead, err);
}

mgl_status mgl_fail_no_node(const mgl_problem *problem, const char *method, mgl_error *err)
{
    outlook ahead;
    MGL_TRY(look_ahead(problem, err, &ahead));
    bool within = ahead.rows <= problem->limit && ahead.rows < problem->list->n_rows;
    if (ahead.all && !within)
        return fail_beyond(problem, &ahead, err);
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "%s came to no node that holds within %llu suppressed rows, %s; use `method` "
        "mingen, which looks at all, allow more with `suppress`, or ask for less",
        method, (unsigned long long)problem->limit,
        within ? "though there is one" : "but it does not look at all nodes");
}

mgl_status mgl_fail_no_release(const mgl_problem *problem, const char *method, mgl_error *err)
{
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "%s finds no release that holds within %llu suppressed rows; allow more with "
        "`suppress`, widen `level`, ask for less, or use another method",
        method, (unsigned long long)problem->limit);
}

/* ---- Run method ----------------------------------------------------------------------------- */

/* Runs a method and makes the solution say what is released. */

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

/* A method may run another one, with default options. */
static mgl_status run_with_defaults(const mgl_method_type *method, const mgl_problem *problem,
                                    mgl_error *err, mgl_solution *out)
{
    mgl_problem own = *problem;
    mgl_arena *arena = mgl_arena_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(arena != NULL, err));
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
    mgl_solution *solution;
    MGL_TRY(mgl_new_zeroed(1, sizeof *solution, err, &solution));
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
        return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, "method",
                            "%s handles one quasi-identifier only; give `qi` once, or use another "
                            "method",
                            method->name);
    if (problem->population != NULL && method->own_values)
        return mgl_fail_key(
            err, MGL_CODE_UNSUPPORTED, "method",
            "%s can release ranges and averages, and no population can be matched with "
            "these; leave out `population` and what needs it, or use another method",
            method->name);
    mgl_solution *solution;
    MGL_TRY(mgl_new_zeroed(1, sizeof *solution, err, &solution));
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
    if (problem->treatment != MGL_DROP) {
        bool any = solution->suppressed_rows > 0;
        solution->suppressed_rows =
            mgl_recoding_mark_tops(solution->recoding, problem->list->counts, problem->pool);
        if (any && solution->suppressed_rows == 0)
            take_top_node(problem, solution);
    }
    *out = solution;
    return MGL_OK;
}

void mgl_solution_free(mgl_solution *solution)
{
    if (solution == NULL)
        return;
    mgl_recoding_free(solution->recoding);
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    mgl_free(solution->node);
    mgl_free(solution->minimal_nodes);
    if (solution->findings != NULL && solution->method->free_findings != NULL)
        solution->method->free_findings(solution->findings);
    else
        mgl_free(solution->findings);
    mgl_aggregated_free(solution->aggregated);
    mgl_strata_free(solution->strata);
    mgl_free(solution);
}

void mgl_strata_free(mgl_strata *strata)
{
    if (strata == NULL)
        return;
    for (size_t i = 0; i < strata->n; i++)
        mgl_solution_free(strata->of[i].solution);
    mgl_free(strata->of);
    mgl_free(strata);
}

/* ---- Findings of the method ------------------------------------------------------------------ */

const uint32_t *mgl_solution_levels(const mgl_solution *s)
{
    return s->findings != NULL && s->method->levels != NULL ? s->method->levels(s->findings) : NULL;
}

const mgl_bound_duals *mgl_solution_duals(const mgl_solution *s)
{
    return s->findings != NULL && s->method->duals != NULL ? s->method->duals(s->findings) : NULL;
}

void mgl_solution_report(const mgl_solution *s, mgl_findings *out)
{
    if (s->findings != NULL && s->method->report != NULL)
        s->method->report(s->findings, out);
}

bool mgl_judges_table(const mgl_problem *problem)
{
    for (size_t q = 0; q < problem->n_sets; q++)
        if (mgl_models_of(&problem->sets[q]) & MGL_SOME_JUDGE_TABLE)
            return true;
    return false;
}

mgl_status mgl_solution_take_minimal(mgl_solution *solution, const mgl_problem *problem,
                                     const uint8_t *holds, mgl_error *err)
{
    MGL_TRY(mgl_minimal_nodes(problem, holds, err, &solution->minimal_nodes, &solution->n_minimal));
    solution->minimal_known = true;
    return MGL_OK;
}

/* ---- Classes --------------------------------------------------------------------------------- */

mgl_status mgl_recoding_classes_on(const mgl_problem *problem, const mgl_recoding *recoding,
                                   const mgl_quasi_set *set, mgl_error *err, mgl_classes *out)
{
    size_t n = recoding->n_attributes;
    uint32_t *n_values = mgl_alloc_array(n, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(n_values != NULL, err));
    for (size_t a = 0; a < n; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, recoding->n_tuples, n, err));
    mgl_cells_to_group cells = {recoding->cells, n_values, set != NULL ? set->attributes : NULL,
                                set != NULL ? set->n_attributes : n, problem->list->counts};
    mgl_classes_group_shared(out, &cells, problem->pool);
done:
    mgl_free(n_values);
    return status;
}

mgl_status mgl_recoding_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                                mgl_error *err, mgl_classes *out)
{
    return mgl_recoding_classes_on(problem, recoding, NULL, err, out);
}

mgl_status mgl_solution_group(mgl_solution *solution, const mgl_problem *problem, mgl_error *err)
{
    if (solution->classes != NULL)
        return MGL_OK;
    mgl_classes *classes;
    MGL_TRY(mgl_new_zeroed(1, sizeof *classes, err, &classes));
    mgl_status status = mgl_recoding_classes(problem, solution->recoding, err, classes);
    if (status == MGL_OK)
        solution->classes = classes;
    else
        mgl_free(classes);
    return status;
}

/* The classes of a node are those that rows were suppressed by, but for what is at the top now. */
static mgl_status take_classes(mgl_solution *solution, mgl_suppressor *suppressor, mgl_error *err)
{
    MGL_TRY(mgl_new_zeroed(1, sizeof *solution->classes, err, &solution->classes));
    MGL_TRY(mgl_suppressor_released(suppressor, solution->recoding->cells, err, solution->classes));
    if (solution->classes->of_tuple != NULL)
        return MGL_OK;
    mgl_free(solution->classes);
    solution->classes = NULL;
    return MGL_OK;
}

/* ---- Recodings ------------------------------------------------------------------------------- */

typedef struct suppressing {
    mgl_recoding *recoding;
    const uint8_t *tuples;
} suppressing;

static void suppress_range(void *context, mgl_range range)
{
    const suppressing *at = context;
    for (size_t t = range.first; t < range.end; t++)
        if (at->tuples[t])
            mgl_recoding_suppress(at->recoding, t);
}

mgl_status mgl_solution_treat_recoding(mgl_solution *solution, const mgl_problem *problem,
                                       mgl_recoding *recoding, mgl_error *err, bool *holds)
{
    mgl_problem with = *problem;
    mgl_suppressor *suppressor;
    mgl_suppression s;
    with.columns = recoding->columns;
    solution->recoding = recoding;
    MGL_TRY(mgl_suppressor_new(&with, err, &suppressor));
    mgl_suppressor_share(suppressor, problem->pool);
    mgl_suppress_more(suppressor, recoding->cells, recoding->suppressed, &s);
    suppressing at = {recoding, s.tuples};
    mgl_pool_run_ranges(problem->pool, recoding->n_tuples, suppress_range, &at);
    solution->suppressed_rows = s.rows;
    *holds = s.holds;
    mgl_status status = solution->node != NULL ? take_classes(solution, suppressor, err) : MGL_OK;
    mgl_suppressor_free(suppressor);
    return status;
}

typedef struct recoding_node {
    const mgl_problem *problem;
    const uint32_t *node;
    mgl_recoding *recoding;
} recoding_node;

static void recode_range(void *context, mgl_range range)
{
    const recoding_node *at = context;
    for (size_t a = 0; a < at->recoding->n_attributes; a++) {
        const uint32_t *of_leaf = at->problem->columns[a]->of_leaf[at->node[a]];
        uint32_t *cells = at->recoding->cells[a];
        for (size_t t = range.first; t < range.end; t++)
            cells[t] = of_leaf[mgl_list_leaf(at->problem->list, t, a)];
    }
}

mgl_status mgl_solution_take_node(mgl_solution *solution, const mgl_problem *problem,
                                  const uint32_t *node, mgl_error *err)
{
    const mgl_frequency_list *list = problem->list;
    size_t m = list->n_attributes, n = list->n_tuples;
    bool holds;
    mgl_recoding *recoding;
    MGL_TRY(mgl_new_array(m, sizeof *solution->node, err, &solution->node));
    memcpy(solution->node, node, m * sizeof *node);
    MGL_TRY(mgl_recoding_to_fill(problem->columns, m, n, err, &recoding));
    recoding_node at = {problem, node, recoding};
    mgl_pool_run_ranges(problem->pool, n, recode_range, &at);
    return mgl_solution_treat_recoding(solution, problem, recoding, err, &holds);
}

mgl_status mgl_solution_take_recoding(mgl_solution *solution, const mgl_problem *problem,
                                      mgl_recoding *recoding, mgl_error *err)
{
    bool holds;
    MGL_TRY(mgl_solution_treat_recoding(solution, problem, recoding, err, &holds));
    bool met = holds && (!problem->limited || solution->suppressed_rows <= problem->limit);
    return met ? MGL_OK
               : mgl_fail(err, MGL_CODE_NO_RELEASE, "the release that was found does not hold");
}
