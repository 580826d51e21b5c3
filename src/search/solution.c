#include "search/methods.h"
#include "search/suppress.h"

#include <stdatomic.h>

void mgl_solution_free(mgl_solution *solution)
{
    if (solution == NULL)
        return;
    mgl_recoding_free(solution->recoding);
    mgl_free(solution->node);
    mgl_free(solution->levels);
    mgl_free(solution->minimal_nodes);
    mgl_free(solution->heights_tried);
    mgl_free(solution->prices);
    mgl_free(solution);
}

mgl_status mgl_solution_take_minimal(mgl_solution *solution, const mgl_problem *problem,
                                     const uint8_t *holds, mgl_error *err)
{
    MGL_TRY(mgl_minimal_nodes(problem, holds, err, &solution->minimal_nodes, &solution->n_minimal));
    solution->minimal_known = true;
    return MGL_OK;
}

/* ---- Nothing holds ---------------------------------------------------------------------------
 */

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

/* The fewest rows that make a node hold when they are suppressed; UINT64_MAX: none do. Where there
 * are too many nodes for a look at each, those of the top one, which has the largest classes. */
static mgl_status least_suppression(const mgl_problem *problem, mgl_error *err, uint64_t *out)
{
    enum { MOST_WORK = 50000000 };
    mgl_problem p = *problem;
    _Atomic uint64_t least = UINT64_MAX;
    uint64_t visited;
    bool timed_out;
    uint64_t nodes = mgl_lattice_size(p.min_level, p.max_level, p.list->n_attributes);
    p.limit = p.list->n_rows;
    p.deadline = 0;
    if (nodes > MOST_WORK / (p.list->n_tuples + 1))
        p.min_level = p.max_level;
    MGL_TRY(mgl_lattice_sweep(&p, take_least, &least, err, &visited, &timed_out));
    *out = least;
    return MGL_OK;
}

mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err)
{
    if (timed_out)
        return mgl_fail(err, MGL_UNMET,
                        "the time limit came before any release that holds was found; raise "
                        "--time-limit");
    uint64_t least;
    MGL_TRY(least_suppression(problem, err, &least));
    if (least >= problem->list->n_rows)
        return mgl_fail(err, MGL_UNMET,
                        "no node of the lattice holds, however few rows are left; widen "
                        "--level, or ask for less");
    return mgl_fail(err, MGL_UNMET,
                    "no node of the lattice holds within %llu suppressed rows; suppressing %llu "
                    "row%s (%.3g %%) would do: --suppress %llu; or widen --level, or ask for less",
                    (unsigned long long)problem->limit, (unsigned long long)least,
                    least == 1 ? "" : "s", 100 * (double)least / (double)problem->list->n_rows,
                    (unsigned long long)least);
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
    return met ? MGL_OK : mgl_fail_unmet(problem, false, err);
}
