/* The program: runs the command that is named. */
#include "cli.h"

#include "cli/options/options.h"

#include <signal.h>
#include <string.h>

static int usage(void)
{
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    fputs("usage: mingle COMMAND ...\n\n", stderr);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "  mingle %-10s %s\n", commands[i].name, commands[i].usage);
    fputs("\nmingle COMMAND --help shows its options, with an example.\n", stderr);
    return MGL_USAGE;
}

static int print_version(void)
{
    char line[64];
    snprintf(line, sizeof line, "mingle %s\n", mgl_version());
    return mgl_cli_print(stdout, line);
}

static mgl_status refuse_command(const char *name, mgl_error *err)
{
    enum { MOST = 32 };
    /* What other programs call them. */
    static const char *const others[][2] = {
        {"release", "anonymize"},
        {"deidentify", "anonymize"},
        {"de-identify", "anonymize"},
        {"mask", "anonymize"},
        {"verify", "check"},
        {"validate", "check"},
        {"audit", "check"},
        {"test", "gate"},
        {"inspect", "look"},
        {"show", "look"},
        {"head", "look"},
        {"advise", "risk"},
        {"reidentify", "attack"},
        {"serve", "studio"},
        {"version", "--version"},
    };
    const char *names[MOST];
    size_t n_commands, n = 0;
    const mgl_cli_command *commands = mgl_cli_commands(&n_commands);
    for (size_t i = 0; i < n_commands && n < MOST; i++)
        names[n++] = commands[i].name;
    const char *nearest = mgl_nearest_name(name, names, n);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(others[i][0], name) == 0)
            nearest = others[i][1];
    snprintf(err->message, sizeof err->message, "unknown command '%.60s'; %s%s%s", name,
             nearest != NULL ? "did you mean " : "see mingle help", nearest != NULL ? nearest : "",
             nearest != NULL ? "?" : "");
    return err->status = MGL_USAGE;
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
        return mgl_cli_run_help(mgl_cli_find("help"), 0, NULL);
    const mgl_cli_command *command = mgl_cli_find(argv[1]);
    if (command != NULL)
        return command->run != NULL ? command->run(command, argc - 2, argv + 2)
                                    : mgl_cli_run(command, argc - 2, argv + 2);
    mgl_error err;
    if (argv[1][0] == '-')
        snprintf(err.message, sizeof err.message,
                 "the command comes first: mingle COMMAND ...; see mingle help");
    else
        refuse_command(argv[1], &err);
    err.status = MGL_USAGE;
    return mgl_cli_fail(&err);
}
