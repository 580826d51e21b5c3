/* From the path of a request to its answer: answers as JSON, what the engine can do, and jobs as
 * documents, job files and command lines. */
#include "cli/cli.h"
#include "cli/studio/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

mgl_studio_answer mgl_studio_json(unsigned code, json_t *document)
{
    char *text = document != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    if (text == NULL)
        return (mgl_studio_answer){.code = 500, .type = "application/json"};
    return (mgl_studio_answer){
        .code = code, .type = "application/json", .body = text, .size = strlen(text)};
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text[0] != '\0')
        (void)json_object_set_new(object, key, json_string(text));
}

json_t *mgl_studio_error_json(const mgl_error *err)
{
    json_t *object = json_pack("{s:i, s:s, s:s}", "status", (int)err->status, "code",
                               mgl_code_name(err->code), "message", err->message);
    if (object == NULL)
        return json_null();
    set_text(object, "key", err->key);
    set_text(object, "column", err->column);
    set_text(object, "file", err->file);
    if (err->line > 0)
        (void)json_object_set_new(object, "line", json_integer((json_int_t)err->line));
    if (err->position > 0)
        (void)json_object_set_new(object, "position", json_integer((json_int_t)err->position));
    return object;
}

mgl_studio_answer mgl_studio_fail(unsigned code, const char *message)
{
    return mgl_studio_json(code, json_pack("{s:{s:i, s:s, s:s}}", "error", "status", (int)MGL_USAGE,
                                           "code", "usage", "message", message));
}

mgl_studio_answer mgl_studio_fail_as(const mgl_error *err)
{
    unsigned code = err->status == MGL_SYSTEM ? 500 : 422;
    return mgl_studio_json(code, json_pack("{s:o}", "error", mgl_studio_error_json(err)));
}

json_t *mgl_studio_result_json(const mgl_result *result)
{
    char *text;
    if (mgl_result_json(result, NULL, &text) != MGL_OK)
        return NULL;
    json_t *document = json_loads(text, 0, NULL);
    mgl_text_free(text);
    return document;
}

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

static mgl_studio_answer answer_capabilities(const mgl_studio *studio)
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

static mgl_studio_answer answer_catalogue(void)
{
    return mgl_studio_json(200, catalogue_of(NULL));
}

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

mgl_status mgl_studio_parse_job(mgl_job *job, const json_t *part, mgl_error *err)
{
    json_t *written = json_is_object(part) ? as_written(part) : NULL;
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
    const json_t *part = json_object_get(body, "job");
    mgl_status status = part != NULL ? mgl_studio_parse_job(job, part, err)
                                     : mgl_job_parse(job, request->body, request->size, err);
    if (status == MGL_OK && part != NULL)
        status = change(job, json_object_get(body, "set"), err);
    json_decref(body);
    return status;
}

static json_t *forms_json(const mgl_job *job, mgl_error *err)
{
    char *yaml, *command;
    if (mgl_job_yaml(job, err, &yaml) != MGL_OK)
        return NULL;
    json_t *reply = NULL;
    if (mgl_cli_command_line(job, "anonymize", err, &command) == MGL_OK) {
        reply =
            json_pack("{s:o, s:s, s:s}", "job", job_json(job), "yaml", yaml, "command", command);
        free(command);
    }
    mgl_text_free(yaml);
    return reply;
}

/* No file is opened: a job is text. */
static mgl_studio_answer answer_job(const mgl_studio *studio, const mgl_studio_request *request)
{
    mgl_error err = {0};
    mgl_job *job;
    (void)studio;
    if (request->size == 0 || mgl_job_new(&err, &job) != MGL_OK)
        return mgl_studio_fail(400, "there is no job in the request");
    json_t *reply = read_job(request, job, &err) == MGL_OK ? forms_json(job, &err) : NULL;
    mgl_job_free(job);
    return reply != NULL ? mgl_studio_json(200, reply) : mgl_studio_fail_as(&err);
}

/* "sessions/12/run" -> 12 behind "sessions/", with what follows; false if the path is another one.
 */
static bool take_number(const char *path, const char *before, unsigned *number, const char **rest)
{
    size_t size = strlen(before);
    char *end;
    if (strncmp(path, before, size) != 0 || path[size] < '1' || path[size] > '9')
        return false;
    unsigned long value = strtoul(path + size, &end, 10);
    if (value > 1000000000 || (*end != '\0' && *end != '/'))
        return false;
    *number = (unsigned)value;
    *rest = *end == '/' ? end + 1 : end;
    return true;
}

typedef mgl_studio_answer with_body(mgl_studio *studio, unsigned number, const json_t *body);

static mgl_studio_answer open_session(mgl_studio *studio, unsigned number, const json_t *body)
{
    (void)number;
    return mgl_studio_open(studio, body);
}

/* Requests whose body is an object. */
static mgl_studio_answer read_body(mgl_studio *studio, const mgl_studio_request *request,
                                   unsigned number, with_body *answer)
{
    json_t *body = request->is_json && request->body != NULL
                       ? json_loadb(request->body, request->size, JSON_REJECT_DUPLICATES, NULL)
                       : NULL;
    mgl_studio_answer reply = json_is_object(body)
                                  ? answer(studio, number, body)
                                  : mgl_studio_fail(400, "the request is no JSON object "
                                                         "(Content-Type: application/json)");
    json_decref(body);
    return reply;
}

static bool is(const mgl_studio_request *request, const char *method, const char *path)
{
    return strcmp(request->method, method) == 0 && strcmp(request->path, path) == 0;
}

static mgl_studio_answer route_run(mgl_studio *studio, const mgl_studio_request *request,
                                   unsigned number, const char *rest)
{
    static const char files[] = "files/";
    bool get = strcmp(request->method, "GET") == 0;
    if (rest[0] == '\0' && get)
        return mgl_studio_ask(studio, number);
    if (rest[0] == '\0' && strcmp(request->method, "DELETE") == 0)
        return mgl_studio_cancel(studio, number);
    if (get && strncmp(rest, files, sizeof files - 1) == 0)
        return mgl_studio_file(studio, number, rest + sizeof files - 1);
    return mgl_studio_fail(404, "there is nothing here");
}

static mgl_studio_answer route_session(mgl_studio *studio, const mgl_studio_request *request,
                                       unsigned number, const char *rest)
{
    if (rest[0] == '\0' && strcmp(request->method, "DELETE") == 0)
        return mgl_studio_close(studio, number);
    if (strcmp(rest, "run") == 0 && strcmp(request->method, "POST") == 0)
        return read_body(studio, request, number, mgl_studio_start);
    return mgl_studio_fail(404, "there is nothing here");
}

mgl_studio_answer mgl_studio_route(mgl_studio *studio, mgl_studio_request *request)
{
    unsigned number;
    const char *rest;
    if (is(request, "GET", "capabilities"))
        return answer_capabilities(studio);
    if (is(request, "GET", "catalogue"))
        return answer_catalogue();
    if (is(request, "POST", "job"))
        return answer_job(studio, request);
    if (is(request, "POST", "tables"))
        return mgl_studio_add_table(studio, request);
    if (is(request, "POST", "sessions"))
        return read_body(studio, request, 0, open_session);
    if (take_number(request->path, "sessions/", &number, &rest))
        return route_session(studio, request, number, rest);
    if (take_number(request->path, "runs/", &number, &rest))
        return route_run(studio, request, number, rest);
    return mgl_studio_fail(404, "there is nothing here");
}
