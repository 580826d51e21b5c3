/* mingle: make a table about persons safe to release.
 *
 * The shortest use: fill a job, run it, print what happened.
 *
 *     mgl_error err;
 *     mgl_job *job;
 *     mgl_result *result;
 *     if (mgl_job_new(&err, &job) != MGL_OK) ...
 *     mgl_job_set(job, "data", "patients.csv", &err);
 *     mgl_job_set(job, "attributes.birth.role", "quasi", &err);
 *     mgl_job_set(job, "attributes.birth.hierarchy", "dates(month,year,10y)", &err);
 *     mgl_job_set(job, "rest", "insensitive", &err);
 *     mgl_job_set(job, "k", "5", &err);
 *     mgl_job_set(job, "output", "release.csv", &err);
 *     if (mgl_run(job, &err, &result) != MGL_OK)
 *         fprintf(stderr, "%s\n", err.message);
 *
 * Rules that hold for every call:
 * - a function that can fail returns an mgl_status and fills the mgl_error it
 *   was given (NULL is allowed); out-parameters come last and are written only
 *   on success;
 * - a quasi-identifier without a hierarchy gets a proposed one, which the result
 *   names ("hierarchies"); "suppress" is the value or "*";
 * - options exist only as job keys: those of the job file, and the long option
 *   names of the program (docs/job.md);
 * - the library never prints, never exits, installs no signal handler;
 * - distinct handles may be used from distinct threads at the same time.
 */
#ifndef MINGLE_H
#define MINGLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MGL_VERSION "0.1.0"

#if defined(MGL_BUILD) && defined(__GNUC__)
#define MGL_API __attribute__((visibility("default")))
#else
#define MGL_API
#endif

/* The exit codes of the program, too. */
typedef enum mgl_status {
    MGL_OK = 0,
    MGL_UNMET = 1,    /* the privacy promise does not hold or cannot be reached */
    MGL_USAGE = 2,    /* wrong use: options, job file */
    MGL_DATA = 3,     /* bad input data */
    MGL_SYSTEM = 4,   /* the system failed: disk, memory */
    MGL_CANCELLED = 5 /* the progress callback asked to stop */
} mgl_status;

/* What went wrong, where, and what to do. Owned by the caller. */
typedef struct mgl_error {
    mgl_status status;
    char message[8192]; /* a line for each column, where many are to blame */
} mgl_error;

/* The version the library was built as ("0.1.0"). */
MGL_API const char *mgl_version(void);

/* ---- Jobs: what to do ---------------------------------------------------- */

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

/* ---- Whole commands: one call each --------------------------------------- */

typedef struct mgl_result mgl_result;

/* Reads, searches, writes, verifies and publishes a release ("output"). The status is MGL_OK
 * also for a release on which a model does not hold, if the job accepts that ("accept"): ask
 * mgl_result_holds. */
MGL_API mgl_status mgl_run(mgl_job *job, mgl_error *err, mgl_result **out);

/* Runs several methods ("methods") on the same job and releases nothing. The result is a list
 * with one result per method. A method that finds no release does not end the run: its place
 * in the list says why, and mgl_result_holds tells whether any method has found one. */
MGL_API mgl_status mgl_compare(mgl_job *job, mgl_error *err, mgl_result **out);

/* Measures the models on the data as it is. The status is MGL_OK also when a
 * model does not hold: ask mgl_result_holds. */
MGL_API mgl_status mgl_check(mgl_job *job, mgl_error *err, mgl_result **out);

/* How likely it is that a person is found in a table as it is. */
MGL_API mgl_status mgl_risk(mgl_job *job, mgl_error *err, mgl_result **out);

/* What a release ("data") gives away about the persons of another table ("external"). */
MGL_API mgl_status mgl_attack(mgl_job *job, mgl_error *err, mgl_result **out);

/* Counts a slice of a table: distinct rows of the quasi-identifiers and sensitive columns. The part
 * ("output") is data for mgl_run and others; "parts" names further ones. */
MGL_API mgl_status mgl_count_part(mgl_job *job, mgl_error *err, mgl_result **out);

/* Releases a table, or a slice of one, as a recoding ("recoding", saved with "save-recoding")
 * says. */
MGL_API mgl_status mgl_apply(mgl_job *job, mgl_error *err, mgl_result **out);

/* What the release ("release") lost against the data ("data"). */
MGL_API mgl_status mgl_utility(mgl_job *job, mgl_error *err, mgl_result **out);

/* Every node of the lattice: does it hold, what does it cost. */
MGL_API mgl_status mgl_lattice(mgl_job *job, mgl_error *err, mgl_result **out);

/* Reads a result ("data") and writes a page that shows it ("output", if it is given). */
MGL_API mgl_status mgl_report(mgl_job *job, mgl_error *err, mgl_result **out);

/* Value hierarchies; action is "build", "check", "show" or "suggest". */
MGL_API mgl_status mgl_hierarchies(mgl_job *job, const char *action, mgl_error *err,
                                   mgl_result **out);

/* ---- Results -------------------------------------------------------------- */

MGL_API void mgl_result_free(mgl_result *result);

/* 1 if every model the job named holds, else 0. Of a comparison: if they all hold on what
 * one of the methods found. */
MGL_API int mgl_result_holds(const mgl_result *result);

/* The result as JSON; a summary to read in a terminal (colour: 0 or 1), for which a job that was
 * set to `brief` is enough.
 * Free the text with mgl_text_free. */
MGL_API mgl_status mgl_result_json(const mgl_result *result, mgl_error *err, char **out);
MGL_API mgl_status mgl_result_text(const mgl_result *result, int colour, mgl_error *err,
                                   char **out);
/* The same for a terminal of so many columns: lines are broken between words (width 0: as
 * mgl_result_text does, laid out for 80 columns and never broken); ascii: bars and trees are drawn
 * without block characters. */
typedef struct mgl_text_style {
    int colour, width, ascii;
} mgl_text_style;
MGL_API mgl_status mgl_result_text_in(const mgl_result *result, const mgl_text_style *style,
                                      mgl_error *err, char **out);
/* A page for a browser, complete in itself: it loads nothing and runs no script. */
MGL_API mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out);
MGL_API void mgl_text_free(char *text);

/* ---- Step by step --------------------------------------------------------- */

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

/* ---- What there is -------------------------------------------------------- */

/* Text about what the program offers, made from its own tables. kind is "commands",
 * "methods", "models", "measures", "builders", "policies", "formats", "options" or "keys" (every
 * job key), "all" of these, a command ("anonymize": its options), or one name out of these; format
 * is "text" or "markdown". NULL kind: the commands. Kind "completion" is the completion of command
 * lines for the shell that format names: "bash", "zsh" or "fish". Free the text with mgl_text_free.
 */
MGL_API mgl_status mgl_describe(const char *kind, const char *format, mgl_error *err, char **out);

/* Does the command ("anonymize") take the option? option is written as a user
 * does: "--qi" or "-k". *takes_value becomes 1 if a value follows, 0 if none
 * does and 2 if one may (without one the value is "true"), *key the key for mgl_job_set, which
 * lives as long as the program. Otherwise MGL_USAGE with the nearest option. Options are never
 * abbreviated. */
MGL_API mgl_status mgl_option(const char *command, const char *option, mgl_error *err,
                              int *takes_value, const char **key);

#ifdef __cplusplus
}
#endif
#endif
