/* What the engine can do, and jobs as the page keeps them: as documents, as job files and as
 * command lines. */
#include "cli/studio/room.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static json_t *catalogue_of(const char *what)
{
    mgl_result *catalogue;
    if (mgl_catalogue(what, NULL, &catalogue) != MGL_OK)
        return NULL;
    json_t *document = mgl_studio_result_json(catalogue);
    mgl_result_free(catalogue);
    return document;
}

/* Endings of what can be read, without their dots. */
static json_t *endings_json(void)
{
    json_t *document = catalogue_of("formats"), *list = json_array(), *format, *ending;
    const char *name;
    size_t i;
    json_object_foreach(json_object_get(document, "formats"), name, format)
    {
        if (!json_is_true(json_object_get(format, "read")))
            continue;
        json_array_foreach(json_object_get(format, "endings"), i, ending)(void)
            json_array_append_new(list, json_string(json_string_value(ending) + 1));
    }
    json_decref(document);
    return list;
}

static json_t *job_json(const mgl_job *job)
{
    char *text;
    if (job == NULL || mgl_job_json(job, NULL, &text) != MGL_OK)
        return json_null();
    json_t *document = json_loads(text, 0, NULL);
    mgl_text_free(text);
    return document != NULL ? document : json_null();
}

mgl_studio_answer mgl_studio_capabilities(const mgl_studio *studio)
{
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    const char *given = studio->options.given;
    return mgl_studio_json(
        200, json_pack("{s:s, s:s, s:o, s:I, s:i, s:b, s:b, s:s?, s:o}", "engine", "native",
                       "version", mgl_version(), "formats", endings_json(), "largestTable",
                       (json_int_t)MGL_STUDIO_MOST_TABLE, "threads", threads > 0 ? (int)threads : 1,
                       "databases", 1, "folder", studio->options.folder != NULL, "given", given,
                       "givenJob", job_json(studio->given_job)));
}

mgl_studio_answer mgl_studio_catalogue(void)
{
    return mgl_studio_json(200, catalogue_of(NULL));
}

/* ---- Jobs -------------------------------------------------------------------------------------
 */

/* Sets keys, or discards those that are null. Values that contradict each other are refused: all
 * are discarded first, and then added. */
static mgl_status change(mgl_job *job, const json_t *set, mgl_error *err)
{
    const char *key;
    json_t *value;
    mgl_status status;
    json_object_foreach((json_t *)set, key, value)
    {
        status = mgl_job_unset(job, key, err);
        if (status != MGL_OK)
            return status;
    }
    json_object_foreach((json_t *)set, key, value)
    {
        const char *text = json_string_value(value);
        status =
            json_is_null(value) ? MGL_OK : mgl_job_add(job, key, text != NULL ? text : "", err);
        if (status != MGL_OK)
            return status;
    }
    return MGL_OK;
}

/* Numbers as one writes them: 0.9 and not 0.90000000000000002, if that reads as the same. */
static json_t *as_written(const json_t *value)
{
    char text[64];
    const char *key;
    json_t *item, *copy;
    if (json_is_real(value)) {
        snprintf(text, sizeof text, "%.15g", json_real_value(value));
        if (strtod(text, NULL) != json_real_value(value))
            snprintf(text, sizeof text, "%.17g", json_real_value(value));
        return json_string(text);
    }
    copy = json_is_object(value)  ? json_object()
           : json_is_array(value) ? json_array()
                                  : json_deep_copy(value);
    if (json_is_object(value))
        json_object_foreach((json_t *)value, key, item)(void)
            json_object_set_new(copy, key, as_written(item));
    for (size_t i = 0; i < json_array_size(value); i++)
        (void)json_array_append_new(copy, as_written(json_array_get(value, i)));
    return copy;
}

mgl_status mgl_studio_parse_job(mgl_job *job, const json_t *said, mgl_error *err)
{
    json_t *written = json_is_object(said) ? as_written(said) : NULL;
    char *text = written != NULL ? json_dumps(written, JSON_COMPACT) : NULL;
    mgl_status status = MGL_USAGE;
    if (text != NULL)
        status = mgl_job_parse(job, text, strlen(text), err);
    else
        snprintf(err->message, sizeof err->message, "`job` is no object");
    err->status = status;
    err->code = text != NULL ? err->code : MGL_CODE_JOB_FILE;
    free(text);
    json_decref(written);
    return status;
}

static mgl_status read_job(const mgl_studio_request *request, mgl_job *job, mgl_error *err)
{
    json_t *body = request->is_json ? json_loadb(request->body, request->size, 0, NULL) : NULL;
    const json_t *said = json_object_get(body, "job");
    mgl_status status = said != NULL ? mgl_studio_parse_job(job, said, err)
                                     : mgl_job_parse(job, request->body, request->size, err);
    if (status == MGL_OK && said != NULL)
        status = change(job, json_object_get(body, "set"), err);
    json_decref(body);
    return status;
}

static json_t *told_json(const mgl_job *job, mgl_error *err)
{
    char *yaml, *command;
    if (mgl_job_yaml(job, err, &yaml) != MGL_OK)
        return NULL;
    json_t *told = NULL;
    if (mgl_cli_command_line(job, "anonymize", err, &command) == MGL_OK) {
        told = json_pack("{s:o, s:s, s:s}", "job", job_json(job), "yaml", yaml, "command", command);
        free(command);
    }
    mgl_text_free(yaml);
    return told;
}

/* No file is opened: a job is text. */
mgl_studio_answer mgl_studio_job(const mgl_studio *studio, const mgl_studio_request *request)
{
    mgl_error err = {0};
    mgl_job *job;
    (void)studio;
    if (request->size == 0 || mgl_job_new(&err, &job) != MGL_OK)
        return mgl_studio_fail(400, "there is no job in the request");
    json_t *told = read_job(request, job, &err) == MGL_OK ? told_json(job, &err) : NULL;
    mgl_job_free(job);
    return told != NULL ? mgl_studio_json(200, told) : mgl_studio_fail_as(&err);
}
