/* The command compare: runs several methods on the same counts and judges each as `anonymize`
 * would; nothing is released. */
#include "command/command.h"

#include "command/table_first.h"
#include "findings/findings.h"

/* Runs the method and tells what it found. Since nothing is written, a result that breaks its
 * promise can be shown; it says so. */
static mgl_status try_method(const mgl_reading *reading, const mgl_task *task,
                             const mgl_method_type *method, double start, mgl_error *err,
                             mgl_result **out)
{
    mgl_solution *solution = NULL;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(task), sizeof *found);
    mgl_outcome outcome = {
        .reading = reading, .task = task, .method = method, .found = found, .start = start};
    mgl_status status = MGL_OK;
    MGL_GO(found == NULL ? mgl_fail_memory(err)
                         : mgl_settings_check_method(reading->settings, method, err));
    double begun = mgl_sys_seconds();
    MGL_GO(mgl_search_run(method, &task->problem, err, &solution));
    outcome.search_seconds = mgl_sys_seconds() - begun;
    outcome.solution = solution;
    MGL_GO(mgl_judge_solution(task, solution, err, found, &outcome.written));
    MGL_GO(mgl_describe_solution("compare", &outcome, err, out));
    if (solution->unsafe)
        mgl_result_warn(*out, "unsafe",
                        "models do not hold on what this method makes of the table");
done:
    mgl_written_free(&outcome.written);
    mgl_solution_free(solution);
    mgl_free(found);
    return status;
}

/* Tells why a method has no result, in the place of the result. */
static mgl_status tell_failure(const mgl_method_type *method, const mgl_error *why, mgl_error *err,
                               mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_result_new("compare", err, &result));
    mgl_json_set(result->document, "method", json_string(method->name));
    mgl_json_set(result->document, "error", json_string(why->message));
    mgl_json_set(result->document, "status", mgl_json_count((uint64_t)why->status));
    result->holds = false;
    *out = result;
    return MGL_OK;
}

/* The comparison goes on without a method that finds no release or does not fit the job. What would
 * fail every method ends it. */
static mgl_status compare_one(const mgl_setup *setup, const mgl_method_type *method, double shared,
                              mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings = setup->reading->settings;
    mgl_error why = {0};
    mgl_task task = *setup->task;
    if (settings->limits.seconds > 0) /* each method has the whole time */
        task.problem.deadline = mgl_sys_seconds() + settings->limits.seconds;
    MGL_TRY(mgl_task_take_method(&task, settings, method, err));
    mgl_status status =
        try_method(setup->reading, &task, method, mgl_sys_seconds() - shared, &why, out);
    mgl_hide_values(why.message, sizeof why.message, settings->verbose);
    if (status == MGL_UNMET || status == MGL_USAGE)
        return tell_failure(method, &why, err, out);
    return status == MGL_OK ? MGL_OK : mgl_fail_as(err, &why);
}

static mgl_status compare_all(const mgl_setup *setup, double shared, mgl_error *err,
                              mgl_result *list)
{
    const mgl_settings *settings = setup->reading->settings;
    const char *before = mgl_progress_within("compare");
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < settings->comparison.n_methods; i++) {
        mgl_result *result;
        MGL_GO(mgl_progress_report(&settings->progress, "compare", i,
                                   settings->comparison.n_methods, err));
        MGL_GO(compare_one(setup, settings->comparison.methods[i], shared, err, &result));
        mgl_result_append(list, result);
    }
done:
    mgl_progress_go_on(before);
    return status;
}

mgl_status mgl_compare_methods(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                               mgl_result **out)
{
    double start = mgl_sys_seconds();
    mgl_setup setup = {0};
    mgl_result *list;
    MGL_TRY(mgl_result_new_list(err, &list));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_setup_begin(session, settings, MGL_TO_SEARCH, err, &setup));
    MGL_GO(compare_all(&setup, mgl_sys_seconds() - start, err, list));
    MGL_GO(mgl_result_finish(list, settings, err));
    *out = list;
    list = NULL;
done:
    mgl_setup_end(&setup);
    mgl_result_free(list);
    return status;
}

mgl_status mgl_command_compare(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_progress_plan("read compare");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_settings_table_first(session, job, MGL_COMPARE, err, &settings));
    return mgl_compare_methods(session, settings, err, out);
}
