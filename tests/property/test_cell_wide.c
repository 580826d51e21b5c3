/* The cell level where the lattice is too large to look at all nodes: clusters, neighbours and
 * regrouping. Tiny tables against all partitions of their tuples, larger ones against the models,
 * the bound and the other methods. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "random_problem.h"
#include "search/cell/bound/bound.h"
#include "search/search.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 9, MOST_TUPLES = 7 };

static const mgl_method_type *cell(void)
{
    return mgl_method_type_find("cell");
}

static void make(random_problem *p, size_t n_tuples, uint64_t seed)
{
    assert_true(random_problem_make_wide(p, COLUMNS, n_tuples, seed));
    assert_true(mgl_lattice_size(p->min_level, p->max_level, COLUMNS) > 60000);
    for (size_t a = 0; a < COLUMNS; a++)
        p->weights[a] = 1;
    p->problem.measure = mgl_measure_type_find("precision");
    p->problem.treatment = MGL_KEEP;
}

/* ---- By the definition ----------------------------------------------------------------------- */

/* What the precision of a row of these tuples lacks, times the columns. */
static double lost_by(const random_problem *p, const uint32_t *tuples, size_t n)
{
    double lost = 0;
    for (size_t a = 0; a < COLUMNS; a++) {
        const mgl_hierarchy *h = p->hierarchies[a];
        uint32_t level = 0, first = mgl_list_leaf(p->list, tuples[0], a);
        for (size_t i = 1; i < n; i++) {
            uint32_t other = mgl_list_leaf(p->list, tuples[i], a);
            while (h->levels[level].of_leaf[first] != h->levels[level].of_leaf[other])
                level++;
        }
        lost += (double)h->levels[level].lowest[h->levels[level].of_leaf[first]] / h->height;
    }
    return lost;
}

/* The least that a release can lose: all ways to put tuple t and those after it into classes. */
static double best_from(const random_problem *p, uint32_t t, uint32_t *class_of, uint32_t n_classes)
{
    uint32_t n = (uint32_t)p->list->n_tuples, members[MOST_TUPLES];
    double best = INFINITY, sum = 0;
    if (t < n) {
        for (class_of[t] = 0; class_of[t] <= n_classes; class_of[t]++) {
            double found = best_from(p, t + 1, class_of, n_classes + (class_of[t] == n_classes));
            best = found < best ? found : best;
        }
        return best;
    }
    for (uint32_t class = 0; class < n_classes; class ++) {
        uint64_t rows = 0;
        size_t in = 0;
        for (uint32_t u = 0; u < n; u++)
            if (class_of[u] == class) {
                members[in++] = u;
                rows += p->list->counts[u];
            }
        if (rows < p->problem.k)
            return INFINITY;
        sum += (double)rows * lost_by(p, members, in);
    }
    return sum;
}

/* The precision of a recoding, tuple by tuple. */
static double precision_of(const random_problem *p, const mgl_recoding *recoding)
{
    double lost = 0;
    for (size_t t = 0; t < p->list->n_tuples; t++)
        for (size_t a = 0; a < COLUMNS; a++) {
            const mgl_released_value *value = &recoding->columns[a]->values[recoding->cells[a][t]];
            lost += (double)p->list->counts[t] * value->level / p->hierarchies[a]->height;
        }
    return 1 - lost / (double)p->list->n_rows / COLUMNS;
}

static void check_holds(const random_problem *p, const mgl_solution *solution)
{
    mgl_found found;
    assert_int_equal(mgl_judge_recoding(&p->problem, solution->recoding, NULL, &found), MGL_OK);
    assert_true(found.holds);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void no_partition_is_better_than_the_bound(void **state)
{
    (void)state;
    size_t proved = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        random_problem p;
        uint32_t class_of[MOST_TUPLES];
        make(&p, 3 + seed % (MOST_TUPLES - 2), seed);
        p.problem.k = 2 + p.list->counts[0] % 60;
        p.model.parameters[0] = (double)p.problem.k;
        double best = 1 - best_from(&p, 0, class_of, 0) / (double)p.list->n_rows / COLUMNS;
        for (mgl_effort effort = MGL_EFFORT_FAST; effort <= MGL_EFFORT_BALANCED; effort++) {
            mgl_solution *solution = NULL;
            p.problem.effort = effort;
            mgl_status status = mgl_method_run(cell(), &p.problem, NULL, &solution);
            assert_int_equal(status, isinf(best) ? MGL_UNMET : MGL_OK);
            if (status != MGL_OK)
                continue;
            double found = precision_of(&p, solution->recoding);
            check_holds(&p, solution);
            assert_true(found <= best + 1e-9);
            assert_true(solution->best_possible >= best - 1e-9);
            assert_true(!solution->exact || found >= best - 1e-6);
            proved += solution->exact;
            mgl_solution_free(solution);
        }
        random_problem_free(&p);
    }
    assert_true(proved > 15);
}

/* What the cheapest box around tuple t costs that has enough rows, of all sets of tuples. */
static uint32_t cheapest_around(const mgl_box_space *s, uint32_t t)
{
    uint32_t best = s->top_cost;
    for (uint32_t set = 0; set < (uint32_t)1 << s->n; set++) {
        uint8_t levels[COLUMNS];
        uint64_t rows = 0;
        mgl_box_begin(s, levels);
        for (uint32_t u = 0; u < s->n; u++)
            if ((set >> u & 1) != 0) {
                mgl_box_join(s, levels, t, u);
                rows += s->rows[u];
            }
        uint32_t cost = mgl_box_cost(s, levels, t);
        if ((set >> t & 1) != 0 && rows >= s->need && cost < best)
            best = cost;
    }
    return best;
}

/* With little work it is less, never more. */
static void the_bound_of_a_tuple_is_its_cheapest_box_of_all_subsets(void **state)
{
    (void)state;
    static const uint64_t work[] = {0, 2, 10, 40, 1000000};
    enum { MOST = 9, WORKS = sizeof work / sizeof *work };
    size_t below = 0, above_nothing = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_problem p;
        mgl_box_space *space;
        make(&p, 3 + seed % (MOST - 2), seed);
        p.problem.k = 3 + seed % 11 * p.list->n_rows / 13;
        p.model.parameters[0] = (double)p.problem.k;
        p.problem.measure = mgl_measure_type_find(seed % 2 == 0 ? "precision" : "loss");
        assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
        for (size_t i = 0; i < WORKS; i++) {
            uint32_t bound[MOST] = {0};
            assert_int_equal(mgl_cell_around_bound(space, work[i], NULL, bound), MGL_OK);
            for (uint32_t t = 0; t < space->n; t++) {
                uint32_t best = cheapest_around(space, t);
                bool exact = i == WORKS - 1 && space->rows[t] < space->need && seed % 2 == 0;
                assert_true(bound[t] <= best);
                assert_true(!exact || bound[t] == best);
                below += bound[t] < best;
                above_nothing += i < WORKS - 1 && bound[t] > 0;
            }
        }
        mgl_box_space_free(space);
        random_problem_free(&p);
    }
    assert_true(below > 0 && above_nothing > 0);
}

/* More than the exact search takes on. */
static void more_effort_is_no_worse(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 1; seed++) {
        random_problem p;
        mgl_solution *clusters, *fast, *balanced, *alone;
        make(&p, 620, seed);
        p.problem.k = p.problem.k < 40 ? 40 : p.problem.k;
        p.model.parameters[0] = (double)p.problem.k;
        p.problem.pool = pool;
        assert_int_equal(
            mgl_method_run(mgl_method_type_find("k-member"), &p.problem, NULL, &clusters), MGL_OK);
        p.problem.effort = MGL_EFFORT_FAST;
        assert_int_equal(mgl_method_run(cell(), &p.problem, NULL, &fast), MGL_OK);
        p.problem.effort = MGL_EFFORT_BALANCED;
        assert_int_equal(mgl_method_run(cell(), &p.problem, NULL, &balanced), MGL_OK);
        p.problem.pool = NULL;
        assert_int_equal(mgl_method_run(cell(), &p.problem, NULL, &alone), MGL_OK);
        check_holds(&p, fast);
        check_holds(&p, balanced);
        double of_fast = precision_of(&p, fast->recoding);
        double of_balanced = precision_of(&p, balanced->recoding);
        assert_true(of_fast >= precision_of(&p, clusters->recoding) - 1e-9);
        assert_true(of_balanced > of_fast);
        assert_true(of_balanced <= balanced->best_possible + 1e-9);
        assert_true(balanced->best_possible <= fast->best_possible + 1e-9);
        for (size_t a = 0; a < COLUMNS; a++)
            assert_memory_equal(balanced->recoding->cells[a], alone->recoding->cells[a],
                                p.list->n_tuples * sizeof **alone->recoding->cells);
        mgl_solution_free(clusters);
        mgl_solution_free(fast);
        mgl_solution_free(balanced);
        mgl_solution_free(alone);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

/* Wherever it comes: the release holds, and no better one is below the bound. */
static void whenever_time_is_up_the_release_holds_and_the_bound_is_right(void **state)
{
    (void)state;
    static const double after[] = {-1, 0.0005, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1000};
    random_problem p;
    mgl_solution *whole;
    make(&p, 620, 0);
    p.problem.effort = MGL_EFFORT_BALANCED;
    assert_int_equal(mgl_method_run(cell(), &p.problem, NULL, &whole), MGL_OK);
    double found = precision_of(&p, whole->recoding);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        mgl_solution *solution;
        p.problem.deadline = mgl_sys_seconds() + after[i];
        assert_int_equal(mgl_method_run(cell(), &p.problem, NULL, &solution), MGL_OK);
        check_holds(&p, solution);
        assert_true(solution->best_possible >= found - 1e-9);
        assert_true(solution->timed_out || after[i] >= 0);
        assert_true(!solution->timed_out || after[i] < 1000);
        mgl_solution_free(solution);
    }
    mgl_solution_free(whole);
    random_problem_free(&p);
}

/* Not every allocation: each run goes through a quarter of a million nodes. */
static void some_failed_allocations_are_errors(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    make(&p, 12, 3);
    p.problem.effort = MGL_EFFORT_BALANCED;
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number += 1 + number / 5) {
        mgl_error err = {0};
        mgl_solution *solution = NULL;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_method_run(cell(), &p.problem, &err, &solution);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        if (status == MGL_OK)
            mgl_solution_free(solution);
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
        cmocka_unit_test(no_partition_is_better_than_the_bound),
        cmocka_unit_test(the_bound_of_a_tuple_is_its_cheapest_box_of_all_subsets),
        cmocka_unit_test(more_effort_is_no_worse),
        cmocka_unit_test(whenever_time_is_up_the_release_holds_and_the_bound_is_right),
        cmocka_unit_test(some_failed_allocations_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
