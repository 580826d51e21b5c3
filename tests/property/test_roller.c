/* Nodes judged from lists that were rolled up against the plain evaluator: the same in every figure
 * to the last bit, for all models, treatments and measures, with persons, a population, histories
 * and several quasi-identifiers, whatever the order of the nodes. */
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

#include <stdio.h>
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

/* ---- What a node gives -------------------------------------------------------------------- */

enum { MOST_FIGURES = 40 };

typedef struct figures {
    bool visited, holds, met;
    uint64_t suppressed_rows, n_classes, classes, top_rows;
    double cost, told[MOST_FIGURES];
} figures;

typedef struct visits {
    const mgl_problem *problem;
    figures *nodes; /* by number */
} visits;

static figures figures_of(const mgl_problem *problem, const mgl_evaluation *e)
{
    figures f;
    memset(&f, 0, sizeof f); /* the gaps, too: figures are compared byte by byte */
    size_t n;
    const mgl_measure_type *const *measures = mgl_measure_types(&n);
    f.visited = true;
    f.holds = e->holds;
    f.met = e->met;
    f.suppressed_rows = e->suppressed_rows;
    f.n_classes = e->n_classes;
    f.classes = mgl_evaluation_classes(problem, e);
    f.top_rows = e->statistics->top_rows;
    f.cost = e->cost;
    assert_true(n <= MOST_FIGURES);
    for (size_t m = 0; m < n; m++)
        f.told[m] = mgl_measure_reported(measures[m], e->statistics);
    return f;
}

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)node;
    (void)err;
    visits *v = context;
    assert_false(v->nodes[number].visited);
    v->nodes[number] = figures_of(v->problem, e);
    return MGL_OK;
}

typedef mgl_status visit_all_fn(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                                mgl_error *err, uint64_t *visited, bool *timed_out);

static figures *visit_all(visit_all_fn *all, mgl_problem *problem, uint64_t size, mgl_pool *pool)
{
    visits v = {problem, mgl_zeroed_array(size, sizeof(figures))};
    uint64_t visited;
    bool timed_out;
    problem->pool = pool;
    assert_int_equal(all(problem, visit, &v, NULL, &visited, &timed_out), MGL_OK);
    problem->pool = NULL;
    assert_int_equal(visited, size);
    assert_false(timed_out);
    return v.nodes;
}

static void compare_node(const figures *plain, const figures *rolled, const char *told,
                         uint64_t seed, uint64_t number)
{
    if (memcmp(plain, rolled, sizeof *plain) == 0)
        return;
    fail_msg("%s, seed %llu, node %llu: holds %d %d, suppressed %llu %llu, classes %llu %llu, "
             "cost %.17g %.17g",
             told, (unsigned long long)seed, (unsigned long long)number, plain->holds,
             rolled->holds, (unsigned long long)plain->suppressed_rows,
             (unsigned long long)rolled->suppressed_rows, (unsigned long long)plain->n_classes,
             (unsigned long long)rolled->n_classes, plain->cost, rolled->cost);
}

/* Do the bits name the tuples that the evaluator suppresses? */
static void compare_tuples(const mgl_problem *problem, mgl_evaluator *evaluator,
                           const mgl_roller *roller, const uint32_t *node)
{
    size_t n = problem->list->n_tuples;
    uint64_t *bits = mgl_alloc_array((n + 63) / 64, sizeof *bits);
    mgl_evaluation e;
    mgl_roller_suppressed(roller, bits);
    assert_int_equal(mgl_evaluate_node(evaluator, node, &e), MGL_OK);
    for (size_t t = 0; t < n; t++)
        assert_int_equal(bits[t / 64] >> t % 64 & 1, e.suppressed[t]);
    mgl_free(bits);
}

/* One roller goes from node to node as it comes; judging alone finds the same. */
static void compare_in_any_order(const mgl_problem *problem, uint64_t seed, uint64_t size,
                                 const figures *plain)
{
    uint32_t node[RANDOM_ATTRIBUTES];
    mgl_roller *roller = NULL;
    mgl_evaluator *evaluator = NULL;
    mgl_random random;
    mgl_random_seed(&random, seed);
    size_t n_stops = 1 + seed % problem->list->n_attributes;
    assert_int_equal(mgl_roller_with_stops(problem, n_stops, NULL, &roller), MGL_OK);
    assert_int_equal(mgl_roller_track(roller, NULL), MGL_OK);
    assert_int_equal(mgl_evaluator_new(problem, NULL, &evaluator), MGL_OK);
    for (int i = 0; i < 40; i++) {
        uint64_t number = mgl_random_below(&random, size);
        mgl_evaluation e;
        mgl_lattice_node(number, problem->min_level, problem->max_level,
                         problem->list->n_attributes, node);
        assert_int_equal(mgl_roller_judge(roller, node, NULL, &e), MGL_OK);
        assert_int_equal(e.holds, plain[number].holds);
        assert_int_equal(e.suppressed_rows, plain[number].suppressed_rows);
        compare_tuples(problem, evaluator, roller, node);
        assert_int_equal(mgl_roller_evaluate(roller, node, NULL, &e), MGL_OK);
        figures found = figures_of(problem, &e);
        compare_node(&plain[number], &found, "in any order", seed, number);
    }
    mgl_evaluator_free(evaluator);
    mgl_roller_free(roller);
}

static void compare(mgl_problem *problem, uint64_t seed)
{
    uint64_t size =
        mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
    figures *plain = visit_all(mgl_lattice_sweep, problem, size, NULL);
    for (int i = 0; i < 2; i++) {
        figures *rolled = visit_all(mgl_lattice_visit, problem, size, i == 0 ? NULL : four);
        for (uint64_t v = 0; v < size; v++)
            compare_node(&plain[v], &rolled[v], i == 0 ? "one thread" : "four threads", seed, v);
        mgl_free(rolled);
    }
    compare_in_any_order(problem, seed, size, plain);
    mgl_free(plain);
}

/* ---- Small tables with everything ------------------------------------------------------------ */

static void every_node_has_the_figures_of_the_evaluator(void **state)
{
    (void)state;
    brute_problems_with_everything(UINT64_C(7000000), brute_cases(400), compare);
}

/* ---- Larger tables ------------------------------------------------------------------------- */

static void larger_tables_have_the_figures_of_the_evaluator(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < brute_cases(120); i++) {
        random_problem p;
        assert_true(random_problem_make(&p, 700000 + (uint64_t)i));
        uint64_t size = mgl_lattice_size(p.min_level, p.max_level, p.n_attributes);
        p.problem.measure = mgl_measure_type_find("entropy");
        if (size * p.list->n_tuples < 300000) {
            compare(&p.problem, p.seed);
            compared++;
        }
        random_problem_free(&p);
    }
    assert_true(compared > 30 / BRUTE_ONE_IN);
}

/* Equal labels that go apart further up must not be rolled up into one. */
static void equal_labels_that_go_apart_are_kept_apart(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 4, 200, 9));
    /* The second leaf reads as the first at level 1 alone. */
    for (size_t a = 0; a < p.n_attributes; a++)
        if (p.max_level[a] > 1)
            p.columns[a]->of_leaf[1][1] = p.columns[a]->of_leaf[1][0];
    p.problem.measure = mgl_measure_type_find("loss");
    compare(&p.problem, 9);
    random_problem_free(&p);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    assert_true(random_problem_make_wide(&p, 3, 60, 4));
    p.problem.measure = mgl_measure_type_find("loss");
    uint64_t size = mgl_lattice_size(p.min_level, p.max_level, p.n_attributes);
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
        mgl_error err = {0};
        visits v = {&p.problem, mgl_zeroed_array(size, sizeof(figures))};
        uint64_t visited;
        bool timed_out;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_lattice_visit(&p.problem, visit, &v, &err, &visited, &timed_out);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        assert_true(number < 100000);
        mgl_free(v.nodes);
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
        cmocka_unit_test(every_node_has_the_figures_of_the_evaluator),
        cmocka_unit_test(larger_tables_have_the_figures_of_the_evaluator),
        cmocka_unit_test(equal_labels_that_go_apart_are_kept_apart),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
