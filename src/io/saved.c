/* Writes and reads a recoding as a file (docs/files.md has the layout). */
#include "io/io.h"
#include "io/packed.h"

#include <math.h>

enum { MOST_LEVELS = 255, SCALES = 3 };

static void pack_double(mgl_buffer *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    mgl_pack_u64(out, bits);
}

static void pack_label(mgl_buffer *out, const mgl_saved_label *label, bool on_scale)
{
    mgl_pack_u32(out, label->level);
    mgl_pack_u32(out, label->first_leaf);
    mgl_pack_u32(out, label->leaves);
    pack_double(out, label->cost);
    if (on_scale) {
        pack_double(out, label->low);
        pack_double(out, label->high);
    }
}

static void tree_pack(mgl_buffer *out, const mgl_saved_quasi *quasi)
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
        pack_label(out, &tree->saved_labels[i], tree->scale != 0);
}

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

static void unpack_label(mgl_unpacker *file, const mgl_saved_tree *tree, mgl_saved_label *label)
{
    label->level = unpack_choice(file, tree->height + 1);
    mgl_unpack_u32s(file, &label->first_leaf, 1, tree->n_leaves);
    label->leaves = mgl_unpack_u32(file);
    label->cost = unpack_double(file);
    label->low = label->high = NAN;
    if (tree->scale != 0) {
        label->low = unpack_double(file);
        label->high = unpack_double(file);
    }
    file->failed = file->failed || !isfinite(label->cost) || label->cost < 0 ||
                   isnan(label->low) != isnan(label->high) || label->low > label->high;
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

/* Fills in quasi->tree; failures are recorded by the unpacker. */
static void tree_unpack(mgl_unpacker *file, mgl_saved_quasi *quasi)
{
    enum { LEAST = 20 }; /* bytes that are packed for a label */
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
    tree->saved_labels = mgl_unpack_room(file, quasi->n_labels, sizeof *tree->saved_labels);
    if (mgl_unpack_goes_on(file))
        mgl_unpack_u32s(file, tree->leaf_of, quasi->n_leaves, tree->n_leaves);
    for (uint32_t i = 0; mgl_unpack_goes_on(file) && i < quasi->n_labels; i++)
        unpack_label(file, tree, &tree->saved_labels[i]);
    quasi->tree = tree;
}

static void saved_items_pack(mgl_buffer *out, const mgl_saved_items *items)
{
    mgl_pack_text(out, mgl_span_of(items->column));
    mgl_pack_text(out, mgl_span_of(items->separator));
    mgl_pack_u32(out, items->n_leaves);
    mgl_pack_u64(out, items->n_labels);
    for (size_t i = 0; i < items->n_labels; i++) {
        mgl_pack_text(out, items->labels[i]);
        mgl_pack_u32(out, items->leaves[i]);
    }
    mgl_pack_u64(out, items->n_items);
    for (size_t i = 0; i < items->n_items; i++) {
        mgl_pack_text(out, items->items[i]);
        mgl_pack_u32(out, items->label_of[i]);
    }
}

static mgl_span kept_text(mgl_unpacker *file)
{
    const char *text = mgl_unpack_kept(file);
    return mgl_span_of(text != NULL ? text : "");
}

/* Failures are recorded by the unpacker; *out stays as it is then. */
static void saved_items_unpack(mgl_unpacker *file, mgl_saved_items **out)
{
    enum { LEAST = 8 }; /* bytes of an entry */
    mgl_saved_items *items = mgl_unpack_room(file, 1, sizeof *items);
    if (items == NULL)
        return;
    items->column = mgl_unpack_kept(file);
    items->separator = mgl_unpack_kept(file);
    items->n_leaves = mgl_unpack_u32(file);
    items->n_labels = mgl_unpack_count(file, LEAST);
    items->labels = mgl_unpack_room(file, items->n_labels, sizeof *items->labels);
    items->leaves = mgl_unpack_room(file, items->n_labels, sizeof *items->leaves);
    for (size_t i = 0; mgl_unpack_goes_on(file) && i < items->n_labels; i++) {
        items->labels[i] = kept_text(file);
        items->leaves[i] = mgl_unpack_u32(file);
        file->failed = file->failed || items->leaves[i] == 0 || items->leaves[i] > items->n_leaves;
    }
    items->n_items = mgl_unpack_count(file, LEAST);
    items->items = mgl_unpack_room(file, items->n_items, sizeof *items->items);
    items->label_of = mgl_unpack_room(file, items->n_items, sizeof *items->label_of);
    for (size_t i = 0; mgl_unpack_goes_on(file) && i < items->n_items; i++) {
        items->items[i] = kept_text(file);
        uint32_t label = items->label_of[i] = mgl_unpack_u32(file);
        file->failed = file->failed || (label != MGL_NOT_FOUND && label >= items->n_labels);
    }
    if (mgl_unpack_goes_on(file))
        *out = items;
}

static const char KIND[] = "MGLRECOD";

static void pack_quasi(mgl_buffer *out, const mgl_saved_quasi *quasi)
{
    uint32_t n = mgl_dictionary_size(quasi->ground);
    mgl_pack_text(out, mgl_span_of(quasi->name));
    mgl_pack_u32(out, quasi->n_leaves);
    mgl_pack_u32(out, mgl_dictionary_missing(quasi->ground));
    mgl_pack_u64(out, n);
    for (uint32_t code = 0; code < n; code++) {
        mgl_pack_text(out, mgl_dictionary_value(quasi->ground, code));
        mgl_pack_u32(out, quasi->leaf_of_code[code]);
    }
    mgl_pack_u64(out, quasi->n_labels);
    for (uint32_t i = 0; i < quasi->n_labels; i++)
        mgl_pack_text(out, quasi->labels[i]);
    mgl_pack_u32(out, quasi->top);
}

mgl_status mgl_saved_recoding_pack(const mgl_saved_recoding *saved, mgl_error *err, mgl_buffer *out)
{
    mgl_pack_begin(out, KIND);
    mgl_pack_text(out, mgl_span_of(saved->version));
    mgl_pack_text(out, mgl_span_of(saved->method));
    mgl_pack_text(out, mgl_span_of(saved->job));
    mgl_pack_u32(out, saved->drops);
    mgl_pack_u64(out, saved->n_rows);
    mgl_pack_columns(out, saved->columns, saved->roles, saved->n_columns);
    mgl_pack_u64(out, saved->n_counted);
    for (size_t i = 0; i < saved->n_counted; i++)
        mgl_pack_text(out, mgl_span_of(saved->counted[i]));
    mgl_pack_u64(out, saved->n_quasi);
    for (size_t a = 0; a < saved->n_quasi; a++)
        pack_quasi(out, &saved->quasi[a]);
    mgl_pack_u64(out, saved->n_tuples);
    for (size_t a = 0; a < saved->n_quasi; a++)
        mgl_pack_u32s(out, saved->leaves[a], saved->n_tuples);
    for (size_t a = 0; a < saved->n_quasi; a++)
        mgl_pack_u32s(out, saved->released[a], saved->n_tuples);
    mgl_pack_u32s(out, saved->suppressed, saved->n_tuples);
    mgl_pack_u64s(out, saved->counts, saved->n_tuples);
    mgl_pack_u64(out, saved->n_parts);
    for (size_t i = 0; i < saved->n_parts; i++) {
        mgl_pack_u64(out, saved->parts[i].n_records);
        mgl_pack_u64(out, saved->parts[i].low);
        mgl_pack_u64(out, saved->parts[i].high);
    }
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->quasi[a].tree != NULL)
            tree_pack(out, &saved->quasi[a]);
    if (saved->items != NULL)
        saved_items_pack(out, saved->items);
    return mgl_pack_end(out, err);
}

typedef struct reader {
    mgl_unpacker file;
    mgl_saved_recoding *saved;
} reader;

static void read_ground(reader *r, mgl_saved_quasi *quasi)
{
    enum { LEAST = 8 }; /* bytes of a value in the file */
    quasi->n_leaves = mgl_unpack_u32(&r->file);
    uint32_t missing = mgl_unpack_u32(&r->file);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    r->file.failed =
        r->file.failed || quasi->n_leaves > n || (missing != MGL_NOT_FOUND && missing >= n);
    quasi->ground = mgl_dictionary_new();
    quasi->leaf_of_code = mgl_unpack_room(&r->file, n, sizeof *quasi->leaf_of_code);
    r->file.out_of_memory = r->file.out_of_memory || quasi->ground == NULL;
    for (size_t i = 0; mgl_unpack_goes_on(&r->file) && i < n; i++) {
        mgl_span text = mgl_unpack_text(&r->file);
        uint32_t code = i == missing ? mgl_dictionary_add_missing(quasi->ground, text)
                                     : mgl_dictionary_add(quasi->ground, text);
        r->file.out_of_memory = r->file.out_of_memory || code == MGL_NOT_FOUND;
        r->file.failed = r->file.failed || code != i;
        mgl_unpack_u32s(&r->file, &quasi->leaf_of_code[i], 1, quasi->n_leaves);
    }
}

static void read_quasi(reader *r, mgl_saved_quasi *quasi)
{
    enum { LEAST = 4 };
    quasi->name = mgl_unpack_kept(&r->file);
    read_ground(r, quasi);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    mgl_span *labels = mgl_unpack_room(&r->file, n, sizeof *labels);
    for (size_t i = 0; mgl_unpack_goes_on(&r->file) && i < n; i++) {
        const char *text = mgl_unpack_kept(&r->file);
        labels[i] = mgl_span_of(text != NULL ? text : "");
    }
    quasi->n_labels = (uint32_t)n;
    quasi->labels = labels;
    mgl_unpack_u32s(&r->file, &quasi->top, 1, quasi->n_labels);
}

static void read_columns(reader *r)
{
    mgl_saved_recoding *saved = r->saved;
    saved->n_columns = mgl_unpack_columns(&r->file, &saved->columns, &saved->roles);
    saved->n_counted = mgl_unpack_count(&r->file, sizeof(uint32_t));
    saved->counted = mgl_unpack_room(&r->file, saved->n_counted, sizeof *saved->counted);
    for (size_t i = 0; mgl_unpack_goes_on(&r->file) && i < saved->n_counted; i++)
        saved->counted[i] = mgl_unpack_kept(&r->file);
}

static void read_tuples(reader *r)
{
    mgl_saved_recoding *saved = r->saved;
    size_t n = mgl_unpack_count(&r->file, 12 + 8 * saved->n_quasi);
    saved->n_tuples = n;
    saved->leaves = mgl_unpack_room(&r->file, saved->n_quasi, sizeof *saved->leaves);
    saved->released = mgl_unpack_room(&r->file, saved->n_quasi, sizeof *saved->released);
    for (size_t a = 0; mgl_unpack_goes_on(&r->file) && a < saved->n_quasi; a++) {
        saved->leaves[a] = mgl_unpack_room(&r->file, n, sizeof **saved->leaves);
        if (mgl_unpack_goes_on(&r->file))
            mgl_unpack_u32s(&r->file, saved->leaves[a], n, saved->quasi[a].n_leaves);
    }
    for (size_t a = 0; mgl_unpack_goes_on(&r->file) && a < saved->n_quasi; a++) {
        saved->released[a] = mgl_unpack_room(&r->file, n, sizeof **saved->released);
        if (mgl_unpack_goes_on(&r->file))
            mgl_unpack_u32s(&r->file, saved->released[a], n, saved->quasi[a].n_labels);
    }
    saved->suppressed = mgl_unpack_room(&r->file, n, sizeof *saved->suppressed);
    saved->counts = mgl_unpack_room(&r->file, n, sizeof *saved->counts);
    if (!mgl_unpack_goes_on(&r->file))
        return;
    mgl_unpack_u32s(&r->file, saved->suppressed, n, 2);
    mgl_unpack_counts(&r->file, saved->counts, n);
}

static void read_parts(reader *r)
{
    mgl_saved_recoding *saved = r->saved;
    saved->n_parts = mgl_unpack_count(&r->file, sizeof *saved->parts);
    saved->parts = mgl_unpack_room(&r->file, saved->n_parts, sizeof *saved->parts);
    for (size_t i = 0; mgl_unpack_goes_on(&r->file) && i < saved->n_parts; i++) {
        saved->parts[i].n_records = mgl_unpack_u64(&r->file);
        saved->parts[i].low = mgl_unpack_u64(&r->file);
        saved->parts[i].high = mgl_unpack_u64(&r->file);
    }
}

static void read_all(reader *r)
{
    enum { LEAST = 40 };
    mgl_saved_recoding *saved = r->saved;
    uint32_t drops = 0;
    saved->version = mgl_unpack_kept(&r->file);
    saved->method = mgl_unpack_kept(&r->file);
    saved->job = mgl_unpack_kept(&r->file);
    mgl_unpack_u32s(&r->file, &drops, 1, 2);
    saved->drops = drops == 1;
    saved->n_rows = mgl_unpack_u64(&r->file);
    read_columns(r);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    saved->quasi = mgl_unpack_room(&r->file, n, sizeof *saved->quasi);
    for (size_t a = 0; mgl_unpack_goes_on(&r->file) && a < n; a++) {
        saved->n_quasi = a + 1; /* so many have a dictionary to free */
        read_quasi(r, &saved->quasi[a]);
    }
    if (mgl_unpack_goes_on(&r->file))
        read_tuples(r);
    if (mgl_unpack_goes_on(&r->file))
        read_parts(r);
    bool trees = r->file.at < r->file.end;
    for (size_t a = 0; trees && mgl_unpack_goes_on(&r->file) && a < saved->n_quasi; a++)
        tree_unpack(&r->file, &saved->quasi[a]);
    if (mgl_unpack_goes_on(&r->file) && r->file.at < r->file.end)
        saved_items_unpack(&r->file, &saved->items);
}

mgl_status mgl_saved_recoding_read(const char *path, mgl_error *err, mgl_saved_recoding **out)
{
    reader r = {.saved = mgl_zeroed_array(1, sizeof *r.saved)};
    MGL_TRY(mgl_check_memory(r.saved != NULL, err));
    r.saved->arena = mgl_arena_new();
    mgl_status status =
        r.saved->arena == NULL
            ? mgl_fail_memory(err)
            : mgl_unpack_begin(&r.file, path, KIND, "a recoding that `save-recoding` wrote",
                               r.saved->arena, err);
    if (status == MGL_OK) {
        read_all(&r);
        status = mgl_unpack_check(&r.file, err);
        mgl_unpack_end(&r.file);
    }
    if (status != MGL_OK) {
        mgl_saved_recoding_free(r.saved);
        return status;
    }
    *out = r.saved;
    return MGL_OK;
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
