/* The command `lattice` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_lattice(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .parts = true, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_lattice = {
    .name = "lattice",
    .usage = "DATA|JOB.yaml|PART... [options]",
    .help = "Lists every node of the lattice, that is every way to give each quasi-identifier\n"
            "one level: whether it holds, how many rows it suppresses, what it costs.",
    .example = "mingle lattice patients.csv --qi sex,zip --hierarchy 'zip=mask(right)' -k 5",
    .run = run,
};
