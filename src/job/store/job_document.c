/* Jobs as documents: made from a job, written as JSON or as a job file, completed with what a run
 * found out, and read value by value. */
#include "job/job.h"
#include "job/keys/keys.h"
#include "job/store/store.h"

/* True if the text needs no quotes for any reader of YAML. Truth values need none: for the reader
 * of job files they are texts. */
static bool is_plain(const char *text)
{
    static const char *const words[] = {"null", "Null", "NULL", "y",   "Y",  "n",  "N",
                                        "yes",  "Yes",  "YES",  "no",  "No", "NO", "on",
                                        "On",   "ON",   "off",  "Off", "OFF"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "0123456789./%+-";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return false;
    bool begins = text[0] != '\0' && strchr("-%+", text[0]) == NULL;
    for (const char *c = text; begins && *c != '\0'; c++)
        begins = strchr(letters, *c) != NULL || strchr(others, *c) != NULL;
    return begins;
}

static void put_text(mgl_buffer *out, const char *text)
{
    if (is_plain(text)) {
        mgl_buffer_text(out, text);
        return;
    }
    mgl_buffer_text(out, "\"");
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            mgl_buffer_format(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            mgl_buffer_format(out, "\\x%02X", c);
        else
            mgl_buffer_append(out, at, 1);
    }
    mgl_buffer_text(out, "\"");
}

static void put_value(mgl_buffer *out, const json_t *value)
{
    const char *key;
    json_t *member;
    bool first = true;
    if (json_is_object(value)) {
        mgl_buffer_text(out, "{");
        json_object_foreach((json_t *)value, key, member)
        {
            mgl_buffer_text(out, first ? "" : ", ");
            first = false;
            put_text(out, key);
            mgl_buffer_text(out, ": ");
            put_value(out, member);
        }
        mgl_buffer_text(out, "}");
    } else if (json_is_array(value)) {
        mgl_buffer_text(out, "[");
        for (size_t i = 0; i < json_array_size(value); i++) {
            mgl_buffer_text(out, i > 0 ? ", " : "");
            put_value(out, json_array_get(value, i));
        }
        mgl_buffer_text(out, "]");
    } else if (json_is_string(value)) {
        put_text(out, json_string_value(value));
    }
}

static void put_note(mgl_buffer *out, const char *text)
{
    mgl_buffer_text(out, " # ");
    for (; *text != '\0'; text++)
        mgl_buffer_append(out, (unsigned char)*text < 0x20 ? " " : text, 1);
}

/* The note of a column, looked for from the last one on: notes mostly stand in the order of
 * columns. */
static const char *find_note(const mgl_job_note *notes, size_t n, const char *column, size_t *next)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_job_note *note = &notes[(*next + i) % n];
        if (strcmp(note->column, column) != 0)
            continue;
        *next = (*next + i + 1) % n;
        return note->text;
    }
    return NULL;
}

static void put_attributes(mgl_buffer *out, const json_t *attributes, const mgl_job_note *notes,
                           size_t n_notes)
{
    const char *column;
    json_t *fields;
    size_t next = 0;
    mgl_buffer_text(out, "attributes:\n");
    json_object_foreach((json_t *)attributes, column, fields)
    {
        mgl_buffer_text(out, "  ");
        put_text(out, column);
        mgl_buffer_text(out, ": ");
        put_value(out, fields);
        const char *note = find_note(notes, n_notes, column, &next);
        if (note != NULL)
            put_note(out, note);
        mgl_buffer_text(out, "\n");
    }
}

void mgl_job_put_yaml(const json_t *document, const mgl_job_note *notes, size_t n_notes,
                      mgl_buffer *out)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)document, key, value)
    {
        if (strcmp(key, "attributes") != 0) {
            mgl_buffer_format(out, "%s: ", key);
            put_value(out, value);
            mgl_buffer_text(out, "\n");
        } else if (json_object_size(value) > 0) {
            put_attributes(out, value, notes, n_notes);
        }
    }
}

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

/* The row of the table that a value is for; that of a role has no row. */
static mgl_key key_of(const mgl_job *job, const mgl_entry *entry)
{
    /* A key of the whole job that is in no table is the caller's own. */
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
        MGL_GO(mgl_fail_key(
            m->err, MGL_CODE_BAD_VALUE, key->name,
            "'%.60s' of %s is not UTF-8 and cannot be written down in a job; give it another name",
            value, key->name));
    *out = text.failed ? NULL : json_stringn(text.data != NULL ? text.data : "", text.size);
    MGL_GO(mgl_check_memory(*out != NULL, m->err));
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
    MGL_GO(mgl_check_memory(array != NULL, m->err));
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
    MGL_GO(mgl_check_memory(!item.failed && !wrong.failed, m->err));
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

/* Columns are in the order in which they got their roles: it is that of the quasi-identifier. */
static mgl_status fill(maker *m)
{
    for (size_t i = 0; i < m->job->n_entries; i++)
        MGL_TRY(check_name(m, m->job->entries[i].subject));
    for (size_t q = 0; q < m->job->n_sets; q++)
        for (size_t i = 0; i < m->job->sets[q].n_names; i++)
            MGL_TRY(check_name(m, m->job->sets[q].names[i]));
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

typedef struct reader {
    mgl_job_value_fn *visit;
    void *context;
    mgl_error *err;
} reader;

/* A text, or a list of texts as an option writes it. False: neither. */
static bool put_member(const json_t *value, mgl_buffer *out)
{
    out->size = 0;
    if (json_is_string(value))
        mgl_buffer_append(out, json_string_value(value), json_string_length(value));
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *item = json_string_value(json_array_get(value, i));
        if (item == NULL)
            return false;
        mgl_list_append(out, mgl_span_of(item));
    }
    mgl_buffer_append(out, "", 1);
    return json_is_string(value) || json_is_array(value);
}

static mgl_status visit_value(const reader *r, const char *key, const char *column,
                              const json_t *value)
{
    mgl_buffer text = {0};
    bool is_value = put_member(value, &text);
    mgl_job_value given = {key, column, text.data};
    mgl_status status = text.failed ? mgl_fail_memory(r->err)
                        : is_value  ? r->visit(r->context, &given, r->err)
                                    : MGL_OK;
    mgl_buffer_free(&text);
    return status;
}

static mgl_status visit_all(const reader *r, const char *column, const json_t *values)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)values, key, value)
    {
        if (strcmp(key, "quasi-identifiers") != 0 && strcmp(key, "privacy") != 0)
            MGL_TRY(visit_value(r, key, column, value));
    }
    return MGL_OK;
}

/* The parameters of a model in their order, with commas between them. */
static mgl_status visit_model(const reader *r, const char *name, const json_t *value)
{
    const mgl_model_type *model = mgl_model_type_find(name);
    if (!json_is_object(value) || model == NULL)
        return visit_value(r, name, NULL, value);
    mgl_buffer text = {0};
    for (size_t i = 0; i < model->n_parameters; i++) {
        const char *one = json_string_value(json_object_get(value, model->parameters[i].name));
        if (one != NULL)
            mgl_buffer_format(&text, "%s%s", text.size > 0 ? "," : "", one);
    }
    mgl_buffer_append(&text, "", 1);
    mgl_job_value given = {name, json_string_value(json_object_get(value, "attribute")), text.data};
    mgl_status status =
        text.failed ? mgl_fail_memory(r->err) : r->visit(r->context, &given, r->err);
    mgl_buffer_free(&text);
    return status;
}

mgl_status mgl_job_document_each(const json_t *document, mgl_job_value_fn *visit, void *context,
                                 mgl_error *err)
{
    const reader r = {visit, context, err};
    const json_t *privacy = json_object_get(document, "privacy");
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(document, "attributes"), name, value)
        MGL_TRY(visit_all(&r, name, value));
    for (size_t i = 0; i < json_array_size(privacy); i++) {
        json_object_foreach(json_array_get(privacy, i), name, value)
            MGL_TRY(visit_model(&r, name, value));
    }
    return visit_all(&r, NULL, document);
}
