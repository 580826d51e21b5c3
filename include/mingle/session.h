/* A command step by step. */
#ifndef MINGLE_SESSION_H
#define MINGLE_SESSION_H

#include "mingle/job.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A table read for a job, its frequency list, and the recoding a search found. */
typedef struct mgl_reading mgl_reading;
typedef struct mgl_counts mgl_counts;
typedef struct mgl_solution mgl_solution;

/* Free with mgl_reading_free. */
MGL_API mgl_status mgl_read(mgl_job *job, mgl_error *err, mgl_reading **out);
MGL_API void mgl_reading_free(mgl_reading *reading);

/* Counts the distinct tuples of a reading. Free with mgl_counts_free. The
 * counts borrow the reading's hierarchies. */
MGL_API mgl_status mgl_count(const mgl_reading *reading, mgl_error *err, mgl_counts **out);
MGL_API void mgl_counts_free(mgl_counts *counts);

/* Adds the counts of another slice of the same table. */
MGL_API mgl_status mgl_merge(mgl_counts *counts, const mgl_counts *more, mgl_error *err);

/* Searches on the counts alone. Free with mgl_solution_free. */
MGL_API mgl_status mgl_search(mgl_job *job, const mgl_counts *counts, mgl_error *err,
                              mgl_solution **out);
MGL_API void mgl_solution_free(mgl_solution *solution);

/* Writes, verifies and publishes. */
MGL_API mgl_status mgl_release(mgl_job *job, const mgl_reading *reading, const mgl_counts *counts,
                               const mgl_solution *solution, mgl_error *err, mgl_result **out);

#ifdef __cplusplus
}
#endif
#endif
