/* Counts equal rows of a release: there are far fewer different ones than rows. collect.c calls it
 * for a share of a stripe. */
#include "verify/row_counts.h"

enum { FIRST_SLOTS = 4096, STEP = 4 };

/* Rows may differ in their highest bits only, and slots are taken from the lowest: the halves are
 * folded before and after the multiplication. */
MGL_SPECIALIZE uint64_t hash_of(const uint64_t *row, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++) {
        hash ^= row[w];
        hash = (hash ^ hash >> 32) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return hash;
}

MGL_SPECIALIZE bool same_row(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ |= a[w] ^ b[w];
    return differ == 0;
}

/* Where the row is, or the free slot where it belongs. */
MGL_SPECIALIZE uint64_t *find_slot(const mgl_row_counts *counts, const uint64_t *row, size_t words)
{
    size_t slot = hash_of(row, words) & (counts->n_slots - 1);
    for (;; slot = (slot + 1) & (counts->n_slots - 1)) {
        uint64_t *at = counts->slots + slot * (words + 1);
        if (at[words] == 0 || same_row(at, row, words))
            return at;
    }
}

static bool widen(mgl_row_counts *counts)
{
    size_t words = counts->n_words, width = words + 1, n_old = counts->n_slots;
    size_t n_slots = n_old > 0 ? STEP * n_old : FIRST_SLOTS;
    uint64_t *old = counts->slots, *slots = mgl_zeroed_array(n_slots, width * sizeof *slots);
    if (slots == NULL)
        return false;
    counts->slots = slots;
    counts->n_slots = n_slots;
    for (size_t i = 0; i < n_old; i++) {
        const uint64_t *from = old + i * width;
        if (from[words] != 0)
            memcpy(find_slot(counts, from, words), from, width * sizeof *from);
    }
    mgl_free(old);
    return true;
}

/* words is a constant where this is inlined. */
MGL_SPECIALIZE void count(mgl_row_counts *counts, const uint64_t *rows, size_t n, size_t words)
{
    const mgl_row_counts copy = *counts; /* which stores into the slots cannot change */
    size_t fresh = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t *row = rows + i * words;
        uint64_t *slot = find_slot(&copy, row, words);
        fresh += slot[words] == 0;
        memcpy(slot, row, words * sizeof *row);
        slot[words]++;
    }
    counts->n += fresh;
}

bool mgl_row_counts_add(mgl_row_counts *counts, const uint64_t *rows, size_t n)
{
    while ((counts->n + n) * 2 > counts->n_slots)
        if (!widen(counts))
            return false;
    if (counts->n_words == 1)
        count(counts, rows, n, 1);
    else
        count(counts, rows, n, counts->n_words);
    return true;
}

void mgl_row_counts_gather(mgl_row_counts *counts)
{
    size_t width = counts->n_words + 1, n = 0;
    for (size_t i = 0; i < counts->n_slots; i++) {
        const uint64_t *slot = counts->slots + i * width;
        if (slot[width - 1] != 0)
            memmove(counts->slots + n++ * width, slot, width * sizeof *slot);
    }
}
