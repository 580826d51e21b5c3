/* What methods say where nothing holds: why, and what would help. */
#include "search/node/node.h"

#include <stdatomic.h>
#include <stdio.h>

void mgl_problem_column(const mgl_problem *problem, size_t a, char text[MGL_COLUMN_TEXT])
{
    if (problem->names != NULL)
        snprintf(text, MGL_COLUMN_TEXT, "column \"%.60s\"", problem->names[a]);
    else
        snprintf(text, MGL_COLUMN_TEXT, "quasi-identifier column %zu", a + 1);
}

static mgl_status take_least(void *context, uint64_t number, const uint32_t *node,
                             const mgl_evaluation *evaluation, mgl_error *err)
{
    _Atomic uint64_t *least = context;
    (void)number, (void)node, (void)err;
    uint64_t known = *least;
    while (evaluation->met && evaluation->suppressed_rows < known &&
           !atomic_compare_exchange_weak(least, &known, evaluation->suppressed_rows))
        ;
    return MGL_OK;
}

/* What suppressing more rows would come to. */
typedef struct outlook {
    uint64_t rows; /* the fewest that make a node hold when they are suppressed; UINT64_MAX: none */
    bool all;      /* every node was looked at, not only the top one */
} outlook;

/* Where there are too many nodes for a look at each, the top one has the largest classes. */
static mgl_status look_ahead(const mgl_problem *problem, mgl_error *err, outlook *out)
{
    enum { MOST_WORK = 50000000 };
    mgl_problem p = *problem;
    _Atomic uint64_t least = UINT64_MAX;
    uint64_t visited;
    bool timed_out;
    uint64_t nodes = mgl_lattice_size(p.min_level, p.max_level, p.list->n_attributes);
    p.limit = p.list->n_rows;
    p.deadline = 0;
    out->all = !mgl_problem_is_late(problem) && nodes <= MOST_WORK / (p.list->n_tuples + 1);
    if (!out->all)
        p.min_level = p.max_level;
    MGL_TRY(mgl_lattice_visit(&p, take_least, &least, err, &visited, &timed_out));
    out->rows = least;
    return MGL_OK;
}

static mgl_status fail_beyond(const mgl_problem *problem, const outlook *ahead, mgl_error *err)
{
    if (ahead->rows >= problem->list->n_rows)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_NO_RELEASE,
                     "no node of the lattice holds%s; widen `level`, or ask for less",
                     ahead->all ? ", however few rows are left"
                                : ", and the top one does not however few rows are left"),
            "suppress");
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_NO_RELEASE,
                 "no node of the lattice holds within %llu suppressed rows; suppressing %llu "
                 "row%s (%.3g %%) would do: `suppress: %llu`; or widen `level`, or ask for less",
                 (unsigned long long)problem->limit, (unsigned long long)ahead->rows,
                 ahead->rows == 1 ? "" : "s",
                 100 * (double)ahead->rows / (double)problem->list->n_rows,
                 (unsigned long long)ahead->rows),
        "suppress");
}

mgl_status mgl_fail_unmet(const mgl_problem *problem, bool timed_out, mgl_error *err)
{
    outlook ahead;
    if (timed_out)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_TIME_LIMIT,
                     "the time limit came before any release that holds was found; raise "
                     "`time-limit`"),
            "time-limit");
    MGL_TRY(look_ahead(problem, err, &ahead));
    return fail_beyond(problem, &ahead, err);
}

mgl_status mgl_fail_no_node(const mgl_problem *problem, const char *method, mgl_error *err)
{
    outlook ahead;
    MGL_TRY(look_ahead(problem, err, &ahead));
    bool within = ahead.rows <= problem->limit && ahead.rows < problem->list->n_rows;
    if (ahead.all && !within)
        return fail_beyond(problem, &ahead, err);
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_NO_RELEASE,
                 "%s came to no node that holds within %llu suppressed rows, %s; use `method` "
                 "mingen, which looks at all, allow more with `suppress`, or ask for less",
                 method, (unsigned long long)problem->limit,
                 within ? "though there is one" : "but it does not look at all nodes"),
        "suppress");
}

mgl_status mgl_fail_no_release(const mgl_problem *problem, const char *method, mgl_error *err)
{
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_NO_RELEASE,
                 "%s finds no release that holds within %llu suppressed rows; allow more with "
                 "`suppress`, widen `level`, ask for less, or use another method",
                 method, (unsigned long long)problem->limit),
        "suppress");
}
