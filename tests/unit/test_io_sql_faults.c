/* Tables of SQLite when memory runs out: a clear failure, and a database that is as it was. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE "sqlite:faults.db?table=people"
#define RELEASE "sqlite:faults.db?table=made"

static const mgl_source_options options = {.no_value = {"", 0}};

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static mgl_status load(mgl_error *err)
{
    mgl_source *text;
    MGL_TRY(mgl_source_open("faults.csv", &options, err, &text));
    mgl_load_request request = {.target = TABLE, .no_value = options.no_value};
    mgl_status status = mgl_table_load(&request, text, err);
    mgl_source_close(text);
    return status;
}

/* An empty file is an empty database. False: this build has no SQLite. */
static bool make_database(void)
{
    mgl_error err = {0};
    write_file("faults.db", "");
    write_file("faults.csv",
               "zip,sex,job\n02138,f,nurse\n02139,m,\n02138,f,cook\n02139,f,cook\n"
               "02138,m,nurse\n02139,m,nurse\n02138,m,\"a \"\"b\"\"\"\n02139,f,nurse\n");
    mgl_status status = load(&err);
    if (status != MGL_OK && (strstr(err.message, "built without") != NULL ||
                             strstr(err.message, "needs the library") != NULL))
        return false;
    assert_int_equal(status, MGL_OK);
    return true;
}

#ifdef MGL_FAULTS
static mgl_status read_and_count(mgl_error *err)
{
    mgl_column_request requested[] = {{0, MGL_ROLE_QUASI}, {1, MGL_ROLE_QUASI}};
    mgl_source *source;
    mgl_table *rows = NULL, *counted = NULL;
    MGL_TRY(mgl_source_open(TABLE, &options, err, &source));
    mgl_status status = mgl_source_count(source, requested, 2, NULL, err, &counted);
    if (status == MGL_OK)
        status = mgl_source_read(source, requested, 2, NULL, NULL, err, &rows);
    if (status == MGL_OK) {
        assert_int_equal(counted->n_rows, 4);
        assert_int_equal(rows->n_rows, 8);
    }
    mgl_table_free(rows);
    mgl_table_free(counted);
    mgl_source_close(source);
    return status;
}

static mgl_status release(mgl_error *err)
{
    static const char *const keys[][2] = {{"data", TABLE},
                                          {"output", RELEASE},
                                          {"attributes.zip.role", "quasi"},
                                          {"attributes.zip.hierarchy", "mask(right)"},
                                          {"attributes.sex.role", "quasi"},
                                          {"attributes.job.role", "insensitive"},
                                          {"rest", "insensitive"},
                                          {"k", "3"},
                                          {"method", "mingen"},
                                          {"suppress", "100%"}};
    mgl_job *job;
    mgl_result *result = NULL;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < sizeof keys / sizeof keys[0]; i++)
        status = mgl_job_add(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

/* Fails one allocation after the other until none is left to fail. */
static void fail_each(mgl_status (*run)(mgl_error *err), const char *untouched)
{
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_error err = {0};
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = run(&err);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        if (status != MGL_OK && err.status != MGL_SYSTEM)
            fail_msg("allocation %llu: %s", (unsigned long long)number, err.message);
        assert_true(number < 100000);
        if (status != MGL_OK && untouched != NULL)
            assert_int_equal(mgl_table_check(untouched, false, &err), MGL_OK);
    }
}
#endif

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    if (!make_database()) {
        print_message("skipped: no SQLite\n");
        skip();
    }
#ifdef MGL_FAULTS
    fail_each(read_and_count, NULL);
    fail_each(release, RELEASE);
    mgl_error err = {0};
    assert_int_equal(mgl_table_check(RELEASE, false, &err), MGL_DATA);
    assert_int_equal(mgl_table_check(RELEASE, true, &err), MGL_OK);
    remove("faults.db");
    write_file("faults.db", "");
    fail_each(load, TABLE);
#else
    skip();
#endif
}

static void loading_into_an_existing_table_is_refused(void **state)
{
    (void)state;
    if (!make_database())
        skip();
    mgl_error err = {0};
    assert_int_equal(load(&err), MGL_DATA);
    assert_non_null(strstr(err.message, "exists already"));
    remove("faults.db");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(loading_into_an_existing_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
