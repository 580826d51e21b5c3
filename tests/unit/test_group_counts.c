/* Counting combinations by several threads against counting them one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "io/duckdb/group_counts.h"

#include <pthread.h>

enum { COLUMNS = 3, VALUES = 12, KINDS = VALUES * VALUES * VALUES, ROUNDS = 60, THREADS = 4 };

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Rows of one round; small values are more frequent. */
static size_t draw(uint64_t *state, uint32_t *rows)
{
    size_t n = next(state) % (MGL_COUNTED_AT_ONCE + 1);
    for (size_t i = 0; i < n * COLUMNS; i++)
        rows[i] = next(state) % (1 + next(state) % VALUES);
    return n;
}

typedef struct turn {
    mgl_group_counts *counts;
    uint64_t seed;
} turn;

static void *count(void *context)
{
    static _Thread_local uint32_t rows[MGL_COUNTED_AT_ONCE * COLUMNS];
    turn *t = context;
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = draw(&t->seed, rows);
        if (!mgl_group_counts_add(t->counts, rows, n))
            return NULL;
    }
    return context;
}

static size_t kind_of(const uint32_t *row)
{
    return (row[0] * VALUES + row[1]) * VALUES + row[2];
}

static bool compare(void *context, const uint32_t *numbers, uint64_t times)
{
    uint64_t *expected = context;
    assert_int_equal(times, expected[kind_of(numbers)]);
    expected[kind_of(numbers)] = 0; /* and not again */
    return true;
}

static void threads_count_as_one(void **state)
{
    static uint64_t expected[KINDS];
    static uint32_t rows[MGL_COUNTED_AT_ONCE * COLUMNS];
    pthread_t threads[THREADS];
    turn turns[THREADS];
    (void)state;
    mgl_group_counts *counts = mgl_group_counts_new(COLUMNS);
    assert_non_null(counts);
    for (size_t t = 0; t < THREADS; t++) {
        uint64_t seed = t + 1;
        for (int i = 0; i < ROUNDS; i++)
            for (size_t n = draw(&seed, rows); n > 0; n--)
                expected[kind_of(rows + (n - 1) * COLUMNS)]++;
        turns[t] = (turn){counts, t + 1};
        assert_int_equal(pthread_create(&threads[t], NULL, count, &turns[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++) {
        void *counted = NULL;
        assert_int_equal(pthread_join(threads[t], &counted), 0);
        assert_non_null(counted);
    }
    assert_true(mgl_group_counts_drain(counts, compare, expected));
    for (size_t i = 0; i < KINDS; i++)
        assert_int_equal(expected[i], 0);
    mgl_group_counts_free(counts);
}

static bool refuse(void *context, const uint32_t *numbers, uint64_t times)
{
    (void)numbers;
    (void)times;
    return ++*(size_t *)context < 2;
}

static void draining_ends_when_told(void **state)
{
    uint32_t rows[] = {0, 1, 2, 3};
    size_t seen = 0;
    (void)state;
    mgl_group_counts *counts = mgl_group_counts_new(1);
    assert_non_null(counts);
    assert_true(mgl_group_counts_add(counts, rows, 4));
    assert_false(mgl_group_counts_drain(counts, refuse, &seen));
    assert_int_equal(seen, 2);
    mgl_group_counts_free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_count_as_one),
        cmocka_unit_test(draining_ends_when_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
