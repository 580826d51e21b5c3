/* Tells which files a job names, for programs that let some be read or written and no others. The
 * public mgl_job_files. */
#include "job/store/store.h"

#include "job/keys/keys.h"
#include "job/store/paths.h"

typedef struct telling {
    mgl_job_file_fn *fn;
    void *user;
} telling;

static mgl_status tell(const telling *t, const mgl_key *key, const char *location, mgl_error *err)
{
    if (t->fn(t->user, key->name, location, key->kind == MGL_KEY_OUTPUT) == 0)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_CONFLICT, "`%s` may not name '%.200s' here", key->name, location),
        key->name);
}

static mgl_status tell_list(const telling *t, const mgl_key *key, const char *value, mgl_error *err)
{
    mgl_list list = mgl_list_of(mgl_span_of(value));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    while (value[0] != '\0' && mgl_list_next(&list, &item, &wrong)) {
        mgl_buffer_append(&item, "", 1);
        MGL_GO(item.failed ? mgl_fail_memory(err) : tell(t, key, item.data, err));
    }
    if (wrong.failed)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

/* A file within a builder, or that of a policy. */
static mgl_status tell_within(const telling *t, const mgl_key *key, const char *value,
                              mgl_error *err)
{
    mgl_span path;
    mgl_buffer text = {0};
    char *name;
    if (!mgl_path_in(key, value, &path))
        return MGL_OK;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, err, &name));
    mgl_status status = tell(t, key, name, err);
    mgl_free(name);
    return status;
}

mgl_status mgl_job_files(const mgl_job *job, mgl_job_file_fn *fn, void *user, mgl_error *err)
{
    telling t = {fn, user};
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        mgl_key key;
        bool known = entry->subject != NULL ? mgl_key_find_field(mgl_span_of(entry->field), &key)
                                            : mgl_key_find(mgl_span_of(entry->field), &key);
        if (!known)
            continue;
        MGL_TRY(key.kind == MGL_KEY_INPUTS ? tell_list(&t, &key, entry->value, err)
                : mgl_key_is_path(&key)    ? tell(&t, &key, entry->value, err)
                                           : tell_within(&t, &key, entry->value, err));
    }
    return MGL_OK;
}
