/* The leak guard where the engine that wrote a release shows the rows. Inside the room only. */
#ifndef MGL_PIPELINE_WRITE_SHOWN_ROWS_H
#define MGL_PIPELINE_WRITE_SHOWN_ROWS_H

#include "pipeline/write/write.h"

/* Fills in the objections and warnings of written. */
mgl_status mgl_guard_shown_rows(const mgl_release_order *release, const mgl_push_order *order,
                                mgl_error *err, mgl_written *written);

#endif
