/* From the cells of an Arrow column to its codes. Inside the room. */
#ifndef MGL_IO_ARROW_SOURCE_ARROW_CODER_H
#define MGL_IO_ARROW_SOURCE_ARROW_CODER_H

#include "io/arrow_source/raw_codes.h"
#include "io/io.h"

typedef struct mgl_arrow_coder {
    mgl_column *column;
    const mgl_arrow_table *table;
    const mgl_source_options *options;
    mgl_span null_text;
    size_t rows;  /* that the column has codes of */
    size_t batch; /* where the next row is */
    size_t at;
    uint32_t null_code;             /* MGL_NOT_FOUND before the first null */
    mgl_raw_codes raw;              /* of numbers and short texts */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    uint32_t *entries;              /* codes; MGL_NOT_FOUND of those that no row had so far */
    size_t entries_capacity;
    size_t n_entries, n_known; /* how many there are, and how many of them have a code */
} mgl_arrow_coder;

/* Which is the column in the table is its source_index. Free with mgl_arrow_coder_free. */
void mgl_arrow_coder_init(mgl_arrow_coder *coder, mgl_column *column, const mgl_arrow_table *table,
                          const mgl_source_options *options, mgl_span null_text);
void mgl_arrow_coder_free(mgl_arrow_coder *coder);

/* Appends the codes of the next n rows. False when memory is out. */
bool mgl_arrow_coder_run(mgl_arrow_coder *coder, size_t n);

/* Forgets the codes of the rows so far; what they mean stays the same. */
void mgl_arrow_coder_empty(mgl_arrow_coder *coder);

#endif
