/* Rows of an earlier release and new ones together (apply --with). Inside the room and for
 * `apply`. */
#ifndef MGL_COMMAND_RULE_WITH_EARLIER_H
#define MGL_COMMAND_RULE_WITH_EARLIER_H

#include "pipeline/pipeline.h"

typedef struct mgl_joined_rows mgl_joined_rows;

/* Reads the earlier release. Free with mgl_joined_rows_free. */
mgl_status mgl_joined_rows_new(const mgl_reading *reading, const mgl_task *task, const char *path,
                               mgl_error *err, mgl_joined_rows **out);
void mgl_joined_rows_free(mgl_joined_rows *joined);
uint64_t mgl_joined_rows_earlier(const mgl_joined_rows *joined); /* how many it has */

/* Suppresses new tuples until all models hold on both together; *holds is false if they cannot,
 * since earlier rows stay what they are. *rows: how many new rows were suppressed. */
mgl_status mgl_joined_rows_treat(mgl_joined_rows *joined, mgl_recoding *recoding, mgl_error *err,
                                 bool *holds, uint64_t *rows);

/* Judges the earlier release and the new one as it was written, by the verifier. found has an entry
 * for each model of the task. */
mgl_status mgl_joined_rows_verify(mgl_joined_rows *joined, const char *path, mgl_error *err,
                                  mgl_found *found);

#endif
