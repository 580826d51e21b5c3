/* Paths in the values of a job: where they stand, and what they are relative to. */
#ifndef MGL_JOB_STORE_PATHS_H
#define MGL_JOB_STORE_PATHS_H

#include "job/keys/keys.h"

/* The file in a value of the key: all of it, or what stands behind a scheme (sqlite:FILE?table=T)
 * or within a builder (groups(FILE)). False: the value names no file. */
bool mgl_path_in(const mgl_key *key, const char *value, mgl_span *path);

/* The value with `folder` put before the path in it, if that is a relative one. */
void mgl_path_put_below(const mgl_key *key, const char *value, mgl_span folder, mgl_buffer *out);

/* The value with its path, if that is a relative one, as a job file called `place` writes it;
 * NULL or "-": as it is. */
mgl_status mgl_path_put_beside(const mgl_key *key, const char *value, const char *place,
                               mgl_error *err, mgl_buffer *out);

#endif
