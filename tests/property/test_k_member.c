/* k-member clustering against a plain version of itself, and its releases against brute force:
 * random tables with all kinds of models, treatments, persons, level bounds and missing cells. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "plain_members.h"
#include "random_problem.h"
#include "search/cluster/k_member/members.h"
#include "search/cluster/partition/partition.h"

#include <math.h>
#include <stdio.h>
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

/* ---- The same clusters --------------------------------------------------------------- */

/* The clusters of the method after the left-overs joined them. */
static mgl_member_clusters *cluster(const mgl_member_space *space)
{
    const mgl_problem *p = space->problem;
    mgl_member_clusters *clusters;
    size_t n = space->n, n_blocks;
    uint32_t *blocks = calloc(n, sizeof *blocks), *tuples = calloc(n, sizeof *tuples);
    assert_int_equal(mgl_member_clusters_new(space, 1, NULL, &clusters), MGL_OK);
    assert_int_equal(mgl_partition_widest(p, NULL, blocks, &n_blocks), MGL_OK);
    for (size_t i = 0; i < n_blocks; i++) {
        size_t first = clusters->n, size = 0;
        for (uint32_t t = 0; t < n; t++)
            if (blocks[t] == i)
                tuples[size++] = t;
        assert_int_equal(mgl_member_grow(clusters, tuples, size, NULL), MGL_OK);
        assert_int_equal(mgl_member_join(clusters, first, clusters->n, NULL), MGL_OK);
    }
    free(blocks);
    free(tuples);
    return clusters;
}

static void compare_cluster(const mgl_member_clusters *clusters, uint32_t number,
                            const plain_members *plain)
{
    const mgl_member_cluster *c = &clusters->each[number];
    const mgl_problem *p = clusters->space->problem;
    uint32_t *tuples = calloc(clusters->space->n, sizeof *tuples);
    size_t n = mgl_member_list(clusters, number, tuples);
    uint64_t rows = 0, width = 0;
    assert_int_equal(n, c->n_tuples);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(plain->cluster_of[tuples[i]], plain->cluster_of[tuples[0]]);
        assert_int_equal(plain->holds[tuples[i]], c->holds);
        rows += p->list->counts[tuples[i]];
    }
    for (size_t a = 0; n > 0 && a < p->list->n_attributes; a++)
        width += plain_width(p, a, tuples, n);
    assert_int_equal(rows, c->rows);
    assert_int_equal(width, c->width);
    free(tuples);
}

static void compare_with_plain(const mgl_problem *problem)
{
    mgl_member_space *space;
    plain_members plain;
    assert_true(plain_members_make(problem, &plain));
    assert_int_equal(mgl_member_space_new(problem, NULL, &space), MGL_OK);
    mgl_member_clusters *clusters = cluster(space);
    size_t n_plain = 0, n = 0, placed = 0;
    for (uint32_t t = 0; t < space->n; t++)
        n_plain += plain.cluster_of[t] == t;
    for (uint32_t i = 0; i < clusters->n; i++) {
        compare_cluster(clusters, i, &plain);
        n += clusters->each[i].n_tuples > 0;
        placed += clusters->each[i].n_tuples;
    }
    assert_int_equal(n, n_plain);
    assert_int_equal(placed, space->n);
    mgl_member_clusters_free(clusters);
    mgl_member_space_free(space);
    plain_members_free(&plain);
}

static void hierarchies_are_clustered_as_the_plain_way_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)brute_cases(60); seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        if (p.list->n_tuples < 200 && p.list->packing.n_words < 2)
            compare_with_plain(&p.problem);
        random_problem_free(&p);
    }
}

static void numbers_are_clustered_as_the_plain_way_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)brute_cases(60); seed++) {
        random_problem p;
        assert_true(random_problem_make_scaled(&p, 1 + seed * 7 % 120, seed));
        compare_with_plain(&p.problem);
        random_problem_free(&p);
    }
}

/* Enough tuples that the tree is deep and is made again. */
static void deep_trees_cluster_as_the_plain_way_does(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)brute_cases(2); seed++) {
        random_problem p;
        assert_true(seed % 2 ? random_problem_make_wide(&p, 4, 300, seed)
                             : random_problem_make_scaled(&p, 250, 9 + seed));
        compare_with_plain(&p.problem);
        random_problem_free(&p);
    }
}

/* The first table from this seed on that has one quasi-identifier; one in ten may have a
 * population. */
static uint64_t make_table(brute_table *t, uint64_t seed)
{
    do {
        brute_table_make(t, seed++, 400);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1 || (t->has_population && seed % 10 > 0));
    return seed;
}

static void clusters_under_any_models_equal_the_plain_way(void **state)
{
    (void)state;
    brute_table t;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(150); i++) {
        brute_made m;
        seed = make_table(&t, seed);
        brute_made_make(&t, &m);
        if (!t.has_population)
            compare_with_plain(&m.problem);
        brute_made_free(&m);
    }
}

/* ---- A release, row by row ----------------------------------------------------------- */

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

static bool is_range_column(const brute_table *t, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    bool numbers = !h->given && t->c.min_level[a] == 0 && t->c.max_level[a] == h->height;
    int n = h->n_leaves - h->has_missing;
    for (int i = 0; i < n; i++) {
        char *rest;
        (void)strtod(h->label[0][i], &rest);
        numbers = numbers && *rest == '\0' && h->label[0][i][0] != '\0';
    }
    return numbers && n > 0;
}

/* What rows have in common in a column, plainly. */
static const char *common_text(const brute_table *t, const brute_rows *rows, int a, char *range)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    int first = t->c.leaf[rows->row[0]][a], low = first, high = first, level = t->c.min_level[a];
    for (int i = 0; i < rows->n; i++) {
        int leaf = t->c.leaf[rows->row[i]][a];
        low = leaf < low ? leaf : low; /* leaves of numbers are ascending, the missing one last */
        high = leaf > high ? leaf : high;
        while (h->text[level][leaf] != h->text[level][first])
            level++;
    }
    if (!is_range_column(t, a) || low == high)
        return h->label[level][first];
    if (h->has_missing && high == h->n_leaves - 1)
        return "*";
    bool whole = true;
    for (int i = 0; i < h->n_leaves - h->has_missing; i++)
        whole = whole && strchr(h->label[0][i], '.') == NULL;
    snprintf(range, 3 * BRUTE_TEXT, whole ? "%s-%s" : "[%s,%s]", h->label[0][low],
             h->label[0][high]);
    return range;
}

static mgl_span released_text(const brute_made *m, const mgl_recoding *r, int row, int a)
{
    return r->columns[a]->values[r->cells[a][m->tuple_of[row]]].label;
}

static bool looks_like(const brute_table *t, const brute_made *m, const mgl_recoding *r, int x,
                       int y)
{
    bool same = true;
    for (int a = 0; same && a < t->c.n_attributes; a++)
        same = r->cells[a][m->tuple_of[x]] == r->cells[a][m->tuple_of[y]] &&
               mgl_span_equal(released_text(m, r, x, a), released_text(m, r, y, a));
    return same;
}

/* The rows that look like row x; suppressed ones are a class of their own, or none. */
static brute_rows class_of(const brute_table *t, const brute_made *m, const mgl_recoding *r, int x)
{
    brute_rows rows = {0};
    bool keep = t->c.treatment == BRUTE_KEEP;
    for (int y = 0; y < t->c.n_rows; y++)
        if (looks_like(t, m, r, x, y) && (keep || !r->suppressed[m->tuple_of[y]]))
            rows.row[rows.n++] = y;
    return rows;
}

/* Every class holds, is released as what it has in common, and no level is too high. */
static void check_class(const brute_table *t, const brute_made *m, const mgl_recoding *r, int x)
{
    brute_rows class = class_of(t, m, r, x);
    char range[3 * BRUTE_TEXT];
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind < BRUTE_MEAN_RISK)
            AGREE(brute_rows_hold(t, &t->models[i], &class));
    bool any_suppressed = false;
    for (int i = 0; i < class.n; i++)
        any_suppressed = any_suppressed || r->suppressed[m->tuple_of[class.row[i]]];
    for (int a = 0; a < t->c.n_attributes && !any_suppressed; a++) {
        AGREE(mgl_span_is(released_text(m, r, x, a), common_text(t, &class, a, range)));
        const mgl_hierarchy *h = m->problem.columns[a]->hierarchy;
        uint32_t most = m->problem.max_level[a];
        for (int i = 0; i < class.n; i++)
            AGREE(
                h->levels[most].of_leaf[mgl_list_leaf(m->problem.list, m->tuple_of[class.row[i]],
                                                      (size_t)a)] ==
                h->levels[most].of_leaf[mgl_list_leaf(m->problem.list, m->tuple_of[x], (size_t)a)]);
    }
}

static void check_release(const brute_table *t, const brute_made *m, const mgl_solution *s)
{
    uint64_t suppressed = 0;
    mgl_found found[BRUTE_MODELS];
    for (int x = 0; x < t->c.n_rows; x++) {
        bool is_suppressed = s->recoding->suppressed[m->tuple_of[x]];
        suppressed += is_suppressed;
        if (!is_suppressed || t->c.treatment == BRUTE_KEEP)
            check_class(t, m, s->recoding, x);
        for (int a = 0; is_suppressed && a < t->c.n_attributes; a++)
            AGREE(s->recoding->cells[a][m->tuple_of[x]] == s->recoding->columns[a]->top);
    }
    AGREE(suppressed == s->suppressed_rows);
    /* A class at the top is one like any other if it is kept. */
    AGREE(suppressed <= (uint64_t)t->c.limit || t->c.treatment == BRUTE_KEEP);
    AGREE(t->c.treatment != BRUTE_DROP || suppressed < (uint64_t)t->c.n_rows);
    AGREE(s->node == NULL && !s->timed_out && !s->exact && !s->bounded);
    AGREE(mgl_judge_recoding(&m->problem, s->recoding, NULL, found) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        AGREE(found[i].holds);
}

/* ---- The method ---------------------------------------------------------------------- */

static mgl_solution *run(const brute_table *t, const mgl_problem *given, mgl_pool *pool)
{
    mgl_problem problem = *given;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    problem.pool = pool;
    mgl_status status = mgl_method_run(mgl_method_type_find("k-member"), &problem, &err, &s);
    if (t->has_population) {
        AGREE(status == MGL_USAGE && strstr(err.message, "population") != NULL);
        return NULL;
    }
    if (status != MGL_OK && status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    return status == MGL_OK ? s : NULL;
}

static bool same_release(const brute_table *t, const brute_made *m, const mgl_recoding *r,
                         const brute_made *n, const mgl_recoding *s, const int *row_of)
{
    for (int x = 0; x < t->c.n_rows; x++) {
        if (r->suppressed[m->tuple_of[x]] != s->suppressed[n->tuple_of[row_of[x]]])
            return false;
        for (int a = 0; a < t->c.n_attributes; a++)
            if (!mgl_span_equal(released_text(m, r, x, a), released_text(n, s, row_of[x], a)))
                return false;
    }
    return true;
}

/* Rows in another order. */
static void check_order(brute_table *t, const brute_made *m, const mgl_solution *s,
                        brute_random *random)
{
    int row_of[BRUTE_ROWS];
    brute_made again;
    for (int r = 0; r < t->c.n_rows; r++)
        row_of[r] = r;
    for (int x = t->c.n_rows - 1; x > 0; x--) { /* row x goes where y was */
        int y = brute_below(random, x + 1);
        brute_table_swap(t, x, y);
        for (int r = 0; r < t->c.n_rows; r++)
            row_of[r] = row_of[r] == x ? y : row_of[r] == y ? x : row_of[r];
    }
    brute_made_make(t, &again);
    again.problem.treatment = m->problem.treatment;
    again.problem.limited = m->problem.limited;
    again.problem.limit = m->problem.limit;
    mgl_solution *other = run(t, &again.problem, NULL);
    AGREE((other == NULL) == (s == NULL));
    if (s != NULL)
        AGREE(same_release(t, m, s->recoding, &again, other->recoding, row_of));
    mgl_solution_free(other);
    brute_made_free(&again);
}

/* Every block of the table that may be one class holds as one: then there is a release. */
static bool is_possible(const brute_table *t, const brute_made *m)
{
    for (int x = 0; x < t->c.n_rows; x++) {
        brute_rows rows = {0};
        for (int y = 0; y < t->c.n_rows; y++) {
            bool fit = true;
            for (int a = 0; fit && a < t->c.n_attributes; a++) {
                const brute_hierarchy *h = &t->c.hierarchies[a];
                fit = h->text[t->c.max_level[a]][t->c.leaf[x][a]] ==
                      h->text[t->c.max_level[a]][t->c.leaf[y][a]];
            }
            if (fit)
                rows.row[rows.n++] = y;
        }
        for (int i = 0; i < t->n_models; i++)
            if (t->models[i].kind >= BRUTE_MEAN_RISK || !brute_rows_hold(t, &t->models[i], &rows))
                return false;
    }
    return m->problem.n_sets == 1;
}

static void every_release_holds(void **state)
{
    (void)state;
    brute_table t;
    brute_random random = {2007};
    int released = 0;
    uint64_t seed = 5000;
    for (int i = 0; i < brute_cases(250); i++) {
        brute_made m;
        seed = make_table(&t, seed);
        brute_made_make(&t, &m);
        for (int treatment = BRUTE_KEEP; treatment <= BRUTE_EXEMPT; treatment++) {
            brute_made_vary(&t, &m, &random, (brute_treatment)treatment);
            mgl_solution *s = run(&t, &m.problem, NULL);
            mgl_solution *threaded = run(&t, &m.problem, four);
            if ((s == NULL) != (threaded == NULL))
                brute_table_disagree(&t, "threads");
            if (s == NULL && !t.has_population && is_possible(&t, &m))
                brute_table_disagree(&t, "no release, but there is one");
            if (s != NULL) {
                int same[BRUTE_ROWS];
                for (int r = 0; r < t.c.n_rows; r++)
                    same[r] = r;
                check_release(&t, &m, s);
                if (!same_release(&t, &m, s->recoding, &m, threaded->recoding, same))
                    brute_table_disagree(&t, "threads");
                released++;
            }
            if (!t.has_population && treatment == i % 3) {
                brute_table shuffled = t;
                check_order(&shuffled, &m, s, &random);
            }
            mgl_solution_free(s);
            mgl_solution_free(threaded);
        }
        brute_made_free(&m);
    }
    assert_true(released > brute_cases(250));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hierarchies_are_clustered_as_the_plain_way_does),
        cmocka_unit_test(numbers_are_clustered_as_the_plain_way_does),
        cmocka_unit_test(deep_trees_cluster_as_the_plain_way_does),
        cmocka_unit_test(clusters_under_any_models_equal_the_plain_way),
        cmocka_unit_test(every_release_holds),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
