/* Each allocation of a change of a job fails once: MGL_SYSTEM, and the job is as it was. */
#include "test_job.h"

#include "base/fault.h"

#ifdef MGL_FAULTS

static const char text[] = "data: t.csv\n"
                           "attributes: {a: {role: quasi, weight: 2}, s: {role: sensitive}}\n"
                           "quasi-identifiers: [[a, b], [b, c]]\n"
                           "privacy: [{k-anonymity: 5}, {l-diversity: {attribute: s, l: 2}}]\n"
                           "missing: ['', x]\n"
                           "suppress: 1%\n";

typedef mgl_status change_fn(mgl_job *job, mgl_error *err);

static mgl_status set_plain(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "suppress", "2%", err);
}

static mgl_status set_new(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "output", "o.csv", err);
}

static mgl_status set_columns(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "qi", "s,c,x", err);
}

static mgl_status set_pairs(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "weights", "a=3,b=4,\"x,y\"=5", err);
}

static mgl_status set_role(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "attributes.b.role", "identifier", err);
}

static mgl_status set_list(mgl_job *job, mgl_error *err)
{
    return mgl_job_set(job, "missing", "a,\"b,c\"", err);
}

static mgl_status add_columns(mgl_job *job, mgl_error *err)
{
    return mgl_job_add(job, "qi", "b,y,z", err);
}

static mgl_status unset_column(mgl_job *job, mgl_error *err)
{
    return mgl_job_unset(job, "attributes.b", err);
}

static mgl_status unset_models(mgl_job *job, mgl_error *err)
{
    return mgl_job_unset(job, "privacy", err);
}

static mgl_status parse_more(mgl_job *job, mgl_error *err)
{
    static const char more[] =
        "output: o\nattributes: {a: {hierarchy: h}, z: {role: insensitive}}\n"
        "privacy: [{l-diversity: {attribute: z, l: 3}}]\nprefer: [loss]\n";
    return mgl_job_parse(job, more, sizeof more - 1, err);
}

static mgl_job *parsed(void)
{
    mgl_job *job = new_job();
    assert_int_equal(mgl_job_parse(job, text, sizeof text - 1, NULL), MGL_OK);
    return job;
}

static char *json_of(const mgl_job *job)
{
    char *json = NULL;
    assert_int_equal(mgl_job_json(job, NULL, &json), MGL_OK);
    return json;
}

static void fail_each_allocation_of(change_fn *change)
{
    mgl_job *expected = parsed();
    char *before = json_of(expected);
    assert_int_equal(change(expected, NULL), MGL_OK);
    char *after = json_of(expected);
    bool done = false;
    for (uint64_t number = 1; !done; number++) {
        mgl_error err = {0};
        mgl_job *job = parsed();
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_status status = change(job, &err);
        done = mgl_fault_count(MGL_FAULT_MEMORY) < number;
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        if (status != MGL_OK && status != MGL_SYSTEM)
            fail_msg("allocation %llu: %s", (unsigned long long)number, err.message);
        char *now = json_of(job);
        assert_string_equal(now, status == MGL_OK ? after : before);
        if (status != MGL_OK) /* and it can be tried again */
            assert_int_equal(change(job, NULL), MGL_OK);
        mgl_text_free(now);
        mgl_job_free(job);
    }
    mgl_text_free(before);
    mgl_text_free(after);
    mgl_job_free(expected);
}

static void a_change_that_fails_leaves_the_job_as_it_was(void **state)
{
    static change_fn *const changes[] = {set_plain,    set_new,   set_columns, set_pairs,
                                         set_role,     set_list,  add_columns, unset_column,
                                         unset_models, parse_more};
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        fail_each_allocation_of(changes[i]);
}

static mgl_status copy_job(mgl_job *job, mgl_error *err)
{
    mgl_job *copy = NULL;
    mgl_status status = mgl_job_copy(job, err, &copy);
    mgl_job_free(copy);
    return status;
}

static mgl_status write_job(mgl_job *job, mgl_error *err)
{
    char *yaml = NULL, *json = NULL;
    mgl_status status = mgl_job_yaml(job, err, &yaml);
    if (status == MGL_OK)
        status = mgl_job_json(job, err, &json);
    mgl_text_free(yaml);
    mgl_text_free(json);
    return status;
}

static void copies_and_texts_that_fail_are_errors(void **state)
{
    (void)state;
    fail_each_allocation_of(copy_job);
    fail_each_allocation_of(write_job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_that_fails_leaves_the_job_as_it_was),
        cmocka_unit_test(copies_and_texts_that_fail_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("skipped: built without MGL_FAULTS");
    return 77;
}

#endif
