/* A recoding as a file. The order of its parts is told in docs/files.md. */
#include "io/io.h"
#include "io/packed.h"

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
    mgl_pack_u64(out, saved->n_columns);
    for (size_t c = 0; c < saved->n_columns; c++) {
        mgl_pack_text(out, mgl_span_of(saved->columns[c]));
        mgl_pack_u32(out, saved->roles[c]);
    }
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
    return mgl_pack_end(out, err);
}

/* ---- Reading ---------------------------------------------------------------------- */

typedef struct reader {
    mgl_unpacker file;
    mgl_saved_recoding *saved;
    bool out_of_memory;
} reader;

static void *take(reader *r, size_t n, size_t size)
{
    void *data = mgl_arena_alloc(r->saved->arena, n * size);
    r->out_of_memory = r->out_of_memory || data == NULL;
    if (data != NULL)
        memset(data, 0, n * size);
    return data;
}

static const char *take_text(reader *r)
{
    mgl_span text = mgl_unpack_text(&r->file);
    const char *copy = mgl_arena_copy(r->saved->arena, text.data, text.size);
    r->out_of_memory = r->out_of_memory || copy == NULL;
    return copy;
}

static bool going_on(const reader *r)
{
    return !r->file.failed && !r->out_of_memory;
}

static void read_ground(reader *r, mgl_saved_quasi *quasi)
{
    enum { LEAST = 8 }; /* bytes of a value in the file */
    quasi->n_leaves = mgl_unpack_u32(&r->file);
    uint32_t missing = mgl_unpack_u32(&r->file);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    r->file.failed =
        r->file.failed || quasi->n_leaves > n || (missing != MGL_NOT_FOUND && missing >= n);
    quasi->ground = mgl_dictionary_new();
    quasi->leaf_of_code = take(r, n, sizeof *quasi->leaf_of_code);
    r->out_of_memory = r->out_of_memory || quasi->ground == NULL;
    for (size_t i = 0; going_on(r) && i < n; i++) {
        mgl_span text = mgl_unpack_text(&r->file);
        uint32_t code = i == missing ? mgl_dictionary_add_missing(quasi->ground, text)
                                     : mgl_dictionary_add(quasi->ground, text);
        r->out_of_memory = r->out_of_memory || code == MGL_NOT_FOUND;
        r->file.failed = r->file.failed || code != i;
        mgl_unpack_u32s(&r->file, &quasi->leaf_of_code[i], 1, quasi->n_leaves);
    }
}

static void read_quasi(reader *r, mgl_saved_quasi *quasi)
{
    enum { LEAST = 4 };
    quasi->name = take_text(r);
    read_ground(r, quasi);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    mgl_span *labels = take(r, n, sizeof *labels);
    for (size_t i = 0; going_on(r) && i < n; i++) {
        const char *text = take_text(r);
        labels[i] = mgl_span_of(text != NULL ? text : "");
    }
    quasi->n_labels = (uint32_t)n;
    quasi->labels = labels;
    mgl_unpack_u32s(&r->file, &quasi->top, 1, quasi->n_labels);
}

static void read_columns(reader *r)
{
    enum { LEAST = 8 };
    mgl_saved_recoding *saved = r->saved;
    saved->n_columns = mgl_unpack_count(&r->file, LEAST);
    saved->columns = take(r, saved->n_columns, sizeof *saved->columns);
    saved->roles = take(r, saved->n_columns, sizeof *saved->roles);
    for (size_t c = 0; going_on(r) && c < saved->n_columns; c++) {
        uint32_t role = 0;
        saved->columns[c] = take_text(r);
        mgl_unpack_u32s(&r->file, &role, 1, MGL_ROLES);
        saved->roles[c] = (mgl_role)role;
    }
    saved->n_counted = mgl_unpack_count(&r->file, sizeof(uint32_t));
    saved->counted = take(r, saved->n_counted, sizeof *saved->counted);
    for (size_t i = 0; going_on(r) && i < saved->n_counted; i++)
        saved->counted[i] = take_text(r);
}

static void read_tuples(reader *r)
{
    mgl_saved_recoding *saved = r->saved;
    size_t n = mgl_unpack_count(&r->file, 12 + 8 * saved->n_quasi);
    saved->n_tuples = n;
    saved->leaves = take(r, saved->n_quasi, sizeof *saved->leaves);
    saved->released = take(r, saved->n_quasi, sizeof *saved->released);
    for (size_t a = 0; going_on(r) && a < saved->n_quasi; a++) {
        saved->leaves[a] = take(r, n, sizeof **saved->leaves);
        if (going_on(r))
            mgl_unpack_u32s(&r->file, saved->leaves[a], n, saved->quasi[a].n_leaves);
    }
    for (size_t a = 0; going_on(r) && a < saved->n_quasi; a++) {
        saved->released[a] = take(r, n, sizeof **saved->released);
        if (going_on(r))
            mgl_unpack_u32s(&r->file, saved->released[a], n, saved->quasi[a].n_labels);
    }
    saved->suppressed = take(r, n, sizeof *saved->suppressed);
    saved->counts = take(r, n, sizeof *saved->counts);
    if (!going_on(r))
        return;
    mgl_unpack_u32s(&r->file, saved->suppressed, n, 2);
    mgl_unpack_counts(&r->file, saved->counts, n);
}

static void read_parts(reader *r)
{
    mgl_saved_recoding *saved = r->saved;
    saved->n_parts = mgl_unpack_count(&r->file, sizeof *saved->parts);
    saved->parts = take(r, saved->n_parts, sizeof *saved->parts);
    for (size_t i = 0; going_on(r) && i < saved->n_parts; i++) {
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
    saved->version = take_text(r);
    saved->method = take_text(r);
    saved->job = take_text(r);
    mgl_unpack_u32s(&r->file, &drops, 1, 2);
    saved->drops = drops == 1;
    saved->n_rows = mgl_unpack_u64(&r->file);
    read_columns(r);
    size_t n = mgl_unpack_count(&r->file, LEAST);
    saved->quasi = take(r, n, sizeof *saved->quasi);
    for (size_t a = 0; going_on(r) && a < n; a++) {
        saved->n_quasi = a + 1; /* so many have a dictionary to free */
        read_quasi(r, &saved->quasi[a]);
    }
    if (going_on(r))
        read_tuples(r);
    if (going_on(r))
        read_parts(r);
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
            : mgl_unpack_begin(&r.file, path, KIND, "a recoding that --save-recoding wrote", err);
    if (status == MGL_OK) {
        read_all(&r);
        status = r.out_of_memory ? mgl_fail_memory(err) : mgl_unpack_check(&r.file, err);
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
