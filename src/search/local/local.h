/* Local suppression: a cell keeps its value or loses it.
 *
 * Its neighbourhoods are improved one at a time: what one of them suppresses counts against the
 * limit of the next, and patterns change in place and are changed back if nothing is gained. */
#ifndef MGL_SEARCH_LOCAL_H
#define MGL_SEARCH_LOCAL_H

#include "search/node/node.h"

extern const mgl_method_type mgl_local_suppression;

#endif
