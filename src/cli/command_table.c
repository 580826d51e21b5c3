/* The table of commands: what help shows of each, and which operands it takes. The library runs
 * most of them by their names. */
#include "cli.h"

#include <string.h>

static mgl_status prepare_anonymize(mgl_job *job, mgl_error *err)
{
    /* A brief job gets no advice either. What a summary does not show need not be worked out. */
    if (mgl_job_get(job, "brief") == NULL && mgl_job_get(job, "hint") == NULL &&
        mgl_job_get(job, "dp") == NULL && mgl_job_add(job, "hint", "true", err) != MGL_OK)
        return err->status;
    bool whole = mgl_cli_is_true(job, "json") || mgl_job_get(job, "result") != NULL ||
                 mgl_job_get(job, "report") != NULL || mgl_job_get(job, "brief") != NULL ||
                 mgl_job_get(job, "statement") != NULL || mgl_job_get(job, "save-promise") != NULL;
    return whole ? MGL_OK : mgl_job_add(job, "brief", "true", err);
}

/* In the order of help. */
static const mgl_cli_command commands[] = {
    {.name = "anonymize",
     .usage = "DATA|JOB.yaml|PART... [options] -o RELEASE",
     .help = "Makes a release of a table in which every person hides among others. The release\n"
             "is verified before it gets its name; if anything fails no file appears.",
     .example = "mingle anonymize patients.csv --qi birth,sex,zip \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
                "    --identifier name,ssn --sensitive diagnosis --rest drop -k 5 -o release.csv",
     .n_operands = 1,
     .parts = true,
     .releases = true,
     .streams = true,
     .prepare = prepare_anonymize},
    {.name = "what-if",
     .usage = "DATA|JOB.yaml|PART... [options]",
     .help = "Shows what a job gives, and what each job would give that is one step away from it:\n"
             "another k, a little more or less suppression, a column left out or one level finer,\n"
             "another method. Nothing is released. The exit code is that of the job itself.",
     .example = "mingle what-if patients.csv --qi birth,sex,zip --rest drop -k 5 \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
                "    --method mingen --changes answer,k,suppress,columns",
     .n_operands = 1,
     .parts = true,
     .unmet = MGL_UNMET},
    {.name = "preview",
     .usage = "DATA|JOB.yaml|PART... [options]",
     .help =
         "Shows rows of the table beside what they would be released as, with the sizes of their\n"
         "classes before and after. Nothing is released; what is shown holds cells of the table.",
     .example = "mingle preview patients.csv --qi birth,sex,zip --rest drop -k 5 \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
                "    --method mingen --window 1,5",
     .n_operands = 1,
     .parts = true,
     .unmet = MGL_UNMET},
    {.name = "look",
     .usage = "DATA [options]",
     .help =
         "Shows what a table is read as: its format, its columns with what their values are, and\n"
         "its first rows. What is shown holds cells of the table.",
     .example = "mingle look patients.csv --window 1,3",
     .n_operands = 1,
     .unmet = MGL_UNMET},
    {.name = "compare",
     .usage = "DATA|JOB.yaml|PART... [options] [--methods NAME,...]",
     .help = "Runs several methods on one job and puts what they found side by side: what each\n"
             "keeps, how many rows it suppresses, whether the models hold, how long it searched.\n"
             "Nothing is released. The exit code is 0 if one of them found a release.",
     .example = "mingle compare patients.csv --qi birth,sex,zip \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
                "    -k 5 --methods mingen,mondrian,datafly",
     .n_operands = 1,
     .parts = true,
     .unmet = MGL_UNMET},
    {.name = "check",
     .usage = "DATA|JOB.yaml|PART... [options]\n"
              "       mingle check [DATA] --proof FILE --against RESULT.json",
     .help = "Measures which privacy models a table holds as it is. With models named it tests\n"
             "them: the exit code is 0 if all hold and 1 if one does not.",
     .example = "mingle check release.csv --qi birth,sex,zip --sensitive diagnosis -k 5 \\\n"
                "    --l-diversity diagnosis=2",
     .n_operands = 1,
     .instead = "proof",
     .parts = true,
     .unmet = MGL_UNMET},
    {.name = "gate",
     .usage = "DATA|JOB.yaml|PART... [options]",
     .help = "Tests a table as it is, for pipelines: every model that is named or that a policy\n"
             "names, and that no other column gives people away. One line for each test; the\n"
             "exit code is 0 if all pass and 1 if one fails.",
     .example = "mingle gate release.csv --qi birth,sex,zip --sensitive diagnosis \\\n"
                "    --policy standard --junit gate.xml",
     .n_operands = 1,
     .parts = true,
     .unmet = MGL_UNMET},
    {.name = "risk",
     .usage = "DATA|JOB.yaml|PART... [options]",
     .help =
         "Estimates how likely it is that a person is found in a table as it is, and shows which\n"
         "columns give people away and, with --suda, which rows stand out most.",
     .example = "mingle risk patients.csv --qi birth,sex,zip --suda",
     .n_operands = 1,
     .parts = true},
    {.name = "attack",
     .usage = "RELEASE|JOB.yaml EXTERNAL [options]",
     .help = "Links a release with a table that names people, as an intruder would: how many\n"
             "rows each person can be, and whose sensitive values are learnt.",
     .example = "mingle attack release.csv patients.csv --qi birth,sex,zip \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
                "    --sensitive diagnosis --identifier name",
     .n_operands = 2,
     .second = "external"},
    {.name = "count",
     .usage = "DATA|JOB.yaml [options] -o PART",
     .help =
         "Counts a slice of a table: each combination of quasi-identifiers and sensitive values,\n"
         "with how often it occurs. mingle anonymize searches parts together. A part holds\n"
         "ground values: keep it as secret as the table.",
     .example = "mingle count patients.csv --qi sex,zip --sensitive diagnosis --rest drop \\\n"
                "    -o patients.part",
     .n_operands = 1,
     .streams = true},
    {.name = "apply",
     .usage = "RECODING DATA [options] -o RELEASE",
     .help = "Releases a table, or a slice of it, by a recoding that mingle anonymize\n"
             "--save-recoding wrote. Slices that were counted for the search keep its promise\n"
             "together; any other table is verified as a release of its own.",
     .example = "mingle apply found.rec patients.csv -o release.csv",
     .n_operands = 2,
     .first = "recoding",
     .releases = true,
     .streams = true},
    {.name = "utility",
     .usage = "ORIGINAL|JOB.yaml RELEASE [options]",
     .help = "Measures what a release lost against the original table. The hierarchies are the\n"
             "ones the release was made with.",
     .example = "mingle utility patients.csv release.csv --qi birth,sex,zip \\\n"
                "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)'",
     .n_operands = 2,
     .second = "release"},
    {.name = "lattice",
     .usage = "DATA|JOB.yaml|PART... [options]",
     .help = "Lists every node of the lattice, that is every way to give each quasi-identifier\n"
             "one level: whether it holds, how many rows it suppresses, what it costs.",
     .example = "mingle lattice patients.csv --qi sex,zip --hierarchy 'zip=mask(right)' -k 5",
     .n_operands = 1,
     .parts = true},
    {.name = "hierarchy",
     .usage = "build|check|show|suggest|tree DATA|JOB.yaml [options]",
     .help = "Value hierarchies: build writes one as a file, check tests them against the data,\n"
             "show draws them, suggest proposes a builder for every column, tree prints them in\n"
             "JSON with the rows under each node; a file of such a tree is a hierarchy, too.",
     .example = "mingle hierarchy show patients.csv --hierarchy race=race.csv",
     .unmet = MGL_UNMET,
     .data_follows = true,
     .streams = true,
     .prints = true,
     .actions = {"build", "check", "show", "suggest", "tree"}},
    {.name = "report",
     .usage = "RESULT.json [-o REPORT.html]",
     .help = "Shows a result that --result wrote: with -o as a page for a browser, complete in\n"
             "one file, otherwise as a summary in the terminal.",
     .example = "mingle report result.json -o report.html",
     .n_operands = 1,
     .writes = true},
    {.name = "recoding",
     .usage = "show FILE [-o TABLE.csv]",
     .help =
         "Shows a recoding that mingle anonymize --save-recoding wrote: its columns with their\n"
         "levels, and what each tuple is released as. With -o all tuples go to a table. It\n"
         "holds the values of the data and is not for recipients; mingle codebook is.",
     .example = "mingle recoding show found.rec -o tuples.csv",
     .prints = true,
     .writes = true,
     .actions = {"show"}},
    {.name = "codebook",
     .usage = "RESULT.json [--release FILE] [-o CODEBOOK.csv]",
     .help =
         "Describes for the recipient of a release what was done to each column, the values that\n"
         "occur and how coarse they are: nothing that is not in the release itself.",
     .example = "mingle codebook result.json -o codebook.csv",
     .n_operands = 1,
     .prints = true,
     .writes = true},
    {.name = "statement",
     .usage = "RELEASE --promise FILE [-o STATEMENT.json|STATEMENT.html]",
     .help =
         "States what the recipient of a release may know: the promise, what is measured on the\n"
         "release, and how to read its labels. It needs the release and the promise that was\n"
         "saved with it (--save-promise), and nothing of the input.",
     .example = "mingle statement release.csv --promise promise.json -o statement.html",
     .n_operands = 1,
     .unmet = MGL_UNMET,
     .writes = true},
    {.name = "studio",
     .usage = "[TABLE|JOB.yaml] [--folder FOLDER] [--port N] [--open]",
     .help =
         "Serves the page studio.html on loopback and runs its jobs in this program: for tables\n"
         "that are larger than a browser can hold, and for databases. Prints the address, which\n"
         "is good for one browser. Jobs may name the table or the files of the job that is\n"
         "named here, what the page hands over, and outputs in the folder; no other file.",
     .example = "mingle studio patients.csv --folder releases",
     .brief = "the same in a page of the browser, served on loopback",
     .run = mgl_cli_run_studio},
    {.name = "completion",
     .usage = "bash|zsh|fish",
     .help = "Prints the completion of command lines for a shell. The packages install it;\n"
             "otherwise let the shell read it when it starts.",
     .example = "mingle completion bash > ~/.local/share/bash-completion/completions/mingle",
     .brief = "completion of command lines for a shell",
     .run = mgl_cli_run_completion},
    {.name = "help",
     .usage = "[COMMAND|METHOD|MODEL|MEASURE|BUILDER|TREATMENT|POLICY|FORMAT|OPTION]",
     .help = "Explains one name, or lists all of a kind: mingle help commands, methods, models,\n"
             "measures, builders, treatments, policies, formats, options; all lists everything.\n"
             "After a command, all adds its other options. With --markdown lists are tables.",
     .example = "mingle help datafly",
     .brief = "explains one name, or lists all of a kind",
     .run = mgl_cli_run_help},
};

const mgl_cli_command *mgl_cli_commands(size_t *n)
{
    *n = sizeof commands / sizeof commands[0];
    return commands;
}

const mgl_cli_command *mgl_cli_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}
