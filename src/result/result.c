/* The document of a result: made and filled in, written as JSON, read back, and asked by path.
 * Running out of memory is noticed once, at the end. */
#include "result/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static bool holds(const json_t *document);

/* ---- Results --------------------------------------------------------------------------------- */

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
    MGL_TRY(mgl_check_memory(result != NULL, err));
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
    MGL_TRY(mgl_check_memory(list != NULL, err));
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

/* ---- Values ---------------------------------------------------------------------------------- */

json_t *mgl_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *mgl_json_count(uint64_t value)
{
    return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *mgl_json_span(mgl_span text)
{
    return json_stringn(text.data != NULL ? text.data : "", text.size);
}

json_t *mgl_json_take(mgl_buffer *text)
{
    json_t *taken = text->failed ? NULL : mgl_json_span((mgl_span){text->data, text->size});
    mgl_buffer_free(text);
    return taken;
}

/* Stands in an object or array that ran out of memory for one of its values; it is known by its
 * address. It always fits: a cleared array keeps its first few slots, a cleared object has just
 * freed its keys. */
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

bool mgl_json_is(const json_t *object, const char *key, const char *text)
{
    const char *own = mgl_json_text(object, key);
    return own != NULL && strcmp(own, text) == 0;
}

const json_t *mgl_json_of_column(const json_t *list, const char *column)
{
    for (size_t i = 0; column != NULL && i < json_array_size(list); i++)
        if (mgl_json_is(json_array_get(list, i), "column", column))
            return json_array_get(list, i);
    return NULL;
}

size_t mgl_json_count_true(const json_t *list, const char *key)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        n += json_is_true(json_object_get(json_array_get(list, i), key));
    return n;
}

json_t *mgl_json_at(const json_t *object, const char *path)
{
    char key[64];
    const char *dot;
    for (; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        object = json_object_get(object, key);
    }
    return json_object_get(object, path);
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
    /* Where the parser itself lacked memory, the error is empty. */
    return error->text[0] == '\0' || json_error_code(error) == json_error_out_of_memory;
}

/* A document that was emptied has lost its command. */
static bool has_command(const json_t *document)
{
    if (json_is_object(document))
        return json_object_get(document, "command") != NULL;
    bool has = json_array_size(document) > 0;
    for (size_t i = 0; has && i < json_array_size(document); i++)
        has = has_command(json_array_get(document, i));
    return has;
}

mgl_status mgl_result_complete(const mgl_result *result, mgl_error *err)
{
    return has_command(result->document) && mgl_json_complete(result->document)
               ? MGL_OK
               : mgl_fail_memory(err);
}

/* ---- Writing JSON ---------------------------------------------------------------------------- */

static void write_real(mgl_buffer *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        double again = 0;
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (mgl_parse_double(mgl_span_of(text), &again) && again == value)
            break;
    }
    mgl_buffer_text(out, text);
    if (strpbrk(text, ".e") == NULL)
        mgl_buffer_text(out, ".0");
}

static void write_string(mgl_buffer *out, const char *text, size_t size)
{
    mgl_buffer_text(out, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            mgl_buffer_format(out, "\\%c", c);
        else if (c == '\n')
            mgl_buffer_text(out, "\\n");
        else if (c == '\t')
            mgl_buffer_text(out, "\\t");
        else if (c == '\r')
            mgl_buffer_text(out, "\\r");
        else if (c < 0x20 || c == 0x7f)
            mgl_buffer_format(out, "\\u%04x", c);
        else if (c == 0xC2 && i + 1 < size && (unsigned char)text[i + 1] < 0xA0)
            /* Control characters to some terminals. */
            mgl_buffer_format(out, "\\u%04x", (unsigned char)text[++i]);
        else
            mgl_buffer_append(out, (const char *)&text[i], 1);
    }
    mgl_buffer_text(out, "\"");
}

static void new_line(mgl_buffer *out, unsigned depth)
{
    mgl_buffer_format(out, "\n%*s", (int)(2 * depth), "");
}

static void write_value(mgl_buffer *out, const json_t *value, unsigned depth);

static void write_array(mgl_buffer *out, const json_t *array, unsigned depth)
{
    mgl_buffer_text(out, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        new_line(out, depth + 1);
        write_value(out, json_array_get(array, i), depth + 1);
    }
    if (json_array_size(array) > 0)
        new_line(out, depth);
    mgl_buffer_text(out, "]");
}

static void write_object(mgl_buffer *out, const json_t *object, unsigned depth)
{
    const char *key;
    json_t *value;
    const char *comma = "";
    mgl_buffer_text(out, "{");
    json_object_foreach((json_t *)object, key, value)
    {
        mgl_buffer_text(out, comma);
        comma = ",";
        new_line(out, depth + 1);
        write_string(out, key, strlen(key));
        mgl_buffer_text(out, ": ");
        write_value(out, value, depth + 1);
    }
    if (comma[0] != '\0')
        new_line(out, depth);
    mgl_buffer_text(out, "}");
}

static void write_value(mgl_buffer *out, const json_t *value, unsigned depth)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(out, value, depth);
        break;
    case JSON_ARRAY:
        write_array(out, value, depth);
        break;
    case JSON_STRING:
        write_string(out, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        mgl_buffer_format(out, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(out, json_real_value(value));
        break;
    default:
        mgl_buffer_text(out, json_is_true(value)    ? "true"
                             : json_is_false(value) ? "false"
                                                    : "null");
    }
}

mgl_status mgl_json_write(const json_t *document, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    mgl_locale locale = mgl_locale_enter();
    write_value(&text, document, 0);
    mgl_locale_leave(locale);
    mgl_buffer_text(&text, "\n");
    return mgl_buffer_take(&text, err, out);
}

mgl_status mgl_result_json(const mgl_result *result, mgl_error *err, char **out)
{
    MGL_TRY(mgl_result_complete(result, err));
    return mgl_json_write(result->document, err, out);
}

/* ---- Reading results back -------------------------------------------------------------------- */

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

/* True if every model holds; for a list, in one of its results. */
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

/* ---- Values by path -------------------------------------------------------------------------- */

/* The item [3] of a list; NULL if there is none. */
static const json_t *take_item(const json_t *list, mgl_span *rest)
{
    size_t index = 0, i = 1;
    for (; i < rest->size && rest->data[i] >= '0' && rest->data[i] <= '9'; i++) {
        if (index > SIZE_MAX / 10 - 1)
            return NULL;
        index = 10 * index + (size_t)(rest->data[i] - '0');
    }
    if (i == 1 || i == rest->size || rest->data[i] != ']')
        return NULL;
    *rest = (mgl_span){rest->data + i + 1, rest->size - i - 1};
    return json_array_get(list, index);
}

static const json_t *take_member(const json_t *object, mgl_span *rest)
{
    mgl_name name;
    char plain[64];
    if (!mgl_name_take(rest, ".[", &name) || (name.text.size == 0 && !name.quoted))
        return NULL;
    if (!name.quoted && name.text.size < sizeof plain) { /* as nearly all are: by its hash */
        memcpy(plain, name.text.data, name.text.size);
        plain[name.text.size] = '\0';
        return json_object_get(object, plain);
    }
    for (void *at = json_object_iter((json_t *)object); at != NULL;
         at = json_object_iter_next((json_t *)object, at))
        if (mgl_name_is(name, json_object_iter_key(at)))
            return json_object_iter_value(at);
    return NULL;
}

/* NULL: there is no such place. */
static const json_t *find(const mgl_result *result, const char *path)
{
    mgl_span rest = mgl_span_of(path != NULL ? path : "");
    const json_t *value = result->document;
    for (bool first = true; value != NULL && rest.size > 0; first = false) {
        if (rest.data[0] == '[') {
            value = take_item(value, &rest);
            continue;
        }
        if (!first && rest.data[0] != '.')
            return NULL;
        rest = first ? rest : (mgl_span){rest.data + 1, rest.size - 1};
        value = take_member(value, &rest);
    }
    return value;
}

mgl_kind mgl_result_kind(const mgl_result *result, const char *path)
{
    const json_t *value = find(result, path);
    if (value == NULL)
        return MGL_KIND_NONE;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return MGL_KIND_OBJECT;
    case JSON_ARRAY:
        return MGL_KIND_LIST;
    case JSON_STRING:
        return MGL_KIND_STRING;
    case JSON_INTEGER:
    case JSON_REAL:
        return MGL_KIND_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return MGL_KIND_BOOL;
    default:
        return MGL_KIND_NULL;
    }
}

double mgl_result_number(const mgl_result *result, const char *path)
{
    const json_t *value = find(result, path);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int mgl_result_integer(const mgl_result *result, const char *path, int64_t *out)
{
    const json_t *value = find(result, path);
    double real = json_real_value(value); /* 0 if it is not a number */
    if (json_is_integer(value))
        *out = json_integer_value(value);
    else if (json_is_real(value) && real == floor(real) && fabs(real) < 0x1p63)
        *out = (int64_t)real;
    else
        return 0;
    return 1;
}

int mgl_result_bool(const mgl_result *result, const char *path)
{
    const json_t *value = find(result, path);
    return json_is_boolean(value) ? json_is_true(value) : -1;
}

const char *mgl_result_string(const mgl_result *result, const char *path)
{
    return json_string_value(find(result, path));
}

size_t mgl_result_size(const mgl_result *result, const char *path)
{
    const json_t *value = find(result, path);
    return json_is_object(value) ? json_object_size(value) : json_array_size(value);
}

const char *mgl_result_key(const mgl_result *result, const char *path, size_t i)
{
    json_t *object = (json_t *)find(result, path);
    void *at = json_object_iter(object); /* NULL if it is no object */
    while (at != NULL && i-- > 0)
        at = json_object_iter_next(object, at);
    return at != NULL ? json_object_iter_key(at) : NULL;
}
