/* Turns arguments into a job. Options are never abbreviated, so this is not getopt_long. */
#include "cli.h"

#include "cli/options/options.h"

#include <string.h>
#include <unistd.h>

typedef struct arguments {
    int n, next;
    char **texts;
} arguments;

static mgl_status usage_error(mgl_error *err, const char *format, const char *text)
{
    err->status = MGL_USAGE;
    snprintf(err->message, sizeof err->message, format, text);
    return MGL_USAGE;
}

/* Splits "--name=value" and "-k5" into option and value; no value inside gives NULL. */
static bool split(const char *argument, char *option, size_t size, const char **value)
{
    size_t n = 2;
    *value = NULL;
    if (argument[1] == '-') {
        n = strcspn(argument, "=");
        if (argument[n] == '=')
            *value = argument + n + 1;
    } else if (argument[2] != '\0') {
        *value = argument + 2;
    }
    if (n >= size)
        return false;
    memcpy(option, argument, n);
    option[n] = '\0';
    return true;
}

/* Makes a job that takes the keys of the program as well. */
static mgl_status new_job(mgl_error *err, mgl_job **out)
{
    mgl_status status = mgl_job_new(err, out);
    return status == MGL_OK ? mgl_cli_own_keys(*out, err) : status;
}

/* Where a value may follow an option, the next word is one unless it is another option, or can be
 * the data: nothing was named yet that could be, or the word names a file or a database. */
static bool is_optional_value(const mgl_cli_call *call, const arguments *rest)
{
    const char *next = rest->next < rest->n ? rest->texts[rest->next] : "-";
    return next[0] != '-' && call->n_operands > 0 && strchr(next, ':') == NULL &&
           access(next, F_OK) != 0;
}

/* "--suppress 2 %", "--qi age, sex": does the value go on behind a blank? */
static bool is_torn(const char *value, const char *next)
{
    size_t size = strlen(value);
    bool open = size > 0 && (value[size - 1] == ',' || value[size - 1] == '=');
    bool goes_on = next[0] == ',' || next[0] == '=' || (open && next[0] != '-' && next[0] != '\0');
    return strcmp(next, "%") == 0 || (goes_on && access(next, F_OK) != 0);
}

static mgl_status take_option(mgl_cli_call *call, arguments *rest, const char *argument,
                              mgl_error *err)
{
    char option[64];
    const char *value;
    mgl_cli_option found;
    if (!split(argument, option, sizeof option, &value))
        return usage_error(err, "unknown option %.60s...; see --help", argument);
    mgl_status status = mgl_cli_find_option(call->command->name, option, err, &found);
    if (status != MGL_OK)
        return status;
    int takes_value = found.takes_value;
    if (takes_value == 2 && value == NULL)
        value = is_optional_value(call, rest) ? rest->texts[rest->next++] : "true";
    if (takes_value == 0 && value != NULL)
        return usage_error(err, "option %s takes no value; leave it out", option);
    if (takes_value == 1 && value == NULL) {
        if (rest->next == rest->n)
            return usage_error(err, "option %s needs a value; add one", option);
        value = rest->texts[rest->next++];
    }
    const char *next = rest->next < rest->n ? rest->texts[rest->next] : "";
    bool secret = strcmp(option, "--key") == 0 || strcmp(option, "--sign") == 0;
    if (takes_value && !secret && is_torn(value, next)) {
        snprintf(
            err->message, sizeof err->message,
            "%s: the blank between '%.60s' and '%.60s' ends the value; write %s %.60s%.60s, or "
            "put it in quotes",
            option, value, next, option, value, next);
        return err->status = MGL_USAGE;
    }
    call->dashed = call->dashed || (takes_value && strcmp(value, "-") == 0);
    return mgl_job_add(call->job, found.key, takes_value ? value : "true", err);
}

mgl_status mgl_cli_call_begin(mgl_cli_call *call, const mgl_cli_command *command, int n_arguments,
                              char **texts, mgl_error *err)
{
    *call = (mgl_cli_call){.command = command, .operands = texts};
    mgl_status status = new_job(err, &call->job);
    arguments rest = {n_arguments, 0, texts};
    bool options = true;
    while (status == MGL_OK && rest.next < rest.n) {
        char *argument = rest.texts[rest.next++];
        if (!options || argument[0] != '-' || argument[1] == '\0') {
            call->operands[call->n_operands++] = argument; /* where one was read */
        } else if (strcmp(argument, "--") == 0) {
            options = false;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            call->help = true;
            call->help_all = rest.next < rest.n && strcmp(rest.texts[rest.next], "all") == 0;
            return MGL_OK;
        } else {
            status = take_option(call, &rest, argument, err);
        }
    }
    return status;
}

bool mgl_cli_is_job_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

bool mgl_cli_is_true(const mgl_job *job, const char *key)
{
    const char *value = mgl_job_get(job, key);
    return value != NULL && strcmp(value, "true") == 0;
}

/* The option that writes to standard output. */
static const char *find_on_stdout(const mgl_cli_call *call)
{
    static const struct {
        const char *key, *option;
    } others[] = {{"result", "--result"},
                  {"report", "--report"},
                  {"rows", "--rows"},
                  {"save-recoding", "--save-recoding"},
                  {"save-map", "--save-map"},
                  {"save-job", "--save-job"},
                  {"save-proof", "--save-proof"}};
    /* A job file serves other commands, too, which write no release. */
    if (call->command->streams && !call->dry_run && call->output != NULL &&
        strcmp(call->output, "-") == 0)
        return "-o";
    /* Asking for a key is a walk over the table of keys. */
    for (size_t i = 0; call->dashed && i < sizeof others / sizeof others[0]; i++) {
        const char *value = mgl_job_get(call->job, others[i].key);
        if (value != NULL && strcmp(value, "-") == 0)
            return others[i].option;
    }
    return NULL;
}

mgl_status mgl_cli_call_data(mgl_cli_call *call, const char *operand, mgl_error *err)
{
    bool job_file = operand != NULL && mgl_cli_is_job_file(operand);
    mgl_status status = operand == NULL ? MGL_OK
                        : job_file      ? mgl_job_load(call->job, operand, err)
                                        : mgl_job_add(call->job, "data", operand, err);
    call->dashed = call->dashed || job_file;
    if (status != MGL_OK)
        return status;
    call->json = mgl_cli_is_true(call->job, "json");
    call->quiet = mgl_cli_is_true(call->job, "quiet");
    call->dry_run = mgl_cli_is_true(call->job, "dry-run");
    call->output = mgl_job_get(call->job, "output");
    call->on_stdout = find_on_stdout(call);
    return call->on_stdout != NULL && call->json
               ? usage_error(err,
                             "%s - and --json both write to standard output; use --result FILE, or "
                             "name a file",
                             call->on_stdout)
               : MGL_OK;
}

void mgl_cli_call_end(mgl_cli_call *call)
{
    mgl_job_free(call->job);
    call->job = NULL;
}
