/* Points that are not in a group yet, twice in a tree of boxes: once cut into halves, where the
 * nearest ones are found, and once cut into shells around their mean first, where the farthest
 * ones are. Of the microaggregation only. */
#ifndef MGL_SEARCH_CLUSTER_MICROAGGREGATE_POINT_TREE_H
#define MGL_SEARCH_CLUSTER_MICROAGGREGATE_POINT_TREE_H

#include "search/cluster/microaggregate/points.h"

enum { MGL_MICRO_LANES = 32 };

/* A point in a row of points. */
typedef struct mgl_micro_near {
    double distance;
    uint32_t tuple;
} mgl_micro_near;

/* A box around points. A leaf has a block of them. */
typedef struct mgl_micro_box {
    uint32_t parent;
    uint32_t left, right; /* of a leaf: the block, MGL_NOT_FOUND */
    uint32_t n;           /* points */
    uint64_t rows;
    double reach; /* how far from the middle they are, at most */
} mgl_micro_box;

/* Blocks of up to 32 points, coordinate by coordinate, so that their distances are computed side
 * by side; and the boxes around them. */
typedef struct mgl_micro_boxes {
    bool in_shells;
    uint32_t n_blocks, n_boxes;
    double *coordinates;  /* [(block * m + a) * MGL_MICRO_LANES + lane] */
    uint32_t *tuples;     /* [block * MGL_MICRO_LANES + lane] */
    uint32_t *box_of;     /* [block] */
    uint32_t *block_of;   /* [tuple] */
    mgl_micro_box *boxes; /* [0] the root */
    double *low, *high;   /* [box * m + a] */
    double *sums;         /* [box * m + a] over rows */
} mgl_micro_boxes;

struct mgl_micro_tree {
    const mgl_micro_space *space;
    size_t m;               /* axes along which the points differ */
    uint32_t *axes;         /* [m] columns */
    double *weights;        /* [m] */
    double *common;         /* [columns] where all points are along the others */
    size_t n_built;         /* points when the boxes were built last */
    mgl_micro_boxes halves; /* to find near points */
    mgl_micro_boxes shells; /* to find far ones */
    double *middle;         /* [m] what the shells are around */
    double *radius;         /* [tuple] distance from it */
    double *point;          /* [m] what distances are measured from */
    mgl_micro_near *found;  /* [n] near points: n_kept in order, then further ones */
    size_t n_found, n_kept;
    double limit;     /* points farther away are not among the nearest */
    uint64_t wanted;  /* rows that the nearest ones must have */
    uint32_t *answer; /* [n] */
};

static inline bool mgl_micro_is_leaf(const mgl_micro_box *box)
{
    return box->right == MGL_NOT_FOUND;
}

static inline double mgl_micro_coordinate(const mgl_micro_tree *tree, uint32_t tuple, size_t a)
{
    return tree->space->points[tuple * tree->space->d + tree->axes[a]];
}

/* Points at different distances; of equal ones the larger tuple comes first. */
static inline bool mgl_micro_comes_first(const mgl_micro_near *p, const mgl_micro_near *q)
{
    return p->distance < q->distance || (p->distance == q->distance && p->tuple > q->tuple);
}
int mgl_micro_compare(const void *p, const void *q);

static inline void mgl_micro_swap(mgl_micro_near *p, mgl_micro_near *q)
{
    mgl_micro_near held = *p;
    *p = *q;
    *q = held;
}

/* point_boxes.c: builds the boxes of points, in whose order it makes a mess. */
void mgl_micro_boxes_build(mgl_micro_tree *tree, mgl_micro_boxes *boxes, mgl_micro_near *points,
                           size_t n);
void mgl_micro_boxes_remove(mgl_micro_tree *tree, mgl_micro_boxes *boxes, uint32_t tuple);

#endif
