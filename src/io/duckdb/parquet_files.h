/* The files that a location of Parquet names: one, those of a folder, those that fit a pattern.
 * Inside the io room. */
#ifndef MGL_IO_DUCKDB_PARQUET_FILES_H
#define MGL_IO_DUCKDB_PARQUET_FILES_H

#include "io/duckdb/duckdb.h"

typedef struct mgl_parquet_file {
    char *path;
    mgl_file_state state;
} mgl_parquet_file;

typedef struct mgl_parquet_files {
    mgl_parquet_file *list; /* [n] by name */
    size_t n, room;
    mgl_buffer keys; /* of hive partitions, YEAR=.../: "year\0month\0"; empty: there are none */
    bool several;    /* the location is a folder or a pattern */
} mgl_parquet_files;

/* Free with mgl_parquet_files_free, also on failure. */
mgl_status mgl_parquet_files_find(const char *location, mgl_error *err, mgl_parquet_files *out);
void mgl_parquet_files_free(mgl_parquet_files *files);
/* Bytes of all of them. */
uint64_t mgl_parquet_files_size(const mgl_parquet_files *files);
/* MGL_DATA if one of them is not what it was. */
mgl_status mgl_parquet_files_unchanged(const mgl_parquet_files *files, mgl_error *err);

/* The rows of all files, as they stand behind FROM. */
void mgl_parquet_files_write(mgl_buffer *out, const mgl_parquet_files *files);
/* MGL_DATA unless all files have the same columns with the same types, in any order, and none that
 * is called like a partition. */
mgl_status mgl_parquet_files_compare(const mgl_parquet_files *files, mgl_duckdb *db,
                                     mgl_error *err);

#endif
