/* Measures mu-Argus on a table of 100,000 rows drawn from Adult, with a tenth column. A subject of
 * main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "../tests/support/adult.h"
#include "findings/findings.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 100000, REGIONS = 24 };

static const char *const columns[] = {
    "sex",       "age",        "race",         "marital-status", "education", "native-country",
    "workclass", "occupation", "salary-class",
};
static const char *const ks[] = {"2", "5", "20"};
static const char *const combinations[] = {"2,3", "published", "all"};

/* Copies the table, with a region beside each row; small numbers are more frequent. */
static int add_regions(const char *from, const char *to)
{
    char line[1024];
    uint64_t state = 7;
    FILE *in = fopen(from, "r"), *out = in != NULL ? fopen(to, "w") : NULL;
    bool header = true;
    while (out != NULL && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        unsigned region = (unsigned)(bench_draw(&state) % REGIONS * (bench_draw(&state) % REGIONS));
        if (header)
            fprintf(out, "%s;region\n", line);
        else
            fprintf(out, "%s;%02u\n", line, region / REGIONS);
        header = false;
    }
    bool failed = out == NULL || ferror(out) != 0;
    failed = (out != NULL && fclose(out) != 0) || failed;
    if (in != NULL)
        fclose(in);
    return failed ? -1 : 0;
}

static mgl_status set_columns(mgl_job *job, mgl_error *err)
{
    char key[64], path[4096];
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        snprintf(key, sizeof key, "attributes.%s.role", columns[c]);
        MGL_TRY(mgl_job_set(job, key, "quasi", err));
        snprintf(key, sizeof key, "attributes.%s.hierarchy", columns[c]);
        snprintf(path, sizeof path, "%s/data/adult/adult_hierarchy_%s.csv", shared_folder(),
                 columns[c]);
        MGL_TRY(mgl_job_set(job, key, path, err));
    }
    MGL_TRY(mgl_job_set(job, "identification", "age=1,occupation=1,sex=3,race=3", err));
    return mgl_job_set(job, "attributes.region.role", "quasi", err);
}

static mgl_status set_all(mgl_job *job, const char *path, const char *k, const char *looked_at,
                          unsigned threads, mgl_error *err)
{
    char number[16];
    snprintf(number, sizeof number, "%u", threads);
    MGL_TRY(mgl_job_set(job, "data", path, err));
    MGL_TRY(mgl_job_set(job, "output", "-", err));
    MGL_TRY(mgl_job_set(job, "threads", number, err));
    MGL_TRY(mgl_job_set(job, "method", "mu-argus", err));
    MGL_TRY(mgl_job_set(job, "k", k, err));
    MGL_TRY(mgl_job_set(job, "combinations", looked_at, err));
    return set_columns(job, err);
}

static mgl_status make_job(const char *path, const char *k, const char *looked_at, unsigned threads,
                           mgl_error *err, mgl_job **out)
{
    MGL_TRY(mgl_job_new(err, out));
    mgl_status status = set_all(*out, path, k, looked_at, threads, err);
    if (status != MGL_OK)
        mgl_job_free(*out);
    return status;
}

static uint64_t count_cells(const mgl_frequency_list *list, const mgl_solution *solution)
{
    const mgl_recoding *recoding = solution->recoding;
    uint64_t cells = 0;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        for (size_t a = 0; a < recoding->n_attributes; a++)
            if (mgl_solution_levels(solution)[a] < recoding->columns[a]->hierarchy->height &&
                recoding->cells[a][t] == recoding->columns[a]->top)
                cells += list->counts[t];
    return cells;
}

static mgl_status time_search(const steps *s, const char *k, const char *looked_at, mgl_error *err)
{
    mgl_solution *solution;
    double cpu = bench_cpu_seconds(), clock = bench_seconds();
    MGL_TRY(steps_search(s, err, &solution));
    cpu = bench_cpu_seconds() - cpu;
    clock = bench_seconds() - clock;
    printf("  k %3s  %-10s %6.2f s (%.2f s by the clock) %8llu cells suppressed, %6llu rows whole, "
           "%s\n",
           k, looked_at, cpu, clock,
           (unsigned long long)count_cells(s->setup.counts.list, solution),
           (unsigned long long)solution->suppressed_rows, solution->unsafe ? "unsafe" : "safe");
    fflush(stdout);
    mgl_solution_free(solution);
    return MGL_OK;
}

static mgl_status time_case(const char *path, const char *k, const char *looked_at,
                            unsigned threads, mgl_error *err)
{
    mgl_job *job;
    steps s = {0};
    MGL_TRY(make_job(path, k, looked_at, threads, err, &job));
    mgl_status status = steps_begin(job, true, err, &s);
    if (status == MGL_OK)
        status = time_search(&s, k, looked_at, err);
    steps_end(&s);
    mgl_job_free(job);
    return status;
}

static mgl_status run(const char *path, unsigned threads, mgl_error *err)
{
    printf("mu-Argus, %d rows, 10 quasi-identifiers, threads: %u, processor time of the search\n",
           ROWS, threads);
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++)
        for (size_t c = 0; c < sizeof combinations / sizeof combinations[0]; c++)
            MGL_TRY(time_case(path, ks[i], combinations[c], threads, err));
    return MGL_OK;
}

int bench_argus(const char *folder, unsigned threads)
{
    char nine[4096], ten[4096];
    mgl_error err;
    if (shared_folder() == NULL) {
        printf("mu-argus: skipped, no ../shared\n");
        return 0;
    }
    threads = threads > 0 ? threads : 1;
    snprintf(nine, sizeof nine, "%s/bench-argus-9.csv", folder);
    snprintf(ten, sizeof ten, "%s/bench-argus-10.csv", folder);
    bool made = bench_draw_adult(nine, ROWS) == 0 && add_regions(nine, ten) == 0;
    mgl_status status =
        made ? run(ten, threads, &err) : mgl_fail_errno(&err, ten, "make the table");
    remove(nine);
    remove(ten);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    return status == MGL_OK ? 0 : 1;
}
