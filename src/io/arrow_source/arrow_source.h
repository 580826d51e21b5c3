/* arrow_source: tables in memory as sources (docs/arrow.md). The first pass codes columns without
 * making texts of their cells, the second gives records of texts. */
#ifndef MGL_IO_ARROW_SOURCE_H
#define MGL_IO_ARROW_SOURCE_H

#include "io/arrow_source/arrow_coder.h"
#include "io/intake/intake.h"

/* A source with a table at hand (source->arrow) reads that one, whatever its location says. */
extern const mgl_source_operations mgl_arrow_operations;

/* ---- Second pass -------------------------------------------------------------------------------
 */

/* What a block of records keeps of a column. */
typedef struct mgl_arrow_texts {
    mgl_buffer made;                /* texts that are not in the table as they are wanted */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    mgl_field *entries;
    size_t entries_capacity;
} mgl_arrow_texts;

/* Records of some rows that follow each other. Most texts are where the table has them. */
typedef struct mgl_arrow_block {
    const mgl_arrow_table *table;
    mgl_span null_text;
    char delimiter;
    mgl_field *fields;
    mgl_arrow_texts *columns;
} mgl_arrow_block;

/* A block lives until it is filled anew. Free with mgl_arrow_block_free. */
enum { MGL_ARROW_BLOCK_ROWS = 2048 };
mgl_status mgl_arrow_block_init(mgl_arrow_block *block, const mgl_arrow_table *table,
                                mgl_span null_text, char delimiter, mgl_error *err);
void mgl_arrow_block_free(mgl_arrow_block *block);
/* Rows first to first + n of a batch, at most MGL_ARROW_BLOCK_ROWS. False when memory is out. */
bool mgl_arrow_block_fill(mgl_arrow_block *block, size_t batch, size_t first, size_t n);

#endif
