/* The treatments, for the file that lists them, and what they share. Private to the module. */
#ifndef MGL_TREAT_ROWS_H
#define MGL_TREAT_ROWS_H

#include "treat/treat.h"

extern const mgl_treat_type mgl_treat_round, mgl_treat_top, mgl_treat_bottom, mgl_treat_mask,
    mgl_treat_lower, mgl_treat_upper, mgl_treat_trim, mgl_treat_constant, mgl_treat_drop,
    mgl_treat_date, mgl_treat_quantiles, mgl_treat_pseudonym, mgl_treat_shift, mgl_treat_noise,
    mgl_treat_swap, mgl_treat_pram, mgl_treat_shuffle;

/* HMAC-SHA-256 of a purpose ("pseudonym:") and a text behind it. */
enum { MGL_KEYED_HASH = 32 };
void mgl_keyed_hash(mgl_span key, const char *purpose, mgl_span text,
                    unsigned char out[MGL_KEYED_HASH]);

/* The dates of a column. */
typedef struct mgl_treat_dates {
    mgl_date_order order;
    bool clear; /* there is one order that all of them allow, or that was given */
    bool all;   /* all values are dates in it */
} mgl_treat_dates;
mgl_treat_dates mgl_treat_dates_of(const mgl_treat_step *step, const mgl_treat_values *values);
/* Reads value number `at`; false: `wrong` says why it is no date. */
bool mgl_treat_moment(const mgl_treat_dates *dates, const mgl_treat_values *values, uint32_t at,
                      mgl_moment *out, mgl_buffer *wrong);

/* Takes the one argument of a treatment as a number, and says what is wrong with others. */
bool mgl_treat_read_number(mgl_treat_step *step, mgl_buffer *wrong);
/* A value of the column as a number; false: `wrong` says that it is none. */
bool mgl_treat_number(const mgl_treat_values *values, mgl_span value, mgl_decimal *out,
                      mgl_buffer *wrong);
/* Brings two numbers to one scale; false: `wrong` says that they have too many digits. */
bool mgl_treat_align(mgl_decimal *a, mgl_decimal *b, mgl_buffer *wrong);

#endif
