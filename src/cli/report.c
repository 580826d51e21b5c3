/* The command `report` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_report(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_report = {
    .name = "report",
    .usage = "RESULT.json [-o REPORT.html]",
    .help = "Shows a result that --result wrote: with -o as a page for a browser, complete in\n"
            "one file, otherwise as a summary in the terminal.",
    .example = "mingle report result.json -o report.html",
    .run = run,
};
