/* A job that is run, changed and run again: each run does what the job says then, and no run
 * changes the job. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int begin(void **state)
{
    brute_text text = {0};
    char line[64];
    if (brute_enter_folder(state) != 0)
        return -1;
    brute_append_text(&text, "age,zip,disease\n");
    for (int r = 0; r < 120; r++) {
        snprintf(line, sizeof line, "%d,021%d%d,d%d\n", 20 + r % 40, r % 3, r % 4, r % 5);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    return 0;
}

static mgl_job *make_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "qi", "age,zip");
    brute_set(job, "sensitive", "disease");
    brute_set(job, "hierarchy", "age=intervals(5,20)");
    brute_set(job, "hierarchy", "zip=mask(right,5)");
    brute_set(job, "k", "2");
    brute_set(job, "method", "mingen");
    brute_set(job, "seed", "1");
    brute_set(job, "output", "release.csv");
    return job;
}

static void change(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    mgl_status status =
        value != NULL ? mgl_job_set(job, key, value, &err) : mgl_job_unset(job, key, &err);
    if (status != MGL_OK)
        fail_msg("%s: %s", key, err.message);
}

static char *json_of(const mgl_job *job)
{
    char *text = NULL;
    assert_int_equal(mgl_job_json(job, NULL, &text), MGL_OK);
    return text;
}

static mgl_status run(mgl_job *job, double *precision)
{
    mgl_result *result = NULL;
    char *before = json_of(job);
    mgl_status status = mgl_job_run(job, "anonymize", NULL, &result);
    char *after = json_of(job);
    assert_string_equal(before, after);
    *precision = status == MGL_OK ? mgl_result_number(result, "utility.precision") : -1;
    mgl_text_free(before);
    mgl_text_free(after);
    mgl_result_free(result);
    return status;
}

/* What a job of its own gives that is told all at once. */
static mgl_status run_alone(const char *const (*changes)[2], size_t n, double *precision)
{
    mgl_job *job = make_job();
    for (size_t i = 0; i < n; i++)
        change(job, changes[i][0], changes[i][1]);
    mgl_status status = run(job, precision);
    mgl_job_free(job);
    return status;
}

static void each_run_does_what_the_job_says_then(void **state)
{
    static const char *const changes[][2] = {{"k", "5"},
                                             {"attributes.zip.hierarchy", "suppress"},
                                             {"suppress", "10%"},
                                             {"k", "3"},
                                             {"attributes.zip", NULL}, /* a column without a role */
                                             {"rest", "drop"},
                                             {"suppress", NULL},
                                             {"qi", "zip,age"},
                                             {"attributes.zip.hierarchy", "mask(right,5)"},
                                             {"k", "10"}};
    (void)state;
    mgl_job *job = make_job();
    double precision;
    int done = 0;
    assert_int_equal(run(job, &precision), MGL_OK);
    for (size_t n = 1; n <= sizeof changes / sizeof changes[0]; n++) {
        double expected, again;
        change(job, changes[n - 1][0], changes[n - 1][1]);
        mgl_status status = run_alone(changes, n, &expected);
        assert_int_equal(run(job, &precision), status);
        assert_true(precision == expected);
        assert_int_equal(run(job, &again), status);
        assert_true(again == expected);
        done += status == MGL_OK;
    }
    assert_true(done >= 6);
    mgl_job_free(job);
}

static void a_job_runs_after_failures(void **state)
{
    (void)state;
    mgl_job *job = make_job();
    double first, precision;
    assert_int_equal(run(job, &first), MGL_OK);
    change(job, "data", "nothing.csv");
    assert_int_equal(run(job, &precision), MGL_DATA);
    change(job, "data", "table.csv");
    change(job, "qi", "nothing");
    assert_true(run(job, &precision) != MGL_OK);
    change(job, "qi", "age,zip");
    change(job, "k", "1000");
    assert_int_equal(run(job, &precision), MGL_UNMET);
    change(job, "k", "2");
    assert_int_equal(run(job, &precision), MGL_OK);
    assert_true(precision == first);
    mgl_job_free(job);
}

/* A check against a result adds what that says, to its own copy of the job. */
static void commands_add_nothing_to_the_job(void **state)
{
    (void)state;
    mgl_job *job = make_job(), *check;
    mgl_result *result = NULL;
    mgl_error err = {0};
    change(job, "result", "result.json");
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_OK);
    mgl_result_free(result);
    assert_int_equal(mgl_job_new(NULL, &check), MGL_OK);
    change(check, "data", "release.csv");
    change(check, "against", "result.json");
    char *before = json_of(check);
    for (int i = 0; i < 2; i++) {
        if (mgl_job_run(check, "check", &err, &result) != MGL_OK)
            fail_msg("%s", err.message);
        assert_int_equal(mgl_result_holds(result), 1);
        mgl_result_free(result);
        char *after = json_of(check);
        assert_string_equal(before, after);
        mgl_text_free(after);
    }
    mgl_text_free(before);
    mgl_job_free(job);
    mgl_job_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_does_what_the_job_says_then),
        cmocka_unit_test(a_job_runs_after_failures),
        cmocka_unit_test(commands_add_nothing_to_the_job),
    };
    return cmocka_run_group_tests(tests, begin, brute_leave_folder);
}
