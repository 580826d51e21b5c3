/* Rows of the population that match the classes of a recoding. */
#ifndef MGL_SEARCH_NODE_POPULATION_MATCHES_H
#define MGL_SEARCH_NODE_POPULATION_MATCHES_H

#include "search/problem/problem.h"

typedef struct mgl_population mgl_population;

/* Free with mgl_population_free. One per thread. */
mgl_status mgl_population_new(const mgl_problem *problem, mgl_error *err, mgl_population **out);
void mgl_population_free(mgl_population *population);

/* matching[c]: rows of the population that lie under the cells of class c. */
void mgl_population_match(mgl_population *population, const mgl_quasi_set *set,
                          const mgl_classes *classes, uint32_t *const *cells, uint64_t *matching);

#endif
