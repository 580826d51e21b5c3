/* Writes lists of commands, options, methods, models, measures, builders, policies and formats, for
 * terminals and as tables of pages. The command `help` and --help call it. */
#include "cli/help/help.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* A list in the making. */
typedef struct list {
    const mgl_result *catalogue; /* what of it is listed */
    bool markdown;
    FILE *out;
} list;

enum { CELLS = 4 };

/* A terminal gets name and help. */
static void row(const list *l, const char *const cells[4])
{
    if (l->markdown)
        mgl_cli_markdown_row(l->out, cells);
    else
        mgl_cli_help_line(l->out, cells[0], cells[1]);
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

/* ---- Cells --------------------------------------------------------------------------------------
 */

/* Cells of a list; texts that are put together here, or NULL: field of the catalogue. Freed with
 * free. */
typedef char *cell_fn(const list *l, const char *name);

static char *copy_of(const char *text)
{
    mgl_cli_made_text made;
    fputs(text != NULL ? text : "", mgl_cli_text_begin(&made));
    return mgl_cli_text_end(&made);
}

static char *own_name(const list *l, const char *name)
{
    (void)l;
    return copy_of(name);
}

/* What no search goes by is known by its name in results. */
static char *name_of_measure(const list *l, const char *name)
{
    const mgl_result *catalogue = l->catalogue;
    return copy_of(mgl_cli_flag(catalogue, "measures", name, "search")
                       ? name
                       : mgl_cli_text(catalogue, "measures", name, "result"));
}

static char *syntax_of_builder(const list *l, const char *name)
{
    return copy_of(mgl_cli_text(l->catalogue, "builders", name, "syntax"));
}

static char *syntax_of_treatment(const list *l, const char *name)
{
    return copy_of(mgl_cli_text(l->catalogue, "treatments", name, "syntax"));
}

static char *models_of_policy(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_policy_models(l->catalogue, name, text);
    return mgl_cli_text_end(&made);
}

/* What its locations look like; a format without such is known by its contents. */
static char *location_of_format(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_format_location(l->catalogue, name, text);
    char *location = mgl_cli_text_end(&made);
    if (location[0] != '\0')
        return location;
    free(location);
    return copy_of(name);
}

static char *help_of_format(const list *l, const char *name)
{
    const mgl_result *catalogue = l->catalogue;
    bool told = l->markdown || mgl_cli_flag(catalogue, "formats", name, "written");
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    fprintf(text, "%s%s", mgl_cli_text(catalogue, "formats", name, "help"),
            told ? "" : " (not written)");
    return mgl_cli_text_end(&made);
}

static char *use_of_format(const list *l, const char *name)
{
    return copy_of(mgl_cli_format_use(l->catalogue, name));
}

/* What does not go together, as one types it. */
static char *keys_of_conflict(const list *l, const char *name)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    char both[200];
    snprintf(both, sizeof both, "`%s`, `%s`", mgl_cli_text(l->catalogue, "conflicts", name, "key"),
             mgl_cli_text(l->catalogue, "conflicts", name, "with"));
    mgl_cli_spell(both, text);
    return mgl_cli_text_end(&made);
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
    mgl_cli_spell(mgl_cli_text(l->catalogue, "conflicts", name, "why"), text);
    write_words(l, name, "commands", " (", ")", text);
    return mgl_cli_text_end(&made);
}

/* ---- Lists of a section ------------------------------------------------------------------------
 */

typedef struct section_row {
    const char *section;
    const char *heads[CELLS];
    /* How each cell is made, or the field that has it. */
    cell_fn *made[CELLS];
    const char *fields[CELLS];
    const char *title; /* in the list of everything */
} section_row;

static const section_row sections[] = {
    {"methods",
     {"method", "what it does", "when to use it", "what it costs"},
     {own_name},
     {NULL, "help", "when", "cost"},
     "Methods (--method)"},
    {"models",
     {"model", "what it promises", "when to use it"},
     {own_name},
     {NULL, "help", "when"},
     "Models"},
    {"measures",
     {"measure", "what it measures", "when to use it"},
     {name_of_measure},
     {NULL, "help", "when"},
     "Measures (--utility)"},
    {"builders",
     {"builder", "what it does", "example"},
     {syntax_of_builder},
     {NULL, "help", "example"},
     "Builders of hierarchies (--hierarchy COLUMN=...)"},
    {"treatments",
     {"treatment", "what it does", "example"},
     {syntax_of_treatment},
     {NULL, "help", "example"},
     "Treatments of columns (--treat COLUMN=...)"},
    {"policies",
     {"policy", "what must hold", "when to use it"},
     {own_name, models_of_policy},
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

static void list_section(const list *l, const section_row *section)
{
    const mgl_result *catalogue = l->catalogue;
    size_t n = mgl_result_size(catalogue, section->section);
    head(l, section->heads);
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(catalogue, section->section, i);
        char *cells[CELLS] = {NULL};
        if (mgl_cli_flag(catalogue, section->section, name, "stream"))
            continue; /* no command line hands streams over */
        for (size_t c = 0; c < CELLS; c++)
            if (section->heads[c] != NULL)
                cells[c] = section->made[c] != NULL
                               ? section->made[c](l, name)
                               : copy_of(mgl_cli_text(catalogue, section->section, name,
                                                      section->fields[c]));
        row(l, (const char *const *)cells);
        for (size_t c = 0; c < CELLS; c++)
            free(cells[c]);
    }
}

/* ---- Options -----------------------------------------------------------------------------------
 */

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
        mgl_cli_help_short(l->out, usage, help);
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

mgl_status mgl_cli_list_options(const char *command, bool all, mgl_error *err, FILE *out)
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

/* ---- Everything --------------------------------------------------------------------------------
 */

static void list_commands(const mgl_result *catalogue, FILE *out)
{
    size_t n = mgl_result_size(catalogue, "commands");
    for (size_t i = 0; i < n; i++) {
        const char *name = mgl_result_key(catalogue, "commands", i);
        fprintf(out, "  %-12s%s\n", name, mgl_cli_text(catalogue, "commands", name, "help"));
    }
}

static void list_everything(const list *l)
{
    fputs("Commands:\n", l->out);
    list_commands(l->catalogue, l->out);
    for (size_t i = 0; i < SECTIONS; i++) {
        fprintf(l->out, "\n%s:\n", sections[i].title);
        list_section(l, &sections[i]);
    }
}

/* ---- Names that are wrong
 * ------------------------------------------------------------------------ */

static mgl_status refuse(const mgl_cli_keys *keys, const char *name, mgl_error *err)
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

/* ---- What is asked for -------------------------------------------------------------------------
 */

/* A section of the catalogue, or all of it. */
static mgl_status describe_sections(const char *name, list *l, mgl_error *err)
{
    mgl_result *catalogue;
    bool all = strcmp(name, "all") == 0;
    mgl_status status = mgl_catalogue(all ? NULL : name, err, &catalogue);
    if (status != MGL_OK)
        return status;
    l->catalogue = catalogue;
    if (all)
        list_everything(l);
    else if (strcmp(name, "commands") == 0)
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
    if (!is_name || !mgl_cli_help_about(&keys, name, out))
        status = refuse(&keys, name, err);
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

mgl_status mgl_cli_describe(const char *name, bool markdown, mgl_error *err, FILE *out)
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
