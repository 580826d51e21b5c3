/* Sessions: jobs on one table get what they would get alone, nothing is done twice, and what
 * belongs to the session stays the session's. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "session_jobs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mgl_session_work work_since(const mgl_session *session, mgl_session_work *before)
{
    mgl_session_work now = mgl_session_work_done(session);
    mgl_session_work done = {now.columns_read - before->columns_read,
                             now.hierarchies_made - before->hierarchies_made,
                             now.lists_counted - before->lists_counted};
    *before = now;
    return done;
}

static void expect_work(const mgl_session *session, mgl_session_work *before, uint64_t columns,
                        uint64_t hierarchies, uint64_t lists)
{
    mgl_session_work done = work_since(session, before);
    assert_int_equal(done.columns_read, columns);
    assert_int_equal(done.hierarchies_made, hierarchies);
    assert_int_equal(done.lists_counted, lists);
}

/* ---- Nothing is done twice ------------------------------------------------------------------- */

static void a_question_about_the_same_table_only_searches(void **state)
{
    (void)state;
    static const char *const questions[][24] = {
        {TABLE_KEYS, "k", "7", "dry-run", "true", "method", "mingen", NULL},
        {TABLE_KEYS, "k", "4", "suppress", "10%", "dry-run", "true", "method", "mingen", NULL},
        {TABLE_KEYS, "k", "4", "utility", "loss", "dry-run", "true", "method", "mingen", NULL},
    };
    static const char *const datafly[] = {TABLE_KEYS, "k",       "4",    "method",
                                          "datafly",  "dry-run", "true", NULL};
    mgl_session *session = session_open("table.csv");
    mgl_session_work before = {0};
    json_decref(session_ask(session, "anonymize", session_plain));
    expect_work(session, &before, 3, 3, 1);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        json_decref(session_ask(session, "anonymize", questions[i]));
        expect_work(session, &before, 0, 0, 0);
    }
    json_decref(session_ask(session, "anonymize", datafly));
    expect_work(session, &before, 0, 0, 0);
    mgl_session_close(session);
}

static void jobs_about_other_rows_share_nothing(void **state)
{
    (void)state;
    static const char *const conditions[] = {"age >= 40", "age < 40", "age >= 40",
                                             "age is not missing"};
    mgl_session *session = session_open("table.csv");
    json_t *whole = session_ask(session, "anonymize", session_plain);
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        const char *const keys[] = {TABLE_KEYS,    "k",        "4",      "dry-run",
                                    "true",        "method",   "mingen", "where",
                                    conditions[i], "suppress", "50%",    NULL};
        const char *const sampled[] = {TABLE_KEYS, "k",           "2",      "dry-run", "true",
                                       "method",   "mingen",      "sample", "50%",     "suppress",
                                       "90%",      "sample-seed", "7",      NULL};
        session_expect_same(session_ask(session, "anonymize", keys),
                            session_ask_alone("anonymize", "table.csv", keys));
        session_expect_same(session_ask(session, "anonymize", sampled),
                            session_ask_alone("anonymize", "table.csv", sampled));
    }
    session_expect_same(session_ask(session, "anonymize", session_plain), whole);
    mgl_session_close(session);
}

static void a_hierarchy_that_changes_is_made_and_rows_are_counted(void **state)
{
    (void)state;
    static const char *const coarser[] = {
        "qi",   "age,zip,sex", "sensitive", "disease",     "identifier", "id",
        "rest", "insensitive", "hierarchy", "zip=zip.csv", "hierarchy",  "age=intervals(10,20)",
        "k",    "4",           "dry-run",   "true",        NULL};
    mgl_session *session = session_open("table.csv");
    mgl_session_work before = {0};
    json_decref(session_ask(session, "anonymize", session_plain));
    (void)work_since(session, &before);
    session_expect_same(session_ask(session, "anonymize", coarser),
                        session_ask_alone("anonymize", "table.csv", coarser));
    expect_work(session, &before, 0, 1, 1);
    json_decref(
        session_ask(session, "anonymize", session_plain)); /* the one before is still there */
    expect_work(session, &before, 0, 0, 0);
    mgl_session_close(session);
}

static void a_hierarchy_file_that_changed_is_read_again(void **state)
{
    (void)state;
    mgl_session *session = session_open("table.csv");
    mgl_session_work before = {0};
    json_decref(session_ask(session, "anonymize", session_plain));
    (void)work_since(session, &before);
    session_write_zips("zip.csv", "021%d%d;0%d;*\n");
    session_expect_same(session_ask(session, "anonymize", session_plain),
                        session_ask_alone("anonymize", "table.csv", session_plain));
    expect_work(session, &before, 0, 1, 1);
    session_write_zips("zip.csv", "021%d%d;021%d*;021**;*\n");
    mgl_session_close(session);
}

static void a_column_that_is_added_is_read_alone(void **state)
{
    (void)state;
    static const char *const models[] = {TABLE_KEYS, "k",    "4",      "l-diversity", "disease=2",
                                         "dry-run",  "true", "method", "mingen",      NULL};
    static const char *const fewer[] = {
        "qi", "age,sex", "rest",    "drop", "hierarchy", "age=intervals(5,20)",
        "k",  "4",       "dry-run", "true", NULL};
    mgl_session *session = session_open("table.csv");
    mgl_session_work before = {0};
    session_expect_same(session_ask(session, "anonymize", fewer),
                        session_ask_alone("anonymize", "table.csv", fewer));
    expect_work(session, &before, 2, 2, 1);
    json_decref(session_ask(session, "anonymize", session_plain));
    expect_work(session, &before, 1, 1, 1);
    session_expect_same(session_ask(session, "anonymize", models),
                        session_ask_alone("anonymize", "table.csv", models));
    expect_work(session, &before, 1, 0, 1);
    mgl_session_close(session);
}

/* ---- The same answers as alone ------------------------------------------------------------------
 */

static void every_command_answers_as_it_does_alone(void **state)
{
    (void)state;
    static const char *const as_is[] = {"qi", "age,zip,sex", "sensitive", "disease", "k",
                                        "2",  "l-diversity", "disease=2", NULL};
    static const char *const risks[] = {"qi", "age,zip,sex", NULL};
    static const char *const methods[] = {
        "qi", "age,zip,sex", "hierarchy", "zip=zip.csv",    "hierarchy", "age=intervals(5,20)",
        "k",  "4",           "methods",   "mingen,datafly", NULL};
    static const char *const nodes[] = {"qi",          "age,zip,sex", "hierarchy",
                                        "zip=zip.csv", "hierarchy",   "age=intervals(5,20)",
                                        "k",           "4",           NULL};
    static const char *const drawn[] = {"hierarchy", "age=intervals(5,20)", NULL};
    static const char *const lost[] = {"qi",          "age,zip,sex", "hierarchy",
                                       "zip=zip.csv", "hierarchy",   "age=intervals(5,20)",
                                       "release",     "release.csv", NULL};
    static const char *const persons[] = {"qi", "age,zip,sex", "external", "all.csv", NULL};
    static const char *const advice[] = {"advise", "true", NULL};
    static const char *const release[] = {TABLE_KEYS,    "k",      "4",      "output",
                                          "release.csv", "method", "mingen", NULL};
    const struct {
        const char *command;
        const char *const *keys;
    } commands[] = {
        {"check", as_is},  {"risk", risks},     {"compare", methods}, {"lattice", nodes},
        {"utility", lost}, {"attack", persons}, {"risk", advice},     {"check", as_is},
    };
    mgl_session *session = session_open("table.csv");
    json_decref(session_ask(session, "anonymize", release));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        session_expect_same(session_ask(session, commands[i].command, commands[i].keys),
                            session_ask_alone(commands[i].command, "table.csv", commands[i].keys));
    json_t *tree = session_ask(session, "hierarchy show", drawn), *suggested;
    assert_int_equal(json_array_size(json_object_get(tree, "hierarchies")), 1);
    suggested = session_ask(session, "hierarchy suggest", (const char *const[]){NULL});
    assert_int_equal(json_array_size(json_object_get(suggested, "hierarchies")), 6);
    json_decref(tree);
    json_decref(suggested);
    mgl_session_close(session);
    unlink("release.csv");
}

static void releases_are_those_of_file_jobs(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "datafly", "mondrian"};
    mgl_session *session = session_open("table.csv");
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        const char *keys[] = {TABLE_KEYS, "k",           "4",          "method", methods[m],
                              "output",   "release.csv", "keep-order", "true",   NULL};
        json_t *x = session_ask(session, "anonymize", keys);
        char *written = brute_read("release.csv", NULL);
        json_t *y = session_ask_alone("anonymize", "table.csv", keys);
        char *alone = brute_read("release.csv", NULL);
        assert_string_equal(written, alone);
        session_expect_same(x, y);
        free(written);
        free(alone);
    }
    mgl_session_close(session);
    unlink("release.csv");
}

/* What changes rows, values or spellings for one job changes nothing for others. */
static void jobs_that_change_rows_leave_them_to_others(void **state)
{
    (void)state;
    static const char *const rare[] = {TABLE_KEYS, "k",    "4",      "least-count", "3",
                                       "dry-run",  "true", "method", "mingen",      NULL};
    static const char *const sample[] = {TABLE_KEYS, "k-map", "5",      "population", "all.csv",
                                         "dry-run",  "true",  "method", "mingen",     NULL};
    static const char *const persons[] = {
        "qi",   "age,zip,sex", "entity",      "id",        "rest",
        "drop", "hierarchy",   "zip=zip.csv", "hierarchy", "age=intervals(5,20)",
        "k",    "3",           "dry-run",     "true",      NULL};
    static const char *const joined[] = {
        "qi",     "age,zip,sex", "entity",      "id",        "rest",
        "drop",   "hierarchy",   "zip=zip.csv", "hierarchy", "age=intervals(5,20)",
        "k",      "3",           "dry-run",     "true",      "entity-view",
        "joined", "suppressed",  "drop",        "suppress",  "50%",
        "method", "mingen",      NULL};
    const char *const *jobs[] = {session_plain, rare,          sample, persons, joined,
                                 rare,          session_plain, sample, persons, joined};
    mgl_session *session = session_open("table.csv");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        session_expect_same(session_ask(session, "anonymize", jobs[i]),
                            session_ask_alone("anonymize", "table.csv", jobs[i]));
    mgl_session_work before = mgl_session_work_done(session);
    json_decref(session_ask(session, "anonymize", sample));
    json_decref(session_ask(session, "anonymize", persons));
    expect_work(session, &before, 0, 0, 0);
    mgl_session_close(session);
}

/* Another k, limit or method costs its search: nothing is read, made or counted again. A column
 * less has the others counted once. */
static void what_if_reads_and_counts_nothing_again(void **state)
{
    (void)state;
    static const char *const plain[] = {TABLE_KEYS, "k",      "3",      "dry-run",
                                        "true",     "method", "mingen", NULL};
    static const char *const quick[] = {
        TABLE_KEYS, "k", "3", "method", "mingen", "changes", "k,suppress,levels", NULL};
    static const char *const columns[] = {TABLE_KEYS, "k",       "3",       "method",
                                          "mingen",   "changes", "columns", NULL};
    mgl_session *session = session_open("table.csv");
    json_decref(session_ask(session, "anonymize", plain));
    mgl_session_work before = mgl_session_work_done(session);
    json_t *told = session_ask(session, "what-if", quick);
    assert_true(json_array_size(json_object_get(told, "changes")) >= 3);
    assert_null(json_object_get(told, "answer"));
    json_decref(told);
    expect_work(session, &before, 0, 0, 0);
    told = session_ask(session, "what-if", columns);
    size_t n = json_array_size(json_object_get(told, "changes"));
    json_decref(told);
    assert_true(n >= 2);
    expect_work(session, &before, 0, 0, n);
    mgl_session_close(session);
}

/* A session keeps what a preview found, for other windows and filters of the same job alone. */
static void previews_are_what_they_are_alone(void **state)
{
    (void)state;
    static const char *const jobs[][11] = {
        {"k", "3", "method", "mingen", "window", "1,5"},
        {"k", "3", "method", "mingen", "window", "4,9", "show", "changed"},
        {"k", "3", "method", "mingen", "suppress", "20%", "window", "1,99", "show", "suppressed"},
        {"k", "3", "method", "mingen", "suppress", "20%", "window", "1,99", "show", "class=2"},
        {"k", "2", "method", "cell", "window", "1,99"},
        {"k", "2", "method", "cell", "window", "5,2", "show", "breaking"},
        {"k", "2", "method", "mondrian", "window", "1,99"},
        {"k", "2", "method", "mondrian", "window", "2,99"},
        {"k", "3", "method", "mingen", "window", "1,99"},
        {"k", "99999", "method", "mingen", "window", "1,3"},
    };
    mgl_session *session = session_open("table.csv");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        const char *keys[40] = {TABLE_KEYS};
        size_t n = 0;
        while (keys[n] != NULL)
            n++;
        for (size_t k = 0; jobs[i][k] != NULL; k++)
            keys[n++] = jobs[i][k];
        session_expect_same(session_ask(session, "preview", keys),
                            session_ask_alone("preview", "table.csv", keys));
    }
    mgl_session_close(session);
}

static void earlier_releases_are_read_once(void **state)
{
    (void)state;
    static const char *const first[] = {TABLE_KEYS,  "k",      "3",      "save-recoding",
                                        "first.mgl", "method", "mingen", NULL};
    static const char *const second[] = {TABLE_KEYS, "k",    "3",      "history", "first.mgl",
                                         "dry-run",  "true", "method", "mingen",  NULL};
    static const char *const third[] = {TABLE_KEYS, "k",       "3",         "utility",
                                        "loss",     "history", "first.mgl", "dry-run",
                                        "true",     "method",  "mingen",    NULL};
    mgl_session *session = session_open("table.csv");
    json_decref(session_ask(session, "anonymize", first));
    session_expect_same(session_ask(session, "anonymize", second),
                        session_ask_alone("anonymize", "table.csv", second));
    mgl_session_work before = mgl_session_work_done(session);
    session_expect_same(session_ask(session, "anonymize", third),
                        session_ask_alone("anonymize", "table.csv", third));
    expect_work(session, &before, 0, 0, 0);
    mgl_session_close(session);
    unlink("first.mgl");
}

/* ---- Databases
 * ----------------------------------------------------------------------------------- */

/* A table of SQLite with the rows of table.csv; false where the library was built without it. */
static bool make_database(void)
{
    static const char *const keys[] = {TABLE_KEYS,
                                       "k",
                                       "1",
                                       "data",
                                       "table.csv",
                                       "method",
                                       "mingen",
                                       "allow-leaks",
                                       "true",
                                       "output",
                                       "sqlite:t.db?table=people",
                                       NULL};
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = session_job(keys);
    brute_write("t.db", "", 0);
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status == MGL_OK;
}

static void a_database_is_asked_again_after_its_engine_regrouped_and_wrote(void **state)
{
    (void)state;
    static const char people[] = "sqlite:t.db?table=people";
    static const char *const ages[] = {"qi",      "age,zip,sex", "sensitive", "disease",
                                       "rest",    "drop",        "hierarchy", "age=intervals(5,20)",
                                       "k",       "4",           "method",    "mingen",
                                       "dry-run", "true",        NULL};
    static const char *const rare[] = {
        "qi",     "age,zip,sex", "sensitive",           "disease", "rest",
        "drop",   "hierarchy",   "age=intervals(5,20)", "k",       "4",
        "method", "mingen",      "least-count",         "3",       "dry-run",
        "true",   NULL};
    static const char *const written[] = {"qi",        "age,zip,sex",
                                          "sensitive", "disease",
                                          "rest",      "drop",
                                          "hierarchy", "age=intervals(5,20)",
                                          "k",         "4",
                                          "method",    "mingen",
                                          "output",    "sqlite:t.db?table=released",
                                          NULL};
    if (!make_database())
        skip();
    mgl_session *session = session_open(people);
    const char *const *const jobs[] = {ages, rare, ages, rare, ages};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        session_expect_same(session_ask(session, "anonymize", jobs[i]),
                            session_ask_alone("anonymize", people, jobs[i]));
    json_decref(session_ask(session, "anonymize", written));
    session_expect_same(session_ask(session, "anonymize", ages),
                        session_ask_alone("anonymize", people, ages));
    mgl_session_close(session);
    unlink("t.db");
}

/* ---- What belongs to the session
 * ----------------------------------------------------------------- */

static void a_job_that_reads_in_another_way_is_refused(void **state)
{
    (void)state;
    static const char *const keys[][2] = {{"data", "all.csv"}, {"missing", "x"}, {"delimiter", ";"},
                                          {"trim", "true"},    {"threads", "3"}, {"memory", "1G"}};
    mgl_session *session = session_open("table.csv");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        mgl_error err = {0};
        mgl_result *result = NULL;
        mgl_job *job = session_job(session_plain);
        brute_set(job, keys[i][0], keys[i][1]);
        assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_USAGE);
        assert_non_null(strstr(err.message, keys[i][0]));
        assert_null(result);
        mgl_job_free(job);
    }
    mgl_job *same = session_job(session_plain); /* what it says as well is no contradiction */
    mgl_result *result = NULL;
    brute_set(same, "data", "table.csv");
    assert_int_equal(mgl_session_run(session, "anonymize", same, NULL, &result), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(same);
    mgl_session_close(session);
}

static void a_job_stays_as_it_was(void **state)
{
    (void)state;
    mgl_session *session = session_open("table.csv");
    mgl_result *result = NULL;
    mgl_job *job = session_job(session_plain);
    assert_int_equal(mgl_session_run(session, "anonymize", job, NULL, &result), MGL_OK);
    assert_null(mgl_job_get(job, "data"));
    mgl_session_close(session); /* results live on */
    assert_true(mgl_result_holds(result));
    mgl_result_free(result);
    mgl_job_free(job);
}

static void a_session_writes_no_release_unasked(void **state)
{
    (void)state;
    static const char *const keys[] = {TABLE_KEYS, "k", "4", "method", "mingen", NULL};
    mgl_session *session = session_open("table.csv");
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = session_job(keys);
    assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_USAGE);
    assert_int_equal(mgl_session_run(session, "release", job, &err, &result), MGL_USAGE);
    mgl_job_free(job);
    mgl_session_close(session);
}

static void a_table_that_changed_is_noticed(void **state)
{
    (void)state;
    session_write_rows("changing.csv", 0, 50);
    mgl_session *session = session_open("changing.csv");
    mgl_error err = {0};
    mgl_result *result = NULL;
    json_decref(session_ask(session, "anonymize", session_plain));
    session_write_rows("changing.csv", 0, 60);
    mgl_job *job = session_job(session_plain);
    assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_DATA);
    assert_non_null(strstr(err.message, "changing.csv"));
    mgl_job_free(job);
    mgl_session_close(session);
    unlink("changing.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_about_the_same_table_only_searches),
        cmocka_unit_test(jobs_about_other_rows_share_nothing),
        cmocka_unit_test(a_hierarchy_that_changes_is_made_and_rows_are_counted),
        cmocka_unit_test(a_hierarchy_file_that_changed_is_read_again),
        cmocka_unit_test(a_column_that_is_added_is_read_alone),
        cmocka_unit_test(every_command_answers_as_it_does_alone),
        cmocka_unit_test(releases_are_those_of_file_jobs),
        cmocka_unit_test(jobs_that_change_rows_leave_them_to_others),
        cmocka_unit_test(what_if_reads_and_counts_nothing_again),
        cmocka_unit_test(previews_are_what_they_are_alone),
        cmocka_unit_test(earlier_releases_are_read_once),
        cmocka_unit_test(a_database_is_asked_again_after_its_engine_regrouped_and_wrote),
        cmocka_unit_test(a_job_that_reads_in_another_way_is_refused),
        cmocka_unit_test(a_job_stays_as_it_was),
        cmocka_unit_test(a_session_writes_no_release_unasked),
        cmocka_unit_test(a_table_that_changed_is_noticed),
    };
    return cmocka_run_group_tests(tests, session_begin, brute_leave_folder);
}
