/* Privacy models on random classes: against the formulas of docs/definitions.md#models written out
 * plainly, measure against holds, and what is claimed of unions and supersets. */
#include "test_privacy_plain.h"

#include "brute.h"

enum { VALUES = 12, LARGE = 3000 };

/* ---- Random tables and classes -------------------------------------------------------- */

typedef struct world {
    int n;
    uint64_t *table, *class, *other, *both;
    uint32_t *order, *of_leaf[HEIGHT + 1];
    subject subject;
    mgl_facts facts;
} world;

/* Level h puts together, at random, two or three values of the level below. */
static void grow(world *w, brute_random *random)
{
    for (int v = 0; v < w->n; v++)
        w->of_leaf[0][v] = (uint32_t)v;
    for (int h = 1; h <= HEIGHT; h++) {
        uint32_t *parent = malloc((size_t)w->n * sizeof *parent);
        int wide = h == HEIGHT ? 1 : w->n / (h + 1) + 1;
        for (int v = 0; v < w->n; v++)
            parent[v] = (uint32_t)brute_below(random, wide);
        for (int v = 0; v < w->n; v++)
            w->of_leaf[h][v] = parent[w->of_leaf[h - 1][v]];
        free(parent);
    }
}

static uint64_t draw(brute_random *random, int percent, int most)
{
    return brute_chance(random, percent) ? (uint64_t)brute_between(random, 1, most) : 0;
}

/* A table, two classes of it, and their union. Every value of a class is one of the table. */
static void world_make(world *w, brute_random *random, int n)
{
    size_t size = (size_t)n * sizeof(uint64_t);
    *w = (world){.n = n,
                 .table = malloc(size),
                 .class = malloc(size),
                 .other = malloc(size),
                 .both = malloc(size),
                 .order = malloc(size)};
    for (int h = 0; h <= HEIGHT; h++)
        w->of_leaf[h] = malloc(size);
    int dense = brute_between(random, 5, 100), most = brute_between(random, 1, 6);
    for (int v = 0; v < n; v++) {
        w->class[v] = draw(random, dense, most);
        w->other[v] = draw(random, dense, most);
        w->both[v] = w->class[v] + w->other[v];
        w->table[v] = w->both[v] + draw(random, 60, 10);
        w->order[v] = (uint32_t)v;
    }
    int v = brute_below(random, n), u = brute_below(random, n); /* no class is empty */
    w->class[v]++, w->both[v]++, w->table[v]++;
    w->other[u]++, w->both[u]++, w->table[u]++;
    for (int i = n - 1; i > 0; i--) {
        int j = brute_below(random, i + 1);
        uint32_t swap = w->order[i];
        w->order[i] = w->order[j];
        w->order[j] = swap;
    }
    grow(w, random);
    subject_make(&w->subject, "s", (uint32_t)n, w->table, w->order);
    subject_grow(&w->subject, HEIGHT, w->of_leaf);
    for (int i = 0; i < n; i++) /* subtrees of the first level, some of them */
        w->subject.strong[i] = w->of_leaf[1][i];
    w->facts = (mgl_facts){.n_rows = w->subject.s.n, .sensitive = &w->subject.s, .n_sensitive = 1};
}

static void world_free(world *w)
{
    subject_free(&w->subject);
    free(w->table);
    free(w->class);
    free(w->other);
    free(w->both);
    free(w->order);
    for (int h = 0; h <= HEIGHT; h++)
        free(w->of_leaf[h]);
}

/* Every class-wise model, t once per distance. */
typedef struct kind {
    const char *type;
    double second; /* parameter */
    bool strict;
} kind;

static const kind kinds[] = {
    {"k-anonymity", 0, false},     {"l-diversity", 0, false},
    {"entropy-l", 0, false},       {"recursive-cl", 1, true},
    {"recursive-cl", 2, true},     {"recursive-cl", 4, true},
    {"p-sensitive", 0, false},     {"extended-p-sensitive", 0, false},
    {"alpha", 0, false},           {"t-closeness", 0, false},
    {"t-closeness", 1, false},     {"t-closeness", 2, false},
    {"delta-disclosure", 0, true}, {"beta", 0, false},
    {"enhanced-beta", 0, false},   {"max-risk", 0, false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static mgl_model model_of(const kind *kind, const mgl_facts *facts)
{
    return (mgl_model){
        .type = type_of(kind->type), .parameters = {0, kind->second}, .facts = facts};
}

static double measure_class(const mgl_model *model, const world *w, const uint64_t *counts)
{
    sample_class class;
    class_make(&class, (uint32_t)w->n, counts);
    double found = model->type->measure(model, class_group(&class));
    class_free(&class);
    return found;
}

static bool class_holds(mgl_model *model, const world *w, const uint64_t *counts, double parameter)
{
    sample_class class;
    class_make(&class, (uint32_t)w->n, counts);
    model->parameters[0] = parameter;
    bool holds = mgl_model_holds(model, class_group(&class));
    class_free(&class);
    return holds;
}

static double plain_measure(const kind *kind, const plain *x)
{
    bool seen[LARGE] = {false};
    double subtrees = 0;
    switch (kind - kinds) {
    case 0:
        return x->size;
    case 1:
    case 6:
        return plain_distinct(x);
    case 2:
        return plain_entropy(x);
    case 3:
    case 4:
    case 5:
        return plain_recursive(x, (int)kind->second);
    case 7:
        for (int v = 0; v < x->n; v++)
            if (x->class[v] > 0 && !seen[x->of_leaf[1][v]]) {
                seen[x->of_leaf[1][v]] = true;
                subtrees++;
            }
        return subtrees;
    case 8:
        return plain_alpha(x);
    case 9:
        return plain_equal(x);
    case 10:
        return plain_ordered(x);
    case 11:
        return plain_hierarchical(x);
    case 12:
        return plain_delta(x);
    case 13:
        return plain_beta(x, false);
    case 14:
        return plain_beta(x, true);
    default:
        return 1 / x->size;
    }
}

static double sum_of(const uint64_t *counts, int n)
{
    double sum = 0;
    for (int v = 0; v < n; v++)
        sum += (double)counts[v];
    return sum;
}

static void compare_with_plain(const world *w)
{
    plain x = {.n = w->n,
               .table = w->table,
               .class = w->class,
               .order = w->order,
               .of_leaf = (uint32_t **)w->of_leaf,
               .N = sum_of(w->table, w->n),
               .size = sum_of(w->class, w->n)};
    for (size_t i = 0; i < KINDS; i++) {
        mgl_model model = model_of(&kinds[i], &w->facts);
        double found = measure_class(&model, w, w->class), expected = plain_measure(&kinds[i], &x);
        if (!close_to(found, expected, 1e-12 * w->n))
            fail_msg("%s (%g): %.17g, plainly %.17g", kinds[i].type, kinds[i].second, found,
                     expected);
    }
}

static void models_equal_their_formulas(void **state)
{
    (void)state;
    brute_random random = {1};
    for (int i = 0; i < brute_cases(2000); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 1, VALUES));
        compare_with_plain(&w);
        world_free(&w);
    }
}

/* Classes with more values than are sorted, tables with more than a window. */
static void models_of_many_values_equal_their_formulas(void **state)
{
    (void)state;
    brute_random random = {2};
    for (int i = 0; i < brute_cases(30); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 200, LARGE));
        compare_with_plain(&w);
        world_free(&w);
    }
}

/* A class like the table is at distance 0 exactly, whatever the counts. */
static void a_class_like_the_table_is_at_distance_zero(void **state)
{
    (void)state;
    static const size_t zero[] = {9, 10, 11, 12, 13, 14};
    brute_random random = {3};
    for (int i = 0; i < brute_cases(500); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 1, i % 20 == 0 ? 600 : VALUES));
        uint64_t factor = (uint64_t)brute_between(&random, 1, 1000000);
        for (int v = 0; v < w.n; v++)
            w.class[v] = factor * w.table[v];
        for (size_t z = 0; z < sizeof zero / sizeof zero[0]; z++) {
            mgl_model model = model_of(&kinds[zero[z]], &w.facts);
            assert_true(measure_class(&model, &w, w.class) == 0);
        }
        world_free(&w);
    }
}

/* ---- Measure and holds ----------------------------------------------------------------- */

/* The parameter made stronger (harder to hold) or weaker by a little. */
static double shifted(const mgl_model_type *type, double parameter, double by)
{
    if (type->parameters[0].whole)
        return parameter + (type->measured_is_least ? 1 : -1) * (by > 0 ? 1 : -1);
    double step = fabs(by) * fmax(fabs(parameter), 1e-3);
    return (by > 0) == type->measured_is_least ? parameter + step : parameter - step;
}

static void a_class_holds_with_just_what_is_measured(void **state)
{
    (void)state;
    brute_random random = {4};
    for (int i = 0; i < brute_cases(1000); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 1, VALUES));
        for (size_t j = 0; j < KINDS; j++) {
            mgl_model model = model_of(&kinds[j], &w.facts);
            double found = measure_class(&model, &w, w.class);
            if (isinf(found)) {
                assert_false(class_holds(&model, &w, w.class, model.type->parameters[0].max));
                continue;
            }
            assert_int_equal(class_holds(&model, &w, w.class, found), !kinds[j].strict);
            assert_true(class_holds(&model, &w, w.class, shifted(model.type, found, -1e-9)));
            assert_false(class_holds(&model, &w, w.class, shifted(model.type, found, 1e-9)));
            if (!kinds[j].strict && !model.type->parameters[0].whole && found > 1e-3)
                assert_true(class_holds(&model, &w, w.class, shifted(model.type, found, 1e-13)));
        }
        world_free(&w);
    }
}

/* recursive_c of `check` and the model's own measure. */
static void recursive_infimum_equals_the_measure(void **state)
{
    (void)state;
    brute_random random = {5};
    for (int i = 0; i < brute_cases(1000); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 1, VALUES));
        sample_class class;
        class_make(&class, (uint32_t)w.n, w.class);
        double infimum[VALUES + 2] = {0};
        uint64_t scratch[VALUES];
        mgl_recursive_infimum(NULL, &class.histogram, VALUES + 1, infimum, scratch);
        for (int l = 2; l <= VALUES + 1; l++) {
            kind recursive = {"recursive-cl", l, true};
            mgl_model model = model_of(&recursive, &w.facts);
            assert_true(infimum[l] == measure_class(&model, &w, w.class));
        }
        class_free(&class);
        world_free(&w);
    }
}

/* ---- Unions and supersets -------------------------------------------------------------- */

/* The strongest parameter that both measures hold with; for strict models a little less. */
static double weaker_of(const kind *kind, const mgl_model_type *type, double a, double b)
{
    double weaker = type->measured_is_least ? fmin(a, b) : fmax(a, b);
    return kind->strict ? shifted(type, weaker, -1e-9) : weaker;
}

static void closure_under_union_and_superset_is_as_claimed(void **state)
{
    (void)state;
    brute_random random = {6};
    int counterexamples[KINDS] = {0};
    for (int i = 0; i < brute_cases(3000); i++) {
        world w;
        world_make(&w, &random, brute_between(&random, 2, VALUES));
        for (size_t j = 0; j < KINDS; j++) {
            mgl_model model = model_of(&kinds[j], &w.facts);
            double a = measure_class(&model, &w, w.class), b = measure_class(&model, &w, w.other);
            double both = weaker_of(&kinds[j], model.type, a, b);
            double one = weaker_of(&kinds[j], model.type, a, a);
            if (!isinf(both)) {
                assert_true(class_holds(&model, &w, w.class, both));
                assert_true(class_holds(&model, &w, w.other, both));
                if (model.type->union_closed && !class_holds(&model, &w, w.both, both))
                    fail_msg("%s is not closed under union", kinds[j].type);
            }
            if (!isinf(one) && !class_holds(&model, &w, w.both, one))
                counterexamples[j]++;
        }
        world_free(&w);
    }
    for (size_t j = 0; j < KINDS; j++) {
        const mgl_model_type *type = type_of(kinds[j].type);
        assert_true(type->union_closed);
        if (type->upward_closed != (counterexamples[j] == 0))
            fail_msg("%s (%g): %d counterexamples", kinds[j].type, kinds[j].second,
                     counterexamples[j]);
    }
}

/* Generalizing brings in population rows that no class matched before. */
static void delta_presence_is_closed_under_nothing(void **state)
{
    (void)state;
    brute_random random = {7};
    int union_fails = 0, superset_fails = 0;
    for (int i = 0; i < brute_cases(3000); i++) {
        uint64_t s[2], p[2], extra = (uint64_t)brute_below(&random, 5);
        for (int j = 0; j < 2; j++) {
            s[j] = (uint64_t)brute_between(&random, 1, 9);
            p[j] = s[j] + (uint64_t)brute_below(&random, 9);
        }
        mgl_group classes[] = {{.size = s[0], .population = p[0]},
                               {.size = s[1], .population = p[1]}};
        mgl_group whole = {.size = s[0] + s[1], .population = p[0] + p[1] + extra};
        mgl_model presence = {.type = type_of("delta-presence")};
        double a = presence.type->measure(&presence, &classes[0]);
        double b = presence.type->measure(&presence, &classes[1]);
        presence.parameters[0] = fmin(a, b);
        presence.parameters[1] = fmax(a, b);
        assert_true(mgl_model_holds(&presence, &classes[0]));
        assert_true(mgl_model_holds(&presence, &classes[1]));
        union_fails += !mgl_model_holds(&presence, &whole);
        assert_true(extra > 0 || mgl_model_holds(&presence, &whole)); /* between the two */
        presence.parameters[0] = presence.parameters[1] = a;
        superset_fails += !mgl_model_holds(&presence, &whole);

        mgl_model map = {.type = type_of("k-map")};
        map.parameters[0] = map.type->measure(&map, &classes[0]);
        assert_true(mgl_model_holds(&map, &classes[0]));
        assert_true(mgl_model_holds(&map, &whole));
    }
    assert_true(union_fails > 0 && !type_of("delta-presence")->union_closed);
    assert_true(superset_fails > 0 && !type_of("delta-presence")->upward_closed);
    assert_true(type_of("k-map")->upward_closed);
}

/* Merging two classes of a release raises no table-level risk; a further class can. */
static void merging_classes_raises_no_table_risk(void **state)
{
    (void)state;
    static const char *const names[] = {"mean-risk", "risk-share", "sample-uniqueness"};
    brute_random random = {8};
    int raised[3] = {0};
    for (int i = 0; i < brute_cases(2000); i++) {
        uint64_t sizes[8], n = (uint64_t)brute_between(&random, 2, 8);
        for (size_t c = 0; c < n; c++)
            sizes[c] = (uint64_t)brute_between(&random, 1, 5);
        for (int t = 0; t < 3; t++) {
            mgl_model model = {.type = type_of(names[t])};
            model.parameters[0] = 1.0 / brute_between(&random, 1, 6);
            double before =
                model.type->table_measure(&model, &(mgl_class_sizes){.sizes = sizes, .n = n});
            double fewer =
                model.type->table_measure(&model, &(mgl_class_sizes){.sizes = sizes, .n = n - 1});
            uint64_t merged[8];
            memcpy(merged, sizes, sizeof merged);
            merged[n - 2] += merged[n - 1];
            double after =
                model.type->table_measure(&model, &(mgl_class_sizes){.sizes = merged, .n = n - 1});
            assert_true(after <= before && model.type->union_closed);
            raised[t] += before > fewer;
        }
    }
    for (int t = 0; t < 3; t++)
        assert_true(raised[t] > 0 && !type_of(names[t])->upward_closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_equal_their_formulas),
        cmocka_unit_test(models_of_many_values_equal_their_formulas),
        cmocka_unit_test(a_class_like_the_table_is_at_distance_zero),
        cmocka_unit_test(a_class_holds_with_just_what_is_measured),
        cmocka_unit_test(recursive_infimum_equals_the_measure),
        cmocka_unit_test(closure_under_union_and_superset_is_as_claimed),
        cmocka_unit_test(delta_presence_is_closed_under_nothing),
        cmocka_unit_test(merging_classes_raises_no_table_risk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
