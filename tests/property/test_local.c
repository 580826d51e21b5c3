/* Local suppression against brute force: small random tables with all kinds of models, treatments,
 * bounds and combinations; every release checked row by row in both ways of counting. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_local.h"

static brute_table table;

static void releases_hold_where_suppressed_cells_are_values(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(60); i++) {
        brute_made m;
        seed = local_make_table(&table, seed);
        brute_random random = {seed + 77};
        brute_made_make(&table, &m);
        local_vary(&table, &m, &random, false);
        brute_made_free(&m);
    }
}

static void releases_hold_where_suppressed_cells_match_all(void **state)
{
    (void)state;
    uint64_t seed = 9000000;
    for (int i = 0; i < brute_cases(100); i++) {
        brute_made m;
        brute_random random = {seed + 99};
        seed = local_make_table(&table, seed);
        brute_table_take_model(&table, &random, BRUTE_K);
        brute_made_make(&table, &m);
        local_vary(&table, &m, &random, true);
        brute_made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_hold_where_suppressed_cells_are_values),
        cmocka_unit_test(releases_hold_where_suppressed_cells_match_all),
    };
    return cmocka_run_group_tests(tests, local_begin, local_end);
}
