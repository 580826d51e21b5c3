/* Measures Mondrian on a million rows with 8 quasi-identifiers. A subject of main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "../tests/support/adult.h"
#include "findings/findings.h"

#include <stdio.h>

enum { ROWS = 1000000, QUASI = 8 };

/* ---- Tables ---------------------------------------------------------------------------- */

static const char *const census[QUASI] = {
    "sex",       "age",       "race", "marital-status", "education", "native-country",
    "workclass", "occupation"};

static int make_census(const char *path)
{
    return shared_folder() != NULL ? bench_draw_adult(path, ROWS) : bench_make_table(path, ROWS);
}

static const char *const numbers[QUASI] = {"n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"};

/* Columns of 10 to 10 million numbers: hardly two rows are equal. */
static int make_numbers(const char *path)
{
    uint64_t state = 2006, most = 10;
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    for (size_t c = 0; c < QUASI; c++)
        fprintf(file, "%s%s", numbers[c], c + 1 < QUASI ? ";" : "\n");
    for (size_t row = 0; row < ROWS; row++)
        for (size_t c = 0; c < QUASI; c++) {
            most = c == 0 ? 10 : c < 7 ? most * 10 : most;
            fprintf(file, "%llu%s", (unsigned long long)(bench_draw(&state) % most),
                    c + 1 < QUASI ? ";" : "\n");
        }
    return ferror(file) | fclose(file);
}

typedef struct shape {
    const char *name;
    const char *const *columns;
    int (*make)(const char *path);
} shape;

static const shape shapes[] = {{"census", census, make_census}, {"numbers", numbers, make_numbers}};

/* ---- Runs -------------------------------------------------------------------------------- */

static mgl_status set_column(mgl_job *job, const char *column, mgl_error *err)
{
    char key[64], path[4096];
    snprintf(key, sizeof key, "attributes.%s.role", column);
    MGL_TRY(mgl_job_set(job, key, "quasi", err));
    snprintf(path, sizeof path, "%s/data/adult/adult_hierarchy_%s.csv",
             shared_folder() != NULL ? shared_folder() : "", column);
    FILE *file = fopen(path, "r");
    if (file == NULL || strcmp(column, "age") == 0) { /* values, or ranges of numbers */
        if (file != NULL)
            fclose(file);
        return MGL_OK;
    }
    fclose(file);
    snprintf(key, sizeof key, "attributes.%s.hierarchy", column);
    return mgl_job_set(job, key, path, err);
}

static mgl_status fill_job(mgl_job *job, const shape *s, const char *data, const char *cut,
                           mgl_error *err)
{
    MGL_TRY(mgl_job_set(job, "data", data, err));
    MGL_TRY(mgl_job_set(job, "rest", "drop", err));
    MGL_TRY(mgl_job_set(job, "k", "10", err));
    MGL_TRY(mgl_job_set(job, "method", "mondrian", err));
    MGL_TRY(mgl_job_set(job, "cut", cut, err));
    MGL_TRY(mgl_job_set(job, "output", "-", err));
    for (size_t c = 0; c < QUASI; c++)
        MGL_TRY(set_column(job, s->columns[c], err));
    return MGL_OK;
}

/* Reads and counts, which is not measured, then searches. */
static mgl_status run(mgl_job *job, const shape *s, const char *cut, mgl_error *err)
{
    steps taken = {0};
    mgl_solution *solution = NULL;
    mgl_status status = steps_begin(job, true, err, &taken);
    double before = bench_peak_memory(), wall = bench_seconds(), cpu = bench_cpu_seconds();
    if (status == MGL_OK)
        status = steps_search(&taken, err, &solution);
    if (status == MGL_OK)
        printf(
            "  %-8s %-8s %7zu tuples  %6.2f s, %6.2f s of processors, %5.0f MB (%.0f MB before)\n",
            s->name, cut, taken.setup.counts.list->n_tuples, bench_seconds() - wall,
            bench_cpu_seconds() - cpu, bench_peak_memory(), before);
    fflush(stdout);
    mgl_solution_free(solution);
    steps_end(&taken);
    return status;
}

static mgl_status run_shape(const shape *s, const char *folder, const char *cut, mgl_error *err)
{
    char path[4096];
    mgl_job *job;
    snprintf(path, sizeof path, "%s/bench-mondrian-%s.csv", folder, s->name);
    if (s->make(path) != 0)
        return mgl_fail_errno(err, path, "write");
    mgl_status status = mgl_job_new(err, &job);
    if (status == MGL_OK) {
        status = fill_job(job, s, path, cut, err);
        if (status == MGL_OK)
            status = run(job, s, cut, err);
        mgl_job_free(job);
    }
    remove(path);
    return status;
}

int bench_mondrian(const char *folder)
{
    mgl_error err;
    printf("mondrian, %d rows, %d quasi-identifiers, k = 10, all cores\n", ROWS, QUASI);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int relaxed = 0; relaxed < 2; relaxed++)
            if (run_shape(&shapes[i], folder, relaxed ? "relaxed" : "strict", &err) != MGL_OK) {
                fprintf(stderr, "bench: %s\n", err.message);
                return 1;
            }
    return 0;
}
