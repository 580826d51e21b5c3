/* Parses locations: which format a file, an object in memory or a table of a database has, its
 * path, sheet, table and ending. */
#include "io/formats.h"
#include "io/intake/intake.h"

/* Of files that are not tables, or of tables that are not written here: a release with such a name
 * would be taken for something else. */
static const char other_endings[] =
    ".json .jsonl .ndjson .geojson .html .htm .xhtml .xml .md .tex .pdf .doc .docx .odt .rtf .ppt "
    ".pptx .xls .xlsx .xlsm .xlsb .ods .numbers .yaml .yml .toml .feather .arrow .orc .avro .rdata "
    ".por .sas7bcat .h5 .hdf5 .npy .npz .pkl .mat .db .sqlite .sqlite3 .duckdb .mdb .accdb .dbf "
    ".sql .zip .7z .rar .tar .tgz .bz2 .xz .lz4 .gz .zst .png .jpg .jpeg .gif .svg .py .r .sh .c";

/* The next ending of a list with spaces between them, which goes on behind it; empty at the end. */
static mgl_span next_ending(const char **list)
{
    const char *at = *list != NULL ? *list + strspn(*list, " ") : "";
    mgl_span ending = {at, strcspn(at, " ")};
    *list = at + ending.size;
    return ending;
}

static bool same_letters(const char *text, mgl_span ending)
{
    for (size_t i = 0; i < ending.size; i++)
        if (mgl_lower(text[i]) != ending.data[i])
            return false;
    return true;
}

bool mgl_ending_is(mgl_span ending, const char *endings)
{
    for (mgl_span one; (one = next_ending(&endings)).size > 0;)
        if (one.size == ending.size && same_letters(ending.data, one))
            return true;
    return false;
}

/* A file that is called ".sav" has no ending. */
static bool has_ending(mgl_span path, const char *endings)
{
    for (mgl_span one; (one = next_ending(&endings)).size > 0;) {
        size_t before = path.size > one.size ? path.size - one.size : 0;
        if (before > 0 && path.data[before - 1] != '/' && same_letters(path.data + before, one))
            return true;
    }
    return false;
}

static bool is_known(mgl_span ending)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (mgl_ending_is(ending, formats[i]->endings))
            return true;
    return mgl_ending_is(ending, other_endings);
}

/* From the last dot of the name on; empty: it has none, or begins with it. */
static mgl_span last_ending(mgl_span path)
{
    for (size_t i = path.size; i > 1 && path.data[i - 1] != '/'; i--)
        if (path.data[i - 1] == '.')
            return (mgl_span){path.data + i - 1, path.data[i - 2] != '/' ? path.size - (i - 1) : 0};
    return (mgl_span){path.data, 0};
}

static mgl_span ending_of(mgl_span path)
{
    mgl_span last = last_ending(path);
    mgl_span before = last_ending((mgl_span){path.data, path.size - last.size});
    if (mgl_ending_is(last, ".gz .zst") && before.size > 0 && is_known(before))
        return (mgl_span){before.data, before.size + last.size};
    return is_known(last) ? last : (mgl_span){path.data, 0};
}

static bool is_written(const mgl_format *format)
{
    return format->text || format->sink != NULL || format->save != NULL;
}

bool mgl_ending_is_written(mgl_span ending)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (is_written(formats[i]) && mgl_ending_is(ending, formats[i]->endings))
            return true;
    return mgl_ending_is(ending, ".gz .zst"); /* text with an ending of its own, compressed */
}

void mgl_endings_written(mgl_buffer *out)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (is_written(formats[i]) && formats[i]->endings != NULL)
            mgl_buffer_format(out, "%s%s", out->size > 0 ? " " : "", formats[i]->endings);
}

/* The # behind the path of a file with sheets; NULL if absent. A name of a sheet has no slash. */
static const char *find_hash(const char *text)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (const char *hash = strchr(text, '#'); hash != NULL; hash = strchr(hash + 1, '#'))
        for (size_t i = 0; i < n && strchr(hash, '/') == NULL; i++)
            if (formats[i]->sheets &&
                has_ending((mgl_span){text, (size_t)(hash - text)}, formats[i]->endings))
                return hash;
    return NULL;
}

/* The last table=... behind a ? or &; NULL if absent. */
static const char *find_table(const char *text)
{
    static const char mark[] = "table=";
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
        if (at > text && (at[-1] == '?' || at[-1] == '&'))
            found = at + sizeof mark - 1;
    return found;
}

static bool begins_with(const char *text, const char *scheme)
{
    return scheme != NULL && strncmp(text, scheme, strlen(scheme)) == 0;
}

/* A table of several files. */
static bool is_folder(const char *text)
{
    mgl_file_state state;
    return mgl_memory_name(text) == NULL && mgl_sys_state_of(text, &state) == 0 && state.folder;
}

static const mgl_format *find_format(const char *text, mgl_span file)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (begins_with(text, formats[i]->scheme) || begins_with(text, formats[i]->also))
            return formats[i];
    for (size_t i = 0; i < n; i++)
        if (has_ending(file, formats[i]->endings))
            return formats[i];
    return is_folder(text) ? &mgl_parquet_format : formats[0];
}

static bool is_table_in_memory(const char *text)
{
    const mgl_memory_object *object = mgl_memory_find(text);
    return object != NULL && object->table != NULL;
}

/* SCHEME:PATH?table=NAME, or what a server is called instead of the path. */
static void parse_database(mgl_location *l)
{
    const char *scheme =
        begins_with(l->text, l->format->scheme) ? l->format->scheme : l->format->also;
    const char *path = l->text + strlen(scheme);
    l->kind = l->format == &mgl_shards_format ? MGL_LOCATION_SHARDS : MGL_LOCATION_DATABASE;
    l->table = find_table(path);
    const char *end = l->table != NULL ? l->table - strlen("?table=") : path + strlen(path);
    l->path = (mgl_span){path, l->format->beside ? (size_t)(end - path) : 0};
}

mgl_location mgl_location_of(const char *text)
{
    const char *hash = find_hash(text);
    mgl_location l = {.text = text, .sheet = hash != NULL ? hash + 1 : NULL};
    l.file = l.path = (mgl_span){text, hash != NULL ? (size_t)(hash - text) : strlen(text)};
    if (is_table_in_memory(text)) {
        l.kind = MGL_LOCATION_TABLE;
        l.format = &mgl_arrow_format;
    } else {
        l.format = find_format(text, l.file);
        if (l.format->scheme != NULL) {
            parse_database(&l);
        } else if (strcmp(text, "-") == 0) {
            l.kind = MGL_LOCATION_STREAM;
            l.path.size = 0;
        } else if (mgl_memory_name(text) != NULL) {
            l.kind = MGL_LOCATION_MEMORY;
        }
    }
    l.ending = ending_of(l.path);
    return l;
}

static mgl_status copy(mgl_span text, mgl_error *err, char **out)
{
    mgl_buffer buffer = {0};
    mgl_buffer_span(&buffer, text);
    return mgl_buffer_take(&buffer, err, out);
}

mgl_status mgl_location_file(const char *text, mgl_error *err, char **out)
{
    return copy(mgl_location_of(text).file, err, out);
}

mgl_status mgl_location_files(const char *text, mgl_file_fn *visit, void *context, mgl_error *err)
{
    mgl_location location = mgl_location_of(text);
    char *file;
    if (location.path.size == 0)
        return MGL_OK;
    MGL_TRY(copy(location.path, err, &file));
    mgl_status status = visit(context, file, err);
    if (status == MGL_OK && location.format->source->each_file != NULL)
        status = location.format->source->each_file(file, visit, context, err);
    mgl_free(file);
    return status;
}

static mgl_status visit_tails(const char *path, const char *tails, mgl_file_fn *visit,
                              void *context, mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (mgl_span tail; status == MGL_OK && (tail = next_ending(&tails)).size > 0;) {
        mgl_buffer text = {0};
        char *file = NULL;
        mgl_buffer_text(&text, path);
        mgl_buffer_span(&text, tail);
        MGL_TRY(mgl_buffer_take(&text, err, &file));
        status = visit(context, file, err);
        mgl_free(file);
    }
    return status;
}

mgl_status mgl_location_engine_files(const char *text, mgl_file_fn *visit, void *context,
                                     mgl_error *err)
{
    mgl_location location = mgl_location_of(text);
    const char *tails = location.format->engine_files;
    char *file = NULL, *resolved = NULL;
    if (tails == NULL || location.path.size == 0)
        return MGL_OK;
    MGL_TRY(copy(location.path, err, &file));
    mgl_status status = visit_tails(file, tails, visit, context, err);
    if (status == MGL_OK && mgl_sys_resolve(file, NULL, &resolved) == MGL_OK)
        status = visit_tails(resolved, tails, visit, context, err);
    mgl_free(file);
    mgl_free(resolved);
    return status;
}
