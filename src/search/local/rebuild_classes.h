/* Tuples of some classes, put together anew. Inside the room only. */
#ifndef MGL_SEARCH_LOCAL_REBUILD_CLASSES_H
#define MGL_SEARCH_LOCAL_REBUILD_CLASSES_H

#include "search/local/patterns.h"

enum {
    MGL_LOCAL_NEIGHBOURHOOD = 40,
    MGL_LOCAL_NODES = 1024, /* patterns that are tried */
    MGL_LOCAL_SEEN_BITS = 12
};

typedef struct mgl_local_clump {
    uint32_t pattern;
    uint64_t rows;
    uint32_t members[MGL_LOCAL_NEIGHBOURHOOD]; /* places in the neighbourhood */
    size_t n;
} mgl_local_clump;

typedef struct mgl_local_node {
    double price;
    uint32_t pattern;
} mgl_local_node;

typedef struct mgl_local_neighbourhood {
    const mgl_local *l;
    mgl_box_judge *judge;
    uint32_t tuples[MGL_LOCAL_NEIGHBOURHOOD];
    size_t n;
    uint64_t may_suppress; /* rows that may still be suppressed as a whole, without being a class */
    /* What was made of it. */
    mgl_local_clump clumps[MGL_LOCAL_NEIGHBOURHOOD];
    size_t n_clumps;
    uint32_t suppressed[MGL_LOCAL_NEIGHBOURHOOD]; /* places of tuples in no clump */
    size_t n_suppressed;
    uint64_t work; /* done so far */
    /* While it is made. */
    uint32_t differ[MGL_LOCAL_NEIGHBOURHOOD][MGL_LOCAL_NEIGHBOURHOOD];
    double prices[4][256]; /* as the real ones, with noise */
    mgl_local_node nodes[MGL_LOCAL_NODES];
    size_t n_nodes;
    uint16_t seen[1 << MGL_LOCAL_SEEN_BITS]; /* by pattern; number of the node + 1 */
    uint32_t judged[MGL_LOCAL_NEIGHBOURHOOD];
} mgl_local_neighbourhood;

/* Clumps that hold, each at one pattern. False if not all tuples could be put together. */
bool mgl_local_rebuild(mgl_local_neighbourhood *neighbourhood, mgl_quick_random *random);

uint64_t mgl_local_neighbourhood_cost(const mgl_local_neighbourhood *neighbourhood);

/* The pattern that is released: cells that may not be suppressed alone make it the whole row. */
static inline uint32_t mgl_local_allowed(const mgl_local *l, uint32_t pattern)
{
    return (pattern & ~l->free) != 0 ? l->whole : pattern;
}

#endif
