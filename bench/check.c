/* What check does once a table is read: counting, the named models, and the strongest parameter of
 * every model. A subject of main.c. */
#include "bench.h"

#include "findings/findings.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000000, QUASI = 6, SENSITIVE_VALUES = 100, TIMES = 3 };

/* Values of the quasi-identifiers: as collected, most rows are alone or nearly so, and as in
 * a release, classes have hundreds of rows. */
typedef struct shape {
    const char *name;
    unsigned values[QUASI];
} shape;

static const shape shapes[] = {
    {"collected", {74, 40, 16, 8, 7, 2}},
    {"released", {8, 4, 4, 3, 3, 2}},
};

/* Small values are more frequent. */
static unsigned draw(mgl_random *random, unsigned n)
{
    return (unsigned)(mgl_random_below(random, n) * mgl_random_below(random, n) / n);
}

/* The sensitive value leans towards that of the first column. */
static int make_table(const char *path, const shape *s)
{
    mgl_random random;
    mgl_random_seed(&random, 2002);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    for (size_t c = 0; c < QUASI; c++)
        fprintf(file, "q%zu,", c);
    fprintf(file, "s\n");
    for (size_t row = 0; row < ROWS; row++) {
        unsigned first = 0;
        for (size_t c = 0; c < QUASI; c++) {
            unsigned value = draw(&random, s->values[c]);
            first = c == 0 ? value : first;
            fprintf(file, "%u,", value);
        }
        fprintf(file, "%u\n", (draw(&random, SENSITIVE_VALUES) + first) % SENSITIVE_VALUES);
    }
    return ferror(file) | fclose(file);
}

/* Every model that needs neither a hierarchy nor a population is named, besides. */
static const char *const keys[][2] = {
    {"threads", "1"},
    {"attributes.s.role", "sensitive"},
    {"k", "5"},
    {"l-diversity", "s=3"},
    {"entropy-l", "s=3"},
    {"recursive-cl", "s=3,3"},
    {"p-sensitive", "3"},
    {"alpha", "s=0.5"},
    {"t-closeness", "s=0.5"},
    {"delta-disclosure", "s=2"},
    {"beta", "s=2"},
    {"enhanced-beta", "s=2"},
    {"max-risk", "0.2"},
    {"mean-risk", "0.1"},
    {"risk-share", "0.2,0.1"},
    {"sample-uniqueness", "0.01"},
};

static mgl_status make_job(const char *path, mgl_error *err, mgl_job **out)
{
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = mgl_job_set(job, "data", path, err);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && status == MGL_OK; i++)
        status = mgl_job_set(job, keys[i][0], keys[i][1], err);
    for (size_t c = 0; c < QUASI && status == MGL_OK; c++) {
        char key[32];
        snprintf(key, sizeof key, "attributes.q%zu.role", c);
        status = mgl_job_set(job, key, "quasi", err);
    }
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}

/* Processor seconds of reading alone, and of the whole check. */
static mgl_status time_once(mgl_job *job, mgl_error *err, double *read, double *whole,
                            size_t *classes)
{
    const mgl_settings *settings;
    mgl_session *session;
    mgl_reading *reading = NULL;
    mgl_counts counts;
    mgl_result *result;
    MGL_TRY(mgl_job_settings(job, MGL_CHECK, err, &settings));
    double start = bench_cpu_seconds();
    MGL_TRY(mgl_session_begin(err, &session));
    mgl_status status = mgl_reading_new(session, settings, MGL_TO_CHECK, err, &reading);
    *read = bench_cpu_seconds() - start;
    if (status == MGL_OK)
        status = mgl_counts_find(reading, err, &counts);
    if (status == MGL_OK)
        *classes = counts.list->n_tuples;
    mgl_reading_free(reading);
    mgl_session_end(session);
    if (status != MGL_OK)
        return status;
    start = bench_cpu_seconds();
    MGL_TRY(mgl_job_run(job, "check", err, &result));
    *whole = bench_cpu_seconds() - start;
    mgl_result_free(result);
    return MGL_OK;
}

static mgl_status run_shape(const char *folder, const shape *s, mgl_error *err)
{
    char path[4096];
    mgl_job *job;
    snprintf(path, sizeof path, "%s/bench-check-%s.csv", folder, s->name);
    if (make_table(path, s) != 0)
        return mgl_fail_errno(err, path, "write");
    MGL_TRY(make_job(path, err, &job));
    mgl_status status = MGL_OK;
    double best = 1e9, read = 0, whole = 0;
    size_t classes = 0;
    for (int i = 0; i < TIMES && status == MGL_OK; i++) {
        status = time_once(job, err, &read, &whole, &classes);
        best = whole - read < best ? whole - read : best;
    }
    if (status == MGL_OK)
        printf("  %-10s %7zu classes  %7.0f ms after reading, which took %.0f ms\n", s->name,
               classes, best * 1e3, read * 1e3);
    mgl_job_free(job);
    remove(path);
    return status;
}

int bench_check(const char *folder)
{
    mgl_error err;
    printf("check, %d rows, %d quasi-identifiers, a sensitive column of %d values, one thread,\n"
           "every model measured, processor time, best of %d\n",
           ROWS, QUASI, SENSITIVE_VALUES, TIMES);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (run_shape(folder, &shapes[i], &err) != MGL_OK) {
            fprintf(stderr, "bench: %s\n", err.message);
            return 1;
        }
    return 0;
}
