/* Sessions and their runs: each run is a thread of its own, whose answer is kept until the page
 * asks for it. Files whose format cannot be in memory (workbooks, Parquet), and tables that the
 * page handed over, are in the private folder meanwhile. */
#include "cli/studio/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- The private folder ---------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return m > 0 && n > m && strcmp(name + n - m, ending) == 0;
}

/* True if a table with this name must be in a file, by the format of its ending. */
static bool studio_needs_file(const char *name)
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
    if (!is_plain(name) || !studio_needs_file(name))
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

/* Gives such files of the job paths there. */
static mgl_status studio_place_private(mgl_studio *studio, mgl_studio_run *run, mgl_error *err)
{
    gathering g = {.run = run};
    mgl_status status = mgl_job_files(run->job, gather, &g, err);
    for (size_t i = 0; i < run->n_private && status == MGL_OK; i++)
        status = place_one(studio, run, &run->private[i], g.keys[i], err);
    return status;
}

static const mgl_studio_private *find_written(const mgl_studio_run *run, const char *name)
{
    for (size_t i = 0; i < run->n_private; i++)
        if (run->private[i].written && strcmp(run->private[i].name, name) == 0)
            return &run->private[i];
    return NULL;
}

/* The bytes that the run wrote under this name, freed by the caller; NULL if there are none. */
static char *studio_read_private(const mgl_studio_run *run, const char *name, size_t *size)
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
static size_t studio_hide_folder(const mgl_studio *studio, char *text, size_t size)
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

/* Adds the names and sizes of the private files that the run wrote. */
static void studio_list_private(const mgl_studio_run *run, json_t *files)
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
    if (!studio_needs_file(table->name)) {
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

static mgl_studio_answer studio_drop_table(mgl_studio *studio, unsigned id)
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
                        : refuse_table(err, "no table was named; send one");
}

/* Lets the job read the table; id 0 is the one named on the command line. With the lock held. */
static mgl_status studio_give_table(mgl_studio *studio, unsigned id, mgl_job *job, mgl_error *err)
{
    char location[MGL_STUDIO_NAME + 8];
    if (id == 0)
        return give_named(studio, job, err);
    const mgl_studio_table *table = find_table(studio, id);
    if (table == NULL)
        return refuse_table(err, "there is no such table; send it again");
    if (table->path != NULL)
        return mgl_job_set(job, "data", table->path, err);
    snprintf(location, sizeof location, "memory:%s", table->name);
    mgl_status status =
        mgl_job_give_bytes(job, table->name, table->bytes, table->size, NULL, NULL, err);
    return status == MGL_OK ? mgl_job_set(job, "data", location, err) : status;
}

static unsigned at_work(const mgl_studio *studio);

/* ---- Files of a request, in base 64 ---------------------------------------------------------- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes base 64; NULL if the text is not base 64. */
static unsigned char *decode(const char *text, size_t *size)
{
    size_t n = strlen(text), at = 0;
    while (n > 0 && text[n - 1] == '=')
        n--;
    unsigned char *bytes = malloc(n + 1);
    unsigned bits = 0, held = 0;
    for (size_t i = 0; bytes != NULL && i < n; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            free(bytes);
            return NULL;
        }
        bits = bits << 6 | (unsigned)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[at++] = (unsigned char)(bits >> held);
        }
    }
    *size = at;
    return bytes;
}

static mgl_status give_files(mgl_studio_run *run, const json_t *files, mgl_error *err)
{
    const char *name;
    json_t *file;
    run->given = calloc(json_object_size(files) + 1, sizeof *run->given);
    if (run->given == NULL)
        return err->status = MGL_SYSTEM;
    json_object_foreach((json_t *)files, name, file)
    {
        size_t size = 0;
        void *bytes = json_is_string(file) ? decode(json_string_value(file), &size) : NULL;
        if (bytes == NULL) {
            snprintf(err->message, sizeof err->message, "`files`: '%.60s' is no text in base 64",
                     name);
            err->code = MGL_CODE_BAD_VALUE;
            return err->status = MGL_USAGE;
        }
        run->given[run->n_given++] = (mgl_studio_given){strdup(name), bytes, size};
        if (run->given[run->n_given - 1].name == NULL)
            return err->status = MGL_SYSTEM;
        if (studio_needs_file(name))
            continue;
        mgl_status status = mgl_job_give_bytes(run->job, name, bytes, size, NULL, NULL, err);
        if (status != MGL_OK)
            return status;
    }
    return MGL_OK;
}

/* ---- Finding (with the lock held) ------------------------------------------------------------ */

static mgl_studio_session *find_session(mgl_studio *studio, unsigned id)
{
    for (size_t i = 0; id != 0 && i < MGL_STUDIO_SESSIONS; i++)
        if (studio->sessions[i].id == id)
            return &studio->sessions[i];
    return NULL;
}

static mgl_studio_run *find_run(mgl_studio *studio, unsigned id)
{
    for (size_t i = 0; id != 0 && i < MGL_STUDIO_RUNS; i++)
        if (studio->runs[i] != NULL && studio->runs[i]->id == id)
            return studio->runs[i];
    return NULL;
}

static void free_run(mgl_studio_run *run)
{
    mgl_job_free(run->job);
    mgl_result_free(run->result);
    mgl_result_free(run->refusal);
    for (size_t i = 0; i < run->n_given; i++) {
        free(run->given[i].name);
        free(run->given[i].bytes);
    }
    free(run->given);
    for (size_t i = 0; i < run->n_private; i++) {
        if (run->private[i].path != NULL)
            (void)unlink(run->private[i].path);
        free(run->private[i].path);
    }
    run->n_private = 0;
    free(run);
}

/* Asks it to end, whether it has begun or not. */
static void stop(mgl_studio_run *run)
{
    run->unwanted = true;
    mgl_job_cancel(run->job);
}

/* The slot for a run: a free one, else that of the oldest that the page has the answer of, else of
 * the oldest that is done; NULL if all are at work. */
static mgl_studio_run **find_place(mgl_studio *studio)
{
    mgl_studio_run **oldest = NULL;
    for (int answered = 1; answered >= 0 && oldest == NULL; answered--)
        for (size_t i = 0; i < MGL_STUDIO_RUNS; i++) {
            mgl_studio_run **at = &studio->runs[i];
            if (*at == NULL)
                return at;
            if ((*at)->done && (*at)->answered >= answered &&
                (oldest == NULL || (*at)->id < (*oldest)->id))
                oldest = at;
        }
    if (oldest != NULL) {
        free_run(*oldest);
        *oldest = NULL;
    }
    return oldest;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* The job of a request, with nothing that may not be named. */
static mgl_status make_job(const mgl_studio *studio, const json_t *document, mgl_error *err,
                           mgl_job **out)
{
    mgl_job *job = NULL;
    bool made = mgl_job_new(err, &job) == MGL_OK &&
                (document == NULL || mgl_studio_parse_job(job, document, err) == MGL_OK) &&
                mgl_studio_restrict(studio, job, err) == MGL_OK;
    if (!made) {
        mgl_job_free(job);
        return err->status;
    }
    *out = job;
    return MGL_OK;
}

/* ---- Sessions -------------------------------------------------------------------------------- */

static mgl_studio_session *take_session(mgl_studio *studio)
{
    for (size_t i = 0; i < MGL_STUDIO_SESSIONS; i++)
        if (studio->sessions[i].id == 0) {
            studio->sessions[i] = (mgl_studio_session){.id = ++studio->last_id, .closing = true};
            return &studio->sessions[i];
        }
    return NULL;
}

/* Only files that are in memory or were named may be read; the table is chosen here. */
static mgl_status open_session(mgl_studio *studio, const json_t *body, unsigned table,
                               mgl_error *err, mgl_session **out)
{
    mgl_job *job;
    json_t *document = json_deep_copy(json_object_get(body, "job"));
    (void)json_object_del(document, "data");
    mgl_status status = make_job(studio, document, err, &job);
    json_decref(document);
    if (status != MGL_OK)
        return status;
    pthread_mutex_lock(&studio->lock);
    status = studio_give_table(studio, table, job, err);
    pthread_mutex_unlock(&studio->lock);
    if (status == MGL_OK)
        status = mgl_session_open(job, NULL, err, out);
    mgl_job_free(job);
    return status;
}

mgl_studio_answer mgl_studio_open(mgl_studio *studio, const json_t *body)
{
    mgl_error err = {0};
    mgl_session *opened = NULL;
    const json_t *document = json_object_get(body, "table");
    unsigned table = json_is_integer(document) ? (unsigned)json_integer_value(document) : 0;
    if (document != NULL && !json_is_null(document) && table == 0)
        return mgl_studio_fail(400, "`table` is the number of a table, or null");
    pthread_mutex_lock(&studio->lock);
    mgl_studio_session *session = take_session(studio);
    if (session != NULL)
        session->table = table;
    pthread_mutex_unlock(&studio->lock);
    if (session == NULL)
        return mgl_studio_fail(429, "too many sessions are open; close one");
    mgl_status status = open_session(studio, body, table, &err, &opened);
    pthread_mutex_lock(&studio->lock);
    unsigned id = session->id;
    session->session = opened;
    session->closing = false;
    if (status != MGL_OK)
        *session = (mgl_studio_session){0};
    pthread_mutex_unlock(&studio->lock);
    return status == MGL_OK ? mgl_studio_json(201, json_pack("{s:i}", "session", (int)id))
                            : mgl_studio_fail_as(&err);
}

mgl_studio_answer mgl_studio_close(mgl_studio *studio, unsigned id)
{
    pthread_mutex_lock(&studio->lock);
    mgl_studio_session *session = find_session(studio, id);
    if (session == NULL || session->closing) {
        pthread_mutex_unlock(&studio->lock);
        return mgl_studio_fail(404, "there is no such session");
    }
    session->closing = true;
    for (size_t i = 0; i < MGL_STUDIO_RUNS; i++)
        if (studio->runs[i] != NULL && studio->runs[i]->session == id && !studio->runs[i]->done)
            stop(studio->runs[i]);
    while (session->at_work > 0)
        pthread_cond_wait(&studio->change, &studio->lock);
    mgl_session_close(session->session);
    unsigned table = session->table;
    *session = (mgl_studio_session){0};
    if (table != 0) {
        mgl_studio_answer dropped = studio_drop_table(studio, table);
        free(dropped.body);
    }
    pthread_mutex_unlock(&studio->lock);
    return (mgl_studio_answer){.code = 204};
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct work {
    mgl_studio *studio;
    mgl_studio_run *run;
    mgl_session *session;
} work;

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    work *w = user;
    mgl_studio_run *run = w->run;
    pthread_mutex_lock(&w->studio->lock);
    if (strcmp(run->stage, stage) != 0 || run->at != done || run->total != total) {
        snprintf(run->stage, sizeof run->stage, "%s", stage);
        run->at = done;
        run->total = total;
        run->version++;
        pthread_cond_broadcast(&w->studio->change);
    }
    bool unwanted = run->unwanted;
    pthread_mutex_unlock(&w->studio->lock);
    return unwanted;
}

static void keep_refusal(void *user, mgl_result *refusal)
{
    work *w = user;
    mgl_result_free(w->run->refusal);
    w->run->refusal = refusal;
}

/* Commands that need no table go without the session. */
static mgl_status run_command(work *w, mgl_error *err, mgl_result **out)
{
    const char *command = w->run->command;
    mgl_job *job = w->run->job;
    static const char *const alone[] = {"codebook", "statement", "report", "recoding show"};
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (strcmp(command, alone[i]) == 0)
            return mgl_job_run(job, command, err, out);
    return mgl_session_run(w->session, command, job, err, out);
}

static void *work_on(void *user)
{
    work *w = user;
    mgl_studio_run *run = w->run;
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job_on_progress(run->job, listen, w);
    mgl_job_on_refusal(run->job, keep_refusal, w);
    pthread_mutex_lock(&w->studio->lock);
    bool unwanted = run->unwanted;
    pthread_mutex_unlock(&w->studio->lock);
    if (unwanted) /* asked before there was anything to stop */
        mgl_job_cancel(run->job);
    mgl_status status = run_command(w, &err, &result);
    mgl_job_on_progress(run->job, NULL, NULL);
    pthread_mutex_lock(&w->studio->lock);
    run->status = status;
    run->err = err;
    run->result = status == MGL_OK ? result : NULL;
    run->done = true;
    mgl_studio_session *session = find_session(w->studio, run->session);
    if (session != NULL)
        session->at_work--;
    pthread_cond_broadcast(&w->studio->change);
    pthread_mutex_unlock(&w->studio->lock);
    free(w);
    return NULL;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

/* The job need not repeat what the session was opened with. */
static mgl_status make_run(mgl_studio *studio, const json_t *body, mgl_error *err,
                           mgl_studio_run *run)
{
    json_t *document = json_deep_copy(json_object_get(body, "job"));
    bool of_session =
        strcmp(run->command, "codebook") != 0 && strcmp(run->command, "statement") != 0 &&
        strcmp(run->command, "report") != 0 && strcmp(run->command, "recoding show") != 0;
    if (of_session)
        (void)json_object_del(document, "data");
    mgl_status status = make_job(studio, document, err, &run->job);
    json_decref(document);
    if (status == MGL_OK)
        status = give_files(run, json_object_get(body, "files"), err);
    return status == MGL_OK ? studio_place_private(studio, run, err) : status;
}

static unsigned at_work(const mgl_studio *studio)
{
    unsigned n = 0;
    for (size_t i = 0; i < MGL_STUDIO_RUNS; i++)
        n += studio->runs[i] != NULL && !studio->runs[i]->done;
    return n;
}

/* Begins the run, whose thread frees the work; NULL: it could not. */
static bool begin(mgl_studio *studio, mgl_studio_session *session, mgl_studio_run *run)
{
    pthread_t thread;
    work *w = malloc(sizeof *w);
    if (w == NULL)
        return false;
    *w = (work){studio, run, session->session};
    session->at_work++;
    if (pthread_create(&thread, NULL, work_on, w) == 0) {
        pthread_detach(thread);
        return true;
    }
    session->at_work--;
    free(w);
    return false;
}

static mgl_studio_answer place(mgl_studio *studio, unsigned id, mgl_studio_run *run)
{
    mgl_studio_session *session = find_session(studio, id);
    if (session == NULL || session->closing)
        return mgl_studio_fail(404, "there is no such session");
    mgl_studio_run **at = at_work(studio) < MGL_STUDIO_AT_WORK ? find_place(studio) : NULL;
    if (at == NULL)
        return mgl_studio_fail(429, "too much is under way; wait, or cancel something");
    run->id = ++studio->last_id;
    run->session = id;
    *at = run;
    if (begin(studio, session, run))
        return mgl_studio_json(202, json_pack("{s:i}", "run", (int)run->id));
    *at = NULL;
    return mgl_studio_fail(500, "no thread can be started");
}

mgl_studio_answer mgl_studio_start(mgl_studio *studio, unsigned session, const json_t *body)
{
    const char *command = json_string_value(json_object_get(body, "command"));
    mgl_error err = {0};
    mgl_studio_run *run = calloc(1, sizeof *run);
    if (run == NULL)
        return mgl_studio_fail(500, "memory is out");
    snprintf(run->command, sizeof run->command, "%s", command != NULL ? command : "");
    if (make_run(studio, body, &err, run) != MGL_OK) {
        free_run(run);
        return mgl_studio_fail_as(&err);
    }
    pthread_mutex_lock(&studio->lock);
    mgl_studio_answer answer = place(studio, session, run);
    pthread_mutex_unlock(&studio->lock);
    if (answer.code != 202)
        free_run(run);
    return answer;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static int add_file(void *user, const char *key, const char *location, int written)
{
    json_t *names = user;
    (void)key;
    if (written && strncmp(location, "memory:", 7) == 0)
        (void)json_object_set_new(names, location + 7, json_null());
    return 0;
}

/* Names and sizes of what the run wrote to memory. */
static json_t *files_json(const mgl_studio_run *run)
{
    json_t *names = json_object(), *files = json_object(), *unused;
    const char *name;
    (void)mgl_job_files(run->job, add_file, names, NULL);
    json_object_foreach(names, name, unused)
    {
        const void *data;
        size_t size;
        if (mgl_result_bytes(run->result, name, NULL, &data, &size) == MGL_OK)
            (void)json_object_set_new(files, name, json_integer((json_int_t)size));
    }
    json_decref(names);
    studio_list_private(run, files);
    return files;
}

static json_t *error_of(const mgl_studio_run *run)
{
    json_t *error = mgl_studio_error_json(&run->err);
    if (run->refusal != NULL)
        (void)json_object_set_new(error, "refusal", mgl_studio_result_json(run->refusal));
    return error;
}

static json_t *run_json(mgl_studio_run *run)
{
    run->answered_version = run->version;
    run->answered = run->done;
    if (!run->done)
        return json_pack("{s:{s:s, s:I, s:I}}", "progress", "stage", run->stage, "done",
                         (json_int_t)run->at, "total", (json_int_t)run->total);
    if (run->status != MGL_OK)
        return json_pack("{s:o}", "error", error_of(run));
    return json_pack("{s:o, s:b, s:o}", "result", mgl_studio_result_json(run->result), "holds",
                     mgl_result_holds(run->result), "files", files_json(run));
}

/* Waits for something new, but not for ever: the page asks again. */
mgl_studio_answer mgl_studio_ask(mgl_studio *studio, unsigned id)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MGL_STUDIO_ANSWER;
    pthread_mutex_lock(&studio->lock);
    mgl_studio_run *run = find_run(studio, id);
    int late = 0;
    while (run != NULL && !run->done && run->version == run->answered_version && late == 0) {
        late = pthread_cond_timedwait(&studio->change, &studio->lock, &until);
        run = find_run(studio, id);
    }
    mgl_studio_answer answer = run != NULL ? mgl_studio_json(200, run_json(run))
                                           : mgl_studio_fail(404, "there is no such run");
    answer.size = studio_hide_folder(studio, answer.body, answer.size);
    pthread_mutex_unlock(&studio->lock);
    return answer;
}

mgl_studio_answer mgl_studio_file(mgl_studio *studio, unsigned id, const char *name)
{
    const void *data = NULL;
    size_t size = 0;
    pthread_mutex_lock(&studio->lock);
    const mgl_studio_run *run = find_run(studio, id);
    bool there = run != NULL && run->done && run->result != NULL;
    bool found = there && mgl_result_bytes(run->result, name, NULL, &data, &size) == MGL_OK;
    char *copy = found ? malloc(size + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, data, size);
        size = studio_hide_folder(studio, copy, size);
    } else if (there)
        copy = studio_read_private(run, name, &size);
    pthread_mutex_unlock(&studio->lock);
    if (copy == NULL)
        return mgl_studio_fail(404, "there is no such file");
    return (mgl_studio_answer){
        .code = 200, .type = "application/octet-stream", .body = copy, .size = size, .name = name};
}

mgl_studio_answer mgl_studio_cancel(mgl_studio *studio, unsigned id)
{
    pthread_mutex_lock(&studio->lock);
    mgl_studio_run *run = find_run(studio, id);
    bool known = run != NULL;
    if (known && !run->done)
        stop(run);
    pthread_mutex_unlock(&studio->lock);
    return known ? (mgl_studio_answer){.code = 204} : mgl_studio_fail(404, "there is no such run");
}

void mgl_studio_end(mgl_studio *studio)
{
    for (size_t i = 0; i < MGL_STUDIO_SESSIONS; i++)
        if (studio->sessions[i].id != 0)
            free(mgl_studio_close(studio, studio->sessions[i].id).body);
    for (size_t i = 0; i < MGL_STUDIO_RUNS; i++)
        if (studio->runs[i] != NULL)
            free_run(studio->runs[i]);
    pthread_mutex_lock(&studio->lock);
    for (size_t i = 0; i < MGL_STUDIO_TABLES; i++)
        if (studio->tables[i].id != 0)
            free(studio_drop_table(studio, studio->tables[i].id).body);
    pthread_mutex_unlock(&studio->lock);
}
