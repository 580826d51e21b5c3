/* Lists that are long enough to be shared out among threads: what several threads say of them is
 * what one says. */
#include "../support/random_problem.h"
#include "search/node/node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TUPLES = 70000, COLUMNS = 6, TABLES = 3, NODES = 6 };

static void expect_same_costs(const random_problem *p, mgl_pool *pool)
{
    mgl_cell_costs *shared;
    assert_int_equal(mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns,
                                        pool, NULL, &shared),
                     MGL_OK);
    for (size_t a = 0; a < p->n_attributes; a++) {
        size_t n = p->columns[a]->n_values;
        assert_memory_equal(shared->rows[a], p->costs->rows[a], n * sizeof **shared->rows);
        assert_memory_equal(shared->log_rows[a], p->costs->log_rows[a],
                            n * sizeof **shared->log_rows);
        assert_memory_equal(shared->loss[a], p->costs->loss[a], n * sizeof **shared->loss);
    }
    assert_memory_equal(shared->original_bits, p->costs->original_bits,
                        p->n_attributes * sizeof *shared->original_bits);
    assert_memory_equal(&shared->original_log_sum, &p->costs->original_log_sum,
                        sizeof shared->original_log_sum);
    mgl_cell_costs_free(shared);
}

static mgl_solution *solution_at(mgl_problem problem, const uint32_t *node, mgl_pool *pool)
{
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    assert_non_null(solution);
    problem.pool = pool;
    assert_int_equal(mgl_solution_take_node(solution, &problem, node, NULL), MGL_OK);
    return solution;
}

static void expect_same_release(const mgl_problem *problem, const uint32_t *node, mgl_pool *pool)
{
    mgl_solution *one = solution_at(*problem, node, NULL);
    mgl_solution *several = solution_at(*problem, node, pool);
    size_t n = problem->list->n_tuples;
    assert_int_equal(several->suppressed_rows, one->suppressed_rows);
    assert_memory_equal(several->recoding->suppressed, one->recoding->suppressed, n);
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        assert_memory_equal(several->recoding->cells[a], one->recoding->cells[a],
                            n * sizeof **one->recoding->cells);
    assert_int_equal(several->classes == NULL, one->classes == NULL);
    if (one->classes != NULL) {
        const mgl_classes *x = one->classes, *y = several->classes;
        assert_int_equal(y->n_classes, x->n_classes);
        assert_memory_equal(y->first, x->first, x->n_classes * sizeof *x->first);
        assert_memory_equal(y->sizes, x->sizes, x->n_classes * sizeof *x->sizes);
        assert_memory_equal(y->of_tuple, x->of_tuple, n * sizeof *x->of_tuple);
    }
    mgl_solution_free(one);
    mgl_solution_free(several);
}

/* From all tuples as they are, most of which are a class by themselves, upwards. */
static void threads_release_like_one(void **state)
{
    static const mgl_treatment treatments[] = {MGL_KEEP, MGL_DROP, MGL_EXEMPT};
    mgl_pool *pool;
    (void)state;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, COLUMNS, TUPLES, 4400 + seed));
        assert_true(p.list->n_tuples > 1 << 15);
        expect_same_costs(&p, pool);
        for (uint32_t step = 0; step < NODES; step++) {
            uint32_t node[COLUMNS];
            for (size_t a = 0; a < COLUMNS; a++)
                node[a] = (uint32_t)((step + a) / COLUMNS + (step > a));
            p.problem.treatment = treatments[step % 3];
            expect_same_release(&p.problem, node, pool);
        }
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_release_like_one),
    };
    return cmocka_run_group_tests_name("large lists", tests, NULL, NULL);
}
