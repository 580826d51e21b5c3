/* What a job that applies a saved recoding takes over from the one that made it: roles, models,
 * limits, treatments. apply.c calls it. */
#include "command/rule/rule.h"

#include <stdio.h>

/* A slice that is known is not verified by itself. The leak guard wants to know k. */
static mgl_status take_for_slice(mgl_job *job, const mgl_saved_recoding *saved, const char *k,
                                 mgl_error *err)
{
    if (saved->n_quasi == 0)
        return MGL_OK;
    MGL_TRY(mgl_job_take_value(job, "k-anonymity", NULL, k, err));
    /* makes sure that sensitive columns are read, since they may have been counted */
    for (size_t c = 0; c < saved->n_columns; c++)
        if (saved->roles[c] == MGL_ROLE_SENSITIVE)
            return mgl_job_take_value(job, "alpha", saved->columns[c], "1", err);
    return MGL_OK;
}

static bool is_among(const char *key, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Does it say what models look at, if it is no model itself? */
static bool reports_models(const char *key)
{
    static const char *const keys[] = {"policy",    "population",        "weight",
                                       "household", "sampling-fraction", "suppress-above"};
    return is_among(key, keys, sizeof keys / sizeof keys[0]);
}

static bool reports_release(const char *key)
{
    static const char *const keys[] = {
        "suppressed", "missing",          "entity",      "rest",   "decimal", "century",   "trim",
        "fold-case",  "suppress",         "entity-view", "linked", "follow",  "km-within", "by",
        "spelling",   "missing-sensitive"};
    return is_among(key, keys, sizeof keys / sizeof keys[0]) || reports_models(key) ||
           mgl_model_type_find(key) != NULL;
}

/* Is it a key of a column that says what models want to know about a sensitive one? Models on a
 * single attribute are such keys as well. */
static bool reports_sensitive(const char *key)
{
    return strcmp(key, "hierarchy") == 0 || strcmp(key, "distance") == 0 ||
           strcmp(key, "protect") == 0 || strcmp(key, "kind") == 0;
}

typedef struct taking {
    mgl_job *job;
    const mgl_saved_recoding *saved;
    bool models; /* the models of the recoding are taken, too */
    char k[24];  /* of the recoding's job; "1": it has none */
} taking;

static bool has_role(const mgl_saved_recoding *saved, const char *column, mgl_role role)
{
    for (size_t c = 0; c < saved->n_columns; c++)
        if (saved->roles[c] == role && strcmp(saved->columns[c], column) == 0)
            return true;
    return false;
}

/* Is it taken over what the recoding's job says of a column? An insensitive one has a hierarchy
 * only if it follows others. */
static bool takes_field(const taking *t, const char *column, const char *key)
{
    bool model = mgl_model_type_find(key) != NULL;
    if (strcmp(key, "treat") == 0 || strcmp(key, "km") == 0)
        return true;
    if (strcmp(key, "hierarchy") == 0 && has_role(t->saved, column, MGL_ROLE_INSENSITIVE))
        return true;
    return t->models && (model || reports_sensitive(key)) &&
           has_role(t->saved, column, MGL_ROLE_SENSITIVE);
}

static mgl_status take_given(void *context, const mgl_job_value *given, mgl_error *err)
{
    taking *t = context;
    const mgl_model_type *type = mgl_model_type_find(given->key);
    bool model = type != NULL;
    if (model && type->k == MGL_K_IS)
        snprintf(t->k, sizeof t->k, "%s", given->value);
    bool judges = model || reports_models(given->key);
    bool taken = given->column == NULL ? reports_release(given->key) && (t->models || !judges)
                                       : takes_field(t, given->column, given->key);
    return taken ? mgl_job_take_value(t->job, given->key, given->column, given->value, err)
                 : MGL_OK;
}

static mgl_status load_job(const mgl_saved_recoding *saved, mgl_error *err, json_t **out)
{
    json_error_t error;
    *out = json_loads(saved->job, 0, &error);
    if (*out == NULL && mgl_json_lacks_memory(&error))
        return mgl_fail_memory(err);
    if (*out == NULL)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_DAMAGED,
                                      "the recoding does not tell the job that made it; save it "
                                      "again"),
                             "recoding");
    return MGL_OK;
}

mgl_status mgl_job_of_recoding(mgl_job *job, const mgl_saved_recoding *saved, bool models,
                               mgl_error *err)
{
    json_t *given;
    taking taken = {job, saved, models, "1"};
    MGL_TRY(load_job(saved, err, &given));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_take_roles(job, saved->columns, saved->roles, saved->n_columns, err));
    /* Columns are released as the texts of the recoding, so no hierarchy is proposed for them. */
    for (size_t a = 0; a < saved->n_quasi; a++)
        MGL_GO(mgl_job_take_value(job, "hierarchy", saved->quasi[a].name, "suppress", err));
    if (saved->items != NULL) {
        MGL_GO(mgl_job_take_value(job, "hierarchy", saved->items->column, "suppress", err));
        MGL_GO(mgl_job_take_value(job, "km-separator", NULL, saved->items->separator, err));
    }
    MGL_GO(mgl_job_document_each(given, take_given, &taken, err));
    if (!models)
        MGL_GO(take_for_slice(job, saved, taken.k, err));
done:
    json_decref(given);
    return status;
}

/* ---- For the record ------------------------------------------------------------------------- */

static void record_column(const taking *t, const json_t *given, size_t c, json_t *attributes)
{
    const char *column = t->saved->columns[c], *key;
    json_t *fields = json_object_get(attributes, column), *value;
    if (fields == NULL) {
        mgl_json_set(attributes, column, json_object());
        fields = json_object_get(attributes, column);
    }
    if (t->saved->roles[c] == MGL_ROLE_QUASI ||
        t->saved->roles[c] == MGL_ROLE_ITEMS) /* a stand-in for that of the recoding */
        (void)json_object_del(fields, "hierarchy");
    if (json_object_get(fields, "role") == NULL && t->saved->roles[c] != MGL_ROLE_NONE)
        mgl_json_set(fields, "role", json_string(mgl_role_name(t->saved->roles[c])));
    json_object_foreach(json_object_get(json_object_get(given, "attributes"), column), key, value)
    {
        if (takes_field(t, column, key) && json_object_get(fields, key) == NULL)
            mgl_json_set(fields, key, json_incref(value));
    }
}

mgl_status mgl_job_record_recoding(const mgl_saved_recoding *saved, mgl_error *err, json_t *job)
{
    const taking t = {.saved = saved, .models = true};
    json_t *given, *value, *attributes = json_object_get(job, "attributes");
    const char *key;
    MGL_TRY(load_job(saved, err, &given));
    for (size_t c = 0; c < saved->n_columns; c++)
        record_column(&t, given, c, attributes);
    json_object_foreach(given, key, value)
    {
        if ((reports_release(key) || strcmp(key, "privacy") == 0) &&
            json_object_get(job, key) == NULL)
            mgl_json_set(job, key, json_incref(value));
    }
    mgl_json_set(job, "method", json_string(saved->method));
    json_decref(given);
    return MGL_OK;
}
