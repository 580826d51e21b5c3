/* Files of runs whose format cannot be in memory (workbooks, Parquet), which are in the private
 * folder while the run is kept, and tables that the page handed over. */
#include "cli/studio/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The private folder ---------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return m > 0 && n > m && strcmp(name + n - m, ending) == 0;
}

bool mgl_studio_needs_file(const char *name)
{
    mgl_result *catalogue;
    bool file = false;
    if (mgl_catalogue("formats", NULL, &catalogue) != MGL_OK)
        return false;
    json_t *document = mgl_studio_result_json(catalogue), *format, *ending;
    const char *key;
    size_t i;
    json_object_foreach(json_object_get(document, "formats"), key, format)
        json_array_foreach(json_object_get(format, "endings"), i,
                           ending) if (ends_with(name, json_string_value(ending))) file =
            !json_is_true(json_object_get(format, "memory"));
    json_decref(document);
    mgl_result_free(catalogue);
    return file;
}

/* A folder that only this user can read, made when the first such file comes. */
static bool make_folder(mgl_studio *studio)
{
    const char *parent = getenv("TMPDIR");
    if (studio->folder[0] != '\0')
        return true;
    int n = snprintf(studio->folder, sizeof studio->folder, "%s/mingle-studio-XXXXXX",
                     parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (n > 0 && (size_t)n < sizeof studio->folder && mkdtemp(studio->folder) != NULL)
        return true;
    studio->folder[0] = '\0';
    return false;
}

char *mgl_studio_private_path(mgl_studio *studio, unsigned id, const char *name)
{
    char path[512];
    if (!make_folder(studio))
        return NULL;
    snprintf(path, sizeof path, "%s/%u-%s", studio->folder, id, name);
    return strdup(path);
}

bool mgl_studio_write_private(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wbx");
    if (file == NULL)
        return false;
    bool written = fwrite(bytes, 1, size, file) == size;
    written = fclose(file) == 0 && written;
    if (!written)
        (void)unlink(path);
    return written;
}

/* ---- Of a run -------------------------------------------------------------------------------- */

typedef struct gathering {
    mgl_studio_run *run;
    char keys[MGL_STUDIO_PRIVATE][64];
} gathering;

/* A plain name: it becomes part of a path. */
static bool is_plain(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && size < MGL_STUDIO_NAME && name[0] != '.' &&
           strpbrk(name, "/\\:#?*%") == NULL;
}

static int gather(void *user, const char *key, const char *location, int written)
{
    gathering *g = user;
    mgl_studio_run *run = g->run;
    const char *name = strncmp(location, "memory:", 7) == 0 ? location + 7 : "";
    if (!is_plain(name) || !mgl_studio_needs_file(name))
        return 0;
    if (run->n_private == MGL_STUDIO_PRIVATE)
        return 1;
    snprintf(g->keys[run->n_private], sizeof g->keys[0], "%s", key);
    mgl_studio_private *file = &run->private[run->n_private++];
    *file = (mgl_studio_private){.written = written != 0};
    snprintf(file->name, sizeof file->name, "%s", name);
    return 0;
}

static mgl_status refuse_format(mgl_error *err)
{
    snprintf(err->message, sizeof err->message,
             "a file of this format cannot be kept while the job runs; use CSV");
    err->code = MGL_CODE_SYSTEM;
    return err->status = MGL_SYSTEM;
}

static mgl_status place_one(mgl_studio *studio, mgl_studio_run *run, mgl_studio_private *file,
                            const char *key, mgl_error *err)
{
    pthread_mutex_lock(&studio->lock);
    file->path = mgl_studio_private_path(studio, ++studio->last_id, file->name);
    pthread_mutex_unlock(&studio->lock);
    if (file->path == NULL)
        return refuse_format(err);
    for (size_t i = 0; i < run->n_given && !file->written; i++)
        if (strcmp(run->given[i].name, file->name) == 0 &&
            !mgl_studio_write_private(file->path, run->given[i].bytes, run->given[i].size))
            return refuse_format(err);
    return mgl_job_set(run->job, key, file->path, err);
}

mgl_status mgl_studio_place_private(mgl_studio *studio, mgl_studio_run *run, mgl_error *err)
{
    gathering g = {.run = run};
    mgl_status status = mgl_job_files(run->job, gather, &g, err);
    for (size_t i = 0; i < run->n_private && status == MGL_OK; i++)
        status = place_one(studio, run, &run->private[i], g.keys[i], err);
    return status;
}

void mgl_studio_drop_private(mgl_studio_run *run)
{
    for (size_t i = 0; i < run->n_private; i++) {
        if (run->private[i].path != NULL)
            (void)unlink(run->private[i].path);
        free(run->private[i].path);
    }
    run->n_private = 0;
}

static const mgl_studio_private *find_written(const mgl_studio_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_private; i++)
        if (run->private[i].written && strcmp(run->private[i].name, name) == 0)
            return &run->private[i];
    return NULL;
}

char *mgl_studio_read_private(const mgl_studio_run *run, const char *name, size_t *size)
{
    const mgl_studio_private *file = find_written(run, name);
    FILE *stream = file != NULL && file->path != NULL ? fopen(file->path, "rb") : NULL;
    struct stat state;
    char *bytes = NULL;
    if (stream != NULL && fstat(fileno(stream), &state) == 0) {
        *size = (size_t)state.st_size;
        bytes = malloc(*size + 1);
        if (bytes != NULL && fread(bytes, 1, *size, stream) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (stream != NULL)
        fclose(stream);
    return bytes;
}

/* "FOLDER/12-NAME" -> "memory:NAME", as the request named it. The text never grows. */
size_t mgl_studio_hide_folder(const mgl_studio *studio, char *text, size_t size)
{
    static const char memory[] = "memory:";
    size_t length = strlen(studio->folder), to = 0;
    if (length == 0)
        return size;
    for (size_t i = 0; i < size;) {
        size_t end = i + length + 1;
        bool here = text[i] == '/' && size - i > length + 2 &&
                    memcmp(text + i, studio->folder, length) == 0 && text[i + length] == '/';
        while (here && end < size && text[end] >= '0' && text[end] <= '9')
            end++;
        if (!here || end == size || text[end] != '-') {
            text[to++] = text[i++];
            continue;
        }
        memcpy(text + to, memory, sizeof memory - 1);
        to += sizeof memory - 1;
        i = end + 1;
    }
    return to;
}

void mgl_studio_list_private(const mgl_studio_run *run, json_t *files)
{
    struct stat state;
    for (size_t i = 0; i < run->n_private; i++)
        if (run->private[i].written && run->private[i].path != NULL &&
            stat(run->private[i].path, &state) == 0)
            (void)json_object_set_new(files, run->private[i].name,
                                      json_integer((json_int_t)state.st_size));
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static bool is_text(const char *name)
{
    json_t *text = json_string(name);
    json_decref(text);
    return text != NULL;
}

/* The name as part of a location: without characters that have a meaning there or in a path. Of a
 * long name the end stays, which has the format. */
static void take_name(const char *given, char name[MGL_STUDIO_NAME])
{
    size_t size = strlen(given), n = 0;
    const char *at = size < MGL_STUDIO_NAME ? given : given + size - MGL_STUDIO_NAME / 2;
    while (at > given && ((unsigned char)*at & 0xC0) == 0x80)
        at++; /* not half a character of UTF-8 */
    for (bool plain = !is_text(at); *at != '\0'; at++) {
        bool odd = (unsigned char)*at < 0x20 || strchr("/\\:#?*%\"'\x7f", *at) != NULL ||
                   (plain && (unsigned char)*at >= 0x80);
        bool hides = n == 0 && (*at == '.' || *at == '-');
        name[n] = odd || hides ? '_' : *at;
        n++;
    }
    name[n] = '\0';
    if (n == 0)
        snprintf(name, MGL_STUDIO_NAME, "table");
}

static bool write_file(mgl_studio *studio, mgl_studio_table *table, const char *bytes, size_t size)
{
    char *path = mgl_studio_private_path(studio, table->id, table->name);
    if (path != NULL && mgl_studio_write_private(path, bytes, size)) {
        table->path = path;
        return true;
    }
    free(path);
    return false;
}

static void free_table(mgl_studio *studio, mgl_studio_table *table)
{
    if (table->path != NULL)
        (void)unlink(table->path);
    studio->held -= table->size;
    free(table->path);
    free(table->bytes);
    *table = (mgl_studio_table){0};
}

static mgl_studio_table *find_table(mgl_studio *studio, unsigned id)
{
    for (size_t i = 0; id != 0 && i < MGL_STUDIO_TABLES; i++)
        if (studio->tables[i].id == id)
            return &studio->tables[i];
    return NULL;
}

static mgl_studio_answer add(mgl_studio *studio, mgl_studio_request *request)
{
    mgl_studio_table *table = NULL;
    for (size_t i = 0; table == NULL && i < MGL_STUDIO_TABLES; i++)
        if (studio->tables[i].id == 0)
            table = &studio->tables[i];
    if (table == NULL)
        return mgl_studio_fail(429, "too many tables are open; close one");
    if (request->size > MGL_STUDIO_MOST_TABLE - studio->held)
        return mgl_studio_fail(413, "the tables are too large together; close one, or name the "
                                    "table on the command line: mingle studio TABLE");
    *table = (mgl_studio_table){.id = ++studio->last_id, .size = request->size};
    take_name(request->name != NULL ? request->name : "table.csv", table->name);
    studio->held += table->size;
    if (!mgl_studio_needs_file(table->name)) {
        table->bytes = request->body;
        request->body = NULL;
    } else if (!write_file(studio, table, request->body, request->size)) {
        free_table(studio, table);
        return mgl_studio_fail(500, "the table cannot be kept in a private file");
    }
    return mgl_studio_json(201,
                           json_pack("{s:i, s:s}", "table", (int)table->id, "name", table->name));
}

mgl_studio_answer mgl_studio_add_table(mgl_studio *studio, mgl_studio_request *request)
{
    pthread_mutex_lock(&studio->lock);
    mgl_studio_answer answer = add(studio, request);
    pthread_mutex_unlock(&studio->lock);
    return answer;
}

mgl_studio_answer mgl_studio_drop_table(mgl_studio *studio, unsigned id)
{
    mgl_studio_table *table = find_table(studio, id);
    bool used = false;
    for (size_t i = 0; i < MGL_STUDIO_SESSIONS; i++)
        used = used || (studio->sessions[i].id != 0 && studio->sessions[i].table == id);
    if (table != NULL && !used)
        free_table(studio, table);
    if (table == NULL)
        return mgl_studio_fail(404, "there is no such table");
    return used ? mgl_studio_fail(409, "a session uses the table; close that")
                : (mgl_studio_answer){.code = 204};
}

static mgl_status refuse_table(mgl_error *err, const char *message)
{
    snprintf(err->message, sizeof err->message, "%s", message);
    err->code = MGL_CODE_NOT_FOUND;
    return err->status = MGL_DATA;
}

static mgl_status give_named(const mgl_studio *studio, mgl_job *job, mgl_error *err)
{
    const char *data = studio->given_job != NULL ? mgl_job_get(studio->given_job, "data") : NULL;
    return data != NULL ? mgl_job_set(job, "data", data, err)
                        : refuse_table(err, "no table was named; hand one over");
}

mgl_status mgl_studio_give_table(mgl_studio *studio, unsigned id, mgl_job *job, mgl_error *err)
{
    char location[MGL_STUDIO_NAME + 8];
    if (id == 0)
        return give_named(studio, job, err);
    const mgl_studio_table *table = find_table(studio, id);
    if (table == NULL)
        return refuse_table(err, "there is no such table; hand it over again");
    if (table->path != NULL)
        return mgl_job_set(job, "data", table->path, err);
    snprintf(location, sizeof location, "memory:%s", table->name);
    mgl_status status =
        mgl_job_give_bytes(job, table->name, table->bytes, table->size, NULL, NULL, err);
    return status == MGL_OK ? mgl_job_set(job, "data", location, err) : status;
}
