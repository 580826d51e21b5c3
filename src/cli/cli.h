/* cli: the program. It includes the public header of the library only. */
#ifndef MGL_CLI_H
#define MGL_CLI_H

#include "mingle.h"

#include <stdbool.h>
#include <stdio.h>

/* A command of the program: one row of the table in command_table.c. */
typedef struct mgl_cli_command {
    const char *name;
    const char *usage;   /* what follows the name */
    const char *help;    /* one sentence or two */
    const char *example; /* a whole command line */
    const char *brief;   /* a few words for lists; NULL if the catalogue has them */
    size_t n_operands;   /* operands it needs: the data or a job file, and a second file */
    const char *first;   /* the key of the first operand, where the data is the second; optional */
    const char *second;  /* the key of the second operand; optional */
    const char *instead; /* the key with which no data is needed; optional */
    const char *actions[6]; /* the first operand is one of these words; NULL at the end */
    bool data_follows;      /* and the second is the data or a job file, else another file */
    bool parts;             /* further operands are parts */
    bool releases;          /* writes a release */
    bool streams;           /* what `output` names can be standard output instead of the summary */
    bool prints;            /* prints what was asked for itself, no summary of it */
    bool writes;            /* prints only the name of the file, where `output` names one */
    int unmet;              /* exit code of a result that does not hold */
    mgl_status (*prepare)(mgl_job *job, mgl_error *err); /* completes the job; optional */
    /* Commands of the program alone; NULL if the library runs it by its name and action. */
    int (*run)(const struct mgl_cli_command *command, int n_arguments, char **arguments);
} mgl_cli_command;

/* All of them, in the order of help. */
const mgl_cli_command *mgl_cli_commands(size_t *n);
/* The command of that name; NULL if there is none. */
const mgl_cli_command *mgl_cli_find(const char *name);

/* Commands that call no function of the library (completion.c, help.c, studio.c). */
int mgl_cli_run_completion(const mgl_cli_command *command, int n_arguments, char **arguments);
int mgl_cli_run_help(const mgl_cli_command *command, int n_arguments, char **arguments);
int mgl_cli_run_studio(const mgl_cli_command *command, int n_arguments, char **arguments);

typedef struct mgl_cli_call {
    const mgl_cli_command *command;
    mgl_job *job;
    char **operands; /* arguments that are neither options nor their values */
    size_t n_operands;
    bool help;     /* --help was given */
    bool help_all; /* and `all` behind it */
    bool json, quiet, dry_run;
    bool dashed;           /* some value may be "-": an option has it, or a job file was read */
    const char *output;    /* optional */
    const char *on_stdout; /* the option that writes to standard output instead of the summary;
                              optional */
} mgl_cli_call;

/* Puts the options into a new job. Free with mgl_cli_call_end, also after a failure. */
mgl_status mgl_cli_call_begin(mgl_cli_call *call, const mgl_cli_command *command, int n_arguments,
                              char **arguments, mgl_error *err);
bool mgl_cli_is_job_file(const char *path); /* .yaml, .yml */
/* Reads the operand, a job file or the data (NULL if there is none), into the job. Call it after
 * mgl_cli_call_begin: options override the job file. */
mgl_status mgl_cli_call_data(mgl_cli_call *call, const char *operand, mgl_error *err);
bool mgl_cli_is_true(const mgl_job *job, const char *key);
void mgl_cli_call_end(mgl_cli_call *call);

/* Runs one command of the library, from its arguments to its exit code. */
int mgl_cli_run(const mgl_cli_command *command, int n_arguments, char **arguments);

/* Makes files private, and keeps memory out of core dumps. */
void mgl_cli_keep_secrets(void);
/* Keeps files from getting the numbers of closed standard streams. */
void mgl_cli_open_standard_files(void);
/* Prints "mingle: message" on stderr; returns the exit code of the status. */
int mgl_cli_fail(const mgl_error *err);
/* Prints and reports a failure to write, for example on a full disk: 0 or 4. */
int mgl_cli_print(FILE *stream, const char *text);
/* True if the locale shows more than ASCII; otherwise, where no locale is set. */
bool mgl_cli_shows_utf8(bool otherwise);
/* Columns of the terminal, or COLUMNS if that is set; 0 if the stream is no terminal. */
int mgl_cli_width(FILE *stream);
/* The style of a summary that is printed there. */
mgl_text_style mgl_cli_style(FILE *stream);

/* A text that is built before it is printed. The program ends with an error if memory is out. */
typedef struct mgl_cli_made_text {
    FILE *stream;
    char *text;
    size_t size;
} mgl_cli_made_text;
/* Returns the stream to write to. End it with mgl_cli_text_end. */
FILE *mgl_cli_text_begin(mgl_cli_made_text *made);
/* Returns the text; free it with free. */
char *mgl_cli_text_end(mgl_cli_made_text *made);
/* A copy in which keys between backquotes are spelt as options. Free with free. */
char *mgl_cli_spelt(const char *text);

/* The command line of a job: "mingle anonymize patients.csv --qi birth,zip -k 5", quoted for a
 * shell. Its arguments give the same job. Free with free. */
mgl_status mgl_cli_command_line(const mgl_job *job, const char *command, mgl_error *err,
                                char **out);

/* Prints --help of a command. all: every option, not only the common ones. */
int mgl_cli_print_help(const mgl_cli_command *command, bool all);

#endif
