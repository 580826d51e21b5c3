/* The command `completion` of the program, which prints scripts for shells. main.c has it in its
 * table. */
#include "cli.h"

#include <string.h>

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    mgl_error err;
    char *text;
    if (n_arguments == 1 &&
        (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)) {
        char help[1024];
        snprintf(help, sizeof help, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n", command->name,
                 command->usage, command->help, command->example);
        return mgl_cli_print(stdout, help);
    }
    if (n_arguments != 1) {
        err.status = MGL_USAGE;
        snprintf(err.message, sizeof err.message, "write mingle %s %s", command->name,
                 command->usage);
        return mgl_cli_fail(&err);
    }
    if (mgl_describe("completion", arguments[0], &err, &text) != MGL_OK)
        return mgl_cli_fail(&err);
    int code = mgl_cli_print(stdout, text);
    mgl_text_free(text);
    return code;
}

const mgl_cli_command mgl_cli_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .help = "Prints the completion of command lines for a shell. The packages install it; \n"
            "otherwise let the shell read it when it starts.",
    .example = "mingle completion bash > ~/.local/share/bash-completion/completions/mingle",
    .run = run,
};
