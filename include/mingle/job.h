/* Jobs: what to do. */
#ifndef MINGLE_JOB_H
#define MINGLE_JOB_H

#include "mingle/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mgl_job mgl_job;

/* Free with mgl_job_free. */
MGL_API mgl_status mgl_job_new(mgl_error *err, mgl_job **out);
MGL_API void mgl_job_free(mgl_job *job);

/* Reads a job file (YAML). Keys that are set already stay as they are: what was
 * set before overrides the file. */
MGL_API mgl_status mgl_job_load(mgl_job *job, const char *path, mgl_error *err);

/* Sets one key, for example ("attributes.age.role", "quasi") or ("suppress",
 * "2%"). A name that holds a dot is quoted: attributes."a.b".role. */
MGL_API mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err);

/* The text a key of the whole job was given ("output", not "attributes.age.role");
 * NULL if it was not. Borrowed until the job changes. */
MGL_API const char *mgl_job_get(const mgl_job *job, const char *key);

/* Called in the locale of the program, now and then, with a stage ("read", "search", "write",
 * "verify"; between the methods of a comparison "compare"), what is done and what there is to do
 * (0: not known). A return value other than 0 cancels the run, which then ends with MGL_CANCELLED
 * and leaves nothing. */
typedef int mgl_progress_fn(void *user, const char *stage, uint64_t done, uint64_t total);
MGL_API void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
