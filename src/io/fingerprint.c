/* Makes a sum over the records of a table that does not depend on their order, so that a slice can
 * be known again however its rows are sorted. `count`, `apply` and saved recodings call it. */
#include "io/io.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MISSING_SEED = 1 }; /* a missing cell is not the text it is written as */

/* The hash of each value of a column. */
static uint64_t *hash_values(const mgl_column *column)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint64_t *hashes = mgl_alloc_array(n, sizeof *hashes);
    for (uint32_t code = 0; hashes != NULL && code < n; code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        hashes[code] = code == mgl_dictionary_missing(column->dictionary)
                           ? XXH3_64bits_withSeed("", 0, MISSING_SEED)
                           : XXH3_64bits(value.data, value.size);
    }
    return hashes;
}

/* Columns whose values are hashed. */
typedef struct hashed {
    const mgl_column *const *columns;
    size_t n_columns;
    uint64_t **hashes; /* [n_columns][code] */
    uint64_t *row;     /* [n_columns] room for those of one row */
} hashed;

static mgl_status add_rows(const hashed *h, size_t n_rows, const uint64_t *times, mgl_error *err,
                           mgl_fingerprint *out)
{
    size_t first = 0, in_memory = 0;
    for (size_t r = 0; r < n_rows; r++) {
        uint64_t n = times != NULL ? times[r] : 1;
        if (h->n_columns > 0 && r - first >= in_memory)
            MGL_TRY(mgl_column_reach(h->columns[0], r, err, &first, &in_memory));
        for (size_t c = 0; c < h->n_columns; c++)
            h->row[c] = h->hashes[c][mgl_column_code(h->columns[c], r - first)];
        XXH128_hash_t hash = XXH3_128bits(h->row, h->n_columns * sizeof *h->row);
        out->n_records += n;
        out->low += hash.low64 * n;
        out->high += hash.high64 * n;
    }
    return MGL_OK;
}

mgl_status mgl_fingerprint_of(const mgl_column *const *columns, size_t n_columns, size_t n_rows,
                              const uint64_t *times, mgl_error *err, mgl_fingerprint *out)
{
    *out = (mgl_fingerprint){0};
    hashed h = {columns, n_columns, mgl_zeroed_array(n_columns, sizeof *h.hashes),
                mgl_alloc_array(n_columns, sizeof *h.row)};
    bool whole = h.hashes != NULL && h.row != NULL;
    for (size_t c = 0; whole && c < n_columns; c++)
        whole = (h.hashes[c] = hash_values(columns[c])) != NULL;
    mgl_status status = whole ? add_rows(&h, n_rows, times, err, out) : mgl_fail_memory(err);
    for (size_t c = 0; h.hashes != NULL && c < n_columns; c++)
        mgl_free(h.hashes[c]);
    mgl_free(h.hashes);
    mgl_free(h.row);
    return status;
}
