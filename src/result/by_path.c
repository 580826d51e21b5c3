/* What stands at a place of a result: the public getters that take a path. Programs and bindings
 * call them. They allocate nothing and survive any path on any document. */
#include "result/result.h"

#include <math.h>

/* [3] of a list; NULL: there is none. */
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
    double real = json_real_value(value); /* 0 if it is none */
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
