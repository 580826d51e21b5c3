/* Compares the branch-and-bound engines with the plain sweep. test_by_size.c and test_by_value.c
 * call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fast_search.h"

#include <stdio.h>
#include <string.h>

const fast_search fast_by_size = {"by size", &mgl_engine_by_size, mgl_by_size_handles};
const fast_search fast_by_value = {"by value", &mgl_engine_by_value, mgl_by_value_handles};

mgl_pool *fast_pools[2];

int fast_pools_make(void **state)
{
    (void)state;
    return mgl_pool_new(1, NULL, &fast_pools[0]) != MGL_OK ||
           mgl_pool_new(4, NULL, &fast_pools[1]) != MGL_OK;
}

int fast_pools_free(void **state)
{
    (void)state;
    mgl_pool_free(fast_pools[0]);
    mgl_pool_free(fast_pools[1]);
    return 0;
}

/* Every node of one is in the other; both have as many. */
static bool same_ties(const mgl_ties *a, const mgl_ties *b)
{
    if (a->n != b->n)
        return false;
    size_t m = a->n_attributes;
    for (size_t i = 0; i < a->n; i++) {
        bool found = false;
        for (size_t j = 0; !found && j < b->n; j++)
            found = memcmp(a->nodes + i * m, b->nodes + j * m, m * sizeof *a->nodes) == 0 &&
                    a->costs[i] == b->costs[j];
        if (!found)
            return false;
    }
    return true;
}

static void print_ties(const char *name, const mgl_ties *ties)
{
    fprintf(stderr, "# %s: %zu nodes\n", name, ties->n);
    for (size_t i = 0; i < ties->n && i < 5; i++) {
        fprintf(stderr, "#  ");
        for (size_t a = 0; a < ties->n_attributes; a++)
            fprintf(stderr, " %u", ties->nodes[i * ties->n_attributes + a]);
        fprintf(stderr, ": %.17g\n", ties->costs[i]);
    }
}

static void print_problem(const mgl_problem *problem, uint64_t seed, const char *told)
{
    fprintf(stderr, "# seed %llu, %s, limit %llu, treatment %d, k %llu:%s\n",
            (unsigned long long)seed, problem->measure->name, (unsigned long long)problem->limit,
            (int)problem->treatment, (unsigned long long)problem->k, told);
}

void fast_search_compare_optimum(const fast_search *search, mgl_problem *problem, uint64_t seed,
                                 const char *told)
{
    mgl_optimum plain = {0}, fast[3] = {0};
    assert_int_equal(search->handles(problem), mgl_distortion_rises(problem));
    if (!search->handles(problem))
        return;
    mgl_ties_init(&plain.ties, problem->list->n_attributes);
    assert_int_equal(mgl_sweep_optimum(problem, NULL, &plain), MGL_OK);
    for (int i = 0; i < 3; i++) { /* as it is, and divided among one thread and four */
        problem->pool = fast_pools[i / 2];
        mgl_ties_init(&fast[i].ties, problem->list->n_attributes);
        assert_int_equal(
            mgl_engine_optimum(search->type, problem, i == 0 ? MGL_LITTLE_WORK : 0, NULL, &fast[i]),
            MGL_OK);
        if (!same_ties(&plain.ties, &fast[i].ties)) {
            print_ties("sweep", &plain.ties);
            print_ties(search->name, &fast[i].ties);
            print_problem(problem, seed, told);
            fail_msg("the %s finds another optimum (way %d)", search->name, i);
        }
    }
    problem->pool = NULL;
    assert_int_equal(fast[1].checked, fast[2].checked);
    for (size_t i = 0; i < fast[0].ties.n * fast[0].ties.n_attributes; i++) {
        assert_int_equal(fast[0].ties.nodes[i], fast[1].ties.nodes[i]);
        assert_int_equal(fast[0].ties.nodes[i], fast[2].ties.nodes[i]);
    }
    mgl_ties_free(&plain.ties);
    for (int i = 0; i < 3; i++)
        mgl_ties_free(&fast[i].ties);
}

static void compare_marks(const fast_search *search, mgl_problem *problem, bool above,
                          uint64_t seed, const char *told)
{
    uint64_t checked[3],
        n = mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
    uint8_t *plain = mgl_zeroed_array(n, 1), *fast = mgl_zeroed_array(n, 1);
    assert_int_equal(mgl_sweep_holding(problem, NULL, plain, &checked[0]), MGL_OK);
    if (above)
        assert_int_equal(mgl_mark_above(problem, NULL, plain), MGL_OK);
    for (int i = 0; i < 3; i++) {
        problem->pool = fast_pools[i / 2];
        memset(fast, 7, n);
        assert_int_equal(mgl_engine_holding(search->type, problem, above,
                                            i == 0 ? MGL_LITTLE_WORK : 0, NULL, fast, &checked[i]),
                         MGL_OK);
        for (uint64_t v = 0; v < n; v++)
            if ((plain[v] != 0) != (fast[v] != 0) || fast[v] > 1) {
                print_problem(problem, seed, told);
                fail_msg("node %llu holds: %d, the %s says %d (way %d)", (unsigned long long)v,
                         plain[v], search->name, fast[v], i);
            }
    }
    assert_int_equal(checked[1], checked[2]);
    problem->pool = NULL;
    mgl_free(plain);
    mgl_free(fast);
}

void fast_search_compare_holding(const fast_search *search, mgl_problem *problem, uint64_t seed,
                                 const char *told)
{
    compare_marks(search, problem, false, seed, told);
    compare_marks(search, problem, true, seed, told);
}

/* Nodes above one that holds may be marked or not: the minimal ones are the same. */
static void compare_minimal(const mgl_problem *problem, const uint8_t *holds,
                            const uint8_t *explored, uint64_t seed, const char *told)
{
    size_t n[2], m = problem->list->n_attributes;
    uint32_t *nodes[2];
    assert_int_equal(mgl_minimal_nodes(problem, holds, NULL, &nodes[0], &n[0]), MGL_OK);
    assert_int_equal(mgl_minimal_nodes(problem, explored, NULL, &nodes[1], &n[1]), MGL_OK);
    if (n[0] != n[1] ||
        (n[0] > 0 && memcmp(nodes[0], nodes[1], n[0] * m * sizeof *nodes[0]) != 0)) {
        print_problem(problem, seed, told);
        fail_msg("%zu minimal nodes, explored: %zu", n[0], n[1]);
    }
    mgl_free(nodes[0]);
    mgl_free(nodes[1]);
}

void fast_search_compare_all(const fast_search *search, mgl_problem *problem, uint64_t seed)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++) {
        problem->measure = types[i];
        if (types[i]->drives_search)
            fast_search_compare_optimum(search, problem, seed, "");
    }
    fast_search_compare_holding(search, problem, seed, "");
}

void fast_search_compare_explored(mgl_problem *problem, uint64_t seed, const char *told)
{
    mgl_optimum plain = {0}, fast = {0};
    uint64_t checked,
        n = mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes);
    uint8_t *holds = mgl_zeroed_array(n, 1), *explored;
    mgl_ties_init(&plain.ties, problem->list->n_attributes);
    mgl_ties_init(&fast.ties, problem->list->n_attributes);
    assert_int_equal(mgl_sweep_optimum(problem, NULL, &plain), MGL_OK);
    assert_int_equal(mgl_sweep_holding(problem, NULL, holds, &checked), MGL_OK);
    assert_int_equal(mgl_lattice_best_and_holding(problem, NULL, &fast, &explored), MGL_OK);
    if (!same_ties(&plain.ties, &fast.ties) || fast.timed_out) {
        print_ties("sweep", &plain.ties);
        print_ties("explored", &fast.ties);
        print_problem(problem, seed, told);
        fail_msg("another optimum");
    }
    assert_true(explored != NULL || plain.ties.n == 0);
    if (explored != NULL)
        compare_minimal(problem, holds, explored, seed, told);
    mgl_ties_free(&plain.ties);
    mgl_ties_free(&fast.ties);
    mgl_free(holds);
    mgl_free(explored);
}
