/* Sets of items under a saved recoding: which items its cut releases as what. Items that the
 * recoding does not know are left out. apply.c calls it before the release is written, which judges
 * the cut on the rows at hand. */
#include "command/rule/rule.h"

static mgl_map *index_items(const mgl_saved_items *saved)
{
    mgl_map *known = mgl_map_new();
    for (size_t i = 0; known != NULL && i < saved->n_items; i++)
        if (mgl_map_add(known, saved->items[i]) == MGL_NOT_FOUND) {
            mgl_map_free(known);
            return NULL;
        }
    return known;
}

mgl_status mgl_items_by_recoding(mgl_reading *reading, const mgl_saved_recoding *saved,
                                 mgl_error *err)
{
    const mgl_saved_items *from = saved->items;
    mgl_items_column *items = reading->items;
    if (items == NULL)
        return MGL_OK;
    if (from == NULL || strcmp(from->column, items->settings->name) != 0)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_CONFLICT,
                                      "the recoding does not say what items are released as; leave "
                                      "`km` to the recoding"),
                             "recoding");
    uint32_t n = mgl_dictionary_size(items->sets.items);
    uint32_t *label_of = mgl_alloc_array(n, sizeof *label_of);
    mgl_map *known = index_items(from);
    mgl_status status = MGL_OK;
    MGL_GO(label_of == NULL || known == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = mgl_map_find(known, mgl_dictionary_value(items->sets.items, i));
        label_of[i] = item != MGL_NOT_FOUND ? from->label_of[item] : MGL_NOT_FOUND;
        items->leaf_of_item[i] = i;
        items->unknown += item == MGL_NOT_FOUND;
    }
    mgl_item_labels labels = {from->labels, from->leaves, (uint32_t)from->n_labels, from->n_leaves};
    mgl_item_tree_free(&items->tree);
    MGL_GO(mgl_item_tree_of_labels(&labels, label_of, n, err, &items->tree));
    items->fixed = mgl_alloc_array(n, sizeof *items->fixed);
    MGL_GO(items->fixed == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (uint32_t i = 0; i < n; i++)
        items->fixed[i] = label_of[i] != MGL_NOT_FOUND ? n + label_of[i] : MGL_NOT_FOUND;
done:
    mgl_free(label_of);
    mgl_map_free(known);
    return status;
}
