/* Releases that DuckDB writes. Inside the io room. */
#ifndef MGL_IO_DUCKDB_PUSH_PARQUET_H
#define MGL_IO_DUCKDB_PUSH_PARQUET_H

#include "io/duckdb/release_functions.h"

extern const mgl_format mgl_parquet_format;
extern const mgl_push_operations mgl_duck_push;

#endif
