/* A table of a database as a source. Private to io/sql. */
#ifndef MGL_IO_SQL_READ_DATABASE_H
#define MGL_IO_SQL_READ_DATABASE_H

#include "io/intake/intake.h"
#include "io/sql/sql.h"

/* A release under way: it has a name of its own until it is published. */
typedef struct mgl_sql_staged {
    mgl_sql_location target;
    mgl_sql_table map, table;
    bool has_map, has_table;
    bool overwrite; /* a table that has the name of the target is replaced */
} mgl_sql_staged;

/* Rare combinations that the engine has grouped. */
typedef struct mgl_sql_regrouped {
    mgl_sql_table table;   /* name NULL: nothing was grouped */
    bool has_table;        /* it is there */
    mgl_sql_table *levels; /* [n_keys] tables of labels, while they are needed */
    bool *has_levels;      /* [n_keys] */
    size_t *keys;          /* [n_keys] columns of the source */
    size_t n_keys;
} mgl_sql_regrouped;

typedef struct mgl_sql_source {
    mgl_sql_location location;
    mgl_sql *sql;
    mgl_sql_columns columns;
    bool begun;           /* a transaction */
    int rows;             /* all rows, in an unlinked file; -1: not fetched yet */
    mgl_buffer condition; /* that rows satisfy which are read, as text; empty: all are */
    mgl_sql_staged staged;
    mgl_sql_regrouped regrouped;
} mgl_sql_source;

/* Names a table mingle_KIND_NUMBER, for as long as the connection lives. */
mgl_status mgl_sql_name_table(mgl_sql *sql, const char *kind, uint32_t number, const char *schema,
                              mgl_error *err, mgl_sql_table *out);
/* Makes a table of texts by a statement and fills it. analyzed: the columns that planners have to
 * know of, " (a)"; "": all. *there: it was made. */
mgl_status mgl_sql_make_table(mgl_sql *sql, mgl_buffer *create, const mgl_sql_table *table,
                              const mgl_sql_rows *rows, const char *analyzed, mgl_error *err,
                              bool *there);

/* An order that discloses nothing of the order of the source, and is cheap to sort by: a number for
 * the place of each row, made with secret numbers. NULL: its rows have none. */
mgl_status mgl_sql_write_order(mgl_sql *sql, const mgl_sql_table *source, mgl_error *err,
                               const char **out);

/* How the source compares cells. */
mgl_sql_cells mgl_sql_cells_of(const mgl_source *source);

/* Operations of the source that group rare combinations. */
mgl_status mgl_sql_regroup(mgl_source *source, const mgl_value_levels *columns, size_t n,
                           uint64_t least, const char *target, const mgl_progress *progress,
                           mgl_error *err);
mgl_status mgl_sql_count_others(mgl_source *source, const mgl_value_levels *listed,
                                const char *target, mgl_table *table, const mgl_progress *progress,
                                mgl_error *err);
/* The groups that counts and releases name, filled in; NULL: there are none. */
const mgl_sql_groups *mgl_sql_groups_of(const mgl_source *source, mgl_sql_groups *out);

/* All statements until the end see one state of the data. */
mgl_status mgl_sql_source_begin(mgl_sql_source *state, mgl_error *err);

/* Counts into a table without rows, by any statement that gives a cell for each column and a count;
 * the first n_labels columns hold labels, as in mgl_counted. */
mgl_status mgl_sql_fetch_counts(mgl_sql *sql, mgl_buffer *statement,
                                const mgl_source_options *options, size_t n_labels, mgl_error *err,
                                mgl_table *table);

/* Counting in two steps, so that several engines can work at once: the statement of count is sent,
 * and the groups of all of them are added to one table. */
mgl_status mgl_sql_send_count(mgl_source *source, const size_t *wanted, size_t n_wanted,
                              mgl_error *err);
mgl_status mgl_sql_add_groups(mgl_source *const *sources, size_t n, mgl_counted *counted,
                              mgl_error *err);
/* Discards what is left of their answers. */
void mgl_sql_finish_all(mgl_source *const *sources, size_t n);
/* MGL_DATA if a column that cannot be generalized is a quasi-identifier. */
mgl_status mgl_sql_refuse_opaque(const mgl_source *source, const mgl_table *table, mgl_error *err);

/* push_release.c and write_release.c, for one database of several. The staged release has its
 * target already. */
mgl_status mgl_sql_check_push(mgl_source *source, const mgl_push_target *target,
                              const mgl_sql_location *location, mgl_error *err);
/* The engine gets the map and begins to write; the second waits for it. */
mgl_status mgl_sql_begin_release(mgl_source *source, const mgl_push_request *request,
                                 mgl_error *err);
mgl_status mgl_sql_end_release(mgl_source *source, mgl_error *err);
/* A counted table of requested columns of all shares of the release. */
mgl_status mgl_sql_recount(mgl_source *const *sources, size_t n, const mgl_push_request *request,
                           const size_t *wanted, size_t n_wanted, mgl_error *err, mgl_table **out);
/* Adds the rows of the release. */
mgl_status mgl_sql_digest_release(mgl_source *source, mgl_row_digest *digest, mgl_error *err);

extern const mgl_push_operations mgl_sql_push;

#endif
