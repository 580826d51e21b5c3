/* Files in memory, read and written by descriptors as those of the system are, so that code which
 * reads or writes a file need not know where it is. Private to base: sys.c passes on locations in
 * memory and their descriptors. Works on the current call; failures return -1 and set errno. */
#ifndef MGL_BASE_MEMORY_FILES_H
#define MGL_BASE_MEMORY_FILES_H

#include "base/call.h"
#include "base/sys.h"

/* Descriptors of files in memory begin here, where those of the system never come to. */
enum { MGL_MEMORY_DESCRIPTORS = 1 << 30 };

static inline bool mgl_is_memory_descriptor(int fd)
{
    return fd >= MGL_MEMORY_DESCRIPTORS;
}

int mgl_memory_open(const char *location);   /* to read what is there */
int mgl_memory_create(const char *location); /* to write what was not there; it is made */
int mgl_memory_spool(void);                  /* without a name */
void mgl_memory_close(int fd);
ssize_t mgl_memory_read(int fd, void *data, size_t size);
ssize_t mgl_memory_pread(int fd, void *data, size_t size, uint64_t offset);
int mgl_memory_write(int fd, const void *data, size_t size);
int mgl_memory_pwrite(int fd, const void *data, size_t size, uint64_t offset);
int mgl_memory_state(int fd, mgl_file_state *out);
int mgl_memory_state_of(const char *location, mgl_file_state *out);
int mgl_memory_rename(const char *from, const char *to);
int mgl_memory_unlink(const char *location);

#endif
