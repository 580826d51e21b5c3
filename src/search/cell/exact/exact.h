/* The best release of a small table, with proof. */
#ifndef MGL_SEARCH_CELL_EXACT_H
#define MGL_SEARCH_CELL_EXACT_H

#include "search/box/box.h"

/* Looks for the best release until about `work` is done (a second does about 10^9); with at most 20
 * distinct tuples until it is found, which takes about a second at most.
 *
 * `release` is what is known to begin with, and is replaced if a better one is found. Its classes
 * must hold, unless it is incomplete: tuples are in no class, or more rows are suppressed than may
 * be.
 *
 * *proved: no release costs less than *bound, or levels and treatment allow none at all. Where
 * costs are whole, *bound is what the release costs. Where they are rounded it is less by m + 2 for
 * each row, and by more where there are many millions of rows. *timed_out: the deadline came first.
 *
 * Nothing is done or proved if a model looks at the whole table or at a population or is not closed
 * under union, or with persons, or if higher levels may cost less. */
mgl_status mgl_cell_exact(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                          mgl_error *err, bool *proved, uint64_t *bound, bool *timed_out);
typedef struct mgl_exact_verdict {
    bool proved;
    uint64_t bound;
    bool timed_out;
} mgl_exact_verdict;
/* The same; how it was proved replaces what is in *steps (optional). */
mgl_status mgl_cell_exact_proved(const mgl_box_space *space, uint64_t work,
                                 mgl_box_release *release, mgl_bound_steps *steps, mgl_error *err,
                                 mgl_exact_verdict *out);

#endif
