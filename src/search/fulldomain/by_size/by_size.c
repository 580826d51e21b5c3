/* The engine that searches by class sizes, as fulldomain/choose_engine.c calls it. */
#include "search/fulldomain/by_size/counts.h"

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_parallel **out)
{
    mgl_by_size *search = NULL;
    MGL_TRY(mgl_by_size_new(problem, marking, err, &search));
    if (search == NULL)
        return MGL_OK;
    *out = &search->frame.parallel;
    (*out)->context = search;
    (*out)->empty = search->frame.impossible;
    if (!search->frame.impossible)
        mgl_branching_divide(&search->frame, search->first[search->frame.n_columns].table.n,
                             search->frame.n_columns);
    return MGL_OK;
}

static void end(mgl_parallel *parallel)
{
    mgl_by_size_free(parallel->context);
}

static mgl_status search_branch(void *context, unsigned thread, const uint8_t *levels, size_t n,
                                mgl_error *err)
{
    mgl_by_size *search = context;
    return mgl_by_size_search(&search->workers[thread], levels, n, err);
}

static mgl_status find_first(void *context, mgl_error *err, mgl_ties *out)
{
    return mgl_by_size_first_node(context, err, out);
}

const mgl_engine mgl_engine_by_size = {begin, end, search_branch, find_first, mgl_by_size_is_large};

mgl_status mgl_by_size_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_engine_optimum(&mgl_engine_by_size, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_by_size_holding(const mgl_problem *problem, bool above, mgl_error *err,
                               uint8_t *holds, uint64_t *checked)
{
    return mgl_engine_holding(&mgl_engine_by_size, problem, above, MGL_LITTLE_WORK, err, holds,
                              checked);
}
