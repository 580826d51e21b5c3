/* A quick look at the classes of a node: sums of rows by a short hash of the masked key. Classes
 * that meet in a slot make its sum too large, never too small: where the sum is too small, so are
 * they, and most nodes need no second look. */
#ifndef MGL_SEARCH_BOX_ROW_FILTER_H
#define MGL_SEARCH_BOX_ROW_FILTER_H

#include "base/base.h"

#include <string.h>

typedef struct mgl_row_filter {
    uint32_t *rows; /* [slots] */
    unsigned shift; /* of hashes, to slots */
    unsigned most_bits;
} mgl_row_filter;

enum {
    MGL_ROW_FILTER_LEAST = 8, /* bits */
    MGL_ROW_FILTER_MOST = 20,
    MGL_ROW_FILTER_SPARE = 8 /* slots for each class of just enough rows */
};

/* For up to n records. */
static inline mgl_status mgl_row_filter_init(mgl_row_filter *filter, size_t n, mgl_error *err)
{
    filter->most_bits = MGL_ROW_FILTER_LEAST;
    while (filter->most_bits < MGL_ROW_FILTER_MOST && (size_t)1 << filter->most_bits < 2 * n)
        filter->most_bits++;
    filter->rows = mgl_alloc_array((size_t)1 << filter->most_bits, sizeof *filter->rows);
    return filter->rows != NULL ? MGL_OK : mgl_fail_memory(err);
}

static inline void mgl_row_filter_free(mgl_row_filter *filter)
{
    mgl_free(filter->rows);
    filter->rows = NULL;
}

/* Before n records are added of which classes of `need` rows are looked for. */
static inline void mgl_row_filter_clear(mgl_row_filter *filter, size_t n, uint32_t need)
{
    unsigned bits = MGL_ROW_FILTER_LEAST;
    while (bits < filter->most_bits &&
           ((uint64_t)need << bits) < (uint64_t)n * MGL_ROW_FILTER_SPARE)
        bits++;
    filter->shift = 64 - bits;
    memset(filter->rows, 0, ((size_t)1 << bits) * sizeof *filter->rows);
}

MGL_SPECIALIZE size_t mgl_row_filter_slot(const mgl_row_filter *filter, const uint64_t *key,
                                          const uint64_t *mask, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++)
        hash = (hash ^ (key[w] & mask[w])) * UINT64_C(0x9E3779B97F4A7C15);
    return hash >> filter->shift;
}

#endif
