/* What left the database, and what was counted. Inside the room only. */
#ifndef MGL_FLOW_LEFT_H
#define MGL_FLOW_LEFT_H

#include "flow/flow.h"

void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table);

/* "left_database": nothing if the table lies in none. */
void mgl_left_tell(const mgl_outcome *outcome, mgl_result *result);
/* "least_count": nothing if the job has none. */
mgl_status mgl_counted_tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result);

#endif
