/* The command `hierarchy` of the program, with its actions build, check, show, suggest and tree.
 * main.c has it in its table. */
#include "cli.h"

#include <string.h>

static const char *const actions[] = {"build", "check", "show", "suggest", "tree"};

static bool is_action(const char *text)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i], text) == 0)
            return true;
    return false;
}

static mgl_status usage_error(mgl_error *err, const char *problem, const char *text)
{
    err->status = MGL_USAGE;
    snprintf(err->message, sizeof err->message,
             "%s%.60s; write mingle hierarchy build|check|show|suggest|tree DATA", problem, text);
    return MGL_USAGE;
}

static mgl_status take_operands(mgl_cli_call *call, mgl_error *err)
{
    if (call->n_operands == 0)
        return usage_error(err, "no action", "");
    if (!is_action(call->operands[0]))
        return usage_error(err, "unknown action ", call->operands[0]);
    if (call->n_operands == 1)
        return usage_error(err, "no data after ", call->operands[0]);
    if (call->n_operands > 2)
        return usage_error(err, "unexpected argument ", call->operands[2]);
    return mgl_cli_call_data(call, call->operands[1], err);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    static const mgl_cli_plan plan = {
        .unmet = MGL_UNMET, .execute = mgl_hierarchies, .take_action = take_operands};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_hierarchy = {
    .name = "hierarchy",
    .usage = "build|check|show|suggest|tree DATA|JOB.yaml [options]",
    .help = "Value hierarchies: build writes one as a file, check tests them against the data,\n"
            "show draws them, suggest proposes a builder for every column, tree prints them in\n"
            "JSON with the rows under each node; a file of such a tree is a hierarchy, too.",
    .example = "mingle hierarchy show patients.csv --hierarchy race=race.csv",
    .run = run,
};
