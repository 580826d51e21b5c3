/* Every method with every model, measure and treatment of suppressed rows, on one table: what each
 * takes beside k-anonymity alone by the same method, measure and treatment. A cliff is where that
 * is a large number. A subject of main.c. */
#include "bench.h"
#include "shape.h"

#include "privacy/privacy.h"
#include "search/search.h"
#include "utility/utility.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3000, POPULATION_ROWS = 9000, QUASI = 7, TREATMENTS = 3, MOST_MEASURES = 32 };

/* Above this the job fell off a cliff. */
static const double CLIFF = 20;

static const char *const treatments[TREATMENTS] = {"keep", "drop", "exempt"};

/* What a job asks for beside k = 5. */
typedef struct model_case {
    const char *model; /* its name */
    const char *key, *value;
    const char *with[2]; /* a key that it needs beside, and its value; NULL: none */
} model_case;

static const model_case cases[] = {
    {"k-anonymity", "k", "5", {NULL, NULL}},
    {"l-diversity", "l-diversity", "occupation=3", {NULL, NULL}},
    {"entropy-l", "entropy-l", "occupation=3", {NULL, NULL}},
    {"recursive-cl", "recursive-cl", "occupation=3,3", {NULL, NULL}},
    {"p-sensitive", "p-sensitive", "3", {NULL, NULL}},
    {"extended-p-sensitive", "extended-p", "occupation=2", {NULL, NULL}},
    {"alpha", "alpha", "occupation=0.6", {NULL, NULL}},
    {"t-closeness", "t-closeness", "occupation=0.4", {NULL, NULL}},
    {"delta-disclosure", "delta-disclosure", "occupation=2", {NULL, NULL}},
    {"beta", "beta", "occupation=4", {NULL, NULL}},
    {"enhanced-beta", "enhanced-beta", "occupation=4", {NULL, NULL}},
    {"k-map", "k-map", "10", {NULL, NULL}},
    {"delta-presence", "delta-presence", "0,0.7", {NULL, NULL}},
    {"max-risk", "max-risk", "0.1", {NULL, NULL}},
    {"mean-risk", "mean-risk", "0.05", {NULL, NULL}},
    {"risk-share", "risk-share", "0.1,0.2", {NULL, NULL}},
    {"sample-uniqueness", "sample-uniqueness", "0.01", {NULL, NULL}},
    {"population-uniqueness", "population-uniqueness", "0.05", {"sampling-fraction", "0.3"}},
    {"household-risk", "household-risk", "0.9", {"household", "x0"}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Milliseconds; below 0: the method refuses such a job. */
typedef struct taken {
    double ms[MOST_MEASURES][TREATMENTS];
} taken;

typedef struct matrix {
    mgl_session *session;
    mgl_job *of_values, *of_numbers; /* averages are made of numbers only */
    mgl_job *job;                    /* the one of them at work */
    const mgl_measure_type *measures[MOST_MEASURES];
    size_t n_measures;
    taken alone; /* k-anonymity by the method at work */
    size_t n_jobs, n_cliffs;
    const char *population; /* a table of which the rows are a part */
    mgl_error err;
} matrix;

/* ---- One job --------------------------------------------------------------------------------- */

/* BENCH_SAY: why cells are empty. */
static void say_refusal(const matrix *m)
{
    if (getenv("BENCH_SAY") != NULL)
        fprintf(stderr, "%s\n", m->err.message);
}

/* In milliseconds, best of a few runs; below 0: refused. That no release holds is an answer. */
static double run_job(matrix *m)
{
    double best = INFINITY, spent = 0;
    for (int run = 0; run < 5 && spent < 20; run++) {
        mgl_result *result = NULL;
        double start = bench_cpu_seconds();
        mgl_status status = mgl_session_run(m->session, "anonymize", m->job, &m->err, &result);
        double ms = 1e3 * (bench_cpu_seconds() - start);
        mgl_result_free(result);
        if (status != MGL_OK && status != MGL_UNMET) {
            say_refusal(m);
            return -1;
        }
        spent += ms;
        best = fmin(best, ms);
    }
    m->n_jobs++;
    return best;
}

static double run_with(matrix *m, const mgl_measure_type *measure, const char *treatment)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", measure->name, measure->takes_label ? "=salary-class" : "");
    if (mgl_job_set(m->job, "utility", name, &m->err) != MGL_OK ||
        mgl_job_set(m->job, "suppressed", treatment, &m->err) != MGL_OK)
        return -1;
    return run_job(m);
}

static void run_case(matrix *m, taken *out)
{
    for (size_t i = 0; i < m->n_measures; i++)
        for (size_t t = 0; t < TREATMENTS; t++)
            out->ms[i][t] = run_with(m, m->measures[i], treatments[t]);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Milliseconds of k-anonymity alone, and how many times as much another model takes. A measure is
 * on a cliff if k-anonymity alone takes that much longer than with the first measure. */
static void print_cell(matrix *m, const taken *of, size_t i, bool alone)
{
    char text[64] = "";
    for (size_t t = 0; t < TREATMENTS; t++) {
        double ms = of->ms[i][t], times = alone ? ms : ms / m->alone.ms[i][t];
        size_t at = strlen(text);
        if (ms < 0 || m->alone.ms[i][t] < 0)
            snprintf(text + at, sizeof text - at, "%s-", t > 0 ? "/" : "");
        else
            snprintf(text + at, sizeof text - at, "%s%.0f", t > 0 ? "/" : "", fmax(times, 1));
        m->n_cliffs += ms >= 0 && ms > CLIFF * (alone ? of->ms[0][t] : m->alone.ms[i][t]);
    }
    printf(" | %s", text);
}

static void print_row(matrix *m, const char *method, size_t c, const taken *of)
{
    printf("| %s | %s", method, c == 0 ? "k-anonymity, ms" : cases[c].model);
    for (size_t i = 0; i < m->n_measures; i++)
        print_cell(m, of, i, c == 0);
    printf(" |\n");
    fflush(stdout);
}

static void print_head(const matrix *m)
{
    printf("| method | model");
    for (size_t i = 0; i < m->n_measures; i++)
        printf(" | %s", m->measures[i]->name);
    printf(" |\n|---|---");
    for (size_t i = 0; i < m->n_measures; i++)
        printf("|---");
    printf("|\n");
}

/* Methods that make values of their own refuse a population. */
static mgl_status ask_for(matrix *m, const model_case *one)
{
    MGL_TRY(mgl_job_set(m->job, one->key, one->value, &m->err));
    if (one->with[0] != NULL)
        MGL_TRY(mgl_job_set(m->job, one->with[0], one->with[1], &m->err));
    if (mgl_model_type_find(one->model)->needs_population)
        return mgl_job_set(m->job, "population", m->population, &m->err);
    return MGL_OK;
}

static mgl_status ask_no_more(matrix *m, const model_case *one)
{
    MGL_TRY(mgl_job_unset(m->job, one->key, &m->err));
    if (one->with[0] != NULL)
        MGL_TRY(mgl_job_unset(m->job, one->with[0], &m->err));
    return mgl_job_unset(m->job, "population", &m->err);
}

static mgl_status choose_method(matrix *m, const mgl_method_type *method)
{
    m->job = method->averages ? m->of_numbers : m->of_values;
    MGL_TRY(mgl_job_set(m->job, "method", method->name, &m->err));
    return method->looks_longer ? mgl_job_set(m->job, "effort", "fast", &m->err)
                                : mgl_job_unset(m->job, "effort", &m->err);
}

static int run_method(matrix *m, const mgl_method_type *method)
{
    if (choose_method(m, method) != MGL_OK)
        return 1;
    run_case(m, &m->alone);
    print_row(m, method->name, 0, &m->alone);
    for (size_t c = 1; c < CASES; c++) {
        taken of;
        if (ask_for(m, &cases[c]) != MGL_OK)
            return 1;
        run_case(m, &of);
        print_row(m, method->name, c, &of);
        if (ask_no_more(m, &cases[c]) != MGL_OK)
            return 1;
    }
    return 0;
}

/* ---- The subject ----------------------------------------------------------------------------- */

/* A model without a row would be missing in the table. */
static int look_for_missing(matrix *m)
{
    size_t n, found = 0;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < CASES; c++)
            found += strcmp(types[i]->name, cases[c].model) == 0;
    const mgl_measure_type *const *measures = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++)
        if (measures[i]->drives_search && m->n_measures < MOST_MEASURES)
            m->measures[m->n_measures++] = measures[i];
    mgl_model_types(&n);
    if (found == n)
        return 0;
    fprintf(stderr, "bench: a model has no row in bench/matrix.c\n");
    return 1;
}

static mgl_status fill_job(matrix *m, mgl_job *job)
{
    static const char *const keys[][2] = {
        {"k", "5"},        {"suppress", "5%"},          {"threads", "1"}, {"dry-run", "true"},
        {"brief", "true"}, {"sensitive", "occupation"}, {"rest", "drop"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        MGL_TRY(mgl_job_set(job, keys[i][0], keys[i][1], &m->err));
    return MGL_OK;
}

static mgl_status open_table(matrix *m, const char *path)
{
    bench_shape quasi = {ROWS, QUASI, 0};
    MGL_TRY(mgl_job_new(&m->err, &m->of_values));
    MGL_TRY(mgl_job_new(&m->err, &m->of_numbers));
    MGL_TRY(bench_shape_columns(&quasi, path, m->of_values, &m->err));
    MGL_TRY(mgl_job_set(m->of_numbers, "data", path, &m->err));
    MGL_TRY(mgl_job_set(m->of_numbers, "qi", "age,x0,x1", &m->err));
    MGL_TRY(fill_job(m, m->of_values));
    MGL_TRY(fill_job(m, m->of_numbers));
    return mgl_session_open(m->of_values, NULL, &m->err, &m->session);
}

int bench_matrix(const char *folder)
{
    char path[4096], population[4096];
    bench_shape shape = {ROWS, 9, 2}, all = {POPULATION_ROWS, 9, 2};
    matrix m = {.population = population};
    int status = look_for_missing(&m);
    if (!bench_shape_provide(&shape, folder, path, sizeof path) ||
        !bench_shape_provide(&all, folder, population, sizeof population))
        status = 1;
    if (status == 0 && open_table(&m, path) != MGL_OK)
        status = 1;
    if (status == 0) {
        printf(
            "Every method, model, measure and treatment: %d rows, %d quasi-identifiers, k = 5 and "
            "the model, 5 %%,\n--effort fast, one thread, processor time; keep/drop/exempt\n",
            ROWS, QUASI);
        print_head(&m);
    }
    size_t n;
    const mgl_method_type *const *methods = mgl_method_types(&n);
    const char *only = getenv("BENCH_ONLY"); /* a part of the names of the methods wanted */
    for (size_t i = 0; i < n && status == 0; i++)
        if (only == NULL || strstr(methods[i]->name, only) != NULL)
            status = run_method(&m, methods[i]);
    if (status == 0)
        printf("%zu jobs, %zu take more than %.0f times as long as k-anonymity alone\n", m.n_jobs,
               m.n_cliffs, CLIFF);
    else if (m.err.message[0] != '\0')
        fprintf(stderr, "bench: %s\n", m.err.message);
    mgl_session_close(m.session);
    mgl_job_free(m.of_values);
    mgl_job_free(m.of_numbers);
    return status;
}
