/* check --against: a release compared with what its result claims. */
#include "flow/flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static mgl_status read_result(const char *path, mgl_error *err, json_t **out)
{
    mgl_result *result;
    MGL_TRY(mgl_result_read(path, err, &result));
    *out = json_incref(result->document);
    mgl_result_free(result);
    if (json_is_object(json_object_get(*out, "audit")))
        return MGL_OK;
    json_decref(*out);
    return mgl_fail_at(err, MGL_DATA, path, 0,
                       "the result has no audit trail; give the result of mingle anonymize");
}

/* ---- The job -------------------------------------------------------------------------------- */

/* Text without a header is released as such; other formats always name their columns. */
static bool names_columns(const char *location)
{
    const mgl_format *format = mgl_format_of(location != NULL ? location : "-");
    return format != NULL && !format->text;
}

static mgl_status take_said(void *job, const mgl_said *said, mgl_error *err)
{
    if (strcmp(said->key, "no-header") == 0 && names_columns(mgl_job_get(job, "data")))
        return MGL_OK;
    return mgl_job_take_said(job, said, err);
}

static mgl_status take_set(mgl_job *job, const json_t *names, mgl_error *err)
{
    size_t n = json_array_size(names);
    mgl_span *texts = mgl_alloc_array(n, sizeof *texts);
    if (texts == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        texts[i] = mgl_span_of(name != NULL ? name : "");
    }
    mgl_status status = mgl_job_take_set(job, texts, n, err);
    mgl_free(texts);
    return status;
}

static mgl_status take_job(mgl_job *job, const json_t *claimed, mgl_error *err)
{
    const json_t *sets = json_object_get(claimed, "quasi-identifiers");
    for (size_t i = 0; i < json_array_size(sets); i++)
        MGL_TRY(take_set(job, json_array_get(sets, i), err));
    return mgl_job_document_each(claimed, take_said, job, err);
}

mgl_status mgl_against_prepare(mgl_job *job, const char *path, mgl_error *err)
{
    json_t *document;
    MGL_TRY(read_result(path, err, &document));
    mgl_job_take_claims(job, document);
    mgl_status status =
        take_job(job, json_object_get(json_object_get(document, "audit"), "job"), err);
    json_decref(document);
    return status;
}

/* ---- The hierarchies alone ----------------------------------------------------------------------
 */

typedef struct taking {
    mgl_job *job;
    const json_t *resolved; /* builders by column, with what they took from the values */
} taking;

/* Who is a quasi-identifier, and how cells are read. */
static mgl_status take_column(void *context, const mgl_said *said, mgl_error *err)
{
    static const char *const reading[] = {"missing", "decimal", "century"};
    const taking *t = context;
    const char *value = said->value;
    bool taken = said->column != NULL && strcmp(said->key, "role") == 0 &&
                 (strcmp(value, "quasi") == 0 || strcmp(value, "sensitive") == 0);
    if (said->column != NULL && strcmp(said->key, "hierarchy") == 0) {
        const char *resolved = json_string_value(json_object_get(t->resolved, said->column));
        value = resolved != NULL ? resolved : value;
        /* A column that was released as ranges has one in vain. */
        taken = !json_is_null(json_object_get(t->resolved, said->column));
    }
    for (size_t i = 0; said->column == NULL && i < sizeof reading / sizeof reading[0]; i++)
        taken = taken || strcmp(said->key, reading[i]) == 0;
    return taken ? mgl_job_take_value(t->job, said->key, said->column, value, err) : MGL_OK;
}

mgl_status mgl_against_hierarchies(mgl_job *job, const char *path, mgl_error *err)
{
    json_t *document;
    MGL_TRY(read_result(path, err, &document));
    const json_t *audit = json_object_get(document, "audit");
    mgl_job_take_claims(job, document);
    taking t = {job, json_object_get(audit, "hierarchies")};
    mgl_status status = mgl_job_document_each(json_object_get(audit, "job"), take_column, &t, err);
    json_decref(document);
    return status;
}

/* ---- What is claimed ---------------------------------------------------------------------------
 */

typedef struct comparison {
    const json_t *claimed;
    json_t *found, *differences, *not_compared;
} comparison;

static bool same(const json_t *a, const json_t *b)
{
    if (json_is_number(a) && json_is_number(b)) {
        double x = json_number_value(a), y = json_number_value(b);
        return x == y || fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y));
    }
    return json_equal(a, b);
}

static void compare(comparison *c, const char *what, const json_t *claimed, const json_t *found)
{
    if (claimed == NULL || found == NULL || same(claimed, found))
        return;
    json_t *difference = json_object();
    mgl_json_set(difference, "what", json_string(what));
    mgl_json_set(difference, "claimed", json_incref((json_t *)claimed));
    mgl_json_set(difference, "found", json_incref((json_t *)found));
    mgl_json_append(c->differences, difference);
}

static void compare_members(comparison *c, const char *object, const json_t *claimed,
                            const json_t *found)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)claimed, key, value)
    {
        char what[160];
        snprintf(what, sizeof what, "%s.%s", object, key);
        compare(c, what, value, json_object_get(found, key));
    }
}

/* The same model with the same parameters among those that were found; NULL: none. */
static const json_t *find_model(const json_t *models, const json_t *wanted)
{
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        bool alike = true;
        static const char *const keys[] = {"model", "parameters", "quasi_identifier"};
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            const json_t *x = json_object_get(model, keys[k]),
                         *y = json_object_get(wanted, keys[k]);
            alike = alike && (x == NULL || y == NULL ? x == y : json_equal(x, y));
        }
        if (alike)
            return model;
    }
    return NULL;
}

/* Models that look at the whole input: only if all of it was released. */
static bool looks_at_input(const char *model)
{
    static const char *const models[] = {"t-closeness", "delta-disclosure", "beta",
                                         "enhanced-beta"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(model, models[i]) == 0)
            return true;
    return false;
}

static void compare_models(comparison *c, bool dropped)
{
    const json_t *claimed = json_object_get(c->claimed, "models");
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *model = json_array_get(claimed, i);
        const char *name = json_string_value(json_object_get(model, "model"));
        const json_t *found = find_model(json_object_get(c->found, "models"), model);
        char what[160];
        if (name == NULL)
            continue;
        if (found == NULL || (dropped && looks_at_input(name))) {
            snprintf(what, sizeof what, "model %.100s", name);
            mgl_json_append(c->not_compared, json_string(what));
            continue;
        }
        snprintf(what, sizeof what, "%.100s holds", name);
        compare(c, what, json_object_get(model, "holds"), json_object_get(found, "holds"));
        snprintf(what, sizeof what, "%.100s measured", name);
        compare(c, what, json_object_get(model, "measured"), json_object_get(found, "measured"));
    }
}

static mgl_status compare_file(comparison *c, const mgl_settings *settings, mgl_error *err)
{
    const json_t *release = json_object_get(json_object_get(c->claimed, "audit"), "release");
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    char *path;
    MGL_TRY(mgl_location_file(settings->data, err, &path));
    int fd = strcmp(path, "-") != 0 ? mgl_sys_open_read(path) : -1;
    mgl_free(path);
    if (fd < 0 || !json_is_object(release)) {
        mgl_json_append(c->not_compared, json_string("hash of the release"));
        if (fd >= 0)
            mgl_sys_close(fd);
        return MGL_OK;
    }
    mgl_status status = mgl_sha256_of_file(fd, settings->data, err, sha256, &bytes);
    mgl_sys_close(fd);
    if (status != MGL_OK)
        return status;
    json_t *found = json_string(sha256);
    compare(c, "sha256 of the release", json_object_get(release, "sha256"), found);
    json_decref(found);
    return MGL_OK;
}

/* Classes of persons, and models on some columns, cannot be counted in the release alone. */
static bool counts_alike(const json_t *claimed)
{
    const json_t *job = json_object_get(json_object_get(claimed, "audit"), "job");
    return json_object_get(job, "entity") == NULL && json_object_get(job, "combinations") == NULL;
}

static void report(comparison *c, const mgl_settings *settings, mgl_result *result)
{
    json_t *against = json_object();
    size_t n = json_array_size(c->differences);
    mgl_json_set(against, "result", json_string(settings->against));
    mgl_json_set(against, "agrees", json_boolean(n == 0));
    mgl_json_set(against, "differences", json_incref(c->differences));
    mgl_json_set(against, "not_compared", json_incref(c->not_compared));
    mgl_json_set(result->document, "against", against);
    result->holds = result->holds && n == 0;
    for (size_t i = 0; i < n; i++) {
        const json_t *difference = json_array_get(c->differences, i);
        char *claimed = json_dumps(json_object_get(difference, "claimed"), JSON_ENCODE_ANY);
        char *found = json_dumps(json_object_get(difference, "found"), JSON_ENCODE_ANY);
        mgl_result_warn(result, "differs", "%s: the result claims %.200s, the file has %.200s",
                        json_string_value(json_object_get(difference, "what")),
                        claimed != NULL ? claimed : "?", found != NULL ? found : "?");
        free(claimed);
        free(found);
    }
}

mgl_status mgl_against_compare(const mgl_settings *settings, mgl_error *err, mgl_result *result)
{
    json_t *document;
    MGL_TRY(read_result(settings->against, err, &document));
    comparison c = {document, result->document, json_array(), json_array()};
    mgl_status status = compare_file(&c, settings, err);
    compare(&c, "released_rows", json_object_get(document, "released_rows"),
            json_object_get(c.found, "rows"));
    if (settings->treatment != MGL_DROP)
        compare(&c, "suppressed_rows", json_object_get(document, "suppressed_rows"),
                json_object_get(c.found, "suppressed_rows"));
    if (counts_alike(document)) {
        compare_members(&c, "classes", json_object_get(document, "classes"),
                        json_object_get(c.found, "classes"));
        compare_members(&c, "risk", json_object_get(document, "risk"),
                        json_object_get(c.found, "risk"));
        compare_models(&c, settings->treatment == MGL_DROP);
    } else {
        mgl_json_append(c.not_compared, json_string("classes, risk and models"));
    }
    if (status == MGL_OK)
        report(&c, settings, result);
    json_decref(c.differences);
    json_decref(c.not_compared);
    json_decref(document);
    return status;
}
