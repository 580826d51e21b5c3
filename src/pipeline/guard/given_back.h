/* When a column gives others back, and what is said about it. Inside the room only. */
#ifndef MGL_PIPELINE_GUARD_GIVEN_BACK_H
#define MGL_PIPELINE_GUARD_GIVEN_BACK_H

#include "pipeline/guard/put_back.h"

/* The rule by which at most one release in a hundred with so many columns has a false alarm. */
mgl_recovery_rule mgl_guard_rule(const mgl_problem *problem, const mgl_generalized *generalized,
                                 size_t n_columns);

bool mgl_gives_back(const mgl_recovery *recovery, const mgl_generalized *generalized);

/* What an outsider puts into the row, for each of the n generalized attributes; nothing for
 * MGL_NO_ROW. */
#define MGL_NO_ROW SIZE_MAX
void mgl_guess_of_row(const mgl_recovery *recovery, size_t row, size_t n, uint32_t *out);

/* Adds an objection for each attribute that the column gives back, or a warning where the promise
 * does not suffer. */
void mgl_tell_given_back(const mgl_task *task, const char *column,
                         const mgl_generalized *generalized, const mgl_given_back *found,
                         const mgl_broken *broken, mgl_objections *out);

/* Adds an objection for each released column that gives back how far dates were shifted. */
mgl_status mgl_shift_given_back(const mgl_task *task, const mgl_reading *reading,
                                const mgl_solution *solution, mgl_error *err, mgl_objections *out);

#endif
