/* Lists which nodes of the lattices of all subsets hold, by the engine that lists nodes fastest.
 * incognito.c calls it before it goes through the subsets. */
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/top_down.h"

/* The same question with every column that has several levels up to its top. */
static mgl_problem up_to_tops(const mgl_problem *p, uint32_t *max_level)
{
    mgl_problem wide = *p;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        max_level[a] =
            p->min_level[a] < p->max_level[a] ? p->columns[a]->hierarchy->height : p->max_level[a];
    wide.max_level = max_level;
    return wide;
}

static uint64_t size_of(const mgl_problem *p)
{
    return mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
}

/* Where all rows may be suppressed it matters whether the top is a node. Up to the tops it is, even
 * if the problem does not have it. */
bool mgl_subset_list_pays(const mgl_problem *problem)
{
    size_t m = problem->list->n_attributes;
    uint32_t max_level[MGL_MOST_COLUMNS];
    if (m > MGL_MOST_COLUMNS || !mgl_is_fast(problem))
        return false;
    mgl_problem wide = up_to_tops(problem, max_level);
    bool all_may_go = problem->limit >= problem->list->n_rows;
    return mgl_is_fast(&wide) && !(all_may_go && size_of(&wide) > size_of(problem)) &&
           size_of(&wide) <= MGL_MOST_SUBSET_NODES;
}

mgl_status mgl_subset_list_make(const mgl_problem *problem, mgl_error *err, mgl_subset_list *out)
{
    size_t m = problem->list->n_attributes;
    uint32_t max_level[MGL_MOST_COLUMNS];
    mgl_problem wide = up_to_tops(problem, max_level);
    *out = (mgl_subset_list){
        .step = mgl_alloc_array(m, sizeof *out->step),
        .top = mgl_alloc_array(m, sizeof *out->top),
    };
    if (out->step == NULL || out->top == NULL)
        return mgl_fail_memory(err);
    uint64_t step = 1;
    for (size_t a = m; a-- > 0; step *= (uint64_t)max_level[a] - problem->min_level[a] + 1) {
        out->step[a] = step;
        out->top[a] = step * (max_level[a] - problem->min_level[a]);
        out->all_tops += out->top[a];
    }
    return mgl_lattice_holding(&wide, err, &out->holds);
}

void mgl_subset_list_free(mgl_subset_list *list)
{
    mgl_free(list->holds);
    mgl_free(list->step);
    mgl_free(list->top);
    *list = (mgl_subset_list){0};
}
