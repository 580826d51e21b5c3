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

static mgl_status add_rows(const mgl_column *const *columns, uint64_t *const *hashes,
                           size_t n_columns, size_t n_rows, const uint64_t *times, uint64_t *row,
                           mgl_error *err, mgl_fingerprint *out)
{
    size_t first = 0, in_memory = 0;
    for (size_t r = 0; r < n_rows; r++) {
        uint64_t n = times != NULL ? times[r] : 1;
        if (n_columns > 0 && r - first >= in_memory)
            MGL_TRY(mgl_column_reach(columns[0], r, err, &first, &in_memory));
        for (size_t c = 0; c < n_columns; c++)
            row[c] = hashes[c][mgl_column_code(columns[c], r - first)];
        XXH128_hash_t hash = XXH3_128bits(row, n_columns * sizeof *row);
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
    uint64_t **hashes = mgl_zeroed_array(n_columns, sizeof *hashes);
    uint64_t *row = mgl_alloc_array(n_columns, sizeof *row);
    bool whole = hashes != NULL && row != NULL;
    for (size_t c = 0; whole && c < n_columns; c++)
        whole = (hashes[c] = hash_values(columns[c])) != NULL;
    mgl_status status = whole ? add_rows(columns, hashes, n_columns, n_rows, times, row, err, out)
                              : mgl_fail_memory(err);
    for (size_t c = 0; hashes != NULL && c < n_columns; c++)
        mgl_free(hashes[c]);
    mgl_free(hashes);
    mgl_free(row);
    return status;
}
