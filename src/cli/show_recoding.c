/* The command `recoding` of the program, with its action show. main.c has it in its table. */
#include "cli.h"

#include <string.h>

static mgl_status usage_error(mgl_error *err, const char *problem, const char *text)
{
    err->status = MGL_USAGE;
    snprintf(err->message, sizeof err->message, "%s%.60s; write mingle recoding show FILE", problem,
             text);
    return MGL_USAGE;
}

static mgl_status take_operands(mgl_cli_call *call, mgl_error *err)
{
    if (call->n_operands == 0)
        return usage_error(err, "no action", "");
    if (strcmp(call->operands[0], "show") != 0)
        return usage_error(err, "unknown action ", call->operands[0]);
    if (call->n_operands == 1 && mgl_job_get(call->job, "data") == NULL)
        return usage_error(err, "no file after ", call->operands[0]);
    if (call->n_operands > 2)
        return usage_error(err, "unexpected argument ", call->operands[2]);
    return call->n_operands == 2 ? mgl_cli_call_data(call, call->operands[1], err) : MGL_OK;
}

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_show_recoding(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {.execute = execute, .take_action = take_operands};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_recoding = {
    .name = "recoding",
    .usage = "show FILE [-o TABLE.csv]",
    .help = "Shows a recoding that mingle anonymize --save-recoding wrote: its columns with their\n"
            "levels, and what each tuple is released as. With -o all tuples go to a table. It\n"
            "holds the values of the data and is not for recipients; mingle codebook is.",
    .example = "mingle recoding show found.rec -o tuples.csv",
    .run = run,
};
