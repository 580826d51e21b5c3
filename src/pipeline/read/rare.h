/* Rare combinations (--least-count). Inside the room only. */
#ifndef MGL_PIPELINE_READ_RARE_H
#define MGL_PIPELINE_READ_RARE_H

#include "pipeline/read/reading.h"

/* Does the engine of the source regroup, so that rare combinations stay there? */
bool mgl_regroups_in_engine(const mgl_reading *reading);
/* Lets the engine regroup. The hierarchies of the quasi-identifiers are made from the values of
 * each column alone; the first wishes are for these columns. */
mgl_status mgl_regroup_in_engine(mgl_reading *reading, const mgl_column_wish *wishes,
                                 mgl_purpose purpose, mgl_error *err);

#endif
