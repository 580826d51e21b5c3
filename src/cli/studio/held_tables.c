/* Tables that the page handed over: in memory, or as a private file where their format needs one.
 * They go with the last session on them. */
#include "cli/studio/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_text(const char *name)
{
    json_t *text = json_string(name);
    json_decref(text);
    return text != NULL;
}

/* The name as part of a location: nothing that means something there or in a path. Of a long one
 * the end stays, which says the format. */
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

static mgl_status refuse(mgl_error *err, const char *message)
{
    snprintf(err->message, sizeof err->message, "%s", message);
    err->code = MGL_CODE_NOT_FOUND;
    return err->status = MGL_DATA;
}

static mgl_status give_named(const mgl_studio *studio, mgl_job *job, mgl_error *err)
{
    const char *data = studio->given_job != NULL ? mgl_job_get(studio->given_job, "data") : NULL;
    return data != NULL ? mgl_job_set(job, "data", data, err)
                        : refuse(err, "no table was named; hand one over");
}

mgl_status mgl_studio_give_table(mgl_studio *studio, unsigned id, mgl_job *job, mgl_error *err)
{
    char location[MGL_STUDIO_NAME + 8];
    if (id == 0)
        return give_named(studio, job, err);
    const mgl_studio_table *table = find_table(studio, id);
    if (table == NULL)
        return refuse(err, "there is no such table; hand it over again");
    if (table->path != NULL)
        return mgl_job_set(job, "data", table->path, err);
    snprintf(location, sizeof location, "memory:%s", table->name);
    mgl_status status =
        mgl_job_give_bytes(job, table->name, table->bytes, table->size, NULL, NULL, err);
    return status == MGL_OK ? mgl_job_set(job, "data", location, err) : status;
}
