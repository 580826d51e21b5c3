/* Measures reading a CSV file into codes and counting its distinct tuples. A subject of main.c. */
#include "bench.h"

#include "../tests/support/adult.h"
#include "classes/classes.h"
#include "io/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 3000000, TIMES = 10 };

static double plain_read(const char *path)
{
    int fd = open(path, O_RDONLY);
    char *block = malloc(1 << 20);
    double start = bench_cpu_seconds();
    while (fd >= 0 && block != NULL && read(fd, block, 1 << 20) > 0)
        ;
    double seconds = bench_cpu_seconds() - start;
    free(block);
    close(fd);
    return seconds;
}

typedef struct figures {
    double read, count, both; /* processor seconds */
    size_t rows, tuples;
} figures;

static mgl_status count_table(const mgl_table *table, mgl_error *err, figures *out)
{
    size_t n = table->n_columns;
    mgl_bound_column *bound = calloc(n, sizeof *bound);
    mgl_hierarchy **hierarchies = calloc(n, sizeof *hierarchies);
    uint32_t **leaves = calloc(n, sizeof *leaves);
    mgl_status status = MGL_OK;
    for (size_t c = 0; status == MGL_OK && c < n; c++) {
        const mgl_column *column = &table->columns[c];
        leaves[c] = calloc(mgl_dictionary_size(column->dictionary), sizeof **leaves);
        status = mgl_hierarchy_make(NULL, column->name, column->dictionary, err, &hierarchies[c]);
        if (status == MGL_OK)
            status = mgl_hierarchy_bind(hierarchies[c], column->name, column->dictionary, err,
                                        leaves[c]);
        bound[c] = (mgl_bound_column){column, hierarchies[c], leaves[c]};
    }
    mgl_frequency_list *list = NULL;
    double start = bench_cpu_seconds();
    if (status == MGL_OK)
        status = mgl_frequency_list_new(
            &(mgl_count_request){.quasi = bound, .n_quasi = n, .n_rows = table->n_rows}, NULL, err,
            &list);
    out->count = bench_cpu_seconds() - start;
    out->tuples = list != NULL ? list->n_tuples : 0;
    mgl_frequency_list_free(list);
    for (size_t c = 0; c < n; c++) {
        mgl_hierarchy_free(hierarchies[c]);
        free(leaves[c]);
    }
    free(bound);
    free(hierarchies);
    free(leaves);
    return status;
}

static mgl_status read_once(const char *path, mgl_error *err, figures *out)
{
    mgl_source_options options = {0};
    mgl_source *source;
    double start = bench_cpu_seconds();
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    size_t n = mgl_source_columns(source);
    mgl_column_request *requested = calloc(n, sizeof *requested);
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    mgl_table *table = NULL;
    mgl_status status = mgl_source_read(source, requested, n, NULL, NULL, err, &table);
    out->read = bench_cpu_seconds() - start;
    if (status == MGL_OK) {
        out->rows = table->n_rows;
        status = count_table(table, err, out);
    }
    mgl_table_free(table);
    mgl_source_close(source);
    free(requested);
    return status;
}

/* Makes the table unless it is there from an earlier run. It gets its name when it is whole. */
static int provide_table(const char *path, bool from_adult)
{
    char unfinished[4096];
    struct stat s;
    if (stat(path, &s) == 0)
        return 0;
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    if ((from_adult ? bench_draw_adult : bench_make_table)(unfinished, ROWS) == 0)
        return rename(unfinished, path);
    unlink(unfinished);
    return -1;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void print_figures(const figures *best, double megabytes, double floor_seconds)
{
    printf("  file                 %.0f MB, %zu rows, 9 columns, %zu distinct tuples\n", megabytes,
           best->rows, best->tuples);
    printf("  CSV to codes         %6.0f ms  %5.2f GB/s\n", best->read * 1e3,
           megabytes / 1e3 / best->read);
    printf("  counting             %6.0f ms  %5.1f million rows/s\n", best->count * 1e3,
           (double)best->rows / 1e6 / best->count);
    printf("  both                 %6.0f ms  %5.2f GB/s\n", best->both * 1e3,
           megabytes / 1e3 / best->both);
    printf("  read(2) alone        %6.0f ms  ratio %.1f\n", floor_seconds * 1e3,
           best->both / floor_seconds);
    printf("  peak memory          %6.0f MB  (codes of 9 columns: %.0f MB)\n", bench_peak_memory(),
           (double)best->rows * 9 / 1e6);
}

int bench_read(const char *folder)
{
    char path[4000];
    struct stat s;
    bool from_adult = shared_folder() != NULL;
    snprintf(path, sizeof path, "%s/adult-3m%s.csv", folder, from_adult ? "-drawn" : "");
    if (provide_table(path, from_adult) != 0 || stat(path, &s) != 0) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return 1;
    }
    double floor_seconds = plain_read(path);
    figures best = {.read = 1e9, .count = 1e9, .both = 1e9};
    for (int i = 0; i < TIMES; i++) {
        figures now;
        mgl_error err;
        if (read_once(path, &err, &now) != MGL_OK) {
            fprintf(stderr, "bench: %s\n", err.message);
            return 1;
        }
        floor_seconds = least(floor_seconds, plain_read(path));
        best = (figures){.read = least(best.read, now.read),
                         .count = least(best.count, now.count),
                         .both = least(best.both, now.read + now.count),
                         .rows = now.rows,
                         .tuples = now.tuples};
    }
    printf("Reading and counting, one thread, processor time, best of %d; table %s\n", TIMES,
           from_adult ? "drawn from ../shared/data/adult" : "built in");
    print_figures(&best, (double)s.st_size / 1e6, floor_seconds);
    return 0;
}
