/* Counts of half a byte, which leave room for blocks of 64 lanes, against the plain sweep. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "fast_search.h"
#include "random_problem.h"
#include "search/fulldomain/by_size/counts.h"

static bool counts_are_of_half_a_byte(const mgl_problem *problem)
{
    mgl_by_size *search = NULL;
    if (!mgl_by_size_handles(problem))
        return false;
    assert_int_equal(mgl_by_size_new(problem, NULL, NULL, &search), MGL_OK);
    bool halves = search != NULL && !search->frame.impossible &&
                  search->kernel->lanes == mgl_by_size_kernel_for(4)->lanes;
    mgl_by_size_free(search);
    return halves;
}

static void demand_rows(random_problem *p, uint64_t k)
{
    p->model.parameters[0] = (double)k;
    p->problem.k = k;
}

/* Columns of few values fill blocks of up to 64 lanes. */
static void counts_of_half_a_byte_equal_the_sweep(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1000; compared < brute_cases(20); seed++) {
        random_problem p;
        assert_true(seed < 20000);
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find("precision");
        uint64_t k = seed % 2 == 0 ? 15 : p.problem.k; /* half a byte holds no more */
        demand_rows(&p, 16);
        assert_false(counts_are_of_half_a_byte(&p.problem));
        demand_rows(&p, k);
        if (counts_are_of_half_a_byte(&p.problem)) {
            fast_search_compare_all(&fast_by_size, &p.problem, p.seed);
            compared++;
        }
        random_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_of_half_a_byte_equal_the_sweep)};
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
