/* Finds out whether a measure can only rise along the lattice, which labels that stand on several
 * levels can spoil. Bounds of searches ask it. */
#include "search/node/node.h"

static bool hierarchy_rises(const mgl_hierarchy *h, uint32_t from)
{
    for (uint32_t l = from; l < h->height; l++) {
        const mgl_level *level = &h->levels[l], *above = &h->levels[l + 1];
        for (uint32_t v = 0; v < level->n_values; v++)
            if (level->lowest[v] > above->lowest[level->parent[v]])
                return false;
    }
    return true;
}

bool mgl_distortion_rises(const mgl_problem *problem)
{
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (!hierarchy_rises(problem->columns[a]->hierarchy, problem->min_level[a]))
            return false;
    return true;
}

/* Generalizing makes values wider and classes fewer and larger, so every measure whose form is
 * known can only rise. Two exceptions: where a label counts as a lower level than the one below it,
 * precision can rise again, and rows that read as suppressed for classification may do so no more.
 */
bool mgl_cost_rises(const mgl_problem *problem)
{
    const mgl_measure_type *measure = problem->measure;
    bool by_labels = measure->cells == MGL_PAYS_LEVEL || measure->form == MGL_COST_MAJORITY;
    return measure->form != MGL_COST_UNKNOWN && (!by_labels || mgl_distortion_rises(problem));
}
