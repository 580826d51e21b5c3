/* Makes the document of a result and puts values into it; running out of memory is noticed once, at
 * the end. Every command fills one in. */
#include "result/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

mgl_result *mgl_result_alloc(void)
{
    const mgl_call *call = mgl_call_current();
    mgl_result *result = mgl_zeroed_array(1, sizeof *result);
    if (result != NULL && call != NULL)
        result->allocator = call->allocator;
    return result;
}

/* Documents that hold nothing of the data, or nothing that the release does not show. */
static bool is_for_recipients(const char *command)
{
    return strcmp(command, "codebook") == 0 || strcmp(command, "catalogue") == 0;
}

mgl_status mgl_result_new(const char *command, mgl_error *err, mgl_result **out)
{
    mgl_result *result = mgl_result_alloc();
    if (result == NULL)
        return mgl_fail_memory(err);
    result->holds = true;
    result->document = json_object();
    if (result->document == NULL ||
        (!is_for_recipients(command) && json_object_set_new(result->document, "confidential",
                                                            json_string(MGL_CONFIDENTIAL)) != 0) ||
        json_object_set_new(result->document, "mingle", json_string(MGL_VERSION)) != 0 ||
        json_object_set_new(result->document, "schema", json_integer(1)) != 0 ||
        json_object_set_new(result->document, "command", json_string(command)) != 0) {
        mgl_result_free(result);
        return mgl_fail_memory(err);
    }
    *out = result;
    return MGL_OK;
}

mgl_status mgl_result_new_list(mgl_error *err, mgl_result **out)
{
    mgl_result *list = mgl_result_alloc();
    if (list == NULL)
        return mgl_fail_memory(err);
    list->document = json_array();
    if (list->document == NULL) {
        mgl_result_free(list);
        return mgl_fail_memory(err);
    }
    *out = list;
    return MGL_OK;
}

void mgl_result_append(mgl_result *list, mgl_result *result)
{
    list->holds = list->holds || result->holds;
    if (list->resolved == NULL)
        list->resolved = json_incref(result->resolved);
    mgl_json_append(list->document, json_incref(result->document));
    mgl_result_free(result);
}

void mgl_result_free(mgl_result *result)
{
    if (result == NULL)
        return;
    json_decref(result->document);
    json_decref(result->resolved);
    mgl_call own = {.allocator = result->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    mgl_memory_store_clear(&result->made);
    mgl_free(result);
    mgl_call_leave(before);
}

mgl_status mgl_result_bytes(const mgl_result *result, const char *name, mgl_error *err,
                            const void **data, size_t *size)
{
    const mgl_memory_object *object = mgl_memory_store_find(&result->made, name);
    if (object == NULL)
        return mgl_fail(err, MGL_CODE_UNKNOWN_NAME, "nothing was written to memory:%.200s", name);
    if (object->table != NULL)
        return mgl_fail(err, MGL_USAGE, "memory:%.200s is a table; take it as a stream", name);
    *data = object->bytes.data != NULL ? object->bytes.data : "";
    *size = object->bytes.size;
    return MGL_OK;
}

int mgl_result_holds(const mgl_result *result)
{
    return result->holds;
}

json_t *mgl_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *mgl_json_count(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* Stands in an object or array that ran out of memory for one of its values; it is known by its
 * address. What was cleared has room for it: an array keeps its first few places, an object has
 * just given its keys back. */
static json_t lost = {JSON_NULL, (size_t)-1};

void mgl_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return;
    json_object_clear(object);
    (void)json_object_set_new(object, "", &lost);
}

void mgl_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return;
    json_array_clear(array);
    (void)json_array_append_new(array, &lost);
}

bool mgl_json_complete(const json_t *value)
{
    if (json_is_object(value)) {
        const char *key;
        json_t *member;
        json_object_foreach((json_t *)value, key, member)
        {
            if (!mgl_json_complete(member))
                return false;
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!mgl_json_complete(json_array_get(value, i)))
            return false;
    return value != NULL && value != &lost;
}

double mgl_json_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool mgl_json_is_number(const json_t *object, const char *key)
{
    return json_is_number(json_object_get(object, key));
}

uint64_t mgl_json_whole(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (uint64_t)value : 0;
}

const char *mgl_json_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

void mgl_result_warn(mgl_result *result, const char *code, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    json_t *warnings = json_object_get(result->document, "warnings");
    if (warnings == NULL) {
        mgl_json_set(result->document, "warnings", json_array());
        warnings = json_object_get(result->document, "warnings");
    }
    json_t *warning = json_object();
    mgl_json_set(warning, "code", json_string(code));
    mgl_json_set(warning, "message", json_string(message));
    mgl_json_append(warnings, warning);
}

bool mgl_json_lacks_memory(const json_error_t *error)
{
    /* Where the parser itself lacked memory, nothing is told at all. */
    return error->text[0] == '\0' || json_error_code(error) == json_error_out_of_memory;
}

/* A document that was emptied does not tell its command any more. */
static bool tells_command(const json_t *document)
{
    if (json_is_object(document))
        return json_object_get(document, "command") != NULL;
    bool told = json_array_size(document) > 0;
    for (size_t i = 0; told && i < json_array_size(document); i++)
        told = tells_command(json_array_get(document, i));
    return told;
}

mgl_status mgl_result_complete(const mgl_result *result, mgl_error *err)
{
    return tells_command(result->document) && mgl_json_complete(result->document)
               ? MGL_OK
               : mgl_fail_memory(err);
}
