/* Makes the completion scripts of shells; the words that bash, fish and zsh offer alike are here.
 * The command `completion` calls it. */
#include "cli/shells/shells.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Words with a space between. It stays where it is: the stream writes to it. */
typedef struct words {
    mgl_cli_made_text made;
    FILE *out;
    size_t n;
} words;

static void begin(words *list)
{
    list->n = 0;
    list->out = mgl_cli_text_begin(&list->made);
}

static void add(words *list, const char *word, size_t size)
{
    fprintf(list->out, "%s%.*s", list->n++ > 0 ? " " : "", (int)size, word);
}

static void add_text(words *list, const char *text)
{
    add(list, text, strlen(text));
}

/* Names of a section; flag: only those that have it, NULL: all. */
static void add_names(words *list, const mgl_cli_keys *keys, const char *section, const char *flag)
{
    size_t n = mgl_result_size(keys->catalogue, section);
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(keys->catalogue, section, i);
        if (flag == NULL || mgl_cli_flag(keys->catalogue, section, name, flag))
            add_text(list, name);
    }
}

/* "fast|balanced|best" are words, "N|X%" are not. */
static void add_alternatives(words *list, const char *syntax)
{
    while (*syntax != '\0') {
        size_t size = strcspn(syntax, "|");
        if (size > 0 && strspn(syntax, "abcdefghijklmnopqrstuvwxyz-") >= size)
            add(list, syntax, size);
        syntax += size + (syntax[size] == '|');
    }
}

char *mgl_cli_value_words(const mgl_cli_keys *keys, const mgl_cli_key *key)
{
    words list;
    begin(&list);
    bool is_column = strcmp(key->where, "column") == 0;
    bool is_name = key->names != NULL && mgl_result_size(keys->catalogue, key->names) > 0;
    bool is_measure = is_name && strcmp(key->names, "measures") == 0;
    if (is_name && !is_column)
        add_names(&list, keys, key->names, is_measure ? "search" : NULL);
    else if (!is_column)
        add_alternatives(&list, key->syntax);
    return mgl_cli_text_end(&list.made);
}

static void add_commands(words *list, const mgl_cli_keys *keys)
{
    add_names(list, keys, "commands", NULL);
    add_text(list, "completion help");
}

char *mgl_cli_command_words(const mgl_cli_keys *keys)
{
    words list;
    begin(&list);
    add_commands(&list, keys);
    return mgl_cli_text_end(&list.made);
}

static void add_topics(words *list, const mgl_cli_keys *keys)
{
    static const char *const sections[] = {"methods",  "models",     "measures",
                                           "builders", "treatments", "policies"};
    add_commands(list, keys);
    add_text(list, "commands options methods models measures builders treatments policies formats "
                   "keys all");
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        add_names(list, keys, sections[i], NULL);
}

char *mgl_cli_operand_words(const mgl_cli_keys *keys, const char *command)
{
    words list;
    begin(&list);
    const char *action;
    for (size_t i = 0;
         (action = mgl_cli_item(keys->catalogue, "commands", command, "actions", i)) != NULL; i++)
        add_text(&list, action);
    if (strcmp(command, "completion") == 0)
        add_text(&list, "bash zsh fish");
    else if (strcmp(command, "help") == 0)
        add_topics(&list, keys);
    return mgl_cli_text_end(&list.made);
}

char *mgl_cli_help_words(const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    mgl_cli_write_help(key, mgl_cli_text_begin(&made));
    char *help = mgl_cli_text_end(&made), *spelt = mgl_cli_spelt(help);
    free(help);
    return spelt;
}

bool mgl_cli_names_file(const mgl_cli_key *key)
{
    return key->file != NULL && strcmp(key->where, "column") != 0;
}

mgl_status mgl_cli_complete(const char *shell, mgl_error *err, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(const mgl_cli_keys *keys, FILE *out);
    } shells[] = {{"bash", mgl_cli_complete_bash},
                  {"zsh", mgl_cli_complete_zsh},
                  {"fish", mgl_cli_complete_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            mgl_cli_keys keys;
            if (mgl_cli_keys_load(NULL, err, &keys) != MGL_OK)
                return err->status;
            shells[i].write(&keys, out);
            mgl_cli_keys_free(&keys);
            return MGL_OK;
        }
    snprintf(err->message, sizeof err->message,
             "there is no completion for '%.60s'; give bash, zsh or fish", shell);
    return err->status = MGL_USAGE;
}
