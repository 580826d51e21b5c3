/* Every job on a session gives what it gives on a table that was just opened: random sequences of
 * jobs with other models, methods, roles, hierarchies and columns, some of which fail or are
 * cancelled, one after the other and from several threads at once. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "roads.h"
#include "trial.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 7, THREADS = 3 };

/* ---- Questions ----------------------------------------------------------------------------------
 */

typedef struct command {
    const char *name;
    brute_command job;
} command;

static const command commands[] = {
    {"anonymize", BRUTE_RUN}, {"anonymize", BRUTE_RUN}, {"anonymize", BRUTE_RUN},
    {"check", BRUTE_CHECK},   {"lattice", BRUTE_NODES}, {"compare", BRUTE_COMPARE},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char *const methods[] = {
    "mingen",   "cell",     "datafly",  "samarati", "incognito",
    "top-down", "mu-argus", "mondrian", "k-member", "local-suppression"};
enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct question {
    const command *command;
    mgl_job *job;
    road_form output;
    char place[ROAD_NAME];
    bool writes;
    int cancel_at; /* the call of the listener that cancels; 0: none does */
} question;

static void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    if (mgl_job_set(job, key, value, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, value, err.message);
}

static void unset(mgl_job *job, const char *key)
{
    mgl_error err = {0};
    if (mgl_job_unset(job, key, &err) != MGL_OK)
        fail_msg("%s: %s", key, err.message);
}

/* A hierarchy with two levels under the name of one that has more: who keeps hierarchies by their
 * names alone takes the wrong one. */
static void give_flat_hierarchy(mgl_job *job, const brute_hierarchy *h, const char *name)
{
    brute_text text = {0};
    mgl_error err = {0};
    for (int i = 0; i < h->n_lines; i++) {
        brute_append_text(&text, h->label[0][i]);
        brute_append_text(&text, ";*\n");
    }
    if (mgl_job_give_bytes(job, name, text.data, text.size, free, text.data, &err) != MGL_OK)
        fail_msg("%s", err.message);
}

static void change_hierarchies(const brute_table *t, roads *roads, brute_random *random,
                               mgl_job *job)
{
    for (int a = 0; a < t->c.n_attributes; a++) {
        char key[64], file[24], place[ROAD_NAME];
        snprintf(key, sizeof key, "attributes.%c.hierarchy", 'a' + a);
        snprintf(file, sizeof file, "%c.csv", 'a' + a);
        if (!t->c.hierarchies[a].given || t->c.bounded[a] || brute_chance(random, 40))
            continue;
        if (brute_chance(random, 30)) {
            give_flat_hierarchy(job, &t->c.hierarchies[a], file);
            snprintf(place, sizeof place, "memory:%s", file);
        } else {
            road_give(roads, job, file, (road_form)brute_below(random, ROAD_FORMS), false, place);
        }
        set(job, key, place);
    }
}

/* Another role, or none, for the last of the quasi-identifiers. */
static void change_roles(const brute_table *t, brute_random *random, mgl_job *job)
{
    char key[64];
    if (t->c.n_attributes < 3 || t->c.n_sets > 1 || brute_chance(random, 60))
        return;
    snprintf(key, sizeof key, "attributes.%c", 'a' + t->c.n_attributes - 1);
    unset(job, key);
    strcat(key, ".role");
    set(job, key, brute_chance(random, 50) ? "insensitive" : "identifier");
}

static void change_search(const trial *x, brute_random *random, mgl_job *job)
{
    const char *method = methods[brute_below(random, METHODS)];
    brute_set_method(&x->t.c, job, method);
    set(job, "time-limit", "1000");
    if (strcmp(method, "cell") == 0 || strcmp(method, "top-down") == 0 ||
        strcmp(method, "local-suppression") == 0)
        set(job, "effort", "fast");
    if (strcmp(method, "cell") == 0)
        set(job, "utility", "precision");
    set(job, "keep-order", "true");
}

/* Draws a question about the table of the trial. Its data is where the session has it; releases
 * that several threads write at once are not files of one name. */
static question ask(const trial *x, const char *data, roads *roads, brute_random *random,
                    road_form first)
{
    static trial other;
    question q = {.command = &commands[brute_below(random, COMMANDS)]};
    other = *x;
    if (brute_chance(random, 70))
        brute_table_choose_models(&other.t, random);
    other.t.c.treatment = (brute_treatment)brute_below(random, 3);
    q.job = brute_table_job(&other.t, (int)q.command->job);
    set(q.job, "data", data);
    if (q.command->job == BRUTE_RUN) {
        change_search(&other, random, q.job);
        q.output = (road_form)brute_between(random, first, ROAD_FORMS - 1);
        q.writes = brute_chance(random, 60);
        road_name("release.csv", q.output, q.place);
        set(q.job, q.writes ? "output" : "dry-run", q.writes ? q.place : "true");
    }
    if (q.command->job == BRUTE_COMPARE)
        set(q.job, "methods", "mingen,datafly");
    change_hierarchies(&other.t, roads, random, q.job);
    change_roles(&other.t, random, q.job);
    set(q.job, "attributes.nr.role", brute_chance(random, 50) ? "insensitive" : "identifier");
    if (brute_chance(random, 8))
        set(q.job, "k", "1000"); /* fails */
    if (brute_chance(random, 15))
        q.cancel_at = brute_between(random, 1, 6);
    return q;
}

/* ---- Answers ------------------------------------------------------------------------------------
 */

typedef struct answer {
    mgl_status status;
    mgl_code code;
    char message[300];
    char *document;
    road_rows rows;
} answer;

static int cancel_soon(void *user, const char *stage, uint64_t done, uint64_t total)
{
    int *left = user;
    (void)stage;
    (void)done;
    (void)total;
    return --*left == 0;
}

/* On the session, or without one by a call of its own. */
static answer answer_to(const question *q, mgl_session *session)
{
    answer a = {0};
    mgl_error err = {0};
    mgl_result *result = NULL;
    int left = q->cancel_at;
    if (left > 0)
        mgl_job_on_progress(q->job, cancel_soon, &left);
    a.status = session != NULL ? mgl_session_run(session, q->command->name, q->job, &err, &result)
                               : mgl_job_run(q->job, q->command->name, &err, &result);
    mgl_job_on_progress(q->job, NULL, NULL);
    if (a.status == MGL_OK) {
        a.document = road_document(result);
        if (q->writes)
            road_read(result, q->place, q->output, &a.rows);
    } else {
        a.code = err.code;
        snprintf(a.message, sizeof a.message, "%.290s", err.message);
    }
    mgl_result_free(result);
    return a;
}

static void free_answer(answer *a)
{
    free(a->document);
    road_rows_free(&a->rows);
}

/* A session may be done before the call that cancels: it has less to do. */
static bool was_cancelled(const question *q, const answer *fresh, const answer *found)
{
    return q->cancel_at > 0 && (fresh->status == MGL_CANCELLED || found->status == MGL_CANCELLED);
}

static void expect_same(const trial *x, int step, const question *q, const answer *fresh,
                        const answer *found)
{
    char words[120];
    snprintf(words, sizeof words, "seed %llu, step %d, %s", (unsigned long long)x->t.c.seed, step,
             q->command->name);
    if (was_cancelled(q, fresh, found))
        return;
    if (fresh->status != found->status || fresh->code != found->code)
        fail_msg("%s: status %d (%s) instead of %d (%s)", words, found->status, found->message,
                 fresh->status, fresh->message);
    if (fresh->status != MGL_OK)
        return;
    road_expect_same_rows(&fresh->rows, &found->rows, words);
    if (strcmp(fresh->document, found->document) != 0) {
        size_t at = 0;
        while (fresh->document[at] == found->document[at])
            at++;
        at = at < 200 ? 0 : at - 200;
        fail_msg("%s: the results differ:\n%.400s\ninstead of\n%.400s", words, found->document + at,
                 fresh->document + at);
    }
}

/* ---- Sessions -----------------------------------------------------------------------------------
 */

static void make_case(trial *x, uint64_t seed)
{
    trial_make(x, seed, 0, NULL, 0);
    x->t.c.ranges = false;
    trial_write(x);
}

static mgl_job *new_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    return job;
}

/* Opens the table in this form. The job gives it and may be freed. */
static mgl_session *open_session(roads *roads, mgl_job *job, road_form form, char place[ROAD_NAME])
{
    mgl_error err = {0};
    mgl_session *session;
    road_give(roads, job, "table.csv", form, true, place);
    set(job, "data", place);
    if (mgl_session_open(job, NULL, &err, &session) != MGL_OK)
        fail_msg("%s", err.message);
    return session;
}

/* The same question for a table that is opened for it alone. */
static answer answer_alone(roads *roads, const question *q, road_form form)
{
    char place[ROAD_NAME];
    road_give(roads, q->job, "table.csv", form, true, place);
    return answer_to(q, NULL);
}

static void a_session_answers_as_a_fresh_run_does(void **state)
{
    static trial x;
    int n = brute_cases(30), answered = 0, failed = 0, cancelled = 0;
    (void)state;
    for (int i = 0; i < n; i++) {
        uint64_t seed = 300 + (uint64_t)i;
        roads roads = {.random = {seed}};
        brute_random random = {seed * 5 + 1};
        road_form form = (road_form)(i % ROAD_FORMS);
        char place[ROAD_NAME];
        mgl_job *opened = new_job();
        make_case(&x, seed);
        set(opened, "threads", x.t.threads == 1 ? "1" : "2");
        x.t.threads = x.t.threads == 1 ? 1 : 2;
        mgl_session *session = open_session(&roads, opened, form, place);
        mgl_job_free(opened);
        for (int step = 0; step < STEPS; step++) {
            question q = ask(&x, place, &roads, &random, ROAD_FILE);
            answer found = answer_to(&q, session);
            answer fresh = answer_alone(&roads, &q, form);
            expect_same(&x, step, &q, &fresh, &found);
            answered += found.status == MGL_OK;
            cancelled += found.status == MGL_CANCELLED;
            failed += found.status != MGL_OK && found.status != MGL_CANCELLED;
            free_answer(&found);
            free_answer(&fresh);
            mgl_job_free(q.job);
        }
        mgl_session_close(session);
        road_expect_all_returned(&roads);
    }
    assert_true(answered > n);
    assert_true(failed > 0 || n < 20);
    assert_true(cancelled > 0 || n < 20);
}

/* ---- Several threads ----------------------------------------------------------------------------
 */

typedef struct asker {
    mgl_session *session;
    question questions[STEPS];
    answer answers[STEPS];
} asker;

static void *ask_all(void *user)
{
    asker *a = user;
    for (int i = 0; i < STEPS; i++)
        a->answers[i] = answer_to(&a->questions[i], a->session);
    return NULL;
}

static void threads_that_share_a_session_get_what_they_get_alone(void **state)
{
    static trial x;
    static asker askers[THREADS];
    int n = brute_cases(8);
    (void)state;
    for (int i = 0; i < n; i++) {
        uint64_t seed = 800 + (uint64_t)i;
        roads roads = {.random = {seed}};
        brute_random random = {seed * 3 + 2};
        road_form form = (road_form)(i % ROAD_FORMS);
        pthread_t threads[THREADS];
        char place[ROAD_NAME];
        mgl_job *opened = new_job();
        make_case(&x, seed);
        x.t.threads = 2;
        set(opened, "threads", "2");
        mgl_session *session = open_session(&roads, opened, form, place);
        mgl_job_free(opened);
        for (int t = 0; t < THREADS; t++) {
            askers[t].session = session;
            for (int s = 0; s < STEPS; s++)
                askers[t].questions[s] = ask(&x, place, &roads, &random, ROAD_BYTES);
        }
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_create(&threads[t], NULL, ask_all, &askers[t]), 0);
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(threads[t], NULL), 0);
        mgl_session_close(session);
        for (int t = 0; t < THREADS; t++)
            for (int s = 0; s < STEPS; s++) {
                question *q = &askers[t].questions[s];
                answer fresh = answer_alone(&roads, q, form);
                expect_same(&x, s, q, &fresh, &askers[t].answers[s]);
                free_answer(&askers[t].answers[s]);
                free_answer(&fresh);
                mgl_job_free(q->job);
            }
        road_expect_all_returned(&roads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_answers_as_a_fresh_run_does),
        cmocka_unit_test(threads_that_share_a_session_get_what_they_get_alone),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
