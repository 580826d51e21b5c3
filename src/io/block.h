/* Rows that a source makes of values, for sources that are no text. Inside the io room.
 *
 * The source puts cell after cell; every so many rows the block is handed on, in the first pass
 * to the coders of the wished columns, in the second as records. */
#ifndef MGL_IO_BLOCK_H
#define MGL_IO_BLOCK_H

#include "io/source.h"

typedef struct mgl_block mgl_block;

/* Makes all rows of a source: mgl_block_put for each cell. Its failures are what the pass
 * fails with. */
typedef mgl_status mgl_produce_fn(mgl_source *source, mgl_block *block, mgl_error *err);

/* First pass: the columns of the table get their codes. n_rows: how many are expected; 0: not
 * known. */
mgl_status mgl_block_read(mgl_source *source, mgl_produce_fn *produce, mgl_table *table,
                          uint64_t n_rows, const mgl_progress *progress, mgl_error *err);

/* Second pass: the records, quoted as the dialect of the source wants it. */
mgl_status mgl_block_each(mgl_source *source, mgl_produce_fn *produce, mgl_records_fn *visit,
                          void *context, mgl_error *err);

/* Is this column wanted in this pass? A cell of one that is not may be left empty. */
bool mgl_block_wants(const mgl_block *block, size_t column);
/* Codes that a file declares to be missing have no value where they are counted, in both passes;
 * in columns that are only copied they stay. */
bool mgl_block_hides_missing(const mgl_block *block, size_t column);

/* The next cell of the row, from left to right; after the last one the row is complete. A NUL
 * byte or what is not UTF-8 is refused, with the row and the column. */
mgl_status mgl_block_put(mgl_block *block, mgl_span cell, mgl_error *err);

#endif
