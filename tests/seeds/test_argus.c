/* 000: Sweeney, Achieving k-anonymity privacy protection using generalization and suppression
 * (2002), section 4.2: mu-Argus, figures 11 to 15. */
#include "seed_helpers.h"

#include "steps.h"

#include "findings/findings.h"
#include "search/argus/units.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define QI "Race,BirthDate,Gender,ZIP"
#define LEVELS "Race=3,BirthDate=1,Gender=2,ZIP=2"

enum { RACE = 1, BIRTH = 2, SEX = 4, ZIP = 8, ROWS = 12 };

/* ---- The table after step 2 ------------------------------------------------------------------ */

typedef struct argus_steps {
    mgl_job *job;
    steps steps;
    mgl_recoding *recoding;
    mgl_argus_units *units;
    uint32_t unit[ROWS];
} argus_steps;

static void set(mgl_job *job, const char *key, const char *value)
{
    assert_int_equal(mgl_job_add(job, key, value, NULL), MGL_OK);
}

/* Birth dates are years, all else is as it was: step 2 on figure 7. */
static void begin_steps(argus_steps *s)
{
    static const uint32_t node[] = {0, 2, 0, 0};
    uint32_t tuples[ROWS];
    mgl_tuple_finder *finder;
    assert_int_equal(mgl_job_new(NULL, &s->job), MGL_OK);
    set(s->job, "k", "2");
    set(s->job, "method", "mu-argus");
    set(s->job, "identification", LEVELS);
    set(s->job, "output", "-");
    assert_int_equal(mgl_job_load(s->job, "000_fig7.yaml", NULL), MGL_OK);
    assert_int_equal(steps_begin(s->job, true, NULL, &s->steps), MGL_OK);
    const mgl_problem *p = &s->steps.setup.task->problem;
    assert_int_equal(mgl_recoding_new(p->columns, 4, p->list->n_tuples, NULL, &s->recoding),
                     MGL_OK);
    for (size_t a = 0; a < 4; a++)
        for (size_t t = 0; t < p->list->n_tuples; t++)
            s->recoding->cells[a][t] =
                p->columns[a]->of_leaf[node[a]][mgl_list_leaf(p->list, t, a)];
    assert_int_equal(mgl_argus_units_new(p->list, s->recoding, NULL, &s->units), MGL_OK);
    assert_int_equal(mgl_tuple_finder_new(p->list, s->steps.setup.reading->bound, NULL, &finder),
                     MGL_OK);
    mgl_tuple_find(finder, 0, ROWS, tuples);
    for (int r = 0; r < ROWS; r++)
        s->unit[r] = s->units->of_tuple[tuples[r]];
    mgl_tuple_finder_free(finder);
}

static void end_steps(argus_steps *s)
{
    mgl_argus_units_free(s->units);
    mgl_recoding_free(s->recoding);
    steps_end(&s->steps);
    mgl_job_free(s->job);
}

/* Figure 13: Most x More on BirthDate and ZIP; only t8 is rare. */
static void fig13_counts_most_by_more(void **state)
{
    (void)state;
    static const uint64_t occurs[ROWS] = {2, 2, 2, 2, 3, 3, 3, 1, 2, 2, 2, 2};
    argus_steps s;
    mgl_argus_groups groups;
    begin_steps(&s);
    size_t n = s.units->people.n;
    uint32_t list[ROWS];
    assert_int_equal(n, 7);
    for (uint32_t u = 0; u < n; u++)
        list[u] = u;
    assert_int_equal(mgl_argus_groups_init(&groups, &s.units->people, n, NULL), MGL_OK);
    mgl_argus_group(&groups, s.units, BIRTH | ZIP, list, n);
    assert_int_equal(groups.n, 6);
    for (int r = 0; r < ROWS; r++)
        assert_int_equal(groups.sizes[groups.of[s.unit[r]]], occurs[r]);
    mgl_argus_groups_free(&groups);
    end_steps(&s);
}

/* ---- Figure 14: outliers ------------------------------------------------------------------------
 */

/* The row's outliers are these, and no others. */
static void expect_outliers(const argus_steps *s, const mgl_argus_family *family,
                            const mgl_argus_outliers *outliers, int row, const uint64_t *wanted,
                            size_t n_wanted)
{
    uint32_t u = s->unit[row];
    size_t n = 0;
    for (size_t i = 0; i < family->n; i++) {
        bool is_outlier = false, is_wanted = false;
        for (size_t j = outliers->start[u]; j < outliers->start[u + 1]; j++)
            is_outlier = is_outlier || (outliers->sets[j] & ~family->sets[i]) == 0;
        for (size_t j = 0; j < n_wanted; j++)
            is_wanted = is_wanted || wanted[j] == family->sets[i];
        assert_int_equal(is_outlier, is_wanted);
        n += is_outlier;
    }
    assert_int_equal(n, n_wanted);
}

/* t7 has two outliers, t8 eight: figure 14 leaves out {race, sex, zip}. The others have none. */
static void fig14_outliers_of_t7_and_t8(void **state)
{
    (void)state;
    static const uint64_t t7[] = {BIRTH | SEX | ZIP, RACE | BIRTH | ZIP};
    static const uint64_t t8[] = {
        BIRTH | ZIP,        SEX | ZIP,  BIRTH | SEX | ZIP, RACE | BIRTH | SEX,
        RACE | BIRTH | ZIP, RACE | SEX, RACE | BIRTH,      RACE | SEX | ZIP,
    };
    argus_steps s;
    mgl_argus_family family;
    mgl_argus_outliers outliers;
    begin_steps(&s);
    const mgl_problem *p = &s.steps.setup.task->problem;
    assert_int_equal(mgl_argus_family_make(p, s.units->live, NULL, &family), MGL_OK);
    assert_int_equal(family.n, 6 + 4);
    assert_int_equal(mgl_argus_outliers_find(p, s.units, &family, 2, NULL, &outliers), MGL_OK);
    for (int r = 0; r < ROWS; r++)
        expect_outliers(&s, &family, &outliers, r, r == 6 ? t7 : t8, r == 6 ? 2 : r == 7 ? 8 : 0);
    mgl_argus_outliers_free(&outliers);
    mgl_argus_family_free(&family);
    end_steps(&s);
}

/* Figure 12 with one identifying column: Mo.Mo and Mo.Mo.Mt are not looked at. */
static void fig12_lists_the_published_combinations(void **state)
{
    (void)state;
    static const uint64_t sets[] = {RACE | BIRTH, RACE | SEX,         BIRTH | SEX,       RACE | ZIP,
                                    BIRTH | ZIP,  RACE | BIRTH | SEX, RACE | BIRTH | ZIP};
    static const uint32_t identification[] = {3, 1, 2, 2}, two[] = {3, 3, 2, 2};
    mgl_argus_options options = {.combinations = {.published = true},
                                 .identification = identification};
    static const uint32_t columns[] = {0, 1, 2, 3};
    mgl_quasi_set all = {.attributes = columns, .n_attributes = 4};
    mgl_frequency_list list = {.n_attributes = 4};
    mgl_problem problem = {.list = &list, .sets = &all, .n_sets = 1, .options = &options};
    mgl_argus_family family;
    assert_int_equal(mgl_argus_family_make(&problem, 15, NULL, &family), MGL_OK);
    assert_int_equal(family.n, sizeof sets / sizeof *sets);
    assert_memory_equal(family.sets, sets, sizeof sets);
    mgl_argus_family_free(&family);
    options.identification = two; /* two identifying columns: Mo.Mo, too */
    assert_int_equal(mgl_argus_family_make(&problem, 15, NULL, &family), MGL_OK);
    assert_int_equal(family.n, 5);
    assert_int_equal(family.sets[4], SEX | ZIP);
    mgl_argus_family_free(&family);
}

/* ---- Figure 15: the release ---------------------------------------------------------------------
 */

/* MT has k = 1, as the paper says; t7 and t8 are the rows that fail. */
static void fig15_mt_has_k_1(void **state)
{
    (void)state;
    static const char *const combinations[] = {"2,3", "published"};
    for (size_t i = 0; i < 2; i++) {
        const char *output = seed_scratch("fig15.csv");
        json_t *json =
            seed_result("anonymize", "000_fig7.yaml", "k", "2", "method", "mu-argus",
                        "identification", LEVELS, "combinations", combinations[i], "accept",
                        "unsafe", "keep-order", "true", "output", output, NULL);
        seed_expect_same_file(output, "000_fig15_mt.csv");
        seed_expect_nodes(json, "levels", "(0,2,0,0)");
        seed_expect(json, "suppressed_cells.Race", 0);
        seed_expect(json, "suppressed_cells.BirthDate", 2);
        seed_expect(json, "suppressed_cells.Gender", 1);
        seed_expect(json, "suppressed_cells.ZIP", 0);
        /* Section 4.2: knowing how many men and women there are gives Gender back. */
        seed_expect(json, "known_totals.Gender.suppressed_cells", 1);
        seed_expect(json, "known_totals.Gender.inferred_cells", 1);
        seed_expect(json, "known_totals.BirthDate.suppressed_cells", 2);
        seed_expect(json, "known_totals.BirthDate.best_guess", 0.5);
        seed_expect(json, "known_totals.BirthDate.inferred_cells", 0);
        const json_t *model = json_array_get(json_object_get(json, "models"), 0);
        const json_t *rows = json_object_get(json, "failing_rows");
        seed_expect(model, "holds", 0);
        seed_expect(model, "measured", 1);
        seed_expect(model, "violating_rows", 2);
        assert_int_equal(json_array_size(rows), 2);
        assert_int_equal(json_integer_value(json_array_get(rows, 0)), 7);
        assert_int_equal(json_integer_value(json_array_get(rows, 1)), 8);
        json_decref(json);
        seed_expect_check(output, QI, 1, 7);
        unlink(output);
    }
}

/* With all combinations t7 and t8 lose every cell, and k holds. */
static void all_combinations_suppress_t7_and_t8(void **state)
{
    (void)state;
    const char *output = seed_scratch("all.csv");
    json_t *json = seed_result("anonymize", "000_fig7.yaml", "k", "2", "method", "mu-argus",
                               "identification", LEVELS, "combinations", "all", "suppressed",
                               "drop", "keep-order", "true", "output", output, NULL);
    seed_expect(json, "suppressed_rows", 2);
    seed_expect_same_file(output, "000_fig10.csv"); /* what Datafly comes to, too */
    json_decref(json);
    json = seed_result("anonymize", "000_fig7.yaml", "k", "2", "method", "mu-argus",
                       "identification", LEVELS, "combinations", "all", "output", output, NULL);
    seed_expect(json, "suppressed_rows", 2);
    seed_expect(json, "utility.precision", 0.75);
    seed_expect(json, "suppressed_cells.BirthDate", 0); /* of rows that are not suppressed */
    json_decref(json);
    seed_expect_check(output, QI, 2, 6);
    unlink(output);
}

/* Steps 4 and 5: the holder wants a level more for ZIP, and t7 is rare no longer. */
static void a_further_level_makes_t7_common(void **state)
{
    (void)state;
    json_t *json =
        seed_result("anonymize", "000_fig7.yaml", "k", "2", "method", "mu-argus", "identification",
                    LEVELS, "generalize", "ZIP=1", "accept", "unsafe", "dry-run", "true", NULL);
    const json_t *rows = json_object_get(json, "failing_rows");
    seed_expect_nodes(json, "levels", "(0,2,0,1)");
    assert_int_equal(json_array_size(rows), 1);
    assert_int_equal(json_integer_value(json_array_get(rows, 0)), 8);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fig12_lists_the_published_combinations),
        cmocka_unit_test(fig13_counts_most_by_more),
        cmocka_unit_test(fig14_outliers_of_t7_and_t8),
        cmocka_unit_test(fig15_mt_has_k_1),
        cmocka_unit_test(all_combinations_suppress_t7_and_t8),
        cmocka_unit_test(a_further_level_makes_t7_common),
    };
    return cmocka_run_group_tests(tests, seed_enter, NULL);
}
