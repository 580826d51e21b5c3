/* Labels of a saved recoding for values that it has not seen. Inside the room only. */
#ifndef MGL_COMMAND_RECORDED_LABELS_H
#define MGL_COMMAND_RECORDED_LABELS_H

#include "pipeline/pipeline.h"

/* (*out)[quasi of the recoding][leaf of the column at hand]: the label of the recoding that the
 * recorded hierarchy gives to the leaf; MGL_NOT_FOUND: the recoding has no such label. *out is NULL
 * where columns mix levels or a hierarchy cannot be had. of_saved[quasi of the recoding]: the quasi
 * of the reading. */
mgl_status mgl_recorded_labels(const mgl_saved_recoding *saved, const mgl_reading *reading,
                               const size_t *of_saved, mgl_arena *arena, mgl_error *err,
                               uint32_t ***out);

#endif
