/* Records of all rows, in the buckets of the shuffle or in order. Inside the room only. */
#ifndef MGL_RELEASE_MAKE_RECORDS_H
#define MGL_RELEASE_MAKE_RECORDS_H

#include "release/layout.h"
#include "release/outlet.h"
#include "release/packer.h"

typedef struct mgl_record_order {
    const mgl_row_plan *plan;
    const mgl_layout *layout;
    mgl_packer *packer;   /* NULL: the release is text */
    mgl_shuffle *shuffle; /* NULL: records keep their order, and go to the outlet as they come */
    mgl_outlet *outlet;
} mgl_record_order;

/* *n_rows: how many records there are. */
mgl_status mgl_make_records(const mgl_record_order *order, const mgl_progress *progress,
                            mgl_error *err, uint64_t *n_rows);

#endif
