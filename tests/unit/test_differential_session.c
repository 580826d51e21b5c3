/* Differential privacy on a table in memory: each job of a session draws anew, into text and tables
 * alike, and other jobs of the session see all rows. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "arrow_maker.h"
#include "mingle.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4000 };

static void must(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fail_msg("%s", err->message);
}

static void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err;
    must(mgl_job_set(job, key, value, &err), &err);
}

static mgl_session *open_table(void)
{
    static char text[ROWS * 16];
    mgl_session_options options = {.size = sizeof options};
    mgl_session *session;
    mgl_job *job;
    mgl_error err;
    size_t size = (size_t)sprintf(text, "age,sex,zip\n");
    for (int i = 0; i < ROWS; i++)
        size += (size_t)sprintf(text + size, "%d,%c,021%02d\n", 20 + i % 40, i % 3 != 0 ? 'f' : 'm',
                                i % 7);
    must(mgl_job_new(&err, &job), &err);
    set(job, "data", "memory:table.csv");
    must(mgl_job_give_bytes(job, "table.csv", text, size, NULL, NULL, &err), &err);
    must(mgl_session_open(job, &options, &err, &session), &err);
    mgl_job_free(job);
    return session;
}

static mgl_result *release(mgl_session *session, const char *key, const char *value,
                           const char *output)
{
    mgl_job *job;
    mgl_result *result;
    mgl_error err;
    must(mgl_job_new(&err, &job), &err);
    set(job, "attributes.age.role", "quasi");
    set(job, "attributes.age.hierarchy", "intervals(10,20)");
    set(job, "attributes.sex.role", "quasi");
    set(job, "attributes.sex.hierarchy", "suppress");
    set(job, "rest", "drop");
    set(job, key, value);
    set(job, "output", output);
    must(mgl_session_run(session, "anonymize", job, &err, &result), &err);
    mgl_job_free(job);
    return result;
}

static void every_job_of_a_session_draws_anew(void **state)
{
    (void)state;
    static const char *const outputs[] = {"memory:release.csv", "memory:release"};
    mgl_session *session = open_table();
    double seen[8], k = 0;
    int different = 0;
    for (int i = 0; i < 8; i++) {
        mgl_result *result = release(session, "dp", "1,1e-5", outputs[i % 2]);
        seen[i] = mgl_result_number(result, "released_rows");
        k = mgl_result_number(result, "differential_privacy.k");
        assert_string_equal(mgl_result_string(result, "differential_privacy.levels"), "chosen");
        assert_true(k >= 40 && mgl_result_number(result, "classes.min") >= k);
        assert_true(seen[i] > ROWS / 2.0 && seen[i] < ROWS * 0.7); /* about 0.59 of them */
        assert_true(mgl_result_number(result, "rows") == seen[i]);
        different += i > 0 && seen[i] != seen[0];
        mgl_result_free(result);
    }
    assert_true(different > 0);
    mgl_result *result = release(session, "k", "3", outputs[0]);
    assert_true(mgl_result_number(result, "rows") == ROWS);
    mgl_result_free(result);
    mgl_session_close(session);
}

/* A table of one column: as many rows of a text as without a value, and one more row. */
static mgl_status release_with_null(const char *more, const char *missing, char *code, size_t size)
{
    static const char *texts[2 * 300 + 1];
    arrow_maker maker = {0};
    struct ArrowSchema schema;
    struct ArrowArray batch;
    struct ArrowArrayStream stream;
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err;
    size_t n = 2 * 300 + 1;
    for (size_t i = 0; i + 1 < n; i++)
        texts[i] = i % 2 != 0 ? "nurse" : NULL;
    texts[n - 1] = more;
    made_table(&maker, &schema);
    made_batch(&maker, (int64_t)n, &batch);
    made_schema_child(&schema, "u", "job");
    made_texts(&batch, texts, n, 4);
    made_stream(&maker, &schema, &batch, 1, -1, &stream);
    must(mgl_job_new(&err, &job), &err);
    must(mgl_job_give_stream(job, "people", &stream, &err), &err);
    set(job, "data", "memory:people");
    set(job, "attributes.job.role", "quasi");
    set(job, "attributes.job.hierarchy", "suppress");
    set(job, "attributes.job.level", "0");
    set(job, "dp", "1,0.01");
    set(job, "dry-run", "true");
    if (missing != NULL)
        set(job, "missing", missing);
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    snprintf(code, size, "%s", status == MGL_OK ? "" : err.key);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

/* What null reads as must not be found out from the cells. */
static void null_reads_as_the_job_says(void **state)
{
    (void)state;
    static const char *const others[] = {"nurse", "", "NA"};
    char key[64];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(release_with_null(others[i], NULL, key, sizeof key), MGL_USAGE);
        assert_string_equal(key, "missing");
        assert_int_equal(release_with_null(others[i], "NA", key, sizeof key), MGL_OK);
    }
}

/* Ages that differ are released alike: how many they are must not show, either. */
static void the_type_of_a_column_tells_nothing_of_its_values(void **state)
{
    (void)state;
    static char text[ROWS * 8];
    static const int different[] = {3, 300};
    for (int d = 0; d < 2; d++) {
        mgl_job *job;
        mgl_result *result;
        mgl_error err;
        struct ArrowArrayStream stream;
        struct ArrowSchema schema;
        size_t size = (size_t)sprintf(text, "age\n");
        for (int i = 0; i < ROWS; i++)
            size += (size_t)sprintf(text + size, "%d\n", i % different[d]);
        must(mgl_job_new(&err, &job), &err);
        set(job, "data", "memory:table.csv");
        must(mgl_job_give_bytes(job, "table.csv", text, size, NULL, NULL, &err), &err);
        set(job, "attributes.age.role", "quasi");
        set(job, "attributes.age.hierarchy", "intervals(1000)");
        set(job, "attributes.age.level", "1");
        set(job, "dp", "1,0.01");
        set(job, "output", "memory:release");
        must(mgl_job_run(job, "anonymize", &err, &result), &err);
        must(mgl_result_stream(result, "release", &err, &stream), &err);
        assert_int_equal(stream.get_schema(&stream, &schema), 0);
        assert_string_equal(schema.children[0]->format, "i");
        schema.release(&schema);
        stream.release(&stream);
        mgl_result_free(result);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_of_a_session_draws_anew),
        cmocka_unit_test(null_reads_as_the_job_says),
        cmocka_unit_test(the_type_of_a_column_tells_nothing_of_its_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
