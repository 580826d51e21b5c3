/* What requests are answered with: documents, errors and files. */
#include "cli/studio/room.h"

#include <stdlib.h>
#include <string.h>

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
