/* Reads places of the catalogue by section, name and field. Options, help and completion ask for
 * all they know in this way. */
#include "cli/options/options.h"

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

bool mgl_cli_lists(const mgl_result *catalogue, const char *section, const char *name,
                   const char *field, const char *text)
{
    const char *item;
    for (size_t i = 0; (item = mgl_cli_item(catalogue, section, name, field, i)) != NULL; i++)
        if (strcmp(item, text) == 0)
            return true;
    return false;
}
