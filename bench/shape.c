/* Makes tables like a census, of any number of rows and columns, and jobs for them. road.c and
 * other subjects on files call it. */
#include "shape.h"

#include "bench.h"

#include "../tests/support/adult.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS = 9, SMALL_ROWS = 30162 };

static const char *const names[BENCH_MOST_QUASI] = {"sex",
                                                    "age",
                                                    "race",
                                                    "marital-status",
                                                    "education",
                                                    "native-country",
                                                    "workclass",
                                                    "occupation",
                                                    "salary-class",
                                                    "second-sex",
                                                    "second-age",
                                                    "second-race",
                                                    "second-married",
                                                    "second-education",
                                                    "second-country",
                                                    "second-work",
                                                    "second-job",
                                                    "second-salary"};

/* ---- The small table that rows are drawn from --------------------------------------------------
 */

static mgl_table *read_small(const char *path)
{
    mgl_source_options options = {0};
    mgl_source *source;
    mgl_table *table = NULL;
    mgl_column_request requested[COLUMNS];
    if (mgl_source_open(path, &options, NULL, &source) != MGL_OK)
        return NULL;
    for (size_t c = 0; c < COLUMNS; c++)
        requested[c] = (mgl_column_request){mgl_source_find(source, names[c]), MGL_ROLE_QUASI};
    mgl_source_read(source, requested, COLUMNS, NULL, NULL, NULL, &table);
    mgl_source_close(source);
    return table;
}

static mgl_table *small_table(const char *folder)
{
    char path[4096];
    if (shared_folder() != NULL) {
        snprintf(path, sizeof path, "%s/data/adult/adult.csv", shared_folder());
        return read_small(path);
    }
    snprintf(path, sizeof path, "%s/bench-small.csv", folder);
    mgl_table *table = bench_make_table(path, SMALL_ROWS) == 0 ? read_small(path) : NULL;
    unlink(path);
    return table;
}

/* ---- The large one ----------------------------------------------------------------------------
 */

static void write_quasi(const mgl_table *small, size_t row, size_t c, uint64_t *state, FILE *to)
{
    const mgl_column *column = &small->columns[c % COLUMNS];
    size_t of =
        bench_draw(state) % 100 < (c < COLUMNS ? 15 : 50) ? bench_draw(state) % small->n_rows : row;
    fputs(mgl_dictionary_value(column->dictionary, mgl_column_code(column, of)).data, to);
}

/* Amounts, few numbers, words. */
static void write_passed(size_t c, uint64_t *state, FILE *to)
{
    static const char *const words[] = {"none", "some treatment", "more than that", "unknown"};
    uint64_t x = bench_draw(state);
    if (c % 3 == 0)
        fprintf(to, "%u.%02u", (unsigned)(x % 9000), (unsigned)(x >> 32) % 100);
    else if (c % 3 == 1)
        fprintf(to, "%u", (unsigned)(x % 50));
    else
        fputs(words[x % 4], to);
}

static bool write_table(const bench_shape *shape, const mgl_table *small, FILE *to)
{
    uint64_t state = 42;
    size_t n = shape->quasi + shape->passed;
    for (size_t c = 0; c < n; c++) {
        if (c < shape->quasi)
            fputs(names[c], to);
        else
            fprintf(to, "x%zu", c - shape->quasi);
        fputc(c + 1 < n ? ';' : '\n', to);
    }
    for (size_t r = 0; r < shape->rows; r++) {
        size_t row = bench_draw(&state) % small->n_rows;
        for (size_t c = 0; c < n; c++) {
            if (c < shape->quasi)
                write_quasi(small, row, c, &state, to);
            else
                write_passed(c - shape->quasi, &state, to);
            fputc(c + 1 < n ? ';' : '\n', to);
        }
    }
    return ferror(to) == 0;
}

bool bench_shape_provide(const bench_shape *shape, const char *folder, char *path, size_t size)
{
    char unfinished[4200];
    struct stat s;
    snprintf(path, size, "%s/census-%zu-%zu-%zu%s.csv", folder, shape->rows, shape->quasi,
             shape->passed, shared_folder() != NULL ? "-drawn" : "");
    if (stat(path, &s) == 0)
        return true;
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    mgl_table *small = small_table(folder);
    FILE *file = small != NULL ? fopen(unfinished, "w") : NULL;
    bool written = file != NULL && write_table(shape, small, file);
    written = file != NULL && fclose(file) == 0 && written;
    mgl_table_free(small);
    if (!written)
        unlink(unfinished);
    return written && rename(unfinished, path) == 0;
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

void bench_shape_names(const bench_shape *shape, const char *between, char *out, size_t size)
{
    size_t at = 0;
    for (size_t c = 0; c < shape->quasi && at < size; c++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", c > 0 ? between : "", names[c]);
}

static mgl_status set_hierarchy(mgl_job *job, size_t c, mgl_error *err)
{
    char key[128], path[4096];
    snprintf(key, sizeof key, "attributes.%s.hierarchy", names[c]);
    if (c >= COLUMNS || shared_folder() == NULL) /* its values, and one for all of them */
        return mgl_job_set(job, key, "suppress", err);
    snprintf(path, sizeof path, "%s/data/adult/adult_hierarchy_%s.csv", shared_folder(), names[c]);
    return mgl_job_set(job, key, path, err);
}

mgl_status bench_shape_columns(const bench_shape *shape, const char *path, mgl_job *job,
                               mgl_error *err)
{
    char quasi[1024];
    bench_shape_names(shape, ",", quasi, sizeof quasi);
    MGL_TRY(mgl_job_set(job, "data", path, err));
    MGL_TRY(mgl_job_set(job, "qi", quasi, err));
    for (size_t c = 0; c < shape->quasi; c++)
        MGL_TRY(set_hierarchy(job, c, err));
    return MGL_OK;
}

static mgl_status fill_job(mgl_job *job, const bench_shape *shape, const char *path,
                           const char *output, mgl_error *err)
{
    MGL_TRY(bench_shape_columns(shape, path, job, err));
    MGL_TRY(mgl_job_set(job, "output", output, err));
    MGL_TRY(mgl_job_set(job, "rest", "insensitive", err));
    MGL_TRY(mgl_job_set(job, "allow-leaks", "true", err)); /* amounts single rows out */
    MGL_TRY(mgl_job_set(job, "k", "5", err));
    return mgl_job_set(job, "suppress", "5%", err);
}

mgl_status bench_shape_job(const bench_shape *shape, const char *path, const char *output,
                           mgl_error *err, mgl_job **out)
{
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = fill_job(job, shape, path, output, err);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}
