/* Tells which formats are part of this build, by the libraries that it was built with. The
 * catalogue asks it. */
#include "io/intake/library.h"
#include "io/io.h"

static const char *const lacking[] = {
#ifndef MGL_READSTAT
    "sav",        "dta",    "xpt", "sas7bdat",
#endif
#ifndef MGL_XLSX
    "xlsx",       "xlsm",
#endif
#ifndef MGL_POSTGRESQL
    "postgresql", "shards",
#endif
#ifndef MGL_SQLITE
    "sqlite",
#endif
#ifndef MGL_ODBC
    "odbc",
#endif
    NULL,
};

static const char *const of_duckdb[] = {"parquet", "duckdb", NULL};

static bool has(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool mgl_format_is_built(const mgl_format *format)
{
    return !has(lacking, format->name) &&
           (mgl_libraries_are_loaded || !has(of_duckdb, format->name));
}
