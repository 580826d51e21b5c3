/* Mondrian: regions of the table that are cut in two or more while all of them hold. Private to the
 * module.
 *
 * Leaves become units that stand in a row: numbers and dates by size, hierarchy values so that
 * those under one value stand side by side. What a region is released as in a column depends on the
 * first and the last of its units alone: a range, or the lowest common ancestor. */
#ifndef MGL_SEARCH_CLUSTER_MONDRIAN_CUTTING_H
#define MGL_SEARCH_CLUSTER_MONDRIAN_CUTTING_H

#include "search/node/node.h"

/* Equal values stay together, or halves are as equal as can be. */
typedef enum mgl_cut { MGL_CUT_STRICT, MGL_CUT_RELAXED } mgl_cut;

typedef struct mgl_mondrian_options {
    mgl_cut cut;
} mgl_mondrian_options;

static inline bool mgl_mondrian_is_relaxed(const mgl_problem *problem)
{
    return ((const mgl_mondrian_options *)problem->options)->cut == MGL_CUT_RELAXED;
}

/* ---- The columns ------------------------------------------------------------------ */

typedef struct mgl_mondrian_column {
    const mgl_released_column *released;
    const mgl_hierarchy *hierarchy;
    uint32_t n_units;
    uint32_t *unit_of_leaf; /* [n_leaves] */
    uint32_t *leaf_of_unit; /* [n_units] one of its leaves */
    uint32_t low, high;     /* levels that cells may have; units are the values of the low one */
    mgl_scale *scale;       /* released as ranges; NULL: as hierarchy values */
    double *numbers;        /* with a scale: [n_units] */
    uint32_t missing;       /* with a scale: the unit of the missing value, the last; or none */
} mgl_mondrian_column;

typedef struct mgl_mondrian_space {
    const mgl_problem *problem;
    mgl_arena *arena;
    size_t n, m;
    mgl_mondrian_column *columns;
    uint32_t *units; /* [t * m + a] */
    uint32_t n_keys; /* more than there are values on any level of a column */
    bool judged;     /* models look at more than the number of rows */
} mgl_mondrian_space;

/* Free with mgl_mondrian_space_free. */
mgl_status mgl_mondrian_space_new(const mgl_problem *problem, mgl_error *err,
                                  mgl_mondrian_space **out);
void mgl_mondrian_space_free(mgl_mondrian_space *space);

/* The level at which all units from one to another are the same value. */
uint32_t mgl_mondrian_level(const mgl_mondrian_column *column, uint32_t first, uint32_t last);

/* The loss of the value that stands for all units from one to another. */
double mgl_mondrian_width(const mgl_mondrian_column *column, uint32_t first, uint32_t last);

/* ---- Regions -------------------------------------------------------------------------- */

/* All tuples in an order such that the regions are runs of them; within a region they ascend. */
typedef struct mgl_mondrian_regions {
    const mgl_mondrian_space *space;
    uint64_t need;   /* rows that a region has at least */
    uint32_t *order; /* [n] */
    uint8_t *begins; /* [n] 1: a region begins here */
    uint32_t *other; /* [n] scratch, beside order */
    uint32_t *keys;  /* [n] scratch: which group of a cut each tuple is in */
    bool timed_out;
} mgl_mondrian_regions;

/* ---- One cut -------------------------------------------------------------------------- */

/* Tuples that a cut puts together. */
typedef struct mgl_mondrian_group {
    uint32_t key;
    uint32_t n;     /* tuples */
    uint32_t begin; /* where they stand in regions->other, counted from the region's begin */
    uint64_t rows;
    bool holds;
} mgl_mondrian_group;

/* What one thread cuts with. */
typedef struct mgl_mondrian_cutter {
    mgl_mondrian_regions *regions;
    mgl_group_maker *maker;     /* NULL: rows say it all */
    uint32_t *first, *last;     /* [m] units of the region */
    double *width;              /* [m] less than 0: tried */
    uint32_t *group_of_key;     /* [n_keys] MGL_NOT_FOUND between cuts */
    mgl_mondrian_group *groups; /* [n_keys] what the last cut gave, in the order they stand in */
    uint32_t n_groups;
    uint64_t *bins; /* scratch of finding the median */
} mgl_mondrian_cutter;

/* Free with mgl_mondrian_cutter_free. */
mgl_status mgl_mondrian_cutter_new(mgl_mondrian_regions *regions, mgl_error *err,
                                   mgl_mondrian_cutter **out);
void mgl_mondrian_cutter_free(mgl_mondrian_cutter *cutter);

/* Cuts the region begin..end-1 once; false if no cut is allowed. The groups are regions then. */
bool mgl_mondrian_cut(mgl_mondrian_cutter *cutter, uint32_t begin, uint32_t end);

/* Divides it by the values of a level, whether they hold or not. */
void mgl_mondrian_divide(mgl_mondrian_cutter *cutter, uint32_t begin, uint32_t end, size_t a,
                         uint32_t level);

/* ---- One cut ------------------------------ */

/* The tuples of a region, while it is cut. */
typedef struct mgl_mondrian_run {
    uint32_t *order, *other, *keys; /* [n] those of the region */
    uint32_t n;
    uint64_t rows;
} mgl_mondrian_run;

#endif
