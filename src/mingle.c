/* The facade: the functions of the public headers, which call the modules behind them. Messages
 * that leave them hide values unless the job is `verbose`; the program's locale is left for the
 * call. */
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
    mgl_memory_store made;
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
    mgl_memory_store_clear(&call->made);
    mgl_call_leave(call->before);
    mgl_locale_leave(call->locale);
    return status;
}

/* The result takes over what was written to memory. */
static mgl_status end_with(call *call, mgl_status status, mgl_error *err, mgl_result **out)
{
    if (status == MGL_OK) {
        (*out)->made = call->made;
        call->made = (mgl_memory_store){0};
    }
    return end(call, status, err);
}

/* A header that looks like a record is not quoted by messages. */
static void hide_header(const mgl_session *session, mgl_status status, mgl_error *err)
{
    if (status != MGL_OK && err != NULL && session != NULL && session->data != NULL)
        mgl_source_hide_names(session->data->source, err->message, sizeof err->message);
}

/* A job without a session of the caller's has one of its own, which ends with it. */
mgl_status mgl_job_run(const mgl_job *job, const char *command, mgl_error *err, mgl_result **out)
{
    call call;
    mgl_session *session = NULL;
    mgl_status status = MGL_OK;
    begin(&call, job);
    MGL_GO(mgl_session_begin(err, &session));
    MGL_GO(mgl_command_by_name(session, command, job, err, out));
done:
    hide_header(session, status, err);
    mgl_session_end(session);
    return end_with(&call, status, err, out);
}

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

mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out)
{
    call call;
    begin(&call, NULL);
    return end(&call, mgl_report_html(result, mgl_measure_view_at, err, out), err);
}

mgl_status mgl_result_summary(const mgl_result *result, const mgl_text_style *style, mgl_error *err,
                              char **out)
{
    call call;
    begin(&call, NULL);
    static const mgl_text_style plain;
    return end(
        &call,
        mgl_report_text(result, style != NULL ? style : &plain, mgl_measure_view_at, err, out),
        err);
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
