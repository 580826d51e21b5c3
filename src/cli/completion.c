/* The command `completion` of the program, which prints scripts for shells. main.c has it in its
 * table. */
#include "cli.h"

#include "cli/shells/shells.h"

#include <stdlib.h>
#include <string.h>

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    mgl_error err = {.status = MGL_USAGE};
    if (n_arguments == 1 &&
        (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)) {
        char help[1024];
        snprintf(help, sizeof help, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n", command->name,
                 command->usage, command->help, command->example);
        return mgl_cli_print(stdout, help);
    }
    if (n_arguments != 1) {
        snprintf(err.message, sizeof err.message, "write mingle %s %s", command->name,
                 command->usage);
        return mgl_cli_fail(&err);
    }
    mgl_cli_made_text made;
    mgl_status status = mgl_cli_complete(arguments[0], &err, mgl_cli_text_begin(&made));
    char *text = mgl_cli_text_end(&made);
    int code = status == MGL_OK ? mgl_cli_print(stdout, text) : mgl_cli_fail(&err);
    free(text);
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
