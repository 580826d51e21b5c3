/* Turns what a search found, a node or a recoding, into a solution, or says why there is none.
 * Every method ends here. */
#include "search/methods.h"
#include "search/node/suppress.h"

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
    mgl_free(solution->steps.numbers);
    mgl_free(solution);
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
    out->all = nodes <= MOST_WORK / (p.list->n_tuples + 1);
    if (!out->all)
        p.min_level = p.max_level;
    MGL_TRY(mgl_lattice_sweep(&p, take_least, &least, err, &visited, &timed_out));
    out->rows = least;
    return MGL_OK;
}

static mgl_status fail_beyond(const mgl_problem *problem, const outlook *ahead, mgl_error *err)
{
    if (ahead->rows >= problem->list->n_rows)
        return mgl_fail(err, MGL_UNMET,
                        "no node of the lattice holds%s; widen --level, or ask for less",
                        ahead->all ? ", however few rows are left"
                                   : ", and the top one does not however few rows are left");
    return mgl_fail(err, MGL_UNMET,
                    "no node of the lattice holds within %llu suppressed rows; suppressing %llu "
                    "row%s (%.3g %%) would do: --suppress %llu; or widen --level, or ask for less",
                    (unsigned long long)problem->limit, (unsigned long long)ahead->rows,
                    ahead->rows == 1 ? "" : "s",
                    100 * (double)ahead->rows / (double)problem->list->n_rows,
                    (unsigned long long)ahead->rows);
}

mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err)
{
    outlook ahead;
    if (timed_out)
        return mgl_fail(err, MGL_UNMET,
                        "the time limit came before any release that holds was found; raise "
                        "--time-limit");
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
    return mgl_fail(err, MGL_UNMET,
                    "%s came to no node that holds within %llu suppressed rows, %s; use --method "
                    "mingen, which looks at all, allow more with --suppress, or ask for less",
                    method, (unsigned long long)problem->limit,
                    within ? "though there is one" : "but it does not look at all nodes");
}

mgl_status mgl_fail_no_release(const mgl_problem *problem, const char *method, mgl_error *err)
{
    return mgl_fail(err, MGL_UNMET,
                    "%s finds no release that holds within %llu suppressed rows; allow more with "
                    "--suppress, widen --level, ask for less, or use another method",
                    method, (unsigned long long)problem->limit);
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
    return met ? MGL_OK : mgl_fail(err, MGL_UNMET, "the release that was found does not hold");
}
