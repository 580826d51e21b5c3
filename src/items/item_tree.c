/* The tree of what items can be released as, made of a hierarchy. The pipeline makes one for the
 * column of `km`; search and release look up items in it. */
#include "items/items.h"

double mgl_item_loss(const mgl_item_tree *tree, uint32_t node)
{
    return node == MGL_NOT_FOUND ? 1 : tree->loss[node];
}

static double loss_of(uint32_t leaves, uint32_t all)
{
    return leaves <= 1 ? 0 : (double)(leaves - 1) / (double)(all - 1);
}

typedef struct planting {
    const mgl_hierarchy *hierarchy;
    mgl_item_tree *tree;
    uint32_t *of_value; /* of the values of a level: their nodes */
    uint32_t *below;    /* the same, of the level below */
    mgl_span *labels;
    uint32_t *parent, *first_leaf;
    uint32_t *size; /* [node] leaves */
    uint32_t *stands_for;
    double *loss;
} planting;

static uint32_t add_node(planting *p, const mgl_level *level, uint32_t value)
{
    uint32_t node = p->tree->n_nodes++;
    p->labels[node] = level->labels[value];
    p->parent[node] = MGL_NOT_FOUND;
    p->first_leaf[node] = level->first_leaf[value];
    p->size[node] = level->leaves[value];
    p->stands_for[node] = level->leaves[value];
    p->loss[node] = loss_of(level->leaves[value], p->tree->n_leaves);
    return node;
}

/* A value that stands for the same leaves as one below it is that one. */
static void plant_level(planting *p, uint32_t number)
{
    const mgl_level *level = &p->hierarchy->levels[number];
    for (uint32_t v = 0; v < level->n_values; v++)
        p->of_value[v] = MGL_NOT_FOUND;
    if (number > 0) {
        const mgl_level *under = &p->hierarchy->levels[number - 1];
        for (uint32_t v = 0; v < under->n_values; v++)
            if (level->leaves[under->parent[v]] == under->leaves[v])
                p->of_value[under->parent[v]] = p->below[v];
    }
    for (uint32_t v = 0; v < level->n_values; v++)
        if (p->of_value[v] == MGL_NOT_FOUND)
            p->of_value[v] = add_node(p, level, v);
    if (number == 0)
        return;
    const mgl_level *under = &p->hierarchy->levels[number - 1];
    for (uint32_t v = 0; v < under->n_values; v++) {
        uint32_t above = p->of_value[under->parent[v]];
        if (above != p->below[v])
            p->parent[p->below[v]] = above;
    }
}

/* Makes room for n nodes, with no leaves yet. False if there is no memory. */
static bool begin(planting *p, size_t n)
{
    mgl_arena *arena = p->tree->arena;
    p->size = mgl_zeroed_array(n, sizeof *p->size);
    if (p->size == NULL || arena == NULL)
        return false;
    p->labels = mgl_arena_alloc(arena, (n + 1) * sizeof *p->labels);
    p->parent = mgl_arena_alloc(arena, (n + 1) * sizeof *p->parent);
    p->first_leaf = mgl_arena_alloc(arena, (n + 1) * sizeof *p->first_leaf);
    p->stands_for = mgl_arena_alloc(arena, (n + 1) * sizeof *p->stands_for);
    p->loss = mgl_arena_alloc(arena, (n + 1) * sizeof *p->loss);
    return p->labels != NULL && p->parent != NULL && p->first_leaf != NULL &&
           p->stands_for != NULL && p->loss != NULL;
}

/* Leaves of every node, and its children, by counting. */
static bool list_leaves(planting *p)
{
    mgl_item_tree *t = p->tree;
    size_t n = t->n_nodes, total = 0;
    size_t *start = mgl_arena_alloc(t->arena, (n + 1) * sizeof *start);
    size_t *child_start = mgl_arena_alloc(t->arena, (n + 2) * sizeof *child_start);
    uint32_t *children = mgl_arena_alloc(t->arena, (n + 1) * sizeof *children);
    for (size_t v = 0; v < n; v++)
        total += p->size[v];
    uint32_t *leaves = mgl_arena_alloc(t->arena, (total + 1) * sizeof *leaves);
    if (start == NULL || child_start == NULL || children == NULL || leaves == NULL)
        return false;
    start[0] = 0;
    memset(child_start, 0, (n + 2) * sizeof *child_start);
    for (size_t v = 0; v < n; v++) {
        start[v + 1] = start[v] + p->size[v];
        p->size[v] = 0;
        if (p->parent[v] != MGL_NOT_FOUND)
            child_start[p->parent[v] + 2]++;
    }
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
        for (uint32_t v = leaf; v != MGL_NOT_FOUND; v = p->parent[v])
            leaves[start[v] + p->size[v]++] = leaf;
    for (size_t v = 0; v < n; v++)
        child_start[v + 2] += child_start[v + 1];
    for (uint32_t v = 0; v < n; v++)
        if (p->parent[v] != MGL_NOT_FOUND)
            children[child_start[p->parent[v] + 1]++] = v;
    t->labels = p->labels;
    t->parent = p->parent;
    t->first_leaf = p->first_leaf;
    t->stands_for = p->stands_for;
    t->loss = p->loss;
    t->start = start;
    t->leaves = leaves;
    t->child_start = child_start;
    t->children = children;
    return true;
}

mgl_status mgl_item_tree_new(const mgl_hierarchy *hierarchy, mgl_error *err, mgl_item_tree *out)
{
    uint32_t n = 0;
    for (uint32_t level = 0; level < hierarchy->height; level++)
        n += hierarchy->levels[level].n_values;
    uint32_t most = n;
    planting p = {.hierarchy = hierarchy, .tree = out};
    mgl_status status = MGL_OK;
    *out = (mgl_item_tree){.n_leaves = hierarchy->n_leaves, .arena = mgl_arena_new()};
    p.of_value = mgl_alloc_array(most, sizeof *p.of_value);
    p.below = mgl_alloc_array(most, sizeof *p.below);
    MGL_GO(mgl_check_memory(p.of_value != NULL && p.below != NULL && begin(&p, most), err));
    for (uint32_t level = 0; level < hierarchy->height; level++) {
        plant_level(&p, level);
        uint32_t *below = p.below;
        p.below = p.of_value;
        p.of_value = below;
    }
    MGL_GO(mgl_check_memory(list_leaves(&p), err));
done:
    mgl_free(p.of_value);
    mgl_free(p.below);
    mgl_free(p.size);
    if (status != MGL_OK)
        mgl_item_tree_free(out);
    return status;
}

mgl_status mgl_item_tree_of_labels(const mgl_item_labels *labels, const uint32_t *label_of,
                                   uint32_t n_items, mgl_error *err, mgl_item_tree *out)
{
    uint32_t n = n_items + labels->n;
    planting p = {.tree = out};
    mgl_status status = MGL_OK;
    *out = (mgl_item_tree){.n_leaves = n_items, .n_nodes = n, .arena = mgl_arena_new()};
    MGL_GO(mgl_check_memory(begin(&p, n), err));
    for (uint32_t v = 0; v < n; v++) {
        bool item = v < n_items;
        p.labels[v] = item ? (mgl_span){"", 0} : labels->labels[v - n_items];
        p.stands_for[v] = item ? 1 : labels->leaves[v - n_items];
        p.loss[v] = item ? 0 : loss_of(labels->leaves[v - n_items], labels->all_leaves);
        p.first_leaf[v] = item ? v : v - n_items;
        p.parent[v] = item && label_of[v] != MGL_NOT_FOUND ? n_items + label_of[v] : MGL_NOT_FOUND;
        p.size[v] += item;
        if (p.parent[v] != MGL_NOT_FOUND)
            p.size[p.parent[v]]++;
    }
    MGL_GO(mgl_check_memory(list_leaves(&p), err));
done:
    mgl_free(p.size);
    if (status != MGL_OK)
        mgl_item_tree_free(out);
    return status;
}

void mgl_item_tree_free(mgl_item_tree *tree)
{
    mgl_arena_free(tree->arena);
    *tree = (mgl_item_tree){0};
}
