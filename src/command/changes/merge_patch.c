/* The difference of two documents as a merge patch (RFC 7396): what is set anew, and null for what
 * goes. try_change.c tells changes of jobs with it. */
#include "command/changes/changes.h"

/* What is in one place only, or differs. */
static void add_place(json_t *patch, const char *key, const json_t *from, json_t *to)
{
    if (from != NULL && json_equal(from, to))
        return;
    if (json_is_object(from) && json_is_object(to))
        mgl_json_set(patch, key, mgl_merge_patch(from, to));
    else
        mgl_json_set(patch, key, json_deep_copy(to));
}

json_t *mgl_merge_patch(const json_t *from, const json_t *to)
{
    json_t *patch = json_object(), *value;
    const char *key;
    json_object_foreach((json_t *)from, key, value) if (json_object_get(to, key) == NULL)
        mgl_json_set(patch, key, json_null());
    json_object_foreach((json_t *)to, key, value)
        add_place(patch, key, json_object_get(from, key), value);
    return patch;
}
