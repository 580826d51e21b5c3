/* Random choices whose probabilities are exact: all numbers are whole, and nothing is rounded, so
 * that no digit of a floating-point number can tell tables apart (Canonne, Kamath, Steinke 2020,
 * algorithm 1, for exp(-x); docs/differential-privacy.md#choosing-levels). */
#include "differential/differential.h"

static bool happens(mgl_random *random, uint64_t numerator, uint64_t denominator)
{
    return mgl_random_below(random, denominator) < numerator;
}

/* exp(-x) for x <= 1: in a row of events with the probabilities x/1, x/2, x/3, ... the first that
 * does not happen has an odd number. */
static bool below_one(mgl_random *random, uint64_t numerator, uint64_t denominator)
{
    uint64_t number = 1;
    while (happens(random, numerator, denominator) && happens(random, 1, number))
        number++;
    return number % 2 == 1;
}

/* exp(-(choosing / 2^20) * below / sensitivity), where the product may need more than 64 bits: a
 * power of exp(-1) and what is left. */
static bool is_kept(mgl_random *random, uint64_t choosing, uint64_t below, uint64_t sensitivity)
{
    unsigned __int128 numerator = (unsigned __int128)choosing * below;
    uint64_t denominator = sensitivity * MGL_EXPONENT_ONE;
    for (; numerator > denominator; numerator -= denominator)
        if (!below_one(random, 1, 1))
            return false;
    return below_one(random, (uint64_t)numerator, denominator);
}

/* Draws evenly and keeps what was drawn with a probability that the best score has as 1: what is
 * kept has the probabilities asked for, whatever is best. */
size_t mgl_random_by_score(mgl_random *random, uint64_t choosing, uint64_t sensitivity,
                           const uint64_t *scores, size_t n)
{
    uint64_t best = 0;
    for (size_t i = 0; i < n; i++)
        best = scores[i] > best ? scores[i] : best;
    for (;;) {
        size_t i = (size_t)mgl_random_below(random, n);
        if (is_kept(random, choosing, best - scores[i], sensitivity))
            return i;
    }
}
