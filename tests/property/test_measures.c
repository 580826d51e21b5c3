/* Random tables through files and the public API: what results say against plain brute
 * force, and what check and utility find in the written release. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void disagree(const brute_case *c, const char *what, double got, double wanted)
{
    brute_print(c, stderr);
    fail_msg("seed %llu: %s is %.17g, must be %.17g", (unsigned long long)c->seed, what, got,
             wanted);
}

static void want(const brute_case *c, const json_t *document, const char *path, double wanted)
{
    double got = brute_number(document, path);
    bool same = isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 * fmax(1, fabs(wanted));
    if (!same)
        disagree(c, path, got, wanted);
}

/* ---- Classes that are counted: without suppressed rows under drop and exempt ------------- */

typedef struct summary {
    int count, least, most, rows, uniques;
} summary;

static summary summarize(const brute_case *c, const brute_node *n, int set)
{
    summary s = {0};
    for (int r = 0; r < c->n_rows; r++) {
        if (brute_leaves_out(c, n, r))
            continue;
        int size = 0;
        bool first = true;
        for (int t = 0; t < c->n_rows; t++) {
            bool same = !brute_leaves_out(c, n, t);
            for (int a = 0; same && a < c->n_attributes; a++)
                same = (set >= 0 && !c->in_set[set][a]) || n->released[r][a] == n->released[t][a];
            size += same;
            first = first && !(same && t < r);
        }
        s.rows++;
        if (!first)
            continue;
        s.least = s.count == 0 || size < s.least ? size : s.least;
        s.most = size > s.most ? size : s.most;
        s.uniques += size == 1;
        s.count++;
    }
    return s;
}

static void compare_classes(const brute_case *c, const json_t *document, const summary *s)
{
    want(c, document, "classes.count", s->count);
    want(c, document, "classes.min", s->least);
    want(c, document, "classes.max", s->most);
    want(c, document, "classes.mean", s->count > 0 ? (double)s->rows / s->count : NAN);
}

static void compare_models(const brute_case *c, const json_t *document, const brute_node *n)
{
    const json_t *models = json_object_get(document, "models");
    assert_int_equal(json_array_size(models), c->n_sets);
    for (int q = 0; q < c->n_sets; q++) {
        const json_t *model = json_array_get(models, (size_t)q);
        summary s = summarize(c, n, q);
        want(c, model, "parameters.k", brute_set_k(c, q));
        want(c, model, "measured", s.count > 0 ? s.least : NAN);
        want(c, model, "violating_rows", 0);
        want(c, model, "violating_classes", 0);
        assert_true(json_is_true(json_object_get(model, "holds")));
    }
}

static void compare_node(const brute_case *c, const json_t *object, const brute_node *n)
{
    for (int a = 0; a < c->n_attributes; a++) {
        char name[2] = {(char)('a' + a), '\0'};
        want(c, object, name, n->level[a]);
    }
}

static void compare_utility(const brute_case *c, const json_t *document, const brute_node *n)
{
    for (int m = 0; m < BRUTE_MEASURES; m++) {
        char path[64];
        snprintf(path, sizeof path, "utility.%s", brute_measure_key((brute_measure)m));
        bool absent = m == BRUTE_CLASSIFICATION && c->measure != BRUTE_CLASSIFICATION;
        want(c, document, path, absent ? NAN : n->value[m]);
    }
}

static void compare_minimal(const brute_case *c, const json_t *list, const brute_lattice *lattice)
{
    size_t n = 0;
    for (int i = 0; i < lattice->n_nodes; i++)
        if (brute_is_minimal(c, lattice, i))
            compare_node(c, json_array_get(list, n++), &lattice->nodes[i]);
    assert_int_equal(json_array_size(list), n);
}

static void compare_run(const brute_case *c, const json_t *document, const brute_lattice *lattice,
                        const brute_node *n, bool minimal)
{
    summary s = summarize(c, n, -1);
    int released = c->treatment == BRUTE_DROP ? c->n_rows - n->suppressed_rows : c->n_rows;
    want(c, document, "rows", c->n_rows);
    want(c, document, "released_rows", released);
    want(c, document, "suppressed_rows", brute_released_suppressed(c, n));
    want(c, document, "nodes.total", lattice->n_nodes);
    compare_node(c, json_object_get(document, "node"), n);
    compare_classes(c, document, &s);
    compare_utility(c, document, n);
    compare_models(c, document, n);
    want(c, document, "risk.prosecutor_max", s.count > 0 ? 1.0 / s.least : NAN);
    want(c, document, "risk.prosecutor_mean", s.count > 0 ? (double)s.count / s.rows : NAN);
    want(c, document, "risk.uniques", s.uniques);
    want(c, document, "risk.expected_reidentifications", s.count);
    if (minimal)
        compare_minimal(c, json_object_get(document, "minimal_nodes"), lattice);
    else
        assert_true(json_is_null(json_object_get(document, "minimal_nodes")));
}

/* ---- What the written release says --------------------------------------------------------- */

static void compare_release(const brute_case *c, const brute_node *n)
{
    size_t size;
    brute_csv csv;
    char *text = brute_read("release.csv", &size);
    assert_non_null(text);
    if (!brute_csv_parse(text, size, ';', &csv))
        fail_msg("the release is no table:\n%s", text);
    size_t row = 1;
    for (int r = 0; r < c->n_rows; r++) {
        if (n->suppressed[r] && c->treatment == BRUTE_DROP)
            continue;
        assert_true(row < csv.n_rows);
        for (int a = 0; a < c->n_attributes; a++)
            assert_string_equal(brute_csv_value(&csv, row, (size_t)a),
                                brute_released_text(c, n, r, a));
        row++;
    }
    assert_int_equal(row, csv.n_rows);
    brute_csv_free(&csv);
    free(text);
}

static bool looks_suppressed(const brute_case *c, const brute_node *n, int r)
{
    for (int a = 0; a < c->n_attributes; a++) {
        const brute_hierarchy *h = &c->hierarchies[a];
        if (n->released[r][a] != h->text[h->height][0])
            return false;
    }
    return true;
}

/* A label on two levels, or a release of suppressed rows only, leaves open on which level a
 * column was released. */
static bool levels_are_told(const brute_case *c, const brute_node *n)
{
    bool any = false;
    for (int r = 0; r < c->n_rows; r++)
        any = any || !looks_suppressed(c, n, r);
    for (int a = 0; a < c->n_attributes; a++) {
        const brute_hierarchy *h = &c->hierarchies[a];
        bool told = n->level[a] == 0;
        for (int r = 0; r < c->n_rows; r++)
            told =
                told || (!looks_suppressed(c, n, r) && h->lowest[n->released[r][a]] == n->level[a]);
        if (!told)
            return false;
    }
    return any;
}

static void compare_with_utility(const brute_case *c, const json_t *run, const brute_node *n)
{
    mgl_job *job = brute_job(c, BRUTE_COMPARE);
    mgl_result *result = NULL;
    mgl_error err = {0};
    brute_set(job, "data", "table.csv");
    brute_set(job, "release", "release.csv");
    if (mgl_job_run(job, "utility", &err, &result) != MGL_OK)
        disagree(c, err.message, 0, 0);
    json_t *document = brute_document(result);
    const json_t *utility = json_object_get(run, "utility"), *value;
    const char *key;
    json_object_foreach((json_t *)utility, key, value)
    {
        char path[64];
        snprintf(path, sizeof path, "utility.%s", key);
        if (strstr(key, "height") != NULL && !levels_are_told(c, n))
            continue;
        want(c, document, path, brute_number(run, path));
    }
    want(c, document, "rows", c->n_rows);
    want(c, document, "released_rows", brute_number(run, "released_rows"));
    want(c, document, "suppressed_rows", brute_number(run, "suppressed_rows"));
    summary s = summarize(c, n, -1);
    compare_classes(c, document, &s);
    json_decref(document);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void compare_with_check(const brute_case *c, const json_t *run, const brute_node *n)
{
    mgl_job *job = brute_job(c, BRUTE_CHECK);
    mgl_result *result = NULL;
    mgl_error err = {0};
    brute_set(job, "data", "release.csv");
    if (mgl_job_run(job, "check", &err, &result) != MGL_OK)
        disagree(c, err.message, 0, 0);
    assert_true(mgl_result_holds(result));
    json_t *document = brute_document(result);
    static const char *const paths[] = {"classes.count", "classes.min", "classes.max",
                                        "classes.mean", "risk.prosecutor_mean"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        want(c, document, paths[i], brute_number(run, paths[i]));
    want(c, document, "k", brute_number(run, "classes.min"));
    want(c, document, "suppressed_rows",
         c->treatment == BRUTE_DROP ? 0 : brute_number(run, "suppressed_rows"));
    compare_models(c, document, n);
    json_decref(document);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void run_method(const brute_case *c, const brute_lattice *lattice, const char *method,
                       int chosen)
{
    mgl_job *job = brute_job(c, BRUTE_RUN);
    mgl_result *result = NULL;
    mgl_error err = {0};
    brute_set(job, "data", "table.csv");
    brute_set(job, "output", "release.csv");
    brute_set_method(c, job, method);
    brute_set(job, "keep-order", "true");
    brute_set(job, "threads", c->seed % 2 == 0 ? "1" : "4");
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    mgl_status wanted = chosen < 0 ? MGL_UNMET : MGL_OK;
    if (status != wanted)
        disagree(c, status == MGL_OK ? "the status" : err.message, status, chosen);
    if (status == MGL_OK) {
        brute_node released = brute_as_released(c, &lattice->nodes[chosen]), *n = &released;
        assert_true(mgl_result_holds(result));
        json_t *document = brute_document(result);
        assert_string_equal(json_string_value(json_object_get(document, "method")), method);
        compare_run(c, document, lattice, n, strcmp(method, "datafly") != 0);
        compare_release(c, n);
        compare_with_utility(c, document, n);
        compare_with_check(c, document, n);
        json_decref(document);
    }
    mgl_result_free(result);
    mgl_job_free(job);
}

static void list_nodes(const brute_case *c, const brute_lattice *lattice)
{
    mgl_job *job = brute_job(c, BRUTE_NODES);
    mgl_result *result = NULL;
    mgl_error err = {0};
    brute_set(job, "data", "table.csv");
    if (mgl_job_run(job, "lattice", &err, &result) != MGL_OK)
        disagree(c, err.message, 0, 0);
    json_t *document = brute_document(result);
    const json_t *nodes = json_object_get(document, "lattice");
    assert_int_equal(json_array_size(nodes), lattice->n_nodes);
    int holding = 0;
    for (int i = 0; i < lattice->n_nodes; i++) {
        const json_t *node = json_array_get(nodes, (size_t)i);
        const brute_node *n = &lattice->nodes[i];
        holding += n->holds;
        compare_node(c, json_object_get(node, "node"), n);
        want(c, node, "height", n->value[BRUTE_HEIGHT]);
        want(c, node, "suppressed_rows", n->suppressed_rows);
        want(c, node, "classes", summarize(c, n, -1).count);
        assert_int_equal(json_is_true(json_object_get(node, "holds")), n->holds);
        compare_utility(c, node, n);
    }
    want(c, document, "nodes.total", lattice->n_nodes);
    want(c, document, "nodes.holding", holding);
    compare_minimal(c, json_object_get(document, "minimal_nodes"), lattice);
    json_decref(document);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void results_tell_the_measures_of_brute_force(void **state)
{
    (void)state;
    for (int i = 0; i < brute_cases(150); i++) {
        static brute_case made;
        brute_lattice lattice;
        int ties;
        brute_make(&made, UINT64_C(2000000) + (uint64_t)i);
        brute_order_sets(&made);
        brute_write_files(&made);
        brute_lattice_make(&made, &lattice);
        run_method(&made, &lattice, "mingen", brute_mingen(&made, &lattice, &ties));
        run_method(&made, &lattice, "datafly", brute_datafly(&made, &lattice));
        run_method(&made, &lattice, "samarati", brute_samarati(&made, &lattice, &ties));
        if (lattice.n_nodes < 200)
            list_nodes(&made, &lattice);
        brute_lattice_free(&lattice);
    }
}

/* A share is taken of the rows, rounded down exactly. */
static void a_share_of_the_rows_is_rounded_down_exactly(void **state)
{
    (void)state;
    for (int percent = 0; percent <= 98; percent++) {
        brute_text table = {0};
        mgl_job *job;
        mgl_result *result = NULL;
        mgl_error err = {0};
        char text[32];
        brute_append_text(&table, "q\n");
        for (int r = 0; r < 100; r++) { /* `percent` values occur once, the others together */
            snprintf(text, sizeof text, "v%d\n", r < percent ? r : 1000);
            brute_append_text(&table, text);
        }
        brute_write("share.csv", table.data, table.size);
        free(table.data);
        for (int over = 0; over < 2; over++) {
            if (percent - over < 0)
                continue;
            assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
            brute_set(job, "data", "share.csv");
            brute_set(job, "qi", "q");
            brute_set(job, "k", "2");
            brute_set(job, "output", "share-release.csv");
            brute_set(job, "suppressed", "exempt");
            brute_set(job, "level", "q=0..0");
            snprintf(text, sizeof text, "%d.0%%", percent - over);
            brute_set(job, "suppress", text);
            mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
            assert_int_equal(status, over == 0 ? MGL_OK : MGL_UNMET);
            if (status == MGL_OK)
                mgl_result_free(result);
            mgl_job_free(job);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_tell_the_measures_of_brute_force),
        cmocka_unit_test(a_share_of_the_rows_is_rounded_down_exactly),
    };
    return cmocka_run_group_tests_name("measures", tests, brute_enter_folder, brute_leave_folder);
}
