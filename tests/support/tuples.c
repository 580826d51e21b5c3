/* Makes a table whose codes are leaves, and lets the program count it. Tests call it. */
#include "tuples.h"

#include <stdio.h>

/* The dictionary has a text for each leaf, so that codes are leaves. */
static bool fill_dictionary(mgl_dictionary *dictionary, uint32_t n_leaves, uint32_t *leaf_of_code)
{
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        char text[16];
        snprintf(text, sizeof text, "%u", leaf);
        leaf_of_code[leaf] = leaf;
        if (mgl_dictionary_add(dictionary, mgl_span_of(text)) != leaf)
            return false;
    }
    return true;
}

static bool fill_codes(mgl_column *column, uint32_t n_leaves, const uint32_t *leaves, size_t stride,
                       size_t n)
{
    if (!mgl_column_widen(column, 0, n_leaves - 1) || !mgl_column_reserve(column, 0, n))
        return false;
    for (size_t t = 0; t < n; t++)
        mgl_column_set(column, t, leaves[t * stride]);
    return true;
}

mgl_status tuples_listed(const mgl_hierarchy *const *hierarchies, size_t n_attributes,
                         const uint32_t *leaves, const uint64_t *counts, size_t n,
                         mgl_frequency_list **out)
{
    mgl_table *table = mgl_table_new(n_attributes);
    mgl_bound_column *quasi = mgl_zeroed_array(n_attributes, sizeof *quasi);
    uint32_t **leaf_of_code = mgl_zeroed_array(n_attributes, sizeof *leaf_of_code);
    bool made = table != NULL && quasi != NULL && leaf_of_code != NULL;
    for (size_t a = 0; made && a < n_attributes; a++) {
        uint32_t n_leaves = hierarchies[a]->n_leaves;
        mgl_column *column = &table->columns[a];
        leaf_of_code[a] = mgl_alloc_array(n_leaves, sizeof **leaf_of_code);
        quasi[a] = (mgl_bound_column){column, hierarchies[a], leaf_of_code[a]};
        made = leaf_of_code[a] != NULL &&
               fill_dictionary(column->dictionary, n_leaves, leaf_of_code[a]) &&
               fill_codes(column, n_leaves, leaves + a, n_attributes, n);
    }
    mgl_count_request request = {
        .quasi = quasi, .n_quasi = n_attributes, .n_rows = n, .times = counts};
    mgl_status status =
        made ? mgl_frequency_list_new(&request, NULL, NULL, out) : mgl_fail_memory(NULL);
    for (size_t a = 0; leaf_of_code != NULL && a < n_attributes; a++)
        mgl_free(leaf_of_code[a]);
    mgl_free(leaf_of_code);
    mgl_free(quasi);
    mgl_table_free(table);
    return status;
}
