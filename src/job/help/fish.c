/* Writes the completion script for fish. complete.c calls it. */
#include "job/help/complete.h"

static void write_quoted(mgl_buffer *out, const char *text)
{
    mgl_buffer_text(out, "'");
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\')
            mgl_buffer_text(out, "\\");
        mgl_buffer_append(out, text, 1);
    }
    mgl_buffer_text(out, "'");
}

/* The commands that take the key, as a condition. */
static void write_condition(mgl_buffer *out, unsigned commands)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_buffer_text(out, "complete -c mingle -n '__fish_seen_subcommand_from");
    for (size_t i = 0; i < n; i++)
        if ((commands & rows[i].command) != 0)
            mgl_buffer_format(out, " %s", rows[i].name);
    mgl_buffer_text(out, "'");
}

static void write_key(mgl_buffer *out, const mgl_key *key)
{
    mgl_buffer words = {0};
    bool file = mgl_complete_file(key);
    mgl_complete_values(key, &words);
    write_condition(out, key->commands);
    if (key->name[1] != '\0')
        mgl_buffer_format(out, " -l %s", key->name);
    if (key->letter != '\0')
        mgl_buffer_format(out, " -s %c", key->letter);
    mgl_buffer_text(out, " -d ");
    write_quoted(out, key->help);
    if (mgl_key_needs_value(key))
        mgl_buffer_text(out, file ? " -r -F" : " -x");
    if (mgl_key_needs_value(key) && words.size > 0)
        mgl_buffer_format(out, " -a '%.*s'", (int)words.size, words.data);
    mgl_buffer_text(out, "\n");
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

static void write_operands(mgl_buffer *out, const char *command, bool files)
{
    mgl_buffer words = {0};
    mgl_complete_operands(command, &words);
    if (words.size > 0)
        mgl_buffer_format(out,
                          "complete -c mingle -n '__fish_seen_subcommand_from %s' %s -a '%.*s'\n",
                          command, files ? "" : "-f", (int)words.size, words.data);
    out->failed = out->failed || words.failed;
    mgl_buffer_free(&words);
}

void mgl_complete_fish(mgl_buffer *out)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_buffer_text(out, "# fish completion of mingle, made by: mingle completion fish\n");
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_format(out, "complete -c mingle -n __fish_use_subcommand -f -a %s -d ",
                          rows[i].name);
        write_quoted(out, rows[i].help);
        mgl_buffer_text(out, "\n");
    }
    mgl_buffer_text(out, "complete -c mingle -n __fish_use_subcommand -f -a completion -d "
                         "'print the completion for a shell'\n"
                         "complete -c mingle -n __fish_use_subcommand -f -a help -d "
                         "'tell about one thing, or list all'\n");
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        write_key(out, &key);
    }
    for (size_t i = 0; i < n; i++)
        write_operands(out, rows[i].name, true);
    write_operands(out, "completion", false);
    write_operands(out, "help", false);
}
