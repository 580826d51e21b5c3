/* io: where tables come from and where releases go.
 *
 * A source is a table that can be read more than once. The first pass turns the
 * columns that matter into codes; the second gives every record again, so that what
 * is only passed through need not be kept. Each kind of source is one file and one
 * row in the table of source types.
 */
#ifndef MGL_IO_H
#define MGL_IO_H

#include "table/table.h"
#include "text/text.h"

typedef struct mgl_source_options {
    char delimiter;          /* 0: sniffed */
    bool no_header;          /* columns are then called column1, column2, ... */
    const char *encoding;    /* NULL: UTF-8 */
    bool allow_unnamed;      /* an empty column name becomes columnN by position
                                instead of being refused (commands that do not release) */
    const mgl_span *missing; /* cells that mean missing; the first is what is released */
    size_t n_missing;
} mgl_source_options;

typedef struct mgl_source mgl_source;

/* Opens the location (a path, "-", later also a database). Duplicate column names, an
 * empty file, a header without rows are refused. The options (and what they point to)
 * must outlive the source. Free with mgl_source_close. */
mgl_status mgl_source_open(const char *location, const mgl_source_options *options, mgl_error *err,
                           mgl_source **out);
void mgl_source_close(mgl_source *source);

const char *mgl_source_name(const mgl_source *source); /* for messages */
uint64_t mgl_source_size(const mgl_source *source);    /* bytes, as far as known; else 0 */
size_t mgl_source_columns(const mgl_source *source);
const char *mgl_source_column(const mgl_source *source, size_t column);
size_t mgl_source_find(const mgl_source *source, const char *column); /* SIZE_MAX: none */
const mgl_dialect *mgl_source_dialect(const mgl_source *source);

/* A column to keep, and as what. */
typedef struct mgl_column_wish {
    size_t source_index;
    mgl_role role;
} mgl_column_wish;

/* First pass: the wished columns as codes, in the order of the wishes. A cell that is
 * one of the missing tokens becomes the dictionary's missing value. Every cell of every
 * column is checked (UTF-8, quotes, number of fields), kept or not. MGL_DATA if the file
 * changed meanwhile. Free with mgl_table_free. */
mgl_status mgl_source_read(mgl_source *source, const mgl_column_wish *wishes, size_t n_wishes,
                           mgl_pool *pool, const mgl_progress *progress, mgl_error *err,
                           mgl_table **out);

/* The same in parts, for those who need not have all rows at once: take is called with the table
 * whenever about so many rows have been read, and at the end. Codes mean the same in all parts;
 * afterwards the table has no rows. */
typedef struct mgl_row_sink {
    size_t rows;
    mgl_status (*take)(void *context, const mgl_table *part, mgl_error *err);
    void *context;
} mgl_row_sink;
mgl_status mgl_source_stream(mgl_source *source, const mgl_column_wish *wishes, size_t n_wishes,
                             const mgl_row_sink *sink, mgl_pool *pool, const mgl_progress *progress,
                             mgl_error *err, mgl_table **out);

/* SHA-256 of the file that was read last, if it is asked for before, and its bytes. NULL: its bytes
 * were not read as they are on disk (packed, converted, no file); they must be hashed apart. */
void mgl_source_hash(mgl_source *source);
const char *mgl_source_sha256(const mgl_source *source);

/* Second pass: the records in order, as text fields, without the header. Between
 * mgl_source_rewind and the end, spans live until the next call. n_records 0: the end,
 * and the file has been found unchanged. */
/* Do records live until the call after the next one? Then one thread can read while others work. */
bool mgl_source_lasts(const mgl_source *source);
mgl_status mgl_source_rewind(mgl_source *source, mgl_error *err);
mgl_status mgl_source_next(mgl_source *source, mgl_error *err, mgl_records *out);

/* ---- Kinds of sources: one row each ---------------------------------------- */

typedef struct mgl_source_type {
    const char *name;    /* "csv" */
    const char *help;    /* one line */
    const char *accepts; /* ".csv .tsv .txt, .gz and .zst of them, -" */
} mgl_source_type;
const mgl_source_type *mgl_source_types(size_t *n);

#endif
