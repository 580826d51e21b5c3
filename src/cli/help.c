/* The command help, and --help of the other commands. */
#include "cli.h"

#include "cli/help/help.h"

#include <stdlib.h>
#include <string.h>

/* Prints a text and frees it. */
static int print_made(char *text)
{
    int code = mgl_cli_print(stdout, text);
    free(text);
    return code;
}

/* "  mingle anonymize  DATA|JOB.yaml|PART... [options] -o RELEASE" */
static int print_usages(void)
{
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    mgl_cli_made_text made;
    FILE *out = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "  mingle %-10s %s\n", commands[i].name, commands[i].usage);
    fputs("  mingle --version\n", out);
    return print_made(mgl_cli_text_end(&made));
}

static int print_about(const char *name, bool markdown)
{
    mgl_error err;
    mgl_cli_made_text made;
    mgl_status status = mgl_cli_describe(name, markdown, &err, mgl_cli_text_begin(&made));
    char *text = mgl_cli_text_end(&made);
    if (status == MGL_OK)
        return print_made(text);
    free(text);
    return mgl_cli_fail(&err);
}

static void write_head(const mgl_cli_command *command, FILE *out)
{
    fprintf(out, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n", command->name, command->usage,
            command->help, command->example);
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

/* The caller frees the text. */
static mgl_status write_command_help(const mgl_cli_command *command, bool all, mgl_error *err,
                                     char **out)
{
    mgl_cli_made_text made;
    mgl_status status = MGL_OK;
    FILE *file = mgl_cli_text_begin(&made);
    write_head(command, file);
    if (command->run == NULL)
        status = mgl_cli_list_options(command->name, all, err, file);
    *out = mgl_cli_text_end(&made);
    return status;
}

/* Where all options fit on a screen, all are shown. */
int mgl_cli_print_help(const mgl_cli_command *command, bool all)
{
    enum { SCREEN = 40 };
    mgl_error err;
    char *text;
    mgl_status status = write_command_help(command, true, &err, &text);
    bool fits = status != MGL_OK || lines_of(text) <= SCREEN;
    if (!all && !fits) {
        free(text);
        status = write_command_help(command, false, &err, &text);
    }
    if (status == MGL_OK)
        return print_made(text);
    free(text);
    return mgl_cli_fail(&err);
}

/* One screen of 24 lines; the rest has topics of its own. */
static int print_overview(void)
{
    int code = print_about("commands", false);
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    mgl_cli_made_text made;
    FILE *out = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < n; i++)
        if (commands[i].brief != NULL)
            fprintf(out, "  %-12s%s\n", commands[i].name, commands[i].brief);
    fputs("Topics:  commands  options  builders  treatments  formats  models  of privacy\n"
          "  methods  measures  policies  conflicts  all  or a name: mingle help NAME\n",
          out);
    char *text = mgl_cli_text_end(&made);
    if (code == MGL_OK)
        return print_made(text);
    free(text);
    return code;
}

static int refuse(const char *argument)
{
    mgl_error err = {.status = MGL_USAGE};
    snprintf(err.message, sizeof err.message, "unexpected argument '%.60s'; write mingle help NAME",
             argument);
    return mgl_cli_fail(&err);
}

int mgl_cli_run_help(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    const char *name = NULL;
    bool markdown = false, all = false;
    for (int i = 0; i < n_arguments; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return mgl_cli_print_help(command, false);
        if (strcmp(arguments[i], "--markdown") == 0)
            markdown = true;
        else if (name != NULL && mgl_cli_find(name) != NULL && strcmp(arguments[i], "all") == 0)
            all = true;
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
    if (subject == NULL || (markdown && subject->run == NULL))
        return print_about(name, markdown);
    return subject->run != NULL ? subject->run(subject, 1, (char *[]){"--help"})
                                : mgl_cli_print_help(subject, all);
}
