/* io: an engine that writes a release by itself, and releases that are loaded into a table of a
 * database. io.h passes it on. */
#ifndef MGL_IO_PUSH_H
#define MGL_IO_PUSH_H

#include "table/table.h"

typedef struct mgl_source mgl_source;

/* ---- Push-down: the engine of a source writes the release itself ----------------- */

/* Gives the next row of the map: the cells of the keys, then what they are released as (data NULL:
 * no value). False: there are no more. */
typedef bool mgl_map_row_fn(void *context, mgl_span *cells);

/* What the released texts of a column are, missing cells aside. */
typedef struct mgl_released_kind {
    bool ground; /* values of the column, each of them */
    bool days;   /* values of the column, or days: 1965-09-20 */
    bool whole;  /* whole numbers from low to high, without needless digits and signs */
    int64_t low, high;
} mgl_released_kind;

typedef struct mgl_push_request {
    const char *target;
    const size_t *columns; /* of the source that are released, in order */
    size_t n_columns;
    const size_t *keys;             /* those of them that are looked up in the map */
    const bool *filled;             /* [n_keys] no cell is missing */
    const bool *unchanged;          /* [n_keys] and every row is released with the value it has */
    const mgl_released_kind *kinds; /* [n_keys] NULL: nothing is known */
    size_t n_keys;
    bool shuffle;
    const uint64_t *seed;         /* of the shuffle; NULL: the system's entropy */
    const char *path;             /* where the target is a file: the staged one, which is there */
    bool overwrite;               /* a table that has the name of the target is replaced */
    mgl_map_row_fn *next;         /* records whose cells are not in the map are not released */
    bool (*again)(void *context); /* from the first row on; false when memory is out */
    void *context;
    const uint32_t *tuple; /* a number that the row given last is called by */
    const uint64_t *times; /* records that the row given last stands for; those that are released
                              alike count for one of their rows. NULL: they are not all of the
                              engine's */
    mgl_buffer *warnings;  /* each "code\tmessage" and NUL */
    const mgl_progress *progress;
} mgl_push_request;

/* Who is shown the records that a release is made of: numbers by the map (MGL_NOT_FOUND: the record
 * is not released) and cells of some columns of the source, cells[record * n_columns + column]. */
typedef struct mgl_push_rows {
    const size_t *columns;
    size_t n_columns;
    mgl_status (*see)(void *context, const uint32_t *tuples, const mgl_span *cells, size_t n,
                      mgl_error *err);
    void *context;
} mgl_push_rows;

/* What is checked before anything is counted. */
typedef struct mgl_push_target {
    const char *location;
    bool overwrite;
    const size_t *read; /* [n_read] columns of the source that counts or the release need */
    size_t n_read;
} mgl_push_target;

/* What an engine reports of a column of the release, missing values aside. */
typedef struct mgl_value_counts {
    uint64_t distinct, unique; /* values; those that one row has */
    uint64_t codes;            /* values without spaces, points and commas */
} mgl_value_counts;

typedef struct mgl_push_operations {
    /* It works in this process, on files, and writes a file that is staged and published as any
     * other: rows may be fetched where that is needed, and the leak guard sees them. */
    bool files;
    /* Does the target lie in the database of the source? */
    mgl_status (*writes)(const mgl_source *source, const char *target, mgl_error *err, bool *out);
    /* MGL_DATA if it exists already and is not to be replaced, MGL_SYSTEM if there are no rights to
     * make it, or to read what is needed. */
    mgl_status (*check)(mgl_source *source, const mgl_push_target *target, mgl_error *err);
    /* Writes the release under a name of its own. */
    mgl_status (*write)(mgl_source *source, const mgl_push_request *order, mgl_error *err);
    /* A counted table of requested columns of the release, numbered as in the order. */
    mgl_status (*recount)(mgl_source *source, const mgl_push_request *order, const size_t *wanted,
                          size_t n_wanted, mgl_error *err, mgl_table **out);
    /* The digest of the rows of the release, which are fetched for that. */
    mgl_status (*digest)(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT]);
    /* About a column of the release, by its number in the source. */
    mgl_status (*ask_values)(mgl_source *source, size_t column, mgl_error *err,
                             mgl_value_counts *out);
    /* Rows of the release that no other row equals in some columns, numbered as in the order. NULL:
     * the engine cannot find out. */
    mgl_status (*ask_alone)(mgl_source *source, const mgl_push_request *order, const size_t *wanted,
                            size_t n_wanted, mgl_error *err, uint64_t *out);
    /* How many combinations of values columns of the source have, or somewhat more. */
    mgl_status (*ask_groups)(mgl_source *source, const size_t *wanted, size_t n_wanted,
                             mgl_error *err, uint64_t *out);
    /* About a column of the source: the share of the records with repeated values whose value
     * goes with a single value of each of the columns `others`. */
    mgl_status (*share_that_never_varies)(mgl_source *source, size_t column, const size_t *others,
                                          size_t n_others, mgl_error *err, double *shares);
    /* Shows all records, in order, once the release was written; NULL: they are not fetched. */
    mgl_status (*each_row)(mgl_source *source, const mgl_push_request *order,
                           const mgl_push_rows *rows, mgl_error *err);
    mgl_status (*publish)(mgl_source *source, mgl_error *err);
    /* Leaves the database as it was, as far as nothing was published. */
    void (*discard)(mgl_source *source);
} mgl_push_operations;

/* NULL: it has no engine that could. */
const mgl_push_operations *mgl_source_push(const mgl_source *source);

/* ---- Releases that are loaded into a table of a database ------------------------- */

/* MGL_DATA if the table exists already and is not to be replaced, or cannot be; MGL_SYSTEM if there
 * are no rights to make it. */
mgl_status mgl_table_check(const char *location, bool overwrite, mgl_error *err);

typedef struct mgl_load_request {
    const char *target;
    bool overwrite;
    mgl_span no_value; /* cells that become NULL */
    const mgl_progress *progress;
} mgl_load_request;
/* Makes the table, all columns texts, of the records of a text source. All or nothing. */
mgl_status mgl_table_load(const mgl_load_request *request, mgl_source *source, mgl_error *err);

/* ---- SQL for engines without a driver -------------------------------------------------------- */

/* What an engine is to count, join and release. Tables are NAME, SCHEMA.NAME, CATALOG.SCHEMA.NAME
 * or locations. */
typedef struct mgl_script_request {
    const char *dialect;         /* one of mgl_sql_dialect_name */
    const char *source;          /* the table */
    const char *target;          /* the release; NULL: it is called like the table */
    const char *const *quasi;    /* [n_quasi] */
    const char *const *released; /* [n_quasi] what the map calls their released values */
    size_t n_quasi;
    const char *const *sensitive;
    size_t n_sensitive;
    const char *const *passed; /* columns that are not counted */
    size_t n_passed;
    const char *count; /* what counts are called */
    const mgl_span *missing;
    size_t n_missing;
    mgl_span no_value; /* how NULL reads */
    bool shuffle;
} mgl_script_request;

/* Statements have no end mark; those that an engine has no need for are empty. */
enum {
    MGL_SCRIPT_SETTING, /* comes first */
    MGL_SCRIPT_COUNT,
    MGL_SCRIPT_UNLOAD, /* words: how rows become a file */
    MGL_SCRIPT_MAP,
    MGL_SCRIPT_LOAD, /* words: how the file gets into the map */
    MGL_SCRIPT_RELEASE,
    MGL_SCRIPT_VERIFY,
    MGL_SCRIPT_PUBLISH,
    MGL_SCRIPT_CLEAN, /* drops the map */
    MGL_SCRIPT_UNDO,  /* drops a release that was found wrong */
    MGL_SCRIPT_PARTS
};

/* The names of all dialects; NULL behind the last. */
const char *mgl_sql_dialect_name(size_t number);
/* Free each part with mgl_free, also on failure. */
mgl_status mgl_script_make(const mgl_script_request *request, mgl_error *err,
                           char *parts[MGL_SCRIPT_PARTS]);

#endif
