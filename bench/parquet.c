/* Measures counting a Parquet file of 10 million rows, and what its engine takes for the same
 * groups. A subject of main.c. */
#include "bench.h"

#include "process.h"
#include "shape.h"

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
    mgl_column_request requested[COUNTED];
    mgl_source *source;
    mgl_table *table = NULL;
    double start = bench_cpu_seconds(), from = bench_seconds();
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    for (size_t c = 0; c < COUNTED; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    mgl_status status = mgl_source_count(source, requested, COUNTED, NULL, err, &table);
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

/* ---- From Parquet to Parquet ------------------------------------------------------------------
 */

typedef struct trip {
    const bench_shape *shape;
    unsigned times; /* that each row stands in the file: more rows, and no more groups */
    char path[4200], output[4200];
    mgl_error err;
} trip;

static int run_job(void *context, double *figures)
{
    trip *t = context;
    mgl_job *job;
    mgl_result *result;
    (void)figures;
    mgl_status status = bench_shape_job(t->shape, t->path, t->output, &t->err, &job);
    if (status == MGL_OK) {
        status = mgl_job_set(job, "method", "mingen", &t->err);
        if (status == MGL_OK)
            status = mgl_job_set(job, "threads", "2", &t->err);
        if (status == MGL_OK)
            status = mgl_job_set(job, "brief", "true", &t->err);
        if (status == MGL_OK)
            status = mgl_job_run(job, "anonymize", &t->err, &result);
        if (status == MGL_OK)
            mgl_result_free(result);
        mgl_job_free(job);
    }
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", t->err.message);
    return status != MGL_OK;
}

static int run_engine(const char *const *statements, mgl_error *err)
{
    mgl_duckdb db;
    uint64_t rows;
    mgl_duckdb_limits limits = {.threads = 2, .memory = (uint64_t)8 << 30};
    mgl_status status = mgl_duckdb_open(&db, NULL, "bench", &limits, err);
    for (; status == MGL_OK && *statements != NULL; statements++)
        status = fetch_all(&db, *statements, err, &rows);
    mgl_duckdb_close(&db);
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err->message);
    return status != MGL_OK;
}

/* GROUP BY, a join with the groups that is written, and GROUP BY of what was written. */
static int run_rival(void *context, double *figures)
{
    trip *t = context;
    char quasi[1024], group[6000], copy[12000], again[6000];
    (void)figures;
    bench_shape_names(t->shape, "\",\"", quasi, sizeof quasi);
    snprintf(group, sizeof group,
             "CREATE TEMP TABLE g AS SELECT \"%s\", count(*) AS n FROM '%s' GROUP BY ALL", quasi,
             t->path);
    snprintf(
        copy, sizeof copy,
        "COPY (SELECT s.* FROM '%s' s JOIN g USING (\"%s\") ORDER BY random()) TO '%s' (FORMAT "
        "parquet, COMPRESSION zstd)",
        t->path, quasi, t->output);
    snprintf(again, sizeof again, "SELECT \"%s\", count(*) FROM '%s' GROUP BY ALL", quasi,
             t->output);
    const char *const statements[] = {group, copy, again, NULL};
    return run_engine(statements, &t->err);
}

static bool make_parquet(const char *csv, trip *t)
{
    char statement[9000];
    snprintf(
        statement, sizeof statement,
        "COPY (SELECT t.* FROM range(%u), read_csv('%s', delim = ';') t) TO '%s' (FORMAT parquet)",
        t->times, csv, t->path);
    const char *const statements[] = {statement, NULL};
    return run_engine(statements, &t->err) == 0;
}

static int run_road(const bench_shape *shape, unsigned times, const char *folder)
{
    char csv[4096];
    trip t = {.shape = shape, .times = times};
    snprintf(t.path, sizeof t.path, "%s/bench-road.parquet", folder);
    snprintf(t.output, sizeof t.output, "%s/bench-release.parquet", folder);
    if (!bench_shape_provide(shape, folder, csv, sizeof csv) || !make_parquet(csv, &t))
        return 1;
    for (int i = 0; i < TIMES; i++) {
        bench_usage own = bench_child(run_job, &t, NULL, 0);
        bench_usage rival = bench_child(run_rival, &t, NULL, 0);
        if (own.failed || rival.failed)
            return 1;
        printf("  %zu rows, %zu passed through: %.2f s, %.2f s of processors, %.0f MB; GROUP BY, "
               "join and GROUP BY of DuckDB alone %.2f s, %.2f s, %.0f MB; ratio %.2f (%.2f)\n",
               shape->rows * times, shape->passed, own.wall, own.cpu, own.peak, rival.wall,
               rival.cpu, rival.peak, own.wall / rival.wall, own.cpu / rival.cpu);
    }
    remove(t.path);
    remove(t.output);
    return 0;
}

int bench_parquet_road(const char *folder, bool everything)
{
    static const struct {
        bench_shape shape;
        unsigned times;
    } roads[] = {{{3000000, 8, 0}, 1}, {{3000000, 8, 10}, 1}, {{3000000, 8, 0}, 10}};
    int failed = 0;
    printf("\nfrom Parquet to Parquet, 8 quasi-identifiers, mingen, two threads\n");
    for (size_t i = 0; i < (everything ? 3 : 2); i++)
        failed |= run_road(&roads[i].shape, roads[i].times, folder);
    return failed;
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
