/* What the method samarati records about its search. */
#ifndef MGL_SEARCH_SAMARATI_H
#define MGL_SEARCH_SAMARATI_H

#include "base/base.h"

typedef struct mgl_samarati_findings {
    uint64_t *heights; /* each height of its search, in order */
    size_t n_heights, capacity;
} mgl_samarati_findings;

#endif
