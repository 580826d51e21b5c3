/* The exact search with models that look at sensitive values, on Adult: our processor time
 * on one thread against what ARX was measured to need, and against our own plain sweep. */
#include "bench.h"

#include "../tests/support/sensitive.h"
#include "search/optimum.h"

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

/* The best of several runs, in processor seconds. */
static double time_climb(const mgl_problem *problem, mgl_optimum *out)
{
    double best = INFINITY, spent = 0;
    for (int run = 0; run < 100 && (run < 5 || spent < 0.5); run++) {
        mgl_error err = {0};
        mgl_ties_free(&out->ties);
        mgl_ties_init(&out->ties, problem->list->n_attributes);
        double start = bench_cpu_seconds();
        if (mgl_climb_optimum(problem, &err, out) != MGL_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        double seconds = bench_cpu_seconds() - start;
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static double time_holding(const mgl_problem *problem)
{
    uint64_t checked;
    uint8_t *holds = malloc(
        mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes));
    double start = bench_cpu_seconds();
    bool done = holds != NULL && mgl_climb_holding(problem, NULL, holds, &checked) == MGL_OK;
    double seconds = bench_cpu_seconds() - start;
    free(holds);
    return done ? seconds : NAN;
}

static bool run_row(sensitive_adult *data, row one)
{
    uint64_t limit = (uint64_t)(one.share * (double)data->list->n_rows);
    mgl_problem problem =
        sensitive_adult_problem(data, 5, one.model, one.first, one.second, limit, "geometric-loss");
    mgl_optimum optimum = {0};
    double seconds = time_climb(&problem, &optimum);
    printf("  %-34s %8.2f ms %5llu nodes", one.name, seconds * 1e3,
           (unsigned long long)optimum.checked);
    printf("  all that hold %7.1f ms", time_holding(&problem) * 1e3);
    bool same = true;
    if (one.milliseconds > 0) {
        same = fabs(optimum.ties.best - one.value) <= 1e-9 * one.value;
        printf("  %6.1f x ARX%s", one.milliseconds / seconds / 1e3, same ? "" : ", WRONG VALUE");
    }
    printf("\n");
    fflush(stdout);
    mgl_ties_free(&optimum.ties);
    return same;
}

int bench_models(const char *shared)
{
    adult whole;
    if (!adult_read(&whole)) {
        printf("models: skipped\n");
        return 0;
    }
    sensitive_adult occupation, salary;
    if (!sensitive_adult_make(&occupation, &whole, "occupation") ||
        !sensitive_adult_make(&salary, &whole, "salary-class"))
        return 1;
    printf("Searches with models on sensitive values, geometric loss, one thread\n");
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
