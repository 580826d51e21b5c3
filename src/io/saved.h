/* io: recodings and counts in files, so that a release can be made again, of slices, or be
 * remembered. Both are as secret as the table: they hold ground values and counts. io.h passes it
 * on. */
#ifndef MGL_IO_SAVED_H
#define MGL_IO_SAVED_H

#include "io/digest.h"

typedef struct mgl_source mgl_source;

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

#endif
