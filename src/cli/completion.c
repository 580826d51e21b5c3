/* Completion of command lines. The scripts for the shells are short: they pass the words typed so
 * far to `mingle completion words`, which answers with candidates, so that all shells propose the
 * same, and the columns of the table that the command line names. */
#include "cli.h"

#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* bash cuts words at = and :, so that a candidate loses the text before the last cut. */
static const char bash[] =
    "# bash completion of mingle, made by: mingle completion bash\n"
    "_mingle()\n{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} word= before= line kind i glue=\n"
    "    local words=()\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [ ${#words[@]} -gt 0 ] && { [ -n \"$glue\" ] || [ \"$word\" = = ] || [ \"$word\" = "
    ": ]; }; then\n"
    "            words[${#words[@]}-1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "        glue=\n"
    "        case $word in = | :) glue=yes ;; esac\n"
    "    done\n"
    "    case $cur in = | :) cur= ;; esac\n"
    "    word=${words[${#words[@]}-1]}\n"
    "    before=${word%\"$cur\"}\n"
    "    COMPREPLY=()\n"
    "    {\n"
    "        read -r kind\n"
    "        while IFS=$'\\t' read -r line i; do\n"
    "            line=${line#\"$before\"}\n"
    "            case $line in *[!A-Za-z0-9_.,:=@%/+-]*) printf -v line %q \"$line\" ;; esac\n"
    "            [ -z \"$line\" ] || COMPREPLY+=(\"$line\")\n"
    "        done\n"
    "    } < <(\"${COMP_WORDS[0]}\" completion words \"${words[@]}\" 2>/dev/null)\n"
    "    case $kind in\n"
    "    open) compopt -o nospace 2>/dev/null ;;\n"
    "    files)\n"
    "        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "        compopt -o filenames 2>/dev/null ;;\n"
    "    esac\n"
    "}\n"
    "complete -F _mingle mingle\n";

static const char zsh[] = "#compdef mingle\n"
                          "# zsh completion of mingle, made by: mingle completion zsh\n"
                          "_mingle() {\n"
                          "    local -a lines found shown\n"
                          "    local line\n"
                          "    lines=(\"${(@f)$(\"${(Q)words[1]}\" completion words "
                          "\"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
                          "    for line in \"${(@)lines[2,-1]}\"; do\n"
                          "        [[ -n $line ]] || continue\n"
                          "        found+=(\"${line%%$'\\t'*}\")\n"
                          "        shown+=(\"${line/$'\\t'/  -- }\")\n"
                          "    done\n"
                          "    case $lines[1] in\n"
                          "    open) compadd -Q -S '' -l -d shown -- \"${(@q)found}\" ;;\n"
                          "    *) compadd -Q -l -d shown -- \"${(@q)found}\" ;;\n"
                          "    esac\n"
                          "    [[ $lines[1] != files ]] || _files\n"
                          "}\n"
                          "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _mingle \"$@\"\n"
                          "else compdef _mingle mingle\nfi\n";

static const char fish[] =
    "# fish completion of mingle, made by: mingle completion fish\n"
    "function __mingle_complete\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    set -l lines ($words[1] completion words $words[2..-1] 2>/dev/null)\n"
    "    test (count $lines) -gt 0; or return\n"
    "    test (count $lines) -lt 2; or printf '%s\\n' $lines[2..-1]\n"
    "    test $lines[1] != files; or __fish_complete_path (commandline -ct)\n"
    "end\n"
    "complete -c mingle -f -a '(__mingle_complete)'\n";

static const struct {
    const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

enum { SHELLS = sizeof shells / sizeof shells[0] };

/* What is typed, and the candidates found for it. */
typedef struct typed {
    mgl_cli_keys keys;
    const mgl_cli_command *command; /* NULL if it is being typed or unknown */
    int n_words;
    char **words;      /* behind the name of the program; the last one is completed */
    const char *begun; /* the last word */
    size_t fixed;      /* bytes of it that all candidates begin with: "age=", "a,b," */
    bool files, open;
    mgl_cli_made_text found;
    FILE *out;
} typed;

static bool begins(const char *text, const char *with, size_t size)
{
    return strncmp(text, with, size) == 0;
}

/* A candidate: behind what is fixed comes the word, then `behind`. */
static void add_candidate(typed *t, const char *word, const char *behind, const char *meaning)
{
    const char *rest = t->begun + t->fixed;
    if (!begins(word, rest, strlen(rest)))
        return;
    fprintf(t->out, "%.*s%s%s\t%s\n", (int)t->fixed, t->begun, word, behind, meaning);
}

static void add_words(typed *t, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_candidate(t, words[i], "", "");
}

/* The first sentence of a help, or what fits beside a candidate. */
static void add_explained(typed *t, const char *word, const char *behind, const char *help)
{
    enum { WIDTH = 60 };
    char *spelt = mgl_cli_spelt(help != NULL ? help : "");
    size_t size = strlen(spelt);
    char *end = strstr(spelt, "; ");
    if (end != NULL)
        *end = '\0';
    else if (size > WIDTH) {
        for (size = WIDTH; size > 0 && spelt[size] != ' ';)
            size--;
        spelt[size] = '\0';
    }
    add_candidate(t, word, behind, spelt);
    free(spelt);
}

/* Names of a section of the catalogue; flag: only entries that have it; NULL: all. */
static void add_section(typed *t, const char *section, const char *flag)
{
    const mgl_result *catalogue = t->keys.catalogue;
    for (size_t i = 0; i < mgl_result_size(catalogue, section); i++) {
        const char *name = mgl_result_key(catalogue, section, i);
        const char *syntax = mgl_cli_text(catalogue, section, name, "syntax");
        const char *behind = syntax != NULL && strchr(syntax, '(') != NULL ? "(" : "";
        const char *help = mgl_cli_text(catalogue, section, name, "help");
        if (flag != NULL && !mgl_cli_flag(catalogue, section, name, flag))
            continue;
        t->open = t->open || behind[0] != '\0';
        add_explained(t, name, behind,
                      help != NULL ? help : mgl_cli_text(catalogue, section, name, "when"));
    }
}

static int is_late(void *user, const char *stage, uint64_t done, uint64_t total)
{
    const struct timespec *begun = user;
    struct timespec now;
    (void)stage, (void)done, (void)total;
    return clock_gettime(CLOCK_MONOTONIC, &now) == 0 && now.tv_sec - begun->tv_sec >= 2;
}

/* The beginning of a text is enough for its columns. Freed with free; NULL: it is short, or cannot
 * be read. */
static char *read_beginning(const char *path, size_t *size)
{
    enum { BEGINNING = 1 << 18 };
    struct stat state;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size <= BEGINNING)
        return NULL;
    FILE *file = fopen(path, "rb");
    char *data = file != NULL ? malloc(BEGINNING) : NULL;
    *size = data != NULL ? fread(data, 1, BEGINNING, file) : 0;
    while (*size > 0 && data[*size - 1] != '\n')
        (*size)--;
    if (file != NULL)
        (void)fclose(file);
    return data;
}

/* Reads the job's data as `look` does, for at most a second or two. */
static mgl_result *look_at(mgl_job *job)
{
    struct timespec begun = {0};
    mgl_error err;
    mgl_result *result;
    (void)clock_gettime(CLOCK_MONOTONIC, &begun);
    mgl_job_on_progress(job, is_late, &begun);
    mgl_status status = mgl_job_run(job, "look", &err, &result);
    mgl_job_on_progress(job, NULL, NULL);
    return status == MGL_OK ? result : NULL;
}

static mgl_result *look_at_beginning(mgl_job *job, const char *path)
{
    char name[300];
    const char *slash = strrchr(path, '/');
    mgl_error err;
    mgl_result *result = NULL;
    size_t size;
    char *data = read_beginning(path, &size);
    snprintf(name, sizeof name, "memory:%s", slash != NULL ? slash + 1 : path);
    if (data != NULL &&
        mgl_job_give_bytes(job, name + strlen("memory:"), data, size, NULL, NULL, &err) == MGL_OK &&
        mgl_job_set(job, "data", name, &err) == MGL_OK)
        result = look_at(job);
    if (data != NULL && result == NULL)
        (void)mgl_job_set(job, "data", path, &err);
    free(data);
    return result;
}

/* Completing a word neither waits for a stream nor connects to a server. */
static bool is_file_name(const char *data)
{
    struct stat state;
    return strcmp(data, "-") != 0 && strstr(data, "://") == NULL &&
           (stat(data, &state) != 0 || S_ISREG(state.st_mode));
}

/* A job that has of another only how its table is read. NULL: it names no file. */
static mgl_job *job_that_reads(const mgl_cli_keys *keys, const mgl_job *whole)
{
    mgl_error err;
    mgl_job *job;
    const char *data = mgl_job_get(whole, "data");
    if (data == NULL || !is_file_name(data) || mgl_job_new(&err, &job) != MGL_OK)
        return NULL;
    (void)mgl_job_set(job, "data", data, &err);
    for (size_t i = 0; i < keys->n; i++) {
        const mgl_cli_key *key = &keys->rows[i];
        const char *value = mgl_job_get(whole, key->name);
        if (value != NULL && strcmp(key->where, "job") == 0 && key->catalogue != NULL &&
            mgl_cli_flag(key->catalogue, "keys", key->name, "reading"))
            (void)mgl_job_set(job, key->name, value, &err);
    }
    return job;
}

/* A job that reads the table that the words name. NULL: they name none. */
static mgl_job *job_of_data(typed *t)
{
    mgl_cli_call call;
    mgl_error err;
    mgl_job *job = NULL;
    if (t->command == NULL || t->command->run != NULL)
        return NULL;
    /* An option whose value is being typed is left out. What cannot be read ends the words. */
    int n = t->n_words - 2;
    if (n > 0 && t->words[n][0] == '-')
        n--;
    (void)mgl_cli_call_begin(&call, t->command, n, t->words + 1, &err);
    bool action = t->command->actions[0] != NULL;
    size_t at = action || (t->command->first != NULL && call.n_operands > 1) ? 1 : 0;
    if (call.job != NULL && call.n_operands > at &&
        mgl_cli_call_data(&call, call.operands[at], &err) == MGL_OK)
        job = job_that_reads(&t->keys, call.job);
    mgl_cli_call_end(&call);
    return job;
}

static bool has_control(const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ' || *name == '\x7f')
            return true;
    return false;
}

/* An item of a list that has a character which ends items is quoted. A name that would control the
 * terminal is no candidate. */
static void add_column(typed *t, const char *name, const char *behind)
{
    if (has_control(name))
        return;
    if (strpbrk(name, ",=\"") == NULL) {
        add_candidate(t, name, behind, "");
        return;
    }
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    fputc('"', text);
    for (const char *c = name; *c != '\0'; c++)
        fprintf(text, "%s%c", *c == '"' ? "\"" : "", *c);
    fputc('"', text);
    char *quoted = mgl_cli_text_end(&made);
    add_candidate(t, quoted, behind, "");
    free(quoted);
}

static void add_columns(typed *t, const char *behind)
{
    mgl_job *job = job_of_data(t);
    if (job == NULL)
        return;
    mgl_result *result = look_at_beginning(job, mgl_job_get(job, "data"));
    if (result == NULL)
        result = look_at(job);
    for (size_t i = 0; result != NULL && i < mgl_result_size(result, "columns"); i++) {
        char path[40];
        snprintf(path, sizeof path, "columns[%zu].column", i);
        add_column(t, mgl_result_string(result, path), behind);
    }
    mgl_result_free(result);
    mgl_job_free(job);
}

/* "fast|balanced|best" are words, "N|X%" and the FILE of "FILE|NAME" are not. */
static void add_alternatives(typed *t, const char *syntax)
{
    while (*syntax != '\0') {
        char word[MGL_CLI_NAME];
        size_t size = strcspn(syntax, "|");
        if (size > 0 && size < sizeof word &&
            strspn(syntax, "abcdefghijklmnopqrstuvwxyz-") >= size) {
            snprintf(word, sizeof word, "%.*s", (int)size, syntax);
            add_candidate(t, word, "", "");
        }
        syntax += size + (syntax[size] == '|');
    }
}

static void add_values(typed *t, const mgl_cli_key *key)
{
    bool by_column = strcmp(key->where, "column") == 0 ||
                     (strcmp(key->where, "model") == 0 && begins(key->syntax, "COLUMN", 6));
    const char *equals = strchr(t->begun + t->fixed, '=');
    if (by_column && equals == NULL) {
        t->open = true;
        add_columns(t, "=");
        return;
    }
    const char *syntax = key->syntax;
    if (by_column) {
        t->fixed = (size_t)(equals + 1 - t->begun);
        syntax = strchr(syntax, '=') != NULL ? strchr(syntax, '=') + 1 : "";
    }
    bool list = key->catalogue != NULL && mgl_cli_flag(key->catalogue, "keys", key->name, "list");
    if (list) {
        /* Behind the last comma, all before it stays. */
        const char *comma = strrchr(t->begun + t->fixed, ',');
        if (comma != NULL)
            t->fixed = (size_t)(comma + 1 - t->begun);
    }
    t->files = key->file != NULL;
    if (key->names != NULL && strcmp(key->names, "columns") == 0) {
        t->open = list;
        add_columns(t, "");
    } else if (key->names != NULL) {
        add_section(t, key->names, strcmp(key->names, "measures") == 0 ? "search" : NULL);
    } else {
        add_alternatives(t, syntax);
    }
}

static const mgl_cli_key *key_of_option(const typed *t, const char *option, size_t size)
{
    for (size_t i = 0; i < t->keys.n; i++) {
        const mgl_cli_key *key = &t->keys.rows[i];
        bool letter =
            size == 2 && option[0] == '-' &&
            (option[1] == key->letter || (key->name[1] == '\0' && option[1] == key->name[0]));
        bool name = size > 3 && strlen(key->name) == size - 2 && begins(option, "--", 2) &&
                    begins(option + 2, key->name, size - 2);
        if ((letter || name) && mgl_cli_key_is_taken(key, t->command->name))
            return key;
    }
    return NULL;
}

static void add_options(typed *t)
{
    add_candidate(t, "--help", "", "");
    for (size_t i = 0; i < t->keys.n; i++) {
        const mgl_cli_key *key = &t->keys.rows[i];
        if (!mgl_cli_key_is_taken(key, t->command->name))
            continue;
        char option[MGL_CLI_NAME + 2];
        snprintf(option, sizeof option, "%s%s", key->name[1] == '\0' ? "-" : "--", key->name);
        add_explained(t, option, "", key->help);
        snprintf(option, sizeof option, "-%c", key->letter);
        if (key->letter != '\0' && key->name[1] != '\0')
            add_explained(t, option, "", key->help);
    }
}

static void add_commands(typed *t)
{
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    for (size_t i = 0; i < n; i++)
        add_explained(t, commands[i].name, "",
                      commands[i].brief != NULL
                          ? commands[i].brief
                          : mgl_cli_text(t->keys.catalogue, "commands", commands[i].name, "help"));
}

static void add_topics(typed *t)
{
    static const char *const sections[] = {"methods",    "models",   "measures", "builders",
                                           "treatments", "policies", "formats"};
    static const char *const lists[] = {"commands", "options", "keys", "all"};
    add_commands(t);
    add_words(t, lists, sizeof lists / sizeof lists[0]);
    add_words(t, sections, sizeof sections / sizeof sections[0]);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        for (size_t k = 0; k < mgl_result_size(t->keys.catalogue, sections[i]); k++)
            add_candidate(t, mgl_result_key(t->keys.catalogue, sections[i], k), "", "");
}

static void add_operands(typed *t)
{
    bool second = t->n_words == 2;
    size_t n = 0;
    while (n < sizeof t->command->actions / sizeof *t->command->actions &&
           t->command->actions[n] != NULL)
        n++;
    if (n > 0 && second)
        add_words(t, t->command->actions, n);
    else if (t->command->run == mgl_cli_run_help && second)
        add_topics(t);
    else if (t->command->run == mgl_cli_run_completion)
        for (size_t i = 0; i < SHELLS && second; i++)
            add_candidate(t, shells[i].name, "", "");
    else
        t->files = t->command->run != mgl_cli_run_help;
}

static void complete(typed *t)
{
    const char *before = t->n_words > 2 ? t->words[t->n_words - 2] : "";
    const char *equals = begins(t->begun, "--", 2) ? strchr(t->begun, '=') : NULL;
    if (t->n_words <= 1) {
        static const char *const options[] = {"--help", "--version"};
        if (t->begun[0] == '-')
            add_words(t, options, sizeof options / sizeof options[0]);
        else
            add_commands(t);
        return;
    }
    if (t->command == NULL)
        return;
    const mgl_cli_key *key = equals != NULL
                                 ? key_of_option(t, t->begun, (size_t)(equals - t->begun))
                                 : key_of_option(t, before, strlen(before));
    if (equals != NULL)
        t->fixed = (size_t)(equals + 1 - t->begun);
    int takes_value = key != NULL ? mgl_cli_key_takes_value(key) : 0;
    if (takes_value == 1 || (takes_value == 2 && equals != NULL))
        add_values(t, key);
    else if (equals == NULL && t->begun[0] == '-')
        add_options(t);
    else if (equals == NULL)
        add_operands(t);
}

/* Prints the candidates for the last of the words behind "mingle", one a line: the whole word, a
 * tab, what it means. The first line is "files" where names of files fit as well, "open" where more
 * of the same word follows a candidate, and "words" otherwise. A word that cannot be completed, and
 * data that cannot be read, give no candidates and are not errors. */
static int print_candidates(int n_words, char **words)
{
    mgl_error err;
    typed t = {.n_words = n_words, .words = words, .begun = n_words > 0 ? words[n_words - 1] : ""};
    if (mgl_cli_keys_load(NULL, &err, &t.keys) != MGL_OK)
        return mgl_cli_fail(&err);
    t.command = n_words > 1 ? mgl_cli_find(words[0]) : NULL;
    t.out = mgl_cli_text_begin(&t.found);
    complete(&t);
    char *found = mgl_cli_text_end(&t.found);
    int code = mgl_cli_print(stdout, t.files ? "files\n" : t.open ? "open\n" : "words\n");
    if (code == MGL_OK)
        code = mgl_cli_print(stdout, found);
    free(found);
    mgl_cli_keys_free(&t.keys);
    return code;
}

int mgl_cli_run_completion(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    mgl_error err = {.status = MGL_USAGE};
    if (n_arguments > 0 && strcmp(arguments[0], "words") == 0)
        return print_candidates(n_arguments - 1, arguments + 1);
    if (n_arguments == 1 &&
        (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0))
        return mgl_cli_print_help(command, false);
    for (size_t i = 0; n_arguments == 1 && i < SHELLS; i++)
        if (strcmp(shells[i].name, arguments[0]) == 0)
            return mgl_cli_print(stdout, shells[i].script);
    if (n_arguments == 1)
        snprintf(err.message, sizeof err.message,
                 "there is no completion for '%.60s'; give bash, zsh or fish", arguments[0]);
    else
        snprintf(err.message, sizeof err.message, "write mingle %s %s", command->name,
                 command->usage);
    return mgl_cli_fail(&err);
}
