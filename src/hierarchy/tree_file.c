/* Reads a hierarchy that is a tree in JSON (FILE.json): nodes with a label and the nodes below, as
 * `hierarchy tree` tells it. make_tree.c calls it. */
#include "hierarchy/builders.h"

#include <jansson.h>

typedef struct tree_reader {
    mgl_draft *draft;
    mgl_error *err;
    const json_t *path[MGL_MOST_LEVELS + 1]; /* from the top down to where it is */
} tree_reader;

static mgl_status fail_shape(const mgl_draft *draft, mgl_error *err)
{
    return mgl_draft_fail(draft, 0, err,
                          "the tree has something else than nodes; each is {\"label\": TEXT}, with "
                          "\"nodes\": [...] if there are values below it");
}

static const json_t *nodes_of(const json_t *node)
{
    return json_object_get(node, "nodes");
}

/* Finds how many levels the tree has, and whether all of it is one. A group without values is left
 * out: whoever edits may have emptied it. */
static mgl_status measure(const mgl_draft *draft, const json_t *node, uint32_t depth,
                          mgl_error *err, uint32_t *deepest)
{
    const json_t *nodes = nodes_of(node);
    if (!json_is_string(json_object_get(node, "label")) || (nodes != NULL && !json_is_array(nodes)))
        return fail_shape(draft, err);
    if (depth > MGL_MOST_LEVELS)
        return mgl_draft_fail(draft, 0, err, "the tree is deeper than %d levels", MGL_MOST_LEVELS);
    if (nodes == NULL && depth > *deepest)
        *deepest = depth;
    for (size_t i = 0; i < json_array_size(nodes); i++)
        MGL_TRY(measure(draft, json_array_get(nodes, i), depth + 1, err, deepest));
    return MGL_OK;
}

/* A value that is nearer to the top than others stays itself until the level below its parent. */
static mgl_status add_leaf(tree_reader *t, uint32_t depth)
{
    mgl_draft *draft = t->draft;
    uint32_t top = draft->n_levels - 1;
    MGL_TRY(mgl_draft_add_row(draft, 0, t->err));
    for (uint32_t level = 0; level <= top; level++) {
        const json_t *label =
            json_object_get(t->path[top - level < depth ? top - level : depth], "label");
        mgl_span text = {json_string_value(label), json_string_length(label)};
        MGL_TRY(mgl_draft_put(draft, level, text, t->err));
    }
    return MGL_OK;
}

static mgl_status add_nodes(tree_reader *t, const json_t *node, uint32_t depth)
{
    const json_t *nodes = nodes_of(node), *label = json_object_get(node, "label");
    mgl_span text = {json_string_value(label), json_string_length(label)};
    t->path[depth] = node;
    if (nodes == NULL &&
        (json_is_true(json_object_get(node, "missing")) || mgl_draft_is_missing(t->draft, text)))
        return MGL_OK; /* it stays itself, whatever a tree says */
    if (nodes == NULL)
        return add_leaf(t, depth);
    for (size_t i = 0; i < json_array_size(nodes); i++)
        MGL_TRY(add_nodes(t, json_array_get(nodes, i), depth + 1));
    return MGL_OK;
}

/* A value in two places would have to be released in two ways. */
static mgl_status refuse_repeated(const mgl_draft *draft, mgl_error *err)
{
    uint8_t *seen = mgl_zeroed_array(mgl_map_size(draft->labels), sizeof *seen);
    mgl_status status = MGL_OK;
    if (seen == NULL)
        return mgl_fail_memory(err);
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        uint32_t ground = mgl_draft_cell(draft, row, 0);
        mgl_span text = mgl_map_text(draft->labels, ground);
        if (seen[ground])
            MGL_GO(mgl_draft_fail(draft, 0, err,
                                  "the value '%.*s' is in the tree twice; keep one of them",
                                  mgl_span_width(text), text.data));
        seen[ground] = 1;
    }
done:
    mgl_free(seen);
    return status;
}

static mgl_status take_tree(mgl_draft *draft, const json_t *tree, mgl_error *err)
{
    tree_reader t = {.draft = draft, .err = err};
    uint32_t deepest = 0;
    MGL_TRY(measure(draft, tree, 0, err, &deepest));
    if (deepest == 0)
        return mgl_draft_fail(draft, 0, err, "the tree has no values");
    draft->n_levels = deepest + 1;
    MGL_TRY(add_nodes(&t, tree, 0));
    return refuse_repeated(draft, err);
}

mgl_status mgl_draft_read_tree(mgl_draft *draft, mgl_error *err)
{
    mgl_buffer text = {0};
    json_error_t wrong;
    json_t *tree = NULL;
    mgl_status status = MGL_OK;
    draft->file = draft->spec;
    MGL_GO(mgl_read_whole(draft->file, err, &text));
    tree = json_loadb(text.data != NULL ? text.data : "", text.size, 0, &wrong);
    if (tree == NULL && json_error_code(&wrong) == json_error_out_of_memory)
        MGL_GO(mgl_fail_memory(err));
    if (tree == NULL)
        MGL_GO(mgl_draft_fail(draft, (uint64_t)wrong.line, err, "this is no JSON: %.100s",
                              wrong.text));
    MGL_GO(take_tree(draft, tree, err));
done:
    json_decref(tree);
    mgl_buffer_free(&text);
    return status;
}
