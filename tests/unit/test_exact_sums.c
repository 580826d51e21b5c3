/* Sums over classes that do not depend on the order of the classes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "utility/exact_sums.h"

#include <math.h>

/* Sizes of classes, from small to large, with gaps that grow. */
enum { SIZES = 300 };

static uint64_t size_at(size_t i)
{
    return 1 + i * i * i / 5;
}

static void a_term_is_the_product_as_a_double_has_it(void **state)
{
    (void)state;
    mgl_log_terms terms = {0};
    for (int again = 0; again < 2; again++) /* the second time terms are known */
        for (size_t i = 0; i < SIZES; i++) {
            double size = (double)size_at(i);
            double term = mgl_log_sum_value(mgl_log_term(&terms, size_at(i)));
            assert_true(term == size * log2(size));
        }
    assert_true(mgl_log_term(&terms, 0) == 0);
}

static void the_order_of_classes_does_not_change_a_sum(void **state)
{
    (void)state;
    mgl_log_terms terms = {0};
    mgl_whole_sum up = 0, down = 0;
    double rounded_up = 0, rounded_down = 0;
    for (size_t i = 0; i < SIZES; i++) {
        double small = (double)size_at(i), large = (double)size_at(SIZES - 1 - i);
        up += mgl_log_term(&terms, size_at(i));
        down += mgl_log_term(&terms, size_at(SIZES - 1 - i));
        rounded_up += small * log2(small);
        rounded_down += large * log2(large);
    }
    assert_true(rounded_up != rounded_down); /* that is why */
    assert_true(mgl_log_sum_value(up) == mgl_log_sum_value(down));
    assert_true(fabs(mgl_log_sum_value(up) - rounded_up) < 1e-12 * rounded_up);
}

static void products_are_whole_up_to_127_bits(void **state)
{
    (void)state;
    enum { COLUMNS = 13 };
    mgl_released_value value = {.leaves = 1000};
    mgl_released_column column = {.values = &value, .top = 0};
    const mgl_released_column *columns[COLUMNS];
    for (size_t a = 0; a < COLUMNS; a++)
        columns[a] = &column;
    assert_true(mgl_products_are_whole(columns, 12, 100)); /* 10^38 < 2^127 */
    assert_false(mgl_products_are_whole(columns, 13, 100));
    assert_false(mgl_products_are_whole(columns, 12, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_term_is_the_product_as_a_double_has_it),
        cmocka_unit_test(the_order_of_classes_does_not_change_a_sum),
        cmocka_unit_test(products_are_whole_up_to_127_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
