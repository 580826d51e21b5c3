/* Policies: models that are added to those of the job, built in or from a file. */
#include "test_job_types.h"

#include <sys/stat.h>

static void write_policy(const char *text)
{
    write_text("policy.yaml", text, strlen(text));
}

static size_t count_models(const mgl_settings *s, const mgl_model_type *type, const char *attribute)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_models; i++)
        n += s->models[i].type == type &&
             (attribute == NULL || strcmp(s->models[i].attribute, attribute) == 0);
    return n;
}

static void built_in_policies_have_their_models(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n_models, n_without_sensitive;
        uint64_t k;
        double risk;
    } cases[] = {{"minimal", 1, 1, 3, 0}, {"standard", 2, 2, 5, 0.2}, {"strict", 3, 2, 10, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mgl_job *job = begun_job();
        set(job, "policy", cases[i].name);
        set(job, "dry-run", "true");
        const mgl_settings *s = settings_of(job, MGL_ANONYMIZE);
        assert_int_equal(s->n_models, cases[i].n_models);
        assert_int_equal(s->k, cases[i].k);
        if (cases[i].risk > 0) {
            assert_ptr_equal(s->models[s->n_models - 1].type, &max_risk);
            assert_true(s->models[s->n_models - 1].parameters[0] == cases[i].risk);
        }
        mgl_job_free(job);
        job = new_job();
        set(job, "data", "d");
        set(job, "qi", "a");
        set(job, "policy", cases[i].name);
        assert_int_equal(settings_of(job, MGL_CHECK)->n_models, cases[i].n_without_sensitive);
        mgl_job_free(job);
    }
}

/* A weaker model of the job does not replace the policy's, nor the other way round. */
static void models_of_job_and_policy_are_both_kept(void **state)
{
    (void)state;
    mgl_job *job = begun_job();
    set(job, "k", "2");
    set(job, "policy", "standard");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 3);
    assert_int_equal(count_models(s, &k_anonymity, NULL), 2);
    assert_true(s->models[0].parameters[0] == 2 && s->models[1].parameters[0] == 5);
    assert_int_equal(s->k, 5);
    mgl_job_free(job);

    job = begun_job();
    set(job, "k", "5"); /* exactly the policy's */
    set(job, "policy", "standard");
    assert_int_equal(settings_of(job, MGL_CHECK)->n_models, 2);
    mgl_job_free(job);
}

static void a_policy_is_read_from_a_file(void **state)
{
    (void)state;
    write_policy("name: ours\n"
                 "description: what our house asks for\n"
                 "privacy:\n"
                 "- k-anonymity: 4\n"
                 "- l-diversity: {attribute: any, l: 3}\n"
                 "- l-diversity: {attribute: s, l: 4}\n"
                 "- t-closeness: {attribute: t, t: 0.5, distance: ordered}\n");
    mgl_job *job = begun_job();
    set(job, "l-diversity", "t=2");
    set(job, "policy", "policy.yaml");
    const mgl_settings *s = settings_of(job, MGL_CHECK);
    assert_int_equal(s->n_models, 6);
    assert_int_equal(s->k, 4);
    assert_int_equal(count_models(s, &l_diversity, "s"), 2);
    assert_int_equal(count_models(s, &l_diversity, "t"), 2);
    assert_ptr_equal(s->models[5].type, &closeness);
    assert_true(s->models[5].parameters[1] == 1);
    /* The policy's models are not for options to change. */
    set(job, "distance", "t=equal");
    refuse_settings(job, MGL_CHECK, "column 't' has no t-closeness");
    mgl_job_free(job);

    /* Without sensitive columns `any` asks for nothing. */
    write_policy("privacy: [{k-anonymity: 4}, {l-diversity: {attribute: any, l: 3}}]\n");
    job = new_job();
    set(job, "data", "d");
    set(job, "qi", "a");
    set(job, "policy", "policy.yaml");
    assert_int_equal(settings_of(job, MGL_CHECK)->n_models, 1);
    mgl_job_free(job);
    unlink("policy.yaml");
}

static void policies_are_found_by_name_or_path(void **state)
{
    (void)state;
    static const char in_file[] = "policy: ours\n", by_name[] = "policy: minimal\n";
    mgl_error err;
    mkdir("folder", 0700);
    write_text("folder/ours", "privacy: [{k-anonymity: 6}]\n", 28);
    write_text("folder/job.yaml", in_file, sizeof in_file - 1);
    mgl_job *job = begun_job();
    assert_int_equal(mgl_job_load(job, "folder/job.yaml", &err), MGL_OK);
    assert_int_equal(settings_of(job, MGL_CHECK)->k, 6);
    mgl_job_free(job);

    unlink("folder/ours");
    job = begun_job();
    assert_int_equal(mgl_job_load(job, "folder/job.yaml", &err), MGL_OK);
    refuse_settings(job, MGL_CHECK, "folder/job.yaml:1:9: policy: 'ours' is no policy and no file");
    mgl_job_free(job);

    write_text("folder/job.yaml", by_name, sizeof by_name - 1);
    job = begun_job();
    assert_int_equal(mgl_job_load(job, "folder/job.yaml", &err), MGL_OK);
    assert_int_equal(settings_of(job, MGL_CHECK)->k, 3);
    mgl_job_free(job);
    unlink("folder/job.yaml");
    rmdir("folder");

    /* Commands that do not take it leave it alone. */
    job = begun_job();
    load(job, "policy: nothere.yaml\nrelease: r\n");
    settings_of(job, MGL_UTILITY);
    const mgl_settings *settings;
    assert_int_equal(mgl_job_settings(job, MGL_CHECK, &err, &settings), MGL_DATA);
    expect_text(err.message, "nothere.yaml: cannot open the policy");
    mgl_job_free(job);
}

static void broken_policies_are_refused_with_their_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "policy.yaml:1:1: the policy is empty"},
        {"- k-anonymity: 3\n", "policy.yaml:1: a policy holds models"},
        {"name: x\n", "policy.yaml: holds no model"},
        {"privacy: []\n", "policy.yaml: holds no model"},
        {"privacy: 3\n", "policy.yaml:1:10: privacy: a list of models"},
        {"name: [x]\nprivacy: [{k-anonymity: 3}]\n", "policy.yaml:1:7: name: a single value"},
        {"privacy: [{k-anonymity: 3}]\nsuppress: 3\n",
         "policy.yaml:2:1: unknown key 'suppress'; a policy has name, description and privacy"},
        {"privacy: [{k-anonimity: 3}]\n", "policy.yaml:1:12: unknown model 'k-anonimity'; did you"},
        {"privacy: [{k-anonymity: 0}]\n", "policy.yaml:1:25: privacy.k-anonymity: '0' is no k"},
        {"privacy: [{k-anonymity: 3}, {k-anonymity: 4}]\n", "policy.yaml:1:43: privacy.k-anon"},
        {"privacy: [{p-sensitive: {attribute: any, p: 2}}]\n", "takes no 'attribute'"},
        {"privacy: [{l-diversity: {attribute: a, l: 2}}]\n",
         "policy.yaml:1:25: privacy.l-diversity: column 'a' is not sensitive"},
        {"privacy: [{delta-presence: {lo: 0, hi: 1}}]\n", "give `population: FILE`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_policy(cases[i][0]);
        refuse_with("policy", "policy.yaml", cases[i][1]);
    }
    unlink("policy.yaml");
    refuse_with("policy", "strickt",
                "`policy`: 'strickt' is no policy and no file; did you mean strict?");
    refuse_with("policy", "xyzzy", "see `help policies`");
    mgl_job *job = new_job();
    refuse_set(job, "policy", "", "is empty");
    set(job, "policy", "strict");
    refuse_set(job, "policy", "minimal", "given twice");
    mgl_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_policies_have_their_models),
        cmocka_unit_test(models_of_job_and_policy_are_both_kept),
        cmocka_unit_test(a_policy_is_read_from_a_file),
        cmocka_unit_test(policies_are_found_by_name_or_path),
        cmocka_unit_test(broken_policies_are_refused_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
