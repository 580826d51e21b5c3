/* Turns what a search found, a node or a recoding, into a solution, or says why there is none.
 * Every method ends here. */
#include "search/node/node.h"

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
        for (size_t i = 0; i < problem->sets[q].n_models; i++)
            if (problem->sets[q].models[i].type->scope == MGL_SCOPE_TABLE)
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
    if (n_values == NULL)
        MGL_GO(mgl_fail_memory(err));
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
    mgl_classes *classes = mgl_zeroed_array(1, sizeof *classes);
    if (classes == NULL)
        return mgl_fail_memory(err);
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
    solution->classes = mgl_zeroed_array(1, sizeof *solution->classes);
    if (solution->classes == NULL)
        return mgl_fail_memory(err);
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
    solution->node = mgl_alloc_array(m, sizeof *solution->node);
    if (solution->node == NULL)
        return mgl_fail_memory(err);
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
