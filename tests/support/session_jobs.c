/* What the tests of sessions share: a table, jobs on it, questions asked of a session and alone. */
#include "session_jobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 300 };

void session_write_rows(const char *path, int first, int n)
{
    brute_text text = {0};
    char line[96];
    brute_append_text(&text, "id,age,zip,sex,disease,note\n");
    for (int r = first; r < first + n; r++) {
        brute_random random = {(uint64_t)r + 7};
        int age = brute_between(&random, 20, 59);
        snprintf(line, sizeof line, "%d,%d,021%d%d,%s,%s,n%d\n", r / 2, age,
                 brute_below(&random, 3), brute_below(&random, 4),
                 brute_chance(&random, 50) ? "f" : "m",
                 (const char *[]){"flu", "cold", "ulcer", "NA"}[brute_below(&random, 4)], r % 5);
        brute_append_text(&text, line);
    }
    brute_write(path, text.data, text.size);
    free(text.data);
}

void session_write_zips(const char *path, const char *format)
{
    brute_text text = {0};
    char line[64];
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, format, i / 4, i % 4, i / 4);
        brute_append_text(&text, line);
    }
    brute_write(path, text.data, text.size);
    free(text.data);
}

int session_begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    session_write_rows("table.csv", 0, ROWS);
    session_write_rows("all.csv", 0, 3 * ROWS);
    session_write_zips("zip.csv", "021%d%d;021%d*;021**;*\n");
    return 0;
}

/* ---- Jobs --------------------------------------------------------------------------------------
 */

static mgl_job *empty_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    return job;
}

/* Without what belongs to a session. keys: pairs, NULL at the end. */
mgl_job *session_job(const char *const *keys)
{
    mgl_job *job = empty_job();
    for (; *keys != NULL; keys += 2)
        brute_set(job, keys[0], keys[1]);
    return job;
}

mgl_session *session_open(const char *data)
{
    mgl_error err = {0};
    mgl_session *session = NULL;
    mgl_job *job = empty_job();
    brute_set(job, "data", data);
    if (mgl_session_open(job, NULL, &err, &session) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_job_free(job);
    return session;
}

const char *const session_plain[] = {TABLE_KEYS, "k",    "4",      "suppress", "5%",
                                     "dry-run",  "true", "method", "mingen",   NULL};

/* What a question is answered, without what differs from run to run. */
json_t *session_lasting(mgl_result *result)
{
    json_t *document = brute_document(result);
    if (json_is_object(document)) {
        json_object_del(document, "seconds");
        json_object_del(document, "guard"); /* has times as well */
    }
    size_t i;
    json_t *one;
    json_array_foreach(document, i, one) json_object_del(one, "seconds");
    mgl_result_free(result);
    return document;
}

json_t *session_ask(mgl_session *session, const char *command, const char *const *keys)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = session_job(keys);
    if (mgl_session_run(session, command, job, &err, &result) != MGL_OK)
        fail_msg("%s: %s", command, err.message);
    mgl_job_free(job);
    return session_lasting(result);
}

json_t *session_ask_alone(const char *command, const char *data, const char *const *keys)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = session_job(keys);
    brute_set(job, "data", data);
    if (mgl_job_run(job, command, &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_job_free(job);
    return session_lasting(result);
}

void session_expect_same(json_t *x, json_t *y)
{
    if (!json_equal(x, y)) {
        char *a = json_dumps(x, JSON_INDENT(1) | JSON_SORT_KEYS),
             *b = json_dumps(y, JSON_INDENT(1) | JSON_SORT_KEYS);
        fail_msg("on the session\n%s\nalone\n%s", a, b);
    }
    json_decref(x);
    json_decref(y);
}
