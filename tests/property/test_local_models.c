/* Local suppression against brute force, one kind of model at a time: those on the size
 * of a class and on how many sensitive values it has. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_local.h"

static void models_on_different_values_hold(void **state)
{
    (void)state;
    /* What no greedy finds is searched whole: seconds for a table. */
    local_each_model(BRUTE_K, BRUTE_ALPHA, 3, 5000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_on_different_values_hold),
    };
    return cmocka_run_group_tests(tests, local_begin, local_end);
}
