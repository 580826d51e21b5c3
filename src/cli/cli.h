/* cli: the program. It knows the library by its public header only. */
#ifndef MGL_CLI_H
#define MGL_CLI_H

#include "mingle.h"

#include <stdbool.h>
#include <stdio.h>

/* A subcommand: one row in main.c, one file each. */
typedef struct mgl_cli_command {
    const char *name;
    const char *usage;   /* what follows the name */
    const char *help;    /* one sentence or two */
    const char *example; /* a whole command line */
    int (*run)(const struct mgl_cli_command *command, int n_arguments, char **arguments);
} mgl_cli_command;

extern const mgl_cli_command mgl_cli_anonymize, mgl_cli_what_if, mgl_cli_preview, mgl_cli_look,
    mgl_cli_compare, mgl_cli_check, mgl_cli_gate, mgl_cli_risk, mgl_cli_attack, mgl_cli_count,
    mgl_cli_apply, mgl_cli_utility, mgl_cli_lattice, mgl_cli_hierarchy, mgl_cli_report,
    mgl_cli_recoding, mgl_cli_codebook, mgl_cli_statement, mgl_cli_completion, mgl_cli_help,
    mgl_cli_studio;

/* NULL if there is none; NULL-terminated list of all. */
const mgl_cli_command *mgl_cli_find(const char *name);
const mgl_cli_command *const *mgl_cli_commands(void);

/* ---- Arguments -> job (arguments.c) --------------------------------------------- */

typedef struct mgl_cli_call {
    const mgl_cli_command *command;
    mgl_job *job;
    char **operands; /* what is no option */
    size_t n_operands;
    bool help; /* --help was given */
    bool json, quiet, dry_run;
    bool dashed;        /* some value may be "-": an option has it, or a job file was read */
    const char *output; /* NULL: none */
    const char
        *on_stdout; /* the option that writes there, where then no summary goes; NULL: none */
} mgl_cli_call;

/* Puts the options into a new job. Free with mgl_cli_call_end. */
mgl_status mgl_cli_call_begin(mgl_cli_call *call, const mgl_cli_command *command, int n_arguments,
                              char **arguments, mgl_error *err);
bool mgl_cli_is_job_file(const char *path); /* .yaml, .yml */
/* The operand is a job file or the data; NULL: there is none. After the options, which override the
 * file. */
mgl_status mgl_cli_call_data(mgl_cli_call *call, const char *operand, mgl_error *err);
bool mgl_cli_is_true(const mgl_job *job, const char *key);
void mgl_cli_call_end(mgl_cli_call *call);

/* ---- Running (run.c) ------------------------------------------------------------ */

typedef mgl_status mgl_cli_execute(mgl_job *job, const char *action, mgl_error *err,
                                   mgl_result **out);

/* One command from its arguments to its exit code. n_operands: how many it wants; the
 * first names the data or a job file, a second one is the key `second`. The exit code of a
 * result that does not hold is `unmet`. */
typedef struct mgl_cli_plan {
    size_t n_operands;
    const char *first; /* the key of the first one, if the data is the second; NULL: it is the
                          data */
    const char *second;
    const char *instead; /* the key with which no data need be named; NULL: there is none */
    bool parts;          /* further operands are parts */
    int unmet;
    mgl_cli_execute *execute;
    /* Takes the operands of a command whose first one is an action, which is handed to execute;
     * NULL: there is none. */
    mgl_status (*take_action)(struct mgl_cli_call *call, mgl_error *err);
} mgl_cli_plan;
int mgl_cli_run(const mgl_cli_command *command, const mgl_cli_plan *plan, int n_arguments,
                char **arguments);

/* ---- Signals and progress (progress.c) -------------------------------------------- */

/* From here on SIGINT, SIGTERM and SIGHUP cancel the job's run. */
void mgl_cli_watch(mgl_job *job, bool quiet);
/* Takes the progress line away; returns the signal that came, or 0. */
int mgl_cli_watched(void);

/* ---- Output (output.c) -------------------------------------------------------------- */

/* Others cannot read what the program makes, look into it, or find its memory in what a crash
 * leaves behind. */
void mgl_cli_keep_secrets(void);
/* Keeps files from getting the numbers of closed standard streams. */
void mgl_cli_open_standard_files(void);
/* "mingle: message" on stderr; returns the exit code of the status. */
int mgl_cli_fail(const mgl_error *err);
/* Prints and reports a failure to write, for example on a full disk: 0 or 4. */
int mgl_cli_print(FILE *stream, const char *text);
/* Does the locale say that more than ASCII is shown? Where no locale is set: otherwise. */
bool mgl_cli_shows_utf8(bool otherwise);
/* Columns of the terminal, or what COLUMNS says; 0: it is none. */
int mgl_cli_width(FILE *stream);
/* How a summary is laid out there. */
mgl_text_style mgl_cli_style(FILE *stream);

/* ---- Keys as one types them (spell_keys.c) ----------------------------------------------- */

/* What the library writes between backquotes: "suppressed: keep" -> "--suppressed keep",
 * "attributes.age.level: 1" -> "--level age=1", "check" -> "mingle check". 0: it is neither a key
 * nor a command, and stays what it is. */
int mgl_cli_spell_phrase(const char *phrase, char *text, size_t size);
/* Prints a text so, and without control characters. */
void mgl_cli_spell(const char *text, FILE *out);

/* ---- Texts in the making (made_text.c). Who makes one ends with the program if memory is out. -
 */

typedef struct mgl_cli_made_text {
    FILE *stream;
    char *text;
    size_t size;
} mgl_cli_made_text;
/* Write to the stream, then end it; free the text with free. */
FILE *mgl_cli_text_begin(mgl_cli_made_text *made);
char *mgl_cli_text_end(mgl_cli_made_text *made);
/* A text with the keys that it names as one types them. Free with free. */
char *mgl_cli_spelt(const char *text);

/* ---- Jobs as command lines (command_line.c) -------------------------------------------------- */

/* What one types for a job: "mingle anonymize patients.csv --qi birth,zip -k 5", quoted for a
 * shell. Arguments of it give the same job. Free with free. */
mgl_status mgl_cli_command_line(const mgl_job *job, const char *command, mgl_error *err,
                                char **out);

/* --help of a command (help.c). */
int mgl_cli_print_help(const mgl_cli_command *command);

#endif
