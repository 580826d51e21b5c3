/* Files of runs whose format cannot be in memory (workbooks, Parquet): those that come with a
 * request and those that it wants back lie in the private folder while the run is held. held_runs.c
 * calls it. */
#include "cli/studio/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A folder that nobody else can look into, made when the first such file comes. */
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

/* ---- Of a run ---------------------------------------------------------------------------------
 */

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

static mgl_status refuse(mgl_error *err)
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
        return refuse(err);
    for (size_t i = 0; i < run->n_given && !file->written; i++)
        if (strcmp(run->given[i].name, file->name) == 0 &&
            !mgl_studio_write_private(file->path, run->given[i].bytes, run->given[i].size))
            return refuse(err);
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

/* "FOLDER/12-NAME" -> "memory:NAME", as whoever asked called it. The text never grows. */
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
