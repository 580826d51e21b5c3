/* The command `apply` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_apply(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 2, .first = "recoding", .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_apply = {
    .name = "apply",
    .usage = "RECODING DATA [options] -o RELEASE",
    .help = "Releases a table, or a slice of it, as a recoding says that mingle anonymize\n"
            "--save-recoding wrote. Slices that were counted for the search keep its promise\n"
            "together; any other table is verified as a release of its own.",
    .example = "mingle apply found.rec patients.csv -o release.csv",
    .run = run,
};
