/* Thousands of small random tables with random models: every node, what each search chooses,
 * releases, and what check measures, against plain brute force (tests/support/brute_models*). */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_models_result.h"
#include "brute_models_small.h"
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/search.h"

#include <math.h>
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

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

/* ---- Every node ---------------------------------------------------------------------------- */

typedef struct visited {
    const brute_table *t;
    const brute_made *m;
    const brute_lattice *lattice;
} visited;

static void compare_cells(const brute_table *t, const brute_made *m, const brute_node *plain,
                          const uint8_t *suppressed, uint32_t *const *cells)
{
    for (int r = 0; r < t->c.n_rows; r++) {
        size_t u = m->tuple_of[r];
        AGREE(suppressed[u] == plain->suppressed[r]);
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(mgl_span_is(m->problem.columns[a]->values[cells[a][u]].label,
                              brute_released_text(&t->c, plain, r, a)));
    }
}

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)err;
    const visited *v = context;
    const brute_table *t = v->t;
    const brute_node *plain = &v->lattice->nodes[number];
    for (int a = 0; a < t->c.n_attributes; a++)
        AGREE(node[a] == (uint32_t)plain->level[a]);
    AGREE(e->met == plain->met);
    AGREE(e->suppressed_rows == (uint64_t)plain->suppressed_rows);
    AGREE(e->holds == plain->holds);
    compare_cells(t, v->m, plain, e->suppressed, e->cells);
    brute_compare_number(t, "the cost", e->cost, brute_cost(t->c.measure, plain));
    return MGL_OK;
}

static void compare_nodes(const brute_table *t, const brute_made *m, const brute_lattice *lattice)
{
    visited v = {t, m, lattice};
    mgl_problem problem = m->problem;
    uint64_t n;
    bool timed_out;
    problem.pool = NULL;
    AGREE(mgl_lattice_sweep(&problem, visit, &v, NULL, &n, &timed_out) == MGL_OK);
    AGREE(n == (uint64_t)lattice->n_nodes && !timed_out);
}

/* ---- The searches -------------------------------------------------------------------------- */

static void compare_holding(const brute_table *t, const mgl_problem *problem,
                            const brute_lattice *lattice)
{
    uint8_t *holds;
    AGREE(mgl_lattice_holding(problem, NULL, &holds) == MGL_OK);
    for (int i = 0; i < lattice->n_nodes; i++)
        AGREE((holds[i] != 0) == lattice->nodes[i].holds);
    mgl_free(holds);
}

/* Where the searches take holding for monotone, every node above a holding one holds. */
static void compare_monotone(const brute_table *t, const mgl_problem *problem,
                             const brute_lattice *lattice)
{
    bool monotone = mgl_holding_is_monotone(problem);
    for (int i = 0; monotone && i < lattice->n_nodes; i++)
        for (int j = i + 1; j < lattice->n_nodes && lattice->nodes[i].holds; j++) {
            bool above = true;
            for (int a = 0; a < t->c.n_attributes; a++)
                above = above && lattice->nodes[i].level[a] <= lattice->nodes[j].level[a];
            AGREE(!above || lattice->nodes[j].holds);
        }
}

static void compare_minimal(const brute_table *t, const mgl_solution *s,
                            const brute_lattice *lattice)
{
    AGREE(s->minimal_known);
    size_t n = 0;
    for (int i = 0; i < lattice->n_nodes; i++) {
        if (!brute_is_minimal(&t->c, lattice, i))
            continue;
        AGREE(n < s->n_minimal);
        for (int a = 0; a < t->c.n_attributes; a++)
            AGREE(s->minimal_nodes[n * s->n_attributes + (size_t)a] ==
                  (uint32_t)lattice->nodes[i].level[a]);
        n++;
    }
    AGREE(n == s->n_minimal);
}

/* What the models find in the solution, as the verifier would. */
static void compare_found(const brute_table *t, const brute_made *m, const mgl_problem *problem,
                          const mgl_solution *s)
{
    mgl_found found[BRUTE_SETS * BRUTE_MODELS];
    AGREE(mgl_judge_recoding(problem, s->recoding, NULL, found) == MGL_OK);
    for (size_t i = 0; i < mgl_task_models(m->steps.setup.task); i++)
        AGREE(found[i].holds && found[i].violating_rows == 0);
}

/* The classes that a search knows from suppressing are those of what it released. */
static void compare_classes(const brute_table *t, const mgl_problem *problem, const mgl_solution *s)
{
    mgl_classes fresh;
    if (s->classes == NULL)
        return;
    AGREE(mgl_recoding_classes(problem, s->recoding, NULL, &fresh) == MGL_OK);
    AGREE(s->classes->n_classes == fresh.n_classes);
    for (size_t c = 0; c < fresh.n_classes; c++)
        AGREE(s->classes->sizes[c] == fresh.sizes[c] && s->classes->first[c] == fresh.first[c]);
    for (size_t i = 0; i < fresh.n_tuples; i++)
        AGREE(s->classes->of_tuple[i] == fresh.of_tuple[i]);
    mgl_classes_free(&fresh);
}

static int choose(const brute_table *t, const brute_lattice *lattice, const char *method, int *ties)
{
    *ties = 0;
    if (strcmp(method, "mingen") == 0)
        return brute_mingen(&t->c, lattice, ties);
    if (strcmp(method, "samarati") == 0)
        return brute_samarati(&t->c, lattice, ties);
    return brute_datafly(&t->c, lattice);
}

static void compare_method(const brute_table *t, const brute_made *m, const brute_lattice *lattice,
                           const char *method, int threads)
{
    mgl_solution *s = NULL;
    mgl_error err = {0};
    mgl_problem problem = m->problem;
    problem.pool = threads == 1 ? NULL : four;
    mgl_status status = mgl_method_run(mgl_method_type_find(method), &problem, &err, &s);
    bool datafly = strcmp(method, "datafly") == 0;
    int ties, chosen = choose(t, lattice, method, &ties);
    mgl_status wanted = chosen < 0 ? MGL_UNMET : MGL_OK;
    AGREE(status == wanted);
    if (status != MGL_OK) {
        AGREE(err.status == status && err.message[0] != '\0');
        return;
    }
    brute_node released = brute_as_released(&t->c, &lattice->nodes[chosen]), *plain = &released;
    for (int a = 0; a < t->c.n_attributes; a++)
        if (s->node[a] != (uint32_t)plain->level[a]) {
            fprintf(stderr, "# %s, %d threads, %c: level %u, must be %d\n", method, threads,
                    'a' + a, s->node[a], plain->level[a]);
            brute_table_disagree(t, "the node");
        }
    AGREE(s->suppressed_rows == (uint64_t)plain->suppressed_rows);
    AGREE(s->nodes_total == (uint64_t)lattice->n_nodes && !s->timed_out);
    compare_cells(t, m, plain, s->recoding->suppressed, s->recoding->cells);
    compare_found(t, m, &problem, s);
    compare_classes(t, &problem, s);
    if (!datafly) {
        AGREE(s->n_ties == (size_t)ties);
        compare_minimal(t, s, lattice);
    }
    mgl_solution_free(s);
}

/* One treatment of one table. */
static void compare_all(brute_table *t, brute_made *m, brute_random *random)
{
    brute_lattice lattice;
    brute_table_lattice(t, &lattice);
    compare_nodes(t, m, &lattice);
    compare_holding(t, &m->problem, &lattice);
    compare_monotone(t, &m->problem, &lattice);
    int threads = brute_chance(random, 50) ? 1 : 4;
    compare_method(t, m, &lattice, "datafly", threads);
    compare_method(t, m, &lattice, "samarati", threads);
    for (int i = 0; i < 3; i++) {
        brute_made_measure(t, m, brute_below(random, BRUTE_DRIVING));
        compare_method(t, m, &lattice, "mingen", i % 2 == 0 ? 1 : 4);
    }
    brute_lattice_free(&lattice);
}

static void make_table(brute_table *t, uint64_t seed, int most_nodes)
{
    brute_table_make(t, seed, most_nodes);
    brute_order_sets(&t->c);
    t->c.measure = BRUTE_CLASSIFICATION; /* so that the label is counted */
}

static void any_models_are_searched_alike(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(2000); i++) {
        static brute_table t;
        brute_made m;
        brute_random random = {(uint64_t)i + 5};
        make_table(&t, (uint64_t)i, 100);
        brute_made_make(&t, &m);
        brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
        brute_made_vary(&t, &m, &random, (brute_treatment)(i % 3));
        compare_all(&t, &m, &random);
        brute_made_free(&m);
    }
}

/* Every model by itself under every treatment. */
static void each_model_is_searched_alike(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(40) * BRUTE_KINDS; i++) {
        static brute_table t;
        brute_made m;
        brute_random random = {(uint64_t)i + 500};
        uint64_t seed = UINT64_C(1000000) + (uint64_t)i * 100;
        do {
            make_table(&t, seed++, 60);
            brute_table_take_model(&t, &random, (brute_kind)(i % BRUTE_KINDS));
        } while (t.n_models == 0); /* a population is needed */
        brute_made_make(&t, &m);
        for (int treatment = 0; treatment < 3; treatment++) {
            brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
            brute_made_vary(&t, &m, &random, (brute_treatment)treatment);
            compare_all(&t, &m, &random);
        }
        brute_made_free(&m);
    }
}

/* ---- Through files ------------------------------------------------------------------------- */

/* The sensitive cell of a row as it stands in the file. */
static const char *sensitive_cell(const brute_table *t, int s, int r)
{
    const brute_sensitive *x = &t->sensitive[s];
    bool missing = x->has_missing && x->value[r] == x->n_values - 1;
    return missing && r % 2 == 0 ? "NA" : x->text[x->value[r]];
}

/* The release has the columns and cells it must have, none of them a person; writes it again
 * with the persons, for check. */
static void compare_release(const brute_table *t, const brute_node *n)
{
    size_t size, row = 1, m = (size_t)t->c.n_attributes, width = m + (size_t)t->n_sensitive + 1;
    brute_csv csv;
    char *text = brute_read("release.csv", &size);
    AGREE(text != NULL && brute_csv_parse(text, size, ';', &csv));
    AGREE(csv.n_columns == width && strcmp(brute_csv_value(&csv, 0, width - 1), "class") == 0);
    FILE *file = fopen("again.csv", "w");
    assert_non_null(file);
    for (size_t c = 0; c < width; c++)
        fprintf(file, "%s;", brute_csv_value(&csv, 0, c));
    fprintf(file, "person\n");
    for (int r = 0; r < t->c.n_rows; r++) {
        if (n->suppressed[r] && t->c.treatment == BRUTE_DROP)
            continue;
        AGREE(row < csv.n_rows);
        for (size_t c = 0; c < width; c++) {
            const char *got = brute_csv_value(&csv, row, c);
            if (c < m)
                AGREE(strcmp(got, brute_released_text(&t->c, n, r, (int)c)) == 0);
            else if (c < width - 1)
                AGREE(strcmp(got, sensitive_cell(t, (int)(c - m), r)) == 0);
            fprintf(file, "%s;", got);
        }
        fprintf(file, "p%d\n", t->person[r]);
        row++;
    }
    AGREE(row == csv.n_rows);
    assert_int_equal(fclose(file), 0);
    brute_csv_free(&csv);
    free(text);
}

/* Does the file that was released show the shares q of the input? */
static bool shows_q(const brute_table *t, const brute_node *n)
{
    bool needs = false;
    for (int i = 0; i < t->n_models; i++)
        needs = needs || brute_kind_needs_q(t->models[i].kind);
    return !needs || t->c.treatment != BRUTE_DROP || n->suppressed_rows == 0;
}

static void check_file(const brute_table *t, const char *path, const brute_node *n, bool strongest)
{
    mgl_job *job = brute_table_job(t, BRUTE_CHECK);
    mgl_result *result = NULL;
    mgl_error err = {0};
    brute_set(job, "data", path);
    if (mgl_job_run(job, "check", &err, &result) != MGL_OK)
        brute_table_disagree(t, err.message);
    json_t *document = brute_document(result);
    brute_compare_models(t, document, n);
    if (strongest)
        brute_compare_strongest(t, document, n);
    bool holds = true;
    for (size_t i = 0; i < json_array_size(json_object_get(document, "models")); i++)
        holds = holds && json_is_true(json_object_get(
                             json_array_get(json_object_get(document, "models"), i), "holds"));
    AGREE(mgl_result_holds(result) == holds);
    json_decref(document);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void compare_run(const brute_table *t, const brute_lattice *lattice, const char *method)
{
    mgl_job *job = brute_table_job(t, BRUTE_RUN);
    mgl_result *result = NULL;
    mgl_error err = {0};
    int ties, chosen = brute_table_is_refused(t) ? -1 : choose(t, lattice, method, &ties);
    brute_set(job, "data", "table.csv");
    brute_set(job, "output", "release.csv");
    brute_set_method(&t->c, job, method);
    brute_set(job, "keep-order", "true");
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result),
               wanted = chosen < 0 ? MGL_UNMET : MGL_OK;
    if (status != wanted) {
        fprintf(stderr, "# %s: status %d, must be %d: %s\n", method, (int)status, (int)wanted,
                err.message);
        brute_table_disagree(t, "the status");
    }
    if (status == MGL_OK) {
        const brute_node *n = &lattice->nodes[chosen];
        json_t *document = brute_document(result);
        AGREE(mgl_result_holds(result));
        compare_release(t, n);
        brute_compare_models(t, document, n);
        if (shows_q(t, n))
            check_file(t, "again.csv", n, false);
        json_decref(document);
    }
    mgl_result_free(result);
    mgl_job_free(job);
}

static void releases_hold_and_check_agrees(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "datafly", "samarati"};
    for (int i = 0; i < brute_cases(500); i++) {
        static brute_table t;
        brute_lattice lattice;
        make_table(&t, UINT64_C(2000000) + (uint64_t)i, 60);
        t.c.treatment = (brute_treatment)(i % 3);
        t.c.measure = (brute_measure)(i % BRUTE_DRIVING);
        brute_table_write(&t);
        brute_table_lattice(&t, &lattice);
        compare_run(&t, &lattice, methods[i / 3 % 3]);
        brute_lattice_free(&lattice);
    }
}

/* Any table as it is, with models that may not hold. */
static void check_measures_models_as_brute_force_does(void **state)
{
    (void)state;
    static const int ground[BRUTE_ATTRIBUTES];
    for (int i = 0; i < brute_cases(1000); i++) {
        static brute_table t;
        brute_node node;
        make_table(&t, UINT64_C(3000000) + (uint64_t)i, 300);
        t.c.treatment = (brute_treatment)(i % 3);
        brute_table_write(&t);
        brute_node_begin(&t.c, ground, &node);
        check_file(&t, "table.csv", &node, true);
    }
}

/* ---- Traps that other programs fell into ----------------------------------------------------- */

/* A missing cell is a value: its rows are neither left out nor matched with others. */
static void missing_cells_are_a_value(void **state)
{
    (void)state;
    brute_write_text("table.csv", "a,b,s\n,x,1\nNA,x,2\ny,x,1\ny,x,2\ny,x,2\n");
    json_t *d = small_must("check", KEYS("qi", "a,b", "sensitive", "s", "k", "3"));
    small_says(d, "rows", 5);
    small_says(d, "classes.count", 2);
    small_says(d, "k", 2);
    assert_false(small_holds(d, 0));
    json_decref(d);
    brute_write_text("table.csv", "a,b,s\n,x,1\ny,x,2\ny,,1\ny,x,2\n");
    d = small_must("check", KEYS("qi", "a,b", "sensitive", "s"));
    small_says(d, "classes.count", 3);
    small_says(d, "k", 1);
    json_decref(d);
}

static void suppressed_rows_are_a_class_or_none_and_told(void **state)
{
    (void)state;
    static const char *const treatments[] = {"keep", "exempt", "drop"};
    brute_write_text("table.csv", "a,b,s\nx,y,1\nx,y,2\n*,*,1\nx,y,2\n*,y,1\n*,y,2\n*,y,1\n");
    for (int i = 0; i < 3; i++) {
        json_t *d = small_must("check", KEYS("qi", "a,b", "sensitive", "s", "k", "3", "l-diversity",
                                             "s=2", "suppressed", treatments[i]));
        small_says(d, "rows", 7);
        bool exempt = i == 1; /* what was dropped is not in the file: all that is there counts */
        small_says(d, "suppressed_rows", i < 2); /* half-suppressed rows are none */
        small_says(d, "k", exempt ? 3 : 1);
        small_says(d, "classes.count", exempt ? 2 : 3);
        small_says(d, "attributes.s.distinct_l", exempt ? 2 : 1);
        assert_int_equal(small_holds(d, 0), exempt);
        assert_int_equal(small_holds(d, 1), exempt);
        json_decref(d);
    }
}

/* Class x has 3, 1, 1 of five values, class y one of each. */
static void diversity_is_measured_exactly(void **state)
{
    (void)state;
    brute_write_text("table.csv", "a,s\nx,1\nx,1\nx,1\nx,2\nx,3\ny,1\ny,2\ny,3\ny,4\ny,5\n");
    double l = exp(0.6 * log(1 / 0.6) + 0.4 * log(5));
    json_t *d = small_must("check", KEYS("qi", "a", "sensitive", "s", "entropy-l", "s=2.58",
                                         "recursive-cl", "s=1.5,2", "delta-disclosure", "s=900"));
    small_says(d, "attributes.s.entropy_l", l); /* 2.5864, not 2 */
    assert_true(small_holds(d, 0));
    small_says(d, "attributes.s.recursive_c.2",
               1.5); /* 3 / (1 + 1), the largest against the rest */
    small_says(d, "attributes.s.recursive_c.3", 3);
    assert_false(small_holds(d, 1));          /* strict */
    small_says(d, "attributes.s.delta", NAN); /* 4 and 5 are not in x */
    assert_false(small_holds(d, 2));
    json_decref(d);
    d = small_must("check", KEYS("qi", "a", "sensitive", "s", "entropy-l", "s=2.59", "recursive-cl",
                                 "s=1.5000001,2"));
    assert_false(small_holds(d, 0));
    assert_true(small_holds(d, 1));
    json_decref(d);
}

/* The rows in any order: the same document. */
static void the_order_of_rows_does_not_matter(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(100); i++) {
        static brute_table t;
        json_t *first = NULL;
        make_table(&t, UINT64_C(4000000) + (uint64_t)i, 300);
        brute_random random = {(uint64_t)i};
        for (int turn = 0; turn < 3; turn++) {
            mgl_job *job = brute_table_job(&t, BRUTE_CHECK);
            mgl_result *result = NULL;
            brute_table_write(&t);
            brute_set(job, "data", "table.csv");
            assert_int_equal(mgl_job_run(job, "check", NULL, &result), MGL_OK);
            json_t *document = brute_document(result);
            if (first != NULL && !json_equal(first, document))
                brute_table_disagree(&t, "another order, another result");
            json_decref(first);
            first = document;
            mgl_result_free(result);
            mgl_job_free(job);
            for (int r = t.c.n_rows - 1; r > 0 && !t.has_population; r--)
                brute_table_swap(&t, r, brute_below(&random, r + 1));
        }
        json_decref(first);
    }
}

/* x and y are each 1 of 2; together with z, of which nobody is in the table, 2 of 14. */
static void a_union_brings_in_more_of_the_population(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "samarati", "datafly"};
    brute_write_text("q.csv", "x;w;*\ny;w;*\nz;w;*\n");
    brute_write_text("table.csv", "q\nx\ny\n");
    brute_write_text("people.csv", "q\nx\nx\ny\ny\nz\nz\nz\nz\nz\nz\nz\nz\nz\nz\n");
    for (int i = 0; i < 3; i++) {
        json_t *d =
            small_must("anonymize", KEYS("qi", "q", "hierarchy", "q=q.csv", "population",
                                         "people.csv", "delta-presence", "0.4,0.6", "suppress", "0",
                                         "method", methods[i], "output", "release.csv"));
        small_says(d, "node.q", 0);
        json_decref(d);
    }
    small_fails("anonymize", MGL_UNMET,
                KEYS("qi", "q", "hierarchy", "q=q.csv", "population", "people.csv",
                     "delta-presence", "0.4,0.6", "level", "q=1..2", "output", "release.csv"));
}

/* x holds with 2 values in equal parts; y does not and may be dropped. Together they have 5 of
 * one value and 1 of the other. */
static void merging_can_break_a_class_that_holds(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "samarati", "datafly"};
    static const char *const models[] = {"entropy-l", "s=2",   "recursive-cl",
                                         "s=1.5,2",   "alpha", "s=0.5"};
    brute_write_text("q.csv", "x;w;*\ny;w;*\n");
    brute_write_text("table.csv", "q,s\nx,1\nx,2\ny,1\ny,1\ny,1\ny,1\n");
    for (int i = 0; i < 3 * 3; i++) {
        json_t *d = small_must("anonymize", KEYS("qi", "q", "hierarchy", "q=q.csv", "sensitive",
                                                 "s", models[i / 3 * 2], models[i / 3 * 2 + 1],
                                                 "suppress", "4", "suppressed", "drop", "method",
                                                 methods[i % 3], "output", "release.csv"));
        small_says(d, "node.q", 0);
        small_says(d, "suppressed_rows", 4);
        json_decref(d);
    }
}

/* What was dropped is lost: a third of all cells, of three rows. */
static void utility_counts_dropped_rows_as_lost(void **state)
{
    (void)state;
    brute_write_text("table.csv", "a\nx\nx\ny\n");
    json_decref(small_must("anonymize", KEYS("qi", "a", "k", "2", "suppress", "1", "suppressed",
                                             "drop", "level", "a=0..0", "output", "release.csv")));
    json_t *d =
        small_must("utility", KEYS("qi", "a", "release", "release.csv", "suppressed", "drop"));
    small_says(d, "rows", 3);
    small_says(d, "released_rows", 2);
    small_says(d, "utility.precision", 2.0 / 3);
    small_says(d, "utility.loss", 1.0 / 3);
    small_says(d, "utility.discernibility", 4 + 3);
    json_decref(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_models_are_searched_alike),
        cmocka_unit_test(each_model_is_searched_alike),
        cmocka_unit_test(releases_hold_and_check_agrees),
        cmocka_unit_test(check_measures_models_as_brute_force_does),
        cmocka_unit_test(missing_cells_are_a_value),
        cmocka_unit_test(suppressed_rows_are_a_class_or_none_and_told),
        cmocka_unit_test(diversity_is_measured_exactly),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(a_union_brings_in_more_of_the_population),
        cmocka_unit_test(merging_can_break_a_class_that_holds),
        cmocka_unit_test(utility_counts_dropped_rows_as_lost),
    };
    return cmocka_run_group_tests_name("models", tests, begin, end);
}
