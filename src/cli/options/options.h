/* options: the keys of a job as options of the program: which there are, which commands take them
 * and how they are typed. Made of the catalogue of the library and of the program's own keys. */
#ifndef MGL_CLI_OPTIONS_H
#define MGL_CLI_OPTIONS_H

#include "mingle.h"

#include <stdbool.h>
#include <stdio.h>

/* The text at SECTION.NAME.FIELD; NULL if there is none. */
const char *mgl_cli_text(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field);
/* True if the entry is true. */
bool mgl_cli_flag(const mgl_result *catalogue, const char *section, const char *name,
                  const char *field);
/* The i-th text of a list; NULL behind its end. */
const char *mgl_cli_item(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field, size_t i);

/* Texts are borrowed from the catalogue. */
typedef struct mgl_cli_key {
    const char *name;            /* "suppress" */
    char letter;                 /* short option; 0: none */
    const char *help;            /* names keys between backquotes */
    const char *group;           /* heading of a list */
    const char *brief;           /* in short lists; NULL if they leave the key out */
    const char *behaviour;       /* of the program, printed behind the help; optional */
    const char *fallback;        /* the default, as help prints it; optional */
    const char *syntax;          /* of the value; "" if there is none */
    const char *value, *where;   /* as in the catalogue: "flag", "job" */
    const char *file, *names;    /* the same; optional */
    const mgl_result *catalogue; /* that has the key; NULL for a key of the program */
    const char *except;          /* the command that refuses this key of the program; optional */
} mgl_cli_key;

/* All keys, in the order of help. */
typedef struct mgl_cli_keys {
    mgl_result *catalogue; /* that has them: all of it, or its keys alone */
    mgl_cli_key *rows;
    size_t n;
} mgl_cli_keys;

/* Loads the keys; what: "keys" for the keys alone, NULL for the whole catalogue with them. Free
 * with mgl_cli_keys_free. */
mgl_status mgl_cli_keys_load(const char *what, mgl_error *err, mgl_cli_keys *out);
void mgl_cli_keys_free(mgl_cli_keys *keys);

/* The key of that name, borrowed; NULL if there is none. */
const mgl_cli_key *mgl_cli_keys_find(const mgl_cli_keys *keys, const char *name);

bool mgl_cli_key_is_taken(const mgl_cli_key *key, const char *command);
/* True if the short list of the command has the key. */
bool mgl_cli_key_is_common(const mgl_cli_key *key, const char *command);
/* 0 if no value follows the option, 1 if one does, 2 if one may. */
int mgl_cli_key_takes_value(const mgl_cli_key *key);
/* Writes "--suppress N|X%". */
void mgl_cli_write_usage(const mgl_cli_key *key, FILE *out);
/* Writes the help and the behaviour of the program; keys stay between backquotes. */
void mgl_cli_write_help(const mgl_cli_key *key, FILE *out);

/* Registers the program's own keys, `quiet` and `json`, so that options and job files can set
 * them. */
mgl_status mgl_cli_own_keys(mgl_job *job, mgl_error *err);

/* Names of keys are shorter. */
enum { MGL_CLI_NAME = 64 };

typedef struct mgl_cli_option {
    char key[MGL_CLI_NAME];
    int takes_value; /* as mgl_cli_key_takes_value returns it */
} mgl_cli_option;

/* Finds the key of an option as typed: "--qi", "-k". MGL_USAGE with the nearest option if the
 * command has none of this name. Options are never abbreviated. */
mgl_status mgl_cli_find_option(const char *command, const char *option, mgl_error *err,
                               mgl_cli_option *out);
/* The letter of a key that has a long name, too; 0 if it has none. */
char mgl_cli_letter_of_key(const char *name);
/* Writes the option of a key, of a field of columns ("weight"), of a role ("role: quasi") or of a
 * model ("k-anonymity"): "--suppress", "-k". False if there is none. */
bool mgl_cli_option_of_key(const char *key, char *option, size_t size);

#endif
