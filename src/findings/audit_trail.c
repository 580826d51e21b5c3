/* The audit trail of a release: what a third person needs to verify it without the hierarchies,
 * such as the label of suppressed cells and how the values of sensitive columns belong together
 * (pipeline/read/claimed_columns.c reads that). Values that are not released and labels of groups
 * stay out of it. */
#include "findings/describe.h"

#include <stdlib.h>

json_t *mgl_released_text(const mgl_settings *settings, mgl_span text)
{
    mgl_buffer released = {0};
    if (settings->neutralize && mgl_text_is_formula(text))
        mgl_buffer_text(&released, "'");
    mgl_buffer_span(&released, text);
    json_t *json = released.failed
                       ? NULL
                       : json_stringn(released.data != NULL ? released.data : "", released.size);
    mgl_buffer_free(&released);
    return json;
}

/* What mgl_claimed_top and mgl_claims_has_tree read: {COLUMN: LABEL}; and for each sensitive column
 * whose hierarchy a model looks at, its released values, their groups by level, and which are
 * protected. */
static json_t *tops_json(const mgl_outcome *outcome)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_recoding *recoding = outcome->solution->recoding;
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *column = recoding->columns[a];
        mgl_json_set(object, reading->quasi[a].settings->name,
                     mgl_released_text(reading->settings, column->values[column->top].label));
    }
    return object;
}

typedef struct tree_value {
    mgl_span text;
    uint32_t leaf;
} tree_value;

static const mgl_sort_key by_text[] = {MGL_ASCENDING(tree_value, text), MGL_SORT_END};

/* Marks the values of a sensitive column that some released row has. */
static mgl_status mark_released(const mgl_outcome *outcome, size_t s, mgl_error *err, uint8_t **out)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_sparse *sparse = &list->sensitive[s];
    const mgl_spread *spread = list->persons != NULL ? &list->persons->by_value[s] : NULL;
    bool drop = outcome->task->problem.treatment == MGL_DROP;
    uint8_t *marks = mgl_zeroed_array(sparse->n_values, 1);
    MGL_TRY(mgl_check_memory(marks != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        if (drop && outcome->solution->recoding->suppressed[t])
            continue;
        for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++)
            marks[sparse->values[i]] = 1;
        for (size_t i = spread != NULL ? spread->start[t] : 0;
             spread != NULL && i < spread->start[t + 1]; i++)
            marks[spread->values[i]] = 1;
    }
    *out = marks;
    return MGL_OK;
}

/* The released values in an order that shows nothing of the rows. */
static mgl_status collect_values(const mgl_outcome *outcome, size_t s, mgl_error *err,
                                 tree_value **out, size_t *n_out)
{
    const mgl_sensitive *sensitive = &outcome->task->facts.sensitive[s];
    const mgl_dictionary *dictionary = sensitive->column->dictionary;
    uint8_t *marks = NULL;
    MGL_TRY(mark_released(outcome, s, err, &marks));
    tree_value *values = mgl_alloc_array(sensitive->n_values, sizeof *values);
    size_t n = 0;
    for (uint32_t code = 0; values != NULL && code < sensitive->n_values; code++)
        if (marks[code] && code != mgl_dictionary_missing(dictionary))
            values[n++] =
                (tree_value){mgl_dictionary_value(dictionary, code), sensitive->leaf_of_code[code]};
    mgl_free(marks);
    MGL_TRY(mgl_check_memory(values != NULL, err));
    mgl_sort(values, n, sizeof *values, by_text);
    *out = values;
    *n_out = n;
    return MGL_OK;
}

/* The tree of a sensitive column in the making. */
typedef struct tree {
    tree_value *values;
    size_t n;
    json_t *levels;
    json_t *protects;
} tree;

/* One level: the number of each value's group, counted from 0 in the order of the values, and the
 * groups that are protected. */
static mgl_status add_level(tree *t, const mgl_sensitive *s, const mgl_attribute_settings *settings,
                            uint32_t l, mgl_error *err)
{
    const mgl_level *level = &s->hierarchy->levels[l];
    uint32_t *number = mgl_alloc_array(level->n_values, sizeof *number);
    json_t *groups = json_array();
    uint32_t known = 0;
    if (number != NULL)
        memset(number, 0xFF, level->n_values * sizeof *number);
    for (size_t i = 0; number != NULL && i < t->n; i++) {
        uint32_t group = level->of_leaf[t->values[i].leaf];
        if (number[group] == MGL_NOT_FOUND) {
            number[group] = known++;
            if (mgl_is_protected(settings, level->labels[group]))
                mgl_json_append(t->protects,
                                json_pack("[I,I]", (json_int_t)l, (json_int_t)number[group]));
        }
        mgl_json_append(groups, mgl_json_count(number[group]));
    }
    mgl_json_append(t->levels, groups);
    bool room = number != NULL;
    mgl_free(number);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status tree_json(const mgl_outcome *outcome, size_t s, mgl_error *err, json_t *object)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_sensitive *sensitive = &outcome->task->facts.sensitive[s];
    const mgl_attribute_settings *attribute =
        mgl_settings_attribute(settings, sensitive->column->name);
    json_t *texts = json_array();
    tree t = {.levels = json_array(), .protects = json_array()};
    mgl_status status = MGL_OK;
    MGL_GO(collect_values(outcome, s, err, &t.values, &t.n));
    for (size_t i = 0; i < t.n; i++)
        mgl_json_append(texts, mgl_released_text(settings, t.values[i].text));
    for (uint32_t l = 1; l <= sensitive->hierarchy->height; l++)
        MGL_GO(add_level(&t, sensitive, attribute, l, err));
done:
    mgl_free(t.values);
    mgl_json_set(object, "values", texts);
    mgl_json_set(object, "levels", t.levels);
    mgl_json_set(object, "protected", t.protects);
    return status;
}

static mgl_status trees_json(const mgl_outcome *outcome, mgl_error *err, json_t *object)
{
    const mgl_settings *settings = outcome->reading->settings;
    for (size_t s = 0; s < outcome->reading->n_sensitive; s++) {
        const mgl_sensitive *sensitive = &outcome->task->facts.sensitive[s];
        const mgl_attribute_settings *attribute =
            mgl_settings_attribute(settings, sensitive->column->name);
        if (sensitive->hierarchy == NULL || !mgl_is_read_by_model(settings, attribute))
            continue;
        json_t *tree = json_object();
        mgl_status status = tree_json(outcome, s, err, tree);
        mgl_json_set(object, sensitive->column->name, tree);
        MGL_TRY(status);
    }
    return MGL_OK;
}

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
    MGL_GO(trees_json(outcome, err, trees));
    mgl_json_set(audit, "hierarchies", json_incref(hierarchies));
    mgl_json_set(audit, "columns", json_incref(columns));
    mgl_json_set(audit, "tops", tops_json(outcome));
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
