/* One key at a time, as programs and options give them: the public mgl_job_set, mgl_job_add,
 * mgl_job_unset and mgl_job_get. The program calls mgl_job_add for each option. */
#include "job/store/entries.h"

#include <stdio.h>

/* Takes one part off a key with dots: attributes."a.b".role has three. */
static bool take_part(mgl_span *rest, mgl_buffer *part)
{
    mgl_name name;
    part->size = 0;
    if (!mgl_name_take(rest, ".", &name) ||
        (rest->size > 0 && (rest->data[0] != '.' || rest->size == 1)))
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

/* Three parts of a nested key: attributes.COLUMN.FIELD, privacy.MODEL, privacy.MODEL.COLUMN. */
typedef struct parts {
    mgl_buffer first, second, third;
} parts;

static void free_parts(parts *p)
{
    mgl_buffer_free(&p->first);
    mgl_buffer_free(&p->second);
    mgl_buffer_free(&p->third);
}

static mgl_status put_model(mgl_job *job, const parts *p, mgl_span value, const mgl_place *place,
                            mgl_error *err)
{
    const mgl_model_type *type = mgl_model_type_find(p->second.data);
    const mgl_key key = {.kind = MGL_KEY_MODEL, .model = type};
    if (type == NULL)
        return mgl_unknown_model(span_of(&p->second), place, err);
    if (p->third.data == NULL)
        return mgl_take_option(job, &key, value, place, err);
    if (!type->takes_attribute || p->third.size == 0)
        return mgl_key_incomplete(place->name, err);
    return mgl_take_model(job, type, p->third.data, value, place, err);
}

static mgl_status put_nested(mgl_job *job, parts *p, mgl_span rest, mgl_span value,
                             const mgl_place *place, mgl_error *err)
{
    bool attribute = strcmp(p->first.data, "attributes") == 0;
    bool whole = rest.size > 0 && take_part(&rest, &p->second) &&
                 (rest.size > 0 ? take_part(&rest, &p->third) : !attribute) && rest.size == 0;
    if (p->second.failed || p->third.failed)
        return mgl_fail_memory(err);
    if (!whole)
        return mgl_key_incomplete(place->name, err);
    return attribute ? mgl_take_field(job, p->second.data, span_of(&p->third), value, place, err)
                     : put_model(job, p, value, place, err);
}

const char *mgl_key_alias(const char *name)
{
    return strcmp(name, "quasi-identifiers") == 0 ? "qi-set" : name;
}

/* A list of columns, set anew, is all of the columns with that role. */
static mgl_status clear_columns(mgl_job *job, const mgl_key *key, const mgl_place *place,
                                mgl_error *err)
{
    const mgl_selection columns = {.about = MGL_ABOUT_COLUMN, .field = "role", .role = key->role};
    return key->kind == MGL_KEY_COLUMNS && place->turn != 0 ? mgl_store_remove(job, &columns, err)
                                                            : MGL_OK;
}

static mgl_status put_key(mgl_job *job, const char *name, mgl_span value, const mgl_place *place,
                          mgl_error *err)
{
    mgl_key key;
    if (!mgl_job_key_find(job, mgl_span_of(mgl_key_alias(name)), &key))
        return mgl_unknown_key(job, mgl_span_of(name), place, err);
    MGL_TRY(clear_columns(job, &key, place, err));
    return mgl_take_option(job, &key, value, place, err);
}

static mgl_status put(mgl_job *job, const char *key, const char *value, uint64_t turn,
                      mgl_error *err)
{
    if (key == NULL || key[0] == '\0')
        return mgl_fail(err, MGL_CODE_UNKNOWN_KEY, "a key without a name; see `help keys`");
    if (value == NULL)
        return mgl_blame_key(
            err, mgl_fail(err, MGL_CODE_BAD_VALUE, "%.60s: no value; give one", key), key);
    mgl_place place = {.name = key, .turn = turn};
    mgl_span rest = mgl_span_of(key);
    parts p = {0};
    mgl_status status = MGL_OK;
    bool whole = take_part(&rest, &p.first);
    if (p.first.failed)
        MGL_GO(mgl_fail_memory(err));
    if (!whole)
        MGL_GO(strchr(key, '"') != NULL
                   ? mgl_blame_key(err,
                                   mgl_fail(err, MGL_CODE_UNKNOWN_KEY,
                                            "key '%.60s' has a quote that is not closed; close it",
                                            key),
                                   key)
                   : mgl_key_incomplete(key, err));
    if (strcmp(p.first.data, "attributes") == 0 || strcmp(p.first.data, "privacy") == 0)
        MGL_GO(put_nested(job, &p, rest, mgl_span_of(value), &place, err));
    else
        MGL_GO(put_key(job, key, mgl_span_of(value), &place, err));
done:
    free_parts(&p);
    return status;
}

static mgl_status put_whole(mgl_job *job, const char *key, const char *value, uint64_t turn,
                            mgl_error *err)
{
    mgl_undo undo;
    mgl_locale locale = mgl_locale_enter();
    mgl_undo_begin(job, &undo);
    mgl_status status = mgl_undo_end(job, put(job, key, value, turn, err));
    mgl_locale_leave(locale);
    return status;
}

mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    return put_whole(job, key, value, ++job->turns, err);
}

mgl_status mgl_job_add(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    return put_whole(job, key, value, 0, err);
}

mgl_status mgl_job_unset(mgl_job *job, const char *key, mgl_error *err)
{
    mgl_selection selection;
    mgl_undo undo;
    if (key == NULL)
        return mgl_fail(err, MGL_CODE_UNKNOWN_KEY, "a key without a name; see `help keys`");
    MGL_TRY(mgl_selection_of(job, key, err, &selection));
    mgl_undo_begin(job, &undo);
    return mgl_undo_end(job, mgl_store_remove(job, &selection, err));
}

/* Does the selection mean one value and no more? */
static bool is_of_one(const mgl_selection *s)
{
    return s->field != NULL && s->role == NULL && (s->about != MGL_ABOUT_COLUMN || s->one_subject);
}

const char *mgl_job_get(const mgl_job *job, const char *key)
{
    mgl_selection s;
    if (key == NULL || mgl_selection_of(job, key, NULL, &s) != MGL_OK || !is_of_one(&s))
        return NULL;
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        if (mgl_selection_has(&s, entry) && (s.one_subject || entry->subject == NULL))
            return entry->value;
    }
    return NULL;
}
