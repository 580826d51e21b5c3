/* What is known where nothing can be released. Within the module only. */
#ifndef MGL_COMMAND_REFUSAL_H
#define MGL_COMMAND_REFUSAL_H

#include "pipeline/pipeline.h"

/* Reports to the callback (mgl_job_on_refusal) why a run ends with MGL_UNMET: what was found and
 * may not be released, else (solution: NULL) the node that comes nearest. why may be NULL. What
 * goes wrong meanwhile does not concern the caller: then nothing is reported. */
void mgl_refusal_report(const mgl_setup *setup, const mgl_solution *solution, const mgl_error *why);

/* The same of a recoding that was applied to other rows: `judged` says whether models judge it. */
void mgl_refusal_report_applied(const mgl_setup *setup, const mgl_solution *solution, bool judged,
                                const mgl_error *why);

/* The same where models were refused before there was a setup. */
void mgl_refusal_report_early(mgl_session *session, const mgl_settings *settings,
                              const mgl_error *why);

/* What a node makes of every tuple, with nothing suppressed. Free with mgl_recoding_free. */
mgl_status mgl_recode_at(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                         mgl_recoding **out);

#endif
