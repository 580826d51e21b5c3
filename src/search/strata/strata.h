/* Strata (docs/strata.md): rows that differ in columns of strata are searched and judged on their
 * own. Each stratum is a run of tuples, since its columns are the first ones; the method is given
 * these tuples without the columns of strata, as if there were no others.
 *
 * The columns of strata are held (mgl_released_column) and come first in every list and every
 * quasi-identifier. Methods do not know of strata. Code that reads a recoding or a release leaves
 * held columns out of what "at the top" means: mgl_recoding_is_top, mgl_tuples_at_top, n_by of a
 * promise. */
#ifndef MGL_SEARCH_STRATA_H
#define MGL_SEARCH_STRATA_H

#include "search/node/node.h"

/* Runs a method on a problem without strata. */
typedef mgl_status mgl_run_fn(const mgl_method_type *method, const mgl_problem *problem,
                              mgl_error *err, mgl_solution **out);

/* Runs a method on each stratum of a problem that has some. MGL_UNMET if no recoding holds in some
 * of them. Free with mgl_solution_free. */
mgl_status mgl_strata_run(mgl_run_fn *run, const mgl_method_type *method,
                          const mgl_problem *problem, mgl_error *err, mgl_solution **out);

/* What became of a recoding. */
typedef struct mgl_held_suppressed {
    uint64_t rows;        /* that are suppressed now */
    size_t n_failing;     /* strata that do not hold, or in which too many rows are suppressed */
    size_t first_failing; /* the first tuple of the first of them */
} mgl_held_suppressed;

/* Suppresses what violates a model in any recoding of the list, in each stratum by itself, with the
 * limit of the stratum's own rows. unlimited: there is none; all_count: rows that were suppressed
 * before count against it, too. */
mgl_status mgl_held_suppress(const mgl_problem *problem, mgl_recoding *recoding, bool unlimited,
                             bool all_count, mgl_error *err, mgl_held_suppressed *out);

/* Where the first stratum from a tuple on ends. */
size_t mgl_held_end(const mgl_frequency_list *list, size_t n_held, size_t first);

/* Appends how a stratum is named: region "A", year "2020". Values are marked as those of data. */
void mgl_held_name(const mgl_problem *problem, size_t n_held, size_t tuple, mgl_buffer *out);

#endif
