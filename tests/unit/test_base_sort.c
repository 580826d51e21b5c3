/* base: sorting, and indexes of keys that are so many bytes each. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"

enum { ROUNDS = 400, MOST = 900 };

typedef struct offer {
    double price;
    mgl_span text;
    int64_t day;
    uint32_t place;
    uint8_t kind;
} offer;

static const mgl_sort_key in_order[] = {MGL_DESCENDING(offer, price), MGL_ASCENDING(offer, text),
                                        MGL_ASCENDING(offer, day),    MGL_DESCENDING(offer, kind),
                                        MGL_ASCENDING(offer, place),  MGL_SORT_END};

static int compare(const offer *x, const offer *y)
{
    if (x->price != y->price)
        return x->price > y->price ? -1 : 1;
    int texts = mgl_span_compare(x->text, y->text);
    if (texts != 0)
        return texts;
    if (x->day != y->day)
        return x->day < y->day ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind > y->kind ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Few or many, in order, the other way round, or drawn from few values or from many. */
static size_t draw(size_t round, uint64_t *seed, uint32_t *out)
{
    size_t n = round % 7 == 0 ? MOST : round % 40;
    for (size_t i = 0; i < n; i++) {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        out[i] = round % 5 == 0   ? (uint32_t)i
                 : round % 5 == 1 ? (uint32_t)(n - i)
                 : round % 5 == 2 ? (uint32_t)(i < n / 2 ? i : n - i)
                                  : (uint32_t)(*seed >> 33) % (round % 2 == 0 ? 5 : 100000);
    }
    return n;
}

static void numbers_are_sorted(void **state)
{
    (void)state;
    uint32_t list[MOST], drawn[MOST];
    uint64_t seed = 1, wide[MOST];
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t n = draw(round, &seed, drawn);
        uint64_t sum = 0, sorted_sum = 0, wide_sum = 0;
        for (size_t i = 0; i < n; i++) {
            list[i] = drawn[i];
            wide[i] = (uint64_t)drawn[i] << 32;
            sum += (uint64_t)drawn[i] * drawn[i];
        }
        mgl_sort_u32(list, n);
        mgl_sort_u64(wide, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(i == 0 || (list[i - 1] <= list[i] && wide[i - 1] <= wide[i]));
            sorted_sum += (uint64_t)list[i] * list[i];
            wide_sum += (wide[i] >> 32) * (wide[i] >> 32);
        }
        assert_int_equal(sorted_sum, sum);
        assert_int_equal(wide_sum, sum);
        size_t different = mgl_sort_unique_u32(drawn, n);
        for (size_t i = 1; i < different; i++)
            assert_true(drawn[i - 1] < drawn[i]);
        assert_true(n == 0 || drawn[different - 1] == list[n - 1]);
    }
    mgl_sort_u32(NULL, 0);
    mgl_sort(NULL, 0, sizeof(offer), in_order);
}

static void structures_are_sorted_by_fields(void **state)
{
    (void)state;
    static const char *const texts[] = {"b", "", "ba", "a\xff", "a"};
    static offer offers[MOST];
    uint32_t drawn[MOST];
    uint64_t seed = 2;
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t n = draw(round, &seed, drawn);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t x = drawn[i];
            offers[i] = (offer){x % 3 - 1.5, mgl_span_of(texts[x / 3 % 5]),
                                (int64_t)(x / 15 % 3) - 1, i, (uint8_t)(x % 2 * 200)};
        }
        mgl_sort(offers, n, sizeof *offers, in_order);
        for (size_t i = 1; i < n; i++)
            assert_true(compare(&offers[i - 1], &offers[i]) < 0);
    }
}

static void keys_of_a_fixed_size_are_numbered(void **state)
{
    (void)state;
    mgl_key_index index = {.size = 3};
    for (int round = 0; round < 2; round++) {
        assert_int_equal(mgl_key_index_find(&index, "abc"), MGL_NOT_FOUND);
        for (uint32_t i = 0; i < 5000; i++) {
            char key[3] = {(char)(i % 256), (char)(i / 256), 'x'};
            assert_int_equal(mgl_key_index_add(&index, key), i);
        }
        for (uint32_t i = 5000; i-- > 0;) {
            char key[3] = {(char)(i % 256), (char)(i / 256), 'x'};
            assert_int_equal(mgl_key_index_add(&index, key), i);
            assert_int_equal(mgl_key_index_find(&index, key), i);
            assert_memory_equal((char *)index.keys + i * index.size, key, sizeof key);
        }
        assert_int_equal(index.n, 5000);
        mgl_key_index_free(&index);
        index = (mgl_key_index){.size = 3};
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_sorted),
        cmocka_unit_test(structures_are_sorted_by_fields),
        cmocka_unit_test(keys_of_a_fixed_size_are_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
