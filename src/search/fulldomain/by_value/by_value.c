/* The climb's doors. */
#include "search/fulldomain/by_value/records.h"

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_division **out)
{
    mgl_climb *climb = NULL;
    MGL_TRY(mgl_climb_new(problem, marking, err, &climb));
    if (climb == NULL)
        return MGL_OK;
    mgl_ladder *frame = &climb->frame;
    *out = &frame->division;
    (*out)->context = climb;
    (*out)->empty = frame->impossible;
    if (!frame->impossible) /* the last column has the nodes: no task fixes it */
        mgl_ladder_divide(frame, climb->first[frame->n_columns].n, frame->n_columns - 1);
    return MGL_OK;
}

static void end(mgl_division *division)
{
    mgl_climb_free(division->context);
}

static mgl_status search(void *context, unsigned thread, const uint8_t *levels, size_t n,
                         mgl_error *err)
{
    mgl_climb *climb = context;
    return mgl_climb_search(&climb->workers[thread], levels, n, err);
}

const mgl_divided mgl_divided_climb = {begin, end, search};

mgl_status mgl_climb_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_divided_optimum(&mgl_divided_climb, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_climb_holding(const mgl_problem *problem, bool above, mgl_error *err, uint8_t *holds,
                             uint64_t *checked)
{
    return mgl_divided_holding(&mgl_divided_climb, problem, above, MGL_LITTLE_WORK, err, holds,
                               checked);
}
