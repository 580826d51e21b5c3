/* mu-Argus against brute force: small random tables with all kinds of models, persons and
 * treatments, and tables of many columns. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_argus.h"
#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "random_problem.h"
#include "search/argus/units.h"

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

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

/* ---- What the method is told ------------------------------------------------------------- */

typedef struct told {
    mgl_combinations combinations;
    mgl_argus_options options; /* what a problem points at */
    uint32_t identification[BRUTE_ARGUS_COLUMNS], generalize[BRUTE_ARGUS_COLUMNS];
} told;

/* kind 0: the default, 1: sizes, 2: published, 3: published and sizes, 4: all. */
static void choose_combinations(mgl_combinations *out, brute_random *random, int kind, int m)
{
    *out = (mgl_combinations){.published = kind == 2 || kind == 3, .all = kind == 4};
    while ((kind == 1 || kind == 3) && out->sizes == 0)
        for (int size = 1; size <= m + 1; size++)
            out->sizes |= brute_chance(random, 40) ? UINT64_C(1) << size : 0;
}

static void tell(told *told, mgl_problem *problem, brute_argus *x)
{
    bool none =
        !told->combinations.all && !told->combinations.published && told->combinations.sizes == 0;
    told->options = (mgl_argus_options){told->combinations, told->identification, told->generalize};
    problem->method = mgl_method_type_find("mu-argus");
    problem->options = &told->options;
    x->all = told->combinations.all;
    x->published = told->combinations.published;
    x->sizes = none ? 12 : told->combinations.sizes;
    for (int a = 0; a < x->m; a++)
        x->identification[a] = (int)told->identification[a];
}

/* The least level at which each value is common, and what the holder wants on top of it. */
static int find_level(const brute_argus *given, int a, int min, int max, uint32_t more,
                      int (*cell_at)(const void *table, int r, int a, int level), const void *table)
{
    static brute_argus column;
    column = *given;
    column.m = 1;
    for (int level = min;; level++) {
        bool common = true;
        for (int r = 0; r < column.n; r++)
            column.cell[r][0] = cell_at(table, r, a, level);
        for (int r = 0; common && r < column.n; r++)
            common = brute_argus_count(&column, r, 1) >= column.k;
        if (common || level == max)
            return level + (int)more < max ? level + (int)more : max;
    }
}

/* ---- Tables with any models -------------------------------------------------------------- */

static int text_at(const void *table, int r, int a, int level)
{
    const brute_case *c = table;
    return c->hierarchies[a].text[level][c->leaf[r][a]];
}

static brute_table table;
static brute_argus plain;
static brute_node node;

/* The release by brute force, in node; whether the models hold on it. */
static bool solve(const brute_table *t, const told *told)
{
    const brute_case *c = &t->c;
    int level[BRUTE_ATTRIBUTES] = {0};
    for (int a = 0; a < c->n_attributes; a++)
        level[a] = find_level(&plain, a, c->min_level[a], c->max_level[a], told->generalize[a],
                              text_at, c);
    brute_node_begin(c, level, &node);
    for (int r = 0; r < c->n_rows; r++)
        for (int a = 0; a < c->n_attributes; a++)
            plain.cell[r][a] = node.released[r][a];
    brute_argus_run(&plain);
    for (int r = 0; r < c->n_rows; r++) {
        for (int a = 0; a < c->n_attributes; a++)
            node.released[r][a] = plain.cell[r][a];
        node.suppressed[r] = brute_argus_is_suppressed(&plain, r);
    }
    bool top_node = c->treatment == BRUTE_EXEMPT && !plain.all && brute_exempt_tops(c, &node);
    node.suppressed_rows =
        top_node && !brute_levels_allow_top(c) ? c->n_rows : brute_count_suppressed(c, &node);
    if (plain.all) {
        brute_table_treat(t, &node);
        return node.met;
    }
    bool holds = true, left_out[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    for (int r = 0; r < c->n_rows; r++)
        left_out[r] = brute_leaves_out(c, &node, r);
    int n = brute_node_classes(t, &node, -1, left_out, classes);
    for (int i = 0; i < t->n_models; i++)
        for (int j = 0; j < n && t->models[i].kind < BRUTE_MEAN_RISK; j++)
            holds = holds && brute_rows_hold(t, &t->models[i], &classes[j]);
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK)
            holds = holds && brute_classes_hold(t, &t->models[i], classes, n);
    return holds;
}

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

/* Which rows are in classes that violate a model. */
static void check_failing(const brute_table *t, const brute_made *m, const mgl_solution *s)
{
    uint8_t failing[BRUTE_ROWS] = {0};
    mgl_found found[BRUTE_MODELS];
    brute_rows classes[BRUTE_ROWS];
    bool all_hold = true;
    AGREE(mgl_judge_tuples(&m->problem, s->recoding, NULL, found, failing) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        all_hold = all_hold && found[i].holds;
    AGREE(s->unsafe == !all_hold);
    bool left_out[BRUTE_ROWS];
    for (int r = 0; r < t->c.n_rows; r++)
        left_out[r] = brute_leaves_out(&t->c, &node, r);
    int n = brute_node_classes(t, &node, -1, left_out, classes);
    for (int c = 0; c < n; c++) {
        bool holds = true;
        for (int i = 0; i < t->n_models; i++)
            holds = holds && (t->models[i].kind >= BRUTE_MEAN_RISK ||
                              brute_rows_hold(t, &t->models[i], &classes[c]));
        for (int j = 0; j < classes[c].n; j++)
            AGREE(failing[m->tuple_of[classes[c].row[j]]] == !holds);
    }
}

static void check_solution(const brute_table *t, const brute_made *m, bool holds,
                           const mgl_solution *s)
{
    AGREE(s->unsafe == !holds);
    brute_node released = brute_as_released(&t->c, &node);
    AGREE(s->suppressed_rows == (uint64_t)released.suppressed_rows);
    for (int a = 0; a < t->c.n_attributes; a++)
        AGREE(mgl_solution_levels(s)[a] == (uint32_t)node.level[a]);
    for (int r = 0; r < t->c.n_rows; r++) {
        AGREE(s->recoding->suppressed[m->tuple_of[r]] == released.suppressed[r]);
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(find_text(t, s->recoding, m->tuple_of[r], a) == node.released[r][a]);
    }
    bool everything = node.suppressed_rows == t->c.n_rows && t->c.treatment == BRUTE_DROP;
    if (!everything)
        check_failing(t, m, s);
}

static void compare_one(const brute_table *t, brute_made *m, const told *told)
{
    mgl_error err = {0};
    bool refused = !brute_table_has(t, BRUTE_K) && !brute_table_has(t, BRUTE_P_SENSITIVE) &&
                   !brute_table_has(t, BRUTE_EXTENDED_P);
    for (int threaded = 0; threaded < 2; threaded++) {
        mgl_solution *s = NULL;
        m->problem.pool = threaded ? four : NULL;
        mgl_status status = mgl_method_run(mgl_method_type_find("mu-argus"), &m->problem, &err, &s);
        if (refused) {
            AGREE(status == MGL_USAGE);
            continue;
        }
        for (int r = 0; r < t->c.n_rows; r++)
            plain.person[r] = t->person[r];
        bool holds = solve(t, told);
        bool within = !t->c.limited || node.suppressed_rows <= t->c.limit;
        AGREE(status == (within ? MGL_OK : MGL_UNMET));
        if (status != MGL_OK)
            continue;
        check_solution(t, m, holds, s);
        mgl_solution_free(s);
    }
}

static void compare(brute_table *t, brute_made *m, brute_random *random)
{
    const brute_case *c = &t->c;
    plain = (brute_argus){.n = c->n_rows, .m = c->n_attributes, .has_persons = t->has_persons};
    plain.k = (uint64_t)brute_table_k(t);
    for (int r = 0; r < c->n_rows; r++)
        plain.weight[r] = 1;
    for (int a = 0; a < c->n_attributes; a++)
        plain.top[a] = c->hierarchies[a].text[c->hierarchies[a].height][0];
    for (int kind = 0; kind < 5; kind++) {
        told told = {0};
        brute_made_vary(t, m, random, (brute_treatment)brute_below(random, 3));
        choose_combinations(&told.combinations, random, kind, c->n_attributes);
        for (int a = 0; a < c->n_attributes; a++) {
            told.identification[a] = (uint32_t)brute_between(random, 1, 3);
            if (brute_chance(random, 25))
                told.generalize[a] = (uint32_t)brute_between(random, 0, c->hierarchies[a].height);
        }
        tell(&told, &m->problem, &plain);
        compare_one(t, m, &told);
    }
}

static void random_tables_with_any_models_equal_brute_force(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(500); i++) {
        brute_made m;
        do {
            brute_table_make(&table, seed++, 400);
            brute_order_sets(&table.c);
            brute_random random = {seed};
            if (brute_chance(&random, 60))
                brute_table_take_model(&table, &random, BRUTE_K);
        } while (table.c.n_sets > 1 || table.n_models == 0);
        brute_random random = {seed + 77};
        brute_made_make(&table, &m);
        compare(&table, &m, &random);
        brute_made_free(&m);
    }
}

/* With all combinations, rounds end where every set holds. */
static void each_of_several_quasi_identifiers_holds(void **state)
{
    (void)state;
    int n_tried = 0;
    for (uint64_t seed = 1; n_tried < 60; seed++) {
        brute_made m;
        brute_table_make(&table, seed, 400);
        brute_order_sets(&table.c);
        if (table.c.n_sets < 2 || !brute_table_has(&table, BRUTE_K))
            continue;
        mgl_solution *s = NULL;
        told told = {.combinations = {.all = true}};
        brute_argus x = {0};
        brute_made_make(&table, &m);
        for (int a = 0; a < table.c.n_attributes; a++)
            told.identification[a] = 2;
        tell(&told, &m.problem, &x);
        m.problem.limited = false;
        if (mgl_method_run(m.problem.method, &m.problem, NULL, &s) == MGL_OK && !s->unsafe) {
            bool holds;
            assert_int_equal(mgl_recoding_holds(&m.problem, s->recoding, NULL, &holds), MGL_OK);
            assert_true(holds);
            n_tried++;
        }
        mgl_solution_free(s);
        brute_made_free(&m);
    }
}

/* ---- Many columns ------------------------------------------------------------------------- */

static int value_at(const void *problem, int r, int a, int level)
{
    const random_problem *p = problem;
    uint32_t leaf = mgl_list_leaf(p->list, (size_t)r, (size_t)a);
    return (int)p->columns[a]->of_leaf[level][leaf];
}

static void compare_wide(random_problem *p, int kind, uint64_t k, brute_random *random)
{
    told told = {0};
    mgl_solution *s = NULL;
    p->model.parameters[0] = (double)k;
    p->problem.k = k;
    p->problem.treatment = MGL_EXEMPT; /* what is left below k is left out, and all else stays */
    p->problem.limited = false;
    plain = (brute_argus){.n = (int)p->list->n_tuples, .m = (int)p->n_attributes, .k = k};
    choose_combinations(&told.combinations, random, kind, plain.m < 12 ? plain.m : 3);
    for (int a = 0; a < plain.m; a++)
        told.identification[a] = (uint32_t)brute_between(random, 1, 3);
    tell(&told, &p->problem, &plain);
    for (int a = 0; a < plain.m; a++)
        plain.top[a] = (int)p->columns[a]->top;
    for (int r = 0; r < plain.n; r++)
        plain.weight[r] = p->list->counts[r];
    int level[BRUTE_ARGUS_COLUMNS];
    for (int a = 0; a < plain.m; a++)
        level[a] =
            find_level(&plain, a, (int)p->min_level[a], (int)p->max_level[a], 0, value_at, p);
    for (int r = 0; r < plain.n; r++)
        for (int a = 0; a < plain.m; a++)
            plain.cell[r][a] = value_at(p, r, a, level[a]);
    brute_argus_run(&plain);
    assert_int_equal(mgl_method_run(mgl_method_type_find("mu-argus"), &p->problem, NULL, &s),
                     MGL_OK);
    for (int r = 0; r < plain.n; r++)
        for (int a = 0; a < plain.m; a++)
            if ((int)s->recoding->cells[a][r] != plain.cell[r][a])
                fail_msg("seed %llu, kind %d, k %llu: row %d, column %d",
                         (unsigned long long)p->seed, kind, (unsigned long long)k, r, a);
    mgl_solution_free(s);
}

static void tables_of_up_to_ten_columns_equal_brute_force(void **state)
{
    (void)state;
    static const struct {
        size_t columns, tuples;
    } shapes[] = {{7, 60}, {8, 60}, {9, 40}, {10, 25}};
    for (int i = 0; i < brute_cases(20); i++)
        for (size_t j = 0; j < sizeof shapes / sizeof shapes[0]; j++) {
            random_problem p;
            brute_random random = {(uint64_t)i * 100 + j};
            assert_true(random_problem_make_wide(&p, shapes[j].columns, shapes[j].tuples,
                                                 (uint64_t)i * 10 + j));
            compare_wide(&p, i % 5, (uint64_t)brute_between(&random, 2, 12), &random);
            compare_wide(&p, 4, (uint64_t)brute_between(&random, 2, 12), &random);
            random_problem_free(&p);
        }
}

/* Keys of several words. */
static void keys_of_several_words_equal_brute_force(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(3); i++) {
        random_problem p;
        brute_random random = {(uint64_t)i};
        assert_true(random_problem_make_wide(&p, 38, 30, (uint64_t)i + 500));
        compare_wide(&p, 0, (uint64_t)brute_between(&random, 2, 6), &random);
        compare_wide(&p, 2, (uint64_t)brute_between(&random, 2, 6), &random);
        random_problem_free(&p);
    }
}

/* All combinations of 38 columns are too many, and so are those of 13 out of them. */
static void too_many_combinations_are_refused(void **state)
{
    (void)state;
    random_problem p;
    mgl_solution *s = NULL;
    mgl_error err;
    assert_true(random_problem_make_wide(&p, 38, 200, 1));
    static const uint32_t none[RANDOM_ATTRIBUTES];
    mgl_argus_options options = {{.all = true}, none, none};
    p.problem.method = mgl_method_type_find("mu-argus");
    p.problem.options = &options;
    assert_int_equal(mgl_method_run(mgl_method_type_find("mu-argus"), &p.problem, &err, &s),
                     MGL_USAGE);
    options.combinations = (mgl_combinations){.sizes = UINT64_C(1) << 13};
    assert_int_equal(mgl_method_run(mgl_method_type_find("mu-argus"), &p.problem, &err, &s),
                     MGL_USAGE);
    assert_non_null(strstr(err.message, "`combinations`"));
    random_problem_free(&p);
}

/* ---- Counting supersets ------------------------------------------------------------------- */

static void supersets_of_rare_sets_are_counted(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(400); i++) {
        brute_random random = {(uint64_t)i};
        unsigned m = (unsigned)brute_between(&random, 1, 13);
        uint64_t columns = 0, sets[40], scratch[1024], counts[MGL_ARGUS_COLUMNS],
                 wanted[MGL_ARGUS_COLUMNS] = {0};
        while ((unsigned)__builtin_popcountll(columns) < m)
            columns |= UINT64_C(1) << brute_below(&random, 64);
        size_t n = (size_t)brute_between(&random, 0, 40);
        int density = brute_between(&random, 10, 90);
        for (size_t j = 0; j < n; j++) {
            sets[j] = 0;
            for (uint64_t left = columns; left != 0; left &= left - 1)
                if (brute_chance(&random, density))
                    sets[j] |= left & (0 - left);
        }
        uint64_t subset = columns; /* all subsets, the empty one last */
        do {
            bool contains = false;
            for (size_t j = 0; j < n; j++)
                contains = contains || (sets[j] & ~subset) == 0;
            for (int a = 0; contains && a < MGL_ARGUS_COLUMNS; a++)
                wanted[a] += subset >> a & 1;
            subset = (subset - 1) & columns;
        } while (subset != columns);
        assert_true(mgl_argus_count_room(n, m) <= 1024);
        mgl_argus_count_supersets(sets, n, columns, scratch, counts);
        assert_memory_equal(counts, wanted, sizeof wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_with_any_models_equal_brute_force),
        cmocka_unit_test(each_of_several_quasi_identifiers_holds),
        cmocka_unit_test(tables_of_up_to_ten_columns_equal_brute_force),
        cmocka_unit_test(keys_of_several_words_equal_brute_force),
        cmocka_unit_test(too_many_combinations_are_refused),
        cmocka_unit_test(supersets_of_rare_sets_are_counted),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
