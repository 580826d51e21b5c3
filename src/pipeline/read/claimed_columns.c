/* What a release that is judged without its hierarchies says about its columns: labels of
 * suppressed cells and groups of sensitive values, as the result of the release has them, and the
 * rows of a table that read as suppressed. */
#include "pipeline/read/reading_steps.h"
#include "pipeline/read/reading.h"

#include <stdio.h>

static const json_t *claimed_of(const mgl_settings *settings, const char *subject,
                                const char *column)
{
    const json_t *audit = json_object_get(settings->claimed.document, "audit");
    return json_object_get(json_object_get(audit, subject), column);
}

/* The label of suppressed cells of a quasi-identifier; false if the result does not state it. */
static bool claimed_top(const mgl_settings *settings, const char *column, mgl_span *out)
{
    const json_t *top = claimed_of(settings, "tops", column);
    if (!json_is_string(top))
        return false;
    *out = (mgl_span){json_string_value(top), json_string_length(top)};
    return true;
}

/* A result has no labels of groups. These are made up such that no text of a table is like them. */
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

bool mgl_claims_has_tree(const mgl_settings *settings, const char *column)
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

/* A row of a hierarchy: the value and its groups. A value that the result does not list is
 * alone in its groups on every level below the top. */
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

static mgl_span value_text(const void *values, uint32_t i)
{
    const json_t *value = json_array_get(values, i);
    return (mgl_span){json_string_value(value), json_string_length(value)};
}

static mgl_status make_hierarchy(const json_t *tree, const mgl_column *column,
                                 mgl_value_finder *index, mgl_arena *arena, mgl_error *err,
                                 mgl_hierarchy **out)
{
    const json_t *levels = json_object_get(tree, "levels");
    const mgl_dictionary *dictionary = column->dictionary;
    size_t n_levels = json_array_size(levels) + 1, n = 0;
    mgl_span *rows =
        mgl_arena_alloc(arena, (mgl_dictionary_size(dictionary) + 1) * n_levels * sizeof *rows);
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span *row = rows + n * n_levels;
        if (code == mgl_dictionary_missing(dictionary))
            continue;
        row[0] = mgl_dictionary_value(dictionary, code);
        MGL_TRY(mgl_check_memory(fill_row(arena, levels, mgl_value_find(index, row[0]), code, row),
                                 err));
        n++;
    }
    return mgl_hierarchy_of_rows(rows, (uint32_t)n, (uint32_t)n_levels, column->name, dictionary,
                                 err, out);
}

const char *mgl_claimed_notation(const mgl_settings *settings, const char *column)
{
    const json_t *values = json_object_get(settings->claimed.document, "sensitive_values");
    return json_string_value(json_object_get(json_object_get(values, "notations"), column));
}

mgl_status mgl_claimed_hierarchy(const mgl_settings *settings, const mgl_column *column,
                                 const mgl_cell_rule *rule, mgl_error *err, mgl_hierarchy **out)
{
    const json_t *tree = claimed_of(settings, "sensitive", column->name);
    const json_t *values = json_object_get(tree, "values");
    mgl_value_finder index = {0};
    mgl_arena *arena = mgl_arena_new();
    mgl_status status = arena == NULL
                            ? mgl_fail_memory(err)
                            : mgl_value_finder_new(rule, value_text, values,
                                                   (uint32_t)json_array_size(values), err, &index);
    if (status == MGL_OK)
        status = make_hierarchy(tree, column, &index, arena, err, out);
    mgl_value_finder_free(&index);
    mgl_arena_free(arena);
    if (status == MGL_USAGE)
        return mgl_blame_column(
            err,
            mgl_fail_key_at(err, MGL_CODE_DAMAGED, settings->claimed.against, "against",
                            "audit.sensitive: the groups of column \"%.60s\" are no tree; the "
                            "result was changed, or is damaged",
                            column->name),
            column->name);
    return status;
}

/* The top label of a column whose cells are taken as they are: the one that its result states, that
 * of its hierarchy file, or *. */
static mgl_status top_label(const mgl_settings *settings, const mgl_attribute_settings *attribute,
                            mgl_arena *arena, mgl_error *err, mgl_span *out)
{
    *out = mgl_span_of("*");
    if (claimed_top(settings, attribute->name, out))
        return MGL_OK;
    if (attribute->hierarchy == NULL || mgl_hierarchy_is_builder(attribute->hierarchy))
        return MGL_OK;
    mgl_dictionary *none = mgl_dictionary_new();
    MGL_TRY(mgl_check_memory(none != NULL, err));
    mgl_hierarchy *hierarchy = NULL;
    mgl_status status =
        mgl_hierarchy_make(attribute->hierarchy, attribute->name, none, err, &hierarchy);
    mgl_dictionary_free(none);
    if (status != MGL_OK)
        return status;
    mgl_span label = hierarchy->levels[hierarchy->height].labels[0];
    char *copy = mgl_arena_copy(arena, label.data, label.size);
    mgl_hierarchy_free(hierarchy);
    MGL_TRY(mgl_check_memory(copy != NULL, err));
    *out = (mgl_span){copy, label.size};
    return MGL_OK;
}

mgl_status mgl_reading_tops(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                            mgl_span **out)
{
    mgl_span *tops = mgl_arena_alloc(arena, reading->n_quasi * sizeof *tops);
    MGL_TRY(mgl_check_memory(tops != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(top_label(reading->settings, reading->quasi[a].settings, arena, err, &tops[a]));
    *out = tops;
    return MGL_OK;
}

static bool is_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                      const mgl_span *tops, size_t t)
{
    for (size_t a = mgl_settings_held(reading->settings); a < reading->n_quasi; a++) {
        const mgl_released_column *column = reading->released[a];
        uint32_t value = column->of_leaf[0][mgl_list_leaf(list, t, a)];
        if (!mgl_span_equal(column->values[value].label, tops[a]))
            return false;
    }
    return true;
}

uint64_t mgl_tuples_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                           const mgl_span *tops, uint8_t *suppressed)
{
    uint64_t rows = 0;
    for (size_t first = 0, end; first < list->n_tuples; first = end) {
        uint64_t at_top = 0;
        bool others = false;
        end = mgl_held_end(list, mgl_settings_held(reading->settings), first);
        for (size_t t = first; t < end; t++) {
            suppressed[t] = is_at_top(reading, list, tops, t);
            at_top += suppressed[t] ? list->counts[t] : 0;
            others = others || !suppressed[t];
        }
        rows += others ? at_top : 0;
        if (!others)
            memset(suppressed + first, 0, end - first);
    }
    return rows;
}
