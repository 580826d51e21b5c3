/* Makes a table of many correlated columns, and the job for it. top_down.c calls it. */
#include "bench.h"

#include <stdio.h>

enum { FACTORS = 3, VALUES = 3 };
static const unsigned values_of[VALUES] = {3, 10, 40};
static const char *const hierarchy_of[VALUES] = {NULL, "intervals(5)", "intervals(5,10,20)"};

/* Roughly normal, from -6 to 6. */
static double draw_normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(bench_draw(state) >> 11) * 0x1p-53;
    return sum;
}

/* Each cell is mostly one of three numbers of its row, or the difference of two, cut into values
 * of which the lower ones are more frequent. */
static unsigned draw_cell(uint64_t *state, const double *factors, size_t column)
{
    double first = factors[column % FACTORS], second = factors[(column + 1) % FACTORS];
    double x = column / FACTORS % 2 == 0 ? first : (first - second) * 0.7;
    x = 0.9 * x + 0.44 * draw_normal(state);
    double share = 0.5 + x / 5;
    share = share < 0 ? 0 : share > 0.999 ? 0.999 : share;
    return (unsigned)(share * share * values_of[column / 2 % VALUES]);
}

int bench_make_wide(const char *path, size_t rows, size_t columns)
{
    FILE *file = fopen(path, "w");
    uint64_t state = 30;
    if (file == NULL)
        return -1;
    for (size_t c = 0; c < columns; c++)
        fprintf(file, "%sc%zu", c > 0 ? "," : "", c);
    for (size_t r = 0; r < rows; r++) {
        double factors[FACTORS];
        for (size_t f = 0; f < FACTORS; f++)
            factors[f] = draw_normal(&state);
        for (size_t c = 0; c < columns; c++)
            fprintf(file, "%s%u", c > 0 ? "," : "\n", draw_cell(&state, factors, c));
    }
    fputc('\n', file);
    int failed = ferror(file);
    return fclose(file) != 0 || failed ? -1 : 0;
}

mgl_status bench_wide_job(const char *path, size_t columns, mgl_error *err, mgl_job **out)
{
    mgl_job *job;
    char key[64];
    if (mgl_job_new(err, &job) != MGL_OK)
        return err->status;
    mgl_status status = mgl_job_set(job, "data", path, err);
    for (size_t c = 0; c < columns && status == MGL_OK; c++) {
        const char *hierarchy = hierarchy_of[c / 2 % VALUES];
        snprintf(key, sizeof key, "attributes.c%zu.role", c);
        status = mgl_job_set(job, key, "quasi", err);
        snprintf(key, sizeof key, "attributes.c%zu.hierarchy", c);
        if (status == MGL_OK && hierarchy != NULL)
            status = mgl_job_set(job, key, hierarchy, err);
    }
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}
