/* Sessions: a table that is opened once and asked many questions. */
#ifndef MINGLE_SESSION_H
#define MINGLE_SESSION_H

#include "mingle/job.h"
#include "mingle/memory.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A session keeps what its jobs needed: columns, hierarchies, counts. A job that asks the same
 * table for another k, other models, another method or measure only searches; another hierarchy has
 * that hierarchy made and the rows counted again; another column has that column read. */
typedef struct mgl_session mgl_session;

typedef struct mgl_session_options {
    size_t size;                    /* sizeof(mgl_session_options): later versions have more */
    unsigned threads;               /* 0: as the key `threads` says, else one per core */
    const mgl_allocator *allocator; /* NULL: malloc; it is copied, what it names must last */
} mgl_session_options;

/* Opens the table of a job (`data`) and keeps how it is read: the keys data, parts, missing,
 * delimiter, header, no-header, encoding, decimal, century, trim, fold-case, unpack, threads and
 * memory belong to the session. Whatever else the job says does not matter here. options may be
 * NULL. The job can be changed or freed afterwards. Close with mgl_session_close. */
MGL_API mgl_status mgl_session_open(const mgl_job *job, const mgl_session_options *options,
                                    mgl_error *err, mgl_session **out);

/* Not while calls on the session are under way. Results live on. NULL is nothing. */
MGL_API void mgl_session_close(mgl_session *session);

/* One question. command is that of the program: "anonymize", "what-if", "preview", "look",
 * "compare", "check", "gate", "risk", "attack", "count", "apply", "utility", "lattice", or
 * "hierarchy build", "hierarchy check", "hierarchy show", "hierarchy suggest", "hierarchy tree".
 * The job, which is not changed, says the rest; what belongs to the session it need not say, and if
 * it says otherwise that is MGL_USAGE. "anonymize" writes a release
 * ("output") unless the job is a dry run ("dry-run").
 *
 * The table is the one that was opened: a file that has changed since is MGL_DATA. A call that
 * fails or is cancelled leaves the session as it was. Several threads may call: they are served one
 * after the other, in the order in which they came; one that waits reports the stage "wait" and can
 * be cancelled. Sessions do not wait for each other. */
MGL_API mgl_status mgl_session_run(mgl_session *session, const char *command, const mgl_job *job,
                                   mgl_error *err, mgl_result **out);

/* What was done so far, for those who want to know that nothing is done twice. Not while a call on
 * the session is under way. */
typedef struct mgl_session_work {
    uint64_t columns_read;     /* turned into codes, of all tables */
    uint64_t hierarchies_made; /* proposed ones as well */
    uint64_t lists_counted;    /* rows counted into distinct combinations */
} mgl_session_work;
MGL_API mgl_session_work mgl_session_work_done(const mgl_session *session);

#ifdef __cplusplus
}
#endif
#endif
