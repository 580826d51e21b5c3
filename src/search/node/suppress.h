/* Which tuples must be suppressed so that released cells hold the models, and what the
 * treatment of suppressed rows adds to them. */
#ifndef MGL_SEARCH_NODE_SUPPRESS_H
#define MGL_SEARCH_NODE_SUPPRESS_H

#include "search/problem/problem.h"

/* Do level bounds allow the top node? Otherwise a row at the top is a suppressed one. */
bool mgl_levels_allow_top(const mgl_problem *problem);

typedef struct mgl_suppressor mgl_suppressor;

typedef struct mgl_suppression {
    bool holds;            /* the models hold after suppression, whatever its extent */
    uint64_t rows;         /* suppressed, complementary suppression included; exempt: all at the
                              top, but none of the top node */
    uint64_t violating;    /* rows of violating classes, before the treatment */
    const uint8_t *tuples; /* [n_tuples] 1: suppressed; lives until the next call */
} mgl_suppression;

/* Free with mgl_suppressor_free. One per thread. */
mgl_status mgl_suppressor_new(const mgl_problem *problem, mgl_error *err, mgl_suppressor **out);
void mgl_suppressor_free(mgl_suppressor *suppressor);

/* From now on all threads of the pool share what is long. */
void mgl_suppressor_share(mgl_suppressor *suppressor, mgl_pool *pool);

/* The list of the problem has other tuples now, not more than before. */
void mgl_suppressor_fit(mgl_suppressor *suppressor);

/* cells[a][t]: what each tuple would be released as. */
void mgl_suppress(mgl_suppressor *suppressor, uint32_t *const *cells, mgl_suppression *out);
/* The same where some tuples are suppressed already: already[t] is 1. */
void mgl_suppress_more(mgl_suppressor *suppressor, uint32_t *const *cells, const uint8_t *already,
                       mgl_suppression *out);

/* The classes of what is released after suppressing, on all columns, if no tuple had been
 * suppressed before; nothing, which is an of_tuple of NULL, where the classes that rows were
 * suppressed by do not tell. Nothing can be suppressed with it afterwards. */
mgl_status mgl_suppressor_released(mgl_suppressor *suppressor, uint32_t *const *cells,
                                   mgl_error *err, mgl_classes *out);

#endif
