/* Searches that a result reports besides the release: whether a little suppression would gain much,
 * since a few rows can force a whole column up (a warning), and what the method finds for other k
 * on the same counts (`curve`). */
#include "command/further_searches.h"
#include "findings/findings.h"
#include "search/search.h"

#include <math.h>

enum { PERCENT = 1 };

/* Writes the measure of the release that the method finds if it may suppress `limit` rows. */
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

/* A gain of less than a tenth of the loss is not reported. */
static bool is_clear(const mgl_measure_type *measure, double now, double then)
{
    double lost = measure->higher_is_better ? 1 - now : now,
           less = measure->higher_is_better ? 1 - then : then;
    return isfinite(lost) && isfinite(less) && lost - less > 0.1 * fabs(lost) &&
           lost - less > 0.02 * fabs(now);
}

/* Warns if the method would lose clearly less with a small suppression limit, where the job allows
 * no suppression and asks for hints. */
static mgl_status hint_add(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                           mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_problem *p = &outcome->task->problem;
    uint64_t limit = p->list->n_rows * PERCENT / 100;
    double now = settings->measure->value(&measured->statistics), then = NAN;
    mgl_error why = {0};
    if (!settings->hint || p->limit > 0 || limit == 0 || settings->limits.seconds > 0 ||
        !outcome->method->full_domain || !outcome->solution->exact || outcome->search_seconds >= 1)
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

static json_t *point_json(const mgl_outcome *outcome, uint64_t k, const mgl_solution *solution,
                          const mgl_measured *measured)
{
    json_t *point = json_object();
    mgl_json_set(point, "k", mgl_json_count(k));
    mgl_json_set(point, "suppressed_rows", mgl_json_count(solution->suppressed_rows));
    mgl_json_set(point, "classes", mgl_classes_json(&measured->summary));
    mgl_json_set(point, "risk", mgl_risk_json(&measured->summary));
    mgl_json_set(point, "utility", mgl_utility_json(&measured->statistics));
    mgl_json_set(
        point, "bound",
        mgl_bound_json(outcome->reading->settings->measure, solution, &measured->statistics));
    return point;
}

static json_t *failure_json(uint64_t k, const mgl_error *why)
{
    json_t *point = json_object();
    mgl_json_set(point, "k", mgl_json_count(k));
    mgl_json_set(point, "error", json_string(why->message));
    return point;
}

/* The job with another k: all that depends on k is derived from these settings. */
typedef struct variant {
    mgl_settings settings;
    mgl_reading reading;
    mgl_counts counts;
    mgl_task *task;
} variant;

/* number: of the point; the points after it share what is left of a time limit. */
static mgl_status variant_begin(variant *v, const mgl_outcome *outcome, size_t number,
                                mgl_error *err)
{
    const mgl_problem *p = &outcome->task->problem;
    v->reading = *outcome->reading;
    v->settings = *v->reading.settings;
    v->reading.settings = &v->settings;
    uint64_t k = v->settings.comparison.curve[number];
    v->settings.comparison.n_curve -= number + 1;
    v->reading.pins = (mgl_cache_pins){.cache = v->reading.session->cache};
    MGL_TRY(
        mgl_new_array(v->settings.n_models, sizeof *v->settings.models, err, &v->settings.models));
    for (size_t i = 0; i < v->settings.n_models; i++) {
        v->settings.models[i] = outcome->reading->settings->models[i];
        if (v->settings.models[i].type->k == MGL_K_IS)
            v->settings.models[i].parameters[0] = (double)k;
    }
    v->settings.k = k;
    v->settings.no_k = false;
    v->settings.method = outcome->method;
    v->counts = (mgl_counts){.reading = &v->reading,
                             .list = p->list,
                             .population = p->population,
                             .kept = outcome->task->list};
    return mgl_task_new(&v->settings, &v->counts, true, err, &v->task);
}

static mgl_status try_k(const mgl_outcome *outcome, size_t number, mgl_error *err, json_t **out)
{
    variant v = {0};
    mgl_solution *solution = NULL;
    mgl_measured measured = {0};
    mgl_status status = MGL_OK;
    MGL_GO(variant_begin(&v, outcome, number, err));
    MGL_GO(mgl_search_run(outcome->method, &v.task->problem, err, &solution));
    MGL_GO(mgl_measure_solution(v.task, solution, err, &measured));
    *out = point_json(outcome, v.settings.k, solution, &measured);
    mgl_measured_free(&measured);
done:
    mgl_solution_free(solution);
    mgl_task_free(v.task);
    mgl_cache_unpin(&v.reading.pins);
    mgl_free(v.settings.models);
    return status;
}

/* Where no release exists for this k, the point states the reason. */
static mgl_status point_at(const mgl_outcome *outcome, size_t number, mgl_error *err, json_t **out)
{
    const mgl_settings *settings = outcome->reading->settings;
    mgl_error why = {0};
    mgl_status status = try_k(outcome, number, &why, out);
    mgl_hide_values(why.message, sizeof why.message, settings->verbose);
    if (status == MGL_UNMET || status == MGL_USAGE)
        *out = failure_json(settings->comparison.curve[number], &why);
    else if (status != MGL_OK)
        return mgl_fail_as(err, &why);
    return MGL_OK;
}

/* What the method finds for each k of `curve`; `measured` belongs to the k of the job. */
static mgl_status curve_json(const mgl_outcome *outcome, const mgl_measured *measured,
                             mgl_error *err, json_t **out)
{
    const mgl_settings *settings = outcome->reading->settings;
    json_t *curve = json_array(), *point;
    const char *before = mgl_progress_within("curve");
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < settings->comparison.n_curve; i++) {
        uint64_t k = settings->comparison.curve[i];
        MGL_GO(mgl_progress_report(&settings->progress, "curve", i, settings->comparison.n_curve,
                                   err));
        if (k == settings->k)
            point = point_json(outcome, k, outcome->solution, measured);
        else
            MGL_GO(point_at(outcome, i, err, &point));
        mgl_json_append(curve, point);
    }
    *out = json_incref(curve);
done:
    mgl_progress_go_on(before);
    json_decref(curve);
    return status;
}

const mgl_further_searches mgl_command_searches = {hint_add, curve_json};
