/* Fills the settings of a command from the values of a job, by the places that the table of keys
 * names. */
#include "job/settings/settings.h"

/* A field of the settings, or of an attribute's. */
static void *at(void *owner, size_t offset)
{
    return (char *)owner + offset;
}

static mgl_status read_list(const mgl_filling *f, const mgl_key *key, const char *text, void *owner)
{
    return mgl_value_parse_list(&key->parser, text, f->arena, f->err, at(owner, key->place),
                                at(owner, key->count));
}

/* A text that was not given stays NULL, whatever holds then. Values were checked when they were
 * given. */
static mgl_status fill_place(const mgl_filling *f, const mgl_key *key, const char *text,
                             void *owner)
{
    if (key->place == 0 || text == NULL)
        return MGL_OK;
    if (key->count != 0)
        return read_list(f, key, text, owner);
    mgl_value_parse(&key->parser, mgl_span_of(text), at(owner, key->place));
    return MGL_OK;
}

/* All of something, none of it, or what is named. */
static mgl_status fill_all_or(const mgl_filling *f, const mgl_key *key, const char *text)
{
    static const mgl_value_parser flag = {.kind = MGL_PARSE_FLAG};
    if (text == NULL || mgl_value_parse(&flag, mgl_span_of(text), at(f->settings, key->given)))
        return MGL_OK;
    return read_list(f, key, text, f->settings);
}

static mgl_status fill_key(const mgl_filling *f, const mgl_key *key)
{
    const mgl_entry *entry = mgl_store_find(f->job, key->name, NULL);
    const char *given = entry != NULL ? entry->value : NULL;
    const char *text = given != NULL || key->parser.kind == MGL_PARSE_TEXT ? given : key->fallback;
    if (key->kind == MGL_KEY_ALL_OR)
        return fill_all_or(f, key, given);
    if (key->given != 0)
        *(bool *)at(f->settings, key->given) = given != NULL;
    return fill_place(f, key, text, f->settings);
}

/* Does a field of the settings, and not of a column's, hold it? */
static bool is_of_job(const mgl_key *key)
{
    return key->kind != MGL_KEY_BY_COLUMN && key->kind != MGL_KEY_COLUMNS &&
           key->kind != MGL_KEY_MODEL && key->option == NULL && (key->place | key->given) != 0;
}

mgl_status mgl_settings_fill(const mgl_filling *filling)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (is_of_job(&key))
            MGL_TRY(fill_key(filling, &key));
    return MGL_OK;
}

mgl_status mgl_settings_fill_more(const mgl_filling *filling)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if (key.fill == NULL)
            continue;
        const mgl_entry *entry = mgl_store_find(filling->job, key.name, NULL);
        MGL_TRY(key.fill(filling, &key, entry != NULL ? entry->value : key.fallback));
    }
    return MGL_OK;
}

/* ---- Columns ----------------------------------------------------------------------------------
 */

mgl_status mgl_attribute_begin(const mgl_filling *f, const char *name, mgl_attribute_settings *out)
{
    mgl_key key;
    *out = (mgl_attribute_settings){.name = name};
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (key.kind == MGL_KEY_BY_COLUMN)
            MGL_TRY(fill_place(f, &key, key.fallback, out));
    return MGL_OK;
}

mgl_status mgl_attribute_fill(const mgl_filling *f, const mgl_entry *entry,
                              mgl_attribute_settings *out)
{
    mgl_key key;
    if (strcmp(entry->field, "role") == 0) {
        mgl_role_parse(mgl_span_of(entry->value), &out->role);
        return MGL_OK;
    }
    if (!mgl_key_find_field(mgl_span_of(entry->field), &key))
        return MGL_OK;
    if (key.given != 0)
        *(bool *)at(out, key.given) = true;
    if (key.of_levels && (key.fallback == NULL || strcmp(entry->value, key.fallback) != 0))
        out->asks_for_levels = true;
    return fill_place(f, &key, entry->value, out);
}

/* ---- Options of methods -----------------------------------------------------------------------
 */

/* Where the values of a method's options come from. */
typedef struct sayings {
    const mgl_settings *settings;
    const mgl_option_columns *columns;
} sayings;

/* The value that a file has for a column, as a job would write it. */
static const char *said_by_file(const mgl_option_columns *columns, const mgl_method_option *option,
                                size_t column)
{
    return columns->said != NULL ? columns->said(columns->context, option->name, column) : NULL;
}

static const char *said_of(const void *context, const mgl_method_option *option, ptrdiff_t column)
{
    const sayings *s = context;
    const char *name = column != MGL_WHOLE_TABLE ? s->columns->names[column] : NULL;
    const mgl_entry *entry = mgl_store_find(s->settings->job, option->name, name);
    if (entry != NULL)
        return entry->value;
    return name != NULL ? said_by_file(s->columns, option, (size_t)column) : NULL;
}

mgl_status mgl_settings_options(const mgl_settings *settings, const mgl_method_type *method,
                                const mgl_option_columns *columns, mgl_arena *arena, mgl_error *err,
                                const void **out)
{
    sayings s = {settings, columns};
    return mgl_method_options(method, columns->n, said_of, &s, arena, err, out);
}
