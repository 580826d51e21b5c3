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

/* A key of the caller's own, which a job then takes as well, from files and from mgl_job_set. The
 * library keeps it, gives it back by mgl_job_get and does nothing with it; no audit trail has it.
 */
typedef struct mgl_own_key {
    const char *name;
    const char *const *values; /* that it can have, NULL at the end; NULL: any text */
} mgl_own_key;
/* Before what may say them. MGL_USAGE if a name is a key of the library. "quiet" and "json", which
 * are keys of the program that job files hold, are taken with any text where nobody says more about
 * them: the library leaves them alone. */
MGL_API mgl_status mgl_job_own_keys(mgl_job *job, const mgl_own_key *keys, size_t n,
                                    mgl_error *err);

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
