/* risk --advise: makes the job that says what is proposed. trial.c runs it, proposal.c writes it
 * down. */
#include "command/advise/advised.h"

#include <stdio.h>

size_t mgl_advised_count(const mgl_advised *a, mgl_role role)
{
    size_t n = 0;
    for (size_t c = 0; c < a->n; c++)
        n += a->columns[c].advice.role == role;
    return n;
}

/* Does the job ask for two values of the column in every class? */
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

/* How the table was read in the end goes into the job. */
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
        if (column->treat != NULL && column->advice.role == MGL_ROLE_SENSITIVE)
            MGL_TRY(mgl_job_take_value(job, "treat", column->name, column->treat, err));
    }
    return MGL_OK;
}

/* For mingle risk, which takes the same job: weights, and households where there are weights. */
static mgl_status take_risk(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    const char *weight = NULL, *household = NULL;
    for (size_t c = 0; c < a->n; c++) {
        const mgl_advised_column *column = &a->columns[c];
        if (column->advice.role != MGL_ROLE_IDENTIFIER)
            continue;
        if (weight == NULL && mgl_profile_is_weight(&column->profile) &&
            column->profile.missing == 0)
            weight = column->name;
        if (household == NULL && mgl_profile_is_household(&column->profile))
            household = column->name;
    }
    if (weight != NULL)
        MGL_TRY(mgl_job_take_value(job, "weight", NULL, weight, err));
    return weight != NULL && household != NULL
               ? mgl_job_take_value(job, "household", NULL, household, err)
               : MGL_OK;
}

static mgl_status take_models(const mgl_advised *a, mgl_job *job, mgl_error *err)
{
    size_t sensitive = mgl_advised_count(a, MGL_ROLE_SENSITIVE), diverse = 0;
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

static mgl_status fill(const mgl_advised *a, const char *output, mgl_error *err, mgl_job *job)
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

mgl_status mgl_advised_job(const mgl_advised *a, const char *output, mgl_error *err, mgl_job **out)
{
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = fill(a, output, err, job);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}

/* ---- The job file -------------------------------------------------------------------------- */

/* The release of the job stands beside the job file, and never overwrites the data. */
static mgl_status find_output(const mgl_advised *a, mgl_error *err, char **out)
{
    const char *place = a->settings->output, *data = a->settings->data;
    const char *slash = place != NULL ? strrchr(place, '/') : NULL, *other = strrchr(data, '/');
    bool taken = strcmp(other != NULL ? other + 1 : data, "release.csv") == 0;
    mgl_buffer path = {0};
    mgl_buffer_append(&path, place, slash != NULL ? (size_t)(slash - place) + 1 : 0);
    mgl_buffer_text(&path, taken ? "released.csv" : "release.csv");
    return mgl_buffer_take(&path, err, out);
}

static mgl_status write_document(const mgl_advised *a, const mgl_job *job, mgl_error *err,
                                 mgl_buffer *out)
{
    json_t *document;
    mgl_job_note *notes = mgl_alloc_array(a->n, sizeof *notes);
    if (notes == NULL)
        return mgl_fail_memory(err);
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

mgl_status mgl_advised_write(const mgl_advised *a, mgl_error *err, mgl_buffer *out)
{
    char *output;
    mgl_job *job = NULL;
    MGL_TRY(find_output(a, err, &output));
    mgl_status status = mgl_advised_job(a, output, err, &job);
    if (status == MGL_OK)
        status = write_document(a, job, err, out);
    mgl_job_free(job);
    mgl_free(output);
    return status;
}
