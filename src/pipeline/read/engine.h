/* What the engine of a database does by itself. */
#ifndef MGL_PIPELINE_READ_ENGINE_H
#define MGL_PIPELINE_READ_ENGINE_H

#include "pipeline/read/reading.h"

/* Decides what the engine of an opened source does by itself. MGL_DATA if the table to be written
 * exists already. */
mgl_status mgl_push_decide(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

/* MGL_USAGE if a release is to be divided by columns that it does not have. */
mgl_status mgl_partitions_decide(const mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

/* Groups that an engine counted and that were fetched; `once`: those of a single row. */
typedef struct mgl_fetched_groups {
    uint64_t n, once;
} mgl_fetched_groups;
/* Adds the groups of a table that was fetched. */
void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table);

#endif
