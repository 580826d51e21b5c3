/* Paths in values: where they are, what they are relative to, and all files that a job names. */
#include "job/store/store.h"
#include "job/keys/keys.h"

bool mgl_path_in(const mgl_key *key, const char *value, mgl_span *path)
{
    bool hierarchy = key->kind == MGL_KEY_BY_COLUMN && strcmp(key->field, "hierarchy") == 0;
    bool treatment = key->kind == MGL_KEY_BY_COLUMN && strcmp(key->field, "treat") == 0;
    if (hierarchy)
        *path = mgl_hierarchy_path(value);
    else if (treatment)
        *path = mgl_treat_path(value);
    else if (key->environment && strncmp(value, "env:", 4) == 0)
        return false;
    else if (mgl_key_is_path(key))
        *path = mgl_location_of(value).path;
    else if (key->kind == MGL_KEY_POLICY && mgl_policy_find(mgl_span_of(value)) == NULL)
        *path = mgl_span_of(value);
    else
        return false;
    return path->size > 0 && !mgl_span_is(*path, "-");
}

/* Finds a relative path (names in memory are none) and copies the text before it. */
static bool begin(const mgl_key *key, const char *value, mgl_span *path, mgl_buffer *out)
{
    bool relative = mgl_path_in(key, value, path) && path->data[0] != '/' &&
                    mgl_memory_name(path->data) == NULL;
    mgl_buffer_append(out, value, relative ? (size_t)(path->data - value) : strlen(value));
    return relative;
}

void mgl_path_put_below(const mgl_key *key, const char *value, mgl_span folder, mgl_buffer *out)
{
    mgl_span path;
    if (!begin(key, value, &path, out))
        return;
    mgl_buffer_span(out, folder);
    mgl_buffer_text(out, path.data);
}

/* The absolute path of a file, without links in that of its folder. */
static mgl_status absolute(mgl_span path, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    char *copy, *here;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, err, &copy));
    char *slash = strrchr(copy, '/'), *name = slash != NULL ? slash + 1 : copy;
    mgl_buffer_append(&text, name, strlen(name));
    *name = '\0';
    mgl_status status = mgl_sys_folder(copy[0] != '\0' ? copy : ".", err, &here);
    mgl_free(copy);
    mgl_buffer whole = {0};
    if (status == MGL_OK) {
        mgl_buffer_text(&whole, here);
        mgl_buffer_text(&whole, strcmp(here, "/") == 0 ? "" : "/");
        mgl_buffer_append(&whole, text.data, text.size);
        mgl_free(here);
        status = text.failed ? mgl_fail_memory(err) : mgl_buffer_take(&whole, err, out);
    }
    mgl_buffer_free(&whole);
    mgl_buffer_free(&text);
    return status;
}

/* "../data/x.csv": up from the folder of `from` to the folder both are in, and down again. Files
 * that have nothing but the root in common are named from there. */
static void put_relative(mgl_buffer *out, const char *from, const char *to)
{
    size_t common = 0;
    for (size_t i = 0; from[i] != '\0' && from[i] == to[i]; i++)
        if (from[i] == '/')
            common = i + 1;
    if (common <= 1) {
        mgl_buffer_text(out, strrchr(from, '/') == from ? to + common : to);
        return;
    }
    for (const char *at = from + common; (at = strchr(at, '/')) != NULL; at++)
        mgl_buffer_text(out, "../");
    mgl_buffer_text(out, to + common);
}

mgl_status mgl_path_put_beside(const mgl_key *key, const char *value, const char *place,
                               mgl_error *err, mgl_buffer *out)
{
    mgl_span path;
    char *from = NULL, *to = NULL;
    if (!begin(key, value, &path, out))
        return MGL_OK;
    if (place == NULL || strcmp(place, "-") == 0) {
        mgl_buffer_text(out, path.data);
        return MGL_OK;
    }
    mgl_status status = MGL_OK;
    MGL_GO(absolute(mgl_span_of(place), err, &from));
    MGL_GO(absolute(path, err, &to));
    put_relative(out, from, to);
    mgl_buffer_text(out, path.data + path.size);
done:
    mgl_free(from);
    mgl_free(to);
    return status;
}

typedef struct visit {
    mgl_job_file_fn *fn;
    void *user;
} visit;

static mgl_status visit_one(const visit *t, const mgl_key *key, const char *location,
                            mgl_error *err)
{
    if (t->fn(t->user, key->name, location, key->kind == MGL_KEY_OUTPUT) == 0)
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_CONFLICT, key->name, "`%s` may not name '%.200s' here",
                        key->name, location);
}

static mgl_status visit_list(const visit *t, const mgl_key *key, const char *value, mgl_error *err)
{
    mgl_list list = mgl_list_of(mgl_span_of(value));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    while (value[0] != '\0' && mgl_list_next(&list, &item, &wrong)) {
        mgl_buffer_append(&item, "", 1);
        MGL_GO(item.failed ? mgl_fail_memory(err) : visit_one(t, key, item.data, err));
    }
    MGL_GO(mgl_check_memory(!wrong.failed, err));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

/* A file within a builder, or that of a policy. */
static mgl_status visit_within(const visit *t, const mgl_key *key, const char *value,
                               mgl_error *err)
{
    mgl_span path;
    mgl_buffer text = {0};
    char *name;
    if (!mgl_path_in(key, value, &path))
        return MGL_OK;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, err, &name));
    mgl_status status = visit_one(t, key, name, err);
    mgl_free(name);
    return status;
}

mgl_status mgl_job_files(const mgl_job *job, mgl_job_file_fn *fn, void *user, mgl_error *err)
{
    visit t = {fn, user};
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        mgl_key key;
        bool known = entry->subject != NULL ? mgl_key_find_field(mgl_span_of(entry->field), &key)
                                            : mgl_key_find(mgl_span_of(entry->field), &key);
        if (!known)
            continue;
        MGL_TRY(key.kind == MGL_KEY_INPUTS ? visit_list(&t, &key, entry->value, err)
                : mgl_key_is_path(&key)    ? visit_one(&t, &key, entry->value, err)
                                           : visit_within(&t, &key, entry->value, err));
    }
    return MGL_OK;
}
