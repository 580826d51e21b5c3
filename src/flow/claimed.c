/* What a result tells about the columns of its release so that others can judge it without the
 * hierarchies: the label of suppressed cells, and how the values of sensitive columns belong
 * together. Values that are not released and labels of groups stay out of it. */
#include "flow/flow.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Tops --------------------------------------------------------------------------- */

/* A text as it stands in the release: --neutralize puts an apostrophe in front of some. */
static json_t *released_text(const mgl_settings *settings, mgl_span text)
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

json_t *mgl_tops_json(const mgl_outcome *outcome)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_recoding *recoding = outcome->solution->recoding;
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *column = recoding->columns[a];
        mgl_json_set(object, reading->quasi[a].settings->name,
                     released_text(reading->settings, column->values[column->top].label));
    }
    return object;
}

static const json_t *claimed_of(const mgl_settings *settings, const char *subject,
                                const char *column)
{
    const json_t *audit = json_object_get(settings->claims, "audit");
    return json_object_get(json_object_get(audit, subject), column);
}

bool mgl_claimed_top(const mgl_settings *settings, const char *column, mgl_span *out)
{
    const json_t *top = claimed_of(settings, "tops", column);
    if (!json_is_string(top))
        return false;
    *out = (mgl_span){json_string_value(top), json_string_length(top)};
    return true;
}

/* ---- Trees of sensitive values -------------------------------------------------------- */

typedef struct tree_value {
    mgl_span text;
    uint32_t leaf;
} tree_value;

static int by_text(const void *a, const void *b)
{
    return mgl_span_compare(((const tree_value *)a)->text, ((const tree_value *)b)->text);
}

/* Which values of a sensitive column some released row has. */
static mgl_status mark_released(const mgl_outcome *outcome, size_t s, mgl_error *err, uint8_t **out)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_sparse *sparse = &list->sensitive[s];
    const mgl_spread *spread = list->persons != NULL ? &list->persons->by_value[s] : NULL;
    bool drop = outcome->task->problem.treatment == MGL_DROP;
    uint8_t *marks = mgl_zeroed_array(sparse->n_values, 1);
    if (marks == NULL)
        return mgl_fail_memory(err);
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

/* The released values in an order that tells nothing about the rows. */
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
    if (values == NULL)
        return mgl_fail_memory(err);
    qsort(values, n, sizeof *values, by_text);
    *out = values;
    *n_out = n;
    return MGL_OK;
}

/* One level: the number of each value's group, counted from 0 in the order of the values, and the
 * groups that are protected. */
static mgl_status level_json(const mgl_sensitive *s, const mgl_attribute_settings *settings,
                             uint32_t l, const tree_value *values, size_t n, mgl_error *err,
                             json_t *levels, json_t *protects)
{
    const mgl_level *level = &s->hierarchy->levels[l];
    uint32_t *number = mgl_alloc_array(level->n_values, sizeof *number);
    json_t *groups = json_array();
    uint32_t known = 0;
    if (number != NULL)
        memset(number, 0xFF, level->n_values * sizeof *number);
    for (size_t i = 0; number != NULL && i < n; i++) {
        uint32_t group = level->of_leaf[values[i].leaf];
        if (number[group] == MGL_NOT_FOUND) {
            number[group] = known++;
            if (mgl_is_protected(settings, level->labels[group]))
                mgl_json_append(protects,
                                json_pack("[I,I]", (json_int_t)l, (json_int_t)number[group]));
        }
        mgl_json_append(groups, mgl_json_count(number[group]));
    }
    mgl_json_append(levels, groups);
    bool room = number != NULL;
    mgl_free(number);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status tree_json(const mgl_outcome *outcome, size_t s, mgl_error *err, json_t *tree)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_sensitive *sensitive = &outcome->task->facts.sensitive[s];
    const mgl_attribute_settings *attribute =
        mgl_settings_attribute(settings, sensitive->column->name);
    json_t *texts = json_array(), *levels = json_array(), *protects = json_array();
    tree_value *values = NULL;
    size_t n = 0;
    mgl_status status = collect_values(outcome, s, err, &values, &n);
    for (size_t i = 0; status == MGL_OK && i < n; i++)
        mgl_json_append(texts, released_text(settings, values[i].text));
    for (uint32_t l = 1; status == MGL_OK && l <= sensitive->hierarchy->height; l++)
        status = level_json(sensitive, attribute, l, values, n, err, levels, protects);
    mgl_free(values);
    mgl_json_set(tree, "values", texts);
    mgl_json_set(tree, "levels", levels);
    mgl_json_set(tree, "protected", protects);
    return status;
}

mgl_status mgl_trees_json(const mgl_outcome *outcome, mgl_error *err, json_t *object)
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

/* ---- And back ---------------------------------------------------------------------------- */

/* Groups have no labels in a result; these are no texts of a table. */
enum { GROUP_LABEL = 32 };

static mgl_span group_label(char text[GROUP_LABEL], uint32_t level, json_int_t group)
{
    int size = snprintf(text, GROUP_LABEL, "\x01%u.%lld", level, (long long)group);
    return (mgl_span){text, (size_t)size};
}

static bool is_tree(const json_t *tree)
{
    const json_t *values = json_object_get(tree, "values"),
                 *levels = json_object_get(tree, "levels");
    bool whole = json_array_size(levels) > 0 && json_is_array(json_object_get(tree, "protected"));
    for (size_t i = 0; i < json_array_size(values); i++)
        whole = whole && json_is_string(json_array_get(values, i));
    for (size_t l = 0; l < json_array_size(levels); l++) {
        const json_t *groups = json_array_get(levels, l);
        whole = whole && json_array_size(groups) == json_array_size(values);
        for (size_t i = 0; i < json_array_size(groups); i++)
            whole = whole && json_is_integer(json_array_get(groups, i));
    }
    return whole;
}

bool mgl_claimed_tree(const mgl_settings *settings, const char *column)
{
    return is_tree(claimed_of(settings, "sensitive", column));
}

bool mgl_claimed_protects(const mgl_settings *settings, const char *column, uint32_t level,
                          mgl_span label)
{
    const json_t *protects =
        json_object_get(claimed_of(settings, "sensitive", column), "protected");
    char text[GROUP_LABEL];
    for (size_t i = 0; i < json_array_size(protects); i++) {
        const json_t *one = json_array_get(protects, i);
        if (json_integer_value(json_array_get(one, 0)) == (json_int_t)level &&
            mgl_span_equal(group_label(text, level, json_integer_value(json_array_get(one, 1))),
                           label))
            return true;
    }
    return false;
}

static json_int_t group_of(const json_t *levels, size_t level, size_t value)
{
    return json_integer_value(json_array_get(json_array_get(levels, level), value));
}

/* A row of a hierarchy: the value and its groups. A value that the result does not know belongs to
 * no group but that of all. */
static bool fill_row(mgl_arena *arena, const json_t *levels, uint32_t value, uint32_t code,
                     mgl_span *row)
{
    size_t height = json_array_size(levels);
    char text[GROUP_LABEL];
    for (size_t l = 0; l < height; l++) {
        json_int_t group = value != MGL_NOT_FOUND ? group_of(levels, l, value)
                           : l + 1 < height       ? -1 - (json_int_t)code
                                                  : group_of(levels, l, 0);
        mgl_span label = group_label(text, (uint32_t)l + 1, group);
        char *copy = mgl_arena_copy(arena, label.data, label.size);
        if (copy == NULL)
            return false;
        row[l + 1] = (mgl_span){copy, label.size};
    }
    return true;
}

static mgl_status index_values(const json_t *values, mgl_map *index, mgl_error *err)
{
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *value = json_array_get(values, i);
        mgl_span text = {json_string_value(value), json_string_length(value)};
        if (mgl_map_add(index, text) == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status make_hierarchy(const json_t *tree, const mgl_column *column, mgl_map *index,
                                 mgl_arena *arena, mgl_error *err, mgl_hierarchy **out)
{
    const json_t *levels = json_object_get(tree, "levels");
    const mgl_dictionary *dictionary = column->dictionary;
    size_t n_levels = json_array_size(levels) + 1, n = 0;
    mgl_span *rows =
        mgl_arena_alloc(arena, (mgl_dictionary_size(dictionary) + 1) * n_levels * sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span *row = rows + n * n_levels;
        if (code == mgl_dictionary_missing(dictionary))
            continue;
        row[0] = mgl_dictionary_value(dictionary, code);
        if (!fill_row(arena, levels, mgl_map_find(index, row[0]), code, row))
            return mgl_fail_memory(err);
        n++;
    }
    return mgl_hierarchy_of_rows(rows, (uint32_t)n, (uint32_t)n_levels, column->name, dictionary,
                                 err, out);
}

mgl_status mgl_claimed_hierarchy(const mgl_settings *settings, const mgl_column *column,
                                 mgl_error *err, mgl_hierarchy **out)
{
    const json_t *tree = claimed_of(settings, "sensitive", column->name);
    mgl_map *index = mgl_map_new();
    mgl_arena *arena = mgl_arena_new();
    mgl_status status = index == NULL || arena == NULL
                            ? mgl_fail_memory(err)
                            : index_values(json_object_get(tree, "values"), index, err);
    if (status == MGL_OK)
        status = make_hierarchy(tree, column, index, arena, err, out);
    mgl_map_free(index);
    mgl_arena_free(arena);
    if (status == MGL_USAGE)
        return mgl_fail_at(err, MGL_DATA, settings->against, 0,
                           "audit.sensitive: the groups of column \"%.60s\" are no tree; the "
                           "result was changed, or is damaged",
                           column->name);
    return status;
}
