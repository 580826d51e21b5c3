/* What a preview found, kept in the session for the next window on the same job. Inside the room
 * only. */
#ifndef MGL_COMMAND_KEPT_RECODING_H
#define MGL_COMMAND_KEPT_RECODING_H

#include "pipeline/pipeline.h"

/* The solution that the same job had on the same list before, with its recoding alone; *out is NULL
 * if none is kept. Free with mgl_solution_free. */
mgl_status mgl_kept_recoding_find(const mgl_task *task, const mgl_job *job, mgl_error *err,
                                  mgl_solution **out);
/* Keeps the recoding of a solution, unless it depends on something that can change meanwhile. */
mgl_status mgl_kept_recoding_keep(const mgl_task *task, const mgl_job *job,
                                  const mgl_solution *solution, mgl_error *err);

#endif
