/* Writes the completion script for zsh. complete.c calls it. */
#include "job/help/complete.h"

#include <stdio.h>

/* Within single quotes, and where brackets and colons have a meaning. */
static void write_quoted(mgl_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            mgl_buffer_text(out, "'\\''");
        else if (strchr("[]:\\", *text) != NULL)
            mgl_buffer_format(out, "\\%c", *text);
        else
            mgl_buffer_append(out, text, 1);
    }
}

/* '*--method=[how to search]:value:(mingen cell)' */
static void write_option(mgl_buffer *out, const mgl_key *key, const char *option, bool is_long)
{
    mgl_buffer words = {0};
    mgl_complete_values(key, &words);
    mgl_buffer_format(out, "            '*%s%s[", option,
                      !mgl_key_needs_value(key) ? ""
                      : is_long                 ? "="
                                                : "+");
    write_quoted(out, key->help);
    mgl_buffer_text(out, "]");
    if (mgl_key_needs_value(key))
        mgl_buffer_text(out, ":value:");
    if (mgl_key_needs_value(key) && words.size > 0)
        mgl_buffer_format(out, "(%.*s)", (int)words.size, words.data);
    else if (mgl_complete_file(key))
        mgl_buffer_text(out, "_files");
    mgl_buffer_text(out, "' \\\n");
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

static void write_command(mgl_buffer *out, const mgl_command_row *command)
{
    mgl_buffer words = {0};
    mgl_buffer_format(out, "    %s)\n        _arguments \\\n", command->name);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        char option[64];
        if ((key.commands & command->command) == 0)
            continue;
        snprintf(option, sizeof option, "%s%s", key.name[1] == '\0' ? "-" : "--", key.name);
        write_option(out, &key, option, key.name[1] != '\0');
        if (key.letter != '\0' && key.name[1] != '\0') {
            snprintf(option, sizeof option, "-%c", key.letter);
            write_option(out, &key, option, false);
        }
    }
    mgl_complete_operands(command->name, &words);
    if (words.size > 0)
        mgl_buffer_format(out, "            '1:action:(%.*s)' \\\n", (int)words.size, words.data);
    mgl_buffer_text(out, "            '--help[tell about the command]' '*:file:_files' ;;\n");
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

static void write_words(mgl_buffer *out, const char *command)
{
    mgl_buffer words = {0};
    mgl_complete_operands(command, &words);
    mgl_buffer_format(out, "    %s) _arguments '1:word:(%.*s)' ;;\n", command, (int)words.size,
                      words.data);
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

void mgl_complete_zsh(mgl_buffer *out)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_buffer_text(out, "#compdef mingle\n"
                         "# zsh completion of mingle, made by: mingle completion zsh\n"
                         "_mingle() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_format(out, "        '%s:", rows[i].name);
        write_quoted(out, rows[i].help);
        mgl_buffer_text(out, "'\n");
    }
    mgl_buffer_text(out, "        'completion:print the completion for a shell'\n"
                         "        'help:tell about one thing, or list all'\n    )\n"
                         "    if (( CURRENT == 2 )); then\n"
                         "        _describe command commands\n        return\n    fi\n"
                         "    local command=$words[2]\n"
                         "    shift words\n    (( CURRENT-- ))\n"
                         "    case $command in\n");
    for (size_t i = 0; i < n; i++)
        write_command(out, &rows[i]);
    write_words(out, "completion");
    write_words(out, "help");
    mgl_buffer_text(out, "    esac\n}\n"
                         "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _mingle \"$@\"\n"
                         "else compdef _mingle mingle\nfi\n");
}
