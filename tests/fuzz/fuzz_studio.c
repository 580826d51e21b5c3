/* Requests of `mingle studio`, without a network: the input is a sender (lines with method, path,
 * host, origin, site and cookies), a line "--", and requests, each a line "METHOD PATH [json]
 * [=NAME]", its body, and a line "--". Nobody enters without the secret or its cookie, every
 * request has an answer, no job that is let through names a file outside of memory, and all is
 * freed at the end. */
#include "fuzz.h"

#include "cli/studio/server.h"

enum { MOST_REQUESTS = 12, MOST_BODY = 1 << 16 };

int fuzz_changes(void)
{
    return 1200;
}

static char *copy_of(mgl_span text)
{
    char *copy = malloc(text.size + 1);
    REQUIRE(copy != NULL);
    if (text.size > 0)
        memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

/* ---- Who may ask ----------------------------------------------------------------------------- */

static void ask_to_enter(mgl_studio *studio, mgl_span *rest)
{
    mgl_span section = fuzz_section(rest);
    char *lines[6];
    for (size_t i = 0; i < 6; i++)
        lines[i] = copy_of(fuzz_line(&section));
    mgl_studio_sender sender = {.method = lines[0],
                                .path = lines[1],
                                .host = lines[2],
                                .origin = lines[3][0] != '\0' ? lines[3] : NULL,
                                .site = lines[4][0] != '\0' ? lines[4] : NULL,
                                .cookies = lines[5][0] != '\0' ? lines[5] : NULL};
    const char *why;
    mgl_studio_access access = mgl_studio_guard(studio, &sender, &why);
    REQUIRE((access == MGL_STUDIO_REFUSED) == (why != NULL));
    if (access != MGL_STUDIO_REFUSED) {
        REQUIRE(strcmp(sender.host, studio->host) == 0);
        REQUIRE(strcmp(sender.method, "GET") == 0 || strcmp(lines[3], studio->origin) == 0);
        REQUIRE(strstr(access == MGL_STUDIO_KNOWN ? lines[5] : lines[1],
                       access == MGL_STUDIO_KNOWN ? studio->token : studio->secret) != NULL);
    }
    for (size_t i = 0; i < 6; i++)
        free(lines[i]);
}

/* ---- What is asked --------------------------------------------------------------------------- */

static int expect_in_memory(void *user, const char *key, const char *location, int written)
{
    (void)user;
    (void)key;
    (void)written;
    REQUIRE(strncmp(location, "memory:", 7) == 0);
    return 0;
}

/* The body as a job: what is let through stays in memory. */
static void expect_restricted(const mgl_studio *studio, mgl_span body)
{
    mgl_job *job;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    if (mgl_job_parse(job, body.data, body.size, &err) == MGL_OK &&
        mgl_studio_restrict(studio, job, &err) == MGL_OK)
        REQUIRE(mgl_job_files(job, expect_in_memory, NULL, &err) == MGL_OK);
    mgl_job_free(job);
}

static void ask(mgl_studio *studio, mgl_span *rest)
{
    mgl_span section = fuzz_section(rest);
    mgl_span head = fuzz_line(&section);
    if (section.size > MOST_BODY)
        section.size = MOST_BODY;
    char *words = copy_of(head), *at = NULL;
    const char *method = strtok_r(words, " ", &at), *path = strtok_r(NULL, " ", &at);
    mgl_studio_request request = {.method = method != NULL ? method : "GET",
                                  .path = path != NULL ? path : "",
                                  .body = copy_of(section),
                                  .size = section.size};
    for (const char *word = strtok_r(NULL, " ", &at); word != NULL; word = strtok_r(NULL, " ", &at))
        if (word[0] == '=')
            request.name = word + 1;
        else
            request.is_json = strcmp(word, "json") == 0;
    /* One that waits for a run would wait for ten seconds: those are for tests/cli/studio.py. */
    bool waits = strcmp(request.method, "GET") == 0 && strncmp(request.path, "runs/", 5) == 0 &&
                 strstr(request.path, "/files/") == NULL;
    if (!waits) {
        mgl_studio_answer answer = mgl_studio_route(studio, &request);
        REQUIRE(answer.code >= 200 && answer.code < 600);
        REQUIRE(answer.body != NULL || answer.size == 0);
        free(answer.body);
    }
    expect_restricted(studio, section);
    free(request.body);
    free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_studio studio = {.port = 8080};
    mgl_span rest = {(const char *)data, size};
    snprintf(studio.host, sizeof studio.host, "127.0.0.1:8080");
    snprintf(studio.origin, sizeof studio.origin, "http://127.0.0.1:8080");
    snprintf(studio.cookie, sizeof studio.cookie, "mingle-studio-8080");
    memset(studio.secret, 'a', MGL_STUDIO_SECRET);
    memset(studio.token, 'b', MGL_STUDIO_SECRET);
    pthread_mutex_init(&studio.lock, NULL);
    pthread_cond_init(&studio.change, NULL);
    ask_to_enter(&studio, &rest);
    for (int i = 0; i < MOST_REQUESTS && rest.size > 0; i++)
        ask(&studio, &rest);
    mgl_studio_end(&studio);
    REQUIRE(studio.held == 0);
    if (studio.folder[0] != '\0')
        (void)remove(studio.folder);
    pthread_cond_destroy(&studio.change);
    pthread_mutex_destroy(&studio.lock);
    return 0;
}
