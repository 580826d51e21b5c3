/* A table of a shape as an Arrow table in memory. */
#ifndef MGL_BENCH_ARROW_SOURCE_H
#define MGL_BENCH_ARROW_SOURCE_H

#include "shape.h"

typedef struct bench_arrow bench_arrow;

/* The file of the shape, which bench_shape_provide told: each quasi-identifier is a column of
 * dictionary-encoded texts, in batches as programs make them. NULL if it cannot be read. Free with
 * bench_arrow_free. */
bench_arrow *bench_arrow_make(const bench_shape *shape, const char *path);
void bench_arrow_free(bench_arrow *table);

/* A stream of the table, which must outlive it. Nothing is copied. */
void bench_arrow_stream(bench_arrow *table, struct ArrowArrayStream *out);

/* Reads a stream to its end, every byte of it, and releases it: the number of rows. */
uint64_t bench_arrow_consume(struct ArrowArrayStream *stream);

#endif
