/* The audit trail of a release: what a third person needs to verify it. `anonymize` puts it into
 * its result, `check --against` compares it. */
#include "findings/describe.h"
#include "findings/sections.h"

/* ---- Files --------------------------------------------------------------------------------- */

static json_t *hash_json(const char *name, uint64_t bytes, const char *sha256)
{
    json_t *object = json_object();
    mgl_json_set(object, "name", json_string(name));
    mgl_json_set(object, "bytes", mgl_json_count(bytes));
    mgl_json_set(object, "sha256", json_string(sha256));
    return object;
}

mgl_status mgl_file_json(const char *path, mgl_error *err, json_t **out)
{
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = mgl_sha256_of_file(fd, path, err, sha256, &bytes);
    mgl_sys_close(fd);
    if (status == MGL_OK)
        *out = hash_json(mgl_file_name(path), bytes, sha256);
    return status;
}

/* Data that came through a pipe cannot be read again for its hash. */
static mgl_status input_json(const mgl_reading *reading, mgl_error *err, json_t **out)
{
    const mgl_settings *settings = reading->settings;
    mgl_file_state state;
    const char *sha256 = mgl_source_sha256(reading->source);
    if (sha256 != NULL) {
        *out = hash_json(mgl_file_name(settings->data), mgl_source_size(reading->source), sha256);
        return MGL_OK;
    }
    char *path;
    MGL_TRY(mgl_location_file(settings->data, err, &path));
    bool file = strcmp(path, "-") != 0 && mgl_sys_state_of(path, &state) == 0 && state.regular;
    mgl_status status = file ? mgl_file_json(path, err, out) : MGL_OK;
    if (!file)
        *out = json_null();
    mgl_free(path);
    return status;
}

/* Builders with all that they took from the values, so that others can build the same. */
static mgl_status hierarchies_json(const mgl_outcome *outcome, mgl_error *err, json_t *object)
{
    const mgl_reading *reading = outcome->reading;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const char *spec = mgl_hierarchy_used(outcome, a);
        json_t *one;
        if (spec == NULL)
            one = json_null();
        else if (mgl_hierarchy_is_builder(spec))
            one = json_string(spec);
        else
            MGL_TRY(mgl_file_json(spec, err, &one));
        mgl_json_set(object, reading->quasi[a].settings->name, one);
    }
    return MGL_OK;
}

/* ---- Columns ------------------------------------------------------------------------------- */

static mgl_status count_values(const mgl_outcome *outcome, size_t a, mgl_error *err,
                               uint64_t *before, uint64_t *after)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    uint8_t *leaves = mgl_zeroed_array(list->hierarchies[a]->n_leaves, 1);
    uint8_t *values = mgl_zeroed_array(recoding->columns[a]->n_values, 1);
    bool room = leaves != NULL && values != NULL;
    bool dropped = outcome->task->problem.treatment == MGL_DROP;
    *before = *after = 0;
    for (size_t t = 0; room && t < list->n_tuples; t++) {
        uint32_t leaf = mgl_list_leaf(list, t, a), value = recoding->cells[a][t];
        *before += leaves[leaf] == 0;
        leaves[leaf] = 1;
        if (dropped && recoding->suppressed[t])
            continue;
        *after += values[value] == 0;
        values[value] = 1;
    }
    mgl_free(leaves);
    mgl_free(values);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status values_json(const mgl_outcome *outcome, const char *name, mgl_error *err,
                              json_t *object)
{
    const mgl_reading *reading = outcome->reading;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        uint64_t before, after;
        if (strcmp(reading->quasi[a].settings->name, name) != 0)
            continue;
        MGL_TRY(count_values(outcome, a, err, &before, &after));
        mgl_json_set(object, "values_before", mgl_json_count(before));
        mgl_json_set(object, "values_after", mgl_json_count(after));
    }
    return MGL_OK;
}

static mgl_status columns_json(const mgl_outcome *outcome, mgl_error *err, json_t *list)
{
    const mgl_reading *reading = outcome->reading;
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        const char *name = mgl_source_column(reading->source, c);
        json_t *object = json_object();
        mgl_json_set(object, "column", json_string(name));
        mgl_json_set(object, "role", json_string(mgl_role_words(reading, c)));
        mgl_json_set(object, "released", json_boolean(mgl_is_released(reading, c)));
        mgl_status status = values_json(outcome, name, err, object);
        mgl_json_append(list, object);
        MGL_TRY(status);
    }
    return MGL_OK;
}

/* A file, or a table of a database, which has no bytes of its own. */
static json_t *release_json(const mgl_outcome *outcome)
{
    const mgl_written *written = &outcome->written;
    if (written->sha256[0] != '\0')
        return hash_json(mgl_file_name(outcome->output), written->bytes, written->sha256);
    if (written->rows_sha256[0] == '\0')
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "name", mgl_location_json(outcome->output));
    mgl_json_set(object, "rows_sha256", json_string(written->rows_sha256));
    return object;
}

mgl_status mgl_audit_json(const mgl_outcome *outcome, mgl_error *err, json_t **out)
{
    json_t *audit = json_object(), *input, *hierarchies = json_object(), *columns = json_array();
    json_t *trees = json_object(), *policy, *job;
    mgl_status status = MGL_OK;
    MGL_GO(input_json(outcome->reading, err, &input));
    mgl_json_set(audit, "input", input);
    MGL_GO(mgl_reading_job(outcome->reading, MGL_JOB_RECORD, err, &job));
    mgl_json_set(audit, "job", job);
    MGL_GO(hierarchies_json(outcome, err, hierarchies));
    MGL_GO(columns_json(outcome, err, columns));
    MGL_GO(mgl_job_policy_json(outcome->reading->settings, err, &policy));
    if (policy != NULL)
        mgl_json_set(audit, "policy", policy);
    MGL_GO(mgl_trees_json(outcome, err, trees));
    mgl_json_set(audit, "hierarchies", json_incref(hierarchies));
    mgl_json_set(audit, "columns", json_incref(columns));
    mgl_json_set(audit, "tops", mgl_tops_json(outcome));
    mgl_json_set(audit, "sensitive", json_incref(trees));
    mgl_json_set(audit, "release", release_json(outcome));
    *out = json_incref(audit);
done:
    json_decref(hierarchies);
    json_decref(columns);
    json_decref(trees);
    json_decref(audit);
    return status;
}
