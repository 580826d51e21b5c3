/* A table of 300,000 rows and 9 columns from text to a workbook, JSON lines and Arrow files and
 * back, beside from text to text: each is read, written and verified. A subject of main.c. */
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
        status = mgl_job_run(job, "anonymize", err, &result);
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

/* Into a format and back, beside what text to text took. */
static mgl_status time_format(const char *folder, const char *ending, const char *text,
                              double plain, mgl_error *err)
{
    char packed[512], copy[512];
    double write = 0, read = 0;
    snprintf(packed, sizeof packed, "%.400s/bench-workbook.%s", folder, ending);
    snprintf(copy, sizeof copy, "%.400s/bench-workbook-copy.csv", folder);
    mgl_status status = time_job(text, packed, err, &write);
    if (status == MGL_OK)
        status = time_job(packed, copy, err, &read);
    if (status == MGL_OK)
        printf("  to .%s %.2f s (ratio %.1f)  from .%s %.2f s (ratio %.1f)\n", ending, write,
               write / plain, ending, read, read / plain);
    remove(packed);
    remove(copy);
    return status;
}

int bench_workbook(const char *folder)
{
    static const char *const endings[] = {"xlsx", "jsonl", "feather", "arrows"};
    mgl_error err;
    char text[512], copy[512];
    double plain = 0;
    snprintf(text, sizeof text, "%.400s/bench-workbook.csv", folder);
    snprintf(copy, sizeof copy, "%.400s/bench-workbook-copy.csv", folder);
    if (bench_make_table(text, ROWS) != 0)
        return 1;
    mgl_status status = time_job(text, copy, &err, &plain);
    if (status == MGL_OK)
        printf("workbook, %d rows, 9 columns, processor time\n  text to text %.2f s\n", ROWS,
               plain);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && status == MGL_OK; i++)
        status = time_format(folder, endings[i], text, plain, &err);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    remove(text);
    remove(copy);
    return status != MGL_OK;
}
