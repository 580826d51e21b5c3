/* Solutions that do not hold: which rows are to blame, and whether that is accepted.
 *
 * If it is accepted, the verifier still insists on the models that do hold. */
#ifndef MGL_PIPELINE_WRITE_FAILING_H
#define MGL_PIPELINE_WRITE_FAILING_H

#include "pipeline/task/task.h"

enum { MGL_FAILING_ROWS = 1000 };

/* Rows of the input that are in classes which violate a model. */
typedef struct mgl_failing {
    mgl_found *found;                 /* [models of the task] what holds; NULL: all do */
    uint64_t n_rows;                  /* how many rows fail */
    size_t n_named;                   /* how many of them are named: the first ones */
    uint64_t named[MGL_FAILING_ROWS]; /* row numbers, from 1, without the header */
} mgl_failing;

/* Looks for rows that fail if the solution is unsafe, and refuses it with MGL_UNMET unless the job
 * accepts that. Free with mgl_failing_free, also on failure. */
mgl_status mgl_failing_find(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_failing *out);
void mgl_failing_free(mgl_failing *failing);

/* MGL_UNMET if a model does not hold that was not known to fail. */
mgl_status mgl_promise_check(const mgl_task *task, const mgl_failing *failing,
                             const mgl_found *found, mgl_error *err);

/* "2 rows of the input are in classes that break a model (rows 7, 8)". */
enum { MGL_FAILING_TEXT = 400 };
void mgl_failing_text(const mgl_failing *failing, char text[MGL_FAILING_TEXT]);

#endif
