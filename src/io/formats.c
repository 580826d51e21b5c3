/* The table of formats, and which of them can be written. */
#include "io/formats.h"
#include "io/intake/intake.h"

#define MGL_ROW(format) extern const mgl_format format;
#include "io/format_rows.h"
#undef MGL_ROW

#define MGL_ROW(format) &format,
static const mgl_format *const formats[] = {
#include "io/format_rows.h"
};
#undef MGL_ROW

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const mgl_format *const *mgl_formats(size_t *n)
{
    *n = N_FORMATS;
    return formats;
}

#define NO_STATISTICS                                                                              \
    "this program was built without the library for files of statistics packages; build it with "  \
    "libreadstat (in Debian: libreadstat-dev), or use CSV"
#define NO_EXCEL                                                                                   \
    "this program was built without the libraries for Excel workbooks; build it with "             \
    "libxlsxwriter, libzip and expat, or use CSV"

/* Formats that are no part of this build. words NULL: connecting to the engine says so. */
static const struct lacking {
    const char *name, *words;
} lacking[] = {
#ifndef MGL_READSTAT
    {"sav", NO_STATISTICS}, {"dta", NO_STATISTICS},
    {"xpt", NO_STATISTICS}, {"sas7bdat", NO_STATISTICS},
#endif
#ifndef MGL_XLSX
    {"xlsx", NO_EXCEL},     {"xlsm", NO_EXCEL},
#endif
#ifndef MGL_POSTGRESQL
    {"postgresql", NULL},   {"shards", NULL},
#endif
#ifndef MGL_SQLITE
    {"sqlite", NULL},
#endif
#ifndef MGL_ODBC
    {"odbc", NULL},
#endif
    {NULL, NULL},
};

/* NULL: it is a part of this build. */
static const struct lacking *find_lacking(const mgl_format *format)
{
    for (const struct lacking *l = lacking; l->name != NULL; l++)
        if (strcmp(l->name, format->name) == 0)
            return l;
    return NULL;
}

bool mgl_format_is_built(const mgl_format *format)
{
    bool of_duckdb = strcmp(format->name, "parquet") == 0 || strcmp(format->name, "duckdb") == 0;
    return find_lacking(format) == NULL && (mgl_libraries_are_loaded || !of_duckdb);
}

mgl_status mgl_format_check_use(const mgl_format *format, const char *location, mgl_error *err)
{
    const struct lacking *lacks = find_lacking(format);
    if (lacks != NULL && lacks->words != NULL)
        return mgl_fail_at(err, MGL_CODE_LIBRARY, location, 0, "%s", lacks->words);
    if (format->in_memory || mgl_memory_name(location) == NULL)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_UNSUPPORTED, location, 0,
                       "%s files cannot be in memory; name a file, or delimited text in memory "
                       "(memory:NAME.csv)",
                       format->name);
}

/* In memory a name without an ending is that of a table. */
static const mgl_format *format_to_write(const mgl_location *location)
{
    if (mgl_memory_name(location->text) != NULL && location->ending.size == 0)
        return &mgl_arrow_format;
    return location->format->loaded ? formats[0] : location->format;
}

mgl_status mgl_format_to_write(const char *text, mgl_error *err, const mgl_format **out)
{
    mgl_location location = mgl_location_of(text);
    const mgl_format *format = format_to_write(&location);
    if (!format->text && !format->columns && format->save == NULL && format->sink == NULL)
        return mgl_fail_key_at(err, MGL_CODE_UNSUPPORTED, text, "output",
                               "%s files can be read but not written; choose another ending (`help "
                               "formats`)",
                               format->name);
    MGL_TRY(mgl_format_check_use(format, text, err));
    if (format->sink != NULL && format->sink->check != NULL)
        MGL_TRY(format->sink->check(&location, err));
    *out = format;
    return MGL_OK;
}

mgl_status mgl_format_check_rows(const mgl_format *format, const char *target, uint64_t n_rows,
                                 mgl_error *err)
{
    if (format->most_rows == 0 || n_rows <= format->most_rows)
        return MGL_OK;
    return mgl_fail_key_at(
        err, MGL_CODE_NO_ROOM, target, "output",
        "the release has %llu rows, and %s files have room for %llu; write another "
        "format, such as .csv or .parquet",
        (unsigned long long)n_rows, format->name, (unsigned long long)format->most_rows);
}
