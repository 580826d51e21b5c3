/* Functions of ours that DuckDB calls while it writes a release: which group of released cells a
 * row belongs to, what the cells of a group read as, and where a row goes. Inside the io room. */
#ifndef MGL_IO_DUCKDB_RELEASE_FUNCTIONS_H
#define MGL_IO_DUCKDB_RELEASE_FUNCTIONS_H

#include "io/duckdb/read_duckdb.h"

typedef struct mgl_release_functions mgl_release_functions;

/* Takes the map of the order over, and makes these functions known to the connection:
 *   mingle_group(CELL, ...)   a number; NULL: the row is not released
 *   mingle_tuple(CELL, ...)   the number that the order gives to what is looked up; NULL: likewise
 *   mingle_cell_1(GROUP), ... the released texts
 *   mingle_place(GROUP)       random numbers from the system's entropy (or the seed)
 * The functions live until the connection is closed, and so must what is returned. Free with
 * mgl_release_functions_free. */
mgl_status mgl_release_functions_new(const mgl_source *source, const mgl_push_order *order,
                                     mgl_error *err, mgl_release_functions **out);
void mgl_release_functions_free(mgl_release_functions *functions);

/* Makes mingle_rows() known, which gives the group of each released row in random order, as the map
 * counts them: where nothing but quasi-identifiers is released the rows need not be read again. */
mgl_status mgl_release_rows_new(mgl_release_functions *functions, const mgl_duckdb *db,
                                mgl_error *err);

/* Released texts of a key, each once; data NULL: no value. */
size_t mgl_release_texts(const mgl_release_functions *functions, size_t key);
mgl_span mgl_release_text(const mgl_release_functions *functions, size_t key, size_t number);

/* released_types.c: what a key is released as; "VARCHAR" if nothing else will do. */
const char *mgl_released_type(const mgl_release_functions *functions, size_t key,
                              const mgl_duck_column *column, mgl_cell_kind kind);

#endif
