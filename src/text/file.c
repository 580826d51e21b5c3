/* Opens delimited files, spools what is compressed, converted or a stream, and notices if a file
 * changes. The source of csv.c, mu-Argus and hierarchy files read through it. */
#include "text/file.h"

#include <errno.h>
#include <unistd.h>

struct mgl_text_file {
    char *name;
    char *path; /* NULL if the bytes are ours (a spool) and cannot change */
    int fd;
    uint64_t most_unpacked;
    mgl_file_state state;
};

static char *copy_text(const char *text)
{
    char *copy = mgl_alloc(strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

/* Says how the file has changed since it was opened. */
static mgl_status fail_changed(const mgl_text_file *file, const mgl_file_state *now, mgl_error *err)
{
    const char *how = now->inode != file->state.inode || now->device != file->state.device
                          ? "was replaced by another file"
                      : now->size > file->state.size ? "has grown"
                      : now->size < file->state.size ? "has become shorter"
                                                     : "was written to";
    return mgl_fail_at(err, MGL_CODE_CHANGED, file->name, 0,
                       "the file %s while it was read; run again when nothing writes to it", how);
}

static mgl_status check_unchanged(const mgl_text_file *file, const char *path, mgl_error *err)
{
    mgl_file_state now;
    if (mgl_sys_state(file->fd, &now) != 0)
        return mgl_fail_errno(err, file->name, "look at the file");
    if (!mgl_sys_same_state(&file->state, &now))
        return fail_changed(file, &now, err);
    /* A file that was only removed is still what we have open. */
    if (mgl_sys_state_of(path, &now) != 0 || mgl_sys_same_state(&file->state, &now))
        return MGL_OK;
    return fail_changed(file, &now, err);
}

mgl_status mgl_text_unchanged(const mgl_text_file *file, mgl_error *err)
{
    /* Bytes in memory stay what they are, whatever is given under their name later. */
    return file->path != NULL && mgl_memory_name(file->path) == NULL
               ? check_unchanged(file, file->path, err)
               : MGL_OK;
}

/* Puts a spool in the place of what was opened. */
static mgl_status spool(mgl_text_file *file, const char *encoding, mgl_error *err)
{
    int fd;
    MGL_TRY(mgl_text_spool(file->fd, file->name, encoding, file->most_unpacked, err, &fd));
    mgl_status status = MGL_OK;
    if (file->path != NULL && file->state.regular)
        status = check_unchanged(file, file->path, err);
    if (file->fd != STDIN_FILENO)
        mgl_sys_close(file->fd);
    file->fd = fd;
    mgl_free(file->path);
    file->path = NULL;
    if (status == MGL_OK && mgl_sys_state(fd, &file->state) != 0)
        status = mgl_fail_errno(err, file->name, "look at the spooled copy");
    return status;
}

static mgl_status open_file(mgl_text_file *file, const char *path, const char *encoding,
                            mgl_error *err)
{
    bool standard_input = strcmp(path, "-") == 0;
    file->fd = -1;
    file->name = copy_text(standard_input ? "standard input" : path);
    if (file->name == NULL)
        return mgl_fail_memory(err);
    if (standard_input) {
        file->fd = STDIN_FILENO;
        return spool(file, encoding, err);
    }
    file->path = copy_text(path);
    if (file->path == NULL)
        return mgl_fail_memory(err);
    file->fd = mgl_sys_open_read(path);
    if (file->fd < 0)
        return mgl_fail_errno(err, path, "open the file");
    if (mgl_sys_state(file->fd, &file->state) != 0)
        return mgl_fail_errno(err, path, "look at the file");
    /* A regular file that claims to be empty may be one the kernel makes up (/proc). */
    if (!file->state.regular || file->state.size == 0 || !mgl_encoding_is_utf8(encoding))
        return spool(file, encoding, err);
    char first[MGL_PACKING_BYTES];
    ssize_t n = mgl_sys_pread(file->fd, first, sizeof first, 0);
    if (n < 0)
        return mgl_fail_errno(err, path, "read the file");
    if (mgl_packing_of(first, (size_t)n) != MGL_PACKED_NOT)
        return spool(file, encoding, err);
    return MGL_OK;
}

mgl_status mgl_text_open(const char *path, const char *encoding, mgl_error *err,
                         mgl_text_file **out)
{
    return mgl_text_open_within(path, encoding, 0, err, out);
}

mgl_status mgl_text_open_within(const char *path, const char *encoding, uint64_t most_unpacked,
                                mgl_error *err, mgl_text_file **out)
{
    mgl_text_file *file = mgl_zeroed_array(1, sizeof *file);
    if (file == NULL)
        return mgl_fail_memory(err);
    file->most_unpacked = most_unpacked;
    mgl_status status = open_file(file, path, encoding, err);
    if (status != MGL_OK) {
        mgl_text_close(file);
        return status;
    }
    *out = file;
    return MGL_OK;
}

void mgl_text_close(mgl_text_file *file)
{
    if (file == NULL)
        return;
    if (file->fd != STDIN_FILENO)
        mgl_sys_close(file->fd);
    mgl_free(file->name);
    mgl_free(file->path);
    mgl_free(file);
}

const char *mgl_text_name(const mgl_text_file *file)
{
    return file->name;
}

uint64_t mgl_text_size(const mgl_text_file *file)
{
    return file->state.size;
}

bool mgl_text_is_plain(const mgl_text_file *file)
{
    return file->path != NULL;
}

mgl_status mgl_text_read_at(const mgl_text_file *file, uint64_t offset, char *data, size_t size,
                            mgl_error *err, size_t *out)
{
    ssize_t n = mgl_sys_pread(file->fd, data, size, offset);
    if (n < 0)
        return mgl_fail_errno(err, file->name, "read the file");
    uint64_t end = offset + (uint64_t)n;
    if (end > file->state.size || ((size_t)n < size && end < file->state.size)) {
        mgl_file_state now = file->state;
        now.size = end;
        return fail_changed(file, &now, err);
    }
    *out = (size_t)n;
    return MGL_OK;
}
