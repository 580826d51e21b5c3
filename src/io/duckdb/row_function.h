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
    size_t most; /* rows that there is room for */
} mgl_made_rows;

/* Makes the next rows and says how many; 0: the end, or a failure, which it keeps. */
typedef size_t mgl_make_rows_fn(void *context, const mgl_made_rows *rows);

/* "mingle_rows()", with columns c0, c1, ... of texts, or if numbers with one of whole numbers, for
 * which several threads may call at once. The function lives as long as the connection, and so must
 * what is returned. Free with mgl_free. */
mgl_status mgl_row_function_new(const mgl_duckdb *db, size_t n_columns, bool numbers,
                                mgl_make_rows_fn *make, void *context, mgl_error *err,
                                mgl_row_function **out);

/* cell.data NULL: no value. */
void mgl_made_rows_put(const mgl_made_rows *rows, size_t row, size_t column, mgl_span cell);
/* Of a function of numbers: their places. */
int32_t *mgl_made_rows_numbers(const mgl_made_rows *rows);

#endif
