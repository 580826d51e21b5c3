/* What the search by class sizes knows before it looks at a node: rows that finer nodes must
 * suppress, and a first good node. Both are compared with what the nodes themselves say. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fast_search.h"
#include "random_problem.h"
#include "search/fulldomain/by_size/counts.h"

enum { PROBLEMS = 12 };

/* Four to six columns; up to a quarter of the rows may be suppressed. */
static void make_problem(random_problem *p, uint64_t seed)
{
    static const char *const measures[] = {"loss", "precision", "nonuniform-entropy"};
    assert_true(random_problem_make_wide(p, 4 + seed % 3, 600, seed));
    p->problem.pool = fast_pools[0];
    p->problem.limit = p->list->n_rows / (4 + seed);
    p->problem.measure = mgl_measure_type_find(measures[seed % 3]);
}

static mgl_by_size *make_search(const random_problem *p)
{
    mgl_by_size *search = NULL;
    mgl_error err;
    assert_int_equal(mgl_by_size_new(&p->problem, NULL, &err, &search), MGL_OK);
    assert_non_null(search);
    return search;
}

/* The next node of the columns outside the block; false after the last. */
static bool next_levels(const mgl_by_size *search, uint8_t *levels)
{
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        if (levels[c] < search->frame.highest[c]) {
            levels[c]++;
            return true;
        }
        levels[c] = 0;
    }
    return false;
}

/* Compares all nodes; how many of them something is known of. */
static size_t compare_known(mgl_by_size *search)
{
    mgl_by_size_worker *worker = &search->workers[0];
    size_t n = search->frame.n_columns, n_known = 0, nodes = search->frame.block.n_nodes;
    uint8_t levels[MGL_MOST_COLUMNS] = {0};
    do {
        const mgl_by_size_table *table;
        mgl_branch_counts counts;
        mgl_error err;
        assert_int_equal(
            mgl_by_size_roll_to_scratch(worker, &search->first[n].table, levels, &err, &table),
            MGL_OK);
        search->kernel->count(search, table, UINT64_MAX >> (64 - nodes), &counts);
        const uint32_t *known = mgl_by_size_known(worker, levels, n);
        assert_non_null(known);
        for (size_t b = 0; b < nodes; b++) {
            assert_true(known[b] <= counts.rows[b]);
            n_known += known[b] > 0;
        }
    } while (next_levels(search, levels));
    return n_known;
}

static void nodes_suppress_at_least_what_is_known_of_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        random_problem p;
        mgl_error err = {0};
        const uint8_t no_levels[1] = {0};
        make_problem(&p, seed);
        mgl_by_size *search = make_search(&p);
        mgl_by_size_worker *worker = &search->workers[0];
        pthread_mutex_init(&search->frame.parallel.lock, NULL);
        mgl_ties_init(&worker->result->ties, p.n_attributes);
        assert_int_equal(mgl_by_size_search(worker, no_levels, 0, &err), MGL_OK);
        assert_true(compare_known(search) > 0);
        mgl_ties_free(&worker->result->ties);
        pthread_mutex_destroy(&search->frame.parallel.lock);
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
}

/* Items of a round do not see what the others find; those of the next round do. */
static void items_know_what_earlier_rounds_found(void **state)
{
    (void)state;
    random_problem p;
    mgl_error err;
    uint32_t rows[MGL_BLOCK_NODES];
    make_problem(&p, 2);
    mgl_by_size *search = make_search(&p);
    mgl_by_size_worker *worker = &search->workers[0];
    pthread_mutex_init(&search->frame.parallel.lock, NULL);
    search->frame.parallel.divided = true;
    uint8_t top[MGL_MOST_COLUMNS], finest[MGL_MOST_COLUMNS] = {0};
    memcpy(top, search->frame.highest, search->frame.n_columns);
    static const uint32_t expected[] = {0, 0, 7, 9};
    for (size_t item = 0; item < 4; item++) {
        search->frame.parallel.round = item < 2 ? 1 : item;
        assert_int_equal(mgl_by_size_known_begin(worker, &err), MGL_OK);
        memset(rows, 0, sizeof rows);
        mgl_by_size_recall(worker, finest, search->frame.n_columns, rows);
        assert_int_equal(rows[0], expected[item]);
        for (size_t b = 0; b < search->frame.block.n_nodes; b++)
            rows[b] = item == 0 ? 7 : item == 2 ? 9 : 5;
        mgl_by_size_remember(worker, top, UINT64_C(1), rows);
        mgl_by_size_known_end(worker);
    }
    pthread_mutex_destroy(&search->frame.parallel.lock);
    mgl_by_size_free(search);
    random_problem_free(&p);
}

static void first_node_holds_at_the_cost_that_is_told(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        random_problem p;
        mgl_error err;
        mgl_ties first;
        mgl_evaluator *evaluator;
        mgl_evaluation e;
        make_problem(&p, seed);
        mgl_by_size *search = make_search(&p);
        pthread_mutex_init(&search->frame.parallel.lock, NULL);
        mgl_ties_init(&first, p.n_attributes);
        assert_int_equal(mgl_by_size_first_node(search, &err, &first), MGL_OK);
        assert_true(first.n > 0);
        assert_int_equal(mgl_evaluator_new(&p.problem, &err, &evaluator), MGL_OK);
        for (size_t i = 0; i < first.n; i++) {
            assert_int_equal(mgl_evaluate_node(evaluator, first.nodes + i * p.n_attributes, &e),
                             MGL_OK);
            assert_true(e.holds);
            assert_true(mgl_costs_tie(e.cost, first.costs[i]));
        }
        mgl_evaluator_free(evaluator);
        mgl_ties_free(&first);
        pthread_mutex_destroy(&search->frame.parallel.lock);
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_suppress_at_least_what_is_known_of_them),
        cmocka_unit_test(items_know_what_earlier_rounds_found),
        cmocka_unit_test(first_node_holds_at_the_cost_that_is_told),
    };
    return cmocka_run_group_tests(tests, fast_pools_make, fast_pools_free);
}
