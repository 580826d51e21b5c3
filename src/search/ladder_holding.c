/* Which nodes of the lattice hold. */
#include "search/ladder.h"

mgl_status mgl_ladder_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                              uint64_t *checked)
{
    return mgl_sweep_holding(problem, err, holds, checked);
}
