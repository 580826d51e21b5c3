/* Measures microaggregation of tables of numbers: how long it takes, and what is left of the
 * variance. A subject of main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "findings/findings.h"

#include <math.h>
#include <stdio.h>

typedef struct shape {
    const char *name;
    size_t rows, columns;
    size_t factors; /* columns are mixtures of so many; 0: each is drawn by itself */
    bool large;     /* only if everything is asked for */
} shape;

static const shape shapes[] = {
    {"independent", 40000, 10, 0, false}, {"correlated", 40000, 10, 3, false},
    {"one column", 1000000, 1, 0, false}, {"independent", 200000, 10, 0, true},
    {"correlated", 200000, 10, 3, true},  {"three columns", 1000000, 3, 0, true},
};
static const char *const ks[] = {"3", "10"};

/* As good as normal: the sum of twelve even ones. */
static double draw_normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(bench_draw(state) >> 11) / 9007199254740992.0;
    return sum;
}

static int make_table(const char *path, const shape *s)
{
    uint64_t state = 2003;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    for (size_t c = 0; c < s->columns; c++)
        fprintf(file, "%sx%zu", c > 0 ? "," : "", c);
    fputc('\n', file);
    for (size_t row = 0; row < s->rows; row++) {
        double factors[8] = {0};
        for (size_t f = 0; f < s->factors; f++)
            factors[f] = draw_normal(&state);
        for (size_t c = 0; c < s->columns; c++) {
            double x = draw_normal(&state);
            if (s->factors > 0)
                x = 0.3 * x + (double)(1 + c) * factors[c % s->factors] +
                    factors[(c + 1) % s->factors];
            fprintf(file, "%s%.6f", c > 0 ? "," : "", x);
        }
        fputc('\n', file);
    }
    return ferror(file) | fclose(file);
}

static mgl_status fill_job(mgl_job *job, const char *path, const shape *s, const char *k,
                           mgl_error *err)
{
    static const char *const keys[][2] = {
        {"method", "microaggregate"}, {"threads", "1"}, {"dry-run", "true"}};
    MGL_TRY(mgl_job_set(job, "data", path, err));
    MGL_TRY(mgl_job_set(job, "k", k, err));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        MGL_TRY(mgl_job_set(job, keys[i][0], keys[i][1], err));
    for (size_t c = 0; c < s->columns; c++) {
        char key[40];
        snprintf(key, sizeof key, "attributes.x%zu.role", c);
        MGL_TRY(mgl_job_set(job, key, "quasi", err));
    }
    return MGL_OK;
}

static mgl_status time_search(mgl_job *job, const shape *s, const char *k, mgl_error *err)
{
    steps taken = {0};
    mgl_solution *solution = NULL;
    mgl_status status = steps_begin(job, true, err, &taken);
    double start = bench_cpu_seconds();
    if (status == MGL_OK)
        status = steps_search(&taken, err, &solution);
    if (status == MGL_OK) {
        const mgl_aggregation *a = solution->findings;
        printf("  %-13s %7zu x %-2zu  k = %-2s %7.2f s   SSE/SST %.4f %%\n", s->name, s->rows,
               s->columns, k, bench_cpu_seconds() - start, 100 * a->sse / a->sst);
        fflush(stdout);
    }
    mgl_solution_free(solution);
    steps_end(&taken);
    return status;
}

static mgl_status run_shape(const char *folder, const shape *s, mgl_error *err)
{
    char path[4096];
    mgl_status status = MGL_OK;
    snprintf(path, sizeof path, "%s/bench-microaggregate.csv", folder);
    if (make_table(path, s) != 0)
        return mgl_fail_errno(err, path, "write");
    for (size_t i = 0; i < sizeof ks / sizeof ks[0] && status == MGL_OK; i++) {
        mgl_job *job;
        status = mgl_job_new(err, &job);
        if (status != MGL_OK)
            break;
        status = fill_job(job, path, s, ks[i], err);
        if (status == MGL_OK)
            status = time_search(job, s, ks[i], err);
        mgl_job_free(job);
    }
    remove(path);
    return status;
}

/* ---- Beside a generalized column ------------------------------------------------------------- */

enum { MIXED_ROWS = 40000, TOWNS = 50 };

static int make_towns(const char *path)
{
    uint64_t state = 1;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    fprintf(file, "town,x0,x1\n");
    for (int row = 0; row < MIXED_ROWS; row++)
        fprintf(file, "t%d,%.6f,%.6f\n", row % TOWNS, draw_normal(&state), draw_normal(&state));
    return ferror(file) | fclose(file);
}

/* The search of one job: x0 and x1 within towns (method mingen), or in the whole table. */
static mgl_status time_towns(const char *path, bool within, mgl_error *err, double *seconds)
{
    const char *const keys[][2] = {{"data", path},
                                   {"k", "5"},
                                   {"threads", "1"},
                                   {"dry-run", "true"},
                                   {"rest", "drop"},
                                   {"method", within ? "mingen" : "microaggregate"},
                                   {"attributes.x0.role", "quasi"},
                                   {"attributes.x1.role", "quasi"},
                                   {"attributes.x0.aggregate", "mean"},
                                   {"attributes.x1.aggregate", "mean"},
                                   {"attributes.town.role", "quasi"},
                                   {"attributes.town.hierarchy", "suppress"}};
    size_t n = sizeof keys / sizeof keys[0] - (within ? 0 : 2);
    mgl_job *job = NULL;
    steps taken = {0};
    mgl_solution *solution = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_new(err, &job));
    for (size_t i = 0; i < n; i++)
        MGL_GO(mgl_job_set(job, keys[i][0], keys[i][1], err));
    MGL_GO(steps_begin(job, true, err, &taken));
    double start = bench_cpu_seconds();
    MGL_GO(steps_search(&taken, err, &solution));
    *seconds = bench_cpu_seconds() - start;
done:
    mgl_solution_free(solution);
    steps_end(&taken);
    mgl_job_free(job);
    return status;
}

static mgl_status run_towns(const char *folder, mgl_error *err)
{
    char path[4096];
    double within = 0, whole = 0;
    snprintf(path, sizeof path, "%s/bench-mixed.csv", folder);
    if (make_towns(path) != 0)
        return mgl_fail_errno(err, path, "write");
    mgl_status status = MGL_OK;
    MGL_GO(time_towns(path, true, err, &within));
    MGL_GO(time_towns(path, false, err, &whole));
    printf("  %d x 2 within %d towns takes %.2f of the time of the whole table\n", MIXED_ROWS,
           TOWNS, within / whole);
done:
    remove(path);
    return status;
}

int bench_microaggregate(const char *folder, bool everything)
{
    mgl_error err;
    printf("Microaggregation of normal numbers, from the frequency list to the recoding, one "
           "thread,\nprocessor time\n");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if ((everything || !shapes[i].large) && run_shape(folder, &shapes[i], &err) != MGL_OK) {
            fprintf(stderr, "bench: %s\n", err.message);
            return 1;
        }
    if (run_towns(folder, &err) != MGL_OK) {
        fprintf(stderr, "bench: %s\n", err.message);
        return 1;
    }
    return 0;
}
