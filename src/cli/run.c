/* Runs a command of the table: arguments, the call of the library, the result, the exit code. */
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
    const char *before = "confidential ";
    int code = MGL_OK;
    for (size_t i = 0;
         call->command->releases && i < sizeof keys / sizeof keys[0] && code == MGL_OK; i++) {
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
    bool sql = mgl_job_get(call->job, "print-sql") != NULL;
    bool summary = !sql && (!call->command->prints || call->output != NULL);
    if (call->quiet && summary && !call->json)
        return MGL_OK;
    if (call->command->writes && call->output != NULL)
        return strcmp(call->output, "-") == 0 ? MGL_OK : print_written(call->output);
    mgl_text_style style = mgl_cli_style(stream);
    mgl_status status = call->json ? mgl_result_json(result, &err, &text)
                                   : mgl_result_summary(result, &style, &err, &text);
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
                                          "statement", "save-promise",  "save-map"};
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

static int finish(mgl_cli_call *call)
{
    const mgl_cli_command *command = call->command;
    mgl_error err;
    mgl_result *result;
    char name[64];
    if (command->prepare != NULL && command->prepare(call->job, &err) != MGL_OK)
        return mgl_cli_fail(&err);
    if (refuse_memory(call->job, &err) != MGL_OK)
        return mgl_cli_fail(&err);
    mgl_cli_watch(call->job, call->quiet);
    snprintf(name, sizeof name, command->actions[0] != NULL ? "%s %s" : "%s", command->name,
             call->operands[0]);
    mgl_status status = mgl_job_run(call->job, name, &err, &result);
    int number = mgl_cli_watched();
    if (status == MGL_CANCELLED && number != 0)
        return interrupted(number);
    if (status != MGL_OK)
        return mgl_cli_fail(&err);
    int code = print_result(call, result);
    if (code == MGL_OK && !mgl_result_holds(result))
        code = command->unmet;
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

/* A key with blanks that is not in quotes, given where its file belongs, ends as an argument. It is
 * not repeated. */
static mgl_status refuse_torn_key(const mgl_cli_call *call, mgl_error *err)
{
    const char *key = mgl_job_get(call->job, "key"), *sign = mgl_job_get(call->job, "sign");
    for (size_t i = 0; (key != NULL || sign != NULL) && i < call->n_operands; i++) {
        const char *operand = call->operands[i];
        bool elsewhere = strcmp(operand, "-") == 0 || (i == 0 && strchr(operand, ':') != NULL);
        if (elsewhere || access(operand, F_OK) == 0)
            continue;
        snprintf(
            err->message, sizeof err->message,
            "argument %zu is no file (it is not shown, since it may be part of the key); put a "
            "value that has blanks in quotes; %s takes the name of a file",
            i + 1, key != NULL ? "--key" : "--sign");
        return err->status = MGL_USAGE;
    }
    return MGL_OK;
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
static mgl_status take_data(mgl_cli_call *call, mgl_error *err)
{
    const mgl_cli_command *command = call->command;
    size_t next = command->n_operands;
    if (command->n_operands == 1 && call->n_operands > 1 &&
        mgl_cli_is_job_file(call->operands[0]) &&
        mgl_job_add(call->job, "data", call->operands[next++], err) != MGL_OK)
        return err->status;
    if (next < call->n_operands && refuse_torn_key(call, err) != MGL_OK)
        return err->status;
    if (next < call->n_operands && !command->parts) {
        snprintf(err->message, sizeof err->message,
                 "unexpected argument '%.60s'; write mingle %s %s", call->operands[next],
                 command->name, command->usage);
        return err->status = MGL_USAGE;
    }
    if (refuse_stray(call, next, err) != MGL_OK || take_parts(call, next, err) != MGL_OK)
        return err->status;
    size_t data = command->first != NULL && call->n_operands > 1 ? 1 : 0;
    return mgl_cli_call_data(call, call->operands[data], err);
}

/* "build|check|show" */
static const char *list_actions(const mgl_cli_command *command, char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; command->actions[i] != NULL && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ? "|" : "", command->actions[i]);
    return text;
}

static mgl_status refuse_action(const mgl_cli_call *call, const char *problem, const char *text,
                                mgl_error *err)
{
    char actions[80];
    snprintf(err->message, sizeof err->message, "%s%.60s; write mingle %s %s %s", problem, text,
             call->command->name, list_actions(call->command, actions, sizeof actions),
             call->command->data_follows ? "DATA" : "FILE");
    return err->status = MGL_USAGE;
}

static bool is_action(const mgl_cli_command *command, const char *text)
{
    for (size_t i = 0; command->actions[i] != NULL; i++)
        if (strcmp(command->actions[i], text) == 0)
            return true;
    return false;
}

/* An action, then what it is about. */
static mgl_status take_action(mgl_cli_call *call, mgl_error *err)
{
    bool file = !call->command->data_follows;
    if (call->n_operands == 0)
        return refuse_action(call, "no action", "", err);
    if (!is_action(call->command, call->operands[0]))
        return refuse_action(call, "unknown action ", call->operands[0], err);
    if (call->n_operands == 1 && file && mgl_job_get(call->job, "data") != NULL)
        return MGL_OK;
    if (call->n_operands == 1)
        return refuse_action(call, file ? "no file after " : "no data after ", call->operands[0],
                             err);
    if (call->n_operands > 2)
        return refuse_action(call, "unexpected argument ", call->operands[2], err);
    return mgl_cli_call_data(call, call->operands[1], err);
}

static mgl_status take_operands(mgl_cli_call *call, mgl_error *err)
{
    const mgl_cli_command *command = call->command;
    if (command->actions[0] != NULL)
        return take_action(call, err);
    /* A job file or an option can name the other file. */
    const char *other = command->first != NULL ? command->first : command->second;
    bool named = call->n_operands == 1 && other != NULL &&
                 (mgl_cli_is_job_file(call->operands[0]) || mgl_job_get(call->job, other) != NULL);
    bool instead = command->instead != NULL && mgl_job_get(call->job, command->instead) != NULL;
    bool shards = command->n_operands == 1 && mgl_job_get(call->job, "shards") != NULL;
    bool unneeded = call->n_operands == 0 && (instead || shards);
    err->status = MGL_USAGE;
    if (unneeded)
        return mgl_cli_call_data(call, NULL, err);
    if (call->n_operands < command->n_operands && !named) {
        snprintf(err->message, sizeof err->message, "%s; write mingle %s %s",
                 call->n_operands == 0 ? "no data; name the file to read"
                                       : "the second file is missing",
                 command->name, command->usage);
        return MGL_USAGE;
    }
    mgl_status status = MGL_OK;
    if (call->n_operands < command->n_operands)
        return take_data(call, err);
    if (command->first != NULL)
        status = mgl_job_add(call->job, command->first, call->operands[0], err);
    else if (command->n_operands == 2)
        status = mgl_job_add(call->job, command->second, call->operands[1], err);
    return status == MGL_OK ? take_data(call, err) : status;
}

int mgl_cli_run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    mgl_cli_call call;
    mgl_error err;
    int code;
    mgl_status status = mgl_cli_call_begin(&call, command, n_arguments, arguments, &err);
    if (status == MGL_OK && call.help)
        code = mgl_cli_print_help(command, call.help_all);
    else if (status != MGL_OK || take_operands(&call, &err) != MGL_OK)
        code = mgl_cli_fail(&err);
    else
        code = finish(&call);
    mgl_cli_call_end(&call);
    return code;
}
