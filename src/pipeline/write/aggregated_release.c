/* Quasi-identifiers that are aggregated: the search made their cells, and the verifier works them
 * out again. */
#include "pipeline/write/write.h"

static mgl_aggregate function_of(const mgl_task *task, size_t a)
{
    const mgl_aggregate *aggregates = task->problem.aggregates;
    return aggregates != NULL ? aggregates[a] : MGL_AGGREGATE_NOT;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    mgl_promised_aggregate *promised =
        mgl_arena_alloc(p->arena, (reading->n_quasi + 1) * sizeof *promised);
    size_t n = 0;
    (void)written;
    if (promised == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (function_of(task, a) != MGL_AGGREGATE_NOT)
            promised[n++] =
                (mgl_promised_aggregate){.attribute = a,
                                         .function = function_of(task, a),
                                         .raw = reading->quasi[a].column,
                                         .hierarchy = reading->quasi[a].hierarchy,
                                         .leaf_of_code = reading->quasi[a].leaf_of_code};
    mgl_plan_promise(p, &mgl_aggregate_judge, promised, n);
    return MGL_OK;
}

const mgl_feature_release mgl_aggregate_release = {.plan = plan};
