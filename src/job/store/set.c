/* Sets one key at a time, as options and programs give them: the public mgl_job_set. The program
 * calls it for each option. */
#include "job/store/entries.h"

#include <stdio.h>

/* Takes one part off a key with dots: attributes."a.b".role has three. */
static bool take_part(mgl_span *rest, mgl_buffer *part)
{
    mgl_name name;
    part->size = 0;
    if (!mgl_name_take(rest, ".", &name) || (rest->size > 0 && rest->data[0] != '.'))
        return false;
    if (rest->size > 0)
        *rest = (mgl_span){rest->data + 1, rest->size - 1};
    mgl_name_append(part, name);
    mgl_buffer_append(part, "", 1); /* for those who want a C string */
    part->size--;
    return !part->failed;
}

static mgl_span span_of(const mgl_buffer *buffer)
{
    return (mgl_span){buffer->data, buffer->size};
}

static mgl_status set_nested(mgl_job *job, mgl_span first, mgl_span rest, mgl_span value,
                             const mgl_place *place, mgl_error *err)
{
    mgl_buffer second = {0}, third = {0};
    bool attribute = mgl_span_is(first, "attributes");
    mgl_status status = MGL_OK;
    if (!take_part(&rest, &second) ||
        (attribute && (rest.size == 0 || !take_part(&rest, &third))) || rest.size > 0) {
        status = second.failed || third.failed
                     ? mgl_fail_memory(err)
                     : mgl_blame_key(
                           err,
                           mgl_fail(err, MGL_CODE_UNKNOWN_KEY,
                                    "key '%.60s' is not complete; write attributes.COLUMN.role or "
                                    "privacy.MODEL, with quotes around a name that holds a dot",
                                    place->name),
                           place->name);
    } else if (attribute) {
        status = mgl_take_field(job, second.data, span_of(&third), value, place, err);
    } else {
        const mgl_model_type *type = mgl_model_type_find(second.data);
        mgl_key key = {.kind = MGL_KEY_MODEL, .model = type};
        status = type == NULL ? mgl_unknown_model(span_of(&second), place, err)
                              : mgl_take_option(job, &key, value, place, err);
    }
    mgl_buffer_free(&second);
    mgl_buffer_free(&third);
    return status;
}

static mgl_status set_key(mgl_job *job, const char *name, mgl_span value, mgl_place *place,
                          mgl_error *err)
{
    mgl_key key;
    if (!mgl_job_key_find(job, mgl_span_of(strcmp(name, "quasi-identifiers") == 0 ? "qi" : name),
                          &key))
        return mgl_unknown_key(job, mgl_span_of(name), place, err);
    return mgl_take_option(job, &key, value, place, err);
}

static mgl_status set(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    if (key == NULL || key[0] == '\0')
        return mgl_fail(err, MGL_CODE_UNKNOWN_KEY, "a key without a name; see `help keys`");
    if (value == NULL)
        return mgl_blame_key(
            err, mgl_fail(err, MGL_CODE_BAD_VALUE, "%.60s: no value; give one", key), key);
    mgl_place place = {.name = key};
    mgl_span rest = mgl_span_of(key);
    mgl_buffer first = {0};
    mgl_status status;
    bool whole = take_part(&rest, &first);
    if (first.failed)
        status = mgl_fail_memory(err);
    else if (!whole)
        status =
            mgl_blame_key(err,
                          mgl_fail(err, MGL_CODE_UNKNOWN_KEY,
                                   "key '%.60s' has a quote that is not closed; close it", key),
                          key);
    else if (rest.size > 0 &&
             (strcmp(first.data, "attributes") == 0 || strcmp(first.data, "privacy") == 0))
        status = set_nested(job, span_of(&first), rest, mgl_span_of(value), &place, err);
    else
        status = set_key(job, key, mgl_span_of(value), &place, err);
    mgl_buffer_free(&first);
    return status;
}

mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    mgl_locale locale = mgl_locale_enter();
    mgl_status status = set(job, key, value, err);
    mgl_locale_leave(locale);
    return status;
}
