/* The commands by name and number; help, completion and messages name them by this table. */
#include "job/keys/keys.h"

static const char *const of_hierarchy[] = {"build", "check", "show", "suggest", "tree", NULL};

static const char *const of_recoding[] = {"show", NULL};

static const mgl_command_row commands[] = {
    {"anonymize", MGL_ANONYMIZE, "make a release", NULL},
    {"what-if", MGL_WHAT_IF, "what one change of a job would give", NULL},
    {"preview", MGL_PREVIEW, "rows before and after, without a release", NULL},
    {"look", MGL_LOOK, "what a table is read as: format, columns, first rows", NULL},
    {"compare", MGL_COMPARE, "several methods on one job, side by side", NULL},
    {"check", MGL_CHECK, "measure privacy models, or test them", NULL},
    {"gate", MGL_GATE, "test a table in a pipeline: models, identifiers, leaks", NULL},
    {"utility", MGL_UTILITY, "what a release lost", NULL},
    {"lattice", MGL_LATTICE, "every node: holds or not, suppressed rows, utility", NULL},
    {"risk", MGL_RISK, "how likely it is that a person is found in a table", NULL},
    {"attack", MGL_ATTACK, "link a release with a table that names persons", NULL},
    {"count", MGL_COUNT, "count a slice of a table; parts are searched together", NULL},
    {"apply", MGL_APPLY, "release a table or a slice as a recoding says", NULL},
    {"report", MGL_REPORT, "show a result as a page for a browser, or in the terminal", NULL},
    {"recoding", MGL_SHOW_RECODING, "show a recoding that was saved", of_recoding},
    {"codebook", MGL_CODEBOOK, "a description of the columns of a release for its recipient", NULL},
    {"statement", MGL_STATEMENT,
     "what the recipient of a release may know, from release and promise", NULL},
    {"hierarchy", MGL_HIERARCHY, "build, check, show or suggest value hierarchies", of_hierarchy},
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
