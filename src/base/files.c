/* Folders as a whole (their hash, sealing and removing them), and small files read at once. */
#include "base/files.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/sys.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 32 }; /* folders within folders */

typedef struct listing {
    const char *folder;
    bool folders; /* are listed as well */
    char **paths; /* relative ones */
    size_t n, room;
} listing;

/* Free with mgl_free. */
static mgl_status join(const char *folder, const char *path, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    mgl_buffer_format(&text, "%s%s%s", folder, folder[0] != '\0' && path[0] != '\0' ? "/" : "",
                      path);
    return mgl_buffer_take(&text, err, out);
}

static mgl_status add(listing *l, const char *path, mgl_error *err)
{
    MGL_TRY(mgl_grow_array(&l->paths, &l->room, l->n + 1, sizeof *l->paths, err));
    MGL_TRY(join("", path, err, &l->paths[l->n]));
    l->n++;
    return MGL_OK;
}

static mgl_status list_folder(listing *l, const char *path, int depth, mgl_error *err);

static mgl_status list_entry(listing *l, const char *path, int depth, mgl_error *err)
{
    struct stat state;
    char *full;
    MGL_TRY(join(l->folder, path, err, &full));
    mgl_status status = MGL_OK;
    if (lstat(full, &state) != 0)
        status = mgl_fail_errno(err, full, "look at");
    else if (S_ISDIR(state.st_mode))
        status = list_folder(l, path, depth + 1, err);
    else if (S_ISREG(state.st_mode))
        status = add(l, path, err);
    else
        status = mgl_fail_at(err, MGL_CODE_FILE, full, 0,
                             "is neither a file nor a folder; move it away");
    mgl_free(full);
    return status;
}

static mgl_status list_open(listing *l, DIR *open, const char *path, int depth, mgl_error *err)
{
    for (const struct dirent *e; (e = readdir(open)) != NULL;) {
        char *below;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        MGL_TRY(join(path, e->d_name, err, &below));
        mgl_status status = list_entry(l, below, depth, err);
        mgl_free(below);
        MGL_TRY(status);
    }
    return l->folders ? add(l, path, err) : MGL_OK;
}

static mgl_status list_folder(listing *l, const char *path, int depth, mgl_error *err)
{
    char *full;
    MGL_TRY(join(l->folder, path, err, &full));
    errno = ELOOP;
    DIR *open = depth <= DEEPEST ? opendir(full) : NULL;
    mgl_status status =
        open != NULL ? list_open(l, open, path, depth, err) : mgl_fail_errno(err, full, "open");
    mgl_free(full);
    if (open != NULL)
        closedir(open);
    return status;
}

mgl_status mgl_folder_each(const char *folder, bool folders, mgl_entry_fn *visit, void *context,
                           mgl_error *err)
{
    listing l = {.folder = folder, .folders = folders};
    mgl_status status = list_folder(&l, "", 0, err);
    /* With folders, each stands behind what it holds as it is. */
    if (!folders)
        mgl_sort_texts((const char **)l.paths, l.n);
    for (size_t i = 0; status == MGL_OK && i < l.n; i++)
        status = visit(context, folder, l.paths[i], err);
    for (size_t i = 0; i < l.n; i++)
        mgl_free(l.paths[i]);
    mgl_free(l.paths);
    return status;
}

typedef struct hashing {
    mgl_sha256 lines;
    uint64_t bytes;
} hashing;

static mgl_status hash_file(void *context, const char *folder, const char *path, mgl_error *err)
{
    hashing *h = context;
    char *full, text[MGL_SHA256_TEXT];
    uint64_t bytes = 0;
    MGL_TRY(join(folder, path, err, &full));
    int fd = mgl_sys_open_read(full);
    mgl_status status = fd < 0 ? mgl_fail_errno(err, full, "open")
                               : mgl_sha256_of_file(fd, full, err, text, &bytes);
    if (fd >= 0)
        mgl_sys_close(fd);
    mgl_free(full);
    MGL_TRY(status);
    h->bytes += bytes;
    mgl_sha256_add(&h->lines, text, strlen(text));
    mgl_sha256_add(&h->lines, "  ", 2);
    mgl_sha256_add(&h->lines, path, strlen(path));
    mgl_sha256_add(&h->lines, "\n", 1);
    return MGL_OK;
}

mgl_status mgl_folder_sha256(const char *folder, mgl_error *err, char text[MGL_SHA256_TEXT],
                             uint64_t *bytes)
{
    hashing h = {.bytes = 0};
    mgl_sha256_begin(&h.lines);
    MGL_TRY(mgl_folder_each(folder, false, hash_file, &h, err));
    mgl_sha256_end(&h.lines, text);
    *bytes = h.bytes;
    return MGL_OK;
}

static mgl_status seal_entry(void *context, const char *folder, const char *path, mgl_error *err)
{
    char *full;
    (void)context;
    MGL_TRY(join(folder, path, err, &full));
    int fd = mgl_sys_open_read(full);
    mgl_status status = MGL_OK;
    mgl_file_state state;
    if (fd < 0 || mgl_sys_state(fd, &state) != 0 ||
        fchmod(fd, state.folder ? S_IRWXU : S_IRUSR | S_IWUSR) != 0 || mgl_sys_sync(fd) != 0)
        status = mgl_fail_errno(err, full, "write to disk");
    if (fd >= 0)
        mgl_sys_close(fd);
    mgl_free(full);
    return status;
}

mgl_status mgl_folder_seal(const char *folder, mgl_error *err)
{
    return mgl_folder_each(folder, true, seal_entry, NULL, err);
}

static mgl_status remove_entry(void *context, const char *folder, const char *path, mgl_error *err)
{
    char *full;
    (void)context;
    MGL_TRY(join(folder, path, err, &full));
    (void)remove(full);
    mgl_free(full);
    return MGL_OK;
}

void mgl_folder_remove(const char *folder)
{
    (void)mgl_folder_each(folder, true, remove_entry, NULL, NULL);
}

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
