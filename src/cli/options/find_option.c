/* Finds the key of an option that a user typed, and the nearest one of a wrong name. arguments.c
 * asks for each option, main.c about commands.
 *
 * It asks for one entry of the catalogue at a time, so that a start costs no more than the options
 * typed. */
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names that are wrong -------------------------------------------------------------------- */

static mgl_status refuse(const char *command, const char *option, mgl_error *err)
{
    mgl_cli_keys keys;
    if (mgl_cli_keys_load("keys", err, &keys) != MGL_OK)
        return err->status;
    const char **names = calloc(keys.n, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; names != NULL && i < keys.n; i++)
        if (mgl_cli_key_is_taken(&keys.rows[i], command))
            names[n++] = keys.rows[i].name;
    const char *nearest = mgl_nearest_name(option + strspn(option, "-"), names, n);
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

mgl_status mgl_cli_refuse_command(const char *name, mgl_error *err)
{
    enum { MOST = 32 };
    const char *names[MOST];
    mgl_result *catalogue;
    if (mgl_catalogue("commands", err, &catalogue) != MGL_OK)
        return err->status;
    size_t n = mgl_result_size(catalogue, "commands");
    for (size_t i = 0; i < n && i < MOST - 1; i++)
        names[i] = mgl_result_key(catalogue, "commands", i);
    n = n < MOST - 1 ? n : MOST - 1;
    names[n++] = "help";
    const char *nearest = mgl_nearest_name(name, names, n);
    snprintf(err->message, sizeof err->message, "unknown command '%.60s'; %s%s%s", name,
             nearest != NULL ? "did you mean " : "see mingle help", nearest != NULL ? nearest : "",
             nearest != NULL ? "?" : "");
    mgl_result_free(catalogue);
    return err->status = MGL_USAGE;
}

/* ---- Names that may be right ----------------------------------------------------------------- */

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
    const char *key = mgl_cli_key_of_letter(option[1]);
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
    if (!mgl_cli_own_key(name, &key)) {
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
