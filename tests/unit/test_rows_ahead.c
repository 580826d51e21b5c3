/* Tuples of rows that are found while the search goes on: large tables in memory. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "in_memory_jobs.h"
#include "stream_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 150000 }; /* more than are found in no time */

static memory_world world;

static int begin(void **state)
{
    char *text = malloc((size_t)ROWS * 24 + 24), *at = text;
    (void)state;
    if (text == NULL)
        return -1;
    at += sprintf(at, "a,b,c\n");
    for (unsigned r = 0; r < ROWS; r++)
        at += sprintf(at, "%u,%u,x%u\n", r * 7 % 41, r % 997 < 3 ? r : r * 13 % 29, r % 5);
    memory_world_add(&world, "big.csv", text, (size_t)(at - text));
    free(text);
    return 0;
}

static int end(void **state)
{
    (void)state;
    memory_world_free(&world);
    return 0;
}

static mgl_status run(const char *keys, unsigned threads, mgl_error *err, mgl_result **out)
{
    const memory_deed deed = {"ahead", "anonymize", keys, {NULL}};
    mgl_job *job;
    assert_int_equal(memory_job(&deed, &world, threads, err, &job), MGL_OK);
    mgl_status status = mgl_job_run(job, deed.command, err, out);
    mgl_job_free(job);
    return status;
}

static void read_release(const char *keys, unsigned threads, streamed *out)
{
    mgl_error err = {0};
    mgl_result *result;
    struct ArrowArrayStream stream;
    if (run(keys, threads, &err, &result) != MGL_OK)
        fail_msg("%s: %s", keys, err.message);
    assert_int_equal(mgl_result_stream(result, "release", &err, &stream), MGL_OK);
    streamed_read(&stream, out);
    mgl_result_free(result);
}

/* One thread has nobody who could look ahead. */
static void the_release_is_that_of_one_thread(const char *keys)
{
    streamed one, some;
    read_release(keys, 1, &one);
    read_release(keys, 3, &some);
    assert_int_equal(one.n_rows, some.n_rows);
    assert_int_equal(one.n_columns, some.n_columns);
    for (size_t i = 0; i < one.n_rows * one.n_columns; i++)
        assert_string_equal(one.cells[i], some.cells[i]);
    streamed_free(&one);
    streamed_free(&some);
}

#define JOB "data=@big.csv|output=@release|qi=a,b|insensitive=c|k=5|suppress=5|seed=7"

static void rows_are_released_as_one_thread_releases_them(void **state)
{
    (void)state;
    the_release_is_that_of_one_thread(JOB);
    the_release_is_that_of_one_thread(JOB "|suppressed=drop");
}

/* What was begun ends with a search that finds nothing. */
static void a_search_that_fails_ends_what_was_begun(void **state)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    (void)state;
    assert_int_equal(run("data=@big.csv|output=@release|qi=a,b|insensitive=c|k=5|suppress=0|"
                         "attributes.a.level=0|attributes.b.level=0",
                         3, &err, &result),
                     MGL_UNMET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_released_as_one_thread_releases_them),
        cmocka_unit_test(a_search_that_fails_ends_what_was_begun),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
