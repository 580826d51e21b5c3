/* The benchmarks, one function each. Figures are printed as they are and as ratios to
 * something else that was measured in the same run. */
#ifndef MGL_BENCH_H
#define MGL_BENCH_H

#include "mingle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both write a table of 9 columns (';', header) with rows rows; the same table every time.
 * Rows are copies of the rows of a smaller table, each cell drawn anew from its column with
 * probability 0.15: correlated as real tables are, and with as many distinct tuples.
 * bench_draw_adult copies Adult of ../shared, bench_make_table a table of its shape that is
 * built in. 0 if it went well. */
int bench_draw_adult(const char *path, size_t rows);
int bench_make_table(const char *path, size_t rows);

/* Many correlated columns (',', header), the same every time, and a job that reads them, each with
 * two to five levels. The job is freed with mgl_job_free. */
int bench_make_wide(const char *path, size_t rows, size_t columns);
mgl_status bench_wide_job(const char *path, size_t columns, mgl_error *err, mgl_job **out);

/* The next random number (splitmix64). */
static inline uint64_t bench_draw(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Seconds of processor time of this process so far, and of the clock. */
double bench_cpu_seconds(void);
double bench_seconds(void);
/* Largest memory of this process so far, in MB. */
double bench_peak_memory(void);

/* From file to file: tables of 30 and 300 thousand rows in folder; everything: of 3 and 30 million,
 * too. Two threads unless told. */
int bench_road(const char *folder, bool everything, unsigned threads);

/* From file to file with 1, 2, 4, 8 and 16 threads, on tables of 300 thousand rows in folder, with
 * and without columns that are passed through; everything: of 3 million. */
int bench_threads(const char *folder, bool everything);
/* On the same tables: what each stage does outside parallel sections, and how long it would take on
 * so many cores. */
int bench_sections(const char *folder, bool everything);

/* From an Arrow table to a release in memory beside from file to file, and questions on a session:
 * as many rows as Adult has, and 3 million, in folder. Two threads unless told. */
int bench_memory(const char *folder, unsigned threads);

/* risk --suda, attack and the leak guard on tables of up to a million rows in folder. */
int bench_risks(const char *folder);

/* Reading and counting a 3-million-row table in folder. */
int bench_read(const char *folder);

/* Models, measures and earlier releases beside k = 5 by the same method, on Adult or a table of its
 * shape in folder. */
int bench_cliffs(const char *folder);

/* The exact search on Adult. everything: the plain sweep for every k and limit (minutes), not
 * only for k = 5 and 5 %. */
int bench_search(bool everything, unsigned threads);
/* The cell level on Adult; threads 0: on all cores. everything: with --effort best (minutes), too.
 */
int bench_cell(bool everything, unsigned threads);
/* mu-Argus on a table of 100,000 rows and 10 columns in folder, on one thread unless told. */
int bench_argus(const char *folder, unsigned threads);
/* Local suppression on sdcMicro's survey and on tables of a million rows in folder. */
int bench_local(const char *folder);
/* k-member clustering on Adult. */
int bench_k_member(void);
/* Incognito on Adult. */
int bench_incognito(void);
/* Top-down on Adult and on 30 columns, in a table in folder. everything: with --effort best, too.
 */
int bench_top_down(const char *folder, bool everything);
/* 15 and 30 quasi-identifiers, 300,000 rows in folder. everything: 3 million, too (minutes). */
int bench_columns(const char *folder, bool everything, unsigned threads);
/* What check does with a table of a million rows in folder. */
int bench_check(const char *folder);
/* Counting a Parquet file of 10 million rows, made in folder, and the engine's own GROUP BY. */
int bench_parquet(const char *folder);
/* From Parquet to Parquet beside what its engine takes for the same groups, join and file: 3
 * million rows made in folder, without and with 10 columns that are passed through; everything: 30
 * million, too. */
int bench_parquet_road(const char *folder, bool everything);
/* From text to a workbook of Excel and back, made in folder, beside from text to text. */
int bench_workbook(const char *folder);
/* Mondrian on tables of a million rows in folder, on all cores. */
int bench_mondrian(const char *folder);

/* Microaggregation of tables that are made in folder. everything: large ones, too (a minute). */
int bench_microaggregate(const char *folder, bool everything);
/* Writes the rows of a table with a column `person` before the others: of so many persons, whose
 * rows lie far apart. False if it cannot be written. */
bool bench_add_persons(const char *rows, unsigned n_persons, const char *path);
/* Persons with several rows at the cell level, in Adult; everything: by several methods, in a table
 * of 3 million rows in folder. Other methods on Adult: bench_cliffs. */
int bench_persons(const char *folder, bool everything);
/* Sets of items beside the same rows without them, in a table in folder: of 50,000 baskets;
 * everything: of 500,000. */
int bench_items(const char *folder, bool everything);
/* Every method with every model, measure and treatment, on a small table made in folder. */
int bench_matrix(const char *folder);
/* Searches with models on sensitive values; shared is the folder ../shared. */
int bench_models(const char *shared);

#endif
