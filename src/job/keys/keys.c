/* The table of all keys, put together from rows by subject, from the models and from the options of
 * the methods. */
#include "job/keys/key_rows.h"

#define MGL_ROWS(title, keys) extern const mgl_key_rows keys;
#define MGL_NEXT(title, function)
#include "job/keys/key_groups.h"
#undef MGL_ROWS
#undef MGL_NEXT

/* What a release lost is measured with k (c_avg), but with no other model. */
static unsigned commands_of_model(const mgl_model_type *model)
{
    const unsigned all = MGL_FOR_MODELS | MGL_ATTACK; /* for its `minimality` */
    return model->k == MGL_K_IS ? all | MGL_UTILITY : all;
}

static mgl_key key_of_model(const mgl_model_type *model)
{
    return (mgl_key){.name = model->option,
                     .help = model->help,
                     .commands = commands_of_model(model),
                     .kind = MGL_KEY_MODEL,
                     .common = model->brief != NULL ? MGL_FOR_EVERY : 0,
                     .brief = model->brief,
                     .model = model};
}

static mgl_key key_of_option(const mgl_method_option *option)
{
    return (mgl_key){.name = option->name,
                     .value = option->value,
                     .help = option->help,
                     .fallback = option->fallback,
                     .commands = MGL_FOR_METHODS | MGL_ATTACK,
                     .kind = option->by_column                       ? MGL_KEY_BY_COLUMN
                             : option->list                          ? MGL_KEY_LIST
                             : option->parser.kind == MGL_PARSE_FLAG ? MGL_KEY_FLAG
                                                                     : MGL_KEY_VALUE,
                     .field = option->by_column ? option->name : NULL,
                     .role = option->by_column ? "quasi" : NULL,
                     .parser = option->parser,
                     .record = option->record,
                     .of_levels = option->of_levels,
                     .of_release = option->of_release,
                     .option = option};
}

/* What a row is made of: one of a table by subject, a model, or an option of methods. The key is
 * copied or made when all of it is wanted. */
typedef struct source {
    const mgl_key *row;
    const mgl_model_type *model;
    const mgl_method_option *option;
    const char *title; /* of its group */
} source;

/* A row with what follows from its kind. */
static mgl_key key_of_row(const mgl_key *row)
{
    mgl_key key = *row;
    bool roles = key.kind == MGL_KEY_COLUMNS;
    if (key.kind == MGL_KEY_FLAG)
        key.parser.kind = MGL_PARSE_FLAG;
    if (roles) {
        key.names = "columns";
        key.field = "role";
    }
    if (key.value == NULL && key.names != NULL && strcmp(key.names, "columns") == 0)
        key.value = roles || key.kind == MGL_KEY_LIST ? "COLUMN,..." : "COLUMN";
    return key;
}

static mgl_key key_of(const source *from)
{
    mgl_key key = from->row != NULL     ? key_of_row(from->row)
                  : from->model != NULL ? key_of_model(from->model)
                                        : key_of_option(from->option);
    if (key.standard != NULL)
        key.fallback = key.standard();
    key.group = from->title;
    return key;
}

static const char *name_of(const source *from)
{
    return from->row != NULL     ? from->row->name
           : from->model != NULL ? from->model->option
                                 : from->option->name;
}

/* Of an attribute; NULL for keys of the whole job. */
static const char *field_of(const source *from)
{
    if (from->row != NULL)
        return from->row->kind == MGL_KEY_BY_COLUMN ? from->row->field : NULL;
    return from->option != NULL && from->option->by_column ? from->option->name : NULL;
}

static bool next_model(mgl_key_cursor *at, source *out)
{
    size_t n;
    const mgl_model_type *const *models = mgl_model_types(&n);
    if (at->row == n)
        return false;
    *out = (source){.model = models[at->row++]};
    return true;
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
static bool next_option(mgl_key_cursor *at, bool by_column, source *out)
{
    size_t n;
    const mgl_method_type *const *methods = mgl_method_types(&n);
    for (; at->method < n; at->method++, at->row = 0)
        while (at->row < methods[at->method]->n_options) {
            const mgl_method_type *method = methods[at->method];
            const mgl_method_option *own = &method->options[at->row];
            const mgl_method_option *option = mgl_method_option_at(method, at->row++);
            if (option->by_column != by_column ||
                (option != own && is_repeated(methods, at->method, option)))
                continue;
            *out = (source){.option = option};
            return true;
        }
    return false;
}

static bool next_column_option(mgl_key_cursor *at, source *out)
{
    return next_option(at, true, out);
}

static bool next_job_option(mgl_key_cursor *at, source *out)
{
    return next_option(at, false, out);
}

/* In the order of help: rows, or a function that goes through those made from other tables. */
static const struct {
    const char *title;
    const mgl_key_rows *rows;
    bool (*next)(mgl_key_cursor *at, source *out); /* false behind the last */
} groups[] = {
#define MGL_ROWS(title, keys) {title, .rows = &(keys)},
#define MGL_NEXT(title, function) {title, .next = (function)},
#include "job/keys/key_groups.h"
#undef MGL_ROWS
#undef MGL_NEXT
};

static bool next_source(mgl_key_cursor *at, source *out)
{
    for (; at->group < sizeof groups / sizeof groups[0];
         *at = (mgl_key_cursor){.group = at->group + 1}) {
        const mgl_key_rows *rows = groups[at->group].rows;
        bool found = rows == NULL ? groups[at->group].next(at, out) : at->row < rows->n;
        if (found && rows != NULL)
            *out = (source){.row = &rows->rows[at->row++]};
        if (found) {
            out->title = groups[at->group].title;
            return true;
        }
    }
    return false;
}

bool mgl_key_next(mgl_key_cursor *cursor, mgl_key *out)
{
    source from;
    if (!next_source(cursor, &from))
        return false;
    *out = key_of(&from);
    return true;
}

static bool is_called(const source *from, mgl_span name)
{
    return name.size > 0 && name_of(from)[0] == name.data[0] && mgl_span_is(name, name_of(from));
}

/* Names are unique, so constant rows are searched before those that functions make: short jobs look
 * up many keys. */
bool mgl_key_find(mgl_span name, mgl_key *out)
{
    source from = {0};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (size_t i = 0; groups[g].rows != NULL && i < groups[g].rows->n; i++) {
            from = (source){.row = &groups[g].rows->rows[i], .title = groups[g].title};
            if (is_called(&from, name)) {
                *out = key_of(&from);
                return true;
            }
        }
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (mgl_key_cursor at = {0}; groups[g].next != NULL && groups[g].next(&at, &from);)
            if (is_called(&from, name)) {
                from.title = groups[g].title;
                *out = key_of(&from);
                return true;
            }
    return false;
}

bool mgl_key_is_of(const char *name, mgl_command command)
{
    mgl_key key;
    return mgl_key_find(mgl_span_of(name), &key) && (key.commands & command) != 0;
}

/* What other programs and papers call the keys. None is accepted: a hint names the key. */
static const struct {
    const char *other, *name;
} other_names[] = {
    {"quasi", "qi"},
    {"quasi-identifier", "qi"},
    {"quasi-identifiers", "qi"},
    {"qids", "qi"},
    {"key-variables", "qi"},
    {"sa", "sensitive"},
    {"confidential", "sensitive"},
    {"direct-identifier", "identifier"},
    {"direct-identifiers", "identifier"},
    {"k-anonymity", "k"},
    {"anonymity", "k"},
    {"generalization", "hierarchy"},
    {"taxonomy", "hierarchy"},
    {"vgh", "hierarchy"},
    {"algorithm", "method"},
    {"measure", "utility"},
    {"metric", "utility"},
    {"max-suppression", "suppress"},
    {"suppression-limit", "suppress"},
    {"outliers", "suppress"},
    {"force", "overwrite"},
    {"separator", "delimiter"},
    {"sep", "delimiter"},
    {"charset", "encoding"},
    {"na", "missing"},
    {"null", "missing"},
    {"filter", "where"},
    {"strata", "by"},
    {"stratify", "by"},
    {"group-by", "by"},
    {"person", "entity"},
    {"subject", "entity"},
    {"cores", "threads"},
    {"jobs", "threads"},
    {"ram", "memory"},
    {"timeout", "time-limit"},
};

enum { OTHER_NAMES = sizeof other_names / sizeof other_names[0] };

const char *mgl_key_meant(mgl_span name)
{
    for (size_t i = 0; i < OTHER_NAMES; i++)
        if (mgl_span_is(name, other_names[i].other))
            return other_names[i].name;
    return NULL;
}

const char *mgl_key_other_name(const mgl_key *key, size_t i)
{
    for (size_t o = 0; o < OTHER_NAMES; o++)
        if (strcmp(other_names[o].name, key->name) == 0 && i-- == 0)
            return other_names[o].other;
    return NULL;
}

bool mgl_key_find_field(mgl_span field, mgl_key *out)
{
    source from;
    for (mgl_key_cursor at = {0}; next_source(&at, &from);) {
        const char *known = field_of(&from);
        if (known != NULL && mgl_span_is(field, known)) {
            *out = key_of(&from);
            return true;
        }
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
