/* The two branch and bound engines against the plain sweep: the same best nodes, the same holding
 * nodes, with one thread and with four, divided into items or not. */
#ifndef MGL_TESTS_FAST_SEARCH_H
#define MGL_TESTS_FAST_SEARCH_H

#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/optimum.h"

typedef struct fast_search {
    const char *name;
    const mgl_engine *type;
    bool (*handles)(const mgl_problem *problem);
} fast_search;

extern const fast_search fast_by_size, fast_by_value;

/* The pools, of one thread and of four; for a group of tests. */
extern mgl_pool *fast_pools[2];
int fast_pools_make(void **state);
int fast_pools_free(void **state);

/* These fail the test unless the search answers as the sweep does; told goes into the message.
 * A measure that the search cannot have for this problem is passed over. */
void fast_search_compare_optimum(const fast_search *search, mgl_problem *problem, uint64_t seed,
                                 const char *told);
void fast_search_compare_holding(const fast_search *search, mgl_problem *problem, uint64_t seed,
                                 const char *told);
/* Both, by every measure that searches can have. */
void fast_search_compare_all(const fast_search *search, mgl_problem *problem, uint64_t seed);
/* The same for the fastest way to both. */
void fast_search_compare_explored(mgl_problem *problem, uint64_t seed, const char *told);

#endif
