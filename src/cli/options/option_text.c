/* Writes options as they are typed. Help, completion and messages name keys by it. */
#include "cli/options/options.h"

#include <string.h>

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

/* ---- Options of whatever a text names -------------------------------------------------------- */

static bool print_option(const char *name, char *option, size_t size)
{
    return name != NULL && (size_t)snprintf(option, size, "%s%s", dashes(name), name) < size;
}

/* SECTION.NAME of the catalogue; NULL: there is none. Free with mgl_result_free. */
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
    bool found = key != NULL || mgl_cli_own_key(name, &own);
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
