/* From the text of a column to its codes. */
#ifndef MGL_IO_INTAKE_CODER_H
#define MGL_IO_INTAKE_CODER_H

#include "io/io.h"

/* The code of a value in its column, new or not, or that of missing cells if it is one of their
 * tokens. MGL_NOT_FOUND when memory is out. */
uint32_t mgl_code_of_value(const mgl_column *column, const mgl_source_options *options,
                           mgl_span value);

/* Puts n codes behind the rows of the column, in its width, which grows with its dictionary. False
 * when memory is out. */
bool mgl_codes_store(mgl_column *column, size_t rows, const uint32_t *codes, size_t n);

typedef struct mgl_coder mgl_coder;

/* Codes the column as the options say; both must outlive the coder. NULL when memory is
 * out; free with mgl_coder_free. */
mgl_coder *mgl_coder_new(mgl_column *column, const mgl_source_options *options);
void mgl_coder_free(mgl_coder *coder);

/* Makes room for about so many rows. */
bool mgl_coder_expect(mgl_coder *coder, size_t rows);

/* Appends the codes of n records from first on. False when memory is out. */
bool mgl_coder_run(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n);

/* ---- The same, out of order ---- */

enum { MGL_CODER_CHUNK = 256 }; /* rows at a time, at most */

/* Puts the codes of n records from first on at a row, if all their texts are known; there must be
 * room. Several threads may try at once, different rows, while nobody learns. */
bool mgl_coder_try(const mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                   size_t row);

typedef struct mgl_code_rows {
    size_t row; /* of the first record */
    size_t end; /* behind the last row that has a code, or room for one */
} mgl_code_rows;

/* Puts the codes there in any case. *new: some text was not known. False when memory is out. */
bool mgl_coder_learn(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                     mgl_code_rows rows, bool *new);
/* The coder has so many rows now. */
void mgl_coder_pass(mgl_coder *coder, size_t rows);

/* Forgets the codes of the rows so far; what they mean stays the same. */
void mgl_coder_empty(mgl_coder *coder);

/* Gives back room that was not needed. */
void mgl_coder_finish(mgl_coder *coder);

#endif
