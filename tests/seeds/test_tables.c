/* Printed tables of 001 (course notes), 002 (slides) and 004 (Campan and Truta 2006). */
#include "seed_helpers.h"

static void test_printed_tables(void **state)
{
    (void)state;
    static const struct {
        const char *file, *qi;
        double k, n_classes;
    } cases[] = {
        {"001_table1.csv", "Age,Country,Zip Code", 2, 5},
        {"001_fig2_release.csv", "Gender,Age,ZIP", 2, 2},
        {"002_2anonymous.csv", "Race,Birth,Gender,ZIP", 2, 5},
        {"002_condition_4anonymous.csv", "Zip Code,Age,Nationality", 4, 3},
        /* 'Released as anonymous': every birth date is unique, and without it the widow is. */
        {"002_medical.csv", "Ethnicity,Date Of Birth,Sex,ZIP,Marital Status", 1, 11},
        {"002_medical.csv", "Ethnicity,Sex,ZIP,Marital Status", 1, 6},
        {"004_table1.csv", "Age,ZipCode,Gender", 2, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        seed_expect_check(cases[i].file, cases[i].qi, cases[i].k, cases[i].n_classes);
}

/* 001, figure 2 mixes levels, so no full-domain search can find it: it is evaluated. */
static void test_001_fig2(void **state)
{
    (void)state;
    seed_expect_check("001_fig2.csv", "Gender,Age,ZIP", 1, 4);
    seed_expect_generalization("001_fig2.yaml", "001_fig2_release.csv");
    json_t *json = seed_result("utility", "001_fig2.yaml", "release", "001_fig2_release.csv", NULL);
    /* Gender 2 * 1/1, Age 4 * 1/2, ZIP 2 * 1/5 + 2 * 2/5, of 12 cells. */
    seed_expect(json, "utility.precision", 1 - (2 + 2 + 6. / 5) / 12);
    seed_expect(json, "classes.min", 2);
    seed_expect(json, "suppressed_rows", 0);
    json_decref(json);
}

/* 001, perturbation: a number is replaced by the average of k of them. Of the ages of figure 2, 30
 * and 33 become 31.5, 45 and 42 become 43.5: a sum of squares of 9, where four
 * times their mean, 37.5, would have 153. */
static void test_001_perturbation(void **state)
{
    (void)state;
    json_t *json = seed_result("anonymize", NULL, "data", "001_fig2.csv", "attributes.Age.role",
                               "quasi", "rest", "insensitive", "k", "2", "method", "microaggregate",
                               "dry-run", "true", NULL);
    seed_expect(json, "classes.count", 2);
    seed_expect(json, "microaggregation.groups", 2);
    seed_expect(json, "microaggregation.sse_share", 9. / 153);
    json_decref(json);
}

/* 002, the 4-anonymous table row by row from its original; one level less does not do. */
static void test_002_4_anonymous(void **state)
{
    (void)state;
    seed_expect_check("002_condition.csv", "Zip Code,Age,Nationality", 1, 12);
    seed_expect_release_at("002_condition.yaml", "Zip Code=1..1,Age=1..1,Nationality=1..1",
                           "002_condition_4anonymous.csv");
    json_t *json = seed_result("anonymize", "002_condition.yaml", "k", "4", "method", "mingen",
                               "dry-run", "true", NULL);
    seed_expect_nodes(json, "node", "(1,1,1)");
    seed_expect_nodes(json, "minimal_nodes", "(1,1,1)");
    seed_expect(json, "classes.min", 4);
    seed_expect(json, "classes.count", 3);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_tables),
        cmocka_unit_test(test_001_fig2),
        cmocka_unit_test(test_001_perturbation),
        cmocka_unit_test(test_002_4_anonymous),
    };
    return cmocka_run_group_tests(tests, seed_enter, NULL);
}
