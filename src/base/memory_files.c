/* Files in memory behind descriptors. For locations "memory:NAME" and for their
 * descriptors; a call or a session has the list of those that are open.
 *
 * A file in memory has a descriptor like any other file and is read, staged, renamed and closed by
 * the same functions. So the verifier judges a release in memory by the code that judges files. */
#include "base/memory_files.h"

#include "base/memory.h"

#include <errno.h>

typedef struct mgl_open_file {
    mgl_memory_object *object; /* NULL: the place is free */
    uint64_t position;
    bool written; /* opened to be written */
} open_file;

void mgl_open_files_init(mgl_open_files *files, const mgl_allocator *allocator)
{
    *files = (mgl_open_files){.allocator = *allocator};
    pthread_mutex_init(&files->lock, NULL);
}

/* Makes room for so many, whatever the allocator of the current call; 0: gives the room back. */
static bool make_room(mgl_open_files *files, size_t n)
{
    mgl_call own = {.allocator = files->allocator};
    const mgl_call *before = mgl_call_enter(&own);
    bool room = mgl_grow(&files->list, &files->capacity, n, sizeof *files->list);
    if (n == 0)
        mgl_free(files->list);
    mgl_call_leave(before);
    return room;
}

void mgl_open_files_free(mgl_open_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        mgl_memory_object_release(files->list[i].object);
    (void)make_room(files, 0);
    pthread_mutex_destroy(&files->lock);
}

static int fail(int number)
{
    errno = number;
    return -1;
}

static mgl_open_files *current_files(void)
{
    const mgl_call *call = mgl_call_current();
    return call != NULL ? call->files : NULL;
}

/* A descriptor for the object, of which it becomes a holder. */
static int open_object(mgl_memory_object *object, bool written)
{
    mgl_open_files *files = current_files();
    if (files == NULL)
        return fail(ENOENT);
    pthread_mutex_lock(&files->lock);
    size_t i = 0;
    while (i < files->n && files->list[i].object != NULL)
        i++;
    bool room = make_room(files, i + 1);
    if (room) {
        files->n = i < files->n ? files->n : i + 1;
        files->list[i] =
            (open_file){.object = mgl_memory_object_retain(object), .written = written};
    }
    pthread_mutex_unlock(&files->lock);
    return room ? MGL_MEMORY_DESCRIPTORS + (int)i : fail(ENOMEM);
}

/* Locks the files, too, if it finds the descriptor; put_down unlocks them. */
static open_file *pick_up(int fd)
{
    mgl_open_files *files = current_files();
    size_t i = (size_t)(fd - MGL_MEMORY_DESCRIPTORS);
    if (files == NULL)
        return NULL;
    pthread_mutex_lock(&files->lock);
    if (i < files->n && files->list[i].object != NULL)
        return &files->list[i];
    pthread_mutex_unlock(&files->lock);
    errno = EBADF;
    return NULL;
}

static void put_down(void)
{
    pthread_mutex_unlock(&current_files()->lock);
}

/* A table that is opened as a file is its lines, which live until the file is closed. */
static int open_lines(const mgl_memory_object *table)
{
    mgl_memory_object *lines = mgl_memory_object_new();
    if (lines == NULL)
        return fail(ENOMEM);
    bool written = table->text(table->table, NULL, &lines->own) == MGL_OK;
    lines->bytes = (mgl_span){lines->own.data, lines->own.size};
    int fd = written ? open_object(lines, false) : fail(ENOMEM);
    mgl_memory_object_release(lines);
    return fd;
}

int mgl_memory_open(const char *location)
{
    mgl_memory_object *object = mgl_memory_find(location);
    if (object != NULL && object->text != NULL)
        return open_lines(object);
    return object != NULL && object->table == NULL ? open_object(object, false) : fail(ENOENT);
}

/* In the memory store if it has a name. */
static int create(const char *name)
{
    const mgl_call *call = mgl_call_current();
    mgl_memory_object *object = mgl_memory_object_new();
    if (object == NULL)
        return fail(ENOMEM);
    int fd = open_object(object, true);
    mgl_memory_object_release(object);
    if (fd < 0 || name == NULL || mgl_memory_store_put(call->made, name, object, NULL) == MGL_OK)
        return fd;
    mgl_memory_close(fd);
    return fail(ENOMEM);
}

int mgl_memory_create(const char *location)
{
    const mgl_call *call = mgl_call_current();
    const char *name = mgl_memory_name(location);
    if (call == NULL || call->made == NULL)
        return fail(EROFS);
    return mgl_memory_store_find(call->made, name) != NULL ? fail(EEXIST) : create(name);
}

int mgl_memory_spool(void)
{
    return create(NULL);
}

void mgl_memory_close(int fd)
{
    open_file *file = pick_up(fd);
    if (file == NULL)
        return;
    mgl_memory_object *object = file->object;
    *file = (open_file){0};
    put_down();
    mgl_memory_object_release(object);
}

static size_t read_at(const open_file *file, void *data, size_t size, uint64_t offset)
{
    mgl_span bytes = file->object->bytes;
    size_t left = offset < bytes.size ? bytes.size - (size_t)offset : 0;
    size = size < left ? size : left;
    if (size > 0)
        memcpy(data, bytes.data + offset, size);
    return size;
}

static bool write_at(open_file *file, const void *data, size_t size, uint64_t offset)
{
    mgl_buffer *own = &file->object->own;
    size_t end = (size_t)offset + size;
    if (end > own->size && !mgl_buffer_reserve(own, end - own->size))
        return false;
    if (offset > own->size)
        memset(own->data + own->size, 0, (size_t)offset - own->size);
    if (size > 0)
        memcpy(own->data + offset, data, size);
    own->size = end > own->size ? end : own->size;
    file->object->bytes = (mgl_span){own->data, own->size};
    return true;
}

ssize_t mgl_memory_read(int fd, void *data, size_t size)
{
    open_file *file = pick_up(fd);
    if (file == NULL)
        return -1;
    size_t n = read_at(file, data, size, file->position);
    file->position += n;
    put_down();
    return (ssize_t)n;
}

ssize_t mgl_memory_pread(int fd, void *data, size_t size, uint64_t offset)
{
    const open_file *file = pick_up(fd);
    if (file == NULL)
        return -1;
    size_t n = read_at(file, data, size, offset);
    put_down();
    return (ssize_t)n;
}

/* offset NULL: where the last write ended. */
static int write_bytes(int fd, const void *data, size_t size, const uint64_t *offset)
{
    open_file *file = pick_up(fd);
    if (file == NULL)
        return -1;
    bool written = file->written;
    bool room = written && write_at(file, data, size, offset != NULL ? *offset : file->position);
    if (room && offset == NULL)
        file->position += size;
    put_down();
    return room ? 0 : fail(written ? ENOMEM : EBADF);
}

int mgl_memory_write(int fd, const void *data, size_t size)
{
    return write_bytes(fd, data, size, NULL);
}

int mgl_memory_pwrite(int fd, const void *data, size_t size, uint64_t offset)
{
    return write_bytes(fd, data, size, &offset);
}

static void fill_state(const mgl_memory_object *object, mgl_file_state *out)
{
    *out = (mgl_file_state){.size = object->bytes.size,
                            .inode = object->number,
                            .device = UINT64_MAX, /* of no file system */
                            .regular = object->table == NULL};
}

int mgl_memory_state(int fd, mgl_file_state *out)
{
    const open_file *file = pick_up(fd);
    if (file == NULL)
        return -1;
    fill_state(file->object, out);
    put_down();
    return 0;
}

int mgl_memory_state_of(const char *location, mgl_file_state *out)
{
    const mgl_memory_object *object = mgl_memory_find(location);
    if (object == NULL)
        return fail(ENOENT);
    fill_state(object, out);
    return 0;
}

int mgl_memory_rename(const char *from, const char *to)
{
    const mgl_call *call = mgl_call_current();
    mgl_memory_store *made = call != NULL ? call->made : NULL;
    const char *name = mgl_memory_name(to), *old = mgl_memory_name(from);
    mgl_memory_object *object = old != NULL ? mgl_memory_store_find(made, old) : NULL;
    if (object == NULL || name == NULL)
        return fail(ENOENT);
    if (mgl_memory_store_put(made, name, object, NULL) != MGL_OK)
        return fail(ENOMEM);
    mgl_memory_store_remove(made, old);
    return 0;
}

int mgl_memory_unlink(const char *location)
{
    const mgl_call *call = mgl_call_current();
    if (call == NULL || call->made == NULL)
        return fail(ENOENT);
    mgl_memory_store_remove(call->made, mgl_memory_name(location));
    return 0;
}
