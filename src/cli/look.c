/* The command `look` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_look(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = false, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_look = {
    .name = "look",
    .usage = "DATA [options]",
    .help =
        "Shows what a table is read as: its format, its columns with what their values are, and\n"
        "its first rows. What is shown holds cells of the table.",
    .example = "mingle look patients.csv --window 1,3",
    .run = run,
};
