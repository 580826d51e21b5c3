/* The command `risk` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_risk(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .parts = true, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_risk = {
    .name = "risk",
    .usage = "DATA|JOB.yaml|PART... [options]",
    .help = "Tells how likely it is that a person is found in a table as it is, which columns\n"
            "give persons away, and with --suda which rows stand out most.",
    .example = "mingle risk patients.csv --qi birth,sex,zip --suda",
    .run = run,
};
