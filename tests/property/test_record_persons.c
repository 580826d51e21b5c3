/* Branch and bound by records against the plain sweep, where persons have several rows: in one
 * tuple, and spread over many. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "fast_search.h"
#include "search/fulldomain/by_value/records.h"
#include "sensitive_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BESIDE = 4 }; /* ids beside a tuple */

/* ---- Persons of a random table --------------------------------------------------------- */

static bool has_id(const uint32_t *ids, size_t n, uint32_t id)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* Every tuple has a person, none more persons than rows. */
static void spread_persons(mgl_frequency_list *list, mgl_persons *persons, mgl_random *random)
{
    mgl_spread *spread = &persons->spread;
    size_t n = list->n_tuples, at = 0, most_local = mgl_random_below(random, 6);
    spread->n_ids = 1 + mgl_random_below(random, 2 * n + 3);
    persons->local = mgl_zeroed_array(n, sizeof *persons->local);
    spread->start = mgl_alloc_array(n + 1, sizeof *spread->start);
    spread->ids = mgl_alloc_array(MOST_BESIDE * n, sizeof *spread->ids);
    for (size_t t = 0; t < n; t++) {
        uint64_t rows = list->counts[t], beside = mgl_random_below(random, MOST_BESIDE + 1);
        spread->start[t] = at;
        for (uint64_t i = 0; i < beside && i < rows; i++) {
            uint32_t id = (uint32_t)mgl_random_below(random, spread->n_ids);
            if (!has_id(spread->ids + spread->start[t], at - spread->start[t], id))
                spread->ids[at++] = id;
        }
        uint64_t left = rows - (at - spread->start[t]);
        persons->local[t] = mgl_random_below(random, (left < most_local ? left : most_local) + 1);
        if (at == spread->start[t] && persons->local[t] == 0)
            persons->local[t] = 1;
        persons->n += persons->local[t];
    }
    spread->start[n] = at;
    persons->n += spread->n_ids;
}

/* Each value of a tuple is that of persons who are there only, or of one with an id, or of both. */
static void give_values(mgl_frequency_list *list, size_t s, mgl_random *random)
{
    const mgl_persons *persons = list->persons;
    mgl_sparse *sparse = &list->sensitive[s];
    mgl_spread *spread = &list->persons->by_value[s];
    size_t n = list->n_tuples, at = 0;
    spread->n_ids = persons->spread.n_ids * sparse->n_values;
    spread->start = mgl_alloc_array(n + 1, sizeof *spread->start);
    spread->ids = mgl_alloc_array(sparse->start[n], sizeof *spread->ids);
    spread->values = mgl_alloc_array(sparse->start[n], sizeof *spread->values);
    for (size_t t = 0; t < n; t++) {
        const uint32_t *beside = persons->spread.ids + persons->spread.start[t];
        size_t n_beside = persons->spread.start[t + 1] - persons->spread.start[t];
        spread->start[t] = at;
        for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++) {
            uint64_t local = persons->local[t];
            uint64_t count = local > 0 ? mgl_random_below(random, local + 1) : 0;
            if (n_beside == 0 && count == 0)
                count = 1;
            if (n_beside > 0 && (count == 0 || mgl_random_below(random, 2))) {
                uint32_t id = beside[mgl_random_below(random, n_beside)];
                spread->values[at] = sparse->values[i];
                spread->ids[at++] = id * sparse->n_values + sparse->values[i];
            }
            sparse->counts[i] = count;
        }
    }
    spread->start[n] = at;
}

/* Counts, beside the local ones, each id that has a value once; or takes that back. */
static void count_spread(mgl_frequency_list *list, size_t s, uint64_t sign)
{
    const mgl_spread *spread = &list->persons->by_value[s];
    mgl_sparse *sparse = &list->sensitive[s];
    uint8_t *seen = mgl_zeroed_array(spread->n_ids, 1);
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t i = spread->start[t]; i < spread->start[t + 1]; i++) {
            size_t j = sparse->start[t];
            while (sparse->values[j] != spread->values[i])
                j++;
            sparse->counts[j] += seen[spread->ids[i]] ? 0 : sign;
            seen[spread->ids[i]] = 1;
        }
    mgl_free(seen);
}

static bool give_persons(sensitive_problem *p, mgl_random *random)
{
    mgl_frequency_list *list = p->random.list;
    list->persons = mgl_zeroed_array(1, sizeof *list->persons);
    list->persons->by_value = mgl_zeroed_array(list->n_judged, sizeof(mgl_spread));
    spread_persons(list, list->persons, random);
    for (size_t s = 0; s < list->n_judged; s++) {
        give_values(list, s, random);
        count_spread(list, s, 1);
    }
    sensitive_facts_free(&p->facts);
    bool made = sensitive_facts_make(&p->facts, list, (const mgl_hierarchy *const *)p->hierarchies,
                                     p->strong);
    for (size_t s = 0; s < list->n_judged; s++)
        count_spread(list, s, UINT64_MAX);
    return made;
}

static void add_model(sensitive_problem *p, const char *name, double parameter)
{
    size_t at = strlen(p->told);
    p->models[p->random.set.n_models++] =
        (mgl_model){.type = mgl_model_type_find(name), .parameters = {parameter}};
    snprintf(p->told + at, sizeof p->told - at, " %s(%g)", name, parameter);
}

/* Limits of all kinds; mostly a k that some classes have, now and then a model of the whole table.
 */
static void begin(sensitive_problem *p, uint64_t seed, mgl_random *random)
{
    mgl_random_seed(random, seed + 60000000);
    assert_true(sensitive_problem_make(p, seed));
    assert_true(give_persons(p, random));
    uint64_t rows = p->random.list->n_rows;
    uint64_t limits[] = {0, rows / 20, rows, p->random.problem.limit};
    p->random.problem.limit = limits[mgl_random_below(random, 4)];
    size_t others = mgl_random_below(random, 3);
    if (others < p->random.set.n_models)
        p->random.set.n_models = others;
    snprintf(p->told, sizeof p->told, " %zu before,", p->random.set.n_models);
    if (mgl_random_below(random, 8) == 0)
        add_model(p, "mean-risk", random_fraction(random));
    if (mgl_random_below(random, 6) > 0)
        add_model(p, "k-anonymity", (double)(1 + mgl_random_below(random, 12)));
}

/* ---- The same as the sweep --------------------------------------------------------------- */

static bool is_small(const sensitive_problem *p, uint64_t most)
{
    uint64_t size =
        mgl_lattice_size(p->random.min_level, p->random.max_level, p->random.n_attributes);
    return size * p->random.list->n_tuples < most;
}

static void compare(sensitive_problem *p, uint64_t seed)
{
    mgl_problem *problem = &p->random.problem;
    size_t n_types, compared = 0;
    const mgl_measure_type *const *types = mgl_measure_types(&n_types);
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

static void persons_in_several_tuples_equal_the_sweep(void **state)
{
    (void)state;
    const char *one = getenv("MGL_TEST_SEED");
    int start = one != NULL ? atoi(one) : 0, compared = 0;
    for (int i = start; i < start + (one != NULL ? 1 : brute_cases(500)); i++) {
        sensitive_problem p;
        mgl_random random;
        begin(&p, 800000 + (uint64_t)i, &random);
        if (is_small(&p, 20000)) {
            compare(&p, (uint64_t)i);
            compared++;
        }
        sensitive_problem_free(&p);
    }
    assert_true(one != NULL || compared > 100 / BRUTE_ONE_IN);
}

/* ---- Records ------------------------------------------------------------------------------ */

/* Of each node: the rows that violate are those that the plain evaluation suppresses. */
static void compare_nodes(sensitive_problem *p, mgl_by_value *search)
{
    mgl_problem *problem = &p->random.problem;
    size_t m = p->random.n_attributes;
    size_t n = mgl_lattice_size(p->random.min_level, p->random.max_level, m);
    uint32_t v[RANDOM_ATTRIBUTES];
    mgl_evaluator *evaluator;
    mgl_by_value_worker *worker = &search->workers[0];
    assert_int_equal(mgl_evaluator_new(problem, NULL, &evaluator), MGL_OK);
    for (size_t i = 0; i < n; i++) {
        mgl_evaluation e;
        const mgl_by_value_table *table;
        mgl_lattice_node(i, p->random.min_level, p->random.max_level, m, v);
        for (size_t c = 0; c < m; c++) {
            const mgl_branch_column *column = search->frame.columns[c];
            mgl_by_value_step_to(worker, c, (uint8_t)(v[column->attribute] - column->low));
        }
        assert_int_equal(mgl_by_value_get(worker, m - 1, worker->path[m - 1], m, NULL, &table),
                         MGL_OK);
        uint64_t violating = mgl_by_value_violating(worker, table, search->frame.n_rows);
        assert_int_equal(mgl_evaluate_node(evaluator, v, &e), MGL_OK);
        uint64_t suppressed = e.met ? e.suppressed_rows : p->random.list->n_rows;
        if (violating != suppressed)
            fail_msg("seed %llu, node %zu:%s: %llu rows violate, %llu are suppressed",
                     (unsigned long long)p->random.seed, i, p->told, (unsigned long long)violating,
                     (unsigned long long)suppressed);
        /* A class that has enough persons keeps no ids, the others fewer than that. */
        for (size_t c = 0; c < table->n; c++)
            assert_true(table->ids.start[c + 1] - table->ids.start[c] < search->frame.demand.size);
    }
    mgl_evaluator_free(evaluator);
}

static void records_count_each_person_once(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < brute_cases(300); i++) {
        sensitive_problem p;
        mgl_random random;
        mgl_by_value *search = NULL;
        begin(&p, 900000 + (uint64_t)i, &random);
        mgl_problem *problem = &p.random.problem;
        problem->treatment = MGL_EXEMPT;
        problem->limit = p.random.list->n_rows;
        problem->measure = mgl_measure_type_find("discernibility");
        if (is_small(&p, 40000) && mgl_by_value_handles(problem)) {
            assert_int_equal(mgl_by_value_new(problem, NULL, NULL, &search), MGL_OK);
            assert_non_null(search);
            if (!search->plain && !search->frame.impossible) {
                search->room = i % 2 == 0 ? search->room : 0; /* tables are made again and again */
                compare_nodes(&p, search);
                compared++;
            }
            mgl_by_value_free(search);
        }
        sensitive_problem_free(&p);
    }
    assert_true(compared > 30 / BRUTE_ONE_IN);
}

/* ---- Memory --------------------------------------------------------------------------------- */

/* Each allocation fails in turn; the search says so. */
static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    sensitive_problem p;
    mgl_random random;
    uint64_t seed = 800000;
    for (begin(&p, seed, &random); !is_small(&p, 3000) || p.random.n_attributes < 2;
         begin(&p, ++seed, &random))
        sensitive_problem_free(&p);
    mgl_problem *problem = &p.random.problem;
    problem->measure = mgl_measure_type_find("discernibility");
    problem->treatment = MGL_EXEMPT;
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_optimum found = {0};
        mgl_error err = {0};
        mgl_ties_init(&found.ties, problem->list->n_attributes);
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_engine_optimum(&mgl_engine_by_value, problem, MGL_LITTLE_WORK, &err, &found);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
        assert_true(number < 100000);
        mgl_ties_free(&found.ties);
    }
    sensitive_problem_free(&p);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_in_several_tuples_equal_the_sweep),
        cmocka_unit_test(records_count_each_person_once),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
