/* Full-domain methods: one level for each column, the same for all rows. */
#ifndef MGL_SEARCH_FULLDOMAIN_H
#define MGL_SEARCH_FULLDOMAIN_H

#include "search/node/node.h"

extern const mgl_method_type mgl_mingen, mgl_samarati, mgl_datafly, mgl_incognito, mgl_top_down;

#endif
