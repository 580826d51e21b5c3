/* What is known about columns that were aggregated. Solutions have it. */
#include "search/problem/problem.h"

void mgl_aggregated_free(mgl_aggregated *aggregated)
{
    if (aggregated == NULL)
        return;
    mgl_free(aggregated->node);
    mgl_free(aggregated->columns);
    mgl_free(aggregated);
}
