/* table: columns of dictionary codes, roles, and the plain group a model judges. */
#ifndef MGL_TABLE_H
#define MGL_TABLE_H

#include "base/base.h"

typedef enum mgl_role {
    MGL_ROLE_NONE,
    MGL_ROLE_IDENTIFIER,
    MGL_ROLE_QUASI,
    MGL_ROLE_SENSITIVE,
    MGL_ROLE_INSENSITIVE,
    MGL_ROLES
} mgl_role;

const char *mgl_role_name(mgl_role role); /* "quasi", ... */
bool mgl_role_parse(mgl_span text, mgl_role *out);

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

/* What its values mean. Borrowed; the labels must outlive the dictionary. NULL: there are none. */
void mgl_dictionary_set_labels(mgl_dictionary *dictionary, const mgl_value_labels *labels);
const mgl_value_labels *mgl_dictionary_labels(const mgl_dictionary *dictionary);

/* ---- Columns --------------------------------------------------------------- */

/* Codes are 1, 2 or 4 bytes wide, as the dictionary needs. */
typedef struct mgl_column {
    char *name; /* owned */
    mgl_role role;
    uint32_t source_index; /* which column of the source this is, from 0 */
    mgl_dictionary *dictionary;
    unsigned width;
    void *codes;
    size_t capacity; /* in codes */
} mgl_column;

typedef struct mgl_table {
    size_t n_rows;
    uint64_t *times;  /* a counted table: of how many records each row tells; NULL: of one */
    size_t n_columns; /* only the columns that are kept */
    mgl_column *columns;
} mgl_table;

/* Columns of width 1 with empty dictionaries, without names. NULL when memory is out;
 * free with mgl_table_free. */
mgl_table *mgl_table_new(size_t n_columns);
void mgl_table_free(mgl_table *table);
mgl_column *mgl_table_column(const mgl_table *table, const char *name); /* NULL: no such column */

/* Makes room for rows more codes at the current width. */
bool mgl_column_reserve(mgl_column *column, size_t rows_before, size_t more);
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
    uint64_t population; /* matching rows of the population table, if there is one */
} mgl_group;

#endif
