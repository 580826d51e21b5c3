/* Branch and bound by records against the plain sweep, for what is no model on sensitive values
 * alone: models on a population, models of the whole table, earlier releases. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "fast_search.h"
#include "sensitive_problem.h"
#include "tuples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Models and limits --------------------------------------------------------------- */

static void tell(sensitive_problem *p, const mgl_model *model)
{
    size_t at = strlen(p->told);
    snprintf(p->told + at, sizeof p->told - at, " %s(%g,%g)", model->type->name,
             model->parameters[0], model->parameters[1]);
}

static void add_model(sensitive_problem *p, const char *name, double first, double second)
{
    mgl_model *model = &p->models[p->random.set.n_models++];
    *model = (mgl_model){
        .type = mgl_model_type_find(name), .parameters = {first, second}, .facts = &p->facts.facts};
    tell(p, model);
}

/* What the table is judged by, if at all. */
static void add_table_model(sensitive_problem *p, mgl_random *random)
{
    double share = random_fraction(random) * random_fraction(random);
    switch (mgl_random_below(random, 3)) {
    case 0:
        add_model(p, "mean-risk", share, 0);
        break;
    case 1:
        add_model(p, "risk-share", random_fraction(random) / 2, share);
        break;
    default:
        add_model(p, "sample-uniqueness", share / 2, 0);
        break;
    }
}

static void add_population_model(sensitive_problem *p, mgl_random *random)
{
    double low = mgl_random_below(random, 2) ? 0 : random_fraction(random) / 2;
    if (mgl_random_below(random, 2))
        add_model(p, "k-map", 1 + (double)mgl_random_below(random, 40), 0);
    else
        add_model(p, "delta-presence", low, low + (1 - low) * random_fraction(random));
}

/* Without the models that the problem came with, now and then. */
static bool begin(sensitive_problem *p, uint64_t seed, mgl_random *random)
{
    if (!sensitive_problem_make(p, seed))
        return false;
    mgl_random_seed(random, seed + 40000000);
    uint64_t rows = p->random.list->n_rows;
    uint64_t limits[] = {0, rows / 20, rows, p->random.problem.limit};
    p->random.problem.limit = limits[mgl_random_below(random, 4)];
    size_t kept = mgl_random_below(random, 3);
    p->random.set.n_models = p->random.set.n_models < kept ? p->random.set.n_models : kept;
    snprintf(p->told, sizeof p->told, " %zu before,", p->random.set.n_models);
    return true;
}

static void compare(sensitive_problem *p, uint64_t seed)
{
    mgl_problem *problem = &p->random.problem;
    size_t n_types, compared = 0;
    const mgl_measure_type *const *types = mgl_measure_types(&n_types);
    uint64_t size =
        mgl_lattice_size(p->random.min_level, p->random.max_level, p->random.n_attributes);
    if (size * p->random.list->n_tuples > 6000)
        return;
    for (size_t t = 0; t < n_types && compared < 2; t++) {
        problem->measure = types[(t + seed * 3) % n_types];
        if (!problem->measure->drives_search)
            continue;
        fast_search_compare_optimum(&fast_by_value, problem, seed, p->told);
        fast_search_compare_explored(problem, seed, p->told);
        compared++;
    }
    problem->measure = mgl_measure_type_find("discernibility");
    if (fast_by_value.handles(problem))
        fast_search_compare_holding(&fast_by_value, problem, seed, p->told);
}

typedef bool give_fn(sensitive_problem *p, mgl_random *random);

static void compare_cases(give_fn *give, give_fn *take_back, uint64_t first_seed, int n)
{
    const char *one = getenv("MGL_TEST_SEED");
    int start = one != NULL ? atoi(one) : 0;
    for (int i = start; i < start + (one != NULL ? 1 : brute_cases(n)); i++) {
        sensitive_problem p;
        mgl_random random;
        assert_true(begin(&p, first_seed + (uint64_t)i, &random));
        assert_true(give(&p, &random));
        compare(&p, (uint64_t)i);
        if (take_back != NULL)
            assert_true(take_back(&p, &random));
        sensitive_problem_free(&p);
    }
}

/* ---- Models of the whole table --------------------------------------------------------- */

static bool give_table_models(sensitive_problem *p, mgl_random *random)
{
    add_table_model(p, random);
    if (mgl_random_below(random, 3) == 0)
        add_table_model(p, random);
    return true;
}

static void models_of_the_whole_table_equal_the_sweep(void **state)
{
    (void)state;
    compare_cases(give_table_models, NULL, 600000, 300);
}

/* ---- Populations ------------------------------------------------------------------------ */

/* Most rows of the table are in it, with others of the same tuples and of others. */
static bool give_population(sensitive_problem *p, mgl_random *random)
{
    random_problem *r = &p->random;
    size_t m = r->n_attributes, n = r->list->n_tuples, more = mgl_random_below(random, 200), at = 0;
    uint32_t *leaves = mgl_alloc_array((n + more + 1) * m, sizeof *leaves);
    uint64_t *counts = mgl_alloc_array(n + more + 1, sizeof *counts);
    uint64_t spread = 1 + mgl_random_below(random, 4);
    for (size_t t = 0; t < n + more; t++) {
        uint64_t count = t < n ? r->list->counts[t] : 1;
        if (t < n && mgl_random_below(random, 20) == 0)
            continue;
        counts[at] = count + mgl_random_below(random, spread * count);
        for (size_t a = 0; a < m; a++)
            leaves[at * m + a] =
                t < n ? mgl_list_leaf(r->list, t, a)
                      : (uint32_t)mgl_random_below(random, r->hierarchies[a]->n_leaves);
        at++;
    }
    if (at == 0) {
        memset(leaves, 0, m * sizeof *leaves);
        counts[at++] = 1;
    }
    mgl_frequency_list *population = NULL;
    mgl_status status = tuples_listed((const mgl_hierarchy *const *)r->hierarchies, m, leaves,
                                      counts, at, &population);
    mgl_free(leaves);
    mgl_free(counts);
    r->problem.population = population;
    add_population_model(p, random);
    if (mgl_random_below(random, 4) == 0)
        add_population_model(p, random);
    if (mgl_random_below(random, 4) == 0)
        add_table_model(p, random);
    return status == MGL_OK;
}

static bool free_population(sensitive_problem *p, mgl_random *random)
{
    (void)random;
    mgl_frequency_list_free((mgl_frequency_list *)p->random.problem.population);
    return true;
}

static void models_on_a_population_equal_the_sweep(void **state)
{
    (void)state;
    compare_cases(give_population, free_population, 700000, 300);
}

/* ---- Earlier releases ------------------------------------------------------------------- */

/* What the models on histories of the problem at hand look at. */
static struct {
    mgl_joint joints[MOST_MODELS];
    uint32_t *first[SENSITIVE_ATTRIBUTES], *meaning[SENSITIVE_ATTRIBUTES];
    uint32_t n_histories;
    uint32_t *histories;
} history;

/* Pairs of a past and a value, such that both are counted as they were. */
static void make_pairs(const mgl_sparse *values, const mgl_sparse *histories, size_t n_tuples,
                       mgl_sparse *out)
{
    size_t most = values->start[n_tuples] + histories->start[n_tuples], at = 0;
    out->n_values = values->n_values * history.n_histories;
    out->start = mgl_alloc_array(n_tuples + 1, sizeof *out->start);
    out->values = mgl_alloc_array(most, sizeof *out->values);
    out->counts = mgl_alloc_array(most, sizeof *out->counts);
    for (size_t t = 0; t < n_tuples; t++) {
        out->start[t] = at;
        size_t v = values->start[t], p = histories->start[t];
        uint64_t of_value = values->counts[v], of_history = histories->counts[p];
        while (p < histories->start[t + 1]) {
            uint64_t both = of_value < of_history ? of_value : of_history;
            out->values[at] = histories->values[p] * values->n_values + values->values[v];
            out->counts[at++] = both;
            of_value -= both;
            of_history -= both;
            if (of_value == 0 && ++v < values->start[t + 1])
                of_value = values->counts[v];
            if (of_history == 0 && ++p < histories->start[t + 1])
                of_history = histories->counts[p];
        }
    }
    out->start[n_tuples] = at;
}

/* A tuple has one past, or up to three, each of one row at least. */
static void make_histories(const mgl_frequency_list *list, bool several, mgl_random *random,
                           mgl_sparse *out)
{
    size_t n = list->n_tuples, at = 0;
    out->n_values = history.n_histories;
    out->start = mgl_alloc_array(n + 1, sizeof *out->start);
    out->values = mgl_alloc_array(3 * n, sizeof *out->values);
    out->counts = mgl_alloc_array(3 * n, sizeof *out->counts);
    for (size_t t = 0; t < n; t++) {
        uint64_t left = list->counts[t];
        uint32_t past = (uint32_t)(t * history.n_histories / n);
        if (mgl_random_below(random, 5) == 0)
            past = (uint32_t)mgl_random_below(random, history.n_histories);
        out->start[t] = at;
        for (int i = 0; left > 0; i++, past++) {
            bool last = !several || i == 2 || past + 1 == history.n_histories ||
                        mgl_random_below(random, 3);
            uint64_t count = last ? left : 1 + mgl_random_below(random, left);
            out->values[at] = past;
            out->counts[at++] = count;
            left -= count;
        }
    }
    out->start[n] = at;
}

static void name_pairs(const mgl_sparse *values, size_t s)
{
    uint32_t n = values->n_values;
    history.first[s] = mgl_alloc_array(history.n_histories + 1, sizeof(uint32_t));
    history.meaning[s] = mgl_alloc_array((size_t)n * history.n_histories, sizeof(uint32_t));
    for (uint32_t past = 0; past <= history.n_histories; past++)
        history.first[s][past] = past * n;
    for (uint32_t code = 0; code < n * history.n_histories; code++)
        history.meaning[s][code] = code % n;
}

static void add_joint_models(sensitive_problem *p)
{
    mgl_quasi_set *set = &p->random.set;
    size_t n = set->n_models;
    for (size_t i = 0; i < n; i++) {
        history.joints[i] = (mgl_joint){.inner = &p->models[i],
                                        .histories = p->random.list->n_sensitive,
                                        .by_value = p->random.list->n_sensitive + 1,
                                        .first = (const uint32_t *const *)history.first,
                                        .meaning = (const uint32_t *const *)history.meaning};
        p->models[n + i] = mgl_model_jointly(&history.joints[i]);
    }
    set->n_models = 2 * n;
}

static void give_histories(sensitive_problem *p, bool several, mgl_random *random)
{
    mgl_frequency_list *list = p->random.list;
    size_t n = list->n_sensitive;
    mgl_sparse *all = mgl_zeroed_array(2 * n + 1, sizeof *all);
    memcpy(all, list->sensitive, n * sizeof *all);
    mgl_free(list->sensitive);
    list->sensitive = all;
    list->n_histograms = list->n_judged = 2 * n + 1;
    history.n_histories =
        1 + (uint32_t)mgl_random_below(random, list->n_tuples < 6 ? list->n_tuples : 6);
    make_histories(list, several, random, &all[n]);
    for (size_t s = 0; s < n; s++) {
        make_pairs(&all[s], &all[n], list->n_tuples, &all[n + 1 + s]);
        name_pairs(&all[s], s);
    }
    if (p->random.set.n_models == 0)
        add_model(p, "k-anonymity", 1 + (double)mgl_random_below(random, 5), 0);
    add_joint_models(p);
    snprintf(p->told + strlen(p->told), sizeof p->told - strlen(p->told), " with %u histories%s",
             history.n_histories, several ? ", several" : "");
}

static bool give_one_history(sensitive_problem *p, mgl_random *random)
{
    give_histories(p, false, random);
    const mgl_frequency_list *list = p->random.list;
    p->random.problem.histories = list->sensitive[list->n_sensitive].values;
    return true;
}

static bool give_several_histories(sensitive_problem *p, mgl_random *random)
{
    give_histories(p, true, random);
    return true;
}

static bool free_history(sensitive_problem *p, mgl_random *random)
{
    (void)random;
    for (size_t s = 0; s < p->random.list->n_sensitive; s++) {
        mgl_free(history.first[s]);
        mgl_free(history.meaning[s]);
    }
    return true;
}

static void tuples_of_one_history_equal_the_sweep(void **state)
{
    (void)state;
    compare_cases(give_one_history, free_history, 800000, 200);
}

static void tuples_of_several_histories_equal_the_sweep(void **state)
{
    (void)state;
    compare_cases(give_several_histories, free_history, 900000, 200);
}

/* ---- Memory ------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static void fail_each(mgl_problem *problem)
{
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_optimum found = {0};
        mgl_error err = {0};
        uint8_t *holds = NULL;
        mgl_ties_init(&found.ties, problem->list->n_attributes);
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_lattice_best_and_holding(problem, &err, &found, &holds);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
        assert_true(number < 100000);
        mgl_ties_free(&found.ties);
        mgl_free(holds);
    }
}
#endif

/* Each allocation fails in turn; the search says so. */
static void fail_in_turn(give_fn *give, give_fn *take_back, uint64_t first_seed)
{
    bool tried = false;
    for (uint64_t seed = first_seed; !tried; seed++) {
        sensitive_problem p;
        mgl_random random;
        assert_true(begin(&p, seed, &random));
        assert_true(give(&p, &random));
        mgl_problem *problem = &p.random.problem;
        problem->measure = mgl_measure_type_find("discernibility");
        problem->limit = p.random.list->n_rows / 2;
        tried = mgl_by_value_handles(problem) && problem->list->n_tuples < 60;
#ifdef MGL_FAULTS
        if (tried)
            fail_each(problem);
#endif
        if (take_back != NULL)
            assert_true(take_back(&p, &random));
        sensitive_problem_free(&p);
    }
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifndef MGL_FAULTS
    skip();
#endif
    fail_in_turn(give_table_models, NULL, 600004);
    fail_in_turn(give_population, free_population, 700004);
    fail_in_turn(give_one_history, free_history, 800004);
    fail_in_turn(give_several_histories, free_history, 900004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_the_whole_table_equal_the_sweep),
        cmocka_unit_test(models_on_a_population_equal_the_sweep),
        cmocka_unit_test(tuples_of_one_history_equal_the_sweep),
        cmocka_unit_test(tuples_of_several_histories_equal_the_sweep),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
