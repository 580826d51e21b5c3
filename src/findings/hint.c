/* Tries whether a little suppression would gain much: a few rows can force a whole column up.
 * describe_solution.c warns by it where the job allows no suppression. */
#include "findings/sections.h"

#include <math.h>

enum { PERCENT = 1 };

/* The measure of the release that the method finds if it may suppress so many rows. */
static mgl_status try_with_limit(const mgl_outcome *outcome, uint64_t limit, mgl_error *err,
                                 double *value)
{
    mgl_task task = *outcome->task;
    mgl_solution *solution = NULL;
    mgl_measured measured = {0};
    task.problem.limited = true;
    task.problem.limit = limit;
    task.problem.brief = true;
    task.problem.wants_proof = false;
    task.problem.deadline = mgl_sys_seconds() + 1;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_search_run(outcome->method, &task.problem, err, &solution));
    MGL_GO(mgl_measure_solution(&task, solution, err, &measured));
    *value = outcome->reading->settings->measure->value(&measured.statistics);
done:
    mgl_measured_free(&measured);
    mgl_solution_free(solution);
    return status;
}

/* Only a gain of a tenth of what is lost is worth a word. */
static bool is_clear(const mgl_measure_type *measure, double now, double then)
{
    double lost = measure->higher_is_better ? 1 - now : now,
           less = measure->higher_is_better ? 1 - then : then;
    return isfinite(lost) && isfinite(less) && lost - less > 0.1 * fabs(lost) &&
           lost - less > 0.02 * fabs(now);
}

mgl_status mgl_hint_tell(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                         mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_problem *p = &outcome->task->problem;
    uint64_t limit = p->list->n_rows * PERCENT / 100;
    double now = settings->measure->value(&measured->statistics), then = NAN;
    mgl_error why = {0};
    if (!settings->hint || settings->strata.n > 0 || p->limit > 0 || limit == 0 ||
        settings->limits.seconds > 0 || !outcome->method->full_domain ||
        !outcome->solution->exact || outcome->search_seconds >= 1)
        return MGL_OK;
    mgl_status status = try_with_limit(outcome, limit, &why, &then);
    if (status == MGL_SYSTEM || status == MGL_CANCELLED)
        return mgl_fail_as(err, &why);
    if (status == MGL_OK && is_clear(settings->measure, now, then))
        mgl_result_warn(result, "suppression-helps",
                        "with `suppress: %d%%` %s would be %.3g instead of %.3g: a few rows force "
                        "all others up",
                        PERCENT, settings->measure->name, then, now);
    return MGL_OK;
}
