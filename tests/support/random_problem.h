/* Random problems of the size that the inner loops of by_size see: hundreds of tuples, large
 * counts, many values, wide keys. Hierarchies are made directly, without files. */
#ifndef MGL_TESTS_RANDOM_PROBLEM_H
#define MGL_TESTS_RANDOM_PROBLEM_H

#include "search/search.h"

enum { RANDOM_ATTRIBUTES = 40 };

typedef struct random_problem {
    uint64_t seed;
    size_t n_attributes;
    mgl_hierarchy *hierarchies[RANDOM_ATTRIBUTES];
    mgl_released_column *columns[RANDOM_ATTRIBUTES];
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    mgl_sparse label;
    uint32_t min_level[RANDOM_ATTRIBUTES], max_level[RANDOM_ATTRIBUTES];
    uint32_t attributes[RANDOM_ATTRIBUTES];
    double weights[RANDOM_ATTRIBUTES];
    mgl_quasi_set set;
    mgl_model model;
    mgl_problem problem; /* without a pool */
} random_problem;

/* False if memory is out. Free with random_problem_free. */
bool random_problem_make(random_problem *out, uint64_t seed);
/* Many columns of three or four levels: a lattice that nobody can search whole. No bounds,
 * k = 3, all rows may be suppressed. */
bool random_problem_make_wide(random_problem *out, size_t n_columns, size_t n_tuples,
                              uint64_t seed);
/* Some columns are numbers or dates without a hierarchy, with equal and missing ones among them. */
bool random_problem_make_scaled(random_problem *out, size_t n_tuples, uint64_t seed);
void random_problem_free(random_problem *p);

/* A hierarchy of its own arena (mgl_arena_free(hierarchy->arena)); NULL: memory is out. */
mgl_hierarchy *random_hierarchy(mgl_random *random, uint32_t n_leaves, uint32_t height);

#endif
