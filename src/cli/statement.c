/* The command `statement` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_statement(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_statement = {
    .name = "statement",
    .usage = "RELEASE --promise FILE [-o STATEMENT.json|STATEMENT.html]",
    .help =
        "States what the recipient of a release may know: the promise, what is measured on the\n"
        "release, and how to read its labels. It needs the release and the promise that was\n"
        "saved with it (--save-promise), and nothing of the input.",
    .example = "mingle statement release.csv --promise promise.json -o statement.html",
    .run = run,
};
