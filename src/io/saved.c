/* Reads and writes a recoding as a file; docs/files.md tells the order in it. `anonymize
 * --save-recoding` writes it; `apply` and jobs with earlier releases read it. */
#include "io/io.h"
#include "io/packed.h"
#include "io/saved_items.h"
#include "io/saved_tree.h"

static const char KIND[] = "MGLRECOD";

/* ---- Writing ---------------------------------------------------------------------- */

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
            mgl_tree_pack(out, &saved->quasi[a]);
    if (saved->items != NULL)
        mgl_saved_items_pack(out, saved->items);
    return mgl_pack_end(out, err);
}

/* ---- Reading ---------------------------------------------------------------------- */

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
        mgl_tree_unpack(&r->file, &saved->quasi[a]);
    if (mgl_unpack_goes_on(&r->file) && r->file.at < r->file.end)
        mgl_saved_items_unpack(&r->file, &saved->items);
}

mgl_status mgl_saved_recoding_read(const char *path, mgl_error *err, mgl_saved_recoding **out)
{
    reader r = {.saved = mgl_zeroed_array(1, sizeof *r.saved)};
    if (r.saved == NULL)
        return mgl_fail_memory(err);
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
