/* Reads results back from files. `report`, `check --against` and `check --proof` call it. */
#include "result/result.h"

#include <unistd.h>

static bool is_result(const json_t *document)
{
    return (mgl_json_text(document, "mingle") != NULL ||
            json_is_integer(json_object_get(document, "statement"))) &&
           mgl_json_text(document, "command") != NULL;
}

/* One result, or the list of a comparison. */
static bool are_results(const json_t *document)
{
    if (!json_is_array(document))
        return is_result(document);
    for (size_t i = 0; i < json_array_size(document); i++)
        if (!is_result(json_array_get(document, i)))
            return false;
    return json_array_size(document) > 0;
}

/* Every model that is told of, on a list in one of its results. */
static bool holds(const json_t *document)
{
    if (json_is_array(document)) {
        bool any = false;
        for (size_t i = 0; i < json_array_size(document); i++)
            any = any || holds(json_array_get(document, i));
        return any;
    }
    const json_t *models = json_object_get(document, "models");
    bool all = json_object_get(document, "error") == NULL &&
               !json_is_false(json_object_get(json_object_get(document, "against"), "agrees"));
    for (size_t i = 0; i < json_array_size(models); i++)
        all = all && !json_is_false(json_object_get(json_array_get(models, i), "holds"));
    return all;
}

mgl_status mgl_result_read(const char *path, mgl_error *err, mgl_result **out)
{
    mgl_buffer bytes = {0};
    mgl_status status = mgl_result_read_bytes(path, err, out, &bytes);
    mgl_buffer_free(&bytes);
    return status;
}

mgl_status mgl_result_read_bytes(const char *path, mgl_error *err, mgl_result **out,
                                 mgl_buffer *bytes)
{
    json_error_t error = {0};
    MGL_TRY(strcmp(path, "-") == 0 ? mgl_read_to_end(STDIN_FILENO, path, err, bytes)
                                   : mgl_read_whole(path, err, bytes));
    json_t *document = json_loadb(bytes->data != NULL ? bytes->data : "", bytes->size,
                                  JSON_REJECT_DUPLICATES, &error);
    if (document == NULL && mgl_json_lacks_memory(&error))
        return mgl_fail_memory(err);
    if (document == NULL)
        return mgl_fail_at(err, MGL_CODE_DAMAGED, path, error.line > 0 ? (uint64_t)error.line : 0,
                           "no result: %.200s; give the file that `result` wrote", error.text);
    mgl_result *result = are_results(document) ? mgl_result_alloc() : NULL;
    if (result == NULL) {
        bool memory = are_results(document);
        json_decref(document);
        return memory ? mgl_fail_memory(err)
                      : mgl_fail_at(err, MGL_CODE_DAMAGED, path, 0,
                                    "JSON, but no result; give the file that `result` wrote");
    }
    result->document = document;
    result->holds = holds(document);
    *out = result;
    return MGL_OK;
}
