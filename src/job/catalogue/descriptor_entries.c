/* Entries of the catalogue about commands, methods, models, measures, builders, treatments,
 * policies and formats, each from its table of descriptors. catalogue.c calls it. */
#include "job/catalogue/catalogue.h"

#include "job/store/store.h"

#include <math.h>

/* ---- Commands ----------------------------------------------------------------------------------
 */

void mgl_catalogue_commands(json_t *section, const char *only)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_key key;
    for (size_t i = 0; i < n; i++) {
        if (!mgl_catalogue_wants(only, rows[i].name))
            continue;
        json_t *entry = json_object(), *keys = json_array();
        for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
            if ((key.commands & rows[i].command) != 0)
                mgl_json_append(keys, json_string(key.name));
        mgl_json_set(entry, "help", json_string(rows[i].help));
        mgl_json_set(entry, "actions", mgl_catalogue_words(rows[i].actions));
        mgl_json_set(entry, "keys", keys);
        mgl_json_set(section, rows[i].name, entry);
    }
}

/* ---- Methods -----------------------------------------------------------------------------------
 */

/* Keys that not every method has a use for. */
static json_t *keys_of_method(const mgl_method_type *type)
{
    json_t *keys = json_array();
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (mgl_key_is_of_methods(&key) && mgl_key_is_for(&key, type))
            mgl_json_append(keys, json_string(key.name));
    return keys;
}

void mgl_catalogue_methods(json_t *section, const char *only)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_method_type *type = types[i];
        if (!mgl_catalogue_wants(only, type->name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(type->help));
        mgl_json_set(entry, "when", json_string(type->when));
        mgl_json_set(entry, "cost", json_string(type->cost));
        mgl_json_set(entry, "standard", json_boolean(type->is_standard));
        mgl_json_set(entry, "columns",
                     json_string(type->full_domain  ? "one-level"
                                 : type->own_values ? "own-values"
                                                    : "mixed-levels"));
        mgl_json_set(entry, "several_quasi_identifiers", json_boolean(type->several_sets));
        mgl_json_set(entry, "keys", keys_of_method(type));
        mgl_json_set(section, type->name, entry);
    }
}

/* ---- Models ------------------------------------------------------------------------------------
 */

static json_t *bound(double value)
{
    enum { NO_BOUND = 15 }; /* digits: numbers from there on mean any */
    return isfinite(value) && fabs(value) < pow(10, NO_BOUND) ? mgl_json_real(value) : json_null();
}

static json_t *entry_of_parameter(const mgl_parameter *parameter, bool optional)
{
    mgl_key key;
    bool words = parameter->words != NULL;
    bool has_key = words && mgl_key_find(mgl_span_of(parameter->name), &key);
    json_t *entry = json_object();
    mgl_json_set(entry, "help", json_string(parameter->help));
    mgl_json_set(entry, "value",
                 json_string(words              ? "choice"
                             : parameter->whole ? "whole"
                                                : "number"));
    mgl_json_set(entry, "min", words ? json_null() : bound(parameter->min));
    mgl_json_set(entry, "max", words ? json_null() : bound(parameter->max));
    mgl_json_set(entry, "choices", mgl_catalogue_words(parameter->words));
    mgl_json_set(entry, "default", mgl_catalogue_text(words ? parameter->words[0] : NULL));
    mgl_json_set(entry, "optional", json_boolean(optional));
    mgl_json_set(entry, "key", mgl_catalogue_text(has_key ? key.name : NULL));
    return entry;
}

void mgl_catalogue_models(json_t *section, const char *only)
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_model_type *type = types[i];
        if (!mgl_catalogue_wants(only, type->name))
            continue;
        json_t *entry = json_object(), *parameters = json_object();
        for (size_t p = 0; p < type->n_parameters; p++)
            mgl_json_set(
                parameters, type->parameters[p].name,
                entry_of_parameter(&type->parameters[p], p >= mgl_parameters_needed(type)));
        mgl_json_set(entry, "help", json_string(type->help));
        mgl_json_set(entry, "when", json_string(type->when));
        mgl_json_set(entry, "key", json_string(type->option));
        mgl_json_set(entry, "attribute", json_boolean(type->takes_attribute));
        mgl_json_set(entry, "population", json_boolean(type->needs_population));
        mgl_json_set(entry, "parameters", parameters);
        mgl_json_set(section, type->name, entry);
    }
}

/* ---- Measures ----------------------------------------------------------------------------------
 */

void mgl_catalogue_measures(json_t *section, const char *only)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_measure_type *type = types[i];
        if (!mgl_catalogue_wants(only, type->name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(type->help));
        mgl_json_set(entry, "when", json_string(type->when));
        mgl_json_set(entry, "result", json_string(type->key));
        mgl_json_set(entry, "higher_is_better", json_boolean(type->higher_is_better));
        mgl_json_set(entry, "search", json_boolean(type->drives_search));
        mgl_json_set(entry, "standard", json_boolean(type->is_standard));
        mgl_json_set(entry, "column", json_boolean(type->takes_label));
        mgl_json_set(section, type->name, entry);
    }
}

/* ---- Builders, treatments, policies, formats
 * ---------------------------------------------------------------
 */

void mgl_catalogue_builders(json_t *section, const char *only)
{
    size_t n;
    const mgl_builder_type *types = mgl_builder_types(&n);
    for (size_t i = 0; i < n; i++) {
        if (!mgl_catalogue_wants(only, types[i].name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(types[i].help));
        mgl_json_set(entry, "syntax", json_string(types[i].syntax));
        mgl_json_set(entry, "example", json_string(types[i].example));
        mgl_json_set(section, types[i].name, entry);
    }
}

void mgl_catalogue_treatments(json_t *section, const char *only)
{
    size_t n;
    const mgl_treat_type *const *types = mgl_treat_types(&n);
    for (size_t i = 0; i < n; i++) {
        if (!mgl_catalogue_wants(only, types[i]->name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(types[i]->help));
        mgl_json_set(entry, "syntax", json_string(types[i]->syntax));
        mgl_json_set(entry, "example", json_string(types[i]->example));
        mgl_json_set(entry, "promise", json_string(types[i]->promise));
        mgl_json_set(section, types[i]->name, entry);
    }
}

/* "k-anonymity 5" */
static json_t *entry_of_rule(const mgl_policy_rule *rule)
{
    size_t size = strcspn(rule->text, " ");
    json_t *entry = json_object();
    mgl_json_set(entry, "model", json_stringn(rule->text, size));
    mgl_json_set(entry, "parameters", json_string(rule->text + size + (rule->text[size] == ' ')));
    mgl_json_set(entry, "if_sensitive", json_boolean(rule->if_sensitive));
    return entry;
}

void mgl_catalogue_policies(json_t *section, const char *only)
{
    size_t n;
    const mgl_policy *policies = mgl_policies(&n);
    for (size_t i = 0; i < n; i++) {
        if (!mgl_catalogue_wants(only, policies[i].name))
            continue;
        json_t *entry = json_object(), *models = json_array();
        for (size_t r = 0; r < MGL_MOST_RULES && policies[i].rules[r].text != NULL; r++)
            mgl_json_append(models, entry_of_rule(&policies[i].rules[r]));
        mgl_json_set(entry, "when", json_string(policies[i].when));
        mgl_json_set(entry, "models", models);
        mgl_json_set(section, policies[i].name, entry);
    }
}

/* ".csv .tsv" */
static json_t *endings_of(const mgl_format *format)
{
    json_t *list = json_array();
    for (const char *at = format->endings != NULL ? format->endings : ""; *at != '\0';) {
        size_t size = strcspn(at, " ");
        mgl_json_append(list, json_stringn(at, size));
        at += size;
        at += strspn(at, " ");
    }
    return list;
}

void mgl_catalogue_formats(json_t *section, const char *only)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_format *format = formats[i];
        if (!mgl_catalogue_wants(only, format->name))
            continue;
        bool written = format->text || format->sink != NULL || format->loaded || format->columns ||
                       format->save != NULL;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(format->help));
        mgl_json_set(entry, "endings", endings_of(format));
        mgl_json_set(entry, "scheme", mgl_catalogue_text(format->scheme));
        mgl_json_set(entry, "built", json_boolean(mgl_format_is_built(format)));
        mgl_json_set(entry, "read", json_boolean(format->source != NULL));
        mgl_json_set(entry, "written", json_boolean(written));
        mgl_json_set(entry, "memory", json_boolean(format->in_memory));
        mgl_json_set(entry, "stream", json_boolean(format->columns));
        mgl_json_set(entry, "sheets", json_boolean(format->sheets));
        mgl_json_set(entry, "most_rows",
                     format->most_rows > 0 ? mgl_json_count(format->most_rows) : json_null());
        mgl_json_set(section, format->name, entry);
    }
}

static json_t *methods_of(const mgl_conflict_row *row)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    json_t *names = json_array();
    for (size_t i = 0; i < n; i++)
        if (row->refuses(types[i]))
            mgl_json_append(names, json_string(types[i]->name));
    return names;
}

void mgl_catalogue_conflicts(json_t *section, const char *only)
{
    for (size_t i = 0; i < mgl_conflict_rows(); i++) {
        mgl_conflict_row row;
        char name[100];
        mgl_conflict_row_at(i, &row);
        snprintf(name, sizeof name, "%s+%s", row.key, row.with);
        if (!mgl_catalogue_wants(only, name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "key", json_string(row.key));
        mgl_json_set(entry, "with", json_string(row.with));
        mgl_json_set(entry, "why", json_string(row.why));
        mgl_json_set(entry, "commands",
                     row.commands != 0 ? mgl_catalogue_command_names(row.commands) : json_null());
        mgl_json_set(entry, "methods", row.refuses != NULL ? methods_of(&row) : json_null());
        mgl_json_set(section, name, entry);
    }
}
