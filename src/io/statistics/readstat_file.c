/* Lets libreadstat read a file through the system calls of base, so that a change is noticed and
 * faults can be tested. read_statistics.c opens files with it. */
#ifdef MGL_READSTAT
#include "io/statistics/readstat_file.h"

#include "io/intake/intake.h"

#include <errno.h>

enum { BLOCK = 1 << 18 }; /* the library asks for single rows */

mgl_status mgl_statistics_file_open(mgl_statistics_file *file, const char *path, mgl_error *err)
{
    *file = (mgl_statistics_file){.fd = -1};
    MGL_TRY(mgl_regular_open(path, err, &file->fd, &file->state));
    file->block = mgl_alloc(BLOCK);
    return file->block == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_statistics_file_close(mgl_statistics_file *file)
{
    mgl_sys_close(file->fd);
    mgl_free(file->block);
    *file = (mgl_statistics_file){.fd = -1};
}

static int open_file(const char *path, void *context)
{
    mgl_statistics_file *file = context;
    (void)path;
    file->at = 0;
    return 0;
}

static int close_file(void *context)
{
    (void)context;
    return 0;
}

static readstat_off_t seek(readstat_off_t offset, readstat_io_flags_t whence, void *context)
{
    mgl_statistics_file *file = context;
    int64_t from = whence == READSTAT_SEEK_SET   ? 0
                   : whence == READSTAT_SEEK_CUR ? (int64_t)file->at
                                                 : (int64_t)file->state.size;
    if (from + offset < 0)
        return -1;
    file->at = (uint64_t)(from + offset);
    return (readstat_off_t)file->at;
}

static bool fill(mgl_statistics_file *file)
{
    ssize_t got = mgl_sys_pread(file->fd, file->block, BLOCK, file->at);
    file->begin = file->end = file->at;
    if (got > 0)
        file->end += (uint64_t)got;
    file->failure = got < 0 ? errno : 0;
    return got >= 0;
}

static ssize_t take(void *to, size_t size, void *context)
{
    mgl_statistics_file *file = context;
    size_t done = 0;
    while (done < size) {
        bool inside = file->at >= file->begin && file->at < file->end;
        if (!inside && !fill(file))
            return -1;
        if (!inside && file->at >= file->end)
            break; /* the end of the file */
        size_t n = (size_t)(file->end - file->at);
        n = n < size - done ? n : size - done;
        memcpy((char *)to + done, file->block + (file->at - file->begin), n);
        done += n;
        file->at += n;
    }
    return (ssize_t)done;
}

static readstat_error_t update(long size, readstat_progress_handler handler, void *user,
                               void *context)
{
    (void)size, (void)handler, (void)user, (void)context;
    return READSTAT_OK;
}

void mgl_statistics_file_attach(mgl_statistics_file *file, readstat_parser_t *parser)
{
    readstat_set_open_handler(parser, open_file);
    readstat_set_close_handler(parser, close_file);
    readstat_set_seek_handler(parser, seek);
    readstat_set_read_handler(parser, take);
    readstat_set_update_handler(parser, update);
    readstat_set_io_ctx(parser, file);
}
#endif
