/* command/audit: a result compared with its release (check --against). */
#ifndef MGL_COMMAND_AUDIT_AUDIT_H
#define MGL_COMMAND_AUDIT_AUDIT_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* Takes over what the result of --against says about the job of its release: to MGL_GATE also which
 * leaks it accepts and how columns were treated. Does nothing without --against. */
mgl_status mgl_against_prepare(mgl_job *job, mgl_command command, mgl_error *err);
/* Lets the job of a check take over what a document of that form states: a result, or what stands
 * in its place. */
mgl_status mgl_against_take(mgl_job *job, json_t *document, const char *signature, mgl_error *err);
/* What is known about the signature of a file: "unsigned", "verified" by the key (NULL: none), ...
 */
mgl_status mgl_against_signature(const char *path, const char *key, mgl_span bytes, mgl_error *err,
                                 const char **out);
/* The same for utility and attack: which columns are quasi-identifiers, and their hierarchies; with
 * `measures`, also what measures look at (sets, strata, weights, likelihoods, treatment, k, label).
 */
mgl_status mgl_against_hierarchies(mgl_job *job, bool measures, mgl_error *err);
/* Compares what the result claims with what was found. recoding: the cells of the file as they are.
 */
mgl_status mgl_against_compare(const mgl_setup *setup, const mgl_recoding *recoding,
                               const mgl_span *tops, mgl_error *err, mgl_result *result);

#endif
