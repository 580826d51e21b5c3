/* The sample of a table, without the rows whose combination of released cells is too rare in it:
 * the whole of what becomes of rows (docs/differential-privacy.md#the-mechanism). */
#include "differential/differential.h"

uint64_t mgl_sample_rows(mgl_random *random, const mgl_sampling *sampling,
                         const mgl_rows_in_classes *rows, uint64_t *bits, uint64_t *sizes)
{
    uint64_t n = 0;
    for (size_t c = 0; c < rows->n_classes; c++)
        sizes[c] = 0;
    for (uint64_t row = 0; row < rows->n; row++) {
        bool taken = mgl_random_u32(random) < sampling->rate;
        uint64_t bit = UINT64_C(1) << row % 64;
        bits[row / 64] = (bits[row / 64] & ~bit) | (taken ? bit : 0);
        sizes[rows->class_of[row]] += taken;
    }
    for (uint64_t row = 0; row < rows->n; row++) {
        if (sizes[rows->class_of[row]] < sampling->k)
            bits[row / 64] &= ~(UINT64_C(1) << row % 64);
        n += bits[row / 64] >> row % 64 & 1;
    }
    return n;
}
