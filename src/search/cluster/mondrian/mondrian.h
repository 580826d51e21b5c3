/* Mondrian: the table is cut into regions. */
#ifndef MGL_SEARCH_CLUSTER_MONDRIAN_H
#define MGL_SEARCH_CLUSTER_MONDRIAN_H

#include "search/node/node.h"

extern const mgl_method_type mgl_mondrian;

#endif
