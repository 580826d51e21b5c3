/* Counts for each column the sets of columns that it is in. choose_cells.c calls it to find the
 * cell in most outliers. */
#include "search/argus/units.h"

enum { IN_WORD = 6 }; /* columns whose subsets are the bits of one word */

/* Bit i is set where i has bit p. */
static const uint64_t with_bit[IN_WORD] = {
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

/* Adds to a table of subsets, a bit each, those with one column more: the one at place p. */
static void close_upwards(uint64_t *table, size_t n_words, unsigned p)
{
    if (p < IN_WORD) {
        for (size_t w = 0; w < n_words; w++)
            table[w] |= (table[w] & ~with_bit[p]) << (1U << p);
        return;
    }
    size_t step = (size_t)1 << (p - IN_WORD);
    for (size_t w = 0; w < n_words; w++)
        if ((w & step) != 0)
            table[w] |= table[w ^ step];
}

/* How many subsets of a table have the column at place p. */
static uint64_t count_with(const uint64_t *table, size_t n_words, unsigned p)
{
    size_t step = p < IN_WORD ? 0 : (size_t)1 << (p - IN_WORD);
    uint64_t mask = p < IN_WORD ? with_bit[p] : UINT64_MAX, n = 0;
    for (size_t w = 0; w < n_words; w++)
        if ((w & step) == step)
            n += (uint64_t)__builtin_popcountll(table[w] & mask);
    return n;
}

/* Every subset of the columns as one bit: many sets are no more work than few. */
static uint64_t add_by_table(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *table,
                             uint64_t *counts)
{
    unsigned column[MGL_ARGUS_MOST_LIVE], n_columns = 0;
    for (uint64_t left = columns; left != 0; left &= left - 1)
        column[n_columns++] = first_of(left);
    size_t n_words = n_columns > IN_WORD ? (size_t)1 << (n_columns - IN_WORD) : 1;
    memset(table, 0, n_words * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        uint32_t number = 0;
        for (unsigned p = 0; p < n_columns; p++)
            number |= (uint32_t)(sets[i] >> column[p] & 1) << p;
        table[number >> IN_WORD] |= UINT64_C(1) << (number & 63);
    }
    for (unsigned p = 0; p < n_columns; p++)
        close_upwards(table, n_words, p);
    uint64_t subsets = 0;
    for (size_t w = 0; w < n_words; w++)
        subsets += (uint64_t)__builtin_popcountll(table[w]);
    for (unsigned p = 0; p < n_columns; p++)
        counts[column[p]] += count_with(table, n_words, p);
    return subsets;
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
 * are. Few sets are soon dealt with by looking first at the subsets with the commonest column, then
 * at those without it. */
static uint64_t add_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                              uint64_t *counts)
{
    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (sets[i] == 0 || n == 1)
            return add_one(sets[i], columns, counts);
    unsigned n_columns = (unsigned)__builtin_popcountll(columns);
    if (n_columns <= IN_WORD || n > 2 * n_columns)
        return add_by_table(sets, n, columns, scratch, counts);
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

size_t mgl_argus_count_room(size_t most_sets, size_t m)
{
    size_t columns = m < MGL_ARGUS_MOST_LIVE ? m : MGL_ARGUS_MOST_LIVE;
    size_t few = most_sets < 2 * columns ? most_sets : 2 * columns;
    return few * columns + ((size_t)1 << columns) / 64 + 1;
}
