/* Reading a CSV file into codes and counting its distinct tuples. */
#include "bench.h"

#include "classes/classes.h"
#include "io/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 3000000, TIMES = 5 };

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
    double read, count; /* processor seconds */
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
        status = mgl_frequency_list_new(bound, n, NULL, 0, 0, table->n_rows, NULL, err, &list);
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
    mgl_column_wish *wishes = calloc(n, sizeof *wishes);
    for (size_t c = 0; c < n; c++)
        wishes[c] = (mgl_column_wish){c, MGL_ROLE_QUASI};
    mgl_table *table = NULL;
    mgl_status status = mgl_source_read(source, wishes, n, NULL, NULL, err, &table);
    out->read = bench_cpu_seconds() - start;
    if (status == MGL_OK) {
        out->rows = table->n_rows;
        status = count_table(table, err, out);
    }
    mgl_table_free(table);
    mgl_source_close(source);
    free(wishes);
    return status;
}

int bench_read(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/adult-3m.csv", folder);
    struct stat s;
    if (stat(path, &s) != 0 && (bench_make_table(path, ROWS) != 0 || stat(path, &s) != 0)) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return 1;
    }
    double megabytes = (double)s.st_size / 1e6, floor_seconds = plain_read(path);
    figures best = {.read = 1e9, .count = 1e9};
    for (int i = 0; i < TIMES; i++) {
        figures now;
        mgl_error err;
        if (read_once(path, &err, &now) != MGL_OK) {
            fprintf(stderr, "bench: %s\n", err.message);
            return 1;
        }
        double again = plain_read(path);
        floor_seconds = again < floor_seconds ? again : floor_seconds;
        now.read = now.read < best.read ? now.read : best.read;
        now.count = now.count < best.count ? now.count : best.count;
        best = now;
    }
    double both = best.read + best.count;
    printf("Reading and counting, one thread, processor time, best of %d\n", TIMES);
    printf("  file                 %.0f MB, %zu rows, 9 columns, %zu distinct tuples\n", megabytes,
           best.rows, best.tuples);
    printf("  CSV to codes         %6.0f ms  %5.2f GB/s\n", best.read * 1e3,
           megabytes / 1e3 / best.read);
    printf("  counting             %6.0f ms  %5.1f million rows/s\n", best.count * 1e3,
           (double)best.rows / 1e6 / best.count);
    printf("  both                 %6.0f ms  %5.2f GB/s\n", both * 1e3, megabytes / 1e3 / both);
    printf("  read(2) alone        %6.0f ms  ratio %.1f\n", floor_seconds * 1e3,
           both / floor_seconds);
    printf("  peak memory          %6.0f MB  (codes of 9 columns: %.0f MB)\n", bench_peak_memory(),
           (double)best.rows * 9 / 1e6);
    return 0;
}
