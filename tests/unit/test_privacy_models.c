/* Privacy models that judge a class by its sensitive values: cases by hand. */
#include "test_privacy.h"

/* One column, one class, one model: what it measures and with which parameters it holds. */
typedef struct bench {
    subject subject;
    mgl_facts facts;
    mgl_model model;
    sample_class class;
} bench;

enum { MOST = 8 };

static void begin(bench *b, const char *type, uint32_t n_values, const uint64_t *table)
{
    *b = (bench){0};
    subject_make(&b->subject, "problem", n_values, table, NULL);
    b->facts = (mgl_facts){.n_rows = b->subject.s.n, .sensitive = &b->subject.s, .n_sensitive = 1};
    b->model = (mgl_model){.type = type_of(type), .facts = &b->facts};
}

static void judge(bench *b, const uint64_t *class)
{
    class_free(&b->class);
    class_make(&b->class, b->subject.s.n_values, class);
}

static double measured(bench *b)
{
    b->facts.sensitive = &b->subject.s;
    b->model.facts = &b->facts;
    return b->model.type->measure(&b->model, class_group(&b->class));
}

static bool holds_with(bench *b, double parameter)
{
    b->facts.sensitive = &b->subject.s;
    b->model.facts = &b->facts;
    b->model.parameters[0] = parameter;
    return mgl_model_holds(&b->model, class_group(&b->class));
}

static void end(bench *b)
{
    class_free(&b->class);
    subject_free(&b->subject);
}

static void distinct_l_counts_values(void **state)
{
    (void)state;
    bench b;
    begin(&b, "l-diversity", 4, (uint64_t[]){4, 4, 4, 4});
    judge(&b, (uint64_t[]){9, 0, 1, 2});
    assert_true(measured(&b) == 3);
    assert_true(holds_with(&b, 3));
    assert_false(holds_with(&b, 4));
    end(&b);
}

static void entropy_l_is_e_to_the_entropy(void **state)
{
    (void)state;
    bench b;
    begin(&b, "entropy-l", 4, (uint64_t[]){4, 4, 4, 4});
    judge(&b, (uint64_t[]){0, 7, 0, 0});
    assert_true(measured(&b) == 1); /* not e^-0 of something, 1 */
    assert_false(signbit(measured(&b)));
    assert_true(holds_with(&b, 1));
    assert_false(holds_with(&b, 1.0000001));

    judge(&b, (uint64_t[]){3, 3, 0, 3});
    assert_true(measured(&b) == 3);
    assert_true(holds_with(&b, 3));
    assert_true(holds_with(&b, 3 * (1 + 1e-13))); /* within 1e-12 */
    assert_false(holds_with(&b, 3 * (1 + 1e-11)));

    /* H = 3/4 ln 4/3 + 1/4 ln 4: l lies between 1 and 2 and is no whole number. */
    judge(&b, (uint64_t[]){3, 0, 0, 1});
    double l = 4 / pow(27, 0.25);
    assert_close(measured(&b), l);
    assert_true(holds_with(&b, l));
    assert_true(holds_with(&b, 1.7));
    assert_false(holds_with(&b, 1.8));
    assert_false(holds_with(&b, 2));
    end(&b);
}

static void recursive_cl_sorts_counts_descending(void **state)
{
    (void)state;
    bench b;
    begin(&b, "recursive-cl", 5, (uint64_t[]){9, 9, 9, 9, 9});
    /* Descending 6, 3, 2, 1: the smallest first would give c = 1/(2+3+6). */
    judge(&b, (uint64_t[]){2, 6, 0, 1, 3});
    const double expected[] = {0, 6.0 / 12, 6.0 / 6, 6.0 / 3, 6.0 / 1, INFINITY};
    for (int l = 1; l <= 5; l++) {
        b.model.parameters[1] = l;
        assert_close(measured(&b), expected[l]);
        assert_false(holds_with(&b, expected[l])); /* strict */
        assert_false(holds_with(&b, expected[l] * (1 - 1e-9)));
        assert_true(l == 5 || holds_with(&b, expected[l] * (1 + 1e-9)));
    }
    b.model.parameters[1] = 5;
    assert_false(holds_with(&b, 1e9));

    /* 28 < 1.12 * 25 is false, though the product is rounded up. */
    volatile double c = 1.12;
    assert_true(28 < c * 25);
    b.model.parameters[1] = 2;
    judge(&b, (uint64_t[]){28, 25, 0, 0, 0});
    assert_false(holds_with(&b, c));

    /* Ties around the l-th largest. */
    judge(&b, (uint64_t[]){4, 4, 4, 1, 1});
    b.model.parameters[1] = 3;
    assert_close(measured(&b), 4.0 / 6);
    b.model.parameters[1] = 5;
    assert_close(measured(&b), 4.0);
    end(&b);
}

static void recursive_infimum_is_that_of_every_l(void **state)
{
    (void)state;
    double infimum[6] = {0};
    uint64_t scratch[5];
    const uint32_t values[] = {0, 1, 2, 3};
    mgl_histogram first = {values, (uint64_t[]){2, 6, 1, 3}, 4, NULL};
    mgl_histogram second = {values, (uint64_t[]){1, 1, 9}, 3, NULL};
    mgl_recursive_infimum(NULL, &first, 5, infimum, scratch);
    assert_close(infimum[2], 1);
    assert_close(infimum[3], 2);
    assert_close(infimum[4], 6);
    assert_true(isinf(infimum[5]));
    mgl_recursive_infimum(NULL, &second, 5, infimum, scratch);
    assert_close(infimum[2], 4.5);
    assert_close(infimum[3], 9);
    assert_true(isinf(infimum[4]) && isinf(infimum[5]));
    mgl_recursive_infimum(NULL, &first, 3, infimum, scratch);
    assert_close(infimum[2], 4.5); /* the largest is kept */
    mgl_histogram single = {values, (uint64_t[]){5}, 1, NULL};
    mgl_recursive_infimum(NULL, &single, 5, infimum, scratch);
    assert_true(isinf(infimum[2]));
}

static void alpha_is_the_largest_share(void **state)
{
    (void)state;
    bench b;
    begin(&b, "alpha", 3, (uint64_t[]){5, 5, 5});
    judge(&b, (uint64_t[]){1, 0, 2});
    assert_close(measured(&b), 2.0 / 3);
    assert_true(holds_with(&b, 2.0 / 3));
    assert_true(holds_with(&b, 2.0 / 3 * (1 - 1e-13)));
    assert_false(holds_with(&b, 2.0 / 3 * (1 - 1e-11)));
    assert_true(holds_with(&b, 1));
    judge(&b, (uint64_t[]){4, 0, 0});
    assert_true(measured(&b) == 1);
    end(&b);
}

static void set_distance(bench *b, const char *word)
{
    const char *const *words = b->model.type->parameters[1].words;
    size_t i = 0;
    while (words[i] != NULL && strcmp(words[i], word) != 0)
        i++;
    assert_non_null(words[i]);
    b->model.parameters[1] = (double)i;
}

/* Salaries 3..11 of Li, Li and Venkatasubramanian, each once in nine rows. */
static void ordered_t_has_the_figures_of_the_paper(void **state)
{
    (void)state;
    bench b;
    begin(&b, "t-closeness", 9, (uint64_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
    set_distance(&b, "ordered");
    judge(&b, (uint64_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0}); /* 3, 4, 5: the paper's 0.375 */
    assert_close(measured(&b), 0.375);
    judge(&b, (uint64_t[]){0, 0, 0, 1, 0, 1, 0, 0, 1}); /* 6, 8, 11: the paper's 0.167 */
    assert_close(measured(&b), 1.0 / 6);
    assert_true(holds_with(&b, 1.0 / 6));
    assert_true(holds_with(&b, 1.0 / 6 * (1 - 1e-13)));
    assert_false(holds_with(&b, 1.0 / 6 * (1 - 1e-11)));
    judge(&b, (uint64_t[]){3, 3, 3, 3, 3, 3, 3, 3, 3});
    assert_true(measured(&b) == 0);
    assert_true(holds_with(&b, 0));
    set_distance(&b, "equal");
    assert_true(measured(&b) == 0);
    judge(&b, (uint64_t[]){1, 1, 1, 0, 0, 0, 0, 0, 0});
    assert_close(measured(&b), 2.0 / 3);
    end(&b);
}

/* A single value in the table: nothing can be learnt. */
static void t_of_a_single_value_is_zero(void **state)
{
    (void)state;
    bench b;
    begin(&b, "t-closeness", 3, (uint64_t[]){0, 6, 0});
    judge(&b, (uint64_t[]){0, 2, 0});
    const char *const words[] = {"equal", "ordered"};
    for (int i = 0; i < 2; i++) {
        set_distance(&b, words[i]);
        assert_true(measured(&b) == 0);
        assert_true(holds_with(&b, 0));
    }
    end(&b);
}

/* The order of the codes is that of the rows; ranks are by value. */
static void t_does_not_depend_on_codes(void **state)
{
    (void)state;
    const uint64_t table[] = {5, 1, 0, 3, 7}, class[] = {2, 0, 0, 1, 1};
    const uint32_t order[] = {3, 0, 4, 2, 1}; /* order[i] is the new code of the old i */
    uint64_t new_table[5], new_class[5];
    for (int i = 0; i < 5; i++) {
        new_table[order[i]] = table[i];
        new_class[order[i]] = class[i];
    }
    const char *const words[] = {"equal", "ordered"};
    for (int i = 0; i < 2; i++) {
        bench b;
        begin(&b, "t-closeness", 5, table);
        set_distance(&b, words[i]);
        judge(&b, class);
        double expected = measured(&b);
        assert_true(expected > 0);
        subject_free(&b.subject);
        subject_make(&b.subject, "problem", 5, new_table, order);
        judge(&b, new_class);
        assert_true(measured(&b) == expected); /* to the last bit */
        end(&b);
    }
}

/* Flu and cold are respiratory, gastritis and ulcer digestive. */
static void hierarchical_t_moves_within_subtrees_first(void **state)
{
    (void)state;
    uint32_t leaves[] = {0, 1, 2, 3}, groups[] = {0, 0, 1, 1}, top[] = {0, 0, 0, 0};
    bench b;
    begin(&b, "t-closeness", 4, (uint64_t[]){1, 1, 1, 1});
    set_distance(&b, "hierarchical");
    judge(&b, (uint64_t[]){1, 0, 0, 0});
    assert_true(isinf(measured(&b))); /* no hierarchy */
    assert_false(holds_with(&b, 1));
    mgl_error err;
    assert_int_equal(b.model.type->prepare(&b.model, &b.facts, &err), MGL_USAGE);
    assert_non_null(strstr(err.message, "`sensitive-hierarchy`"));

    subject_grow(&b.subject, 2, (uint32_t *[]){leaves, groups, top});
    assert_int_equal(b.model.type->prepare(&b.model, &b.facts, &err), MGL_OK);
    /* p - q = 3/4 -1/4 -1/4 -1/4: 1/4 moves within its group at 1/2, 1/2 across at 1. */
    assert_close(measured(&b), 0.25 * 0.5 + 0.5);
    judge(&b, (uint64_t[]){1, 0, 1, 0}); /* both groups as in the table */
    assert_close(measured(&b), 0.5 * 0.5);
    assert_true(holds_with(&b, 0.25));
    assert_false(holds_with(&b, 0.24));
    judge(&b, (uint64_t[]){2, 2, 2, 2});
    assert_true(measured(&b) == 0);
    end(&b);
}

static void delta_disclosure_is_strict(void **state)
{
    (void)state;
    bench b;
    begin(&b, "delta-disclosure", 4, (uint64_t[]){6, 3, 0, 3});
    judge(&b, (uint64_t[]){2, 1, 0, 1});
    assert_true(measured(&b) == 0);
    assert_false(holds_with(&b, 0)); /* strict */
    assert_true(holds_with(&b, 1e-9));
    judge(&b, (uint64_t[]){1, 1, 0, 2}); /* 1/2, 1, 2 times the share */
    assert_close(measured(&b), log(2));
    assert_false(holds_with(&b, measured(&b)));
    assert_true(holds_with(&b, log(2) * (1 + 1e-9)));
    assert_false(holds_with(&b, log(2) * (1 - 1e-9)));
    judge(&b, (uint64_t[]){1, 8, 0, 8}); /* the smallest share counts too */
    assert_close(measured(&b), log(17.0 / 2));
    judge(&b, (uint64_t[]){4, 2, 0, 0}); /* a value of the table is absent */
    assert_true(isinf(measured(&b)));
    assert_false(holds_with(&b, 1000));
    end(&b);
}

static void beta_is_the_largest_gain(void **state)
{
    (void)state;
    bench b;
    begin(&b, "beta", 3, (uint64_t[]){5, 3, 2});
    judge(&b, (uint64_t[]){10, 6, 4});
    assert_true(measured(&b) == 0);
    assert_true(holds_with(&b, 0));
    judge(&b, (uint64_t[]){1, 2, 1}); /* -1/2, 2/3, 1/4 */
    assert_close(measured(&b), 2.0 / 3);
    assert_true(holds_with(&b, 2.0 / 3));
    assert_true(holds_with(&b, 2.0 / 3 * (1 - 1e-13)));
    assert_false(holds_with(&b, 2.0 / 3 * (1 - 1e-11)));
    judge(&b, (uint64_t[]){0, 0, 5});
    assert_close(measured(&b), 4);
    assert_true(holds_with(&b, 4));
    end(&b);
}

static void enhanced_beta_is_bounded_by_minus_ln_q(void **state)
{
    (void)state;
    bench b;
    begin(&b, "enhanced-beta", 3, (uint64_t[]){5, 3, 2});
    judge(&b, (uint64_t[]){1, 2, 1}); /* gain 2/3 < -ln 0.3 */
    assert_close(measured(&b), 2.0 / 3);
    assert_true(holds_with(&b, 2.0 / 3));
    assert_false(holds_with(&b, 0.6));
    judge(&b, (uint64_t[]){0, 0, 5}); /* gain 4 > -ln 0.2 */
    assert_true(isinf(measured(&b)));
    assert_false(holds_with(&b, 4));
    assert_false(holds_with(&b, 4294967295.0));
    judge(&b, (uint64_t[]){4, 0, 0}); /* gain 1 > ln 2 */
    assert_true(isinf(measured(&b)));
    end(&b);
    begin(&b, "enhanced-beta", 1, (uint64_t[]){5}); /* q = 1, -ln q = 0 */
    judge(&b, (uint64_t[]){2});
    assert_true(measured(&b) == 0);
    assert_true(holds_with(&b, 0));
    end(&b);
}

static void extended_p_counts_protected_subtrees(void **state)
{
    (void)state;
    /* low 0-2, middle 3-5 are their own; high 6-7 is one protected subtree. */
    bench b;
    begin(&b, "extended-p-sensitive", MOST, (uint64_t[]){1, 1, 1, 1, 1, 1, 1, 1});
    b.subject.strong[7] = 6;
    b.subject.s.n_strong = 7;
    judge(&b, (uint64_t[]){0, 0, 0, 0, 0, 0, 3, 2});
    assert_true(measured(&b) == 1);
    assert_false(holds_with(&b, 2));
    judge(&b, (uint64_t[]){0, 1, 0, 0, 0, 0, 3, 2});
    assert_true(measured(&b) == 2);
    assert_true(holds_with(&b, 2));
    assert_false(holds_with(&b, 3));
    b.class.group.size = 1; /* one person with three values, and k = p */
    assert_false(holds_with(&b, 2));
    end(&b);
}

/* More subtrees than fit one window, numbered far apart. */
static void extended_p_counts_very_many_subtrees(void **state)
{
    (void)state;
    enum { MANY = 10000 };
    uint64_t *counts = calloc(MANY, sizeof *counts);
    for (int i = 0; i < MANY; i++)
        counts[i] = 1;
    bench b;
    begin(&b, "extended-p-sensitive", MANY, counts);
    for (int i = 0; i < MANY; i++) {
        b.subject.strong[i] = (uint32_t)(i % 2 == 0 ? i : MANY - 1); /* odd ones together */
        counts[i] = i % 5 == 0;
    }
    judge(&b, counts);
    assert_true(measured(&b) == 1001);
    assert_true(holds_with(&b, 1001));
    assert_false(holds_with(&b, 1002));
    end(&b);
    free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinct_l_counts_values),
        cmocka_unit_test(entropy_l_is_e_to_the_entropy),
        cmocka_unit_test(recursive_cl_sorts_counts_descending),
        cmocka_unit_test(recursive_infimum_is_that_of_every_l),
        cmocka_unit_test(alpha_is_the_largest_share),
        cmocka_unit_test(ordered_t_has_the_figures_of_the_paper),
        cmocka_unit_test(t_of_a_single_value_is_zero),
        cmocka_unit_test(t_does_not_depend_on_codes),
        cmocka_unit_test(hierarchical_t_moves_within_subtrees_first),
        cmocka_unit_test(delta_disclosure_is_strict),
        cmocka_unit_test(beta_is_the_largest_gain),
        cmocka_unit_test(enhanced_beta_is_bounded_by_minus_ln_q),
        cmocka_unit_test(extended_p_counts_protected_subtrees),
        cmocka_unit_test(extended_p_counts_very_many_subtrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
