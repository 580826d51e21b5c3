/* Several tuples at once, each against all others. Inside the room only. */
#ifndef MGL_SEARCH_CELL_BOUND_LANES_H
#define MGL_SEARCH_CELL_BOUND_LANES_H

#include "search/box/box.h"

enum { MGL_CELL_LANES = 4 };

/* A number for each of the tuples. */
typedef struct mgl_cell_lanes {
    uint32_t of[MGL_CELL_LANES];
} mgl_cell_lanes;

static inline mgl_cell_lanes mgl_cell_lanes_add(mgl_cell_lanes x, mgl_cell_lanes y)
{
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
        x.of[lane] += y.of[lane];
    return x;
}

/* The lowest level allowed at which two leaves of the attribute are one value; it may be above the
 * highest. */
static inline uint32_t mgl_cell_level_between(const mgl_box_attribute *attribute, uint32_t leaf,
                                              uint32_t other)
{
    uint64_t differ = (attribute->code[leaf] ^ attribute->code[other]) << attribute->shift &
                      attribute->mask[attribute->low];
    return differ == 0 ? attribute->low : attribute->split[63 - (unsigned)__builtin_clzll(differ)];
}

/* bound_by_tuple.c: the same as the simple bound, without models, for each of these tuples by
 * itself. About that many tuples are looked at for each. */
mgl_status mgl_cell_simple_bound_of(const mgl_box_space *space, const uint32_t *tuples, size_t n,
                                    mgl_error *err, uint32_t *bound);
uint64_t mgl_cell_simple_work_of(const mgl_box_space *space);

#endif
