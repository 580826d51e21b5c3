/* Puts the keys of the catalogue and those of the program together, in the order of help. Help and
 * completion go through all of them, find_option.c looks at one. */
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

static mgl_cli_key key_of(const mgl_result *catalogue, const char *name)
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
    mgl_cli_own_words(&key);
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
        out->rows[out->n++] = key_of(catalogue, name);
        for (size_t k = 0; mgl_cli_own_key_behind(name, k, &out->rows[out->n]); k++)
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
               ? mgl_cli_lists(key->catalogue, "keys", key->name, "commands", command)
               : key->except == NULL || strcmp(key->except, command) != 0;
}

bool mgl_cli_key_is_common(const mgl_cli_key *key, const char *command)
{
    return key->catalogue != NULL
               ? mgl_cli_lists(key->catalogue, "keys", key->name, "common", command)
               : key->brief != NULL && mgl_cli_key_is_taken(key, command);
}

int mgl_cli_key_takes_value(const mgl_cli_key *key)
{
    return strcmp(key->value, "flag") == 0 ? 0 : strcmp(key->value, "flag-or-columns") == 0 ? 2 : 1;
}
