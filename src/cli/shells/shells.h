/* shells: completion of command lines, a script for each shell, made of the catalogue. */
#ifndef MGL_CLI_SHELLS_H
#define MGL_CLI_SHELLS_H

#include "cli/options/options.h"

/* MGL_USAGE if the shell is none of bash, zsh and fish. */
mgl_status mgl_cli_complete(const char *shell, mgl_error *err, FILE *out);

/* ---- What the shells have in common (complete_words.c) ----------------------------------------
 */

/* Words that the value of a key can be, with a space between; empty: it can be anything. Free with
 * free, as are the others. */
char *mgl_cli_value_words(const mgl_cli_keys *keys, const mgl_cli_key *key);
/* What stands after a command: words for its first operand; empty: it is a file. */
char *mgl_cli_operand_words(const mgl_cli_keys *keys, const char *command);
/* All subcommands, those that take no options too. */
char *mgl_cli_command_words(const mgl_cli_keys *keys);
/* What the key says, spelt as it is typed. */
char *mgl_cli_help_words(const mgl_cli_key *key);
/* Does the option name a file? */
bool mgl_cli_names_file(const mgl_cli_key *key);

void mgl_cli_complete_bash(const mgl_cli_keys *keys, FILE *out);
void mgl_cli_complete_zsh(const mgl_cli_keys *keys, FILE *out);
void mgl_cli_complete_fish(const mgl_cli_keys *keys, FILE *out);

#endif
