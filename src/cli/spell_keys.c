/* Spells keys as one types them on a command line. The library names job keys between backquotes,
 * in errors, summaries and help; output.c puts what stands here in their place. */
#include "cli.h"

#include "cli/options/options.h"

#include <string.h>

enum { SPELT = 1100 };

/* Does a shell take it as it is? A list that begins with nothing would be overlooked. */
static bool is_plain(const char *value)
{
    bool hole = value[0] == ',' && value[1] != '\0';
    return !hole && strpbrk(value, " ;()[]{}<>|&*?$#!\\\"'") == NULL;
}

/* Adds up to the room that there is; within quotes of a shell. */
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

int mgl_cli_spell_phrase(const char *phrase, char *text, size_t size)
{
    return mgl_cli_option_of_key(phrase, text, size) || spell_key(phrase, "", text, size) ||
           spell_attribute(phrase, text, size) || spell_command(phrase, text, size);
}

/* What stands between backquotes at a place of a text; NULL: nothing that is spelt otherwise.
 * end: behind the second one. */
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
    return mgl_cli_spell_phrase(phrase, spelt, size) ? spelt : NULL;
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

void mgl_cli_spell(const char *text, FILE *out)
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
