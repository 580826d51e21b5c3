/* The program: the table of its commands, and main, which runs the one that is named. */
#include "cli.h"

#include "cli/options/options.h"

#include <signal.h>
#include <string.h>

static const mgl_cli_command *const commands[] = {
    &mgl_cli_anonymize, &mgl_cli_what_if,
    &mgl_cli_preview,   &mgl_cli_look,
    &mgl_cli_compare,   &mgl_cli_check,
    &mgl_cli_gate,      &mgl_cli_risk,
    &mgl_cli_attack,    &mgl_cli_count,
    &mgl_cli_apply,     &mgl_cli_utility,
    &mgl_cli_lattice,   &mgl_cli_hierarchy,
    &mgl_cli_report,    &mgl_cli_recoding,
    &mgl_cli_codebook,  &mgl_cli_statement,
    &mgl_cli_studio,    &mgl_cli_completion,
    &mgl_cli_help,      NULL,
};

const mgl_cli_command *const *mgl_cli_commands(void)
{
    return commands;
}

const mgl_cli_command *mgl_cli_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int usage(void)
{
    fputs("usage: mingle COMMAND ...\n\n", stderr);
    for (size_t i = 0; commands[i] != NULL; i++)
        fprintf(stderr, "  mingle %-10s %s\n", commands[i]->name, commands[i]->usage);
    fputs("\nmingle COMMAND --help tells more, with an example.\n", stderr);
    return MGL_USAGE;
}

static int print_version(void)
{
    char line[64];
    snprintf(line, sizeof line, "mingle %s\n", mgl_version());
    return mgl_cli_print(stdout, line);
}

int main(int argc, char **argv)
{
    /* A reader that goes away is an error to report, not a reason to die. */
    signal(SIGPIPE, SIG_IGN);
    mgl_cli_keep_secrets();
    mgl_cli_open_standard_files();
    if (argc < 2)
        return usage();
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return mgl_cli_help.run(&mgl_cli_help, 0, NULL);
    const mgl_cli_command *command = mgl_cli_find(argv[1]);
    if (command != NULL)
        return command->run(command, argc - 2, argv + 2);
    mgl_error err;
    if (argv[1][0] == '-')
        snprintf(err.message, sizeof err.message,
                 "the command comes first: mingle COMMAND ...; see mingle help");
    else
        mgl_cli_refuse_command(argv[1], &err);
    err.status = MGL_USAGE;
    return mgl_cli_fail(&err);
}
