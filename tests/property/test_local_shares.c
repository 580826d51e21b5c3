/* Local suppression against brute force, one kind of model at a time: those on the
 * shares of sensitive values. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_local.h"

static void models_on_shares_of_values_hold(void **state)
{
    (void)state;
    /* What no greedy finds is searched whole: seconds for a table. */
    local_each_model(BRUTE_ALPHA, BRUTE_K_MAP, 10, 7000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_on_shares_of_values_hold),
    };
    return cmocka_run_group_tests(tests, local_begin, local_end);
}
