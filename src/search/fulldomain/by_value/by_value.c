/* The engine that searches by sensitive values, as fulldomain/choose_engine.c calls it. */
#include "search/fulldomain/by_value/records.h"

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_parallel **out)
{
    mgl_by_value *search = NULL;
    MGL_TRY(mgl_by_value_new(problem, marking, err, &search));
    if (search == NULL)
        return MGL_OK;
    mgl_branching *frame = &search->frame;
    *out = &frame->parallel;
    (*out)->context = search;
    (*out)->empty = frame->impossible;
    if (!frame->impossible) /* the last column has the nodes: no item fixes it */
        mgl_branching_divide(frame, search->first[frame->n_columns].n_all, frame->n_columns - 1);
    return MGL_OK;
}

static void end(mgl_parallel *parallel)
{
    mgl_by_value_free(parallel->context);
}

static mgl_status search_branch(void *context, unsigned thread, const uint8_t *levels, size_t n,
                                mgl_error *err)
{
    mgl_by_value *search = context;
    return mgl_by_value_search(&search->workers[thread], levels, n, err);
}

const mgl_engine mgl_engine_by_value = {begin, end, search_branch, NULL, NULL};

mgl_status mgl_by_value_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_engine_optimum(&mgl_engine_by_value, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_by_value_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                uint8_t *holds, uint64_t *checked)
{
    return mgl_engine_holding(&mgl_engine_by_value, problem, above, MGL_LITTLE_WORK, err, holds,
                              checked);
}
