/* Local suppression: single cells are suppressed until the models hold. Private to the module.
 *
 * Each tuple has a pattern: bit a says that its cell of column a is suppressed. How suppressed
 * cells count makes two problems of it. Where one is a value like any other, classes are equal
 * released tuples, and the search is one of the cell level with two levels for each column
 * (own_value.c). Where one matches every value, two tuples match on some columns if wherever they
 * differ there one of them is suppressed, and enough rows must match each row (the other files). */
#ifndef MGL_SEARCH_LOCAL_PATTERNS_H
#define MGL_SEARCH_LOCAL_PATTERNS_H

#include "search/box/box.h"

enum {
    MGL_LOCAL_COLUMNS = 32,    /* of a pattern */
    MGL_LOCAL_MOST_SETS = 5000 /* of columns */
};

typedef struct mgl_local_options {
    mgl_combinations combinations; /* on which models must hold; none: on all columns together */
    const double *importance;      /* [n_attributes] what a cell of the column is worth */
} mgl_local_options;

/* What a cell of each column is worth. */
static inline const double *mgl_local_importance(const mgl_problem *problem)
{
    return ((const mgl_local_options *)problem->options)->importance;
}

typedef struct mgl_local {
    const mgl_box_space *space;
    uint32_t need;        /* rows that must match each row, itself included */
    uint32_t whole;       /* all columns */
    uint32_t free;        /* those whose cells may be suppressed by themselves */
    const uint32_t *sets; /* [n_sets] columns on which rows must match */
    size_t n_sets;
    uint32_t *weights;      /* [n] rows, or persons, each counted in one tuple */
    uint32_t *given;        /* [n] cells that read as suppressed as they are */
    uint32_t *patterns;     /* [n] */
    uint8_t *concerned;     /* [n] 1: too few rows match it as it is */
    uint8_t *gone;          /* [n] 1: its rows are suppressed as a whole and match no row */
    uint32_t costs[4][256]; /* of suppressed cells, by the bytes of a pattern */
    uint64_t n_tried;       /* patterns */
    bool timed_out;
    mgl_owned own;
} mgl_local;

/* What suppressing these cells of a row costs. No cell is quite for free. */
static inline uint64_t mgl_local_cost(const mgl_local *l, uint32_t pattern)
{
    return (uint64_t)l->costs[0][pattern & 255] + l->costs[1][pattern >> 8 & 255] +
           l->costs[2][pattern >> 16 & 255] + l->costs[3][pattern >> 24];
}

/* Columns in which two tuples differ. */
static inline uint32_t mgl_local_differ(const mgl_local *l, size_t t, size_t u)
{
    const mgl_box_space *s = l->space;
    const uint64_t *x = s->keys + t * s->words, *y = s->keys + u * s->words;
    uint32_t columns = 0;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *at = &s->attributes[a];
        columns |= (uint32_t)(((x[at->word] ^ y[at->word]) & at->mask[0]) != 0) << a;
    }
    return columns;
}

/* Columns, costs and need of a space: what both ways of counting have in common. */
void mgl_local_columns(mgl_local *l, const mgl_box_space *space);

/* How much to do for something better, in steps of a few nanoseconds, with so many tuples in
 * question. */
uint64_t mgl_local_work(const mgl_problem *problem, size_t n_tuples);

enum { MGL_LOCAL_NEAR = 16384 }; /* neighbours looked at, and the size of scratch */

/* improve_patterns.c: fewer or less important cells, if the tuples in question are few enough;
 * *done says so. */
mgl_status mgl_local_improve(mgl_local *l, mgl_error *err, bool *done);

/* matches_all.c: all of it. */
mgl_status mgl_local_matching(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                              mgl_error *err, mgl_solution *out);

/* combinations.c: a recoding that holds on all columns becomes one that holds on each of these
 * sets of them, with fewer cells suppressed. False in *met if it cannot. */
mgl_status mgl_local_combine(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                             mgl_solution *solution, mgl_error *err, bool *met);

/* own_value.c: all of it. thorough: small tables are searched whole if need be. */
mgl_status mgl_local_own_value(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                               bool thorough, mgl_error *err, mgl_solution *out);

/* Nothing was found that holds within the limit. */
mgl_status mgl_local_unmet(const mgl_problem *problem, mgl_error *err);

/* May all rows be suppressed as a whole? If they are exempt they are one class then, which must
 * hold. */
mgl_status mgl_local_all_may_go(const mgl_problem *problem, mgl_error *err, bool *out);

#endif
