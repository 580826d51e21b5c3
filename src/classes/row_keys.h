/* Keys of the rows of a table. Private to the module. */
#ifndef MGL_CLASSES_ROW_KEYS_H
#define MGL_CLASSES_ROW_KEYS_H

#include "classes/classes.h"

/* Words of the longest key: a column takes at least a bit, so there may be 65,536 columns. */
enum { MGL_KEY_WORDS = 1024 };

/* A column with codes of one byte. */
typedef struct mgl_narrow_column {
    const uint8_t *codes;
    const uint64_t *bits; /* [code] */
} mgl_narrow_column;

/* For each attribute and code, the leaf shifted to its place in the key. */
typedef struct mgl_row_keys {
    const mgl_packing *packing;
    const mgl_bound_column *quasi;
    uint64_t **bits;           /* [a][code] */
    mgl_narrow_column *narrow; /* [n_narrow] */
    size_t n_narrow;           /* 0 if keys have several words */
    mgl_owned own;
} mgl_row_keys;

mgl_status mgl_row_keys_init(mgl_row_keys *keys, const mgl_packing *packing,
                             const mgl_bound_column *quasi, mgl_error *err);
void mgl_row_keys_free(mgl_row_keys *keys);

/* The keys of rows first..first+n-1, packing->n_words words each. */
void mgl_row_keys_make(const mgl_row_keys *keys, size_t first, size_t n, uint64_t *out);

#endif
