/* Rows that were counted at the top of some columns (--least-count) read as the top before all
 * others do, at nodes that leave those columns as they are. minimal.c and the engines ask it.
 *
 * Branch and bound by sizes or by values leaves such a problem to searches that evaluate nodes. */
#include "search/node/node.h"

bool mgl_tops_come_early(const mgl_problem *p)
{
    for (size_t t = 0; p->list->regrouped && p->treatment != MGL_DROP && t < p->list->n_tuples; t++)
        for (size_t a = 0; a < p->list->n_attributes; a++) {
            const mgl_released_column *column = p->columns[a];
            uint32_t leaf = mgl_list_leaf(p->list, t, a);
            if (p->min_level[a] < column->hierarchy->height &&
                column->of_leaf[p->min_level[a]][leaf] == column->top)
                return true;
        }
    return false;
}
