/* The command `gate` of the program: its usage and the library function that it calls. main.c has
 * it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_gate(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_UNMET, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_gate = {
    .name = "gate",
    .usage = "DATA|JOB.yaml|PART... [options]",
    .help = "Tests a table as it is, for pipelines: every model that is named or that a policy\n"
            "names, and that no other column gives persons away. One line for each test; the\n"
            "exit code is 0 if all pass and 1 if one fails.",
    .example = "mingle gate release.csv --qi birth,sex,zip --sensitive diagnosis \\\n"
               "    --policy standard --junit gate.xml",
    .run = run,
};
