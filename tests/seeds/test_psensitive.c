/* 004, Campan and Truta 2006: (extended) p-sensitive k-anonymity of tables 1 and 2. */
#include "seed_helpers.h"

#include <string.h>

#define TABLE1 "data", "004_table1.csv", "qi", "Age,ZipCode,Gender", "sensitive", "Illness"
#define NEOPLASMS                                                                                  \
    "attributes.Illness.hierarchy", "004_illness.csv", "attributes.Illness.protect", "Neoplasms"

static const json_t *model(const json_t *json, size_t i)
{
    const json_t *found = json_array_get(json_object_get(json, "models"), i);
    assert_non_null(found);
    return found;
}

/* Identity is hidden among two, but r4 and r5, and so Sam and Eric, have Diabetes only. */
static void table1_is_2_anonymous_and_1_sensitive(void **state)
{
    (void)state;
    json_t *json = seed_result("check", NULL, TABLE1, "k", "2", "privacy.p-sensitive", "2", NULL);
    seed_expect(json, "k", 2);
    seed_expect(json, "attributes.Illness.p", 1);
    seed_expect(model(json, 0), "holds", true);
    seed_expect(model(json, 1), "holds", false);
    seed_expect(model(json, 1), "measured", 1);
    seed_expect(model(json, 1), "violating_rows", 2);
    seed_expect(model(json, 1), "violating_classes", 1);
    json_decref(json);
}

/* Cancers count once, and still only r4 and r5 break 2-sensitivity: both other classes have
 * something beside a cancer. */
static void protected_subtrees_of_table1_are_counted(void **state)
{
    (void)state;
    json_t *json = seed_result("check", NULL, TABLE1, NEOPLASMS, "privacy.extended-p-sensitive",
                               "Illness=2", NULL);
    seed_expect(json, "attributes.Illness.extended_p", 1);
    seed_expect(model(json, 0), "violating_rows", 2);
    json_decref(json);

    /* Below a protected top no class has two subtrees. */
    json = seed_result("check", NULL, TABLE1, "attributes.Illness.hierarchy", "004_illness.csv",
                       "attributes.Illness.protect", "*", "privacy.extended-p-sensitive",
                       "Illness=2", NULL);
    seed_expect(model(json, 0), "violating_rows", 6);
    seed_expect(model(json, 0), "violating_classes", 3);
    json_decref(json);
}

/* k = 2 alone gives table 1 as printed; 2-sensitivity gives up the age. */
static void two_sensitivity_gives_up_the_age(void **state)
{
    (void)state;
    seed_expect_release_at("004_patients.yaml", "Age=1..1,ZipCode=0..0,Gender=0..0",
                           "004_table1.csv");
    json_t *json = seed_result("anonymize", "004_patients.yaml", "method", "mingen", "k", "2",
                               "dry-run", "true", NULL);
    seed_expect_nodes(json, "node", "(1,0,0)");
    json_decref(json);

    json = seed_result("anonymize", "004_patients.yaml", "method", "mingen", "k", "2",
                       "privacy.p-sensitive", "2", "dry-run", "true", NULL);
    seed_expect_nodes(json, "node", "(2,0,0)");
    seed_expect_nodes(json, "minimal_nodes", "(2,0,0)");
    seed_expect(json, "classes.count", 2); /* condition 3: at most 6 - 2 */
    json_decref(json);
}

/* Two Neoplasms count once: with them protected p = 2 still holds at (2,0,0), as HIV is beside
 * Breast Cancer; p = 3 needs everybody in one class, which has four subtrees. */
static void extended_p_counts_neoplasms_once(void **state)
{
    (void)state;
    json_t *json =
        seed_result("anonymize", "004_patients.yaml", "method", "mingen", "k", "2",
                    "privacy.extended-p-sensitive", "Illness=2", "dry-run", "true", NULL);
    seed_expect_nodes(json, "node", "(2,0,0)");
    json_decref(json);
    json = seed_result("anonymize", "004_patients.yaml", "method", "mingen", "k", "3",
                       "privacy.extended-p-sensitive", "Illness=3", "dry-run", "true", NULL);
    seed_expect_nodes(json, "node", "(2,0,1)");
    seed_expect(model(json, 1), "measured", 4);
    json_decref(json);
}

static void expect_refusal(const char *k, const char *key, const char *value, const char *words)
{
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    assert_int_equal(mgl_job_add(job, "k", k, &err), MGL_OK);
    assert_int_equal(mgl_job_add(job, key, value, &err), MGL_OK);
    assert_int_equal(mgl_job_add(job, "dry-run", "true", &err), MGL_OK);
    assert_int_equal(mgl_job_load(job, "004_patients.yaml", &err), MGL_OK);
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_UNMET);
    assert_null(result);
    if (strstr(err.message, words) == NULL)
        fail_msg("no '%s' in: %s", words, err.message);
    mgl_job_free(job);
}

/* Conditions 1 and 2, with their figures. Five illnesses, four subtrees. */
static void conditions_1_and_2_are_refused_with_figures(void **state)
{
    (void)state;
    expect_refusal("2", "privacy.p-sensitive", "3", "condition 1 (p <= k) fails: p = 3, k = 2");
    expect_refusal("2", "privacy.extended-p-sensitive", "Illness=3",
                   "condition 1 (p <= k) fails: p = 3, k = 2");
    expect_refusal("6", "privacy.p-sensitive", "6", "\"Illness\" has 5 distinct values");
    expect_refusal("6", "privacy.extended-p-sensitive", "Illness=5",
                   "p = 5, the hierarchy of column \"Illness\" has 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_is_2_anonymous_and_1_sensitive),
        cmocka_unit_test(protected_subtrees_of_table1_are_counted),
        cmocka_unit_test(two_sensitivity_gives_up_the_age),
        cmocka_unit_test(extended_p_counts_neoplasms_once),
        cmocka_unit_test(conditions_1_and_2_are_refused_with_figures),
    };
    return cmocka_run_group_tests(tests, seed_enter, NULL);
}
