/* Microaggregation: groups of rows with near numbers, whose averages are released. */
#ifndef MGL_SEARCH_CLUSTER_MICROAGGREGATE_H
#define MGL_SEARCH_CLUSTER_MICROAGGREGATE_H

#include "search/node/node.h"

extern const mgl_method_type mgl_microaggregate;

#endif
