/* What is known where nothing can be released: whoever listens is told before the run ends with
 * MGL_UNMET, and nobody else pays for it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "mingle.h"

#include <stdio.h>
#include <string.h>

static const char table[] = "age,zip,ill\n"
                            "20,02138,flu\n20,02138,cold\n20,02139,flu\n30,02139,flu\n"
                            "30,02139,cold\n31,02138,flu\n40,02138,flu\n40,02138,flu\n";

typedef struct listener {
    unsigned calls;
    mgl_result *refusal;
} listener;

static void keep(void *user, mgl_result *refusal)
{
    listener *l = user;
    l->calls++;
    mgl_result_free(l->refusal);
    l->refusal = refusal;
}

static void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err;
    if (mgl_job_set(job, key, value, &err) != MGL_OK)
        fail_msg("%s: %s", key, err.message);
}

static mgl_job *job_of(listener *l)
{
    mgl_error err;
    mgl_job *job;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    assert_int_equal(
        mgl_job_give_bytes(job, "table.csv", table, sizeof table - 1, NULL, NULL, &err), MGL_OK);
    set(job, "data", "memory:table.csv");
    set(job, "output", "memory:release.csv");
    set(job, "qi", "age,zip");
    set(job, "sensitive", "ill");
    set(job, "attributes.age.hierarchy", "intervals(10,20)");
    set(job, "attributes.zip.hierarchy", "mask(right,1)");
    set(job, "method", "mingen");
    if (l != NULL)
        mgl_job_on_refusal(job, keep, l);
    return job;
}

static mgl_status run(mgl_job *job, mgl_error *err)
{
    mgl_result *result;
    mgl_status status = mgl_job_run(job, "anonymize", err, &result);
    if (status == MGL_OK)
        mgl_result_free(result);
    return status;
}

static void the_nearest_node_is_told(void **state)
{
    (void)state;
    listener l = {0};
    mgl_error err;
    int64_t number;
    mgl_job *job = job_of(&l);
    set(job, "k", "3");
    set(job, "suppressed", "drop");
    set(job, "attributes.age.level", "0..1");
    assert_int_equal(run(job, &err), MGL_UNMET);
    assert_int_equal(l.calls, 1);
    assert_string_equal(mgl_result_string(l.refusal, "refused.code"), "no-release");
    assert_string_equal(mgl_result_string(l.refusal, "refused.message"), err.message);
    assert_int_equal(mgl_result_holds(l.refusal), 0);
    assert_true(mgl_result_integer(l.refusal, "nearest.needed_suppressed_rows", &number));
    assert_int_equal(number, 2); /* who is 40: all others are three of an age */
    assert_true(mgl_result_integer(l.refusal, "nearest.node.age", &number));
    assert_int_equal(number, 1);
    assert_int_equal(mgl_result_bool(l.refusal, "nearest.all_nodes"), 1);
    assert_int_equal(mgl_result_bool(l.refusal, "models[0].holds"), 0);
    assert_true(mgl_result_integer(l.refusal, "models[0].violating_rows", &number));
    assert_int_equal(number, 2);
    assert_int_equal(mgl_result_size(l.refusal, "failing_rows"), 2);
    assert_true(mgl_result_integer(l.refusal, "failing_rows[0]", &number));
    assert_int_equal(number, 7);
    assert_true(mgl_result_integer(l.refusal, "released_rows", &number));
    assert_int_equal(number, 0);
    mgl_result_free(l.refusal);
    mgl_job_free(job);
}

static void a_model_that_nothing_can_hold_is_told_at_the_top(void **state)
{
    (void)state;
    listener l = {0};
    mgl_error err;
    int64_t number;
    mgl_job *job = job_of(&l);
    set(job, "k", "2");
    set(job, "privacy.l-diversity.ill", "3");
    assert_int_equal(run(job, &err), MGL_UNMET);
    assert_string_equal(mgl_result_string(l.refusal, "refused.code"), "impossible");
    assert_string_equal(mgl_result_string(l.refusal, "refused.column"), "ill");
    assert_int_equal(mgl_result_bool(l.refusal, "models[0].holds"), 1);
    assert_int_equal(mgl_result_bool(l.refusal, "models[1].holds"), 0);
    assert_true(mgl_result_integer(l.refusal, "models[1].measured", &number));
    assert_int_equal(number, 2);
    assert_int_equal(mgl_result_kind(l.refusal, "nearest.needed_suppressed_rows"), MGL_KIND_NULL);
    mgl_result_free(l.refusal);
    mgl_job_free(job);
}

/* A solution that is refused is told itself: there is no nearer node. */
static void what_was_found_is_told(void **state)
{
    (void)state;
    listener l = {0};
    mgl_error err;
    mgl_job *job = job_of(&l);
    set(job, "k", "2");
    set(job, "method", "mu-argus");
    assert_int_equal(run(job, &err), MGL_UNMET);
    assert_int_equal(err.code, MGL_CODE_NOT_HELD);
    assert_string_equal(mgl_result_string(l.refusal, "refused.code"), "not-held");
    assert_int_equal(mgl_result_kind(l.refusal, "nearest"), MGL_KIND_NONE);
    assert_true(mgl_result_size(l.refusal, "failing_rows") > 0);
    char *text;
    assert_int_equal(mgl_result_summary(l.refusal, NULL, &err, &text), MGL_OK);
    assert_non_null(strstr(text, "nothing is released"));
    mgl_text_free(text);
    assert_int_equal(mgl_result_html(l.refusal, &err, &text), MGL_OK);
    mgl_text_free(text);
    mgl_result_free(l.refusal);
    mgl_job_free(job);
}

/* Releases, wrong jobs, and runs that nobody listens to tell nothing. */
static void nothing_else_is_told(void **state)
{
    (void)state;
    listener l = {0};
    mgl_error err;
    mgl_job *job = job_of(&l), *deaf = job_of(NULL);
    set(job, "k", "2");
    assert_int_equal(run(job, &err), MGL_OK);
    set(job, "qi", "age,nothing");
    assert_int_equal(run(job, &err), MGL_USAGE);
    set(deaf, "k", "99");
    assert_int_equal(run(deaf, &err), MGL_UNMET);
    mgl_job_on_refusal(deaf, keep, &l);
    mgl_job_on_refusal(deaf, NULL, NULL);
    assert_int_equal(run(deaf, &err), MGL_UNMET);
    assert_int_equal(l.calls, 0);
    mgl_job_free(job);
    mgl_job_free(deaf);
}

static void sessions_and_copies_tell_as_well(void **state)
{
    (void)state;
    listener l = {0};
    mgl_error err;
    mgl_session *session;
    mgl_result *result;
    mgl_job *job = job_of(&l), *copy;
    set(job, "k", "99");
    assert_int_equal(mgl_job_copy(job, &err, &copy), MGL_OK);
    assert_int_equal(run(copy, &err), MGL_UNMET);
    assert_int_equal(l.calls, 1);
    assert_int_equal(mgl_session_open(job, NULL, &err, &session), MGL_OK);
    assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_UNMET);
    assert_int_equal(l.calls, 2);
    mgl_session_close(session);
    assert_string_equal(mgl_result_string(l.refusal, "command"), "anonymize");
    mgl_result_free(l.refusal);
    mgl_job_free(copy);
    mgl_job_free(job);
}

/* A recoding that does not hold on other rows: what it makes of them is told. */
static void applying_tells_as_well(void **state)
{
    (void)state;
    static const char few[] = "age,zip,ill\n20,02138,flu\n40,02139,cold\n";
    listener l = {0};
    mgl_error err;
    mgl_result *made, *result;
    const void *bytes;
    size_t size;
    mgl_job *job = job_of(&l);
    set(job, "k", "2");
    set(job, "save-recoding", "memory:recoding");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &made), MGL_OK);
    assert_int_equal(mgl_result_bytes(made, "recoding", &err, &bytes, &size), MGL_OK);
    mgl_job_free(job);
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    assert_int_equal(mgl_job_give_bytes(job, "few.csv", few, sizeof few - 1, NULL, NULL, &err),
                     MGL_OK);
    assert_int_equal(mgl_job_give_bytes(job, "recoding", bytes, size, NULL, NULL, &err), MGL_OK);
    set(job, "data", "memory:few.csv");
    set(job, "recoding", "memory:recoding");
    set(job, "output", "memory:release.csv");
    mgl_job_on_refusal(job, keep, &l);
    assert_int_equal(mgl_job_run(job, "apply", &err, &result), MGL_UNMET);
    assert_int_equal(l.calls, 1);
    assert_string_equal(mgl_result_string(l.refusal, "refused.code"), "not-held");
    assert_string_equal(mgl_result_string(l.refusal, "command"), "apply");
    assert_int_equal(mgl_result_size(l.refusal, "models"), 1);
    mgl_result_free(l.refusal);
    mgl_result_free(made);
    mgl_job_free(job);
}

/* Without memory for it nothing is told, or all of it; the run ends as it would. */
static void telling_may_fail(void **state)
{
    (void)state;
    uint64_t number = 1, calls = 1;
    for (; number <= calls; number += 1 + number / 20) {
        listener l = {0};
        mgl_error err;
        mgl_job *job = job_of(&l);
        set(job, "k", "99");
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_status status = run(job, &err);
        calls = mgl_fault_count(MGL_FAULT_MEMORY);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_UNMET || status == MGL_SYSTEM);
        if (l.refusal != NULL)
            assert_int_equal(mgl_result_bool(l.refusal, "models[0].holds"), 0);
        mgl_result_free(l.refusal);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_node_is_told),
        cmocka_unit_test(a_model_that_nothing_can_hold_is_told_at_the_top),
        cmocka_unit_test(what_was_found_is_told),
        cmocka_unit_test(nothing_else_is_told),
        cmocka_unit_test(sessions_and_copies_tell_as_well),
        cmocka_unit_test(applying_tells_as_well),
        cmocka_unit_test(telling_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
