/* Numbers about a column that may differ from quasi-identifier to quasi-identifier: 0.5, or 0.5/1
 * for the first and the second. */
#ifndef MGL_SEARCH_PROBLEM_BY_SET_H
#define MGL_SEARCH_PROBLEM_BY_SET_H

#include "base/base.h"

enum { MGL_MOST_BY_SET = 7 };

typedef struct mgl_by_set {
    double values[MGL_MOST_BY_SET];
    size_t n; /* 1: the same for all */
} mgl_by_set;

/* Value parsers: numbers of at least 0; from 0 to 1. */
bool mgl_read_by_set(mgl_span text, void *place);
bool mgl_read_shares_by_set(mgl_span text, void *place);

/* The number for one quasi-identifier. */
static inline double mgl_by_set_at(const mgl_by_set *x, size_t set)
{
    return x->n == 1 || set >= x->n ? x->values[0] : x->values[set];
}

/* Is one of them above 0? */
bool mgl_by_set_any(const mgl_by_set *x);

#endif
