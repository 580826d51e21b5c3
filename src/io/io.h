/* io: where tables come from and where releases go.
 *
 * A source is a table that can be read more than once. The first pass turns the
 * columns that matter into codes; the second gives every record again, so that what
 * is only passed through need not be kept. A sink writes the rows of a release. What can
 * be read or written is a table of formats: one row and one file each.
 */
#ifndef MGL_IO_H
#define MGL_IO_H

#include "io/arrow/arrow.h"
#include "io/digest.h"
#include "io/location.h"
#include "io/push.h"
#include "io/saved.h"
#include "table/table.h"
#include "text/text.h"

/* ---- Formats: one row each -------------------------------------------------- */

typedef struct mgl_format {
    const char *name;    /* "csv" */
    const char *help;    /* one line */
    const char *endings; /* ".csv .tsv"; NULL: none of its own */
    const char *scheme;  /* "duckdb:", how locations begin that are no paths; NULL: none */
    const char *also;    /* another way to write it; optional */
    const struct mgl_source_operations *source; /* NULL: it cannot be read */
    const struct mgl_sink_operations *sink;     /* NULL: it cannot be written, or it is text */
    bool sheets;                                /* behind the path may stand #SHEET */
    uint64_t most_rows;                         /* that a release may have; 0: any number */
    const char *second;                         /* ending of the other file of a release; NULL */
    /* Writes whether the file at path is such a file, of any release; optional. */
    mgl_status (*is_second)(const char *path, mgl_error *err, bool *out);
    const char *engine_files; /* tails of the names of files that the engine of a database writes
                                 and removes beside it, with spaces between them; NULL: none */
    bool text;                /* the lines of a release are written as they are */
    bool columns;             /* a release is a table in memory */
    /* A release is made as a table in memory, and written to its file by this; NULL: it is not. */
    mgl_status (*save)(const struct mgl_arrow_table *table, int fd, const char *name,
                       mgl_error *err);
    bool loaded;    /* a release is written as text, and loaded when it is published */
    bool in_memory; /* can be read from "memory:NAME", and if it is text be written there */
    bool beside;    /* behind the scheme stands a path, which can be relative to a job file */
    bool divided;   /* a release may be a folder of files, divided by columns */
} mgl_format;

/* The first is delimited text, which everything is that no other row claims. */
const mgl_format *const *mgl_formats(size_t *n);
/* false: its library is no part of this build, nor can it be loaded. Where it can be loaded,
 * whether the machine has it is found out when it is needed. */
bool mgl_format_is_built(const mgl_format *format);
/* MGL_USAGE if a release cannot be written there. */
mgl_status mgl_format_to_write(const char *location, mgl_error *err, const mgl_format **out);

/* MGL_DATA if the target has no room for so many rows. */
mgl_status mgl_format_check_rows(const mgl_format *format, const char *target, uint64_t n_rows,
                                 mgl_error *err);

/* ---- What a source provides about a column besides its cells ------------------- */

typedef enum mgl_cell_kind {
    MGL_CELLS_UNKNOWN, /* texts, of which nothing is known */
    MGL_CELLS_TEXT,
    MGL_CELLS_NUMBER,
    MGL_CELLS_DATE,    /* 1965-09-20 */
    MGL_CELLS_DATETIME /* 1965-09-20T13:45:00 */
} mgl_cell_kind;

/* Kinds of single cells, as bits: workbooks have them cell by cell, not by column. */
typedef enum mgl_cell_look {
    MGL_LOOKS_TEXT = 0,
    MGL_LOOKS_NUMBER = 1,
    MGL_LOOKS_DATE = 2,
    MGL_LOOKS_DATETIME = 4,
    MGL_LOOKS_TIME = 8,    /* 13:45:00 */
    MGL_LOOKS_BOOLEAN = 16 /* TRUE, FALSE */
} mgl_cell_look;

/* Cells that the file declares to be missing: first to last, equal for one of them. */
typedef struct mgl_missing_range {
    mgl_span first, last; /* as cells; of numbers, an empty one is without end */
} mgl_missing_range;

/* What the file says about a column that is an option of a method in a job: "identification", "3".
 */
enum { MGL_META_OPTIONS = 2 };
typedef struct mgl_meta_option {
    const char *name;
    char value[24]; /* as a job writes it */
} mgl_meta_option;

typedef struct mgl_column_meta {
    mgl_cell_kind kind;
    const char *label; /* what the column is about; NULL: not known */
    mgl_value_labels labels;
    const mgl_missing_range *missing;
    size_t n_missing;
    bool by_cell;    /* each cell had a kind of its own; known after the first pass */
    unsigned looks;  /* where by_cell: the kinds that are distinct from texts by their looks */
    size_t width;    /* in characters, where the file fixes it; else 0 */
    size_t decimals; /* behind the point, where the file fixes them; else 0 */
    mgl_meta_option options[MGL_META_OPTIONS];
    size_t n_options;
    unsigned json; /* what the values of a column of JSON were: bits of mgl_jsonl_values; else 0 */
    const char *type; /* as an engine calls it that makes values of our texts again; NULL: none */
} mgl_column_meta;

/* Kinds of values of a column of JSON. None of its strings looks like another kind that it has. */
typedef enum mgl_jsonl_values {
    MGL_JSONL_HAS_STRINGS = 1,
    MGL_JSONL_HAS_NUMBERS = 2,
    MGL_JSONL_HAS_BOOLEANS = 4,
    MGL_JSONL_KINDS = 7,
    MGL_JSONL_AS_RAW = 8, /* or else: its cells are the bytes of values, such as lists */
    MGL_JSONL_FULL = 16   /* no line lacks a value: what reads like a missing cell is a text */
} mgl_jsonl_values;
/* Whether the text is a number of JSON. 007 and 1. are not. */
bool mgl_jsonl_is_number(mgl_span text);

/* ---- Sources ------------------------------------------------------------------ */

typedef struct mgl_source_options {
    const mgl_format *format; /* NULL: by the location */
    const char *const *parts; /* further parts, where the location is one */
    size_t n_parts;
    const char *beside; /* the second file of formats that have two; NULL: found by name */
    char delimiter;     /* 0: sniffed */
    bool no_header;     /* columns are called column1, column2, ..., or by `names` */
    /* Of text and workbooks: whether the first line is a header is judged by the lines below it
     * and by the columns that the job names; `no_header` is false then. */
    bool judges_header;
    const mgl_span *named; /* [n_named] columns that the job names, by mgl_header_names_sort */
    size_t n_named;
    struct mgl_headerless *headerless; /* gets what was found; optional */
    const char **names;                /* [n_names] of the columns; NULL: not given */
    size_t n_names;
    const char *encoding;    /* NULL: UTF-8 */
    uint64_t most_unpacked;  /* bytes that compressed text may become; 0: the usual limit */
    bool allow_unnamed;      /* an empty column name becomes columnN by position
                                instead of being refused (commands that do not release) */
    bool may_be_empty;       /* a table without rows is not refused: a slice can be such */
    const mgl_span *missing; /* cells that mean missing; the first is what is released */
    size_t n_missing;
    bool missing_said;     /* the job names them */
    const mgl_span *usual; /* [n_usual] cells that mean missing in tables that are text, where the
                              data has null; NULL: `missing` */
    size_t n_usual;
    size_t n_labels;  /* a release: the last so many of them are values in quasi-identifiers, whose
                         missing cells are released as the first */
    char decimal;     /* sign of numbers, '.' or ','; 0: found out for each column */
    bool has_century; /* two-digit years up to `century` are 20YY, the others 19YY */
    uint8_t century;
    mgl_spelling spelling; /* differences of spelling that are ignored */
    bool as_written;       /* values stay the texts they are, whatever other options are set */
    mgl_span no_value;     /* how a cell reads that has no value, in files that have such cells */
    unsigned threads;      /* that an engine within this process may use; 0: one per core */
    uint64_t memory;       /* bytes that it may use; 0: default */
} mgl_source_options;

/* Tables that were judged to have no header: that of the job, and others that it names. */
typedef struct mgl_headerless {
    bool data, other;
} mgl_headerless;

/* Sorts the names of columns for `named`. */
void mgl_header_names_sort(mgl_span *names, size_t n);

/* How many of the tokens mean missing in a column of this role. */
static inline size_t mgl_missing_tokens(const mgl_source_options *options, mgl_role role)
{
    if (role == MGL_ROLE_CELLS)
        return 0;
    return options->n_missing - (role == MGL_ROLE_QUASI ? options->n_labels : 0);
}

/* For another table of the job than its data: unless the job names cells that mean missing, null
 * alone is missing in a table in memory, null and the empty text in a database, and the usual texts
 * are in all others. */
mgl_source_options mgl_options_of_other(const mgl_source_options *options, const char *location);

/* The same tokens for a release: those after the first for which is_label is true are values in
 * quasi-identifiers. The arena must outlive the options. */
typedef bool mgl_is_label_fn(mgl_span token, const void *context);
mgl_status mgl_tokens_of_release(mgl_source_options *options, mgl_is_label_fn *is_label,
                                 const void *context, mgl_arena *arena, mgl_error *err);

typedef struct mgl_source mgl_source;

/* Opens the location (a path, "-", SCHEME:...). Duplicate column names, an empty file, a
 * header without rows are refused. The options (and what they point to)
 * must outlive the source. Free with mgl_source_close. */
mgl_status mgl_source_open(const char *location, const mgl_source_options *options, mgl_error *err,
                           mgl_source **out);
/* The same of a table, of which the source takes a reference. name: for messages. */
mgl_status mgl_source_open_arrow(mgl_arrow_table *table, const char *name,
                                 const mgl_source_options *options, mgl_error *err,
                                 mgl_source **out);
/* The table in memory that is read; NULL: the source is another one. Borrowed. */
mgl_arrow_table *mgl_source_arrow(const mgl_source *source);
void mgl_source_close(mgl_source *source);

/* The same source for another job, which may look at its cells in another way: missing cells,
 * spellings and notations are those of these options from now on, and columns without a header are
 * called by them. How records are cut was decided when it was opened. MGL_DATA if a column lacks a
 * name and the job requires names. */
mgl_status mgl_source_use(mgl_source *source, const mgl_source_options *options, mgl_error *err);
/* MGL_DATA if what was opened is not what it was, as far as that can be seen without reading. */
mgl_status mgl_source_unchanged(mgl_source *source, mgl_error *err);

const char *mgl_source_name(const mgl_source *source); /* for messages */
uint64_t mgl_source_size(const mgl_source *source);    /* bytes, as far as known; else 0 */
size_t mgl_source_columns(const mgl_source *source);
const char *mgl_source_column(const mgl_source *source, size_t column);
size_t mgl_source_find(const mgl_source *source, const char *column); /* SIZE_MAX: none */
/* Marks names of columns in a message as values of the data (mgl_shown), if the header looks like a
 * record: one of its cells is a date, a long number, an address or a person. */
void mgl_source_hide_names(const mgl_source *source, char *message, size_t room);
/* NULL: nothing is known. */
const mgl_column_meta *mgl_source_meta(const mgl_source *source, size_t column);
/* How its records are cut, and how a release of it is written as text. */
const mgl_dialect *mgl_source_dialect(const mgl_source *source);

/* A column to keep, and as what. */
typedef struct mgl_column_request {
    size_t source_index;
    mgl_role role;
} mgl_column_request;

/* ---- Some rows of a source ---- */

/* Which rows a job is about. Rows of the source are numbered from 0. */
typedef struct mgl_row_choice {
    uint64_t n_rows;   /* of the source */
    uint64_t n_chosen; /* of these */
    uint64_t *bits;    /* [n_rows / 64 + 1] */
} mgl_row_choice;

static inline bool mgl_row_is_chosen(const mgl_row_choice *chosen, uint64_t row)
{
    return row < chosen->n_rows && chosen->bits[row / 64] >> row % 64 & 1;
}

/* From now on the source reads as if it had these rows only, in both passes: codes, records and
 * lines are those of the chosen rows. NULL: all rows. The choice must outlive what is read. */
void mgl_source_choose(mgl_source *source, const mgl_row_choice *chosen);
const mgl_row_choice *mgl_source_chosen(const mgl_source *source); /* NULL: all rows */

/* The same by the engine of the source: rows whose cells are among some texts. A filter is a
 * program on a stack of truth values. */
typedef enum mgl_filter_kind { MGL_FILTER_AMONG, MGL_FILTER_AND, MGL_FILTER_OR } mgl_filter_kind;

typedef struct mgl_filter_step {
    mgl_filter_kind kind;
    size_t column;         /* MGL_FILTER_AMONG: of the source */
    const mgl_span *texts; /* [n] of its cells, as they are read; missing ones as the first token */
    size_t n;
} mgl_filter_step;

typedef struct mgl_cell_filter {
    mgl_filter_step *steps;
    size_t n_steps;
} mgl_cell_filter;

/* Can the engine of the source leave rows out? */
bool mgl_source_filters(const mgl_source *source);
/* From now on the source has these rows only; NULL: all of them. *n_rows: how many there are. */
mgl_status mgl_source_filter(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                             uint64_t *n_rows);

/* Columns of one coding have the same codes, whatever their roles are. */
uint64_t mgl_source_coding(const mgl_source *source, mgl_role role);
/* The columns that a job keeps, of which it has the codes already: second passes go by it. */
mgl_status mgl_source_keep(mgl_source *source, const mgl_column_request *requests,
                           size_t n_requests, mgl_error *err);

/* First pass: the requested columns as codes, in the order of the requests. A cell that is
 * one of the missing tokens becomes the dictionary's missing value. Every cell of every
 * column is checked (UTF-8, quotes, number of fields), kept or not. MGL_DATA if the file
 * changed meanwhile. Free with mgl_table_free. */
mgl_status mgl_source_read(mgl_source *source, const mgl_column_request *requests,
                           size_t n_requests, mgl_pool *pool, const mgl_progress *progress,
                           mgl_error *err, mgl_table **out);

/* The same in stripes, if not all rows are needed at once: take is called with the table
 * whenever about so many rows have been read, and at the end. Codes mean the same in all stripes;
 * afterwards the table has no rows. */
typedef struct mgl_row_sink {
    size_t rows;
    mgl_status (*take)(void *context, const mgl_table *stripe, mgl_error *err);
    void *context;
} mgl_row_sink;
typedef struct mgl_stream_request {
    const mgl_column_request *requested; /* [n_requested] */
    size_t n_requested;
    const mgl_row_sink *sink; /* NULL: all rows at once */
    mgl_pool *pool;
    const mgl_progress *progress;
} mgl_stream_request;
mgl_status mgl_source_stream(mgl_source *source, const mgl_stream_request *request, mgl_error *err,
                             mgl_table **out);

/* SHA-256 of the file that was read, if it was asked for before, and its bytes. NULL: its bytes
 * were not read as they are on disk (packed, converted, no file); they must be hashed apart. */
void mgl_source_hash(mgl_source *source);
const char *mgl_source_sha256(const mgl_source *source);

/* Can the engine of the source count by itself? */
bool mgl_source_counts(const mgl_source *source);
/* The same as a counted table: one row for each combination of cells, and how often it occurs.
 * No record leaves the engine, but a combination that occurs once is as good as one. */
mgl_status mgl_source_count(mgl_source *source, const mgl_column_request *requests,
                            size_t n_requests, const mgl_progress *progress, mgl_error *err,
                            mgl_table **out);
/* The same of some combinations: about one in 2^level, drawn by a hash of their cells as they are
 * read, which is the same for every order of the rows and every engine. */
mgl_status mgl_source_count_some(mgl_source *source, const mgl_column_request *requests,
                                 size_t n_requests, unsigned level, const mgl_progress *progress,
                                 mgl_error *err, mgl_table **out);

/* What the values of a column read as on each level of a hierarchy; level 0 are the values. */
typedef struct mgl_value_levels {
    size_t column; /* of the source */
    uint32_t n_values, n_levels;
    mgl_span (*label)(const void *context, uint32_t value, uint32_t level);
    const void *context;
} mgl_value_levels;

/* Can the engine of the source do what follows? */
bool mgl_source_regroups(const mgl_source *source);
/* Lets the engine group records whose combination of these columns fewer than `least` records have,
 * with every column one level up, those that are still rarer two levels up, and so on; what is left
 * at the tops is one group. From then on mgl_source_count and releases name groups: the labels that
 * a record is grouped by stand in the place of its values. target: where a release goes, beside
 * which the engine may keep its tables until then; NULL: nowhere. */
mgl_status mgl_source_regroup(mgl_source *source, const mgl_value_levels *columns, size_t n,
                              uint64_t least, const char *target, const mgl_progress *progress,
                              mgl_error *err);
/* A counted table of the values of one column that are not listed. */
mgl_status mgl_source_count_others(mgl_source *source, mgl_column_request request,
                                   const mgl_value_levels *listed, const char *target,
                                   const mgl_progress *progress, mgl_error *err, mgl_table **out);

/* Second pass: the records in order, as text fields, without the header. Between
 * mgl_source_rewind and the end, spans live until the next call. n_records 0: the end,
 * and the file has been found unchanged. */
/* Do records live until the call after the next one? Then one thread can read while others work. */
bool mgl_source_lasts(const mgl_source *source);
mgl_status mgl_source_rewind(mgl_source *source, mgl_error *err);
mgl_status mgl_source_next(mgl_source *source, mgl_error *err, mgl_records *out);

/* The same for several threads, of sources that last: begins the second pass, plans the next blocks
 * of records and returns how many there are to be cut, cuts one of them (from any thread), and
 * returns them in order when all are cut: no block with records at the end. They live until the
 * blocks after the next ones are cut. */
mgl_status mgl_source_share(mgl_source *source, unsigned threads, mgl_error *err);
size_t mgl_source_plan(mgl_source *source);
void mgl_source_cut(mgl_source *source, size_t block);
mgl_status mgl_source_settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                             size_t *n);

/* The line that a row, counted from 0, begins on, for messages; 0: it has none. Takes a pass over
 * the data. */
uint64_t mgl_source_line(mgl_source *source, size_t row);

/* The same for sources of any kind: visit gets one block of records after another; what it
 * returns but MGL_OK ends the pass. */
typedef mgl_status mgl_records_fn(void *context, const mgl_records *records, mgl_error *err);
mgl_status mgl_source_each(mgl_source *source, mgl_records_fn *visit, void *context,
                           mgl_error *err);

/* ---- Sinks -------------------------------------------------------------------- */

/* Rows as cells one after another, each behind its length: how they wait to be written. */
void mgl_cells_put(mgl_buffer *out, mgl_span cell);
/* Writes them to the end of a private file, a good many at a time, and empties the buffer. */
enum { MGL_CELLS_AT_ONCE = 1 << 18 };
mgl_status mgl_cells_flush(mgl_buffer *cells, int fd, mgl_error *err);

typedef struct mgl_cell_reader mgl_cell_reader;
/* Reads such rows from the beginning of the file. Free with mgl_cell_reader_free. */
mgl_status mgl_cell_reader_new(int fd, size_t n_columns, mgl_error *err, mgl_cell_reader **out);
void mgl_cell_reader_free(mgl_cell_reader *reader);
/* The next row, n_columns cells that live until the next call; NULL: the end. */
mgl_status mgl_cell_reader_next(mgl_cell_reader *reader, mgl_error *err, const mgl_span **cells);

/* A column of a release, all of whose cells have been seen. */
typedef struct mgl_sink_column {
    const char *name;
    const mgl_column_meta *meta; /* of the source; NULL: nothing is known */
    bool recoded;                /* a quasi-identifier */
    bool as_is;                  /* its cells are those of the source */
    bool exact;                  /* its cells are judged: each must read back just as it is */
    size_t longest;              /* bytes of its longest cell */
    /* What its cells can be written as without loss, missing ones aside. */
    bool numbers, whole, dates, datetimes;
    bool json_numbers, booleans; /* likewise: as numbers of JSON, as true and false */
    bool padded;                 /* some cell ends in a space */
    mgl_value_labels labels;     /* those of the source that still mean what they did */
} mgl_sink_column;

typedef struct mgl_sink_request {
    const char *path;   /* of the staged file that is written */
    int fd;             /* of the same file, open for writing */
    const char *target; /* what it will be called */
    int beside;         /* the second file, for formats that have two */
    const mgl_sink_column *columns;
    size_t n_columns;
    uint64_t n_rows;
    mgl_cell_reader *rows;
    const mgl_span *missing; /* cells that mean missing */
    size_t n_missing;
    mgl_buffer *warnings; /* each "code\tmessage" and NUL */
    unsigned threads;     /* for an engine that writes; 0: one per core */
    uint64_t memory;      /* bytes for it; 0: a default */
} mgl_sink_request;

/* Writes all rows in the format, which must have a sink. */
mgl_status mgl_sink_write(const mgl_format *format, const mgl_sink_request *request,
                          mgl_error *err);

typedef enum mgl_sink_shape {
    MGL_AS_TEXT,
    MGL_AS_WHOLE,
    MGL_AS_NUMBER,
    MGL_AS_DATE,
    MGL_AS_DATETIME
} mgl_sink_shape;
/* What a column is written as: what it was, if its cells still are that. Warns if it was a column
 * of numbers or dates and becomes text. */
mgl_sink_shape mgl_sink_choose(const mgl_sink_request *request, const mgl_sink_column *column);
/* Warns that a column of this kind is written as text. */
void mgl_sink_warn_text(mgl_buffer *warnings, const char *column, mgl_cell_kind kind);

/* Is the cell one of the missing ones? */
bool mgl_sink_missing(const mgl_sink_request *request, mgl_span cell);

/* ---- Releases that are folders, divided by columns ------------------------------------------- */

/* Folders COLUMN=VALUE within folders, as hive has them. */
typedef struct mgl_partitions {
    const char *const *columns; /* in the order of the folders */
    size_t n_columns;
    unsigned threads;
    uint64_t memory;    /* bytes; 0: a default */
    const char *target; /* for messages */
} mgl_partitions;

/* MGL_DATA if there is something at the target that is not to be replaced: a folder that is not
 * empty unless overwrite, and whatever is no folder of Parquet files. */
mgl_status mgl_partitions_check_target(const char *target, bool overwrite, mgl_error *err);
/* Writes the rows of a Parquet file to a folder that is empty, reads them back and compares them:
 * what holds for the file holds for the folder. MGL_DATA if a column cannot name folders, or if
 * there would be too many. */
mgl_status mgl_partition_file(const char *file, const char *folder,
                              const mgl_partitions *partitions, mgl_error *err);

#endif
