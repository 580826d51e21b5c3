/* Says what a program that reads options must know of one: the public mgl_option. The program calls
 * it for each argument. */
#include "job/keys/table_of_keys.h"

#include <stdio.h>

static bool find_option(const char *option, mgl_key *out)
{
    if (option[0] != '-' || option[1] == '\0')
        return false;
    if (option[1] != '-')
        return option[2] == '\0' && mgl_key_find_letter(option[1], out);
    /* One-letter keys are written with one dash. */
    return option[2] != '\0' && option[3] != '\0' && mgl_key_find(mgl_span_of(option + 2), out);
}

static mgl_status refuse(mgl_command command, const char *name, const char *option, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(option + strspn(option, "-")));
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if ((key.commands & command) != 0)
            mgl_nearest_try(&nearest, key.name);
    }
    char advice[96];
    if (nearest.best != NULL)
        snprintf(advice, sizeof advice, "did you mean %s%s?", nearest.best[1] == '\0' ? "-" : "--",
                 nearest.best);
    else
        snprintf(advice, sizeof advice, "see mingle %s --help", name);
    return mgl_fail(err, MGL_USAGE, "unknown option %.60s; %s", option, advice);
}

static mgl_status refuse_command(const char *name, mgl_error *err)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(name));
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(&nearest, rows[i].name);
    mgl_nearest_try(&nearest, "help");
    if (nearest.best == NULL)
        return mgl_fail(err, MGL_USAGE, "unknown command '%.60s'; see mingle help", name);
    return mgl_fail(err, MGL_USAGE, "unknown command '%.60s'; did you mean %s?", name,
                    nearest.best);
}

mgl_status mgl_option(const char *command, const char *option, mgl_error *err, int *takes_value,
                      const char **key)
{
    mgl_command number;
    mgl_key row;
    if (!mgl_command_find(command, &number))
        return refuse_command(command, err);
    if (!find_option(option, &row))
        return refuse(number, command, option, err);
    if ((row.commands & number) == 0)
        return mgl_fail(err, MGL_USAGE, "option %.60s does not belong to %s; see mingle %s --help",
                        option, command, command);
    *takes_value = row.kind == MGL_KEY_FLAG ? 0 : row.kind == MGL_KEY_ALL_OR ? 2 : 1;
    *key = row.name;
    return MGL_OK;
}
