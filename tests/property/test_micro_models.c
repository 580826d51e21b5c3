/* Microaggregation with random sets of models, persons with several rows and missing cells: every
 * class of the release is judged plainly (tests/support/brute_models*). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "search/cluster/microaggregate/points.h"
#include "brute_files.h"
#include "brute_models_problem.h"

#include <string.h>

/* Lets the cells of a column be numbers, in the order of its leaves. */
static void make_numbers(brute_case *c, int a, brute_random *random)
{
    brute_hierarchy *h = &c->hierarchies[a];
    int number = brute_between(random, -20, 20), n = 0,
        missing = h->has_missing ? h->n_leaves - 1 : -1;
    char token[BRUTE_TEXT];
    if (missing >= 0)
        memcpy(token, h->label[0][missing], sizeof token);
    h->given = h->has_missing = false;
    h->height = 1;
    for (int leaf = 0; leaf < h->n_leaves; leaf++) {
        bool occurs = false;
        for (int r = 0; r < c->n_rows; r++)
            if (c->leaf[r][a] == leaf) {
                occurs = true;
                c->leaf[r][a] = n; /* not above leaf, so that no row is met again */
            }
        if (!occurs)
            continue;
        number += brute_between(random, 1, 9);
        snprintf(h->label[0][n], BRUTE_TEXT, "%d", number);
        if (leaf == missing) {
            memcpy(h->label[0][n], token, sizeof token);
            h->has_missing = true;
        }
        snprintf(h->label[1][n++], BRUTE_TEXT, "*");
    }
    h->n_leaves = n;
    h->n_lines = n - h->has_missing;
    h->n_written = 1;
}

static void make_table(brute_table *t, uint64_t seed)
{
    brute_random random = {seed + 31};
    brute_table_make(t, seed, 5000);
    t->has_population = false;
    do
        brute_table_choose_models(t, &random);
    while (brute_table_has(t, BRUTE_K_MAP) || brute_table_has(t, BRUTE_DELTA_PRESENCE));
    t->c.n_sets = 1;
    for (int a = 0; a < t->c.n_attributes; a++) {
        make_numbers(&t->c, a, &random);
        t->c.in_set[0][a] = true;
        t->c.bounded[a] = false;
        t->c.min_level[a] = 0;
        t->c.max_level[a] = 1;
        t->c.likelihood[a] = 1;
    }
}

/* The classes of a release. */
static int find_classes(const brute_table *t, const brute_made *m, const mgl_solution *s,
                        brute_rows *classes)
{
    int n = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        int c = 0;
        for (bool same = false; c < n; c++) {
            size_t u = m->tuple_of[r], v = m->tuple_of[classes[c].row[0]];
            same = true;
            for (int a = 0; a < t->c.n_attributes; a++)
                same = same && s->recoding->cells[a][u] == s->recoding->cells[a][v];
            if (same)
                break;
        }
        if (c == n)
            classes[n++] = (brute_rows){0};
        classes[c].row[classes[c].n++] = r;
    }
    return n;
}

static bool all_hold(const brute_table *t, const brute_rows *classes, int n)
{
    for (int i = 0; i < t->n_models; i++) {
        const brute_model *model = &t->models[i];
        if (model->kind >= BRUTE_MEAN_RISK) {
            if (!brute_classes_hold(t, model, classes, n))
                return false;
            continue;
        }
        for (int c = 0; c < n; c++)
            if (!brute_rows_hold(t, model, &classes[c]))
                return false;
    }
    return true;
}

static void compare(const brute_table *t, const brute_made *m, int *n_met, int *n_unmet)
{
    static brute_rows classes[BRUTE_ROWS];
    mgl_error err = {0};
    mgl_solution *solution = NULL;
    mgl_status status =
        mgl_method_run(mgl_method_type_find("microaggregate"), &m->problem, &err, &solution);
    if (status == MGL_OK) {
        int n = find_classes(t, m, solution, classes);
        if (!all_hold(t, classes, n))
            brute_table_disagree(t, "a model does not hold");
        if (t->c.treatment != BRUTE_KEEP && solution->suppressed_rows > m->problem.limit)
            brute_table_disagree(t, "too many rows are suppressed");
        *n_met += n > 1;
    } else if (status == MGL_UNMET) {
        brute_rows *all = &classes[0];
        *all = (brute_rows){.n = t->c.n_rows};
        for (int r = 0; r < t->c.n_rows; r++)
            all->row[r] = r;
        /* Where persons have several rows, groups that read alike may break a model. */
        if (all_hold(t, all, 1) && !t->has_persons)
            brute_table_disagree(t, err.message);
        ++*n_unmet;
    } else {
        brute_table_disagree(t, err.message);
    }
    mgl_solution_free(solution);
}

static void every_class_holds(void **state)
{
    (void)state;
    static const mgl_replace replace[] = {MGL_REPLACE_MEAN, MGL_REPLACE_MEDIAN, MGL_REPLACE_RANGE};
    int cases = brute_cases(600), n_met = 0, n_unmet = 0;
    for (int seed = 0; seed < cases; seed++) {
        static brute_table t;
        static brute_made m;
        brute_random random = {(uint64_t)seed + 5};
        make_table(&t, (uint64_t)seed);
        brute_made_make(&t, &m);
        brute_made_vary(&t, &m, &random, (brute_treatment)(seed % 3));
        m.problem.limit = 0;
        mgl_micro_options options = {replace[seed / 3 % 3]};
        m.problem.method = mgl_method_type_find("microaggregate");
        m.problem.options = &options;
        m.problem.pool = NULL;
        compare(&t, &m, &n_met, &n_unmet);
        brute_made_free(&m);
    }
    print_message("%d with several classes, %d cannot hold\n", n_met, n_unmet);
    assert_true(n_met > cases / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_class_holds)};
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
