/* Cuts locations of files that hold several tables: FILE.xlsx#SHEET. formats.c, workbooks and
 * writing ask it for file and sheet. */
#include "io/formats.h"
#include "io/intake/intake.h"

/* The # behind the path of the file; NULL: the location is a path, or no path at all. A name of a
 * sheet has no slash. */
static const char *find_hash(const char *location)
{
    for (const char *hash = strchr(location, '#'); hash != NULL; hash = strchr(hash + 1, '#'))
        if (strchr(hash, '/') == NULL &&
            mgl_path_has_sheets((mgl_span){location, (size_t)(hash - location)}))
            return hash;
    return NULL;
}

const char *mgl_location_sheet(const char *location)
{
    const char *hash = find_hash(location);
    return hash != NULL ? hash + 1 : NULL;
}

mgl_status mgl_location_file(const char *location, mgl_error *err, char **out)
{
    const char *hash = find_hash(location);
    size_t size = hash != NULL ? (size_t)(hash - location) : strlen(location);
    char *path = mgl_alloc(size + 1);
    if (path == NULL)
        return mgl_fail_memory(err);
    memcpy(path, location, size);
    path[size] = '\0';
    *out = path;
    return MGL_OK;
}
