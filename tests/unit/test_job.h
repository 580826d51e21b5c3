/* Helpers of the tests of jobs: one line per expectation. */
#ifndef TEST_JOB_H
#define TEST_JOB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "job/job.h"
#include "search/fulldomain/datafly.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Leaves the place of the failure to the caller's line. */
#define expect_text(text, words)                                                                   \
    do {                                                                                           \
        if (strstr((text), (words)) == NULL)                                                       \
            fail_msg("expected \"%s\" in \"%s\"", (words), (text));                                \
    } while (0)

static inline mgl_job *new_job(void)
{
    mgl_error err;
    mgl_job *job = NULL;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    return job;
}

static inline void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    if (mgl_job_add(job, key, value, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, value, err.message);
}

static inline void refuse_set(mgl_job *job, const char *key, const char *value, const char *words)
{
    mgl_error err = {0};
    if (mgl_job_add(job, key, value, &err) != MGL_USAGE)
        fail_msg("%s = %s was not refused", key, value);
    assert_int_equal(err.status, MGL_USAGE);
    expect_text(err.message, words);
}

/* What datafly is told about a column. */
static inline double preference_of(const mgl_settings *settings, const char *column)
{
    mgl_option_columns columns = {.names = &column, .n = 1};
    mgl_arena *arena = mgl_arena_new();
    const void *options;
    assert_non_null(arena);
    assert_int_equal(mgl_settings_options(settings, mgl_method_type_find("datafly"), &columns,
                                          arena, NULL, &options),
                     MGL_OK);
    double preference = ((const mgl_datafly_options *)options)->preference[0].values[0];
    mgl_arena_free(arena);
    return preference;
}

/* A job file in the current folder. */
static inline void write_text(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void load(mgl_job *job, const char *text)
{
    mgl_error err = {0};
    write_text("job.yaml", text, strlen(text));
    if (mgl_job_load(job, "job.yaml", &err) != MGL_OK)
        fail_msg("%s", err.message);
    unlink("job.yaml");
}

/* words: the beginning of the message, "LINE:COLUMN: ..." */
static inline void refuse_load(const char *text, const char *words)
{
    mgl_error err = {0};
    mgl_job *job = new_job();
    char expected[300];
    snprintf(expected, sizeof expected, "job.yaml:%s", words);
    write_text("job.yaml", text, strlen(text));
    if (mgl_job_load(job, "job.yaml", &err) != MGL_USAGE)
        fail_msg("was not refused: %s", text);
    if (strncmp(err.message, expected, strlen(expected)) != 0)
        fail_msg("expected \"%s\", got \"%s\"", expected, err.message);
    unlink("job.yaml");
    mgl_job_free(job);
}

static inline const mgl_settings *settings_of(mgl_job *job, mgl_command command)
{
    mgl_error err = {0};
    const mgl_settings *settings = NULL;
    if (mgl_job_settings(job, command, &err, &settings) != MGL_OK)
        fail_msg("%s", err.message);
    return settings;
}

static inline void refuse_settings(mgl_job *job, mgl_command command, const char *words)
{
    mgl_error err = {0};
    const mgl_settings *settings;
    if (mgl_job_settings(job, command, &err, &settings) != MGL_USAGE)
        fail_msg("was not refused; expected \"%s\"", words);
    expect_text(err.message, words);
}

#endif
