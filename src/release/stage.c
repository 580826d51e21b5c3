/* Creates a file beside its target, and gives it the target's name when all is checked. */
#include "release/release.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct mgl_stage {
    char *target; /* resolved; of a stream what messages call it */
    char *path;   /* of the staged file */
    int fd;
    mgl_stage *beside; /* of a second file; NULL: none */
    bool copied;       /* the target is a device, a pipe or a stream */
    int stream;        /* the descriptor that it is copied to; -1: it has a name */
    bool published;
    const char *name;       /* of a table in memory, in target; NULL: the stage is a file */
    mgl_arrow_table *table; /* NULL: it is not made yet */
    bool folder;            /* path is that of a folder */
    bool overwrite;         /* the target may be a folder that is replaced */
};

static char *copy_text(const char *text)
{
    char *copy = mgl_alloc(strlen(text) + 1);
    return copy == NULL ? NULL : strcpy(copy, text);
}

/* FOLDER/.NAME.mingle-XXXXXXXX: beside the target, so that renaming it is one step, and
 * recognizable should the machine fail meanwhile. */
static mgl_status create_beside(mgl_stage *stage, mgl_error *err)
{
    const char *slash = strrchr(stage->target, '/'), *in_memory = mgl_memory_name(stage->target);
    const char *name = slash != NULL ? slash + 1 : in_memory != NULL ? in_memory : stage->target;
    size_t size = strlen(stage->target) + 32;
    stage->path = mgl_alloc(size);
    MGL_TRY(mgl_check_memory(stage->path != NULL, err));
    for (int attempt = 0; attempt < 100; attempt++) {
        uint32_t number;
        MGL_TRY(mgl_sys_entropy(&number, sizeof number, err));
        snprintf(stage->path, size, "%.*s.%.200s.mingle-%08x", (int)(name - stage->target),
                 stage->target, name, number);
        stage->fd = mgl_sys_create(stage->path);
        if (stage->fd >= 0)
            return MGL_OK;
        if (errno != EEXIST)
            break;
    }
    int number = errno;
    mgl_free(stage->path);
    stage->path = NULL;
    return mgl_fail_at(err, MGL_CODE_FILE, stage->target, 0, "cannot write %s: %s",
                       in_memory != NULL ? "to memory" : "in its folder", strerror(number));
}

/* In memory the staged file has a name that no job can give. */
static mgl_status create_in_memory(mgl_stage *stage, mgl_error *err)
{
    char path[64];
    uint64_t number;
    MGL_TRY(mgl_sys_entropy(&number, sizeof number, err));
    snprintf(path, sizeof path, "memory:.mingle-%016llx", (unsigned long long)number);
    stage->path = copy_text(path);
    MGL_TRY(mgl_check_memory(stage->path != NULL, err));
    stage->fd = mgl_sys_create(stage->path);
    return stage->fd >= 0 ? MGL_OK : mgl_fail_temporary(err, "create");
}

/* The staged file has no name of its own; the verifier opens it by its descriptor. */
static mgl_status create_spool(mgl_stage *stage, mgl_error *err)
{
    if (mgl_sys_in_memory(-1))
        return create_in_memory(stage, err);
    stage->fd = mgl_sys_spool();
    if (stage->fd < 0)
        return mgl_fail_temporary(err, "create");
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", stage->fd);
    stage->path = copy_text(path);
    return stage->path == NULL ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_stage_new(const char *target, mgl_error *err, mgl_stage **out)
{
    mgl_stage *stage = mgl_zeroed_array(1, sizeof *stage);
    MGL_TRY(mgl_check_memory(stage != NULL, err));
    stage->fd = -1;
    mgl_status status = MGL_OK;
    stage->stream = mgl_sys_stream_of(target);
    if (stage->stream >= 0) {
        stage->copied = true;
        stage->target = copy_text(stage->stream == STDOUT_FILENO ? "standard output" : target);
        status = stage->target == NULL ? mgl_fail_memory(err) : MGL_OK;
    } else {
        mgl_file_state state;
        bool there = mgl_sys_state_of(target, &state) == 0;
        stage->copied = there && !state.regular;
        if (there && state.folder)
            status = mgl_fail_at(err, MGL_CODE_OUTPUT, target, 0, "this is a folder; name a file");
        else if (!stage->copied)
            status = mgl_sys_resolve(target, err, &stage->target);
        else if ((stage->target = copy_text(target)) == NULL) /* a pipe has no other name */
            status = mgl_fail_memory(err);
    }
    if (status == MGL_OK)
        status = stage->copied ? create_spool(stage, err) : create_beside(stage, err);
    if (status != MGL_OK) {
        mgl_stage_free(stage);
        return status;
    }
    *out = stage;
    return MGL_OK;
}

mgl_status mgl_stage_new_table(const char *target, mgl_error *err, mgl_stage **out)
{
    mgl_stage *stage = mgl_zeroed_array(1, sizeof *stage);
    MGL_TRY(mgl_check_memory(stage != NULL, err));
    stage->fd = stage->stream = -1;
    stage->target = copy_text(target);
    if (stage->target == NULL) {
        mgl_stage_free(stage);
        return mgl_fail_memory(err);
    }
    stage->name = mgl_memory_name(stage->target);
    *out = stage;
    return MGL_OK;
}

void mgl_stage_put_table(mgl_stage *stage, mgl_arrow_table *table)
{
    stage->table = table;
}

mgl_arrow_table *mgl_stage_table(const mgl_stage *stage)
{
    return stage->table;
}

mgl_status mgl_released_stream(const mgl_memory_store *made, const char *name, mgl_error *err,
                               struct ArrowArrayStream *out)
{
    const mgl_memory_object *object = mgl_memory_store_find(made, name);
    if (object == NULL)
        return mgl_fail(err, MGL_CODE_NOT_FOUND, "nothing was written to memory:%.200s", name);
    if (object->table == NULL)
        return mgl_fail(err, MGL_USAGE, "memory:%.200s is text; take it as bytes", name);
    return mgl_arrow_export(object->table, err, out);
}

mgl_status mgl_stage_add_beside(mgl_stage *stage, const char *ending, mgl_error *err)
{
    const char *dot = strrchr(stage->target, '.');
    if (stage->copied || dot == NULL)
        return mgl_fail_key_at(err, MGL_CODE_OUTPUT, stage->target, "output",
                               "two files are to be written, and this is no place for them; name a "
                               "file in a folder");
    size_t stem = (size_t)(dot - stage->target);
    char *target = mgl_alloc(stem + strlen(ending) + 1);
    MGL_TRY(mgl_check_memory(target != NULL, err));
    memcpy(target, stage->target, stem);
    strcpy(target + stem, ending);
    mgl_status status = mgl_stage_new(target, err, &stage->beside);
    mgl_free(target);
    return status;
}

const mgl_stage *mgl_stage_beside(const mgl_stage *stage)
{
    return stage->beside;
}

int mgl_stage_fd(const mgl_stage *stage)
{
    return stage->fd;
}

const char *mgl_stage_path(const mgl_stage *stage)
{
    return stage->path;
}

static mgl_status copy_out(mgl_stage *stage, mgl_error *err)
{
    const char *name = stage->target;
    int to = stage->stream >= 0 ? stage->stream : mgl_sys_open_write(stage->target);
    enum { BLOCK = 1 << 20 };
    char *block = mgl_alloc(BLOCK);
    mgl_status status = block == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (to < 0)
        status = mgl_fail_errno(err, name, "open");
    for (uint64_t done = 0; status == MGL_OK;) {
        ssize_t n = mgl_sys_pread(stage->fd, block, BLOCK, done);
        if (n < 0)
            status = mgl_fail_errno(err, name, "read the staged release of");
        else if (n == 0)
            break;
        else if (mgl_sys_write(to, block, (size_t)n) != 0)
            status = mgl_fail_errno(err, name, "write");
        done += n > 0 ? (uint64_t)n : 0;
    }
    if (to != stage->stream)
        mgl_sys_close(to);
    mgl_free(block);
    return status;
}

mgl_status mgl_stage_new_folder(const char *target, bool overwrite, mgl_error *err, mgl_stage **out)
{
    mgl_stage *stage = mgl_zeroed_array(1, sizeof *stage);
    MGL_TRY(mgl_check_memory(stage != NULL, err));
    stage->fd = stage->stream = -1;
    stage->overwrite = overwrite;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_partitions_check_target(target, overwrite, err));
    MGL_GO(mgl_sys_resolve(target, err, &stage->target));
    MGL_GO(create_beside(stage, err));
    *out = stage;
    stage = NULL;
done:
    mgl_stage_free(stage);
    return status;
}

mgl_status mgl_stage_divide(mgl_stage *stage, const mgl_partitions *partitions, mgl_error *err)
{
    static const char ending[] = ".folder";
    char *path = mgl_alloc(strlen(stage->path) + sizeof ending);
    MGL_TRY(mgl_check_memory(path != NULL, err));
    strcat(strcpy(path, stage->path), ending);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_sys_make_folder(path) == 0 ? MGL_OK : mgl_fail_errno(err, path, "make"));
    MGL_GO(mgl_partition_file(stage->path, path, partitions, err));
    MGL_GO(mgl_folder_seal(path, err));
    mgl_sys_close(stage->fd);
    (void)mgl_sys_unlink(stage->path);
    mgl_free(stage->path);
    stage->fd = -1;
    stage->path = path;
    stage->folder = true;
    path = NULL;
done:
    if (path != NULL)
        mgl_folder_remove(path);
    mgl_free(path);
    return status;
}

mgl_status mgl_stage_sha256(const mgl_stage *stage, mgl_error *err, char text[MGL_SHA256_TEXT],
                            uint64_t *bytes)
{
    return stage->folder ? mgl_folder_sha256(stage->path, err, text, bytes)
                         : mgl_sha256_of_file(stage->fd, stage->path, err, text, bytes);
}

/* Others see the old folder or the new one, which is whole. */
static mgl_status publish_folder(mgl_stage *stage, mgl_error *err)
{
    mgl_file_state state;
    bool there = mgl_sys_state_of(stage->target, &state) == 0;
    MGL_TRY(mgl_partitions_check_target(stage->target, stage->overwrite, err));
    if (there && stage->overwrite && mgl_sys_exchange(stage->path, stage->target) != 0)
        return mgl_fail_at(err, MGL_CODE_FILE, stage->target, 0,
                           "cannot be replaced in one step: %s; remove the folder, or choose "
                           "another name",
                           strerror(errno));
    if (there && stage->overwrite)
        mgl_folder_remove(stage->path); /* what was there before */
    else if (mgl_sys_rename(stage->path, stage->target) != 0)
        return mgl_fail_errno(err, stage->target, "put in place");
    stage->published = true;
    (void)mgl_sys_sync_folder(stage->target);
    return MGL_OK;
}

mgl_status mgl_stage_publish(mgl_stage *stage, mgl_error *err)
{
    if (stage->folder)
        return publish_folder(stage, err);
    if (stage->name != NULL)
        return mgl_arrow_put(mgl_call_current()->made, stage->name, stage->table, err);
    if (stage->beside != NULL)
        MGL_TRY(mgl_stage_publish(stage->beside, err));
    if (stage->copied)
        return copy_out(stage, err);
    if (mgl_sys_sync(stage->fd) != 0)
        return mgl_fail_errno(err, stage->target, "write to disk");
    if (mgl_sys_rename(stage->path, stage->target) != 0)
        return mgl_fail_errno(err, stage->target, "put in place");
    stage->published = true;
    /* The release has its name; a folder that cannot be synced does not undo that. */
    (void)mgl_sys_sync_folder(stage->target);
    return MGL_OK;
}

void mgl_stage_free(mgl_stage *stage)
{
    if (stage == NULL)
        return;
    mgl_stage_free(stage->beside);
    mgl_arrow_release(stage->table);
    mgl_sys_close(stage->fd);
    if (stage->folder && !stage->published)
        mgl_folder_remove(stage->path);
    else if (stage->path != NULL && !stage->published &&
             (!stage->copied || mgl_memory_name(stage->path) != NULL))
        (void)mgl_sys_unlink(stage->path);
    mgl_free(stage->path);
    mgl_free(stage->target);
    mgl_free(stage);
}

mgl_status mgl_stage_text(const char *target, mgl_span text, mgl_error *err, mgl_stage **out)
{
    mgl_stage *stage;
    MGL_TRY(mgl_stage_new(target, err, &stage));
    if (mgl_sys_write(mgl_stage_fd(stage), text.data, text.size) != 0) {
        mgl_status status = mgl_fail_errno(err, target, "write");
        mgl_stage_free(stage);
        return status;
    }
    *out = stage;
    return MGL_OK;
}

mgl_status mgl_publish_text(const char *target, const char *text, size_t size, mgl_error *err)
{
    mgl_stage *stage;
    MGL_TRY(mgl_stage_text(target, (mgl_span){text, size}, err, &stage));
    mgl_status status = mgl_stage_publish(stage, err);
    mgl_stage_free(stage);
    return status;
}
