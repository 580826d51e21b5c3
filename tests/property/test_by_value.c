/* Branch and bound by sensitive values against the plain sweep, for every class-wise model, and by
 * class sizes for those that it can have; and the search against what ARX found on Adult. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "fast_search.h"
#include "random_problem.h"
#include "search/fulldomain/by_value/records.h"
#include "sensitive_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The same as the sweep ---------------------------------------------------------- */

/* By sensitive values, and by class sizes where class sizes and different values are all there is.
 */
static void compare_searches(mgl_problem *problem, uint64_t seed, const char *told)
{
    size_t n_types, compared = 0;
    const mgl_measure_type *const *types = mgl_measure_types(&n_types);
    for (size_t t = 0; t < n_types && compared < 3; t++) {
        problem->measure = types[(t + seed * 3) % n_types];
        if (!problem->measure->drives_search)
            continue;
        fast_search_compare_optimum(&fast_by_value, problem, seed, told);
        if (mgl_by_size_handles(problem))
            fast_search_compare_optimum(&fast_by_size, problem, seed, told);
        fast_search_compare_explored(problem, seed, told);
        compared++;
    }
    problem->measure = types[0];
    fast_search_compare_holding(&fast_by_value, problem, seed, told);
    if (mgl_by_size_handles(problem))
        fast_search_compare_holding(&fast_by_size, problem, seed, told);
}

/* Which nodes hold, and the best ones by three measures, in turn. */
static void random_tables_equal_the_sweep(void **state)
{
    (void)state;
    const char *first = getenv("MGL_TEST_SEED");
    int start = first != NULL ? atoi(first) : 0;
    for (int i = start; i < start + (first != NULL ? 1 : brute_cases(500)); i++) {
        sensitive_problem p;
        assert_true(sensitive_problem_make(&p, (uint64_t)i));
        uint64_t size =
            mgl_lattice_size(p.random.min_level, p.random.max_level, p.random.n_attributes);
        if (size * p.random.list->n_tuples < 30000)
            compare_searches(&p.random.problem, (uint64_t)i, p.told);
        sensitive_problem_free(&p);
    }
}

/* ---- Different values --------------------------------------------------------------- */

/* Models that are searched by class sizes: different values, many of them, suppressed rows not
 * kept. */
static void counts_of_different_values_equal_the_sweep(void **state)
{
    (void)state;
    static const char *const names[] = {"l-diversity", "p-sensitive", "extended-p-sensitive"};
    int compared = 0;
    for (int i = 0; i < brute_cases(400); i++) {
        sensitive_problem p;
        mgl_random random;
        mgl_random_seed(&random, 7000000 + (uint64_t)i);
        assert_true(sensitive_problem_make(&p, 200000 + (uint64_t)i));
        mgl_problem *problem = &p.random.problem;
        const mgl_sensitive *s = &p.facts.attributes[0];
        double most = s->n_present < 14 ? s->n_present + 1 : 14;
        p.models[0].type = mgl_model_type_find("k-anonymity");
        p.models[0].parameters[0] = (double)(1 + mgl_random_below(&random, 6));
        p.models[1] =
            (mgl_model){.type = mgl_model_type_find(names[i % 3]),
                        .parameters = {1 + (double)mgl_random_below(&random, (uint64_t)most)},
                        .facts = &p.facts.facts};
        p.random.set.n_models = 2;
        problem->treatment = mgl_random_below(&random, 2) ? MGL_EXEMPT : MGL_DROP;
        snprintf(p.told, sizeof p.told, " %s %g, %g", names[i % 3], p.models[1].parameters[0],
                 p.models[0].parameters[0]);
        problem->measure = mgl_measure_type_find("loss");
        uint64_t size =
            mgl_lattice_size(p.random.min_level, p.random.max_level, p.random.n_attributes);
        if (size * p.random.list->n_tuples < 20000 && mgl_by_size_handles(problem)) {
            compare_searches(problem, (uint64_t)i, p.told);
            compared++;
        }
        sensitive_problem_free(&p);
    }
    assert_true(compared > 40 / BRUTE_ONE_IN);
}

/* ---- Households --------------------------------------------------------------------- */

/* The values of the last attribute are the sizes of households: few, or more than records tell. */
static void ask_for_households(sensitive_problem *p, mgl_random *random)
{
    mgl_frequency_list *list = p->random.list;
    size_t n = p->random.set.n_models;
    list->household_sizes = list->n_sensitive;
    for (size_t m = 0; m < n; m++) /* they have no histogram then */
        if (mgl_looks_at_values(p->models[m].type))
            p->models[m].type = mgl_model_type_find("k-anonymity");
    p->models[n] = (mgl_model){.type = mgl_model_type_find("household-risk"),
                               .parameters = {random_fraction(random)},
                               .facts = &p->facts.facts};
    p->random.set.n_models = n + 1;
    snprintf(p->told, sizeof p->told, " household-risk %g", p->models[n].parameters[0]);
}

static void households_equal_the_sweep(void **state)
{
    (void)state;
    int told = 0;
    for (int i = 0; i < brute_cases(300); i++) {
        sensitive_problem p;
        mgl_random random;
        mgl_random_seed(&random, 8000000 + (uint64_t)i);
        assert_true(sensitive_problem_make(&p, 300000 + (uint64_t)i));
        ask_for_households(&p, &random);
        uint64_t size =
            mgl_lattice_size(p.random.min_level, p.random.max_level, p.random.n_attributes);
        if (size * p.random.list->n_tuples < 20000) {
            compare_searches(&p.random.problem, (uint64_t)i, p.told);
            told += p.random.list->sensitive[p.random.list->n_sensitive - 1].n_values <=
                    MGL_BY_VALUE_MEMBERS;
        }
        sensitive_problem_free(&p);
    }
    assert_true(told > 100 / BRUTE_ONE_IN);
}

/* ---- Bounds ------------------------------------------------------------------------- */

typedef struct judged {
    uint64_t least, violating; /* by the search */
    uint64_t suppressed;       /* plainly */
} judged;

static void look_at_node(mgl_by_value *search, const uint32_t *node, judged *out)
{
    mgl_by_value_worker *worker = &search->workers[0];
    const mgl_by_value_table *table;
    size_t m = search->frame.n_columns;
    for (size_t c = 0; c < m; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        mgl_by_value_step_to(worker, c, (uint8_t)(node[column->attribute] - column->low));
    }
    assert_int_equal(mgl_by_value_get(worker, m - 1, worker->path[m - 1], m, NULL, &table), MGL_OK);
    out->least = mgl_by_value_least(worker, table, search->frame.n_rows);
    out->violating = mgl_by_value_violating(worker, table, search->frame.n_rows);
}

static bool is_below(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

/* What a node must suppress is no more than any finer one does; violating rows are those of
 * the plain evaluation; no node costs less than its bound. */
static void compare_bounds(sensitive_problem *p)
{
    mgl_problem *problem = &p->random.problem;
    size_t m = p->random.n_attributes;
    size_t n = mgl_lattice_size(p->random.min_level, p->random.max_level, m);
    judged *nodes = mgl_zeroed_array(n, sizeof *nodes);
    uint32_t v[RANDOM_ATTRIBUTES], w[RANDOM_ATTRIBUTES];
    mgl_by_value *search = NULL;
    mgl_evaluator *evaluator;
    problem->treatment = MGL_EXEMPT;
    problem->limit = p->random.list->n_rows;
    assert_int_equal(mgl_by_value_new(problem, NULL, NULL, &search), MGL_OK);
    assert_int_equal(mgl_evaluator_new(problem, NULL, &evaluator), MGL_OK);
    assert_non_null(search);
    for (size_t i = 0; i < n; i++) {
        mgl_evaluation e;
        mgl_lattice_node(i, p->random.min_level, p->random.max_level, m, v);
        look_at_node(search, v, &nodes[i]);
        assert_int_equal(mgl_evaluate_node(evaluator, v, &e), MGL_OK);
        /* Only the top node that violates a model has nothing suppressed and is not met. */
        nodes[i].suppressed = e.met ? e.suppressed_rows : p->random.list->n_rows;
        double bound =
            mgl_branch_bound(&search->frame, search->workers[0].path, 0, nodes[i].suppressed);
        if (bound > mgl_branch_worst(&search->frame, e.cost) ||
            (!search->plain && nodes[i].violating != nodes[i].suppressed))
            fail_msg("seed %llu, %s:%s: %llu rows violate, %llu are suppressed; bound %.17g",
                     (unsigned long long)p->random.seed, problem->measure->name, p->told,
                     (unsigned long long)nodes[i].violating,
                     (unsigned long long)nodes[i].suppressed, bound);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            mgl_lattice_node(i, p->random.min_level, p->random.max_level, m, v);
            mgl_lattice_node(j, p->random.min_level, p->random.max_level, m, w);
            if (is_below(v, w, m) && nodes[j].least > nodes[i].suppressed)
                fail_msg("seed %llu:%s: node %zu needs %llu rows, node %zu below it %llu",
                         (unsigned long long)p->random.seed, p->told, j,
                         (unsigned long long)nodes[j].least, i,
                         (unsigned long long)nodes[i].suppressed);
        }
    mgl_evaluator_free(evaluator);
    mgl_by_value_free(search);
    mgl_free(nodes);
}

static void no_node_costs_less_than_its_bound(void **state)
{
    (void)state;
    size_t n_types;
    const mgl_measure_type *const *types = mgl_measure_types(&n_types);
    for (int i = 0; i < brute_cases(400); i++) {
        sensitive_problem p;
        assert_true(sensitive_problem_make(&p, 100000 + (uint64_t)i));
        mgl_problem *problem = &p.random.problem;
        uint64_t size =
            mgl_lattice_size(p.random.min_level, p.random.max_level, p.random.n_attributes);
        problem->measure = types[(size_t)i % n_types];
        if (size < 400 && size * p.random.list->n_tuples < 100000 &&
            problem->measure->drives_search && mgl_by_value_handles(problem))
            compare_bounds(&p);
        sensitive_problem_free(&p);
    }
}

/* ---- Memory ------------------------------------------------------------------------- */

/* Each allocation fails in turn; the search says so. */
static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    static const char *const names[] = {"l-diversity",
                                        "entropy-l"}; /* by class sizes, by sensitive values */
    sensitive_problem p;
    assert_true(sensitive_problem_make(&p, 4));
    mgl_problem *problem = &p.random.problem;
    problem->treatment = MGL_EXEMPT;
    problem->measure = mgl_measure_type_find("loss");
    p.random.set.n_models = 1;
    for (size_t i = 0; i < 4; i++) {
        mgl_status status = MGL_SYSTEM;
        p.models[0] = (mgl_model){
            .type = mgl_model_type_find(names[i % 2]), .parameters = {2}, .facts = &p.facts.facts};
        problem->limit = i / 2 == 0 ? 0 : p.random.list->n_rows / 2;
        assert_int_equal(mgl_by_size_handles(problem), i % 2 == 0);
        assert_true(mgl_by_value_handles(problem));
        for (uint64_t number = 1; status != MGL_OK; number++) {
            mgl_optimum found = {0};
            mgl_error err = {0};
            uint8_t *holds = NULL;
            mgl_ties_init(&found.ties, p.random.n_attributes);
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = mgl_lattice_best_and_holding(problem, &err, &found, &holds);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
            assert_true(number < 100000);
            mgl_ties_free(&found.ties);
            mgl_free(holds);
        }
    }
    sensitive_problem_free(&p);
#else
    skip();
#endif
}

/* ---- What is left to the sweep ------------------------------------------------------ */

static void problems_it_cannot_take_are_left_to_others(void **state)
{
    (void)state;
    sensitive_problem p;
    assert_true(sensitive_problem_make(&p, 1));
    mgl_problem *problem = &p.random.problem;
    problem->measure = mgl_measure_type_find("loss");
    assert_true(mgl_by_value_handles(problem));
    p.models[0] = (mgl_model){.type = mgl_model_type_find("k-map"), .parameters = {2}};
    assert_false(mgl_by_value_handles(problem)); /* there is no population */
    mgl_model_type unsaid = *mgl_model_type_find("mean-risk");
    unsaid.table_may_hold = NULL;
    p.models[0] = (mgl_model){.type = &unsaid, .parameters = {0.5}};
    assert_false(mgl_by_value_handles(problem));
    p.models[0] = (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {2}};
    assert_true(mgl_by_value_handles(problem));
    mgl_persons persons = {0};
    p.random.list->persons = &persons;
    assert_true(mgl_by_value_handles(problem));
    assert_false(mgl_by_size_handles(problem));
    p.random.list->persons = NULL;
    sensitive_problem_free(&p);
}

/* ---- Adult -------------------------------------------------------------------------- */

/* A model on a sensitive column besides k, the share of rows that may be suppressed, and the least
 * geometric loss. */
typedef struct golden_case {
    char sensitive[32], model[32];
    double first, second, share, value;
} golden_case;

static void has_golden_optima(const char *folder, uint64_t k, const golden_case *cases, size_t n)
{
    adult whole;
    if (!adult_read(&whole, folder)) {
        print_message("skipped: no ../shared\n");
        skip();
    }
    sensitive_adult data[2];
    assert_true(sensitive_adult_make(&data[0], &whole, "occupation"));
    assert_true(sensitive_adult_make(&data[1], &whole, "salary-class"));
    for (size_t i = 0; i < n; i++) {
        sensitive_adult *one = &data[strcmp(cases[i].sensitive, "salary-class") == 0];
        mgl_problem problem = sensitive_adult_problem(
            one, k, cases[i].model, cases[i].first, cases[i].second,
            (uint64_t)(cases[i].share * (double)one->list->n_rows), "geometric-loss");
        mgl_optimum found = {0};
        mgl_ties_init(&found.ties, problem.list->n_attributes);
        assert_int_equal(
            mgl_engine_optimum(&mgl_engine_by_value, &problem, MGL_LITTLE_WORK, NULL, &found),
            MGL_OK);
        assert_true(found.ties.n > 0);
        if (fabs(found.ties.best - cases[i].value) > 1e-9 * cases[i].value)
            fail_msg("%s %g, share %g: %.17g, golden is %.17g", cases[i].model, cases[i].first,
                     cases[i].share, found.ties.best, cases[i].value);
        mgl_evaluator *evaluator;
        mgl_evaluation evaluation;
        assert_int_equal(mgl_evaluator_new(&problem, NULL, &evaluator), MGL_OK);
        assert_int_equal(mgl_evaluate_node(evaluator, found.ties.nodes, &evaluation), MGL_OK);
        assert_true(evaluation.holds);
        assert_true(evaluation.cost == found.ties.costs[0]);
        mgl_evaluator_free(evaluator);
        mgl_ties_free(&found.ties);
    }
    sensitive_adult_free(&data[0]);
    sensitive_adult_free(&data[1]);
    adult_free(&whole);
}

static void adult_has_the_optima_of_arx(void **state)
{
    (void)state;
    static const golden_case cases[] = {
        /* golden/arx_adult.tsv */
        {"occupation", "l-diversity", 3, 0, 0.05, 0.17170218121750636},
        {"occupation", "l-diversity", 3, 0, 0, 0.542210825407941},
        {"occupation", "l-diversity", 3, 0, 1, 0.1667149200536413},
        {"occupation", "t-closeness", 0.2, 0, 0.05, 0.8150031862123897},
        {"salary-class", "t-closeness", 0.2, 0, 0.05, 0.48114422408681934},
    };
    has_golden_optima(shared_folder(), 5, cases, sizeof cases / sizeof cases[0]);
}

/* Of the stand-in the best nodes are known by looking at each. */
static void standin_has_the_optima_of_every_node(void **state)
{
    (void)state;
    golden_case cases[32];
    char path[4200], line[256];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/golden/sensitive.tsv", standin_folder());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (n < sizeof cases / sizeof cases[0] && fgets(line, sizeof line, file) != NULL) {
        golden_case *c = &cases[n];
        n += sscanf(line, "%31s %31s %lf %lf %lf %lf", c->sensitive, c->model, &c->first,
                    &c->second, &c->share, &c->value) == 6;
    }
    fclose(file);
    assert_true(n > 20);
    has_golden_optima(standin_folder(), 3, cases, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_equal_the_sweep),
        cmocka_unit_test(counts_of_different_values_equal_the_sweep),
        cmocka_unit_test(households_equal_the_sweep),
        cmocka_unit_test(no_node_costs_less_than_its_bound),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(problems_it_cannot_take_are_left_to_others),
        cmocka_unit_test(adult_has_the_optima_of_arx),
        cmocka_unit_test(standin_has_the_optima_of_every_node),
    };
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
