/* The facade: the whole flow from a job to a verified release.
 *
 *     source --read--> table --count--> frequency list --search--> recoding
 *            --stage--> file --verify--> publish
 */
#include "mingle.h"

#include "flow/flow.h"
#include "report/report.h"

#include <math.h>

const char *mgl_version(void)
{
    return MGL_VERSION;
}

/* ---- The steps ------------------------------------------------------------------------ */

mgl_status mgl_read(mgl_job *job, mgl_error *err, mgl_reading **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    return mgl_reading_new(settings, MGL_TO_RELEASE, err, out);
}

mgl_status mgl_search(mgl_job *job, const mgl_counts *counts, mgl_error *err, mgl_solution **out)
{
    const mgl_settings *settings;
    mgl_task *task;
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_task_new(settings, counts, true, err, &task));
    mgl_status status = mgl_method_run(settings->method, &task->problem, err, out);
    mgl_task_free(task);
    return status;
}

/* ---- The result of a release ------------------------------------------------------------ */

static json_t *minimal_json(const mgl_reading *reading, const mgl_solution *solution)
{
    if (!solution->minimal_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < solution->n_minimal; i++)
        mgl_json_append(
            array, mgl_node_json(reading, solution->minimal_nodes + i * solution->n_attributes));
    return array;
}

/* How far the release can be from the best one of its kind. */
static json_t *bound_json(const mgl_settings *settings, const mgl_solution *solution,
                          const mgl_statistics *statistics)
{
    if (!solution->exact && !solution->bounded)
        return json_null();
    double value = settings->measure->value(statistics);
    double best = solution->exact ? value : solution->best_possible;
    json_t *object = json_object();
    mgl_json_set(object, "measure", json_string(settings->measure->key));
    mgl_json_set(object, "best_possible", mgl_json_real(best));
    mgl_json_set(object, "achieved", mgl_json_real(value));
    mgl_json_set(object, "gap", mgl_json_real(fabs(best - value)));
    mgl_json_set(object, "exact", json_boolean(solution->exact));
    return object;
}

static json_t *heights_json(const mgl_reading *reading)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_json_set(object, reading->quasi[a].settings->name,
                     mgl_json_count(reading->quasi[a].hierarchy->height));
    return object;
}

/* Where models do not judge the classes that the result tells of. */
static void warn_of_counting(mgl_result *result, const mgl_counting *counting,
                             const mgl_class_summary *classes)
{
    if (counting->tops_match)
        mgl_json_set(result->document, "missing_matches", json_string("all"));
    if (counting->tops_match)
        mgl_result_warn(result, "suppressed-cells-match",
                        "suppressed cells count as matching every value; as equal tuples the "
                        "smallest class has %llu rows",
                        (unsigned long long)classes->min);
    if (counting->columns > 0)
        mgl_result_warn(result, "combinations",
                        "models hold on every combination of %u columns, not on all together; "
                        "there the smallest class has %llu rows",
                        counting->columns, (unsigned long long)classes->min);
}

static void warn_about(mgl_result *result, const mgl_settings *settings,
                       const mgl_solution *solution)
{
    if (solution->timed_out)
        mgl_result_warn(result, "time-limit",
                        "the time limit came before the search was complete; a better release "
                        "may exist");
    if (settings->treatment == MGL_EXEMPT && solution->suppressed_rows > 0)
        mgl_result_warn(result, "exempt-rows",
                        "%llu suppressed rows are released but exempt from the models",
                        (unsigned long long)solution->suppressed_rows);
}

static void describe(mgl_result *result, const mgl_task *task, const mgl_reading *reading,
                     const mgl_solution *solution, const mgl_measured *measured,
                     const mgl_found *found, uint64_t released_rows)
{
    const mgl_settings *settings = reading->settings;
    json_t *document = result->document, *nodes = json_object();
    mgl_json_set(document, "method", json_string(settings->method->name));
    mgl_json_set(document, "rows", mgl_json_count(task->problem.list->n_rows));
    mgl_json_set(document, "released_rows", mgl_json_count(released_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(measured->statistics.top_rows));
    mgl_json_set(document, "classes", mgl_classes_json(&measured->summary));
    mgl_json_set(document, "node", mgl_node_json(reading, solution->node));
    mgl_json_set(document, "heights", heights_json(reading));
    mgl_json_set(nodes, "total", mgl_json_count(solution->nodes_total));
    mgl_json_set(nodes, "checked", mgl_json_count(solution->nodes_checked));
    mgl_json_set(document, "nodes", nodes);
    mgl_json_set(document, "minimal_nodes", minimal_json(reading, solution));
    mgl_json_set(document, "utility", mgl_utility_json(&measured->statistics));
    mgl_json_set(document, "bound", bound_json(settings, solution, &measured->statistics));
    mgl_json_set(document, "models", mgl_models_json(reading, task, found));
    mgl_json_set(document, "risk", mgl_risk_json(&measured->summary));
    if (settings->output != NULL && !settings->dry_run)
        mgl_json_set(document, "output", json_string(settings->output));
    result->holds = true;
    for (size_t i = 0; i < mgl_task_models(task); i++)
        result->holds = result->holds && found[i].holds;
    warn_about(result, settings, solution);
    warn_of_counting(result, &task->problem.counting, &measured->summary);
    mgl_result_take_warnings(result, reading);
}

static json_t *seconds_json(double read, double search, const mgl_written *written, double total)
{
    json_t *object = json_object();
    mgl_json_set(object, "read", mgl_json_real(read));
    mgl_json_set(object, "search", mgl_json_real(search));
    mgl_json_set(object, "write", mgl_json_real(written->write_seconds));
    mgl_json_set(object, "verify", mgl_json_real(written->verify_seconds));
    mgl_json_set(object, "total", mgl_json_real(total));
    return object;
}

/* The release first: a result must not tell of a release that is not there. */
static mgl_status publish(mgl_stage *release, mgl_stage *result, mgl_error *err)
{
    if (release != NULL)
        MGL_TRY(mgl_stage_publish(release, err));
    return result != NULL ? mgl_stage_publish(result, err) : MGL_OK;
}

/* Measures a solution and, unless the run is dry, writes, verifies and publishes it. All
 * that can fail comes before the first name is given. */
static mgl_status finish(const mgl_task *task, const mgl_reading *reading,
                         const mgl_solution *solution, double search_seconds, double start,
                         mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings = reading->settings;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(task), sizeof *found);
    mgl_measured measured = {0};
    mgl_written written = {0};
    mgl_result *result = NULL;
    mgl_stage *release_stage = NULL, *result_stage = NULL;
    mgl_status status = found == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_measure_recoding(task, solution->recoding, solution->node, err, &measured);
    if (status == MGL_OK)
        status = mgl_result_new("anonymize", err, &result);
    if (status == MGL_OK)
        status =
            settings->dry_run
                ? mgl_judge_recoding(&task->problem, solution->recoding, err, found)
                : mgl_stage_release(task, reading, solution, err, found, &written, &release_stage);
    if (status == MGL_OK) {
        if (settings->dry_run)
            written.n_rows = task->problem.list->n_rows -
                             (settings->treatment == MGL_DROP ? solution->suppressed_rows : 0);
        describe(result, task, reading, solution, &measured, found, written.n_rows);
        mgl_json_set(
            result->document, "seconds",
            seconds_json(reading->seconds, search_seconds, &written, mgl_sys_seconds() - start));
        status = mgl_result_stage(result, settings, err, &result_stage);
    }
    if (status == MGL_OK)
        status = publish(release_stage, result_stage, err);
    mgl_stage_free(release_stage);
    mgl_stage_free(result_stage);
    mgl_measured_free(&measured);
    mgl_free(found);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}

mgl_status mgl_release(mgl_job *job, const mgl_reading *reading, const mgl_counts *counts,
                       const mgl_solution *solution, mgl_error *err, mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_task *task;
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_task_new(settings, counts, true, err, &task));
    mgl_status status = finish(task, reading, solution, 0, start, err, out);
    mgl_task_free(task);
    return status;
}

/* ---- Whole commands ----------------------------------------------------------------------- */

mgl_status mgl_run(mgl_job *job, mgl_error *err, mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_work work;
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_work_begin(settings, MGL_TO_RELEASE, err, &work));
    double counted = mgl_sys_seconds();
    mgl_solution *solution = NULL;
    mgl_status status = mgl_method_run(settings->method, &work.task->problem, err, &solution);
    if (status == MGL_OK)
        status =
            finish(work.task, work.reading, solution, mgl_sys_seconds() - counted, start, err, out);
    mgl_solution_free(solution);
    mgl_work_end(&work);
    return status;
}

mgl_status mgl_check(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_CHECK, err, &settings));
    return mgl_flow_check(settings, err, out);
}

mgl_status mgl_utility(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_UTILITY, err, &settings));
    return mgl_flow_utility(settings, err, out);
}

mgl_status mgl_lattice(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_LATTICE, err, &settings));
    return mgl_flow_lattice(settings, err, out);
}

mgl_status mgl_hierarchies(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_HIERARCHY, err, &settings));
    return mgl_flow_hierarchies(settings, action, err, out);
}

mgl_status mgl_result_text(const mgl_result *result, int colour, mgl_error *err, char **out)
{
    return mgl_report_text(result, colour != 0, err, out);
}

void mgl_text_free(char *text)
{
    mgl_free(text);
}

mgl_status mgl_describe(const char *kind, const char *format, mgl_error *err, char **out)
{
    return mgl_job_describe(kind, format, err, out);
}
