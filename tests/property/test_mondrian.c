/* Mondrian against the same cuts made plainly on rows: small random tables with hierarchies,
 * numbers, dates and missing cells, all kinds of models, level bounds, both cuts. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_mondrian.h"
#include "search/cluster/mondrian/mondrian.h"
#include "search/node/demand.h"

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

/* ---- A release, row by row ---------------------------------------------------------------- */

typedef struct release {
    bool met, suppressed[BRUTE_ROWS];
    int n_suppressed, n_violating;
    char cell[BRUTE_ROWS][BRUTE_ATTRIBUTES][BRUTE_RANGE];
} release;

static void read_release(const brute_table *t, const brute_made *m, const mgl_solution *s,
                         release *out)
{
    *out = (release){.met = true};
    for (int r = 0; r < t->c.n_rows; r++) {
        size_t tuple = m->tuple_of[r];
        out->suppressed[r] = s->recoding->suppressed[tuple];
        out->n_suppressed += out->suppressed[r];
        for (int a = 0; a < t->c.n_attributes; a++) {
            uint32_t cell = s->recoding->cells[a][tuple];
            mgl_span label = s->recoding->columns[a]->values[cell].label;
            AGREE(label.size < BRUTE_RANGE);
            memcpy(out->cell[r][a], label.data, label.size);
            out->cell[r][a][label.size] = '\0';
        }
    }
    AGREE(s->suppressed_rows == (uint64_t)out->n_suppressed);
    AGREE(s->node == NULL && !s->timed_out);
}

static void run(const brute_table *t, const brute_made *m, mgl_cut cut, mgl_pool *pool,
                release *out)
{
    mgl_problem problem = m->problem;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    mgl_mondrian_options options = {cut};
    problem.method = mgl_method_type_find("mondrian");
    problem.options = &options;
    problem.pool = pool;
    mgl_status status = mgl_method_run(mgl_method_type_find("mondrian"), &problem, &err, &s);
    if (status != MGL_OK && status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    *out = (release){0};
    if (status != MGL_OK)
        return;
    mgl_found found[BRUTE_MODELS];
    read_release(t, m, s, out);
    AGREE(mgl_judge_recoding(&m->problem, s->recoding, NULL, found) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        AGREE(found[i].holds);
    mgl_solution_free(s);
}

static bool look_alike(const brute_table *t, const release *x, int r, int s)
{
    for (int a = 0; a < t->c.n_attributes; a++)
        if (strcmp(x->cell[r][a], x->cell[s][a]) != 0)
            return false;
    return true;
}

/* The rows that read like this one, or none if it is not the first of them. */
static void take_class(const brute_table *t, const release *x, int r, bool suppressed_too,
                       brute_rows *out)
{
    *out = (brute_rows){.n = 0};
    for (int s = 0; s < t->c.n_rows; s++) {
        if (!look_alike(t, x, r, s) || (x->suppressed[s] && !suppressed_too))
            continue;
        if (s < r) {
            out->n = 0;
            return;
        }
        out->row[out->n++] = s;
    }
}

static int take_classes(const brute_table *t, const release *x, bool suppressed_too,
                        brute_rows *classes)
{
    int n = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        take_class(t, x, r, suppressed_too, &classes[n]);
        n += classes[n].n > 0;
    }
    return n;
}

/* ---- What must be ------------------------------------------------------------------------- */

static bool table_models_hold(const brute_table *t, const release *x)
{
    brute_rows classes[BRUTE_ROWS];
    int n = take_classes(t, x, t->c.treatment == BRUTE_KEEP, classes);
    for (int i = 0; n > 0 && i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK &&
            !brute_classes_hold(t, &t->models[i], classes, n))
            return false;
    return true;
}

static bool has_table_models(const brute_table *t)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK)
            return true;
    return false;
}

/* What is not dropped is suppressed if it reads as the top, unless all rows do. */
static void mark_tops(const brute_table *t, release *x)
{
    bool top[BRUTE_ROWS];
    int n = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        top[r] = true;
        for (int a = 0; a < t->c.n_attributes; a++) {
            const brute_hierarchy *h = &t->c.hierarchies[a];
            top[r] = top[r] && strcmp(x->cell[r][a], h->label[h->height][0]) == 0;
        }
        n += top[r];
    }
    if (t->c.treatment == BRUTE_DROP)
        return;
    for (int r = 0; r < t->c.n_rows; r++)
        x->suppressed[r] = top[r] && n < t->c.n_rows;
    x->n_suppressed = n < t->c.n_rows ? n : 0;
}

/* The release of the regions; those that do not hold are suppressed. */
static void release_parts(const brute_table *t, const brute_mondrian *m, release *out)
{
    *out = (release){0};
    brute_mondrian models = {.need = 1}; /* the models alone */
    for (int p = 0; p < m->n_regions; p++) {
        const brute_rows *region = &m->regions[p];
        bool holds = brute_mondrian_holds(t, &models, region);
        for (int i = 0; i < region->n; i++) {
            int r = region->row[i];
            out->suppressed[r] = !holds;
            out->n_suppressed += !holds;
            out->n_violating += !holds;
            for (int a = 0; a < t->c.n_attributes; a++)
                if (holds)
                    brute_mondrian_cell(t, region, a, out->cell[r][a]);
                else
                    strcpy(out->cell[r][a],
                           t->c.hierarchies[a].label[t->c.hierarchies[a].height][0]);
        }
    }
}

/* What is suppressed is left out and not too much, or is nothing. Rows that are kept take more
 * with them, and too many exempt ones are spread over other classes; that is looked at class by
 * class. */
static bool is_simple(const brute_table *t, const release *x)
{
    bool spread = x->n_suppressed > t->c.limit || x->n_violating == t->c.n_rows;
    return x->n_violating == 0
               ? t->c.treatment != BRUTE_EXEMPT || !spread
               : t->c.treatment == BRUTE_DROP || (t->c.treatment == BRUTE_EXEMPT && !spread);
}

static bool is_met(const brute_table *t, const release *x)
{
    return (x->n_suppressed <= t->c.limit || t->c.treatment == BRUTE_KEEP) &&
           !(t->c.treatment == BRUTE_DROP && x->n_suppressed == t->c.n_rows) &&
           table_models_hold(t, x);
}

/* Larger regions are tried while a model of the whole table does not hold. False if that cannot be
 * said so simply. */
static bool expect(const brute_table *t, const mgl_problem *problem, brute_mondrian *m,
                   release *out)
{
    m->need = (int)mgl_demand_size(problem);
    for (;;) {
        brute_mondrian_cut(t, m);
        release_parts(t, m, out);
        mark_tops(t, out);
        if (!is_simple(t, out))
            return false;
        out->met = is_met(t, out);
        if (out->met || !has_table_models(t) || m->need > t->c.n_rows)
            return true;
        m->need += m->need / 2 + 1;
    }
}

static void check_classes(const brute_table *t, const release *x)
{
    brute_rows classes[BRUTE_ROWS];
    brute_mondrian models = {.need = 1};
    int n = take_classes(t, x, t->c.treatment == BRUTE_KEEP, classes);
    for (int c = 0; c < n; c++)
        AGREE(brute_mondrian_holds(t, &models, &classes[c]));
    AGREE(table_models_hold(t, x));
    AGREE(x->n_suppressed <= t->c.limit || t->c.treatment == BRUTE_KEEP);
}

static bool sizes_alone(const brute_table *t)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind != BRUTE_K && t->models[i].kind != BRUTE_MAX_RISK)
            return false;
    return !t->has_persons;
}

static void check_same(const brute_table *t, const release *x, const release *y)
{
    AGREE(x->met == y->met);
    for (int r = 0; x->met && r < t->c.n_rows; r++) {
        AGREE(x->suppressed[r] == y->suppressed[r]);
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(strcmp(x->cell[r][a], y->cell[r][a]) == 0);
    }
}

/* ---- Cases ---------------------------------------------------------------------------------- */

/* Is it refused to let regions overlap? */
static bool is_refused(const brute_table *t, const brute_made *m)
{
    mgl_problem problem = m->problem;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    bool union_may_fail = false;
    for (int i = 0; i < t->n_models; i++) {
        const mgl_model_type *type = m->problem.sets[0].models[i].type;
        union_may_fail = union_may_fail || (type->scope == MGL_SCOPE_CLASS && !type->upward_closed);
    }
    if (!t->has_persons || !union_may_fail)
        return false;
    mgl_mondrian_options options = {MGL_CUT_RELAXED};
    problem.method = mgl_method_type_find("mondrian");
    problem.options = &options;
    AGREE(mgl_method_run(mgl_method_type_find("mondrian"), &problem, &err, &s) == MGL_USAGE);
    AGREE(strstr(err.message, "`cut: strict`") != NULL);
    return true;
}

static void check_cut(const brute_table *t, const brute_made *m, mgl_cut cut)
{
    static release got, threaded, wanted;
    static brute_mondrian plain;
    plain.relaxed = cut == MGL_CUT_RELAXED;
    run(t, m, cut, NULL, &got);
    run(t, m, cut, four, &threaded);
    check_same(t, &got, &threaded);
    if (got.met)
        check_classes(t, &got);
    if (!expect(t, &m->problem, &plain, &wanted))
        return;
    check_same(t, &wanted, &got);
    for (int p = 0; p < plain.n_regions && sizes_alone(t); p++)
        AGREE(!brute_mondrian_can_cut(t, &plain, &plain.regions[p]));
}

static void check_table(brute_table *t, brute_random *random)
{
    brute_made m;
    brute_made_make(t, &m);
    for (int treatment = 0; treatment < 3; treatment++) {
        brute_made_vary(t, &m, random, (brute_treatment)treatment);
        check_cut(t, &m, MGL_CUT_STRICT);
        if (!is_refused(t, &m))
            check_cut(t, &m, MGL_CUT_RELAXED);
    }
    brute_made_free(&m);
}

/* The first table from this seed on with one quasi-identifier and no population. */
static uint64_t make_table(brute_table *t, uint64_t seed)
{
    do {
        brute_table_make(t, seed++, 400);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1 || t->has_population);
    brute_random random = {seed + 11};
    brute_mondrian_numbers(t, &random);
    return seed;
}

static brute_table table;

static void cuts_under_any_models_equal_brute_force(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(400); i++) {
        seed = make_table(&table, seed);
        brute_random random = {seed + 77};
        check_table(&table, &random);
    }
}

static void cuts_under_each_model_equal_brute_force(void **state)
{
    (void)state;
    uint64_t seed = 6000000;
    for (int i = 0; i < brute_cases(15) * BRUTE_KINDS; i++) {
        brute_kind kind = (brute_kind)(i % BRUTE_KINDS);
        if (kind == BRUTE_K_MAP || kind == BRUTE_DELTA_PRESENCE)
            continue;
        brute_random random = {seed + 7700};
        do {
            seed = make_table(&table, seed);
            brute_table_take_model(&table, &random, kind);
        } while (table.n_models == 0 || table.has_population);
        check_table(&table, &random);
    }
}

/* The last row first: the same rows are released alike. */
static void the_order_of_rows_makes_no_difference(void **state)
{
    (void)state;
    uint64_t seed = 90000;
    for (int i = 0; i < brute_cases(60); i++) {
        static release x, y;
        brute_made m;
        brute_table *t = &table;
        mgl_cut cut = i % 2 == 0 ? MGL_CUT_STRICT : MGL_CUT_RELAXED;
        seed = make_table(t, seed);
        brute_random random = {seed};
        brute_table_take_model(t, &random, BRUTE_K);
        brute_made_make(t, &m);
        run(t, &m, cut, NULL, &x);
        brute_made_free(&m);
        for (int r = 0; r < t->c.n_rows / 2; r++)
            brute_table_swap(t, r, t->c.n_rows - 1 - r);
        brute_made_make(t, &m);
        run(t, &m, cut, NULL, &y);
        brute_made_free(&m);
        AGREE(x.met == y.met);
        for (int r = 0; x.met && r < t->c.n_rows; r++)
            AGREE(memcmp(x.cell[r], y.cell[t->c.n_rows - 1 - r], sizeof x.cell[r]) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_under_any_models_equal_brute_force),
        cmocka_unit_test(cuts_under_each_model_equal_brute_force),
        cmocka_unit_test(the_order_of_rows_makes_no_difference),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
