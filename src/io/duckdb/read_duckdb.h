/* An open Parquet location or table of DuckDB, and the files it lies in. Private to io/duckdb. */
#ifndef MGL_IO_DUCKDB_READ_DUCKDB_H
#define MGL_IO_DUCKDB_READ_DUCKDB_H

#include "io/duckdb/duckdb.h"

typedef struct mgl_parquet_file {
    char *path;
    mgl_file_state state;
} mgl_parquet_file;

typedef struct mgl_parquet_files {
    mgl_parquet_file *list; /* [n] by name */
    size_t n, room;
    mgl_buffer keys; /* of hive partitions, YEAR=.../: "year\0month\0"; empty if there are none */
    bool several;    /* the location is a folder or a pattern */
} mgl_parquet_files;

/* Free with mgl_parquet_files_free, also on failure. */
mgl_status mgl_parquet_files_find(const char *location, mgl_error *err, mgl_parquet_files *out);
void mgl_parquet_files_free(mgl_parquet_files *files);

/* The rows of all files, as they stand behind FROM. */
void mgl_parquet_files_write(mgl_buffer *out, const mgl_parquet_files *files);

extern const mgl_format mgl_parquet_format;
extern const mgl_push_operations mgl_duck_push;

/* How the cells of a column are fetched. */
typedef enum mgl_duck_fetched {
    MGL_DUCK_TEXT,
    MGL_DUCK_WHOLE, /* 64 bits */
    MGL_DUCK_DOUBLE,
    MGL_DUCK_FLOAT
} mgl_duck_fetched;

typedef struct mgl_duck_column {
    const char *type; /* as the engine calls it */
    mgl_duck_fetched fetched;
    bool opaque; /* lists, structures, bytes */
} mgl_duck_column;

/* The state of the source. */
typedef struct mgl_duck {
    mgl_duckdb db;
    mgl_arena *arena;
    char *file, *table;                      /* table NULL: the file is Parquet */
    mgl_parquet_files files;                 /* of a database: the one it lies in */
    mgl_buffer from;                         /* the table as it stands behind FROM */
    struct mgl_release_functions *functions; /* of a release that is written; NULL if none is */
    mgl_duck_column *columns;
    mgl_column_meta *meta;
    size_t n_columns, columns_capacity, meta_capacity;
    unsigned n_counts; /* that were made so far */
} mgl_duck;

/* Writes a column as it is fetched; name: what it is called there. */
void mgl_duck_write_cell(mgl_buffer *out, const mgl_duck *duck, size_t column, mgl_span name);
/* The text of a cell that is there; numbers are written to text. */
mgl_span mgl_duck_show(const mgl_duck_column *column, mgl_duckdb_cells cells, size_t row,
                       char text[MGL_NUMBER_TEXT]);

/* MGL_DATA if the file is not what it was when it was opened. */
mgl_status mgl_duck_unchanged(const mgl_source *source, mgl_error *err);

/* The operation `count` of the source. */
mgl_status mgl_duck_count(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                          mgl_error *err);

#endif
