/* What commands demand of a job as a whole, and options as the program asks for them. */
#include "test_job.h"

static mgl_job *job_of(const char *const *pairs)
{
    mgl_job *job = new_job();
    for (size_t i = 0; pairs[i] != NULL; i += 2)
        set(job, pairs[i], pairs[i + 1]);
    return job;
}

static void test_demands(void **state)
{
    (void)state;
    static const struct {
        mgl_command command;
        const char *pairs[12];
        const char *part;
    } cases[] = {
        {MGL_ANONYMIZE, {"qi", "a", "k", "2", "output", "o"}, "no data"},
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "k", "2"}, "no output"},
        {MGL_ANONYMIZE, {"data", "d", "k", "2", "output", "o"}, "no quasi-identifier"},
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "output", "o"}, "no model; give -k"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "-", "json", "true"},
         "both write to standard output"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "weights", "a=0"},
         "all weights are 0"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "weights", "b=1"},
         "'b' has a weight but no role"},
        {MGL_ANONYMIZE,
         {"data", "d", "qi", "a", "k", "2", "output", "o", "release", "r"},
         "--release does not belong to anonymize"},
        {MGL_CHECK,
         {"data", "d", "qi", "a", "method", "mingen"},
         "--method does not belong to check"},
        {MGL_CHECK, {"data", "d", "k", "2"}, "no quasi-identifier"},
        {MGL_UTILITY, {"data", "d", "qi", "a"}, "no release"},
        {MGL_LATTICE, {"data", "d", "qi", "a"}, "no model"},
        {MGL_LATTICE,
         {"data", "d", "qi", "a", "k", "2", "output", "o"},
         "--output does not belong to lattice"},
        {MGL_HIERARCHY, {"hierarchy", "a=suppress"}, "no data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = job_of(cases[i].pairs);
        refuse_settings(job, cases[i].command, cases[i].part);
        mgl_job_free(job);
    }
}

static void test_enough(void **state)
{
    (void)state;
    static const struct {
        mgl_command command;
        const char *pairs[12];
    } cases[] = {
        {MGL_ANONYMIZE, {"data", "d", "qi", "a", "k", "2", "dry-run", "true"}},
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

static void test_options(void **state)
{
    (void)state;
    mgl_error err;
    int takes_value = 9;
    const char *key = NULL;
    assert_int_equal(mgl_option("anonymize", "--qi", &err, &takes_value, &key), MGL_OK);
    assert_int_equal(takes_value, 1);
    assert_string_equal(key, "qi");
    assert_int_equal(mgl_option("anonymize", "-o", &err, &takes_value, &key), MGL_OK);
    assert_string_equal(key, "output");
    assert_int_equal(mgl_option("anonymize", "-k", &err, &takes_value, &key), MGL_OK);
    assert_string_equal(key, "k");
    assert_int_equal(mgl_option("check", "--json", &err, &takes_value, &key), MGL_OK);
    assert_int_equal(takes_value, 0);

    static const char *const refused[][3] = {
        {"anonymize", "--supress", "unknown option --supress; did you mean --suppress?"},
        {"anonymize", "--hier", "did you mean --hierarchy?"},
        {"anonymize", "--q", "unknown option --q"},
        {"anonymize", "--k", "unknown option --k"},
        {"anonymize", "-z", "unknown option -z"},
        {"anonymize", "--", "unknown option --"},
        {"anonymize", "-", "unknown option -"},
        {"check", "--method", "option --method does not belong to check"},
        {"anonymise", "--qi", "unknown command 'anonymise'; did you mean anonymize?"},
        {"xyzzy", "--qi", "unknown command 'xyzzy'; see mingle help"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(mgl_option(refused[i][0], refused[i][1], &err, &takes_value, &key),
                         MGL_USAGE);
        expect_text(err.message, refused[i][2]);
    }
}

static void test_descriptions(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"methods", "text", "mingen"},
        {"methods", "markdown", "| `datafly` |"},
        {"models", "text", "k-anonymity"},
        {"models", "markdown", "| `k-anonymity` |"},
        {"measures", "text", "precision"},
        {"measures", "markdown", "| `loss` |"},
        {"builders", "text", "mask("},
        {"builders", "markdown", "\\|"},
        {"keys", "text", "--suppress N|X%"},
        {"keys", "markdown", "| `--suppress N\\|X%` |"},
        {"anonymize", "text", "-o, --output"},
        {"check", "text", "--sensitive"},
        {"datafly", "text", "(method)"},
        {"k-anonymity", "text", "-k K"},
        {"k", "text", "(model)"},
        {"loss", "text", "(measure)"},
        {"mask", "text", "(builder)"},
        {"suppress", "text", "(builder)"},
        {"suppress", "text", "(option"},
        {"threads", "text", "(option"},
    };
    mgl_error err;
    char *text;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(mgl_job_describe(cases[i][0], cases[i][1], &err, &text), MGL_OK);
        expect_text(text, cases[i][2]);
        for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
            line += *line == '\n';
            assert_true(strcmp(cases[i][1], "text") != 0 || strcspn(line, "\n") <= 100);
        }
        mgl_free(text);
    }
    assert_int_equal(mgl_job_describe(NULL, "text", &err, &text), MGL_OK);
    expect_text(text, "Builders");
    mgl_free(text);
    assert_int_equal(mgl_job_describe("dataflie", "text", &err, &text), MGL_USAGE);
    expect_text(err.message, "did you mean datafly?");
    assert_int_equal(mgl_job_describe("methods", "html", &err, &text), MGL_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_demands),
        cmocka_unit_test(test_enough),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
