/* Thousands of small random tables: every node, and what each search chooses, against plain
 * brute force (tests/support/brute_*.c). */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_problem.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/search.h"

#include <math.h>

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

/* Says which case it was and fails. */
static void disagree(const brute_case *c, const char *what)
{
    brute_print(c, stderr);
    fail_msg("seed %llu: %s", (unsigned long long)c->seed, what);
}

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            disagree(c, #condition);                                                               \
    } while (0)

static bool about(double x, double y)
{
    return x == y || fabs(x - y) <= 1e-12 * fmax(1, fmax(fabs(x), fabs(y)));
}

/* ---- Every node ------------------------------------------------------------------------- */

typedef struct visited {
    const brute_case *c;
    const brute_problem *p;
    const brute_lattice *lattice;
} visited;

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)err;
    const visited *v = context;
    const brute_case *c = v->c;
    const brute_node *plain = &v->lattice->nodes[number];
    for (int a = 0; a < c->n_attributes; a++)
        AGREE(node[a] == (uint32_t)plain->level[a]);
    AGREE(e->met == plain->met);
    AGREE(e->holds == plain->holds);
    AGREE(e->suppressed_rows == (uint64_t)plain->suppressed_rows);
    AGREE(e->statistics->top_rows == (uint64_t)plain->top_rows);
    AGREE(e->n_classes + (plain->top_rows > 0) == (uint64_t)plain->n_classes);
    for (int m = 0; m < BRUTE_MEASURES; m++) {
        double value =
            mgl_measure_type_find(brute_measure_option((brute_measure)m))->value(e->statistics);
        if (!about(value, plain->value[m])) {
            fprintf(stderr, "# node %llu: %s is %.17g, must be %.17g\n", (unsigned long long)number,
                    brute_measure_option((brute_measure)m), value, plain->value[m]);
            disagree(c, "a measure");
        }
    }
    for (int r = 0; r < c->n_rows; r++) {
        size_t t = brute_tuple_of(c, v->p, r);
        AGREE(e->suppressed[t] == plain->suppressed[r]);
        for (int a = 0; a < c->n_attributes; a++)
            AGREE(mgl_span_is(v->p->columns[a]->values[e->cells[a][t]].label,
                              brute_released_text(c, plain, r, a)));
    }
    return MGL_OK;
}

static void compare_nodes(const brute_case *c, brute_problem *p, const brute_lattice *lattice)
{
    visited v = {c, p, lattice};
    uint64_t n;
    bool timed_out;
    p->problem.pool = NULL;
    AGREE(mgl_lattice_sweep(&p->problem, visit, &v, NULL, &n, &timed_out) == MGL_OK);
    AGREE(n == (uint64_t)lattice->n_nodes && !timed_out);
}

static void every_node_is_judged_alike(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(400); i++) {
        static brute_case made;
        brute_problem p;
        brute_lattice lattice;
        brute_make(&made, (uint64_t)i);
        brute_problem_make(&made, &p);
        brute_lattice_make(&made, &lattice);
        compare_nodes(&made, &p, &lattice);
        brute_lattice_free(&lattice);
        brute_problem_free(&p);
    }
}

/* ---- The searches ------------------------------------------------------------------------- */

static void compare_holding(const brute_case *c, const mgl_problem *problem,
                            const brute_lattice *lattice)
{
    uint8_t *holds;
    AGREE(mgl_lattice_holding(problem, NULL, &holds) == MGL_OK);
    for (int i = 0; i < lattice->n_nodes; i++)
        AGREE((holds[i] != 0) == lattice->nodes[i].holds);
    mgl_free(holds);
}

static void compare_minimal(const brute_case *c, const mgl_solution *s,
                            const brute_lattice *lattice)
{
    AGREE(s->minimal_known);
    size_t n = 0;
    for (int i = 0; i < lattice->n_nodes; i++) {
        if (!brute_is_minimal(c, lattice, i))
            continue;
        AGREE(n < s->n_minimal);
        for (int a = 0; a < c->n_attributes; a++)
            AGREE(s->minimal_nodes[n * s->n_attributes + (size_t)a] ==
                  (uint32_t)lattice->nodes[i].level[a]);
        n++;
    }
    AGREE(n == s->n_minimal);
}

/* The solution is the node with this number, or none is (-1). */
static void compare_solution(const brute_case *c, const brute_problem *p, mgl_status status,
                             const mgl_solution *s, const brute_lattice *lattice, int chosen)
{
    AGREE((status == MGL_OK) == (chosen >= 0));
    if (chosen < 0) {
        AGREE(status == MGL_UNMET);
        return;
    }
    brute_node released = brute_as_released(c, &lattice->nodes[chosen]), *plain = &released;
    bool same = true;
    for (int a = 0; a < c->n_attributes; a++)
        same = same && s->node[a] == (uint32_t)plain->level[a];
    for (int a = 0; !same && a < c->n_attributes; a++)
        fprintf(stderr, "# %c: level %u, must be %d\n", 'a' + a, s->node[a], plain->level[a]);
    AGREE(same);
    AGREE(s->suppressed_rows == (uint64_t)plain->suppressed_rows);
    for (int r = 0; r < c->n_rows; r++) {
        size_t t = brute_tuple_of(c, p, r);
        AGREE(s->recoding->suppressed[t] == plain->suppressed[r]);
        for (int a = 0; a < c->n_attributes; a++)
            AGREE(mgl_span_is(p->columns[a]->values[s->recoding->cells[a][t]].label,
                              brute_released_text(c, plain, r, a)));
    }
}

static void compare_method(const brute_case *c, brute_problem *p, const brute_lattice *lattice,
                           const char *method, int threads)
{
    mgl_solution *s = NULL;
    mgl_error err = {0};
    p->problem.pool = threads == 1 ? NULL : four;
    mgl_status status = mgl_method_run(mgl_method_type_find(method), &p->problem, &err, &s);
    int ties = 0, chosen;
    bool mingen = strcmp(method, "mingen") == 0, samarati = strcmp(method, "samarati") == 0;
    chosen = mingen     ? brute_mingen(c, lattice, &ties)
             : samarati ? brute_samarati(c, lattice, &ties)
                        : brute_datafly(c, lattice);
    compare_solution(c, p, status, s, lattice, chosen);
    if (status == MGL_OK) {
        AGREE(s->nodes_total == (uint64_t)lattice->n_nodes);
        AGREE(!s->timed_out);
        /* All rows suppressed below the top node are the top node, whose height is another. */
        bool as_searched = c->measure != BRUTE_HEIGHT || s->node == NULL ||
                           brute_as_released(c, &lattice->nodes[chosen]).value[BRUTE_HEIGHT] ==
                               lattice->nodes[chosen].value[BRUTE_HEIGHT];
        AGREE(s->exact == (mingen && as_searched));
    } else {
        AGREE(err.status == status && err.message[0] != '\0');
    }
    if (status == MGL_OK && (mingen || samarati))
        AGREE(s->n_ties == (size_t)ties);
    if (status == MGL_OK && mingen && p->problem.brief)
        AGREE(!s->minimal_known);
    else if (status == MGL_OK && (mingen || samarati))
        compare_minimal(c, s, lattice);
    mgl_solution_free(s);
}

static void searches_choose_the_node_of_brute_force(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(1500); i++) {
        static brute_case made;
        brute_problem p;
        brute_lattice lattice;
        brute_make(&made, UINT64_C(1000000) + (uint64_t)i);
        brute_problem_make(&made, &p);
        brute_lattice_make(&made, &lattice);
        for (int threads = 1; threads <= 4; threads += 3) {
            p.problem.pool = threads == 1 ? NULL : four;
            compare_holding(&made, &p.problem, &lattice);
            compare_method(&made, &p, &lattice, "datafly", threads);
            compare_method(&made, &p, &lattice, "samarati", threads);
        }
        for (int m = 0; m < BRUTE_DRIVING; m++) {
            made.measure = (brute_measure)m;
            p.problem.measure = mgl_measure_type_find(brute_measure_option(made.measure));
            p.problem.brief = (i + m) % 4 == 0;
            compare_method(&made, &p, &lattice, "mingen", m % 2 == i % 2 ? 1 : 4);
        }
        brute_lattice_free(&lattice);
        brute_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_is_judged_alike),
        cmocka_unit_test(searches_choose_the_node_of_brute_force),
    };
    return cmocka_run_group_tests_name("bruteforce", tests, begin, end);
}
