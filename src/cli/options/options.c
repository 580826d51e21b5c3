/* The keys of a job as options of the program: entries of the catalogue, the program's own keys,
 * the option of a key and the key of an option, and the nearest one of a wrong name. */
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 200 };

static const char *path_of(char *path, const char *section, const char *name, const char *field)
{
    snprintf(path, PATH, "%s.%s.%s", section, name, field);
    return path;
}

const char *mgl_cli_text(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field)
{
    char path[PATH];
    return mgl_result_string(catalogue, path_of(path, section, name, field));
}

bool mgl_cli_flag(const mgl_result *catalogue, const char *section, const char *name,
                  const char *field)
{
    char path[PATH];
    return mgl_result_bool(catalogue, path_of(path, section, name, field)) == 1;
}

const char *mgl_cli_item(const mgl_result *catalogue, const char *section, const char *name,
                         const char *field, size_t i)
{
    char path[PATH], item[PATH + 24];
    snprintf(item, sizeof item, "%s[%zu]", path_of(path, section, name, field), i);
    return mgl_result_string(catalogue, item);
}

/* Is the text in the list? */
static bool is_listed(const mgl_result *catalogue, const char *section, const char *name,
                      const char *field, const char *text)
{
    const char *item;
    for (size_t i = 0; (item = mgl_cli_item(catalogue, section, name, field, i)) != NULL; i++)
        if (strcmp(item, text) == 0)
            return true;
    return false;
}

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
} extra[] = {
    {"output", 'o', NULL, NULL},
    {"brief", '\0', "(mingle does, unless a result is asked for)", NULL},
    {"hint", '\0', "(mingle does, unless `brief` or `dp` is given)", NULL},
    {"missing", '\0', NULL, "empty and NA; in a database, empty"},
};

enum { OWN = sizeof own / sizeof own[0], EXTRA = sizeof extra / sizeof extra[0] };

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

static bool own_key(const char *name, mgl_cli_key *out)
{
    for (size_t i = 0; i < OWN; i++)
        if (strcmp(own[i].name, name) == 0) {
            *out = key_of(i);
            return true;
        }
    return false;
}

/* The own keys that help lists behind a key of the library; i from 0. False: there are no more. */
static bool own_key_behind(const char *name, size_t i, mgl_cli_key *out)
{
    for (size_t k = 0; k < OWN; k++)
        if (strcmp(own[k].behind, name) == 0 && i-- == 0) {
            *out = key_of(k);
            return true;
        }
    return false;
}

/* Adds what the program knows of a key of the library: its letter, its behaviour. */
static void own_words(mgl_cli_key *key)
{
    if (key->name[1] == '\0') /* "k" is typed as -k */
        key->letter = key->name[0];
    for (size_t i = 0; i < EXTRA; i++)
        if (strcmp(extra[i].name, key->name) == 0) {
            key->letter = extra[i].letter;
            key->behaviour = extra[i].behaviour;
            key->fallback = extra[i].fallback != NULL ? extra[i].fallback : key->fallback;
        }
}

char mgl_cli_letter_of_key(const char *name)
{
    for (size_t i = 0; i < EXTRA; i++)
        if (strcmp(extra[i].name, name) == 0)
            return extra[i].letter;
    return '\0';
}

/* The key of a short option; NULL: none has this letter. */
static const char *key_of_letter(char letter)
{
    for (size_t i = 0; i < EXTRA; i++)
        if (extra[i].letter == letter && letter != '\0')
            return extra[i].name;
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

static mgl_cli_key key_in(const mgl_result *catalogue, const char *name)
{
    mgl_cli_key key = {.name = name,
                       .help = mgl_cli_text(catalogue, "keys", name, "help"),
                       .group = mgl_cli_text(catalogue, "keys", name, "group"),
                       .brief = mgl_cli_text(catalogue, "keys", name, "brief"),
                       .fallback = mgl_cli_text(catalogue, "keys", name, "default"),
                       .syntax = mgl_cli_text(catalogue, "keys", name, "syntax"),
                       .value = mgl_cli_text(catalogue, "keys", name, "value"),
                       .where = mgl_cli_text(catalogue, "keys", name, "where"),
                       .file = mgl_cli_text(catalogue, "keys", name, "file"),
                       .names = mgl_cli_text(catalogue, "keys", name, "names"),
                       .catalogue = catalogue};
    own_words(&key);
    return key;
}

mgl_status mgl_cli_keys_load(const char *what, mgl_error *err, mgl_cli_keys *out)
{
    enum { MOST_OWN = 8 };
    mgl_result *catalogue;
    mgl_status status = mgl_catalogue(what, err, &catalogue);
    if (status != MGL_OK)
        return status;
    size_t n = mgl_result_size(catalogue, "keys");
    *out = (mgl_cli_keys){catalogue, calloc(n + MOST_OWN, sizeof *out->rows), 0};
    if (out->rows == NULL) {
        mgl_result_free(catalogue);
        snprintf(err->message, sizeof err->message, "memory is out");
        return err->status = MGL_SYSTEM;
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(catalogue, "keys", i);
        out->rows[out->n++] = key_in(catalogue, name);
        for (size_t k = 0; own_key_behind(name, k, &out->rows[out->n]); k++)
            out->rows[out->n++].group = mgl_cli_text(catalogue, "keys", name, "group");
    }
    return MGL_OK;
}

void mgl_cli_keys_free(mgl_cli_keys *keys)
{
    free(keys->rows);
    mgl_result_free(keys->catalogue);
}

const mgl_cli_key *mgl_cli_keys_find(const mgl_cli_keys *keys, const char *name)
{
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->rows[i].name, name) == 0)
            return &keys->rows[i];
    return NULL;
}

bool mgl_cli_key_is_taken(const mgl_cli_key *key, const char *command)
{
    return key->catalogue != NULL
               ? is_listed(key->catalogue, "keys", key->name, "commands", command)
               : key->except == NULL || strcmp(key->except, command) != 0;
}

bool mgl_cli_key_is_common(const mgl_cli_key *key, const char *command)
{
    return key->catalogue != NULL ? is_listed(key->catalogue, "keys", key->name, "common", command)
                                  : key->brief != NULL && mgl_cli_key_is_taken(key, command);
}

int mgl_cli_key_takes_value(const mgl_cli_key *key)
{
    return strcmp(key->value, "flag") == 0 ? 0 : strcmp(key->value, "flag-or-columns") == 0 ? 2 : 1;
}

/* One-letter keys are written with one dash. */
static const char *dashes(const char *name)
{
    return name[1] == '\0' ? "-" : "--";
}

void mgl_cli_write_usage(const mgl_cli_key *key, FILE *out)
{
    fprintf(out, "%s%s%s%s", dashes(key->name), key->name,
            mgl_cli_key_takes_value(key) == 0 ? "" : " ", key->syntax);
}

void mgl_cli_write_help(const mgl_cli_key *key, FILE *out)
{
    fputs(key->help, out);
    if (key->behaviour != NULL)
        fprintf(out, " %s", key->behaviour);
}

static bool print_option(const char *name, char *option, size_t size)
{
    return name != NULL && (size_t)snprintf(option, size, "%s%s", dashes(name), name) < size;
}

/* The entry SECTION.NAME of the catalogue; NULL if there is none. Free with mgl_result_free. */
static mgl_result *entry_of(const char *section, const char *name)
{
    char what[MGL_CLI_NAME + 16];
    mgl_result *entry = NULL;
    if (name[0] == '\0' || strlen(name) >= MGL_CLI_NAME)
        return NULL;
    snprintf(what, sizeof what, "%s.%s", section, name);
    return mgl_catalogue(what, NULL, &entry) == MGL_OK ? entry : NULL;
}

/* Columns of a role are named by the option of that role. */
static bool option_of_role(const char *role, char *option, size_t size)
{
    mgl_result *fields = entry_of("attributes", "role");
    const char *choice;
    bool found = false;
    for (size_t i = 0;
         !found && (choice = mgl_cli_item(fields, "attributes", "role", "choices", i)) != NULL; i++)
        found = strcmp(choice, role) == 0 &&
                print_option(mgl_cli_item(fields, "attributes", "role", "keys", i), option, size);
    mgl_result_free(fields);
    return found;
}

/* A key, a model, or a field of columns. */
static bool option_of_name(const char *name, char *option, size_t size)
{
    mgl_cli_key own;
    mgl_result *key = entry_of("keys", name), *model = NULL, *field = NULL;
    bool found = key != NULL || own_key(name, &own);
    if (found)
        found = print_option(name, option, size);
    else if ((model = entry_of("models", name)) != NULL)
        found = print_option(mgl_cli_text(model, "models", name, "key"), option, size);
    else if ((field = entry_of("attributes", name)) != NULL)
        found = print_option(mgl_cli_item(field, "attributes", name, "keys", 0), option, size);
    mgl_result_free(key);
    mgl_result_free(model);
    mgl_result_free(field);
    return found;
}

bool mgl_cli_option_of_key(const char *text, char *option, size_t size)
{
    static const char role[] = "role: ";
    if (strncmp(text, role, sizeof role - 1) == 0)
        return option_of_role(text + sizeof role - 1, option, size);
    if (strcmp(text, "quasi-identifiers") == 0) /* an option for each set */
        return option_of_name("qi-set", option, size);
    return strcmp(text, "role") != 0 && strpbrk(text, " .:[\"") == NULL &&
           option_of_name(text, option, size);
}

/* Is it one of the names that other programs have for the key? */
static bool is_meant(const mgl_cli_key *key, const char *name)
{
    return key->catalogue != NULL &&
           is_listed(key->catalogue, "keys", key->name, "other_names", name);
}

static mgl_status refuse(const char *command, const char *option, mgl_error *err)
{
    mgl_cli_keys keys;
    if (mgl_cli_keys_load("keys", err, &keys) != MGL_OK)
        return err->status;
    const char **names = calloc(keys.n, sizeof *names);
    const char *name = option + strspn(option, "-"), *meant = NULL;
    size_t n = 0;
    for (size_t i = 0; names != NULL && i < keys.n; i++)
        if (mgl_cli_key_is_taken(&keys.rows[i], command)) {
            names[n++] = keys.rows[i].name;
            meant = is_meant(&keys.rows[i], name) ? keys.rows[i].name : meant;
        }
    const char *nearest = meant != NULL ? meant : mgl_nearest_name(name, names, n);
    int size = snprintf(err->message, sizeof err->message, "unknown option %.60s; ", option);
    if (nearest != NULL)
        snprintf(err->message + size, sizeof err->message - (size_t)size, "did you mean %s%s?",
                 nearest[1] == '\0' ? "-" : "--", nearest);
    else
        snprintf(err->message + size, sizeof err->message - (size_t)size, "see mingle %s --help",
                 command);
    free(names);
    mgl_cli_keys_free(&keys);
    return err->status = MGL_USAGE;
}

/* The key that is meant, whether there is one or not; NULL: no key is typed so. One-letter keys are
 * written with one dash. */
static const char *key_of_option(const char *option)
{
    if (option[0] != '-' || option[1] == '\0')
        return NULL;
    if (option[1] == '-')
        return option[2] != '\0' && option[3] != '\0' ? option + 2 : NULL;
    if (option[2] != '\0')
        return NULL;
    const char *key = key_of_letter(option[1]);
    return key != NULL ? key : option + 1;
}

typedef struct found {
    int takes_value;
    bool taken;     /* by the command */
    char other[32]; /* else the first command that takes it */
} found;

/* MGL_USAGE: there is no such key. */
static mgl_status look_up(const char *name, const char *command, mgl_error *err, found *out)
{
    mgl_cli_key key;
    char what[MGL_CLI_NAME + sizeof "keys."];
    mgl_result *catalogue = NULL;
    if (!own_key(name, &key)) {
        snprintf(what, sizeof what, "keys.%s", strlen(name) < MGL_CLI_NAME ? name : "");
        if (mgl_catalogue(what, err, &catalogue) != MGL_OK)
            return err->status;
        key = (mgl_cli_key){.name = name,
                            .value = mgl_cli_text(catalogue, "keys", name, "value"),
                            .catalogue = catalogue};
    }
    *out = (found){mgl_cli_key_takes_value(&key), mgl_cli_key_is_taken(&key, command), ""};
    const char *other =
        catalogue != NULL ? mgl_cli_item(catalogue, "keys", name, "commands", 0) : NULL;
    snprintf(out->other, sizeof out->other, "%s", other != NULL ? other : "");
    mgl_result_free(catalogue);
    return MGL_OK;
}

mgl_status mgl_cli_find_option(const char *command, const char *option, mgl_error *err,
                               mgl_cli_option *out)
{
    const char *name = key_of_option(option);
    found found = {0};
    mgl_status status = name == NULL ? MGL_USAGE : look_up(name, command, err, &found);
    if (status == MGL_USAGE)
        return refuse(command, option, err);
    if (status != MGL_OK)
        return status;
    if (!found.taken) {
        snprintf(err->message, sizeof err->message,
                 "option %.60s does not belong to %s%s%s; see mingle %s --help", option, command,
                 found.other[0] != '\0' ? " but to " : "", found.other, command);
        return err->status = MGL_USAGE;
    }
    snprintf(out->key, sizeof out->key, "%s", name);
    out->takes_value = found.takes_value;
    return MGL_OK;
}
