/* Tuples of some classes, put together anew. Inside the room only. */
#ifndef MGL_SEARCH_LOCAL_REBUILD_CLASSES_H
#define MGL_SEARCH_LOCAL_REBUILD_CLASSES_H

#include "search/local/patterns.h"

enum {
    MGL_POOL_TUPLES = 40,
    MGL_POOL_NODES = 1024, /* patterns that are tried */
    MGL_POOL_SEEN_BITS = 12
};

typedef struct mgl_local_part {
    uint32_t pattern;
    uint64_t rows;
    uint32_t members[MGL_POOL_TUPLES]; /* places in the pool */
    size_t n;
} mgl_local_part;

typedef struct mgl_local_node {
    double price;
    uint32_t pattern;
} mgl_local_node;

typedef struct mgl_local_pool {
    const mgl_local *l;
    mgl_box_judge *judge;
    uint32_t tuples[MGL_POOL_TUPLES];
    size_t n;
    uint64_t may_suppress; /* rows that may still be suppressed as a whole, without being a class */
    /* What was made of it. */
    mgl_local_part parts[MGL_POOL_TUPLES];
    size_t n_parts;
    uint32_t suppressed[MGL_POOL_TUPLES]; /* places of tuples in no part */
    size_t n_suppressed;
    uint64_t work; /* done so far */
    /* While it is made. */
    uint32_t differ[MGL_POOL_TUPLES][MGL_POOL_TUPLES];
    double prices[4][256]; /* as the real ones, with noise */
    mgl_local_node nodes[MGL_POOL_NODES];
    size_t n_nodes;
    uint16_t seen[1 << MGL_POOL_SEEN_BITS]; /* by pattern; number of the node + 1 */
    uint32_t judged[MGL_POOL_TUPLES];
} mgl_local_pool;

/* Parts that hold, each at one pattern. False if not all tuples could be put together. */
bool mgl_local_pool_rebuild(mgl_local_pool *pool, mgl_quick_random *random);

uint64_t mgl_local_pool_cost(const mgl_local_pool *pool);

/* The pattern that is released: cells that may not be suppressed alone make it the whole row. */
static inline uint32_t mgl_local_allowed(const mgl_local *l, uint32_t pattern)
{
    return (pattern & ~l->free) != 0 ? l->whole : pattern;
}

#endif
