/* Persons with several rows (--entity): every count is over distinct persons. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_models_small.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sizes ---------------------------------------------------------------------------------- */

static void a_person_counts_once_in_a_class(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who\nx,ann\nx,ann\nx,ann\nx,bob\nx,bob\n");
    json_t *d = small_must("check", KEYS("qi", "q", "k", "3", "entity", "who"));
    small_says(d, "k", 2);
    small_says(d, "rows", 5);
    small_says(d, "classes.max", 2);
    small_says(d, "risk.prosecutor_max", 0.5);
    assert_false(small_holds(d, 0));
    json_decref(d);
    d = small_must("check", KEYS("qi", "q", "k", "3", "identifier", "who"));
    small_says(d, "k", 5);
    assert_true(small_holds(d, 0));
    json_decref(d);
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "q", "k", "3", "entity", "who", "output", "release.csv"));
    assert_false(brute_exists("release.csv"));
    d = small_must("anonymize",
                   KEYS("qi", "q", "k", "2", "entity", "who", "output", "release.csv"));
    small_says(d, "classes.min", 2);
    small_says(d, "utility.precision", 1);
    json_decref(d);
}

/* ann is in x and in y: two persons each, three together. */
static void a_person_in_two_tuples_counts_once_when_they_merge(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who\nx,ann\ny,ann\nx,bob\ny,cid\n");
    json_t *d = small_must("check", KEYS("qi", "q", "k", "2", "entity", "who"));
    small_says(d, "k", 2);
    json_decref(d);
    d = small_must("anonymize", KEYS("qi", "q", "k", "3", "entity", "who", "method", "mingen",
                                     "output", "release.csv"));
    small_says(d, "node.q", 1);
    small_says(d, "classes.min", 3);
    small_says(d, "classes.count", 1);
    small_says(d, "released_rows", 4);
    json_decref(d);
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "q", "k", "4", "entity", "who", "output", "release.csv"));
    d = small_must("anonymize",
                   KEYS("qi", "q", "k", "4", "identifier", "who", "output", "release.csv"));
    small_says(d, "classes.min", 4);
    json_decref(d);
    d = small_must("lattice", KEYS("qi", "q", "k", "3", "entity", "who"));
    small_says(d, "nodes.holding", 1);
    json_decref(d);
}

/* Other columns of the quasi-identifier stay below the top; ids meet again and again. */
static void persons_in_several_tuples_merge_level_by_level(void **state)
{
    (void)state;
    brute_write_text("q.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    brute_write_text("table.csv", "q,who\na,1\nb,1\nc,1\nd,1\na,2\nb,3\nc,4\nd,2\n");
    static const int persons[] = {2, 3, 4}; /* in the smallest class of each level */
    for (int level = 0; level < 3; level++) {
        char bounds[32];
        snprintf(bounds, sizeof bounds, "q=%d..%d", level, level);
        for (int k = persons[level]; k <= persons[level] + 1; k++) {
            char text[16];
            snprintf(text, sizeof text, "%d", k);
            mgl_status status;
            json_t *d =
                small_run("anonymize", &status,
                          KEYS("qi", "q", "hierarchy", "q=q.csv", "level", bounds, "k", text,
                               "entity", "who", "method", "mingen", "output", "release.csv"));
            assert_int_equal(status, k == persons[level] ? MGL_OK : MGL_UNMET);
            if (d != NULL)
                small_says(d, "classes.min", k);
            json_decref(d);
        }
    }
}

/* ---- Histograms -------------------------------------------------------------------------------
 */

/* Two persons with flu, two with cold; by rows it would be 3 and 2. */
static void shares_are_of_persons(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who,ill\nx,ann,flu\nx,ann,flu\nx,ann,cold\nx,bob,flu\n"
                                  "x,cid,cold\n");
    json_t *d = small_must(
        "check", KEYS("qi", "q", "sensitive", "ill", "entity", "who", "alpha", "ill=0.5"));
    assert_true(small_holds(d, 0));
    small_says(d, "k", 3);
    small_says(d, "attributes.ill.alpha", 0.5);
    small_says(d, "attributes.ill.entropy_l", 2);
    small_says(d, "attributes.ill.recursive_c.2", 1);
    small_says(d, "attributes.ill.t_equal", 0);
    json_decref(d);
    d = small_must("check",
                   KEYS("qi", "q", "sensitive", "ill", "identifier", "who", "alpha", "ill=0.5"));
    assert_false(small_holds(d, 0));
    small_says(d, "attributes.ill.alpha", 0.6);
    json_decref(d);
}

/* q is of persons, too: flu 3 (ann once though she is in both classes), cold 2. */
static void shares_of_the_table_are_of_persons(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who,ill\nx,ann,flu\nx,ann,flu\nx,bob,flu\nx,cid,cold\n"
                                  "y,ann,flu\ny,dan,flu\ny,eve,cold\ny,eve,cold\n");
    json_t *d = small_must("check", KEYS("qi", "q", "sensitive", "ill", "entity", "who"));
    /* p = 2/3, 1/3 in both classes; q = 3/5, 2/5 */
    small_says(d, "attributes.ill.t_equal", 2.0 / 3 - 0.6);
    small_says(d, "attributes.ill.beta", (2.0 / 3 - 0.6) / 0.6);
    small_says(d, "attributes.ill.delta", fabs(log(1.0 / 3 / 0.4)));
    json_decref(d);
}

/* With k it is k that counts persons, and p counts values: a class of two persons can have three
 * values. */
static void beside_k_p_counts_values(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who,ill\nx,ann,flu\nx,ann,cold\nx,bob,gout\n");
    brute_write_text("ill.csv", "flu;f;*\ncold;c;*\ngout;g;*\n");
    static const char *const options[][2] = {{"p-sensitive", "3"}, {"extended-p", "ill=3"}};
    for (size_t i = 0; i < 2; i++) {
        json_t *d = small_must(
            "check", KEYS("qi", "q", "sensitive", "ill", "entity", "who", "k", "3", options[i][0],
                          options[i][1], "sensitive-hierarchy", "ill=ill.csv", "protect", "ill=f"));
        assert_false(small_holds(d, 0));
        assert_true(small_holds(d, 1));
        small_says(json_array_get(json_object_get(d, "models"), 1), "measured", 3);
        small_says(d, "attributes.ill.p", 3);
        small_says(d, "attributes.ill.extended_p", 3);
        json_decref(d);
    }
    json_t *d = small_must("check", KEYS("qi", "q", "sensitive", "ill", "entity", "who",
                                         "sensitive-hierarchy", "ill=ill.csv", "protect", "ill=f"));
    small_says(d, "attributes.ill.p", 3);
    small_says(d, "attributes.ill.extended_p", 3);
    json_decref(d);
}

/* p-sensitive without k: k = p, and one person with two values is one person. */
static void p_values_need_p_persons(void **state)
{
    (void)state;
    brute_write_text("table.csv", "q,who,ill\nx,ann,flu\nx,ann,cold\n");
    json_t *d = small_must(
        "check", KEYS("qi", "q", "sensitive", "ill", "entity", "who", "p-sensitive", "2"));
    assert_false(small_holds(d, 0));
    json_decref(d);
    d = small_must("check",
                   KEYS("qi", "q", "sensitive", "ill", "entity", "who", "l-diversity", "ill=2"));
    assert_true(small_holds(d, 0));
    json_decref(d);
}

/* ann's cold counts in both classes but once in their union: cold 1/2 and 1/2, then 1/3. So
 * the ground holds and nothing above it: a binary search over heights would find nothing. */
static void a_union_can_break_what_its_parts_hold(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "samarati", "datafly"};
    brute_write_text("q.csv", "x;xy;*\ny;xy;*\n");
    brute_write_text("table.csv", "q,who,ill\nx,ann,cold\nx,bob,flu\ny,ann,cold\ny,cid,flu\n");
    json_t *d = small_must("lattice", KEYS("qi", "q", "hierarchy", "q=q.csv", "sensitive", "ill",
                                           "entity", "who", "alpha", "ill=0.5"));
    small_says(d, "nodes.holding", 1);
    small_says(d, "nodes.total", 3);
    assert_int_equal(json_array_size(json_object_get(d, "minimal_nodes")), 1);
    json_decref(d);
    for (int i = 0; i < 3; i++) {
        d = small_must("anonymize", KEYS("qi", "q", "hierarchy", "q=q.csv", "sensitive", "ill",
                                         "entity", "who", "alpha", "ill=0.5", "suppress", "0",
                                         "method", methods[i], "output", "release.csv"));
        small_says(d, "node.q", 0);
        json_decref(d);
    }
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "q", "hierarchy", "q=q.csv", "sensitive", "ill", "entity", "who",
                     "alpha", "ill=0.5", "level", "q=1..2", "output", "release.csv"));
}

/* ---- The release ---------------------------------------------------------------------------- */

static void persons_are_never_released(void **state)
{
    (void)state;
    size_t size;
    brute_write_text("table.csv", "who,q,more\nann,x,1\nbob,x,2\n");
    json_decref(small_must("anonymize", KEYS("qi", "q", "k", "2", "entity", "who", "rest",
                                             "insensitive", "output", "release.csv")));
    char *text = brute_read("release.csv", &size);
    assert_non_null(text);
    assert_memory_equal(text, "q,more\n", 7);
    assert_null(strstr(text, "ann"));
    free(text);
    small_fails(
        "anonymize", MGL_USAGE,
        KEYS("qi", "q,who", "k", "2", "entity", "who", "rest", "insensitive", "output", "r.csv"));
    small_fails("anonymize", MGL_USAGE,
                KEYS("qi", "q", "k", "2", "entity", "who", "sensitive", "who", "rest",
                     "insensitive", "output", "r.csv"));
    small_fails(
        "anonymize", MGL_USAGE,
        KEYS("qi", "q", "k", "2", "entity", "who", "insensitive", "who,more", "output", "r.csv"));
    small_fails(
        "anonymize", MGL_USAGE,
        KEYS("qi", "q", "k", "2", "entity", "nobody", "rest", "insensitive", "output", "r.csv"));
}

/* The verifier is told whose each row is in the order of the release, whatever that is and
 * whatever was dropped: ten persons with a row each in x, ten with three rows each in y. */
static void the_verifier_knows_persons_in_release_order(void **state)
{
    (void)state;
    brute_text table = {0};
    char line[32];
    brute_append_text(&table, "q,who\n");
    for (int r = 0; r < 40; r++) {
        snprintf(line, sizeof line, "%s,p%d\n", r % 4 == 0 ? "x" : "y",
                 r % 4 == 0 ? 100 + r / 4 : r / 4);
        brute_append_text(&table, line);
        if (r % 10 == 0)
            brute_append_text(&table, "z,p1\n");
    }
    brute_write("table.csv", table.data, table.size);
    free(table.data);
    static const char *const treatments[] = {"drop", "exempt"};
    for (int i = 0; i < 8; i++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%d", i);
        json_t *d = small_must("anonymize", KEYS("qi", "q", "k", "10", "entity", "who", "suppress",
                                                 "4", "suppressed", treatments[i % 2], "seed", seed,
                                                 "output", "release.csv"));
        small_says(d, "classes.min", 10);
        small_says(d, "classes.count", 2);
        small_says(d, "suppressed_rows", 4);
        assert_true(small_holds(d, 0));
        json_decref(d);
    }
}

/* ---- The verifier --------------------------------------------------------------------------- */

/* The verdict on a release of one quasi-identifier and one sensitive column. */
static bool verified(const char *text, const mgl_model *model, const mgl_column *ill,
                     const uint32_t *persons, uint64_t n_rows, mgl_found *found)
{
    static const char *const names[] = {"q", "ill"};
    static const size_t quasi[] = {0}, sensitive[] = {1};
    const mgl_promised_set set = {quasi, 1, model, 1, NULL};
    const mgl_span top = mgl_span_of("*");
    const mgl_promise promise = {
        .names = names,
        .n_names = 2,
        .n_rows = n_rows,
        .sets = &set,
        .n_sets = 1,
        .top_columns = quasi,
        .tops = &top,
        .n_tops = 1,
        .sensitive_columns = sensitive,
        .sensitive = &ill,
        .n_sensitive = 1,
        .persons.of_row = persons,
        .source = {.delimiter = ','},
    };
    mgl_error err = {0};
    brute_write_text("staged.csv", text);
    assert_int_equal(mgl_verify("staged.csv", &promise, NULL, NULL, &err, found, NULL), MGL_OK);
    return found->holds;
}

/* k-anonymous by rows, not by persons. */
static void the_verifier_counts_persons(void **state)
{
    (void)state;
    static const char release[] = "q,ill\nx,flu\ny,flu\nx,cold\ny,cold\nx,flu\ny,flu\n";
    static const uint32_t good[] = {0, 1, 2, 3, 4, 5}, bad[] = {0, 1, 0, 3, 4, 5},
                          alpha_good[] = {0, 1, 2, 3, 0, 1};
    mgl_table *table = mgl_table_new(1);
    assert_non_null(table);
    mgl_column *ill = &table->columns[0];
    ill->name = "ill";
    mgl_dictionary_add(ill->dictionary, mgl_span_of("cold"));
    mgl_dictionary_add(ill->dictionary, mgl_span_of("flu"));
    mgl_model k = {.type = mgl_model_type_find("k-anonymity"), .parameters = {3}};
    mgl_found found;
    assert_true(verified(release, &k, ill, NULL, 6, &found));
    assert_true(verified(release, &k, ill, good, 6, &found));
    assert_int_equal(found.measured, 3);
    assert_false(verified(release, &k, ill, bad, 6, &found));
    assert_int_equal(found.measured, 2);
    assert_int_equal(found.violating_classes, 1);
    assert_int_equal(found.violating_rows, 3);
    mgl_facts facts = {.n_sensitive = 1};
    mgl_model alpha = {.type = mgl_model_type_find("alpha"), .parameters = {0.5}, .facts = &facts};
    assert_false(verified(release, &alpha, ill, NULL, 6, &found)); /* flu 2 of 3 */
    assert_false(verified(release, &alpha, ill, good, 6, &found));
    assert_true(verified(release, &alpha, ill, alpha_good, 6, &found)); /* one flu, one cold */
    ill->name = NULL;                                                   /* is not its own */
    mgl_table_free(table);
}

/* ---- Random tables -----------------------------------------------------------------------------
 */

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)node;
    (void)err;
    const brute_lattice *lattice = ((void **)context)[1];
    const brute_table *t = ((void **)context)[0];
    const brute_node *plain = &lattice->nodes[number];
    if (e->holds != plain->holds || e->met != plain->met ||
        e->suppressed_rows != (uint64_t)plain->suppressed_rows)
        brute_table_disagree(t, "a node");
    return MGL_OK;
}

static void compare_table(brute_table *t, brute_random *random)
{
    brute_made m;
    brute_lattice lattice;
    brute_made_make(t, &m);
    brute_made_vary(t, &m, random, (brute_treatment)brute_below(random, 3));
    brute_made_measure(t, &m, brute_below(random, BRUTE_DRIVING));
    brute_table_lattice(t, &lattice);
    void *context[] = {t, &lattice};
    uint64_t visited;
    bool timed_out;
    assert_int_equal(mgl_lattice_sweep(&m.problem, visit, context, NULL, &visited, &timed_out),
                     MGL_OK);
    int ties, chosen = brute_mingen(&t->c, &lattice, &ties);
    mgl_solution *s = NULL;
    mgl_status status = mgl_method_run(mgl_method_type_find("mingen"), &m.problem, NULL, &s);
    if ((status == MGL_OK) != (chosen >= 0))
        brute_table_disagree(t, "whether mingen finds a node");
    brute_node released;
    if (chosen >= 0)
        released = brute_as_released(&t->c, &lattice.nodes[chosen]);
    for (int a = 0; chosen >= 0 && a < t->c.n_attributes; a++)
        if (s->node[a] != (uint32_t)released.level[a])
            brute_table_disagree(t, "the node of mingen");
    mgl_solution_free(s);
    brute_lattice_free(&lattice);
    brute_made_free(&m);
}

static void random_tables_count_persons(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(150); i++) {
        static brute_table t;
        brute_random random = {(uint64_t)i + 77};
        brute_table_make(&t, UINT64_C(5000000) + (uint64_t)i, 40);
        brute_order_sets(&t.c);
        t.has_persons = true;
        int persons = brute_between(&random, 1, t.c.n_rows);
        for (int r = 0; r < t.c.n_rows; r++)
            t.person[r] = brute_below(&random, persons);
        t.c.measure = BRUTE_CLASSIFICATION; /* so that the label is counted */
        brute_table_choose_models(&t, &random);
        compare_table(&t, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_counts_once_in_a_class),
        cmocka_unit_test(a_person_in_two_tuples_counts_once_when_they_merge),
        cmocka_unit_test(persons_in_several_tuples_merge_level_by_level),
        cmocka_unit_test(shares_are_of_persons),
        cmocka_unit_test(shares_of_the_table_are_of_persons),
        cmocka_unit_test(p_values_need_p_persons),
        cmocka_unit_test(beside_k_p_counts_values),
        cmocka_unit_test(a_union_can_break_what_its_parts_hold),
        cmocka_unit_test(persons_are_never_released),
        cmocka_unit_test(the_verifier_knows_persons_in_release_order),
        cmocka_unit_test(the_verifier_counts_persons),
        cmocka_unit_test(random_tables_count_persons),
    };
    return cmocka_run_group_tests_name("entity", tests, brute_enter_folder, brute_leave_folder);
}
