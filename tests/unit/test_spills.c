/* What does not fit into memory waits in files: counting, codes, the shuffle; and the verifier,
 * which reads in stripes. The same as if all were in memory, and every call that can fail is failed
 * in turn. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"
#include "classes/counter.h"
#include "table/table.h"
#include "verify/collect.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 30000, MOST_WORDS = 3, COLUMNS = 5, STRIPES = 7, ROWS = 1500 };

static void must(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fail_msg("%s", err->message);
}

/* ---- Counting ------------------------------------------------------------------------------ */

typedef struct counted {
    uint64_t *keys, *counts;
    size_t n;
} counted;

static void free_counted(counted *c)
{
    mgl_free(c->keys);
    mgl_free(c->counts);
}

static mgl_status count(const uint64_t *keys, size_t words, uint64_t memory, mgl_error *err,
                        counted *out)
{
    mgl_tally tally;
    mgl_status status = mgl_tally_init(&tally, words, 0, memory, err);
    for (size_t done = 0; status == MGL_OK && done < KEYS; done += 1000)
        status = mgl_tally_add(&tally, keys + done * words, NULL, 1000, err);
    if (status == MGL_OK)
        status = mgl_tally_take(&tally, err, &out->keys, &out->counts, &out->n);
    mgl_tally_free(&tally);
    return status;
}

static uint64_t *draw_keys(size_t words, uint32_t different)
{
    mgl_random random;
    mgl_random_seed(&random, words);
    uint64_t *keys = calloc(KEYS * words, sizeof *keys);
    for (size_t i = 0; i < KEYS; i++)
        for (size_t w = 0, x = mgl_random_below_32(&random, different); w < words; w++)
            keys[i * words + w] = (x * 2654435761u) << (w + words < 3 ? 20 : 0);
    return keys;
}

static void counts_that_spill_equal_counts_in_memory(void **state)
{
    (void)state;
    mgl_error err;
    for (size_t words = 1; words <= MOST_WORDS; words++)
        for (uint32_t different = 100; different <= 100000; different *= 10) {
            uint64_t *keys = draw_keys(words, different);
            counted whole, spilled;
            must(count(keys, words, 0, &err, &whole), &err);
            must(count(keys, words, 1, &err, &spilled), &err);
            assert_int_equal(whole.n, spilled.n);
            assert_memory_equal(whole.keys, spilled.keys, whole.n * words * sizeof *whole.keys);
            assert_memory_equal(whole.counts, spilled.counts, whole.n * sizeof *whole.counts);
            free_counted(&whole);
            free_counted(&spilled);
            free(keys);
        }
}

/* ---- Codes --------------------------------------------------------------------------------- */

static uint32_t code_at(size_t stripe, size_t row, size_t c)
{
    uint32_t n_values = 3u << (2 * stripe + c); /* dictionaries grow: codes need more bytes */
    return (uint32_t)((row * 7 + c * 13 + row * row * (c + 1)) % n_values);
}

/* Rows of a stripe in place of those before; the dictionaries stay. False when memory is out. */
static bool fill_stripe(mgl_table *table, size_t stripe, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        mgl_column *column = &table->columns[c];
        uint32_t n_values = 3u << (2 * stripe + c);
        for (uint32_t v = mgl_dictionary_size(column->dictionary); v < n_values; v++) {
            char text[16];
            snprintf(text, sizeof text, "v%u", v);
            if (mgl_dictionary_add(column->dictionary, mgl_span_of(text)) == MGL_NOT_FOUND)
                return false;
        }
        if (!mgl_column_widen(column, 0, n_values - 1) || !mgl_column_reserve(column, 0, ROWS))
            return false;
        for (size_t r = 0; r < ROWS; r++)
            mgl_column_set(column, r, code_at(stripe, r, c));
    }
    table->n_rows = ROWS;
    return true;
}

static mgl_status fill_window(mgl_table *table, mgl_error *err)
{
    mgl_window *window;
    MGL_TRY(mgl_window_new(1 << 20, err, &window));
    mgl_status status = MGL_OK;
    for (size_t stripe = 0; status == MGL_OK && stripe < STRIPES; stripe++)
        status = fill_stripe(table, stripe, COLUMNS) ? mgl_window_add(window, table, err)
                                                     : mgl_fail_memory(err);
    if (status == MGL_OK)
        status = mgl_window_attach(window, table, err);
    if (status != MGL_OK)
        mgl_window_free(window);
    return status;
}

static mgl_status look_through(const mgl_table *table, mgl_error *err)
{
    /* Forwards, and then in another order. */
    for (size_t i = 0; i < 2 * STRIPES * ROWS; i += 100) {
        size_t row = i < STRIPES * ROWS ? i : i * 7919 % (STRIPES * ROWS), first, n;
        MGL_TRY(mgl_column_reach(&table->columns[1], row, err, &first, &n));
        assert_true(first <= row && row < first + n);
        for (size_t c = 0; c < COLUMNS; c++)
            assert_int_equal(mgl_column_code(&table->columns[c], row - first),
                             code_at(row / ROWS, row % ROWS, c));
    }
    return MGL_OK;
}

static mgl_status use_window(mgl_error *err)
{
    mgl_table *table = mgl_table_new(COLUMNS);
    mgl_status status = table == NULL ? mgl_fail_memory(err) : fill_window(table, err);
    if (status == MGL_OK)
        status = look_through(table, err);
    mgl_table_free(table);
    return status;
}

static void codes_wait_in_a_file(void **state)
{
    (void)state;
    mgl_error err;
    must(use_window(&err), &err);
}

static void without_a_window_all_rows_are_in_memory(void **state)
{
    (void)state;
    mgl_error err;
    mgl_table *table = mgl_table_new(COLUMNS);
    assert_true(fill_stripe(table, 0, COLUMNS));
    size_t first, n;
    must(mgl_column_reach(&table->columns[0], ROWS - 1, &err, &first, &n), &err);
    assert_int_equal(first, 0);
    assert_true(n >= ROWS);
    assert_int_equal(mgl_column_memory(&table->columns[0]), 0);
    mgl_table_free(table);
}

/* ---- The verifier's rows --------------------------------------------------------------------- */

enum { MANY = 12 }; /* columns that need several words */

static mgl_status collect(size_t columns, mgl_pool *pool, mgl_error *err, mgl_table *table)
{
    mgl_collector collector;
    mgl_status status = mgl_collector_init(&collector, columns, pool, err);
    for (size_t stripe = 0; status == MGL_OK && stripe < 3; stripe++)
        status = fill_stripe(table, stripe, columns) ? mgl_collector_take(&collector, table, err)
                                                     : mgl_fail_memory(err);
    if (status == MGL_OK)
        status = mgl_collector_end(&collector, table, err);
    if (status == MGL_OK)
        assert_int_equal(collector.n_rows, 3 * ROWS);
    mgl_collector_free(&collector);
    return status;
}

/* How often a row of the table occurs in all stripes. */
static uint64_t occurrences(const mgl_table *table, size_t row, size_t columns)
{
    uint64_t n = 0;
    for (size_t stripe = 0; stripe < 3; stripe++)
        for (size_t r = 0; r < ROWS; r++) {
            bool same = true;
            for (size_t c = 0; same && c < columns; c++)
                same = mgl_column_code(&table->columns[c], row) == code_at(stripe, r, c);
            n += same;
        }
    return n;
}

static void collected_rows_equal_plain_counting(void **state)
{
    (void)state;
    mgl_error err;
    mgl_pool *pool;
    must(mgl_pool_new(3, &err, &pool), &err);
    for (size_t columns = 1; columns <= MANY; columns += columns < 3 ? 1 : MANY - 3) {
        for (int threads = 0; threads < 2; threads++) {
            mgl_table *table = mgl_table_new(columns);
            uint64_t sum = 0;
            must(collect(columns, threads ? pool : NULL, &err, table), &err);
            for (size_t r = 0; r < table->n_rows; r++) {
                sum += table->times[r];
                if (r % 7 == 0)
                    assert_int_equal(table->times[r], occurrences(table, r, columns));
            }
            assert_int_equal(sum, 3 * ROWS); /* with the counts right, no row is there twice */
            mgl_table_free(table);
        }
    }
    mgl_pool_free(pool);
}

/* ---- The shuffle --------------------------------------------------------------------------- */

enum { RECORDS = 50000 };

/* The numbers 0..RECORDS-1 in the order that a shuffle of records of different sizes gives, whose
 * files are written by the threads of the pool. */
static mgl_status shuffle(uint64_t budget, mgl_pool *pool, mgl_error *err, uint32_t *out)
{
    mgl_random random;
    mgl_shuffle *s;
    mgl_random_seed(&random, 11);
    MGL_TRY(mgl_shuffle_new(&random, RECORDS, 0, budget, err, &s));
    mgl_status status = MGL_OK;
    for (uint32_t i = 0; status == MGL_OK && i < RECORDS; i++) {
        status = mgl_shuffle_make_way(s, pool, err);
        char *place = status == MGL_OK ? mgl_shuffle_place(s, sizeof i + i % 5, err) : NULL;
        status = place == NULL ? MGL_SYSTEM : MGL_OK;
        if (place != NULL)
            memcpy(place, &i, sizeof i);
    }
    size_t n = 0;
    for (size_t b = 0; status == MGL_OK && b < mgl_shuffle_buckets(s); b++) {
        mgl_buffer records = {0};
        size_t rows = mgl_shuffle_rows(s, b);
        status = mgl_shuffle_take(s, b, 8, err, &records);
        for (size_t i = 0, at = 0; status == MGL_OK && i < rows; i++) {
            memcpy(&out[n + i], records.data + at, sizeof *out);
            at += sizeof *out + out[n + i] % 5;
        }
        if (status == MGL_OK)
            mgl_shuffle_order(s, b, out + n, rows);
        n += rows;
        mgl_buffer_free(&records);
    }
    if (status == MGL_OK)
        assert_int_equal(n, RECORDS);
    mgl_shuffle_free(s);
    return status;
}

static void the_order_depends_neither_on_memory_nor_on_threads(void **state)
{
    (void)state;
    mgl_error err;
    mgl_pool *pool;
    uint32_t *whole = calloc(RECORDS, sizeof *whole), *spilled = calloc(RECORDS, sizeof *spilled);
    uint8_t *seen = calloc(RECORDS, 1);
    must(mgl_pool_new(3, &err, &pool), &err);
    must(shuffle(1 << 30, NULL, &err, whole), &err);
    for (uint64_t budget = 10000; budget < 200000; budget *= 3)
        for (int threads = 0; threads < 2; threads++) {
            must(shuffle(budget, threads ? pool : NULL, &err, spilled), &err);
            assert_memory_equal(whole, spilled, RECORDS * sizeof *whole);
        }
    mgl_pool_free(pool);
    size_t in_place = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        assert_int_equal(seen[whole[i]]++, 0);
        in_place += whole[i] == i;
    }
    assert_true(in_place < 20); /* one, on average */
    free(whole);
    free(spilled);
    free(seen);
}

/* ---- Faults --------------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static mgl_status use_tally(mgl_error *err)
{
    uint64_t *keys = draw_keys(2, 100000);
    counted c = {0};
    mgl_status status = count(keys, 2, 1, err, &c);
    free_counted(&c);
    free(keys);
    return status;
}

static mgl_status use_collector(mgl_error *err)
{
    mgl_table *table = mgl_table_new(3);
    mgl_status status = table == NULL ? mgl_fail_memory(err) : collect(3, NULL, err, table);
    mgl_table_free(table);
    return status;
}

static mgl_status use_shuffle(mgl_error *err)
{
    uint32_t *out = calloc(RECORDS, sizeof *out);
    mgl_status status = shuffle(40000, NULL, err, out);
    free(out);
    return status;
}

static mgl_status use_shared_shuffle(mgl_error *err)
{
    mgl_pool *pool;
    uint32_t *out = calloc(RECORDS, sizeof *out);
    mgl_status status = mgl_pool_new(3, err, &pool);
    if (status == MGL_OK) {
        status = shuffle(40000, pool, err, out);
        mgl_pool_free(pool);
    }
    free(out);
    return status;
}

static void fail_in_turn(mgl_fault_kind kind, mgl_status (*use)(mgl_error *err), uint64_t step)
{
    uint64_t failures = 0;
    for (uint64_t number = 1;; number += number < 16 ? 1 : step) {
        mgl_error err = {0};
        mgl_fault_arm(kind, number);
        mgl_status status = use(&err);
        bool reached = mgl_fault_count(kind) >= number;
        mgl_fault_arm(kind, 0);
        assert_int_equal(status, reached ? MGL_SYSTEM : MGL_OK);
        if (!reached)
            break;
        assert_true(strlen(err.message) > 0);
        failures++;
    }
    assert_true(failures > 0);
}

static void every_fault_while_spilling_is_an_error(void **state)
{
    (void)state;
    static const struct {
        mgl_status (*use)(mgl_error *err);
        uint64_t step; /* beyond the first calls, which are the different ones */
        bool spools;
    } users[] = {{use_tally, 23, true},
                 {use_window, 1501, true},
                 {use_collector, 199, false},
                 {use_shuffle, 499, true},
                 {use_shared_shuffle, 499, true}};
    for (size_t i = 0; i < sizeof users / sizeof users[0]; i++) {
        fail_in_turn(MGL_FAULT_MEMORY, users[i].use, users[i].step);
        if (!users[i].spools)
            continue;
        fail_in_turn(MGL_FAULT_OPEN, users[i].use, users[i].step);
        fail_in_turn(MGL_FAULT_WRITE, users[i].use, users[i].step);
        fail_in_turn(MGL_FAULT_READ, users[i].use, users[i].step);
    }
}
#else
static void every_fault_while_spilling_is_an_error(void **state)
{
    (void)state;
    print_message("built without MGL_FAULTS: faults are not tested\n");
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_that_spill_equal_counts_in_memory),
        cmocka_unit_test(codes_wait_in_a_file),
        cmocka_unit_test(without_a_window_all_rows_are_in_memory),
        cmocka_unit_test(collected_rows_equal_plain_counting),
        cmocka_unit_test(the_order_depends_neither_on_memory_nor_on_threads),
        cmocka_unit_test(every_fault_while_spilling_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
