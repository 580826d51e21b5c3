/* Makes the document of a job: the tree that a job file is read from. Audit trails, saved
 * recodings, saved jobs and proposals are made of it. */
#include "job/store/entries.h"

#include "job/store/paths.h"

typedef struct maker {
    const mgl_job *job;
    mgl_job_use use;
    const char *place;
    json_t *document, *attributes, *privacy;
    mgl_error *err;
} maker;

/* Takes the value over; NULL: there was no memory for it. */
static mgl_status set(const maker *m, json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0 ? MGL_OK : mgl_fail_memory(m->err);
}

static mgl_status append(const maker *m, json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0 ? MGL_OK : mgl_fail_memory(m->err);
}

/* ---- Values ----------------------------------------------------------------------------------
 */

/* The row of the table that a value is for; that of a role has no row. */
static mgl_key key_of(const mgl_job *job, const mgl_entry *entry)
{
    /* A key of the whole job that no table has is nobody's but the caller's. */
    mgl_key key = {.name = entry->field,
                   .kind = MGL_KEY_VALUE,
                   .record = entry->subject == NULL ? MGL_RECORD_NEVER : MGL_RECORD_ALWAYS};
    const mgl_model_type *model = mgl_model_type_find(entry->field);
    if (model != NULL)
        mgl_key_find(mgl_span_of(model->option), &key);
    else if (entry->subject != NULL)
        mgl_key_find_field(mgl_span_of(entry->field), &key);
    else
        mgl_job_key_find(job, mgl_span_of(entry->field), &key);
    return key;
}

static bool is_recorded(const maker *m, const mgl_key *key)
{
    if (m->use == MGL_JOB_WHOLE)
        return true;
    switch (key->record) {
    case MGL_RECORD_NEVER:
        return false;
    case MGL_RECORD_SECRET:
        return m->use != MGL_JOB_RECORD;
    case MGL_RECORD_RUN:
        return m->use != MGL_JOB_FILE;
    default:
        return true;
    }
}

/* Without secrets, and with paths that are right where the document will be. */
static mgl_status put_shown(const maker *m, const mgl_key *key, const char *value, mgl_buffer *out)
{
    char *shown;
    MGL_TRY(m->use == MGL_JOB_FILE ? mgl_location_without_secrets(value, m->err, &shown)
                                   : mgl_location_name(value, m->err, &shown));
    mgl_status status =
        mgl_path_put_beside(key, shown, m->use == MGL_JOB_FILE ? m->place : NULL, m->err, out);
    mgl_free(shown);
    return status;
}

static mgl_status text_json(const maker *m, const mgl_key *key, const char *value, json_t **out)
{
    mgl_buffer text = {0};
    mgl_status status = MGL_OK;
    if (m->use == MGL_JOB_WHOLE)
        mgl_buffer_text(&text, value);
    else
        MGL_GO(put_shown(m, key, value, &text));
    size_t valid = text.size > 0 ? mgl_utf8_valid(text.data, text.size) : 0;
    if (valid < text.size)
        MGL_GO(mgl_blame_key(
            m->err,
            mgl_fail(m->err, MGL_CODE_BAD_VALUE,
                     "'%.60s' of %s is not UTF-8 and cannot be written down in a job; give it "
                     "another name",
                     value, key->name),
            key->name));
    *out = text.failed ? NULL : json_stringn(text.data != NULL ? text.data : "", text.size);
    if (*out == NULL)
        MGL_GO(mgl_fail_memory(m->err));
done:
    mgl_buffer_free(&text);
    return status;
}

static mgl_status list_json(const maker *m, const mgl_key *key, const char *value, json_t **out)
{
    json_t *array = json_array();
    mgl_list list = mgl_list_of(mgl_span_of(value));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    if (array == NULL)
        MGL_GO(mgl_fail_memory(m->err));
    while (value[0] != '\0' && mgl_list_next(&list, &item, &wrong)) {
        json_t *text = NULL;
        mgl_buffer_append(&item, "", 1);
        MGL_GO(item.failed ? mgl_fail_memory(m->err) : text_json(m, key, item.data, &text));
        MGL_GO(append(m, array, text));
    }
    if (wrong.failed || wrong.size > 0)
        MGL_GO(mgl_fail_memory(m->err)); /* it was well formed when it was taken in */
    *out = json_incref(array);
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    json_decref(array);
    return status;
}

static mgl_status value_json(const maker *m, const mgl_key *key, const char *value, json_t **out)
{
    bool list = key->kind == MGL_KEY_LIST || key->kind == MGL_KEY_INPUTS || key->list ||
                (key->kind == MGL_KEY_ALL_OR && !mgl_key_is_all_or_none(mgl_span_of(value)));
    return list ? list_json(m, key, value, out) : text_json(m, key, value, out);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static mgl_status add_parameters(const maker *m, const mgl_model_type *model,
                                 const mgl_entry *entry, json_t *object)
{
    mgl_list list = mgl_list_of(mgl_span_of(entry->value));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    if (entry->subject != NULL)
        MGL_GO(set(m, object, "attribute", json_string(entry->subject)));
    for (size_t i = 0;
         i < model->n_parameters && mgl_list_next(&list, &item, &wrong) && item.size > 0; i++)
        MGL_GO(set(m, object, model->parameters[i].name, json_stringn(item.data, item.size)));
    if (item.failed || wrong.failed)
        MGL_GO(mgl_fail_memory(m->err));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

/* {k-anonymity: 5}, {recursive-cl: {attribute: s, c: 0.5, l: 3}} */
static mgl_status add_model(const maker *m, const mgl_model_type *model, const mgl_entry *entry)
{
    json_t *item = json_object();
    MGL_TRY(append(m, m->privacy, item));
    if (entry->subject == NULL && model->n_parameters == 1)
        return set(m, item, model->name, json_string(entry->value));
    MGL_TRY(set(m, item, model->name, json_object()));
    return add_parameters(m, model, entry, json_object_get(item, model->name));
}

/* ---- Entries --------------------------------------------------------------------------------- */

static mgl_status add_field(const maker *m, const mgl_entry *entry, json_t *value)
{
    json_t *column = json_object_get(m->attributes, entry->subject);
    if (column == NULL) {
        mgl_status status = set(m, m->attributes, entry->subject, json_object());
        if (status != MGL_OK) {
            json_decref(value);
            return status;
        }
        column = json_object_get(m->attributes, entry->subject);
    }
    return set(m, column, entry->field, value);
}

static mgl_status add_entry(const maker *m, const mgl_entry *entry, const mgl_key *key)
{
    json_t *value;
    const mgl_model_type *model = mgl_model_type_find(entry->field);
    if (model != NULL)
        return add_model(m, model, entry);
    MGL_TRY(value_json(m, key, entry->value, &value));
    return entry->subject != NULL ? add_field(m, entry, value)
                                  : set(m, m->document, entry->field, value);
}

static bool is_role(const mgl_entry *entry, const mgl_key *key)
{
    (void)key;
    return entry->subject != NULL && strcmp(entry->field, "role") == 0;
}

static bool is_of_column_or_model(const mgl_entry *entry, const mgl_key *key)
{
    return (entry->subject != NULL || key->kind == MGL_KEY_MODEL) && !is_role(entry, key);
}

static bool is_input(const mgl_entry *entry, const mgl_key *key)
{
    (void)entry;
    return key->kind == MGL_KEY_INPUT || key->kind == MGL_KEY_INPUTS;
}

static bool is_output(const mgl_entry *entry, const mgl_key *key)
{
    (void)entry;
    return key->kind == MGL_KEY_OUTPUT;
}

static bool is_other(const mgl_entry *entry, const mgl_key *key)
{
    return entry->subject == NULL && key->kind != MGL_KEY_MODEL && !mgl_key_is_path(key);
}

static mgl_status add_those(const maker *m, bool (*are)(const mgl_entry *, const mgl_key *))
{
    for (size_t i = 0; i < m->job->n_entries; i++) {
        const mgl_entry *entry = &m->job->entries[i];
        mgl_key key = key_of(m->job, entry);
        if (is_recorded(m, &key) && are(entry, &key))
            MGL_TRY(add_entry(m, entry, &key));
    }
    return MGL_OK;
}

/* Several quasi-identifiers. A single one are the columns with that role; whole jobs have it, too,
 * since one that is named is not added to by what others say. */
static mgl_status add_sets(const maker *m)
{
    json_t *sets = json_array();
    if (m->job->n_sets < (m->use == MGL_JOB_WHOLE ? 1 : 2)) {
        json_decref(sets);
        return MGL_OK;
    }
    MGL_TRY(set(m, m->document, "quasi-identifiers", sets));
    for (size_t q = 0; q < m->job->n_sets; q++) {
        json_t *names = json_array();
        MGL_TRY(append(m, sets, names));
        for (size_t i = 0; i < m->job->sets[q].n_names; i++)
            MGL_TRY(append(m, names, json_string(m->job->sets[q].names[i])));
    }
    return MGL_OK;
}

/* JSON and YAML are UTF-8; values are looked at where they are written. */
static mgl_status check_name(const maker *m, const char *name)
{
    size_t size = name != NULL ? strlen(name) : 0;
    if (size == 0 || mgl_utf8_valid(name, size) == size)
        return MGL_OK;
    return mgl_fail(
        m->err, MGL_CODE_BAD_VALUE,
        "the column name '%.60s' is not UTF-8 and cannot be written down in a job; give "
        "the column another name",
        name);
}

static mgl_status check_names(const maker *m)
{
    for (size_t i = 0; i < m->job->n_entries; i++)
        MGL_TRY(check_name(m, m->job->entries[i].subject));
    for (size_t q = 0; q < m->job->n_sets; q++)
        for (size_t i = 0; i < m->job->sets[q].n_names; i++)
            MGL_TRY(check_name(m, m->job->sets[q].names[i]));
    return MGL_OK;
}

/* Columns stand in the order in which they got their roles: it is that of the quasi-identifier. */
static mgl_status fill(maker *m)
{
    MGL_TRY(check_names(m));
    MGL_TRY(add_those(m, is_input));
    MGL_TRY(set(m, m->document, "attributes", json_incref(m->attributes)));
    MGL_TRY(add_those(m, is_role));
    MGL_TRY(add_sets(m));
    MGL_TRY(set(m, m->document, "privacy", json_incref(m->privacy)));
    MGL_TRY(add_those(m, is_of_column_or_model));
    if (json_array_size(m->privacy) == 0)
        (void)json_object_del(m->document, "privacy");
    MGL_TRY(add_those(m, is_other));
    return add_those(m, is_output);
}

mgl_status mgl_job_document(const mgl_job *job, mgl_job_use use, const char *place, mgl_error *err,
                            json_t **out)
{
    if (job->original != NULL)
        job = job->original;
    maker m = {job, use, place, json_object(), json_object(), json_array(), err};
    bool memory = m.document != NULL && m.attributes != NULL && m.privacy != NULL;
    mgl_status status = memory ? fill(&m) : mgl_fail_memory(err);
    json_decref(m.attributes);
    json_decref(m.privacy);
    if (status != MGL_OK) {
        json_decref(m.document);
        return status;
    }
    *out = m.document;
    return MGL_OK;
}

/* ---- For who told the job ----------------------------------------------------------------------
 */

mgl_status mgl_job_yaml(const mgl_job *job, mgl_error *err, char **out)
{
    json_t *document;
    mgl_buffer text = {0};
    mgl_locale locale = mgl_locale_enter();
    mgl_status status = mgl_job_document(job, MGL_JOB_WHOLE, NULL, err, &document);
    if (status == MGL_OK) {
        mgl_job_put_yaml(document, NULL, 0, &text);
        mgl_buffer_text(&text, text.size > 0 ? "" : "{}\n"); /* no text at all is no job */
        json_decref(document);
        status = mgl_buffer_take(&text, err, out);
    }
    mgl_locale_leave(locale);
    return status;
}

static int put_bytes(const char *data, size_t size, void *out)
{
    mgl_buffer_append(out, data, size);
    return 0;
}

mgl_status mgl_job_json(const mgl_job *job, mgl_error *err, char **out)
{
    json_t *document;
    mgl_buffer text = {0};
    mgl_locale locale = mgl_locale_enter();
    mgl_status status = mgl_job_document(job, MGL_JOB_WHOLE, NULL, err, &document);
    if (status == MGL_OK) {
        if (json_dump_callback(document, put_bytes, &text, JSON_INDENT(2)) != 0)
            text.failed = true;
        mgl_buffer_text(&text, "\n");
        json_decref(document);
        status = mgl_buffer_take(&text, err, out);
    }
    mgl_locale_leave(locale);
    return status;
}

/* ---- What a run found out ----------------------------------------------------------------------
 */

mgl_status mgl_job_document_resolve(json_t *document, const json_t *resolved, mgl_error *err)
{
    const char *column;
    json_t *fields, *attributes = json_object_get(document, "attributes");
    json_object_foreach((json_t *)resolved, column, fields)
    {
        json_t *there = json_object_get(attributes, column);
        int failed = there != NULL ? json_object_update(there, fields)
                                   : json_object_set_new(attributes, column, json_copy(fields));
        if (failed != 0)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}
