/* A table of a database as a source. Inside the room only. */
#ifndef MGL_IO_SQL_SOURCE_H
#define MGL_IO_SQL_SOURCE_H

#include "io/source.h"
#include "io/sql.h"

/* A release under way: it has a name of its own until it is published. */
typedef struct mgl_sql_staged {
    mgl_sql_location target;
    mgl_sql_table map, table;
    bool has_map, has_table;
    const size_t *columns; /* of the source, in order */
    size_t n_columns;
} mgl_sql_staged;

typedef struct mgl_sql_source {
    mgl_sql_location location;
    mgl_sql *sql;
    mgl_sql_columns columns;
    bool begun; /* a transaction */
    int rows;   /* all rows, in an unlinked file; -1: not fetched yet */
    mgl_sql_staged staged;
} mgl_sql_source;

/* All that is asked until the end belongs to one state of the data. */
mgl_status mgl_sql_source_begin(mgl_sql_source *state, mgl_error *err);

/* Counts into a table without rows, whose columns are those wanted. */
mgl_status mgl_sql_count(mgl_sql *sql, const mgl_sql_counting *counting,
                         const mgl_source_options *options, mgl_error *err, mgl_table *table);

extern const mgl_push_operations mgl_sql_push;

#endif
