/* Counts the rows of a release that are alone with what they show: with the cells of some columns,
 * which are added one after the other. A row is kept as a hash of 64 bits, so that two different
 * rows among a hundred million are taken for one in about one of four thousand tables. */
#include "risk/risk.h"

#include <stdatomic.h>

struct mgl_alone {
    size_t n_rows;
    _Atomic uint64_t *hashes; /* [n_rows] 0: the row is not released */
};

mgl_status mgl_alone_new(size_t n_rows, mgl_error *err, mgl_alone **out)
{
    mgl_alone *alone;
    MGL_TRY(mgl_new_zeroed(1, sizeof *alone, err, &alone));
    alone->n_rows = n_rows;
    alone->hashes = mgl_zeroed_array(n_rows > 0 ? n_rows : 1, sizeof *alone->hashes);
    if (alone->hashes == NULL) {
        mgl_free(alone);
        return mgl_fail_memory(err);
    }
    *out = alone;
    return MGL_OK;
}

void mgl_alone_free(mgl_alone *alone)
{
    if (alone == NULL)
        return;
    mgl_free((void *)alone->hashes);
    mgl_free(alone);
}

/* splitmix64 */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* A sum of mixed parts does not depend on the order in which threads add them. */
void mgl_alone_add(mgl_alone *alone, size_t row, size_t column, uint64_t value)
{
    uint64_t salted = mix(value + (column + 1) * UINT64_C(0x9E3779B97F4A7C15));
    if (row < alone->n_rows)
        atomic_fetch_add_explicit(&alone->hashes[row], mix(salted + column + 1),
                                  memory_order_relaxed);
}

void mgl_alone_add_cell(mgl_alone *alone, size_t row, size_t column, mgl_span cell,
                        const mgl_span *missing, size_t n_missing)
{
    bool is_missing = mgl_spans_have(missing, n_missing, cell);
    mgl_alone_add(alone, row, column, is_missing ? 0 : mgl_hash(cell.data, cell.size));
}

typedef struct shown_row {
    uint64_t hash;
    uint32_t person;
} shown_row;

static const mgl_sort_key by_hash[] = {MGL_ASCENDING(shown_row, hash),
                                       MGL_ASCENDING(shown_row, person), MGL_SORT_END};

static mgl_status count_persons(const mgl_alone *alone, const mgl_column *persons, mgl_error *err,
                                uint64_t *out)
{
    shown_row *rows = mgl_alloc_array(alone->n_rows, sizeof *rows);
    size_t n = 0;
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (size_t row = 0; row < alone->n_rows; row++)
        if (alone->hashes[row] != 0)
            rows[n++] = (shown_row){alone->hashes[row], mgl_column_code(persons, row)};
    mgl_sort(rows, n, sizeof *rows, by_hash);
    *out = 0;
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && rows[end].hash == rows[first].hash;)
            end++;
        *out += rows[end - 1].person == rows[first].person ? end - first : 0;
    }
    mgl_free(rows);
    return MGL_OK;
}

/* Sorts hashes in place by their bits from `shift` on down, a byte at a time: few are left together
 * after the first bytes. */
static void sort_hashes(uint64_t *hashes, size_t n, unsigned shift)
{
    enum { FEW = 32 };
    size_t first[257] = {0}, next[256];
    if (n <= FEW) {
        for (size_t i = 1; i < n; i++)
            for (size_t j = i; j > 0 && hashes[j] < hashes[j - 1]; j--) {
                uint64_t held = hashes[j];
                hashes[j] = hashes[j - 1];
                hashes[j - 1] = held;
            }
        return;
    }
    for (size_t i = 0; i < n; i++)
        first[(hashes[i] >> shift & 255) + 1]++;
    for (size_t b = 0; b < 256; b++)
        first[b + 1] += first[b];
    memcpy(next, first, sizeof next);
    for (size_t b = 0; b < 256; b++)
        while (next[b] < first[b + 1]) {
            uint64_t held = hashes[next[b]];
            size_t to = held >> shift & 255;
            hashes[next[b]] = hashes[next[to]];
            hashes[next[to]++] = held;
        }
    for (size_t b = 0; shift >= 8 && b < 256; b++)
        sort_hashes(hashes + first[b], first[b + 1] - first[b], shift - 8);
}

mgl_status mgl_alone_count(mgl_alone *alone, const mgl_column *persons, mgl_error *err,
                           uint64_t *out)
{
    uint64_t *hashes = (uint64_t *)alone->hashes; /* no other thread has them any more */
    size_t n = 0;
    if (persons != NULL)
        return count_persons(alone, persons, err, out);
    for (size_t row = 0; row < alone->n_rows; row++)
        if (hashes[row] != 0)
            hashes[n++] = hashes[row];
    sort_hashes(hashes, n, 56);
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out +=
            (i == 0 || hashes[i - 1] != hashes[i]) && (i + 1 == n || hashes[i + 1] != hashes[i]);
    return MGL_OK;
}
