/* System calls, so that a test can fail them. Interrupted calls are repeated;
 * short writes are continued. Unless stated otherwise these return -1 with errno
 * set on failure, as the calls they wrap. A path may be a location in memory
 * ("memory:NAME"): what is opened there is read, written and closed in the same way. */
#ifndef MGL_BASE_SYS_H
#define MGL_BASE_SYS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

int mgl_sys_open_read(const char *path);
/* Creates the file (0600) and fails if it exists. */
int mgl_sys_create(const char *path);
/* The descriptor that a name stands for: 1 for "-" and /dev/stdout, N for /dev/fd/N. -1: none. What
 * is written there goes to the descriptor as it is, behind what was written before. */
int mgl_sys_stream_of(const char *path);
/* Is the descriptor open for writing? */
bool mgl_sys_writes(int fd);
/* Opens what exists for writing, without creating or truncating it. */
int mgl_sys_open_write(const char *path);
/* A private file: unlinked in $TMPDIR or /tmp, or in memory if the current call is to keep off the
 * disks (mgl_sys_in_memory). */
int mgl_sys_spool(void);
int mgl_sys_spool_of(int fd); /* for what is read from fd: in memory as well if that is */
/* Is the file in memory (-1: none), or the call such that nothing private may touch a disk? */
bool mgl_sys_in_memory(int fd);
ssize_t mgl_sys_read(int fd, void *data, size_t size);
/* Reads until size bytes or the end of the file. */
ssize_t mgl_sys_pread(int fd, void *data, size_t size, uint64_t offset);
/* Writes all or fails. */
int mgl_sys_write(int fd, const void *data, size_t size);
int mgl_sys_pwrite(int fd, const void *data, size_t size, uint64_t offset);
int mgl_sys_sync(int fd);
int mgl_sys_sync_folder(const char *path_of_a_file_in_it);
int mgl_sys_rename(const char *from, const char *to);
/* Gives each of two paths what the other one has, in one step. */
int mgl_sys_exchange(const char *one, const char *other);
/* Creates the folder (0700) and fails if there is something of its name. */
int mgl_sys_make_folder(const char *path);
int mgl_sys_unlink(const char *path);
/* Waits until there is something to read, at most so long; a signal ends the waiting, too. */
void mgl_sys_wait(int fd, int milliseconds);
void mgl_sys_close(int fd);

typedef struct mgl_file_state {
    uint64_t size, inode, device;
    int64_t modified_seconds, modified_nanoseconds;
    bool regular, folder;
    bool open_to_others; /* others than its owner may read it */
} mgl_file_state;
int mgl_sys_state(int fd, mgl_file_state *out);
int mgl_sys_state_of(const char *path, mgl_file_state *out); /* follows links */
bool mgl_sys_same_state(const mgl_file_state *a, const mgl_file_state *b);

/* The path with links resolved; the last part need not exist. Free with mgl_free. */
mgl_status mgl_sys_resolve(const char *path, mgl_error *err, char **out);

/* Is there a symbolic link of this name, wherever it leads? */
bool mgl_sys_is_link(const char *path);

/* The folder's absolute path with links resolved. Free with mgl_free. */
mgl_status mgl_sys_folder(const char *path, mgl_error *err, char **out);

/* The path if there is such a file; else that of a file in its folder whose name differs in
 * upper and lower case only; else the path. Free with mgl_free; NULL when memory is out. */
char *mgl_sys_any_case(const char *path);

mgl_status mgl_sys_entropy(void *data, size_t size, mgl_error *err);
bool mgl_sys_has_sha256(void); /* does the processor have instructions for it? */
unsigned mgl_sys_year(void);   /* of today, in UTC */
double mgl_sys_seconds(void);  /* a clock that only goes forward */
uint64_t mgl_sys_memory(void); /* of the machine, in bytes; 0: unknown */

#endif
