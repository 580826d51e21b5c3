/* Measures the road from file to file with more and more threads, and how much of each stage is
 * outside parallel sections. A subject of main.c. */
#include "bench.h"

#include "process.h"
#include "sections.h"
#include "shape.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 3 };

typedef struct trip {
    const bench_shape *shape;
    const char *path, *output;
    unsigned threads;
    mgl_error err;
} trip;

static mgl_status make_job(trip *t, mgl_job **out)
{
    char number[16];
    mgl_job *job = NULL;
    snprintf(number, sizeof number, "%u", t->threads);
    mgl_status status = bench_shape_job(t->shape, t->path, t->output, &t->err, &job);
    if (status == MGL_OK)
        status = mgl_job_set(job, "method", "mingen", &t->err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "threads", number, &t->err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "brief", "true", &t->err);
    if (status == MGL_OK)
        *out = job;
    else
        mgl_job_free(job);
    return status;
}

static mgl_status travel(trip *t, double *seconds)
{
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = make_job(t, &job);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &t->err, &result);
    if (status == MGL_OK)
        *seconds = mgl_result_number(result, "seconds.total");
    else
        fprintf(stderr, "bench: %s\n", t->err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

/* ---- More and more threads ----------------------------------------------------------------------
 */

static int run_trip(void *context, double *seconds)
{
    return travel(context, seconds) != MGL_OK;
}

/* Runs with different numbers of threads take turns, so that what else the machine does is not
 * counted against one of them. */
static bool measure(trip *t, bench_usage best[BENCH_CROWDS])
{
    for (int run = 0; run < RUNS; run++)
        for (size_t i = 0; i < BENCH_CROWDS; i++) {
            double seconds = 0;
            t->threads = bench_crowds[i];
            bench_usage usage = bench_child(run_trip, t, &seconds, 1);
            unlink(t->output);
            if (usage.failed)
                return false;
            usage.wall = seconds; /* without the sync */
            if (run == 0 || usage.wall < best[i].wall)
                best[i] = usage;
        }
    return true;
}

static void print_usage(const bench_usage *best)
{
    printf("    threads   wall s  ratio   user s  system s  ratio   faults  switches  peak MB\n");
    for (size_t i = 0; i < BENCH_CROWDS; i++)
        printf("    %7u  %7.3f  %5.2f  %7.3f  %8.3f  %5.2f  %7.0f  %8.0f  %7.0f\n", bench_crowds[i],
               best[i].wall, best[i].wall / best[0].wall, best[i].user, best[i].system,
               best[i].cpu / best[0].cpu, best[i].faults, best[i].switches, best[i].peak);
}

/* ---- Inside and outside parallel sections -------------------------------------------------------
 */

static int run_sections(void *context, double *figures)
{
    double seconds;
    bench_section sections[BENCH_STAGES];
    bench_sections_begin();
    mgl_status status = travel(context, &seconds);
    bench_sections_end(sections);
    memcpy(figures, sections, sizeof sections);
    return status != MGL_OK;
}

static void print_section(const char *name, const bench_section *s)
{
    double all = s->serial + s->items;
    printf("    %-7s %8.1f  %8.1f  %5.1f %%  %8.1f  %6.0f ", name, 1e3 * all, 1e3 * s->serial,
           all > 0 ? 100 * s->serial / all : 0, 1e3 * s->in_turn, s->rounds);
    for (size_t i = 0; i < BENCH_CROWDS; i++)
        printf("  %7.1f", 1e3 * s->wall[i]);
    printf("\n");
}

static void print_sections(const bench_section *sections)
{
    bench_section sum = {0};
    printf(
        "    stage         ms    serial  share     in turn  rounds   modelled ms with 1, 2, 4, 8, "
        "16 cores\n");
    for (size_t s = 0; s < BENCH_STAGES; s++) {
        const bench_section *x = &sections[s];
        print_section(bench_stage_names[s], x);
        sum.serial += x->serial;
        sum.items += x->items;
        sum.in_turn += x->in_turn;
        sum.rounds += x->rounds;
        for (size_t i = 0; i < BENCH_CROWDS; i++)
            sum.wall[i] += x->wall[i];
    }
    print_section("all", &sum);
}

/* ---- The subjects -------------------------------------------------------------------------------
 */

typedef int shape_fn(trip *t);

static int show_usage(trip *t)
{
    bench_usage best[BENCH_CROWDS];
    if (!measure(t, best))
        return 1;
    print_usage(best);
    return 0;
}

static int show_sections(trip *t)
{
    bench_section sections[BENCH_STAGES];
    enum { FIGURES = BENCH_STAGES * (sizeof(bench_section) / sizeof(double)) };
    t->threads = bench_crowds[BENCH_CROWDS - 1];
    bench_usage usage = bench_child(run_sections, t, (double *)sections, FIGURES);
    unlink(t->output);
    if (usage.failed)
        return 1;
    print_sections(sections);
    return 0;
}

static int run_shape(size_t rows, size_t passed, const char *folder, shape_fn *show)
{
    char path[4096], output[4096];
    bench_shape shape = {rows, 9, passed};
    trip t = {.shape = &shape, .path = path, .output = output};
    snprintf(output, sizeof output, "%s/bench-threads.csv", folder);
    if (!bench_shape_provide(&shape, folder, path, sizeof path)) {
        fprintf(stderr, "bench: cannot write to %s\n", folder);
        return 1;
    }
    printf("  %zu rows, 9 quasi-identifiers, %zu columns passed through\n", rows, passed);
    bench_command("cat '%s' >/dev/null", path); /* into the page cache */
    return show(&t);
}

static int run_shapes(const char *folder, bool everything, shape_fn *show)
{
    int status = run_shape(300000, 0, folder, show) | run_shape(300000, 10, folder, show);
    if (everything)
        status |= run_shape(3000000, 0, folder, show) | run_shape(3000000, 10, folder, show);
    return status;
}

int bench_threads(const char *folder, bool everything)
{
    printf("From file to file with more and more threads on %ld cores, mingen, k = 5, 5 %% "
           "suppressed, best of %d;\nratios are those to one thread\n",
           sysconf(_SC_NPROCESSORS_ONLN), RUNS);
    return run_shapes(folder, everything, show_usage);
}

int bench_sections(const char *folder, bool everything)
{
    printf("From file to file, mingen, k = 5, 5 %% suppressed: processor time of one thread that "
           "does the items\nof 16, outside parallel sections (serial) and inside; what is written "
           "in turn\n");
    return run_shapes(folder, everything, show_sections);
}
