/* What a result tells about the columns of its release so that others can judge it without the
 * hierarchies: the label of suppressed cells, and how the values of sensitive columns belong
 * together. Values that are not released and labels of groups stay out of it. Part of the audit
 * trail; pipeline/read/claimed_columns.c reads it. */
#include "findings/sections.h"

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

json_t *mgl_tops_json(const mgl_outcome *outcome)
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

static int by_text(const void *a, const void *b)
{
    return mgl_span_compare(((const tree_value *)a)->text, ((const tree_value *)b)->text);
}

/* Marks the values of a sensitive column that some released row has. */
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
