/* Incognito: its minimal nodes and its choice against brute force, for every model; larger tables
 * against the sweep; the example of the paper; memory, stopping and threads. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "adult.h"
#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"
#include "tuples.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

static mgl_pool *four;

static int begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

static int end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    return mgl_method_run(mgl_method_type_find("incognito"), problem, err, out);
}

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

/* ---- Brute force ----------------------------------------------------------------------- */

static void compare_minimal(const brute_table *t, const mgl_solution *s,
                            const brute_lattice *lattice)
{
    size_t n = 0;
    AGREE(s->minimal_known);
    for (int i = 0; i < lattice->n_nodes; i++) {
        if (!brute_is_minimal(&t->c, lattice, i))
            continue;
        AGREE(n < s->n_minimal);
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(s->minimal_nodes[n * s->n_attributes + (size_t)a] ==
                  (uint32_t)lattice->nodes[i].level[a]);
        n++;
    }
    AGREE(n == s->n_minimal);
}

static void compare_solution(const brute_table *t, const mgl_problem *problem,
                             const mgl_solution *s, const brute_lattice *lattice, int chosen,
                             int ties)
{
    brute_node released = brute_as_released(&t->c, &lattice->nodes[chosen]), *plain = &released;
    int n_best, best = brute_mingen(&t->c, lattice, &n_best);
    double cost = brute_cost(t->c.measure, plain);
    for (int a = 0; a < t->c.n_attributes; a++)
        AGREE(s->node[a] == (uint32_t)plain->level[a]);
    AGREE(s->suppressed_rows == (uint64_t)plain->suppressed_rows);
    AGREE(s->nodes_total == (uint64_t)lattice->n_nodes && !s->timed_out);
    AGREE(s->n_ties == (size_t)ties);
    AGREE(!s->exact || brute_ties(cost, brute_cost(t->c.measure, &lattice->nodes[best])));
    AGREE(s->exact == (t->c.limit == 0 && mgl_cost_rises(problem)));
    compare_minimal(t, s, lattice);
}

/* With one thread and with four. */
static void compare(const brute_table *t, const brute_made *m, const brute_lattice *lattice)
{
    int ties, chosen = brute_incognito(&t->c, lattice, &ties);
    uint64_t checked = 0;
    for (int i = 0; i < 2; i++) {
        mgl_problem problem = m->problem;
        mgl_solution *s = NULL;
        mgl_error err = {0};
        problem.pool = i == 0 ? NULL : four;
        mgl_status status = run(&problem, &err, &s);
        mgl_status wanted = chosen < 0 ? MGL_UNMET : MGL_OK;
        AGREE(status == wanted);
        AGREE(status == MGL_OK || (err.status == status && err.message[0] != '\0'));
        if (status == MGL_OK) {
            compare_solution(t, &problem, s, lattice, chosen, ties);
            AGREE(i == 0 || s->nodes_checked == checked);
            checked = s->nodes_checked;
        }
        mgl_solution_free(s);
    }
}

/* *pruned: the lattices of subsets were used. */
static void compare_table(uint64_t seed, brute_treatment treatment, bool *pruned)
{
    static brute_table t;
    brute_made m;
    brute_lattice lattice;
    brute_random random = {seed};
    brute_made_with_everything(seed, treatment, &random, &t, &m);
    brute_table_lattice(&t, &lattice);
    *pruned = m.problem.n_sets == 1 && mgl_holding_is_monotone(&m.problem);
    for (int i = 0; i < 2; i++) {
        brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
        compare(&t, &m, &lattice);
    }
    brute_lattice_free(&lattice);
    brute_made_free(&m);
}

static void minimal_nodes_equal_brute_force(void **state)
{
    (void)state;
    const char *first = getenv("MGL_TEST_SEED");
    int start = first != NULL ? atoi(first) : 0, cases = first != NULL ? 1 : brute_cases(500);
    int n_pruned = 0;
    for (int i = start; i < start + cases; i++) {
        bool pruned;
        compare_table(UINT64_C(4000000) + (uint64_t)i, (brute_treatment)(i % 3), &pruned);
        n_pruned += pruned;
    }
    assert_true(first != NULL || (n_pruned > cases / 10 && n_pruned < cases));
}

/* ---- Larger tables ----------------------------------------------------------------------- */

/* By frequency sets and by a list, with one thread and with four. Returns whether there was a list.
 */
static bool compare_holding(mgl_problem *problem, uint64_t seed)
{
    uint64_t checked[4], swept,
        n = mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
    uint8_t *plain = mgl_zeroed_array(n, 1), *found = mgl_zeroed_array(n, 1);
    mgl_subset_list list = {0};
    problem->measure = mgl_measure_type_find("loss");
    assert_int_equal(mgl_sweep_holding(problem, NULL, plain, &swept), MGL_OK);
    bool listed = mgl_subset_list_pays(problem);
    if (listed)
        assert_int_equal(mgl_subset_list_make(problem, NULL, &list), MGL_OK);
    for (int i = 0; i < (listed ? 4 : 2); i++) {
        bool timed_out;
        problem->pool = i % 2 == 0 ? NULL : four;
        memset(found, 7, n);
        assert_int_equal(mgl_subsets_holding(problem, i < 2 ? NULL : &list, NULL, found,
                                             &checked[i], &timed_out),
                         MGL_OK);
        assert_false(timed_out);
        assert_int_equal(checked[i], checked[0]);
        for (uint64_t v = 0; v < n; v++)
            if (plain[v] != found[v])
                fail_msg("seed %llu: node %llu holds: %d, found %d (%d)", (unsigned long long)seed,
                         (unsigned long long)v, plain[v], found[v], i);
    }
    problem->pool = NULL;
    assert_true(checked[0] <= mgl_subset_nodes(problem));
    mgl_subset_list_free(&list);
    mgl_free(plain);
    mgl_free(found);
    return listed;
}

static void larger_tables_equal_the_sweep(void **state)
{
    (void)state;
    int compared = 0, listed = 0;
    for (int i = 0; i < brute_cases(200); i++) {
        random_problem p;
        assert_true(random_problem_make(&p, 300000 + (uint64_t)i));
        uint64_t size = mgl_lattice_size(p.min_level, p.max_level, p.n_attributes);
        if (size * p.list->n_tuples < 300000 && mgl_holding_is_monotone(&p.problem)) {
            listed += compare_holding(&p.problem, p.seed);
            compared++;
        }
        random_problem_free(&p);
    }
    assert_true(compared > 50 / BRUTE_ONE_IN && listed > compared / 2);
}

/* ---- The paper ---------------------------------------------------------------------------- */

/* LeFevre et al. 2005, figures 1 and 2: birth date and sex have two levels, the zip code has
 * three. */
static mgl_hierarchy *patients_hierarchy(const char *builder, const char *const *values)
{
    mgl_dictionary *dictionary = mgl_dictionary_new();
    mgl_hierarchy *hierarchy = NULL;
    for (size_t i = 0; values[i] != NULL; i++)
        mgl_dictionary_add(dictionary, mgl_span_of(values[i]));
    assert_int_equal(mgl_hierarchy_make(builder, "column", dictionary, NULL, &hierarchy), MGL_OK);
    mgl_dictionary_free(dictionary);
    return hierarchy;
}

/* Leaves are in the order of the values. */
static void patients_problem(random_problem *p)
{
    static const char *const births[] = {"1/21/76", "2/28/76", "4/13/86", NULL};
    static const char *const sexes[] = {"Female", "Male", NULL};
    static const char *const zips[] = {"53703", "53706", "53715", NULL};
    static const uint32_t leaves[] = {0, 1, 2, 2, 0, 2, 1, 1, 0, 0, 1, 0, 2, 0, 1, 1, 0, 1};
    static const uint64_t counts[] = {1, 1, 1, 1, 1, 1};
    *p = (random_problem){.n_attributes = 3};
    p->hierarchies[0] = patients_hierarchy(NULL, births);
    p->hierarchies[1] = patients_hierarchy(NULL, sexes);
    p->hierarchies[2] = patients_hierarchy("mask(right,1)", zips);
    for (size_t a = 0; a < 3; a++) {
        assert_int_equal(mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]), MGL_OK);
        p->max_level[a] = p->hierarchies[a]->height;
        p->attributes[a] = (uint32_t)a;
        p->weights[a] = 1;
    }
    assert_int_equal(
        tuples_listed((const mgl_hierarchy *const *)p->hierarchies, 3, leaves, counts, 6, &p->list),
        MGL_OK);
    const mgl_released_column *const *columns = (const mgl_released_column *const *)p->columns;
    assert_int_equal(mgl_cell_costs_new(p->list, columns, NULL, NULL, &p->costs), MGL_OK);
    p->model = (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {2}};
    p->set = (mgl_quasi_set){
        .attributes = p->attributes, .n_attributes = 3, .models = &p->model, .n_models = 1};
    p->problem = (mgl_problem){.list = p->list,
                               .columns = columns,
                               .costs = p->costs,
                               .min_level = p->min_level,
                               .max_level = p->max_level,
                               .weights = p->weights,
                               .sets = &p->set,
                               .n_sets = 1,
                               .k = 2,
                               .measure = mgl_measure_type_find("height")};
}

/* Checked are: the table as a whole; <B0>, <S0>, <Z0>, which hold; of birth date and sex
 * <B0,S0>, <B0,S1>, <B1,S0>; of birth date and zip code <B0,Z0>, <B0,Z1>, <B0,Z2>, <B1,Z0>; of sex
 * and zip code likewise four; of all three the minimal nodes alone. */
static void the_example_of_the_paper_checks_the_nodes_it_says(void **state)
{
    (void)state;
    static const uint32_t minimal[] = {0, 1, 2, 1, 0, 2, 1, 1, 0};
    random_problem p;
    mgl_solution *s = NULL;
    patients_problem(&p);
    assert_int_equal(p.max_level[2], 2);
    assert_int_equal(run(&p.problem, NULL, &s), MGL_OK);
    assert_int_equal(s->n_minimal, 3);
    assert_memory_equal(s->minimal_nodes, minimal, sizeof minimal);
    assert_int_equal(s->nodes_checked, 1 + 3 + 3 + 4 + 4 + 3);
    assert_memory_equal(s->node, minimal + 6, 3 * sizeof *minimal); /* of height 2 */
    assert_true(s->exact);
    mgl_solution_free(s);
    mgl_free(p.label.start);
    mgl_cell_costs_free(p.costs);
    mgl_frequency_list_free(p.list);
    for (size_t a = 0; a < 3; a++) {
        mgl_released_column_free(p.columns[a]);
        mgl_hierarchy_free(p.hierarchies[a]);
    }
}

/* ---- What is refused ------------------------------------------------------------------------ */

static void lattices_of_too_many_nodes_are_refused(void **state)
{
    (void)state;
    random_problem p;
    mgl_error err = {0};
    mgl_solution *s = NULL;
    assert_true(random_problem_make_wide(&p, 20, 50, 3));
    p.problem.measure = mgl_measure_type_find("loss");
    assert_int_equal(run(&p.problem, &err, &s), MGL_USAGE);
    assert_non_null(strstr(err.message, "top-down"));
    /* Columns with one level are no more subsets. */
    for (size_t a = 3; a < p.n_attributes; a++)
        p.min_level[a] = p.max_level[a] = 2;
    p.problem.limit = p.list->n_rows;
    assert_int_equal(mgl_subset_nodes(&p.problem), 5 * 5 * 5);
    assert_int_equal(run(&p.problem, &err, &s), MGL_OK);
    mgl_solution_free(s);
    random_problem_free(&p);
}

/* ---- Memory, stopping ---------------------------------------------------------------------- */

static void make(random_problem *p, uint64_t seed)
{
    assert_true(random_problem_make_wide(p, 4, 60, seed));
    p->problem.measure = mgl_measure_type_find("class-size");
    p->problem.limit = 5;
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    make(&p, 4);
    for (int pool = 0; pool < 2; pool++) {
        mgl_status status = MGL_SYSTEM;
        p.problem.pool = pool == 0 ? NULL : four;
        for (uint64_t number = 1; status == MGL_SYSTEM; number++) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run(&p.problem, &err, &solution);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
            assert_true(number < 100000);
            if (status == MGL_OK)
                mgl_solution_free(solution);
        }
        assert_int_equal(status, MGL_OK);
    }
    random_problem_free(&p);
#else
    skip();
#endif
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)done;
    (void)total;
    int *calls = user;
    return --*calls <= 0;
}

static void a_listener_cancels_the_search(void **state)
{
    (void)state;
    random_problem p;
    make(&p, 5);
    for (int first = 1; first < 12; first++) {
        int calls = first;
        mgl_progress progress = {stop_at, &calls, NULL};
        mgl_error err = {0};
        mgl_solution *solution = NULL;
        p.problem.progress = &progress;
        p.problem.pool = first % 2 == 0 ? NULL : four;
        mgl_status status = run(&p.problem, &err, &solution);
        /* How much of the work falls to the thread that tells the listener is left to the pool. */
        if (p.problem.pool != NULL && calls > 0) {
            assert_int_equal(status, MGL_OK);
            mgl_solution_free(solution);
            continue;
        }
        assert_int_equal(status, MGL_CANCELLED);
        assert_int_equal(err.status, MGL_CANCELLED);
    }
    random_problem_free(&p);
}

static void at_the_time_limit_there_is_no_result(void **state)
{
    (void)state;
    random_problem p;
    mgl_error err = {0};
    mgl_solution *solution = NULL;
    make(&p, 6);
    p.problem.deadline = mgl_sys_seconds() - 1;
    assert_int_equal(run(&p.problem, &err, &solution), MGL_UNMET);
    assert_non_null(strstr(err.message, "time limit"));
    p.problem.deadline = mgl_sys_seconds() + 1000;
    assert_int_equal(run(&p.problem, &err, &solution), MGL_OK);
    assert_false(solution->timed_out);
    mgl_solution_free(solution);
    random_problem_free(&p);
}

/* ---- Adult ---------------------------------------------------------------------------------- */

/* many: so many rows that most checks are spared. */
static void has_the_minimal_nodes(const char *folder, const uint64_t *ks, const uint64_t *limits,
                                  bool many)
{
    adult data;
    if (!adult_read(&data, folder)) {
        print_message("skipped: no ../shared\n");
        skip();
    }
    for (size_t i = 0; i < 2; i++) {
        mgl_problem problem = adult_problem(&data, ks[i], limits[i], "loss");
        uint8_t *holds = NULL;
        uint32_t *nodes = NULL;
        size_t n = 0;
        mgl_solution *s = NULL;
        problem.pool = four;
        assert_int_equal(mgl_lattice_holding(&problem, NULL, &holds), MGL_OK);
        assert_int_equal(mgl_minimal_nodes(&problem, holds, NULL, &nodes, &n), MGL_OK);
        assert_int_equal(run(&problem, NULL, &s), MGL_OK);
        assert_int_equal(s->n_minimal, n);
        assert_memory_equal(s->minimal_nodes, nodes, n * ADULT_COLUMNS * sizeof *nodes);
        assert_true(!many || s->nodes_checked < mgl_subset_nodes(&problem) / 4);
        mgl_solution_free(s);
        mgl_free(holds);
        mgl_free(nodes);
    }
    adult_free(&data);
}

static void adult_has_the_minimal_nodes_of_the_sweep(void **state)
{
    (void)state;
    has_the_minimal_nodes(shared_folder(), (uint64_t[]){2, 100}, (uint64_t[]){0, 1508}, true);
}

static void standin_has_the_minimal_nodes_of_the_sweep(void **state)
{
    (void)state;
    has_the_minimal_nodes(standin_folder(), (uint64_t[]){2, 10}, (uint64_t[]){0, 15}, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_nodes_equal_brute_force),
        cmocka_unit_test(larger_tables_equal_the_sweep),
        cmocka_unit_test(the_example_of_the_paper_checks_the_nodes_it_says),
        cmocka_unit_test(lattices_of_too_many_nodes_are_refused),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(at_the_time_limit_there_is_no_result),
        cmocka_unit_test(adult_has_the_minimal_nodes_of_the_sweep),
        cmocka_unit_test(standin_has_the_minimal_nodes_of_the_sweep),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
