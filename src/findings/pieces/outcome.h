/* What a method found and what became of it. */
#ifndef MGL_FINDINGS_PIECES_OUTCOME_H
#define MGL_FINDINGS_PIECES_OUTCOME_H

#include "pipeline/pipeline.h"

/* What a method found and what became of it. */
typedef struct mgl_outcome {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_method_type *method;
    const mgl_solution *solution;
    const mgl_found *found;     /* [mgl_task_models], by the judge or by the verifier */
    const mgl_failing *failing; /* optional */
    mgl_written written;
    const char *output;    /* NULL: nothing is written */
    double search_seconds; /* of the method alone */
    double start;          /* mgl_sys_seconds from which the total counts */
} mgl_outcome;

#endif
