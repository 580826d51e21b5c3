/* Merges sorted runs of rows: each thread takes a range of the rows, of all runs. collect.c calls
 * it after the shares of a stripe were counted. */
#include "verify/merge_runs.h"

enum {
    RANGES = 32,
    WORTH_SHARING = 4096 /* rows of all runs */
};

typedef struct merging {
    const mgl_row_run *runs;
    size_t n_runs, n_ranges, words;
    const uint64_t *ends[RANGES]; /* the row that ends a range, all but the last */
    mgl_row_run pieces[RANGES];
    size_t places[RANGES]; /* of the pieces in the whole */
    bool failed[RANGES];
    mgl_row_run whole;
} merging;

void mgl_row_run_free(mgl_row_run *run)
{
    mgl_free(run->rows);
    mgl_free(run->times);
    *run = (mgl_row_run){0};
}

static bool make_run(mgl_row_run *run, size_t n, size_t words)
{
    *run = (mgl_row_run){.rows = mgl_alloc_array(n, words * sizeof *run->rows),
                         .times = mgl_alloc_array(n, sizeof *run->times)};
    return run->rows != NULL && run->times != NULL;
}

static int compare_rows(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* The first row of the run that is not before this one. */
static size_t find_row(const mgl_row_run *run, const uint64_t *row, size_t words)
{
    size_t low = 0, high = run->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_rows(run->rows + middle * words, row, words) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rows of a run that are in a range; they stay the run's. */
static mgl_row_run slice(const merging *m, size_t run, size_t range)
{
    const mgl_row_run *all = &m->runs[run];
    size_t from = range > 0 ? find_row(all, m->ends[range - 1], m->words) : 0;
    size_t to = range + 1 < m->n_ranges ? find_row(all, m->ends[range], m->words) : all->n;
    return (mgl_row_run){all->rows + from * m->words, all->times + from, to - from};
}

static void merge_two(const mgl_row_run *a, const mgl_row_run *b, size_t words, mgl_row_run *sum)
{
    sum->n = 0;
    for (size_t i = 0, j = 0; i < a->n || j < b->n; sum->n++) {
        int order = i == a->n   ? 1
                    : j == b->n ? -1
                                : compare_rows(a->rows + i * words, b->rows + j * words, words);
        const uint64_t *row = order <= 0 ? a->rows + i * words : b->rows + j * words;
        memcpy(sum->rows + sum->n * words, row, words * sizeof *row);
        sum->times[sum->n] = (order <= 0 ? a->times[i] : 0) + (order >= 0 ? b->times[j] : 0);
        i += order <= 0;
        j += order >= 0;
    }
}

/* One run after the other is merged into what there is. */
static void merge_range(void *context, size_t range, unsigned worker)
{
    (void)worker;
    merging *m = context;
    mgl_row_run sum = {0}, next = {0};
    size_t n = 0;
    for (size_t r = 0; r < m->n_runs; r++)
        n += slice(m, r, range).n;
    m->failed[range] = !make_run(&sum, n, m->words) || !make_run(&next, n, m->words);
    for (size_t r = 0; r < m->n_runs && !m->failed[range]; r++) {
        mgl_row_run some = slice(m, r, range);
        if (some.n == 0)
            continue;
        merge_two(&sum, &some, m->words, &next);
        mgl_row_run swap = sum;
        sum = next;
        next = swap;
    }
    mgl_row_run_free(&next);
    m->pieces[range] = sum;
}

static void copy_piece(void *context, size_t range, unsigned worker)
{
    (void)worker;
    merging *m = context;
    const mgl_row_run *piece = &m->pieces[range];
    if (piece->n == 0)
        return;
    memcpy(m->whole.rows + m->places[range] * m->words, piece->rows,
           piece->n * m->words * sizeof *piece->rows);
    memcpy(m->whole.times + m->places[range], piece->times, piece->n * sizeof *piece->times);
}

/* About as many rows in each, by those of the longest run. */
static void choose_ranges(merging *m)
{
    const mgl_row_run *longest = &m->runs[0];
    size_t n = 0;
    for (size_t r = 0; r < m->n_runs; r++) {
        longest = m->runs[r].n > longest->n ? &m->runs[r] : longest;
        n += m->runs[r].n;
    }
    m->n_ranges = n > WORTH_SHARING && longest->n >= RANGES ? RANGES : 1;
    for (size_t i = 1; i < m->n_ranges; i++)
        m->ends[i - 1] = longest->rows + longest->n * i / m->n_ranges * m->words;
}

static bool join(merging *m, mgl_pool *pool)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_ranges; i++) {
        if (m->failed[i])
            return false;
        m->places[i] = n;
        n += m->pieces[i].n;
    }
    if (!make_run(&m->whole, n, m->words))
        return false;
    mgl_pool_run(pool, m->n_ranges, copy_piece, m);
    m->whole.n = n;
    return true;
}

mgl_status mgl_row_runs_merge(const mgl_row_run *runs, size_t n_runs, size_t words, mgl_pool *pool,
                              mgl_error *err, mgl_row_run *out)
{
    merging m = {.runs = runs, .n_runs = n_runs, .words = words};
    choose_ranges(&m);
    mgl_pool_run(pool, m.n_ranges, merge_range, &m);
    bool joined = join(&m, pool);
    for (size_t i = 0; i < m.n_ranges; i++)
        mgl_row_run_free(&m.pieces[i]);
    if (!joined) {
        mgl_row_run_free(&m.whole);
        return mgl_fail_memory(err);
    }
    *out = m.whole;
    return MGL_OK;
}
