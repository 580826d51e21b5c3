/* Tells what was released of sets of items: the section "items" of a result. describe_solution.c
 * and `apply` call it. */
#include "findings/describe.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static json_t *node_json(const mgl_item_tree *tree, uint32_t node, uint64_t rows)
{
    json_t *object = json_object();
    mgl_span label = tree->labels[node];
    mgl_json_set(object, "item", json_stringn(label.data, label.size));
    mgl_json_set(object, "leaves", mgl_json_count(tree->stands_for[node]));
    mgl_json_set(object, "rows", mgl_json_count(rows));
    return object;
}

/* What the items are released as, in the order of their hierarchy; nothing of what is left out. */
static json_t *cut_json(const mgl_items_column *items, const mgl_item_release *release)
{
    const mgl_item_tree *tree = &items->tree;
    uint64_t *nodes = mgl_alloc_array(tree->n_nodes, sizeof *nodes);
    json_t *list = nodes != NULL ? json_array() : NULL;
    size_t n = 0;
    for (uint32_t v = 0; nodes != NULL && v < tree->n_nodes; v++)
        if (release->rows[v] > 0)
            nodes[n++] = (uint64_t)tree->first_leaf[v] << 32 | v;
    if (n > 1)
        qsort(nodes, n, sizeof *nodes, compare);
    for (size_t i = 0; i < n; i++)
        mgl_json_append(list,
                        node_json(tree, (uint32_t)nodes[i], release->rows[(uint32_t)nodes[i]]));
    mgl_free(nodes);
    return list;
}

static json_t *left_out_json(const mgl_item_release *release)
{
    json_t *object = json_object();
    mgl_json_set(object, "items", mgl_json_count(release->left_out_items));
    mgl_json_set(object, "occurrences", mgl_json_count(release->left_out_occurrences));
    mgl_json_set(object, "emptied_rows", mgl_json_count(release->emptied_rows));
    return object;
}

json_t *mgl_items_found_json(const mgl_items_found *found)
{
    json_t *object = json_object();
    mgl_json_set(object, "items", mgl_json_count(found->items));
    mgl_json_set(object, "combinations", mgl_json_count(found->combinations));
    mgl_json_set(object, "least",
                 found->combinations > 0 ? mgl_json_count(found->least) : json_null());
    mgl_json_set(object, "rare", mgl_json_count(found->rare));
    return object;
}

json_t *mgl_items_promise_json(const mgl_reading *reading)
{
    const mgl_items_column *items = reading->items;
    mgl_span separator = items->cutting.separator;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(items->settings->name));
    mgl_json_set(object, "k", mgl_json_count(items->settings->km.k));
    mgl_json_set(object, "m", mgl_json_count(items->settings->km.m));
    mgl_json_set(object, "within", json_boolean(reading->settings->km_within));
    mgl_json_set(object, "separator", json_stringn(separator.data, separator.size));
    return object;
}

void mgl_items_tell(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const mgl_items_column *items = reading->items;
    const mgl_items_written *made = &written->items;
    if (items == NULL || !made->made)
        return;
    json_t *object = mgl_items_promise_json(reading);
    mgl_json_set(object, "hierarchy",
                 items->settings->hierarchy != NULL && items->fixed == NULL
                     ? json_string(items->hierarchy->resolved)
                     : json_null());
    if (items->fixed != NULL)
        mgl_json_set(object, "unknown_items", mgl_json_count(items->unknown));
    mgl_json_set(object, "items", mgl_json_count(made->release.items));
    mgl_json_set(object, "occurrences", mgl_json_count(made->release.occurrences));
    mgl_json_set(object, "left_out", left_out_json(&made->release));
    mgl_json_set(object, "ncp", mgl_json_real(made->cut.ncp));
    mgl_json_set(object, "apriori_ncp", mgl_json_real(made->cut.ncp_first));
    mgl_json_set(object, "best_possible", mgl_json_real(made->cut.best_possible));
    mgl_json_set(object, "exact", json_boolean(made->cut.exact));
    mgl_json_set(object, "released",
                 made->planned ? mgl_items_found_json(&made->promised.found) : json_null());
    if (!reading->settings->brief)
        mgl_json_set(object, "cut", cut_json(items, &made->release));
    mgl_json_set(result->document, "items", object);
}
