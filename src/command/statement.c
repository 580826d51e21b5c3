/* The command statement: what the recipient of a release may know, as a function of the release and
 * its promise alone (docs/files.md#statements). It is also written of a release that is staged, and
 * made anew to compare (check --against). */
#include "command/statement.h"

#include "command/audit/audit.h"
#include "command/check.h"
#include "command/codebook.h"
#include "command/command.h"
#include "report/report.h"
#include "sign/sign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROMISE = 1, STATEMENT = 1, MOST_LABELS = 100 };

/* A release: where it is, or will be, and the stage that holds it until then (NULL: it is there).
 */
typedef struct stated {
    const char *location;
    const mgl_stage *stage;
} stated;

/* ---- Promises -------------------------------------------------------------------------------- */

static mgl_status no_promise(const char *path, const char *why, mgl_error *err)
{
    return mgl_fail_key_at(err, MGL_CODE_DAMAGED, path, "promise",
                           "%s; give the file that `save-promise` wrote with the release", why);
}

static const char *name_of(const json_t *column)
{
    return mgl_json_text(column, "column");
}

/* Texts, or lists of texts: no value names a file. */
static bool is_setting(const char *key, const json_t *value)
{
    bool known = mgl_job_is_of_release(key, false) || strcmp(key, "neutralize") == 0;
    bool texts = json_is_string(value) || json_is_array(value);
    for (size_t i = 0; i < json_array_size(value); i++)
        texts = texts && json_is_string(json_array_get(value, i));
    return known && texts && strcmp(key, "policy") != 0;
}

static mgl_status check_settings(const char *path, const json_t *settings, mgl_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(settings))
        return no_promise(path, "no promise: it lacks \"settings\"", err);
    json_object_foreach((json_t *)settings, key, value)
    {
        if (!is_setting(key, value))
            return no_promise(path, "\"settings\" has a key that no promise has", err);
    }
    return MGL_OK;
}

/* Is the name in one of the lists, or the list itself? */
static bool is_listed(const json_t *lists, const char *name)
{
    if (json_is_string(lists))
        return strcmp(json_string_value(lists), name) == 0;
    for (size_t i = 0; i < json_array_size(lists); i++)
        if (is_listed(json_array_get(lists, i), name))
            return true;
    return false;
}

/* Quasi-identifiers are the columns of that role, but for those of strata. A statement would else
 * name other columns than those that were judged. */
static mgl_status check_sets(const char *path, const json_t *promise, mgl_error *err)
{
    static const char why[] = "its quasi_identifiers are not the columns with that role";
    const json_t *columns = json_object_get(promise, "columns"),
                 *sets = json_object_get(promise, "quasi_identifiers"),
                 *by = json_object_get(json_object_get(promise, "settings"), "by");
    json_t *quasi = json_object();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(quasi != NULL, err));
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = name_of(json_array_get(columns, i)),
                   *role = mgl_json_text(json_array_get(columns, i), "role");
        if (strcmp(role, "quasi") != 0)
            continue;
        if (!is_listed(sets, name) && !is_listed(by, name))
            MGL_GO(no_promise(path, why, err));
        if (json_object_set_new(quasi, name, json_true()) != 0)
            MGL_GO(mgl_fail_memory(err));
    }
    for (size_t q = 0; q < json_array_size(sets); q++)
        for (size_t i = 0; i < json_array_size(json_array_get(sets, q)); i++) {
            const char *name = json_string_value(json_array_get(json_array_get(sets, q), i));
            if (name == NULL || json_object_get(quasi, name) == NULL)
                MGL_GO(no_promise(path, why, err));
        }
done:
    json_decref(quasi);
    return status;
}

static mgl_status check_promise(const char *path, const json_t *promise, mgl_error *err)
{
    const json_t *version = json_object_get(promise, "promise");
    const json_t *columns = json_object_get(promise, "columns"),
                 *models = json_object_get(promise, "models");
    if (json_object_get(promise, "statement") != NULL)
        return no_promise(path, "this is a statement, which has the promise within", err);
    if (!json_is_integer(version))
        return no_promise(path, "no promise", err);
    if (json_integer_value(version) != PROMISE)
        return mgl_fail_key_at(err, MGL_CODE_DAMAGED, path, "promise",
                               "a promise of version %lld, and this program reads "
                               "version %d; use the program that wrote it",
                               (long long)json_integer_value(version), PROMISE);
    if (!json_is_array(columns) || !json_is_array(models) ||
        !json_is_array(json_object_get(promise, "quasi_identifiers")))
        return no_promise(path, "no promise: it lacks columns, models or quasi_identifiers", err);
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (mgl_json_text(json_array_get(columns, i), "column") == NULL ||
            mgl_json_text(json_array_get(columns, i), "role") == NULL)
            return no_promise(path, "no promise: a column lacks its name or role", err);
    for (size_t i = 0; i < json_array_size(models); i++) {
        const char *name = mgl_json_text(json_array_get(models, i), "model");
        if (name == NULL || mgl_model_type_find(name) == NULL)
            return no_promise(path, "it names a model that this program does not know", err);
    }
    MGL_TRY(check_sets(path, promise, err));
    return check_settings(path, json_object_get(promise, "settings"), err);
}

static mgl_status parse(const char *path, const mgl_buffer *bytes, mgl_error *err, json_t **out)
{
    json_error_t error = {0};
    *out = json_loadb(bytes->data != NULL ? bytes->data : "", bytes->size, JSON_REJECT_DUPLICATES,
                      &error);
    if (*out != NULL)
        return MGL_OK;
    return mgl_json_lacks_memory(&error) ? mgl_fail_memory(err)
                                         : no_promise(path, "this is not JSON", err);
}

static mgl_status read_json(const char *path, mgl_error *err, json_t **out)
{
    mgl_buffer bytes = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_blame_key(err, mgl_read_whole(path, err, &bytes), "promise"));
    MGL_GO(parse(path, &bytes, err, out));
done:
    mgl_buffer_free(&bytes);
    return status;
}

/* Reads a promise. MGL_DATA if it is none, or of another version. */
static mgl_status read_promise(const char *path, mgl_error *err, json_t **out)
{
    json_t *promise = NULL;
    MGL_TRY(read_json(path, err, &promise));
    mgl_status status = check_promise(path, promise, err);
    if (status == MGL_OK)
        *out = promise;
    else
        json_decref(promise);
    return status;
}

/* ---- A promise in the form of a result ------------------------------------------------------- */

/* The values of a key by column, of those columns that have it. */
static json_t *by_column(const json_t *promise, const char *key)
{
    const json_t *columns = json_object_get(promise, "columns");
    json_t *object = json_object();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        json_t *value = json_object_get(json_array_get(columns, i), key);
        if (value != NULL)
            mgl_json_set(object, name_of(json_array_get(columns, i)), json_incref(value));
    }
    return object;
}

/* The same as a list of {column, `as`: value}. */
static json_t *list_of(const json_t *promise, const char *key, const char *as)
{
    json_t *object = by_column(promise, key), *list = json_array(), *value;
    const char *column;
    json_object_foreach(object, column, value)
    {
        json_t *one = json_object();
        mgl_json_set(one, "column", json_string(column));
        mgl_json_set(one, as, json_incref(value));
        mgl_json_append(list, one);
    }
    json_decref(object);
    return list;
}

static json_t *released_columns(const json_t *promise)
{
    const json_t *columns = json_object_get(promise, "columns");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        json_t *one = json_object();
        mgl_json_set(one, "column", json_incref(json_object_get(column, "column")));
        mgl_json_set(one, "role", json_incref(json_object_get(column, "role")));
        mgl_json_set(one, "released", json_true());
        mgl_json_append(list, one);
    }
    return list;
}

static json_t *number_text(const json_t *value)
{
    char text[40];
    if (json_is_string(value))
        return json_incref((json_t *)value);
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else
        snprintf(text, sizeof text, "%.17g", json_number_value(value));
    return json_string(text);
}

/* The models that the release shows, as a job has them. */
static json_t *privacy_of(const json_t *promise)
{
    const json_t *models = json_object_get(promise, "models");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        json_t *item = json_object(), *parameters = json_object(), *value;
        const char *key;
        json_object_foreach(json_object_get(model, "parameters"), key, value)
            mgl_json_set(parameters, key, number_text(value));
        mgl_json_set(item, mgl_json_text(model, "model"), parameters);
        if (json_object_get(model, "not_checkable") == NULL)
            mgl_json_append(list, item);
        else
            json_decref(item);
    }
    return list;
}

/* Of a column: its role and the fields of the job that mean the same for a release. */
static json_t *attribute_of(const json_t *column)
{
    const char *role = mgl_json_text(column, "role"), *change = mgl_json_text(column, "treatment");
    bool plain = strcmp(role, "quasi") == 0 || strcmp(role, "sensitive") == 0 ||
                 strcmp(role, "insensitive") == 0;
    json_t *object = json_object(), *value;
    const char *key;
    if (plain)
        mgl_json_set(object, "role", json_string(role));
    if (change != NULL)
        mgl_json_set(object, "treat", json_string(change));
    json_object_foreach((json_t *)column, key, value)
    {
        if (mgl_job_is_of_release(key, true))
            mgl_json_set(object, key, json_incref(value));
    }
    return object;
}

/* Quasi-identifiers first, in their order. */
static json_t *attributes_of(const json_t *promise)
{
    const json_t *columns = json_object_get(promise, "columns"),
                 *sets = json_object_get(promise, "quasi_identifiers");
    json_t *object = json_object();
    for (size_t q = 0; q < json_array_size(sets); q++)
        for (size_t i = 0; i < json_array_size(json_array_get(sets, q)); i++) {
            const char *name = json_string_value(json_array_get(json_array_get(sets, q), i));
            for (size_t c = 0; name != NULL && c < json_array_size(columns); c++)
                if (strcmp(name_of(json_array_get(columns, c)), name) == 0)
                    mgl_json_set(object, name, attribute_of(json_array_get(columns, c)));
        }
    for (size_t c = 0; c < json_array_size(columns); c++)
        if (json_object_get(object, name_of(json_array_get(columns, c))) == NULL)
            mgl_json_set(object, name_of(json_array_get(columns, c)),
                         attribute_of(json_array_get(columns, c)));
    return object;
}

static json_t *job_of(const json_t *promise)
{
    const json_t *sets = json_object_get(promise, "quasi_identifiers");
    const json_t *persons = json_object_get(promise, "persons");
    json_t *job = json_deep_copy(json_object_get(promise, "settings"));
    mgl_json_set(job, "attributes", attributes_of(promise));
    if (json_array_size(sets) > 1)
        mgl_json_set(job, "quasi-identifiers", json_incref((json_t *)sets));
    mgl_json_set(job, "privacy", privacy_of(promise));
    if (mgl_json_text(persons, "column") != NULL) {
        mgl_json_set(job, "entity", json_incref(json_object_get(persons, "column")));
        mgl_json_set(job, "entity-view", json_incref(json_object_get(persons, "view")));
    }
    return job;
}

/* Columns of strata: those that the job names. */
static json_t *by_of(const json_t *promise)
{
    json_t *by = json_object_get(json_object_get(promise, "settings"), "by");
    return by == NULL || json_is_array(by) ? json_incref(by) : json_pack("[O]", by);
}

static json_t *claims_of(const json_t *promise)
{
    json_t *claims = json_object(), *audit = json_object(), *levels = by_column(promise, "level");
    json_t *functions = list_of(promise, "function", "function"), *averaged;
    averaged = by_column(promise, "averaged");
    mgl_json_set(audit, "job", job_of(promise));
    mgl_json_set(audit, "columns", released_columns(promise));
    mgl_json_set(audit, "tops", by_column(promise, "top"));
    if (json_object_get(promise, "sensitive") != NULL)
        mgl_json_set(audit, "sensitive", json_incref(json_object_get(promise, "sensitive")));
    mgl_json_set(claims, "schema", mgl_json_count(1));
    mgl_json_set(claims, "promise", json_true());
    mgl_json_set(claims, "models", json_incref(json_object_get(promise, "models")));
    mgl_json_set(claims, "treatments", list_of(promise, "treatment", "treatment"));
    mgl_json_set(claims, "linked", list_of(promise, "follows", "follows"));
    if (json_array_size(functions) > 0)
        mgl_json_set(claims, "aggregation", json_pack("{s:O}", "columns", functions));
    if (json_object_size(averaged) > 0)
        mgl_json_set(claims, "microaggregation", json_object());
    if (json_object_size(levels) > 0)
        mgl_json_set(claims, "node", json_incref(levels));
    json_t *by = by_of(promise);
    if (by != NULL)
        mgl_json_set(claims, "by", by);
    if (json_object_get(promise, "items") != NULL)
        mgl_json_set(claims, "items", json_incref(json_object_get(promise, "items")));
    if (json_object_get(promise, "sensitive_values") != NULL)
        mgl_json_set(claims, "sensitive_values",
                     json_incref(json_object_get(promise, "sensitive_values")));
    if (json_object_get(promise, "persons") != NULL)
        mgl_json_set(claims, "entity", json_true());
    mgl_json_set(claims, "audit", audit);
    json_decref(levels);
    json_decref(functions);
    json_decref(averaged);
    return claims;
}

/* ---- Judging the release --------------------------------------------------------------------- */

/* Everything that one statement is made of. */
typedef struct stating {
    const stated *release;
    const json_t *promise;
    json_t *claims;
    mgl_job *job; /* of the check */
    mgl_settings settings;
    mgl_result *checked;
} stating;

static mgl_status set_count(mgl_job *job, const char *key, uint64_t value, mgl_error *err)
{
    char text[24];
    if (value == 0)
        return MGL_OK;
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return mgl_job_take_value(job, key, NULL, text, err);
}

/* A failure to read what the promise demands is the promise's: keys of a job, which it names and
 * which would mend a job, are not given to `statement`. */
static mgl_status blame_promise(mgl_status status, mgl_error *err)
{
    static const char place[] = "`against`: ";
    char message[sizeof err->message];
    if ((status != MGL_USAGE && status != MGL_UNMET) || err == NULL)
        return status;
    const char *what = err->message, *advice;
    if (strncmp(what, place, strlen(place)) == 0)
        what += strlen(place);
    advice = strstr(what, "; ");
    snprintf(message, sizeof message, "%.*s",
             (int)(advice != NULL ? (size_t)(advice - what) : strlen(what)), what);
    return mgl_fail_key(
        err, MGL_CODE_DAMAGED, "promise",
        "the promise does not fit the release: %.600s; give the promise that was saved with it",
        message);
}

/* The job of a check: where the release will be decides how its cells are read. */
static mgl_status make_job(stating *s, const mgl_settings *run, mgl_error *err)
{
    const mgl_settings *made;
    const mgl_stage *stage = s->release->stage;
    const mgl_format *format = mgl_location_of(s->release->location).format;
    MGL_TRY(mgl_job_new(err, &s->job));
    mgl_job_take_progress(s->job, &run->progress);
    MGL_TRY(mgl_job_take_value(s->job, "data", NULL, s->release->location, err));
    MGL_TRY(mgl_job_take_value(s->job, "against", NULL, "the promise", err));
    MGL_TRY(set_count(s->job, "threads", run->limits.threads, err));
    if (!mgl_job_in_memory(s->job))
        MGL_TRY(set_count(s->job, "memory", run->limits.memory, err));
    MGL_TRY(blame_promise(mgl_against_take(s->job, s->claims, "unsigned", err), err));
    MGL_TRY(blame_promise(mgl_job_settings(s->job, MGL_CHECK, err, &made), err));
    s->settings = *made;
    s->settings.source.most_unpacked = run->source.most_unpacked;
    if (stage == NULL || mgl_stage_table(stage) != NULL)
        return MGL_OK;
    s->settings.data = mgl_stage_path(stage);
    s->settings.source.format = format;
    s->settings.source.most_unpacked = UINT64_MAX;
    s->settings.source.beside =
        mgl_stage_beside(stage) != NULL ? mgl_stage_path(mgl_stage_beside(stage)) : NULL;
    return MGL_OK;
}

/* ---- What is stated -------------------------------------------------------------------------- */

static mgl_status hash_file(const stating *s, mgl_error *err, char sha256[MGL_SHA256_TEXT],
                            uint64_t *bytes)
{
    char *path;
    mgl_file_state state;
    if (s->release->stage != NULL)
        return mgl_stage_sha256(s->release->stage, err, sha256, bytes);
    MGL_TRY(mgl_location_file(s->release->location, err, &path));
    int fd = mgl_sys_open_read(path);
    mgl_status status = fd < 0 ? mgl_fail_errno(err, path, "open")
                        : mgl_sys_state(fd, &state) == 0 && state.folder
                            ? mgl_folder_sha256(path, err, sha256, bytes)
                            : mgl_sha256_of_file(fd, path, err, sha256, bytes);
    if (fd >= 0)
        mgl_sys_close(fd);
    mgl_free(path);
    return status;
}

/* The bytes of a file, or the rows of a table. */
static mgl_status digest_json(const stating *s, mgl_error *err, json_t *object)
{
    const mgl_format *format = mgl_location_of(s->release->location).format;
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    if (format->loaded || format->columns) {
        MGL_TRY(
            mgl_location_digest(s->release->location, s->settings.source.no_value, err, sha256));
        mgl_json_set(object, "rows_sha256", json_string(sha256));
        return MGL_OK;
    }
    MGL_TRY(hash_file(s, err, sha256, &bytes));
    mgl_json_set(object, "bytes", mgl_json_count(bytes));
    mgl_json_set(object, "sha256", json_string(sha256));
    return MGL_OK;
}

/* Looked for from *next on: release and promise have the same order. */
static bool has_column(const json_t *promise, const char *name, size_t *next)
{
    const json_t *columns = json_object_get(promise, "columns");
    size_t n = json_array_size(columns), i = 0;
    while (i < n && strcmp(name_of(json_array_get(columns, (*next + i) % n)), name) != 0)
        i++;
    *next = i < n ? (*next + i + 1) % n : 0;
    return i < n;
}

/* A column of the release that the promise does not have is an error. */
static mgl_status check_columns(const stating *s, const mgl_source *source, mgl_error *err)
{
    mgl_status status = MGL_OK;
    size_t next = 0;
    for (size_t i = 0; status == MGL_OK && i < mgl_source_columns(source); i++)
        if (!has_column(s->promise, mgl_source_column(source, i), &next))
            status = mgl_fail(err, MGL_CODE_DAMAGED,
                              "the promise does not fit the release: it has no column \"%.60s\"; "
                              "give the promise that was saved with it",
                              mgl_source_column(source, i));
    if (status != MGL_OK && err != NULL)
        mgl_source_hide_names(source, err->message, sizeof err->message);
    return mgl_blame_key(err, status, "promise");
}

static mgl_status columns_json(const stating *s, mgl_error *err, json_t **out)
{
    mgl_source_options options = s->settings.source;
    mgl_source *source;
    options.as_written = options.may_be_empty = true;
    MGL_TRY(mgl_source_open(s->settings.data, &options, err, &source));
    mgl_status status = check_columns(s, source, err);
    if (status == MGL_OK)
        status = mgl_codebook_columns(s->claims, source, MOST_LABELS, err, out);
    mgl_source_close(source);
    return status;
}

static json_t *open_json(const char *name, const json_t *parameters, const char *why)
{
    json_t *object = json_object();
    mgl_json_set(object, "model", json_string(name));
    if (parameters != NULL)
        mgl_json_set(object, "parameters", json_incref((json_t *)parameters));
    mgl_json_set(object, "why", json_string(why));
    return object;
}

/* Models that the release alone does not show. */
static json_t *not_checkable(const stating *s)
{
    const json_t *models = json_object_get(s->promise, "models");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *why = mgl_json_text(model, "not_checkable");
        if (why != NULL)
            mgl_json_append(list, open_json(mgl_json_text(model, "model"),
                                            json_object_get(model, "parameters"), why));
    }
    for (size_t i = 0; i < s->settings.claimed.n_unjudged; i++) {
        const mgl_model_settings *model = &s->settings.claimed.unjudged[i];
        json_t *parameters = mgl_parameters_json(model->type, model->attribute, model->parameters);
        mgl_json_append(
            list, open_json(model->type->name, parameters, "needs what the release does not have"));
        json_decref(parameters);
    }
    if (json_is_true(json_object_get(s->promise, "history")))
        mgl_json_append(list, open_json("history", NULL, "compares with earlier releases"));
    return list;
}

static void copy_found(const stating *s, json_t *document)
{
    static const char *const keys[] = {
        "rows",   "suppressed_rows", "k",       "missing_matches",  "classes",
        "models", "items",           "figures", "quasi_identifier", "sensitive_values"};
    const json_t *found = s->checked->document;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_object_get(found, keys[i]) != NULL)
            mgl_json_set(document, keys[i], json_incref(json_object_get(found, keys[i])));
}

static mgl_status state(const stating *s, mgl_error *err, mgl_result *out)
{
    const json_t *persons = json_object_get(s->promise, "persons");
    json_t *release = json_object(), *columns = NULL, *document = out->document;
    mgl_status status = MGL_OK;
    MGL_GO(columns_json(s, err, &columns));
    MGL_GO(digest_json(s, err, release));
    mgl_json_set(document, "statement", mgl_json_count(STATEMENT));
    mgl_json_set(document, "command", json_string("statement"));
    if (json_object_get(s->promise, "about") != NULL)
        mgl_json_set(document, "about", json_incref(json_object_get(s->promise, "about")));
    mgl_json_set(document, "release", json_incref(release));
    mgl_json_set(document, "holds", json_boolean(s->checked->holds));
    mgl_json_set(document, "counted",
                 json_string(mgl_json_text(persons, "column") != NULL ? "persons" : "rows"));
    copy_found(s, document);
    mgl_json_set(document, "not_checkable", not_checkable(s));
    mgl_json_set(document, "columns", json_incref(columns));
    mgl_json_set(document, "promise", json_incref((json_t *)s->promise));
    out->holds = s->checked->holds;
    MGL_GO(mgl_check_memory(mgl_json_complete(document), err));
done:
    json_decref(release);
    json_decref(columns);
    return status;
}

static mgl_status make_all(stating *s, const mgl_settings *run, mgl_error *err, mgl_result *out)
{
    MGL_TRY(make_job(s, run, err));
    mgl_session *session;
    MGL_TRY(mgl_session_begin(err, &session));
    mgl_status status = mgl_command_on_table(session, "check", &s->settings, MGL_TO_CHECK,
                                             mgl_check_table, err, &s->checked);
    mgl_session_end(session);
    MGL_TRY(blame_promise(status, err));
    return state(s, err, out);
}

/* A table that is staged in memory is read through the stream that others will get. */
static mgl_status give_table(const mgl_stage *stage, const char *location, mgl_job *giver,
                             mgl_error *err)
{
    struct ArrowArrayStream stream;
    MGL_TRY(mgl_arrow_export(mgl_stage_table(stage), err, &stream));
    return mgl_job_give_stream(giver, mgl_memory_name(location), &stream, err);
}

/* Judges the release by the promise, and by nothing else: equal releases and promises give equal
 * documents. run: threads, memory and progress. *out is the statement, *checked (optional) what
 * `check` finds. */
static mgl_status make_statement(const stated *release, const json_t *promise,
                                 const mgl_settings *run, mgl_error *err, mgl_result **out,
                                 mgl_result **checked)
{
    stating s = {.release = release, .promise = promise, .claims = claims_of(promise)};
    const mgl_call *before = NULL;
    mgl_call inner;
    mgl_result *result = mgl_result_alloc();
    mgl_job *giver = NULL;
    bool table = release->stage != NULL && mgl_stage_table(release->stage) != NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(result != NULL && mgl_json_complete(s.claims) &&
                                (result->document = json_object()) != NULL,
                            err));
    if (table) {
        MGL_GO(mgl_job_new(err, &giver));
        MGL_GO(give_table(release->stage, release->location, giver, err));
        inner = *mgl_call_current();
        inner.given = mgl_job_given(giver);
        before = mgl_call_enter(&inner);
    }
    MGL_GO(make_all(&s, run, err, result));
    *out = result;
    result = NULL;
    if (checked != NULL) {
        *checked = s.checked;
        s.checked = NULL;
    }
done:
    mgl_result_free(s.checked);
    mgl_job_free(s.job);
    if (before != NULL)
        mgl_call_leave(before);
    mgl_job_free(giver);
    json_decref(s.claims);
    mgl_result_free(result);
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Stages a promise, and makes it what it is when it is read again, so that both are one document.
 */
static mgl_status settle_promise(const char *target, mgl_error *err, mgl_statement_files *out)
{
    char *text;
    MGL_TRY(mgl_json_write(out->promise, err, &text));
    json_t *again = json_loads(text, 0, NULL);
    mgl_status status = again == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (again != NULL) {
        json_decref(out->promise);
        out->promise = again;
    }
    if (status == MGL_OK && target != NULL)
        status = mgl_stage_text(target, mgl_span_of(text), err, &out->promised);
    mgl_free(text);
    return status;
}

mgl_status mgl_statement_promise(const mgl_outcome *outcome, mgl_result *result, mgl_error *err,
                                 mgl_statement_files *out)
{
    const mgl_settings *settings = outcome->reading->settings;
    if (settings->saved.promise == NULL && settings->saved.statement == NULL)
        return MGL_OK;
    mgl_result_add_about(result, settings);
    MGL_TRY(mgl_promise_document(outcome, result->document, err, &out->promise));
    return settle_promise(settings->saved.promise, err, out);
}

static bool is_page(const char *target)
{
    return mgl_ending_is(mgl_location_of(target).ending, ".html .htm .xhtml");
}

/* The text of a statement, as its file has it. Free with mgl_free. */
static mgl_status statement_text(const mgl_result *statement, const char *target, mgl_error *err,
                                 char **out)
{
    return is_page(target) ? mgl_report_html(statement, mgl_measure_view_at, err, out)
                           : mgl_result_json(statement, err, out);
}

static mgl_status stage_statement(const mgl_result *statement, const char *target,
                                  const mgl_settings *settings, mgl_error *err,
                                  mgl_statement_files *files)
{
    unsigned char signature[MGL_SIGNATURE];
    char *text;
    MGL_TRY(statement_text(statement, target, err, &text));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_stage_text(target, mgl_span_of(text), err, &files->statement));
    if (settings->signing.of_statement != NULL) {
        MGL_GO(mgl_signature_make(settings->signing.key, mgl_span_of(text), err, signature));
        MGL_GO(mgl_stage_text(settings->signing.of_statement,
                              (mgl_span){(const char *)signature, sizeof signature}, err,
                              &files->signature));
    }
done:
    mgl_free(text);
    return status;
}

mgl_status mgl_statement_stage(const mgl_settings *settings, const mgl_stage *stage, mgl_error *err,
                               mgl_statement_files *files)
{
    stated release = {settings->output, stage};
    mgl_result *statement;
    if (settings->saved.statement == NULL)
        return MGL_OK;
    MGL_TRY(make_statement(&release, files->promise, settings, err, &statement, NULL));
    mgl_status status = stage_statement(statement, settings->saved.statement, settings, err, files);
    mgl_result_free(statement);
    return status;
}

mgl_status mgl_statement_publish(mgl_statement_files *files, mgl_error *err)
{
    mgl_stage *const stages[] = {files->promised, files->signature, files->statement};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (stages[i] != NULL)
            MGL_TRY(mgl_stage_publish(stages[i], err));
    return MGL_OK;
}

void mgl_statement_files_free(mgl_statement_files *files)
{
    json_decref(files->promise);
    mgl_stage_free(files->promised);
    mgl_stage_free(files->statement);
    mgl_stage_free(files->signature);
    *files = (mgl_statement_files){0};
}

/* ---- The command ----------------------------------------------------------------------------- */

mgl_status mgl_command_statement(mgl_session *session, mgl_job *job, mgl_error *err,
                                 mgl_result **out)
{
    (void)session;
    const mgl_settings *settings;
    json_t *promise = NULL;
    mgl_result *result = NULL;
    mgl_statement_files files = {0};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_job_settings(job, MGL_STATEMENT, err, &settings));
    const char *target = settings->output != NULL ? settings->output : settings->saved.statement;
    stated release = {settings->data, NULL};
    if (strcmp(settings->data, "-") == 0)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "data",
                            "a statement has the digest of the file, which cannot be taken of "
                            "standard input; name the file");
    MGL_GO(read_promise(settings->promise, err, &promise));
    MGL_GO(make_statement(&release, promise, settings, err, &result, NULL));
    if (target != NULL)
        MGL_GO(stage_statement(result, target, settings, err, &files));
    MGL_GO(mgl_statement_publish(&files, err));
    *out = result;
    result = NULL;
done:
    mgl_statement_files_free(&files);
    mgl_result_free(result);
    json_decref(promise);
    return status;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

bool mgl_is_statement(const char *path)
{
    mgl_buffer bytes = {0};
    bool is = strcmp(path, "-") != 0 && mgl_read_whole(path, NULL, &bytes) == MGL_OK;
    json_t *document =
        is ? json_loadb(bytes.data != NULL ? bytes.data : "", bytes.size, 0, NULL) : NULL;
    is = json_object_get(document, "statement") != NULL;
    json_decref(document);
    mgl_buffer_free(&bytes);
    return is;
}

static void differ(json_t *list, const char *what, const json_t *claimed, const json_t *found)
{
    json_t *one = json_object();
    const char *kind = claimed == NULL ? "missing" : found == NULL ? "unknown" : "file";
    mgl_json_set(one, "what", json_string(what));
    mgl_json_set(one, "kind", json_string(kind));
    mgl_json_set(one, "claimed", claimed != NULL ? json_incref((json_t *)claimed) : json_null());
    mgl_json_set(one, "found", found != NULL ? json_incref((json_t *)found) : json_null());
    mgl_json_append(list, one);
}

/* Machines may differ in the last digit of a number. */
static bool are_equal(const json_t *a, const json_t *b)
{
    double x = json_number_value(a), y = json_number_value(b);
    if (json_is_real(a) && json_is_real(b))
        return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
    return json_equal(a, b);
}

static void compare(const char *what, const json_t *claimed, const json_t *found, json_t *list);

static void compare_part(const char *what, const char *key, const json_t *claimed,
                         const json_t *found, json_t *list)
{
    char name[200];
    snprintf(name, sizeof name, "%s%s%s", what, what[0] != '\0' ? "." : "", key);
    compare(name, claimed, found, list);
}

static void compare(const char *what, const json_t *claimed, const json_t *found, json_t *list)
{
    const char *key;
    json_t *value;
    char number[24];
    if (json_is_object(claimed) && json_is_object(found)) {
        json_object_foreach((json_t *)found, key, value)
            compare_part(what, key, json_object_get(claimed, key), value, list);
        json_object_foreach((json_t *)claimed, key, value)
        {
            if (json_object_get(found, key) == NULL)
                compare_part(what, key, value, NULL, list);
        }
    } else if (json_is_array(claimed) && json_is_array(found) &&
               json_array_size(claimed) == json_array_size(found)) {
        for (size_t i = 0; i < json_array_size(found); i++) {
            snprintf(number, sizeof number, "%zu", i + 1);
            compare_part(what, number, json_array_get(claimed, i), json_array_get(found, i), list);
        }
    } else if (!are_equal(claimed, found)) {
        differ(list, what, claimed, found);
    }
}

static void add_open(json_t *list, const char *what, const char *why)
{
    char text[400];
    snprintf(text, sizeof text, "%.180s: %.200s", what != NULL ? what : "?",
             why != NULL ? why : "?");
    mgl_json_append(list, json_string(text));
}

/* The promise is the holder's word, by which the file was judged: what the file does not show of it
 * stays open. */
static json_t *open_claims(const json_t *statement)
{
    const json_t *open = json_object_get(statement, "not_checkable"),
                 *disclosed = json_object_get(json_object_get(statement, "promise"), "disclosed");
    json_t *list = json_array(), *value;
    const char *key;
    for (size_t i = 0; i < json_array_size(open); i++)
        add_open(list, mgl_json_text(json_array_get(open, i), "model"),
                 mgl_json_text(json_array_get(open, i), "why"));
    json_object_foreach((json_t *)disclosed, key, value) add_open(list, key, "needs the input");
    add_open(list, "promise",
             "the file was judged by it; that it is the holder's shows a signature alone");
    return list;
}

static void warn(mgl_result *result, const json_t *difference)
{
    char *claimed = json_dumps(json_object_get(difference, "claimed"), JSON_ENCODE_ANY),
         *found = json_dumps(json_object_get(difference, "found"), JSON_ENCODE_ANY);
    const char *what = mgl_json_text(difference, "what");
    mgl_result_warn(result, "differs", "%s: the statement claims %.200s, the file gives %.200s",
                    what != NULL ? what : "?", claimed != NULL ? claimed : "?",
                    found != NULL ? found : "?");
    free(claimed);
    free(found);
}

/* The words for the model: where rows weigh something or are a sample it has others, and which they
 * are is not known of every release; those of the promise if they are among them. */
static const char *words_of(const json_t *model)
{
    const mgl_model_type *type = mgl_model_type_find(mgl_json_text(model, "model"));
    const mgl_model_type *forms[] = {type, mgl_model_type_of_sample(type, true, false),
                                     mgl_model_type_of_sample(type, false, true)};
    const char *promised = mgl_json_text(model, "promise");
    for (size_t i = 0; promised != NULL && i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i]->help, promised) == 0)
            return promised;
    return type->help;
}

/* What the promise says in words, and how sensitive cells were compared: it is copied into a
 * statement, so that comparing the copies finds nothing. */
static void compare_promise(const json_t *promise, const json_t *fresh, json_t *list)
{
    static const char *const readings[] = {"spelling", "missing"};
    const json_t *models = json_object_get(promise, "models"),
                 *claimed = json_object_get(promise, "sensitive_values"),
                 *found = json_object_get(fresh, "sensitive_values");
    char what[60];
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        json_t *help = json_string(words_of(model));
        snprintf(what, sizeof what, "promise.models.%zu.promise", i + 1);
        compare(what, json_object_get(model, "promise"), help, list);
        json_decref(help);
    }
    for (size_t i = 0; found != NULL && i < sizeof readings / sizeof readings[0]; i++) {
        snprintf(what, sizeof what, "promise.sensitive_values.%s", readings[i]);
        compare(what, json_object_get(claimed, readings[i]), json_object_get(found, readings[i]),
                list);
    }
}

static void report(const json_t *claimed, const mgl_result *fresh, const mgl_settings *settings,
                   mgl_result *checked)
{
    json_t *differences = json_array(), *against = json_object();
    const char *signature = settings->claimed.signature;
    bool bad = strcmp(signature, "bad") == 0 || strcmp(signature, "missing") == 0;
    compare("", claimed, fresh->document, differences);
    compare_promise(json_object_get(claimed, "promise"), fresh->document, differences);
    for (size_t i = 0; i < json_array_size(differences); i++)
        warn(checked, json_array_get(differences, i));
    if (bad)
        mgl_result_warn(checked, "differs", "signature: it is %.20s", signature);
    bool agrees = json_array_size(differences) == 0 && !bad;
    mgl_json_set(against, "result", json_string(settings->claimed.against));
    mgl_json_set(against, "agrees", json_boolean(agrees));
    mgl_json_set(against, "signature", json_string(signature));
    mgl_json_set(against, "differences", differences);
    mgl_json_set(against, "not_compared", open_claims(claimed));
    mgl_json_set(checked->document, "against", against);
    checked->holds = checked->holds && agrees;
}

/* Reads the statement, and lets the job of the check state what its promise does. */
static mgl_status prepare(mgl_job *job, mgl_error *err, mgl_result **statement, json_t **claims)
{
    const char *path = mgl_job_get(job, "against"), *signature;
    mgl_buffer bytes = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_blame_key(err, mgl_result_read_bytes(path, err, statement, &bytes), "against"));
    MGL_GO(mgl_against_signature(path, mgl_job_get(job, "verify-key"),
                                 (mgl_span){bytes.data, bytes.size}, err, &signature));
    const json_t *promise = json_object_get((*statement)->document, "promise");
    MGL_GO(mgl_blame_key(err, check_promise(path, promise, err), "against"));
    *claims = claims_of(promise);
    MGL_GO(mgl_check_memory(mgl_json_complete(*claims), err));
    MGL_GO(mgl_against_take(job, *claims, signature, err));
done:
    mgl_buffer_free(&bytes);
    return status;
}

mgl_status mgl_check_statement(mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_result *statement = NULL, *fresh = NULL, *checked = NULL;
    json_t *claims = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(prepare(job, err, &statement, &claims));
    MGL_GO(mgl_job_settings(job, MGL_CHECK, err, &settings));
    stated release = {settings->data, NULL};
    MGL_GO(make_statement(&release, json_object_get(statement->document, "promise"), settings, err,
                          &fresh, &checked));
    report(statement->document, fresh, settings, checked);
    MGL_GO(mgl_result_finish(checked, settings, err));
    *out = checked;
    checked = NULL;
done:
    mgl_result_free(checked);
    mgl_result_free(fresh);
    mgl_result_free(statement);
    json_decref(claims);
    return status;
}
