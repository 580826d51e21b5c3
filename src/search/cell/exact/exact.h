/* The best release of a small table, with proof. */
#ifndef MGL_SEARCH_CELL_EXACT_H
#define MGL_SEARCH_CELL_EXACT_H

#include "search/box/box.h"

/* Looks for the best release until about `work` is done (a second does about 10^9); with at most 20
 * distinct tuples until it is found, which takes about as long at most. The release given is
 * replaced if a better one is found. It may be none, with tuples that are in no class or with
 * suppressed rows that may not be; else its classes must hold. *proved: no release costs less than
 * *bound, or there is none that levels and treatment allow. That is what the release costs if costs
 * are whole, and less by what they are off by, being rounded, if not: m + 2 for each row, more
 * where there are many millions of these. *timed_out is set if the deadline came before the end.
 *
 * Nothing is proved, and nothing done, if a model looks at the whole table or at a population or
 * is not closed under union, or with persons, or if higher levels may cost less. */
mgl_status mgl_cell_exact(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                          mgl_error *err, bool *proved, uint64_t *bound, bool *timed_out);
typedef struct mgl_exact_verdict {
    bool proved;
    uint64_t bound;
    bool timed_out;
} mgl_exact_verdict;
/* The same, telling how it was proved, in place of what is in *steps; NULL: nobody wants to know.
 */
mgl_status mgl_cell_exact_told(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                               mgl_bound_steps *steps, mgl_error *err, mgl_exact_verdict *out);

#endif
