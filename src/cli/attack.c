/* The command `attack` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_attack(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 2, .second = "external", .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_attack = {
    .name = "attack",
    .usage = "RELEASE|JOB.yaml EXTERNAL [options]",
    .help = "Links a release with a table that names persons, as an intruder would: how many\n"
            "rows each person can be, and whose sensitive values are learnt.",
    .example = "mingle attack release.csv patients.csv --qi birth,sex,zip \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
               "    --sensitive diagnosis --identifier name",
    .run = run,
};
