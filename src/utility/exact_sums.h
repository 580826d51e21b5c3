/* Sums over classes that come out the same to the last bit in whatever order the classes are added:
 * equal releases tie, and a search may add the classes as it meets them. */
#ifndef MGL_UTILITY_EXACT_SUMS_H
#define MGL_UTILITY_EXACT_SUMS_H

#include "recoding/recoding.h"

typedef unsigned __int128 mgl_whole_sum;

enum { MGL_SMALL_SIZES = 128 }; /* whose terms are worked out once: most classes are small */

/* |E| log2 |E| in units of 2^-51. From 2 on the product is a whole number of these, as a double. */
typedef struct mgl_log_terms {
    uint64_t small[MGL_SMALL_SIZES]; /* 0: not known yet */
} mgl_log_terms;

mgl_whole_sum mgl_log_term_of(uint64_t size);

static inline mgl_whole_sum mgl_log_term(mgl_log_terms *terms, uint64_t size)
{
    if (size <= 1)
        return 0;
    if (size >= MGL_SMALL_SIZES)
        return mgl_log_term_of(size);
    if (terms->small[size] == 0)
        terms->small[size] = (uint64_t)mgl_log_term_of(size);
    return terms->small[size];
}

static inline double mgl_log_sum_value(mgl_whole_sum sum)
{
    return (double)sum * 0x1p-51;
}

/* Can the products of leaves of all rows be added as whole numbers? */
bool mgl_products_are_whole(const mgl_released_column *const *columns, size_t n_attributes,
                            uint64_t n_rows);

#endif
