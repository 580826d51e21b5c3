/* Numbers for the cells that DuckDB hands to functions of ours. Inside the io room. */
#ifndef MGL_IO_DUCKDB_CELL_NUMBERS_H
#define MGL_IO_DUCKDB_CELL_NUMBERS_H

#include "io/duckdb/engine_vectors.h"
#include "io/duckdb/read_duckdb.h"

enum { MGL_VECTOR_ROWS = 2048 }; /* of a vector, at most */

/* The number of a cell; data NULL: it has no value. */
typedef uint32_t mgl_cell_number_fn(void *context, mgl_span cell);

/* Asks for the number of each of n cells of a column, of a cell that stood before it among them
 * mostly not again; out[i * stride] gets that of cell i. */
void mgl_cell_numbers(const mgl_duck_column *column, mgl_duckdb_cells cells, size_t n,
                      mgl_cell_number_fn *number, void *context, uint32_t *out, size_t stride);

/* The types that the cells of columns have as parameters of a function: what mgl_duck_write_cell
 * makes of them. Free each with destroy_type, and the array with mgl_free. NULL when memory is out.
 */
void **mgl_cell_types(const mgl_duck *duck, const size_t *columns, size_t n);
void mgl_cell_types_free(void **types, size_t n);

/* NAME("cell", ...) as statements call it. */
void mgl_write_cell_call(mgl_buffer *out, const mgl_source *source, const char *name,
                         const size_t *columns, size_t n);

#endif
