/* Measures tables of many quasi-identifiers, from file to file: 15 columns with the exact search,
 * 30 columns with top-down; time by stages and the most memory. A subject of main.c. */
#include "bench.h"

#include "process.h"
#include "shape.h"

#include "findings/findings.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEARCH, ALL, FIGURES };
enum { QUASI = 15, WIDE = 30 };

typedef struct wide_case {
    const char *path, *output, *method, *threads;
    size_t rows, columns;
    mgl_error err;
} wide_case;

static mgl_status make_job(wide_case *c, mgl_job **out)
{
    bench_shape shape = {c->rows, QUASI, 0};
    if (c->columns == QUASI)
        return bench_shape_job(&shape, c->path, c->output, &c->err, out);
    MGL_TRY(bench_wide_job(c->path, c->columns, &c->err, out));
    MGL_TRY(mgl_job_set(*out, "output", c->output, &c->err));
    MGL_TRY(mgl_job_set(*out, "effort", "fast", &c->err));
    MGL_TRY(mgl_job_set(*out, "k", "5", &c->err));
    return mgl_job_set(*out, "suppress", "5%", &c->err);
}

static mgl_status run_job(wide_case *c, mgl_job *job, double *figures)
{
    mgl_result *result;
    MGL_TRY(mgl_job_set(job, "method", c->method, &c->err));
    MGL_TRY(mgl_job_set(job, "threads", c->threads, &c->err));
    MGL_TRY(mgl_job_set(job, "brief", "true", &c->err));
    MGL_TRY(mgl_job_run(job, "anonymize", &c->err, &result));
    const json_t *seconds = json_object_get(result->document, "seconds");
    figures[SEARCH] = json_number_value(json_object_get(seconds, "search"));
    figures[ALL] = json_number_value(json_object_get(seconds, "total"));
    mgl_result_free(result);
    return MGL_OK;
}

static int run_child(void *context, double *figures)
{
    wide_case *c = context;
    mgl_job *job = NULL;
    mgl_status status = make_job(c, &job);
    if (status == MGL_OK)
        status = run_job(c, job, figures);
    mgl_job_free(job);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", c->err.message);
    return status != MGL_OK;
}

static bool provide(const wide_case *c, const char *folder, char *path, size_t size)
{
    struct stat s;
    bench_shape shape = {c->rows, c->columns, 0};
    if (c->columns == QUASI)
        return bench_shape_provide(&shape, folder, path, size);
    snprintf(path, size, "%s/wide-%zu-%zu.csv", folder, c->rows, c->columns);
    return stat(path, &s) == 0 || bench_make_wide(path, c->rows, c->columns) == 0;
}

static int run_case(wide_case *c, const char *folder)
{
    char path[4096], output[4096];
    double figures[FIGURES] = {0};
    if (!provide(c, folder, path, sizeof path)) {
        fprintf(stderr, "bench: cannot write to %s\n", folder);
        return 1;
    }
    snprintf(output, sizeof output, "%s/bench-release.csv", folder);
    c->path = path;
    c->output = output;
    bench_command("cat '%s' >/dev/null", path); /* into the page cache */
    bench_usage usage = bench_child(run_child, c, figures, FIGURES);
    unlink(output);
    if (usage.failed)
        return 1;
    printf("  %8zu rows  %2zu columns  %-8s  search %6.2f  all %6.2f s  (%6.2f of processors)  "
           "peak %5.0f MB\n",
           c->rows, c->columns, c->method, figures[SEARCH], figures[ALL], usage.cpu, usage.peak);
    return 0;
}

int bench_columns(const char *folder, bool everything, unsigned threads)
{
    static const size_t sizes[] = {300000, 3000000};
    char number[16];
    int status = 0;
    snprintf(number, sizeof number, "%u", threads > 0 ? threads : 2);
    printf("Many quasi-identifiers, from file to file, k = 5, 5 %% suppressed, %s threads\n",
           number);
    for (size_t i = 0; i < (everything ? 2 : 1); i++) {
        wide_case exact = {
            .method = "mingen", .threads = number, .rows = sizes[i], .columns = QUASI};
        wide_case wide = {
            .method = "top-down", .threads = number, .rows = sizes[i], .columns = WIDE};
        status |= run_case(&exact, folder);
        status |= run_case(&wide, folder);
    }
    return status;
}
