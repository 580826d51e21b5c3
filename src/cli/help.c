/* The command `help`, and --help of the other commands: texts about one name, lists for terminals
 * and tables in Markdown, made of the catalogue of the library. */
#include "cli.h"
#include "cli/options/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, SECOND_COLUMN = 30, SHORT_COLUMN = 35, WIDTH = 80 };

/* Words from column `at` on; the following lines begin at column `indent`. */
static void wrap(FILE *out, const char *text, size_t at, size_t indent)
{
    char *whole = mgl_cli_spelt(text);
    bool first = true;
    for (const char *rest = whole; *rest != '\0';) {
        size_t word = strcspn(rest, " ");
        if (!first && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)word, rest);
        at += word + !first;
        first = false;
        rest += word;
        rest += strspn(rest, " ");
    }
    fputs("\n", out);
    free(whole);
}

static void write_line(FILE *out, const char *left, const char *right, size_t column)
{
    fprintf(out, "%*s%s", INDENT, "", left);
    size_t at = INDENT + strlen(left);
    if (at + 2 > column) {
        fputs("\n", out);
        at = 0;
    }
    fprintf(out, "%*s", (int)(column - at), "");
    wrap(out, right, column, column);
}

/* The same with a wider column on the left, for texts of a few words. */
static void help_short(FILE *out, const char *left, const char *right)
{
    write_line(out, left, right, SHORT_COLUMN);
}

/* A label, then a text wrapped beside it; nothing if there is no text. */
static void paragraph(FILE *out, const char *label, const char *text)
{
    enum { LABEL = 12 };
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(out, "%*s%-*s", INDENT, "", LABEL, label);
    wrap(out, text, INDENT + LABEL, INDENT + LABEL);
}

/* A row of a table in Markdown; last may be NULL: then it has three columns. */
enum { CELLS = 4 };

static void markdown_row(FILE *out, const char *const cells[CELLS])
{
    for (size_t i = 0; i < CELLS && cells[i] != NULL; i++) {
        char *cell = mgl_cli_spelt(cells[i] != NULL ? cells[i] : "");
        fputs(i > 0 ? " | " : "| `", out);
        for (const char *c = cell; *c != '\0'; c++)
            fprintf(out, "%s%c", *c == '|' ? "\\" : "", *c); /* it would end the cell */
        fputs(i == 0 ? "`" : "", out);
        free(cell);
    }
    fputs(" |\n", out);
}

/* A name that is described. */
typedef struct subject {
    const mgl_cli_keys *keys;
    const mgl_result *catalogue;
    const char *section, *name;
    bool *begun; /* something was written before */
    FILE *out;
} subject;

static const char *text_of(const subject *s, const char *field)
{
    return mgl_cli_text(s->catalogue, s->section, s->name, field);
}

static void title(const subject *s, const char *what)
{
    fprintf(s->out, "%s%s (%s)\n", *s->begun ? "\n" : "", s->name, what);
    *s->begun = true;
}

static void add_field(const subject *s, const char *label, const char *field)
{
    paragraph(s->out, label, text_of(s, field));
}

static void add_usage(const subject *s, const char *label, const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_write_usage(key, text);
    char *usage = mgl_cli_text_end(&made);
    paragraph(s->out, label, usage);
    free(usage);
}

static const char *columns_of(const char *word)
{
    static const char *const words[][2] = {
        {"one-level", "every column has one level"},
        {"own-values", "a column may have values that its hierarchy lacks"},
        {"mixed-levels", "a column may mix levels"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], word) == 0)
            return words[i][1];
    return word;
}

static void about_method(const subject *s)
{
    paragraph(s->out, "columns", columns_of(text_of(s, "columns")));
    const char *name;
    for (size_t i = 0; (name = mgl_cli_item(s->catalogue, "methods", s->name, "keys", i)) != NULL;
         i++)
        add_usage(s, i == 0 ? "options" : "", mgl_cli_keys_find(s->keys, name));
}

typedef struct parameter {
    const subject *model;
    char path[120]; /* NAME.parameters.PARAMETER: an entry of models */
} parameter;

static double number_of(const parameter *p, const char *field)
{
    char path[160];
    snprintf(path, sizeof path, "models.%s.%s", p->path, field);
    return mgl_result_number(p->model->catalogue, path);
}

static void write_range(const parameter *p, bool whole, FILE *out)
{
    double min = number_of(p, "min"), max = number_of(p, "max");
    fputs(whole ? ", a whole number" : ", a number", out);
    if (!isnan(max))
        fprintf(out, " from %.15g to %.15g", min, max);
    else if (!isnan(min))
        fprintf(out, " of at least %.15g", min);
}

static void about_parameter(const subject *s, const char *name)
{
    parameter p = {.model = s};
    snprintf(p.path, sizeof p.path, "%s.parameters.%s", s->name, name);
    const char *value = mgl_cli_text(s->catalogue, "models", p.path, "value");
    const char *key = mgl_cli_text(s->catalogue, "models", p.path, "key");
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    fputs(mgl_cli_text(s->catalogue, "models", p.path, "help"), text);
    if (strcmp(value, "choice") == 0) {
        const char *word;
        for (size_t i = 0;
             (word = mgl_cli_item(p.model->catalogue, "models", p.path, "choices", i)) != NULL; i++)
            fprintf(text, "%s%s%s", i == 0 ? ", one of " : ", ", word,
                    i == 0 ? " (the default)" : "");
    } else
        write_range(&p, strcmp(value, "whole") == 0, text);
    if (key != NULL)
        fprintf(text, "; option --%s%s", key,
                mgl_cli_flag(s->catalogue, "models", s->name, "attribute") ? " COLUMN=WORD"
                                                                           : " WORD");
    char *line = mgl_cli_text_end(&made);
    paragraph(s->out, name, line);
    free(line);
}

static void about_model(const subject *s)
{
    add_usage(s, "option", mgl_cli_keys_find(s->keys, text_of(s, "key")));
    if (mgl_cli_flag(s->catalogue, "models", s->name, "attribute"))
        paragraph(s->out, "attribute", "the sensitive column it protects");
    const char *need;
    for (size_t i = 0; (need = mgl_cli_item(s->catalogue, "models", s->name, "needs", i)) != NULL;
         i++)
        add_usage(s, i == 0 ? "needs" : "or", mgl_cli_keys_find(s->keys, need));
    char path[80];
    snprintf(path, sizeof path, "models.%s.parameters", s->name);
    for (size_t i = 0; i < mgl_result_size(s->catalogue, path); i++)
        about_parameter(s, mgl_result_key(s->catalogue, path, i));
}

static void about_measure(const subject *s)
{
    paragraph(s->out, "better",
              mgl_cli_flag(s->catalogue, "measures", s->name, "higher_is_better") ? "higher"
                                                                                  : "lower");
    add_field(s, "in results", "result");
    if (mgl_cli_flag(s->catalogue, "measures", s->name, "search"))
        paragraph(s->out, "option", "--utility");
}

/* "k-anonymity 5, p-sensitive 2 (if columns are sensitive)" */
static void policy_models(const mgl_result *catalogue, const char *policy, FILE *out)
{
    char path[120];
    snprintf(path, sizeof path, "policies.%s.models", policy);
    size_t n = mgl_result_size(catalogue, path);
    for (size_t i = 0; i < n; i++) {
        char item[40];
        snprintf(item, sizeof item, "models[%zu]", i);
        snprintf(path, sizeof path, "%s.%s", policy, item);
        fprintf(out, "%s%s %s%s", i > 0 ? ", " : "",
                mgl_cli_text(catalogue, "policies", path, "model"),
                mgl_cli_text(catalogue, "policies", path, "parameters"),
                mgl_cli_flag(catalogue, "policies", path, "if_sensitive")
                    ? " (if columns are sensitive)"
                    : "");
    }
}

static void about_policy(const subject *s)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    policy_models(s->catalogue, s->name, text);
    char *models = mgl_cli_text_end(&made);
    paragraph(s->out, "what", models);
    add_field(s, "when", "when");
    free(models);
}

/* "read, written" or "read" */
static const char *format_use(const mgl_result *catalogue, const char *format)
{
    return mgl_cli_flag(catalogue, "formats", format, "written") ? "read, written" : "read";
}

/* "duckdb:" or ".csv .tsv"; nothing for a format that is known by its contents. */
static void format_location(const mgl_result *catalogue, const char *format, FILE *out)
{
    const char *scheme = mgl_cli_text(catalogue, "formats", format, "scheme"), *ending;
    fputs(scheme != NULL ? scheme : "", out);
    for (size_t i = 0; scheme == NULL &&
                       (ending = mgl_cli_item(catalogue, "formats", format, "endings", i)) != NULL;
         i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", ending);
}

static void about_format(const subject *s)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    format_location(s->catalogue, s->name, text);
    char *location = mgl_cli_text_end(&made);
    paragraph(s->out, "location", location);
    paragraph(s->out, "use", format_use(s->catalogue, s->name));
    free(location);
}

static void add_commands(const subject *s, const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    const char *separator = "";
    FILE *text = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < mgl_result_size(s->catalogue, "commands"); i++) {
        const char *name = mgl_result_key(s->catalogue, "commands", i);
        if (!mgl_cli_key_is_taken(key, name))
            continue;
        fprintf(text, "%s%s", separator, name);
        separator = ", ";
    }
    char *names = mgl_cli_text_end(&made);
    paragraph(s->out, "commands", names);
    free(names);
}

static void about_key(const subject *s, const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_write_help(key, text);
    char *help = mgl_cli_text_end(&made);
    title(s, "option and key of the job file");
    paragraph(s->out, "what", help);
    add_usage(s, "option", key);
    paragraph(s->out, "default", key->catalogue != NULL ? text_of(s, "default") : key->fallback);
    add_commands(s, key);
    free(help);
}

/* The entry of a section whose field is the text; NULL: none. */
static const char *entry_with(const mgl_result *catalogue, const char *section, const char *field,
                              const char *text)
{
    for (size_t i = 0; i < mgl_result_size(catalogue, section); i++) {
        const char *name = mgl_result_key(catalogue, section, i);
        const char *found = mgl_cli_text(catalogue, section, name, field);
        if (found != NULL && strcmp(found, text) == 0)
            return name;
    }
    return NULL;
}

static const struct {
    const char *section, *what;
    const char *field;              /* by which it is known as well; NULL: by its name alone */
    const char *fields[3][2];       /* of the catalogue that are shown first, with their labels */
    void (*more)(const subject *s); /* optional */
    const char *option;             /* optional */
} described[] = {
    {"methods",
     "method",
     NULL,
     {{"what", "help"}, {"when", "when"}, {"cost", "cost"}},
     about_method,
     NULL},
    {"models", "model", "key", {{"what", "help"}, {"when", "when"}}, about_model, NULL},
    {"measures", "measure", "result", {{"what", "help"}, {"when", "when"}}, about_measure, NULL},
    {"builders",
     "builder",
     NULL,
     {{"what", "help"}, {"syntax", "syntax"}, {"example", "example"}},
     NULL,
     NULL},
    {"treatments",
     "treatment",
     NULL,
     {{"what", "help"}, {"syntax", "syntax"}, {"example", "example"}},
     NULL,
     "--treat"},
    {"policies", "policy", NULL, {{NULL}}, about_policy, "--policy"},
    {"formats", "format", NULL, {{"what", "help"}}, about_format, NULL},
};

static void describe_entry(const subject *s, size_t row)
{
    title(s, described[row].what);
    for (size_t i = 0; i < 3 && described[row].fields[i][0] != NULL; i++)
        add_field(s, described[row].fields[i][0], described[row].fields[i][1]);
    if (described[row].more != NULL)
        described[row].more(s);
    paragraph(s->out, "option", described[row].option);
}

/* Everything of that name; false if there is nothing. */
static bool help_about(const mgl_cli_keys *keys, const char *name, FILE *out)
{
    bool begun = false;
    for (size_t i = 0; i < sizeof described / sizeof described[0]; i++) {
        const char *section = described[i].section, *found = name;
        if (mgl_cli_text(keys->catalogue, section, name, "when") == NULL &&
            mgl_cli_text(keys->catalogue, section, name, "help") == NULL)
            found = described[i].field == NULL
                        ? NULL
                        : entry_with(keys->catalogue, section, described[i].field, name);
        if (found != NULL && !mgl_cli_flag(keys->catalogue, section, found, "stream"))
            describe_entry(&(subject){keys, keys->catalogue, section, found, &begun, out}, i);
    }
    const mgl_cli_key *key = mgl_cli_keys_find(keys, name);
    if (key != NULL && strcmp(key->where, "model") != 0)
        about_key(&(subject){keys, keys->catalogue, "keys", name, &begun, out}, key);
    return begun;
}

/* A list in the making. */
typedef struct list {
    const mgl_result *catalogue; /* what of it is listed */
    bool markdown;
    FILE *out;
} list;

/* A terminal gets name and help. */
static void row(const list *l, const char *const cells[4])
{
    if (l->markdown)
        markdown_row(l->out, cells);
    else {
        /* A line of a two-column list for a terminal: left, then right wrapped beside it. */
        write_line(l->out, cells[0], cells[1], SECOND_COLUMN);
    }
}

static void head(const list *l, const char *const cells[4])
{
    if (!l->markdown)
        return;
    for (size_t c = 0; c < CELLS && cells[c] != NULL; c++)
        fprintf(l->out, "%s %s |", c == 0 ? "|" : "", cells[c]);
    for (size_t c = 0; c < CELLS && cells[c] != NULL; c++)
        fputs(c == 0 ? "\n|---|" : "---|", l->out);
    fputs("\n", l->out);
}

/* Cells of a list; texts that are put together here, or NULL: field of the catalogue. Freed with
 * free. */
typedef char *cell_fn(const list *l, const char *name);

static char *copy_of(const char *text)
{
    mgl_cli_made_text made;
    fputs(text != NULL ? text : "", mgl_cli_text_begin(&made));
    return mgl_cli_text_end(&made);
}

/* A measure that no search minimizes is known by its name in results. */
static char *name_of_measure(const list *l, const char *name)
{
    const mgl_result *catalogue = l->catalogue;
    return copy_of(mgl_cli_flag(catalogue, "measures", name, "search")
                       ? name
                       : mgl_cli_text(catalogue, "measures", name, "result"));
}

static char *models_of_policy(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    policy_models(l->catalogue, name, text);
    return mgl_cli_text_end(&made);
}

/* What its locations look like; a format without such is known by its contents. */
static char *location_of_format(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    format_location(l->catalogue, name, text);
    char *location = mgl_cli_text_end(&made);
    if (location[0] != '\0')
        return location;
    free(location);
    return copy_of(name);
}

static char *help_of_format(const list *l, const char *name)
{
    const mgl_result *catalogue = l->catalogue;
    bool known = l->markdown || mgl_cli_flag(catalogue, "formats", name, "written");
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    fprintf(text, "%s%s", mgl_cli_text(catalogue, "formats", name, "help"),
            known ? "" : " (not written)");
    return mgl_cli_text_end(&made);
}

static char *use_of_format(const list *l, const char *name)
{
    return copy_of(format_use(l->catalogue, name));
}

/* What does not go together, as one types it. */
static char *keys_of_conflict(const list *l, const char *name)
{
    char both[200];
    snprintf(both, sizeof both, "`%s`, `%s`", mgl_cli_text(l->catalogue, "conflicts", name, "key"),
             mgl_cli_text(l->catalogue, "conflicts", name, "with"));
    return mgl_cli_spelt(both);
}

static void write_words(const list *l, const char *name, const char *field, const char *before,
                        const char *after, FILE *out)
{
    const char *word;
    size_t i = 0;
    for (; (word = mgl_cli_item(l->catalogue, "conflicts", name, field, i)) != NULL; i++)
        fprintf(out, "%s%s", i == 0 ? before : ", ", word);
    fputs(i > 0 ? after : "", out);
}

static char *why_of_conflict(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    write_words(l, name, "methods", "", ": ", text);
    fputs(mgl_cli_text(l->catalogue, "conflicts", name, "why"), text);
    write_words(l, name, "commands", " (", ")", text);
    return mgl_cli_text_end(&made);
}

typedef struct section_row {
    const char *section;
    const char *heads[CELLS];
    /* How each cell is made, or the field that has it; neither: it is the name. */
    cell_fn *made[CELLS];
    const char *fields[CELLS];
    const char *title; /* in the list of everything */
} section_row;

static const section_row sections[] = {
    {"methods",
     {"method", "what it does", "when to use it", "what it costs"},
     {NULL},
     {NULL, "help", "when", "cost"},
     "Methods (--method)"},
    {"models",
     {"model", "what it promises", "when to use it"},
     {NULL},
     {NULL, "help", "when"},
     "Models"},
    {"measures",
     {"measure", "what it measures", "when to use it"},
     {name_of_measure},
     {NULL, "help", "when"},
     "Measures (--utility)"},
    {"builders",
     {"builder", "what it does", "example"},
     {NULL},
     {"syntax", "help", "example"},
     "Builders of hierarchies (--hierarchy COLUMN=...)"},
    {"treatments",
     {"treatment", "what it does", "example"},
     {NULL},
     {"syntax", "help", "example"},
     "Treatments of columns (--treat COLUMN=...)"},
    {"policies",
     {"policy", "what must hold", "when to use it"},
     {NULL, models_of_policy},
     {NULL, NULL, "when"},
     "Policies (--policy)"},
    {"formats",
     {"location", "what it is", "use"},
     {location_of_format, help_of_format, use_of_format},
     {NULL},
     "Formats of tables"},
    {"conflicts",
     {"keys", "why they do not go together"},
     {keys_of_conflict, why_of_conflict},
     {NULL},
     "What does not go together"},
};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

static char *cell_of(const list *l, const section_row *section, size_t c, const char *name)
{
    const char *field = section->fields[c];
    if (section->made[c] != NULL)
        return section->made[c](l, name);
    return copy_of(field != NULL ? mgl_cli_text(l->catalogue, section->section, name, field)
                                 : name);
}

static void list_section(const list *l, const section_row *section)
{
    const mgl_result *catalogue = l->catalogue;
    size_t n = mgl_result_size(catalogue, section->section);
    head(l, section->heads);
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(catalogue, section->section, i);
        char *cells[CELLS] = {NULL};
        if (mgl_cli_flag(catalogue, section->section, name, "stream"))
            continue; /* streams cannot be named on a command line */
        for (size_t c = 0; c < CELLS; c++)
            if (section->heads[c] != NULL)
                cells[c] = cell_of(l, section, c, name);
        row(l, (const char *const *)cells);
        for (size_t c = 0; c < CELLS; c++)
            free(cells[c]);
    }
}

static char *usage_of(const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    if (key->letter != '\0' && key->name[1] != '\0')
        fprintf(text, "-%c, ", key->letter);
    mgl_cli_write_usage(key, text);
    return mgl_cli_text_end(&made);
}

static char *help_of(const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_write_help(key, text);
    if (key->fallback != NULL)
        fprintf(text, " (default: %s)", key->fallback);
    return mgl_cli_text_end(&made);
}

/* Under the heading of its group, if the key before had another. */
static void list_key(const list *l, const mgl_cli_key *key, bool brief, const char **group)
{
    if (!l->markdown && (*group == NULL || strcmp(*group, key->group) != 0))
        fprintf(l->out, "%s:\n", key->group);
    *group = key->group;
    char *usage = usage_of(key), *help = brief ? copy_of(key->brief) : help_of(key);
    if (brief)
        help_short(l->out, usage, help);
    else
        row(l, (const char *const[]){usage, help, key->name, NULL});
    free(usage);
    free(help);
}

/* command: NULL: all options. */
static void list_keys(const list *l, const mgl_cli_keys *keys, const char *command)
{
    const char *group = NULL;
    head(l, (const char *const[]){"option", "meaning", "key", NULL});
    for (size_t i = 0; i < keys->n; i++)
        if (command == NULL || mgl_cli_key_is_taken(&keys->rows[i], command))
            list_key(l, &keys->rows[i], false, &group);
}

/* Writes the options of a command under the headings of their groups: all, or in one line each
 * those that are often used, and how to see the others. */
static mgl_status list_options(const char *command, bool all, mgl_error *err, FILE *out)
{
    mgl_cli_keys keys;
    list l = {.out = out};
    const char *group = NULL;
    size_t others = 0;
    mgl_status status = mgl_cli_keys_load("keys", err, &keys);
    if (status != MGL_OK)
        return status;
    fputs("\n", out);
    for (size_t i = 0; i < keys.n; i++) {
        const mgl_cli_key *key = &keys.rows[i];
        if (!mgl_cli_key_is_taken(key, command))
            continue;
        bool common = mgl_cli_key_is_common(key, command);
        others += !common;
        if (all || common)
            list_key(&l, key, !all, &group);
    }
    if (!all)
        fprintf(out, "\n%zu more options: mingle %s --help all\n", others, command);
    mgl_cli_keys_free(&keys);
    return MGL_OK;
}

static void list_commands(const mgl_result *catalogue, FILE *out)
{
    size_t n = mgl_result_size(catalogue, "commands");
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(catalogue, "commands", i);
        fprintf(out, "  %-12s%s\n", name, mgl_cli_text(catalogue, "commands", name, "help"));
    }
}

static mgl_status refuse_name(const mgl_cli_keys *keys, const char *name, mgl_error *err)
{
    static const char *const kinds[] = {"commands", "methods",    "models",    "measures",
                                        "builders", "treatments", "policies",  "formats",
                                        "options",  "keys",       "conflicts", "all"};
    static const char *const named[] = {"commands", "methods",    "models",   "measures",
                                        "builders", "treatments", "policies", "formats"};
    enum { KINDS = sizeof kinds / sizeof kinds[0], NAMED = sizeof named / sizeof named[0] };
    size_t most = KINDS + keys->n, n = 0;
    for (size_t s = 0; s < NAMED; s++)
        most += mgl_result_size(keys->catalogue, named[s]);
    const char **names = calloc(most, sizeof *names);
    for (size_t i = 0; names != NULL && i < KINDS; i++)
        names[n++] = kinds[i];
    for (size_t s = 0; names != NULL && s < NAMED; s++)
        for (size_t i = 0; i < mgl_result_size(keys->catalogue, named[s]); i++)
            names[n++] = mgl_result_key(keys->catalogue, named[s], i);
    for (size_t i = 0; names != NULL && i < keys->n; i++)
        names[n++] = keys->rows[i].name;
    const char *nearest = mgl_nearest_name(name, names, n);
    snprintf(err->message, sizeof err->message, "there is no help about '%.60s'; %s%s%s", name,
             nearest != NULL ? "did you mean " : "see mingle help", nearest != NULL ? nearest : "",
             nearest != NULL ? "?" : "");
    free(names);
    return err->status = MGL_USAGE;
}

/* A section of the catalogue, or all of it. */
static mgl_status describe_sections(const char *name, list *l, mgl_error *err)
{
    mgl_result *catalogue;
    bool all = strcmp(name, "all") == 0;
    mgl_status status = mgl_catalogue(all ? NULL : name, err, &catalogue);
    if (status != MGL_OK)
        return status;
    l->catalogue = catalogue;
    if (all) {
        fputs("Commands:\n", l->out);
        list_commands(l->catalogue, l->out);
        for (size_t i = 0; i < SECTIONS; i++) {
            fprintf(l->out, "\n%s:\n", sections[i].title);
            list_section(l, &sections[i]);
        }
    } else if (strcmp(name, "commands") == 0)
        list_commands(catalogue, l->out);
    for (size_t i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].section, name) == 0)
            list_section(l, &sections[i]);
    mgl_result_free(catalogue);
    return MGL_OK;
}

/* command: NULL: all options. */
static mgl_status describe_options(const char *command, list *l, mgl_error *err)
{
    mgl_cli_keys keys;
    mgl_status status = mgl_cli_keys_load("keys", err, &keys);
    if (status != MGL_OK)
        return status;
    list_keys(l, &keys, command);
    mgl_cli_keys_free(&keys);
    return MGL_OK;
}

static mgl_status describe_name(const char *name, mgl_error *err, FILE *out)
{
    mgl_cli_keys keys;
    mgl_status status = mgl_cli_keys_load(NULL, err, &keys);
    if (status != MGL_OK)
        return status;
    /* No name has such signs, and places of the catalogue do. */
    bool is_name = strpbrk(name, ".[\"") == NULL;
    if (!is_name || !help_about(&keys, name, out))
        status = refuse_name(&keys, name, err);
    mgl_cli_keys_free(&keys);
    return status;
}

static bool is_section(const char *name)
{
    for (size_t i = 0; i < SECTIONS; i++)
        if (strcmp(sections[i].section, name) == 0)
            return true;
    return strcmp(name, "commands") == 0 || strcmp(name, "all") == 0;
}

/* Writes about "commands", "methods", "models", "measures", "builders", "policies", "formats",
 * "options" or "keys", "all" of these, a command ("anonymize": its options), or one name out of
 * these. markdown: lists are tables. MGL_USAGE, and nothing written: there is no such name. */
static mgl_status describe(const char *name, bool markdown, mgl_error *err, FILE *out)
{
    list l = {.markdown = markdown && strcmp(name, "all") != 0, .out = out};
    if (is_section(name))
        return describe_sections(name, &l, err);
    if (strcmp(name, "keys") == 0 || strcmp(name, "options") == 0)
        return describe_options(NULL, &l, err);
    /* "utility" is an option too; as a name it is the command. */
    return mgl_cli_find(name) != NULL ? describe_options(name, &l, err)
                                      : describe_name(name, err, out);
}

/* Prints a text and frees it. */
static int print_made(char *text)
{
    int code = mgl_cli_print(stdout, text);
    free(text);
    return code;
}

/* "  mingle anonymize  DATA|JOB.yaml|PART... [options] -o RELEASE" */
static int print_usages(void)
{
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    mgl_cli_made_text made;
    FILE *out = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "  mingle %-10s %s\n", commands[i].name, commands[i].usage);
    fputs("  mingle --version\n", out);
    return print_made(mgl_cli_text_end(&made));
}

static int print_about(const char *name, bool markdown)
{
    mgl_error err;
    mgl_cli_made_text made;
    mgl_status status = describe(name, markdown, &err, mgl_cli_text_begin(&made));
    char *text = mgl_cli_text_end(&made);
    if (status == MGL_OK)
        return print_made(text);
    free(text);
    return mgl_cli_fail(&err);
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

/* The caller frees the text. */
static mgl_status write_command_help(const mgl_cli_command *command, bool all, mgl_error *err,
                                     char **out)
{
    mgl_cli_made_text made;
    mgl_status status = MGL_OK;
    FILE *file = mgl_cli_text_begin(&made);
    fprintf(file, "usage: mingle %s %s\n\n%s\n\nExample:\n  %s\n", command->name, command->usage,
            command->help, command->example);
    if (command->run == NULL)
        status = list_options(command->name, all, err, file);
    *out = mgl_cli_text_end(&made);
    return status;
}

/* Where all options fit on a screen, all are shown. */
int mgl_cli_print_help(const mgl_cli_command *command, bool all)
{
    enum { SCREEN = 40 };
    mgl_error err;
    char *text;
    mgl_status status = write_command_help(command, true, &err, &text);
    bool fits = status != MGL_OK || lines_of(text) <= SCREEN;
    if (!all && !fits) {
        free(text);
        status = write_command_help(command, false, &err, &text);
    }
    if (status == MGL_OK)
        return print_made(text);
    free(text);
    return mgl_cli_fail(&err);
}

/* One screen of 24 lines; the rest has topics of its own. */
static int print_overview(void)
{
    int code = print_about("commands", false);
    size_t n;
    const mgl_cli_command *commands = mgl_cli_commands(&n);
    mgl_cli_made_text made;
    FILE *out = mgl_cli_text_begin(&made);
    for (size_t i = 0; i < n; i++)
        if (commands[i].brief != NULL)
            fprintf(out, "  %-12s%s\n", commands[i].name, commands[i].brief);
    fputs("Topics:  commands  options  builders  treatments  formats  models  of privacy\n"
          "  methods  measures  policies  conflicts  all  or a name: mingle help NAME\n",
          out);
    char *text = mgl_cli_text_end(&made);
    if (code == MGL_OK)
        return print_made(text);
    free(text);
    return code;
}

static int refuse(const char *argument)
{
    mgl_error err = {.status = MGL_USAGE};
    snprintf(err.message, sizeof err.message, "unexpected argument '%.60s'; write mingle help NAME",
             argument);
    return mgl_cli_fail(&err);
}

int mgl_cli_run_help(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    const char *name = NULL;
    bool markdown = false, all = false;
    for (int i = 0; i < n_arguments; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0)
            return mgl_cli_print_help(command, false);
        if (strcmp(arguments[i], "--markdown") == 0)
            markdown = true;
        else if (name != NULL && mgl_cli_find(name) != NULL && strcmp(arguments[i], "all") == 0)
            all = true;
        else if (name != NULL || arguments[i][0] == '-')
            return refuse(arguments[i]);
        else
            name = arguments[i];
    }
    if (name == NULL)
        return print_overview();
    bool usages = strcmp(name, "commands") == 0 || strcmp(name, "all") == 0;
    if (usages && !markdown && print_usages() != MGL_OK)
        return MGL_SYSTEM;
    if (strcmp(name, "commands") == 0)
        return MGL_OK;
    if (usages && mgl_cli_print(stdout, "\n") != MGL_OK)
        return MGL_SYSTEM;
    const mgl_cli_command *subject = mgl_cli_find(name);
    if (subject == NULL || (markdown && subject->run == NULL))
        return print_about(name, markdown);
    return subject->run != NULL ? subject->run(subject, 1, (char *[]){"--help"})
                                : mgl_cli_print_help(subject, all);
}
