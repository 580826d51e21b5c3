/* Turns what a search found, a node or a recoding, into a solution, or says why there is none.
 * Every method ends here. */
#include "search/node/node.h"

void mgl_solution_free(mgl_solution *solution)
{
    if (solution == NULL)
        return;
    mgl_recoding_free(solution->recoding);
    mgl_free(solution->node);
    mgl_free(solution->minimal_nodes);
    if (solution->findings != NULL && solution->method->free_findings != NULL)
        solution->method->free_findings(solution->findings);
    else
        mgl_free(solution->findings);
    mgl_free(solution);
}

/* ---- Findings of the method -------------------------------------------------------------------
 */

const uint32_t *mgl_solution_levels(const mgl_solution *s)
{
    return s->findings != NULL && s->method->levels != NULL ? s->method->levels(s->findings) : NULL;
}

const mgl_bound_prices *mgl_solution_prices(const mgl_solution *s)
{
    return s->findings != NULL && s->method->prices != NULL ? s->method->prices(s->findings) : NULL;
}

void mgl_solution_tell(const mgl_solution *s, json_t *document)
{
    if (s->findings != NULL && s->method->tell != NULL)
        s->method->tell(s->findings, document);
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

mgl_status mgl_solution_treat_recoding(mgl_solution *solution, const mgl_problem *problem,
                                       mgl_recoding *recoding, mgl_error *err, bool *holds)
{
    mgl_problem with = *problem;
    mgl_suppressor *suppressor;
    mgl_suppression s;
    with.columns = recoding->columns;
    solution->recoding = recoding;
    MGL_TRY(mgl_suppressor_new(&with, err, &suppressor));
    mgl_suppress_more(suppressor, recoding->cells, recoding->suppressed, &s);
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (s.tuples[t])
            mgl_recoding_suppress(recoding, t);
    solution->suppressed_rows = s.rows;
    *holds = s.holds;
    mgl_suppressor_free(suppressor);
    return MGL_OK;
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
    MGL_TRY(mgl_recoding_new(problem->columns, m, n, err, &recoding));
    for (size_t a = 0; a < m; a++) {
        const uint32_t *of_leaf = problem->columns[a]->of_leaf[node[a]];
        for (size_t t = 0; t < n; t++)
            recoding->cells[a][t] = of_leaf[mgl_list_leaf(list, t, a)];
    }
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
