/* One value in several spellings: "Male", "male ", "MALE". */
#include "profile/parts.h"

#include <stdlib.h>

/* Small letters, no blanks at the ends, one blank for several. */
static uint64_t hash_folded(mgl_span value, mgl_buffer *folded)
{
    mgl_span text = mgl_span_trim(value);
    folded->size = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool blank = c == ' ' || c == '\t';
        if (blank && folded->size > 0 && folded->data[folded->size - 1] == ' ')
            continue;
        c = blank ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        mgl_buffer_append(folded, &c, 1);
    }
    return mgl_hash(folded->data, folded->size);
}

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
    mgl_buffer folded = {0};
    size_t n = 0;
    if (hashes == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < n_codes && !folded.failed; code++)
        if (code != missing && rows[code] > 0)
            hashes[n++] = hash_folded(mgl_dictionary_value(values, code), &folded);
    if (n > 1)
        qsort(hashes, n, sizeof *hashes, compare);
    for (size_t i = 0; i < n; i++)
        found += (i > 0 && hashes[i] == hashes[i - 1]) || (i + 1 < n && hashes[i] == hashes[i + 1]);
    mgl_status status = folded.failed ? mgl_fail_memory(err) : MGL_OK;
    mgl_buffer_free(&folded);
    mgl_free(hashes);
    if (status == MGL_OK)
        *out = found;
    return status;
}
