/* Codes of several blocks of text at once, the same as if one block came after the other. */
#ifndef MGL_IO_INTAKE_BLOCK_CODING_H
#define MGL_IO_INTAKE_BLOCK_CODING_H

#include "io/intake/coder.h"

/* First the blocks are gone through, apart, by different threads: rows whose values are all known
 * get their codes. Then the columns, apart: what is left is learnt, in the order of the rows, so
 * that values are numbered as they occur. */
typedef struct mgl_block_coding {
    mgl_coder **coders;
    size_t n_coders;
    const mgl_wave_block *blocks;
    size_t n_blocks;
    size_t first[MGL_WAVE_BLOCKS + 1]; /* row of each block, and after the last one */
    bool *known[MGL_WAVE_BLOCKS];      /* [chunk of rows][column] */
    size_t room[MGL_WAVE_BLOCKS];      /* of known */
    bool *learns;                      /* [column] much was new lately: it is not tried */
    bool *failed;                      /* [column] memory is out */
} mgl_block_coding;

mgl_status mgl_block_coding_init(mgl_block_coding *coding, mgl_coder **coders, size_t n_coders,
                                 mgl_error *err);
void mgl_block_coding_free(mgl_block_coding *coding);

/* Blocks whose rows follow rows_before others. */
mgl_status mgl_block_coding_begin(mgl_block_coding *coding, const mgl_wave_block *blocks, size_t n,
                                  size_t rows_before, mgl_error *err);
void mgl_block_coding_try(mgl_block_coding *coding, size_t block);
/* Is anything left to be learnt? */
bool mgl_block_coding_lacks(const mgl_block_coding *coding);
void mgl_block_coding_learn(mgl_block_coding *coding, size_t column);
/* The number of rows that all coders have now. */
mgl_status mgl_block_coding_end(mgl_block_coding *coding, mgl_error *err, size_t *n_rows);

#endif
