/* check --against: reads the result of a release, judges its signature, and makes the job of the
 * result part of this one: all of it, or what `attack` and `utility` need. */
#include "command/audit/audit.h"
#include "command/audit/sections.h"
#include "sign/sign.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCHEMA = 1 };

static mgl_status check_kind(const char *path, const json_t *document, mgl_error *err)
{
    const json_t *schema = json_object_get(document, "schema");
    if (json_object_get(document, "statement") != NULL)
        return mgl_fail_key_at(err, MGL_CODE_DAMAGED, path, "against",
                               "this is a statement, with which `check` compares; here "
                               "the result of the release is needed");
    if (!json_is_integer(schema) || json_integer_value(schema) != SCHEMA)
        return mgl_fail_key_at(err, MGL_CODE_DAMAGED, path, "against",
                               "the result is of another schema than %d, which is all that this "
                               "program can read; use the program that wrote it",
                               SCHEMA);
    if (!json_is_object(json_object_get(document, "audit")))
        return mgl_fail_key_at(
            err, MGL_CODE_DAMAGED, path, "against",
            "the result has no audit trail; give the result of `anonymize`, or of `apply` for "
            "rows that are no slice, without `brief`");
    return MGL_OK;
}

static mgl_status read_result(const char *path, mgl_error *err, json_t **out, mgl_buffer *bytes)
{
    mgl_result *result;
    MGL_TRY(mgl_blame_key(err, mgl_result_read_bytes(path, err, &result, bytes), "against"));
    mgl_status status = check_kind(path, result->document, err);
    if (status == MGL_OK)
        *out = json_incref(result->document);
    mgl_result_free(result);
    return status;
}

/* The bytes of RESULT.json.sig; size 0: there is no such file. */
static mgl_status read_signature(const char *result, mgl_error *err, char out[MGL_SIGNATURE + 1],
                                 size_t *size)
{
    mgl_buffer path = {0};
    mgl_buffer_format(&path, "%s.sig", result);
    mgl_buffer_append(&path, "", 1);
    int fd = path.failed ? -1 : mgl_sys_open_read(path.data);
    bool room = !path.failed;
    mgl_buffer_free(&path);
    *size = 0;
    if (fd < 0)
        return room ? MGL_OK : mgl_fail_memory(err);
    ssize_t got = 1;
    for (; got > 0 && *size <= MGL_SIGNATURE; *size += got > 0 ? (size_t)got : 0)
        got = mgl_sys_read(fd, out + *size, MGL_SIGNATURE + 1 - *size);
    mgl_status status = got < 0 ? mgl_fail_errno(err, result, "read the signature of") : MGL_OK;
    mgl_sys_close(fd);
    return status;
}

mgl_status mgl_against_signature(const char *path, const char *key, mgl_span bytes, mgl_error *err,
                                 const char **out)
{
    char signature[MGL_SIGNATURE + 1];
    size_t size = 0;
    bool good = false;
    if (strcmp(path, "-") != 0)
        MGL_TRY(read_signature(path, err, signature, &size));
    if (key != NULL && size > 0)
        MGL_TRY(mgl_signature_check(key, bytes, (mgl_span){signature, size}, err, &good));
    *out = key == NULL ? (size > 0 ? "not verified" : "unsigned")
           : good      ? "verified"
           : size > 0  ? "bad"
                       : "missing";
    return MGL_OK;
}

/* Text without a header is released as such; other formats always name their columns. */
static bool names_columns(const char *location)
{
    const mgl_format *format = mgl_location_of(location != NULL ? location : "-").format;
    return format != NULL && !format->text;
}

/* What the result says of a column of the release; NULL: the release lacks it. */
static const json_t *released_column(const json_t *audit, const char *name)
{
    const json_t *column = mgl_claim_entry(json_object_get(audit, "columns"), "column", name);
    return json_is_true(json_object_get(column, "released")) ? column : NULL;
}

/* Does the release lack the label of a classification measure? */
static bool lacks_label(const json_t *audit, const char *utility)
{
    const char *label = strchr(utility, '=');
    return label != NULL && released_column(audit, label + 1) == NULL;
}

/* Does the release lack the column as it was: weights, or households? */
static bool lacks_as_read(const json_t *audit, const char *name)
{
    const json_t *column = released_column(audit, name), *job = json_object_get(audit, "job");
    const json_t *given = json_object_get(json_object_get(job, "attributes"), name);
    const char *role = mgl_json_text(column, "role");
    return column == NULL || (role != NULL && strcmp(role, "quasi") == 0) ||
           json_object_get(given, "treat") != NULL;
}

typedef struct taking_job {
    mgl_job *job;
    const json_t *audit;
    bool with; /* models were judged with the rows of an earlier release, which is not available */
    bool guards; /* the leak guard looks at the release */
} taking_job;

/* What the leak guard knows of the release: what the job accepted, and what was done to columns. */
static bool is_guarded(const mgl_job_value *given)
{
    return strcmp(given->key, given->column != NULL ? "treat" : "allow-leaks") == 0;
}

static mgl_status take_given(void *context, const mgl_job_value *given, mgl_error *err)
{
    const taking_job *s = context;
    mgl_job *job = s->job;
    bool of_text = strcmp(given->key, "no-header") == 0 || strcmp(given->key, "header") == 0 ||
                   strcmp(given->key, "delimiter") == 0;
    bool judges = mgl_model_type_find(given->key) != NULL || strcmp(given->key, "policy") == 0;
    if ((of_text && names_columns(mgl_job_get(job, "data"))) || (judges && s->with))
        return MGL_OK;
    if (strcmp(given->key, "utility") == 0 && lacks_label(s->audit, given->value))
        return MGL_OK;
    bool of_rows = strcmp(given->key, "weight") == 0 || strcmp(given->key, "household") == 0;
    if (of_rows && lacks_as_read(s->audit, given->value))
        return MGL_OK;
    if (s->guards && is_guarded(given))
        return mgl_job_take_value(job, given->key, given->column, given->value, err);
    return mgl_job_take_of_result(job, given, err);
}

static mgl_status take_set(mgl_job *job, const json_t *names, mgl_error *err)
{
    size_t n = json_array_size(names);
    mgl_span *texts = mgl_alloc_array(n, sizeof *texts);
    MGL_TRY(mgl_check_memory(texts != NULL, err));
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        texts[i] = mgl_span_of(name != NULL ? name : "");
    }
    mgl_status status = mgl_job_take_set(job, texts, n, err);
    mgl_free(texts);
    return status;
}

/* Persons are distinguished by the release itself where it has pseudonyms of them; else by a copy,
 * of which the user knows. */
static mgl_status take_persons(mgl_job *job, const json_t *claimed, mgl_error *err)
{
    const char *entity = mgl_json_text(claimed, "entity"),
               *view = mgl_json_text(claimed, "entity-view");
    if (mgl_claims_follow_persons(claimed) && mgl_job_get(job, "entity") == NULL)
        MGL_TRY(mgl_job_take_value(job, "entity", NULL, entity, err));
    if (view == NULL || mgl_job_get(job, "entity") == NULL ||
        mgl_job_get(job, "entity-view") != NULL)
        return MGL_OK;
    return mgl_job_take_value(job, "entity-view", NULL, view, err);
}

static mgl_status take_job(mgl_job *job, const json_t *document, bool guards, mgl_error *err)
{
    const json_t *audit = json_object_get(document, "audit");
    const json_t *claimed = json_object_get(audit, "job");
    taking_job given = {job, audit, json_object_get(document, "with") != NULL, guards};
    const json_t *sets = json_object_get(claimed, "quasi-identifiers");
    for (size_t i = 0; i < json_array_size(sets); i++)
        MGL_TRY(take_set(job, json_array_get(sets, i), err));
    MGL_TRY(mgl_job_document_each(claimed, take_given, &given, err));
    return take_persons(job, claimed, err);
}

typedef struct taking {
    mgl_job *job;
    const json_t *audit;
    const json_t *resolved; /* builders by column, with what they took from the values */
    bool measures;          /* what measures look at is taken, too */
    bool draws;             /* the caller knows the seed of the sample */
} taking;

/* How cells are read; for measures also which rows, strata, treatment and a label. A sample is
 * drawn again only with its seed, which no result has. */
static bool takes_key(const taking *t, const mgl_job_value *given)
{
    static const char *const reading[] = {"missing",  "decimal",           "century",
                                          "spelling", "missing-sensitive", "count"};
    static const char *const measuring[] = {"trim", "fold-case", "by", "suppressed", "where"};
    bool label = strcmp(given->key, "utility") == 0 && !lacks_label(t->audit, given->value);
    return mgl_names_have(reading, sizeof reading / sizeof reading[0], given->key) ||
           (t->measures &&
            (label || (t->draws && strcmp(given->key, "sample") == 0) ||
             mgl_names_have(measuring, sizeof measuring / sizeof measuring[0], given->key)));
}

/* Which columns are quasi-identifiers or sensitive, and what they are released as. Items are in
 * sets, which have measures of their own. */
static bool takes_field(const taking *t, const mgl_job_value *given)
{
    static const char *const measuring[] = {"weight", "likelihood"};
    const json_t *fields = json_object_get(
        json_object_get(json_object_get(t->audit, "job"), "attributes"), given->column);
    if (strcmp(given->key, "role") == 0)
        return strcmp(given->value, "quasi") == 0 || strcmp(given->value, "sensitive") == 0;
    /* The hierarchy of a column that was released as ranges was not used; sets of values are
     * measured by its leaves. */
    if (strcmp(given->key, "hierarchy") == 0)
        return json_object_get(fields, "km") == NULL &&
               (json_object_get(fields, "aggregate") != NULL ||
                !json_is_null(json_object_get(t->resolved, given->column)));
    return strcmp(given->key, "aggregate") == 0 ||
           (t->measures &&
            mgl_names_have(measuring, sizeof measuring / sizeof measuring[0], given->key));
}

static mgl_status take_column(void *context, const mgl_job_value *given, mgl_error *err)
{
    const taking *t = context;
    const char *value = given->value;
    if (given->column != NULL ? !takes_field(t, given) : !takes_key(t, given))
        return MGL_OK;
    if (given->column != NULL && strcmp(given->key, "hierarchy") == 0) {
        const char *resolved = json_string_value(json_object_get(t->resolved, given->column));
        value = resolved != NULL ? resolved : value;
    }
    return mgl_job_take_value(t->job, given->key, given->column, value, err);
}

/* The largest parameter of models that give k in this way, as the job or a policy writes them; 0:
 * none of them does. */
static uint64_t largest_asked(const json_t *models, mgl_k_role role)
{
    const json_t *one, *value;
    const char *name;
    uint64_t most = 0;
    size_t i;
    json_array_foreach((json_t *)models, i, one) json_object_foreach((json_t *)one, name, value)
    {
        const mgl_model_type *type = mgl_model_type_find(name);
        uint64_t k = type != NULL && type->k == role && json_is_string(value)
                         ? strtoull(json_string_value(value), NULL, 10)
                         : 0;
        most = k > most ? k : most;
    }
    return most;
}

static uint64_t largest_k(const json_t *document, mgl_k_role role)
{
    const json_t *audit = json_object_get(document, "audit");
    const uint64_t found[] = {
        mgl_claim_largest_k(json_object_get(document, "models"), role),
        largest_asked(json_object_get(json_object_get(audit, "job"), "privacy"), role),
        largest_asked(json_object_get(audit, "policy"), role)};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        most = found[i] > most ? found[i] : most;
    return most;
}

/* The k that was asked for, by a policy or by the job, or what stands for it. A quasi-identifier
 * with a likelihood promises a smaller one, by which nothing is measured. */
static mgl_status take_k(mgl_job *job, const json_t *document, mgl_error *err)
{
    uint64_t k = largest_k(document, MGL_K_IS);
    char text[32];
    if (k == 0)
        k = largest_k(document, MGL_K_STANDS_FOR);
    snprintf(text, sizeof text, "%llu", (unsigned long long)k);
    return k > 0 ? mgl_job_take_value(job, "k-anonymity", NULL, text, err) : MGL_OK;
}

/* Takes over hierarchies: persons of a population are matched with released cells by them. */
static mgl_status take_quasi_hierarchy(void *context, const mgl_job_value *given, mgl_error *err)
{
    const taking *t = context;
    bool quasi = given->column != NULL && json_object_get(t->resolved, given->column) != NULL;
    return quasi && strcmp(given->key, "hierarchy") == 0 ? take_column(context, given, err)
                                                         : MGL_OK;
}

static mgl_status take_hierarchies(mgl_job *job, const json_t *audit, mgl_error *err)
{
    taking t = {job, audit, json_object_get(audit, "hierarchies"), false, false};
    return mgl_job_document_each(json_object_get(audit, "job"), take_quasi_hierarchy, &t, err);
}

static mgl_status take(mgl_job *job, json_t *document, const char *signature, bool guards,
                       mgl_error *err)
{
    mgl_job_take_claims(job, document, signature);
    MGL_TRY(take_job(job, document, guards, err));
    /* What stood between items may stand in no cell of the release. */
    const char *separator = mgl_json_text(json_object_get(document, "items"), "separator");
    return separator != NULL && separator[0] != '\0'
               ? mgl_job_take_value(job, "km-separator", NULL, separator, err)
               : MGL_OK;
}

mgl_status mgl_against_take(mgl_job *job, json_t *document, const char *signature, mgl_error *err)
{
    return take(job, document, signature, false, err);
}

mgl_status mgl_against_prepare(mgl_job *job, mgl_command command, mgl_error *err)
{
    const char *path = mgl_job_get(job, "against");
    if (path == NULL)
        return MGL_OK;
    mgl_buffer bytes = {0};
    json_t *document = NULL;
    const char *signature;
    mgl_status status = MGL_OK;
    MGL_GO(read_result(path, err, &document, &bytes));
    MGL_GO(mgl_against_signature(path, mgl_job_get(job, "verify-key"),
                                 (mgl_span){bytes.data, bytes.size}, err, &signature));
    MGL_GO(take(job, document, signature, command == MGL_GATE, err));
    if (mgl_job_get(job, "population") != NULL)
        MGL_GO(take_hierarchies(job, json_object_get(document, "audit"), err));
done:
    mgl_buffer_free(&bytes);
    json_decref(document);
    return status;
}

/* At which level the cells of each column are; 0..: at several. */
static mgl_status take_released_levels(mgl_job *job, const json_t *document, mgl_error *err)
{
    const json_t *columns = json_object_get(json_object_get(document, "audit"), "columns"), *column;
    const json_t *node = json_object_get(document, "node");
    size_t i;
    json_array_foreach((json_t *)columns, i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        const json_t *level = json_object_get(node, name);
        char text[32] = "0..";
        if (json_is_integer(level))
            snprintf(text, sizeof text, "%lld", (long long)json_integer_value(level));
        if (name != NULL && role != NULL && strcmp(role, "quasi") == 0)
            MGL_TRY(mgl_job_take_value(job, "released-level", name, text, err));
    }
    return MGL_OK;
}

mgl_status mgl_against_hierarchies(mgl_job *job, bool measures, mgl_error *err)
{
    const char *path = mgl_job_get(job, "against");
    if (path == NULL)
        return MGL_OK;
    mgl_buffer bytes = {0};
    json_t *document;
    mgl_status status = read_result(path, err, &document, &bytes);
    mgl_buffer_free(&bytes);
    if (status != MGL_OK)
        return status;
    const json_t *audit = json_object_get(document, "audit");
    mgl_job_take_claims(job, document, NULL);
    const json_t *claimed = json_object_get(audit, "job");
    const json_t *sets = json_object_get(claimed, "quasi-identifiers");
    bool draws = measures && mgl_job_get(job, "sample-seed") != NULL;
    taking t = {job, audit, json_object_get(audit, "hierarchies"), measures, draws};
    for (size_t i = 0; measures && i < json_array_size(sets); i++)
        MGL_GO(take_set(job, json_array_get(sets, i), err));
    if (measures)
        MGL_GO(take_k(job, document, err));
    MGL_GO(mgl_job_document_each(claimed, take_column, &t, err));
    MGL_GO(take_released_levels(job, document, err));
done:
    json_decref(document);
    return status;
}
