/* Jobs: what to do. */
#ifndef MINGLE_JOB_H
#define MINGLE_JOB_H

#include "mingle/error.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A job is used by one thread at a time, but for mgl_job_cancel; several threads may read one that
 * none of them changes (mgl_job_get, mgl_job_copy, mgl_job_yaml, mgl_job_json, and as the job of a
 * session). While a command runs, its job is not changed or freed; afterwards it is as it was
 * before, and may be changed and run again. A call that fails leaves a job as it was. */
typedef struct mgl_job mgl_job;

/* Free with mgl_job_free. */
MGL_API mgl_status mgl_job_new(mgl_error *err, mgl_job **out);
MGL_API void mgl_job_free(mgl_job *job);

/* A job that was told the same and has the same listener; what was given in memory is shared.
 * Free with mgl_job_free. */
MGL_API mgl_status mgl_job_copy(const mgl_job *job, mgl_error *err, mgl_job **out);

/* Reads a job file (YAML or JSON, docs/job.md). What is set already stays: what was set before
 * overrides the file, and so does what is set afterwards. Relative paths in it are relative to the
 * file. */
MGL_API mgl_status mgl_job_load(mgl_job *job, const char *path, mgl_error *err);

/* The same of a text in memory, of at most 16 MB; relative paths in it stay as they are. */
MGL_API mgl_status mgl_job_parse(mgl_job *job, const char *text, size_t size, mgl_error *err);

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A key is one of the job file or a long option of the program ("suppress"); attributes.COLUMN.role
 * and other fields of a column; privacy.MODEL, of models that protect a column
 * privacy.MODEL.COLUMN. A name that holds a dot is quoted, with its own quotes doubled:
 * attributes."a.b".role. Values are texts, as options write them: "2%", "a,b". */

/* Sets a key anew: its earlier value is discarded, wherever it came from. Keys for columns ("qi",
 * "sensitive", "identifier", "insensitive") name all columns of that role; a column that an earlier
 * call gave another role is refused (MGL_CODE_REPEATED), one that has it from a job file changes
 * it. attributes.COLUMN.role changes the role of one column. Of "weights" and other keys with
 * COLUMN=VALUE, and of models with COLUMN=PARAMETERS, only the values of these columns are
 * replaced. */
MGL_API mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err);

/* Sets a key as an option of the program does: it overrides a job file, but giving it twice is an
 * error, and further columns of "qi" are a further quasi-identifier. */
MGL_API mgl_status mgl_job_add(mgl_job *job, const char *key, const char *value, mgl_error *err);

/* Makes it as if the key had never been said; no error if it was not. Also everything about a
 * column ("attributes.age"), about columns ("attributes"), all of a key with COLUMN=VALUE
 * ("weights"), and all models ("privacy"). */
MGL_API mgl_status mgl_job_unset(mgl_job *job, const char *key, mgl_error *err);

/* The text a key was given; NULL if it was not, or if it has several: the role of a column, not all
 * columns of a role. Borrowed until the job changes. */
MGL_API const char *mgl_job_get(const mgl_job *job, const char *key);

/* A key of the caller's own, which a job then takes as well, from files, texts and mgl_job_set. The
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

/* Tells every file that the job names, by the key that names it: also what is in memory
 * ("memory:NAME"), tables of databases, files within builders and policies, "-", and "env:NAME".
 * For programs that run jobs of others and let them name some files only. A return value other than
 * 0 says that this one may not be named, and the call ends with MGL_USAGE. */
typedef int mgl_job_file_fn(void *user, const char *key, const char *location, int written);
MGL_API mgl_status mgl_job_files(const mgl_job *job, mgl_job_file_fn *fn, void *user,
                                 mgl_error *err);

/* The whole job as a job file; mgl_job_parse makes the same job of it. It is written for who told
 * the job and has all that was told, seed and passwords of databases too: keep it as secret as
 * these. (What "save-job" writes has neither.) Of what was given in memory it has the names. A name
 * that is not UTF-8 is refused. Free the text with mgl_text_free. */
MGL_API mgl_status mgl_job_yaml(const mgl_job *job, mgl_error *err, char **out);
MGL_API mgl_status mgl_job_json(const mgl_job *job, mgl_error *err, char **out);

/* ---- While it runs ----------------------------------------------------------- */

/* Called now and then with the stage that a call is in ("wait", "import", "read", "search",
 * "write", "verify", "guard", "check", "measure", "curve", "compare", "what-if", "attack") and how
 * far the whole call is: done of total. Of one call the total is the same all the time and never 0;
 * done never goes back, and is total when the call was successful. Always on the thread that called
 * the library, in the locale of the program, and never while another call of it is under way; the
 * same may be told several times. A return value other than 0 cancels the run, which then ends with
 * MGL_CANCELLED and leaves nothing; only when all is done there is nothing left to cancel. It must
 * not change the job. */
typedef int mgl_progress_fn(void *user, const char *stage, uint64_t done, uint64_t total);
MGL_API void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user);

/* Told before a run that anonymizes or applies ends with MGL_UNMET: the document that its release
 * would have had, of what was found and is refused or else of the node that comes nearest, with
 * "refused" and "nearest" (docs/library.md#refusals). The listener frees it with mgl_result_free.
 * Nothing is worked out where nobody listens. On the thread that called the library. */
typedef void mgl_refusal_fn(void *user, mgl_result *refusal);
MGL_API void mgl_job_on_refusal(mgl_job *job, mgl_refusal_fn *fn, void *user);

/* Asks what runs with the job to stop: it ends with MGL_CANCELLED, about a second later at most
 * (where a database works, as soon as that lets go), and leaves nothing. From any thread, at any
 * time between mgl_job_new and mgl_job_free. If nothing runs, the next run is met. The request ends
 * with the run that it met, also if that one was done before it noticed: the run after it is not
 * asked to stop. */
MGL_API void mgl_job_cancel(mgl_job *job);

#ifdef __cplusplus
}
#endif
#endif
