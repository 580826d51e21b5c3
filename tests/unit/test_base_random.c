/* base: ChaCha20 and what is drawn from it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"

/* RFC 8439, appendix A.1: the first 64 bytes for key 0, nonce 0, block 0 and 1. Our
 * 64-bit block number takes the place of the counter and the first nonce word, so
 * that these two blocks are the same. */
static const uint8_t block_0[64] = {
    0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28,
    0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d, 0xed, 0x1a, 0xa8, 0x36, 0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7,
    0xda, 0x41, 0x59, 0x7c, 0x51, 0x57, 0x48, 0x8d, 0x77, 0x24, 0xe0, 0x3f, 0xb8, 0xd8, 0x4a, 0x37,
    0x6a, 0x43, 0xb8, 0xf4, 0x15, 0x18, 0xa1, 0x1c, 0xc3, 0x87, 0xb6, 0x69, 0xb2, 0xee, 0x65, 0x86};
static const uint8_t block_1[64] = {
    0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73, 0x2d, 0x08, 0x0d,
    0xcb, 0x0f, 0x29, 0xa0, 0x48, 0xe3, 0x65, 0x69, 0x12, 0xc6, 0x53, 0x3e, 0x32, 0xee, 0x7a, 0xed,
    0x29, 0xb7, 0x21, 0x76, 0x9c, 0xe6, 0x4e, 0x43, 0xd5, 0x71, 0x33, 0xb0, 0x74, 0xd8, 0x39, 0xd5,
    0x31, 0xed, 0x1f, 0x28, 0x51, 0x0a, 0xfb, 0x45, 0xac, 0xe1, 0x0a, 0x1f, 0x4b, 0x79, 0x4d, 0x6f};

static void expect_block(mgl_random *random, const uint8_t *bytes)
{
    for (int i = 0; i < 16; i++) {
        uint32_t word = mgl_random_u32(random);
        for (int j = 0; j < 4; j++)
            assert_int_equal(word >> (8 * j) & 0xff, bytes[4 * i + j]);
    }
}

static void the_stream_is_chacha20(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 0);
    expect_block(&random, block_0);
    expect_block(&random, block_1);
}

/* RFC 8439, appendix A.1, test vector 4: key 00 ff 00 ..., block 2. */
static void another_key_gives_the_stream_of_the_rfc(void **state)
{
    (void)state;
    static const uint8_t start[8] = {0x72, 0xd5, 0x4d, 0xfb, 0xf1, 0x2e, 0xc4, 0x4b};
    mgl_random random;
    mgl_random_seed(&random, 0xff00);
    for (int i = 0; i < 32; i++)
        mgl_random_u32(&random);
    for (int i = 0; i < 2; i++) {
        uint32_t word = mgl_random_u32(&random);
        for (int j = 0; j < 4; j++)
            assert_int_equal(word >> (8 * j) & 0xff, start[4 * i + j]);
    }
}

static void seeds_repeat_and_differ(void **state)
{
    (void)state;
    mgl_random a, b, c;
    mgl_random_seed(&a, 1);
    mgl_random_seed(&b, 1);
    mgl_random_seed(&c, (uint64_t)1 << 32);
    int equal_to_other = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t word = mgl_random_u32(&a);
        assert_int_equal(word, mgl_random_u32(&b));
        equal_to_other += word == mgl_random_u32(&c);
    }
    assert_in_range(equal_to_other, 0, 2);
}

static void the_system_seeds_differently_each_time(void **state)
{
    (void)state;
    mgl_random a, b;
    assert_int_equal(mgl_random_init(&a, NULL), MGL_OK);
    assert_int_equal(mgl_random_init(&b, NULL), MGL_OK);
    assert_memory_not_equal(a.key, b.key, sizeof a.key);
    uint32_t zero[8] = {0};
    assert_memory_not_equal(a.key, zero, sizeof zero);
}

/* Chi-square against the uniform distribution; the seed is fixed, so this cannot
 * fail by chance. Limits are the 99.99th percentiles. */
static double chi_square(mgl_random *random, unsigned cells, unsigned draws)
{
    unsigned count[100] = {0};
    for (unsigned i = 0; i < draws; i++) {
        uint64_t x = mgl_random_below(random, cells);
        assert_true(x < cells);
        count[x]++;
    }
    double expected = (double)draws / cells, sum = 0;
    for (unsigned i = 0; i < cells; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    return sum;
}

static void numbers_are_uniform(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 42);
    assert_true(chi_square(&random, 3, 100000) < 18.4);
    assert_true(chi_square(&random, 10, 100000) < 33.7);
    assert_true(chi_square(&random, 100, 100000) < 160.1);
    for (int i = 0; i < 100; i++)
        assert_int_equal(mgl_random_below(&random, 1), 0);
    /* A limit just above 2^63: a plain remainder would favour the lower half two to one. */
    uint64_t limit = ((uint64_t)1 << 63) + ((uint64_t)1 << 62);
    unsigned low = 0;
    for (int i = 0; i < 30000; i++) {
        uint64_t x = mgl_random_below(&random, limit);
        assert_true(x < limit);
        low += x < limit / 3;
    }
    assert_in_range(low, 9600, 10400);
}

/* The same from draws of 32 bits, with a limit that rejects a third of them. */
static void small_numbers_are_uniform(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 43);
    unsigned count[10] = {0}, low = 0;
    for (int i = 0; i < 100000; i++)
        count[mgl_random_below_32(&random, 10)]++;
    for (int i = 0; i < 10; i++)
        assert_in_range(count[i], 9600, 10400);
    for (int i = 0; i < 100; i++)
        assert_int_equal(mgl_random_below_32(&random, 1), 0);
    uint32_t limit = 0xc0000000;
    for (int i = 0; i < 30000; i++) {
        uint32_t x = mgl_random_below_32(&random, limit);
        assert_true(x < limit);
        low += x < limit / 3;
    }
    assert_in_range(low, 9600, 10400);
}

/* Streams of one key are different, and stream 0 is the key's own. */
static void streams_differ(void **state)
{
    (void)state;
    mgl_random random, same, other;
    mgl_random_seed(&random, 5);
    mgl_random_stream(&random, 0, &same);
    mgl_random_stream(&random, 1, &other);
    int equal = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t word = mgl_random_u32(&random);
        assert_int_equal(word, mgl_random_u32(&same));
        equal += word == mgl_random_u32(&other);
    }
    assert_in_range(equal, 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stream_is_chacha20),
        cmocka_unit_test(another_key_gives_the_stream_of_the_rfc),
        cmocka_unit_test(seeds_repeat_and_differ),
        cmocka_unit_test(the_system_seeds_differently_each_time),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(small_numbers_are_uniform),
        cmocka_unit_test(streams_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
