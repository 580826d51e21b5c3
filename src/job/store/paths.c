/* Knows where a path stands in a value and makes it relative to a job file. Loading, documents and
 * the check of outputs call it. */
#include "job/store/paths.h"

#include "job/store/policy.h"

bool mgl_path_in(const mgl_key *key, const char *value, mgl_span *path)
{
    bool hierarchy = key->kind == MGL_KEY_BY_COLUMN && strcmp(key->field, "hierarchy") == 0;
    if (hierarchy)
        *path = mgl_hierarchy_path(value);
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

/* Finds a relative path, which what is in memory is not, and copies what stands before it. */
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

/* ---- From one folder to another ------------------------------------------------------------- */

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
