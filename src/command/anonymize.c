/* anonymize: makes a verified release from a job, or with `print-sql` prints the statements with
 * which an engine makes it.
 *
 *     source --read--> table --count--> frequency list --search--> recoding
 *            --stage--> file --verify--> publish
 */
#include "command/further_searches.h"
#include "command/certificate/certificate.h"
#include "command/command.h"
#include "command/refusal.h"
#include "command/saved_recoding.h"
#include "command/statement.h"
#include "command/run_command.h"
#include "findings/findings.h"

typedef struct column_list {
    const char **names;
    size_t n;
} column_list;

/* The quasi-identifiers in the order in which the map has them. */
static void take_quasi(const mgl_settings *settings, column_list *quasi)
{
    for (size_t q = 0; q < settings->n_quasi; q++)
        for (size_t i = 0; i < settings->quasi[q].n_names; i++) {
            const char *name = settings->quasi[q].names[i];
            const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
            if ((attribute == NULL || !mgl_settings_passes(settings, attribute)) &&
                !mgl_names_have(quasi->names, quasi->n, name))
                quasi->names[quasi->n++] = name;
        }
}

static mgl_status make_order(const mgl_settings *settings, mgl_arena *arena, mgl_error *err,
                             mgl_script_request *out)
{
    size_t room = settings->n_attributes + 1;
    column_list lists[3] = {{0}}, *quasi = &lists[0], *sensitive = &lists[1], *passed = &lists[2];
    char **names;
    for (size_t i = 0; i < 3; i++)
        MGL_TRY(mgl_check_memory(
            (lists[i].names = mgl_arena_alloc(arena, room * sizeof *lists[i].names)) != NULL, err));
    take_quasi(settings, quasi);
    if (quasi->n == 0)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "quasi-identifiers",
                            "there is no quasi-identifier; name its columns with `role: quasi`");
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *one = &settings->attributes[i];
        if (mgl_settings_passes(settings, one))
            passed->names[passed->n++] = one->name;
        else if (one->role == MGL_ROLE_SENSITIVE)
            sensitive->names[sensitive->n++] = one->name;
    }
    MGL_TRY(mgl_map_names(quasi->names, quasi->n, arena, err, &names));
    *out = (mgl_script_request){.dialect = settings->print_sql,
                                .source = settings->data,
                                .target = settings->output,
                                .quasi = quasi->names,
                                .released = (const char *const *)names + quasi->n,
                                .n_quasi = quasi->n,
                                .sensitive = sensitive->names,
                                .n_sensitive = sensitive->n,
                                .passed = passed->names,
                                .n_passed = passed->n,
                                .count = settings->counted.column,
                                .missing = settings->source.missing,
                                .n_missing = settings->source.n_missing,
                                .no_value = settings->source.no_value,
                                .shuffle = !settings->order.keep};
    return MGL_OK;
}

static mgl_status report(const mgl_script_request *request, char *const *parts, mgl_error *err,
                         json_t *document)
{
    static const char *const keys[MGL_SCRIPT_PARTS] = {
        [MGL_SCRIPT_SETTING] = "setting", [MGL_SCRIPT_COUNT] = "count",
        [MGL_SCRIPT_UNLOAD] = "unload",   [MGL_SCRIPT_MAP] = "map",
        [MGL_SCRIPT_LOAD] = "load",       [MGL_SCRIPT_RELEASE] = "release",
        [MGL_SCRIPT_VERIFY] = "verify",   [MGL_SCRIPT_PUBLISH] = "publish",
        [MGL_SCRIPT_CLEAN] = "clean",     [MGL_SCRIPT_UNDO] = "undo"};
    json_t *sql = json_object(), *passed = json_array(), *missing = json_array();
    mgl_json_set(sql, "dialect", json_string(request->dialect));
    mgl_json_set(sql, "count_column", json_string(request->count));
    for (size_t i = 0; i < request->n_passed; i++)
        mgl_json_append(passed, json_string(request->passed[i]));
    mgl_json_set(sql, "passed_through", passed);
    for (size_t i = 0; i < request->n_missing; i++)
        mgl_json_append(missing, json_stringn(request->missing[i].data, request->missing[i].size));
    mgl_json_set(sql, "missing", missing);
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        mgl_json_set(sql, keys[i], parts[i][0] != '\0' ? json_string(parts[i]) : json_null());
    mgl_json_set(document, "sql", sql);
    return mgl_json_complete(document) ? MGL_OK : mgl_fail_memory(err);
}

/* Reads no table; the result has the statements. */
static mgl_status mgl_print_sql(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    mgl_arena *arena = mgl_arena_new();
    char *parts[MGL_SCRIPT_PARTS] = {NULL};
    mgl_result *result = NULL;
    mgl_script_request request;
    mgl_status status = MGL_OK;
    MGL_GO(arena == NULL ? mgl_fail_memory(err) : make_order(settings, arena, err, &request));
    MGL_GO(mgl_script_make(&request, err, parts));
    MGL_GO(mgl_result_new("anonymize", err, &result));
    MGL_GO(report(&request, parts, err, result->document));
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        mgl_free(parts[i]);
    mgl_arena_free(arena);
    mgl_result_free(result);
    return status;
}

/* In the order of publishing. The release comes first: neither a recoding nor a result must tell of
 * a release that is not there. */
enum { RELEASE, RECODING, MAP, PROOF, STAGES };

/* Rows of a release in a database can be read when it has its name. */
static bool is_in_database(const mgl_reading *reading)
{
    const char *output = reading->settings->output;
    return output != NULL && mgl_location_of(output).kind == MGL_LOCATION_DATABASE;
}

static mgl_status publish(const mgl_reading *reading, mgl_stage *const *stages,
                          mgl_result_files *files, mgl_statement_files *stated, mgl_error *err)
{
    MGL_TRY(mgl_release_publish(reading, stages[RELEASE], err));
    if (is_in_database(reading)) {
        mgl_settings unstopped = *reading->settings; /* the release is there, and stays */
        unstopped.progress = (mgl_progress){0};
        mgl_progress_state before = mgl_progress_enter(NULL); /* nor do reminders stop it */
        mgl_status status = mgl_statement_stage(&unstopped, NULL, err, stated);
        mgl_progress_leave(&before);
        MGL_TRY(status);
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
    mgl_release_request release = {task, reading, solution, &failing, tuples, solution->node};
    mgl_result *result = NULL;
    mgl_stage *stages[STAGES] = {NULL};
    mgl_result_files files = {0};
    mgl_statement_files stated = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(mgl_failing_find(task, reading, solution, err, &failing));
    if (settings->dry_run) {
        MGL_GO(mgl_judge_solution(task, solution, err, found, &outcome.written));
        MGL_GO(mgl_promise_check(task, &failing, found, err));
    } else {
        MGL_GO(mgl_stage_release(&release, err, found, &outcome.written, &stages[RELEASE]));
    }
    MGL_GO(mgl_describe_solution("anonymize", &outcome, &mgl_command_searches, err, &result));
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

static mgl_status make_release(mgl_session *session, const mgl_settings *settings, double start,
                               mgl_error *err, mgl_result **out)
{
    mgl_setup setup;
    mgl_status status = mgl_setup_begin(session, settings, MGL_TO_RELEASE, err, &setup);
    if (status == MGL_UNMET)
        mgl_refusal_report_early(session, settings, err);
    MGL_TRY(status);
    double counted = mgl_sys_seconds();
    mgl_solution *solution = NULL;
    mgl_row_tuples *tuples = NULL;
    mgl_task_show_added(setup.task, true);
    MGL_GO(mgl_refuse_many(settings, setup.counts.list->n_rows, err));
    MGL_GO(mgl_release_ahead(setup.task, setup.reading, err, &tuples));
    MGL_GO(setup.reading->n_quasi > 0
               ? mgl_search_run(settings->method, &setup.task->problem, err, &solution)
               : mgl_solution_without_columns(&setup.task->problem, err, &solution));
    mgl_task_show_added(setup.task, false);
    MGL_GO(finish(&setup, solution, tuples, mgl_sys_seconds() - counted, start, err, out));
done:
    if (status == MGL_UNMET)
        mgl_refusal_report(&setup, solution, err);
    mgl_row_tuples_free(tuples);
    mgl_solution_free(solution);
    mgl_setup_end(&setup);
    return status;
}

mgl_status mgl_command_anonymize(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out)
{
    double start = mgl_sys_seconds();
    const mgl_settings *settings;
    mgl_drawn *drawn;
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_ANONYMIZE, err, &settings));
    if (settings->print_sql != NULL)
        return mgl_print_sql(settings, err, out);
    MGL_TRY(mgl_draw_rows(session, settings, err, &drawn));
    mgl_status status =
        make_release(session, drawn != NULL ? &drawn->settings : settings, start, err, out);
    mgl_drawn_free(drawn);
    return status;
}
