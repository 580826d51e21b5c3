/* The rows of a release in random order: a statement of DuckDB hands them over, they wait in
 * private files without names, and another statement fetches them. Inside the io room. */
#ifndef MGL_IO_DUCKDB_SPOOLED_ROWS_H
#define MGL_IO_DUCKDB_SPOOLED_ROWS_H

#include "io/duckdb/duckdb.h"

typedef struct mgl_spooled_rows mgl_spooled_rows;

typedef struct mgl_spool_order {
    mgl_duckdb *db;
    const mgl_buffer *passed; /* a query for the columns besides the group; NULL: there are none */
    const mgl_random *random; /* borrowed */
    uint64_t n_rows, bytes;   /* that will come, about */
    uint64_t memory;          /* of the job; 0: not given */
    const mgl_progress *progress;
} mgl_spool_order;

/* Makes mingle_keep(GROUP, CELL, ...) and mingle_rows() known to the connection, with columns c0
 * (the group), c1, ... They live until the connection is closed, and so must what is returned. Free
 * with mgl_spooled_rows_free. */
mgl_status mgl_spooled_rows_new(const mgl_spool_order *order, mgl_error *err,
                                mgl_spooled_rows **out);
void mgl_spooled_rows_free(mgl_spooled_rows *rows);

/* Adds rows of a group that have no other cells. */
mgl_status mgl_spooled_rows_add(mgl_spooled_rows *rows, uint32_t group, uint64_t times,
                                mgl_error *err);
/* How a statement ended that had rows kept or given: what failed here is told first. */
mgl_status mgl_spooled_rows_failure(const mgl_spooled_rows *rows, mgl_status status,
                                    mgl_error *err);

#endif
