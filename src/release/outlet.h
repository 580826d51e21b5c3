/* Records become the text of the release.
 *
 * Several threads turn batches of records into text, which write them in turn,
 * in the order of the batches. */
#ifndef MGL_RELEASE_OUTLET_H
#define MGL_RELEASE_OUTLET_H

#include "release/layout.h"

typedef struct mgl_outlet mgl_outlet;

/* shuffle NULL: records keep their order. Free with mgl_outlet_free. */
mgl_status mgl_outlet_new(const mgl_layout *layout, mgl_text_writer *writer, mgl_shuffle *shuffle,
                          mgl_pool *pool, mgl_error *err, mgl_outlet **out);
void mgl_outlet_free(mgl_outlet *outlet);

/* The next batch: these records, whose buffer is taken over. */
mgl_status mgl_outlet_put(mgl_outlet *outlet, mgl_buffer *records, size_t n_rows, mgl_error *err);
/* The next batch: a bucket of the shuffle. */
mgl_status mgl_outlet_put_bucket(mgl_outlet *outlet, size_t bucket, mgl_error *err);
/* Writes what is left. */
mgl_status mgl_outlet_end(mgl_outlet *outlet, mgl_error *err);

#endif
