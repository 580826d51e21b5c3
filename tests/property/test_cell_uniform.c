/* The cell level against one level per column, with models that a row which joins a class can
 * break: it never costs more. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "search/cell/cell.h"
#include "search/fulldomain/fulldomain.h"
#include "search/node/node.h"
#include "sensitive_problem.h"

#include <stdio.h>

/* What precision takes off, summed up over the cells; rows that are left out are at the top. */
static double distortion(const mgl_problem *p, const mgl_recoding *recoding)
{
    double sum = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        for (size_t t = 0; t < p->list->n_tuples; t++) {
            const mgl_released_column *column = p->columns[a];
            double level = column->values[recoding->cells[a][t]].level;
            sum += p->weights[a] * (double)p->list->counts[t] *
                   (recoding->suppressed[t] ? 1 : level / column->hierarchy->height);
        }
    return sum;
}

/* True if there is a release with one level per column. */
static bool compare(const sensitive_problem *p, uint64_t seed)
{
    const mgl_problem *problem = &p->random.problem;
    mgl_solution *uniform, *cells;
    if (mgl_method_run(&mgl_mingen, problem, NULL, &uniform) != MGL_OK)
        return false;
    assert_int_equal(mgl_method_run(&mgl_cell, problem, NULL, &cells), MGL_OK);
    double most = distortion(problem, uniform->recoding),
           cost = distortion(problem, cells->recoding);
    if (cost > most * (1 + 1e-9))
        fail_msg("seed %llu:%s: the cell level loses %.9g, one level per column %.9g",
                 (unsigned long long)seed, p->told, cost, most);
    mgl_solution_free(uniform);
    mgl_solution_free(cells);
    return true;
}

static void costs_no_more_than_one_level_per_column(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < brute_cases(600); i++) {
        sensitive_problem p;
        uint64_t seed = 400000 + (uint64_t)i;
        assert_true(sensitive_problem_make(&p, seed));
        p.random.problem.measure = mgl_measure_type_find("precision");
        p.random.problem.effort = MGL_EFFORT_FAST;
        if (p.random.list->n_tuples < 200)
            compared += compare(&p, seed);
        sensitive_problem_free(&p);
    }
    assert_true(compared > 100 / BRUTE_ONE_IN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_no_more_than_one_level_per_column),
    };
    return cmocka_run_group_tests_name("cell and one level per column", tests, NULL, NULL);
}
