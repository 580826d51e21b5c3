/* Decimal numbers, exactly: an interval of width 0.1 must begin at 0.3, not at
 * 0.30000000000000004. Of the room hierarchy only. */
#ifndef MGL_HIERARCHY_DECIMAL_H
#define MGL_HIERARCHY_DECIMAL_H

#include "hierarchy/builders.h"

/* digits / 10^scale. Sums of two stay far from overflow. */
typedef struct mgl_decimal {
    __int128 digits;
    uint32_t scale;
} mgl_decimal;

enum { MGL_DECIMAL_DIGITS = 36 };

/* As short as it can be written: 0.50 is 0.5, with the decimal sign of the notation (NULL: a
 * point). */
enum { MGL_DECIMAL_TEXT = 64 };
size_t mgl_decimal_write(const mgl_notation *notation, __int128 digits, uint32_t scale,
                         char text[MGL_DECIMAL_TEXT]);

/* The values of the column as numbers of one scale, which the parameters of the
 * builder are brought to as well. integers: scale 0. Free *out with mgl_free. */
mgl_status mgl_decimals_of(mgl_build *build, mgl_decimal *parameters, size_t n_parameters,
                           mgl_error *err, mgl_decimal **out);
/* Parses a parameter of the builder, which has a decimal point in any notation. */
mgl_status mgl_decimal_parameter(mgl_build *build, mgl_span text, mgl_error *err, mgl_decimal *out);

/* Appends [lo,hi), or [lo-hi) if the notation has decimal commas, or lo-(hi-1) for integers. */
void mgl_decimal_range(const mgl_notation *notation, mgl_buffer *out, __int128 lo, __int128 hi,
                       uint32_t scale);

#endif
