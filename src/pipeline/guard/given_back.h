/* What the guard asks of a column that gives others back, and what it says about one. Inside the
 * room only. */
#ifndef MGL_PIPELINE_GUARD_GIVEN_BACK_H
#define MGL_PIPELINE_GUARD_GIVEN_BACK_H

#include "pipeline/guard/put_back.h"

/* So that at most one release in a hundred has a false alarm, whose columns are so many. */
mgl_recovery_rule mgl_guard_rule(const mgl_problem *problem, const mgl_generalized *generalized,
                                 size_t n_columns);

bool mgl_gives_back(const mgl_recovery *recovery, const mgl_generalized *generalized);

/* What an outsider puts into the row, for each of the n generalized attributes; nothing into
 * MGL_NO_ROW. */
#define MGL_NO_ROW SIZE_MAX
void mgl_guess_of_row(const mgl_recovery *recovery, size_t row, size_t n, uint32_t *out);

/* An objection, or a warning if the promise does not suffer, for each attribute that the column
 * gives back. */
void mgl_tell_given_back(const mgl_task *task, const char *column,
                         const mgl_generalized *generalized, const mgl_given_back *found,
                         const mgl_broken *broken, mgl_objections *out);

#endif
