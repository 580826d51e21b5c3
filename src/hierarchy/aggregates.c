/* The names of what can stand for several values. Keys of a job, messages and results ask for them.
 */
#include "hierarchy/hierarchy.h"

const char *const mgl_aggregate_words[] = {[MGL_AGGREGATE_NOT] = "none",
                                           [MGL_AGGREGATE_MEAN] = "mean",
                                           [MGL_AGGREGATE_MEDIAN] = "median",
                                           [MGL_AGGREGATE_RANGE] = "range",
                                           [MGL_AGGREGATE_MODE] = "mode",
                                           [MGL_AGGREGATE_SET] = "set",
                                           NULL};
