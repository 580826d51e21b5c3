/* Writes help about one method, model, measure, builder, policy or key. describe.c calls it. */
#include "job/help/describe.h"

#include "job/store/store.h"

#include <math.h>

static void title(mgl_buffer *out, const char *name, const char *what)
{
    mgl_buffer_format(out, "%s%s (%s)\n", out->size > 0 ? "\n" : "", name, what);
}

/* Keys that not every method has a use for, as options. */
static void describe_options(mgl_buffer *out, const mgl_method_type *type)
{
    mgl_key key;
    const char *label = "options";
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        mgl_buffer option = {0};
        if (!mgl_key_is_of_methods(&key) || !mgl_key_is_for(&key, type))
            continue;
        mgl_key_usage(&key, &option);
        mgl_buffer_append(&option, "", 1);
        if (option.failed)
            out->failed = true;
        else
            mgl_help_paragraph(out, label, option.data);
        mgl_buffer_free(&option);
        label = "";
    }
}

static void describe_method(mgl_buffer *out, const mgl_method_type *type)
{
    title(out, type->name, "method");
    mgl_help_paragraph(out, "what", type->help);
    mgl_help_paragraph(out, "when", type->when);
    mgl_help_paragraph(out, "cost", type->cost);
    mgl_help_paragraph(out, "columns",
                       type->full_domain  ? "every column has one level"
                       : type->own_values ? "a column may have values that its hierarchy lacks"
                                          : "a column may mix levels");
    describe_options(out, type);
}

static void add_words(mgl_buffer *line, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        mgl_buffer_format(line, "%s%s%s", i == 0 ? ", one of " : ", ", words[i],
                          i == 0 ? " (the default)" : "");
}

static void add_range(mgl_buffer *line, const mgl_parameter *parameter)
{
    mgl_buffer_text(line, parameter->whole ? ", a whole number" : ", a number");
    if (isfinite(parameter->max) && parameter->max < 1e15)
        mgl_buffer_format(line, " from %.15g to %.15g", parameter->min, parameter->max);
    else if (isfinite(parameter->min))
        mgl_buffer_format(line, " of at least %.15g", parameter->min);
}

static void describe_parameter(mgl_buffer *out, const mgl_model_type *type,
                               const mgl_parameter *parameter)
{
    mgl_buffer line = {0};
    mgl_key key;
    mgl_buffer_text(&line, parameter->help);
    if (parameter->words != NULL)
        add_words(&line, parameter->words);
    else
        add_range(&line, parameter);
    if (parameter->words != NULL && mgl_key_find(mgl_span_of(parameter->name), &key))
        mgl_buffer_format(&line, "; option --%s%s", parameter->name,
                          type->takes_attribute ? " COLUMN=WORD" : " WORD");
    mgl_buffer_append(&line, "", 1);
    if (line.failed)
        out->failed = true;
    else
        mgl_help_paragraph(out, parameter->name, line.data);
    mgl_buffer_free(&line);
}

static void describe_model(mgl_buffer *out, const mgl_model_type *type)
{
    mgl_key key;
    mgl_buffer option = {0};
    title(out, type->name, "model");
    mgl_help_paragraph(out, "what", type->help);
    mgl_help_paragraph(out, "when", type->when);
    if (mgl_key_find(mgl_span_of(type->option), &key)) {
        mgl_key_usage(&key, &option);
        mgl_buffer_append(&option, "", 1);
        if (option.failed)
            out->failed = true;
        else
            mgl_help_paragraph(out, "option", option.data);
        mgl_buffer_free(&option);
    }
    if (type->takes_attribute)
        mgl_help_paragraph(out, "attribute", "the sensitive column it protects");
    if (type->needs_population)
        mgl_help_paragraph(out, "needs", "--population FILE");
    for (size_t i = 0; i < type->n_parameters; i++)
        describe_parameter(out, type, &type->parameters[i]);
}

static void describe_measure(mgl_buffer *out, const mgl_measure_type *type)
{
    title(out, type->name, "measure");
    mgl_help_paragraph(out, "what", type->help);
    mgl_help_paragraph(out, "when", type->when);
    mgl_help_paragraph(out, "better", type->higher_is_better ? "higher" : "lower");
    mgl_help_paragraph(out, "in results", type->key);
    if (type->drives_search)
        mgl_help_paragraph(out, "option", "--utility");
}

static void describe_builder(mgl_buffer *out, const mgl_builder_type *type)
{
    title(out, type->name, "builder");
    mgl_help_paragraph(out, "what", type->help);
    mgl_help_paragraph(out, "syntax", type->syntax);
    mgl_help_paragraph(out, "example", type->example);
}

static void describe_policy(mgl_buffer *out, const mgl_policy *policy)
{
    mgl_buffer models = {0};
    mgl_policy_models(policy, &models);
    mgl_buffer_append(&models, "", 1);
    title(out, policy->name, "policy");
    if (models.failed)
        out->failed = true;
    else
        mgl_help_paragraph(out, "what", models.data);
    mgl_help_paragraph(out, "when", policy->when);
    mgl_help_paragraph(out, "option", "--policy");
    mgl_buffer_free(&models);
}

static void describe_commands(mgl_buffer *out, unsigned commands)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_buffer names = {0};
    for (size_t i = 0; i < n; i++)
        if ((commands & rows[i].command) != 0)
            mgl_buffer_format(&names, "%s%s", names.size > 0 ? ", " : "", rows[i].name);
    mgl_buffer_append(&names, "", 1);
    if (names.failed)
        out->failed = true;
    else
        mgl_help_paragraph(out, "commands", names.data);
    mgl_buffer_free(&names);
}

static void describe_key(mgl_buffer *out, const mgl_key *key)
{
    mgl_buffer option = {0};
    mgl_key_usage(key, &option);
    mgl_buffer_append(&option, "", 1);
    title(out, key->name, "option and key of the job file");
    mgl_help_paragraph(out, "what", key->help);
    if (option.failed)
        out->failed = true;
    else
        mgl_help_paragraph(out, "option", option.data);
    mgl_help_paragraph(out, "default", key->fallback);
    describe_commands(out, key->commands);
    mgl_buffer_free(&option);
}

static void describe_format(mgl_buffer *out, const mgl_format *format)
{
    bool written = format->text || format->sink != NULL || format->loaded;
    title(out, format->name, "format");
    mgl_help_paragraph(out, "what", format->help);
    mgl_help_paragraph(out, "location", format->scheme != NULL ? format->scheme : format->endings);
    mgl_help_paragraph(out, "use", written ? "read, written" : "read");
}

bool mgl_describe_name(mgl_buffer *out, const char *name)
{
    size_t n_builders, n_formats;
    const mgl_method_type *method = mgl_method_type_find(name);
    const mgl_model_type *model = mgl_model_type_find(name);
    if (model == NULL)
        model = mgl_model_type_find_option(name);
    const mgl_measure_type *measure = mgl_measure_type_find(name);
    if (measure == NULL)
        measure = mgl_measure_type_find_key(name);
    const mgl_builder_type *builders = mgl_builder_types(&n_builders);
    const mgl_format *const *formats = mgl_formats(&n_formats);
    mgl_key key;
    if (method != NULL)
        describe_method(out, method);
    if (model != NULL)
        describe_model(out, model);
    if (measure != NULL)
        describe_measure(out, measure);
    for (size_t i = 0; i < n_builders; i++)
        if (strcmp(builders[i].name, name) == 0)
            describe_builder(out, &builders[i]);
    const mgl_policy *policy = mgl_policy_find(mgl_span_of(name));
    if (policy != NULL)
        describe_policy(out, policy);
    for (size_t i = 0; i < n_formats; i++)
        if (strcmp(formats[i]->name, name) == 0)
            describe_format(out, formats[i]);
    if (mgl_key_find(mgl_span_of(name), &key) && key.kind != MGL_KEY_MODEL)
        describe_key(out, &key);
    return out->size > 0 || out->failed;
}
