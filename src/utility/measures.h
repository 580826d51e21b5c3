/* The measures of the room. Private to the module. */
#ifndef MGL_UTILITY_MEASURES_H
#define MGL_UTILITY_MEASURES_H

#include "utility/utility.h"

#include <math.h>

#define MGL_ROW(type) extern const mgl_measure_type type;
#include "utility/measure_rows.h"
#undef MGL_ROW

#endif
