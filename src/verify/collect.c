/* The different rows of a release, each with its count, collected stripe by stripe while the
 * release is read: counted, sorted, and merged by several threads, each of which takes a range of
 * the rows of all runs. */
#include "verify/collect.h"

/* ---- Sorted runs ----------------------------------------------------------------------------- */

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

static void row_run_free(mgl_row_run *run)
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
    MGL_BISECT(low, high, i, compare_rows(run->rows + i * words, row, words) < 0)
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
    row_run_free(&next);
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

/* One run of all rows, with what their times add up to. Free with row_run_free. */
static mgl_status row_runs_merge(const mgl_row_run *runs, size_t n_runs, size_t words,
                                 mgl_pool *pool, mgl_error *err, mgl_row_run *out)
{
    merging m = {.runs = runs, .n_runs = n_runs, .words = words};
    choose_ranges(&m);
    mgl_pool_run(pool, m.n_ranges, merge_range, &m);
    bool joined = join(&m, pool);
    for (size_t i = 0; i < m.n_ranges; i++)
        row_run_free(&m.pieces[i]);
    if (!joined) {
        row_run_free(&m.whole);
        return mgl_fail_memory(err);
    }
    *out = m.whole;
    return MGL_OK;
}

/* ---- Collecting ------------------------------------------------------------------------------ */

enum {
    DIGIT = 11,
    DIGITS = 1 << DIGIT,
    ROWS_AT_ONCE = 2048,
    SHARES = 16, /* of a stripe: more would only make more runs to merge */
    FEW = 8      /* as many rows for each different one, or more: counting is faster than sorting */
};

/* ---- Words ----------------------------------------------------------------------------------- */

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
        uint32_t n_values = mgl_dictionary_size(table->columns[c].dictionary);
        uint8_t bits = 1;
        while (bits < 32 && (UINT64_C(1) << bits) < n_values)
            bits++;
        words->bits[c] = bits;
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
        MGL_GO(mgl_check_memory(rows != NULL, err));
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

/* ---- Counting -------------------------------------------------------------------------------- */

/* Equal rows and how many they are: a hash table with open addressing. Begins as {n_words}. */
typedef struct row_counts {
    size_t n_words;  /* of a row */
    uint64_t *slots; /* a row and its count side by side; count 0: the slot is free */
    size_t n_slots;  /* a power of two; at most half of them are used */
    size_t n;        /* different rows so far */
} row_counts;

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

MGL_SPECIALIZE bool equal_row(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ |= a[w] ^ b[w];
    return differ == 0;
}

/* Where the row is, or the free slot where it belongs. */
MGL_SPECIALIZE uint64_t *find_slot(const row_counts *counts, const uint64_t *row, size_t words)
{
    size_t slot = hash_of(row, words) & (counts->n_slots - 1);
    for (;; slot = (slot + 1) & (counts->n_slots - 1)) {
        uint64_t *at = counts->slots + slot * (words + 1);
        if (at[words] == 0 || equal_row(at, row, words))
            return at;
    }
}

static bool widen(row_counts *counts)
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
MGL_SPECIALIZE void count(row_counts *counts, const uint64_t *rows, size_t n, size_t words)
{
    const row_counts copy = *counts; /* which stores into the slots cannot change */
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

/* Adds n rows that lie side by side. False if memory is out. */
static bool add_rows(row_counts *counts, const uint64_t *rows, size_t n)
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

/* Moves the rows, each with its count behind it, to the first slots. Nothing can be added then. */
static void gather_rows(row_counts *counts)
{
    size_t width = counts->n_words + 1, n = 0;
    for (size_t i = 0; i < counts->n_slots; i++) {
        const uint64_t *slot = counts->slots + i * width;
        if (slot[width - 1] != 0)
            memmove(counts->slots + n++ * width, slot, width * sizeof *slot);
    }
}

/* Stops where too many rows are different. False if memory is out. */
static bool count_few(const mgl_collector *k, size_t first, size_t n, row_counts *counts, bool *few)
{
    uint64_t *rows = mgl_alloc_array(ROWS_AT_ONCE, counts->n_words * sizeof *rows);
    bool room = rows != NULL;
    *few = true;
    for (size_t done = 0; room && *few && done < n; done += ROWS_AT_ONCE) {
        size_t some = n - done < ROWS_AT_ONCE ? n - done : ROWS_AT_ONCE;
        make_rows(k, first + done, some, rows);
        room = add_rows(counts, rows, some);
        *few = counts->n <= n / FEW;
    }
    mgl_free(rows);
    return room;
}

static bool sort_counts(const mgl_row_words *words, row_counts *counts, mgl_row_run *out)
{
    size_t n = counts->n, width = words->n_words + 1;
    uint64_t *other = mgl_alloc_array(n, width * sizeof *other);
    out->rows = mgl_alloc_array(n, words->n_words * sizeof *out->rows);
    out->times = mgl_alloc_array(n, sizeof *out->times);
    bool room = other != NULL && out->rows != NULL && out->times != NULL;
    if (room) {
        gather_rows(counts);
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
    row_counts counts = {.n_words = k->words.n_words};
    bool few, room = count_few(k, first, n, &counts, &few);
    if (room)
        room = few ? sort_counts(&k->words, &counts, &k->runs[item])
                   : sort_share(k, first, n, &k->runs[item]);
    mgl_free(counts.slots);
    k->failed[item] = !room;
}

/* ---- The collector
 * -------------------------------------------------------------------------------- */

mgl_status mgl_collector_init(mgl_collector *k, size_t n_columns, mgl_pool *pool, mgl_error *err)
{
    *k = (mgl_collector){.n_columns = n_columns, .pool = pool};
    size_t threads = mgl_pool_threads(pool);
    k->n_runs = threads < SHARES ? threads : SHARES;
    k->runs = mgl_zeroed_array(k->n_runs + 1, sizeof *k->runs);
    k->failed = mgl_zeroed_array(k->n_runs, sizeof *k->failed);
    return k->runs == NULL || k->failed == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_collector_free(mgl_collector *k)
{
    free_words(&k->words);
    row_run_free(&k->all);
    for (size_t i = 0; k->runs != NULL && i < k->n_runs; i++)
        row_run_free(&k->runs[i]);
    mgl_free(k->runs);
    mgl_free(k->failed);
    *k = (mgl_collector){0};
}

/* The runs of the stripe and what there was become one. */
static mgl_status merge(mgl_collector *k, mgl_error *err)
{
    for (size_t i = 0; i < k->n_runs; i++)
        if (k->failed[i])
            return mgl_fail_memory(err);
    mgl_row_run sum;
    k->runs[k->n_runs] = k->all;
    MGL_TRY(row_runs_merge(k->runs, k->n_runs + 1, k->words.n_words, k->pool, err, &sum));
    row_run_free(&k->all);
    k->all = sum;
    return MGL_OK;
}

mgl_status mgl_collector_take(void *context, const mgl_table *stripe, mgl_error *err)
{
    mgl_collector *k = context;
    k->stripe = stripe;
    k->n_rows += stripe->n_rows;
    MGL_TRY(refit(k, err));
    mgl_pool_run(k->pool, k->n_runs, take_share, k);
    mgl_status status = merge(k, err);
    for (size_t i = 0; i < k->n_runs; i++)
        row_run_free(&k->runs[i]);
    return status;
}

/* What threads share that fill a column each. */
typedef struct filling {
    const mgl_collector *collector;
    mgl_table *table;
} filling;

static void fill_column(void *context, size_t c, unsigned worker)
{
    (void)worker;
    const filling *f = context;
    const mgl_collector *k = f->collector;
    for (size_t i = 0; i < k->all.n; i++)
        mgl_column_set(&f->table->columns[c], i,
                       code_in(&k->words, k->all.rows + i * k->words.n_words, c));
}

mgl_status mgl_collector_end(mgl_collector *k, mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < k->n_columns; c++)
        MGL_TRY(mgl_check_memory(mgl_column_reserve(&table->columns[c], 0, k->all.n), err));
    mgl_pool_run(k->pool, k->n_columns, fill_column, &(filling){k, table});
    table->n_rows = k->all.n;
    table->times = k->all.times;
    k->all.times = NULL;
    return MGL_OK;
}
