/* Refuses requests that do not come from the page that this server gave to the browser of its
 * user, and jobs that name other files than the command line did. Another site that guesses the
 * port lacks the cookie and has another origin; a name that was made to lead here (DNS rebinding)
 * is another host. */
#include "cli/studio/server.h"

#include <stdio.h>
#include <string.h>

bool mgl_studio_draw(char text[MGL_STUDIO_SECRET + 1])
{
    unsigned char bytes[MGL_STUDIO_SECRET / 2];
    FILE *random = fopen("/dev/urandom", "rb");
    bool drawn = random != NULL && fread(bytes, sizeof bytes, 1, random) == 1;
    if (random != NULL)
        fclose(random);
    for (size_t i = 0; drawn && i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return drawn;
}

/* In the same time wherever they differ. */
static bool is_secret(const char *text, const char *secret)
{
    unsigned char bits = 0;
    bool sized = strlen(text) == MGL_STUDIO_SECRET;
    for (size_t i = 0; sized && i < MGL_STUDIO_SECRET; i++)
        bits |= (unsigned char)(text[i] ^ secret[i]);
    return sized && bits == 0;
}

/* The value of our cookie, among others of the same host; false: it is not there. */
static bool find_cookie(const mgl_studio *studio, const char *cookies, char *value, size_t size)
{
    size_t length = strlen(studio->cookie);
    for (const char *at = cookies; at != NULL && *at != '\0';) {
        const char *end = at + strcspn(at, ";");
        if (strncmp(at, studio->cookie, length) == 0 && at[length] == '=') {
            size_t n = (size_t)(end - at) - length - 1;
            if (n >= size)
                return false;
            memcpy(value, at + length + 1, n);
            value[n] = '\0';
            return true;
        }
        at = *end == ';' ? end + 1 + strspn(end + 1, " ") : end;
    }
    return false;
}

static bool has_cookie(const mgl_studio *studio, const char *cookies)
{
    char value[MGL_STUDIO_SECRET + 2];
    return find_cookie(studio, cookies, value, sizeof value) && is_secret(value, studio->token);
}

static bool is(const char *text, const char *other)
{
    return text != NULL && strcmp(text, other) == 0;
}

/* The first load with the secret; another one finds it used. */
static mgl_studio_access enter(mgl_studio *studio, const char *given, const char **why)
{
    pthread_mutex_lock(&studio->lock);
    bool right = is_secret(given, studio->secret), first = !studio->secret_used;
    if (right)
        studio->secret_used = true;
    pthread_mutex_unlock(&studio->lock);
    *why = !right  ? "this is not the address that the program printed"
           : first ? NULL
                   : "this address was opened before; start mingle studio anew";
    return right && first ? MGL_STUDIO_ENTERS : MGL_STUDIO_REFUSED;
}

mgl_studio_access mgl_studio_guard(mgl_studio *studio, const mgl_studio_sender *sender,
                                   const char **why)
{
    static const char entrance[] = "/open/";
    bool changes = !is(sender->method, "GET");
    bool api = strncmp(sender->path, "/api/", 5) == 0;
    /* The holder of the secret may come from anywhere: the page that leads here is a file. */
    bool enters = !changes && strncmp(sender->path, entrance, sizeof entrance - 1) == 0;
    *why = NULL;
    if (!is(sender->host, studio->host))
        *why = "the request is for another host";
    else if (sender->origin != NULL ? !is(sender->origin, studio->origin) : changes)
        *why = "the request comes from another page";
    else if (sender->site != NULL && !is(sender->site, "same-origin") && !enters &&
             (api || !is(sender->site, "none")))
        *why = "the request comes from another site";
    if (*why != NULL)
        return MGL_STUDIO_REFUSED;
    if (enters)
        return enter(studio, sender->path + sizeof entrance - 1, why);
    if (has_cookie(studio, sender->cookies))
        return MGL_STUDIO_KNOWN;
    *why = "open the address that the program printed";
    return MGL_STUDIO_REFUSED;
}

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
    /* A list of shards names further files, wherever it comes from. */
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
