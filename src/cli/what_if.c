/* The command `what-if` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_what_if(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_what_if = {
    .name = "what-if",
    .usage = "DATA|JOB.yaml|PART... [options]",
    .help = "Says what a job gives, and what each job would give that is one step away from it:\n"
            "another k, a little more or less suppression, a column left out or one level finer,\n"
            "another method. Nothing is released. The exit code is that of the job itself.",
    .example = "mingle what-if patients.csv --qi birth,sex,zip --rest drop -k 5 \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
               "    --method mingen --changes answer,k,suppress,columns",
    .run = run,
};
