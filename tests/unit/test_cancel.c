/* Cancelling: from another thread and by the listener, for every method and every command; the
 * thread that listeners are called on; when a request ends. */
/* slow: every point at which a job can be ended */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include "search/search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 300 };

static void nap(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void write_table(const char *path, int rows)
{
    brute_text text = {0};
    char line[80];
    brute_random random = {7};
    brute_append_text(&text, "age,zip,size,disease\n");
    for (int r = 0; r < rows; r++) {
        snprintf(line, sizeof line, "%d,%d,%d.5,d%d\n", brute_between(&random, 20, 79),
                 brute_between(&random, 10000, 10099), brute_below(&random, 60),
                 brute_below(&random, 5));
        brute_append_text(&text, line);
    }
    brute_write(path, text.data, text.size);
    free(text.data);
}

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    write_table("table.csv", ROWS);
    return 0;
}

static mgl_job *make_job(const char *method, const char *threads)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "qi", "age,zip,size");
    brute_set(job, "sensitive", "disease");
    brute_set(job, "hierarchy", "age=intervals(5,20)");
    brute_set(job, "hierarchy", "zip=mask(right,5)");
    brute_set(job, "hierarchy", "size=intervals(10,30)");
    brute_set(job, "k", "5");
    brute_set(job, "suppress", "10%");
    brute_set(job, "threads", threads);
    brute_set(job, "method", method);
    brute_set(job, "accept", "unsafe");
    brute_set(job, "output", "release.csv");
    if (!mgl_method_type_find(method)->may_be_unsafe)
        assert_int_equal(mgl_job_unset(job, "accept", NULL), MGL_OK);
    return job;
}

typedef struct listener {
    pthread_t thread;
    mgl_job *cancels; /* from the listener, as from anywhere; NULL: it returns 1 */
    int calls, stop_at;
    atomic_int inside;
    bool elsewhere, at_the_same_time;
} listener;

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    listener *l = user;
    (void)done;
    (void)total;
    assert_non_null(stage);
    l->at_the_same_time = l->at_the_same_time || atomic_fetch_add(&l->inside, 1) > 0;
    l->elsewhere = l->elsewhere || !pthread_equal(pthread_self(), l->thread);
    bool stop = ++l->calls == l->stop_at;
    if (stop && l->cancels != NULL)
        mgl_job_cancel(l->cancels);
    atomic_fetch_sub(&l->inside, 1);
    return stop && l->cancels == NULL;
}

static mgl_status run_heard(mgl_job *job, listener *l, int stop_at)
{
    mgl_result *result = NULL;
    mgl_error err = {0};
    *l = (listener){.thread = pthread_self(), .cancels = l->cancels, .stop_at = stop_at};
    mgl_job_on_progress(job, listen, l);
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    if (status != MGL_OK && status != MGL_CANCELLED)
        fail_msg("%s", err.message);
    assert_false(l->elsewhere || l->at_the_same_time);
    mgl_result_free(result);
    return status;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Stops at a few calls of the listener, the first and the last among them. */
static void stop_a_method(const char *method, const char *threads, bool by_request)
{
    mgl_job *job = make_job(method, threads);
    listener l = {0};
    unlink("release.csv");
    if (run_heard(job, &l, 0) != MGL_OK)
        fail_msg("%s was stopped by nobody", method);
    assert_true(is_there("release.csv"));
    int calls = l.calls, step = calls / 4 + 1;
    assert_true(calls > 3);
    int cancelled = 0;
    l.cancels = by_request ? job : NULL;
    for (int stop = 1; stop <= calls; stop += step) {
        unlink("release.csv");
        mgl_status status = run_heard(job, &l, stop);
        cancelled += status == MGL_CANCELLED;
        assert_int_equal(is_there("release.csv"), status == MGL_OK);
        /* Nobody is told anything afterwards: what still ends well was done already. */
        if (l.calls > stop || (status == MGL_CANCELLED && l.calls != stop))
            fail_msg("%s: told %d times, stopped at %d of %d", method, l.calls, stop, calls);
    }
    assert_true(cancelled > 0);
    assert_int_equal(run_heard(job, &l, 0), MGL_OK); /* it begins anew */
    mgl_job_free(job);
}

static void every_method_stops_when_its_listener_says_so(void **state)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        stop_a_method(types[i]->name, "1", false);
        stop_a_method(types[i]->name, "3", false);
    }
}

static void every_method_stops_on_request(void **state)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        stop_a_method(types[i]->name, i % 2 == 0 ? "3" : "1", true);
}

/* ---- From another thread --------------------------------------------------------------------- */

typedef struct canceller {
    mgl_job *job;
    atomic_bool begun;
} canceller;

static int tell_begun(void *user, const char *stage, uint64_t done, uint64_t total)
{
    canceller *c = user;
    (void)stage;
    (void)done;
    (void)total;
    atomic_store(&c->begun, true);
    return 0;
}

static void *cancel_soon(void *user)
{
    canceller *c = user;
    while (!atomic_load(&c->begun))
        nap(1);
    mgl_job_cancel(c->job);
    return NULL;
}

/* The exact search of the best effort takes far longer than any test. */
static void another_thread_stops_a_long_search(void **state)
{
    static const char *const methods[] = {"cell",      "mingen",   "top-down", "local-suppression",
                                          "incognito", "k-member", "mondrian"};
    (void)state;
    write_table("table.csv", 4000);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        mgl_job *job = make_job(methods[i], "2");
        canceller c = {.job = job};
        pthread_t thread;
        mgl_result *result = NULL;
        unlink("release.csv");
        if (mgl_method_type_find(methods[i])->looks_longer)
            brute_set(job, "effort", "best");
        mgl_job_on_progress(job, tell_begun, &c);
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &c), 0);
        mgl_status status = mgl_job_run(job, "anonymize", NULL, &result);
        pthread_join(thread, NULL);
        /* A quick method may be done before. */
        assert_true(status == MGL_CANCELLED || status == MGL_OK);
        assert_int_equal(is_there("release.csv"), status == MGL_OK);
        mgl_result_free(result);
        mgl_job_free(job);
    }
    write_table("table.csv", ROWS);
}

static void a_request_before_the_run_meets_that_run_and_no_other(void **state)
{
    (void)state;
    mgl_job *job = make_job("datafly", "1");
    mgl_result *result = NULL;
    mgl_error err = {0};
    mgl_job_cancel(job);
    mgl_job_cancel(job);
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_CANCELLED);
    assert_int_equal(err.status, MGL_CANCELLED);
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void copies_are_cancelled_alone(void **state)
{
    (void)state;
    mgl_job *job = make_job("datafly", "1"), *copy = NULL;
    mgl_result *result = NULL;
    assert_int_equal(mgl_job_copy(job, NULL, &copy), MGL_OK);
    mgl_job_cancel(job);
    assert_int_equal(mgl_job_run(copy, "anonymize", NULL, &result), MGL_OK);
    mgl_result_free(result);
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_CANCELLED);
    mgl_job_free(job);
    mgl_job_free(copy);
}

static void every_command_stops_on_request(void **state)
{
    static const char *const commands[] = {"check", "risk", "lattice", "compare"};
    static const char *const unsuitable[] = {"output", "method", "suppress", "k", "accept"};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        mgl_job *job = make_job("mingen", "2");
        mgl_result *result = NULL;
        mgl_error err = {0};
        for (size_t u = 0; u < sizeof unsuitable / sizeof unsuitable[0]; u++)
            assert_int_equal(mgl_job_unset(job, unsuitable[u], NULL), MGL_OK);
        if (strcmp(commands[i], "risk") != 0)
            brute_set(job, "k", "2");
        mgl_job_cancel(job);
        if (mgl_job_run(job, commands[i], &err, &result) != MGL_CANCELLED)
            fail_msg("%s: %s", commands[i], err.message);
        if (mgl_job_run(job, commands[i], &err, &result) != MGL_OK)
            fail_msg("%s: %s", commands[i], err.message);
        mgl_result_free(result);
        mgl_job_free(job);
    }
}

/* ---- A pool ------------------------------------------------------------------------------------
 */

static void wait_and_report(void *context, size_t item, unsigned worker)
{
    (void)item;
    (void)worker;
    nap(20);
    (void)mgl_progress_report(context, "search", item, 0, NULL);
}

static void a_pool_tells_only_on_the_thread_that_runs_it(void **state)
{
    (void)state;
    mgl_pool *pool;
    atomic_bool stop = false;
    listener l = {.thread = pthread_self()};
    mgl_progress progress = {listen, &l, &stop};
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    mgl_progress_state before = mgl_progress_enter(&progress);
    mgl_pool_run(pool, 40, wait_and_report, &progress);
    assert_true(l.calls > 0);
    assert_false(l.elsewhere || l.at_the_same_time);
    mgl_progress_leave(&before);
    mgl_pool_free(pool);
}

static void wait_for_stop(void *context, size_t item, unsigned worker)
{
    const mgl_progress *progress = context;
    (void)item;
    if (worker == 0)
        return;
    while (mgl_progress_report(progress, "search", 0, 0, NULL) == MGL_OK)
        nap(1);
}

/* The other thread has the only item that takes long, and ends it when it is told to stop. */
static void who_waits_for_a_pool_is_told_and_can_stop_it(void **state)
{
    (void)state;
    mgl_pool *pool;
    atomic_bool stop = false;
    listener l = {.thread = pthread_self(), .stop_at = 2};
    mgl_progress progress = {listen, &l, &stop};
    assert_int_equal(mgl_pool_new(2, NULL, &pool), MGL_OK);
    mgl_progress_state before = mgl_progress_enter(&progress);
    mgl_pool_run(pool, 100000, wait_for_stop, &progress);
    assert_false(l.elsewhere);
    mgl_progress_leave(&before);
    mgl_pool_free(pool);
}

/* ---- Loops over columns -----------------------------------------------------------------------
 */

/* Asks to stop when all is read, so that only what comes then can notice it: a small file is read
 * at once. */
static int cancel_after_reading(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)total;
    if (strcmp(stage, "read") == 0 && done > 0)
        mgl_job_cancel(user);
    return 0;
}

static void loops_over_columns_stop_on_request(void **state)
{
    (void)state;
    static const char *const commands[] = {"look", "risk"};
    brute_text text = {0};
    char cell[32];
    for (int c = 0; c < 3000; c++) {
        snprintf(cell, sizeof cell, "name_%d%s", c, c < 2999 ? "," : "\n");
        brute_append_text(&text, cell);
    }
    for (int c = 0; c < 3000; c++)
        brute_append_text(&text, c < 2999 ? "1," : "1\n");
    brute_write("wide.csv", text.data, text.size);
    free(text.data);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        mgl_job *job;
        mgl_result *result = NULL;
        mgl_error err = {0};
        assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
        brute_set(job, "data", "wide.csv");
        if (strcmp(commands[i], "risk") == 0)
            brute_set(job, "advise", "true");
        mgl_job_on_progress(job, cancel_after_reading, job);
        assert_int_equal(mgl_job_run(job, commands[i], &err, &result), MGL_CANCELLED);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_tells_only_on_the_thread_that_runs_it),
        cmocka_unit_test(who_waits_for_a_pool_is_told_and_can_stop_it),
        cmocka_unit_test(a_request_before_the_run_meets_that_run_and_no_other),
        cmocka_unit_test(copies_are_cancelled_alone),
        cmocka_unit_test(every_command_stops_on_request),
        cmocka_unit_test(loops_over_columns_stop_on_request),
        cmocka_unit_test(another_thread_stops_a_long_search),
        cmocka_unit_test(every_method_stops_on_request),
        cmocka_unit_test(every_method_stops_when_its_listener_says_so),
    };
    return cmocka_run_group_tests(tests, begin, brute_leave_folder);
}
