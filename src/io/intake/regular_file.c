/* Opens a file that must be a regular one, and notices if it changes. The sources of statistics
 * files and workbooks read through it. */
#include "io/intake/regular_file.h"

mgl_status mgl_regular_open(const char *path, mgl_error *err, int *fd, mgl_file_state *state)
{
    *fd = mgl_sys_open_read(path);
    if (*fd < 0 || mgl_sys_state(*fd, state) != 0)
        return mgl_fail_errno(err, path, "open");
    if (state->folder)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, path, 0, "this is a folder; name a file");
    if (!state->regular)
        return mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "this is no regular file, and only such can be read in this format; "
                           "save what comes from there first");
    return MGL_OK;
}

mgl_status mgl_regular_unchanged(int fd, const mgl_file_state *state, const char *path,
                                 mgl_error *err)
{
    mgl_file_state now;
    if (mgl_sys_state(fd, &now) != 0)
        return mgl_fail_errno(err, path, "look at");
    if (!mgl_sys_same_state(state, &now))
        return mgl_fail_at(err, MGL_CODE_CHANGED, path, 0,
                           "the file changed while it was read; run again when it is complete");
    return MGL_OK;
}
