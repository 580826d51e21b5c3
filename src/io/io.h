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

/* Second pass: the records in order, as text fields, without the header. Between
 * mgl_source_rewind and the end, spans live until the next call. n_records 0: the end,
 * and the file has been found unchanged. */
mgl_status mgl_source_rewind(mgl_source *source, mgl_error *err);
mgl_status mgl_source_next(mgl_source *source, mgl_error *err, mgl_records *out);

/* ---- Kinds of sources: one row each ---------------------------------------- */

typedef struct mgl_source_type {
    const char *name;    /* "csv" */
    const char *help;    /* one line */
    const char *accepts; /* ".csv .tsv .txt, .gz and .zst of them, -" */
} mgl_source_type;
const mgl_source_type *mgl_source_types(size_t *n);

/* ---- Recodings in files ------------------------------------------------------
 *
 * So that a release can be made again, of slices, or be remembered. A recoding is as secret as
 * the table: it holds ground values and counts. */

/* What was counted for a search: how many records, and a sum over them that does not depend on
 * their order. */
typedef struct mgl_fingerprint {
    uint64_t n_records, low, high;
} mgl_fingerprint;

/* Of these columns, in this order; times as in mgl_table. */
mgl_status mgl_fingerprint_of(const mgl_column *const *columns, size_t n_columns, size_t n_rows,
                              const uint64_t *times, mgl_error *err, mgl_fingerprint *out);

/* A quasi-identifier column: the values it had and what it is released as. */
typedef struct mgl_saved_quasi {
    const char *name;
    mgl_dictionary *ground; /* its values, the missing one among them */
    uint32_t *leaf_of_code; /* [size of the dictionary] values that count as one are one */
    uint32_t n_leaves, n_labels;
    const mgl_span *labels; /* what cells are released as */
    uint32_t top;           /* the label of a suppressed cell */
} mgl_saved_quasi;

typedef struct mgl_saved_recoding {
    const char *version, *method; /* of the mingle that searched */
    const char *job;              /* what it was told, as JSON */
    bool drops;                   /* suppressed rows are left out of the release */
    uint64_t n_rows;
    size_t n_columns; /* of the table, each with its role */
    const char **columns;
    mgl_role *roles;
    size_t n_counted; /* columns besides the quasi-identifiers that were counted */
    const char **counted;
    size_t n_quasi;
    mgl_saved_quasi *quasi;
    size_t n_tuples;
    uint32_t **leaves;    /* [n_quasi][n_tuples] */
    uint32_t **released;  /* [n_quasi][n_tuples] labels */
    uint32_t *suppressed; /* [n_tuples] 1: moved to the top by suppression */
    uint64_t *counts;     /* [n_tuples] */
    size_t n_parts;       /* what the counts were made of */
    mgl_fingerprint *parts;
    mgl_arena *arena; /* owns all but the dictionaries, if it was read from a file */
} mgl_saved_recoding;

/* The file as bytes. */
mgl_status mgl_saved_recoding_pack(const mgl_saved_recoding *saved, mgl_error *err,
                                   mgl_buffer *out);
/* Free with mgl_saved_recoding_free. */
mgl_status mgl_saved_recoding_read(const char *path, mgl_error *err, mgl_saved_recoding **out);
void mgl_saved_recoding_free(mgl_saved_recoding *saved);

#endif
