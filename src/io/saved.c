/* Writes and reads a recoding as a file (docs/files.md has the layout). */
#include "io/io.h"
#include "io/packed.h"

#include <math.h>

enum { MOST_LEVELS = 255, SCALES = 3 };

static void pass_level(mgl_packed *f, mgl_saved_tree *tree, uint32_t l)
{
    enum { LEAST = 4 };
    size_t n = tree->n_values[l];
    mgl_packed_count(f, &n, LEAST);
    tree->n_values[l] = (uint32_t)n;
    mgl_packed_room(f, &tree->labels[l], n, sizeof **tree->labels);
    for (size_t v = 0; mgl_packed_goes_on(f) && v < n; v++)
        mgl_packed_span(f, &tree->labels[l][v]);
    mgl_packed_u32s(f, &tree->of_leaf[l], tree->n_leaves, tree->n_values[l]);
}

static void pass_levels(mgl_packed *f, mgl_saved_tree *tree)
{
    size_t levels = (size_t)tree->height + 1;
    mgl_packed_room(f, &tree->n_values, levels, sizeof *tree->n_values);
    mgl_packed_room(f, &tree->labels, levels, sizeof *tree->labels);
    mgl_packed_room(f, &tree->of_leaf, levels, sizeof *tree->of_leaf);
    for (uint32_t l = 0; mgl_packed_goes_on(f) && l <= tree->height; l++)
        pass_level(f, tree, l);
    /* each leaf is a value of its own on level 0, and all are one at the top */
    f->failed = f->failed || (mgl_packed_goes_on(f) && (tree->n_values[0] != tree->n_leaves ||
                                                        tree->n_values[tree->height] != 1));
}

static void pass_label(mgl_packed *f, const mgl_saved_tree *tree, mgl_saved_label *label)
{
    mgl_packed_choice(f, &label->level, tree->height + 1);
    mgl_packed_below(f, &label->first_leaf, tree->n_leaves);
    mgl_packed_u32(f, &label->leaves);
    mgl_packed_double(f, &label->cost);
    if (tree->scale != 0) {
        mgl_packed_double(f, &label->low);
        mgl_packed_double(f, &label->high);
    } else if (f->out == NULL) {
        label->low = label->high = NAN;
    }
    f->failed = f->failed || !isfinite(label->cost) || label->cost < 0 ||
                isnan(label->low) != isnan(label->high) || label->low > label->high;
}

static void pass_tree(mgl_packed *f, mgl_saved_quasi *quasi)
{
    enum { LEAST = 20 }; /* bytes that are packed for a label */
    mgl_packed_room(f, &quasi->tree, 1, sizeof *quasi->tree);
    mgl_saved_tree *tree = quasi->tree;
    if (tree == NULL)
        return;
    mgl_packed_text(f, &tree->rule);
    mgl_packed_below(f, &tree->scale, SCALES);
    mgl_packed_below(f, &tree->height, MOST_LEVELS + 1);
    mgl_packed_u32(f, &tree->n_leaves);
    size_t left = f->out == NULL ? f->end - f->at : SIZE_MAX;
    f->failed = f->failed || tree->height == 0 || tree->n_leaves == 0 ||
                tree->n_leaves > left / 4 || quasi->n_labels > left / LEAST;
    if (!mgl_packed_goes_on(f))
        return;
    mgl_packed_choice(f, &tree->missing_leaf, tree->n_leaves);
    mgl_packed_choice(f, &tree->level, tree->height + 1);
    pass_levels(f, tree);
    mgl_packed_u32s(f, &tree->leaf_of, quasi->n_leaves, tree->n_leaves);
    mgl_packed_room(f, &tree->saved_labels, quasi->n_labels, sizeof *tree->saved_labels);
    for (uint32_t i = 0; mgl_packed_goes_on(f) && i < quasi->n_labels; i++)
        pass_label(f, tree, &tree->saved_labels[i]);
}

static void pass_items(mgl_packed *f, mgl_saved_items *items)
{
    enum { LEAST = 8 }; /* bytes of an entry */
    mgl_packed_text(f, &items->column);
    mgl_packed_text(f, &items->separator);
    mgl_packed_u32(f, &items->n_leaves);
    mgl_packed_count(f, &items->n_labels, LEAST);
    mgl_packed_room(f, &items->labels, items->n_labels, sizeof *items->labels);
    mgl_packed_room(f, &items->leaves, items->n_labels, sizeof *items->leaves);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < items->n_labels; i++) {
        mgl_packed_span(f, &items->labels[i]);
        mgl_packed_u32(f, &items->leaves[i]);
        f->failed = f->failed || items->leaves[i] == 0 || items->leaves[i] > items->n_leaves;
    }
    mgl_packed_count(f, &items->n_items, LEAST);
    mgl_packed_room(f, &items->items, items->n_items, sizeof *items->items);
    mgl_packed_room(f, &items->label_of, items->n_items, sizeof *items->label_of);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < items->n_items; i++) {
        mgl_packed_span(f, &items->items[i]);
        mgl_packed_u32(f, &items->label_of[i]);
        f->failed = f->failed ||
                    (items->label_of[i] != MGL_NOT_FOUND && items->label_of[i] >= items->n_labels);
    }
}

static const char KIND[] = "MGLRECOD";

static void pass_quasi(mgl_packed *f, mgl_saved_quasi *quasi)
{
    enum { LEAST = 8, LEAST_OF_LABEL = 4 }; /* bytes of a value in the file */
    uint32_t missing;
    size_t n, n_labels = quasi->n_labels;
    mgl_span *labels = (mgl_span *)(uintptr_t)quasi->labels; /* our own, where they are read */
    mgl_packed_text(f, &quasi->name);
    mgl_packed_u32(f, &quasi->n_leaves);
    mgl_packed_values(f, quasi->ground, &missing, &n, LEAST);
    f->failed = f->failed || quasi->n_leaves > n;
    if (f->out == NULL)
        quasi->ground = mgl_dictionary_new();
    mgl_packed_room(f, &quasi->leaf_of_code, n, sizeof *quasi->leaf_of_code);
    f->out_of_memory = f->out_of_memory || quasi->ground == NULL;
    for (size_t i = 0; mgl_packed_goes_on(f) && i < n; i++) {
        mgl_packed_value(f, quasi->ground, (uint32_t)i, missing);
        mgl_packed_below(f, &quasi->leaf_of_code[i], quasi->n_leaves);
    }
    mgl_packed_count(f, &n_labels, LEAST_OF_LABEL);
    mgl_packed_room(f, &labels, n_labels, sizeof *labels);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < n_labels; i++)
        mgl_packed_span(f, &labels[i]);
    quasi->n_labels = (uint32_t)n_labels;
    quasi->labels = labels;
    mgl_packed_below(f, &quasi->top, quasi->n_labels);
}

static void pass_tuples(mgl_packed *f, mgl_saved_recoding *saved)
{
    mgl_packed_count(f, &saved->n_tuples, 12 + 8 * saved->n_quasi);
    size_t n = saved->n_tuples;
    mgl_packed_room(f, &saved->leaves, saved->n_quasi, sizeof *saved->leaves);
    mgl_packed_room(f, &saved->released, saved->n_quasi, sizeof *saved->released);
    for (size_t a = 0; mgl_packed_goes_on(f) && a < saved->n_quasi; a++)
        mgl_packed_u32s(f, &saved->leaves[a], n, saved->quasi[a].n_leaves);
    for (size_t a = 0; mgl_packed_goes_on(f) && a < saved->n_quasi; a++)
        mgl_packed_u32s(f, &saved->released[a], n, saved->quasi[a].n_labels);
    mgl_packed_u32s(f, &saved->suppressed, n, 2);
    mgl_packed_room(f, &saved->counts, n, sizeof *saved->counts);
    if (mgl_packed_goes_on(f))
        mgl_packed_counts(f, saved->counts, n);
}

static void pass_parts(mgl_packed *f, mgl_saved_recoding *saved)
{
    mgl_packed_count(f, &saved->n_parts, sizeof *saved->parts);
    mgl_packed_room(f, &saved->parts, saved->n_parts, sizeof *saved->parts);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < saved->n_parts; i++) {
        mgl_packed_u64(f, &saved->parts[i].n_records);
        mgl_packed_u64(f, &saved->parts[i].low);
        mgl_packed_u64(f, &saved->parts[i].high);
    }
}

static void pass_recoding(mgl_packed *f, void *content)
{
    enum { LEAST = 40 };
    mgl_saved_recoding *saved = content;
    uint32_t drops = saved->drops;
    mgl_packed_text(f, &saved->version);
    mgl_packed_text(f, &saved->method);
    mgl_packed_text(f, &saved->job);
    mgl_packed_below(f, &drops, 2);
    saved->drops = drops == 1;
    mgl_packed_u64(f, &saved->n_rows);
    mgl_packed_columns(f, &saved->columns, &saved->roles, &saved->n_columns);
    mgl_packed_count(f, &saved->n_counted, sizeof(uint32_t));
    mgl_packed_room(f, &saved->counted, saved->n_counted, sizeof *saved->counted);
    for (size_t i = 0; mgl_packed_goes_on(f) && i < saved->n_counted; i++)
        mgl_packed_text(f, &saved->counted[i]);
    mgl_packed_count(f, &saved->n_quasi, LEAST);
    mgl_packed_room(f, &saved->quasi, saved->n_quasi, sizeof *saved->quasi);
    for (size_t a = 0; mgl_packed_goes_on(f) && a < saved->n_quasi; a++)
        pass_quasi(f, &saved->quasi[a]);
    if (mgl_packed_goes_on(f))
        pass_tuples(f, saved);
    if (mgl_packed_goes_on(f))
        pass_parts(f, saved);
    /* Older files end here, or before the items. */
    bool trees = mgl_packed_has_more(f);
    for (size_t a = 0; mgl_packed_goes_on(f) && a < saved->n_quasi; a++)
        if (trees || saved->quasi[a].tree != NULL)
            pass_tree(f, &saved->quasi[a]);
    if (mgl_packed_has_more(f))
        mgl_packed_room(f, &saved->items, 1, sizeof *saved->items);
    if (saved->items != NULL)
        pass_items(f, saved->items);
}

mgl_status mgl_saved_recoding_pack(const mgl_saved_recoding *saved, mgl_error *err, mgl_buffer *out)
{
    return mgl_packed_write(KIND, pass_recoding, saved, err, out);
}

mgl_status mgl_saved_recoding_read(const char *path, mgl_error *err, mgl_saved_recoding **out)
{
    mgl_saved_recoding *saved = mgl_zeroed_array(1, sizeof *saved);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(saved != NULL, err));
    saved->arena = mgl_arena_new();
    MGL_GO(mgl_check_memory(saved->arena != NULL, err));
    MGL_GO(mgl_packed_read(path, KIND, "a recoding that `save-recoding` wrote", saved->arena,
                           pass_recoding, saved, err));
    *out = saved;
    saved = NULL;
done:
    mgl_saved_recoding_free(saved);
    return status;
}

void mgl_saved_recoding_free(mgl_saved_recoding *saved)
{
    if (saved == NULL)
        return;
    for (size_t a = 0; saved->quasi != NULL && a < saved->n_quasi; a++)
        mgl_dictionary_free(saved->quasi[a].ground);
    mgl_arena_free(saved->arena);
    mgl_free(saved);
}
