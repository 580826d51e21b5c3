/* A table of 300,000 rows and 9 columns from text to a workbook and back, beside from text to text:
 * each is read, written and verified. A subject of main.c. */
#include "bench.h"

#include <stdio.h>

enum { ROWS = 300000 };

/* One column is released as it is, the others are passed through. */
static const char *const keys[][2] = {
    {"threads", "1"},  {"attributes.sex.role", "quasi"}, {"attributes.sex.hierarchy", "suppress"},
    {"k", "1"},        {"rest", "insensitive"},          {"keep-order", "true"},
    {"brief", "true"}, {"allow-leaks", "true"},
};

static mgl_status run_job(const char *from, const char *to, mgl_error *err)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    if (status != MGL_OK)
        return status;
    status = mgl_job_set(job, "data", from, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "output", to, err);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && status == MGL_OK; i++)
        status = mgl_job_set(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK)
        status = mgl_run(job, err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

static mgl_status time_job(const char *from, const char *to, mgl_error *err, double *seconds)
{
    double start = bench_cpu_seconds();
    mgl_status status = run_job(from, to, err);
    *seconds = bench_cpu_seconds() - start;
    return status;
}

int bench_workbook(const char *folder)
{
    mgl_error err;
    char paths[3][512];
    double plain = 0, write = 0, read = 0;
    static const char *const endings[] = {"csv", "xlsx", "copy.csv"};
    for (size_t i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%.400s/bench-workbook.%s", folder, endings[i]);
    if (bench_make_table(paths[0], ROWS) != 0)
        return 1;
    printf("workbook, %d rows, 9 columns, processor time\n", ROWS);
    mgl_status status = time_job(paths[0], paths[2], &err, &plain);
    if (status == MGL_OK)
        status = time_job(paths[0], paths[1], &err, &write);
    if (status == MGL_OK)
        status = time_job(paths[1], paths[2], &err, &read);
    if (status == MGL_OK)
        printf("  text to text %.2f s  to a workbook %.2f s (ratio %.1f)  from a workbook %.2f s "
               "(ratio %.1f)\n",
               plain, write, write / plain, read, read / plain);
    else
        fprintf(stderr, "bench: %s\n", err.message);
    for (size_t i = 0; i < 3; i++)
        remove(paths[i]);
    return status != MGL_OK;
}
