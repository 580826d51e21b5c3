/* Writes the completion script for zsh. complete_words.c calls it. */
#include "cli/shells/shells.h"

#include <stdlib.h>
#include <string.h>

/* Within single quotes, and where brackets and colons have a meaning. */
static void write_quoted(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr("[]:\\", *text) != NULL ? "\\" : "", *text);
    }
}

/* '*--method=[how to search]:value:(mingen cell)'; sign: what stands between option and value */
static void write_option(const mgl_cli_keys *keys, const mgl_cli_key *key, const char *option,
                         char sign, FILE *out)
{
    char *words = mgl_cli_value_words(keys, key), *help = mgl_cli_help_words(key);
    bool needs_value = mgl_cli_key_takes_value(key) == 1;
    fprintf(out, "            '*%s%.1s[", option, needs_value ? &sign : "");
    write_quoted(help, out);
    fputs(needs_value ? "]:value:" : "]", out);
    if (needs_value && words[0] != '\0')
        fprintf(out, "(%s)", words);
    else if (mgl_cli_names_file(key))
        fputs("_files", out);
    fputs("' \\\n", out);
    free(words);
    free(help);
}

static void write_key(const mgl_cli_keys *keys, const mgl_cli_key *key, FILE *out)
{
    char option[MGL_CLI_NAME + sizeof "--"];
    bool is_long = key->name[1] != '\0';
    snprintf(option, sizeof option, "%s%s", is_long ? "--" : "-", key->name);
    write_option(keys, key, option, is_long ? '=' : '+', out);
    if (key->letter != '\0' && is_long) {
        snprintf(option, sizeof option, "-%c", key->letter);
        write_option(keys, key, option, '+', out);
    }
}

static void write_command(const mgl_cli_keys *keys, const char *command, FILE *out)
{
    char *words = mgl_cli_operand_words(keys, command);
    fprintf(out, "    %s)\n        _arguments \\\n", command);
    for (size_t i = 0; i < keys->n; i++)
        if (mgl_cli_key_is_taken(&keys->rows[i], command))
            write_key(keys, &keys->rows[i], out);
    if (words[0] != '\0')
        fprintf(out, "            '1:action:(%s)' \\\n", words);
    fputs("            '--help[tell about the command]' '*:file:_files' ;;\n", out);
    free(words);
}

static void write_words(const mgl_cli_keys *keys, const char *command, FILE *out)
{
    char *words = mgl_cli_operand_words(keys, command);
    fprintf(out, "    %s) _arguments '1:word:(%s)' ;;\n", command, words);
    free(words);
}

void mgl_cli_complete_zsh(const mgl_cli_keys *keys, FILE *out)
{
    size_t n = mgl_result_size(keys->catalogue, "commands");
    fputs("#compdef mingle\n"
          "# zsh completion of mingle, made by: mingle completion zsh\n"
          "_mingle() {\n    local -a commands\n    commands=(\n",
          out);
    for (size_t i = 0; i < n; i++) {
        const char *command = mgl_result_key(keys->catalogue, "commands", i);
        fprintf(out, "        '%s:", command);
        write_quoted(mgl_cli_text(keys->catalogue, "commands", command, "help"), out);
        fputs("'\n", out);
    }
    fputs("        'completion:print the completion for a shell'\n"
          "        'help:tell about one thing, or list all'\n    )\n"
          "    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n        return\n    fi\n"
          "    local command=$words[2]\n"
          "    shift words\n    (( CURRENT-- ))\n"
          "    case $command in\n",
          out);
    for (size_t i = 0; i < n; i++)
        write_command(keys, mgl_result_key(keys->catalogue, "commands", i), out);
    write_words(keys, "completion", out);
    write_words(keys, "help", out);
    fputs("    esac\n}\n"
          "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _mingle \"$@\"\n"
          "else compdef _mingle mingle\nfi\n",
          out);
}
