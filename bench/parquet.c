/* Measures counting a Parquet file of 10 million rows, and what its engine takes for the same
 * groups. A subject of main.c. */
#include "bench.h"

#include "io/duckdb/duckdb.h"
#include "io/io.h"

#include <stdio.h>

enum { TIMES = 3, ROWS = 10000000, COUNTED = 6 };

/* Small values are more frequent; the last two columns are not counted. */
static const char make[] =
    "COPY (SELECT CAST(17 + 74 * x(i, 1) AS INTEGER) AS age, "
    "CAST(2 * x(i, 2) AS INTEGER) AS sex, 'race ' || CAST(5 * x(i, 3) AS INTEGER) AS race, "
    "'education ' || CAST(16 * x(i, 4) AS INTEGER) AS education, "
    "'country ' || CAST(20 * x(i, 5) AS INTEGER) AS country, "
    "'disease ' || CAST(10 * x(i, 6) AS INTEGER) AS disease, "
    "mod(hash(i), 100000) AS income, 'note ' || hash(i) AS note FROM range(10000000) t(i)) TO '%s' "
    "(FORMAT parquet)";
static const char skew[] = "CREATE MACRO x(i, c) AS (mod(hash(i * 7 + c), 10000) / 10000.0) ** 2";
static const char group[] = "SELECT age, sex, race, education, country, disease, count(*) FROM "
                            "'%s' GROUP BY ALL";

static mgl_status fetch_all(mgl_duckdb *db, const char *statement, mgl_error *err, uint64_t *rows)
{
    *rows = 0;
    MGL_TRY(mgl_duckdb_run_text(db, statement, err));
    do {
        MGL_TRY(mgl_duckdb_fetch(db, err));
        *rows += db->chunk_size;
    } while (db->chunk_size > 0);
    return MGL_OK;
}

/* Both from opening on, and both with the threads that the engine takes. */
static mgl_status time_engine(const char *statement, mgl_error *err, double *cpu, double *wall,
                              uint64_t *groups)
{
    mgl_duckdb db;
    double start = bench_cpu_seconds(), from = bench_seconds();
    mgl_status status = mgl_duckdb_open(&db, NULL, "bench", NULL, err);
    if (status == MGL_OK)
        status = fetch_all(&db, statement, err, groups);
    mgl_duckdb_close(&db);
    *cpu = bench_cpu_seconds() - start;
    *wall = bench_seconds() - from;
    return status;
}

static mgl_status time_count(const char *path, mgl_error *err, double *cpu, double *wall,
                             uint64_t *groups)
{
    mgl_source_options options = {.no_value = {"", 0}};
    mgl_column_wish wishes[COUNTED];
    mgl_source *source;
    mgl_table *table = NULL;
    double start = bench_cpu_seconds(), from = bench_seconds();
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    for (size_t c = 0; c < COUNTED; c++)
        wishes[c] = (mgl_column_wish){c, MGL_ROLE_QUASI};
    mgl_status status = mgl_source_count(source, wishes, COUNTED, NULL, err, &table);
    *groups = table != NULL ? table->n_rows : 0;
    mgl_table_free(table);
    mgl_source_close(source);
    *cpu = bench_cpu_seconds() - start;
    *wall = bench_seconds() - from;
    return status;
}

static mgl_status run(const char *path, mgl_error *err)
{
    char statement[1024];
    mgl_duckdb db;
    uint64_t rows, groups[2] = {0};
    double cpu[2] = {0}, wall[2] = {0}, best_cpu[2] = {1e9, 1e9}, best_wall[2] = {1e9, 1e9};
    mgl_status status = mgl_duckdb_open(&db, NULL, "bench", NULL, err);
    if (status == MGL_OK)
        status = fetch_all(&db, skew, err, &rows);
    snprintf(statement, sizeof statement, make, path);
    if (status == MGL_OK)
        status = fetch_all(&db, statement, err, &rows);
    mgl_duckdb_close(&db);
    snprintf(statement, sizeof statement, group, path);
    for (int i = 0; i < TIMES && status == MGL_OK; i++) {
        status = time_engine(statement, err, &cpu[0], &wall[0], &groups[0]);
        if (status == MGL_OK)
            status = time_count(path, err, &cpu[1], &wall[1], &groups[1]);
        for (size_t j = 0; j < 2; j++) {
            best_cpu[j] = cpu[j] < best_cpu[j] ? cpu[j] : best_cpu[j];
            best_wall[j] = wall[j] < best_wall[j] ? wall[j] : best_wall[j];
        }
    }
    if (status == MGL_OK)
        printf("  %llu groups  GROUP BY %.0f ms (processor %.0f ms)  count %.0f ms (%.0f ms)  "
               "ratio %.2f (%.2f)\n",
               (unsigned long long)groups[1], best_wall[0] * 1e3, best_cpu[0] * 1e3,
               best_wall[1] * 1e3, best_cpu[1] * 1e3, best_wall[1] / best_wall[0],
               best_cpu[1] / best_cpu[0]);
    return status;
}

int bench_parquet(const char *folder)
{
    mgl_error err;
    char path[512];
    snprintf(path, sizeof path, "%.400s/bench-count.parquet", folder);
    printf("parquet, %d rows, %d of 8 columns counted, best of %d\n", ROWS, COUNTED, TIMES);
    mgl_status status = run(path, &err);
    remove(path);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err.message);
    return status != MGL_OK;
}
