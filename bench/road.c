/* Measures the road from file to file, and what `cp`, `sort | uniq -c` and databases take for some
 * of it on the same table. A subject of main.c. */
#include "bench.h"

#include "process.h"
#include "shape.h"

#include "findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ, SEARCH, WRITE, VERIFY, REST, ALL, FIGURES };

typedef struct trip {
    const bench_shape *shape;
    const char *path, *output, *method, *effort, *threads; /* effort: NULL, if it has none */
    bool whole; /* with all that a result has, not only what a summary tells */
    mgl_error err;
} trip;

static double seconds_in(const mgl_result *result, const char *name)
{
    return json_number_value(json_object_get(json_object_get(result->document, "seconds"), name));
}

/* Stage by stage; the sync at the end is not in the figures. What is in no stage is counting, the
 * leak guard and the result. */
static mgl_status travel(mgl_job *job, mgl_error *err, double *figures)
{
    mgl_result *result;
    MGL_TRY(mgl_job_run(job, "anonymize", err, &result));
    figures[READ] = seconds_in(result, "read");
    figures[SEARCH] = seconds_in(result, "search");
    figures[WRITE] = seconds_in(result, "write");
    figures[VERIFY] = seconds_in(result, "verify");
    figures[ALL] = seconds_in(result, "total");
    figures[REST] = figures[ALL];
    for (size_t i = READ; i < REST; i++)
        figures[REST] -= figures[i];
    mgl_result_free(result);
    return MGL_OK;
}

static int run_trip(void *context, double *figures)
{
    trip *t = context;
    mgl_job *job;
    mgl_status status = bench_shape_job(t->shape, t->path, t->output, &t->err, &job);
    if (status == MGL_OK) {
        status = mgl_job_set(job, "method", t->method, &t->err);
        if (status == MGL_OK && t->effort != NULL)
            status = mgl_job_set(job, "effort", t->effort, &t->err);
        if (status == MGL_OK)
            status = mgl_job_set(job, "threads", t->threads, &t->err);
        if (status == MGL_OK)
            status = mgl_job_set(job, "brief", t->whole ? "false" : "true", &t->err);
        if (status == MGL_OK)
            status = travel(job, &t->err, figures);
        mgl_job_free(job);
    }
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", t->err.message);
    return status != MGL_OK;
}

/* ---- What others take -------------------------------------------------------------------------
 */

typedef struct rival {
    const char *name;
    double wall; /* seconds; 0: it is not there */
} rival;

static double time_sqlite(const bench_shape *shape, const char *path, const char *folder)
{
    char quasi[1024], file[4200];
    bench_shape_names(shape, "\",\"", quasi, sizeof quasi);
    snprintf(file, sizeof file, "%s/bench.sqlite", folder);
    unlink(file);
    bool loaded = !bench_command("sqlite3 '%s' -cmd '.separator ;' '.import \"%s\" t' 2>/dev/null",
                                 file, path)
                       .failed;
    bench_usage usage = {.failed = true};
    if (loaded)
        usage = bench_command(
            "sqlite3 '%s' 'SELECT \"%s\", count(*) FROM t GROUP BY \"%s\"' >/dev/null", file, quasi,
            quasi);
    unlink(file);
    return usage.failed ? 0 : usage.wall;
}

static double time_duckdb(const bench_shape *shape, const char *path)
{
    char quasi[1024];
    bench_shape_names(shape, "\",\"", quasi, sizeof quasi);
    bench_usage usage = bench_command(
        "duckdb -c \"COPY (SELECT \\\"%s\\\", count(*) FROM read_csv('%s', delim=';') "
        "GROUP BY ALL) TO '/dev/null'\" >/dev/null 2>&1",
        quasi, path);
    return usage.failed ? 0 : usage.wall;
}

static double time_sort(const bench_shape *shape, const char *path, const char *folder)
{
    bench_usage usage = bench_command("tail -n +2 '%s' | cut -d';' -f1-%zu | "
                                      "LC_ALL=C sort -T '%s' | uniq -c >/dev/null",
                                      path, shape->quasi, folder);
    return usage.failed ? 0 : usage.wall;
}

static void print_rivals(const rival *rivals, size_t n, double all)
{
    printf("    ");
    for (size_t i = 0; i < n; i++)
        if (rivals[i].wall > 0)
            printf("  %s %.2f s (x %.2f)", rivals[i].name, rivals[i].wall, all / rivals[i].wall);
    printf("\n");
}

/* ---- Cases ---------------------------------------------------------------------------------- */

static int run_method(trip *t, const char *method, const char *effort, double megabytes,
                      double *all)
{
    double f[FIGURES] = {0};
    t->method = method;
    t->effort = effort;
    unlink(t->output);
    bench_usage usage = bench_child(run_trip, t, f, FIGURES);
    unlink(t->output);
    if (usage.failed)
        return 1;
    printf("    %s %s%s\n            read %5.2f  search %5.2f  write %5.2f  verify %5.2f  rest "
           "%5.2f  all %6.2f s "
           "(%.2f of processors, sync %.2f)\n"
           "            %.2f million rows/s  %.0f MB/s  peak %.0f MB\n",
           method, effort != NULL ? effort : "", t->whole ? "with a whole result" : "", f[READ],
           f[SEARCH], f[WRITE], f[VERIFY], f[REST], f[ALL], usage.cpu, usage.wall - f[ALL],
           (double)t->shape->rows / 1e6 / f[ALL], megabytes / f[ALL], usage.peak);
    *all = f[ALL];
    return 0;
}

static int run_shape(const bench_shape *shape, const char *folder, const char *threads)
{
    char path[4096], output[4096];
    struct stat s;
    if (!bench_shape_provide(shape, folder, path, sizeof path) || stat(path, &s) != 0) {
        fprintf(stderr, "bench: cannot write to %s\n", folder);
        return 1;
    }
    snprintf(output, sizeof output, "%s/bench-release.csv", folder);
    printf("  %zu rows, %zu quasi-identifiers, %zu columns passed through, %.0f MB\n", shape->rows,
           shape->quasi, shape->passed, (double)s.st_size / 1e6);
    bench_command("cat '%s' >/dev/null", path); /* into the page cache */
    rival rivals[] = {
        {"cp", bench_command("cp '%s' '%s'", path, output).wall},
        {"sort|uniq -c", time_sort(shape, path, folder)},
        {"SQLite GROUP BY", bench_has_program("sqlite3") ? time_sqlite(shape, path, folder) : 0},
        {"DuckDB GROUP BY", bench_has_program("duckdb") ? time_duckdb(shape, path) : 0},
    };
    trip t = {.shape = shape, .path = path, .output = output, .threads = threads};
    double all = 0, cells = 0, megabytes = (double)s.st_size / 1e6;
    int status = run_method(&t, "mingen", NULL, megabytes, &all);
    print_rivals(rivals, sizeof rivals / sizeof rivals[0], all);
    bool cell = shape->quasi == 9 && shape->passed == 0 && shape->rows <= 3000000;
    if (status == 0 && cell)
        status = run_method(&t, "cell", "fast", megabytes, &cells);
    if (status == 0 && cell)
        status = run_method(&t, "cell", "balanced", megabytes, &cells);
    t.whole = true;
    if (status == 0 && cell)
        status = run_method(&t, "mingen", NULL, megabytes, &cells);
    return status;
}

int bench_road(const char *folder, bool everything, unsigned threads)
{
    static const size_t sizes[] = {30000, 300000, 3000000, 30000000};
    static const size_t quasi[] = {4, 9, 15}, passed[] = {0, 10};
    char number[16];
    int status = 0;
    snprintf(number, sizeof number, "%u", threads > 0 ? threads : 2);
    printf(
        "From file to file, k = 5, 5 %% suppressed, %s threads, wall time; a ratio is that of the\n"
        "whole road to what another takes for its part; sync is that of the written file\n",
        number);
    for (size_t r = 0; r < (everything ? 4 : 2); r++)
        for (size_t q = 0; q < 3; q++)
            for (size_t p = 0; p < 2; p++) {
                bench_shape shape = {sizes[r], quasi[q], passed[p]};
                /* The exact search on 15 columns takes a minute, and a copy per column disk. */
                bool too_much = (shape.rows > 300000 && shape.quasi > 9 && shape.passed > 0) ||
                                (shape.rows > 3000000 && (shape.quasi != 9 || shape.passed > 0));
                if (!too_much)
                    status |= run_shape(&shape, folder, number);
            }
    return status;
}
