/* The commands by name and number; help, completion and messages name them by this table. */
#include "job/keys/table_of_keys.h"

static const mgl_command_row commands[] = {
    {"anonymize", MGL_ANONYMIZE, "make a release"},
    {"compare", MGL_COMPARE, "several methods on one job, side by side"},
    {"check", MGL_CHECK, "measure privacy models, or test them"},
    {"utility", MGL_UTILITY, "what a release lost"},
    {"lattice", MGL_LATTICE, "every node: holds or not, suppressed rows, utility"},
    {"risk", MGL_RISK, "how likely it is that a person is found in a table"},
    {"attack", MGL_ATTACK, "link a release with a table that names persons"},
    {"count", MGL_COUNT, "count a slice of a table; parts are searched together"},
    {"apply", MGL_APPLY, "release a table or a slice as a recoding says"},
    {"report", MGL_REPORT, "show a result as a page for a browser, or in the terminal"},
    {"hierarchy", MGL_HIERARCHY, "build, check, show or suggest value hierarchies"},
};

const mgl_command_row *mgl_command_rows(size_t *n)
{
    *n = sizeof commands / sizeof commands[0];
    return commands;
}

const char *mgl_command_name(mgl_command command)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].command == command)
            return commands[i].name;
    return "this command";
}

bool mgl_command_find(const char *name, mgl_command *out)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0) {
            *out = commands[i].command;
            return true;
        }
    return false;
}
