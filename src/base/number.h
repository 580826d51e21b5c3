/* Numbers from text and to text, without the locale. */
#ifndef MGL_BASE_NUMBER_H
#define MGL_BASE_NUMBER_H

#include "base/span.h"

#include <stdint.h>

/* Digits only, nothing else around them; false on overflow. */
bool mgl_parse_u64(mgl_span text, uint64_t *out);
/* Optional '-' and digits. */
bool mgl_parse_i64(mgl_span text, int64_t *out);
/* [-+]digits[.digits][e[-+]digits]; finite; nothing around it. */
bool mgl_parse_double(mgl_span text, double *out);

/* floor(share * total) for a share written as a decimal number ("0.05", "5" with
 * percent), by exact decimal arithmetic: 0.07 of 100 is 7, not 6. False if the
 * text is no decimal number from 0 to 1 (0 to 100 with percent). */
bool mgl_parse_share(mgl_span text, bool percent, uint64_t total, uint64_t *out);

/* Writes a finite number as people write it: whole numbers in full as far as doubles tell them
 * apart, others with up to 15 digits, which the errors of a sum do not reach (0.15, never
 * 0.15000000000000002), without a decimal point at the end. Only numbers from 1e21 on or below
 * 1e-6 have an exponent. Returns the length. */
enum { MGL_NUMBER_TEXT = 48 };
size_t mgl_number_write(double value, char text[MGL_NUMBER_TEXT]);
/* The same with as many digits as it takes to read the very number back; nan, inf and -inf for
 * what is no number. */
size_t mgl_number_write_exact(double value, char text[MGL_NUMBER_TEXT]);
/* And with as many as tell a number apart that was stored in 4 bytes: 0.1, not
 * 0.10000000149011612. */
size_t mgl_number_write_single(float value, char text[MGL_NUMBER_TEXT]);

#endif
