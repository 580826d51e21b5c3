/* Reads and writes the hierarchy of a column in a saved recoding, with leaves that did not occur
 * and what each released text stands for. saved.c calls it. */
#include "io/saved_tree.h"

#include <math.h>

enum { MOST_LEVELS = 255, SCALES = 3 };

/* ---- Writing ---------------------------------------------------------------------- */

static void pack_double(mgl_buffer *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    mgl_pack_u64(out, bits);
}

static void pack_told(mgl_buffer *out, const mgl_saved_label *told, bool on_scale)
{
    mgl_pack_u32(out, told->level);
    mgl_pack_u32(out, told->first_leaf);
    mgl_pack_u32(out, told->leaves);
    pack_double(out, told->cost);
    if (on_scale) {
        pack_double(out, told->low);
        pack_double(out, told->high);
    }
}

void mgl_tree_pack(mgl_buffer *out, const mgl_saved_quasi *quasi)
{
    const mgl_saved_tree *tree = quasi->tree;
    mgl_pack_text(out, mgl_span_of(tree->rule));
    mgl_pack_u32(out, tree->scale);
    mgl_pack_u32(out, tree->height);
    mgl_pack_u32(out, tree->n_leaves);
    mgl_pack_u32(out, tree->missing_leaf);
    mgl_pack_u32(out, tree->level);
    for (uint32_t l = 0; l <= tree->height; l++) {
        mgl_pack_u64(out, tree->n_values[l]);
        for (uint32_t v = 0; v < tree->n_values[l]; v++)
            mgl_pack_text(out, tree->labels[l][v]);
        mgl_pack_u32s(out, tree->of_leaf[l], tree->n_leaves);
    }
    mgl_pack_u32s(out, tree->leaf_of, quasi->n_leaves);
    for (uint32_t i = 0; i < quasi->n_labels; i++)
        pack_told(out, &tree->told[i], tree->scale != 0);
}

/* ---- Reading ---------------------------------------------------------------------- */

static double unpack_double(mgl_unpacker *file)
{
    uint64_t bits = mgl_unpack_u64(file);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A number below the limit, or MGL_NOT_FOUND. */
static uint32_t unpack_choice(mgl_unpacker *file, uint32_t limit)
{
    uint32_t number = mgl_unpack_u32(file);
    file->failed = file->failed || (number != MGL_NOT_FOUND && number >= limit);
    return number;
}

static void unpack_level(mgl_unpacker *file, mgl_saved_tree *tree, uint32_t l)
{
    enum { LEAST = 4 };
    size_t n = mgl_unpack_count(file, LEAST);
    tree->n_values[l] = (uint32_t)n;
    tree->labels[l] = mgl_unpack_room(file, n, sizeof **tree->labels);
    for (size_t v = 0; mgl_unpack_goes_on(file) && v < n; v++) {
        const char *text = mgl_unpack_kept(file);
        tree->labels[l][v] = mgl_span_of(text != NULL ? text : "");
    }
    if (mgl_unpack_goes_on(file))
        tree->of_leaf[l] = mgl_unpack_room(file, tree->n_leaves, sizeof **tree->of_leaf);
    if (mgl_unpack_goes_on(file))
        mgl_unpack_u32s(file, tree->of_leaf[l], tree->n_leaves, tree->n_values[l]);
}

static void unpack_told(mgl_unpacker *file, const mgl_saved_tree *tree, mgl_saved_label *told)
{
    told->level = unpack_choice(file, tree->height + 1);
    mgl_unpack_u32s(file, &told->first_leaf, 1, tree->n_leaves);
    told->leaves = mgl_unpack_u32(file);
    told->cost = unpack_double(file);
    told->low = told->high = NAN;
    if (tree->scale != 0) {
        told->low = unpack_double(file);
        told->high = unpack_double(file);
    }
    file->failed = file->failed || !isfinite(told->cost) || told->cost < 0 ||
                   isnan(told->low) != isnan(told->high) || told->low > told->high;
}

static void unpack_levels(mgl_unpacker *file, mgl_saved_tree *tree)
{
    size_t levels = (size_t)tree->height + 1;
    tree->n_values = mgl_unpack_room(file, levels, sizeof *tree->n_values);
    tree->labels = mgl_unpack_room(file, levels, sizeof *tree->labels);
    tree->of_leaf = mgl_unpack_room(file, levels, sizeof *tree->of_leaf);
    for (uint32_t l = 0; mgl_unpack_goes_on(file) && l <= tree->height; l++)
        unpack_level(file, tree, l);
    /* each leaf is a value of its own on level 0, and all are one at the top */
    file->failed = file->failed ||
                   (mgl_unpack_goes_on(file) &&
                    (tree->n_values[0] != tree->n_leaves || tree->n_values[tree->height] != 1));
}

void mgl_tree_unpack(mgl_unpacker *file, mgl_saved_quasi *quasi)
{
    enum { LEAST = 20 }; /* bytes of what is told about a label */
    mgl_saved_tree *tree = mgl_unpack_room(file, 1, sizeof *tree);
    if (tree == NULL)
        return;
    tree->rule = mgl_unpack_kept(file);
    mgl_unpack_u32s(file, &tree->scale, 1, SCALES);
    mgl_unpack_u32s(file, &tree->height, 1, MOST_LEVELS + 1);
    tree->n_leaves = mgl_unpack_u32(file);
    size_t left = file->end - file->at;
    file->failed = file->failed || tree->height == 0 || tree->n_leaves == 0 ||
                   tree->n_leaves > left / 4 || quasi->n_labels > left / LEAST;
    if (!mgl_unpack_goes_on(file))
        return;
    tree->missing_leaf = unpack_choice(file, tree->n_leaves);
    tree->level = unpack_choice(file, tree->height + 1);
    unpack_levels(file, tree);
    tree->leaf_of = mgl_unpack_room(file, quasi->n_leaves, sizeof *tree->leaf_of);
    tree->told = mgl_unpack_room(file, quasi->n_labels, sizeof *tree->told);
    if (mgl_unpack_goes_on(file))
        mgl_unpack_u32s(file, tree->leaf_of, quasi->n_leaves, tree->n_leaves);
    for (uint32_t i = 0; mgl_unpack_goes_on(file) && i < quasi->n_labels; i++)
        unpack_told(file, tree, &tree->told[i]);
    quasi->tree = tree;
}
