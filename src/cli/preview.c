/* The command `preview` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_preview(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_preview = {
    .name = "preview",
    .usage = "DATA|JOB.yaml|PART... [options]",
    .help =
        "Shows rows of the table beside what they would be released as, with the sizes of their\n"
        "classes before and after. Nothing is released; what is shown holds cells of the table.",
    .example = "mingle preview patients.csv --qi birth,sex,zip --rest drop -k 5 \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
               "    --method mingen --window 1,5",
    .run = run,
};
