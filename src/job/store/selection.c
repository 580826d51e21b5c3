/* Which entries of a job a key means. Keys are set anew, taken back and asked for by it (set.c). */
#include "job/store/entries.h"

#include <stdio.h>

bool mgl_selection_has(const mgl_selection *s, const mgl_entry *entry)
{
    bool model = mgl_model_type_find(entry->field) != NULL;
    bool of_kind = s->about == MGL_ABOUT_MODEL ? model
                   : s->about == MGL_ABOUT_JOB ? entry->subject == NULL && !model
                                               : entry->subject != NULL && !model;
    if (!of_kind || (s->field != NULL && strcmp(s->field, entry->field) != 0))
        return false;
    if (s->one_subject && (entry->subject == NULL || !mgl_name_is(s->subject, entry->subject)))
        return false;
    return s->role == NULL || strcmp(s->role, entry->value) == 0;
}

/* Takes the name behind a dot off; false: there is none, or something else stands there. */
static bool take_name(mgl_span *rest, mgl_name *out)
{
    if (rest->size < 2 || rest->data[0] != '.')
        return false;
    *rest = (mgl_span){rest->data + 1, rest->size - 1};
    return mgl_name_take(rest, ".", out);
}

mgl_status mgl_key_incomplete(const char *key, mgl_error *err)
{
    mgl_status status =
        mgl_fail(err, MGL_CODE_UNKNOWN_KEY,
                 "key '%.60s' is not complete; write attributes.COLUMN.role or privacy.MODEL, "
                 "with quotes around a name that holds a dot",
                 key);
    return mgl_blame_key(err, status, key);
}

/* attributes, attributes.COLUMN, attributes.COLUMN.FIELD */
static mgl_status select_columns(const char *key, mgl_span rest, mgl_error *err, mgl_selection *out)
{
    const mgl_place place = {.name = key};
    mgl_name field;
    mgl_key row = {.field = "role"};
    *out = (mgl_selection){.about = MGL_ABOUT_COLUMN};
    if (rest.size == 0)
        return MGL_OK;
    out->one_subject = true;
    if (!take_name(&rest, &out->subject))
        return mgl_key_incomplete(key, err);
    if (rest.size == 0)
        return MGL_OK;
    if (!take_name(&rest, &field) || rest.size > 0)
        return mgl_key_incomplete(key, err);
    if (!mgl_name_is(field, "role") && !mgl_key_find_field(field.text, &row))
        return mgl_unknown_field(field.text, &place, err);
    out->field = row.field;
    return MGL_OK;
}

static const mgl_model_type *find_model(mgl_name name)
{
    char text[80]; /* no model has a longer name */
    snprintf(text, sizeof text, "%.*s", (int)name.text.size, name.text.data);
    return name.text.size < sizeof text ? mgl_model_type_find(text) : NULL;
}

/* privacy, privacy.MODEL, privacy.MODEL.COLUMN */
static mgl_status select_models(const char *key, mgl_span rest, mgl_error *err, mgl_selection *out)
{
    const mgl_place place = {.name = key};
    mgl_name name;
    *out = (mgl_selection){.about = MGL_ABOUT_MODEL};
    if (rest.size == 0)
        return MGL_OK;
    if (!take_name(&rest, &name))
        return mgl_key_incomplete(key, err);
    const mgl_model_type *model = find_model(name);
    if (model == NULL)
        return mgl_unknown_model(name.text, &place, err);
    out->field = model->name;
    out->one_subject = rest.size > 0;
    if (rest.size > 0 && (!take_name(&rest, &out->subject) || rest.size > 0))
        return mgl_key_incomplete(key, err);
    return MGL_OK;
}

mgl_status mgl_selection_of(const mgl_job *job, const char *name, mgl_error *err,
                            mgl_selection *out)
{
    const mgl_place place = {.name = name};
    mgl_span rest = mgl_span_of(name);
    mgl_name first;
    mgl_key key;
    if (!mgl_name_take(&rest, ".", &first))
        return mgl_key_incomplete(name, err);
    if (mgl_name_is(first, "attributes"))
        return select_columns(name, rest, err, out);
    if (mgl_name_is(first, "privacy"))
        return select_models(name, rest, err, out);
    if (!mgl_job_key_find(job, mgl_span_of(mgl_key_alias(name)), &key))
        return mgl_unknown_key(job, mgl_span_of(name), &place, err);
    *out = key.kind == MGL_KEY_MODEL
               ? (mgl_selection){.about = MGL_ABOUT_MODEL, .field = key.model->name}
           : key.kind == MGL_KEY_BY_COLUMN
               ? (mgl_selection){.about = MGL_ABOUT_COLUMN, .field = key.field}
           : key.kind == MGL_KEY_COLUMNS
               ? (mgl_selection){.about = MGL_ABOUT_COLUMN, .field = "role", .role = key.role}
               : (mgl_selection){.about = MGL_ABOUT_JOB, .field = key.name};
    return MGL_OK;
}
