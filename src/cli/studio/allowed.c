/* Which files a job of the page may name: what is in memory, what was named to the program, and
 * outputs in the folder that was named. Nothing else is opened, wherever a path leads. */
#include "cli/studio/room.h"

#include <stdio.h>
#include <string.h>

typedef struct judging {
    const mgl_studio *studio;
    mgl_job *job;
    /* An output that is to go to the folder: its key and name; one at a time. */
    char key[64], name[MGL_STUDIO_NAME];
} judging;

static bool is_in_memory(const char *location)
{
    return strncmp(location, "memory:", 7) == 0;
}

/* A name in a folder, and nothing that leads out of it or hides. */
static bool is_plain_name(const char *location)
{
    size_t size = strlen(location);
    return size > 0 && size < MGL_STUDIO_NAME && location[0] != '.' && location[0] != '-' &&
           strpbrk(location, "/\\:#?*%") == NULL;
}

typedef struct search {
    const char *key, *location;
    bool found;
} search;

static int compare(void *user, const char *key, const char *location, int written)
{
    search *s = user;
    (void)written;
    s->found = s->found || (strcmp(s->key, key) == 0 && strcmp(s->location, location) == 0);
    return 0;
}

/* Does the job that was named to the program say the same? */
static bool was_named(const mgl_studio *studio, const char *key, const char *location)
{
    search s = {key, location, false};
    return studio->given_job != NULL &&
           mgl_job_files(studio->given_job, compare, &s, NULL) == MGL_OK && s.found;
}

static int judge(void *user, const char *key, const char *location, int written)
{
    judging *j = user;
    bool in_folder = j->studio->options.folder != NULL && written && is_plain_name(location);
    if (in_folder && j->key[0] == '\0') {
        snprintf(j->key, sizeof j->key, "%s", key);
        snprintf(j->name, sizeof j->name, "%s", location);
    }
    /* A list of shards names further files, whoever handed it over. */
    bool lists_files = strcmp(key, "shards") == 0;
    if (is_in_memory(location) && !lists_files)
        return 0;
    if (in_folder)
        return 0;
    /* What the named job writes would be written anew; in a folder of outputs it may be. */
    return !written && was_named(j->studio, key, location) ? 0 : 1;
}

static mgl_status put_in_folder(judging *j, mgl_error *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", j->studio->options.folder, j->name);
    if (n < 0 || (size_t)n >= sizeof path) {
        snprintf(err->message, sizeof err->message, "the path of the folder is too long");
        return err->status = MGL_USAGE;
    }
    return mgl_job_set(j->job, j->key, path, err);
}

/* Outputs that were put into the folder already are no plain names any more. */
static int judge_placed(void *user, const char *key, const char *location, int written)
{
    const judging *j = user;
    const char *folder = j->studio->options.folder;
    size_t size = folder != NULL ? strlen(folder) : 0;
    if (written && size > 0 && strncmp(location, folder, size) == 0 && location[size] == '/' &&
        is_plain_name(location + size + 1))
        return 0;
    return judge(user, key, location, written);
}

mgl_status mgl_studio_restrict(const mgl_studio *studio, mgl_job *job, mgl_error *err)
{
    judging j = {.studio = studio, .job = job};
    for (;;) {
        j.key[0] = '\0';
        mgl_status status = mgl_job_files(job, judge_placed, &j, err);
        if (status != MGL_OK || j.key[0] == '\0')
            return status;
        status = put_in_folder(&j, err);
        if (status != MGL_OK)
            return status;
    }
}
