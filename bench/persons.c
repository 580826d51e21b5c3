/* Persons with several rows (--entity): what they add to the user seconds of a job with k = 5, each
 * job in a process of its own, and what memory they take in a large table. A subject of main.c. */
#include "bench.h"
#include "process.h"
#include "shape.h"

#include "../tests/support/adult.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>

enum { PATH_SIZE = 4200 };

/* Above this many times k = 5 without persons a job has fallen off a cliff. */
static const double CLIFF = 20;

/* A table with a column `person`. */
typedef struct person_table {
    bench_shape shape;
    unsigned n_persons, runs;
    char path[PATH_SIZE];
} person_table;

typedef struct method_case {
    const char *name;
    const char *method, *effort; /* NULL: the method has none */
} method_case;

static const method_case small_cases[] = {{"cell, fast", "cell", "fast"},
                                          {"cell, balanced", "cell", "balanced"}};
static const method_case large_cases[] = {{"mingen", "mingen", NULL},
                                          {"top-down, fast", "top-down", "fast"},
                                          {"cell, fast", "cell", "fast"}};

static const method_case joined_cases[] = {{"mingen", "mingen", NULL},
                                           {"samarati", "samarati", NULL},
                                           {"incognito", "incognito", NULL},
                                           {"datafly", "datafly", NULL}};

/* ---- Jobs ------------------------------------------------------------------------------------ */

typedef struct task {
    const person_table *table;
    const method_case *method;
    bool persons; /* they count, not rows */
    bool dropped; /* suppressed rows are; else they are kept */
    bool joined;  /* all rows of a person are judged together */
} task;

static mgl_status set_keys(const task *t, mgl_job *job, mgl_error *err)
{
    const char *const keys[][2] = {{"threads", "1"},
                                   {"brief", "true"},
                                   {"dry-run", "true"},
                                   {"k", "5"},
                                   {"suppress", "5%"},
                                   {"entity-view", t->joined ? "joined" : NULL},
                                   {"suppressed", t->dropped ? "drop" : NULL},
                                   {"method", t->method->method},
                                   {"effort", t->method->effort},
                                   {t->persons ? "entity" : "identifier", "person"}};
    MGL_TRY(bench_shape_columns(&t->table->shape, t->table->path, job, err));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][1] != NULL)
            MGL_TRY(mgl_job_set(job, keys[i][0], keys[i][1], err));
    return MGL_OK;
}

static int run_task(void *context, double *figures)
{
    (void)figures;
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_new(&err, &job));
    MGL_GO(set_keys(context, job, &err));
    MGL_GO(mgl_job_run(job, "anonymize", &err, &result));
done:
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status != MGL_OK;
}

/* The best of a few. */
static bench_usage run_case(task t)
{
    bench_usage best = bench_child(run_task, &t, NULL, 0);
    for (unsigned i = 1; !best.failed && i < t.table->runs; i++) {
        bench_usage usage = bench_child(run_task, &t, NULL, 0);
        best.user = fmin(best.user, usage.user);
    }
    return best;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

bool bench_add_persons(const char *rows, unsigned n_persons, const char *path)
{
    return !bench_command("awk 'NR == 1 { print \"person;\" $0; next }"
                          " { print \"p\" NR * 7919 %% %u \";\" $0 }' '%s' >'%s'",
                          n_persons, rows, path)
                .failed;
}

static bool provide(person_table *table, const char *folder)
{
    char rows[PATH_SIZE];
    if (shared_folder() != NULL && table->shape.rows < 100000)
        snprintf(rows, sizeof rows, "%s/data/adult/adult.csv", shared_folder());
    else if (!bench_shape_provide(&table->shape, folder, rows, sizeof rows))
        return false;
    snprintf(table->path, PATH_SIZE, "%s/persons-%zu.csv", folder, table->shape.rows);
    return bench_add_persons(rows, table->n_persons, table->path);
}

/* ---- The subject ----------------------------------------------------------------------------- */

static int measure(person_table *table, const method_case *cases, size_t n, const char *folder)
{
    if (!provide(table, folder)) {
        fprintf(stderr, "bench: no table of persons\n");
        return 1;
    }
    printf(
        "\n%zu rows, %u persons, %zu quasi-identifiers, k = 5, 5 %%: user seconds and peak memory"
        " of the job\n\n| method | rows count | persons count | times |\n|---|---|---|---|\n",
        table->shape.rows, table->n_persons, table->shape.quasi);
    for (size_t i = 0; i < n; i++) {
        bench_usage rows = run_case((task){table, &cases[i], false, false, false});
        bench_usage persons = run_case((task){table, &cases[i], true, false, false});
        if (rows.failed || persons.failed)
            return 1;
        double alone = fmax(rows.user, 0.001), times = persons.user / alone;
        printf("| %s | %.3f s, %.0f MB | %.3f s, %.0f MB | %.1f%s |\n", cases[i].name, rows.user,
               rows.peak, persons.user, persons.peak, times, times > CLIFF ? " !" : "");
        fflush(stdout);
    }
    return 0;
}

/* Persons whose rows stay linked: all their rows judged together, beside each row by itself. */
static int measure_joined(const char *folder)
{
    person_table table = {.shape = {30162, 9, 0}, .n_persons = 5500, .runs = 3};
    if (!provide(&table, folder)) {
        fprintf(stderr, "bench: no table of persons\n");
        return 1;
    }
    printf("\n%zu rows, %u persons, suppressed rows dropped: user seconds\n\n"
           "| method | view rows | view joined | times |\n|---|---|---|---|\n",
           table.shape.rows, table.n_persons);
    for (size_t i = 0; i < sizeof joined_cases / sizeof joined_cases[0]; i++) {
        bench_usage rows = run_case((task){&table, &joined_cases[i], true, true, false});
        bench_usage joined = run_case((task){&table, &joined_cases[i], true, true, true});
        if (rows.failed || joined.failed)
            return 1;
        double times = joined.user / fmax(rows.user, 0.001);
        printf("| %s | %.3f s | %.3f s | %.1f%s |\n", joined_cases[i].name, rows.user, joined.user,
               times, times > CLIFF ? " !" : "");
        fflush(stdout);
    }
    return 0;
}

int bench_persons(const char *folder, bool everything)
{
    person_table small = {.shape = {30162, 9, 0}, .n_persons = 20000, .runs = 3};
    person_table large = {.shape = {3000000, 9, 0}, .n_persons = 1000000, .runs = 1};
    int failed = measure_joined(folder) ||
                 measure(&small, small_cases, sizeof small_cases / sizeof small_cases[0], folder);
    if (failed || !everything)
        return failed;
    return measure(&large, large_cases, sizeof large_cases / sizeof large_cases[0], folder);
}
