/* How much a branch and bound has to share out: the engines ask it when they begin. */
#include "search/fulldomain/branch/branch.h"

void mgl_branching_divide(mgl_branching *branching, size_t n_classes, size_t most_columns)
{
    mgl_parallel *parallel = &branching->parallel;
    parallel->highest = branching->highest;
    parallel->most_columns = most_columns;
    parallel->work = (double)n_classes;
    for (size_t c = 0; c < branching->n_columns; c++)
        parallel->work *= branching->columns[c]->n_levels;
}
