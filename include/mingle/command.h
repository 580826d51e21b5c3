/* Whole commands, one call each. */
#ifndef MINGLE_COMMAND_H
#define MINGLE_COMMAND_H

#include "mingle/job.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads, searches, writes, verifies and publishes a release ("output"). The status is MGL_OK
 * also for a release on which a model does not hold, if the job accepts that ("accept"): ask
 * mgl_result_holds. */
MGL_API mgl_status mgl_run(mgl_job *job, mgl_error *err, mgl_result **out);

/* Runs several methods ("methods") on the same job and releases nothing. The result is a list
 * with one result per method. A method that finds no release does not end the run: its place
 * in the list says why, and mgl_result_holds tells whether any method has found one. */
MGL_API mgl_status mgl_compare(mgl_job *job, mgl_error *err, mgl_result **out);

/* What a job gives ("answer"), and what each of the jobs would give that are one step away from it
 * ("changes"): another k, a little more or less suppression, a column left out or one level finer,
 * another method. Every entry has the keys that change and the figures that a run of the changed
 * job has. Nothing is released. */
MGL_API mgl_status mgl_what_if(mgl_job *job, mgl_error *err, mgl_result **out);

/* Rows of the table beside what the job would release them as ("window", "show"), with the sizes of
 * their classes. Nothing is released. The result holds cells of the table. */
MGL_API mgl_status mgl_preview(mgl_job *job, mgl_error *err, mgl_result **out);

/* What a table is read as: its format, its columns with what their values are, its first rows
 * ("window"). The result holds cells of the table. */
MGL_API mgl_status mgl_look(mgl_job *job, mgl_error *err, mgl_result **out);

/* Measures the models on the data as it is. The status is MGL_OK also when a
 * model does not hold: ask mgl_result_holds. */
MGL_API mgl_status mgl_check(mgl_job *job, mgl_error *err, mgl_result **out);

/* Tests a table as it is: the models of the job and its policy, and that no other column gives
 * persons away. The result has one verdict for each ("tests"); the status is MGL_OK also when a
 * test fails: ask mgl_result_holds. */
MGL_API mgl_status mgl_gate(mgl_job *job, mgl_error *err, mgl_result **out);

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

/* Tells what a recoding ("data", saved with "save-recoding") releases each tuple as; "output" is a
 * table of that. It holds values of the data. */
MGL_API mgl_status mgl_show_recoding(mgl_job *job, mgl_error *err, mgl_result **out);

/* Tells the recipient of a release, by its result ("data"), what was done to each column and how
 * coarse its values are: nothing that is not in the release ("release"; else the one that the
 * result names). "output" is a table of that. */
MGL_API mgl_status mgl_codebook(mgl_job *job, mgl_error *err, mgl_result **out);

/* States what the recipient of a release ("data") may know about it: its promise ("promise", saved
 * with "save-promise") and what is measured on the release alone; "output" is a file of that. */
MGL_API mgl_status mgl_statement(mgl_job *job, mgl_error *err, mgl_result **out);

/* Value hierarchies; action is "build", "check", "show" or "suggest". */
MGL_API mgl_status mgl_hierarchies(mgl_job *job, const char *action, mgl_error *err,
                                   mgl_result **out);

#ifdef __cplusplus
}
#endif
#endif
