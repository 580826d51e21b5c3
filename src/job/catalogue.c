/* The catalogue: everything that the library offers as one document, made from the tables of keys,
 * commands, methods, models, measures, builders, treatments, policies and formats. Fronts make
 * their options, signatures and help of it. */
#include "job/keys/keys.h"
#include "job/store/store.h"
#include "result/result.h"

#include <math.h>

/* A text, or null. */
static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

/* Words up to a NULL, as a list; NULL: null. */
static json_t *words_or_null(const char *const *words)
{
    if (words == NULL)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; words[i] != NULL; i++)
        mgl_json_append(list, json_string(words[i]));
    return list;
}

/* True if `only`, the one entry that is asked for, is this name; NULL asks for all. */
static bool wants(const char *only, const char *name)
{
    return only == NULL || strcmp(only, name) == 0;
}

static void add_commands(json_t *section, const char *only)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    mgl_key key;
    for (size_t i = 0; i < n; i++) {
        if (!wants(only, rows[i].name))
            continue;
        json_t *entry = json_object(), *keys = json_array();
        for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
            if ((key.commands & rows[i].command) != 0)
                mgl_json_append(keys, json_string(key.name));
        mgl_json_set(entry, "help", json_string(rows[i].help));
        mgl_json_set(entry, "actions", words_or_null(rows[i].actions));
        mgl_json_set(entry, "keys", keys);
        mgl_json_set(section, rows[i].name, entry);
    }
}

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

static void add_methods(json_t *section, const char *only)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_method_type *type = types[i];
        if (!wants(only, type->name))
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
    mgl_json_set(entry, "choices", words_or_null(parameter->words));
    mgl_json_set(entry, "default", text_or_null(words ? parameter->words[0] : NULL));
    mgl_json_set(entry, "optional", json_boolean(optional));
    mgl_json_set(entry, "key", text_or_null(has_key ? key.name : NULL));
    return entry;
}

/* The keys of which the model needs one, beside the table. */
static json_t *needs_of_model(const mgl_model_type *type)
{
    json_t *needs = json_array();
    if (type->by_household)
        mgl_json_append(needs, json_string("household"));
    if (type->needs_population)
        mgl_json_append(needs, json_string("population"));
    if (type->needs_fraction || (type->needs_population && type->sampled != NULL))
        mgl_json_append(needs, json_string("sampling-fraction"));
    if (json_array_size(needs) > 0 && !type->by_household && type->weighed != NULL)
        mgl_json_append(needs, json_string("weight"));
    return needs;
}

static void add_models(json_t *section, const char *only)
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_model_type *type = types[i];
        if (!wants(only, type->name))
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
        mgl_json_set(entry, "needs", needs_of_model(type));
        mgl_json_set(entry, "parameters", parameters);
        mgl_json_set(section, type->name, entry);
    }
}

static void add_measures(json_t *section, const char *only)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_measure_type *type = types[i];
        if (!wants(only, type->name))
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

static void add_builders(json_t *section, const char *only)
{
    size_t n;
    const mgl_builder_type *types = mgl_builder_types(&n);
    for (size_t i = 0; i < n; i++) {
        if (!wants(only, types[i].name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(types[i].help));
        mgl_json_set(entry, "syntax", json_string(types[i].syntax));
        mgl_json_set(entry, "example", json_string(types[i].example));
        mgl_json_set(section, types[i].name, entry);
    }
}

static void add_treatments(json_t *section, const char *only)
{
    size_t n;
    const mgl_treat_type *const *types = mgl_treat_types(&n);
    for (size_t i = 0; i < n; i++) {
        if (!wants(only, types[i]->name))
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

static void add_policies(json_t *section, const char *only)
{
    size_t n;
    const mgl_policy *policies = mgl_policies(&n);
    for (size_t i = 0; i < n; i++) {
        if (!wants(only, policies[i].name))
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

static void add_formats(json_t *section, const char *only)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_format *format = formats[i];
        if (!wants(only, format->name))
            continue;
        bool written = format->text || format->sink != NULL || format->loaded || format->columns ||
                       format->save != NULL;
        json_t *entry = json_object();
        mgl_json_set(entry, "help", json_string(format->help));
        mgl_json_set(entry, "endings", endings_of(format));
        mgl_json_set(entry, "scheme", text_or_null(format->scheme));
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

static bool is_word(mgl_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!(text.data[i] >= 'a' && text.data[i] <= 'z') && text.data[i] != '-')
            return false;
    return text.size > 0;
}

/* "COLUMN=nominal|number|date" names all values there are, "N|X%" does not. */
static json_t *words_of_syntax(const char *syntax)
{
    const char *equals = syntax != NULL ? strchr(syntax, '=') : NULL;
    mgl_span rest = mgl_span_of(syntax == NULL ? "" : equals != NULL ? equals + 1 : syntax);
    json_t *words = json_array();
    while (rest.size > 0) {
        const char *bar = memchr(rest.data, '|', rest.size);
        mgl_span word = {rest.data, bar != NULL ? (size_t)(bar - rest.data) : rest.size};
        if (!is_word(word)) {
            json_decref(words);
            return json_null();
        }
        mgl_json_append(words, json_stringn(word.data, word.size));
        rest = (mgl_span){word.data + word.size + (bar != NULL),
                          rest.size - word.size - (bar != NULL)};
    }
    if (json_array_size(words) > 0 || !mgl_json_complete(words))
        return words;
    json_decref(words);
    return json_null();
}

/* A parameter of models can have a key of its own ("distance"). */
static const char *const *words_of_parameter(const mgl_key *key)
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++) {
        size_t place = mgl_word_parameter(types[i], key->name);
        if (place < types[i]->n_parameters)
            return types[i]->parameters[place].words;
    }
    return NULL;
}

static json_t *choices_of(const mgl_key *key)
{
    const char *const *words =
        key->parser.words != NULL ? key->parser.words : words_of_parameter(key);
    return words != NULL ? words_or_null(words) : words_of_syntax(key->value);
}

static const char *value_of(const mgl_key *key, bool choice)
{
    static const char *const of_forms[] = {
        [MGL_PARSE_TEXT] = "text",     [MGL_PARSE_FLAG] = "flag",   [MGL_PARSE_EITHER] = "choice",
        [MGL_PARSE_WORD] = "choice",   [MGL_PARSE_WHOLE] = "whole", [MGL_PARSE_SMALL] = "whole",
        [MGL_PARSE_NUMBER] = "number", [MGL_PARSE_OWN] = "text",
    };
    switch (key->kind) {
    case MGL_KEY_FLAG:
        return "flag";
    case MGL_KEY_ALL_OR:
        return "flag-or-columns";
    case MGL_KEY_INPUT:
    case MGL_KEY_INPUTS:
    case MGL_KEY_OUTPUT:
        return "file";
    case MGL_KEY_MODEL:
        return "parameters";
    default:
        return choice ? "choice" : of_forms[key->parser.kind];
    }
}

/* A policy or a hierarchy is a name, or a file. */
static const char *file_of(const mgl_key *key)
{
    bool either =
        key->kind == MGL_KEY_POLICY || (key->names != NULL && strcmp(key->names, "builders") == 0);
    return key->kind == MGL_KEY_OUTPUT ? "written" : mgl_key_is_path(key) || either ? "read" : NULL;
}

static void add_value(json_t *entry, const mgl_key *key)
{
    mgl_buffer syntax = {0};
    mgl_key_value_syntax(key, &syntax);
    json_t *choices = choices_of(key);
    bool list = key->kind == MGL_KEY_LIST || key->kind == MGL_KEY_INPUTS ||
                key->kind == MGL_KEY_COLUMNS || key->kind == MGL_KEY_ALL_OR || key->list;
    mgl_json_set(entry, "value", json_string(value_of(key, json_is_array(choices))));
    mgl_json_set(entry, "list", json_boolean(list));
    mgl_json_set(entry, "syntax", mgl_json_take(&syntax));
    mgl_json_set(entry, "choices", choices);
    mgl_json_set(entry, "names", text_or_null(key->names));
    mgl_json_set(entry, "file", text_or_null(file_of(key)));
    bool number = key->parser.kind == MGL_PARSE_WHOLE || key->parser.kind == MGL_PARSE_SMALL ||
                  key->parser.kind == MGL_PARSE_NUMBER;
    mgl_json_set(entry, "min", number ? mgl_json_real(key->parser.min) : json_null());
    mgl_json_set(entry, "above_min", json_boolean(number && key->parser.above));
    mgl_json_set(entry, "max",
                 number && key->parser.max != 0 ? mgl_json_real(key->parser.max) : json_null());
    mgl_json_set(entry, "default", text_or_null(key->fallback));
}

/* commands: mgl_command bits */
static json_t *commands_of(unsigned commands)
{
    size_t n;
    const mgl_command_row *rows = mgl_command_rows(&n);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if ((commands & rows[i].command) != 0)
            mgl_json_append(list, json_string(rows[i].name));
    return list;
}

static json_t *methods_of(const mgl_key *key)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    if (!mgl_key_is_of_methods(key))
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (mgl_key_is_for(key, types[i]))
            mgl_json_append(list, json_string(types[i]->name));
    return list;
}

static const char *where_of(const mgl_key *key)
{
    return key->kind == MGL_KEY_MODEL ? "model" : key->kind == MGL_KEY_BY_COLUMN ? "column" : "job";
}

static json_t *other_names_of(const mgl_key *key)
{
    const char *name;
    json_t *list = json_array();
    for (size_t i = 0; (name = mgl_key_other_name(key, i)) != NULL; i++)
        mgl_json_append(list, json_string(name));
    return list;
}

static json_t *entry_of(const mgl_key *key)
{
    static const char *const records[] = {[MGL_RECORD_ALWAYS] = "always",
                                          [MGL_RECORD_SECRET] = "secret",
                                          [MGL_RECORD_RUN] = "run",
                                          [MGL_RECORD_NEVER] = "never"};
    bool repeats = key->kind == MGL_KEY_COLUMNS || key->kind == MGL_KEY_BY_COLUMN ||
                   (key->model != NULL && key->model->takes_attribute);
    json_t *entry = json_object();
    mgl_json_set(entry, "help", json_string(key->help));
    mgl_json_set(entry, "group", json_string(key->group));
    mgl_json_set(entry, "brief", text_or_null(key->brief));
    mgl_json_set(entry, "common", commands_of(key->commands & key->common));
    mgl_json_set(entry, "where", json_string(where_of(key)));
    mgl_json_set(entry, "field", text_or_null(key->field));
    mgl_json_set(entry, "role", text_or_null(key->role));
    mgl_json_set(entry, "model", text_or_null(key->model != NULL ? key->model->name : NULL));
    add_value(entry, key);
    mgl_json_set(entry, "repeats", json_boolean(repeats));
    mgl_json_set(entry, "reading", json_boolean(key->of_reading));
    mgl_json_set(entry, "session", json_boolean(key->of_session));
    mgl_json_set(entry, "recorded", json_string(records[key->record]));
    mgl_json_set(entry, "commands", commands_of(key->commands));
    mgl_json_set(entry, "methods", methods_of(key));
    mgl_json_set(entry, "other_names", other_names_of(key));
    return entry;
}

static void add_keys(json_t *section, const char *only)
{
    mgl_key key;
    if (only != NULL) {
        if (mgl_key_find(mgl_span_of(only), &key))
            mgl_json_set(section, key.name, entry_of(&key));
        return;
    }
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        mgl_json_set(section, key.name, entry_of(&key));
}

static void add_key_of_field(json_t *section, const mgl_key *key)
{
    json_t *entry = json_object_get(section, key->field);
    if (entry == NULL) {
        mgl_json_set(section, key->field, json_object());
        entry = json_object_get(section, key->field);
        mgl_json_set(entry, "choices",
                     key->kind == MGL_KEY_COLUMNS ? json_array() : choices_of(key));
        mgl_json_set(entry, "keys", json_array());
    }
    if (key->kind == MGL_KEY_COLUMNS)
        mgl_json_append(json_object_get(entry, "choices"), json_string(key->role));
    mgl_json_append(json_object_get(entry, "keys"), json_string(key->name));
}

static void add_fields(json_t *section, const char *only)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (key.field != NULL && wants(only, key.field))
            add_key_of_field(section, &key);
}

static json_t *methods_refused_by(const mgl_conflict_row *row)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    json_t *names = json_array();
    for (size_t i = 0; i < n; i++)
        if (row->refuses(types[i]))
            mgl_json_append(names, json_string(types[i]->name));
    return names;
}

/* Does an earlier row have the same two keys? */
static bool is_second(size_t i)
{
    mgl_conflict_row row, before;
    mgl_conflict_row_at(i, &row);
    for (size_t j = 0; j < i; j++) {
        mgl_conflict_row_at(j, &before);
        if (strcmp(before.key, row.key) == 0 && strcmp(before.with, row.with) == 0)
            return true;
    }
    return false;
}

static void add_conflicts(json_t *section, const char *only)
{
    for (size_t i = 0; i < mgl_conflict_rows(); i++) {
        mgl_conflict_row row;
        char name[100];
        mgl_conflict_row_at(i, &row);
        snprintf(name, sizeof name, "%s+%s", row.key, row.with);
        if (is_second(i)) /* by another value of the key */
            snprintf(name, sizeof name, "%s+%s+2", row.key, row.with);
        if (!wants(only, name))
            continue;
        json_t *entry = json_object();
        mgl_json_set(entry, "key", json_string(row.key));
        mgl_json_set(entry, "with", json_string(row.with));
        mgl_json_set(entry, "why", json_string(row.why));
        mgl_json_set(entry, "commands",
                     row.commands != 0 ? commands_of(row.commands) : json_null());
        mgl_json_set(entry, "methods",
                     row.refuses != NULL ? methods_refused_by(&row) : json_null());
        mgl_json_set(section, name, entry);
    }
}

enum { SCHEMA = 1 }; /* of the document; a field that goes or means something else raises it */

static const struct {
    const char *name;
    void (*fill)(json_t *section, const char *only);
} sections[] = {
    {"commands", add_commands},   {"keys", add_keys},
    {"attributes", add_fields},   {"methods", add_methods},
    {"models", add_models},       {"measures", add_measures},
    {"builders", add_builders},   {"treatments", add_treatments},
    {"policies", add_policies},   {"formats", add_formats},
    {"conflicts", add_conflicts},
};

/* An entry of that name was there. */
static bool fill_section(json_t *document, size_t i, const char *only)
{
    json_t *section = json_object();
    sections[i].fill(section, only);
    /* Where memory is out the section is empty as well, and the document is incomplete. */
    bool found = only == NULL || !mgl_json_complete(section) || json_object_size(section) > 0;
    mgl_json_set(document, sections[i].name, section);
    return found;
}

static mgl_status refuse(const char *what, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(what));
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        mgl_nearest_try(&nearest, sections[i].name);
    return nearest.best != NULL
               ? mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                          "the catalogue has no '%.60s'; did you mean '%s'?", what, nearest.best)
               : mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                          "the catalogue has no '%.60s'; ask for a section (keys), for one of its "
                          "entries (keys.suppress), or for all of it",
                          what);
}

/* what: NULL, "keys" or "keys.suppress". */
static mgl_status fill(json_t *document, const char *what, mgl_error *err)
{
    size_t size = what != NULL ? strcspn(what, ".") : 0;
    const char *only = what != NULL && what[size] == '.' ? what + size + 1 : NULL;
    bool found = what == NULL;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (what == NULL || mgl_span_is((mgl_span){what, size}, sections[i].name))
            found = fill_section(document, i, only);
    return found ? MGL_OK : refuse(what, err);
}

mgl_status mgl_job_catalogue(const char *what, mgl_error *err, mgl_result **out)
{
    mgl_result *catalogue;
    MGL_TRY(mgl_result_new("catalogue", err, &catalogue));
    mgl_status status = MGL_OK;
    mgl_json_set(catalogue->document, "schema", json_integer(SCHEMA));
    MGL_GO(fill(catalogue->document, what, err));
    if (what == NULL)
        mgl_json_set(catalogue->document, "reserved", words_or_null(mgl_reserved_keys()));
    MGL_GO(mgl_result_complete(catalogue, err));
    *out = catalogue;
    catalogue = NULL;
done:
    mgl_result_free(catalogue);
    return status;
}
