/* risk --advise, second step: runs the job before it is proposed, and takes roles back until the
 * leak guard agrees. A proposal that the guard would refuse, or that no search can keep, helps
 * nobody. */
#include "command/advise/advised.h"
#include "command/command.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_TRIALS = 12, MOST_ROWS = 1000000 };

static mgl_status set_flags(mgl_job *job, const char *const *flags, size_t n, mgl_error *err)
{
    for (size_t i = 0; i < n; i++)
        MGL_TRY(mgl_job_set(job, flags[i], "true", err));
    return MGL_OK;
}

/* Limits threads and memory as the user limits those of the advice. */
static mgl_status set_limits(const mgl_settings *settings, mgl_job *job, mgl_error *err)
{
    char text[32];
    if (settings->limits.threads > 0) {
        snprintf(text, sizeof text, "%u", settings->limits.threads);
        MGL_TRY(mgl_job_set(job, "threads", text, err));
    }
    if (settings->limits.memory == 0)
        return MGL_OK;
    snprintf(text, sizeof text, "%llu", (unsigned long long)settings->limits.memory);
    return mgl_job_set(job, "memory", text, err);
}

/* Runs exactly the proposed job. The release goes nowhere and may leak,
 * so that all objections are listed. Where an engine counts, nothing is written, and rows stay in
 * it. */
static mgl_status run(const mgl_advised *a, mgl_session *session, mgl_error *err, mgl_result **out)
{
    static const char *const flags[] = {"brief", "allow-leaks", "dry-run"};
    bool counts = mgl_source_counts(a->source), in_memory = mgl_sys_in_memory(-1);
    const char *nowhere = in_memory ? "memory:.mingle-trial.csv" : "/dev/null";
    mgl_job *job;
    MGL_TRY(mgl_advised_job(a, nowhere, err, &job));
    mgl_job_take_progress(job, &a->settings->progress);
    mgl_status status = MGL_OK;
    MGL_GO(set_flags(job, flags, counts ? 3 : 2, err));
    MGL_GO(set_limits(a->settings, job, err));
    status = mgl_command_anonymize(session, job, err, out);
    if (status != MGL_OK) /* it becomes a message of the advice, which shows no values */
        mgl_hide_values(err->message, sizeof err->message, false);
done:
    if (in_memory)
        (void)mgl_sys_unlink(nowhere);
    mgl_job_free(job);
    return status;
}

/* ---- Taking back --------------------------------------------------------------------------- */

static mgl_advised_column *find_column(mgl_advised *a, const char *name)
{
    for (size_t c = 0; name != NULL && c < a->n; c++)
        if (strcmp(a->columns[c].name, name) == 0)
            return &a->columns[c];
    return NULL;
}

/* Makes a column that passes through a quasi-identifier; one that is generalized already is not
 * released any more. */
static bool take_back(mgl_advised_column *column, const char *code)
{
    mgl_advice *advice = &column->advice;
    if (advice->role == MGL_ROLE_IDENTIFIER || column->said)
        return false;
    const char *before = mgl_role_name(advice->role);
    bool known = advice->role == MGL_ROLE_QUASI;
    char reason[sizeof advice->reason];
    snprintf(reason, sizeof reason, "as %s the leak guard objects to it (%s); %.150s", before,
             code != NULL ? code : "leak", advice->reason);
    memcpy(advice->reason, reason, sizeof reason);
    advice->role = known ? MGL_ROLE_IDENTIFIER : MGL_ROLE_QUASI;
    return true;
}

/* Takes back the roles of columns that leak. False: nothing could be taken back. */
static bool take_leaks_back(mgl_advised *a, const json_t *document)
{
    const json_t *leaks = json_object_get(document, "leaks");
    bool any = false;
    for (size_t i = 0; i < json_array_size(leaks); i++) {
        const json_t *leak = json_array_get(leaks, i);
        mgl_advised_column *column = find_column(a, mgl_json_text(leak, "column"));
        /* Two objections to one column: the first has changed its role. */
        bool again = false;
        for (size_t j = 0; j < i && column != NULL; j++)
            again = again ||
                    find_column(a, mgl_json_text(json_array_get(leaks, j), "column")) == column;
        if (column != NULL && !again)
            any = take_back(column, mgl_json_text(leak, "code")) || any;
    }
    return any;
}

/* ---- How it went --------------------------------------------------------------------------- */

static void MGL_PRINTF(3, 4) tell(mgl_result *result, bool released, const char *format, ...)
{
    char text[512];
    json_t *tried = json_object();
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mgl_json_set(tried, "releases", released ? json_true() : json_false());
    mgl_json_set(tried, "message", json_string(text));
    mgl_json_set(result->document, "tried", tried);
}

static void tell_release(const mgl_advised *a, const json_t *document, mgl_result *result)
{
    unsigned long long rows = (unsigned long long)mgl_json_whole(document, "released_rows");
    if (mgl_source_counts(a->source))
        tell(result, true,
             "a release is found (%llu rows); the leak guard looks when it is written", rows);
    else
        tell(result, true, "this job gives a release of %llu rows", rows);
}

/* Is the job to blame, not the machine, nor the person who stopped it? */
static bool is_refused(mgl_status status)
{
    return status == MGL_UNMET || status == MGL_USAGE || status == MGL_DATA;
}

/* Asks for less where the job cannot be run as it is. */
static bool relax(mgl_advised *a)
{
    if (a->amounts) {
        a->amounts = false;
        return true;
    }
    bool relaxed = !a->plain;
    a->plain = true;
    return relaxed;
}

static mgl_status try_all(mgl_advised *a, mgl_session *session, mgl_error *err, mgl_result *result)
{
    mgl_error problem = {0};
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        mgl_result *found = NULL;
        mgl_status status = run(a, session, &problem, &found);
        if (status != MGL_OK && !is_refused(status)) {
            if (err != NULL)
                *err = problem;
            return status;
        }
        bool again = status == MGL_OK ? take_leaks_back(a, found->document) : relax(a);
        if (!again && status == MGL_OK)
            tell_release(a, found->document, result);
        mgl_result_free(found);
        if (again)
            continue;
        if (status != MGL_OK)
            tell(result, false, "this job gives no release yet: %s", problem.message);
        return MGL_OK;
    }
    tell(result, false, "this job gives no release yet: the leak guard objects again and again");
    return MGL_OK;
}

/* Trials read the table as the job will, not as that of the advice was read: they have a session of
 * their own, which all of them share. */
mgl_status mgl_advise_try(mgl_advised *a, mgl_error *err, mgl_result *result)
{
    mgl_session *session;
    if (a->rows > MOST_ROWS) {
        tell(result, false, "not tried: the table has more than %d rows", MOST_ROWS);
        return MGL_OK;
    }
    MGL_TRY(mgl_session_begin(err, &session));
    mgl_status status = try_all(a, session, err, result);
    mgl_session_end(session);
    return status;
}
