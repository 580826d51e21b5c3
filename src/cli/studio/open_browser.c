/* Opens the page in the browser of the system. */
#include "cli/studio/room.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
