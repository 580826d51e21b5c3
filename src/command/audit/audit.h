/* command/audit: a result compared with its release (check --against). */
#ifndef MGL_COMMAND_AUDIT_AUDIT_H
#define MGL_COMMAND_AUDIT_AUDIT_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* Takes over what the result of --against says about the job of its release. Does nothing without
 * --against. */
mgl_status mgl_against_prepare(mgl_job *job, mgl_error *err);
/* The same for utility and attack: only which columns are quasi-identifiers, and their hierarchies.
 */
mgl_status mgl_against_hierarchies(mgl_job *job, mgl_error *err);
/* Compares what the result claims with what was found. */
mgl_status mgl_against_compare(const mgl_setup *setup, const mgl_span *tops, mgl_error *err,
                               mgl_result *result);

#endif
