/* feature/items: the column whose cells are sets of items (`km`). */
#ifndef MGL_FEATURE_ITEMS_H
#define MGL_FEATURE_ITEMS_H

#include "findings/findings.h"

extern const mgl_feature_reading mgl_items_reading;
extern const mgl_feature_release mgl_items_release;

/* "items": what was released of sets of items. */
void mgl_items_tell(const mgl_reading *reading, const mgl_written *written, mgl_result *result);
/* The same of a table that `check` judges as it is. */
mgl_status mgl_items_check(const mgl_task *task, const uint32_t *persons, mgl_error *err,
                           mgl_result *result);

#endif
