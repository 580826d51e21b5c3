/* A hierarchy as a tree with the rows under each node. The command hierarchy calls it. */
#include "command/tree_json.h"

/* Rows of each leaf. */
static mgl_status count_leaves(const mgl_table *table, const mgl_quasi_column *quasi,
                               mgl_error *err, uint64_t *of_leaf)
{
    uint64_t *of_code;
    MGL_TRY(mgl_count_values(table, quasi->column, err, &of_code));
    for (uint32_t code = 0; code < mgl_dictionary_size(quasi->column->dictionary); code++)
        of_leaf[quasi->leaf_of_code[code]] += of_code[code];
    mgl_free(of_code);
    return MGL_OK;
}

static json_t *node_json(const mgl_hierarchy *hierarchy, uint32_t level, uint32_t value,
                         uint64_t rows)
{
    const mgl_level *l = &hierarchy->levels[level];
    mgl_span label = l->labels[value];
    json_t *node = json_object();
    mgl_json_set(node, "label", json_stringn(label.data != NULL ? label.data : "", label.size));
    mgl_json_set(node, "rows", mgl_json_count(rows));
    if (level == 0 && value == hierarchy->missing_leaf)
        mgl_json_set(node, "missing", json_true());
    return node;
}

/* Makes the nodes of a level and hangs those of the level below, with their rows, under them. */
static json_t **add_level(const mgl_hierarchy *hierarchy, uint32_t level, json_t **below,
                          const uint64_t *rows_below, uint64_t *rows)
{
    const mgl_level *l = &hierarchy->levels[level], *under = l - (level > 0);
    json_t **nodes = mgl_zeroed_array(l->n_values, sizeof(json_t *));
    if (nodes == NULL)
        return NULL;
    for (uint32_t v = 0; level > 0 && v < under->n_values; v++)
        rows[under->parent[v]] += rows_below[v];
    for (uint32_t v = 0; v < l->n_values; v++) {
        nodes[v] = node_json(hierarchy, level, v, rows[v]);
        if (level > 0)
            mgl_json_set(nodes[v], "nodes", json_array());
    }
    for (uint32_t v = 0; level > 0 && v < under->n_values; v++) {
        mgl_json_append(json_object_get(nodes[under->parent[v]], "nodes"), below[v]);
        below[v] = NULL;
    }
    return nodes;
}

static void free_level(json_t **nodes, uint32_t n)
{
    for (uint32_t v = 0; nodes != NULL && v < n; v++)
        json_decref(nodes[v]);
    mgl_free(nodes);
}

mgl_status mgl_tree_json(const mgl_table *table, const mgl_quasi_column *quasi, mgl_error *err,
                         json_t **out)
{
    const mgl_hierarchy *hierarchy = quasi->hierarchy;
    json_t **nodes = NULL;
    uint64_t *rows = mgl_zeroed_array(hierarchy->n_leaves, sizeof *rows);
    uint32_t n = 0;
    mgl_status status = MGL_OK;
    if (rows == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(count_leaves(table, quasi, err, rows));
    for (uint32_t level = 0; level <= hierarchy->height; level++) {
        uint32_t n_values = hierarchy->levels[level].n_values;
        uint64_t *here = level > 0 ? mgl_zeroed_array(n_values, sizeof *here) : rows;
        json_t **above = here != NULL ? add_level(hierarchy, level, nodes, rows, here) : NULL;
        free_level(nodes, n);
        nodes = above;
        n = n_values;
        if (here != rows)
            mgl_free(rows);
        rows = here;
        if (nodes == NULL)
            MGL_GO(mgl_fail_memory(err));
    }
    *out = json_incref(nodes[0]);
done:
    free_level(nodes, n);
    mgl_free(rows);
    return status;
}
