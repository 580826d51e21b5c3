/* Finds the files of a Parquet location: a file, a folder with all below it, a pattern. Folders
 * that are called KEY=VALUE are hive partitions, whose keys become columns. */
#include "io/duckdb/read_duckdb.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>

enum { DEEPEST = 32 }; /* folders within folders; links could go round in circles */

void mgl_parquet_files_free(mgl_parquet_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        mgl_free(files->list[i].path);
    mgl_free(files->list);
    mgl_buffer_free(&files->keys);
    *files = (mgl_parquet_files){0};
}

static bool is_parquet(const char *path)
{
    return strcmp(mgl_location_of(path).format->name, "parquet") == 0;
}

static mgl_status add_file(mgl_parquet_files *files, const char *path, const mgl_file_state *state,
                           mgl_error *err)
{
    mgl_buffer text = {0};
    MGL_TRY(mgl_grow_array(&files->list, &files->room, files->n + 1, sizeof *files->list, err));
    mgl_buffer_text(&text, path);
    files->list[files->n] = (mgl_parquet_file){.state = *state};
    mgl_status status = mgl_buffer_take(&text, err, &files->list[files->n].path);
    files->n += status == MGL_OK;
    mgl_buffer_free(&text);
    return status;
}

static mgl_status add_folder(mgl_parquet_files *files, const char *path, int depth, mgl_error *err);

/* What writers leave beside their files begins with _ or a dot: _SUCCESS, .part-0.crc. */
static mgl_status add_within(mgl_parquet_files *files, const char *folder, const char *name,
                             int depth, mgl_error *err)
{
    mgl_buffer path = {0};
    mgl_file_state state;
    if (name[0] == '.' || name[0] == '_')
        return MGL_OK;
    mgl_buffer_format(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
    mgl_buffer_append(&path, "", 1);
    mgl_status status = MGL_OK;
    MGL_GO(path.failed ? mgl_fail_memory(err) : MGL_OK);
    if (mgl_sys_state_of(path.data, &state) != 0)
        MGL_GO(mgl_fail_errno(err, path.data, "open"));
    if (state.folder)
        MGL_GO(add_folder(files, path.data, depth + 1, err));
    else if (!state.regular || !is_parquet(path.data))
        MGL_GO(mgl_fail_at(err, MGL_CODE_FORMAT, path.data, 0,
                           "is no Parquet file, and stands in a folder that is read as a table; "
                           "move it away, or name the files by a pattern such as '*.parquet'"));
    else
        MGL_GO(add_file(files, path.data, &state, err));
done:
    mgl_buffer_free(&path);
    return status;
}

static mgl_status add_folder(mgl_parquet_files *files, const char *path, int depth, mgl_error *err)
{
    struct dirent **entries = NULL;
    if (depth > DEEPEST)
        return mgl_fail_at(err, MGL_CODE_FILE, path, 0,
                           "has more than %d folders within folders; do links go in circles?",
                           DEEPEST);
    int n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = MGL_OK;
    for (int i = 0; i < n && status == MGL_OK; i++)
        status = add_within(files, path, entries[i]->d_name, depth, err);
    for (int i = 0; i < n; i++)
        free(entries[i]);
    free(entries);
    return status;
}

static mgl_status add_match(mgl_parquet_files *files, const char *path, mgl_error *err)
{
    mgl_file_state state;
    if (mgl_sys_state_of(path, &state) != 0)
        return mgl_fail_errno(err, path, "open");
    if (state.folder)
        return add_folder(files, path, 1, err);
    if (!state.regular || !is_parquet(path))
        return mgl_fail_at(err, MGL_CODE_FORMAT, path, 0,
                           "fits the pattern and is no Parquet file; move it away, or give a "
                           "pattern that it does not fit");
    return add_file(files, path, &state, err);
}

static mgl_status add_pattern(mgl_parquet_files *files, const char *pattern, mgl_error *err)
{
    glob_t found;
    int failed = glob(pattern, 0, NULL, &found);
    if (failed == GLOB_NOMATCH)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, pattern, 0,
                           "no file fits this pattern; check it and the folder");
    if (failed != 0)
        return failed == GLOB_NOSPACE ? mgl_fail_memory(err) : mgl_fail_errno(err, pattern, "open");
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < found.gl_pathc && status == MGL_OK; i++)
        status = add_match(files, found.gl_pathv[i], err);
    globfree(&found);
    return status;
}

/* The keys of KEY=VALUE/ in a path, each with a NUL behind it. */
static void keys_of(const char *path, mgl_buffer *out)
{
    for (const char *slash; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        const char *equals = memchr(path, '=', (size_t)(slash - path));
        if (equals == NULL || equals == path)
            continue;
        mgl_buffer_append(out, path, (size_t)(equals - path));
        mgl_buffer_append(out, "", 1);
    }
}

static mgl_status find_keys(mgl_parquet_files *files, mgl_error *err)
{
    mgl_buffer keys = {0};
    keys_of(files->list[0].path, &files->keys);
    mgl_status status = MGL_OK;
    for (size_t i = 1; i < files->n && status == MGL_OK; i++) {
        keys.size = 0;
        keys_of(files->list[i].path, &keys);
        if (keys.failed || files->keys.failed)
            status = mgl_fail_memory(err);
        else if (!mgl_span_equal((mgl_span){keys.data, keys.size},
                                 (mgl_span){files->keys.data, files->keys.size}))
            status = mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, files->list[i].path, 0,
                                 "stands in other partitions (folders KEY=VALUE) than %s; give all "
                                 "files of a table the same keys, in the same order",
                                 files->list[0].path);
    }
    mgl_buffer_free(&keys);
    return status;
}

mgl_status mgl_parquet_files_find(const char *location, mgl_error *err, mgl_parquet_files *out)
{
    mgl_file_state state;
    bool there = mgl_sys_state_of(location, &state) == 0;
    int number = errno;
    *out = (mgl_parquet_files){.several = !there || state.folder};
    if (there && !state.folder)
        return add_file(out, location, &state, err);
    if (!there && strpbrk(location, "*?[") == NULL) {
        errno = number;
        return mgl_fail_errno(err, location, "open");
    }
    MGL_TRY(there ? add_folder(out, location, 0, err) : add_pattern(out, location, err));
    if (out->n == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, location, 0,
                           "the folder holds no Parquet file; name one that does");
    return find_keys(out, err);
}

uint64_t mgl_parquet_files_size(const mgl_parquet_files *files)
{
    uint64_t size = 0;
    for (size_t i = 0; i < files->n; i++)
        size += files->list[i].state.size;
    return size;
}

mgl_status mgl_parquet_files_unchanged(const mgl_parquet_files *files, mgl_error *err)
{
    for (size_t i = 0; i < files->n; i++) {
        mgl_file_state now;
        const char *path = files->list[i].path;
        if (mgl_sys_state_of(path, &now) != 0)
            return mgl_fail_errno(err, path, "look at");
        if (!mgl_sys_same_state(&files->list[i].state, &now))
            return mgl_fail_at(err, MGL_CODE_CHANGED, path, 0,
                               "the file changed while it was read; run again when it is complete");
    }
    return MGL_OK;
}

/* The name of a file is a pattern there: what could be one stands in brackets. */
static void write_name(mgl_buffer *out, const char *file)
{
    mgl_buffer pattern = {0};
    for (const char *c = file; *c != '\0'; c++)
        mgl_buffer_format(&pattern, strchr("*?[", *c) != NULL ? "[%c]" : "%c", *c);
    mgl_duckdb_literal(out, (mgl_span){pattern.data, pattern.size});
    out->failed |= pattern.failed;
    mgl_buffer_free(&pattern);
}

/* Values of partitions are texts: as numbers 01 would become 1. */
void mgl_parquet_files_write(mgl_buffer *out, const mgl_parquet_files *files)
{
    mgl_buffer_text(out, "read_parquet([");
    for (size_t i = 0; i < files->n; i++) {
        mgl_buffer_text(out, i > 0 ? ", " : "");
        write_name(out, files->list[i].path);
    }
    mgl_buffer_format(out,
                      "], union_by_name = %s, hive_partitioning = %s, "
                      "hive_types_autocast = false)",
                      files->n > 1 ? "true" : "false", files->keys.size > 0 ? "true" : "false");
}

/* The columns of the first file, which those of another are compared with. */
typedef struct comparison {
    const mgl_parquet_files *files;
    const char *path; /* of the other file */
    mgl_map *columns; /* NAME\0TYPE of the first, by number */
    mgl_map *names;
    size_t n; /* columns of the other one so far */
} comparison;

/* both: name and type. */
static mgl_status compare_column(const comparison *c, mgl_span both, mgl_span name, mgl_span type,
                                 mgl_error *err)
{
    if (c->path == c->files->list[0].path)
        return mgl_map_add(c->columns, both) == MGL_NOT_FOUND ||
                       mgl_map_add(c->names, name) == MGL_NOT_FOUND
                   ? mgl_fail_memory(err)
                   : MGL_OK;
    if (mgl_map_find(c->columns, both) != MGL_NOT_FOUND)
        return MGL_OK;
    bool known = mgl_map_find(c->names, name) != MGL_NOT_FOUND;
    return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                       "column %.*s%s%.*s%s %s %s; files of one table need the same columns of "
                       "the same types",
                       mgl_span_width(name), name.data, type.size > 0 ? " (" : "",
                       mgl_span_width(type), type.size > 0 ? type.data : "",
                       type.size > 0 ? ")" : "", known ? "has another type in" : "is not in",
                       c->files->list[0].path);
}

static mgl_status take_column(void *context, mgl_span name, mgl_span type, mgl_error *err)
{
    comparison *c = context;
    mgl_buffer both = {0};
    mgl_span keys = {c->files->keys.data, c->files->keys.size};
    for (const char *key = keys.data; key < keys.data + keys.size; key += strlen(key) + 1)
        if (mgl_span_is(name, key))
            return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                               "column %.*s is in the file and in the name of its folder; leave "
                               "it out of one of them",
                               mgl_span_width(name), name.data);
    mgl_buffer_span(&both, name);
    mgl_buffer_append(&both, "", 1);
    mgl_buffer_span(&both, type);
    mgl_status status = both.failed
                            ? mgl_fail_memory(err)
                            : compare_column(c, (mgl_span){both.data, both.size}, name, type, err);
    mgl_buffer_free(&both);
    c->n++;
    return status;
}

static mgl_status compare_file(comparison *c, mgl_duckdb *db, mgl_error *err)
{
    c->n = 0;
    /* Calls visit for each column of a file. */
    mgl_buffer statement = {0};
    mgl_buffer_text(&statement, "read_parquet(");
    write_name(&statement, c->path);
    mgl_buffer_text(&statement, ", hive_partitioning = false)");
    MGL_TRY(mgl_duckdb_each_column(db, &statement, take_column, c, err));
    if (c->n == mgl_map_size(c->names))
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, c->path, 0,
                       "has %zu columns, and %s has %u; files of one table need the same columns "
                       "of the same types",
                       c->n, c->files->list[0].path, mgl_map_size(c->names));
}

mgl_status mgl_parquet_files_compare(const mgl_parquet_files *files, mgl_duckdb *db, mgl_error *err)
{
    comparison c = {.files = files, .columns = mgl_map_new(), .names = mgl_map_new()};
    mgl_status status = c.columns == NULL || c.names == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t i = 0; i < files->n && status == MGL_OK && files->several; i++) {
        c.path = files->list[i].path;
        status = compare_file(&c, db, err);
    }
    mgl_map_free(c.columns);
    mgl_map_free(c.names);
    return status;
}
