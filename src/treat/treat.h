/* treat: what is done to columns before anything is counted: rounding, top coding, masks, noise,
 * ...
 *
 * A treatment is one row of a table. It says what becomes of a value, and, apart from that, how one
 * sees on a released value that it was done: the verifier and the audit ask that of every value of
 * the written file. Several of them can be applied to a column, one after the other.
 *
 * The treated copy of a column is made right after the table is read. What models count points to
 * it, the writer takes it for the cells of the source (`respelled` of mgl_row_plan), the leak guard
 * looks cells up in it, and the verifier asks `keeps` of what was written.
 */
#ifndef MGL_TREAT_H
#define MGL_TREAT_H

#include "table/table.h"

/* ---- Treatments: one row each ------------------------------------------------------------------
 */

struct mgl_treat_step;

/* The values of a column while they are treated: its different ones, or, where persons are treated
 * apart, the different pairs of person and value. */
typedef struct mgl_treat_values {
    mgl_span *texts;           /* [n]; those of missing ones are not looked at */
    uint64_t *rows;            /* [n] that have it */
    const mgl_column *column;  /* as it was read */
    const uint32_t *codes;     /* [n] of the column; NULL: the number itself */
    const uint32_t *persons;   /* [n] codes; NULL: they are not treated apart */
    const mgl_dictionary *ids; /* of these persons */
    uint32_t n;
    uint32_t missing;             /* the code of missing cells; MGL_NOT_FOUND: none */
    const mgl_notation *notation; /* of the column */
    mgl_span key;                 /* size 0: none was given */
    mgl_arena *arena;             /* for what a treatment finds out and makes */
} mgl_treat_values;

/* The rows of a column while they are perturbed: values that are not true of the row any more. */
typedef struct mgl_treat_rows {
    const char *name; /* of the column */
    size_t n;
    mgl_span *texts;              /* [n], which are replaced */
    const uint8_t *missing;       /* [n] stay as they are */
    const mgl_notation *notation; /* of the column */
    mgl_span key;                 /* never empty: without one of the job, from the system */
    mgl_span about;               /* what random numbers depend on beside it and the column */
    const mgl_column *persons;    /* whom rows belong to; NULL: each row is one */
    const mgl_column **others;    /* [n_columns of the step], as they were read */
    mgl_arena *arena;
    size_t bad;        /* the row whose value cannot be treated; SIZE_MAX: none */
    mgl_buffer *wrong; /* why, as a mgl_value_check words it */
} mgl_treat_rows;

typedef struct mgl_treat_type {
    const char *name;    /* "round" */
    const char *syntax;  /* "round(N)" */
    const char *help;    /* one line */
    const char *example; /* "round(10): 37 -> 40" */
    const char *promise; /* what every released value is: "a multiple of N" */
    bool alone;          /* it goes with no other */
    bool leaves_out;     /* the column is not released */
    bool renames;        /* released values tell nothing of what treatments before it made */
    bool one_to_one;     /* different values stay different, and none is one of the table */
    bool needs_key;      /* which only those have who may undo it */
    bool by_person;      /* what becomes of a value depends on whose it is */
    bool names_file;     /* the word of its arguments, where it has one, is a file */
    bool exchanges;      /* perturbed rows have each other's values: each as often as before */

    /* Takes the arguments; false: says what is wrong with them. NULL: there are none. */
    bool (*read)(struct mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong);
    /* Looks at all values of the column before the first is treated. NULL: it need not. */
    mgl_status (*begin)(const struct mgl_treat_step *step, const mgl_treat_values *values,
                        mgl_error *err, void **state);
    /* What becomes of value number `at`, which is not missing; false: `out` says why it cannot be
     * treated, as a mgl_value_check does. */
    bool (*value)(const struct mgl_treat_step *step, const mgl_treat_values *values,
                  const void *state, uint32_t at, mgl_buffer *out);
    /* Is it a value that the promise allows? Shares no code with `value`. */
    bool (*keeps)(const struct mgl_treat_step *step, const mgl_notation *notation, mgl_span value);
    /* Writes the treatment with what it took from the values, so that it does the same to others.
     * NULL: it took nothing. */
    void (*resolve)(const struct mgl_treat_step *step, const mgl_treat_values *values,
                    const void *state, mgl_buffer *out);
    /* In the place of `begin`, `value` and `resolve`: perturbs all rows at once, and writes the
     * treatment. If a value cannot be treated, notes that in `rows` and returns MGL_OK. NULL: it is
     * true of a row what is made of its value. */
    mgl_status (*perturb)(const struct mgl_treat_step *step, mgl_treat_rows *rows, mgl_error *err,
                          mgl_buffer *resolved);
} mgl_treat_type;

const mgl_treat_type *const *mgl_treat_types(size_t *n);

/* ---- What a job says about a column
 * --------------------------------------------------------------
 */

/* A treatment with its arguments. */
typedef struct mgl_treat_step {
    const mgl_treat_type *type;
    mgl_span text;      /* "round(10)" */
    mgl_span arguments; /* "10", without blanks around; size 0: none */
    mgl_decimal number;
    uint64_t count;
    bool left;
    mgl_span word;
    const mgl_span *cuts; /* [n_cuts] */
    size_t n_cuts;
    double share;
    const mgl_span *columns; /* [n_columns] that it looks at besides its own */
    size_t n_columns;
    const double *factors; /* of noise, for its columns in order; NULL: by the values */
} mgl_treat_step;

/* The treatments of a column in their order. */
typedef struct mgl_treat {
    mgl_treat_step *steps;
    size_t n_steps;
    mgl_arena *arena;
} mgl_treat;

/* Is the text a list of treatments that go together? A check of values (mgl_value_check). */
bool mgl_treat_check(mgl_span text, mgl_buffer *wrong);
/* Reads such a text, which is copied. Free with mgl_treat_free. */
mgl_status mgl_treat_new(const char *text, mgl_error *err, mgl_treat **out);
void mgl_treat_free(mgl_treat *treat);
/* Is the column left out of the release? */
bool mgl_treat_leaves_out(const mgl_treat *treat);
/* Are its values made, and unknown before? */
bool mgl_treat_renames(const mgl_treat *treat);
/* Has it a treatment that stays one to one, needs a key, or treats persons apart? */
bool mgl_treat_is_one_to_one(const mgl_treat *treat);
bool mgl_treat_needs_key(const mgl_treat *treat);
bool mgl_treat_by_person(const mgl_treat *treat);
/* The treatment that perturbs its values, so that they are not true of single rows; NULL: none. */
const mgl_treat_step *mgl_treat_perturbs(const mgl_treat *treat);
/* Do two columns get noise that is correlated, as both must say? A column without is NULL. */
bool mgl_treat_noise_agrees(const mgl_treat *treat, const char *column, const mgl_treat *other,
                            mgl_span name);
/* The file that the treatments name, in their text; empty: none. */
mgl_span mgl_treat_path(const char *text);

/* ---- The key of pseudonyms and shifts
 * ------------------------------------------------------------
 */

enum { MGL_LEAST_KEY = 16, MGL_MOST_KEY = 4096 }; /* bytes */
typedef struct mgl_secret {
    size_t size; /* 0: there is none */
    char bytes[MGL_MOST_KEY];
} mgl_secret;
/* Reads the key from a file that only its owner may read, or from the environment (env:NAME). A
 * line end behind it is no part of it. Wipe it with mgl_secret_wipe. */
mgl_status mgl_secret_read(const char *location, mgl_error *err, mgl_secret *out);
/* One from the random numbers of the system, for this release alone. */
mgl_status mgl_secret_draw(mgl_error *err, mgl_secret *out);
void mgl_secret_wipe(mgl_secret *secret);

/* ---- Columns ------------------------------------------------------------------------------------
 */

typedef struct mgl_treat_request {
    const mgl_column *column;
    size_t n_rows;
    const uint64_t *times;   /* as in mgl_table */
    const mgl_span *missing; /* cells that mean missing; the first is what is released */
    size_t n_missing;
    mgl_span key;              /* size 0: none was given */
    const mgl_column *persons; /* the person of each row; NULL: unknown */
    const mgl_column *columns; /* [n_columns] of the table, for treatments that look at others */
    size_t n_columns;
    mgl_column *plain; /* where it is perturbed: gets the column as it was before; optional */
} mgl_treat_request;

/* The treated column, with a dictionary and codes of its own. All rows must be in memory. A value
 * that cannot be treated is MGL_DATA with its place; treatments of which one undoes what another
 * promises are MGL_USAGE. resolved gets the treatments, with what they took from the values. Free
 * with mgl_column_clear. */
mgl_status mgl_treat_column(const mgl_treat *treat, const mgl_treat_request *request,
                            mgl_buffer *resolved, mgl_error *err, mgl_column *out);

/* The place of each row in the order of a column's numbers or dates; NAN where a cell is missing,
 * or everywhere if it has other values (*ordered). In the arena. */
mgl_status mgl_treat_scale_of(const mgl_column *column, size_t n, mgl_arena *arena, mgl_error *err,
                              double **out, bool *ordered);

/* ---- Promises -----------------------------------------------------------------------------------
 */

/* The treatment whose promise a released value breaks; NULL: none. */
const mgl_treat_step *mgl_treat_broken(const mgl_treat *treat, const mgl_notation *notation,
                                       mgl_span value);

#endif
