/* Searches with one level per column beside k = 5 by the same method: what a model, a measure or
 * earlier releases add to the user seconds of the whole job, each in a process of its own. Adult,
 * nine quasi-identifiers, 5 % of the rows may be suppressed. A subject of main.c. */
#include "bench.h"
#include "process.h"
#include "shape.h"

#include "../tests/support/adult.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_ROWS = 10000, N_PERSONS = 20000, MOST_KEYS = 4, RUNS = 3, PATH_SIZE = 4200 };

/* Above this many times k = 5 a job has fallen off a cliff. */
static const double CLIFF = 20;

static const char *const methods[] = {"mingen", "samarati", "incognito", "top-down", "cell"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* Which table a job reads. */
typedef enum table { WHOLE, SAMPLE, PERSONS, WEIGHTS, TABLES } table;

typedef struct key {
    const char *name, *value; /* @NAME: a file that was made */
} key;

typedef struct row {
    const char *name;
    table table;
    key keys[MOST_KEYS];
    bool cells; /* the cell level takes it, and seconds to look for a better release */
} row;

/* Two quasi-identifiers of five columns each; they share one. */
static const char one_set[] = "sex,age,race,marital-status,education";
static const char other_set[] = "education,native-country,workclass,occupation,salary-class";

/* The first row of each table is what the others are compared with. */
static const row rows[] = {
    {"k = 5", WHOLE, {{"k", "5"}}, true},
    {"mean-risk 0.1", WHOLE, {{"mean-risk", "0.1"}}, false},
    {"k = 5, mean-risk 0.1", WHOLE, {{"k", "5"}, {"mean-risk", "0.1"}}, false},
    {"risk-share 0.1,0.05", WHOLE, {{"risk-share", "0.1,0.05"}}, false},
    {"sample-uniqueness 0.01", WHOLE, {{"sample-uniqueness", "0.01"}}, false},
    {"two quasi-identifiers",
     WHOLE,
     {{"k", "5"}, {"qi-set", one_set}, {"qi-set", other_set}},
     true},
    {"k = 5, 32 strata", WHOLE, {{"k", "5"}, {"by", "sex,education"}}, true},
    {"k = 5, ambiguity", WHOLE, {{"k", "5"}, {"utility", "ambiguity"}}, false},
    {"k = 5, entropy distortion", WHOLE, {{"k", "5"}, {"utility", "entropy"}}, false},
    {"k = 5, classification", WHOLE, {{"k", "5"}, {"utility", "classification=occupation"}}, false},
    {"k = 5, an earlier release", WHOLE, {{"k", "5"}, {"history", "@earlier"}}, false},
    {"k = 5, 10,000 rows", SAMPLE, {{"k", "5"}}, false},
    {"k-map 5", SAMPLE, {{"k-map", "5"}, {"population", "@whole"}}, false},
    {"delta-presence 0,0.5",
     SAMPLE,
     {{"delta-presence", "0,0.5"}, {"population", "@whole"}},
     false},
    {"delta-presence 0.1,0.5",
     SAMPLE,
     {{"delta-presence", "0.1,0.5"}, {"population", "@whole"}},
     false},
    {"k = 5, persons do not count", PERSONS, {{"k", "5"}, {"identifier", "person"}}, false},
    {"k = 5, 20,000 persons", PERSONS, {{"k", "5"}, {"entity", "person"}}, false},
    {"max-risk 0.2, weights do not count",
     WEIGHTS,
     {{"max-risk", "0.2"}, {"identifier", "w"}},
     false},
    {"max-risk 0.01 by 1,000 weights",
     WEIGHTS,
     {{"max-risk", "0.01"}, {"weight", "w"}, {"identifier", "w"}},
     false},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const bench_shape adult_shape = {30162, 9, 0};

typedef struct files {
    char of_table[TABLES][PATH_SIZE], earlier[PATH_SIZE], output[PATH_SIZE];
} files;

/* ---- Jobs ------------------------------------------------------------------------------------ */

typedef struct task {
    const files *files;
    const char *method;
    const row *row;
    bool keep; /* the recoding, as an earlier release */
} task;

static const char *value_of(const files *f, const char *value)
{
    if (value[0] != '@')
        return value;
    return strcmp(value, "@earlier") == 0 ? f->earlier : f->of_table[WHOLE];
}

static mgl_status set_keys(const task *t, mgl_job *job, mgl_error *err)
{
    const key always[] = {{"threads", "1"},
                          {"brief", "true"},
                          {"suppress", "5%"},
                          {"method", t->method},
                          {"allow-leaks", "true"},
                          {"output", t->files->output},
                          {"save-recoding", t->keep ? t->files->earlier : NULL}};
    MGL_TRY(bench_shape_columns(&adult_shape, t->files->of_table[t->row->table], job, err));
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (always[i].value != NULL)
            MGL_TRY(mgl_job_set(job, always[i].name, always[i].value, err));
    const key *keys = t->row->keys;
    for (size_t i = 0; i < MOST_KEYS && keys[i].name != NULL; i++) {
        bool again = i > 0 && strcmp(keys[i].name, keys[i - 1].name) == 0;
        MGL_TRY((again ? mgl_job_add : mgl_job_set)(job, keys[i].name,
                                                    value_of(t->files, keys[i].value), err));
    }
    return MGL_OK;
}

static int run_task(void *context, double *figures)
{
    (void)figures;
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(&err, &job);
    if (status == MGL_OK)
        status = set_keys(context, job, &err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &err, &result);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status != MGL_OK;
}

/* User seconds, best of a few; below 0: it went wrong. */
static double seconds_of(const task *t)
{
    double best = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        bench_usage usage = bench_child(run_task, (void *)t, NULL, 0);
        if (usage.failed)
            return -1;
        best = fmin(best, usage.user);
    }
    return best;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static bool make_tables(const char *folder, files *f)
{
    static const row earlier = {"earlier", WHOLE, {{"k", "20"}, {"utility", "loss"}}, false};
    if (shared_folder() != NULL)
        snprintf(f->of_table[WHOLE], PATH_SIZE, "%s/data/adult/adult.csv", shared_folder());
    else if (!bench_shape_provide(&adult_shape, folder, f->of_table[WHOLE], PATH_SIZE))
        return false;
    snprintf(f->of_table[SAMPLE], PATH_SIZE, "%s/cliffs-sample.csv", folder);
    snprintf(f->of_table[PERSONS], PATH_SIZE, "%s/cliffs-persons.csv", folder);
    snprintf(f->of_table[WEIGHTS], PATH_SIZE, "%s/cliffs-weights.csv", folder);
    if (bench_command("awk 'NR == 1 { print \"w;\" $0; next }"
                      " { print (1 + NR * 7919 %% 1000) / 10 \";\" $0 }' '%s' >'%s'",
                      f->of_table[WHOLE], f->of_table[WEIGHTS])
            .failed)
        return false;
    if (!bench_add_persons(f->of_table[WHOLE], N_PERSONS, f->of_table[PERSONS]))
        return false;
    snprintf(f->earlier, PATH_SIZE, "%s/cliffs-earlier.mingle", folder);
    snprintf(f->output, PATH_SIZE, "%s/cliffs-release.csv", folder);
    if (bench_command("awk 'NR == 1 || NR %% 3 == 2' '%s' | head -%d >'%s'", f->of_table[WHOLE],
                      SAMPLE_ROWS + 1, f->of_table[SAMPLE])
            .failed)
        return false;
    task t = {f, "mingen", &earlier, true};
    return !bench_child(run_task, &t, NULL, 0).failed;
}

/* ---- The lattice ----------------------------------------------------------------------------- */

static int list_lattice(void *context, double *figures)
{
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    (void)figures;
    mgl_status status = mgl_job_new(&err, &job);
    if (status == MGL_OK)
        status = bench_shape_columns(&adult_shape, context, job, &err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "k", "5", &err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "suppress", "5%", &err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "lattice", &err, &result);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status != MGL_OK;
}

/* Every node on as many tuples as a large table has. */
static void print_lattice(const char *folder)
{
    static const bench_shape large = {3000000, 9, 0};
    char path[PATH_SIZE];
    if (!bench_shape_provide(&large, folder, path, sizeof path)) {
        fprintf(stderr, "bench: no table for lattice\n");
        return;
    }
    bench_usage usage = bench_child(list_lattice, path, NULL, 0);
    if (!usage.failed)
        printf("\nlattice, 12,960 nodes, 3 million rows: %.1f s, %.1f user seconds, %.0f MB\n",
               usage.wall, usage.user, usage.peak);
}

/* ---- The subject ----------------------------------------------------------------------------- */

static void print_row(const row *row, const double *seconds, const double *alone)
{
    printf("| %-26s", row->name);
    for (size_t m = 0; m < METHODS; m++)
        if (seconds[m] < 0)
            printf(" | %13s", isinf(seconds[m]) ? "" : "refused");
        else
            printf(" | %6.3f %5.1f%s", seconds[m], seconds[m] / alone[m],
                   seconds[m] > CLIFF * alone[m] ? "!" : " ");
    printf(" |\n");
    fflush(stdout);
}

int bench_cliffs(const char *folder)
{
    files f;
    double alone[TABLES][METHODS] = {{0}};
    if (!make_tables(folder, &f)) {
        fprintf(stderr, "bench: no table for cliffs\n");
        return 1;
    }
    printf("\nAdult, 9 quasi-identifiers, 5 %%: user seconds of the job, times k = 5 alone\n\n|");
    for (size_t m = 0; m < METHODS; m++)
        printf(" | %s", methods[m]);
    printf(" |\n|---|---|---|---|---|---|\n");
    for (size_t r = 0; r < ROWS; r++) {
        double seconds[METHODS], *first = alone[rows[r].table];
        for (size_t m = 0; m < METHODS; m++) {
            task t = {&f, methods[m], &rows[r], false};
            bool cells = strcmp(methods[m], "cell") == 0;
            seconds[m] = cells && !rows[r].cells ? -INFINITY : seconds_of(&t);
            first[m] = first[m] > 0 ? first[m] : fmax(seconds[m], 0.001);
        }
        print_row(&rows[r], seconds, first);
    }
    print_lattice(folder);
    return 0;
}
