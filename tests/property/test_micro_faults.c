/* Microaggregation when memory runs out, when it is told to stop, at the time limit, with several
 * threads and with rows in another order. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "search/cluster/microaggregate/points.h"
#include "base/fault.h"
#include "brute_files.h"
#include "numbers.h"

#include <string.h>

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("microaggregate"), problem, err, out);
}

static const char *const *with_models(void)
{
    static const char *const keys[] = {"k",           "3",           "l-diversity", "disease=2",
                                       "t-closeness", "disease=0.7", NULL};
    return keys;
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    static const int columns[] = {1, 3}, missing[] = {0, 30};
    for (int i = 0; i < 6; i++) {
        static numbers t;
        numbers_made m;
        numbers_make(&t, (uint64_t)i + 3, 60, columns[i % 2], missing[i / 2 % 2]);
        numbers_open(&t, with_models(), &m);
        mgl_micro_options options = {i % 3 == 0 ? MGL_REPLACE_RANGE : MGL_REPLACE_MEAN};
        m.problem.method = mgl_method_type_find("microaggregate");
        m.problem.options = &options;
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run(&m.problem, &err, &solution);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || status == MGL_UNMET || err.status == MGL_SYSTEM);
            assert_true(number < 100000);
            if (status == MGL_OK)
                mgl_solution_free(solution);
        }
        assert_true(status == MGL_OK || status == MGL_UNMET);
        numbers_made_free(&m);
    }
#else
    skip();
#endif
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    assert_true(done <= total);
    int *calls = user;
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    for (int columns = 1; columns <= 3; columns += 2) {
        static numbers t;
        numbers_made m;
        mgl_status status = MGL_CANCELLED;
        numbers_make(&t, 8, 200, columns, 0);
        numbers_open(&t, with_models(), &m);
        int first = 1;
        for (; status == MGL_CANCELLED && first < 100; first++) {
            int calls = first;
            mgl_progress progress = {stop_at, &calls, NULL};
            mgl_solution *solution = NULL;
            m.problem.progress = &progress;
            status = run(&m.problem, NULL, &solution);
            if (status == MGL_OK)
                mgl_solution_free(solution);
        }
        assert_true(first > 2); /* it asked */
        numbers_made_free(&m);
    }
}

/* There is a release all the same, and it says so. */
static void at_the_time_limit_there_is_a_release_that_says_so(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        static numbers t;
        numbers_made m;
        mgl_solution *solution = NULL;
        mgl_found found[3];
        numbers_make(&t, (uint64_t)i + 20, 200, i % 2 == 0 ? 1 : 4, i < 4 ? 0 : 20);
        numbers_open(&t, with_models(), &m);
        m.problem.deadline = mgl_sys_seconds() - 1;
        mgl_status status = run(&m.problem, NULL, &solution);
        assert_true(status == MGL_OK || (status == MGL_UNMET && t.n_rows < 20));
        if (status == MGL_OK) {
            assert_true(solution->timed_out || t.n_rows < 9); /* or there was nothing to do */
            assert_int_equal(mgl_judge_recoding(&m.problem, solution->recoding, NULL, found),
                             MGL_OK);
            for (size_t j = 0; j < 3; j++)
                assert_true(found[j].holds);
        }
        mgl_solution_free(solution);
        numbers_made_free(&m);
    }
}

static void expect_same(const numbers *t, const numbers_made *m, const mgl_recoding *one,
                        const numbers_made *other_made, const mgl_recoding *other, int shift)
{
    for (int r = 0; r < t->n_rows; r++)
        for (int a = 0; a < t->n_columns; a++) {
            int moved = (r + shift) % t->n_rows;
            if (!mgl_span_equal(numbers_text(m, one, r, a),
                                numbers_text(other_made, other, moved, a)))
                numbers_disagree(t, "another release");
        }
}

static void threads_and_order_make_no_difference(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (int i = 0; i < 12; i++) {
        static numbers t, moved;
        numbers_made m, n;
        mgl_solution *one = NULL, *four = NULL;
        numbers_make(&t, (uint64_t)i + 40, NUMBERS_ROWS, 5, i % 2 == 0 ? 0 : 15);
        if (t.n_rows < 12)
            continue;
        moved = t;
        for (int r = 0; r < t.n_rows; r++) {
            int to = (r + 7) % t.n_rows;
            memcpy(moved.cell[to], t.cell[r], sizeof t.cell[r]);
            moved.disease[to] = t.disease[r];
        }
        numbers_open(&t, with_models(), &m);
        numbers_open(&moved, with_models(), &n);
        assert_int_equal(run(&m.problem, NULL, &one), MGL_OK);
        n.problem.pool = pool;
        assert_int_equal(run(&n.problem, NULL, &four), MGL_OK);
        expect_same(&t, &m, one->recoding, &n, four->recoding, 7);
        assert_memory_equal(one->findings, four->findings, sizeof(mgl_aggregation));
        mgl_solution_free(one);
        mgl_solution_free(four);
        numbers_made_free(&m);
        numbers_made_free(&n);
    }
    mgl_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(at_the_time_limit_there_is_a_release_that_says_so),
        cmocka_unit_test(threads_and_order_make_no_difference),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
