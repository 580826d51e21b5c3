/* A release in which cells are put back that a column gives back. Private to the module. */
#ifndef MGL_PIPELINE_GUARD_PUT_BACK_H
#define MGL_PIPELINE_GUARD_PUT_BACK_H

#include "pipeline/task/task.h"
#include "risk/risk.h"

/* Rows that were read, or counted by an engine: the columns that models look at. */
typedef struct mgl_given_rows {
    const mgl_bound_column *quasi;    /* as the reading has them */
    const mgl_column *const *counted; /* likewise */
    size_t n_rows;
    const uint64_t *times; /* NULL: each counts once */
} mgl_given_rows;

/* What becomes of the promise. */
typedef struct mgl_broken {
    uint64_t rows;     /* in classes that break a model only with the cells put back */
    const char *model; /* the model that most of them break; NULL: none */
} mgl_broken;

/* What a column gives back: put[row * n + i] for the cell of the i-th of n generalized attributes,
 * a ground value, or MGL_NOT_FOUND where nothing is put back. */
typedef struct mgl_given_cells {
    const mgl_generalized *generalized;
    const mgl_given_rows *rows;
    const uint32_t *put;
    size_t columns[2]; /* of the source; SIZE_MAX: none */
} mgl_given_cells;

/* Judges the release with these cells put back. Models that protect a column that gives them back
 * are not judged, since its value is what distinguishes the rows. */
mgl_status mgl_put_back(const mgl_task *task, const mgl_solution *solution,
                        const mgl_given_cells *given, mgl_error *err, mgl_broken *out);

/* Which sensitive column of the reading a column of the source is; SIZE_MAX: it is none. */
size_t mgl_sensitive_number(const mgl_reading *reading, size_t column);

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
void mgl_report_given_back(const mgl_task *task, const mgl_giving *giving,
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
