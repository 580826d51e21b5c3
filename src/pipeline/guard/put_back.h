/* A release in which cells are put back that a column gives back. Inside the room only. */
#ifndef MGL_PIPELINE_GUARD_PUT_BACK_H
#define MGL_PIPELINE_GUARD_PUT_BACK_H

#include "pipeline/task/task.h"
#include "risk/risk.h"

/* Rows that were read, or counted by an engine: the columns that models look at. */
typedef struct mgl_rows_at_hand {
    const mgl_bound_column *quasi;    /* as the reading has them */
    const mgl_column *const *counted; /* likewise */
    size_t n_rows;
    const uint64_t *times; /* NULL: each counts once */
} mgl_rows_at_hand;

/* What becomes of the promise. */
typedef struct mgl_broken {
    uint64_t rows;     /* in classes that break a model only with the cells put back */
    const char *model; /* the model that most of them break; NULL: none */
} mgl_broken;

/* What a column gives back: put[row * n + i] for the cell of the i-th of n generalized attributes,
 * a ground value, or MGL_NOT_FOUND where nothing is put back. */
typedef struct mgl_given_cells {
    const mgl_generalized *generalized;
    const mgl_rows_at_hand *rows;
    const uint32_t *put;
    size_t columns[2]; /* of the source; SIZE_MAX: none */
} mgl_given_cells;

/* Judges the release with these cells put back. Models that protect a column that gives them back
 * are not judged, since its value is what tells the rows apart. */
mgl_status mgl_put_back(const mgl_task *task, const mgl_solution *solution,
                        const mgl_given_cells *given, mgl_error *err, mgl_broken *out);

#endif
