/* Measures the road through memory beside the road through files, and what further questions on a
 * session cost. A subject of main.c. */
#include "bench.h"

#include "arrow_source.h"
#include "process.h"
#include "shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 7 };

typedef struct trip {
    const bench_shape *shape;
    const char *path, *output, *threads;
    bench_arrow *table;
    mgl_error err;
} trip;

/* ---- Jobs ---------------------------------------------------------------------------------------
 */

static mgl_status make_job(trip *t, const char *data, const char *output, mgl_job **out)
{
    mgl_job *job = NULL;
    mgl_status status = bench_shape_job(t->shape, data, output, &t->err, &job);
    if (status == MGL_OK)
        status = mgl_job_set(job, "method", "mingen", &t->err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "threads", t->threads, &t->err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "brief", "true", &t->err);
    if (status == MGL_OK)
        *out = job;
    else
        mgl_job_free(job);
    return status;
}

static mgl_status give_table(trip *t, mgl_job *job)
{
    struct ArrowArrayStream stream;
    bench_arrow_stream(t->table, &stream);
    return mgl_job_give_stream(job, "census", &stream, &t->err);
}

static int complain(const trip *t, mgl_status status)
{
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", t->err.message);
    return status != MGL_OK;
}

/* ---- Two roads ----------------------------------------------------------------------------------
 */

enum { WALL, CPU, READ, SEARCH, WRITE, VERIFY, ROWS, FIGURES };

static void note(const mgl_result *result, double *figures)
{
    figures[READ] = mgl_result_number(result, "seconds.read");
    figures[SEARCH] = mgl_result_number(result, "seconds.search");
    figures[WRITE] = mgl_result_number(result, "seconds.write");
    figures[VERIFY] = mgl_result_number(result, "seconds.verify");
}

/* Reads a file to its end: who gets a release reads it. */
static void consume_file(const char *path)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "r");
    while (file != NULL && fread(bytes, 1, sizeof bytes, file) > 0)
        continue;
    if (file != NULL)
        fclose(file);
}

static int run_file(void *context, double *figures)
{
    trip *t = context;
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = make_job(t, t->path, t->output, &job);
    double start = bench_seconds(), busy = bench_cpu_seconds();
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &t->err, &result);
    if (status == MGL_OK) {
        consume_file(t->output);
        figures[WALL] = bench_seconds() - start;
        figures[CPU] = bench_cpu_seconds() - busy;
        note(result, figures);
        figures[ROWS] = mgl_result_number(result, "released_rows");
    }
    mgl_result_free(result);
    mgl_job_free(job);
    return complain(t, status);
}

/* From the stream that is given to the end of the one that is taken. */
static int run_memory(void *context, double *figures)
{
    trip *t = context;
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    struct ArrowArrayStream release;
    mgl_status status = make_job(t, "memory:census", "memory:release", &job);
    double start = bench_seconds(), busy = bench_cpu_seconds();
    if (status == MGL_OK)
        status = give_table(t, job);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &t->err, &result);
    if (status == MGL_OK)
        status = mgl_result_stream(result, "release", &t->err, &release);
    if (status == MGL_OK) {
        figures[ROWS] = (double)bench_arrow_consume(&release);
        figures[WALL] = bench_seconds() - start;
        figures[CPU] = bench_cpu_seconds() - busy;
        note(result, figures);
    }
    mgl_result_free(result);
    mgl_job_free(job);
    return complain(t, status);
}

static void print_road(const char *name, const double *f, double peak)
{
    printf("    %-8s all %6.3f s (%.3f of processors), read %.3f  search %.3f  write %.3f  "
           "verify %.3f  %.1f million rows/s  peak %.0f MB\n",
           name, f[WALL], f[CPU], f[READ], f[SEARCH], f[WRITE], f[VERIFY], f[ROWS] / 1e6 / f[WALL],
           peak);
}

/* The least of each figure so far. */
static bool run_once(bench_child_fn *fn, trip *t, bool first, double *best, double *peak)
{
    double f[FIGURES] = {0};
    bench_usage usage = bench_child(fn, t, f, FIGURES);
    unlink(t->output);
    for (int i = 0; i < FIGURES; i++)
        best[i] = first || f[i] < best[i] ? f[i] : best[i];
    *peak = usage.peak;
    return !usage.failed;
}

/* Several runs, each in a process of its own. The roads take turns: a machine that is slower for
 * some seconds is slower for both. */
static int compare_roads(trip *t)
{
    double file[FIGURES], memory[FIGURES], file_peak = 0, memory_peak = 0;
    bench_command("cat '%s' >/dev/null", t->path); /* into the page cache */
    for (int run = 0; run < RUNS; run++)
        if (!run_once(run_file, t, run == 0, file, &file_peak) ||
            !run_once(run_memory, t, run == 0, memory, &memory_peak))
            return 1;
    print_road("files", file, file_peak);
    print_road("memory", memory, memory_peak);
    printf(
        "    memory takes x %.2f of files (at most 0.50 wanted), x %.2f of their processor time\n",
        memory[WALL] / file[WALL], memory[CPU] / file[CPU]);
    return 0;
}

/* ---- Questions on a session ---------------------------------------------------------------------
 */

typedef struct asked {
    double wall, search, write, verify, precision;
} asked;

static mgl_status ask(trip *t, mgl_session *session, mgl_job *job, const char *k, asked *out)
{
    mgl_result *result = NULL;
    mgl_status status = mgl_job_set(job, "k", k, &t->err);
    double start = bench_seconds();
    if (status == MGL_OK)
        status = mgl_session_run(session, "anonymize", job, &t->err, &result);
    if (status == MGL_OK)
        *out = (asked){bench_seconds() - start, mgl_result_number(result, "seconds.search"),
                       mgl_result_number(result, "seconds.write"),
                       mgl_result_number(result, "seconds.verify"),
                       mgl_result_number(result, "utility.precision")};
    mgl_result_free(result);
    return status;
}

static mgl_status ask_all(trip *t, mgl_session *session, mgl_job *job)
{
    static const char *const ks[] = {"4", "2", "3", "5", "10", "20", "50"};
    asked a = {0};
    mgl_status status = mgl_job_set(job, "dry-run", "true", &t->err);
    for (int i = 0; i < 7 && status == MGL_OK; i++) {
        status = ask(t, session, job, ks[i], &a);
        if (status == MGL_OK)
            printf("    k = %-2s  %s  %8.2f ms, search %8.2f, beyond it %6.2f%s  precision %.4f\n",
                   ks[i], i == 0 ? "first question" : "further       ", 1e3 * a.wall,
                   1e3 * a.search, 1e3 * (a.wall - a.search), i == 0 ? "" : " (at most 10 wanted)",
                   a.precision);
    }
    if (status == MGL_OK)
        status = mgl_job_unset(job, "dry-run", &t->err);
    if (status == MGL_OK)
        status = ask(t, session, job, "5", &a);
    if (status == MGL_OK)
        printf("    with a release   %8.2f ms, search %8.2f; gather and guard %.2f, verify %.2f\n",
               1e3 * a.wall, 1e3 * a.search, 1e3 * a.write, 1e3 * a.verify);
    return status;
}

static int run_session(void *context, double *figures)
{
    trip *t = context;
    mgl_job *job = NULL;
    mgl_session *session = NULL;
    (void)figures;
    mgl_status status = make_job(t, "memory:census", "memory:release", &job);
    if (status == MGL_OK)
        status = give_table(t, job);
    double start = bench_seconds();
    if (status == MGL_OK)
        status = mgl_session_open(job, NULL, &t->err, &session);
    if (status == MGL_OK)
        printf("    open              %8.2f ms\n", 1e3 * (bench_seconds() - start));
    if (status == MGL_OK)
        status = ask_all(t, session, job);
    mgl_session_close(session);
    mgl_job_free(job);
    fflush(stdout);
    return complain(t, status);
}

/* ---- The subject --------------------------------------------------------------------------------
 */

static int run_shape(size_t rows, const char *folder, const char *threads)
{
    char path[4096], output[4096];
    bench_shape shape = {rows, 9, 0};
    trip t = {.shape = &shape, .path = path, .output = output, .threads = threads};
    snprintf(output, sizeof output, "%s/bench-release.csv", folder);
    if (!bench_shape_provide(&shape, folder, path, sizeof path) ||
        (t.table = bench_arrow_make(&shape, path)) == NULL) {
        fprintf(stderr, "bench: cannot make a table in %s\n", folder);
        return 1;
    }
    printf("  %zu rows, 9 dictionary columns\n", rows);
    fflush(stdout);
    int status = compare_roads(&t);
    fflush(stdout);
    if (status == 0)
        status = bench_child(run_session, &t, NULL, 0).failed;
    bench_arrow_free(t.table);
    return status;
}

int bench_memory(const char *folder, unsigned threads)
{
    char number[16];
    snprintf(number, sizeof number, "%u", threads > 0 ? threads : 2);
    printf(
        "Through memory beside through files, and a session on the same table: mingen, k = 5, 5 %% "
        "suppressed,\n%s threads, wall time, rows in random order, verified, read to the end\n",
        number);
    return run_shape(30162, folder, number) | run_shape(3000000, folder, number);
}
