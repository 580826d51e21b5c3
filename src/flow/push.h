/* Push-down, inside the room only: see push.c. */
#ifndef MGL_FLOW_PUSH_H
#define MGL_FLOW_PUSH_H

#include "flow/flow.h"

/* The leak guard where rows stay in the database: by counts. What it could not look at is among
 * the warnings. */
mgl_status mgl_push_guard(const mgl_task *task, const mgl_reading *reading,
                          const mgl_solution *solution, mgl_error *err, mgl_written *written);

#endif
