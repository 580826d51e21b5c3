/* Local suppression against brute force, one kind of model at a time: those on a
 * population, and on the risk of a class or of the whole table. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_local.h"

static void models_on_populations_and_risk_hold(void **state)
{
    (void)state;
    /* Proofs for models of a population take minutes under the thread sanitizer. */
    if (BRUTE_ONE_IN > 1)
        return;
    local_each_model(BRUTE_K_MAP, BRUTE_KINDS, 8, 6000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_on_populations_and_risk_hold),
    };
    return cmocka_run_group_tests(tests, local_begin, local_end);
}
