/* The facade: the whole flow from a job to a verified release.
 *
 *     source --read--> table --count--> frequency list --search--> recoding
 *            --stage--> file --verify--> publish
 */
#include "mingle.h"

#include "flow/flow.h"
#include "report/report.h"

const char *mgl_version(void)
{
    return MGL_VERSION;
}

/* ---- The steps ------------------------------------------------------------------------ */

static mgl_status read_step(mgl_job *job, mgl_error *err, mgl_reading **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    return mgl_reading_new(settings, MGL_TO_RELEASE, err, out);
}

static mgl_status search_step(mgl_job *job, const mgl_counts *counts, mgl_error *err,
                              mgl_solution **out)
{
    const mgl_settings *settings;
    mgl_task *task;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_task_new(settings, counts, true, err, &task));
    mgl_status status = mgl_method_run(settings->method, &task->problem, err, out);
    mgl_task_free(task);
    return status;
}

/* ---- The end: a release and its result ---------------------------------------------------- */

/* The release first: neither a recoding nor a result must tell of a release that is not there. */
enum { RELEASE, RECODING, PROOF, STAGES };

static mgl_status publish(const mgl_reading *reading, mgl_stage *const *stages,
                          mgl_result_files *files, mgl_error *err)
{
    MGL_TRY(mgl_release_publish(reading, stages[RELEASE], err));
    for (size_t i = RELEASE + 1; i < STAGES; i++)
        if (stages[i] != NULL)
            MGL_TRY(mgl_stage_publish(stages[i], err));
    return mgl_result_publish(files, err);
}

/* Unless the run is dry, writes, verifies and publishes a solution. All that can fail comes
 * before the first name is given. */
static mgl_status finish(const mgl_task *task, const mgl_reading *reading,
                         const mgl_solution *solution, double search_seconds, double start,
                         mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings = reading->settings;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(task), sizeof *found);
    mgl_failing failing = {0};
    mgl_outcome outcome = {.reading = reading,
                           .task = task,
                           .method = settings->method,
                           .solution = solution,
                           .found = found,
                           .failing = &failing,
                           .output = settings->dry_run ? NULL : settings->output,
                           .search_seconds = search_seconds,
                           .start = start};
    mgl_result *result = NULL;
    mgl_stage *stages[STAGES] = {NULL};
    mgl_result_files files = {0};
    mgl_status status = found == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_failing_find(task, reading, solution, err, &failing);
    if (status == MGL_OK && settings->dry_run)
        status = mgl_judge_solution(task, solution, err, found, &outcome.written);
    if (status == MGL_OK && settings->dry_run)
        status = mgl_promise_check(task, &failing, found, err);
    if (status == MGL_OK && !settings->dry_run)
        status = mgl_stage_release(task, reading, solution, &failing, err, found, &outcome.written,
                                   &stages[RELEASE]);
    if (status == MGL_OK)
        status = mgl_describe_solution("anonymize", &outcome, err, &result);
    if (status == MGL_OK)
        status = mgl_save_recoding(&outcome, err, &stages[RECODING]);
    if (status == MGL_OK)
        status = mgl_save_proof(&outcome, err, result, &stages[PROOF]);
    if (status == MGL_OK)
        status = mgl_result_stage(result, settings, err, &files);
    if (status == MGL_OK)
        status = publish(reading, stages, &files, err);
    mgl_release_end(reading, stages[RELEASE]);
    for (size_t i = RELEASE + 1; i < STAGES; i++)
        mgl_stage_free(stages[i]);
    mgl_result_files_free(&files);
    mgl_written_free(&outcome.written);
    mgl_failing_free(&failing);
    mgl_free(found);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}

static mgl_status release_step(mgl_job *job, const mgl_reading *reading, const mgl_counts *counts,
                               const mgl_solution *solution, mgl_error *err, mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_task *task;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_task_new(settings, counts, true, err, &task));
    mgl_status status = finish(task, reading, solution, 0, start, err, out);
    mgl_task_free(task);
    return status;
}

/* ---- Whole commands ----------------------------------------------------------------------- */

static mgl_status run_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_work work;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    MGL_TRY(mgl_work_begin(settings, MGL_TO_RELEASE, err, &work));
    double counted = mgl_sys_seconds();
    mgl_solution *solution = NULL;
    mgl_task_show_history(work.task, !settings->history_afterwards);
    mgl_status status = mgl_refuse_many(settings, work.counts->list->n_rows, err);
    if (status == MGL_OK)
        status = mgl_method_run(settings->method, &work.task->problem, err, &solution);
    mgl_task_show_history(work.task, true);
    if (status == MGL_OK)
        status =
            finish(work.task, work.reading, solution, mgl_sys_seconds() - counted, start, err, out);
    mgl_solution_free(solution);
    mgl_work_end(&work);
    return status;
}

static mgl_status compare_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_COMPARE, err, &settings));
    return mgl_flow_compare(settings, err, out);
}

static mgl_status check_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    const char *against = mgl_job_get(job, "against");
    if (mgl_job_get(job, "proof") != NULL)
        return mgl_flow_check_proof(job, err, out);
    if (against != NULL)
        MGL_TRY(mgl_against_prepare(job, against, err));
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_CHECK, err, &settings));
    return mgl_flow_check(settings, err, out);
}

static mgl_status risk_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_RISK, err, &settings));
    return mgl_flow_risk(settings, err, out);
}

static mgl_status take_hierarchies(mgl_job *job, mgl_error *err)
{
    const char *against = mgl_job_get(job, "against");
    return against != NULL ? mgl_against_hierarchies(job, against, err) : MGL_OK;
}

static mgl_status attack_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(take_hierarchies(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_ATTACK, err, &settings));
    return mgl_flow_attack(settings, err, out);
}

static mgl_status count_part_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_COUNT, err, &settings));
    return mgl_flow_count(settings, err, out);
}

static mgl_status apply_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return mgl_flow_apply(job, err, out);
}

static mgl_status utility_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(take_hierarchies(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_UTILITY, err, &settings));
    return mgl_flow_utility(settings, err, out);
}

static mgl_status lattice_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_parts_prepare(job, err));
    MGL_TRY(mgl_job_settings(job, MGL_LATTICE, err, &settings));
    return mgl_flow_lattice(settings, err, out);
}

static mgl_status hierarchies_command(mgl_job *job, const char *action, mgl_error *err,
                                      mgl_result **out)
{
    const mgl_settings *settings;
    mgl_job_action(job, action);
    MGL_TRY(mgl_job_settings(job, MGL_HIERARCHY, err, &settings));
    return mgl_flow_hierarchies(settings, action, err, out);
}

static mgl_status report_command(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_job_settings(job, MGL_REPORT, err, &settings));
    return mgl_flow_report(settings, err, out);
}

/* ---- The public functions: no message leaves them that shows a value unasked ----------------- */

static mgl_status told(const mgl_job *job, mgl_status status, mgl_error *err)
{
    const char *verbose = mgl_job_get(job, "verbose");
    if (status != MGL_OK && err != NULL)
        mgl_hide_values(err->message, sizeof err->message,
                        verbose != NULL && strcmp(verbose, "true") == 0);
    return status;
}

mgl_status mgl_read(mgl_job *job, mgl_error *err, mgl_reading **out)
{
    return told(job, read_step(job, err, out), err);
}

mgl_status mgl_search(mgl_job *job, const mgl_counts *counts, mgl_error *err, mgl_solution **out)
{
    return told(job, search_step(job, counts, err, out), err);
}

mgl_status mgl_release(mgl_job *job, const mgl_reading *reading, const mgl_counts *counts,
                       const mgl_solution *solution, mgl_error *err, mgl_result **out)
{
    return told(job, release_step(job, reading, counts, solution, err, out), err);
}

mgl_status mgl_run(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, run_command(job, err, out), err);
}

mgl_status mgl_compare(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, compare_command(job, err, out), err);
}

mgl_status mgl_check(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, check_command(job, err, out), err);
}

mgl_status mgl_risk(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, risk_command(job, err, out), err);
}

mgl_status mgl_attack(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, attack_command(job, err, out), err);
}

mgl_status mgl_count_part(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, count_part_command(job, err, out), err);
}

mgl_status mgl_apply(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, apply_command(job, err, out), err);
}

mgl_status mgl_utility(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, utility_command(job, err, out), err);
}

mgl_status mgl_lattice(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, lattice_command(job, err, out), err);
}

mgl_status mgl_hierarchies(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    return told(job, hierarchies_command(job, action, err, out), err);
}

mgl_status mgl_report(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return told(job, report_command(job, err, out), err);
}

mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out)
{
    return mgl_report_html(result, err, out);
}

mgl_status mgl_result_text(const mgl_result *result, int colour, mgl_error *err, char **out)
{
    return mgl_report_text(result, &(mgl_text_style){.colour = colour}, err, out);
}

mgl_status mgl_result_text_in(const mgl_result *result, const mgl_text_style *style, mgl_error *err,
                              char **out)
{
    return mgl_report_text(result, style, err, out);
}

void mgl_text_free(char *text)
{
    mgl_free(text);
}

mgl_status mgl_describe(const char *kind, const char *format, mgl_error *err, char **out)
{
    return mgl_job_describe(kind, format, err, out);
}
