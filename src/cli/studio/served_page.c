/* The page that is served: studio.html of the installation or of the build, else a plain one with
 * the command that builds it; and the browser of the system, which is opened at it. */
#include "cli/studio/server.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The page -------------------------------------------------------------------------------- */

static const char plain[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>mingle studio</title>"
    "<h1>mingle studio</h1><p>The page is not built. Build it with <code>make studio</code> and "
    "start <code>mingle studio</code> again, or name it with the variable "
    "<code>MINGLE_STUDIO</code>. What it would ask is served below <code>/api/</code>.</p>";

static const char strict[] = "default-src 'none'";

static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 64 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? malloc(MOST) : NULL;
    size_t n = text != NULL ? fread(text, 1, MOST - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    if (n == 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    *size = n;
    return text;
}

/* Beside the program in a build, and below share where it is installed. */
static char *find_page(size_t *size)
{
    static const char *const places[] = {"studio.html", "web/studio.html",
                                         "../web/studio/dist/served.html",
                                         "../share/mingle/studio.html"};
    const char *named = getenv("MINGLE_STUDIO");
    char program[2048], path[4096];
    if (named != NULL)
        return read_file(named, size);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return NULL;
    program[n] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", program, places[i]);
        char *text = read_file(path, size);
        if (text != NULL)
            return text;
    }
    return NULL;
}

/* The policy that the page has in its head; NULL: none. */
static char *find_policy(const char *page)
{
    static const char mark[] = "Content-Security-Policy";
    const char *at = strstr(page, mark);
    const char *content = at != NULL ? strstr(at, "content=") : NULL;
    const char *tag = at != NULL ? strchr(at, '>') : NULL;
    if (content == NULL || tag == NULL || content > tag)
        return NULL;
    char quote = content[8];
    const char *end = quote == '"' || quote == '\'' ? strchr(content + 9, quote) : NULL;
    if (end == NULL || memchr(content, '\n', (size_t)(end - content)) != NULL)
        return NULL;
    size_t size = (size_t)(end - content) - 9;
    char *policy = malloc(size + 1);
    if (policy == NULL)
        return NULL;
    memcpy(policy, content + 9, size);
    policy[size] = '\0';
    return policy;
}

bool mgl_studio_load_page(mgl_studio *studio)
{
    char *found = find_page(&studio->page_size),
         *policy = found != NULL ? find_policy(found) : NULL;
    if (found == NULL) {
        studio->page_size = sizeof plain - 1;
        found = strdup(plain);
    }
    studio->page = found;
    char *inner = policy != NULL ? policy : strdup(strict);
    static const char more[] = "; frame-ancestors 'none'";
    size_t size = inner != NULL ? strlen(inner) + sizeof more : 0;
    studio->policy = size > 0 ? malloc(size) : NULL;
    if (studio->policy != NULL)
        snprintf(studio->policy, size, "%s%s", inner, more);
    free(inner);
    return studio->page != NULL && studio->policy != NULL;
}

/* ---- The browser ----------------------------------------------------------------------------- */

/* A browser is started without a shell. The server's threads leave signals to one of them, which a
 * new program would inherit: it could be ended by none. In a session of its own it does not end
 * with the server's Ctrl-C. */
static void start(const char *page)
{
    sigset_t none;
    sigemptyset(&none);
    pid_t child = fork();
    if (child == 0) {
        (void)setsid();
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        execlp("xdg-open", "xdg-open", page, (char *)NULL);
        _exit(127);
    }
}

void mgl_studio_open_browser(mgl_studio *studio, const char *address)
{
    char page[512];
    int size = snprintf(page, sizeof page,
                        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                        "<meta name=\"referrer\" content=\"no-referrer\">"
                        "<meta http-equiv=\"refresh\" content=\"0; url=%s\">"
                        "<title>mingle</title><a href=\"%s\">Open mingle</a></html>\n",
                        address, address);
    pthread_mutex_lock(&studio->lock);
    char *path = mgl_studio_private_path(studio, 0, "open.html");
    bool written = path != NULL && size > 0 && (size_t)size < sizeof page &&
                   mgl_studio_write_private(path, page, (size_t)size);
    if (written)
        studio->opener = path;
    pthread_mutex_unlock(&studio->lock);
    if (written)
        start(path);
    else
        fprintf(stderr, "mingle: no browser was started, since no private file can be written "
                        "(TMPDIR); open the address by hand\n");
    if (!written)
        free(path);
}

void mgl_studio_forget_opener(mgl_studio *studio)
{
    pthread_mutex_lock(&studio->lock);
    if (studio->opener != NULL)
        (void)unlink(studio->opener);
    free(studio->opener);
    studio->opener = NULL;
    pthread_mutex_unlock(&studio->lock);
}
