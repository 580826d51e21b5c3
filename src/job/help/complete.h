/* Completion of command lines, one shell each, from the table of keys. */
#ifndef MGL_JOB_HELP_COMPLETE_H
#define MGL_JOB_HELP_COMPLETE_H

#include "job/keys/keys.h"

/* False if the shell is none of bash, zsh and fish. */
bool mgl_complete(const char *shell, mgl_buffer *out);

/* ---- What the shells have in common -------------------------------------------------------- */

/* Words that the value of a key can be, with a space between; nothing: it can be anything. */
void mgl_complete_values(const mgl_key *key, mgl_buffer *out);
/* All subcommands, those that take no options too. */
void mgl_complete_commands(mgl_buffer *out);
/* What stands after a command: words for its first operand, or nothing where it is a file. */
void mgl_complete_operands(const char *command, mgl_buffer *out);
/* Is the value the name of a file? */
bool mgl_complete_file(const mgl_key *key);

void mgl_complete_bash(mgl_buffer *out);
void mgl_complete_zsh(mgl_buffer *out);
void mgl_complete_fish(mgl_buffer *out);

#endif
