/* Counts values that are one in several spellings: "Male", "male ", "MALE", as --trim and
 * --fold-case make one of them. profile.c calls it. */
#include "profile/looks.h"

#include <stdlib.h>

static int compare(const void *p, const void *q)
{
    uint64_t x, y;
    memcpy(&x, p, sizeof x);
    memcpy(&y, q, sizeof y);
    return (x > y) - (x < y);
}

mgl_status mgl_count_variants(const mgl_dictionary *values, const uint64_t *rows, mgl_error *err,
                              uint64_t *out)
{
    uint32_t n_codes = mgl_dictionary_size(values), missing = mgl_dictionary_missing(values);
    uint64_t *hashes = mgl_alloc_array(n_codes, sizeof *hashes), found = 0;
    mgl_buffer key = {0};
    size_t n = 0;
    bool memory = true;
    if (hashes == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < n_codes && memory; code++) {
        if (code == missing || rows[code] == 0)
            continue;
        memory = mgl_spelling_key((mgl_spelling){.trim = true, .fold_case = true},
                                  mgl_dictionary_value(values, code), &key);
        hashes[n++] = mgl_hash(key.data, key.size);
    }
    if (n > 1)
        qsort(hashes, n, sizeof *hashes, compare);
    for (size_t i = 0; i < n; i++)
        found += (i > 0 && hashes[i] == hashes[i - 1]) || (i + 1 < n && hashes[i] == hashes[i + 1]);
    mgl_status status = memory ? MGL_OK : mgl_fail_memory(err);
    mgl_buffer_free(&key);
    mgl_free(hashes);
    if (status == MGL_OK)
        *out = found;
    return status;
}
