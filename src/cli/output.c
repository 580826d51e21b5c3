/* Prints what the program says: results, help and errors, as wide and as coloured as the terminal
 * is. All commands print through it. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

void mgl_cli_keep_secrets(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    /* Our own files are private anyway; those that libraries make are so by this. */
    umask(077);
#ifdef __linux__
    /* A limit does not bind where cores go to a program, as they do with systemd. */
    (void)prctl(PR_SET_DUMPABLE, 0);
#endif
}

void mgl_cli_open_standard_files(void)
{
    /* Opened the wrong way round, so that reading or writing still fails as it would. */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int mgl_cli_fail(const mgl_error *err)
{
    fputs("mingle: ", stderr);
    mgl_cli_spell(err->message, stderr);
    fputc('\n', stderr);
    return err->status == MGL_CANCELLED ? MGL_SYSTEM : (int)err->status;
}

int mgl_cli_print(FILE *stream, const char *text)
{
    if (fputs(text, stream) >= 0 && fflush(stream) == 0 && !ferror(stream))
        return MGL_OK;
    mgl_error err = {.status = MGL_SYSTEM};
    snprintf(err.message, sizeof err.message, "cannot write to %s: %s",
             stream == stdout ? "standard output" : "standard error", strerror(errno));
    return mgl_cli_fail(&err);
}

static bool cli_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (no_colour == NULL || no_colour[0] == '\0') && isatty(fileno(stream)) &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

bool mgl_cli_shows_utf8(bool otherwise)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                   strstr(value, "utf-8") != NULL || strstr(value, "UTF8") != NULL;
    }
    return otherwise;
}

int mgl_cli_width(FILE *stream)
{
    enum { WIDEST = 10000 };
    const char *columns = getenv("COLUMNS");
    long said = columns != NULL ? strtol(columns, NULL, 10) : 0;
    struct winsize size = {0};
    if (said > 0)
        return (int)(said < WIDEST ? said : WIDEST);
    return isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                   : 0;
}

/* A file or a pipe gets the same text wherever it is made, unless the locale speaks against it. */
mgl_text_style mgl_cli_style(FILE *stream)
{
    return (mgl_text_style){.colour = cli_colour(stream),
                            .width = mgl_cli_width(stream),
                            .ascii = !mgl_cli_shows_utf8(!isatty(fileno(stream))),
                            .spell = mgl_cli_spell_phrase};
}
