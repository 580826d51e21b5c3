/* mu-Argus when memory runs out, when it is cancelled, when time is up, and on several threads;
 * and what a run does with an unsafe result. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "search/argus/units.h"
#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"

#include <stdlib.h>
#include <string.h>

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("mu-argus"), problem, err, out);
}

/* Of the problem at hand: every column is more identifying, none is generalized by request. */
static mgl_argus_options options;
static const uint32_t two[] = {2, 2, 2, 2, 2, 2, 2}, none[7];

static void make(random_problem *p, uint64_t seed, bool all)
{
    assert_true(random_problem_make_wide(p, 7, 200, seed));
    p->problem.treatment = MGL_KEEP;
    p->problem.limited = false;
    options = (mgl_argus_options){{.all = all}, two, none};
    p->problem.method = mgl_method_type_find("mu-argus");
    p->problem.options = &options;
}

/* ---- Memory -------------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static void fail_each(const mgl_problem *problem)
{
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
        mgl_error err = {0};
        mgl_solution *solution = NULL;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = run(problem, &err, &solution);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
        assert_true(number < 10000);
        if (status == MGL_OK) {
            assert_true(number > 20);
            mgl_solution_free(solution);
        }
    }
    assert_int_equal(status, MGL_OK);
}
#endif

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    for (uint64_t seed = 1; seed < 4; seed++)
        for (int all = 0; all < 2; all++) {
            random_problem p;
            make(&p, seed, all);
            fail_each(&p.problem);
            random_problem_free(&p);
        }
#else
    skip();
#endif
}

static void failed_allocations_with_persons_are_errors(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    static brute_table table;
    brute_made m;
    uint64_t seed = 1;
    do {
        brute_table_make(&table, seed++, 400);
        brute_order_sets(&table.c);
    } while (table.c.n_sets > 1 || !table.has_persons || !brute_table_has(&table, BRUTE_K) ||
             table.c.n_rows < 12);
    brute_made_make(&table, &m);
    m.problem.limited = false;
    fail_each(&m.problem);
    brute_made_free(&m);
#else
    skip();
#endif
}

/* ---- Cancelling, time, threads ------------------------------------------------------------- */

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)total;
    assert_string_equal(stage, "search");
    assert_true(done > 0);
    int *calls = user;
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    random_problem p;
    make(&p, 5, true);
    for (int first = 1; first < 20; first += 6) {
        int calls = first;
        mgl_progress progress = {stop_at, &calls, NULL};
        mgl_solution *solution = NULL;
        mgl_error err = {0};
        p.problem.progress = &progress;
        assert_int_equal(run(&p.problem, &err, &solution), MGL_CANCELLED);
        assert_int_equal(err.status, MGL_CANCELLED);
    }
    random_problem_free(&p);
}

static void at_the_time_limit_there_is_no_result(void **state)
{
    (void)state;
    random_problem p;
    mgl_solution *solution = NULL;
    mgl_error err = {0};
    make(&p, 5, true);
    p.problem.deadline = mgl_sys_seconds() - 1;
    assert_int_equal(run(&p.problem, &err, &solution), MGL_UNMET);
    assert_non_null(strstr(err.message, "`time-limit`"));
    random_problem_free(&p);
}

static void one_and_four_threads_give_equal_recodings(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_problem p;
        make(&p, seed, seed % 2 == 0);
        mgl_solution *one = NULL, *four = NULL;
        assert_int_equal(run(&p.problem, NULL, &one), MGL_OK);
        p.problem.pool = pool;
        assert_int_equal(run(&p.problem, NULL, &four), MGL_OK);
        size_t n = p.list->n_tuples;
        for (size_t a = 0; a < p.n_attributes; a++)
            assert_memory_equal(one->recoding->cells[a], four->recoding->cells[a],
                                n * sizeof **one->recoding->cells);
        assert_memory_equal(one->recoding->suppressed, four->recoding->suppressed, n);
        assert_int_equal(one->unsafe, four->unsafe);
        mgl_solution_free(one);
        mgl_solution_free(four);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

/* ---- Unsafe results ------------------------------------------------------------------------- */

/* Rows 7 and 8 are alone with what they have left. */
static void write_table(void)
{
    brute_write_text("table.csv", "race,birth,sex,zip\n"
                                  "black,65,m,02141\nblack,65,m,02141\n"
                                  "black,65,f,02138\nblack,65,f,02138\n"
                                  "black,64,f,02138\nblack,64,f,02138\n"
                                  "white,64,m,02138\nwhite,65,f,02139\n"
                                  "white,64,m,02139\nwhite,64,m,02139\n"
                                  "white,67,m,02138\nwhite,67,m,02138\n");
}

static mgl_status run_job(bool accept, mgl_error *err, mgl_result **out)
{
    static const char *const keys[][2] = {
        {"data", "table.csv"},
        {"output", "release.csv"},
        {"qi", "race,birth,sex,zip"},
        {"k", "2"},
        {"method", "mu-argus"},
        {"identification", "birth=1,race=3"},
        {"threads", "1"},
    };
    mgl_job *job = NULL;
    mgl_status status = mgl_job_new(err, &job);
    for (size_t i = 0; status == MGL_OK && i < sizeof keys / sizeof keys[0]; i++)
        status = mgl_job_add(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK && accept)
        status = mgl_job_add(job, "accept", "unsafe", err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", err, out);
    mgl_job_free(job);
    return status;
}

static void an_unsafe_release_is_refused(void **state)
{
    (void)state;
    mgl_error err;
    mgl_result *result;
    write_table();
    remove("release.csv");
    assert_int_equal(run_job(false, &err, &result), MGL_UNMET);
    assert_non_null(strstr(err.message, "(rows 7, 8)"));
    assert_non_null(strstr(err.message, "`combinations: all`"));
    assert_non_null(strstr(err.message, "`accept: unsafe`"));
    assert_false(brute_exists("release.csv"));
}

static void an_unsafe_release_is_written_if_accepted(void **state)
{
    (void)state;
    mgl_error err;
    mgl_result *result;
    write_table();
    assert_int_equal(run_job(true, &err, &result), MGL_OK);
    assert_false(mgl_result_holds(result));
    assert_true(brute_exists("release.csv"));
    json_t *document = brute_document(result);
    const json_t *rows = json_object_get(document, "failing_rows");
    const json_t *model = json_array_get(json_object_get(document, "models"), 0);
    const json_t *warning = json_array_get(json_object_get(document, "warnings"), 0);
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(json_integer_value(json_array_get(rows, 0)), 7);
    assert_int_equal(json_integer_value(json_array_get(rows, 1)), 8);
    assert_int_equal(brute_number(document, "failing_rows_count"), 2);
    assert_true(json_is_false(json_object_get(model, "holds")));
    assert_int_equal(brute_number(model, "measured"), 1);
    assert_int_equal(brute_number(model, "violating_rows"), 2);
    assert_int_equal(brute_number(model, "violating_classes"), 2);
    assert_string_equal(json_string_value(json_object_get(warning, "code")), "unsafe-release");
    assert_int_equal(brute_number(document, "suppressed_cells.race"), 0);
    assert_int_equal(brute_number(document, "suppressed_cells.birth"), 2);
    assert_int_equal(brute_number(document, "suppressed_cells.sex"), 1);
    assert_int_equal(brute_number(document, "suppressed_cells.zip"), 0);
    json_decref(document);
    mgl_result_free(result);
}

static void failed_allocations_of_unsafe_releases_are_errors(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    write_table();
    for (int accept = 0; accept < 2; accept++) {
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
            mgl_error err = {0};
            mgl_result *result = NULL;
            remove("release.csv");
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run_job(accept, &err, &result);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_int_equal(brute_exists("release.csv"), status == MGL_OK);
            if (status == MGL_OK)
                mgl_result_free(result);
        }
        assert_int_equal(status, accept ? MGL_OK : MGL_UNMET);
    }
#else
    skip();
#endif
}

/* No more than a thousand rows are named. */
static void at_most_a_thousand_failing_rows_are_named(void **state)
{
    (void)state;
    brute_text text = {0};
    char line[64];
    brute_append_text(&text, "race,birth,sex,zip\n");
    for (int r = 0; r < 1500; r++) { /* any two columns agree often, all four never */
        int digits[] = {r / 100 % 10, r / 10 % 10, r % 10};
        int last = (digits[0] + digits[1] + digits[2] + (r >= 1000 ? 1 : 0)) % 10;
        snprintf(line, sizeof line, "%d,%d,%d,%d\n", digits[0], digits[1], digits[2], last);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    mgl_result *result;
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "dry-run", "true");
    brute_set(job, "qi", "race,birth,sex,zip");
    brute_set(job, "k", "2");
    brute_set(job, "method", "mu-argus");
    brute_set(job, "combinations", "2");
    brute_set(job, "accept", "unsafe");
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_OK);
    json_t *document = brute_document(result);
    assert_int_equal(json_array_size(json_object_get(document, "failing_rows")), 1000);
    assert_int_equal(brute_number(document, "failing_rows_count"), 1500);
    json_decref(document);
    mgl_result_free(result);
    mgl_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(failed_allocations_with_persons_are_errors),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(at_the_time_limit_there_is_no_result),
        cmocka_unit_test(one_and_four_threads_give_equal_recodings),
        cmocka_unit_test(an_unsafe_release_is_refused),
        cmocka_unit_test(an_unsafe_release_is_written_if_accepted),
        cmocka_unit_test(failed_allocations_of_unsafe_releases_are_errors),
        cmocka_unit_test(at_most_a_thousand_failing_rows_are_named),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
