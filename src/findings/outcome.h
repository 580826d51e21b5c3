/* What a method found and what became of it, told as a whole. */
#ifndef MGL_FINDINGS_OUTCOME_H
#define MGL_FINDINGS_OUTCOME_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* What a method found and what became of it. */
typedef struct mgl_outcome {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_method_type *method;
    const mgl_solution *solution;
    const mgl_found *found;     /* [mgl_task_models], by the judge or by the verifier */
    const mgl_failing *failing; /* NULL: nobody asked */
    mgl_written written;
    const char *output;    /* NULL: nothing is written */
    double search_seconds; /* of the method alone */
    double start;          /* mgl_sys_seconds from which the total counts */
} mgl_outcome;

/* Measures the recoding and tells all about it. Free with mgl_result_free. */
mgl_status mgl_describe_solution(const char *command, const mgl_outcome *outcome, mgl_error *err,
                                 mgl_result **out);

/* The hierarchy that a column was released by: a file, or a builder with all that it took from the
 * values; NULL: it has values of its own, or keeps the value or '*'. */
const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a);

/* Per column: given or proposed, and the builder. outcome: what a method made of it; NULL: all that
 * have a hierarchy use it. */
json_t *mgl_proposals_json(const mgl_reading *reading, const mgl_outcome *outcome);

#endif
