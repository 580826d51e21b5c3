/* Files in memory: what is given to a job is read as a file would be, what is written to memory is
 * what a file would hold, and whatever cannot be there is refused with a word. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "in_memory_jobs.h"
#include "job/job.h"
#include "result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static memory_world world;

#define JOB "|qi=age,zip|identifier=id|sensitive=disease|k=2|suppress=20"

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    memory_world_make(&world);
    for (size_t i = 0; i < world.n; i++)
        brute_write(world.things[i].name, world.things[i].data, world.things[i].size);
    return 0;
}

static int end(void **state)
{
    memory_world_free(&world);
    return brute_leave_folder(state);
}

static mgl_result *run(const memory_deed *deed, const memory_world *given, unsigned threads)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = NULL;
    mgl_status status = memory_job(deed, given, threads, &err, &job);
    if (status == MGL_OK)
        status = mgl_job_run(job, deed->command, &err, &result);
    if (status != MGL_OK)
        fail_msg("%s (%s): %s", deed->name, given != NULL ? "memory" : "files", err.message);
    mgl_job_free(job);
    return result;
}

static void expect_same(const mgl_result *memory, const char *output)
{
    size_t expected, size;
    const void *data;
    char *bytes = brute_read(output, &expected);
    if (bytes == NULL)
        fail_msg("no file %s", output);
    assert_int_equal(mgl_result_bytes(memory, output, NULL, &data, &size), MGL_OK);
    assert_true(size > 0);
    if (!memory_output_varies(output)) {
        assert_int_equal(size, expected);
        assert_memory_equal(data, bytes, size);
    }
    memory_world_add(&world, output, data, size);
    free(bytes);
}

static void what_memory_gets_is_what_files_get(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_memory_deeds; i++) {
        const memory_deed *deed = &memory_deeds[i];
        mgl_result *files = run(deed, NULL, 1), *memory = run(deed, &world, 2);
        assert_int_equal(mgl_result_holds(files), mgl_result_holds(memory));
        for (size_t o = 0; deed->outputs[o] != NULL; o++)
            expect_same(memory, deed->outputs[o]);
        mgl_result_free(files);
        mgl_result_free(memory);
    }
}

/* Data in memory and a release in a file, and the other way round. */
static void files_and_memory_can_be_mixed(void **state)
{
    (void)state;
    const memory_deed deeds[] = {
        {"from memory", "anonymize", "data=@table.csv|output=mixed.csv|seed=1" JOB, {NULL}},
        {"to memory", "anonymize", "data=table.csv|output=@mixed.csv|seed=1" JOB, {NULL}},
        {"to a device",
         "anonymize",
         "data=@table.csv|output=/dev/null|result=/dev/null|seed=1" JOB,
         {NULL}}};
    const void *data;
    size_t size, expected;
    mgl_result_free(run(&deeds[0], &world, 2));
    mgl_result *result = run(&deeds[1], &world, 2);
    char *bytes = brute_read("mixed.csv", &expected);
    assert_int_equal(mgl_result_bytes(result, "mixed.csv", NULL, &data, &size), MGL_OK);
    assert_int_equal(size, expected);
    assert_memory_equal(data, bytes, size);
    free(bytes);
    mgl_result_free(result);
    result = run(&deeds[2], &world, 2);
    assert_int_equal(result->made.n, 0);
    mgl_result_free(result);
}

/* ---- Refusals ---------------------------------------------------------------------------------
 */

static void expect_refusal(const char *command, const char *keys, mgl_status expected,
                           const char *words)
{
    const memory_deed deed = {.name = keys, .command = command, .keys = keys};
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = NULL;
    assert_int_equal(memory_job(&deed, &world, 1, &err, &job), MGL_OK);
    mgl_status status = mgl_job_run(job, deed.command, &err, &result);
    if (status != expected || strstr(err.message, words) == NULL)
        fail_msg("%s: status %d, %s", keys, status, err.message);
    assert_null(result);
    mgl_job_free(job);
}

static void what_was_not_given_is_missing_data(void **state)
{
    (void)state;
    expect_refusal("anonymize", "data=@nothing.csv|output=@x.csv" JOB, MGL_DATA,
                   "nothing in memory has this name");
    expect_refusal("anonymize", "data=@table.csv|hierarchy=zip=@no.csv|output=@x.csv" JOB, MGL_DATA,
                   "nothing in memory has this name");
    expect_refusal("anonymize", "data=@table.csv|hierarchy=zip=groups(@no.txt)|output=@x.csv" JOB,
                   MGL_DATA, "nothing in memory has this name");
    expect_refusal("apply", "data=@table.csv|recoding=@no.rec|output=@x.csv", MGL_DATA,
                   "nothing in memory has this name");
    expect_refusal("check", "data=@table.csv|against=@no.json", MGL_DATA,
                   "nothing in memory has this name");
    expect_refusal("check", "data=@table.csv|against=@proved.json|proof=@no.json", MGL_DATA,
                   "nothing in memory has this name");
    expect_refusal("report", "data=@no.json|output=@x.html", MGL_DATA,
                   "nothing in memory has this name");
}

static void leave_alone(void *table)
{
    (void)table;
}

static void a_table_is_no_file(void **state)
{
    (void)state;
    const memory_deed deed = {.command = "apply",
                              .keys = "data=@table.csv|recoding=@a|output=@x.csv"};
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = NULL;
    assert_int_equal(memory_job(&deed, &world, 1, &err, &job), MGL_OK);
    mgl_memory_store *given = (mgl_memory_store *)(uintptr_t)mgl_job_given(job);
    assert_int_equal(mgl_memory_store_put_table(given, "a", &err, leave_alone, NULL, NULL), MGL_OK);
    assert_int_equal(mgl_job_run(job, deed.command, &err, &result), MGL_DATA);
    assert_non_null(strstr(err.message, "a table is in memory under this name"));
    mgl_job_free(job);
}

static void formats_that_need_a_file_refuse_memory(void **state)
{
    (void)state;
    static const char *const endings[] = {"xlsx", "parquet", "sav", "dta"};
    char keys[200];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(keys, sizeof keys, "data=@table.csv|output=@x.%s" JOB, endings[i]);
        expect_refusal("anonymize", keys, MGL_USAGE, "cannot be in memory");
        snprintf(keys, sizeof keys, "data=@x.%s|output=@x.csv" JOB, endings[i]);
        expect_refusal("anonymize", keys, MGL_USAGE, "cannot be in memory");
    }
}

static void an_input_is_not_overwritten_in_memory(void **state)
{
    (void)state;
    expect_refusal("anonymize", "data=@table.csv|output=@table.csv" JOB, MGL_USAGE, "is read");
    expect_refusal("anonymize", "data=@table.csv|hierarchy=zip=@zip.csv|output=@zip.csv" JOB,
                   MGL_USAGE, "is read");
    expect_refusal("anonymize", "data=@table.csv|output=@x.csv|result=@x.csv" JOB, MGL_USAGE, "");
}

/* A limit of memory would have to put the rest on a disk. */
static void memory_has_no_limit_for_tables_in_memory(void **state)
{
    (void)state;
    expect_refusal("anonymize", "data=@table.csv|memory=100M|output=@x.csv" JOB, MGL_USAGE,
                   "`memory`");
    const memory_deed deed = {.command = "check", .keys = "data=@table.csv|memory=100M"};
    mgl_error err = {0};
    mgl_job *job;
    mgl_session *session = NULL;
    assert_int_equal(memory_job(&deed, &world, 1, &err, &job), MGL_OK);
    assert_int_equal(mgl_session_open(job, NULL, &err, &session), MGL_USAGE);
    assert_non_null(strstr(err.message, "`memory`"));
    mgl_job_free(job);
    expect_refusal("check", "data=@table.csv|memory=100M|qi=age,zip|identifier=id|k=2", MGL_USAGE,
                   "`memory`");
}

static void a_result_has_what_was_written_and_nothing_else(void **state)
{
    (void)state;
    const memory_deed deed = {
        .name = "a release", .command = "anonymize", .keys = "data=@table.csv|output=@x.csv" JOB};
    mgl_error err = {0};
    const void *data;
    size_t size;
    mgl_result *result = run(&deed, &world, 1);
    assert_int_equal(mgl_result_bytes(result, "x.csv", &err, &data, &size), MGL_OK);
    assert_int_equal(mgl_result_bytes(result, "table.csv", &err, &data, &size), MGL_USAGE);
    assert_non_null(strstr(err.message, "memory:table.csv"));
    mgl_result_free(result);
}

/* ---- Giving -----------------------------------------------------------------------------------
 */

static void count_up(void *user)
{
    ++*(int *)user;
}

static void bytes_are_given_back_once_when_nobody_needs_them(void **state)
{
    (void)state;
    mgl_job *job;
    int first = 0, second = 0, never = 0;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    assert_int_equal(mgl_job_give_bytes(job, "a", "1", 1, count_up, &first, NULL), MGL_OK);
    assert_int_equal(mgl_job_give_bytes(job, "", "1", 1, count_up, &never, NULL), MGL_USAGE);
    assert_int_equal(first, 0);
    assert_int_equal(mgl_job_give_bytes(job, "a", "2", 1, count_up, &second, NULL), MGL_OK);
    assert_int_equal(first, 1);
    mgl_job_free(job);
    assert_int_equal(first, 1);
    assert_int_equal(second, 1);
    assert_int_equal(never, 0);
}

static void bytes_live_as_long_as_a_session_with_them(void **state)
{
    (void)state;
    mgl_job *first, *second;
    mgl_session *session;
    mgl_result *result;
    mgl_error err = {0};
    int given_back = 0;
    static const char table[] = "a,b\n1,x\n1,x\n2,y\n2,y\n";
    assert_int_equal(mgl_job_new(NULL, &first), MGL_OK);
    assert_int_equal(mgl_job_new(NULL, &second), MGL_OK);
    assert_int_equal(
        mgl_job_give_bytes(first, "t.csv", table, sizeof table - 1, count_up, &given_back, NULL),
        MGL_OK);
    assert_int_equal(mgl_job_set(first, "data", "memory:t.csv", NULL), MGL_OK);
    assert_int_equal(mgl_session_open(first, NULL, &err, &session), MGL_OK);
    mgl_job_free(first);
    assert_int_equal(given_back, 0);
    assert_int_equal(mgl_job_set(second, "qi", "a,b", NULL), MGL_OK);
    assert_int_equal(mgl_job_set(second, "k", "2", NULL), MGL_OK);
    assert_int_equal(mgl_job_set(second, "output", "memory:r.csv", NULL), MGL_OK);
    if (mgl_session_run(session, "anonymize", second, &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_session_close(session);
    assert_int_equal(given_back, 1);
    mgl_result_free(result);
    mgl_job_free(second);
    assert_int_equal(given_back, 1);
}

/* Of a hierarchy that jobs are given anew, a session looks at the content. */
static void a_session_tells_files_in_memory_by_their_content(void **state)
{
    (void)state;
    static const char table[] = "a,b\n1,x\n1,x\n2,y\n2,y\n3,x\n3,y\n";
    char *levels[] = {strdup("1;low;*\n2;low;*\n3;top;*\n"), strdup("1;low;*\n2;low;*\n3;top;*\n"),
                      strdup("1;low;*\n2;top;*\n3;top;*\n")};
    uint64_t made[3];
    mgl_session *session = NULL;
    for (int i = 0; i < 3; i++) {
        mgl_error err = {0};
        mgl_result *result;
        mgl_job *job;
        assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
        mgl_job_give_bytes(job, "t.csv", table, sizeof table - 1, NULL, NULL, NULL);
        mgl_job_give_bytes(job, "a.csv", levels[i], strlen(levels[i]), NULL, NULL, NULL);
        mgl_job_set(job, "data", "memory:t.csv", NULL);
        if (session == NULL)
            assert_int_equal(mgl_session_open(job, NULL, &err, &session), MGL_OK);
        mgl_job_set(job, "qi", "a", NULL);
        mgl_job_set(job, "rest", "drop", NULL);
        mgl_job_set(job, "hierarchy", "a=memory:a.csv", NULL);
        mgl_job_set(job, "k", "2", NULL);
        if (mgl_session_run(session, "lattice", job, &err, &result) != MGL_OK)
            fail_msg("%s", err.message);
        made[i] = mgl_session_work_done(session).hierarchies_made;
        mgl_result_free(result);
        mgl_job_free(job);
        free(levels[i]);
    }
    mgl_session_close(session);
    assert_int_equal(made[1], made[0]);
    assert_true(made[2] > made[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_memory_gets_is_what_files_get),
        cmocka_unit_test(files_and_memory_can_be_mixed),
        cmocka_unit_test(what_was_not_given_is_missing_data),
        cmocka_unit_test(a_table_is_no_file),
        cmocka_unit_test(formats_that_need_a_file_refuse_memory),
        cmocka_unit_test(an_input_is_not_overwritten_in_memory),
        cmocka_unit_test(memory_has_no_limit_for_tables_in_memory),
        cmocka_unit_test(a_result_has_what_was_written_and_nothing_else),
        cmocka_unit_test(bytes_are_given_back_once_when_nobody_needs_them),
        cmocka_unit_test(bytes_live_as_long_as_a_session_with_them),
        cmocka_unit_test(a_session_tells_files_in_memory_by_their_content),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
