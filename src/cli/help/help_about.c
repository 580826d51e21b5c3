/* Writes help about one method, model, measure, builder, policy, format or option. help_lists.c
 * calls it for names that are no list. */
#include "cli/help/help.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A name that is told about. */
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

static void tell(const subject *s, const char *label, const char *field)
{
    mgl_cli_paragraph(s->out, label, text_of(s, field));
}

static void tell_usage(const subject *s, const char *label, const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_write_usage(key, text);
    char *usage = mgl_cli_text_end(&made);
    mgl_cli_paragraph(s->out, label, usage);
    free(usage);
}

/* ---- Methods -----------------------------------------------------------------------------------
 */

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
    title(s, "method");
    tell(s, "what", "help");
    tell(s, "when", "when");
    tell(s, "cost", "cost");
    mgl_cli_paragraph(s->out, "columns", columns_of(text_of(s, "columns")));
    const char *name;
    for (size_t i = 0; (name = mgl_cli_item(s->catalogue, "methods", s->name, "keys", i)) != NULL;
         i++)
        tell_usage(s, i == 0 ? "options" : "", mgl_cli_keys_find(s->keys, name));
}

/* ---- Models ------------------------------------------------------------------------------------
 */

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

static void write_choices(const parameter *p, FILE *out)
{
    const char *word;
    for (size_t i = 0;
         (word = mgl_cli_item(p->model->catalogue, "models", p->path, "choices", i)) != NULL; i++)
        fprintf(out, "%s%s%s", i == 0 ? ", one of " : ", ", word, i == 0 ? " (the default)" : "");
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
    if (strcmp(value, "choice") == 0)
        write_choices(&p, text);
    else
        write_range(&p, strcmp(value, "whole") == 0, text);
    if (key != NULL)
        fprintf(text, "; option --%s%s", key,
                mgl_cli_flag(s->catalogue, "models", s->name, "attribute") ? " COLUMN=WORD"
                                                                           : " WORD");
    char *line = mgl_cli_text_end(&made);
    mgl_cli_paragraph(s->out, name, line);
    free(line);
}

static void about_model(const subject *s)
{
    title(s, "model");
    tell(s, "what", "help");
    tell(s, "when", "when");
    tell_usage(s, "option", mgl_cli_keys_find(s->keys, text_of(s, "key")));
    if (mgl_cli_flag(s->catalogue, "models", s->name, "attribute"))
        mgl_cli_paragraph(s->out, "attribute", "the sensitive column it protects");
    if (mgl_cli_flag(s->catalogue, "models", s->name, "population"))
        mgl_cli_paragraph(s->out, "needs", "--population FILE");
    char path[80];
    snprintf(path, sizeof path, "models.%s.parameters", s->name);
    for (size_t i = 0; i < mgl_result_size(s->catalogue, path); i++)
        about_parameter(s, mgl_result_key(s->catalogue, path, i));
}

/* ---- The others --------------------------------------------------------------------------------
 */

static void about_measure(const subject *s)
{
    title(s, "measure");
    tell(s, "what", "help");
    tell(s, "when", "when");
    mgl_cli_paragraph(
        s->out, "better",
        mgl_cli_flag(s->catalogue, "measures", s->name, "higher_is_better") ? "higher" : "lower");
    tell(s, "in results", "result");
    if (mgl_cli_flag(s->catalogue, "measures", s->name, "search"))
        mgl_cli_paragraph(s->out, "option", "--utility");
}

static void about_builder(const subject *s)
{
    title(s, "builder");
    tell(s, "what", "help");
    tell(s, "syntax", "syntax");
    tell(s, "example", "example");
}

static void about_treatment(const subject *s)
{
    title(s, "treatment");
    tell(s, "what", "help");
    tell(s, "syntax", "syntax");
    tell(s, "example", "example");
    mgl_cli_paragraph(s->out, "option", "--treat");
}

void mgl_cli_policy_models(const mgl_result *catalogue, const char *policy, FILE *out)
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
    mgl_cli_policy_models(s->catalogue, s->name, text);
    char *models = mgl_cli_text_end(&made);
    title(s, "policy");
    mgl_cli_paragraph(s->out, "what", models);
    tell(s, "when", "when");
    mgl_cli_paragraph(s->out, "option", "--policy");
    free(models);
}

const char *mgl_cli_format_use(const mgl_result *catalogue, const char *format)
{
    return mgl_cli_flag(catalogue, "formats", format, "written") ? "read, written" : "read";
}

void mgl_cli_format_location(const mgl_result *catalogue, const char *format, FILE *out)
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
    mgl_cli_format_location(s->catalogue, s->name, text);
    char *location = mgl_cli_text_end(&made);
    title(s, "format");
    tell(s, "what", "help");
    mgl_cli_paragraph(s->out, "location", location);
    mgl_cli_paragraph(s->out, "use", mgl_cli_format_use(s->catalogue, s->name));
    free(location);
}

/* ---- Options ------------------------------------------------------------------------------------
 */

static void tell_commands(const subject *s, const mgl_cli_key *key)
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
    mgl_cli_paragraph(s->out, "commands", names);
    free(names);
}

static void about_key(const subject *s, const mgl_cli_key *key)
{
    mgl_cli_made_text made;
    FILE *text = mgl_cli_text_begin(&made);
    mgl_cli_write_help(key, text);
    char *help = mgl_cli_text_end(&made);
    title(s, "option and key of the job file");
    mgl_cli_paragraph(s->out, "what", help);
    tell_usage(s, "option", key);
    mgl_cli_paragraph(s->out, "default",
                      key->catalogue != NULL ? text_of(s, "default") : key->fallback);
    tell_commands(s, key);
    free(help);
}

/* ---- Whatever has the name --------------------------------------------------------------------
 */

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
    const char *section;
    const char *field; /* by which it is known as well; NULL: by its name alone */
    void (*tell)(const subject *s);
} sections[] = {
    {"methods", NULL, about_method},       {"models", "key", about_model},
    {"measures", "result", about_measure}, {"builders", NULL, about_builder},
    {"treatments", NULL, about_treatment}, {"policies", NULL, about_policy},
    {"formats", NULL, about_format},
};

bool mgl_cli_help_about(const mgl_cli_keys *keys, const char *name, FILE *out)
{
    bool begun = false;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const char *section = sections[i].section, *found = name;
        if (mgl_cli_text(keys->catalogue, section, name, "when") == NULL &&
            mgl_cli_text(keys->catalogue, section, name, "help") == NULL)
            found = sections[i].field == NULL
                        ? NULL
                        : entry_with(keys->catalogue, section, sections[i].field, name);
        if (found != NULL && !mgl_cli_flag(keys->catalogue, section, found, "stream"))
            sections[i].tell(&(subject){keys, keys->catalogue, section, found, &begun, out});
    }
    const mgl_cli_key *key = mgl_cli_keys_find(keys, name);
    if (key != NULL && strcmp(key->where, "model") != 0)
        about_key(&(subject){keys, keys->catalogue, "keys", name, &begun, out}, key);
    return begun;
}
