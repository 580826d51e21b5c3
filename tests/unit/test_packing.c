/* classes: cells packed into the words of keys, and tuples that are grouped by such keys in several
 * threads. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "classes/row_keys.h"

#include <stdlib.h>
#include <string.h>

/* Keys of one word and of two; few classes, many, and all tuples different. */
static void several_threads_group_as_one_does(void **state)
{
    enum { TUPLES = 40000, ATTRIBUTES = 4 };
    static const uint32_t kinds[] = {2, 9, 60, 100000};
    (void)state;
    mgl_pool *pool;
    mgl_classes one, several;
    uint32_t *cells[ATTRIBUTES], n_values[ATTRIBUTES];
    uint64_t *counts = calloc(TUPLES, sizeof *counts);
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    assert_int_equal(mgl_classes_init(&one, TUPLES, ATTRIBUTES, NULL), MGL_OK);
    assert_int_equal(mgl_classes_init(&several, TUPLES, ATTRIBUTES, NULL), MGL_OK);
    for (size_t a = 0; a < ATTRIBUTES; a++)
        cells[a] = calloc(TUPLES, sizeof **cells);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        brute_random random = {700 + i};
        for (size_t t = 0; t < TUPLES; t++) {
            counts[t] = 1 + brute_below(&random, 5);
            for (size_t a = 0; a < ATTRIBUTES; a++)
                cells[a][t] = (uint32_t)brute_below(&random, (int)kinds[i]);
        }
        for (size_t a = 0; a < ATTRIBUTES; a++)
            n_values[a] = kinds[i];
        mgl_cells_to_group all = {cells, n_values, NULL, ATTRIBUTES, counts};
        mgl_classes_group(&one, cells, n_values, NULL, ATTRIBUTES, counts);
        mgl_classes_group_shared(&several, &all, pool);
        assert_int_equal(one.n_classes, several.n_classes);
        assert_memory_equal(one.of_tuple, several.of_tuple, TUPLES * sizeof *one.of_tuple);
        assert_memory_equal(one.sizes, several.sizes, one.n_classes * sizeof *one.sizes);
        assert_memory_equal(one.first, several.first, one.n_classes * sizeof *one.first);
    }
    for (size_t a = 0; a < ATTRIBUTES; a++)
        free(cells[a]);
    free(counts);
    mgl_classes_free(&one);
    mgl_classes_free(&several);
    mgl_pool_free(pool);
}

static void packing_keeps_cells(void **state)
{
    (void)state;
    uint32_t n_values[] = {1, 2, 3, 1000, UINT32_MAX, 5, 1, 65536, 70000, UINT32_MAX};
    size_t n = sizeof n_values / sizeof n_values[0];
    mgl_packing packing;
    assert_int_equal(mgl_packing_init(&packing, n_values, n, NULL), MGL_OK);
    uint64_t key[8] = {0};
    assert_true(packing.n_words <= 8 && packing.n_words >= 2);
    for (size_t a = 0; a < n; a++)
        key[packing.fields[a].word] |= (uint64_t)(n_values[a] - 1) << packing.fields[a].shift;
    for (size_t a = 0; a < n; a++)
        assert_int_equal(mgl_packing_cell(&packing, key, a), n_values[a] - 1);
    mgl_packing_free(&packing);
}

/* Columns of one bit each: as many as a key has, and one more. */
static void too_many_columns_are_refused(void **state)
{
    (void)state;
    size_t most = (size_t)MGL_KEY_WORDS * 64;
    uint32_t *n_values = calloc(most + 1, sizeof *n_values);
    assert_non_null(n_values);
    for (size_t a = 0; a <= most; a++)
        n_values[a] = 2;
    mgl_packing packing;
    mgl_error err = {0};
    assert_int_equal(mgl_packing_init(&packing, n_values, most, &err), MGL_OK);
    assert_int_equal(packing.n_words, MGL_KEY_WORDS);
    mgl_packing_free(&packing);
    assert_int_equal(mgl_packing_init(&packing, n_values, most + 1, &err), MGL_USAGE);
    assert_non_null(strstr(err.message, "65537 quasi-identifiers are too many"));
    free(n_values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_keeps_cells),
        cmocka_unit_test(too_many_columns_are_refused),
        cmocka_unit_test(several_threads_group_as_one_does),
    };
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
