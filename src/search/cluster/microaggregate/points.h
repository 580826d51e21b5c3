/* Microaggregation: tuples as points in space, and groups of near ones. Inside the room only.
 *
 * Distances are squared, on columns divided by their variance. Distances within a relative 1e-12
 * are equal, and of tuples at equal distances the larger one (the later one in the list) comes
 * first. */
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

/* ---- The space ---------------------------------------------------------------------- */

/* A column. Numbers become coordinates by two exact steps: divided by a power of two, so that
 * no sum overflows, and less the least of them, so that differences keep their digits. */
typedef struct mgl_micro_column {
    mgl_scale *scale; /* NULL: nothing but missing cells, or: */
    bool at_top;      /* the column is at the top as a whole: a quasi-identifier without it */
    int exponent;
    double least, most;    /* numbers of the data */
    double mean, variance; /* of the coordinates of rows that have one */
    uint64_t rows;         /* so many */
    double weight;         /* 1/variance; 0 if all are equal */
} mgl_micro_column;

typedef struct mgl_micro_space {
    const mgl_problem *problem;
    size_t m, n;               /* columns, tuples */
    mgl_micro_column *columns; /* [m] */
    double *points;            /* [t * m + a] coordinates; where a cell is missing, the mean */
    uint32_t *kind_of;         /* [t] tuples of a kind miss the same cells */
    size_t n_kinds;
    uint64_t need; /* rows of a group, at least */
} mgl_micro_space;

/* MGL_USAGE if a column holds something else than numbers or dates. Free with
 * mgl_micro_space_free. */
mgl_status mgl_micro_space_new(const mgl_problem *problem, mgl_error *err, mgl_micro_space **out);
void mgl_micro_space_free(mgl_micro_space *space);

bool mgl_micro_is_missing(const mgl_micro_space *space, size_t tuple, size_t a);

/* The number of a cell, divided by the power of two; NAN if it is missing. */
double mgl_micro_number(const mgl_micro_space *space, size_t tuple, size_t a);

/* MGL_CANCELLED, or *late at the time limit. done of the tuples have their group. */
mgl_status mgl_micro_poll(const mgl_micro_space *space, size_t done, mgl_error *err, bool *late);

/* ---- Groups ------------------------------------------------------------------------- */

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
/* Do all class-wise models hold for these tuples? */
bool mgl_micro_holds(mgl_micro_judge *judge, const uint32_t *tuples, size_t n);
/* The same with the models alone that hold for every superset of a class, too. */
bool mgl_micro_may_hold(mgl_micro_judge *judge, const uint32_t *tuples, size_t n);
/* Is every model upward closed, so that what may hold does? */
bool mgl_micro_is_upward_closed(const mgl_micro_judge *judge);

/* mdav.c: groups of near tuples. Tuples that could not be placed are left in none. */
mgl_status mgl_micro_mdav(const mgl_micro_space *space, mgl_micro_judge *judge,
                          const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                          mgl_error *err, bool *late);

/* one_column.c: the same for one column, with the least sum of squares. */
mgl_status mgl_micro_line(const mgl_micro_space *space, mgl_micro_judge *judge,
                          const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                          mgl_error *err, bool *late);

/* unite_groups.c: tuples without a group join one, and groups that do not hold are united with
 * others. What is left without a group then cannot hold. */
mgl_status mgl_micro_settle(const mgl_micro_space *space, mgl_micro_judge *judge,
                            mgl_micro_groups *groups, mgl_error *err);

/* averages.c: the recoding, taken over by the solution, and its sums of squares. */
mgl_status mgl_micro_recode(const mgl_micro_space *space, const mgl_micro_groups *groups,
                            mgl_solution *solution, mgl_error *err);

/* ---- A tree of points ----------------------------------------------------------------- */

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
