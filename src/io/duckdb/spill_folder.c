/* Makes and removes the folder that DuckDB spills to. A folder in use is locked, so that one whose
 * process was killed is known by its lock: that is free. duckdb.c calls it. */
#include "io/duckdb/spill_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "mingle-duckdb-";

static const char *above(void)
{
    const char *said = getenv("TMPDIR");
    return said != NULL && said[0] != '\0' ? said : "/tmp";
}

static void remove_files(int folder)
{
    int copy = dup(folder);
    DIR *open = copy >= 0 ? fdopendir(copy) : NULL;
    if (open == NULL && copy >= 0)
        (void)close(copy);
    for (const struct dirent *e; open != NULL && (e = readdir(open)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            (void)unlinkat(folder, e->d_name, 0);
    if (open != NULL)
        closedir(open);
}

/* Opens a folder of ours and locks it; -1 if it is not ours, or in use. */
static int lock_folder(int at, const char *name)
{
    struct stat state;
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && (fstat(folder, &state) != 0 || state.st_uid != geteuid() ||
                        flock(folder, LOCK_EX | LOCK_NB) != 0)) {
        (void)close(folder);
        return -1;
    }
    return folder;
}

static void remove_abandoned(void)
{
    DIR *open = opendir(above());
    for (const struct dirent *e; open != NULL && (e = readdir(open)) != NULL;) {
        if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        int folder = lock_folder(dirfd(open), e->d_name);
        if (folder < 0)
            continue;
        remove_files(folder);
        (void)unlinkat(dirfd(open), e->d_name, AT_REMOVEDIR);
        (void)close(folder);
    }
    if (open != NULL)
        closedir(open);
}

/* Another run may take a folder for abandoned before it is locked: then it is gone, or locked by
 * that one, and another is made. */
static bool make_locked(mgl_spill_folder *f, const char *pattern)
{
    enum { ATTEMPTS = 8 };
    for (int i = 0; i < ATTEMPTS; i++) {
        strcpy(f->path, pattern);
        struct stat made, named;
        if (mkdtemp(f->path) == NULL)
            return false;
        f->lock = lock_folder(AT_FDCWD, f->path);
        if (f->lock >= 0 && fstat(f->lock, &made) == 0 && stat(f->path, &named) == 0 &&
            made.st_ino == named.st_ino)
            return true;
        if (f->lock >= 0)
            (void)close(f->lock);
        f->lock = -1;
    }
    return false;
}

mgl_status mgl_spill_folder_make(mgl_error *err, mgl_spill_folder *out)
{
    *out = (mgl_spill_folder){.lock = -1};
    if (mgl_sys_in_memory(-1))
        return MGL_OK;
    remove_abandoned();
    mgl_buffer pattern = {0};
    mgl_buffer_format(&pattern, "%s/%sXXXXXX", above(), prefix);
    mgl_buffer_append(&pattern, "", 1);
    out->path = pattern.failed ? NULL : mgl_alloc(pattern.size);
    mgl_status status = out->path == NULL                ? mgl_fail_memory(err)
                        : make_locked(out, pattern.data) ? MGL_OK
                                                         : mgl_fail_temporary(err, "create");
    mgl_buffer_free(&pattern);
    if (status != MGL_OK) {
        mgl_free(out->path);
        out->path = NULL;
    }
    return status;
}

void mgl_spill_folder_remove(mgl_spill_folder *f)
{
    if (f->path != NULL && f->lock >= 0) {
        remove_files(f->lock);
        (void)rmdir(f->path);
        (void)close(f->lock);
    }
    mgl_free(f->path);
    *f = (mgl_spill_folder){.lock = -1};
}
