/* Judges the whole table as one class at the top. suppress.c and searches that may end there ask
 * it. */
#include "search/node/node.h"

/* Cells that are all at the top: cells[a][t]. */
static mgl_status make_tops(const mgl_problem *p, mgl_error *err, uint32_t **cells)
{
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        cells[a] = mgl_alloc_array(p->list->n_tuples, sizeof **cells);
        if (cells[a] == NULL)
            return mgl_fail_memory(err);
        for (size_t t = 0; t < p->list->n_tuples; t++)
            cells[a][t] = p->columns[a]->top;
    }
    return MGL_OK;
}

static mgl_status judge(const mgl_problem *p, uint32_t *const *cells, mgl_error *err, bool *holds)
{
    mgl_suppressor *suppressor;
    mgl_suppression found;
    MGL_TRY(mgl_suppressor_new(p, err, &suppressor));
    mgl_suppress(suppressor, cells, &found);
    *holds = found.holds;
    mgl_suppressor_free(suppressor);
    return MGL_OK;
}

static bool level_is_top(const mgl_released_column *column, uint32_t level)
{
    for (uint32_t leaf = 0; leaf < column->hierarchy->n_leaves; leaf++)
        if (column->of_leaf[level][leaf] != column->top)
            return false;
    return true;
}

/* A level below may carry the label of the top already. */
static bool column_allows_top(const mgl_problem *problem, size_t a)
{
    for (uint32_t level = problem->min_level[a]; level <= problem->max_level[a]; level++)
        if (level_is_top(problem->columns[a], level))
            return true;
    return false;
}

bool mgl_levels_allow_top(const mgl_problem *problem)
{
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (!column_allows_top(problem, a))
            return false;
    return true;
}

mgl_status mgl_top_class_holds(const mgl_problem *problem, mgl_error *err, bool *holds)
{
    size_t m = problem->list->n_attributes;
    uint32_t **cells = mgl_zeroed_array(m, sizeof *cells);
    mgl_status status = cells == NULL ? mgl_fail_memory(err) : make_tops(problem, err, cells);
    if (status == MGL_OK)
        status = judge(problem, cells, err, holds);
    for (size_t a = 0; cells != NULL && a < m; a++)
        mgl_free(cells[a]);
    mgl_free(cells);
    return status;
}

mgl_status mgl_some_must_stay(const mgl_problem *problem, mgl_error *err, bool *out)
{
    bool holds = false;
    if (problem->treatment == MGL_EXEMPT && problem->limit >= problem->list->n_rows)
        MGL_TRY(mgl_top_class_holds(problem, err, &holds));
    *out = problem->treatment != MGL_KEEP && !holds;
    return MGL_OK;
}
