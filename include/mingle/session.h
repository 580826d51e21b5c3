/* Sessions: a table that is opened once and used by many jobs.
 *
 *     mgl_session_open(job, NULL, &err, &session);
 *     mgl_job_set(job, "k", "10", &err);
 *     mgl_session_run(session, "anonymize", job, &err, &result);
 *     mgl_result_free(result);
 *     mgl_session_close(session);
 */
#ifndef MINGLE_SESSION_H
#define MINGLE_SESSION_H

#include "mingle/job.h"
#include "mingle/memory.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An open table with what jobs needed of it: columns, hierarchies, counts. A job with another k,
 * other models, another method or measure only searches; with another hierarchy that hierarchy is
 * made and the rows are counted again; with another column that column is read. */
typedef struct mgl_session mgl_session;

typedef struct mgl_session_options {
    size_t size;                    /* sizeof(mgl_session_options): later versions have more */
    unsigned threads;               /* 0: by the key `threads`, else one per core */
    const mgl_allocator *allocator; /* NULL: malloc; copied, but `user` must outlive the session */
} mgl_session_options;

/* Opens the table of a job (`data`). How it is read belongs to the session: the keys data, parts,
 * missing, delimiter, header, no-header, encoding, decimal, century, trim, fold-case, unpack,
 * threads and memory; the other keys of the job do not matter here. options may be NULL. The job
 * may be changed or freed afterwards. The caller closes the session with mgl_session_close. */
MGL_API mgl_status mgl_session_open(const mgl_job *job, const mgl_session_options *options,
                                    mgl_error *err, mgl_session **out);

/* Closes a session, when no call on it is under way. Results live on. NULL is allowed. */
MGL_API void mgl_session_close(mgl_session *session);

/* Runs a command on the open table: those of mgl_job_run that read a table (not report, recoding,
 * codebook and statement). Keys that belong to the session may be left out of the job; other values
 * of them are MGL_USAGE. "anonymize" writes a release ("output") unless the job is a dry run
 * ("dry-run"). A file that has changed since it was opened is MGL_DATA. A call that fails or is
 * cancelled leaves the session as it was. The caller frees the result with mgl_result_free.
 *
 * Threads: any number may call; calls run one after the other, in the order in which they came. A
 * call that waits reports the stage "wait" and can be cancelled. Sessions do not wait for each
 * other. */
MGL_API mgl_status mgl_session_run(mgl_session *session, const char *command, const mgl_job *job,
                                   mgl_error *err, mgl_result **out);

/* The work that a session has done so far. */
typedef struct mgl_session_work {
    uint64_t columns_read;     /* turned into codes, of all tables */
    uint64_t hierarchies_made; /* proposed ones too */
    uint64_t lists_counted;    /* times that rows were counted into distinct combinations */
} mgl_session_work;

/* Returns it; not while a call on the session is under way. */
MGL_API mgl_session_work mgl_session_work_done(const mgl_session *session);

#ifdef __cplusplus
}
#endif
#endif
