/* options: the keys of a job as options of the program: which there are, which commands take them
 * and how they are typed. Made of the catalogue of the library and of the program's own keys. */
#ifndef MGL_CLI_OPTIONS_H
#define MGL_CLI_OPTIONS_H

#include "mingle.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- Places in the catalogue (catalogue_places.c) ----------------------------------------------
 */

/* What stands at SECTION.NAME.FIELD. NULL: no text is there. */
const char *mgl_cli_text(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field);
bool mgl_cli_flag(const mgl_result *catalogue, const char *section, const char *name,
                  const char *field);
/* The i-th text of a list; NULL: it has no more. */
const char *mgl_cli_item(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field, size_t i);
/* Is the text in the list? */
bool mgl_cli_lists(const mgl_result *catalogue, const char *section, const char *name,
                   const char *field, const char *text);

/* ---- Keys (option_keys.c) ------------------------------------------------------------------- */

/* Texts are borrowed from the catalogue. */
typedef struct mgl_cli_key {
    const char *name;          /* "suppress" */
    char letter;               /* short option; 0: none */
    const char *help;          /* names keys between backquotes */
    const char *group;         /* heading of a list */
    const char *brief;         /* what short lists say of it; NULL: they leave it out */
    const char *behaviour;     /* what the program does by itself, behind the help; NULL: nothing */
    const char *fallback;      /* what holds if nothing is said, as help tells it; NULL: nothing */
    const char *syntax;        /* of the value; "": there is none */
    const char *value, *where; /* as in the catalogue: "flag", "job" */
    const char *file, *names;  /* the same; NULL: it is none of a file, or a name of nothing */
    const mgl_result *catalogue; /* that has it; NULL: it is a key of the program */
    const char *except; /* the command that does not take this key of the program; NULL: all do */
} mgl_cli_key;

/* All keys, in the order of help. */
typedef struct mgl_cli_keys {
    mgl_result *catalogue; /* that has them: all of it, or its keys alone */
    mgl_cli_key *rows;
    size_t n;
} mgl_cli_keys;

/* what: of the catalogue, besides the keys nothing ("keys") or all (NULL). Free with
 * mgl_cli_keys_free. */
mgl_status mgl_cli_keys_load(const char *what, mgl_error *err, mgl_cli_keys *out);
void mgl_cli_keys_free(mgl_cli_keys *keys);

/* NULL: there is none of that name. */
const mgl_cli_key *mgl_cli_keys_find(const mgl_cli_keys *keys, const char *name);

bool mgl_cli_key_is_taken(const mgl_cli_key *key, const char *command);
/* Does the short list of the command have it? */
bool mgl_cli_key_is_common(const mgl_cli_key *key, const char *command);
/* 0: no value follows the option, 1: one does, 2: one may. */
int mgl_cli_key_takes_value(const mgl_cli_key *key);

/* ---- Keys of the program (program_keys.c)
 * ----------------------------------------------------------
 */

/* Lets a job take the program's own keys, `quiet` and `json`, from options and job files. */
mgl_status mgl_cli_own_keys(mgl_job *job, mgl_error *err);
/* The own keys that help lists behind a key of the library; i from 0. False: there are no more. */
bool mgl_cli_own_key_behind(const char *name, size_t i, mgl_cli_key *out);
bool mgl_cli_own_key(const char *name, mgl_cli_key *out);
/* Adds what the program says about a key of the library: its letter, its behaviour. */
void mgl_cli_own_words(mgl_cli_key *key);
/* The letter of a key that has a long name, too; 0: it has none. */
char mgl_cli_letter_of_key(const char *name);
/* The key of a short option; NULL: none has this letter. */
const char *mgl_cli_key_of_letter(char letter);

/* ---- Options (find_option.c, option_text.c) -------------------------------------------------- */

/* Names of keys are shorter. */
enum { MGL_CLI_NAME = 64 };

typedef struct mgl_cli_option {
    char key[MGL_CLI_NAME];
    int takes_value; /* as mgl_cli_key_takes_value says */
} mgl_cli_option;

/* What a user typed: "--qi", "-k". MGL_USAGE with the nearest option if the command has none of
 * this name. Options are never abbreviated. */
mgl_status mgl_cli_find_option(const char *command, const char *option, mgl_error *err,
                               mgl_cli_option *out);
/* MGL_USAGE with the nearest command. */
mgl_status mgl_cli_refuse_command(const char *name, mgl_error *err);

void mgl_cli_write_usage(const mgl_cli_key *key, FILE *out); /* "--suppress N|X%" */
/* What it says, and what the program does by itself; keys between backquotes. */
void mgl_cli_write_help(const mgl_cli_key *key, FILE *out);

/* The option of a key, of a field of columns ("weight"), of a role ("role: quasi") or of a model
 * ("k-anonymity"), as texts name it: "--suppress", "-k". False: there is none. */
bool mgl_cli_option_of_key(const char *key, char *option, size_t size);

#endif
