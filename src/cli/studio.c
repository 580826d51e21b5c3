/* The arguments of the command studio; cli/studio serves. */
#include "cli.h"

#include "cli/studio/studio.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int print_help(const mgl_cli_command *command)
{
    char text[2048];
    snprintf(text, sizeof text,
             "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n\nOptions:\n"
             "  --folder FOLDER             outputs of jobs may be written here; without it they\n"
             "                              are downloads alone\n"
             "  --port N                    where to listen (default: any free port)\n"
             "  --open                      open the address in a browser\n",
             command->name, command->usage, command->help, command->example);
    return mgl_cli_print(stdout, text);
}

static int refuse(const char *format, const char *text)
{
    mgl_error err = {.status = MGL_USAGE};
    snprintf(err.message, sizeof err.message, format, text);
    return mgl_cli_fail(&err);
}

static bool is_folder(const char *path)
{
    struct stat state;
    return stat(path, &state) == 0 && S_ISDIR(state.st_mode);
}

int mgl_cli_run_studio(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    mgl_studio_options options = {0};
    for (int i = 0; i < n_arguments; i++) {
        const char *argument = arguments[i], *next = i + 1 < n_arguments ? arguments[i + 1] : NULL;
        char *end;
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
            return print_help(command);
        if (strcmp(argument, "--open") == 0) {
            options.open = true;
        } else if (strcmp(argument, "--folder") == 0 && next != NULL) {
            options.folder = arguments[++i];
        } else if (strcmp(argument, "--port") == 0 && next != NULL) {
            unsigned long port = strtoul(arguments[++i], &end, 10);
            if (*end != '\0' || port < 1 || port > 65535)
                return refuse("--port: '%.60s' is not a port; give a number from 1 to 65535", next);
            options.port = (unsigned)port;
        } else if (argument[0] == '-' && argument[1] != '\0') {
            return refuse("option %.60s is unknown or lacks its value; see mingle studio --help",
                          argument);
        } else if (options.given != NULL) {
            return refuse("unexpected argument '%.60s'; name one table or job", argument);
        } else {
            options.given = argument;
        }
    }
    if (options.given != NULL && strcmp(options.given, "-") == 0)
        return refuse("standard input cannot be read again and again; name a file%s", "");
    if (options.folder != NULL && !is_folder(options.folder))
        return refuse("--folder: '%.200s' is not a folder", options.folder);
    options.is_job = options.given != NULL && mgl_cli_is_job_file(options.given);
    return mgl_studio_serve(&options);
}
