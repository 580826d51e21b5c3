/* The exact search with models that look at sensitive values, on Adult: our processor time on one
 * thread for the optimum, the minimal nodes and both, against what ARX was measured to need for the
 * optimum. A subject of main.c. */
#include "bench.h"

#include "../tests/support/sensitive.h"
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/optimum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *sensitive, *name, *model;
    double first, second;
    double share;               /* of the rows that may be suppressed */
    double value, milliseconds; /* ARX; 0: not measured */
} row;

static const row rows[] = {
    {"occupation", "occ distinct-3-div k=5 s=0", "l-diversity", 3, 0, 0, 0, 0},
    {"occupation", "occ distinct-3-div k=5 s=0.05", "l-diversity", 3, 0, 0.05, 0, 0},
    {"occupation", "occ distinct-3-div k=5 s=1", "l-diversity", 3, 0, 1, 0, 0},
    {"occupation", "occ 0.2-close equal k=5 s=0.05", "t-closeness", 0.2, 0, 0.05, 0, 0},
    {"salary-class", "sal 0.2-close equal k=5 s=0.05", "t-closeness", 0.2, 0, 0.05, 0, 0},
    {"occupation", "occ 0.2-close equal k=5 s=0", "t-closeness", 0.2, 0, 0, 0, 0},
    {"occupation", "occ 0.2-close equal k=5 s=1", "t-closeness", 0.2, 0, 1, 0, 0},
    {"occupation", "occ 0.1-close ordered k=5 s=0.05", "t-closeness", 0.1, 1, 0.05, 0, 0},
    {"occupation", "occ 3-sensitive k=5 s=0.05", "p-sensitive", 3, 0, 0.05, 0, 0},
    {"occupation", "occ entropy-5 k=5 s=0.05", "entropy-l", 5, 0, 0.05, 0, 0},
    {"occupation", "occ recursive-(3,3) k=5 s=0.05", "recursive-cl", 3, 3, 0.05, 0, 0},
    {"occupation", "occ alpha 0.4 k=5 s=0.05", "alpha", 0.4, 0, 0.05, 0, 0},
    {"occupation", "occ beta 2 k=5 s=0.05", "beta", 2, 0, 0.05, 0, 0},
    {"occupation", "occ enhanced beta 2 k=5 s=0.05", "enhanced-beta", 2, 0, 0.05, 0, 0},
    {"occupation", "occ delta 1.5 k=5 s=0.05", "delta-disclosure", 1.5, 0, 0.05, 0, 0},
};

/* Value and time of ARX for a row of that name. */
static void find_arx(const char *shared, row *row)
{
    char path[512], line[2048];
    snprintf(path, sizeof path, "%s/golden/arx_adult.tsv", shared);
    FILE *file = fopen(path, "r");
    size_t n = strlen(row->name);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, row->name, n) != 0 || strncmp(line + n, " loss\t", 6) != 0)
            continue;
        char *time = strrchr(line, '\t');
        row->milliseconds = strtod(time + 1, NULL);
        *time = '\0';
        row->value = strtod(strrchr(line, '\t') + 1, NULL);
    }
    if (file != NULL)
        fclose(file);
}

/* What a row of the table is made of, and how long it took. */
typedef struct timing {
    const mgl_problem *problem;
    mgl_optimum optimum;
    uint8_t *holds;
    uint32_t *minimal;
    size_t n_minimal;
} timing;

static void forget(timing *t)
{
    mgl_ties_free(&t->optimum.ties);
    mgl_free(t->holds);
    mgl_free(t->minimal);
    *t = (timing){.problem = t->problem};
    mgl_ties_init(&t->optimum.ties, t->problem->list->n_attributes);
}

static mgl_status find_optimum(timing *t, mgl_error *err)
{
    return mgl_lattice_best(t->problem, err, &t->optimum);
}

static mgl_status find_minimal(timing *t, mgl_error *err)
{
    MGL_TRY(mgl_lattice_holding(t->problem, err, &t->holds));
    return mgl_minimal_nodes(t->problem, t->holds, err, &t->minimal, &t->n_minimal);
}

/* As mingen does it. */
static mgl_status find_both(timing *t, mgl_error *err)
{
    MGL_TRY(mgl_lattice_best_and_holding(t->problem, err, &t->optimum, &t->holds));
    return mgl_minimal_nodes(t->problem, t->holds, err, &t->minimal, &t->n_minimal);
}

/* The best of several runs, in processor milliseconds. */
static double best_of(timing *t, mgl_status (*find)(timing *t, mgl_error *err))
{
    double best = INFINITY, spent = 0;
    for (int run = 0; run < 100 && (run < 5 || spent < 0.5); run++) {
        mgl_error err = {0};
        forget(t);
        double start = bench_cpu_seconds();
        if (find(t, &err) != MGL_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        double seconds = bench_cpu_seconds() - start;
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    return best * 1e3;
}

static bool run_row(sensitive_adult *data, row one)
{
    uint64_t limit = (uint64_t)(one.share * (double)data->list->n_rows);
    mgl_problem problem =
        sensitive_adult_problem(data, 5, one.model, one.first, one.second, limit, "geometric-loss");
    timing t = {.problem = &problem};
    printf("  %-34s %8.2f %8.2f", one.name, best_of(&t, find_optimum), best_of(&t, find_minimal));
    double both = best_of(&t, find_both);
    printf(" %8.2f ms %5zu minimal", both, t.n_minimal);
    bool same = true;
    if (one.milliseconds > 0) {
        same = fabs(t.optimum.ties.best - one.value) <= 1e-9 * one.value;
        printf("  ARX %5.0f ms %6.1f x%s", one.milliseconds, one.milliseconds / both,
               same ? "" : ", WRONG VALUE");
    }
    printf("\n");
    fflush(stdout);
    forget(&t);
    mgl_ties_free(&t.optimum.ties);
    return same;
}

int bench_models(const char *shared)
{
    adult whole;
    if (!adult_read(&whole, shared_folder())) {
        printf("models: skipped\n");
        return 0;
    }
    sensitive_adult occupation, salary;
    if (!sensitive_adult_make(&occupation, &whole, "occupation") ||
        !sensitive_adult_make(&salary, &whole, "salary-class"))
        return 1;
    printf("Searches with models on sensitive values, geometric loss, one thread\n"
           "  %-34s %8s %8s %8s\n",
           "", "optimum", "minimal", "both");
    bool same = true;
    const char *only = getenv("BENCH_ONLY"); /* a part of the names of the rows wanted */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        row one = rows[i];
        if (only != NULL && strstr(one.name, only) == NULL)
            continue;
        find_arx(shared, &one);
        same =
            run_row(strcmp(one.sensitive, "occupation") == 0 ? &occupation : &salary, one) && same;
    }
    sensitive_adult_free(&occupation);
    sensitive_adult_free(&salary);
    adult_free(&whole);
    return same ? 0 : 1;
}
