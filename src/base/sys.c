/* System calls, each in one place, so that tests can make any one of them fail and other systems
 * need look here only. */
#define _GNU_SOURCE /* O_TMPFILE, getentropy; glibc-only calls stay in base */
#include "base/sys.h"

#include "base/fault.h"
#include "base/memory.h"
#include "base/memory_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

/* Every call comes by here, so that a test can also end the program at each of them. */
static bool fails(mgl_fault_kind kind, int number)
{
    if (kind != MGL_FAULT_INTERRUPT && mgl_fault_hits(MGL_FAULT_KILL))
        raise(SIGKILL);
    if (!mgl_fault_hits(kind))
        return false;
    errno = number;
    return true;
}

/* A signal came in before the call did anything. */
static bool interrupted(void)
{
    return fails(MGL_FAULT_INTERRUPT, EINTR);
}

/* A call may transfer less than it was asked to. */
static size_t portion(size_t size)
{
    return size > 1 && mgl_fault_hits(MGL_FAULT_SHORT) ? 1 : size;
}

static int open_file(const char *path, int flags)
{
    if (fails(MGL_FAULT_OPEN, EIO))
        return -1;
    if (mgl_memory_name(path) != NULL)
        return (flags & O_CREAT) != 0 ? mgl_memory_create(path) : mgl_memory_open(path);
    int fd;
    do
        fd = interrupted() ? -1 : open(path, flags | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    return fd;
}

int mgl_sys_open_read(const char *path)
{
    return open_file(path, O_RDONLY);
}

int mgl_sys_create(const char *path)
{
    return open_file(path, O_RDWR | O_CREAT | O_EXCL);
}

int mgl_sys_stream_of(const char *path)
{
    static const struct {
        const char *name;
        int fd;
    } named[] = {{"-", 1}, {"/dev/stdout", 1}, {"/dev/stderr", 2}};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(path, named[i].name) == 0)
            return named[i].fd;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t size = strlen(folders[i]), digits;
        if (strncmp(path, folders[i], size) != 0)
            continue;
        digits = strspn(path + size, "0123456789");
        if (digits > 0 && digits < 8 && path[size + digits] == '\0')
            return (int)strtol(path + size, NULL, 10);
    }
    return -1;
}

bool mgl_sys_writes(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

int mgl_sys_open_write(const char *path)
{
    return open_file(path, O_WRONLY);
}

static int spool_on_disk(void)
{
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    int fd = open_file(folder, O_TMPFILE | O_RDWR);
    if (fd >= 0 || errno == EIO)
        return fd;
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/mingle-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

bool mgl_sys_in_memory(int fd)
{
    const mgl_call *call = mgl_call_current();
    return mgl_is_memory_descriptor(fd) || (call != NULL && call->in_memory);
}

int mgl_sys_spool_of(int fd)
{
    if (!mgl_sys_in_memory(fd))
        return spool_on_disk();
    return fails(MGL_FAULT_OPEN, EIO) ? -1 : mgl_memory_spool();
}

int mgl_sys_spool(void)
{
    return mgl_sys_spool_of(-1);
}

ssize_t mgl_sys_read(int fd, void *data, size_t size)
{
    if (fails(MGL_FAULT_READ, EIO))
        return -1;
    if (mgl_is_memory_descriptor(fd))
        return mgl_memory_read(fd, data, portion(size));
    ssize_t n;
    do
        n = interrupted() ? -1 : read(fd, data, portion(size));
    while (n < 0 && errno == EINTR);
    return n;
}

ssize_t mgl_sys_pread(int fd, void *data, size_t size, uint64_t offset)
{
    if (fails(MGL_FAULT_READ, EIO))
        return -1;
    if (mgl_is_memory_descriptor(fd))
        return mgl_memory_pread(fd, data, size, offset);
    size_t done = 0;
    while (done < size) {
        ssize_t n = interrupted() ? -1
                                  : pread(fd, (char *)data + done, portion(size - done),
                                          (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

/* offset: NULL: at the descriptor's own. */
static int write_all(int fd, const char *data, size_t size, const uint64_t *offset)
{
    for (size_t done = 0; done < size;) {
        size_t some = portion(size - done);
        ssize_t n = interrupted()    ? -1
                    : offset == NULL ? write(fd, data + done, some)
                                     : pwrite(fd, data + done, some, (off_t)(*offset + done));
        if (n < 0 && errno != EINTR)
            return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int mgl_sys_write(int fd, const void *data, size_t size)
{
    if (fails(MGL_FAULT_WRITE, ENOSPC) || fails(MGL_FAULT_DEVICE, EIO))
        return -1;
    return mgl_is_memory_descriptor(fd) ? mgl_memory_write(fd, data, size)
                                        : write_all(fd, data, size, NULL);
}

int mgl_sys_pwrite(int fd, const void *data, size_t size, uint64_t offset)
{
    if (fails(MGL_FAULT_WRITE, ENOSPC) || fails(MGL_FAULT_DEVICE, EIO))
        return -1;
    return mgl_is_memory_descriptor(fd) ? mgl_memory_pwrite(fd, data, size, offset)
                                        : write_all(fd, data, size, &offset);
}

int mgl_sys_sync(int fd)
{
    if (fails(MGL_FAULT_SYNC, EIO))
        return -1;
    if (mgl_is_memory_descriptor(fd))
        return 0;
    int status;
    do
        status = interrupted() ? -1 : fsync(fd);
    while (status != 0 && errno == EINTR);
    return status;
}

int mgl_sys_sync_folder(const char *path)
{
    if (mgl_memory_name(path) != NULL)
        return 0;
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    if (folder == NULL)
        return -1;
    int fd = open_file(folder, O_RDONLY | O_DIRECTORY);
    free(folder);
    if (fd < 0)
        return -1;
    int status = mgl_sys_sync(fd);
    mgl_sys_close(fd);
    return status;
}

int mgl_sys_rename(const char *from, const char *to)
{
    if (fails(MGL_FAULT_RENAME, EIO))
        return -1;
    return mgl_memory_name(from) != NULL ? mgl_memory_rename(from, to) : rename(from, to);
}

int mgl_sys_exchange(const char *one, const char *other)
{
    if (fails(MGL_FAULT_RENAME, EIO))
        return -1;
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    (void)one;
    (void)other;
    errno = ENOSYS;
    return -1;
#endif
}

int mgl_sys_make_folder(const char *path)
{
    return fails(MGL_FAULT_OPEN, EIO) ? -1 : mkdir(path, S_IRWXU);
}

int mgl_sys_unlink(const char *path)
{
    if (mgl_fault_hits(MGL_FAULT_KILL))
        raise(SIGKILL);
    return mgl_memory_name(path) != NULL ? mgl_memory_unlink(path) : unlink(path);
}

void mgl_sys_wait(int fd, int milliseconds)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    (void)poll(&one, 1, milliseconds);
}

void mgl_sys_close(int fd)
{
    if (mgl_is_memory_descriptor(fd))
        mgl_memory_close(fd);
    else if (fd >= 0)
        close(fd);
}

static void fill_state(const struct stat *from, mgl_file_state *out)
{
    *out = (mgl_file_state){
        .size = (uint64_t)from->st_size,
        .inode = (uint64_t)from->st_ino,
        .device = (uint64_t)from->st_dev,
        .modified_seconds = from->st_mtim.tv_sec,
        .modified_nanoseconds = from->st_mtim.tv_nsec,
        .regular = S_ISREG(from->st_mode),
        .folder = S_ISDIR(from->st_mode),
        .open_to_others = (from->st_mode & (S_IRWXG | S_IRWXO)) != 0,
    };
}

int mgl_sys_state(int fd, mgl_file_state *out)
{
    struct stat s;
    if (mgl_is_memory_descriptor(fd))
        return mgl_memory_state(fd, out);
    if (fstat(fd, &s) != 0)
        return -1;
    fill_state(&s, out);
    return 0;
}

int mgl_sys_state_of(const char *path, mgl_file_state *out)
{
    struct stat s;
    if (mgl_memory_name(path) != NULL)
        return mgl_memory_state_of(path, out);
    if (stat(path, &s) != 0)
        return -1;
    fill_state(&s, out);
    return 0;
}

bool mgl_sys_same_state(const mgl_file_state *a, const mgl_file_state *b)
{
    return a->size == b->size && a->inode == b->inode && a->device == b->device &&
           a->modified_seconds == b->modified_seconds &&
           a->modified_nanoseconds == b->modified_nanoseconds;
}

static mgl_status copy_path(const char *path, mgl_error *err, char **out)
{
    char *copy = mgl_alloc(strlen(path) + 1);
    MGL_TRY(mgl_check_memory(copy != NULL, err));
    *out = strcpy(copy, path);
    return MGL_OK;
}

/* realpath wants the whole path to exist; a new file does not, and a dangling
 * link must be followed to where it points. */
mgl_status mgl_sys_resolve(const char *path, mgl_error *err, char **out)
{
    char target[PATH_MAX], folder[PATH_MAX];
    if (mgl_memory_name(path) != NULL)
        return copy_path(path, err, out);
    if (strlen(path) >= sizeof target)
        return mgl_fail_at(err, MGL_CODE_OUTPUT, path, 0, "the path is too long");
    strcpy(target, path);
    for (int links = 0; links < 40; links++) {
        char *slash = strrchr(target, '/');
        const char *name = slash != NULL ? slash + 1 : target;
        char parent[PATH_MAX];
        snprintf(parent, sizeof parent, "%.*s", slash != NULL ? (int)(slash - target) + 1 : 1,
                 slash != NULL ? target : ".");
        if (name[0] == '\0')
            return mgl_fail_at(err, MGL_CODE_OUTPUT, path, 0, "this is a folder; name a file");
        if (realpath(parent, folder) == NULL)
            return mgl_fail_at(err, MGL_CODE_FILE, path, 0,
                               "cannot reach its folder: %s; make it, or name another place",
                               strerror(errno));
        char full[PATH_MAX * 2];
        snprintf(full, sizeof full, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
        char link[PATH_MAX];
        ssize_t n = readlink(full, link, sizeof link - 1);
        if (n < 0)
            return copy_path(full, err, out);
        link[n] = '\0';
        char next[PATH_MAX * 2];
        if (link[0] == '/')
            snprintf(next, sizeof next, "%s", link);
        else
            snprintf(next, sizeof next, "%s/%s", folder, link);
        if (strlen(next) >= sizeof target)
            break;
        strcpy(target, next);
    }
    return mgl_fail_at(err, MGL_CODE_FILE, path, 0, "too many links; name the file itself");
}

bool mgl_sys_is_link(const char *path)
{
    char first;
    return mgl_memory_name(path) == NULL && readlink(path, &first, 1) >= 0;
}

mgl_status mgl_sys_folder(const char *path, mgl_error *err, char **out)
{
    char folder[PATH_MAX];
    if (realpath(path, folder) == NULL)
        return mgl_fail_at(err, MGL_CODE_FILE, path, 0, "cannot reach this folder: %s",
                           strerror(errno));
    return copy_path(folder, err, out);
}

char *mgl_sys_any_case(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    mgl_file_state state;
    char *copy = mgl_alloc(strlen(path) + 1);
    if (copy == NULL)
        return NULL;
    strcpy(copy, path);
    if (mgl_sys_state_of(path, &state) == 0)
        return copy;
    copy[folder] = '\0';
    DIR *entries = opendir(folder > 0 ? copy : ".");
    strcpy(copy, path);
    if (entries == NULL)
        return copy;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        if (strcasecmp(entry->d_name, path + folder) == 0) {
            strcpy(copy + folder, entry->d_name); /* as long as the name it stands for */
            break;
        }
    closedir(entries);
    return copy;
}

mgl_status mgl_sys_entropy(void *data, size_t size, mgl_error *err)
{
    enum { MOST = 256 }; /* bytes that a call gives */
    for (size_t done = 0; done < size; done += MOST) {
        size_t n = size - done < MOST ? size - done : MOST;
        if (getentropy((char *)data + done, n) != 0)
            return mgl_fail(err, MGL_SYSTEM, "the system gives no random numbers: %s",
                            strerror(errno));
    }
    return MGL_OK;
}

static bool ask_for_sha256(void)
{
#if defined(__aarch64__)
    return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
#elif defined(__x86_64__)
    unsigned a, b = 0, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) != 0 &&
           __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
#else
    return false;
#endif
}

/* What the processor has does not change, and on a virtual machine asking takes microseconds, too
 * long for each row that is hashed. */
bool mgl_sys_has_sha256(void)
{
    static _Atomic signed char known; /* 0: not asked yet; 1: yes; -1: no */
    signed char answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        answer = ask_for_sha256() ? 1 : -1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer > 0;
}

uint64_t mgl_sys_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

unsigned mgl_sys_year(void)
{
    time_t now = time(NULL);
    struct tm day;
    return gmtime_r(&now, &day) != NULL ? (unsigned)day.tm_year + 1900 : 1970;
}

double mgl_sys_seconds(void)
{
#ifdef MGL_FAULTS
    if (mgl_fault_clock() != NULL)
        return mgl_fault_clock()();
#endif
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
