/* Counting keys: with the count beside the key and in its spare bits, also when it outgrows
 * these; each allocation fails in turn. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "classes/counter.h"

#include <stdlib.h>

enum { KEYS = 3000, ADDED = 20000 };

/* Keys of one word that differ in bits just above the zeros, or in the highest bits. */
static uint64_t key_of(uint64_t number, unsigned zeros, bool high)
{
    return number << (high ? 64 - 12 : zeros);
}

/* Adds keys in random order. Amounts: NULL for 1 each; some are 0, some outgrow 16 bits. */
static mgl_status count(unsigned zeros, bool high, bool with_amounts, uint64_t *expected,
                        mgl_counter *counter, mgl_error *err)
{
    static uint64_t keys[ADDED], amounts[ADDED];
    brute_random random = {zeros + high};
    MGL_TRY(mgl_counter_init(counter, 1, zeros, err));
    for (size_t i = 0; i < ADDED; i++) {
        uint64_t number = (uint64_t)brute_below(&random, brute_chance(&random, 50) ? 3 : KEYS);
        keys[i] = key_of(number, zeros, high);
        amounts[i] = brute_chance(&random, 10)  ? 0
                     : brute_chance(&random, 5) ? UINT64_C(1) << brute_below(&random, 40)
                                                : (uint64_t)brute_below(&random, 100);
        expected[number] += with_amounts ? amounts[i] : 1;
    }
    return mgl_counter_add(counter, keys, with_amounts ? amounts : NULL, ADDED, err);
}

static void check(unsigned zeros, bool high, bool with_amounts)
{
    static uint64_t expected[KEYS];
    mgl_counter counter;
    memset(expected, 0, sizeof expected);
    assert_int_equal(count(zeros, high, with_amounts, expected, &counter, NULL), MGL_OK);
    uint64_t *keys, *counts;
    size_t n, at = 0;
    assert_int_equal(mgl_counter_take(&counter, NULL, &keys, &counts, &n), MGL_OK);
    for (uint64_t number = 0; number < KEYS; number++) {
        if (expected[number] == 0)
            continue;
        assert_true(at < n);
        assert_true(keys[at] == key_of(number, zeros, high));
        assert_true(counts[at] == expected[number]);
        at++;
    }
    assert_int_equal(at, n);
    mgl_free(keys);
    mgl_free(counts);
}

static void counters_equal_plain_counting(void **state)
{
    (void)state;
    static const unsigned zeros[] = {0, 15, 16, 20, 32, 40};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        for (int form = 0; form < 4; form++)
            check(zeros[i], form & 1, form & 2);
}

/* Ones only: 16 bits overflow again and again. */
static void a_frequent_key_outgrows_its_bits(void **state)
{
    (void)state;
    mgl_counter counter;
    uint64_t block[1000], *keys, *counts;
    size_t n;
    assert_int_equal(mgl_counter_init(&counter, 1, 16, NULL), MGL_OK);
    for (size_t i = 0; i < 1000; i++)
        block[i] = (uint64_t)(i % 4 == 0) << 16;
    for (int times = 0; times < 1000; times++)
        assert_int_equal(mgl_counter_add(&counter, block, NULL, 1000, NULL), MGL_OK);
    assert_int_equal(mgl_counter_take(&counter, NULL, &keys, &counts, &n), MGL_OK);
    assert_int_equal(n, 2);
    assert_int_equal(keys[0], 0);
    assert_int_equal(counts[0], 750000);
    assert_int_equal(keys[1], 1 << 16);
    assert_int_equal(counts[1], 250000);
    mgl_free(keys);
    mgl_free(counts);
}

static void an_empty_counter_gives_no_keys(void **state)
{
    (void)state;
    for (unsigned zeros = 0; zeros <= 64; zeros += 32) {
        mgl_counter counter;
        uint64_t *keys, *counts;
        size_t n = 1;
        assert_int_equal(mgl_counter_init(&counter, 1, zeros, NULL), MGL_OK);
        assert_int_equal(mgl_counter_take(&counter, NULL, &keys, &counts, &n), MGL_OK);
        assert_int_equal(n, 0);
        mgl_free(keys);
        mgl_free(counts);
    }
}

#ifdef MGL_FAULTS
static void each_allocation_fails_in_turn(void **state)
{
    (void)state;
    static uint64_t expected[KEYS];
    uint64_t failures = 0;
    for (uint64_t number = 1;; number++) {
        mgl_counter counter = {0};
        uint64_t *keys = NULL, *counts = NULL;
        size_t n;
        mgl_error err = {0};
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_status status = count(16, false, true, expected, &counter, &err);
        if (status == MGL_OK)
            status = mgl_counter_take(&counter, &err, &keys, &counts, &n);
        bool reached = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        mgl_counter_free(&counter);
        mgl_free(keys);
        mgl_free(counts);
        assert_int_equal(status, reached ? MGL_SYSTEM : MGL_OK);
        if (!reached)
            break;
        failures++;
    }
    assert_true(failures > 5); /* slots, rest and its slots, what is taken */
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_equal_plain_counting),
        cmocka_unit_test(a_frequent_key_outgrows_its_bits),
        cmocka_unit_test(an_empty_counter_gives_no_keys),
#ifdef MGL_FAULTS
        cmocka_unit_test(each_allocation_fails_in_turn),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
