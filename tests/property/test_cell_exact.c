/* The exact search at the cell level: tables of up to 20 rows are always proved, by two ways that
 * agree; samples of Adult are proved; memory and time may run out. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "adult.h"
#include "base/fault.h"
#include "brute_cells.h"
#include "random_problem.h"
#include "tuples.h"
#include "search/cell/exact/exact.h"

/* ---- Up to twenty rows ---------------------------------------------------------------------- */

/* Shapes: lattices of 7^15 nodes; anything; many columns of two values; few of few. Tuples have
 * little in common, so that nearly all classes come into question. */
static void make_twenty(random_problem *p, uint64_t seed, size_t rows)
{
    static const struct {
        uint32_t least_columns, most_columns, least_leaves, most_leaves, least_height, most_height;
    } shapes[] = {
        {15, 15, 64, 64, 6, 6}, {2, 15, 2, 31, 1, 6}, {6, 15, 2, 2, 1, 1}, {3, 7, 2, 5, 1, 1}};
    brute_random random = {seed * 31 + 5};
    mgl_random leaves;
    mgl_random_seed(&leaves, seed);
    size_t shape = seed % 4;
    *p = (random_problem){.seed = seed};
    p->n_attributes = (size_t)brute_between(&random, (int)shapes[shape].least_columns,
                                            (int)shapes[shape].most_columns);
    for (size_t a = 0; a < p->n_attributes; a++) {
        int n =
            brute_between(&random, (int)shapes[shape].least_leaves, (int)shapes[shape].most_leaves);
        int height =
            brute_between(&random, (int)shapes[shape].least_height, (int)shapes[shape].most_height);
        p->hierarchies[a] = random_hierarchy(&leaves, (uint32_t)n, (uint32_t)height);
        assert_non_null(p->hierarchies[a]);
        assert_int_equal(mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]), MGL_OK);
        p->attributes[a] = (uint32_t)a;
        p->weights[a] = 1;
        p->max_level[a] = (uint32_t)height;
    }
    uint32_t *cells_of = mgl_alloc_array(rows * p->n_attributes, sizeof *cells_of);
    uint64_t counts[20];
    for (size_t i = 0; i < rows * p->n_attributes; i++)
        cells_of[i] =
            (uint32_t)brute_below(&random, (int)p->hierarchies[i % p->n_attributes]->n_leaves);
    for (size_t r = 0; r < rows; r++)
        counts[r] = 1;
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)p->hierarchies, p->n_attributes,
                                   cells_of, counts, rows, &p->list),
                     MGL_OK);
    mgl_free(cells_of);
    assert_int_equal(mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns,
                                        NULL, NULL, &p->costs),
                     MGL_OK);
}

static void ask_twenty(random_problem *p, size_t rows)
{
    brute_random random = {p->seed * 17 + 3};
    int most = (int)(rows < 10 ? rows : 10), k = brute_between(&random, 1, most);
    p->model = (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {k}};
    p->set = (mgl_quasi_set){.attributes = p->attributes,
                             .n_attributes = p->n_attributes,
                             .models = &p->model,
                             .n_models = 1};
    p->problem = (mgl_problem){
        .list = p->list,
        .columns = (const mgl_released_column *const *)p->columns,
        .costs = p->costs,
        .min_level = p->min_level,
        .max_level = p->max_level,
        .weights = p->weights,
        .sets = &p->set,
        .n_sets = 1,
        .k = (uint64_t)k,
        .limited = true,
        .limit = (uint64_t)brute_below(&random, 6),
        .treatment = (mgl_treatment)brute_below(&random, 3),
        .measure = mgl_measure_type_find(
            brute_measure_option(brute_cell_measures[brute_below(&random, 4)])),
    };
}

static uint64_t solve(const mgl_box_space *space, uint64_t work)
{
    mgl_box_release *release;
    bool proved, late = false;
    uint64_t bound;
    assert_int_equal(mgl_box_release_new(space, NULL, &release), MGL_OK);
    assert_int_equal(mgl_cell_exact(space, work, release, NULL, &proved, &bound, &late), MGL_OK);
    assert_true(proved);
    for (size_t t = 0; t < space->n; t++)
        assert_int_not_equal(release->class_of[t], MGL_NOT_FOUND);
    for (size_t c = 1; c < release->n_classes; c++)
        assert_true(release->classes[c].n == 0 || release->classes[c].rows >= space->need);
    uint64_t cost = mgl_box_release_cost(release);
    mgl_box_release_free(release);
    return cost;
}

/* Always proved; and both ways to do it agree. */
static void twenty_rows_are_proved_in_both_ways(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(40); i++) {
        random_problem p;
        mgl_box_space *space;
        size_t rows = (size_t)(i % 10 == 0 ? 20 : 1 + i % 15);
        make_twenty(&p, (uint64_t)i, rows);
        ask_twenty(&p, rows);
        assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
        uint64_t cost = solve(space, UINT64_C(10000000000));
        uint64_t again = rows < 15 ? solve(space, 0) : cost;
        uint64_t apart = cost > again ? cost - again : again - cost;
        assert_true(apart <= (space->m + 2) * space->n_rows);
        mgl_box_space_free(space);
        random_problem_free(&p);
    }
}

/* ---- Samples of Adult ----------------------------------------------------------------------- */

/* Some rows of Adult as they are. */
static void sample(adult *data, size_t rows, uint64_t seed, random_problem *out)
{
    const mgl_frequency_list *list = data->list;
    mgl_random random;
    mgl_random_seed(&random, seed);
    uint32_t *leaves = mgl_alloc_array(rows * ADULT_COLUMNS, sizeof *leaves);
    uint64_t *counts = mgl_alloc_array(rows, sizeof *counts);
    assert_true(leaves != NULL && counts != NULL);
    for (size_t r = 0; r < rows; r++) {
        uint64_t row = mgl_random_below(&random, list->n_rows), before = 0;
        size_t t = 0;
        while (before + list->counts[t] <= row)
            before += list->counts[t++];
        counts[r] = 1;
        for (size_t a = 0; a < ADULT_COLUMNS; a++)
            leaves[r * ADULT_COLUMNS + a] = mgl_list_leaf(list, t, a);
    }
    *out = (random_problem){0};
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)data->hierarchies, ADULT_COLUMNS,
                                   leaves, counts, rows, &out->list),
                     MGL_OK);
    assert_int_equal(mgl_cell_costs_new(out->list,
                                        (const mgl_released_column *const *)data->columns, NULL,
                                        NULL, &out->costs),
                     MGL_OK);
    mgl_free(leaves);
    mgl_free(counts);
}

static void samples_are_proved(const char *folder)
{
    static const struct {
        size_t rows;
        uint64_t k, seed;
    } samples[] = {{60, 5, 4}, {120, 3, 4}, {250, 2, 2}};
    adult data;
    if (!adult_read(&data, folder)) {
        print_message("skipped: no ../shared\n");
        skip();
    }
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        random_problem p;
        mgl_box_space *space;
        sample(&data, samples[i].rows, samples[i].seed, &p);
        p.problem = adult_problem(&data, samples[i].k, 0, "precision");
        p.problem.list = p.list;
        p.problem.costs = p.costs;
        p.problem.treatment = MGL_KEEP;
        assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
        solve(space, UINT64_C(100000000000));
        mgl_box_space_free(space);
        random_problem_free(&p);
    }
    adult_free(&data);
}

static void samples_of_adult_are_proved(void **state)
{
    (void)state;
    samples_are_proved(shared_folder());
}

static void samples_of_the_standin_are_proved(void **state)
{
    (void)state;
    samples_are_proved(standin_folder());
}

/* ---- Memory -----------------------------------------------------------------------------------
 */

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    for (int i = 0; i < 4; i++) {
        random_problem p;
        mgl_box_space *space;
        mgl_status status = MGL_SYSTEM;
        make_twenty(&p, (uint64_t)i, 10);
        ask_twenty(&p, 10);
        assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
        for (uint64_t number = 1; status != MGL_OK; number++) {
            mgl_error err = {0};
            mgl_box_release *release;
            bool proved, late = false;
            uint64_t bound;
            assert_int_equal(mgl_box_release_new(space, NULL, &release), MGL_OK);
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = mgl_cell_exact(space, i % 2 == 0 ? UINT64_C(1000000000) : 0, release, &err,
                                    &proved, &bound, &late);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
            mgl_box_release_free(release);
            assert_true(number < 100000);
        }
        mgl_box_space_free(space);
        random_problem_free(&p);
    }
#else
    skip();
#endif
}

static int refuse(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage;
    (void)done;
    (void)total;
    *(bool *)user = true;
    return 1;
}

/* Without time nothing is proved, and a listener can end it. */
static void without_time_nothing_is_proved(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        random_problem p;
        mgl_box_space *space;
        mgl_box_release *release;
        mgl_error err = {0};
        bool proved, late = false, asked = false;
        uint64_t bound;
        size_t rows = i % 2 == 0 ? 10 : 20;
        make_twenty(&p, (uint64_t)i, rows);
        ask_twenty(&p, rows);
        p.problem.deadline = 1e-9;
        assert_int_equal(mgl_box_space_new(&p.problem, NULL, &space), MGL_OK);
        assert_int_equal(mgl_box_release_new(space, NULL, &release), MGL_OK);
        assert_int_equal(
            mgl_cell_exact(space, UINT64_C(1) << 40, release, &err, &proved, &bound, &late),
            MGL_OK);
        assert_true(late && !proved);
        p.problem.deadline = 0;
        mgl_progress progress = {refuse, &asked, NULL};
        p.problem.progress = &progress;
        late = false;
        assert_int_equal(
            mgl_cell_exact(space, UINT64_C(1) << 40, release, &err, &proved, &bound, &late),
            MGL_CANCELLED);
        assert_true(asked && !late && err.status == MGL_CANCELLED);
        mgl_box_release_free(release);
        mgl_box_space_free(space);
        random_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_rows_are_proved_in_both_ways),
        cmocka_unit_test(samples_of_adult_are_proved),
        cmocka_unit_test(samples_of_the_standin_are_proved),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(without_time_nothing_is_proved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
