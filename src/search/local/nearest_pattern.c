/* Makes a pattern from the nearest neighbours of a tuple: the cheapest difference first, until
 * enough rows match, then without the columns that were not needed. give_patterns.c calls it. */
#include "search/local/patterns.h"

/* Rows that match by this pattern; *best is the neighbour that would cost least to match as well,
 * or SIZE_MAX. */
static uint64_t count(const mgl_local *l, const uint32_t *apart, size_t n, size_t step,
                      uint32_t pattern, size_t *best)
{
    uint64_t rows = 0, least = UINT64_MAX;
    *best = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t more = apart[i] & ~pattern;
        if (l->gone[i * step])
            continue;
        if (more == 0) {
            rows += l->weights[i * step];
        } else if ((more & ~l->free) == 0 && mgl_local_price(l, more) < least) {
            least = mgl_local_price(l, more);
            *best = i;
        }
    }
    return rows;
}

uint32_t mgl_local_near(const mgl_local *l, uint32_t columns, size_t t, uint32_t *apart)
{
    /* In a large table every so many tuples, and whatever is equal to the tuple is left out if it
     * is not among them: rows that match are then more than are counted. */
    size_t step = (l->space->n + MGL_LOCAL_NEAR - 1) / MGL_LOCAL_NEAR;
    size_t n = (l->space->n + step - 1) / step, best;
    uint32_t pattern = l->patterns[t] & columns;
    for (size_t i = 0; i < n; i++)
        apart[i] = mgl_local_differ(l, t, i * step) & columns & ~l->given[i * step];
    while (count(l, apart, n, step, pattern, &best) < l->need) {
        if (best == SIZE_MAX)
            return l->whole;
        pattern |= apart[best];
    }
    for (uint32_t a = UINT32_C(1) << 31; a != 0; a >>= 1) {
        uint32_t less = pattern & ~a;
        if (less != pattern && (a & l->patterns[t]) == 0 &&
            count(l, apart, n, step, less, &best) >= l->need)
            pattern = less;
    }
    return pattern;
}
