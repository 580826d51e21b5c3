/* Collects the different rows of a release, stripe by stripe, each with its count. verify.c calls
 * it while it reads. */
#include "verify/collect.h"

#include "verify/row_counts.h"

enum {
    DIGIT = 11,
    DIGITS = 1 << DIGIT,
    ROWS_AT_ONCE = 2048,
    FEW = 8 /* as many rows for each different one, or more: counting is faster than sorting */
};

/* ---- Words ------------------------------------------------------------------------------------
 */

static uint8_t bits_for(uint32_t n_values)
{
    uint8_t bits = 1;
    while (bits < 32 && (UINT64_C(1) << bits) < n_values)
        bits++;
    return bits;
}

static mgl_status new_words(mgl_row_words *words, size_t n_columns, mgl_error *err)
{
    *words = (mgl_row_words){.word = mgl_zeroed_array(n_columns + 1, sizeof *words->word),
                             .shift = mgl_zeroed_array(n_columns + 1, 1),
                             .bits = mgl_zeroed_array(n_columns + 1, 1),
                             .used = mgl_zeroed_array(n_columns + 1, 1)};
    return words->word == NULL || words->shift == NULL || words->bits == NULL || words->used == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

static void free_words(mgl_row_words *words)
{
    mgl_free(words->word);
    mgl_free(words->shift);
    mgl_free(words->bits);
    mgl_free(words->used);
    *words = (mgl_row_words){0};
}

/* Room for the codes that the columns have by now. A column lies in one word whole. */
static void lay_out(mgl_row_words *words, const mgl_table *table)
{
    size_t word = 0;
    words->used[0] = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        words->bits[c] = bits_for(mgl_dictionary_size(table->columns[c].dictionary));
        if (words->used[word] + words->bits[c] > 64)
            words->used[++word] = 0;
        words->word[c] = (uint32_t)word;
        words->used[word] = (uint8_t)(words->used[word] + words->bits[c]);
    }
    words->n_words = word + 1;
    for (size_t c = table->n_columns, below = 0; c-- > 0;) {
        if (c + 1 < table->n_columns && words->word[c] != words->word[c + 1])
            below = 0;
        words->shift[c] = (uint8_t)below;
        below += words->bits[c];
    }
}

static bool same_layout(const mgl_row_words *a, const mgl_row_words *b, size_t n_columns)
{
    return a->n_words == b->n_words && memcmp(a->bits, b->bits, n_columns) == 0;
}

static inline uint32_t code_in(const mgl_row_words *words, const uint64_t *row, size_t c)
{
    uint64_t mask = (UINT64_C(1) << words->bits[c]) - 1;
    return (uint32_t)(row[words->word[c]] >> words->shift[c] & mask);
}

/* New values may need more bits; the order of rows stays the same. */
static mgl_status refit(mgl_collector *k, mgl_error *err)
{
    mgl_row_words fresh;
    mgl_status status = MGL_OK;
    MGL_GO(new_words(&fresh, k->n_columns, err));
    lay_out(&fresh, k->stripe);
    if (k->all.n > 0 && !same_layout(&fresh, &k->words, k->n_columns)) {
        uint64_t *rows = mgl_zeroed_array(k->all.n, fresh.n_words * sizeof *rows);
        if (rows == NULL)
            MGL_GO(mgl_fail_memory(err));
        for (size_t i = 0; i < k->all.n; i++)
            for (size_t c = 0; c < k->n_columns; c++)
                rows[i * fresh.n_words + fresh.word[c]] |=
                    (uint64_t)code_in(&k->words, k->all.rows + i * k->words.n_words, c)
                    << fresh.shift[c];
        mgl_free(k->all.rows);
        k->all.rows = rows;
    }
    mgl_row_words old = k->words;
    k->words = fresh;
    fresh = old;
done:
    free_words(&fresh);
    return status;
}

/* ---- Sorting a stripe
 * ----------------------------------------------------------------------------
 */

/* The codes of one column, put into the words of n rows. */
static void add_column(const mgl_column *column, size_t first, size_t n, unsigned shift,
                       size_t step, uint64_t *word)
{
    if (column->width == 1) {
        const uint8_t *codes = (const uint8_t *)column->codes + first;
        for (size_t i = 0; i < n; i++)
            word[i * step] |= (uint64_t)codes[i] << shift;
    } else {
        for (size_t i = 0; i < n; i++)
            word[i * step] |= (uint64_t)mgl_column_code(column, first + i) << shift;
    }
}

static void make_rows(const mgl_collector *k, size_t first, size_t n, uint64_t *rows)
{
    size_t step = k->words.n_words;
    memset(rows, 0, n * step * sizeof *rows);
    for (size_t done = 0; done < n; done += ROWS_AT_ONCE) {
        size_t some = n - done < ROWS_AT_ONCE ? n - done : ROWS_AT_ONCE;
        for (size_t c = 0; c < k->n_columns; c++)
            add_column(&k->stripe->columns[c], first + done, some, k->words.shift[c], step,
                       rows + done * step + k->words.word[c]);
    }
}

/* By one digit; stable. False if all have the same: then nothing was moved. */
MGL_SPECIALIZE bool sort_by_digit(const uint64_t *from, uint64_t *to, size_t n, size_t width,
                                  size_t word, unsigned shift)
{
    size_t start[DIGITS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        start[(from[i * width + word] >> shift & (DIGITS - 1)) + 1]++;
    for (size_t d = 0; d < DIGITS; d++) {
        if (start[d + 1] == n)
            return false;
        start[d + 1] += start[d];
    }
    for (size_t i = 0; i < n; i++) {
        size_t at = start[from[i * width + word] >> shift & (DIGITS - 1)]++;
        memcpy(to + at * width, from + i * width, width * sizeof *to);
    }
    return true;
}

/* Digit by digit, the lowest first, entries of so many words that begin with a row. Returns where
 * the sorted ones are. */
static uint64_t *sort_rows(const mgl_row_words *words, size_t width, uint64_t *rows,
                           uint64_t *other, size_t n)
{
    for (size_t w = words->n_words; w-- > 0;)
        for (unsigned shift = 0; shift < words->used[w]; shift += DIGIT) {
            bool moved = width == 1   ? sort_by_digit(rows, other, n, 1, 0, shift)
                         : width == 2 ? sort_by_digit(rows, other, n, 2, w, shift)
                                      : sort_by_digit(rows, other, n, width, w, shift);
            uint64_t *swap = rows;
            rows = moved ? other : rows;
            other = moved ? swap : other;
        }
    return rows;
}

static bool same_row(const uint64_t *a, const uint64_t *b, size_t words)
{
    return memcmp(a, b, words * sizeof *a) == 0;
}

/* Counts equal rows that lie side by side. */
static bool count_runs(const uint64_t *rows, size_t n, size_t words, mgl_row_run *out)
{
    size_t different = n > 0;
    for (size_t i = 1; i < n; i++)
        different += words == 1 ? rows[i] != rows[i - 1]
                                : !same_row(rows + i * words, rows + (i - 1) * words, words);
    out->rows = mgl_alloc_array(different, words * sizeof *rows);
    out->times = mgl_alloc_array(different, sizeof *out->times);
    if (out->rows == NULL || out->times == NULL)
        return false;
    for (size_t from = 0, to; from < n; from = to) {
        to = from + 1;
        while (to < n && same_row(rows + from * words, rows + to * words, words))
            to++;
        memcpy(out->rows + out->n * words, rows + from * words, words * sizeof *rows);
        out->times[out->n++] = to - from;
    }
    return true;
}

static void free_run(mgl_row_run *run)
{
    mgl_free(run->rows);
    mgl_free(run->times);
    *run = (mgl_row_run){0};
}

static bool sort_share(const mgl_collector *k, size_t first, size_t n, mgl_row_run *out)
{
    size_t words = k->words.n_words;
    uint64_t *rows = mgl_alloc_array(n, words * sizeof *rows);
    uint64_t *other = mgl_alloc_array(n, words * sizeof *other);
    bool room = rows != NULL && other != NULL;
    if (room) {
        make_rows(k, first, n, rows);
        room = count_runs(sort_rows(&k->words, words, rows, other, n), n, words, out);
    }
    mgl_free(rows);
    mgl_free(other);
    return room;
}

/* ---- Counting a stripe
 * ----------------------------------------------------------------------------
 */

/* Stops where too many rows are different. False if memory is out. */
static bool count_few(const mgl_collector *k, size_t first, size_t n, mgl_row_counts *counts,
                      bool *few)
{
    uint64_t *rows = mgl_alloc_array(ROWS_AT_ONCE, counts->n_words * sizeof *rows);
    bool room = rows != NULL;
    *few = true;
    for (size_t done = 0; room && *few && done < n; done += ROWS_AT_ONCE) {
        size_t some = n - done < ROWS_AT_ONCE ? n - done : ROWS_AT_ONCE;
        make_rows(k, first + done, some, rows);
        room = mgl_row_counts_add(counts, rows, some);
        *few = counts->n <= n / FEW;
    }
    mgl_free(rows);
    return room;
}

static bool sort_counts(const mgl_row_words *words, mgl_row_counts *counts, mgl_row_run *out)
{
    size_t n = counts->n, width = words->n_words + 1;
    uint64_t *other = mgl_alloc_array(n, width * sizeof *other);
    out->rows = mgl_alloc_array(n, words->n_words * sizeof *out->rows);
    out->times = mgl_alloc_array(n, sizeof *out->times);
    bool room = other != NULL && out->rows != NULL && out->times != NULL;
    if (room) {
        mgl_row_counts_gather(counts);
        const uint64_t *sorted = sort_rows(words, width, counts->slots, other, n);
        for (; out->n < n; out->n++, sorted += width) {
            memcpy(out->rows + out->n * words->n_words, sorted, words->n_words * sizeof *out->rows);
            out->times[out->n] = sorted[words->n_words];
        }
    }
    mgl_free(other);
    return room;
}

/* A share of the stripe becomes a run. */
static void take_share(void *context, size_t item, unsigned worker)
{
    (void)worker;
    mgl_collector *k = context;
    size_t n_rows = k->stripe->n_rows, first = n_rows * item / k->n_runs;
    size_t n = n_rows * (item + 1) / k->n_runs - first;
    mgl_row_counts counts = {.n_words = k->words.n_words};
    bool few, room = count_few(k, first, n, &counts, &few);
    if (room)
        room = few ? sort_counts(&k->words, &counts, &k->runs[item])
                   : sort_share(k, first, n, &k->runs[item]);
    mgl_free(counts.slots);
    k->failed[item] = !room;
}

/* ---- Merging ------------------------------------------------------------------------------------
 */

static int compare_rows(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return a[w] < b[w] ? -1 : 1;
    return 0;
}

static mgl_status merge(mgl_row_run *into, const mgl_row_run *run, size_t words, mgl_error *err)
{
    mgl_row_run sum = {.rows = mgl_alloc_array(into->n + run->n, words * sizeof *sum.rows),
                       .times = mgl_alloc_array(into->n + run->n, sizeof *sum.times)};
    if (sum.rows == NULL || sum.times == NULL) {
        free_run(&sum);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0, j = 0; i < into->n || j < run->n; sum.n++) {
        int order = i == into->n ? 1
                    : j == run->n
                        ? -1
                        : compare_rows(into->rows + i * words, run->rows + j * words, words);
        const uint64_t *row = order <= 0 ? into->rows + i * words : run->rows + j * words;
        memcpy(sum.rows + sum.n * words, row, words * sizeof *row);
        sum.times[sum.n] = (order <= 0 ? into->times[i] : 0) + (order >= 0 ? run->times[j] : 0);
        i += order <= 0;
        j += order >= 0;
    }
    free_run(into);
    *into = sum;
    return MGL_OK;
}

/* ---- The collector
 * -------------------------------------------------------------------------------- */

mgl_status mgl_collector_init(mgl_collector *k, size_t n_columns, mgl_pool *pool, mgl_error *err)
{
    *k = (mgl_collector){.n_columns = n_columns, .pool = pool};
    k->runs = mgl_zeroed_array(mgl_pool_threads(pool), sizeof *k->runs);
    k->failed = mgl_zeroed_array(mgl_pool_threads(pool), sizeof *k->failed);
    return k->runs == NULL || k->failed == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_collector_free(mgl_collector *k)
{
    free_words(&k->words);
    free_run(&k->all);
    for (size_t i = 0; i < k->n_runs; i++)
        free_run(&k->runs[i]);
    mgl_free(k->runs);
    mgl_free(k->failed);
    *k = (mgl_collector){0};
}

mgl_status mgl_collector_take(void *context, const mgl_table *stripe, mgl_error *err)
{
    mgl_collector *k = context;
    k->stripe = stripe;
    k->n_rows += stripe->n_rows;
    k->n_runs = mgl_pool_threads(k->pool);
    MGL_TRY(refit(k, err));
    mgl_pool_run(k->pool, k->n_runs, take_share, k);
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < k->n_runs; i++) {
        if (status == MGL_OK)
            status = k->failed[i] ? mgl_fail_memory(err)
                                  : merge(&k->all, &k->runs[i], k->words.n_words, err);
        free_run(&k->runs[i]);
    }
    return status;
}

mgl_status mgl_collector_end(mgl_collector *k, mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < k->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        if (!mgl_column_reserve(column, 0, k->all.n))
            return mgl_fail_memory(err);
        for (size_t i = 0; i < k->all.n; i++)
            mgl_column_set(column, i, code_in(&k->words, k->all.rows + i * k->words.n_words, c));
    }
    table->n_rows = k->all.n;
    table->times = k->all.times;
    k->all.times = NULL;
    return MGL_OK;
}
