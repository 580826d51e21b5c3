/* Writes help and the tables of pages: lists of commands, methods, models, measures, builders,
 * policies, formats and keys. The public mgl_describe calls it. */
#include "job/help/describe.h"

#include "job/help/complete.h"

#include "job/store/store.h"

#include <stdio.h>

enum { INDENT = 2, SECOND_COLUMN = 30, WIDTH = 80 };

/* ---- Layout ---------------------------------------------------------------------------- */

/* Words from column `at` on; the following lines begin at column `indent`. */
static void wrap(mgl_buffer *out, const char *text, size_t at, size_t indent)
{
    bool first = true;
    while (*text != '\0') {
        size_t word = strcspn(text, " ");
        if (!first && at + 1 + word > WIDTH) {
            mgl_buffer_format(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        mgl_buffer_text(out, first ? "" : " ");
        mgl_buffer_append(out, text, word);
        at += word + !first;
        first = false;
        text += word;
        text += strspn(text, " ");
    }
    mgl_buffer_text(out, "\n");
}

/* A line of a two-column list for a terminal: left, then right wrapped beside it. */
static void help_line(mgl_buffer *out, const char *left, const char *right)
{
    mgl_buffer_format(out, "%*s%s", INDENT, "", left);
    size_t at = INDENT + strlen(left);
    if (at + 2 > SECOND_COLUMN) {
        mgl_buffer_text(out, "\n");
        at = 0;
    }
    mgl_buffer_format(out, "%*s", (int)(SECOND_COLUMN - at), "");
    wrap(out, right, SECOND_COLUMN, SECOND_COLUMN);
}

void mgl_help_paragraph(mgl_buffer *out, const char *label, const char *text)
{
    enum { LABEL = 12 };
    if (text == NULL || text[0] == '\0')
        return;
    mgl_buffer_format(out, "%*s%-*s", INDENT, "", LABEL, label);
    wrap(out, text, INDENT + LABEL, INDENT + LABEL);
}

/* ---- Lists ------------------------------------------------------------------------------- */

/* A terminal gets name and help; last may be NULL: a table of three columns. */
static void row(mgl_buffer *out, bool markdown, const char *name, const char *help,
                const char *more, const char *last)
{
    if (!markdown) {
        help_line(out, name, help);
        return;
    }
    const char *const cells[] = {name, help, more, last};
    for (size_t i = 0; i < (last != NULL ? 4 : 3); i++) {
        mgl_buffer_text(out, i > 0 ? " | " : "| `");
        for (const char *c = cells[i] != NULL ? cells[i] : ""; *c != '\0'; c++) {
            mgl_buffer_text(out, *c == '|' ? "\\" : ""); /* it would end the cell */
            mgl_buffer_append(out, c, 1);
        }
        mgl_buffer_text(out, i == 0 ? "`" : "");
    }
    mgl_buffer_text(out, " |\n");
}

static void head(mgl_buffer *out, bool markdown, const char *a, const char *b, const char *c,
                 const char *last)
{
    if (!markdown)
        return;
    mgl_buffer_format(out, "| %s | %s | %s |", a, b, c);
    if (last != NULL)
        mgl_buffer_format(out, " %s |", last);
    mgl_buffer_format(out, "\n|---|---|---|%s\n", last != NULL ? "---|" : "");
}

static void list_methods(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    head(out, markdown, "method", "what it does", "when to use it", "what it costs");
    for (size_t i = 0; i < n; i++)
        row(out, markdown, types[i]->name, types[i]->help, types[i]->when, types[i]->cost);
}

static void list_models(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    head(out, markdown, "model", "what it promises", "when to use it", NULL);
    for (size_t i = 0; i < n; i++)
        row(out, markdown, types[i]->name, types[i]->help, types[i]->when, NULL);
}

static void list_measures(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    head(out, markdown, "measure", "what it measures", "when to use it", NULL);
    for (size_t i = 0; i < n; i++)
        row(out, markdown, types[i]->drives_search ? types[i]->name : types[i]->key, types[i]->help,
            types[i]->when, NULL);
}

static void list_builders(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_builder_type *types = mgl_builder_types(&n);
    head(out, markdown, "builder", "what it does", "example", NULL);
    for (size_t i = 0; i < n; i++)
        row(out, markdown, types[i].syntax, types[i].help, types[i].example, NULL);
}

static void list_policies(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_policy *policies = mgl_policies(&n);
    head(out, markdown, "policy", "what must hold", "when to use it", NULL);
    for (size_t i = 0; i < n; i++) {
        mgl_buffer models = {0};
        mgl_policy_models(&policies[i], &models);
        mgl_buffer_append(&models, "", 1);
        if (models.failed)
            out->failed = true;
        else
            row(out, markdown, policies[i].name, models.data, policies[i].when, NULL);
        mgl_buffer_free(&models);
    }
}

static const char *use_of(const mgl_format *format)
{
    return format->text || format->sink != NULL || format->loaded ? "read, written" : "read";
}

/* What its locations look like; a format without such is known by its contents. */
static const char *location_of(const mgl_format *format)
{
    return format->scheme != NULL ? format->scheme
                                  : (format->endings != NULL ? format->endings : format->name);
}

static void list_formats(mgl_buffer *out, bool markdown)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    head(out, markdown, "location", "what it is", "use", NULL);
    for (size_t i = 0; i < n; i++) {
        mgl_buffer help = {0};
        mgl_buffer_text(&help, formats[i]->help);
        if (!markdown && strcmp(use_of(formats[i]), "read") == 0)
            mgl_buffer_text(&help, " (not written)");
        mgl_buffer_append(&help, "", 1);
        if (help.failed)
            out->failed = true;
        else
            row(out, markdown, location_of(formats[i]), help.data, use_of(formats[i]), NULL);
        mgl_buffer_free(&help);
    }
}

static void key_help(const mgl_key *key, mgl_buffer *help)
{
    mgl_buffer_text(help, key->help);
    if (key->fallback != NULL && strcmp(key->name, "missing") == 0)
        mgl_buffer_text(help, " (default: empty and NA)");
    else if (key->fallback != NULL)
        mgl_buffer_format(help, " (default: %s)", key->fallback);
    mgl_buffer_append(help, "", 1);
}

static void list_keys(mgl_buffer *out, unsigned commands, bool markdown)
{
    head(out, markdown, "option", "what it says", "key", NULL);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if ((key.commands & commands) == 0)
            continue;
        mgl_buffer option = {0}, help = {0};
        if (key.letter != '\0' && key.name[1] != '\0')
            mgl_buffer_format(&option, "-%c, ", key.letter);
        mgl_key_usage(&key, &option);
        mgl_buffer_append(&option, "", 1);
        key_help(&key, &help);
        if (option.failed || help.failed)
            out->failed = true;
        else
            row(out, markdown, option.data, help.data, key.name, NULL);
        mgl_buffer_free(&option);
        mgl_buffer_free(&help);
    }
}

/* ---- Overview ------------------------------------------------------------------------------ */

/* What fits on one screen: the commands, and where the rest is told. */
static void overview(mgl_buffer *out)
{
    size_t n;
    const mgl_command_row *commands = mgl_command_rows(&n);
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(out, "  %-12s%s\n", commands[i].name, commands[i].help);
}

static void everything(mgl_buffer *out)
{
    mgl_buffer_text(out, "Commands:\n");
    overview(out);
    mgl_buffer_text(out, "\nMethods (--method):\n");
    list_methods(out, false);
    mgl_buffer_text(out, "\nModels:\n");
    list_models(out, false);
    mgl_buffer_text(out, "\nMeasures (--utility):\n");
    list_measures(out, false);
    mgl_buffer_text(out, "\nBuilders of hierarchies (--hierarchy COLUMN=...):\n");
    list_builders(out, false);
    mgl_buffer_text(out, "\nPolicies (--policy):\n");
    list_policies(out, false);
    mgl_buffer_text(out, "\nFormats of tables:\n");
    list_formats(out, false);
}

static bool describe(mgl_buffer *out, const char *kind, bool markdown)
{
    mgl_command command;
    if (kind == NULL || strcmp(kind, "commands") == 0)
        overview(out);
    else if (strcmp(kind, "all") == 0)
        everything(out);
    else if (strcmp(kind, "methods") == 0)
        list_methods(out, markdown);
    else if (strcmp(kind, "models") == 0)
        list_models(out, markdown);
    else if (strcmp(kind, "measures") == 0)
        list_measures(out, markdown);
    else if (strcmp(kind, "builders") == 0)
        list_builders(out, markdown);
    else if (strcmp(kind, "policies") == 0)
        list_policies(out, markdown);
    else if (strcmp(kind, "formats") == 0)
        list_formats(out, markdown);
    else if (strcmp(kind, "keys") == 0 || strcmp(kind, "options") == 0)
        list_keys(out, ~0u, markdown);
    /* "utility" is an option too; as a name it is the command. */
    else if (mgl_command_find(kind, &command))
        list_keys(out, command, markdown);
    else
        return mgl_describe_name(out, kind);
    return true;
}

static void try_names(mgl_nearest *nearest)
{
    static const char *const kinds[] = {"commands", "methods", "models",  "measures", "builders",
                                        "policies", "formats", "options", "keys",     "all"};
    size_t n;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        mgl_nearest_try(nearest, kinds[i]);
    const mgl_command_row *commands = mgl_command_rows(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, commands[i].name);
    const mgl_method_type *const *methods = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, methods[i]->name);
    const mgl_model_type *const *models = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, models[i]->name);
    const mgl_measure_type *const *measures = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, measures[i]->name);
    const mgl_builder_type *builders = mgl_builder_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, builders[i].name);
    const mgl_policy *policies = mgl_policies(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, policies[i].name);
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(nearest, formats[i]->name);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        mgl_nearest_try(nearest, key.name);
}

/* The format is the shell. */
static mgl_status describe_completion(const char *shell, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    if (!mgl_complete(shell, &text))
        return mgl_fail(err, MGL_USAGE,
                        "there is no completion for '%.60s'; give bash, zsh or fish",
                        shell != NULL ? shell : "");
    return mgl_buffer_take(&text, err, out);
}

mgl_status mgl_job_describe(const char *kind, const char *format, mgl_error *err, char **out)
{
    if (kind != NULL && strcmp(kind, "completion") == 0)
        return describe_completion(format, err, out);
    bool markdown = format != NULL && strcmp(format, "markdown") == 0;
    if (!markdown && format != NULL && strcmp(format, "text") != 0)
        return mgl_fail(err, MGL_USAGE, "unknown format '%.60s'; give text or markdown", format);
    mgl_buffer text = {0};
    if (describe(&text, kind, markdown))
        return mgl_buffer_take(&text, err, out);
    mgl_buffer_free(&text);
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(kind));
    try_names(&nearest);
    char advice[96] = "see mingle help";
    if (nearest.best != NULL)
        snprintf(advice, sizeof advice, "did you mean %s?", nearest.best);
    return mgl_fail(err, MGL_USAGE, "there is no help about '%.60s'; %s", kind, advice);
}
