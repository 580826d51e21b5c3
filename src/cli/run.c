/* Runs a command of the table: arguments, the call of the library with a line of progress, the
 * result, the exit code. */
#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Progress and signals -------------------------------------------------------------------- */

static volatile sig_atomic_t caught;

typedef struct progress_line {
    bool wanted; /* stderr is a terminal, and --quiet was not given */
    bool blocks; /* it can show block characters */
    int width;   /* columns; 0: unknown */
    bool shown;
    double begun, drawn;
} progress_line;

static progress_line line;

static void on_signal(int number)
{
    caught = number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- The parts of the line ------------------------------------------------------------------- */

enum { LINE = 256, BAR = 24, AROUND = 42, SHORTEST_BAR = 4 }; /* columns but for the line */

/* What each stage of the library does. */
static const char *words_of(const char *stage)
{
    static const char *const words[][2] = {
        {"wait", "waiting"},     {"import", "reading"},    {"read", "reading"},
        {"search", "searching"}, {"write", "writing"},     {"verify", "verifying"},
        {"guard", "guarding"},   {"check", "checking"},    {"measure", "measuring"},
        {"curve", "other k"},    {"compare", "comparing"}, {"what-if", "comparing"},
        {"attack", "attacking"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], stage) == 0)
            return words[i][1];
    return stage;
}

static void append(char *text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, LINE - used, "%s", more);
}

static void append_bar(char *text, double share)
{
    size_t room = line.width > AROUND + SHORTEST_BAR ? (size_t)line.width - AROUND : SHORTEST_BAR;
    size_t length = line.width == 0 || room > BAR ? BAR : room;
    size_t full = (size_t)(share * (double)length + 0.5);
    for (size_t i = 0; i < length; i++)
        append(text, i < full ? (line.blocks ? "\u2588" : "#") : (line.blocks ? "\u2591" : "."));
}

/* 42 s, 3:05, 2:10:00 */
static void append_time(char *text, double seconds, const char *after)
{
    char more[64];
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole < 100)
        snprintf(more, sizeof more, "  %lu s%s", whole, after);
    else if (whole < 3600)
        snprintf(more, sizeof more, "  %lu:%02lu%s", whole / 60, whole % 60, after);
    else
        snprintf(more, sizeof more, "  %lu:%02lu:%02lu%s", whole / 3600, whole / 60 % 60,
                 whole % 60, after);
    append(text, more);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* A line that goes on in the next one could not be taken away. */
static void cut(char *text)
{
    int columns = 0;
    for (; *text != '\0'; text++) {
        columns += ((unsigned char)*text & 0xC0) != 0x80;
        if (line.width > 0 && columns >= line.width)
            *text = '\0', text--;
    }
}

/* "reading    ######..................  25 %  9 s left" */
static void draw(const char *stage, double share, double time)
{
    char text[LINE], percent[16];
    double passed = time - line.begun;
    snprintf(text, sizeof text, "%-11s", words_of(stage));
    append_bar(text, share);
    snprintf(percent, sizeof percent, " %3.0f %%", 100 * share);
    append(text, percent);
    if (share > 0.1 && share < 1)
        append_time(text, passed * (1 - share) / share, " left");
    else
        append_time(text, passed, "");
    cut(text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    line.shown = true;
    line.drawn = time;
}

static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user;
    if (caught != 0)
        return 1;
    double time = now();
    if (line.wanted && time - line.begun > 1 && time - line.drawn > 0.1)
        draw(stage, (double)done / (double)total, time);
    return 0;
}

/* From here on SIGINT, SIGTERM and SIGHUP cancel the job's run. */
static void watch(mgl_job *job, bool quiet)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    /* A second signal ends the program at once. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        /* nohup and background jobs ignore signals; so do we then. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    line = (progress_line){.wanted = !quiet && isatty(STDERR_FILENO),
                           .blocks = mgl_cli_shows_utf8(false),
                           .width = mgl_cli_width(stderr),
                           .begun = now()};
    mgl_job_on_progress(job, on_progress, NULL);
}

/* ---- The result ------------------------------------------------------------------------------ */

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
    /* With a release on standard output the summary goes to standard error. */
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

/* ---- The call -------------------------------------------------------------------------------- */

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
    watch(call->job, call->quiet);
    snprintf(name, sizeof name, command->actions[0] != NULL ? "%s %s" : "%s", command->name,
             call->operands[0]);
    mgl_status status = mgl_job_run(call->job, name, &err, &result);
    /* Takes the progress line away; returns the signal that came, or 0. */
    if (line.shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line.shown = false;
    int number = caught;
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
