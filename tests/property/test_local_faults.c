/* Local suppression when memory runs out, when it is told to stop, with several threads, and on
 * tables of thousands of tuples or many columns. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "random_problem.h"
#include "search/local/patterns.h"

#include <string.h>

static const double importance[RANDOM_ATTRIBUTES] = {1, 2, 1, 0.5, 1, 3, 1, 1, 1, 1,
                                                     1, 1, 1, 1,   1, 1, 1, 1, 1, 1};

static mgl_local_options options; /* of the problem at hand */

static const mgl_method_type *method(void)
{
    return mgl_method_type_find("local-suppression");
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(method(), problem, err, out);
}

/* All rows are kept, and cells may be suppressed in every column. */
static void choose(random_problem *p, bool tops_match, uint64_t sizes)
{
    for (size_t a = 0; a < p->n_attributes; a++) {
        p->min_level[a] = 0;
        p->max_level[a] = p->hierarchies[a]->height;
    }
    p->problem.treatment = MGL_KEEP;
    p->problem.limited = false;
    p->problem.effort = MGL_EFFORT_BALANCED;
    options = (mgl_local_options){.combinations = {.sizes = sizes}, .importance = importance};
    p->problem.method = method();
    p->problem.options = &options;
    p->problem.counting = mgl_method_counting(&p->problem, tops_match);
}

/* ---- Memory, cancelling, time ---------------------------------------------------------------- */

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    for (int way = 0; way < 6; way++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, way < 4 ? 4 : 12, way < 4 ? 30 : 20, 3));
        choose(&p, way % 2, way / 2 == 1 ? 1 << 2 : 0);
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status == MGL_SYSTEM; number += BRUTE_ONE_IN) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_found found;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run(&p.problem, &err, &solution);
            if (status == MGL_OK)
                status = mgl_judge_recoding(&p.problem, solution->recoding, &err, &found);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
            assert_true(number < 100000);
            mgl_solution_free(solution);
        }
        assert_int_equal(status, MGL_OK);
        random_problem_free(&p);
    }
#else
    skip();
#endif
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)done;
    (void)total;
    int *calls = user;
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 5, 100, 5));
        choose(&p, way % 2, way / 2 ? 1 << 2 : 0);
        for (int first = 1; first < 10; first++) {
            int calls = first;
            mgl_progress progress = {stop_at, &calls, NULL};
            mgl_solution *solution = NULL;
            p.problem.progress = &progress;
            assert_int_equal(run(&p.problem, NULL, &solution), MGL_CANCELLED);
        }
        random_problem_free(&p);
    }
}

/* ---- What is promised, tuple by tuple ----------------------------------------------------------
 */

static bool is_top(const random_problem *p, const mgl_recoding *r, size_t t, size_t a)
{
    return r->cells[a][t] == p->columns[a]->top;
}

/* Rows that match a tuple on all columns, or are equal to it. */
static uint64_t count(const random_problem *p, const mgl_recoding *r, size_t t, bool tops_match)
{
    uint64_t rows = 0;
    for (size_t u = 0; u < r->n_tuples && rows < 3; u++) {
        bool match = true;
        for (size_t a = 0; match && a < r->n_attributes; a++)
            match = r->cells[a][t] == r->cells[a][u] ||
                    (tops_match && (is_top(p, r, t, a) || is_top(p, r, u, a)));
        rows += match ? p->list->counts[u] : 0;
    }
    return rows;
}

static void check(const random_problem *p, const mgl_solution *s, bool tops_match)
{
    mgl_found found;
    for (size_t t = 0; t < s->recoding->n_tuples; t++)
        assert_true(count(p, s->recoding, t, tops_match) >= 3);
    assert_int_equal(mgl_judge_recoding(&p->problem, s->recoding, NULL, &found), MGL_OK);
    assert_true(found.holds);
}

/* Thousands of tuples are only placed, many columns only from neighbours. */
static void larger_tables_hold(void **state)
{
    (void)state;
    static const struct {
        size_t columns, tuples;
    } shapes[] = {{4, 7000}, {7, 1500}, {13, 300}, {20, 200}, {3, 2000}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int tops_match = 0; tops_match < 2; tops_match++) {
            random_problem p;
            mgl_solution *solution = NULL;
            assert_true(random_problem_make_wide(&p, shapes[i].columns, shapes[i].tuples, i));
            choose(&p, tops_match, 0);
            p.problem.effort = MGL_EFFORT_FAST;
            assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
            check(&p, solution, tops_match);
            mgl_solution_free(solution);
            random_problem_free(&p);
        }
}

static bool all_match(const random_problem *p, const mgl_recoding *r)
{
    for (size_t t = 0; t < r->n_tuples; t++)
        if (count(p, r, t, true) < 3)
            return false;
    return true;
}

/* Every suppressed cell is needed, also where sets of columns are too wide to know all patterns. */
static void every_suppressed_cell_is_needed_in_many_columns(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        random_problem p;
        mgl_solution *solution = NULL;
        assert_true(random_problem_make_wide(&p, 12, 50, seed));
        choose(&p, true, 0);
        assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
        mgl_recoding *r = solution->recoding;
        assert_true(all_match(&p, r));
        for (size_t t = 0; t < r->n_tuples; t++)
            for (size_t a = 0; a < r->n_attributes; a++) {
                uint32_t cell = r->cells[a][t];
                uint32_t ground = p.columns[a]->of_leaf[0][mgl_list_leaf(p.list, t, a)];
                r->cells[a][t] = ground;
                assert_true(cell == ground || !all_match(&p, r));
                r->cells[a][t] = cell;
            }
        mgl_solution_free(solution);
        random_problem_free(&p);
    }
}

static void one_and_four_threads_give_equal_recodings(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (int way = 0; way < 4; way++) {
        random_problem p;
        mgl_solution *one = NULL, *four = NULL;
        assert_true(random_problem_make_wide(&p, 5, 200, (uint64_t)way));
        choose(&p, way % 2, way / 2 ? 1 << 3 : 0);
        assert_int_equal(run(&p.problem, NULL, &one), MGL_OK);
        p.problem.pool = pool;
        assert_int_equal(run(&p.problem, NULL, &four), MGL_OK);
        for (size_t a = 0; a < p.n_attributes; a++)
            assert_memory_equal(one->recoding->cells[a], four->recoding->cells[a],
                                p.list->n_tuples * sizeof **one->recoding->cells);
        mgl_solution_free(one);
        mgl_solution_free(four);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

/* At the time limit there is still a release, and it says so. */
static void at_the_time_limit_there_is_a_release_that_says_so(void **state)
{
    (void)state;
    for (int tops_match = 0; tops_match < 2; tops_match++) {
        random_problem p;
        mgl_solution *solution = NULL;
        assert_true(random_problem_make_wide(&p, 5, 200, 1));
        choose(&p, tops_match, 0);
        p.problem.deadline = mgl_sys_seconds() - 1;
        assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
        assert_true(solution->timed_out);
        check(&p, solution, tops_match);
        mgl_solution_free(solution);
        random_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(larger_tables_hold),
        cmocka_unit_test(every_suppressed_cell_is_needed_in_many_columns),
        cmocka_unit_test(one_and_four_threads_give_equal_recodings),
        cmocka_unit_test(at_the_time_limit_there_is_a_release_that_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
