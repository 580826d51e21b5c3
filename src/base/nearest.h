/* The known name that is most like a misspelt one, for "did you mean". */
#ifndef MGL_BASE_NEAREST_H
#define MGL_BASE_NEAREST_H

#include "base/span.h"

typedef struct mgl_nearest {
    mgl_span wanted;
    const char
        *best; /* borrowed from the caller of mgl_nearest_try; NULL: nothing is near enough */
    size_t distance;
} mgl_nearest;

/* Starts a search; then pass every known name to mgl_nearest_try. Of equally near ones the first
 * is kept. */
mgl_nearest mgl_nearest_to(mgl_span wanted);
void mgl_nearest_try(mgl_nearest *nearest, const char *name);

#endif
