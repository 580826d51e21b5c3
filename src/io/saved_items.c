/* Reads and writes what a saved recoding says of sets of items. saved.c calls it. */
#include "io/saved_items.h"

void mgl_saved_items_pack(mgl_buffer *out, const mgl_saved_items *items)
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

void mgl_saved_items_unpack(mgl_unpacker *file, mgl_saved_items **out)
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
