/* The ladder's doors. */
#include "search/fulldomain/by_size/counts.h"

void mgl_ladder_divide(mgl_ladder *ladder, size_t n_classes, size_t most_columns)
{
    mgl_division *division = &ladder->division;
    division->highest = ladder->highest;
    division->most_columns = most_columns;
    division->work = (double)n_classes;
    for (size_t c = 0; c < ladder->n_columns; c++)
        division->work *= ladder->columns[c]->n_levels;
}

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_division **out)
{
    mgl_ladder *ladder = NULL;
    MGL_TRY(mgl_ladder_new(problem, marking, err, &ladder));
    if (ladder == NULL)
        return MGL_OK;
    *out = &ladder->division;
    (*out)->context = ladder;
    (*out)->empty = ladder->impossible;
    if (!ladder->impossible)
        mgl_ladder_divide(ladder, ladder->first[ladder->n_columns].table.n, ladder->n_columns);
    return MGL_OK;
}

static void end(mgl_division *division)
{
    mgl_ladder_free(division->context);
}

static mgl_status search(void *context, unsigned thread, const uint8_t *levels, size_t n,
                         mgl_error *err)
{
    mgl_ladder *ladder = context;
    return mgl_ladder_search(&ladder->workers[thread], levels, n, err);
}

const mgl_divided mgl_divided_ladder = {begin, end, search};

mgl_status mgl_ladder_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_divided_optimum(&mgl_divided_ladder, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_ladder_holding(const mgl_problem *problem, bool above, mgl_error *err,
                              uint8_t *holds, uint64_t *checked)
{
    return mgl_divided_holding(&mgl_divided_ladder, problem, above, MGL_LITTLE_WORK, err, holds,
                               checked);
}
