/* io: where tables come from and where releases go.
 *
 * A source is a table that can be read more than once. The first pass turns the columns that matter
 * into codes; the second gives every record again, so that what is only passed through need not be
 * kept. A sink writes the rows of a release. What can be read or written is a table of formats: one
 * row and one file each. */
#ifndef MGL_IO_H
#define MGL_IO_H

#include "io/arrow/arrow.h"
#include "io/digest.h"
#include "table/table.h"
#include "text/text.h"

typedef struct mgl_source mgl_source;

/* ---- Locations: what they name --------------------------------------------------------------- */

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

/* ---- Releases that an engine writes, or that are loaded into a table of a database ----------- */

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

/* ---- Recodings and counts in files. Both are as secret as the table: they hold ground values - */

/* A part: what a slice of a table holds, counted. As secret as the table. */
typedef struct mgl_part {
    const char *version; /* of the mingle that counted */
    size_t n_columns;    /* of the slice, each with its role */
    const char **columns;
    mgl_role *roles;
    mgl_table *table; /* the counted ones: quasi-identifiers, then sensitive ones */
    mgl_fingerprint fingerprint;
    const char *reading; /* how it was read: lines KEY=VALUE of the job; "": by default */
    mgl_arena *arena;    /* if it was read from a file */
} mgl_part;

/* The file as bytes. */
mgl_status mgl_part_pack(const mgl_part *part, mgl_error *err, mgl_buffer *out);
/* 1: it is one, 0: it is not, -1: it cannot be read (errno). */
int mgl_is_part(const char *path);
/* Free with mgl_part_free. */
mgl_status mgl_part_read(const char *path, mgl_error *err, mgl_part **out);
void mgl_part_free(mgl_part *part);
/* Those that a source is made of; NULL if it is not made of parts. */
const mgl_part *const *mgl_source_parts(const mgl_source *source, size_t *n);

/* What a released text of a column stands for. */
typedef struct mgl_saved_label {
    uint32_t level; /* the lowest that carries it; MGL_NOT_FOUND: a range or an average */
    uint32_t first_leaf, leaves;
    double cost;      /* of a cell, in the measure of the job, with the weight of the column */
    double low, high; /* of columns on a scale: the numbers it stands for; NAN: no number */
} mgl_saved_label;

/* The hierarchy of a column with the leaves that did not occur, so that other values find their
 * place in it. */
typedef struct mgl_saved_tree {
    const char *rule; /* the builder that places values which are no leaves; "": none does */
    /* Released as ranges or averages: 1 of numbers, 2 of dates; 0: as values of the hierarchy. */
    uint32_t scale;
    uint32_t height, n_leaves;
    uint32_t missing_leaf; /* MGL_NOT_FOUND: the missing value did not occur */
    uint32_t level;     /* that all cells have which are not suppressed; MGL_NOT_FOUND: they mix */
    uint32_t *n_values; /* [height + 1] */
    mgl_span **labels;  /* [height + 1][n_values] */
    uint32_t **of_leaf; /* [height + 1][n_leaves] the value there */
    uint32_t *leaf_of;  /* [n_leaves of the column] the leaf here */
    mgl_saved_label *saved_labels; /* [n_labels of the column] */
} mgl_saved_tree;

/* A quasi-identifier column: the values it had and what it is released as. */
typedef struct mgl_saved_quasi {
    const char *name;
    mgl_dictionary *ground; /* its values, the missing one among them */
    uint32_t *leaf_of_code; /* [size of the dictionary] values that count as one are one */
    uint32_t n_leaves, n_labels;
    const mgl_span *labels; /* what cells are released as */
    uint32_t top;           /* the label of a suppressed cell */
    mgl_saved_tree *tree;   /* NULL: the file is older than trees (version 1.2) */
} mgl_saved_quasi;

/* Sets of items: what each is released as. */
typedef struct mgl_saved_items {
    const char *column, *separator;
    uint32_t n_leaves; /* of the hierarchy of the items */
    size_t n_labels;
    mgl_span *labels; /* what items are released as, in the order in which cells show them */
    uint32_t *leaves; /* [n_labels] under each */
    size_t n_items;
    mgl_span *items;    /* all of the hierarchy */
    uint32_t *label_of; /* [n_items] MGL_NOT_FOUND: left out */
} mgl_saved_items;

typedef struct mgl_saved_recoding {
    const char *version, *method; /* of the mingle that searched */
    const char *job;              /* the job, as JSON */
    bool drops;                   /* suppressed rows are left out of the release */
    uint64_t n_rows;
    size_t n_columns; /* of the table, each with its role */
    const char **columns;
    mgl_role *roles;
    size_t n_counted; /* columns that were counted, as fingerprints have them */
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
    mgl_saved_items *items; /* NULL: no column has sets of items */
    mgl_arena *arena;       /* owns all but the dictionaries, if it was read from a file */
} mgl_saved_recoding;

/* The file as bytes. */
mgl_status mgl_saved_recoding_pack(const mgl_saved_recoding *saved, mgl_error *err,
                                   mgl_buffer *out);
/* Free with mgl_saved_recoding_free. */
mgl_status mgl_saved_recoding_read(const char *path, mgl_error *err, mgl_saved_recoding **out);
void mgl_saved_recoding_free(mgl_saved_recoding *saved);

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
    bool found;      /* kinds were found out by looking at all cells: no file states them */
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
    bool missing_given;    /* the job names them */
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
