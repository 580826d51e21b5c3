/* Sessions that several threads ask, calls that are cancelled, and memory that comes from elsewhere
 * or runs out. Built with the thread sanitizer, it finds races. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "session_jobs.h"

#include "base/fault.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Several threads
 * ------------------------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 3 };

typedef struct asking {
    pthread_t thread;
    mgl_session *session;
    const char *const *keys;
    json_t *answers[ROUNDS];
} asking;

static void *ask_rounds(void *context)
{
    asking *a = context;
    for (int i = 0; i < ROUNDS; i++) {
        mgl_result *result = NULL;
        mgl_job *job = session_job(a->keys);
        if (mgl_session_run(a->session, "anonymize", job, NULL, &result) == MGL_OK)
            a->answers[i] = session_lasting(result);
        mgl_job_free(job);
    }
    return NULL;
}

static const char *const datafly_job[] = {TABLE_KEYS, "k",       "6",    "method",
                                          "datafly",  "dry-run", "true", NULL};
static const char *const diverse_job[] = {TABLE_KEYS, "k",    "4",      "l-diversity", "disease=2",
                                          "dry-run",  "true", "method", "mingen",      NULL};
static const char *const rare_job[] = {TABLE_KEYS, "k",    "4",      "least-count", "3",
                                       "dry-run",  "true", "method", "mingen",      NULL};

static void threads_on_one_session_get_the_answers_they_get_alone(void **state)
{
    (void)state;
    const char *const *const jobs[THREADS] = {session_plain, datafly_job, diverse_job, rare_job};
    mgl_session *session = session_open("table.csv");
    asking all[THREADS] = {0};
    for (int t = 0; t < THREADS; t++) {
        all[t] = (asking){.session = session, .keys = jobs[t]};
        assert_int_equal(pthread_create(&all[t].thread, NULL, ask_rounds, &all[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(all[t].thread, NULL);
    mgl_session_close(session);
    for (int t = 0; t < THREADS; t++) {
        json_t *alone = session_ask_alone("anonymize", "table.csv", jobs[t]);
        for (int i = 0; i < ROUNDS; i++) {
            assert_non_null(all[t].answers[i]);
            session_expect_same(all[t].answers[i], json_incref(alone));
        }
        json_decref(alone);
    }
}

static void sessions_in_several_threads_do_not_disturb_each_other(void **state)
{
    (void)state;
    asking all[2] = {{.keys = session_plain}, {.keys = diverse_job}};
    for (int t = 0; t < 2; t++) {
        all[t].session = session_open("table.csv");
        assert_int_equal(pthread_create(&all[t].thread, NULL, ask_rounds, &all[t]), 0);
    }
    for (int t = 0; t < 2; t++) {
        pthread_join(all[t].thread, NULL);
        mgl_session_close(all[t].session);
        for (int i = 0; i < ROUNDS; i++)
            session_expect_same(all[t].answers[i],
                                session_ask_alone("anonymize", "table.csv", all[t].keys));
    }
}

/* One call holds the session until it is told to go on; another waits, and is cancelled. */
typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool inside, open;
    bool waited;
} gate;

static int hold_session(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage, (void)done, (void)total;
    gate *g = user;
    pthread_mutex_lock(&g->lock);
    g->inside = true;
    pthread_cond_broadcast(&g->changed);
    while (!g->open)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return 0;
}

static int stop_waiting(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    gate *g = user;
    g->waited = g->waited || strcmp(stage, "wait") == 0;
    return 1;
}

typedef struct holding {
    mgl_session *session;
    gate *gate;
    mgl_status status;
} holding;

static void *run_held(void *context)
{
    holding *h = context;
    mgl_result *result = NULL;
    mgl_job *job = session_job(session_plain);
    mgl_job_on_progress(job, hold_session, h->gate);
    h->status = mgl_session_run(h->session, "anonymize", job, NULL, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return NULL;
}

static void a_call_that_waits_can_be_cancelled(void **state)
{
    (void)state;
    gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    mgl_session *session = session_open("table.csv");
    holding h = {.session = session, .gate = &g};
    pthread_t thread;
    mgl_error err = {0};
    mgl_result *result = NULL;
    assert_int_equal(pthread_create(&thread, NULL, run_held, &h), 0);
    pthread_mutex_lock(&g.lock);
    while (!g.inside)
        pthread_cond_wait(&g.changed, &g.lock);
    pthread_mutex_unlock(&g.lock);
    mgl_job *job = session_job(session_plain);
    mgl_job_on_progress(job, stop_waiting, &g);
    assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_CANCELLED);
    assert_true(g.waited);
    mgl_job_free(job);
    pthread_mutex_lock(&g.lock);
    g.open = true;
    pthread_cond_broadcast(&g.changed);
    pthread_mutex_unlock(&g.lock);
    pthread_join(thread, NULL);
    assert_int_equal(h.status, MGL_OK);
    mgl_session_close(session);
}

static void a_job_that_was_cancelled_does_not_run(void **state)
{
    (void)state;
    mgl_session *session = session_open("table.csv");
    mgl_result *result = NULL;
    mgl_job *job = session_job(session_plain);
    mgl_job_cancel(job);
    assert_int_equal(mgl_session_run(session, "anonymize", job, NULL, &result), MGL_CANCELLED);
    assert_int_equal(mgl_session_run(session, "anonymize", job, NULL, &result), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(job);
    mgl_session_close(session);
}

static int stop_soon(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage, (void)done, (void)total;
    return --*(int *)user <= 0;
}

static void a_cancelled_call_leaves_the_session_usable(void **state)
{
    (void)state;
    mgl_session *session = session_open("table.csv");
    for (int after = 1; after < 4; after++) {
        int left = after;
        mgl_result *result = NULL;
        mgl_job *job = session_job(diverse_job);
        mgl_job_on_progress(job, stop_soon, &left);
        mgl_status status = mgl_session_run(session, "anonymize", job, NULL, &result);
        assert_true(status == MGL_CANCELLED || (status == MGL_OK && left > 0));
        mgl_result_free(result);
        mgl_job_free(job);
    }
    session_expect_same(session_ask(session, "anonymize", diverse_job),
                        session_ask_alone("anonymize", "table.csv", diverse_job));
    mgl_session_close(session);
}

/* ---- Memory -------------------------------------------------------------------------------------
 */

typedef struct counted_memory {
    atomic_size_t blocks, calls;
} counted_memory;

static void *take_block(void *user, size_t size)
{
    counted_memory *m = user;
    atomic_fetch_add(&m->blocks, 1);
    atomic_fetch_add(&m->calls, 1);
    return malloc(size);
}

static void *resize_block(void *user, void *data, size_t size)
{
    atomic_fetch_add(&((counted_memory *)user)->calls, 1);
    return realloc(data, size);
}

static void give_block(void *user, void *data)
{
    atomic_fetch_sub(&((counted_memory *)user)->blocks, 1);
    free(data);
}

static void the_memory_of_a_session_comes_from_its_allocator(void **state)
{
    (void)state;
    counted_memory m = {0};
    mgl_allocator allocator = {take_block, resize_block, give_block, &m};
    mgl_session_options options = {.size = sizeof options, .threads = 2, .allocator = &allocator};
    mgl_session *session = NULL;
    mgl_result *result = NULL;
    mgl_job *open = session_job((const char *const[]){NULL}), *job = session_job(session_plain);
    brute_set(open, "data", "table.csv");
    assert_int_equal(mgl_session_open(open, &options, NULL, &session), MGL_OK);
    mgl_job_free(open);
    assert_int_equal(mgl_session_run(session, "anonymize", job, NULL, &result), MGL_OK);
    assert_true(atomic_load(&m.calls) > 100);
    mgl_session_close(session);
    mgl_job_free(job);
    mgl_result_free(result); /* also one that outlives its session */
    assert_int_equal(atomic_load(&m.blocks), 0);
}

#ifdef MGL_FAULTS
/* Each allocation of a second job fails once: the session is as it was, and answers right. */
static void a_job_without_memory_leaves_the_session_usable(void **state)
{
    (void)state;
    static const char *const *const jobs[] = {diverse_job, rare_job};
    json_t *expected = session_ask_alone("anonymize", "table.csv", diverse_job);
    for (size_t j = 0; j < sizeof jobs / sizeof jobs[0]; j++) {
        mgl_session *session = session_open("table.csv");
        bool reached = true;
        json_decref(session_ask(session, "anonymize", session_plain));
        for (uint64_t number = 1; reached; number += 1 + number / 16) {
            mgl_error err = {0};
            mgl_result *result = NULL;
            mgl_job *job = session_job(jobs[j]);
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            mgl_status status = mgl_session_run(session, "anonymize", job, &err, &result);
            reached = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || status == MGL_SYSTEM);
            mgl_result_free(result);
            mgl_job_free(job);
        }
        session_expect_same(session_ask(session, "anonymize", diverse_job), json_incref(expected));
        mgl_session_close(session);
    }
    json_decref(expected);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_on_one_session_get_the_answers_they_get_alone),
        cmocka_unit_test(sessions_in_several_threads_do_not_disturb_each_other),
        cmocka_unit_test(a_call_that_waits_can_be_cancelled),
        cmocka_unit_test(a_job_that_was_cancelled_does_not_run),
        cmocka_unit_test(a_cancelled_call_leaves_the_session_usable),
        cmocka_unit_test(the_memory_of_a_session_comes_from_its_allocator),
#ifdef MGL_FAULTS
        cmocka_unit_test(a_job_without_memory_leaves_the_session_usable),
#endif
    };
    return cmocka_run_group_tests(tests, session_begin, brute_leave_folder);
}
