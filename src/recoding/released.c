#include "recoding/made.h"

/* Values are numbered level by level; a value whose label stands on a lower level is that
 * lower value, so that equal texts have equal numbers. */
static mgl_status fill_values(mgl_released_column *column, const mgl_hierarchy *hierarchy,
                              uint32_t *const *number, mgl_error *err)
{
    uint32_t next = 0;
    double others = (double)hierarchy->n_leaves - 1;
    for (uint32_t l = 0; l <= hierarchy->height; l++) {
        const mgl_level *level = &hierarchy->levels[l];
        for (uint32_t v = 0; v < level->n_values; v++) {
            uint32_t leaf = level->first_leaf[v];
            if (level->lowest[v] < l) {
                number[l][v] =
                    number[level->lowest[v]][hierarchy->levels[level->lowest[v]].of_leaf[leaf]];
                continue;
            }
            number[l][v] = next;
            column->values[next++] = (mgl_released_value){
                .label = level->labels[v],
                .level = (int32_t)l,
                .leaves = level->leaves[v],
                .first_leaf = leaf,
                .missing = leaf == hierarchy->missing_leaf && l<hierarchy->height, .loss = others> 0
                               ? (level->leaves[v] - 1) / others
                               : 0,
            };
        }
        column->of_leaf[l] = mgl_alloc_array(hierarchy->n_leaves, sizeof **column->of_leaf);
        if (column->of_leaf[l] == NULL)
            return mgl_fail_memory(err);
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
            column->of_leaf[l][leaf] = number[l][level->of_leaf[leaf]];
    }
    column->n_values = next;
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

void mgl_released_column_free(mgl_released_column *column)
{
    if (column == NULL)
        return;
    for (uint32_t l = 0; column->of_leaf != NULL && l <= column->hierarchy->height; l++)
        mgl_free(column->of_leaf[l]);
    mgl_free(column->of_leaf);
    mgl_free(column->values);
    mgl_made_values_free(column);
    mgl_free(column);
}
