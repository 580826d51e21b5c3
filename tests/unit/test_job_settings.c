/* What commands demand of a job as a whole, and options as the program asks for them. */
#include "test_job.h"

static mgl_job *job_of(const char *const *pairs)
{
    mgl_job *job = new_job();
    for (size_t i = 0; pairs[i] != NULL; i += 2)
        set(job, pairs[i], pairs[i + 1]);
    return job;
}

static void commands_refuse_jobs_that_lack_something(void **state)
{
    (void)state;
    static const struct {
        mgl_command command;
        const char *pairs[12];
        const char *words;
    } cases[] = {
        {MGL_ANONYMIZE, {"qi", "a", "k", "2", "output", "o"}, "no data"},
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "k", "2"}, "no output"},
        {MGL_ANONYMIZE, {"data", "d", "k", "2", "output", "o"}, "no quasi-identifier"},
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "output", "o"}, "no model; give `k"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "weights", "a=0"},
         "all weights are 0"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "weights", "b=1"},
         "'b' has a weight but no role"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "release", "r"},
         "`release` does not belong to anonymize"},
        {MGL_COMPARE, {"qi", "a", "k", "2"}, "no data"},
        {MGL_COMPARE, {"data", "d", "qi", "a"}, "no model"},
        {MGL_COMPARE, {"data", "d", "k", "2"}, "no quasi-identifier"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "output", "o"},
         "`output` does not belong to compare"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "method", "cell"},
         "`method` does not belong to compare"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "keep-order", "true"},
         "`keep-order` does not belong to compare"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "seed", "1"},
         "`seed` does not belong to compare"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "dry-run", "true"},
         "`dry-run` does not belong to compare"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "methods", "mingen,datafly,mingen"},
         "`methods`: names mingen twice"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "methods", "mingen", "effort", "fast"},
         "`effort`: it is for cell, which is not compared; leave it out, or add cell to"},
        {MGL_COMPARE,
         {"data", "d", "qi", "a", "k", "2", "methods", "cell", "preference", "a=0.5"},
         "`preference`: it is for datafly, which is not compared"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "methods", "mingen"},
         "`methods` does not belong to anonymize"},
        {MGL_CHECK,
         {"data", "d", "qi", "a", "method", "mingen"},
         "`method` does not belong to check"},
        {MGL_CHECK, {"data", "d", "k", "2"}, "no quasi-identifier"},
        {MGL_UTILITY, {"data", "d", "qi", "a"}, "no release"},
        {MGL_LATTICE, {"data", "d", "qi", "a"}, "no model"},
        {MGL_LATTICE,
         {"data", "d", "qi", "a", "k", "2", "output", "o"},
         "`output` does not belong to lattice"},
        {MGL_HIERARCHY, {"hierarchy", "a=suppress"}, "no data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = job_of(cases[i].pairs);
        refuse_settings(job, cases[i].command, cases[i].words);
        mgl_job_free(job);
    }
}

static void expect_methods(mgl_job *job, const char *const *names)
{
    const mgl_settings *s = settings_of(job, MGL_COMPARE);
    size_t n = 0;
    for (; names[n] != NULL; n++) {
        assert_true(n < s->comparison.n_methods);
        assert_string_equal(s->comparison.methods[n]->name, names[n]);
    }
    assert_int_equal(s->comparison.n_methods, n);
}

static mgl_job *compared(void)
{
    static const char *const pairs[] = {"data", "d", "k", "2", NULL};
    return job_of(pairs);
}

/* Without a list: all that can take the job, in the order of their table. */
static void compare_takes_all_fitting_methods_by_default(void **state)
{
    (void)state;
    size_t n, n_fitting = 0;
    const mgl_method_type *const *types = mgl_method_types(&n);
    mgl_job *job = compared();
    set(job, "qi", "a");
    const mgl_settings *s = settings_of(job, MGL_COMPARE);
    assert_int_equal(s->comparison.n_methods, n);
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(s->comparison.methods[i], types[i]);
    /* Options of single methods are welcome as long as one of the methods takes them. */
    set(job, "effort", "fast");
    set(job, "preference", "a=0.5");
    assert_int_equal(settings_of(job, MGL_COMPARE)->comparison.n_methods, n);
    mgl_job_free(job);

    job = compared();
    set(job, "qi-set", "a");
    set(job, "qi-set", "b");
    set(job, "population", "all.csv");
    s = settings_of(job, MGL_COMPARE);
    for (size_t i = 0; i < n; i++)
        if (types[i]->several_sets && !types[i]->own_values)
            assert_ptr_equal(s->comparison.methods[n_fitting++], types[i]);
    assert_int_equal(s->comparison.n_methods, n_fitting);
    assert_in_range(n_fitting, 1, n - 1);
    mgl_job_free(job);
}

static void compare_takes_the_methods_given(void **state)
{
    (void)state;
    static const char *const given[] = {"samarati", "k-member", "cell", NULL};
    mgl_job *job = compared();
    set(job, "qi", "a");
    set(job, "methods", "samarati, k-member,\"cell\"");
    set(job, "effort", "best");
    expect_methods(job, given);
    /* One that cannot take the job is kept: the comparison says why. */
    set(job, "population", "all.csv");
    expect_methods(job, given);
    mgl_error err = {0};
    const mgl_settings *s = settings_of(job, MGL_COMPARE);
    assert_int_equal(mgl_settings_check_method(s, s->comparison.methods[1], &err), MGL_USAGE);
    expect_text(err.message, "k-member can release ranges and averages");
    assert_int_equal(mgl_settings_check_method(s, s->comparison.methods[2], &err), MGL_OK);
    refuse_set(job, "methods", "cell,", "'' is no method");
    mgl_job_free(job);

    job = compared();
    refuse_set(job, "methods", "cell,mingem", "'mingem' is no method; did you mean mingen?");
    refuse_set(job, "methods", "", "'' is no method; there are mingen");
    mgl_job_free(job);
}

/* A job file that serves anonymize serves compare: what is about the release is left aside. */
static void a_job_file_of_anonymize_serves_compare(void **state)
{
    (void)state;
    static const char rest[] = "data: d\nqi: [a]\nk: 2\nmethod: samarati\noutput: o\nseed: 3\n"
                               "accept: unsafe\ncut: relaxed\n";
    static const char *const both[] = {"datafly", "cell", NULL}, *const one[] = {"mingen", NULL};
    char text[300];
    mgl_job *job = new_job();
    snprintf(text, sizeof text, "%smethods: [datafly, cell]\n", rest);
    load(job, text);
    expect_methods(job, both);
    assert_string_equal(settings_of(job, MGL_ANONYMIZE)->method->name, "samarati");
    mgl_job_free(job);

    job = new_job();
    set(job, "methods", "mingen");
    load(job, text);
    expect_methods(job, one);
    mgl_job_free(job);

    job = new_job();
    snprintf(text, sizeof text, "%smethods: []\n", rest);
    load(job, text);
    refuse_settings(job, MGL_COMPARE, "methods: names no method; name some, or leave it out");
    assert_string_equal(settings_of(job, MGL_ANONYMIZE)->method->name, "samarati");
    mgl_job_free(job);
    refuse_load("methods: [cell, dataflie]\n", "1:");
}

static void commands_take_jobs_that_have_enough(void **state)
{
    (void)state;
    static const struct {
        mgl_command command;
        const char *pairs[12];
    } cases[] = {
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "k", "2", "dry-run", "true"}},
        {MGL_COMPARE, {"data", "d", "qi", "a", "k", "2"}},
        {MGL_CHECK, {"data", "d", "qi", "a"}},
        {MGL_UTILITY, {"data", "d", "release", "r", "qi", "a"}},
        {MGL_LATTICE, {"data", "d", "qi", "a", "k", "2"}},
        {MGL_HIERARCHY, {"data", "d"}},
        {MGL_HIERARCHY, {"data", "d", "hierarchy", "a=suppress", "output", "o"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = job_of(cases[i].pairs);
        const mgl_settings *s = settings_of(job, cases[i].command);
        assert_int_equal(s->source.allow_unnamed, cases[i].command != MGL_ANONYMIZE);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_refuse_jobs_that_lack_something),
        cmocka_unit_test(compare_takes_all_fitting_methods_by_default),
        cmocka_unit_test(compare_takes_the_methods_given),
        cmocka_unit_test(a_job_file_of_anonymize_serves_compare),
        cmocka_unit_test(commands_take_jobs_that_have_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
