/* Makes a released column of texts that are known, though not where they stand in a hierarchy.
 * `apply` calls it for the texts of a saved recoding, the leak guard for the columns it puts
 * back. */
#include "recoding/recoding.h"

/* The label of each ground value, if it is released as itself. */
static mgl_status find_ground(mgl_released_column *column, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = column->hierarchy;
    mgl_map *texts = mgl_map_new();
    mgl_status status = MGL_OK;
    if (texts == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (uint32_t v = 0; v < column->n_values; v++)
        if (mgl_map_add(texts, column->values[v].label) != v)
            MGL_GO(mgl_fail_memory(err));
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        uint32_t value = mgl_map_find(texts, hierarchy->levels[0].labels[leaf]);
        column->of_leaf[0][leaf] = value;
        if (value != MGL_NOT_FOUND && value != column->top)
            column->values[value].level = 0;
    }
done:
    mgl_map_free(texts);
    return status;
}

static mgl_status fill(mgl_released_column *column, const mgl_span *labels, mgl_error *err)
{
    uint32_t levels = column->hierarchy->height + 1, n_leaves = column->hierarchy->n_leaves;
    column->values = mgl_zeroed_array(column->n_values, sizeof *column->values);
    column->n_levels = levels;
    column->of_leaf = mgl_zeroed_array(levels, sizeof *column->of_leaf);
    if (column->values == NULL || column->of_leaf == NULL)
        return mgl_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++)
        column->values[v] = (mgl_released_value){.label = labels[v], .level = -1, .leaves = 1};
    for (uint32_t l = 0; l < levels; l++) {
        column->of_leaf[l] = mgl_alloc_array(n_leaves, sizeof **column->of_leaf);
        if (column->of_leaf[l] == NULL)
            return mgl_fail_memory(err);
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            column->of_leaf[l][leaf] = column->top;
    }
    return find_ground(column, err);
}

mgl_status mgl_labels_column_new(const mgl_hierarchy *hierarchy, const mgl_span *labels,
                                 uint32_t n_labels, uint32_t top, mgl_error *err,
                                 mgl_released_column **out)
{
    mgl_released_column *column = mgl_zeroed_array(1, sizeof *column);
    if (column == NULL)
        return mgl_fail_memory(err);
    column->hierarchy = hierarchy;
    column->n_values = n_labels;
    column->top = top;
    mgl_status status = fill(column, labels, err);
    if (status != MGL_OK) {
        mgl_released_column_free(column);
        return status;
    }
    *out = column;
    return MGL_OK;
}
