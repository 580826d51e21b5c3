/* Microaggregation: tuples as points in space, and groups of near ones. Private to the module.
 *
 * A column of numbers is one axis. One of categories has an axis for each value, on which a tuple
 * lies at 1 if it has the value and at 0 if not; the variance of the column is the sum of those of
 * its axes. Distances are squared, on columns divided by their variance. Distances within a
 * relative 1e-12 are equal, and of tuples at equal distances the larger one (the later one in the
 * list) comes first. */
#ifndef MGL_SEARCH_CLUSTER_MICROAGGREGATE_POINTS_H
#define MGL_SEARCH_CLUSTER_MICROAGGREGATE_POINTS_H

#include "search/node/node.h"

/* What stands for the numbers of a group. */
typedef enum mgl_replace { MGL_REPLACE_MEAN, MGL_REPLACE_MEDIAN, MGL_REPLACE_RANGE } mgl_replace;

/* Its findings are an mgl_aggregation. */
typedef struct mgl_micro_options {
    mgl_replace replace;
} mgl_micro_options;

static inline mgl_replace mgl_micro_replace(const mgl_problem *problem)
{
    return ((const mgl_micro_options *)problem->options)->replace;
}

/* Distances are equal within this share of them. */
#define MGL_MICRO_EQUAL 1e-12

/* A column. Numbers become coordinates by two exact steps: divided by a power of two, so that
 * no sum overflows, and less the least of them, so that differences keep their digits. */
typedef struct mgl_micro_column {
    mgl_aggregate function; /* MGL_AGGREGATE_NOT: it is generalized, and has no axis */
    size_t axis, n_axes;    /* the first of its axes, and how many there are */
    uint32_t *axis_of_leaf; /* of categories: [leaf] which of its axes; NULL: numbers */
    mgl_scale *scale;       /* NULL: categories, nothing but missing cells, or: */
    bool at_top;            /* the column is at the top as a whole: a quasi-identifier without it */
    int exponent;
    double least, most;    /* numbers of the data */
    double mean, variance; /* of the coordinates of rows that have one */
    uint64_t rows;         /* so many */
    double weight;         /* 1/variance; 0 if all are equal */
} mgl_micro_column;

typedef struct mgl_micro_space {
    const mgl_problem *problem;
    size_t m, n, d;            /* columns, tuples, axes */
    mgl_micro_column *columns; /* [m] */
    double *weights;           /* [axis] that of its column */
    double *points;            /* [t * d + axis]; where a cell is missing, the mean */
    const uint64_t *counts;    /* [t] rows */
    const uint32_t *tuple_of;  /* [t] its number in the list; NULL: the same */
    uint32_t *kind_of;         /* [t] tuples of a kind miss the same cells */
    size_t n_kinds;
    uint64_t need;        /* rows of a group, at least */
    size_t n_done, n_all; /* tuples that were grouped before these, and all there are */
    mgl_owned own;
} mgl_micro_space;

/* MGL_USAGE if a column that must holds something else than numbers or dates. Free with
 * mgl_micro_space_free. */
mgl_status mgl_micro_space_new(const mgl_problem *problem, mgl_error *err, mgl_micro_space **out);
void mgl_micro_space_free(mgl_micro_space *space);

/* Some tuples of a space, in its order, as a space of their own with the same axes. tuples must
 * outlive it. Free with mgl_micro_class_free. */
mgl_status mgl_micro_class_new(const mgl_micro_space *space, const uint32_t *tuples, size_t n,
                               mgl_error *err, mgl_micro_space **out);
void mgl_micro_class_free(mgl_micro_space *of_class);

static inline size_t mgl_micro_tuple(const mgl_micro_space *space, size_t t)
{
    return space->tuple_of != NULL ? space->tuple_of[t] : t;
}

bool mgl_micro_is_missing(const mgl_micro_space *space, size_t tuple, size_t a);

/* The number of a cell, divided by the power of two; NAN if it is missing. */
double mgl_micro_number(const mgl_micro_space *space, size_t tuple, size_t a);

/* MGL_CANCELLED, or *late at the time limit. done of the tuples have their group. */
mgl_status mgl_micro_poll(const mgl_micro_space *space, size_t done, mgl_error *err, bool *late);

typedef struct mgl_micro_groups {
    uint32_t *group_of; /* [t] MGL_NOT_FOUND: none */
    size_t n;           /* of which some may be empty */
    size_t n_placed;    /* tuples that have one */
} mgl_micro_groups;

/* Makes a group of tuples that are in none. */
void mgl_micro_groups_add(mgl_micro_groups *groups, const uint32_t *tuples, size_t n);

typedef struct mgl_micro_judge mgl_micro_judge;
/* Free with mgl_micro_judge_free. */
mgl_status mgl_micro_judge_new(const mgl_micro_space *space, mgl_error *err, mgl_micro_judge **out);
void mgl_micro_judge_free(mgl_micro_judge *judge);
/* Lets it judge tuples of another space over the same list. */
void mgl_micro_judge_turn_to(mgl_micro_judge *judge, const mgl_micro_space *space);

/* Groups of near tuples that hold, of all tuples of the space. Tuples that cannot
 * hold are left in none. group_of has room for them. */
mgl_status mgl_micro_group(const mgl_micro_space *space, mgl_micro_judge *judge,
                           mgl_micro_groups *groups, mgl_error *err, bool *late);

/* The recoding of groups, and what stands for each of them. Tuples in no group are
 * suppressed. Cells of columns that are generalized are those of beside, whose columns the recoding
 * borrows; beside is NULL if there are none. Free with micro_release_free. */
typedef struct mgl_micro_release {
    mgl_recoding *recoding;
    size_t n_groups;
    double *stand_in; /* [a * n_groups + g] coordinate of numbers; NAN: none */
} mgl_micro_release;

/* What stands for the values of a group. */
typedef struct mgl_micro_number_rows {
    double number;
    uint64_t rows;
} mgl_micro_number_rows;
/* A category of a group, with its rows. */
typedef struct mgl_micro_category {
    uint32_t leaf;
    uint64_t rows;
} mgl_micro_category;

/* Points that are not in a group yet. Nothing is allocated once it is made. */
typedef struct mgl_micro_tree mgl_micro_tree;

/* Free with mgl_micro_tree_free. */
mgl_status mgl_micro_tree_new(const mgl_micro_space *space, const uint32_t *tuples, size_t n,
                              mgl_error *err, mgl_micro_tree **out);
void mgl_micro_tree_free(mgl_micro_tree *tree);

size_t mgl_micro_tree_size(const mgl_micro_tree *tree);
uint64_t mgl_micro_tree_rows(const mgl_micro_tree *tree);
/* The mean of all rows that are left. */
void mgl_micro_tree_mean(const mgl_micro_tree *tree, double *point);
/* The tuple farthest from a point. There must be one left. */
uint32_t mgl_micro_tree_farthest(mgl_micro_tree *tree, const double *point);
/* The tuples nearest to a point, in order, just as many as have so many rows together, or all;
 * returns how many. They live until the next call. */
size_t mgl_micro_tree_nearest(mgl_micro_tree *tree, const double *point, uint64_t rows,
                              const uint32_t **tuples);
void mgl_micro_tree_remove(mgl_micro_tree *tree, const uint32_t *tuples, size_t n);

#endif
