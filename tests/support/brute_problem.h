/* A brute-force case as the problem that searches are given. */
#ifndef BRUTE_PROBLEM_H
#define BRUTE_PROBLEM_H

#include "brute.h"

#include "search/fulldomain/datafly.h"
#include "search/search.h"

typedef struct brute_problem {
    mgl_table *table; /* attributes, then the class label */
    mgl_hierarchy *hierarchies[BRUTE_ATTRIBUTES];
    mgl_released_column *columns[BRUTE_ATTRIBUTES];
    uint32_t leaf_of_code[BRUTE_ATTRIBUTES][BRUTE_LEAVES];
    mgl_bound_column bound[BRUTE_ATTRIBUTES];
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    uint32_t min_level[BRUTE_ATTRIBUTES], max_level[BRUTE_ATTRIBUTES];
    uint32_t set_attributes[BRUTE_SETS][BRUTE_ATTRIBUTES];
    mgl_model models[BRUTE_SETS];
    mgl_quasi_set sets[BRUTE_SETS];
    mgl_preference prefer[BRUTE_PREFER];
    mgl_by_set preference[BRUTE_ATTRIBUTES];
    mgl_datafly_options options;
    mgl_problem problem; /* without a pool */
} brute_problem;

/* Fails the test if it cannot be made. Writes hierarchy files to the current folder. */
void brute_problem_make(const brute_case *c, brute_problem *out);
void brute_problem_free(brute_problem *p);

/* The tuple of a row in the list. */
size_t brute_tuple_of(const brute_case *c, const brute_problem *p, int row);

#endif
