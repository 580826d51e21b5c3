/* intake: what sources are made of. Rows that a source makes of values, for sources that are no
 * text: the source puts cell after cell; every so many rows they are handed on, in the first pass
 * to the coders of the wished columns, in the second as records. */
#ifndef MGL_IO_INTAKE_H
#define MGL_IO_INTAKE_H

#include "io/intake/header.h"
#include "io/intake/block_coding.h"
#include "io/intake/coder.h"
#include "io/intake/counted.h"
#include "io/intake/library.h"
#include "io/intake/regular_file.h"
#include "io/intake/source.h"

typedef struct mgl_intake mgl_intake;

/* Makes all rows of a source: mgl_intake_put for each cell. Its failures are what the pass
 * fails with. */
typedef mgl_status mgl_produce_fn(mgl_source *source, mgl_intake *intake, mgl_error *err);

/* First pass: the columns of the table get their codes. n_rows: how many are expected; 0: not
 * known. */
mgl_status mgl_intake_read(mgl_source *source, mgl_produce_fn *produce, mgl_table *table,
                           uint64_t n_rows, const mgl_progress *progress, mgl_error *err);

/* Second pass: the records, quoted as the dialect of the source wants it. */
mgl_status mgl_intake_each(mgl_source *source, mgl_produce_fn *produce, mgl_records_fn *visit,
                           void *context, mgl_error *err);

/* Is this column wanted in this pass? A cell of one that is not may be left empty. */
bool mgl_intake_wants(const mgl_intake *intake, size_t column);
/* Codes that a file declares to be missing have no value where they are counted, in both passes;
 * in columns that are only copied they stay. */
bool mgl_intake_hides_missing(const mgl_intake *intake, size_t column);

/* The next cell of the row, from left to right; after the last one the row is complete. A NUL
 * byte or what is not UTF-8 is refused, with the row and the column. */
mgl_status mgl_intake_put(mgl_intake *intake, mgl_span cell, mgl_error *err);

/* All rows of a private file (mgl_cells_put): for sources that take long to read, so that only the
 * first pass has to. */
mgl_status mgl_intake_put_spooled(mgl_intake *intake, int rows, mgl_error *err);

#endif
