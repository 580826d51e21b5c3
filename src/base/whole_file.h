/* Small files, read as a whole. */
#ifndef MGL_BASE_WHOLE_FILE_H
#define MGL_BASE_WHOLE_FILE_H

#include "base/buffer.h"

/* Appends all bytes of the file. */
mgl_status mgl_read_whole(const char *path, mgl_error *err, mgl_buffer *out);
/* The same of what is open. name is for messages. */
mgl_status mgl_read_to_end(int fd, const char *name, mgl_error *err, mgl_buffer *out);

#endif
