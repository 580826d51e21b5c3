/* Prints results, help and errors, as wide and as coloured as the terminal is, with keys between
 * backquotes spelt as options. */
#include "cli.h"
#include "cli/options/options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPELT = 1100 };

/* Does a shell take it as it is? A list that begins with nothing would be overlooked. */
static bool is_plain(const char *value)
{
    bool hole = value[0] == ',' && value[1] != '\0';
    return !hole && strpbrk(value, " ;()[]{}<>|&*?$#!\\\"'") == NULL;
}

/* Appends what fits; within quotes of a shell. */
static void add(char *text, size_t size, const char *more, bool quoted)
{
    size_t n = strlen(text);
    for (; *more != '\0' && n + 5 < size; more++) {
        const char *one = quoted && *more == '\'' ? "'\\''" : (const char[]){*more, '\0'};
        memcpy(text + n, one, strlen(one) + 1);
        n += strlen(one);
    }
}

/* "suppressed: keep", "suppress": a key, and a value that may follow. */
static bool spell_key(const char *phrase, const char *column, char *text, size_t size)
{
    char key[64], option[64];
    const char *colon = strstr(phrase, ": ");
    size_t length = colon != NULL ? (size_t)(colon - phrase) : strlen(phrase);
    if (length >= sizeof key)
        return false;
    memcpy(key, phrase, length);
    key[length] = '\0';
    if (!mgl_cli_option_of_key(key, option, sizeof option))
        return false;
    char letter = mgl_cli_letter_of_key(key);
    if (colon != NULL && letter != '\0') /* "-o FILE" is what one types */
        snprintf(option, sizeof option, "-%c", letter);
    const char *value = colon != NULL ? colon + 2 : "";
    const char *equals = column[0] != '\0' && colon != NULL ? "=" : "";
    /* Builders look alike in a list of them: most have parentheses. */
    bool builder = strcmp(key, "hierarchy") == 0 && colon != NULL && strstr(value, "FILE") == NULL;
    bool quoted = builder || !is_plain(value) || !is_plain(column);
    const char *quote = quoted ? "'" : "";
    bool bare = colon == NULL && column[0] == '\0';
    snprintf(text, size, "%s%s%s", option, bare ? "" : " ", quote);
    add(text, size, column, quoted);
    add(text, size, equals, quoted);
    add(text, size, value, quoted);
    add(text, size, quote, false);
    return true;
}

/* "attributes.COLUMN.FIELD: VALUE" is the option of the field, with COLUMN=VALUE. */
static bool spell_attribute(const char *phrase, char *text, size_t size)
{
    static const char attributes[] = "attributes.";
    char column[160];
    if (strncmp(phrase, attributes, sizeof attributes - 1) != 0)
        return false;
    const char *name = phrase + sizeof attributes - 1;
    bool quoted = name[0] == '"';
    name += quoted;
    const char *end = strstr(name, quoted ? "\"." : ".");
    size_t length = end != NULL ? (size_t)(end - name) : 0;
    if (end == NULL || length >= sizeof column)
        return false;
    memcpy(column, name, length);
    column[length] = '\0';
    return spell_key(strchr(end, '.') + 1, column, text, size);
}

/* "hierarchy show" and "check": commands, with what may follow. */
static bool spell_command(const char *phrase, char *text, size_t size)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(phrase, " "), phrase);
    if (mgl_cli_find(name) == NULL)
        return false;
    snprintf(text, size, "mingle %s", phrase);
    return true;
}

/* What the library writes between backquotes: "suppressed: keep" -> "--suppressed keep",
 * "attributes.age.level: 1" -> "--level age=1", "check" -> "mingle check". 0: it is neither a key
 * nor a command, and stays what it is. */
static int spell_phrase(const char *phrase, char *text, size_t size)
{
    return mgl_cli_option_of_key(phrase, text, size) || spell_key(phrase, "", text, size) ||
           spell_attribute(phrase, text, size) || spell_command(phrase, text, size);
}

/* Spells the key between backquotes at the beginning of a text; NULL if there is none. *end gets
 * the text behind the second backquote. */
static const char *spelt_at(const char *text, char *spelt, size_t size, const char **end)
{
    char phrase[SPELT];
    const char *close = text[0] == '`' ? strchr(text + 1, '`') : NULL;
    size_t length = close != NULL ? (size_t)(close - text) - 1 : 0;
    if (length == 0 || length >= sizeof phrase)
        return NULL;
    memcpy(phrase, text + 1, length);
    phrase[length] = '\0';
    *end = close + 1;
    return spell_phrase(phrase, spelt, size) ? spelt : NULL;
}

/* Whatever a message quotes, a terminal must not take it for orders: control characters but line
 * feeds, also those that UTF-8 has in two bytes, become question marks. Returns what comes next. */
static const char *put_harmless(const char *text, FILE *out)
{
    const unsigned char *at = (const unsigned char *)text;
    bool two = at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0;
    bool one = (at[0] < 0x20 && at[0] != '\n') || at[0] == 0x7F;
    putc(one || two ? '?' : at[0], out);
    return text + (two ? 2 : 1);
}

/* Prints a text so, and without control characters. */
static void print_spelt(const char *text, FILE *out)
{
    char spelt[SPELT];
    const char *next;
    for (const char *at = text; *at != '\0'; at = next) {
        if (spelt_at(at, spelt, sizeof spelt, &next) == NULL) {
            next = put_harmless(at, out);
            continue;
        }
        for (const char *c = spelt; *c != '\0';)
            c = put_harmless(c, out);
    }
}

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
    print_spelt(err->message, stderr);
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

static bool has_colour(FILE *stream)
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
    long wanted = columns != NULL ? strtol(columns, NULL, 10) : 0;
    struct winsize size = {0};
    if (wanted > 0)
        return (int)(wanted < WIDEST ? wanted : WIDEST);
    return isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                   : 0;
}

/* A file or a pipe gets the same text wherever it is made, unless the locale speaks against it. */
mgl_text_style mgl_cli_style(FILE *stream)
{
    return (mgl_text_style){.colour = has_colour(stream),
                            .width = mgl_cli_width(stream),
                            .ascii = !mgl_cli_shows_utf8(!isatty(fileno(stream))),
                            .spell = spell_phrase};
}

static void memory_is_out(void)
{
    mgl_error err = {.status = MGL_SYSTEM};
    snprintf(err.message, sizeof err.message, "memory is out");
    exit(mgl_cli_fail(&err));
}

FILE *mgl_cli_text_begin(mgl_cli_made_text *made)
{
    *made = (mgl_cli_made_text){0};
    made->stream = open_memstream(&made->text, &made->size);
    if (made->stream == NULL)
        memory_is_out();
    return made->stream;
}

char *mgl_cli_text_end(mgl_cli_made_text *made)
{
    bool failed = ferror(made->stream) != 0;
    if (fclose(made->stream) != 0 || failed)
        memory_is_out();
    return made->text;
}

char *mgl_cli_spelt(const char *text)
{
    mgl_cli_made_text made;
    print_spelt(text, mgl_cli_text_begin(&made));
    return mgl_cli_text_end(&made);
}
