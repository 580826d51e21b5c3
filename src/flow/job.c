/* What a job was told, and what a run resolved, for the record and as a job file. */
#include "flow/flow.h"

mgl_status mgl_reading_resolve(mgl_reading *reading, const char *column, const char *field,
                               const char *value, mgl_error *err)
{
    if (reading->resolved == NULL)
        reading->resolved = json_object();
    json_t *fields = json_object_get(reading->resolved, column);
    if (fields == NULL) {
        (void)json_object_set_new(reading->resolved, column, json_object());
        fields = json_object_get(reading->resolved, column);
    }
    return json_object_set_new(fields, field, json_string(value)) == 0 ? MGL_OK
                                                                       : mgl_fail_memory(err);
}

static mgl_status make(const mgl_settings *settings, const json_t *resolved, mgl_job_use use,
                       mgl_error *err, json_t **out)
{
    json_t *document;
    MGL_TRY(mgl_job_document(settings->job, use, settings->save_job, err, &document));
    mgl_status status = mgl_job_document_resolve(document, resolved, err);
    if (status != MGL_OK) {
        json_decref(document);
        return status;
    }
    *out = document;
    return MGL_OK;
}

mgl_status mgl_reading_job(const mgl_reading *reading, mgl_job_use use, mgl_error *err,
                           json_t **out)
{
    return make(reading->settings, reading->resolved, use, err, out);
}

mgl_status mgl_job_stage(const mgl_settings *settings, const json_t *resolved, mgl_error *err,
                         mgl_stage **out)
{
    const char *path = settings->save_job;
    json_t *document;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    MGL_TRY(make(settings, resolved, MGL_JOB_FILE, err, &document));
    mgl_buffer text = {0};
    mgl_job_yaml(document, NULL, 0, &text);
    json_decref(document);
    mgl_status status = text.failed ? mgl_fail_memory(err) : mgl_stage_new(path, err, out);
    if (status == MGL_OK && mgl_sys_write(mgl_stage_fd(*out), text.data, text.size) != 0)
        status = mgl_fail_errno(err, path, "write");
    mgl_buffer_free(&text);
    return status;
}
