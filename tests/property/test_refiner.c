/* Nodes judged on the way down against the plain evaluator: whether they hold, and what they cost
 * to the last bit, for all models, treatments and measures, with persons, a population, histories
 * and several quasi-identifiers, wherever the way begins and whichever steps it takes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"
#include "search/node/node.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- Ways down ----------------------------------------------------------------------------- */

/* rows: that the node is said to suppress at least. */
static void compare_node(mgl_evaluator *evaluator, const uint32_t *node, const mgl_judged *judged,
                         uint64_t rows, uint64_t seed)
{
    mgl_evaluation e;
    assert_int_equal(mgl_evaluate_node(evaluator, node, &e), MGL_OK);
    if (judged->holds != e.holds || (e.holds && memcmp(&judged->cost, &e.cost, sizeof e.cost) != 0))
        fail_msg("seed %llu: holds %d %d, cost %.17g %.17g", (unsigned long long)seed, e.holds,
                 judged->holds, e.cost, judged->cost);
    if (rows > e.suppressed_rows && e.holds)
        fail_msg("seed %llu: %llu rows are suppressed, not %llu", (unsigned long long)seed,
                 (unsigned long long)e.suppressed_rows, (unsigned long long)rows);
}

static size_t list_columns(const mgl_problem *p, const uint32_t *node, uint32_t *columns)
{
    size_t n = 0;
    for (uint32_t a = 0; a < p->list->n_attributes; a++)
        if (node[a] > p->min_level[a])
            columns[n++] = a;
    return n;
}

/* From a node to the lowest, one random step after the other; all nodes just below each of them are
 * judged, as far as there are any. */
static void go_down(const mgl_problem *p, mgl_evaluator *evaluator, uint32_t *node,
                    mgl_random *random, uint64_t seed)
{
    uint32_t columns[RANDOM_ATTRIBUTES];
    mgl_judged judged[RANDOM_ATTRIBUTES];
    mgl_refiner *refiner;
    assert_int_equal(mgl_refiner_new(p, node, NULL, &refiner), MGL_OK);
    for (size_t n; (n = list_columns(p, node, columns)) > 0;) {
        bool timed_out;
        uint64_t rows[RANDOM_ATTRIBUTES];
        for (size_t i = 0; i < n; i++)
            rows[i] = mgl_refiner_rows_below(refiner, columns[i]);
        assert_int_equal(mgl_refiner_judge(refiner, NULL, judged), MGL_OK);
        compare_node(evaluator, node, judged, 0, seed);
        assert_int_equal(mgl_refiner_judge_steps(refiner, columns, n, NULL, judged, &timed_out),
                         MGL_OK);
        assert_false(timed_out);
        for (size_t i = 0; i < n; i++) {
            node[columns[i]]--;
            compare_node(evaluator, node, &judged[i], rows[i], seed);
            rows[i] = mgl_refiner_rows_below(refiner, columns[i]);
            compare_node(evaluator, node, &judged[i], rows[i], seed);
            node[columns[i]]++;
        }
        uint32_t step = columns[mgl_random_below(random, n)];
        assert_int_equal(mgl_refiner_step(refiner, step, NULL), MGL_OK);
        node[step]--;
    }
    mgl_refiner_free(refiner);
}

static void compare(mgl_problem *p, uint64_t seed)
{
    uint32_t node[RANDOM_ATTRIBUTES];
    mgl_evaluator *evaluator;
    mgl_random random;
    mgl_random_seed(&random, seed);
    assert_int_equal(mgl_evaluator_new(p, NULL, &evaluator), MGL_OK);
    for (int i = 0; i < 3; i++) {
        for (size_t a = 0; a < p->list->n_attributes; a++) {
            uint32_t levels = p->max_level[a] - p->min_level[a] + 1;
            node[a] = i == 0
                          ? p->max_level[a]
                          : p->min_level[a] + (uint32_t)mgl_random_below(&random, (uint64_t)levels);
        }
        p->pool = i == 1 ? four : NULL;
        go_down(p, evaluator, node, &random, seed);
    }
    p->pool = NULL;
    mgl_evaluator_free(evaluator);
}

/* ---- Small tables with everything ------------------------------------------------------------ */

static void every_way_down_has_the_figures_of_the_evaluator(void **state)
{
    (void)state;
    brute_problems_with_everything(UINT64_C(8000000), brute_cases(1000), compare);
}

/* ---- Larger tables ------------------------------------------------------------------------- */

static void larger_tables_have_the_figures_of_the_evaluator(void **state)
{
    (void)state;
    static const char *const measures[] = {"entropy", "loss", "precision", "discernibility"};
    for (int i = 0; i < brute_cases(120); i++) {
        random_problem p;
        assert_true(random_problem_make(&p, 800000 + (uint64_t)i));
        p.problem.measure = mgl_measure_type_find(measures[i % 4]);
        compare(&p.problem, p.seed);
        random_problem_free(&p);
    }
}

/* Classes that codes keep apart may be one class: their sizes alone say nothing then. */
static void equal_labels_that_go_apart_are_one_class(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 4, 200, seed));
        for (size_t a = 0; a < p.n_attributes; a++)
            if (p.max_level[a] > 1)
                p.columns[a]->of_leaf[1][1] = p.columns[a]->of_leaf[1][0];
        p.problem.measure = mgl_measure_type_find("loss");
        p.problem.limit = p.list->n_rows / 10;
        compare(&p.problem, seed);
        random_problem_free(&p);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static mgl_status one_way_down(const mgl_problem *p, mgl_error *err)
{
    uint32_t columns[RANDOM_ATTRIBUTES], node[RANDOM_ATTRIBUTES];
    mgl_judged judged[RANDOM_ATTRIBUTES];
    bool timed_out;
    mgl_refiner *refiner = NULL;
    mgl_status status = MGL_OK;
    memcpy(node, p->max_level, p->list->n_attributes * sizeof *node);
    MGL_GO(mgl_refiner_new(p, node, err, &refiner));
    for (size_t n; (n = list_columns(p, node, columns)) > 0; node[columns[0]]--) {
        MGL_GO(mgl_refiner_judge(refiner, err, judged));
        MGL_GO(mgl_refiner_judge_steps(refiner, columns, n, err, judged, &timed_out));
        MGL_GO(mgl_refiner_step(refiner, columns[0], err));
    }
done:
    mgl_refiner_free(refiner);
    return status;
}
#endif

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    assert_true(random_problem_make_wide(&p, 3, 60, 4));
    p.problem.measure = mgl_measure_type_find("loss");
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
        mgl_error err = {0};
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = one_way_down(&p.problem, &err);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        assert_true(number < 100000);
    }
    assert_int_equal(status, MGL_OK);
    random_problem_free(&p);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_down_has_the_figures_of_the_evaluator),
        cmocka_unit_test(larger_tables_have_the_figures_of_the_evaluator),
        cmocka_unit_test(equal_labels_that_go_apart_are_one_class),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
