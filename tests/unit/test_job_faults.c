/* Each allocation of a job fails once: MGL_SYSTEM, nothing leaks, nothing crashes. */
#include "test_job.h"

#include "base/fault.h"

#ifdef MGL_FAULTS

static const char file[] = "data: d\n"
                           "attributes:\n"
                           "  a: {role: quasi, hierarchy: groups(g.txt), level: [0, 2]}\n"
                           "  b: {role: quasi, hierarchy: b.csv, weight: 2}\n"
                           "  u: {role: sensitive, hierarchy: u.csv, protect: [v, 'w,x']}\n"
                           "quasi-identifiers: [[a], [b]]\n"
                           "privacy: [{k-anonymity: 3}]\n"
                           "missing: ['', x]\n"
                           "prefer: [loss]\n"
                           "methods: [mingen, samarati]\n"
                           "policy: policy.yaml\n"
                           "entity: id\n";
static const char policy[] = "privacy: [{k-anonymity: {k: 4}}]\n";

static void write_files(void)
{
    write_text("job.yaml", file, sizeof file - 1);
    write_text("policy.yaml", policy, sizeof policy - 1);
}

static mgl_status whole_way_of(mgl_command command, mgl_error *err)
{
    static const char *const pairs[][2] = {{"k", "2"},          {"sensitive", "s"},
                                           {"weights", "a=3"},  {"utility", "classification=s"},
                                           {"suppress", "2%"},  {"output", "o"},
                                           {"method", "mingen"}};
    size_t n_pairs = sizeof pairs / sizeof pairs[0] - (command == MGL_COMPARE ? 2 : 0);
    mgl_job *job;
    const mgl_settings *settings;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < n_pairs; i++)
        status = mgl_job_add(job, pairs[i][0], pairs[i][1], err);
    if (status == MGL_OK)
        status = mgl_job_load(job, "job.yaml", err);
    if (status == MGL_OK)
        status = mgl_job_settings(job, command, err, &settings);
    if (status == MGL_OK) {
        assert_int_equal(settings->comparison.n_methods, command == MGL_COMPARE ? 2 : 1);
        assert_int_equal(settings->n_attributes, 5);
        assert_int_equal(settings->n_quasi, 2);
        assert_int_equal(settings->source.n_missing, 2);
        assert_int_equal(settings->n_prefer, 1);
        assert_int_equal(settings->k, 4);
        assert_int_equal(settings->n_models, 2);
        assert_int_equal(mgl_settings_attribute(settings, "u")->n_protect, 2);
        assert_string_equal(settings->persons.column, "id");
        assert_string_equal(settings->label, "s");
        assert_true(mgl_settings_attribute(settings, "a")->weight.values[0] == 3);
        assert_true(mgl_settings_attribute(settings, "b")->weight.values[0] == 2);
    }
    mgl_job_free(job);
    return status;
}

static mgl_status whole_way(mgl_error *err)
{
    return whole_way_of(MGL_ANONYMIZE, err);
}

static void fail_each_allocation(mgl_command command)
{
    mgl_error err;
    write_files();
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
    assert_int_equal(whole_way_of(command, &err), MGL_OK);
    /* A name for messages may go missing; what the job says may not. */
    uint64_t number = 0, tolerated = 0;
    do {
        mgl_fault_arm(MGL_FAULT_MEMORY, ++number);
        mgl_status status = whole_way_of(command, &err);
        if (status != MGL_OK && status != MGL_SYSTEM)
            fail_msg("allocation %llu: %s", (unsigned long long)number, err.message);
        tolerated += status == MGL_OK;
    } while (mgl_fault_count(MGL_FAULT_MEMORY) >= number);
    assert_in_range(tolerated, 1, 30);
    assert_true(number > 100);
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
    unlink("job.yaml");
    unlink("policy.yaml");
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    fail_each_allocation(MGL_ANONYMIZE);
    fail_each_allocation(MGL_COMPARE);
}

static void failed_allocations_of_the_catalogue_are_errors(void **state)
{
    (void)state;
    static const char *const parts[] = {NULL, "keys", "keys.suppress", "models.k-anonymity"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        mgl_status status = MGL_SYSTEM;
        for (uint64_t number = 1; status != MGL_OK; number++) {
            mgl_error err;
            mgl_result *catalogue = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = mgl_catalogue(parts[i], &err, &catalogue);
            assert_true(status == MGL_OK || status == MGL_SYSTEM);
            mgl_result_free(catalogue);
        }
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
    }
}

static void job_files_that_cannot_be_read_are_errors(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_OPEN, MGL_FAULT_READ};
    mgl_error err;
    write_files();
    for (size_t i = 0; i < 2; i++) {
        mgl_fault_arm(kinds[i], 1);
        assert_int_equal(whole_way(&err), MGL_SYSTEM);
        expect_text(err.message, "job.yaml");
        mgl_fault_arm(kinds[i], i == 0 ? 2 : 3);
        assert_int_equal(whole_way(&err), MGL_SYSTEM);
        expect_text(err.message, "policy.yaml");
        mgl_fault_arm(kinds[i], 0);
    }
    unlink("job.yaml");
    unlink("policy.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(failed_allocations_of_the_catalogue_are_errors),
        cmocka_unit_test(job_files_that_cannot_be_read_are_errors),
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
