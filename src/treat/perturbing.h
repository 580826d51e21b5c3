/* What treatments that perturb rows share: their arguments, random numbers, groups of rows, and the
 * order of values. Private to the module. */
#ifndef MGL_TREAT_PERTURBING_H
#define MGL_TREAT_PERTURBING_H

#include "treat/treat_rows.h"

/* ---- Arguments --------------------------------------------------------------------------------
 */

/* Cuts the argument off at a comma, without blanks around; false: there is none. */
bool mgl_treat_next(mgl_span *rest, mgl_span *out);
/* Reads "5 %", or a number up to 1, as a share above 0 and up to `most`. */
bool mgl_treat_read_share(mgl_span text, double most, double *out);
/* Reads what is left of the arguments as the word and names of columns: "within a, b". Nothing left
 * is fine; else false. */
bool mgl_treat_read_columns(mgl_treat_step *step, mgl_span rest, const char *word, mgl_arena *arena,
                            mgl_buffer *wrong);

/* Shares and factors are written with so many digits. */
enum { MGL_FACTOR_DIGITS = 6 };

/* ---- Random numbers (docs/definitions.md#random-numbers-of-perturbations) -----------------------
 */

/* Sets what the numbers of a step depend on: its share, and the cells of its columns, own: the
 * column's as they were read. So a key gives other numbers for other shares and other tables. With
 * persons the cells are left out, since the values of a person stay alike in all tables. */
mgl_status mgl_treat_set_about(const mgl_treat_step *step, const mgl_column *own,
                               mgl_treat_rows *rows, mgl_error *err);
/* The stream of a purpose ("swap:") and a column. */
mgl_status mgl_treat_stream(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                            mgl_error *err, mgl_random *out);
/* Two numbers for each row: of the stream, in the order of rows; with persons by the person and the
 * value, so that equal rows of a person stay equal. */
typedef struct mgl_treat_draws {
    const mgl_treat_rows *rows;
    mgl_random stream;
    mgl_span column;
    const char *purpose;
    mgl_buffer text;
} mgl_treat_draws;
mgl_status mgl_treat_draws_begin(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                                 mgl_error *err, mgl_treat_draws *out);
/* Of the next row; false when memory is out. */
bool mgl_treat_draw(mgl_treat_draws *draws, size_t row, uint64_t out[2]);
void mgl_treat_draws_end(mgl_treat_draws *draws);

/* 0 <= x < 1. */
double mgl_treat_unit(uint64_t number);
/* A standard normal number, the same on every machine. */
double mgl_treat_normal(const uint64_t numbers[2]);

/* ---- Rows -------------------------------------------------------------------------------------
 */

/* A row that takes part: one whose value is not missing. */
typedef struct mgl_treat_place {
    uint32_t row, group;
    double value; /* in order of the values; without an order 0 */
    uint64_t draw;
} mgl_treat_place;

typedef struct mgl_treat_places {
    mgl_treat_place *list; /* by group, value, draw, row */
    size_t n;
} mgl_treat_places;

/* The rows that take part, in groups by the columns of the step (by_group) or in one. With an
 * order, values must be numbers or dates. Rows of one value are in the order of numbers from the
 * stream. If a value is neither, notes that and gives no row. The list is in the arena. */
mgl_status mgl_treat_places_of(const mgl_treat_step *step, mgl_treat_rows *rows, bool ordered,
                               bool by_group, mgl_random *stream, mgl_error *err,
                               mgl_treat_places *out);
/* Where the group that begins here ends. */
size_t mgl_treat_group_end(const mgl_treat_places *places, size_t from);
/* The values of the rows, as they stand in the list; in the arena. */
mgl_span *mgl_treat_texts(const mgl_treat_rows *rows, const mgl_treat_places *places);

/* Numbers, or days, in the order of the values of a column: NAN where a cell is missing, or, if
 * values are neither, everywhere, and false. notation NULL: plain. */
bool mgl_treat_scale(const mgl_notation *notation, const mgl_span *texts, const uint8_t *missing,
                     size_t n, double *out);

#endif
