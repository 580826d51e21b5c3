/* The facade: the functions of the public header, which hand over to the rooms behind it. No
 * message leaves them that shows a value unasked, and none of them minds the program's locale. */
#include "mingle.h"

#include "command/command.h"
#include "findings/findings.h"
#include "report/report.h"

const char *mgl_version(void)
{
    return MGL_VERSION;
}

int mgl_version_number(void)
{
    return MGL_VERSION_NUMBER;
}

/* A call of a public function: what was before it, whose job it is, and what it makes. */
typedef struct call {
    const mgl_job *job;
    mgl_locale locale;
    mgl_open_files files;
    mgl_shelf made;
    mgl_call current;
    const mgl_call *before;
    mgl_progress_state progress; /* of the call before */
} call;

/* On a session memory is the session's, and what that was opened with is there as well. */
static void begin_on(call *call, const mgl_session *session, const mgl_job *job)
{
    *call = (struct call){.job = job, .locale = mgl_locale_enter()};
    if (session != NULL)
        call->current = mgl_session_call(session);
    mgl_open_files_init(&call->files, &call->current.allocator);
    if (call->current.files == NULL)
        call->current.files = &call->files;
    call->current.made = &call->made;
    if (job != NULL) {
        call->current.given = mgl_job_given(job);
        call->current.in_memory = call->current.in_memory || mgl_job_in_memory(job);
    }
    call->current.begun = mgl_sys_seconds();
    call->before = mgl_call_enter(&call->current);
    call->progress = mgl_progress_enter(job != NULL ? mgl_job_progress(job) : NULL);
}

static void begin(call *call, const mgl_job *job)
{
    begin_on(call, NULL, job);
}

static mgl_status end(call *call, mgl_status status, mgl_error *err)
{
    if (call->job != NULL && status != MGL_OK && err != NULL) {
        const char *verbose = mgl_job_get(call->job, "verbose");
        mgl_hide_values(err->message, sizeof err->message,
                        verbose != NULL && strcmp(verbose, "true") == 0);
    }
    if (status == MGL_OK)
        mgl_progress_end();
    if (call->job != NULL) /* a request to stop ends with the run that it met */
        atomic_store(mgl_job_progress(call->job)->stop, false);
    mgl_progress_leave(&call->progress);
    mgl_open_files_free(&call->files);
    mgl_shelf_clear(&call->made);
    mgl_call_leave(call->before);
    mgl_locale_leave(call->locale);
    return status;
}

/* The result takes over what was written to memory. */
static mgl_status end_with(call *call, mgl_status status, mgl_error *err, mgl_result **out)
{
    if (status == MGL_OK) {
        (*out)->made = call->made;
        call->made = (mgl_shelf){0};
    }
    return end(call, status, err);
}

/* A header that looks like a record is not quoted by messages. */
static void hide_header(const mgl_session *session, mgl_status status, mgl_error *err)
{
    if (status != MGL_OK && err != NULL && session != NULL && session->data != NULL)
        mgl_source_hide_names(session->data->source, err->message, sizeof err->message);
}

/* A file job has a session that ends with it, and runs as a copy: what a command adds to it leaves
 * the caller's as it is. */
typedef mgl_status command_fn(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);

static mgl_status run_to(command_fn *command, const char *action, const mgl_job *job,
                         mgl_error *err, mgl_result **out)
{
    call call;
    mgl_session *session = NULL;
    mgl_job *own = NULL;
    mgl_status status = MGL_OK;
    begin(&call, job);
    MGL_GO(mgl_job_for_run(job, err, &own));
    mgl_job_action(own, action);
    MGL_GO(mgl_session_begin(err, &session));
    MGL_GO(command(session, own, err, out));
done:
    hide_header(session, status, err);
    mgl_session_end(session);
    mgl_job_free(own);
    return end_with(&call, status, err, out);
}

static mgl_status run_alone(command_fn *command, const mgl_job *job, mgl_error *err,
                            mgl_result **out)
{
    return run_to(command, NULL, job, err, out);
}

mgl_status mgl_run(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_anonymize, job, err, out);
}

mgl_status mgl_compare(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_compare, job, err, out);
}

mgl_status mgl_what_if(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_what_if, job, err, out);
}

mgl_status mgl_preview(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_preview, job, err, out);
}

mgl_status mgl_look(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_look, job, err, out);
}

mgl_status mgl_check(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_check, job, err, out);
}

mgl_status mgl_gate(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_gate, job, err, out);
}

mgl_status mgl_risk(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_risk, job, err, out);
}

mgl_status mgl_attack(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_attack, job, err, out);
}

mgl_status mgl_count_part(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_count, job, err, out);
}

mgl_status mgl_apply(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_apply, job, err, out);
}

mgl_status mgl_utility(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_utility, job, err, out);
}

mgl_status mgl_lattice(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(mgl_command_lattice, job, err, out);
}

mgl_status mgl_hierarchies(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    return run_to(mgl_command_hierarchy, action, job, err, out);
}

/* ---- Sessions ----------------------------------------------------------------------------------
 */

/* The allocator of the options; without one it stays as it is. */
static mgl_status take_allocator(const mgl_session_options *options, mgl_error *err,
                                 mgl_allocator *out)
{
    if (options == NULL)
        return MGL_OK;
    if (options->size < sizeof *options)
        return mgl_fail(err, MGL_USAGE,
                        "the options of a session have size %zu; set it to sizeof of the structure",
                        options->size);
    const mgl_allocator *own = options->allocator;
    if (own == NULL)
        return MGL_OK;
    int n = (own->allocate != NULL) + (own->reallocate != NULL) + (own->release != NULL);
    if (n != 0 && n != 3)
        return mgl_fail(err, MGL_USAGE,
                        "an allocator has some functions and lacks others; give all three or none");
    *out = *own;
    return MGL_OK;
}

mgl_status mgl_session_open(const mgl_job *job, const mgl_session_options *options, mgl_error *err,
                            mgl_session **out)
{
    call call;
    mgl_session *session = NULL;
    begin(&call, job);
    mgl_status status = MGL_OK;
    MGL_GO(take_allocator(options, err, &call.current.allocator));
    MGL_GO(mgl_session_begin_shared(err, &session));
    call.current.files = session->files;
    MGL_GO(mgl_command_open(session, job, options, err));
    *out = session;
    session = NULL;
done:
    mgl_session_end(session);
    return end(&call, status, err);
}

void mgl_session_close(mgl_session *session)
{
    call call;
    if (session == NULL)
        return;
    begin_on(&call, session, NULL);
    mgl_session_end(session);
    (void)end(&call, MGL_OK, NULL);
}

mgl_status mgl_session_run(mgl_session *session, const char *command, const mgl_job *job,
                           mgl_error *err, mgl_result **out)
{
    call call;
    begin_on(&call, session, job);
    mgl_status status = mgl_command_on_session(session, command, job, err, out);
    hide_header(session, status, err);
    return end_with(&call, status, err, out);
}

mgl_session_work mgl_session_work_done(const mgl_session *session)
{
    return session->work;
}

/* ---- Results ------------------------------------------------------------------------------------
 */

static mgl_status report(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)session;
    return mgl_command_report(job, err, out);
}

mgl_status mgl_report(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(report, job, err, out);
}

static mgl_status show_recoding(mgl_session *session, mgl_job *job, mgl_error *err,
                                mgl_result **out)
{
    (void)session;
    return mgl_command_show_recoding(job, err, out);
}

mgl_status mgl_show_recoding(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(show_recoding, job, err, out);
}

static mgl_status codebook(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)session;
    return mgl_command_codebook(job, err, out);
}

mgl_status mgl_codebook(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(codebook, job, err, out);
}

static mgl_status statement(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)session;
    return mgl_command_statement(job, err, out);
}

mgl_status mgl_statement(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return run_alone(statement, job, err, out);
}

mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out)
{
    call call;
    begin(&call, NULL);
    return end(&call, mgl_report_html(result, mgl_measure_view_at, err, out), err);
}

mgl_status mgl_result_text(const mgl_result *result, int colour, mgl_error *err, char **out)
{
    call call;
    begin(&call, NULL);
    return end(
        &call,
        mgl_report_text(result, &(mgl_text_style){.colour = colour}, mgl_measure_view_at, err, out),
        err);
}

mgl_status mgl_result_text_in(const mgl_result *result, const mgl_text_style *style, mgl_error *err,
                              char **out)
{
    call call;
    begin(&call, NULL);
    return end(&call, mgl_report_text(result, style, mgl_measure_view_at, err, out), err);
}

mgl_status mgl_result_stream(const mgl_result *result, const char *name, mgl_error *err,
                             struct ArrowArrayStream *out)
{
    call call;
    begin(&call, NULL);
    call.current.allocator = result->allocator;
    return end(&call, mgl_released_stream(&result->made, name, err, out), err);
}

void mgl_text_free(char *text)
{
    mgl_free(text);
}

mgl_status mgl_catalogue(const char *what, mgl_error *err, mgl_result **out)
{
    call call;
    begin(&call, NULL);
    return end(&call, mgl_job_catalogue(what, err, out), err);
}
