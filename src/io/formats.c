/* The table of formats: what can be read and written, by which source and sink. Sources and sinks
 * are found here by the ending or scheme of a location. */
#include "io/formats.h"
#include "io/intake/intake.h"

#define MGL_ROW(format) extern const mgl_format format;
#include "io/format_rows.h"
#undef MGL_ROW

#define MGL_ROW(format) &format,
static const mgl_format *const formats[] = {
#include "io/format_rows.h"
};
#undef MGL_ROW

enum { N_FORMATS = sizeof formats / sizeof formats[0] };

const mgl_format *const *mgl_formats(size_t *n)
{
    *n = N_FORMATS;
    return formats;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool ends_in(mgl_span path, const char *ending, size_t size)
{
    if (path.size <= size) /* a file called ".sav" has no ending */
        return false;
    for (size_t i = 0; i < size; i++)
        if (lower(path.data[path.size - size + i]) != ending[i])
            return false;
    return path.data[path.size - size - 1] != '/';
}

static bool has_ending(const mgl_format *format, mgl_span path)
{
    const char *at = format->endings;
    while (at != NULL && *at != '\0') {
        size_t size = strcspn(at, " ");
        if (ends_in(path, at, size))
            return true;
        at += size;
        at += strspn(at, " ");
    }
    return false;
}

bool mgl_path_has_sheets(mgl_span path)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i]->sheets && has_ending(formats[i], path))
            return true;
    return false;
}

static mgl_span without_sheet(const char *location)
{
    const char *sheet = mgl_location_sheet(location);
    return (mgl_span){location, sheet != NULL ? (size_t)(sheet - 1 - location) : strlen(location)};
}

bool mgl_is_arrow(const char *location)
{
    const mgl_memory_object *object = mgl_memory_find(location);
    return object != NULL && object->table != NULL;
}

/* A table of several files. */
static bool is_folder(const char *location)
{
    mgl_file_state state;
    return mgl_memory_name(location) == NULL && mgl_sys_state_of(location, &state) == 0 &&
           state.folder;
}

static bool begins_with(const char *location, const char *scheme)
{
    return scheme != NULL && strncmp(location, scheme, strlen(scheme)) == 0;
}

const mgl_format *mgl_format_of(const char *location)
{
    mgl_span path = without_sheet(location);
    if (mgl_is_arrow(location))
        return &mgl_arrow_format;
    for (size_t i = 0; i < N_FORMATS; i++)
        if (begins_with(location, formats[i]->scheme) || begins_with(location, formats[i]->also))
            return formats[i];
    for (size_t i = 0; i < N_FORMATS; i++)
        if (has_ending(formats[i], path))
            return formats[i];
    return is_folder(location) ? &mgl_parquet_format : formats[0];
}

mgl_span mgl_location_path(const char *location)
{
    const mgl_format *format = mgl_format_of(location);
    if (format->scheme == NULL)
        return strcmp(location, "-") == 0 ? (mgl_span){location, 0} : without_sheet(location);
    const char *path = location + strlen(format->scheme), *end = NULL;
    for (const char *at = path; (at = strstr(at, "?table=")) != NULL; at++)
        end = at;
    size_t size = end != NULL ? (size_t)(end - path) : strlen(path);
    return (mgl_span){path, format->beside ? size : 0};
}

mgl_status mgl_location_files(const char *location, mgl_file_fn *visit, void *context,
                              mgl_error *err)
{
    const mgl_format *format = mgl_format_of(location);
    mgl_span path = mgl_location_path(location);
    mgl_buffer text = {0};
    char *file;
    if (path.size == 0)
        return MGL_OK;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, err, &file));
    mgl_status status = visit(context, file, err);
    if (status == MGL_OK && format->source->each_file != NULL)
        status = format->source->each_file(file, visit, context, err);
    mgl_free(file);
    return status;
}

static mgl_status visit_engine_files(const char *path, const char *tails, mgl_file_fn *visit,
                                     void *context, mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (const char *at = tails; status == MGL_OK && *at != '\0'; at += strspn(at, " ")) {
        mgl_buffer text = {0};
        size_t size = strcspn(at, " ");
        char *file = NULL;
        mgl_buffer_text(&text, path);
        mgl_buffer_append(&text, at, size);
        MGL_TRY(mgl_buffer_take(&text, err, &file));
        status = visit(context, file, err);
        mgl_free(file);
        at += size;
    }
    return status;
}

mgl_status mgl_location_engine_files(const char *location, mgl_file_fn *visit, void *context,
                                     mgl_error *err)
{
    const char *tails = mgl_format_of(location)->engine_files;
    mgl_span path = mgl_location_path(location);
    mgl_buffer text = {0};
    char *file = NULL, *resolved = NULL;
    if (tails == NULL || path.size == 0)
        return MGL_OK;
    mgl_buffer_span(&text, path);
    MGL_TRY(mgl_buffer_take(&text, err, &file));
    mgl_status status = visit_engine_files(file, tails, visit, context, err);
    if (status == MGL_OK && mgl_sys_resolve(file, NULL, &resolved) == MGL_OK)
        status = visit_engine_files(resolved, tails, visit, context, err);
    mgl_free(file);
    mgl_free(resolved);
    return status;
}

mgl_status mgl_format_check_memory(const mgl_format *format, const char *location, mgl_error *err)
{
    if (format->in_memory || mgl_memory_name(location) == NULL)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_UNSUPPORTED, location, 0,
                       "%s files cannot be in memory; name a file, or delimited text in memory "
                       "(memory:NAME.csv)",
                       format->name);
}

/* In memory a name without an ending is that of a table. */
static const mgl_format *format_to_write(const char *location)
{
    if (mgl_memory_name(location) != NULL && mgl_ending_of(location).size == 0)
        return &mgl_arrow_format;
    const mgl_format *format = mgl_format_of(location);
    return format->loaded ? formats[0] : format;
}

mgl_status mgl_format_to_write(const char *location, mgl_error *err, const mgl_format **out)
{
    const mgl_format *format = format_to_write(location);
    if (!format->text && !format->columns && format->save == NULL && format->sink == NULL)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_UNSUPPORTED, location, 0,
                        "%s files can be read but not written; choose another ending (`help "
                        "formats`)",
                        format->name),
            "output");
    MGL_TRY(mgl_format_check_memory(format, location, err));
    if (format->sink != NULL && format->sink->check != NULL)
        MGL_TRY(format->sink->check(location, err));
    *out = format;
    return MGL_OK;
}

mgl_status mgl_format_check_rows(const mgl_format *format, const char *target, uint64_t n_rows,
                                 mgl_error *err)
{
    if (format->most_rows == 0 || n_rows <= format->most_rows)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_NO_ROOM, target, 0,
                    "the release has %llu rows, and %s files have room for %llu; write another "
                    "format, such as .csv or .parquet",
                    (unsigned long long)n_rows, format->name,
                    (unsigned long long)format->most_rows),
        "output");
}
