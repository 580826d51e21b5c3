/* Local suppression against brute force, one kind of model at a time: those on a
 * population, and on the risk of a class or of the whole table. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_local.h"

static mgl_pool *four;

static int begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

static int end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

static void on_populations_and_risk(void **state)
{
    (void)state;
    /* Proofs for models of a population take minutes under the thread sanitizer. */
    if (BRUTE_ONE_IN > 1)
        return;
    local_each_model(BRUTE_K_MAP, BRUTE_KINDS, 8, 6000000, four);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_populations_and_risk),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
