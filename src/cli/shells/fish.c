/* Writes the completion script for fish. complete_words.c calls it. */
#include "cli/shells/shells.h"

#include <stdlib.h>

static void write_quoted(const char *text, FILE *out)
{
    fputs("'", out);
    for (; *text != '\0'; text++)
        fprintf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    fputs("'", out);
}

/* The commands that take the key, as a condition. */
static void write_condition(const mgl_cli_keys *keys, const mgl_cli_key *key, FILE *out)
{
    size_t n = mgl_result_size(keys->catalogue, "commands");
    fputs("complete -c mingle -n '__fish_seen_subcommand_from", out);
    for (size_t i = 0; i < n; i++) {
        const char *command = mgl_result_key(keys->catalogue, "commands", i);
        if (mgl_cli_key_is_taken(key, command))
            fprintf(out, " %s", command);
    }
    fputs("'", out);
}

static void write_key(const mgl_cli_keys *keys, const mgl_cli_key *key, FILE *out)
{
    char *words = mgl_cli_value_words(keys, key), *help = mgl_cli_help_words(key);
    bool needs_value = mgl_cli_key_takes_value(key) == 1;
    write_condition(keys, key, out);
    if (key->name[1] != '\0')
        fprintf(out, " -l %s", key->name);
    if (key->letter != '\0')
        fprintf(out, " -s %c", key->letter);
    fputs(" -d ", out);
    write_quoted(help, out);
    if (needs_value)
        fputs(mgl_cli_names_file(key) ? " -r -F" : " -x", out);
    if (needs_value && words[0] != '\0')
        fprintf(out, " -a '%s'", words);
    fputs("\n", out);
    free(words);
    free(help);
}

static void write_operands(const mgl_cli_keys *keys, const char *command, bool files, FILE *out)
{
    char *words = mgl_cli_operand_words(keys, command);
    if (words[0] != '\0')
        fprintf(out, "complete -c mingle -n '__fish_seen_subcommand_from %s' %s -a '%s'\n", command,
                files ? "" : "-f", words);
    free(words);
}

void mgl_cli_complete_fish(const mgl_cli_keys *keys, FILE *out)
{
    size_t n = mgl_result_size(keys->catalogue, "commands");
    fputs("# fish completion of mingle, made by: mingle completion fish\n", out);
    for (size_t i = 0; i < n; i++) {
        const char *command = mgl_result_key(keys->catalogue, "commands", i);
        fprintf(out, "complete -c mingle -n __fish_use_subcommand -f -a %s -d ", command);
        write_quoted(mgl_cli_text(keys->catalogue, "commands", command, "help"), out);
        fputs("\n", out);
    }
    fputs("complete -c mingle -n __fish_use_subcommand -f -a completion -d "
          "'print the completion for a shell'\n"
          "complete -c mingle -n __fish_use_subcommand -f -a help -d "
          "'tell about one thing, or list all'\n",
          out);
    for (size_t i = 0; i < keys->n; i++)
        write_key(keys, &keys->rows[i], out);
    for (size_t i = 0; i < n; i++)
        write_operands(keys, mgl_result_key(keys->catalogue, "commands", i), true, out);
    write_operands(keys, "completion", false, out);
    write_operands(keys, "help", false, out);
}
