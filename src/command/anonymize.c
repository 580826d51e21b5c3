/* anonymize: makes a verified release from a job.
 *
 *     source --read--> table --count--> frequency list --search--> recoding
 *            --stage--> file --verify--> publish
 */
#include "command/command.h"

#include "command/certificate/certificate.h"
#include "command/print_sql.h"
#include "command/refusal.h"
#include "command/save_recoding.h"
#include "command/statement.h"
#include "command/table_first.h"
#include "findings/findings.h"

/* In the order of publishing. The release comes first: neither a recoding nor a result must tell of
 * a release that is not there. */
enum { RELEASE, RECODING, MAP, PROOF, STAGES };

/* Rows of a release in a database can be read when it has its name. */
static bool is_in_database(const mgl_reading *reading)
{
    const char *output = reading->settings->output;
    return output != NULL && mgl_is_database(output);
}

static mgl_status publish(const mgl_reading *reading, mgl_stage *const *stages,
                          mgl_result_files *files, mgl_statement_files *stated, mgl_error *err)
{
    MGL_TRY(mgl_release_publish(reading, stages[RELEASE], err));
    if (is_in_database(reading)) {
        mgl_settings unstopped = *reading->settings; /* the release is there, and stays */
        unstopped.progress = (mgl_progress){0};
        MGL_TRY(mgl_statement_stage(&unstopped, NULL, err, stated));
    }
    MGL_TRY(mgl_statement_publish(stated, err));
    for (size_t i = RELEASE + 1; i < STAGES; i++)
        if (stages[i] != NULL)
            MGL_TRY(mgl_stage_publish(stages[i], err));
    return mgl_result_publish(files, err);
}

/* Writes, verifies and publishes a solution, unless the run is dry. All that can fail comes before
 * the first file gets its name. */
static mgl_status finish(const mgl_setup *setup, mgl_solution *solution, mgl_row_tuples *tuples,
                         double search_seconds, double start, mgl_error *err, mgl_result **out)
{
    const mgl_task *task = setup->task;
    const mgl_reading *reading = setup->reading;
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
    mgl_release_order release = {task, reading, solution, &failing, tuples};
    mgl_result *result = NULL;
    mgl_stage *stages[STAGES] = {NULL};
    mgl_result_files files = {0};
    mgl_statement_files stated = {0};
    mgl_status status = MGL_OK;
    if (found == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_failing_find(task, reading, solution, err, &failing));
    if (settings->dry_run) {
        MGL_GO(mgl_judge_solution(task, solution, err, found, &outcome.written));
        MGL_GO(mgl_promise_check(task, &failing, found, err));
    } else {
        MGL_GO(mgl_stage_release(&release, err, found, &outcome.written, &stages[RELEASE]));
    }
    MGL_GO(mgl_describe_solution("anonymize", &outcome, err, &result));
    MGL_GO(mgl_save_recoding(&outcome, err, &stages[RECODING]));
    MGL_GO(mgl_stage_map(&release, err, &stages[MAP]));
    MGL_GO(mgl_save_proof(&outcome, err, result, &stages[PROOF]));
    MGL_GO(mgl_statement_promise(&outcome, result, err, &stated));
    MGL_GO(mgl_result_stage(result, settings, err, &files));
    if (!is_in_database(reading))
        MGL_GO(mgl_statement_stage(settings, stages[RELEASE], err, &stated));
    MGL_GO(publish(reading, stages, &files, &stated, err));
    *out = result;
    result = NULL;
done:
    mgl_release_end(reading, stages[RELEASE]);
    for (size_t i = RELEASE + 1; i < STAGES; i++)
        mgl_stage_free(stages[i]);
    mgl_result_files_free(&files);
    mgl_statement_files_free(&stated);
    mgl_written_free(&outcome.written);
    mgl_failing_free(&failing);
    mgl_free(found);
    mgl_result_free(result);
    return status;
}

mgl_status mgl_command_anonymize(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_setup setup;
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_settings_table_first(session, job, MGL_ANONYMIZE, err, &settings));
    if (settings->print_sql != NULL)
        return mgl_print_sql(settings, err, out);
    mgl_status status = mgl_setup_begin(session, settings, MGL_TO_RELEASE, err, &setup);
    if (status == MGL_UNMET)
        mgl_refusal_tell_early(session, settings, err);
    MGL_TRY(status);
    double counted = mgl_sys_seconds();
    mgl_solution *solution = NULL;
    mgl_row_tuples *tuples = NULL;
    mgl_task_show_history(setup.task, !settings->earlier.afterwards);
    MGL_GO(mgl_refuse_many(settings, setup.counts.list->n_rows, err));
    MGL_GO(mgl_release_ahead(setup.task, setup.reading, err, &tuples));
    MGL_GO(setup.reading->n_quasi > 0
               ? mgl_search_run(settings->method, &setup.task->problem, err, &solution)
               : mgl_solution_without_columns(&setup.task->problem, err, &solution));
    mgl_task_show_history(setup.task, true);
    MGL_GO(finish(&setup, solution, tuples, mgl_sys_seconds() - counted, start, err, out));
done:
    if (status == MGL_UNMET)
        mgl_refusal_tell(&setup, solution, err);
    mgl_row_tuples_free(tuples);
    mgl_solution_free(solution);
    mgl_setup_end(&setup);
    return status;
}
