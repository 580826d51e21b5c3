/* Keys of the caller's own: a job takes them from files and calls, gives them back and does nothing
 * else with them; what nobody declared is still refused with its line. */
#include "test_job.h"

#include "base/fault.h"

static const char *const answers[] = {"true", "false", NULL};
static const mgl_own_key own[] = {{"colour", answers}, {"note", NULL}};

static mgl_job *own_job(void)
{
    mgl_error err;
    mgl_job *job = new_job();
    assert_int_equal(mgl_job_own_keys(job, own, 2, &err), MGL_OK);
    return job;
}

static mgl_status load_own(mgl_job *job, const char *text, mgl_error *err)
{
    write_text("own.yaml", text, strlen(text));
    return mgl_job_load(job, "own.yaml", err);
}

static void own_keys_are_kept_and_given_back(void **state)
{
    (void)state;
    mgl_error err;
    mgl_job *job = own_job();
    assert_null(mgl_job_get(job, "colour"));
    assert_int_equal(load_own(job, "colour: true\nnote: for the board\nk: 5\n", &err), MGL_OK);
    assert_string_equal(mgl_job_get(job, "colour"), "true");
    assert_string_equal(mgl_job_get(job, "note"), "for the board");
    mgl_job_free(job);
    job = own_job();
    set(job, "note", "set before");
    assert_int_equal(load_own(job, "note: of the file\n", &err), MGL_OK);
    assert_string_equal(mgl_job_get(job, "note"), "set before");
    mgl_job_free(job);
}

static void own_keys_have_the_values_that_were_declared(void **state)
{
    (void)state;
    mgl_error err;
    mgl_job *job = own_job();
    refuse_set(job, "colour", "blue", "give true or false");
    assert_int_equal(load_own(job, "k: 5\ncolour: blue\n", &err), MGL_USAGE);
    expect_text(err.message, "own.yaml:2:");
    assert_int_equal(load_own(job, "note: [a, b]\n", &err), MGL_USAGE);
    mgl_job_free(job);
}

static void keys_that_nobody_declared_are_refused_with_their_line(void **state)
{
    (void)state;
    mgl_error err;
    mgl_job *job = new_job();
    assert_int_equal(load_own(job, "k: 5\ncolour: true\n", &err), MGL_USAGE);
    expect_text(err.message, "own.yaml:2:");
    refuse_set(job, "colour", "true", "unknown key 'colour'");
    mgl_job_free(job);
    job = own_job();
    refuse_set(job, "color", "true", "did you mean 'colour'?");
    refuse_set(job, "quite", "true", "did you mean 'quiet'?");
    mgl_job_free(job);
}

static void names_of_the_library_cannot_be_taken(void **state)
{
    (void)state;
    static const mgl_own_key wrong[] = {{"suppress", NULL}, {"k", NULL}, {"", NULL}, {NULL, NULL}};
    mgl_error err;
    mgl_job *job = new_job();
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(mgl_job_own_keys(job, &wrong[i], 1, &err), MGL_USAGE);
    mgl_job_free(job);
}

static void keys_of_the_program_are_left_alone(void **state)
{
    (void)state;
    static const mgl_own_key quiet = {"quiet", answers};
    mgl_error err;
    mgl_job *job = new_job();
    assert_int_equal(load_own(job, "quiet: true\njson: whatever\n", &err), MGL_OK);
    assert_string_equal(mgl_job_get(job, "quiet"), "true");
    mgl_job_free(job);
    job = new_job();
    assert_int_equal(mgl_job_own_keys(job, &quiet, 1, &err), MGL_OK);
    assert_int_equal(load_own(job, "quiet: perhaps\n", &err), MGL_USAGE);
    mgl_job_free(job);
}

/* They are nobody's business but the caller's: no command minds them, no document has them. */
static void own_keys_stay_out_of_settings_and_documents(void **state)
{
    (void)state;
    mgl_error err;
    const mgl_settings *settings;
    json_t *document;
    mgl_job *job = own_job();
    set(job, "data", "table.csv");
    set(job, "note", "mine");
    set(job, "quiet", "true");
    set(job, "qi", "a");
    assert_int_equal(mgl_job_settings(job, MGL_RISK, &err, &settings), MGL_OK);
    static const mgl_job_use uses[] = {MGL_JOB_RECORD, MGL_JOB_SECRET, MGL_JOB_FILE};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(mgl_job_document(job, uses[i], NULL, &err, &document), MGL_OK);
        assert_non_null(json_object_get(document, "data"));
        assert_null(json_object_get(document, "note"));
        assert_null(json_object_get(document, "quiet"));
        json_decref(document);
    }
    mgl_job_free(job);
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_error err;
        mgl_job *job = new_job();
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_job_own_keys(job, own, 2, &err);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || status == MGL_SYSTEM);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_keys_are_kept_and_given_back),
        cmocka_unit_test(own_keys_have_the_values_that_were_declared),
        cmocka_unit_test(keys_that_nobody_declared_are_refused_with_their_line),
        cmocka_unit_test(names_of_the_library_cannot_be_taken),
        cmocka_unit_test(keys_of_the_program_are_left_alone),
        cmocka_unit_test(own_keys_stay_out_of_settings_and_documents),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
