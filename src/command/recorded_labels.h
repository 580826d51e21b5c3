/* What the files of `apply` share. Of the room flow only. */
#ifndef MGL_COMMAND_RECORDED_LABELS_H
#define MGL_COMMAND_RECORDED_LABELS_H

#include "pipeline/pipeline.h"

/* (*out)[quasi of the recoding][leaf of the column at hand]: the label of the recoding that the
 * recorded hierarchy gives it, MGL_NOT_FOUND: one that the recoding has not. NULL where columns mix
 * levels or a hierarchy is not at hand. of_saved: the quasi of the reading. */
mgl_status mgl_recorded_labels(const mgl_saved_recoding *saved, const mgl_reading *reading,
                               const size_t *of_saved, mgl_arena *arena, mgl_error *err,
                               uint32_t ***out);

#endif
