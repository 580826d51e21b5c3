/* For each column the number of sets of columns that it is in. */
#include "search/argus.h"

enum { FEW = 6 }; /* columns whose subsets are the bits of one word */

/* Bit i is set where i has bit p. */
static const uint64_t with_bit[FEW] = {
    UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC), UINT64_C(0xF0F0F0F0F0F0F0F0),
    UINT64_C(0xFF00FF00FF00FF00), UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000),
};

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

void mgl_argus_count_sets(const uint64_t *sets, size_t n, uint64_t *counts)
{
    memset(counts, 0, MGL_ARGUS_COLUMNS * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        for (uint64_t left = sets[i]; left != 0; left &= left - 1)
            counts[first_of(left)]++;
}

/* All subsets of columns that contain this set. */
static uint64_t add_one(uint64_t set, uint64_t columns, uint64_t *counts)
{
    uint64_t free = columns & ~set;
    uint64_t n = UINT64_C(1) << __builtin_popcountll(free);
    for (uint64_t left = set; left != 0; left &= left - 1)
        counts[first_of(left)] += n;
    for (uint64_t left = free; left != 0; left &= left - 1)
        counts[first_of(left)] += n / 2;
    return n;
}

/* Few columns: every subset is one bit of a word. */
static uint64_t add_few(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *counts)
{
    unsigned column[FEW], n_columns = 0;
    for (uint64_t left = columns; left != 0; left &= left - 1)
        column[n_columns++] = first_of(left);
    uint64_t subsets = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned number = 0;
        for (unsigned p = 0; p < n_columns; p++)
            number |= (unsigned)(sets[i] >> column[p] & 1) << p;
        subsets |= UINT64_C(1) << number;
    }
    for (unsigned p = 0; p < n_columns; p++)
        subsets |= (subsets & ~with_bit[p]) << (1U << p);
    for (unsigned p = 0; p < n_columns; p++)
        counts[column[p]] += (uint64_t)__builtin_popcountll(subsets & with_bit[p]);
    return (uint64_t)__builtin_popcountll(subsets);
}

/* The column that is in most of the sets. */
static unsigned commonest(const uint64_t *sets, size_t n, uint64_t columns)
{
    unsigned chosen = 0;
    size_t most = 0;
    for (uint64_t left = columns; left != 0; left &= left - 1) {
        size_t in = 0;
        for (size_t i = 0; i < n; i++)
            in += sets[i] >> first_of(left) & 1;
        if (in > most) {
            most = in;
            chosen = first_of(left);
        }
    }
    return chosen;
}

/* Adds what the subsets of columns that contain one of the sets have, and returns how many they
 * are: first those with the commonest column, then those without it. */
static uint64_t add_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                              uint64_t *counts)
{
    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (sets[i] == 0 || n == 1)
            return add_one(sets[i], columns, counts);
    if (__builtin_popcountll(columns) <= FEW)
        return add_few(sets, n, columns, counts);
    unsigned a = commonest(sets, n, columns);
    uint64_t bit = UINT64_C(1) << a;
    size_t without = 0;
    for (size_t i = 0; i < n; i++)
        scratch[i] = sets[i] & ~bit;
    uint64_t with = add_supersets(scratch, n, columns & ~bit, scratch + n, counts);
    counts[a] += with;
    for (size_t i = 0; i < n; i++)
        if ((sets[i] & bit) == 0)
            scratch[without++] = sets[i];
    return with + add_supersets(scratch, without, columns & ~bit, scratch + without, counts);
}

void mgl_argus_count_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                               uint64_t *counts)
{
    memset(counts, 0, MGL_ARGUS_COLUMNS * sizeof *counts);
    add_supersets(sets, n, columns, scratch, counts);
}
