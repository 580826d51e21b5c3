/* Privacy models that judge sizes, several columns or the whole table; what prepare refuses;
 * what the descriptors say. */
#include "test_privacy.h"

static bool class_holds(const char *type, double first, double second, uint64_t size,
                        uint64_t population)
{
    mgl_model model = {.type = type_of(type), .parameters = {first, second}};
    mgl_group group = {.size = size, .rows = size, .population = population};
    return mgl_model_holds(&model, &group);
}

static void models_of_sizes_hold_at_their_bounds(void **state)
{
    (void)state;
    assert_true(class_holds("k-anonymity", 5, 0, 5, 0));
    assert_false(class_holds("k-anonymity", 5, 0, 4, 0));
    assert_true(class_holds("max-risk", 0.2, 0, 5, 0));
    assert_true(class_holds("max-risk", 0.2 * (1 - 1e-13), 0, 5, 0));
    assert_false(class_holds("max-risk", 0.2 * (1 - 1e-11), 0, 5, 0));
    assert_false(class_holds("max-risk", 0.2, 0, 4, 0));
    assert_false(class_holds("max-risk", 0.5, 0, 0, 0));
    /* 1/3 as people write it is less than a third: they mean the next class size. */
    assert_false(class_holds("max-risk", 0.333, 0, 3, 0));
    assert_true(class_holds("k-map", 5, 0, 1, 5));
    assert_false(class_holds("k-map", 5, 0, 9, 4));
}

static void delta_presence_holds_between_its_bounds(void **state)
{
    (void)state;
    assert_true(class_holds("delta-presence", 0.25, 0.5, 1, 4));
    assert_true(class_holds("delta-presence", 0.25, 0.5, 2, 4));
    assert_false(class_holds("delta-presence", 0.25, 0.5, 3, 4));
    assert_false(class_holds("delta-presence", 0.25, 0.5, 1, 5));
    assert_true(class_holds("delta-presence", 0.1, 0.3, 3, 10));
    assert_true(class_holds("delta-presence", 0.3, 1, 3, 10));
    assert_false(class_holds("delta-presence", 0, 1, 3, 0)); /* nobody to hide among */
    assert_false(type_of("delta-presence")->union_closed);
}

static void p_sensitive_asks_every_column(void **state)
{
    (void)state;
    const uint32_t values[] = {0, 1, 2};
    const uint64_t counts[] = {1, 4, 1};
    mgl_histogram columns[] = {{values, counts, 3, NULL}, {values, counts, 2, NULL}};
    mgl_group group = {.size = 6, .rows = 6, .sensitive = columns, .n_sensitive = 2};
    mgl_model model = {.type = type_of("p-sensitive"), .parameters = {2}};
    assert_true(mgl_model_holds(&model, &group));
    assert_true(model.type->measure(&model, &group) == 2);
    model.parameters[0] = 3; /* the second column has two */
    assert_false(mgl_model_holds(&model, &group));
    group.n_sensitive = 1;
    assert_true(mgl_model_holds(&model, &group));
    group.size = 2; /* two persons with three values, and k = p */
    assert_false(mgl_model_holds(&model, &group));
}

static double table_measure(const char *type, double parameter, const mgl_class_sizes *classes)
{
    mgl_model model = {.type = type_of(type), .parameters = {parameter}};
    return model.type->table_measure(&model, classes);
}

static bool table_holds(const char *type, double first, double second,
                        const mgl_class_sizes *classes)
{
    mgl_model model = {.type = type_of(type), .parameters = {first, second}};
    return model.type->table_holds(&model, classes);
}

static void table_risks_are_measured(void **state)
{
    (void)state;
    const mgl_class_sizes classes = {.sizes = (uint64_t[]){1, 1, 2, 6}, .n = 4}, none = {0};
    assert_close(table_measure("mean-risk", 0, &classes), 0.4);
    assert_true(table_holds("mean-risk", 0.4, 0, &classes));
    assert_true(table_holds("mean-risk", 0.4 * (1 - 1e-13), 0, &classes));
    assert_false(table_holds("mean-risk", 0.39, 0, &classes));

    assert_close(table_measure("risk-share", 0.5, &classes), 0.2); /* 1/2 is not above 1/2 */
    assert_close(table_measure("risk-share", 0.49, &classes), 0.4);
    assert_close(table_measure("risk-share", 0.5 * (1 - 1e-13), &classes), 0.2);
    assert_close(table_measure("risk-share", 0, &classes), 1);
    assert_true(table_holds("risk-share", 0.5, 0.2, &classes));
    assert_false(table_holds("risk-share", 0.5, 0.19, &classes));
    assert_true(table_holds("risk-share", 1, 0, &classes));

    assert_close(table_measure("sample-uniqueness", 0, &classes), 0.2);
    assert_true(table_holds("sample-uniqueness", 0.2, 0, &classes));
    assert_false(table_holds("sample-uniqueness", 0.1, 0, &classes));

    assert_true(table_holds("mean-risk", 0, 0, &none));
    assert_true(table_holds("risk-share", 0, 0, &none));
    assert_true(table_holds("sample-uniqueness", 0, 0, &none));
}

static void found_keeps_the_worst_class(void **state)
{
    (void)state;
    mgl_model model = {.type = type_of("mean-risk"), .parameters = {0.3}};
    mgl_found found = MGL_FOUND_NOTHING;
    const mgl_class_sizes classes = {.sizes = (uint64_t[]){1, 1, 2, 6}, .n = 4}, none = {0};
    mgl_found_judge_table(&found, &model, &none);
    assert_true(found.holds && isnan(found.measured));
    mgl_found_judge_table(&found, &model, &classes);
    assert_false(found.holds);
    assert_close(found.measured, 0.4);
    assert_int_equal(found.violating_rows, 10);
    assert_int_equal(found.violating_classes, 4);
}

/* ---- Refusals ------------------------------------------------------------------------ */

typedef struct refusal {
    const char *type;
    double parameters[2];
    mgl_status status;
    const char *words[4]; /* of the message */
} refusal;

/* 20 rows; "illness" has 3 values in 2 of 3 protected subtrees, "pay" has 2; k = 4. */
static const refusal refusals[] = {
    {"k-anonymity", {21}, MGL_UNMET, {"21", "20 rows"}},
    {"l-diversity", {4}, MGL_UNMET, {"l = 4", "illness", "only 3"}},
    {"l-diversity", {3}, MGL_OK, {0}},
    {"entropy-l", {3.01}, MGL_UNMET, {"3.01", "illness", "only 3"}},
    {"entropy-l", {3}, MGL_OK, {0}},
    {"recursive-cl", {5, 4}, MGL_UNMET, {"l = 4", "illness", "only 3"}},
    {"recursive-cl", {0.5, 2}, MGL_UNMET, {"c = 0.5", "illness", "above 0.5"}},
    {"recursive-cl", {0, 1}, MGL_UNMET, {"c = 0"}},
    {"recursive-cl", {0.51, 2}, MGL_OK, {0}},
    {"p-sensitive", {5}, MGL_UNMET, {"condition 1", "p = 5", "k = 4"}},
    {"p-sensitive", {3}, MGL_UNMET, {"condition 2", "p = 3", "pay", "has 2"}},
    {"p-sensitive", {2}, MGL_OK, {0}},
    {"extended-p-sensitive", {5}, MGL_UNMET, {"condition 1", "p = 5", "k = 4"}},
    {"extended-p-sensitive", {4}, MGL_UNMET, {"condition 2", "p = 4", "hierarchy", "has 3"}},
    {"extended-p-sensitive", {3}, MGL_UNMET, {"condition 2", "p = 3", "data", "in 2 of the 3"}},
    {"extended-p-sensitive", {2}, MGL_OK, {0}},
    {"alpha", {0.33}, MGL_UNMET, {"alpha = 0.33", "illness", "3 distinct"}},
    {"alpha", {1.0 / 3}, MGL_OK, {0}},
    {"t-closeness", {0.1, 2}, MGL_USAGE, {"hierarchy", "illness", "`sensitive-hierarchy`"}},
    {"t-closeness", {0, 1}, MGL_OK, {0}},
    {"delta-disclosure", {0}, MGL_UNMET, {"delta = 0"}},
    {"delta-disclosure", {0.01}, MGL_OK, {0}},
    {"delta-presence", {0.5, 0.4}, MGL_USAGE, {"lo = 0.5", "hi = 0.4"}},
    {"delta-presence", {0.4, 0.4}, MGL_OK, {0}},
    {"max-risk", {0.04}, MGL_UNMET, {"0.04", "20 rows", "0.05"}},
    {"max-risk", {0.05}, MGL_OK, {0}},
    {"mean-risk", {0.04}, MGL_UNMET, {"0.04", "20 rows", "0.05"}},
    {"mean-risk", {0.05}, MGL_OK, {0}},
};

static void what_no_class_can_hold_is_refused(void **state)
{
    (void)state;
    subject illness, pay;
    subject_make(&illness, "illness", 4, (uint64_t[]){9, 0, 6, 5}, NULL);
    illness.s.n_strong = 3;
    illness.s.n_strong_present = 2;
    subject_make(&pay, "pay", 2, (uint64_t[]){10, 10}, NULL);
    mgl_sensitive columns[] = {illness.s, pay.s};
    mgl_facts facts = {.n_rows = 20, .sensitive = columns, .n_sensitive = 2, .k = 4};
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const refusal *r = &refusals[i];
        mgl_model model = {.type = type_of(r->type), .facts = &facts};
        memcpy(model.parameters, r->parameters, sizeof r->parameters);
        mgl_error err = {0};
        if (model.type->prepare(&model, &facts, &err) != r->status)
            fail_msg("%s %g %g: %s", r->type, r->parameters[0], r->parameters[1], err.message);
        for (size_t w = 0; w < 4 && r->words[w] != NULL; w++)
            if (strstr(err.message, r->words[w]) == NULL)
                fail_msg("%s %g: \"%s\" is not in: %s", r->type, r->parameters[0], r->words[w],
                         err.message);
        assert_int_equal(model.type->prepare(&model, &facts, NULL), r->status);
    }
    subject_free(&illness);
    subject_free(&pay);
}

/* Condition 1 needs a k, p-sensitivity a column. */
static void conditions_of_p_sensitivity_need_k_and_a_column(void **state)
{
    (void)state;
    subject illness;
    subject_make(&illness, "illness", 3, (uint64_t[]){9, 6, 5}, NULL);
    mgl_facts facts = {.n_rows = 20, .sensitive = &illness.s, .n_sensitive = 1};
    mgl_model model = {.type = type_of("p-sensitive"), .parameters = {3}, .facts = &facts};
    assert_int_equal(model.type->prepare(&model, &facts, NULL), MGL_OK);
    model.type = type_of("extended-p-sensitive");
    assert_int_equal(model.type->prepare(&model, &facts, NULL), MGL_OK);
    facts.n_sensitive = 0;
    model.type = type_of("p-sensitive");
    assert_int_equal(model.type->prepare(&model, &facts, NULL), MGL_USAGE);
    subject_free(&illness);
}

/* ---- Descriptors --------------------------------------------------------------------- */

static void model_names_options_and_parameters_are_the_contract(void **state)
{
    (void)state;
    /* The contract with scripts: model keys, options, parameters. */
    static const char *const contract[] = {
        "k-anonymity k k",
        "l-diversity l-diversity attribute l",
        "entropy-l entropy-l attribute l",
        "recursive-cl recursive-cl attribute c l",
        "p-sensitive p-sensitive p",
        "extended-p-sensitive extended-p attribute p",
        "alpha alpha attribute alpha",
        "t-closeness t-closeness attribute t distance",
        "delta-disclosure delta-disclosure attribute delta",
        "beta beta attribute beta",
        "enhanced-beta enhanced-beta attribute beta",
        "k-map k-map k",
        "delta-presence delta-presence lo hi",
        "max-risk max-risk x",
        "mean-risk mean-risk x",
        "risk-share risk-share threshold share",
        "sample-uniqueness sample-uniqueness x",
        "population-uniqueness population-uniqueness x estimator",
        "household-risk household-risk x",
    };
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    assert_int_equal(n, sizeof contract / sizeof contract[0]);
    for (size_t i = 0; i < n; i++) {
        const mgl_model_type *type = types[i];
        char text[256];
        int used = snprintf(text, sizeof text, "%s %s%s", type->name, type->option,
                            type->takes_attribute ? " attribute" : "");
        for (size_t p = 0; p < type->n_parameters; p++) {
            used +=
                snprintf(text + used, sizeof text - (size_t)used, " %s", type->parameters[p].name);
            assert_non_null(type->parameters[p].help);
            assert_true(type->parameters[p].min < type->parameters[p].max);
        }
        assert_string_equal(text, contract[i]);
        assert_ptr_equal(mgl_model_type_find(type->name), type);
        assert_true(strlen(type->help) < 90 && strlen(type->when) < 90);
        bool table = type->scope == MGL_SCOPE_TABLE;
        assert_true(table == (type->table_holds != NULL) && table == (type->table_measure != NULL));
        assert_true(table == (type->holds == NULL) && table == (type->measure == NULL));
        assert_true(!type->upward_closed || type->union_closed);
    }
    assert_null(mgl_model_type_find("k-anonymit"));
}

static void strongest_parameters_have_their_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "p",    "distinct_l",    "entropy_l", "alpha",     "t_equal", "t_ordered", "t_hierarchical",
        "beta", "enhanced_beta", "delta",     "extended_p"};
    size_t n;
    const mgl_strongest *table = mgl_strongest_table(&n);
    assert_int_equal(n, sizeof keys / sizeof keys[0]);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(table[i].key, keys[i]);
        assert_true(table[i].type->takes_attribute);
        assert_true(table[i].needs_hierarchy == (strcmp(keys[i], "t_hierarchical") == 0));
        assert_true(table[i].needs_protected == (strcmp(keys[i], "extended_p") == 0));
        assert_true(table[i].whole == table[i].type->parameters[0].whole);
        if (strncmp(keys[i], "t_", 2) == 0) {
            const mgl_parameter *distance = &table[i].type->parameters[1];
            assert_string_equal(distance->words[(int)table[i].parameters[1]], keys[i] + 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_sizes_hold_at_their_bounds),
        cmocka_unit_test(delta_presence_holds_between_its_bounds),
        cmocka_unit_test(p_sensitive_asks_every_column),
        cmocka_unit_test(table_risks_are_measured),
        cmocka_unit_test(found_keeps_the_worst_class),
        cmocka_unit_test(what_no_class_can_hold_is_refused),
        cmocka_unit_test(conditions_of_p_sensitivity_need_k_and_a_column),
        cmocka_unit_test(model_names_options_and_parameters_are_the_contract),
        cmocka_unit_test(strongest_parameters_have_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
