/* Models with attributes and several parameters. The table of models here stands in for the
 * one of the privacy room, so that every shape of a descriptor is tried. */
#include "test_job.h"

#include <math.h>

static const mgl_parameter k[] = {{"k", "rows of a class", true, 1, 1e18}};
static const mgl_parameter l[] = {{"l", "distinct values", true, 1, 1e18}};
static const mgl_parameter cl[] = {{"c", "factor", false, 0, INFINITY},
                                   {"l", "values", true, 1, 1e18}};
static const mgl_parameter range[] = {{"lo", "least", false, 0, 1}, {"hi", "most", false, 0, 1}};

static const mgl_model_type k_anonymity = {
    .name = "k-anonymity", .option = "k", .help = "k", .parameters = k, .n_parameters = 1};
static const mgl_model_type l_diversity = {.name = "l-diversity",
                                           .option = "l-diversity",
                                           .help = "l",
                                           .takes_attribute = true,
                                           .parameters = l,
                                           .n_parameters = 1};
static const mgl_model_type recursive = {.name = "recursive-cl",
                                         .option = "recursive-cl",
                                         .help = "cl",
                                         .takes_attribute = true,
                                         .parameters = cl,
                                         .n_parameters = 2};
static const mgl_model_type presence = {.name = "delta-presence",
                                        .option = "delta-presence",
                                        .help = "delta",
                                        .parameters = range,
                                        .n_parameters = 2};
static const mgl_model_type *const types[] = {&k_anonymity, &l_diversity, &recursive, &presence};

const mgl_model_type *const *mgl_model_types(size_t *n)
{
    *n = 4;
    return types;
}

const mgl_model_type *mgl_model_type_find(const char *name)
{
    for (size_t i = 0; i < 4; i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}

const mgl_model_type *mgl_model_type_find_option(const char *option)
{
    for (size_t i = 0; i < 4; i++)
        if (strcmp(types[i]->option, option) == 0)
            return types[i];
    return NULL;
}

static mgl_job *begun_job(void)
{
    mgl_job *job = new_job();
    set(job, "data", "d");
    set(job, "qi", "a");
    set(job, "sensitive", "s,t");
    return job;
}

static void test_options(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "l-diversity", "s=3");
    set(job, "l-diversity", "t=2");
    set(job, "recursive-cl", "s=0.5,4");
    set(job, "delta-presence", "0.1,0.9");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 4);
    assert_int_equal(s->k, 1);
    assert_string_equal(s->models[0].attribute, "s");
    assert_true(s->models[0].parameters[0] == 3);
    assert_string_equal(s->models[1].attribute, "t");
    assert_ptr_equal(s->models[2].type, &recursive);
    assert_true(s->models[2].parameters[0] == 0.5 && s->models[2].parameters[1] == 4);
    assert_null(s->models[3].attribute);
    assert_true(s->models[3].parameters[1] == 0.9);
    mgl_job_free(job);
}

static void test_files(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "l-diversity", "s=7");
    load(job, "privacy:\n"
              "- k-anonymity: 5\n"
              "- l-diversity: {attribute: s, l: 3}\n"
              "- l-diversity: {l: 2, attribute: t}\n"
              "- recursive-cl: {attribute: t, c: 0.25, l: 2}\n"
              "- delta-presence: {lo: 0, hi: 1}\n");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 5);
    assert_int_equal(s->k, 5);
    assert_true(s->models[0].parameters[0] == 7); /* the option overrides the file */
    assert_ptr_equal(s->models[2].type, &l_diversity);
    assert_string_equal(s->models[2].attribute, "t");
    assert_true(s->models[3].parameters[0] == 0.25 && s->models[3].parameters[1] == 2);
    mgl_job_free(job);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const options[][3] = {
        {"l-diversity", "3", "not of the form column=value"},
        {"l-diversity", "s=x", "'x' is no l; give a whole number"},
        {"l-diversity", "s=0", "'0' is no l"},
        {"recursive-cl", "s=3", "holds 1 numbers, recursive-cl takes 2; give c,l"},
        {"recursive-cl", "s=-1,2", "is no c; give a number of at least 0"},
        {"delta-presence", "0.5,1.5", "is no hi; give a number from 0 to 1"},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        mgl_job *job = new_job();
        refuse_set(job, options[i][0], options[i][1], options[i][2]);
        mgl_job_free(job);
    }
    refuse_load("privacy: [{l-diversity: 3}]\n", "1:25: privacy.l-diversity: its parameters");
    refuse_load("privacy: [{l-diversity: {l: 3}}]\n", "1:25: privacy.l-diversity: which column");
    refuse_load("privacy: [{recursive-cl: {attribute: s, c: 1}}]\n",
                "1:26: privacy.recursive-cl: lacks l");
    refuse_load("privacy: [{l-diversity: {attribute: [s], l: 3}}]\n",
                "1:37: privacy.l-diversity: a single value");
    mgl_job *job = begun_job();
    set(job, "l-diversity", "a=3");
    refuse_settings(job, MGL_CHECK, "--l-diversity: column 'a' is not sensitive");
    mgl_job_free(job);
    job = begun_job();
    set(job, "l-diversity", "s=3");
    refuse_set(job, "l-diversity", "s=4", "given twice for 's'");
    mgl_job_free(job);
}

static void test_syntax(void **state)
{
    (void)state;
    mgl_error err;
    char *text;
    assert_int_equal(mgl_job_describe("check", "text", &err, &text), MGL_OK);
    expect_text(text, "-k K");
    expect_text(text, "--l-diversity COLUMN=L");
    expect_text(text, "--recursive-cl COLUMN=C,L");
    expect_text(text, "--delta-presence LO,HI");
    mgl_free(text);
    assert_int_equal(mgl_job_describe("recursive-cl", "text", &err, &text), MGL_OK);
    expect_text(text, "the sensitive column it protects");
    mgl_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_syntax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
