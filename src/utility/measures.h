/* The measures of the room, one line each. Inside the room only. */
#ifndef MGL_UTILITY_MEASURES_H
#define MGL_UTILITY_MEASURES_H

#include "utility/utility.h"

#include <math.h>

extern const mgl_measure_type mgl_precision, mgl_loss, mgl_geometric_loss, mgl_ncp,
    mgl_discernibility, mgl_class_size, mgl_ambiguity, mgl_entropy, mgl_nonuniform_entropy,
    mgl_height, mgl_relative_height, mgl_doubling_height, mgl_c_avg, mgl_classification,
    mgl_query_error_measure;

#endif
