/* The cell level against brute force: small random tables with all kinds of models, every release
 * tried; and tables of up to 20 rows, whose best release is always proved. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "adult.h"
#include "base/fault.h"
#include "brute_cells.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"
#include "search/cell/bound/bound.h"
#include "search/cell/exact/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mgl_pool *four;
static unsigned duals_cut;    /* searches for them that were late */
static unsigned duals_raised; /* tables whose bound by dual values is better than the simple one */
static unsigned
    terms_asked; /* tables whose bound rests on models that are not upward closed, too */
static unsigned classes_grown;    /* by a tuple, judged, and they hold */
static unsigned values_need_rows; /* more than models of size ask for */

static int begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

static int end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

/* ---- A release, row by row --------------------------------------------------------------------
 */

static int find_text(const brute_table *t, const mgl_recoding *recoding, size_t tuple, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    mgl_span label = recoding->columns[a]->values[recoding->cells[a][tuple]].label;
    for (int l = 0; l <= h->height; l++)
        for (int i = 0; i < h->n_leaves; i++)
            if (mgl_span_is(label, h->label[l][i]))
                return h->text[l][i];
    brute_table_disagree(t, "a cell that no level has");
    return 0;
}

/* The cell stands on a level that is allowed, or the row is suppressed; or all are. */
static bool is_allowed(const brute_table *t, const brute_node *n, int r, int a, bool whole)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    if (n->suppressed[r] || whole)
        return n->released[r][a] == h->text[h->height][0];
    for (int l = t->c.min_level[a]; l <= t->c.max_level[a]; l++)
        if (h->text[l][t->c.leaf[r][a]] == n->released[r][a])
            return true;
    return false;
}

static void read_release(const brute_table *t, const brute_made *m, const mgl_recoding *recoding,
                         brute_node *out)
{
    memset(out, 0, sizeof *out);
    for (int r = 0; r < t->c.n_rows; r++) {
        out->suppressed[r] = recoding->suppressed[m->tuple_of[r]];
        for (int a = 0; a < t->c.n_attributes; a++)
            out->released[r][a] = find_text(t, recoding, m->tuple_of[r], a);
    }
    int tops = 0;
    for (int r = 0; r < t->c.n_rows; r++)
        tops += brute_is_top(&t->c, out, r, -1);
    for (int r = 0; r < t->c.n_rows; r++)
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(is_allowed(t, out, r, a, tops == t->c.n_rows));
    brute_node_measure(&t->c, out);
}

/* Each class is released as the smallest box around it. */
static void check_tight(const brute_table *t, const brute_cells *x, const brute_node *n,
                        const brute_rows *class)
{
    int set = 0;
    for (int i = 0; i < class->n; i++)
        set |= 1 << x->of_row[class->row[i]];
    for (int a = 0; a < t->c.n_attributes; a++)
        AGREE(n->released[class->row[0]][a] == x->sets[set].text[a]);
}

static void check_classes(const brute_table *t, const brute_cells *x, const brute_node *n)
{
    static const bool nobody[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    bool keep = t->c.treatment == BRUTE_KEEP;
    int n_classes = brute_node_classes(t, n, -1, keep ? nobody : n->suppressed, classes);
    for (int c = 0; c < n_classes; c++) {
        for (int i = 0; i < t->n_models; i++)
            if (t->models[i].kind < BRUTE_MEAN_RISK)
                AGREE(brute_rows_hold(t, &t->models[i], &classes[c]));
        if (brute_table_is_plain(t))
            check_tight(t, x, n, &classes[c]);
    }
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK)
            AGREE(brute_classes_hold(t, &t->models[i], classes, n_classes));
}

static void check_suppression(const brute_table *t, const brute_node *n, const mgl_solution *s)
{
    int suppressed = brute_count_suppressed(&t->c, n);
    AGREE(s->suppressed_rows == (uint64_t)suppressed);
    AGREE(t->c.treatment == BRUTE_KEEP || suppressed <= t->c.limit);
    AGREE(suppressed < t->c.n_rows);
    int tops = 0;
    for (int r = 0; r < t->c.n_rows; r++)
        tops += brute_is_top(&t->c, n, r, -1);
    AGREE(t->c.treatment == BRUTE_DROP || suppressed == (tops < t->c.n_rows ? tops : 0));
}

/* ---- The method
 * ---------------------------------------------------------------------------------- */

static bool same_recoding(const mgl_recoding *a, const mgl_recoding *b)
{
    for (size_t i = 0; i < a->n_attributes; i++)
        if (memcmp(a->cells[i], b->cells[i], a->n_tuples * sizeof *a->cells[i]) != 0)
            return false;
    return memcmp(a->suppressed, b->suppressed, a->n_tuples) == 0;
}

static mgl_solution *run(const brute_table *t, const mgl_problem *given, mgl_effort effort,
                         mgl_pool *pool, mgl_status *status)
{
    mgl_problem problem = *given;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    problem.effort = effort;
    problem.pool = pool;
    *status = mgl_method_run(mgl_method_type_find("cell"), &problem, &err, &s);
    if (*status != MGL_OK && *status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    return *status == MGL_OK ? s : NULL;
}

static void check_solution(const brute_table *t, const brute_made *m, const brute_cells *x,
                           int measure, const mgl_solution *s)
{
    brute_node node;
    mgl_found found[BRUTE_MODELS];
    read_release(t, m, s->recoding, &node);
    check_suppression(t, &node, s);
    check_classes(t, x, &node);
    AGREE(mgl_judge_recoding(&m->problem, s->recoding, NULL, found) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        AGREE(found[i].holds);
    double value = node.value[brute_cell_measures[measure]];
    AGREE(s->bounded && !brute_cells_is_better(measure, value, s->best_possible));
    AGREE(!brute_cells_is_better(measure, x->best[measure], s->best_possible) || !x->possible);
    if (brute_table_is_loose(t))
        AGREE(!brute_cells_is_better(measure, x->loose[measure], s->best_possible) &&
              !brute_cells_is_better(measure, value, x->loose[measure]));
    else
        AGREE(x->possible && !brute_cells_is_better(measure, value, x->best[measure]));
    if (s->exact && x->possible)
        AGREE(!brute_cells_is_better(measure, x->best[measure], value));
}

static void check_method(const brute_table *t, const brute_made *m, const brute_cells *x,
                         int measure, mgl_effort effort)
{
    mgl_status status, again;
    mgl_solution *s = run(t, &m->problem, effort, NULL, &status);
    mgl_solution *threaded = run(t, &m->problem, effort, four, &again);
    AGREE(status == again);
    if (s == NULL) {
        AGREE(!brute_table_is_plain(t) || !x->possible);
        return;
    }
    AGREE(same_recoding(s->recoding, threaded->recoding));
    AGREE(s->best_possible == threaded->best_possible && s->exact == threaded->exact);
    check_solution(t, m, x, measure, s);
    mgl_solution_free(s);
    mgl_solution_free(threaded);
}

/* ---- The exact search
 * ---------------------------------------------------------------------------- */

static void make_release(const brute_made *m, const brute_cells *x, const int *classes,
                         mgl_box_release *out)
{
    for (int class = 0; class <= x->n; class ++) {
        uint32_t tuples[BRUTE_CELL_TUPLES], n = 0;
        for (int i = 0; i < x->n; i++)
            if (classes[i] == class)
                tuples[n++] = (uint32_t)m->tuple_of[x->row[i]];
        for (uint32_t i = 0; class == 0 && i < n; i++)
            mgl_box_release_join(out, 0, tuples[i]);
        if (class > 0 && n > 0)
            mgl_box_release_add(out, tuples, n);
    }
}

static int set_of(const brute_made *m, const brute_cells *x, const mgl_box_class *class)
{
    int set = 0;
    for (size_t i = 0; i < class->n; i++)
        for (int t = 0; t < x->n; t++)
            set |= (m->tuple_of[x->row[t]] == class->members[i]) << t;
    return set;
}

/* The value of a release, and that it is one. */
static double value_release(const brute_table *t, const brute_made *m, const brute_cells *x,
                            int measure, const mgl_box_release *release)
{
    bool keep = t->c.treatment == BRUTE_KEEP;
    int suppressed = set_of(m, x, &release->classes[0]), seen = suppressed;
    double sum = suppressed != 0 ? brute_cells_top_cost(t, x, measure, suppressed) : 0;
    AGREE(suppressed == 0 || (!keep && x->sets[suppressed].rows <= t->c.limit));
    for (size_t c = 1; c < release->n_classes; c++) {
        int set = set_of(m, x, &release->classes[c]);
        const brute_cell_set *s = &x->sets[set];
        if (set == 0)
            continue;
        AGREE((seen & set) == 0 && brute_cells_may_release(t, x, set));
        seen |= set;
        sum += s->cost[measure];
    }
    AGREE(seen == (1 << x->n) - 1);
    return brute_cells_value(t, measure, sum);
}

/* From a bad release, or from none, to the best one. */
static void check_exact(const brute_table *t, const brute_made *m, const brute_cells *x,
                        int measure, bool from_none)
{
    mgl_box_space *space;
    mgl_box_release *release;
    bool proved, late = false;
    uint64_t bound;
    AGREE(mgl_box_space_new(&m->problem, NULL, &space) == MGL_OK);
    AGREE(mgl_box_release_new(space, NULL, &release) == MGL_OK);
    if (x->possible && !from_none) {
        make_release(m, x, x->classes[measure], release);
        double before = value_release(t, m, x, measure, release);
        AGREE(!brute_cells_is_better(measure, before, x->worst[measure]) &&
              !brute_cells_is_better(measure, x->worst[measure], before));
    }
    AGREE(mgl_cell_exact(space, UINT64_C(100000000000), release, NULL, &proved, &bound, &late) ==
          MGL_OK);
    bool found = release->class_of[0] != MGL_NOT_FOUND;
    AGREE(found == x->possible);
    if (found) {
        double value = value_release(t, m, x, measure, release);
        bool limited = t->c.treatment == BRUTE_KEEP && t->c.limit > 0 && !space->has_top;
        if (!proved || brute_cells_is_better(measure, x->best[measure], value))
            fprintf(stderr, "# %s: proved %d, %.9f, the best is %.9f\n", m->problem.measure->name,
                    proved, value, x->best[measure]);
        AGREE(proved && !brute_cells_is_better(measure, x->best[measure],
                                               mgl_box_measured(space, (double)bound)));
        AGREE((limited && bound < mgl_box_release_cost(release)) ||
              !brute_cells_is_better(measure, x->best[measure], value));
        AGREE(!brute_cells_is_better(measure, value, x->best[measure]));
    }
    mgl_box_release_free(release);
    mgl_box_space_free(space);
}

/* ---- Classes that grow ---------------------------------------------------------------------- */

/* A class that tuples join one by one is judged as all of them gathered, and none that holds has
 * fewer rows than its values need. */
static void check_growing(const brute_table *t, const brute_made *m)
{
    mgl_box_space *space;
    mgl_box_judge *judge;
    mgl_box_release *release;
    mgl_box_growing *growing;
    uint32_t all[BRUTE_ROWS];
    AGREE(mgl_box_space_new(&m->problem, NULL, &space) == MGL_OK);
    AGREE(mgl_box_judge_new(space, NULL, &judge) == MGL_OK);
    AGREE(mgl_box_release_new(space, NULL, &release) == MGL_OK);
    AGREE(mgl_box_growing_new(release, judge, NULL, &growing) == MGL_OK);
    for (uint32_t u = 0; u < space->n; u++) {
        all[u] = u;
        bool holds = mgl_box_holds(judge, all, u + 1);
        if (u == 0)
            mgl_box_release_add(release, all, 1);
        if (u > 0) {
            bool may = mgl_box_growing_may_join(growing, 1, u);
            AGREE(!space->judged || may == holds);
            mgl_box_growing_join(growing, 1, u);
        }
        AGREE(mgl_box_growing_holds(growing, 1) == holds);
        AGREE(!holds || release->classes[1].rows >= space->for_values);
        classes_grown += holds && space->judged;
        values_need_rows += space->for_values > space->need;
    }
    mgl_box_growing_free(growing);
    mgl_box_release_free(release);
    mgl_box_judge_free(judge);
    mgl_box_space_free(space);
}

/* ---- Dual values ----------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static double looks;
static double count_looks(void)
{
    return ++looks;
}

/* Where time is up after so many looks at the clock, hardly any follow, and no class is negative;
 * without time for a proof the bounds stay as they were. */
static void check_late_duals(mgl_problem *problem, const mgl_cell_closed *closed,
                             const mgl_cell_closed *other, const uint32_t *bounds)
{
    const mgl_box_space *space = closed->space;
    mgl_fault_set_clock(count_looks);
    for (problem->deadline = 0.5; problem->deadline < 60; problem->deadline *= 4) {
        uint32_t duals[BRUTE_ROWS];
        mgl_cell_negatives negatives = {0};
        bool late;
        memcpy(duals, bounds, space->n * sizeof *duals);
        looks = 0;
        assert_int_equal(mgl_cell_find_duals(closed, 40, duals, NULL, &late), MGL_OK);
        assert_true(late || looks <= problem->deadline + 2);
        assert_true(looks <= problem->deadline + 4);
        duals_cut += late;
        bool kept = true; /* the bounds of tuples alone, which other reasons prove */
        for (size_t t = 0; t < space->n; t++)
            kept = kept && duals[t] == bounds[t];
        assert_true(problem->deadline > 1 || kept);
        assert_int_equal(mgl_cell_scan(other, duals, &(mgl_pricing_look){0}, NULL, &negatives),
                         MGL_OK);
        assert_true(negatives.n == 0 || (late && kept));
        mgl_cell_negatives_free(&negatives);
    }
    problem->deadline = 0;
    mgl_fault_set_clock(NULL);
}
#endif

/* Dual values that were found in one way have no negative class in the other, and prove no more
 * than is true. */
static void check_duals(const brute_table *t, const brute_made *m, const brute_cells *x,
                        int measure, bool large)
{
    mgl_box_space *space;
    mgl_box_nodes *nodes;
    mgl_cell_closed *closed, *other;
    mgl_cell_negatives negatives = {0};
    uint32_t duals[BRUTE_ROWS], limits[BRUTE_ROWS];
    mgl_problem problem = m->problem;
    AGREE(mgl_box_space_new(&problem, NULL, &space) == MGL_OK);
    bool asked = false, late;
    AGREE(!large || mgl_box_ask_terms(space, NULL, &asked) == MGL_OK);
    space->upward = asked || space->upward;
    terms_asked += asked;
    for (size_t i = 0; i < space->n; i++)
        duals[i] = (uint32_t)i;
    AGREE(mgl_box_nodes_new(space, duals, space->n, 256, NULL, &nodes) == MGL_OK);
    AGREE(mgl_cell_simple_bound(space, UINT64_MAX, NULL, duals) == MGL_OK);
    for (size_t i = 0; i < space->n; i++)
        limits[i] = space->top_cost;
    AGREE(mgl_cell_closed_new(space, nodes, limits, UINT64_MAX, large, NULL, &closed) == MGL_OK);
    AGREE(mgl_cell_closed_new(space, nodes, limits, UINT64_MAX, !large, NULL, &other) == MGL_OK);
    uint64_t before = mgl_cell_sum(space, duals);
#ifdef MGL_FAULTS
    check_late_duals(&problem, closed, other, duals);
#endif
    AGREE(mgl_cell_find_duals(closed, 40, duals, NULL, &late) == MGL_OK && !late);
    AGREE(mgl_cell_scan(other, duals, &(mgl_pricing_look){0}, NULL, &negatives) == MGL_OK);
    AGREE(negatives.n == 0);
    uint64_t sum = mgl_cell_sum(space, duals);
    duals_raised += sum > before;
    AGREE(!x->possible ||
          !brute_cells_is_better(measure, x->best[measure], mgl_box_measured(space, (double)sum)));
    mgl_cell_negatives_free(&negatives);
    mgl_cell_closed_free(closed);
    mgl_cell_closed_free(other);
    mgl_box_nodes_free(nodes);
    mgl_box_space_free(space);
}

/* ---- The simple bound
 * ---------------------------------------------------------------------------- */

static void check_simple_bound(const brute_table *t, const brute_made *m, int measure)
{
    mgl_box_space *space;
    uint32_t bound[BRUTE_ROWS];
    uint64_t sum = 0;
    AGREE(mgl_box_space_new(&m->problem, NULL, &space) == MGL_OK);
    AGREE(mgl_cell_simple_bound(space, UINT64_MAX, NULL, bound) == MGL_OK);
    for (size_t i = 0; i < space->n; i++)
        sum += (uint64_t)bound[i] * space->rows[i];
    double value = mgl_box_measured(space, (double)sum);
    double expected = brute_cells_simple_bound(t, measure);
    /* What a cell costs is rounded down to a whole number. */
    double rounding = mgl_box_measured(space, (double)(sum + space->n_rows * space->m)) - value;
    AGREE(fabs(value - expected) <= fabs(rounding) + 1e-12 * fabs(expected));
    mgl_box_space_free(space);
}

/* Tables of all sizes: bounds need no releases. */
static void bounds_of_single_tuples_equal_brute_force(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(20) * BRUTE_KINDS; i++) {
        static brute_table t;
        brute_made m;
        brute_random random = {(uint64_t)i};
        uint64_t seed = 7000000 + 100 * (uint64_t)i;
        do {
            brute_table_make(&t, seed++, 400);
            brute_order_sets(&t.c);
            brute_table_take_model(&t, &random, (brute_kind)(i % BRUTE_KINDS));
        } while (t.c.n_sets > 1 || t.n_models == 0);
        brute_made_make(&t, &m);
        for (int measure = 0; measure < BRUTE_CELL_MEASURES; measure++) {
            brute_made_measure(&t, &m, (int)brute_cell_measures[measure]);
            check_simple_bound(&t, &m, measure);
        }
        brute_made_free(&m);
    }
}

/* ---- Tables -------------------------------------------------------------------------------------
 */

/* The first table from this seed on that is small enough. */
static uint64_t make_table(brute_table *t, uint64_t seed, int most_rows, brute_cells *x)
{
    do {
        brute_table_make(t, seed++, 400);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1 || t->c.n_rows > most_rows || !brute_cells_make(t, x));
    return seed;
}

static void compare(brute_table *t, brute_made *m, brute_cells *x, brute_random *random)
{
    for (int treatment = 0; treatment < 3; treatment++) {
        brute_made_vary(t, m, random, (brute_treatment)treatment);
        brute_cells_solve(t, x);
        brute_made_measure(t, m, (int)brute_cell_measures[0]);
        check_growing(t, m);
        for (int i = 0; i < BRUTE_CELL_MEASURES; i++) {
            brute_made_measure(t, m, (int)brute_cell_measures[i]);
            for (int from_none = 0; from_none < 2 && brute_table_is_plain(t); from_none++)
                check_exact(t, m, x, i, from_none);
            check_method(t, m, x, i, (mgl_effort)brute_below(random, 3));
            check_duals(t, m, x, i, brute_below(random, 2) == 0);
        }
    }
}

static brute_table table;
static brute_cells cells;

static void random_tables_with_any_models_equal_brute_force(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(200); i++) {
        brute_made m;
        seed = make_table(&table, seed, BRUTE_ROWS, &cells);
        brute_random random = {seed + 77};
        brute_made_make(&table, &m);
        compare(&table, &m, &cells, &random);
        brute_made_free(&m);
    }
}

static void each_model_equals_brute_force(void **state)
{
    (void)state;
    uint64_t seed = 4000000;
    for (int i = 0; i < brute_cases(12) * BRUTE_KINDS; i++) {
        brute_made m;
        brute_random random = {seed + 7700};
        do {
            seed = make_table(&table, seed, BRUTE_ROWS, &cells);
            brute_table_take_model(&table, &random, (brute_kind)(i % BRUTE_KINDS));
        } while (table.n_models == 0 || !brute_cells_make(&table, &cells));
        brute_made_make(&table, &m);
        compare(&table, &m, &cells, &random);
        brute_made_free(&m);
    }
    assert_true(duals_raised > 0 && terms_asked > 0);
#ifdef MGL_FAULTS
    assert_true(duals_cut > 0);
#endif
    assert_true(classes_grown > 0 && values_need_rows > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_with_any_models_equal_brute_force),
        cmocka_unit_test(bounds_of_single_tuples_equal_brute_force),
        cmocka_unit_test(each_model_equals_brute_force),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
