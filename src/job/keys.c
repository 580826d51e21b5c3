/* The table of all keys, put together from rows by subject, from the models and from the options of
 * the methods. Everybody who wants to know about a key asks here. */
#include "job/key_rows.h"

/* ---- Rows that stand elsewhere ----------------------------------------------------------------
 */

/* What a release lost is told with k (c_avg), but with no other model. */
static unsigned commands_of_model(const mgl_model_type *model)
{
    return model->k == MGL_K_IS ? MGL_FOR_MODELS | MGL_UTILITY : MGL_FOR_MODELS;
}

static mgl_key key_of_model(const mgl_model_type *model)
{
    return (mgl_key){.name = model->option,
                     .letter = model->option[1] == '\0' ? model->option[0] : '\0',
                     .help = model->help,
                     .commands = commands_of_model(model),
                     .kind = MGL_KEY_MODEL,
                     .model = model};
}

static bool model_at(size_t index, mgl_key *out)
{
    size_t n;
    const mgl_model_type *const *models = mgl_model_types(&n);
    if (index < n)
        *out = key_of_model(models[index]);
    return index < n;
}

static mgl_key key_of_option(const mgl_method_option *option)
{
    return (mgl_key){.name = option->name,
                     .value = option->value,
                     .help = option->help,
                     .fallback = option->fallback,
                     .commands = MGL_FOR_METHODS,
                     .kind = option->by_column                    ? MGL_KEY_BY_COLUMN
                             : option->list                       ? MGL_KEY_LIST
                             : option->form.kind == MGL_FORM_FLAG ? MGL_KEY_FLAG
                                                                  : MGL_KEY_VALUE,
                     .field = option->by_column ? option->name : NULL,
                     .role = option->by_column ? "quasi" : NULL,
                     .form = option->form,
                     .record = option->record,
                     .of_levels = option->of_levels,
                     .of_release = option->of_release,
                     .option = option};
}

/* Does a method before this one have the option, too? */
static bool is_repeated(const mgl_method_type *const *methods, size_t method,
                        const mgl_method_option *option)
{
    for (size_t m = 0; m < method; m++)
        for (size_t i = 0; i < methods[m]->n_options; i++)
            if (mgl_method_option_at(methods[m], i) == option)
                return true;
    return false;
}

/* An option of several methods is one key. */
static bool option_at(size_t index, bool by_column, mgl_key *out)
{
    size_t n;
    const mgl_method_type *const *methods = mgl_method_types(&n);
    for (size_t m = 0; m < n; m++)
        for (size_t i = 0; i < methods[m]->n_options; i++) {
            const mgl_method_option *option = mgl_method_option_at(methods[m], i);
            if (option->by_column != by_column || is_repeated(methods, m, option))
                continue;
            if (index-- == 0) {
                *out = key_of_option(option);
                return true;
            }
        }
    return false;
}

static bool column_option_at(size_t index, mgl_key *out)
{
    return option_at(index, true, out);
}

static bool job_option_at(size_t index, mgl_key *out)
{
    return option_at(index, false, out);
}

/* ---- The table --------------------------------------------------------------------------------
 */

/* In the order of help: rows, or what makes them. */
static const struct {
    const mgl_key_rows *rows;
    bool (*at)(size_t index, mgl_key *out); /* false behind the last */
} groups[] = {
    {.rows = &mgl_keys_of_files},   {.rows = &mgl_keys_of_columns},
    {.at = column_option_at},       {.at = model_at},
    {.rows = &mgl_keys_of_models},  {.rows = &mgl_keys_of_methods},
    {.at = job_option_at},          {.rows = &mgl_keys_of_search},
    {.rows = &mgl_keys_of_risk},    {.rows = &mgl_keys_of_reading},
    {.rows = &mgl_keys_of_outputs}, {.rows = &mgl_keys_of_runs},
    {.rows = &mgl_keys_of_reports},
};

bool mgl_key_next(mgl_key_cursor *cursor, mgl_key *out)
{
    for (; cursor->group < sizeof groups / sizeof groups[0]; cursor->group++, cursor->row = 0) {
        const mgl_key_rows *rows = groups[cursor->group].rows;
        if (rows == NULL ? groups[cursor->group].at(cursor->row, out) : cursor->row < rows->n) {
            if (rows != NULL)
                *out = rows->rows[cursor->row];
            if (out->standard != NULL)
                out->fallback = out->standard();
            cursor->row++;
            return true;
        }
    }
    return false;
}

/* ---- Finding rows -----------------------------------------------------------------------------
 */

bool mgl_key_find(mgl_span name, mgl_key *out)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (mgl_span_is(name, key.name)) {
            *out = key;
            return true;
        }
    return false;
}

bool mgl_key_find_letter(char letter, mgl_key *out)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; letter != '\0' && mgl_key_next(&at, &key);)
        if (key.letter == letter) {
            *out = key;
            return true;
        }
    return false;
}

bool mgl_key_find_field(mgl_span field, mgl_key *out)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (key.kind == MGL_KEY_BY_COLUMN && mgl_span_is(field, key.field)) {
            *out = key;
            return true;
        }
    return false;
}

bool mgl_key_is_for(const mgl_key *key, const mgl_method_type *method)
{
    if (key->needs != 0)
        return *(const bool *)((const char *)method + key->needs);
    for (size_t i = 0; key->option != NULL && i < method->n_options; i++)
        if (mgl_method_option_at(method, i) == key->option)
            return true;
    return key->option == NULL;
}
