/* From the path of a request to what answers it. serve.c calls it when the request is whole and
 * allowed. */
#include "cli/studio/room.h"

#include <stdlib.h>
#include <string.h>

/* "sessions/12/run" -> 12 behind "sessions/", with what follows; false: it is none of these. */
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
    mgl_studio_answer told = json_is_object(body)
                                 ? answer(studio, number, body)
                                 : mgl_studio_fail(400, "the request is no JSON object "
                                                        "(Content-Type: application/json)");
    json_decref(body);
    return told;
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
        return mgl_studio_capabilities(studio);
    if (is(request, "GET", "catalogue"))
        return mgl_studio_catalogue();
    if (is(request, "POST", "job"))
        return mgl_studio_job(studio, request);
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
