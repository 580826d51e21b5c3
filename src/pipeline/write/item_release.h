/* The column of items as it is released. */
#ifndef MGL_PIPELINE_WRITE_ITEM_RELEASE_H
#define MGL_PIPELINE_WRITE_ITEM_RELEASE_H

#include "pipeline/task/task.h"
#include "verify/verify.h"

typedef struct mgl_items_written {
    bool made;
    mgl_item_cut cut;
    mgl_item_release release;
    uint64_t classes;      /* that each hold for themselves; 1 where the table holds as a whole */
    double seconds;        /* of the search */
    bool verified;         /* the release was read back: */
    mgl_items_found found; /* in it */
} mgl_items_written;

/* Finds what is released of the items, for the rows that the solution releases, once; nothing where
 * no column has items. Free with mgl_items_written_free. */
mgl_status mgl_items_make(const mgl_task *task, const mgl_reading *reading,
                          const mgl_solution *solution, mgl_error *err, mgl_items_written *out);
void mgl_items_written_free(mgl_items_written *items);

#endif
