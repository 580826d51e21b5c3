/* The command `utility` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_utility(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 2, .second = "release", .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_utility = {
    .name = "utility",
    .usage = "ORIGINAL|JOB.yaml RELEASE [options]",
    .help = "Measures what a release lost against the original table. The hierarchies are the\n"
            "ones the release was made with.",
    .example = "mingle utility patients.csv release.csv --qi birth,sex,zip \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)'",
    .run = run,
};
