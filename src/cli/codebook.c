/* The command `codebook` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_codebook(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.n_operands = 1, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_codebook = {
    .name = "codebook",
    .usage = "RESULT.json [--release FILE] [-o CODEBOOK.csv]",
    .help = "Tells the recipient of a release what was done to each column, the values that\n"
            "occur and how coarse they are: nothing that is not in the release itself.",
    .example = "mingle codebook result.json -o codebook.csv",
    .run = run,
};
