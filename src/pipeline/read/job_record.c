/* Keeps the record of a job: what it was told, with what the run decided where the job left it
 * open. The audit trail, saved recodings and --save-job are written from it. */
#include "pipeline/read/reading.h"

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

mgl_status mgl_job_resolved(const mgl_settings *settings, const json_t *resolved, mgl_job_use use,
                            mgl_error *err, json_t **out)
{
    json_t *document;
    MGL_TRY(mgl_job_document(settings->job, use, settings->saved.job, err, &document));
    mgl_status status = mgl_job_document_resolve(document, resolved, err);
    /* The release may become a file, where other cells would be missing, too. */
    if (settings->missing_by_null &&
        json_object_set_new(document, "missing", json_pack("[s]", "")) != 0)
        status = mgl_fail_memory(err);
    /* What was found out is stated, so that release and job are read alike. */
    if (settings->source.headerless != NULL && settings->source.headerless->data &&
        json_object_set_new(document, "header", json_string("no")) != 0)
        status = mgl_fail_memory(err);
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
    return mgl_job_resolved(reading->settings, reading->resolved, use, err, out);
}
