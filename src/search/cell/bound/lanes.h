/* Several tuples at once, each against all others. Private to the module. */
#ifndef MGL_SEARCH_CELL_BOUND_LANES_H
#define MGL_SEARCH_CELL_BOUND_LANES_H

#include "search/box/box.h"

enum { MGL_CELL_LANES = 4 };

/* A number for each of the tuples, in one register where the machine has such. */
typedef uint32_t mgl_cell_lane_numbers __attribute__((vector_size(4 * MGL_CELL_LANES)));
typedef struct mgl_cell_lanes {
    mgl_cell_lane_numbers of;
} mgl_cell_lanes;

static inline mgl_cell_lanes mgl_cell_lanes_add(mgl_cell_lanes x, mgl_cell_lanes y)
{
    x.of += y.of;
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

/* How costs are counted in lanes: in units, rounded down; and what stands for a cell above the
 * highest level. */
typedef struct mgl_cell_lane_costs {
    const mgl_box_space *space;
    size_t *first_value; /* [m] of the attribute's leaves among all */
    uint32_t unit, beyond;
} mgl_cell_lane_costs;

/* What each cell of tuple t costs where it meets a leaf, for all leaves of all attributes. */
static inline void mgl_cell_place_costs(const mgl_cell_lane_costs *how, uint32_t t, size_t lane,
                                        mgl_cell_lanes *out)
{
    const mgl_box_space *s = how->space;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *attribute = &s->attributes[a];
        uint32_t own = s->leaves[t * s->m + a];
        mgl_cell_lanes *costs = out + how->first_value[a];
        for (uint32_t leaf = 0; leaf < attribute->n_leaves; leaf++) {
            uint32_t level = mgl_cell_level_between(attribute, own, leaf);
            costs[leaf].of[lane] =
                level > attribute->high ? how->beyond : attribute->cost[level][own] / how->unit;
        }
    }
}

/* Do earlier releases distinguish the tuples, so that they are in no class together? */
static inline bool mgl_cell_are_apart(const mgl_box_space *s, uint32_t t, uint32_t u)
{
    size_t word = s->history_word;
    return ((s->keys[t * s->words + word] ^ s->keys[u * s->words + word]) & s->history_mask) != 0;
}

#endif
