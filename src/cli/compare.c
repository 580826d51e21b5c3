/* The command `compare` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_compare(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_compare = {
    .name = "compare",
    .usage = "DATA|JOB.yaml|PART... [options] [--methods NAME,...]",
    .help = "Runs several methods on one job and puts what they found side by side: what each\n"
            "keeps, how many rows it suppresses, whether the models hold, how long it searched.\n"
            "Nothing is released. The exit code is 0 if one of them found a release.",
    .example = "mingle compare patients.csv --qi birth,sex,zip \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
               "    -k 5 --methods mingen,mondrian,datafly",
    .run = run,
};
