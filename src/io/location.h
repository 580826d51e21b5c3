/* io: what a location names. io.h passes it on. */
#ifndef MGL_IO_LOCATION_H
#define MGL_IO_LOCATION_H

#include "base/base.h"

typedef enum mgl_location_kind {
    MGL_LOCATION_FILE,     /* a file; of Parquet also a folder or a pattern */
    MGL_LOCATION_STREAM,   /* "-" */
    MGL_LOCATION_MEMORY,   /* memory:NAME, a file in memory or nothing yet */
    MGL_LOCATION_TABLE,    /* memory:NAME, a table in memory */
    MGL_LOCATION_DATABASE, /* SCHEME:SERVER?table=NAME */
    MGL_LOCATION_SHARDS    /* shards:FILE?table=NAME, a table in several databases */
} mgl_location_kind;

typedef struct mgl_location {
    const char *text; /* as given; borrowed, and what follows points into it */
    mgl_location_kind kind;
    const struct mgl_format *format; /* by what is in memory, by scheme or ending, whatever the case
                                        of its letters, or by a folder; delimited text otherwise */
    mgl_span file;                   /* the location without its sheet */
    mgl_span path;     /* of its file: sqlite:FILE?table=T, FILE.xlsx#SHEET; empty: "-", or it has
                          none */
    mgl_span ending;   /* of its file, if that names a format, one of ours or another ("x.csv.gz":
                          ".csv.gz"); empty: the file is text */
    const char *sheet; /* behind the # of FILE.xlsx#SHEET, not that of data#1.csv; NULL if absent */
    const char *table; /* behind the last table= of a database; NULL if absent */
} mgl_location;

/* Parses a location. It is not an error if nothing is there. */
mgl_location mgl_location_of(const char *text);

/* The location without its sheet. Free with mgl_free. */
mgl_status mgl_location_file(const char *text, mgl_error *err, char **out);

typedef mgl_status mgl_file_fn(void *context, const char *path, mgl_error *err);
/* Visits all files that are read with a location, its own first: code lists, labels, ... */
mgl_status mgl_location_files(const char *text, mgl_file_fn *visit, void *context, mgl_error *err);
/* Visits the files that its engine writes and removes beside a database: beside its name and, where
 * that is a link, beside its target. They need not exist. */
mgl_status mgl_location_engine_files(const char *text, mgl_file_fn *visit, void *context,
                                     mgl_error *err);

/* The identity of a table of a database: equal texts (and, if it has a file, the same file) are the
 * same table. *out is NULL for other locations. Free with mgl_free. */
mgl_status mgl_location_table(const char *text, mgl_error *err, char **out);
/* The location for messages and results: without users and passwords. Free with mgl_free. */
mgl_status mgl_location_name(const char *text, mgl_error *err, char **out);
/* The location without passwords. Free with mgl_free. */
mgl_status mgl_location_without_secrets(const char *text, mgl_error *err, char **out);

/* Is the ending one of a list with spaces between them? */
bool mgl_ending_is(mgl_span ending, const char *endings);
/* Can a release be written in it? */
bool mgl_ending_is_written(mgl_span ending);
/* Writes all of these, with spaces between them. */
void mgl_endings_written(mgl_buffer *out);

#endif
