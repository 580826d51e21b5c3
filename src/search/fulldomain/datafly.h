/* What a job can say about the method datafly. */
#ifndef MGL_SEARCH_DATAFLY_H
#define MGL_SEARCH_DATAFLY_H

#include "search/node/node.h"

typedef struct mgl_datafly_options {
    const mgl_by_set *preference; /* [n_attributes] 0 spares the column, 1 does not */
} mgl_datafly_options;

#endif
