/* When a column gives others back, and what is said about it. Inside the room only. */
#ifndef MGL_PIPELINE_GUARD_GIVEN_BACK_H
#define MGL_PIPELINE_GUARD_GIVEN_BACK_H

#include "pipeline/guard/put_back.h"

/* The rule by which at most one release in a hundred with so many columns has a false alarm. Pairs
 * of columns are tested while the time limit of the job has room for what follows. */
mgl_recovery_rule mgl_guard_rule(const mgl_task *task, const mgl_generalized *generalized,
                                 size_t n_columns);

/* One column that gives others back, or two together. */
typedef struct mgl_giving {
    const char *names[2]; /* the second NULL: one column */
    size_t columns[2];    /* of the source; SIZE_MAX: none */
    const mgl_recovery *recovery;
} mgl_giving;

/* What an outsider puts into the row, for each of the n generalized attributes; nothing for
 * MGL_NO_ROW. */
#define MGL_NO_ROW SIZE_MAX
void mgl_guess_of_row(const mgl_giving *giving, size_t row, size_t n, uint32_t *out);

/* Adds an objection for each attribute that is given back, or a warning where the promise does not
 * suffer, or less than makes an objection. */
void mgl_tell_given_back(const mgl_task *task, const mgl_giving *giving,
                         const mgl_generalized *generalized, const mgl_broken *broken,
                         mgl_objections *out);

/* How many of n columns are tested two by two; the others are noted. names: [n] */
size_t mgl_guard_paired(const char *const *names, size_t n, mgl_objections *out);
/* Why two columns were not tested together. */
extern const char mgl_too_many_combinations[], mgl_too_little_memory[], mgl_no_counts[];
/* Counts a test of two columns, or lists them as not tested. */
void mgl_guard_count_pair(mgl_objections *out, const char *one, const char *other,
                          mgl_pair_test test);

#endif
