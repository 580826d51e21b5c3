/* Job files: what they say, who overrides whom, and every refusal with its position. */
#include "test_job.h"

#include <sys/stat.h>

static const char whole[] =
    "data: patients.csv\n"
    "attributes:\n"
    "  ssn:     {role: identifier}\n"
    "  birth:   {role: quasi, hierarchy: \"dates(month,year,10y)\", weight: 2}\n"
    "  zip:     {role: quasi, hierarchy: \"mask(right)\", level: [1, 3]}\n"
    "  race:    {role: quasi, hierarchy: race.csv, level: 1..2}\n"
    "  state:   {role: quasi, hierarchy: groups(state.txt)}\n"
    "  problem: {role: sensitive, hierarchy: /icd/9.csv}\n"
    "privacy: [{k-anonymity: 5}]\n"
    "method: datafly\n"
    "suppress: 2%\n"
    "utility: precision\n"
    "missing: [\"\", NA, \"a,b\"]\n"
    "prefer: relative,absolute\n"
    "no-header: true\n"
    "preference: {birth: 0.5}\n"
    "output: release.csv\n";

static void every_key_of_a_file_reaches_the_settings(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    load(job, whole);
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_string_equal(s->data, "patients.csv");
    assert_string_equal(s->output, "release.csv");
    assert_int_equal(s->n_attributes, 6);
    assert_int_equal(mgl_settings_attribute(s, "ssn")->role, MGL_ROLE_IDENTIFIER);
    assert_true(mgl_settings_attribute(s, "birth")->weight.values[0] == 2);
    assert_true(preference_of(s, "birth") == 0.5);
    assert_int_equal(mgl_settings_attribute(s, "zip")->levels.min, 1);
    assert_int_equal(mgl_settings_attribute(s, "zip")->levels.max, 3);
    assert_int_equal(mgl_settings_attribute(s, "race")->levels.max, 2);
    assert_string_equal(mgl_settings_attribute(s, "problem")->hierarchy, "/icd/9.csv");
    assert_int_equal(s->quasi[0].n_names, 4);
    assert_string_equal(s->quasi[0].names[0], "birth");
    assert_string_equal(s->quasi[0].names[3], "state");
    assert_int_equal(s->k, 5);
    assert_string_equal(s->method->name, "datafly");
    assert_int_equal(mgl_settings_limit(s, 1000), 20);
    assert_int_equal(s->source.n_missing, 3);
    assert_true(mgl_span_is(s->source.missing[2], "a,b"));
    assert_int_equal(s->n_prefer, 2);
    assert_true(s->source.no_header);
    mgl_job_free(job);
}

static void paths_are_relative_to_the_job_file(void **state)
{
    (void)state;
    static const char streams[] = "data: '-'\noutput: '-'\nqi: a\nk: 2\n";
    mgl_error err;
    mgl_job *job = new_job();
    mkdir("folder", 0700);
    write_text("folder/job.yml", whole, sizeof whole - 1);
    set(job, "result", "here.json");
    assert_int_equal(mgl_job_load(job, "folder/job.yml", &err), MGL_OK);
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_string_equal(s->data, "folder/patients.csv");
    assert_string_equal(s->output, "folder/release.csv");
    assert_string_equal(s->saved.result, "here.json");
    assert_string_equal(mgl_settings_attribute(s, "race")->hierarchy, "folder/race.csv");
    assert_string_equal(mgl_settings_attribute(s, "state")->hierarchy, "groups(folder/state.txt)");
    assert_string_equal(mgl_settings_attribute(s, "zip")->hierarchy, "mask(right)");
    assert_string_equal(mgl_settings_attribute(s, "problem")->hierarchy, "/icd/9.csv");
    unlink("folder/job.yml");
    write_text("folder/job.yml", streams, sizeof streams - 1);
    mgl_job *second = new_job();
    assert_int_equal(mgl_job_load(second, "folder/job.yml", &err), MGL_OK);
    assert_string_equal(settings_of(second, MGL_ANONYMIZE)->data, "-");
    assert_string_equal(settings_of(second, MGL_ANONYMIZE)->output, "-");
    unlink("folder/job.yml");
    rmdir("folder");
    mgl_job_free(job);
    mgl_job_free(second);
}

static void options_override_the_job_file(void **state)
{
    (void)state;
    mgl_job *job = new_job();
    set(job, "k", "9");
    set(job, "method", "samarati");
    set(job, "sensitive", "race");
    set(job, "qi", "ssn");
    set(job, "weights", "birth=7");
    load(job, whole);
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->k, 9);
    assert_int_equal(s->n_models, 1);
    assert_string_equal(s->method->name, "samarati");
    assert_int_equal(mgl_settings_attribute(s, "race")->role, MGL_ROLE_SENSITIVE);
    assert_int_equal(mgl_settings_attribute(s, "ssn")->role, MGL_ROLE_QUASI);
    assert_true(mgl_settings_attribute(s, "birth")->weight.values[0] == 7);
    /* What is not overridden stays: the hierarchy, the other columns. */
    assert_string_equal(mgl_settings_attribute(s, "birth")->hierarchy, "dates(month,year,10y)");
    assert_int_equal(s->quasi[0].n_names, 4);
    assert_string_equal(s->quasi[0].names[0], "ssn");
    mgl_job_free(job);

    /* A key that is set after the file overrides it as well. */
    job = new_job();
    load(job, whole);
    set(job, "k", "11");
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->k, 11);
    refuse_set(job, "k", "12", "given twice");
    mgl_job_free(job);

    /* Of two files the first wins. */
    job = new_job();
    load(job, whole);
    load(job, "k: 3\nthreads: 2\n");
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->k, 5);
    assert_int_equal(settings_of(job, MGL_ANONYMIZE)->limits.threads, 2);
    mgl_job_free(job);
}

static void several_quasi_identifiers_are_loaded(void **state)
{
    (void)state;
    static const char sets[] = "data: d\noutput: o\nk: 2\nmethod: mingen\n"
                               "quasi-identifiers: [[a, b], [c]]\n";
    mgl_job *job = new_job();
    load(job, sets);
    const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 2);
    assert_int_equal(s->quasi[0].n_names, 2);
    assert_int_equal(mgl_settings_attribute(s, "c")->role, MGL_ROLE_QUASI);
    mgl_job_free(job);

    job = new_job();
    set(job, "qi", "x,y");
    load(job, sets);
    s = settings_of(job, MGL_ANONYMIZE);
    assert_int_equal(s->n_quasi, 1);
    assert_int_equal(s->quasi[0].n_names, 2);
    mgl_job_free(job);

    job = new_job();
    set(job, "sensitive", "c");
    mgl_error err;
    write_text("job.yaml", sets, sizeof sets - 1);
    assert_int_equal(mgl_job_load(job, "job.yaml", &err), MGL_OK);
    refuse_settings(job, MGL_ANONYMIZE, "column 'c' is sensitive here and lies in a");
    unlink("job.yaml");
    mgl_job_free(job);
}

static void refusals_name_line_and_column(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "1:1: the job file is empty"},
        {"# nothing\n", "2:1: the job file is empty"},
        {"- a\n", "1: a job file holds keys"},
        {"text\n", "1: a job file holds keys"},
        {"data: a\ndata: b\n", "2:1: key 'data' is given twice"},
        {"attributes:\n  a: {role: quasi, role: quasi}\n", "2:20: key 'role' is given twice"},
        {"attributes:\n  a: {role: quasi}\n  a: {}\n", "3:3: key 'a' is given twice"},
        {"qi: a\ndata:\n", "2:1: data: has no value"},
        {"qi: a\ndata: ~\n", "2:1: data: has no value"},
        {"qi: a\ndata: [b]\n", "2:7: data: a single value belongs here, not a list"},
        {"qi: a\ndata: {b: c}\n", "2:7: data: a single value belongs here, not a mapping"},
        {"data: &x a\n", "1:10: anchors"},
        {"data: a\noutput: *x\n", "2:10: aliases"},
        {"data: !!str a\n", "1:13: tags"},
        {"data: a\n---\ndata: b\n", "2:1: a second document"},
        {"? [a]\n: b\n", "1:3: a key must be text"},
        {"data: \"a\n", "1:8: "},
        {"data: [a\n", "2:1: "},
        {"a: b: c\n", "1:5: "},
        {"[[[[[[[[[[[[[[[[[[[[", "1:17: nested too deeply"},
        {"data: \xff\n", "1: is not UTF-8"},
        {"data: \"a\\0b\"\n", "1:8: holds a NUL character"},
        {"metod: mingen\n", "1:1: unknown key 'metod'; did you mean 'method'?"},
        {"k: 5\n\natributes: {}\n", "3:1: unknown key 'atributes'; did you mean 'attributes'?"},
        {"zzzzz: 1\n", "1:1: unknown key 'zzzzz'; see `help keys`"},
        {"attributes: [a]\n", "1:13: attributes: columns belong here"},
        {"attributes: {a: quasi}\n", "1:17: attributes.a: what is known"},
        {"attributes: {a: {rol: quasi}}\n", "1:18: unknown key of an attribute 'rol'; did you"},
        {"attributes: {a: {role: [quasi]}}\n", "1:24: attributes.a.role: a single value"},
        {"attributes: {a: {role: quas}}\n", "1:24: attributes.a.role: 'quas' is no role"},
        {"attributes: {a: {level: [3, 1]}}\n", "1:25: attributes.a.level: '3..1' is no range"},
        {"attributes: {a: {level: [1]}}\n", "1:25: attributes.a.level: a single value"},
        {"attributes: {a: {weight: x}}\n", "1:26: attributes.a.weight: 'x' is no weight"},
        {"privacy: 5\n", "1:10: privacy: a list of models belongs here"},
        {"privacy: [k]\n", "1:11: privacy: a list of models belongs here"},
        {"privacy: [{k-anonymity: 5, b: 3}]\n", "1:11: privacy: a list of models"},
        {"privacy: [{k-anonimity: 5}]\n", "1:12: unknown model 'k-anonimity'; did you mean"},
        {"privacy: [{k-anonymity: 0}]\n", "1:25: privacy.k-anonymity: '0' is no k"},
        {"privacy: [{k-anonymity: [5]}]\n", "1:25: privacy.k-anonymity: a single value"},
        {"privacy: [{k-anonymity: {k: 5, l: 3}}]\n", "1:32: privacy.k-anonymity: takes no 'l'"},
        {"privacy: [{k-anonymity: {}}]\n", "1:25: privacy.k-anonymity: lacks k"},
        {"privacy: [{k-anonymity: 3}, {k-anonymity: 5}]\n", "1:43: privacy.k-anonymity: given"},
        {"privacy: [{k-anonymity: 3}]\nk: 5\n", "2:4: k: given twice"},
        {"quasi-identifiers: [a, b]\n", "1:21: quasi-identifiers: lists of columns"},
        {"quasi-identifiers: a\n", "1:20: quasi-identifiers: lists of columns"},
        {"quasi-identifiers: [[a], []]\n", "1:26: quasi-identifiers: a quasi-identifier without"},
        {"qi: [[a, b], [c]]\nqi-set: [d]\n", "2:9: qi-set: given twice"},
        {"qi-set: [[a], b]\n", "1:15: qi-set: lists of columns"},
        {"quasi-identifiers: [[a]]\nqi: b\n", "2:5: qi: given twice"},
        {"qi: [a, b]\nsensitive: [b]\n", "2:12: sensitive: column 'b' has two roles"},
        {"sensitive: [[a]]\n", "1:13: sensitive: a single value"},
        {"weights: 3\n", "1:10: weights: columns belong here"},
        {"weights: {a: -3}\n", "1:14: weights.a: '-3' is no weight"},
        {"suppress: 2,5%\n", "1:11: suppress: '2,5%' is no number"},
        {"no-header: yes\n", "1:12: no-header: 'yes' is neither"},
        {"missing: [[a]]\n", "1:11: missing: a single value"},
        {"method: 5\n", "1:9: method: '5' is no method"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refuse_load(cases[i][0], cases[i][1]);
}

static void a_nul_byte_is_refused(void **state)
{
    (void)state;
    mgl_error err;
    mgl_job *job = new_job();
    write_text("job.yaml", "data: a\nqi: \0b\n", 15);
    assert_int_equal(mgl_job_load(job, "job.yaml", &err), MGL_USAGE);
    expect_text(err.message, "job.yaml:2: holds a NUL byte");
    unlink("job.yaml");
    assert_int_equal(mgl_job_load(job, "not-there.yaml", &err), MGL_DATA);
    expect_text(err.message, "not-there.yaml");
    mgl_job_free(job);
}

/* What is to blame on the file only when all is known has its position, too. */
static void refusals_after_loading_name_line_and_column(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"attributes: {a: {role: quasi}, b: {role: sensitive, weight: 3}}\n",
         "job.yaml:1:61: attributes.b.weight: column 'b' is sensitive"},
        {"qi: a\nhierarchy: {b: suppress}\n",
         "job.yaml:2:16: hierarchy.b: column 'b' has a hierarchy but no role"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = new_job();
        load(job, cases[i][0]);
        set(job, "data", "d");
        set(job, "output", "o");
        set(job, "k", "2");
        refuse_settings(job, MGL_ANONYMIZE, cases[i][1]);
        mgl_job_free(job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_a_file_reaches_the_settings),
        cmocka_unit_test(paths_are_relative_to_the_job_file),
        cmocka_unit_test(options_override_the_job_file),
        cmocka_unit_test(several_quasi_identifiers_are_loaded),
        cmocka_unit_test(refusals_name_line_and_column),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(refusals_after_loading_name_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
