/* Tables like a census, of any size, and jobs for them. */
#ifndef MGL_BENCH_SHAPE_H
#define MGL_BENCH_SHAPE_H

#include "mingle.h"

#include <stdbool.h>
#include <stddef.h>

/* The quasi-identifiers are the first columns, the columns that are passed through follow. */
typedef struct bench_shape {
    size_t rows, quasi, passed;
} bench_shape;

enum { BENCH_MOST_QUASI = 18 };

/* The table of a shape in folder, made unless it is there; the same every time. Rows are drawn from
 * Adult of ../shared, or from a table like it that is built in, as bench_draw_adult does it. From
 * the tenth on, quasi-identifiers repeat the first ones, half of the cells drawn anew. False if it
 * cannot be written. */
bool bench_shape_provide(const bench_shape *shape, const char *folder, char *path, size_t size);

/* k = 5 and 5 % suppressed. Free with mgl_job_free. */
mgl_status bench_shape_job(const bench_shape *shape, const char *path, const char *output,
                           mgl_error *err, mgl_job **out);

/* The data and its quasi-identifiers alone. */
mgl_status bench_shape_columns(const bench_shape *shape, const char *path, mgl_job *job,
                               mgl_error *err);

/* "a;b;c": the quasi-identifiers, with something between. */
void bench_shape_names(const bench_shape *shape, const char *between, char *out, size_t size);

#endif
