/* The command `check` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_check(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .instead = "proof", .parts = true, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_check = {
    .name = "check",
    .usage = "DATA|JOB.yaml|PART... [options]\n"
             "       mingle check [DATA] --proof FILE --against RESULT.json",
    .help = "Measures which privacy models a table holds as it is. With models named it tests\n"
            "them: the exit code is 0 if all hold and 1 if one does not.",
    .example = "mingle check release.csv --qi birth,sex,zip --sensitive diagnosis -k 5 \\\n"
               "    --l-diversity diagnosis=2",
    .run = run,
};
