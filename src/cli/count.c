/* The command `count` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_count_part(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_count = {
    .name = "count",
    .usage = "DATA|JOB.yaml [options] -o PART",
    .help =
        "Counts a slice of a table: each combination of quasi-identifiers and sensitive values,\n"
        "with how often it occurs. mingle anonymize searches parts together. A part holds\n"
        "ground values: keep it as secret as the table.",
    .example = "mingle count patients.csv --qi sex,zip --sensitive diagnosis --rest drop \\\n"
               "    -o patients.part",
    .run = run,
};
