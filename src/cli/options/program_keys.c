/* What the program adds to the keys of the library: keys that it obeys itself, letters of short
 * options, and words about what it does unasked. option_keys.c and arguments.c ask for them. */
#include "cli/options/options.h"

#include <string.h>

/* Flags, all of them. */
static const struct {
    const char *name, *help;
    const char *brief;  /* in short lists; NULL: it is in none */
    const char *behind; /* the key of the library that help lists before it */
    const char *except; /* the command that does not take it; NULL: all do */
} own[] = {
    {"quiet", "no summary and no progress", NULL, "seed", NULL},
    {"json", "the result as JSON on standard output", "print the result as JSON", "verbose",
     "report"},
};

static const struct {
    const char *name;
    char letter;
    const char *behaviour, *fallback;
} said[] = {
    {"output", 'o', NULL, NULL},
    {"brief", '\0', "(mingle does, unless a result is asked for)", NULL},
    {"hint", '\0', "(mingle does, unless `brief` is given)", NULL},
    {"missing", '\0', NULL, "empty and NA; in a database, empty"},
};

enum { OWN = sizeof own / sizeof own[0], SAID = sizeof said / sizeof said[0] };

static mgl_cli_key key_of(size_t i)
{
    return (mgl_cli_key){.name = own[i].name,
                         .help = own[i].help,
                         .brief = own[i].brief,
                         .syntax = "",
                         .value = "flag",
                         .where = "job",
                         .except = own[i].except};
}

bool mgl_cli_own_key(const char *name, mgl_cli_key *out)
{
    for (size_t i = 0; i < OWN; i++)
        if (strcmp(own[i].name, name) == 0) {
            *out = key_of(i);
            return true;
        }
    return false;
}

bool mgl_cli_own_key_behind(const char *name, size_t i, mgl_cli_key *out)
{
    for (size_t k = 0; k < OWN; k++)
        if (strcmp(own[k].behind, name) == 0 && i-- == 0) {
            *out = key_of(k);
            return true;
        }
    return false;
}

void mgl_cli_own_words(mgl_cli_key *key)
{
    if (key->name[1] == '\0') /* "k" is typed as -k */
        key->letter = key->name[0];
    for (size_t i = 0; i < SAID; i++)
        if (strcmp(said[i].name, key->name) == 0) {
            key->letter = said[i].letter;
            key->behaviour = said[i].behaviour;
            key->fallback = said[i].fallback != NULL ? said[i].fallback : key->fallback;
        }
}

char mgl_cli_letter_of_key(const char *name)
{
    for (size_t i = 0; i < SAID; i++)
        if (strcmp(said[i].name, name) == 0)
            return said[i].letter;
    return '\0';
}

const char *mgl_cli_key_of_letter(char letter)
{
    for (size_t i = 0; i < SAID; i++)
        if (said[i].letter == letter && letter != '\0')
            return said[i].name;
    return NULL;
}

mgl_status mgl_cli_own_keys(mgl_job *job, mgl_error *err)
{
    static const char *const values[] = {"true", "false", NULL};
    mgl_own_key keys[OWN];
    for (size_t i = 0; i < OWN; i++)
        keys[i] = (mgl_own_key){own[i].name, values};
    return mgl_job_own_keys(job, keys, OWN, err);
}
