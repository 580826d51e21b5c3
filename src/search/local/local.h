/* Local suppression: a cell keeps its value or loses it. */
#ifndef MGL_SEARCH_LOCAL_H
#define MGL_SEARCH_LOCAL_H

#include "search/node/node.h"

extern const mgl_method_type mgl_local_suppression;

#endif
