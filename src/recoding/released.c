/* Numbers everything that a column can be released as, so that equal texts have equal numbers. The
 * pipeline makes one per quasi-identifier before a search. */
#include "recoding/made.h"

/* A leaf that has the value at the level, and at those above what lies above the value; of values
 * above the ground it is the stand-in, where there are such. */
static uint32_t leaf_of(const mgl_level *level, uint32_t v)
{
    return level->stand_in != NULL ? level->stand_in[v] : level->first_leaf[v];
}

static mgl_released_value value_of(const mgl_hierarchy *hierarchy, uint32_t l, uint32_t v)
{
    const mgl_level *level = &hierarchy->levels[l];
    uint32_t leaves = level->ground != NULL ? level->ground[v] : level->leaves[v];
    double others = (double)mgl_hierarchy_ground(hierarchy) - 1;
    return (mgl_released_value){
        .label = level->labels[v],
        .level = (int32_t)l,
        .leaves = leaves,
        .first_leaf = leaf_of(level, v),
        .missing = level->first_leaf[v] == hierarchy->missing_leaf &&
                           l<hierarchy->height, .loss = others> 0
                       ? (leaves - 1) / others
                       : 0,
    };
}

/* Values are numbered level by level; a value whose label stands on another level as its lowest one
 * is the value there, so that equal texts have equal numbers. */
static void number_values(mgl_released_column *column, const mgl_hierarchy *hierarchy,
                          uint32_t *const *number)
{
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        for (uint32_t v = 0; v < hierarchy->levels[l].n_values; v++)
            if (hierarchy->levels[l].lowest[v] == l) {
                number[l][v] = column->n_values;
                column->values[column->n_values++] = value_of(hierarchy, l, v);
            }
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        for (uint32_t v = 0; v < hierarchy->levels[l].n_values; v++) {
            const mgl_level *level = &hierarchy->levels[l];
            uint32_t lowest = level->lowest[v];
            if (lowest != l)
                number[l][v] =
                    number[lowest][hierarchy->levels[lowest].of_leaf[level->first_leaf[v]]];
        }
}

static mgl_status fill_values(mgl_released_column *column, const mgl_hierarchy *hierarchy,
                              uint32_t *const *number, mgl_error *err)
{
    number_values(column, hierarchy, number);
    for (uint32_t l = 0; l <= hierarchy->height; l++) {
        column->of_leaf[l] = mgl_alloc_array(hierarchy->n_leaves, sizeof **column->of_leaf);
        if (column->of_leaf[l] == NULL)
            return mgl_fail_memory(err);
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
            column->of_leaf[l][leaf] = number[l][hierarchy->levels[l].of_leaf[leaf]];
    }
    column->top = number[hierarchy->height][0];
    return MGL_OK;
}

mgl_status mgl_released_column_new(const mgl_hierarchy *hierarchy, mgl_error *err,
                                   mgl_released_column **out)
{
    uint32_t levels = hierarchy->height + 1;
    size_t n_values = 0;
    for (uint32_t l = 0; l < levels; l++)
        n_values += hierarchy->levels[l].n_values;
    mgl_released_column *column = mgl_zeroed_array(1, sizeof *column);
    uint32_t **number = mgl_zeroed_array(levels, sizeof *number);
    uint32_t *numbers = mgl_alloc_array(n_values, sizeof *numbers);
    mgl_status status = MGL_OK;
    if (column == NULL || number == NULL || numbers == NULL) {
        status = mgl_fail_memory(err);
    } else {
        column->hierarchy = hierarchy;
        column->values = mgl_alloc_array(n_values, sizeof *column->values);
        column->n_levels = levels;
        column->of_leaf = mgl_zeroed_array(levels, sizeof *column->of_leaf);
        if (column->values == NULL || column->of_leaf == NULL)
            status = mgl_fail_memory(err);
    }
    if (status == MGL_OK) {
        for (uint32_t l = 0, at = 0; l < levels; at += hierarchy->levels[l++].n_values)
            number[l] = numbers + at;
        status = fill_values(column, hierarchy, number, err);
    }
    mgl_free(numbers);
    mgl_free(number);
    if (status != MGL_OK) {
        mgl_released_column_free(column);
        return status;
    }
    *out = column;
    return MGL_OK;
}

/* The hierarchy may be gone. */
void mgl_released_column_free(mgl_released_column *column)
{
    if (column == NULL)
        return;
    for (uint32_t l = 0; column->of_leaf != NULL && l < column->n_levels; l++)
        mgl_free(column->of_leaf[l]);
    mgl_free(column->of_leaf);
    mgl_free(column->values);
    mgl_made_values_free(column);
    mgl_free(column);
}

mgl_status mgl_released_labels(const mgl_released_column *column, mgl_arena *arena, mgl_error *err,
                               const mgl_span **out)
{
    mgl_span *labels = mgl_arena_alloc(arena, column->n_values * sizeof *labels);
    if (labels == NULL)
        return mgl_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        labels[v] = column->values[v].label;
    *out = labels;
    return MGL_OK;
}
