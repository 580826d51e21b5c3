/* Functions of ours that DuckDB calls while it writes a release: which group of released cells a
 * row belongs to, what the cells of a group read as, and the rows in random order. Private to
 * io/duckdb. */
#ifndef MGL_IO_DUCKDB_RELEASE_FUNCTIONS_H
#define MGL_IO_DUCKDB_RELEASE_FUNCTIONS_H

#include "io/duckdb/duckdb.h"
#include "io/duckdb/read_duckdb.h"

typedef struct mgl_spooled_rows mgl_spooled_rows;

typedef struct mgl_spool_request {
    mgl_duckdb *db;
    mgl_buffer *passed; /* a query for the columns besides the group, which is taken over; NULL if
                           there are none */
    const mgl_random *random; /* borrowed; this and n_rows are filled in by mgl_release_rows_new */
    uint64_t n_rows, bytes;   /* that will come, about */
    uint64_t memory;          /* of the job; 0: not given */
    const mgl_progress *progress;
} mgl_spool_request;

/* Makes mingle_keep(GROUP, CELL, ...) and mingle_rows() known to the connection, with columns c0
 * (the group), c1, ... They live until the connection is closed, and so must what is returned. Free
 * with mgl_spooled_rows_free. */
mgl_status mgl_spooled_rows_new(const mgl_spool_request *order, mgl_error *err,
                                mgl_spooled_rows **out);
void mgl_spooled_rows_free(mgl_spooled_rows *rows);

/* Adds rows of a group that have no other cells. */
mgl_status mgl_spooled_rows_add(mgl_spooled_rows *rows, uint32_t group, uint64_t times,
                                mgl_error *err);
/* The status of a statement that kept or fetched rows: a failure of ours comes first. */
mgl_status mgl_spooled_rows_failure(const mgl_spooled_rows *rows, mgl_status status,
                                    mgl_error *err);

typedef struct mgl_release_functions mgl_release_functions;

/* Takes the map of the order over, and makes these functions known to the connection:
 *   mingle_group(CELL, ...)   a number; NULL: the row is not released
 *   mingle_tuple(CELL, ...)   the number that the order gives to what is looked up; NULL: likewise
 *   mingle_cell_1(GROUP), ... the released texts
 * The functions live until the connection is closed, and so must what is returned. Free with
 * mgl_release_functions_free. */
mgl_status mgl_release_functions_new(const mgl_source *source, const mgl_push_request *request,
                                     mgl_error *err, mgl_release_functions **out);
void mgl_release_functions_free(mgl_release_functions *functions);

/* Makes known, if columns are passed through (else rows are as many as the map counts),
 * mingle_keep(GROUP, CELL, ...), which takes a row (and gives NULL if the group is), and
 * mingle_rows(), which gives all of them in random order: the group as c0, then the cells as c1,
 * c2, ... */
mgl_status mgl_release_rows_new(mgl_release_functions *functions, mgl_spool_request *order,
                                mgl_error *err);
/* After the statement that had rows kept, or one that had them given, and how that ended: what
 * failed here is reported instead of the message of the engine. */
mgl_status mgl_release_rows_end(mgl_release_functions *functions, mgl_status status,
                                mgl_error *err);

/* What a key is released as; "VARCHAR" if nothing else will do. */
const char *mgl_released_type(const mgl_release_functions *functions, size_t key,
                              const mgl_duck_column *column, mgl_cell_kind kind);

#endif
