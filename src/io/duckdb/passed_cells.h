/* Cells of any type that are passed through a release: taken out of vectors of DuckDB as bytes, and
 * put into others later. Inside the io room. */
#ifndef MGL_IO_DUCKDB_PASSED_CELLS_H
#define MGL_IO_DUCKDB_PASSED_CELLS_H

#include "io/duckdb/engine_vectors.h"

typedef enum mgl_passed_kind {
    MGL_PASSED_FIXED, /* as many bytes for each cell */
    MGL_PASSED_TEXT,
    MGL_PASSED_LIST,
    MGL_PASSED_STRUCT,
    MGL_PASSED_ARRAY
} mgl_passed_kind;

typedef struct mgl_passed_type {
    mgl_passed_kind kind;
    size_t size;                      /* bytes of a cell, or cells of an array */
    struct mgl_passed_type *children; /* [n_children] */
    size_t n_children;
} mgl_passed_type;

/* False if there is no such kind, or memory is out (*no_memory). Free what is in it with
 * mgl_passed_type_free, also after a failure. */
bool mgl_passed_type_make(void *type, mgl_passed_type *out, bool *no_memory);
void mgl_passed_type_free(mgl_passed_type *type);

/* Adds the bytes of a cell: whether it is there, and what it is. */
void mgl_passed_take(const mgl_passed_type *type, void *vector, size_t row, mgl_buffer *out);
/* Puts a cell that was taken into a row of a vector whose rows are put in order; returns what
 * stands behind it. */
const char *mgl_passed_put(const mgl_passed_type *type, void *vector, size_t row,
                           const char *bytes);

#endif
