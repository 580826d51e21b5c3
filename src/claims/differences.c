/* How claims are compared: the shape that a section must have, values that must be the same, notes
 * of what differs, is missing or cannot be recomputed, and access to the parts of a result. */
#include "claims/claims.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

void mgl_claims_differ(mgl_claims *c, const char *what, const char *kind, const json_t *claimed,
                       const json_t *found)
{
    json_t *difference = json_object();
    mgl_json_set(difference, "what", json_string(what));
    mgl_json_set(difference, "kind", json_string(kind));
    mgl_json_set(difference, "claimed",
                 claimed != NULL ? json_incref((json_t *)claimed) : json_null());
    mgl_json_set(difference, "found", found != NULL ? json_incref((json_t *)found) : json_null());
    mgl_json_append(c->differences, difference);
}

void mgl_claims_missing(mgl_claims *c, const char *what)
{
    mgl_claims_differ(c, what, "missing", NULL, NULL);
}

void mgl_claims_require(mgl_claims *c, bool good, const char *what, const json_t *claimed)
{
    if (!good)
        mgl_claims_differ(c, what, "result",
                          claimed != NULL ? claimed : mgl_claim_at(c->claimed, what), NULL);
}

/* Is a key there exactly if it is due? Notes a difference if not; true: it is there and due. */
static bool is_due(mgl_claims *c, const char *what, const json_t *claimed, bool due)
{
    if (claimed == NULL && due)
        mgl_claims_missing(c, what);
    mgl_claims_require(c, claimed == NULL || due, what, claimed);
    return claimed != NULL && due;
}

void mgl_claims_skip(mgl_claims *c, const char *what, const char *why)
{
    mgl_buffer text = {0};
    mgl_buffer_format(&text, "%s: %s", what, why);
    mgl_buffer_append(&text, "", 1);
    if (text.failed || !mgl_claim_lists(c->not_compared, text.data))
        mgl_json_append(c->not_compared, text.failed ? NULL : json_string(text.data));
    mgl_buffer_free(&text);
}

void mgl_claims_skip_persons(mgl_claims *c, const char *what)
{
    mgl_claims_skip(c, what, MGL_CLAIM_PERSONS);
}

const char *mgl_claim_name(char text[MGL_CLAIM_NAME], const char *object, const char *key)
{
    snprintf(text, MGL_CLAIM_NAME, "%.90s.%.90s", object, key);
    return text;
}

/* The same, but for rounding of numbers? */
static bool is_same(const json_t *a, const json_t *b)
{
    if (json_is_integer(a) && json_is_integer(b))
        return json_integer_value(a) == json_integer_value(b);
    if (json_is_number(a) && json_is_number(b)) {
        double x = json_number_value(a), y = json_number_value(b);
        return x == y || fabs(x - y) <= 1e-9 * fmax(fabs(x), fabs(y)) || fabs(x - y) <= 1e-15;
    }
    return json_equal(a, b);
}

static void compare(mgl_claims *c, const char *what, const char *kind, const json_t *claimed,
                    const json_t *other)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    if (json_is_object(claimed) && json_is_object(other)) {
        json_object_foreach((json_t *)other, key, value)
            compare(c, mgl_claim_name(name, what, key), kind, json_object_get(claimed, key), value);
        return;
    }
    if (claimed == NULL && other != NULL)
        mgl_claims_missing(c, what);
    else if (claimed != NULL && (other == NULL || !is_same(claimed, other)))
        mgl_claims_differ(c, what, kind, claimed, other);
}

void mgl_claims_compare(mgl_claims *c, const char *what, const json_t *claimed, json_t *found)
{
    compare(c, what, "file", claimed, found);
    json_decref(found);
}

void mgl_claims_agree(mgl_claims *c, const char *what, const json_t *claimed, json_t *other)
{
    compare(c, what, "result", claimed, other);
    json_decref(other);
}

void mgl_claims_compare_at(mgl_claims *c, const char *path, json_t *found)
{
    mgl_claims_compare(c, path, mgl_claim_at(c->claimed, path), found);
}

void mgl_claims_agree_at(mgl_claims *c, const char *path, json_t *other)
{
    mgl_claims_agree(c, path, mgl_claim_at(c->claimed, path), other);
}

void mgl_claims_no_others(mgl_claims *c, const char *what, const json_t *claimed,
                          const json_t *other)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (json_object_get(other, key) == NULL)
            mgl_claims_differ(c, mgl_claim_name(name, what, key), "unknown", value, NULL);
    }
}

static bool is_of_type(const json_t *value, char type)
{
    const char *text = json_string_value(value);
    switch (tolower((unsigned char)type)) {
    case 'i':
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case 'n':
        return json_is_number(value);
    case 's':
        return text != NULL;
    case 'b':
        return json_is_boolean(value);
    case 'a':
        return json_is_array(value);
    case 'o':
        return json_is_object(value);
    case 'd':
        return text != NULL && strlen(text) == MGL_SHA256_TEXT - 1 &&
               strspn(text, "0123456789abcdef") == MGL_SHA256_TEXT - 1;
    default:
        return true;
    }
}

/* Behind a shape: its brackets are balanced. */
static const char *behind(const char *at)
{
    size_t depth = 0;
    at += *at == '~';
    do {
        depth += strchr("{[<(", *at) != NULL;
        depth -= strchr("}]>)", *at) != NULL;
        at++;
    } while (depth > 0);
    return at;
}

static void judge_shape(mgl_claims *c, const char *what, const json_t *value, const char *at);

/* Notes members of the claim that are none of the known ones; frees these. */
static void take_known(mgl_claims *c, const char *what, const json_t *claimed, json_t *known)
{
    if (mgl_json_complete(known))
        mgl_claims_no_others(c, what, claimed, known);
    else
        c->status = mgl_fail_memory(c->err);
    json_decref(known);
}

/* Members with names of their own. */
static void judge_members(mgl_claims *c, const char *what, const json_t *claimed, const char *at)
{
    json_t *known = json_object();
    char key[40], name[MGL_CLAIM_NAME];
    while (*at != '}') {
        bool optional = *at == '?';
        size_t size = strcspn(at += optional, ":");
        snprintf(key, sizeof key, "%.*s", (int)size, at);
        const json_t *value = json_object_get(claimed, key);
        mgl_json_set(known, key, json_null());
        mgl_claim_name(name, what, key);
        at += size + 1;
        if (value != NULL)
            judge_shape(c, name, value, at);
        else if (!optional)
            mgl_claims_missing(c, name);
        at = behind(at);
        at += *at == ' ';
    }
    take_known(c, what, claimed, known);
}

static void judge_columns(mgl_claims *c, const char *what, const json_t *claimed, const char *at)
{
    json_t *known = json_object();
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        const json_t *value = json_object_get(claimed, column);
        mgl_json_set(known, column, json_null());
        if (value != NULL)
            judge_shape(c, mgl_claim_name(name, what, column), value, at);
        else
            mgl_claims_missing(c, mgl_claim_name(name, what, column));
    }
    take_known(c, what, claimed, known);
}

/* Entries are named after their column or item, others by their index. */
static void judge_entries(mgl_claims *c, const char *what, const json_t *claimed, const char *at)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    size_t i;
    json_array_foreach((json_t *)claimed, i, value)
    {
        const char *column = mgl_json_text(value, "column");
        if (column != NULL)
            mgl_claim_name(name, what, column);
        else
            snprintf(name, sizeof name, "%.90s[%zu]", what, i);
        judge_shape(c, name, value, at);
    }
    json_object_foreach((json_t *)claimed, key, value)
        judge_shape(c, mgl_claim_name(name, what, key), value, at);
}

static void judge_shape(mgl_claims *c, const char *what, const json_t *value, const char *at)
{
    bool nullable = *at == '~' || (*at >= 'A' && *at <= 'Z');
    if (nullable && json_is_null(value))
        return;
    at += *at == '~';
    mgl_claims_require(c,
                       strchr("{<(", *at) != NULL ? json_is_object(value)
                       : *at == '['               ? json_is_array(value)
                                                  : is_of_type(value, *at),
                       what, value);
    if (*at == '{' && json_is_object(value))
        judge_members(c, what, value, at + 1);
    else if (*at == '(' && json_is_object(value))
        judge_columns(c, what, value, at + 1);
    else if ((*at == '[' && json_is_array(value)) || (*at == '<' && json_is_object(value)))
        judge_entries(c, what, value, at + 1);
}

bool mgl_claims_shape(mgl_claims *c, const char *what, const json_t *claimed, const char *shape)
{
    size_t before = json_array_size(c->differences);
    judge_shape(c, what, claimed, shape);
    return json_array_size(c->differences) == before;
}

const json_t *mgl_claim_at(const json_t *object, const char *path)
{
    char key[40];
    while (object != NULL && *path != '\0') {
        size_t size = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)size, path);
        object = json_object_get(object, key);
        path += size + (path[size] == '.');
    }
    return object;
}

const json_t *mgl_claim_entry(const json_t *list, const char *key, const char *text)
{
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)list, i, entry)
    {
        const char *here = mgl_json_text(entry, key);
        if (here != NULL && text != NULL && strcmp(here, text) == 0)
            return entry;
    }
    return NULL;
}

bool mgl_claim_lists(const json_t *list, const char *text)
{
    for (size_t i = 0; text != NULL && i < json_array_size(list); i++) {
        const char *here = json_string_value(json_array_get(list, i));
        if (here != NULL && strcmp(here, text) == 0)
            return true;
    }
    return false;
}

uint64_t mgl_claim_whole_at(const json_t *list, size_t i)
{
    json_int_t value = json_integer_value(json_array_get(list, i));
    return value > 0 ? (uint64_t)value : 0;
}

const char *mgl_claim_field(const mgl_claims *c, const char *column, const char *key)
{
    return mgl_json_text(json_object_get(json_object_get(c->job, "attributes"), column), key);
}

const char *mgl_claim_quasi(const mgl_claims *c, size_t a)
{
    return c->reading->quasi[a].settings->name;
}

json_t *mgl_claim_text(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

mgl_span mgl_claim_cell(const mgl_field *field)
{
    bool quoted = field->quoted && field->size >= 2;
    return quoted ? (mgl_span){field->data + 1, field->size - 2}
                  : (mgl_span){field->data, field->size};
}

const json_t *mgl_claims_column(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->audit, "columns"), "column", column);
}

mgl_span mgl_claims_cell_of(const mgl_claims *c, size_t t, size_t a)
{
    const mgl_released_column *column = c->reading->released[a];
    return column->values[column->of_leaf[0][mgl_list_leaf(c->problem->list, t, a)]].label;
}

void mgl_claims_add_text(mgl_buffer *key, mgl_span text)
{
    mgl_buffer_format(key, "%zu ", text.size);
    mgl_buffer_span(key, text);
}

bool mgl_claims_follow_persons(const json_t *job)
{
    const char *entity = mgl_json_text(job, "entity");
    const json_t *attributes = json_object_get(job, "attributes");
    return entity != NULL && mgl_json_text(json_object_get(attributes, entity), "treat") != NULL;
}

bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed,
                           mgl_has_level *has)
{
    size_t before = json_array_size(c->differences), n = 0;
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; json_is_object(claimed) && a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        const json_t *level = json_object_get(claimed, column),
                     *height = json_object_get(json_object_get(c->claimed, "heights"), column);
        n += level != NULL;
        mgl_claim_name(name, key, column);
        if (is_due(c, name, level, has == NULL || has(c, a)))
            mgl_claims_require(c,
                               json_is_integer(level) && json_integer_value(level) >= 0 &&
                                   json_integer_value(level) <= json_integer_value(height),
                               name, level);
    }
    mgl_claims_require(c, n == json_object_size(claimed), key, claimed);
    return json_array_size(c->differences) == before;
}

/* ---- Sections ----------------------------------------------------------------------------- */

static bool lacks(mgl_claims *c, const mgl_claim *row)
{
    return ((row->always & MGL_OF_QUASI) != 0 && c->reading->n_quasi == 0) ||
           ((row->always & MGL_OF_INPUT) != 0 && mgl_claims_condition(c, "is.withheld"));
}

static void compare_section(mgl_claims *c, const mgl_claim *row)
{
    const json_t *claimed = json_object_get(c->claimed, row->key);
    bool earlier = json_object_get(c->claimed, "with") != NULL;
    unsigned here = !c->applied ? MGL_OF_ANONYMIZE
                    : earlier   ? MGL_OF_APPLY
                                : MGL_OF_APPLY | MGL_OF_LONE;
    bool ruled = row->always != MGL_OF_NONE || row->due != NULL;
    bool due = row->due != NULL ? mgl_claims_condition(c, row->due)
                                : (row->always & here) != 0 && !lacks(c, row);
    bool whole = !ruled || is_due(c, row->key, claimed, due);
    whole = whole && (claimed == NULL || mgl_claims_shape(c, row->key, claimed, row->shape));
    if (whole && row->compare != NULL)
        row->compare(c, claimed);
    if (claimed != NULL && row->open != NULL) /* null: all of it is */
        mgl_claims_skip(c, json_is_null(claimed) ? row->key : row->open, row->why);
}

void mgl_claims_table(mgl_claims *c, const mgl_claim *sections, const mgl_claim_open *opens,
                      const char *const *rules)
{
    for (; sections != NULL && sections->key != NULL && c->status == MGL_OK; sections++)
        compare_section(c, sections);
    for (; opens != NULL && opens->what != NULL; opens++)
        if (mgl_claims_condition(c, opens->when))
            mgl_claims_skip(c, opens->what, opens->why);
    mgl_claims_rules(c, rules);
}

bool mgl_claims_has_row(const mgl_claim *rows, const char *key)
{
    while (rows != NULL && rows->key != NULL && strcmp(rows->key, key) != 0)
        rows++;
    return rows != NULL && rows->key != NULL;
}

unsigned mgl_claims_of_column(const mgl_claims *c, const char *column)
{
    unsigned flags = 0;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->column != NULL)
            flags |= (*f)->audit->column(c, column);
    return flags;
}

const mgl_model_type *mgl_claims_model_type(const json_t *model)
{
    const char *name = mgl_json_text(model, "model");
    return name != NULL ? mgl_model_type_find(name) : NULL;
}

const mgl_model_type *mgl_claims_sampled_type(const mgl_claims *c, const mgl_model_type *type)
{
    return mgl_model_type_of_sample(type, json_object_get(c->job, "weight") != NULL,
                                    json_object_get(c->job, "sampling-fraction") != NULL);
}

bool mgl_claims_any_type(const mgl_claims *c, bool (*has)(const mgl_model_type *type))
{
    const json_t *models = json_object_get(c->claimed, "models");
    bool any = false;
    for (size_t i = 0; !any && i < json_array_size(models); i++) {
        const mgl_model_type *type = mgl_claims_model_type(json_array_get(models, i));
        any = type != NULL && has(mgl_claims_sampled_type(c, type));
    }
    return any;
}
