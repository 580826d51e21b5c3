/* The column of items as it is released. */
#ifndef MGL_PIPELINE_WRITE_ITEM_RELEASE_H
#define MGL_PIPELINE_WRITE_ITEM_RELEASE_H

#include "pipeline/task/task.h"
#include "verify/verify.h"

typedef struct mgl_items_written {
    bool made;
    mgl_item_cut cut;
    mgl_item_release release;
    uint64_t classes; /* that each hold for themselves; 1 where the table holds as a whole */
    double seconds;   /* of the search */
    bool planned;     /* a release was planned: */
    mgl_promised_items promised; /* about it, with what the verifier found */
} mgl_items_written;

#endif
