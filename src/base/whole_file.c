/* Reads a file into a buffer. Readers of results, proofs and of files that people write call it. */
#include "base/whole_file.h"

#include "base/sys.h"

enum { BLOCK = 64 * 1024 };

mgl_status mgl_read_to_end(int fd, const char *name, mgl_error *err, mgl_buffer *out)
{
    ssize_t got = 1;
    while (got > 0 && mgl_buffer_reserve(out, BLOCK)) {
        got = mgl_sys_read(fd, out->data + out->size, BLOCK);
        out->size += got > 0 ? (size_t)got : 0;
    }
    return out->failed ? mgl_fail_memory(err)
           : got < 0   ? mgl_fail_errno(err, name, "read")
                       : MGL_OK;
}

mgl_status mgl_read_whole(const char *path, mgl_error *err, mgl_buffer *out)
{
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = mgl_read_to_end(fd, path, err, out);
    mgl_sys_close(fd);
    return status;
}
