/* Does what all commands have in common: arguments, execution, result, exit code. The commands call
 * it with their plan. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int print_written(const char *file)
{
    int code = mgl_cli_print(stdout, "written     ");
    code = code == MGL_OK ? mgl_cli_print(stdout, file) : code;
    return code == MGL_OK ? mgl_cli_print(stdout, "\n") : code;
}

/* Names the files that are for the holder alone. */
static int print_confidential(const mgl_cli_call *call, FILE *stream)
{
    static const char *const keys[] = {"result", "report"};
    bool releases = call->command == &mgl_cli_anonymize || call->command == &mgl_cli_apply;
    const char *before = "confidential ";
    int code = MGL_OK;
    for (size_t i = 0; releases && i < sizeof keys / sizeof keys[0] && code == MGL_OK; i++) {
        const char *file = mgl_job_get(call->job, keys[i]);
        if (file == NULL)
            continue;
        code = mgl_cli_print(stream, before);
        code = code == MGL_OK ? mgl_cli_print(stream, file) : code;
        before = ", ";
    }
    return code == MGL_OK && before[0] == ','
               ? mgl_cli_print(stream, " (for the holder of the data)\n")
               : code;
}

static int print_result(const mgl_cli_call *call, const mgl_result *result)
{
    mgl_error err;
    char *text;
    /* A release on standard output leaves no room for a summary there. */
    FILE *stream = call->on_stdout != NULL ? stderr : stdout;
    /* What these commands print is what was asked for, unless it went to a file. */
    bool prints = call->command == &mgl_cli_hierarchy || call->command == &mgl_cli_recoding ||
                  call->command == &mgl_cli_codebook;
    bool sql = mgl_job_get(call->job, "print-sql") != NULL;
    bool summary = !sql && (!prints || call->output != NULL);
    if (call->quiet && summary && !call->json)
        return MGL_OK;
    bool written = call->command == &mgl_cli_report || call->command == &mgl_cli_recoding ||
                   call->command == &mgl_cli_codebook || call->command == &mgl_cli_statement;
    if (written && call->output != NULL)
        return strcmp(call->output, "-") == 0 ? MGL_OK : print_written(call->output);
    mgl_text_style style = mgl_cli_style(stream);
    mgl_status status = call->json ? mgl_result_json(result, &err, &text)
                                   : mgl_result_text_in(result, &style, &err, &text);
    if (status != MGL_OK)
        return mgl_cli_fail(&err);
    int code = mgl_cli_print(stream, text);
    mgl_text_free(text);
    return code == MGL_OK && !call->json ? print_confidential(call, stream) : code;
}

static int interrupted(int number)
{
    fprintf(stderr, "mingle: interrupted; nothing was written\n");
    return 128 + number;
}

/* What is written to memory would be gone with the program. */
static mgl_status refuse_memory(const mgl_job *job, mgl_error *err)
{
    static const char *const outputs[] = {"output",    "result",        "report",   "junit",
                                          "rows",      "save-recoding", "save-job", "save-proof",
                                          "statement", "save-promise"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        const char *value = mgl_job_get(job, outputs[i]);
        if (value == NULL || strncmp(value, "memory:", strlen("memory:")) != 0)
            continue;
        snprintf(err->message, sizeof err->message,
                 "%.200s: nothing can be taken out of the memory of this program; name a file",
                 value);
        return err->status = MGL_USAGE;
    }
    return MGL_OK;
}

static int finish(mgl_cli_call *call, const mgl_cli_plan *plan, const char *action)
{
    mgl_error err;
    mgl_result *result;
    if (refuse_memory(call->job, &err) != MGL_OK)
        return mgl_cli_fail(&err);
    mgl_cli_watch(call->job, call->quiet);
    mgl_status status = plan->execute(call->job, action, &err, &result);
    int number = mgl_cli_watched();
    if (status == MGL_CANCELLED && number != 0)
        return interrupted(number);
    if (status != MGL_OK)
        return mgl_cli_fail(&err);
    int code = print_result(call, result);
    if (code == MGL_OK && !mgl_result_holds(result))
        code = plan->unmet;
    mgl_result_free(result);
    return code;
}

/* The other parts as one list, each quoted: names may hold commas. */
static mgl_status take_parts(mgl_cli_call *call, size_t from, mgl_error *err)
{
    if (call->n_operands <= from)
        return MGL_OK;
    size_t size = 1;
    for (size_t i = from; i < call->n_operands; i++)
        size += 2 * strlen(call->operands[i]) + 3;
    char *list = malloc(size), *at = list;
    if (list == NULL) {
        snprintf(err->message, sizeof err->message, "memory is out");
        return err->status = MGL_SYSTEM;
    }
    for (size_t i = from; i < call->n_operands; i++) {
        *at++ = '"';
        for (const char *c = call->operands[i]; *c != '\0'; c++) {
            if (*c == '"')
                *at++ = '"';
            *at++ = *c;
        }
        *at++ = '"';
        *at++ = ',';
    }
    at[-1] = '\0';
    mgl_status status = mgl_job_add(call->job, "parts", list, err);
    free(list);
    return status;
}

/* What is neither a part nor any other file was meant for an option. */
static bool is_stray(const char *operand)
{
    return strpbrk(operand, "/.:") == NULL && access(operand, F_OK) != 0;
}

static mgl_status refuse_stray(const mgl_cli_call *call, size_t from, mgl_error *err)
{
    for (size_t i = from; i < call->n_operands; i++)
        if (is_stray(call->operands[i])) {
            snprintf(err->message, sizeof err->message,
                     "unexpected argument '%.60s', which is no file; if it belongs to an option, "
                     "write the option before it, or put a value that has blanks in quotes",
                     call->operands[i]);
            return err->status = MGL_USAGE;
        }
    return MGL_OK;
}

/* Behind a job file the data can be named, which overrides the one it names. */
static mgl_status take_data(mgl_cli_call *call, const mgl_cli_plan *plan, mgl_error *err)
{
    size_t next = plan->n_operands;
    if (plan->n_operands == 1 && call->n_operands > 1 && mgl_cli_is_job_file(call->operands[0]) &&
        mgl_job_add(call->job, "data", call->operands[next++], err) != MGL_OK)
        return err->status;
    if (next < call->n_operands && !plan->parts) {
        snprintf(err->message, sizeof err->message,
                 "unexpected argument '%.60s'; write mingle %s %s", call->operands[next],
                 call->command->name, call->command->usage);
        return err->status = MGL_USAGE;
    }
    if (refuse_stray(call, next, err) != MGL_OK || take_parts(call, next, err) != MGL_OK)
        return err->status;
    size_t data = plan->first != NULL && call->n_operands > 1 ? 1 : 0;
    return mgl_cli_call_data(call, call->operands[data], err);
}

static mgl_status take_operands(mgl_cli_call *call, const mgl_cli_plan *plan, mgl_error *err)
{
    if (plan->take_action != NULL)
        return plan->take_action(call, err);
    /* A job file or an option can name the other file. */
    const char *other = plan->first != NULL ? plan->first : plan->second;
    bool named = call->n_operands == 1 && other != NULL &&
                 (mgl_cli_is_job_file(call->operands[0]) || mgl_job_get(call->job, other) != NULL);
    bool instead = plan->instead != NULL && mgl_job_get(call->job, plan->instead) != NULL;
    bool shards = plan->n_operands == 1 && mgl_job_get(call->job, "shards") != NULL;
    bool unneeded = call->n_operands == 0 && (instead || shards);
    err->status = MGL_USAGE;
    if (unneeded)
        return mgl_cli_call_data(call, NULL, err);
    if (call->n_operands < plan->n_operands && !named) {
        snprintf(err->message, sizeof err->message, "%s; write mingle %s %s",
                 call->n_operands == 0 ? "no data; name the file to read"
                                       : "the second file is missing",
                 call->command->name, call->command->usage);
        return MGL_USAGE;
    }
    mgl_status status = MGL_OK;
    if (call->n_operands < plan->n_operands)
        return take_data(call, plan, err);
    if (plan->first != NULL)
        status = mgl_job_add(call->job, plan->first, call->operands[0], err);
    else if (plan->n_operands == 2)
        status = mgl_job_add(call->job, plan->second, call->operands[1], err);
    return status == MGL_OK ? take_data(call, plan, err) : status;
}

int mgl_cli_run(const mgl_cli_command *command, const mgl_cli_plan *plan, int n_arguments,
                char **arguments)
{
    mgl_cli_call call;
    mgl_error err;
    int code;
    mgl_status status = mgl_cli_call_begin(&call, command, n_arguments, arguments, &err);
    if (status == MGL_OK && call.help)
        code = mgl_cli_print_help(command);
    else if (status != MGL_OK || take_operands(&call, plan, &err) != MGL_OK)
        code = mgl_cli_fail(&err);
    else
        code = finish(&call, plan, plan->take_action != NULL ? call.operands[0] : NULL);
    mgl_cli_call_end(&call);
    return code;
}
