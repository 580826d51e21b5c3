/* table: columns of dictionary codes, roles, and the plain group a model judges. */
#ifndef MGL_TABLE_H
#define MGL_TABLE_H

#include "base/base.h"
#include "notation/notation.h"
#include "text/text.h"

typedef enum mgl_role {
    MGL_ROLE_NONE,
    MGL_ROLE_IDENTIFIER,
    MGL_ROLE_QUASI,
    MGL_ROLE_SENSITIVE,
    MGL_ROLE_INSENSITIVE,
    MGL_ROLE_ITEMS, /* cells are sets of items, of which combinations are frequent */
    MGL_ROLES,
    MGL_ROLE_CELLS = MGL_ROLES /* of a column that is read, no role of a job: every cell stands for
                                  itself, also those that mean missing */
} mgl_role;

const char *mgl_role_name(mgl_role role); /* "quasi", ... */
bool mgl_role_parse(mgl_span text, mgl_role *out);

/* What the values of a column are declared to be (--kind), whatever they look like. */
typedef enum mgl_given_kind {
    MGL_GIVEN_NOTHING,
    MGL_GIVEN_NOMINAL, /* names, though they may be written as numbers */
    MGL_GIVEN_NUMBER,
    MGL_GIVEN_DATE,
    MGL_GIVEN_KINDS
} mgl_given_kind;

bool mgl_given_kind_parse(mgl_span text, mgl_given_kind *out); /* "nominal" */

/* ---- Dictionary: the distinct values of a column, numbered from 0 ---------- */

typedef struct mgl_dictionary mgl_dictionary;

mgl_dictionary *mgl_dictionary_new(void); /* NULL when memory is out; free as below */
void mgl_dictionary_free(mgl_dictionary *dictionary);
uint32_t mgl_dictionary_size(const mgl_dictionary *dictionary);
mgl_span mgl_dictionary_value(const mgl_dictionary *dictionary, uint32_t code);
/* The code of the value, added if new; MGL_NOT_FOUND when memory is out. */
uint32_t mgl_dictionary_add(mgl_dictionary *dictionary, mgl_span value);
uint32_t mgl_dictionary_find(const mgl_dictionary *dictionary, mgl_span value);
/* The code that stands for a missing cell; MGL_NOT_FOUND if none occurs. */
uint32_t mgl_dictionary_missing(const mgl_dictionary *dictionary);
/* The missing value is its own code even where the same text occurs otherwise. */
uint32_t mgl_dictionary_add_missing(mgl_dictionary *dictionary, mgl_span first_token);

/* Adds all values of another one, the missing value among them. False when memory is out. */
bool mgl_dictionary_join(mgl_dictionary *dictionary, const mgl_dictionary *more);

/* Takes over what is known about the values of another one: labels, notation, places. */
void mgl_dictionary_resemble(mgl_dictionary *dictionary, const mgl_dictionary *other);

/* Where a value first occurs: "FILE:LINE", or "" if unknown. For messages only, since it
 * may take a pass over the data. */
enum { MGL_PLACE_TEXT = 256 };
typedef void mgl_place_fn(void *context, uint32_t code, char text[MGL_PLACE_TEXT]);
void mgl_dictionary_set_origins(mgl_dictionary *dictionary, mgl_place_fn *fn, void *context);
const char *mgl_dictionary_origin(const mgl_dictionary *dictionary, mgl_span value,
                                  char text[MGL_PLACE_TEXT]);

/* What its values mean. Borrowed; the labels must outlive the dictionary. NULL if absent. */
void mgl_dictionary_set_labels(mgl_dictionary *dictionary, const mgl_value_labels *labels);
const mgl_value_labels *mgl_dictionary_labels(const mgl_dictionary *dictionary);

/* How its numbers and dates are written: to be used whenever a value is read as a number or a date.
 * The plain notation until another one is set. */
const mgl_notation *mgl_dictionary_notation(const mgl_dictionary *dictionary);
void mgl_dictionary_set_notation(mgl_dictionary *dictionary, const mgl_notation *notation);
/* Detects the notation of numbers from the values; all else is left as it is in *out. */
mgl_number_verdict mgl_dictionary_sniff(const mgl_dictionary *dictionary, mgl_notation *out);
/* In how many rows each value occurs, if they were counted (mgl_column_count_rows): none for
 * values that were added later. */
bool mgl_dictionary_knows_rows(const mgl_dictionary *dictionary);
uint64_t mgl_dictionary_rows(const mgl_dictionary *dictionary, uint32_t code);

/* ---- Columns --------------------------------------------------------------- */

/* Where the rows are that are not in memory; see below. */
typedef struct mgl_window mgl_window;

/* Codes are 1, 2 or 4 bytes wide, as the dictionary needs. */
typedef struct mgl_column {
    char *name; /* owned */
    mgl_role role;
    uint32_t source_index; /* which column of the source this is, from 0 */
    mgl_dictionary *dictionary;
    unsigned width;
    void *codes;
    size_t capacity;    /* in codes */
    mgl_window *window; /* NULL: codes has all rows */
    uint64_t number;    /* in a session: columns of one number have the same values and codes */
    bool shared;        /* name, dictionary and codes are borrowed */
    bool follows;       /* another column of the window (mgl_window_follow) */
} mgl_column;

typedef struct mgl_table {
    size_t n_rows;
    uint64_t *times;  /* a counted table: how many records each row stands for; NULL: one */
    size_t n_columns; /* only the columns that are kept */
    mgl_column *columns;
    mgl_window *window; /* of all columns; owned */
    bool shares_rows;   /* times and window are borrowed */
} mgl_table;

/* Columns of width 1 with empty dictionaries, without names. NULL when memory is out;
 * free with mgl_table_free. */
mgl_table *mgl_table_new(size_t n_columns);
void mgl_table_free(mgl_table *table);
/* Frees what the column has, unless it is shared. */
void mgl_column_clear(mgl_column *column);
/* A deep copy of a column: the same name, values and codes. All rows must be in memory;
 * how many rows a value has is not copied. Free with mgl_column_clear. */
mgl_status mgl_column_copy(const mgl_column *from, size_t n_rows, mgl_error *err, mgl_column *out);
mgl_column *mgl_table_column(const mgl_table *table, const char *name); /* NULL if absent */

/* Stores in the dictionary of the column in how many rows each value occurs; times as in
 * mgl_table. Counts once. */
mgl_status mgl_column_count_rows(const mgl_column *column, size_t n_rows, const uint64_t *times,
                                 mgl_error *err);

/* Reads a column that gives how many records each row stands for, as mgl_table has it: whole
 * numbers above 0. MGL_DATA if a cell is something else. Free with mgl_free. */
mgl_status mgl_column_as_times(const mgl_column *column, size_t n_rows, mgl_error *err,
                               uint64_t **out);

/* Makes room for rows more codes at the current width. */
bool mgl_column_reserve(mgl_column *column, size_t rows_before, size_t more);
/* The same for a column without codes of which the rows are known. */
bool mgl_column_reserve_all(mgl_column *column, size_t rows);
/* Widens the codes so that `code` fits; rows_before codes are kept. */
bool mgl_column_widen(mgl_column *column, size_t rows_before, uint32_t code);

static inline uint32_t mgl_column_code(const mgl_column *column, size_t row)
{
    switch (column->width) {
    case 1:
        return ((const uint8_t *)column->codes)[row];
    case 2:
        return ((const uint16_t *)column->codes)[row];
    default:
        return ((const uint32_t *)column->codes)[row];
    }
}

static inline void mgl_column_set(mgl_column *column, size_t row, uint32_t code)
{
    switch (column->width) {
    case 1:
        ((uint8_t *)column->codes)[row] = (uint8_t)code;
        break;
    case 2:
        ((uint16_t *)column->codes)[row] = (uint16_t)code;
        break;
    default:
        ((uint32_t *)column->codes)[row] = code;
    }
}

/* ---- Differences of spelling that are ignored --------------------------------------- */

typedef struct mgl_spelling {
    bool trim;      /* blanks around values do not count */
    bool fold_case; /* the case of letters does not */
    bool collapse;  /* nor does the number of blanks within; only with both others */
} mgl_spelling;

/* Puts into key what is the same for all spellings of the value. False when memory is out. */
bool mgl_spelling_key(mgl_spelling spelling, mgl_span text, mgl_buffer *key);

/* Lets values that are spelled alike be one, under the spelling that most rows have (of equally
 * frequent ones the bytewise least), and those that are spelled like one of the missing cells
 * missing; in quasi-identifiers the last n_labels of those are values like others. The codes of the
 * table must be in memory. */
mgl_status mgl_table_respell(mgl_table *table, mgl_spelling spelling, const mgl_span *missing,
                             size_t n_missing, size_t n_labels, mgl_error *err);

/* Finds values of a dictionary whatever their spelling. Free with mgl_spelling_finder_free. */
typedef struct mgl_spelling_finder {
    mgl_spelling spelling;
    mgl_map *keys;
    uint32_t *codes; /* [key] */
    mgl_buffer key;
} mgl_spelling_finder;
mgl_status mgl_spelling_index(const mgl_dictionary *dictionary, mgl_spelling spelling,
                              mgl_error *err, mgl_spelling_finder *out);
void mgl_spelling_finder_free(mgl_spelling_finder *finder);
/* MGL_NOT_FOUND: no value is spelled alike. */
uint32_t mgl_spelling_find(mgl_spelling_finder *finder, mgl_span value);

/* Spells the values of a column that was respelled as another table does. Codes stay. */
mgl_status mgl_column_adopt(mgl_column *column, const mgl_dictionary *from, mgl_spelling spelling,
                            mgl_error *err);

/* ---- Values of sensitive columns ----------------------------------------------------- */

/* When two cells of a sensitive column are one value to the models
 * (docs/definitions.md#sensitive-values). All zero: cells are texts, whatever their spelling. */
typedef struct mgl_cell_rule {
    bool exact;            /* only equal cells are one value */
    mgl_given_kind kind;   /* numbers and dates are compared as such */
    mgl_notation notation; /* of these */
    mgl_date_order order;
} mgl_cell_rule;

/* Puts into key what all cells of one value have in common. False when memory is out. */
bool mgl_value_key(const mgl_cell_rule *rule, mgl_span text, mgl_buffer *key);

/* The values of the cells of a dictionary. */
typedef struct mgl_values {
    mgl_dictionary *dictionary; /* each value under the bytewise least of its spellings; NULL: each
                                   cell is a value of its own */
    uint32_t *of_code;          /* [code of a cell] its value */
} mgl_values;

/* Cells that are spelled like one of the missing ones are missing, too. Free with
 * mgl_values_free. */
mgl_status mgl_values_find(const mgl_dictionary *cells, const mgl_cell_rule *rule,
                           const mgl_span *missing, size_t n_missing, mgl_error *err,
                           mgl_values *out);
void mgl_values_free(mgl_values *values);
/* The column with the values, which it takes over, in place of its cells. A column in a window is
 * another one in the same window. Free with mgl_column_clear, before the window. */
mgl_status mgl_values_column(mgl_values *values, const mgl_column *from, size_t n_rows,
                             mgl_error *err, mgl_column *out);

/* The one order in which all dates among the cells can be read; false if there is no such order, or
 * more than one. */
bool mgl_values_order(const mgl_dictionary *cells, const mgl_notation *notation,
                      mgl_date_order *out);

/* Finds texts by their value. Free with mgl_value_finder_free. */
typedef struct mgl_value_finder {
    const mgl_cell_rule *rule; /* borrowed */
    mgl_map *keys;
    uint32_t *first; /* [key] the number of the first text with it */
    mgl_buffer key;
} mgl_value_finder;
/* text(context, i): the texts, [n]; one without bytes (data NULL) is left out. */
typedef mgl_span mgl_text_fn(const void *context, uint32_t i);
mgl_status mgl_value_finder_new(const mgl_cell_rule *rule, mgl_text_fn *text, const void *context,
                                uint32_t n, mgl_error *err, mgl_value_finder *out);
/* Of the values of a dictionary, the missing one left out. */
mgl_status mgl_value_finder_of(const mgl_cell_rule *rule, const mgl_dictionary *dictionary,
                               mgl_error *err, mgl_value_finder *out);
void mgl_value_finder_free(mgl_value_finder *finder);
/* The number of the first text of the same value; MGL_NOT_FOUND if absent, or memory is out. */
uint32_t mgl_value_find(mgl_value_finder *finder, mgl_span text);

/* ---- Windows: tables larger than memory ------------------------------------- */

/* The codes of a table that is read in stripes wait in an unlinked private file, and the columns
 * have those of some rows at a time. */

/* memory: bytes that the table and the counting of it may take. Free with mgl_window_free, unless a
 * table owns it. */
mgl_status mgl_window_new(uint64_t memory, mgl_error *err, mgl_window **out);
void mgl_window_free(mgl_window *window);
/* Puts the rows of a stripe into the file. The stripes of one table, in order. */
mgl_status mgl_window_add(mgl_window *window, const mgl_table *rows, mgl_error *err);
/* After the last stripe: the columns of the table, which has no rows of its own, look through the
 * window, and it owns the window. */
mgl_status mgl_window_attach(mgl_window *window, mgl_table *table, mgl_error *err);

/* Sees to it that the row is in memory, in all columns of its table: the code of row r, for
 * *first <= r < *first + *n, is then found as that of row r - *first. Not to be called while
 * another thread looks at the codes. */
mgl_status mgl_column_reach(const mgl_column *column, size_t row, mgl_error *err, size_t *first,
                            size_t *n);
/* From now on the codes of `to`, which has room for those of the largest stripe and no codes yet,
 * follow those of a column of a window: code c becomes map[c]. Until mgl_window_leave. */
mgl_status mgl_window_follow(const mgl_column *from, const uint32_t *map, mgl_column *to,
                             mgl_error *err);
void mgl_window_leave(mgl_column *to);
/* The bytes that counting may take; 0: there is no limit. */
uint64_t mgl_column_memory(const mgl_column *column);

/* ---- Groups ---------------------------------------------------------------- */

/* A sparse histogram: value codes in ascending order, each with a count > 0. */
typedef struct mgl_histogram {
    const uint32_t *values;
    const uint64_t *counts;
    size_t size;
    const uint32_t *meaning; /* [value] the code it stands for; NULL: it is the code */
} mgl_histogram;

static inline uint32_t mgl_histogram_code(const mgl_histogram *histogram, size_t i)
{
    uint32_t value = histogram->values[i];
    return histogram->meaning != NULL ? histogram->meaning[value] : value;
}

/* What a privacy model judges: a set of persons that look alike. */
typedef struct mgl_group {
    uint64_t size;                  /* rows, or persons with --entity */
    uint64_t rows;                  /* rows in any case */
    const mgl_histogram *sensitive; /* one per sensitive attribute */
    size_t n_sensitive;
    uint64_t population; /* matching rows of the population table, or the sum of the weights of
                            the rows, if there is one */
    uint64_t household;  /* members of the largest household with a row in it; 0: not known */
    mgl_histogram *of_history; /* [n_sensitive] room for models that are judged on histories */
} mgl_group;

#endif
