/* The command `help` of the program, on commands, options, models and the rest. main.c has it in
 * its table, and calls it where no command is given. */
#include "cli.h"

#include "cli/help/help.h"

#include <stdlib.h>
#include <string.h>

/* "  mingle anonymize  DATA|JOB.yaml|PART... [options] -o RELEASE" */
static int print_usages(void)
{
    char line[160];
    int code = MGL_OK;
    for (size_t i = 0; code == MGL_OK && mgl_cli_commands()[i] != NULL; i++) {
        const mgl_cli_command *command = mgl_cli_commands()[i];
        snprintf(line, sizeof line, "  mingle %-10s %s\n", command->name, command->usage);
        code = mgl_cli_print(stdout, line);
    }
    return code == MGL_OK ? mgl_cli_print(stdout, "  mingle --version\n") : code;
}

static int print_about(const char *name, bool markdown)
{
    mgl_error err;
    mgl_cli_made_text made;
    mgl_status status = mgl_cli_describe(name, markdown, &err, mgl_cli_text_begin(&made));
    char *text = mgl_cli_text_end(&made);
    int code = status == MGL_OK ? mgl_cli_print(stdout, text) : mgl_cli_fail(&err);
    free(text);
    return code;
}

int mgl_cli_print_help(const mgl_cli_command *command)
{
    char head[2048];
    snprintf(head, sizeof head, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n\nOptions:\n",
             command->name, command->usage, command->help, command->example);
    int code = mgl_cli_print(stdout, head);
    return code == MGL_OK ? print_about(command->name, false) : code;
}

/* One screen of 24 lines; the rest has topics of its own. */
static int print_overview(void)
{
    int code = print_about("commands", false);
    if (code != MGL_OK)
        return code;
    return mgl_cli_print(
        stdout,
        "  studio      the same in a page of the browser, served on loopback\n"
        "  completion  completion of command lines for a shell\n"
        "  help        tells about one thing, or lists all of a kind\n"
        "Topics:  commands  options  builders  treatments  formats  models  of privacy\n"
        "  methods  measures  policies  all  or a name of any of these: mingle help NAME\n");
}

static int print_own_help(const mgl_cli_command *command)
{
    char text[1024];
    snprintf(text, sizeof text, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n", command->name,
             command->usage, command->help, command->example);
    return mgl_cli_print(stdout, text);
}

static int refuse(const char *argument)
{
    mgl_error err = {.status = MGL_USAGE};
    snprintf(err.message, sizeof err.message, "unexpected argument '%.60s'; write mingle help NAME",
             argument);
    return mgl_cli_fail(&err);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    const char *name = NULL;
    bool markdown = false;
    for (int i = 0; i < n_arguments; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return print_own_help(command);
        if (strcmp(arguments[i], "--markdown") == 0)
            markdown = true;
        else if (name != NULL || arguments[i][0] == '-')
            return refuse(arguments[i]);
        else
            name = arguments[i];
    }
    if (name == NULL)
        return print_overview();
    bool usages = strcmp(name, "commands") == 0 || strcmp(name, "all") == 0;
    if (usages && !markdown && print_usages() != MGL_OK)
        return MGL_SYSTEM;
    if (strcmp(name, "commands") == 0)
        return MGL_OK;
    if (usages && mgl_cli_print(stdout, "\n") != MGL_OK)
        return MGL_SYSTEM;
    const mgl_cli_command *subject = mgl_cli_find(name);
    if (subject == command)
        return print_own_help(command);
    if (subject != NULL &&
        (!markdown || subject == &mgl_cli_completion || subject == &mgl_cli_studio))
        return subject->run(subject, 1, (char *[]){"--help"});
    return print_about(name, markdown);
}

const mgl_cli_command mgl_cli_help = {
    .name = "help",
    .usage = "[COMMAND|METHOD|MODEL|MEASURE|BUILDER|TREATMENT|POLICY|FORMAT|OPTION]",
    .help = "Tells about one thing, or lists all of a kind: mingle help commands, methods,\n"
            "models, measures, builders, treatments, policies, formats, options; all lists\n"
            "everything. With --markdown the lists are tables.",
    .example = "mingle help datafly",
    .run = run,
};
