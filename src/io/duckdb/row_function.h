/* A table function of DuckDB whose rows we make, so that they need not be in memory at once. Inside
 * the io room. */
#ifndef MGL_IO_DUCKDB_ROW_FUNCTION_H
#define MGL_IO_DUCKDB_ROW_FUNCTION_H

#include "io/duckdb/duckdb.h"

typedef struct mgl_row_function mgl_row_function;

/* Some rows that are being made: vectors of the engine. */
typedef struct mgl_made_rows {
    const mgl_row_function *of;
    void *chunk;
    size_t most;  /* rows that there is room for */
    void **local; /* of the thread that asks, at first NULL */
} mgl_made_rows;

/* Makes the next rows and says how many; 0: the end, or a failure that it keeps; MGL_ROWS_FAILED: a
 * failure that ends the statement, too. */
typedef size_t mgl_make_rows_fn(void *context, const mgl_made_rows *rows);
#define MGL_ROWS_FAILED SIZE_MAX

typedef struct mgl_row_maker {
    size_t n_columns;
    void *const *types; /* [n_columns] of the engine; NULL: texts */
    bool threads;       /* several may ask at once */
    mgl_make_rows_fn *make;
    void *context;
    void (*drop)(void *local); /* frees what a thread has; NULL: nothing */
} mgl_row_maker;

/* "mingle_rows()", with columns c0, c1, ... The function lives as long as the connection, and so
 * must what is returned. Free with mgl_free. */
mgl_status mgl_row_function_new(const mgl_duckdb *db, const mgl_row_maker *maker, mgl_error *err,
                                mgl_row_function **out);

/* A cell of a column of texts; data NULL: no value. */
void mgl_made_rows_put(const mgl_made_rows *rows, size_t row, size_t column, mgl_span cell);

#endif
