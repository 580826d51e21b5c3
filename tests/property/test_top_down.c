/* Top-down: never better than the best node, never worse than its bound allows, on small tables
 * with any models against brute force and on larger ones against the exact search; lattices that
 * nobody can search; memory, stopping and threads. */
/* slow: random problems against plain searches; changes with the searches alone */
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
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/search.h"
#include "search/fulldomain/top_down.h"

#include <math.h>
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
    return mgl_method_run(mgl_method_type_find("top-down"), problem, err, out);
}

static double cost_of(const mgl_problem *problem, double value)
{
    return problem->measure->higher_is_better ? -value : value;
}

static bool at_most(double a, double b)
{
    return a <= b + 1e-9 * fmax(1, fabs(b));
}

static void expect_same(const mgl_solution *a, const mgl_solution *b)
{
    assert_memory_equal(a->node, b->node, a->n_attributes * sizeof *a->node);
    assert_int_equal(a->nodes_checked, b->nodes_checked);
    assert_int_equal(a->exact, b->exact);
    assert_true(a->best_possible == b->best_possible);
}

/* ---- Brute force ----------------------------------------------------------------------- */

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

static const brute_node *node_of(const brute_table *t, const brute_lattice *lattice,
                                 const uint32_t *node)
{
    for (int i = 0; i < lattice->n_nodes; i++) {
        bool same = true;
        for (int a = 0; a < t->c.n_attributes; a++)
            same = same && (uint32_t)lattice->nodes[i].level[a] == node[a];
        if (same)
            return &lattice->nodes[i];
    }
    return NULL;
}

/* What became of a number of cases. */
typedef struct tally {
    int n, best, bounded;
} tally;

static void compare_solution(const brute_table *t, const mgl_problem *problem,
                             const brute_node *node, const mgl_solution *s, tally *tally)
{
    brute_node released = brute_as_released(&t->c, node), *best = &released;
    for (int a = 0; a < t->c.n_attributes; a++)
        AGREE(s->node[a] == (uint32_t)best->level[a]);
    AGREE(s->suppressed_rows == (uint64_t)best->suppressed_rows);
    AGREE(!s->timed_out && s->exact);
    AGREE(brute_ties(cost_of(problem, s->best_possible), brute_cost(t->c.measure, best)));
    tally->best++;
}

/* No node that holds is below the least levels or costs less than the bound. */
static void compare_bound(const brute_table *t, const brute_made *m, const brute_lattice *lattice,
                          tally *tally)
{
    int ties, best = brute_mingen(&t->c, lattice, &ties);
    mgl_relaxation *relaxation;
    mgl_least_cost least = {0};
    uint32_t node[BRUTE_ATTRIBUTES];
    AGREE(mgl_relaxation_new(&m->problem, NULL, &relaxation) == MGL_OK);
    AGREE(relaxation->met || best < 0);
    for (int i = 0; i < lattice->n_nodes; i++)
        for (int a = 0; a < t->c.n_attributes && lattice->nodes[i].holds; a++)
            AGREE(lattice->nodes[i].level[a] >= (int)relaxation->lowest[a]);
    for (int a = 0; a < t->c.n_attributes && best >= 0; a++)
        node[a] = (uint32_t)lattice->nodes[best].level[a];
    if (best >= 0) {
        AGREE(mgl_top_down_bound(relaxation, node, UINT64_C(1) << 40, NULL, &least) == MGL_OK);
        AGREE(!least.timed_out && least.known == mgl_cost_rises(&m->problem));
        AGREE(!least.known || at_most(least.cost, brute_cost(t->c.measure, &lattice->nodes[best])));
        tally->n++;
        tally->bounded += least.known;
        tally->best += least.known && at_most(brute_cost(t->c.measure, &lattice->nodes[best]),
                                              least.cost + least.slack);
    }
    mgl_relaxation_free(relaxation);
}

/* Lattices as small as these are searched whole. */
static void compare(const brute_table *t, const brute_made *m, const brute_lattice *lattice,
                    tally *tally)
{
    int ties, best = brute_mingen(&t->c, lattice, &ties);
    mgl_solution *s[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        mgl_problem problem = m->problem;
        mgl_error err = {0};
        problem.pool = i == 0 ? NULL : four;
        mgl_status status = run(&problem, &err, &s[i]), wanted = best < 0 ? MGL_UNMET : MGL_OK;
        AGREE(status == wanted);
        AGREE(status == MGL_OK || (err.status == status && err.message[0] != '\0'));
        if (status == MGL_OK)
            compare_solution(t, &problem, &lattice->nodes[best], s[i], tally);
    }
    if (best >= 0)
        expect_same(s[0], s[1]);
    mgl_solution_free(s[0]);
    mgl_solution_free(s[1]);
}

/* The search around a node, in sublattices that are small even here. */
static void compare_sublattices(const brute_table *t, const brute_made *m,
                                const brute_lattice *lattice, uint64_t most_nodes, tally *tally)
{
    int ties, best = brute_mingen(&t->c, lattice, &ties);
    uint32_t node[BRUTE_ATTRIBUTES];
    memcpy(node, m->problem.max_level, (size_t)t->c.n_attributes * sizeof *node);
    const brute_node *plain = node_of(t, lattice, node);
    mgl_descent d = {.problem = &m->problem,
                     .lowest = m->problem.min_level,
                     .node = node,
                     .cost = INFINITY,
                     .work = 100000000};
    if (plain->holds)
        d.cost = brute_cost(t->c.measure, plain);
    AGREE(mgl_top_down_improve(&d, most_nodes, NULL) == MGL_OK);
    if (d.cost == INFINITY)
        return;
    plain = node_of(t, lattice, node);
    AGREE(plain->holds && best >= 0);
    AGREE(at_most(fabs(d.cost - brute_cost(t->c.measure, plain)), 0));
    bool is_best = brute_ties(d.cost, brute_cost(t->c.measure, &lattice->nodes[best]));
    AGREE(!d.whole || is_best);
    tally->n++;
    tally->best += is_best;
}

static void compare_table(uint64_t seed, brute_treatment treatment, tally *whole,
                          tally *sublattices, tally *bounds)
{
    static brute_table t;
    brute_made m;
    brute_lattice lattice;
    brute_random random = {seed};
    brute_made_with_everything(seed, treatment, &random, &t, &m);
    m.problem.effort = MGL_EFFORT_FAST;
    brute_table_lattice(&t, &lattice);
    for (int i = 0; i < 2; i++) {
        brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
        compare(&t, &m, &lattice, whole);
        compare_bound(&t, &m, &lattice, bounds);
        compare_sublattices(&t, &m, &lattice, (uint64_t)brute_between(&random, 2, 16), sublattices);
    }
    brute_lattice_free(&lattice);
    brute_made_free(&m);
}

static void releases_hold_and_bounds_are_right_for_any_models(void **state)
{
    (void)state;
    const char *first = getenv("MGL_TEST_SEED");
    int start = first != NULL ? atoi(first) : 0, cases = first != NULL ? 1 : brute_cases(250);
    tally whole = {0}, sublattices = {0}, bounds = {0};
    for (int i = start; i < start + cases; i++)
        compare_table(UINT64_C(5000000) + (uint64_t)i, (brute_treatment)(i % 3), &whole,
                      &sublattices, &bounds);
    print_message(
        "%d found; in small sublattices %d, %d of them the best; %d bounds, %d of them met\n",
        whole.best, sublattices.n, sublattices.best, bounds.bounded, bounds.best);
    assert_true(sublattices.best * 10 >= sublattices.n * 9);
    assert_true(first != NULL ||
                (sublattices.best < sublattices.n && bounds.bounded * 10 > bounds.n * 9 &&
                 bounds.best * 4 > bounds.n && bounds.best < bounds.n));
}

/* ---- Larger lattices --------------------------------------------------------------------- */

/* Eight columns of four levels: 65,536 nodes, sublattices of 2,048. */
static void compare_with_exact(random_problem *p, tally *tally)
{
    mgl_optimum best = {0};
    mgl_solution *s = NULL;
    mgl_ties_init(&best.ties, p->n_attributes);
    assert_int_equal(mgl_lattice_best(&p->problem, NULL, &best), MGL_OK);
    assert_true(best.ties.n > 0); /* the top holds */
    assert_int_equal(run(&p->problem, NULL, &s), MGL_OK);
    mgl_evaluator *evaluator;
    mgl_evaluation e;
    assert_int_equal(mgl_evaluator_new(&p->problem, NULL, &evaluator), MGL_OK);
    assert_int_equal(mgl_evaluate_node(evaluator, s->node, &e), MGL_OK);
    if (!e.holds || !at_most(best.ties.best, e.cost) || !s->bounded ||
        !at_most(cost_of(&p->problem, s->best_possible), best.ties.best) ||
        (s->exact && !mgl_costs_tie(e.cost, best.ties.best)))
        fail_msg("seed %llu, %s, limit %llu: found %.17g, best %.17g, bound %.17g",
                 (unsigned long long)p->seed, p->problem.measure->name,
                 (unsigned long long)p->problem.limit, e.cost, best.ties.best,
                 cost_of(&p->problem, s->best_possible));
    tally->n++;
    tally->best += mgl_costs_tie(e.cost, best.ties.best);
    mgl_evaluator_free(evaluator);
    mgl_ties_free(&best.ties);
    mgl_solution_free(s);
}

static void releases_in_larger_lattices_hold(void **state)
{
    (void)state;
    static const char *const measures[] = {"loss",   "precision",      "geometric-loss",
                                           "height", "discernibility", "nonuniform-entropy"};
    static const mgl_treatment treatments[] = {MGL_EXEMPT, MGL_KEEP, MGL_DROP};
    tally all = {0};
    for (int i = 0; i < brute_cases(48); i++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 8, 150, 600 + (uint64_t)i));
        p.problem.effort = MGL_EFFORT_FAST;
        p.problem.treatment = treatments[i / 6 % 3];
        p.problem.limit = i % 4 == 0 ? 0 : p.list->n_rows / 8;
        p.problem.measure = mgl_measure_type_find(measures[i % 6]);
        if (mgl_distortion_rises(&p.problem)) /* else there is no fast exact search */
            compare_with_exact(&p, &all);
        random_problem_free(&p);
    }
    print_message("%d cases: %d best\n", all.n, all.best);
    assert_true(all.n * 8 > brute_cases(48));
    assert_true(all.best * 10 >= all.n * 8);
}

/* ---- The bound by groups ------------------------------------------------------------------- */

typedef struct swept {
    double best;           /* INFINITY: none holds */
    uint32_t node[8];      /* one that holds, any of them */
    uint64_t n, n_columns; /* that hold */
    brute_random random;
} swept;

static mgl_status see(void *context, uint64_t number, const uint32_t *node, const mgl_evaluation *e,
                      mgl_error *err)
{
    (void)number;
    (void)err;
    swept *x = context;
    if (!e->holds)
        return MGL_OK;
    x->best = e->cost < x->best ? e->cost : x->best;
    if (brute_below(&x->random, (int)++x->n) == 0)
        memcpy(x->node, node, x->n_columns * sizeof *node);
    return MGL_OK;
}

/* It is for lattices that are not searched whole. From any node that holds, with any amount of
 * work, no node of the lattice costs less than the bound. */
static void compare_groups(random_problem *p, tally *tally)
{
    swept all = {.best = INFINITY, .n_columns = p->n_attributes, .random = {p->seed}};
    uint64_t visited;
    bool late;
    mgl_relaxation *relaxation;
    assert_int_equal(mgl_lattice_sweep(&p->problem, see, &all, NULL, &visited, &late), MGL_OK);
    assert_true(all.n > 0); /* the top holds */
    assert_int_equal(mgl_relaxation_new(&p->problem, NULL, &relaxation), MGL_OK);
    for (int work = 0; work <= 40; work += 20) {
        mgl_least_cost least;
        assert_int_equal(
            mgl_top_down_bound(relaxation, all.node, UINT64_C(1) << work, NULL, &least), MGL_OK);
        if (least.known && !at_most(least.cost, all.best))
            fail_msg("seed %llu, %s, limit %llu: best %.17g, bound %.17g",
                     (unsigned long long)p->seed, p->problem.measure->name,
                     (unsigned long long)p->problem.limit, all.best, least.cost);
        tally->n++;
        tally->bounded += least.known;
        tally->best += least.known && at_most(all.best, least.cost + least.slack);
    }
    mgl_relaxation_free(relaxation);
}

static void bounds_by_groups_of_columns_are_right(void **state)
{
    (void)state;
    static const char *const measures[] = {"loss",   "precision",          "geometric-loss",
                                           "height", "nonuniform-entropy", "ncp"};
    static const mgl_treatment treatments[] = {MGL_EXEMPT, MGL_KEEP, MGL_DROP};
    tally all = {0};
    for (int i = 0; i < brute_cases(60); i++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 5, 25 + (size_t)i % 3 * 20, 9600 + (uint64_t)i));
        p.problem.treatment = treatments[i / 6 % 3];
        p.problem.limit = i % 4 == 0 ? 0 : p.list->n_rows / (uint64_t)(3 + i % 5);
        p.problem.measure = mgl_measure_type_find(measures[i % 6]);
        p.model.parameters[0] = 2 + i % 7;
        p.problem.k = (uint64_t)(2 + i % 7);
        compare_groups(&p, &all);
        random_problem_free(&p);
    }
    print_message("%d bounds, %d known, %d met\n", all.n, all.bounded, all.best);
    assert_true(all.bounded * 2 > all.n && all.best < all.bounded);
}

/* Forty columns: 4^40 nodes are more than can be counted. */
static void forty_columns_are_searched(void **state)
{
    (void)state;
    random_problem p;
    mgl_solution *s[2] = {NULL, NULL};
    assert_true(random_problem_make_wide(&p, 40, 400, 8));
    p.problem.effort = MGL_EFFORT_FAST;
    p.problem.k = p.list->n_rows / 40;
    p.model.parameters[0] = (double)p.problem.k;
    p.problem.limit = p.list->n_rows / 20;
    p.problem.measure = mgl_measure_type_find("loss");
    for (int i = 0; i < 2; i++) {
        p.problem.pool = i == 0 ? NULL : four;
        assert_int_equal(run(&p.problem, NULL, &s[i]), MGL_OK);
        assert_true(s[i]->nodes_total == UINT64_MAX);
        assert_true(s[i]->bounded && !s[i]->exact && !s[i]->timed_out);
        mgl_found found;
        assert_int_equal(mgl_judge_recoding(&p.problem, s[i]->recoding, NULL, &found), MGL_OK);
        assert_true(found.holds && s[i]->suppressed_rows <= p.problem.limit);
    }
    expect_same(s[0], s[1]);
    mgl_solution_free(s[0]);
    mgl_solution_free(s[1]);
    /* Searches of the whole lattice say that they are not for this. */
    static const char *const whole[] = {"mingen", "samarati"};
    for (size_t i = 0; i < 2; i++) {
        mgl_error err = {0};
        const mgl_method_type *method = mgl_method_type_find(whole[i]);
        assert_int_equal(mgl_method_run(method, &p.problem, &err, &s[0]), MGL_USAGE);
        assert_non_null(strstr(err.message, "top-down"));
    }
    /* With a time limit they try. */
    mgl_error err = {0};
    p.problem.deadline = mgl_sys_seconds() + 0.1;
    assert_int_equal(mgl_method_run(mgl_method_type_find("samarati"), &p.problem, &err, &s[0]),
                     MGL_UNMET);
    assert_non_null(strstr(err.message, "time limit"));
    random_problem_free(&p);
}

/* ---- Memory, stopping ---------------------------------------------------------------------- */

static void make(random_problem *p, uint64_t seed)
{
    assert_true(random_problem_make_wide(p, 6, 60, seed));
    p->problem.effort = MGL_EFFORT_FAST;
    p->problem.measure = mgl_measure_type_find("loss");
    p->problem.limit = 5;
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    random_problem p;
    assert_true(random_problem_make_wide(&p, 6, 30, 1)); /* more nodes than a sublattice has */
    p.problem.effort = MGL_EFFORT_FAST;
    p.problem.measure = mgl_measure_type_find("loss");
    p.problem.limit = 5;
    for (int pool = 0; pool < 2; pool++) {
        mgl_status status = MGL_SYSTEM;
        p.problem.pool = pool == 0 ? NULL : four;
        for (uint64_t number = 1; status == MGL_SYSTEM; number += 1 + number / 200) {
            mgl_error err = {0};
            mgl_solution *solution = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run(&p.problem, &err, &solution);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || err.status == MGL_SYSTEM);
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
    for (int first = 1; first < 8; first++) {
        int calls = first;
        mgl_progress progress = {stop_at, &calls, NULL};
        mgl_error err = {0};
        mgl_solution *solution = NULL;
        p.problem.progress = &progress;
        p.problem.pool = first % 2 == 0 ? NULL : four;
        assert_int_equal(run(&p.problem, &err, &solution), MGL_CANCELLED);
        assert_int_equal(err.status, MGL_CANCELLED);
    }
    random_problem_free(&p);
}

/* The top, at least, is there at any time. */
static void at_the_time_limit_there_is_at_least_the_top(void **state)
{
    (void)state;
    random_problem p;
    mgl_solution *solution = NULL;
    make(&p, 6);
    p.problem.deadline = mgl_sys_seconds() - 1;
    assert_int_equal(run(&p.problem, NULL, &solution), MGL_OK);
    assert_true(solution->timed_out && solution->bounded && !solution->exact);
    mgl_found found;
    assert_int_equal(mgl_judge_recoding(&p.problem, solution->recoding, NULL, &found), MGL_OK);
    assert_true(found.holds);
    mgl_solution_free(solution);
    random_problem_free(&p);
}

/* ---- Adult ---------------------------------------------------------------------------------- */

static void has_the_optimum(const char *folder, uint64_t limit)
{
    adult data;
    if (!adult_read(&data, folder)) {
        print_message("skipped: no ../shared\n");
        skip();
    }
    static const char *const measures[] = {"precision", "loss"};
    for (size_t i = 0; i < 2; i++) {
        mgl_problem problem = adult_problem(&data, 5, limit, measures[i]);
        mgl_solution *s[2] = {NULL, NULL};
        problem.pool = four;
        problem.effort = MGL_EFFORT_FAST;
        assert_int_equal(run(&problem, NULL, &s[0]), MGL_OK);
        assert_int_equal(mgl_method_run(mgl_method_type_find("mingen"), &problem, NULL, &s[1]),
                         MGL_OK);
        assert_memory_equal(s[0]->node, s[1]->node, ADULT_COLUMNS * sizeof *s[0]->node);
        mgl_solution_free(s[0]);
        mgl_solution_free(s[1]);
    }
    adult_free(&data);
}

static void adult_has_the_optimum_of_mingen(void **state)
{
    (void)state;
    has_the_optimum(shared_folder(), 1508);
}

static void standin_has_the_optimum_of_mingen(void **state)
{
    (void)state;
    has_the_optimum(standin_folder(), 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_hold_and_bounds_are_right_for_any_models),
        cmocka_unit_test(releases_in_larger_lattices_hold),
        cmocka_unit_test(bounds_by_groups_of_columns_are_right),
        cmocka_unit_test(forty_columns_are_searched),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(a_listener_cancels_the_search),
        cmocka_unit_test(at_the_time_limit_there_is_at_least_the_top),
        cmocka_unit_test(adult_has_the_optimum_of_mingen),
        cmocka_unit_test(standin_has_the_optimum_of_mingen),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
