/* A table that goes through the library as Arrow streams, from one session to the next. */
#ifndef IN_MEMORY_STREAMS_H
#define IN_MEMORY_STREAMS_H

#include "in_memory_jobs.h"

/* Releases the table of the world as a stream, gives that stream to another job, and reads the
 * stream of its release to the end. Each stream outlives what it came from. */
mgl_status memory_run_streams(const memory_world *world, const mgl_session_options *options,
                              mgl_error *err, int64_t *n_rows);

#endif
