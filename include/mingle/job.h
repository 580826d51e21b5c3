/* Jobs: what to do, and doing it.
 *
 *     mgl_job_new(&err, &job);
 *     mgl_job_load(job, "patients.yaml", &err);
 *     mgl_job_set(job, "k", "10", &err);
 *     mgl_job_run(job, "anonymize", &err, &result);
 *     mgl_job_free(job);
 */
#ifndef MINGLE_JOB_H
#define MINGLE_JOB_H

#include "mingle/error.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to do: keys and their values, those of job files (docs/job.md).
 *
 * Threads: one at a time, except mgl_job_cancel, which any thread may call. Several threads may
 * read a job that none of them changes. While a command runs, its job is neither changed nor freed;
 * afterwards it is as it was before. A call that fails leaves its job as it was. */
typedef struct mgl_job mgl_job;

/* Makes an empty job. The caller frees it with mgl_job_free. */
MGL_API mgl_status mgl_job_new(mgl_error *err, mgl_job **out);

/* Frees a job. NULL is allowed. */
MGL_API void mgl_job_free(mgl_job *job);

/* Copies a job with its callbacks; what was given in memory is shared. The caller frees the copy
 * with mgl_job_free. */
MGL_API mgl_status mgl_job_copy(const mgl_job *job, mgl_error *err, mgl_job **out);

/* Reads a job file, YAML or JSON. Keys that mgl_job_set sets, earlier or later, override the file.
 * Relative paths in the file are relative to it. */
MGL_API mgl_status mgl_job_load(mgl_job *job, const char *path, mgl_error *err);

/* Reads the same from memory, at most 16 MB. Relative paths stay as they are. The text is copied.
 */
MGL_API mgl_status mgl_job_parse(mgl_job *job, const char *text, size_t size, mgl_error *err);

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A key is one of the job file or a long option of the program ("suppress"); attributes.COLUMN.role
 * and other fields of a column; privacy.MODEL, for models that protect a column
 * privacy.MODEL.COLUMN. A name with a dot in it is quoted, its own quotes doubled:
 * attributes."a.b".role. Values are texts, written as for options: "2%", "a,b". */

/* Sets a key; an earlier value is discarded, wherever it came from. Keys that list columns ("qi",
 * "sensitive", "identifier", "insensitive") name all columns of that role: a column that an earlier
 * call gave another role is refused (MGL_CODE_REPEATED), one that has it from a job file gets the
 * new one. attributes.COLUMN.role changes the role of one column. Of keys with COLUMN=VALUE
 * ("weights") and of models with COLUMN=PARAMETERS only the values of the named columns are
 * replaced. key and value are copied. */
MGL_API mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err);

/* Sets a key as an option of the program does: it overrides a job file, a second value is refused
 * (MGL_CODE_REPEATED), and further columns of "qi" join the quasi-identifier. */
MGL_API mgl_status mgl_job_add(mgl_job *job, const char *key, const char *value, mgl_error *err);

/* Removes a key; no error if it is not set. Also everything about a column ("attributes.age"),
 * about all columns ("attributes"), all of a key with COLUMN=VALUE ("weights"), all models
 * ("privacy"). */
MGL_API mgl_status mgl_job_unset(mgl_job *job, const char *key, mgl_error *err);

/* Returns the text that a key was set to; NULL if it is not set or has several texts. The job owns
 * it, until the job changes. */
MGL_API const char *mgl_job_get(const mgl_job *job, const char *key);

/* A key of the caller's own, which files, texts and mgl_job_set then may set. The library stores
 * it, returns it from mgl_job_get and does nothing else with it; audit trails leave it out. */
typedef struct mgl_own_key {
    const char *name;
    const char *const *values; /* the values it can have, NULL at the end; NULL: any text */
} mgl_own_key;

/* Declares own keys, before they are set. MGL_USAGE if a name is a key of the library. "quiet" and
 * "json", which job files of the program have, are accepted with any text unless declared here. */
MGL_API mgl_status mgl_job_own_keys(mgl_job *job, const mgl_own_key *keys, size_t n,
                                    mgl_error *err);

/* Callback for one file that a job names: the key, the location, and whether it is written. A
 * return value other than 0 refuses the file. */
typedef int mgl_job_file_fn(void *user, const char *key, const char *location, int written);

/* Calls fn for every file that the job names: also for what is in memory ("memory:NAME"), tables of
 * databases, files within builders and policies, "-", and "env:NAME". For programs that run jobs of
 * other people and restrict which files they may name. MGL_USAGE if fn refuses a file. */
MGL_API mgl_status mgl_job_files(const mgl_job *job, mgl_job_file_fn *fn, void *user,
                                 mgl_error *err);

/* Writes the whole job as a job file, YAML or JSON, of which mgl_job_parse makes the same job. It
 * holds everything that was set, seeds and passwords of databases too: keep it as secret as these
 * (the file of the key "save-job" has neither). Things in memory appear by their names. A name that
 * is not UTF-8 is refused. The caller frees the text with mgl_text_free. */
MGL_API mgl_status mgl_job_yaml(const mgl_job *job, mgl_error *err, char **out);
MGL_API mgl_status mgl_job_json(const mgl_job *job, mgl_error *err, char **out);

/* ---- Running ------------------------------------------------------------------------------------
 */

/* Runs a command by its name; docs/library.md#commands has the keys that each one reads.
 *
 *     anonymize   search, write, verify and publish a release ("output"); MGL_OK also if a model
 *                 does not hold where the job accepts that ("accept")
 *     compare     several methods ("methods") on one job; nothing is released
 *     what-if     what the job gives, and what each job gives that is one step away from it
 *     preview     rows of the table beside what they would be released as
 *     look        what a table is read as: format, columns, first rows
 *     check       measure models on a table as it is
 *     gate        test a table as it is: models, identifiers, leaks
 *     risk        how likely it is that a person is found in a table as it is
 *     attack      what a release ("data") discloses about people of another table ("external")
 *     count       count a slice of a table into a part ("output"), which others take as data
 *     apply       release a table or a slice by a saved recoding ("recoding")
 *     utility     what a release ("release") lost against the data ("data")
 *     lattice     every node: does it hold, what does it cost
 *     report      render a result ("data") as a page ("output")
 *     recoding show         what a saved recoding ("data") releases each tuple as
 *     codebook    what a result ("data") says to the recipient about each column
 *     statement   what the recipient of a release ("data") may know, by its promise ("promise")
 *     hierarchy build, hierarchy check, hierarchy show, hierarchy suggest, hierarchy tree
 *
 * A table that does not pass (check, gate, compare) is no failure: ask mgl_result_holds. The job is
 * not changed. MGL_USAGE if there is no such command. The caller frees the result with
 * mgl_result_free. mgl_session_run does the same on a table that stays open. */
MGL_API mgl_status mgl_job_run(const mgl_job *job, const char *command, mgl_error *err,
                               mgl_result **out);

/* Progress callback: the stage that the call is in ("wait", "import", "read", "search", "write",
 * "verify", "guard", "check", "measure", "curve", "compare", "what-if", "attack") and how far the
 * whole call is, done of total. The total is the same throughout a call and never 0; done never
 * decreases, and is total after success; the same values may be reported several times. Called on
 * the thread that called the library, in the locale of the program, never while another call of it
 * is under way. Return a value other than 0 to cancel: the call then ends with MGL_CANCELLED and
 * leaves nothing (once done is total there is nothing left to cancel). It must not change the job.
 */
typedef int mgl_progress_fn(void *user, const char *stage, uint64_t done, uint64_t total);

/* Sets the progress callback of a job; fn NULL removes it. */
MGL_API void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user);

/* Refusal callback: called before a run of anonymize or apply ends with MGL_UNMET, with the
 * document that its release would have had, of what was found and is refused or else of the nearest
 * node, with "refused" and "nearest" (docs/library.md#refusals). It owns the document and frees it
 * with mgl_result_free. Called on the thread that called the library. */
typedef void mgl_refusal_fn(void *user, mgl_result *refusal);

/* Sets the refusal callback of a job; fn NULL removes it, and the document is then not computed. */
MGL_API void mgl_job_on_refusal(mgl_job *job, mgl_refusal_fn *fn, void *user);

/* Requests that what runs with the job stops: it ends with MGL_CANCELLED, within about a second
 * (where a database works, as soon as its driver returns), and leaves nothing. From any thread, at
 * any time between mgl_job_new and mgl_job_free. If nothing runs, the next run is cancelled. The
 * request ends with the run that it met, also if that one was done before it noticed. */
MGL_API void mgl_job_cancel(mgl_job *job);

#ifdef __cplusplus
}
#endif
#endif
