/* What Sweeney 2002 proves and defines, on random tables: theorems 1 and 2, definitions 4
 * and 6, equation 1. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_problem.h"

#include <string.h>

/* A case as the paper has it: one quasi-identifier, no level bounds, every weight above 0. */
static void make_case(brute_case *c, uint64_t seed)
{
    brute_make(c, seed);
    c->n_sets = 1;
    for (int a = 0; a < c->n_attributes; a++) {
        c->in_set[0][a] = true;
        c->likelihood[a] = 1;
        c->min_level[a] = 0;
        c->max_level[a] = c->hierarchies[a].height;
        if (c->weight[a] == 0)
            c->weight[a] = 1;
    }
    c->n_prefer = 0;
}

static mgl_solution *run(const brute_problem *p, const char *method)
{
    mgl_solution *s = NULL;
    mgl_error err = {0};
    mgl_status status = mgl_method_run(mgl_method_type_find(method), &p->problem, &err, &s);
    if (status != MGL_OK && status != MGL_UNMET)
        fail_msg("%s", err.message);
    return s;
}

static mgl_span released(const brute_problem *p, const mgl_solution *s, size_t tuple, int a)
{
    return p->columns[a]->values[s->recoding->cells[a][tuple]].label;
}

/* Theorem 1: each value of a column of a k-anonymous release occurs at least k times. */
static void theorem_1_values_occur_at_least_k_times(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "datafly", "samarati"};
    int releases = 0;
    for (int i = 0; i < brute_cases(500); i++) {
        brute_case c;
        brute_problem p;
        make_case(&c, UINT64_C(3000000) + (uint64_t)i);
        c.treatment = BRUTE_KEEP;
        brute_problem_make(&c, &p);
        for (int m = 0; m < 3; m++) {
            mgl_solution *s = run(&p, methods[m]);
            releases += s != NULL;
            for (int a = 0; s != NULL && a < c.n_attributes; a++)
                for (size_t t = 0; t < p.list->n_tuples; t++) {
                    uint64_t rows = 0;
                    for (size_t u = 0; u < p.list->n_tuples; u++)
                        if (mgl_span_equal(released(&p, s, t, a), released(&p, s, u, a)))
                            rows += p.list->counts[u];
                    if (rows < (uint64_t)c.k)
                        fail_msg("seed %llu, %s: a value of %c occurs %d times, k is %d",
                                 (unsigned long long)c.seed, methods[m], 'a' + a, (int)rows, c.k);
                }
            mgl_solution_free(s);
        }
        brute_problem_free(&p);
    }
    assert_true(releases > 500 / BRUTE_ONE_IN);
}

static bool repeats_a_label(const brute_case *c)
{
    for (int a = 0; a < c->n_attributes; a++) {
        const brute_hierarchy *h = &c->hierarchies[a];
        for (int l = 0; l <= h->height; l++)
            for (int leaf = 0; leaf < h->n_leaves; leaf++)
                if (h->lowest[h->text[l][leaf]] != l)
                    return true;
    }
    return false;
}

/* Theorem 2: with nothing suppressed a minimal distortion is a minimal generalization. */
static void theorem_2_minimal_distortion_is_a_minimal_generalization(void **state)
{
    (void)state;
    int seen = 0;
    for (int i = 0; i < brute_cases(1500); i++) {
        brute_case c;
        brute_problem p;
        make_case(&c, UINT64_C(4000000) + (uint64_t)i);
        if (repeats_a_label(&c)) /* a step that changes no text distorts nothing */
            continue;
        seen++;
        c.limited = true;
        c.limit = 0;
        c.measure = BRUTE_PRECISION;
        brute_problem_make(&c, &p);
        mgl_solution *s = run(&p, "mingen");
        assert_non_null(s); /* all at the top holds, as k is at most N */
        size_t m = s->n_attributes, found = 0;
        for (size_t n = 0; n < s->n_minimal; n++)
            found += memcmp(s->minimal_nodes + n * m, s->node, m * sizeof *s->node) == 0;
        if (found != 1)
            fail_msg("seed %llu: the best node is not among the minimal ones",
                     (unsigned long long)c.seed);
        mgl_solution_free(s);
        brute_problem_free(&p);
    }
    assert_true(seen > 300 / BRUTE_ONE_IN);
}

/* k rows of the table look alike in every class of the node: definition 2, by text. */
static bool is_k_anonymous(const brute_case *c, const uint32_t *node)
{
    for (int r = 0; r < c->n_rows; r++) {
        int alike = 0;
        for (int s = 0; s < c->n_rows; s++) {
            bool same = true;
            for (int a = 0; same && a < c->n_attributes; a++) {
                const char(*label)[BRUTE_TEXT] = c->hierarchies[a].label[node[a]];
                same = strcmp(label[c->leaf[r][a]], label[c->leaf[s][a]]) == 0;
            }
            alike += same;
        }
        if (alike < c->k)
            return false;
    }
    return true;
}

/* Definition 4: a minimal generalization is k-anonymous and nothing below it is. As holding is
 * monotone with limit 0, the direct predecessors tell. Definition 6: no k-anonymous
 * generalization has a higher precision than the minimal distortion. */
static void minimal_nodes_are_minimal(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(300); i++) {
        brute_case c;
        brute_problem p;
        brute_lattice lattice;
        make_case(&c, UINT64_C(5000000) + (uint64_t)i);
        c.limited = true;
        c.limit = 0;
        c.measure = BRUTE_PRECISION;
        brute_problem_make(&c, &p);
        brute_lattice_make(&c, &lattice);
        mgl_solution *s = run(&p, "mingen");
        assert_non_null(s);
        assert_true(s->n_minimal > 0);
        for (size_t n = 0; n < s->n_minimal; n++) {
            uint32_t *node = s->minimal_nodes + n * s->n_attributes;
            assert_true(is_k_anonymous(&c, node));
            for (int a = 0; a < c.n_attributes; a++)
                if (node[a] > 0) {
                    node[a]--;
                    assert_false(is_k_anonymous(&c, node));
                    node[a]++;
                }
        }
        double best = -1;
        for (int v = 0; v < lattice.n_nodes; v++) {
            uint32_t node[BRUTE_ATTRIBUTES];
            for (int a = 0; a < c.n_attributes; a++)
                node[a] = (uint32_t)lattice.nodes[v].level[a];
            if (is_k_anonymous(&c, node) && lattice.nodes[v].value[BRUTE_PRECISION] > best)
                best = lattice.nodes[v].value[BRUTE_PRECISION];
        }
        int number = 0;
        for (int a = 0; a < c.n_attributes; a++)
            number = number * (c.max_level[a] + 1) + (int)s->node[a];
        assert_true(brute_ties(best, lattice.nodes[number].value[BRUTE_PRECISION]));
        assert_true(is_k_anonymous(&c, s->node));
        mgl_solution_free(s);
        brute_lattice_free(&lattice);
        brute_problem_free(&p);
    }
}

/* Equation 1: a table has the product of (H + 1) generalizations. */
static void equation_1_number_of_nodes_is_a_product(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(300); i++) {
        brute_case c;
        brute_problem p;
        make_case(&c, UINT64_C(6000000) + (uint64_t)i);
        c.limited = true;
        c.limit = c.n_rows;
        brute_problem_make(&c, &p);
        uint64_t product = 1;
        for (int a = 0; a < c.n_attributes; a++)
            product *= (uint64_t)c.hierarchies[a].height + 1;
        mgl_solution *s = run(&p, i % 2 == 0 ? "mingen" : "samarati");
        if (s != NULL)
            assert_int_equal(s->nodes_total, product);
        else
            assert_int_equal(c.treatment, BRUTE_DROP);
        mgl_solution_free(s);
        brute_problem_free(&p);
    }
}

/* Level 1 gives some values another name and merges none. */
static void make_renaming(brute_case *c, uint64_t seed)
{
    brute_random random = {seed};
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->n_rows = brute_between(&random, 10, BRUTE_ROWS);
    c->n_attributes = 2;
    c->k = c->n_sets = 1;
    for (int a = 0; a < 2; a++) {
        brute_hierarchy *h = &c->hierarchies[a];
        h->given = true;
        h->n_lines = h->n_leaves = 5;
        h->n_written = 3;
        h->height = c->max_level[a] = 2;
        for (int i = 0; i < 5; i++) {
            snprintf(h->label[0][i], BRUTE_TEXT, "v%d", i);
            snprintf(h->label[1][i], BRUTE_TEXT, "%c%d", i < 3 ? 'w' : 'v', i);
            strcpy(h->label[2][i], "*");
        }
        for (int r = 0; r < c->n_rows; r++)
            c->leaf[r][a] = brute_below(&random, brute_between(&random, 1, 5));
        c->weight[a] = c->preference[a] = c->likelihood[a] = 1;
        c->in_set[0][a] = true;
    }
}

/* With k = 1 every table is anonymous as it is: whatever the measure, nothing is generalized.
 * Sums over the same numbers in another order are ties, though they round otherwise. */
static void with_k_1_nothing_is_generalized(void **state)
{
    (void)state;
    static const brute_measure measures[] = {BRUTE_NONUNIFORM_ENTROPY, BRUTE_ENTROPY, BRUTE_LOSS,
                                             BRUTE_GEOMETRIC_LOSS};
    for (int i = 0; i < brute_cases(400); i++) {
        brute_case c;
        brute_problem p;
        make_renaming(&c, (uint64_t)i);
        brute_problem_make(&c, &p);
        for (int m = 0; m < 4; m++) {
            p.problem.measure = mgl_measure_type_find(brute_measure_option(measures[m]));
            mgl_solution *s = run(&p, "mingen");
            assert_non_null(s);
            if (s->node[0] != 0 || s->node[1] != 0)
                fail_msg("seed %d, %s: node %u, %u", i, brute_measure_option(measures[m]),
                         s->node[0], s->node[1]);
            assert_int_equal(s->n_ties, 4); /* the other names are as good */
            mgl_solution_free(s);
        }
        brute_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(theorem_1_values_occur_at_least_k_times),
        cmocka_unit_test(theorem_2_minimal_distortion_is_a_minimal_generalization),
        cmocka_unit_test(minimal_nodes_are_minimal),
        cmocka_unit_test(equation_1_number_of_nodes_is_a_product),
        cmocka_unit_test(with_k_1_nothing_is_generalized),
    };
    return cmocka_run_group_tests_name("theorems", tests, brute_enter_folder, brute_leave_folder);
}
