/* risk --advise: proposes a role and a hierarchy for every column, tries the job that has them, and
 * writes it. */
#include "command/advise/advise.h"
#include "command/advise/advised.h"
#include "command/command.h"

#include <stdarg.h>
#include <stdio.h>

/* How many columns have the role. */
static size_t advised_count(const mgl_advised *a, mgl_role role)
{
    size_t n = 0;
    for (size_t c = 0; c < a->n; c++)
        n += a->columns[c].advice.role == role;
    return n;
}

/* Does the job require two values of the column in every class? */
static bool advised_diverse(const mgl_advised *a, const mgl_advised_column *column)
{
    return !a->plain && column->advice.role == MGL_ROLE_SENSITIVE &&
           mgl_profile_can_differ(&column->profile);
}

/* What a column is generalized by; NULL: not at all, or as ranges. */
static const char *hierarchy_of(const mgl_advised *a, const mgl_advised_column *column)
{
    if (column->advice.role != MGL_ROLE_QUASI || a->amounts)
        return NULL;
    return a->plain || column->hierarchy == NULL ? "suppress" : column->hierarchy;
}

/* Adds to the job how the table was read in the end. */
static mgl_status take_reading(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    char century[8];
    snprintf(century, sizeof century, "%02d", MGL_ADVISED_CENTURY);
    if (a->n_missing > 0)
        MGL_TRY(mgl_job_take_list(job, "missing", a->options.missing, a->options.n_missing, err));
    if (a->century)
        MGL_TRY(mgl_job_take_value(job, "century", NULL, century, err));
    return mgl_job_take_reading(job, a->settings->job, err);
}

static mgl_status take_columns(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    for (size_t c = 0; c < a->n; c++) {
        const mgl_advised_column *column = &a->columns[c];
        const char *hierarchy = hierarchy_of(a, column);
        MGL_TRY(
            mgl_job_take_value(job, "role", column->name, mgl_role_name(column->advice.role), err));
        if (hierarchy != NULL)
            MGL_TRY(mgl_job_take_value(job, "hierarchy", column->name, hierarchy, err));
        if (column->change != NULL && column->advice.role == MGL_ROLE_SENSITIVE)
            MGL_TRY(mgl_job_take_value(job, "treat", column->name, column->change, err));
    }
    return MGL_OK;
}

/* The first column that would be left out and suits the feature; NULL: none. */
static const char *column_for(const mgl_advised *a, const mgl_feature *feature)
{
    for (size_t c = 0; c < a->n; c++)
        if (a->columns[c].advice.role == MGL_ROLE_IDENTIFIER &&
            feature->suits(&a->columns[c].profile))
            return a->columns[c].name;
    return NULL;
}

/* For mingle risk, which takes the same job: each is of use only with those before it. */
static mgl_status take_risk(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *column = (*f)->suits != NULL ? column_for(a, *f) : NULL;
        if (column != NULL)
            MGL_TRY(mgl_job_take_value(job, (*f)->key, NULL, column, err));
        else if ((*f)->suits != NULL)
            return MGL_OK;
    }
    return MGL_OK;
}

static mgl_status take_models(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    size_t sensitive = advised_count(a, MGL_ROLE_SENSITIVE), diverse = 0;
    MGL_TRY(mgl_job_take_value(job, "k-anonymity", NULL, "5", err));
    for (size_t c = 0; c < a->n; c++)
        diverse += advised_diverse(a, &a->columns[c]);
    if (diverse > 0 && diverse == sensitive)
        return mgl_job_take_value(job, "p-sensitive", NULL, "2", err);
    for (size_t c = 0; c < a->n; c++)
        if (advised_diverse(a, &a->columns[c]))
            MGL_TRY(mgl_job_take_value(job, "l-diversity", a->columns[c].name, "2", err));
    return MGL_OK;
}

static mgl_status fill_job(const mgl_advised *a, const char *output, mgl_error *err, mgl_job *job)
{
    MGL_TRY(mgl_job_take_value(job, "data", NULL, a->settings->data, err));
    MGL_TRY(take_reading(a, job, err));
    MGL_TRY(take_columns(a, job, err));
    if (a->entity != SIZE_MAX)
        MGL_TRY(mgl_job_take_value(job, "entity", NULL, a->columns[a->entity].name, err));
    MGL_TRY(take_risk(a, job, err));
    MGL_TRY(take_models(a, job, err));
    /* The job that is written down must be the one that was tried, and trying it must not take
     * long. */
    MGL_TRY(a->amounts ? mgl_job_take_value(job, "method", NULL, "microaggregate", err)
                       : mgl_job_take_value(job, "effort", NULL, "fast", err));
    return mgl_job_take_value(job, "output", NULL, output, err);
}

/* The job. Free with mgl_job_free. */
static mgl_status advised_job(const mgl_advised *a, const char *output, mgl_error *err,
                              mgl_job **out)
{
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = fill_job(a, output, err, job);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}

/* The release of the job stands beside the job file, and never overwrites the data. */
static mgl_status find_output(const mgl_advised *a, mgl_error *err, char **out)
{
    const char *target = a->settings->output, *data = a->settings->data;
    const char *slash = target != NULL ? strrchr(target, '/') : NULL, *other = strrchr(data, '/');
    bool taken = strcmp(other != NULL ? other + 1 : data, "release.csv") == 0;
    mgl_buffer path = {0};
    mgl_buffer_append(&path, target, slash != NULL ? (size_t)(slash - target) + 1 : 0);
    mgl_buffer_text(&path, taken ? "released.csv" : "release.csv");
    return mgl_buffer_take(&path, err, out);
}

static mgl_status write_document(const mgl_advised *a, const mgl_job *job, mgl_error *err,
                                 mgl_buffer *out)
{
    json_t *document;
    mgl_job_note *notes = mgl_alloc_array(a->n, sizeof *notes);
    MGL_TRY(mgl_check_memory(notes != NULL, err));
    for (size_t c = 0; c < a->n; c++)
        notes[c] = (mgl_job_note){a->columns[c].name, a->columns[c].advice.reason};
    mgl_status status = mgl_job_document(job, MGL_JOB_FILE, a->settings->output, err, &document);
    if (status == MGL_OK) {
        mgl_buffer_text(out, "# A proposal: look at every role before you rely on it.\n");
        if (!a->amounts)
            mgl_buffer_text(out, "# Without \"effort: fast\" the search looks longer for a better "
                                 "release.\n");
        mgl_job_put_yaml(document, notes, a->n, out);
        json_decref(document);
        status = out->failed ? mgl_fail_memory(err) : MGL_OK;
    }
    mgl_free(notes);
    return status;
}

/* Writes the job as a job file at the end of the buffer. */
static mgl_status advised_write(const mgl_advised *a, mgl_error *err, mgl_buffer *out)
{
    char *output;
    mgl_job *job = NULL;
    MGL_TRY(find_output(a, err, &output));
    mgl_status status = advised_job(a, output, err, &job);
    if (status == MGL_OK)
        status = write_document(a, job, err, out);
    mgl_job_free(job);
    mgl_free(output);
    return status;
}

/* Lines as a list. */
static json_t *hints_json(const mgl_buffer *hints)
{
    json_t *list = json_array();
    const char *at = hints->data, *end = hints->data + hints->size;
    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        mgl_json_append(list, json_stringn(at, (size_t)(line - at)));
        at = line + 1;
    }
    return list;
}

static json_t *column_json(const mgl_advised *a, const mgl_advised_column *column)
{
    const mgl_profile *p = &column->profile;
    json_t *object = json_object();
    bool builder = column->advice.role == MGL_ROLE_QUASI && !a->amounts;
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "role", json_string(mgl_role_name(column->advice.role)));
    mgl_json_set(object, "reason", json_string(column->advice.reason));
    mgl_json_set(object, "hierarchy", builder ? json_string(column->hierarchy) : json_null());
    bool changed = column->change != NULL && column->advice.role == MGL_ROLE_SENSITIVE;
    mgl_json_set(object, "treat", changed ? json_string(column->change) : json_null());
    mgl_json_set(object, "kind", json_string(mgl_value_kind_name(p->kind)));
    mgl_json_set(object, "distinct", mgl_json_count(p->distinct));
    mgl_json_set(object, "alone", mgl_json_count(p->alone));
    mgl_json_set(object, "missing", mgl_json_count(p->missing));
    mgl_json_set(object, "hints", hints_json(&column->hints));
    return object;
}

static json_t *entity_json(const mgl_advised *a)
{
    if (a->entity == SIZE_MAX)
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(a->columns[a->entity].name));
    mgl_json_set(object, "persons", mgl_json_count(a->persons.persons));
    return object;
}

static void warn(const mgl_advised *a, mgl_result *result)
{
    bool few_persons = a->entity != SIZE_MAX && a->persons.persons < MGL_ADVISED_K;
    if (a->rows < MGL_ADVISED_K || few_persons)
        mgl_result_warn(result, "too-few-rows",
                        "there are only %llu %s: no release can have k = %d",
                        (unsigned long long)(few_persons ? a->persons.persons : a->rows),
                        few_persons ? "persons" : "rows", MGL_ADVISED_K);
    if (advised_count(a, MGL_ROLE_QUASI) == 0)
        mgl_result_warn(
            result, "no-quasi-identifier",
            "no column seems to be known to others, so that there is no person to find; "
            "edit the job: it needs a quasi-identifier");
}

/* Puts what is proposed into a document, and writes the job. */
static mgl_status write_advice(const mgl_advised *a, mgl_error *err, mgl_result *result)
{
    json_t *list = json_array();
    mgl_buffer job = {0};
    for (size_t c = 0; c < a->n; c++)
        mgl_json_append(list, column_json(a, &a->columns[c]));
    mgl_json_set(result->document, "rows", mgl_json_count(a->rows));
    mgl_json_set(result->document, "advice", list);
    mgl_json_set(result->document, "entity", entity_json(a));
    warn(a, result);
    mgl_status status = MGL_OK;
    MGL_GO(advised_write(a, err, &job));
    mgl_json_set(result->document, "job", json_stringn(job.data, job.size));
    if (a->settings->output != NULL) {
        mgl_json_set(result->document, "output", json_string(a->settings->output));
        MGL_GO(mgl_publish_text(a->settings->output, job.data, job.size, err));
    }
done:
    mgl_buffer_free(&job);
    return status;
}

enum { MOST_TRIALS = 12, MOST_ROWS = 1000000 };

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

/* Runs exactly the proposed job. The release goes nowhere and may leak, so that all objections are
 * listed. Where an engine counts, nothing is written, and rows stay in it. */
static mgl_status run(const mgl_advised *a, mgl_session *session, mgl_error *err, mgl_result **out)
{
    static const char *const flags[] = {"brief", "allow-leaks", "dry-run"};
    bool counts = mgl_source_counts(a->source), in_memory = mgl_sys_in_memory(-1);
    const char *nowhere = in_memory ? "memory:.mingle-trial.csv" : "/dev/null";
    mgl_job *job;
    MGL_TRY(advised_job(a, nowhere, err, &job));
    mgl_job_take_progress(job, &a->settings->progress);
    mgl_status status = MGL_OK;
    size_t n = counts ? 3 : 2;
    for (size_t i = 0; i < n; i++)
        MGL_GO(mgl_job_set(job, flags[i], "true", err));
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
    if (advice->role == MGL_ROLE_IDENTIFIER || column->given)
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

static void MGL_PRINTF(3, 4) set_outcome(mgl_result *result, bool released, const char *format, ...)
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

static void describe_release(const mgl_advised *a, const json_t *document, mgl_result *result)
{
    unsigned long long rows = (unsigned long long)mgl_json_whole(document, "released_rows");
    if (mgl_source_counts(a->source))
        set_outcome(result, true,
                    "a release is found (%llu rows); the leak guard looks when it is written",
                    rows);
    else
        set_outcome(result, true, "this job gives a release of %llu rows", rows);
}

/* Is the job the cause, not the system or a cancellation? */
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
            describe_release(a, found->document, result);
        mgl_result_free(found);
        if (again)
            continue;
        if (status != MGL_OK)
            set_outcome(result, false, "this job gives no release yet: %s", problem.message);
        return MGL_OK;
    }
    set_outcome(result, false,
                "this job gives no release yet: the leak guard objects again and again");
    return MGL_OK;
}

/* Trials read the table as the job will, not as that of the advice was read: they have a session of
 * their own, which all of them share. */
static mgl_status advise_try(mgl_advised *a, mgl_error *err, mgl_result *result)
{
    mgl_session *session;
    if (a->rows > MOST_ROWS) {
        set_outcome(result, false, "not tried: the table has more than %d rows", MOST_ROWS);
        return MGL_OK;
    }
    MGL_TRY(mgl_session_begin(err, &session));
    mgl_status status = try_all(a, session, err, result);
    mgl_session_end(session);
    return status;
}

/* Standard input cannot be read twice. */
static bool can_be_tried(const mgl_advised *a)
{
    return !a->settings->risk.no_trial && strcmp(a->settings->data, "-") != 0 &&
           a->rows >= MGL_ADVISED_K && advised_count(a, MGL_ROLE_QUASI) > 0 &&
           (a->entity == SIZE_MAX || a->persons.persons >= MGL_ADVISED_K);
}

static mgl_status fill(mgl_advised *a, mgl_error *err, mgl_result *result)
{
    MGL_TRY(mgl_advise_look(a, err));
    if (can_be_tried(a))
        MGL_TRY(advise_try(a, err, result));
    MGL_TRY(write_advice(a, err, result));
    return mgl_result_finish(result, a->settings, err);
}

mgl_status mgl_advise_table(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                            mgl_result **out)
{
    mgl_result *result;
    mgl_advised advised = {.session = session, .settings = settings, .entity = SIZE_MAX};
    MGL_TRY(mgl_result_new("risk", err, &result));
    mgl_status status = fill(&advised, err, result);
    mgl_advised_free(&advised);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
