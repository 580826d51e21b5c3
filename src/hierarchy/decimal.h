/* The values of a column as decimal numbers. Private to the module. */
#ifndef MGL_HIERARCHY_DECIMAL_H
#define MGL_HIERARCHY_DECIMAL_H

#include "hierarchy/builders.h"

/* The values of the column as numbers of one scale, which the parameters of the
 * builder are brought to as well. integers: scale 0. Free *out with mgl_free. */
mgl_status mgl_decimals_of(mgl_build *build, mgl_decimal *parameters, size_t n_parameters,
                           mgl_error *err, mgl_decimal **out);
/* Parses a parameter of the builder, which has a decimal point in any notation. */
mgl_status mgl_decimal_parameter(mgl_build *build, mgl_span text, mgl_error *err, mgl_decimal *out);

/* The arguments of a builder that are numbers, in the order in which they stand. Free `numbers`
 * with mgl_free, also on failure. */
typedef struct mgl_decimal_list {
    mgl_decimal *numbers;
    size_t n;
} mgl_decimal_list;
mgl_status mgl_decimal_parameters(mgl_build *build, mgl_error *err, mgl_decimal_list *out);

#endif
