/* Stages and publishes the files that a run writes beside its release: result, signature, report
 * and job. */
#include "findings/result_files.h"
#include "findings/describe.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "sign/sign.h"

static const mgl_measure_type *find(const char *key, size_t i)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    if (key != NULL)
        return mgl_measure_type_find_key(key);
    return i < n ? types[i] : NULL;
}

bool mgl_measure_view_at(const char *key, size_t i, mgl_measure_view *out)
{
    const mgl_measure_type *type = find(key, i);
    if (type == NULL)
        return false;
    *out = (mgl_measure_view){.key = type->key,
                              .title = type->title,
                              .gain = type->higher_is_better,
                              .standard = type->is_standard,
                              .in_summary = type->in_summary,
                              .in_table = type->in_table};
    return true;
}

static mgl_status stage_report(const mgl_result *result, const mgl_settings *settings,
                               mgl_error *err, mgl_stage **out)
{
    char *text;
    if (settings->saved.report == NULL)
        return MGL_OK;
    MGL_TRY(mgl_report_html(result, mgl_measure_view_at, err, &text));
    mgl_status status = mgl_stage_text(settings->saved.report, mgl_span_of(text), err, out);
    mgl_free(text);
    return status;
}

static mgl_status stage_junit(const mgl_result *result, const mgl_settings *settings,
                              mgl_error *err, mgl_stage **out)
{
    char *text;
    if (settings->saved.junit == NULL)
        return MGL_OK;
    MGL_TRY(mgl_report_junit(result, err, &text));
    mgl_status status = mgl_stage_text(settings->saved.junit, mgl_span_of(text), err, out);
    mgl_free(text);
    return status;
}

/* Stages the result as it will lie on disk, and its signature over exactly these bytes. */
static mgl_status stage_result(const mgl_result *result, const mgl_settings *settings,
                               mgl_error *err, mgl_result_files *out)
{
    unsigned char signature[MGL_SIGNATURE];
    char *text;
    if (settings->saved.result == NULL)
        return MGL_OK;
    MGL_TRY(mgl_result_json(result, err, &text));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_stage_text(settings->saved.result, mgl_span_of(text), err, &out->result));
    if (settings->signing.of_result != NULL) {
        MGL_GO(mgl_signature_make(settings->signing.key, mgl_span_of(text), err, signature));
        MGL_GO(mgl_stage_text(settings->signing.of_result,
                              (mgl_span){(const char *)signature, sizeof signature}, err,
                              &out->signature));
    }
done:
    mgl_free(text);
    return status;
}

/* The keys that the job was given, and what was resolved, as a job file. */
static mgl_status stage_job(const mgl_settings *settings, const json_t *resolved, mgl_error *err,
                            mgl_stage **out)
{
    json_t *document;
    if (settings->saved.job == NULL)
        return MGL_OK;
    MGL_TRY(mgl_job_resolved(settings, resolved, MGL_JOB_FILE, err, &document));
    mgl_buffer text = {0};
    mgl_job_put_yaml(document, NULL, 0, &text);
    json_decref(document);
    mgl_status status = text.failed ? mgl_fail_memory(err)
                                    : mgl_stage_text(settings->saved.job,
                                                     (mgl_span){text.data, text.size}, err, out);
    mgl_buffer_free(&text);
    return status;
}

/* Warns of models that a row alone keeps. `apply` takes its models from the recoding, and for a
 * slice that was counted there is nothing to judge. */
static void warn_of_empty_models(mgl_result *result, const mgl_settings *settings)
{
    const char *command = json_string_value(json_object_get(result->document, "command"));
    if (command != NULL && strcmp(command, "apply") == 0)
        return;
    mgl_result_warn_empty(result, settings->models, settings->n_models);
}

/* Tables that were read without a header although the job does not state it. */
static void warn_of_headerless(mgl_result *result, const mgl_settings *settings)
{
    const mgl_headerless *found = settings->source.headerless;
    if (found != NULL && found->data)
        mgl_result_warn(result, "no-header",
                        "the first line of the table looks like a record: it is read as one, and "
                        "columns are called column1, column2, ...; if it names the columns, add "
                        "`header: yes`");
    if (found != NULL && found->other)
        mgl_result_warn(result, "no-header-elsewhere",
                        "the first line of another table of the job looks like a record: it is "
                        "read as one; if it names the columns, add `header: yes`");
}

/* The results of a comparison each get the warnings, but for those of methods that failed. */
static void add_warnings(mgl_result *result, const mgl_settings *settings)
{
    for (size_t i = 0; i < json_array_size(result->document); i++) {
        mgl_result one = {.document = json_array_get(result->document, i)};
        if (json_object_get(one.document, "error") == NULL)
            add_warnings(&one, settings);
    }
    if (!json_is_object(result->document))
        return;
    if (json_object_get(result->document, "warnings") == NULL)
        mgl_json_set(result->document, "warnings", json_array());
    warn_of_empty_models(result, settings);
    warn_of_headerless(result, settings);
}

mgl_status mgl_result_stage(mgl_result *result, const mgl_settings *settings, mgl_error *err,
                            mgl_result_files *out)
{
    add_warnings(result, settings);
    mgl_result_add_about(result, settings);
    MGL_TRY(mgl_result_complete(result, err));
    MGL_TRY(stage_result(result, settings, err, out));
    MGL_TRY(stage_report(result, settings, err, &out->report));
    MGL_TRY(stage_junit(result, settings, err, &out->junit));
    return stage_job(settings, result->resolved, err, &out->job);
}

mgl_status mgl_result_publish(mgl_result_files *files, mgl_error *err)
{
    mgl_stage *const stages[] = {files->signature, files->result, files->report, files->junit,
                                 files->job};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (stages[i] != NULL)
            MGL_TRY(mgl_stage_publish(stages[i], err));
    return MGL_OK;
}

void mgl_result_files_free(mgl_result_files *files)
{
    mgl_stage_free(files->signature);
    mgl_stage_free(files->result);
    mgl_stage_free(files->report);
    mgl_stage_free(files->junit);
    mgl_stage_free(files->job);
    *files = (mgl_result_files){0};
}

mgl_status mgl_result_finish(mgl_result *result, const mgl_settings *settings, mgl_error *err)
{
    mgl_result_files files = {0};
    mgl_status status = mgl_result_stage(result, settings, err, &files);
    if (status == MGL_OK)
        status = mgl_result_publish(&files, err);
    mgl_result_files_free(&files);
    return status;
}
