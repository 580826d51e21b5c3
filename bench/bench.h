/* The benchmarks, one function each. Figures are printed as they are and as ratios to
 * something else that was measured in the same run. */
#ifndef MGL_BENCH_H
#define MGL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a table of the shape of Adult (9 columns, ';', header) with rows rows; the same
 * table every time. 0 if it went well. */
int bench_make_table(const char *path, size_t rows);

/* Seconds of processor time of this process so far, and of the clock. */
double bench_cpu_seconds(void);
double bench_seconds(void);
/* Largest memory of this process so far, in MB. */
double bench_peak_memory(void);

/* Reading and counting a 3-million-row table in folder. */
int bench_read(const char *folder);

/* The exact search on Adult. everything: the plain sweep for every k and limit (minutes), not
 * only for k = 5 and 5 %. */
int bench_search(bool everything, unsigned threads);
/* Searches with models on sensitive values; shared is the folder ../shared. */
int bench_models(const char *shared);

#endif
