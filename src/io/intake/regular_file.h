/* Files that are read at any place, not from front to back. Inside the io room. */
#ifndef MGL_IO_INTAKE_REGULAR_FILE_H
#define MGL_IO_INTAKE_REGULAR_FILE_H

#include "io/io.h"

/* Opens a regular file; *fd is -1 or open after a failure, too: close it in any case. */
mgl_status mgl_regular_open(const char *path, mgl_error *err, int *fd, mgl_file_state *state);

/* MGL_DATA if it is not what it was when it was opened. */
mgl_status mgl_regular_unchanged(int fd, const mgl_file_state *state, const char *path,
                                 mgl_error *err);

#endif
