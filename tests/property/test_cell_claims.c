/* What the cell level says about its releases, to the last digit: weights that are far apart, and
 * runs that end before they have begun. Random tables, every release tried. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_cells.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"

#include <math.h>
#include <string.h>

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

static brute_table table;
static brute_cells cells;

/* The first table from this seed on that is small enough and has models that can be proved. */
static uint64_t make_table(brute_table *t, uint64_t seed, brute_cells *x)
{
    do {
        brute_table_make(t, seed++, 400);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1 || !brute_table_is_plain(t) || brute_cells_count(t) < 2 ||
             !brute_cells_make(t, x));
    return seed;
}

static mgl_solution *run(const brute_table *t, const mgl_problem *problem)
{
    mgl_solution *s = NULL;
    mgl_error err = {0};
    mgl_status status = mgl_method_run(mgl_method_type_find("cell"), problem, &err, &s);
    if (status != MGL_OK && status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    return s;
}

/* ---- Values -----------------------------------------------------------------------------------
 */

static bool released_alike(const mgl_recoding *r, size_t t, size_t u)
{
    for (size_t a = 0; a < r->n_attributes; a++)
        if (r->cells[a][t] != r->cells[a][u])
            return false;
    return r->suppressed[t] == r->suppressed[u];
}

/* The measure's value of a release, class by class. */
static double value_of(const brute_table *t, const brute_made *m, const brute_cells *x, int measure,
                       const mgl_recoding *r)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++) {
        size_t tuple = m->tuple_of[x->row[i]];
        int set = 0;
        for (int j = 0; j < x->n; j++)
            set |= released_alike(r, tuple, m->tuple_of[x->row[j]]) << j;
        if ((set & -set) != 1 << i)
            continue;
        sum += r->suppressed[tuple] ? brute_cells_top_cost(t, x, measure, set)
                                    : x->sets[set].cost[measure];
    }
    return brute_cells_value(t, measure, sum);
}

/* Is a better than b by more than doubles are off by? */
static bool is_better(int measure, double a, double b)
{
    double more = brute_cell_measures[measure] == BRUTE_PRECISION ? a - b : b - a;
    return more > 1e-13 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* ---- Weights ----------------------------------------------------------------------------------
 */

static void set_weights(brute_table *t, brute_made *m, brute_random *random)
{
    static const double weights[] = {1, 2, 10, 1e3, 1e7, 0.25, 0.3, 12.5};
    for (int a = 0; a < t->c.n_attributes; a++)
        t->c.weight[a] = weights[brute_below(random, 8)];
    t->c.weight[0] = 1;
    t->c.weight[1] = 1e7;
    m->problem.weights = t->c.weight;
}

/* A release that is said to be the best is no worse than any other, and no bound is beyond the
 * best, be the difference a ten-millionth of what a cell costs. */
static void claims_of_exactness_are_right_for_weights_far_apart(void **state)
{
    (void)state;
    brute_table *t = &table;
    uint64_t seed = 880000;
    int exact = 0, all = 0;
    for (int i = 0; i < brute_cases(120); i++) {
        brute_made m;
        seed = make_table(t, seed, &cells);
        brute_random random = {seed};
        brute_made_make(t, &m);
        set_weights(t, &m, &random);
        assert_true(brute_cells_make(t, &cells)); /* with these weights */
        for (int treatment = 0; treatment < 3; treatment++) {
            brute_made_vary(t, &m, &random, (brute_treatment)treatment);
            brute_cells_solve(t, &cells);
            for (int measure = 0; measure < BRUTE_CELL_MEASURES; measure++) {
                brute_made_measure(t, &m, (int)brute_cell_measures[measure]);
                m.problem.effort = MGL_EFFORT_BALANCED;
                mgl_solution *s = run(t, &m.problem);
                AGREE((s != NULL) == cells.possible);
                if (s == NULL)
                    continue;
                double value = value_of(t, &m, &cells, measure, s->recoding);
                AGREE(!is_better(measure, cells.best[measure], s->best_possible));
                AGREE(!s->exact || !is_better(measure, cells.best[measure], value));
                AGREE(!s->exact || !is_better(measure, value, s->best_possible));
                exact += s->exact;
                all++;
                mgl_solution_free(s);
            }
        }
        brute_made_free(&m);
    }
    print_message("%d of %d exact\n", exact, all);
    assert_true(2 * exact > all);
}

/* ---- Time -------------------------------------------------------------------------------------
 */

/* Without time a bound is at least what each row costs by itself at its lowest levels. */
static void without_time_the_bound_is_that_of_single_rows(void **state)
{
    (void)state;
    brute_table *t = &table;
    uint64_t seed = 990000;
    for (int i = 0; i < brute_cases(60); i++) {
        brute_made m;
        seed = make_table(t, seed, &cells);
        brute_random random = {seed};
        brute_made_make(t, &m);
        brute_made_vary(t, &m, &random, (brute_treatment)(i % 3));
        brute_cells_solve(t, &cells);
        m.problem.deadline = 1e-9;
        for (int measure = 0; measure < BRUTE_CELL_MEASURES; measure++) {
            double alone = 0;
            for (int tuple = 0; tuple < cells.n; tuple++)
                alone += fmin(cells.sets[1 << tuple].cost[measure],
                              brute_cells_top_cost(t, &cells, measure, 1 << tuple));
            brute_made_measure(t, &m, (int)brute_cell_measures[measure]);
            mgl_solution *s = run(t, &m.problem);
            if (s == NULL)
                continue;
            AGREE(!brute_cells_is_better(measure, s->best_possible,
                                         brute_cells_value(t, measure, alone)));
            AGREE(!cells.possible || !is_better(measure, cells.best[measure], s->best_possible));
            AGREE(s->best_possible >= 0);
            mgl_solution_free(s);
        }
        brute_made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_of_exactness_are_right_for_weights_far_apart),
        cmocka_unit_test(without_time_the_bound_is_that_of_single_rows),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
