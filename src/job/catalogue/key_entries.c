/* Entries of the catalogue about keys: what each says, where it stands and what its value is; and
 * the fields of columns that keys fill. catalogue.c calls it. */
#include "job/catalogue/catalogue.h"

/* ---- Values ------------------------------------------------------------------------------------
 */

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
    const char *const *words = key->form.words != NULL ? key->form.words : words_of_parameter(key);
    return words != NULL ? mgl_catalogue_words(words) : words_of_syntax(key->value);
}

static const char *value_of(const mgl_key *key, bool choice)
{
    static const char *const of_forms[] = {
        [MGL_FORM_TEXT] = "text",     [MGL_FORM_FLAG] = "flag",   [MGL_FORM_EITHER] = "choice",
        [MGL_FORM_WORD] = "choice",   [MGL_FORM_WHOLE] = "whole", [MGL_FORM_SMALL] = "whole",
        [MGL_FORM_NUMBER] = "number", [MGL_FORM_OWN] = "text",
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
        return choice ? "choice" : of_forms[key->form.kind];
    }
}

/* A policy or a hierarchy is a name, or a file. */
static const char *file_of(const mgl_key *key)
{
    bool either =
        key->kind == MGL_KEY_POLICY || (key->names != NULL && strcmp(key->names, "builders") == 0);
    return key->kind == MGL_KEY_OUTPUT ? "written" : mgl_key_is_path(key) || either ? "read" : NULL;
}

static void add_range(json_t *entry, const mgl_form *form)
{
    bool number = form->kind == MGL_FORM_WHOLE || form->kind == MGL_FORM_SMALL ||
                  form->kind == MGL_FORM_NUMBER;
    mgl_json_set(entry, "min", number ? mgl_json_real(form->min) : json_null());
    mgl_json_set(entry, "above_min", json_boolean(number && form->above));
    mgl_json_set(entry, "max", number && form->max != 0 ? mgl_json_real(form->max) : json_null());
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
    mgl_json_set(entry, "syntax",
                 syntax.failed ? NULL
                               : json_stringn(syntax.data != NULL ? syntax.data : "", syntax.size));
    mgl_json_set(entry, "choices", choices);
    mgl_json_set(entry, "names", mgl_catalogue_text(key->names));
    mgl_json_set(entry, "file", mgl_catalogue_text(file_of(key)));
    add_range(entry, &key->form);
    mgl_json_set(entry, "default", mgl_catalogue_text(key->fallback));
    mgl_buffer_free(&syntax);
}

/* ---- Who takes it ------------------------------------------------------------------------------
 */

/* commands: mgl_command bits */
json_t *mgl_catalogue_command_names(unsigned commands)
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

/* ---- Keys --------------------------------------------------------------------------------------
 */

static const char *where_of(const mgl_key *key)
{
    return key->kind == MGL_KEY_MODEL ? "model" : key->kind == MGL_KEY_BY_COLUMN ? "column" : "job";
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
    mgl_json_set(entry, "brief", mgl_catalogue_text(key->brief));
    mgl_json_set(entry, "common", mgl_catalogue_command_names(key->commands & key->common));
    mgl_json_set(entry, "where", json_string(where_of(key)));
    mgl_json_set(entry, "field", mgl_catalogue_text(key->field));
    mgl_json_set(entry, "role", mgl_catalogue_text(key->role));
    mgl_json_set(entry, "model", mgl_catalogue_text(key->model != NULL ? key->model->name : NULL));
    add_value(entry, key);
    mgl_json_set(entry, "repeats", json_boolean(repeats));
    mgl_json_set(entry, "reading", json_boolean(key->of_reading));
    mgl_json_set(entry, "session", json_boolean(key->of_session));
    mgl_json_set(entry, "recorded", json_string(records[key->record]));
    mgl_json_set(entry, "commands", mgl_catalogue_command_names(key->commands));
    mgl_json_set(entry, "methods", methods_of(key));
    return entry;
}

void mgl_catalogue_keys(json_t *section, const char *only)
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

/* ---- Fields of columns: attributes.COLUMN.FIELD
 * ----------------------------------------------------------------------
 */

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

void mgl_catalogue_fields(json_t *section, const char *only)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (key.field != NULL && mgl_catalogue_wants(only, key.field))
            add_key_of_field(section, &key);
}
