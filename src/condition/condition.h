/* condition: which rows a job is about (`where`).
 *
 * A condition compares cells with values that are written in it. It is read once into atoms, one
 * for each comparison, and steps that put them together. What an atom makes of a cell depends on
 * the cell's value alone, so it is found out once for each value of a column; rows only look that
 * up. docs/rows.md describes the language. */
#ifndef MGL_CONDITION_H
#define MGL_CONDITION_H

#include "table/table.h"

/* What a value of the condition is decides how cells are compared with it. */
typedef enum mgl_literal_kind {
    MGL_LITERAL_NUMBER,
    MGL_LITERAL_TEXT,
    MGL_LITERAL_DAY
} mgl_literal_kind;

typedef struct mgl_literal {
    mgl_literal_kind kind;
    mgl_span text; /* without quotes */
    double number; /* or the day, as mgl_date_days has it */
} mgl_literal;

/* All other comparisons are one of these, negated or put together. */
typedef enum mgl_atom_kind {
    MGL_ATOM_IN, /* is equal to one of its literals, which are sorted */
    MGL_ATOM_BELOW,
    MGL_ATOM_AT_MOST,
    MGL_ATOM_LIKE, /* % stands for any text, _ for one character */
    MGL_ATOM_MISSING
} mgl_atom_kind;

typedef struct mgl_atom {
    mgl_atom_kind kind;
    size_t column;   /* of the condition */
    size_t first, n; /* its literals, all of one kind */
} mgl_atom;

/* Steps work on a stack of answers. */
typedef enum mgl_step_kind { MGL_STEP_ATOM, MGL_STEP_NOT, MGL_STEP_AND, MGL_STEP_OR } mgl_step_kind;

typedef struct mgl_step {
    mgl_step_kind kind;
    size_t atom;
} mgl_step;

typedef struct mgl_condition {
    const char **columns; /* [n_columns] names, each once */
    mgl_literal *literals;
    mgl_atom *atoms;
    mgl_step *steps;
    size_t n_columns, n_literals, n_atoms, n_steps;
    size_t deepest; /* answers on the stack at most */
    mgl_arena *arena;
} mgl_condition;

/* MGL_USAGE with a message that goes on after the condition in quotes: where it goes wrong, and
 * what to do. Free with mgl_condition_free. */
mgl_status mgl_condition_read(mgl_span text, mgl_error *err, mgl_condition **out);
void mgl_condition_free(mgl_condition *condition);

/* A condition and the columns that it is about. */
typedef struct mgl_bound_condition mgl_bound_condition;

/* columns: in the order of the condition, with all their values and the notation of these. They
 * must outlive what is bound. MGL_DATA if a cell is compared with a number or a day and is neither
 * that nor missing. Free with mgl_bound_condition_free. */
mgl_status mgl_condition_bind(const mgl_condition *condition, const mgl_column *columns,
                              mgl_error *err, mgl_bound_condition **out);
void mgl_bound_condition_free(mgl_bound_condition *bound);

/* Three answers, so that AND is the least of two, OR the greatest, and NOT turns them over. */
typedef enum mgl_answer { MGL_ANSWER_FALSE, MGL_ANSWER_UNKNOWN, MGL_ANSWER_TRUE } mgl_answer;
/* What an atom makes of a value of its column. */
mgl_answer mgl_condition_answer(const mgl_bound_condition *bound, size_t atom, uint32_t code);

enum { MGL_JUDGED_ROWS = 1024 }; /* at a time, at most */
/* Is the condition true of n rows? first: where their codes are in memory. What is not known, since
 * a cell is missing, is not true. */
void mgl_condition_judge(mgl_bound_condition *bound, size_t first, size_t n, bool *out);

#endif
