/* mgl_job_load: a job file, key by key, into the store. */
#include "job/store.h"

#include "job/yaml.h"

typedef struct loading {
    mgl_job *job;
    mgl_arena *arena; /* of the tree, freed after loading */
    const char *path;
    mgl_span folder; /* of the job file, with the last slash; empty: the current one */
    mgl_error *err;
} loading;

static mgl_place place_of(const loading *load, const mgl_yaml *node, const char *name)
{
    return (mgl_place){.file = load->path,
                       .line = node->line,
                       .column = node->column,
                       .name = name,
                       .load = load->job->n_loads};
}

/* "attributes.age.role", for messages and for who set what. */
static const char *dotted(const loading *load, const char *a, const char *b, const char *c)
{
    mgl_buffer name = {0};
    mgl_buffer_format(&name, "%s.%s%s%s", a, b, c != NULL ? "." : "", c != NULL ? c : "");
    char *copy = name.failed ? NULL : mgl_arena_copy(load->arena, name.data, name.size);
    mgl_buffer_free(&name);
    return copy != NULL ? copy : a;
}

static mgl_status want_scalar(const loading *load, const mgl_yaml *node, const char *name)
{
    /* A value that is not there has no position of its own. */
    mgl_place place = place_of(load, node->null && node->key != NULL ? node->key : node, name);
    if (node->kind != MGL_YAML_SCALAR)
        return mgl_place_fail(&place, load->err, "a single value belongs here, not a %s",
                              node->kind == MGL_YAML_SEQUENCE ? "list" : "mapping");
    if (node->null)
        return mgl_place_fail(&place, load->err, "has no value; give one or leave the key out");
    return MGL_OK;
}

/* ---- Paths are relative to the job file ------------------------------------------------ */

/* postgresql://... is no path. */
static bool has_scheme(mgl_span path)
{
    for (size_t i = 0; i + 3 <= path.size; i++)
        if (memcmp(path.data + i, "://", 3) == 0)
            return true;
    return false;
}

static bool is_relative(mgl_span path)
{
    return path.size > 0 && path.data[0] != '/' && !mgl_span_is(path, "-") && !has_scheme(path);
}

static mgl_span beside(const loading *load, mgl_span before, mgl_span path, mgl_span after)
{
    mgl_buffer joined = {0};
    mgl_buffer_span(&joined, before);
    if (is_relative(path))
        mgl_buffer_span(&joined, load->folder);
    mgl_buffer_span(&joined, path);
    mgl_buffer_span(&joined, after);
    char *copy = joined.failed ? NULL : mgl_arena_copy(load->arena, joined.data, joined.size);
    mgl_span result = {copy, joined.size};
    mgl_buffer_free(&joined);
    return result;
}

/* groups(FILE) is the one builder with a file in it. */
static mgl_span hierarchy_beside(const loading *load, mgl_span spec)
{
    static const char groups[] = "groups(";
    size_t opening = sizeof groups - 1;
    mgl_span none = {"", 0};
    if (!mgl_hierarchy_is_builder(spec.data))
        return beside(load, none, spec, none);
    spec = mgl_span_trim(spec);
    if (spec.size <= opening || memcmp(spec.data, groups, opening) != 0 ||
        spec.data[spec.size - 1] != ')')
        return spec;
    mgl_span file = mgl_span_trim((mgl_span){spec.data + opening, spec.size - opening - 1});
    return beside(load, mgl_span_of(groups), file, mgl_span_of(")"));
}

/* ---- Values ------------------------------------------------------------------------------ */

/* [1,3] as a level is 1..3; anything else is a scalar. */
static mgl_status field_text(const loading *load, const mgl_yaml *node, const char *field,
                             const char *name, mgl_span *out)
{
    bool level = strcmp(field, "level") == 0;
    const mgl_yaml *low = node->first;
    if (level && node->kind == MGL_YAML_SEQUENCE && low != NULL && low->next != NULL &&
        low->next->next == NULL) {
        MGL_TRY(want_scalar(load, low, name));
        MGL_TRY(want_scalar(load, low->next, name));
        mgl_buffer text = {0};
        mgl_buffer_format(&text, "%s..%s", low->text.data, low->next->text.data);
        char *copy = text.failed ? NULL : mgl_arena_copy(load->arena, text.data, text.size);
        *out = (mgl_span){copy, text.size};
        mgl_buffer_free(&text);
    } else {
        MGL_TRY(want_scalar(load, node, name));
        *out = strcmp(field, "hierarchy") == 0 ? hierarchy_beside(load, node->text) : node->text;
    }
    return out->data == NULL ? mgl_fail_memory(load->err) : MGL_OK;
}

static mgl_status load_field(const loading *load, const char *column, const char *field,
                             const mgl_yaml *node, const char *name)
{
    mgl_span value = {"", 0};
    MGL_TRY(field_text(load, node, field, name, &value));
    mgl_place place = place_of(load, node, name);
    return mgl_take_field(load->job, column, mgl_span_of(field), value, &place, load->err);
}

/* A sequence of scalars as items. */
static mgl_status load_items(const loading *load, const mgl_key *key, const mgl_yaml *node,
                             const char *name)
{
    size_t n = 0;
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        MGL_TRY(want_scalar(load, item, name));
        n++;
    }
    mgl_span *items = mgl_arena_alloc(load->arena, (n + 1) * sizeof *items);
    if (items == NULL)
        return mgl_fail_memory(load->err);
    n = 0;
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next)
        items[n++] = item->text;
    mgl_place place = place_of(load, node, name);
    return mgl_take_list(load->job, key, items, n, &place, load->err);
}

static mgl_status load_quasi_identifiers(const loading *load, const mgl_yaml *node)
{
    const char *name = node->key->text.data;
    mgl_place place = place_of(load, node, name);
    mgl_key qi;
    mgl_key_find(mgl_span_of("qi"), &qi);
    if (node->kind != MGL_YAML_SEQUENCE || node->first == NULL)
        return mgl_place_fail(&place, load->err, "lists of columns belong here: [[a,b],[c]]");
    for (const mgl_yaml *set = node->first; set != NULL; set = set->next) {
        if (set->kind != MGL_YAML_SEQUENCE) {
            place = place_of(load, set, name);
            return mgl_place_fail(&place, load->err, "lists of columns belong here: [[a,b],[c]]");
        }
        MGL_TRY(load_items(load, &qi, set, name));
    }
    return MGL_OK;
}

/* ---- Models -------------------------------------------------------------------------------- */

/* {attribute: s, c: 0.5, l: 3} */
static mgl_status load_parameters(const loading *load, const mgl_model_type *type,
                                  const mgl_yaml *node, const char *name)
{
    const mgl_yaml *given[MGL_MAX_PARAMETERS] = {NULL}, *attribute = NULL;
    mgl_place place = place_of(load, node, name);
    for (const mgl_yaml *member = node->first; member != NULL; member = member->next) {
        mgl_place at = place_of(load, member->key, name);
        size_t i = 0;
        while (i < type->n_parameters && !mgl_span_is(member->key->text, type->parameters[i].name))
            i++;
        if (i < type->n_parameters)
            given[i] = member;
        else if (type->takes_attribute && mgl_span_is(member->key->text, "attribute"))
            attribute = member;
        else
            return mgl_place_fail(&at, load->err, "takes no '%.*s'; see mingle help %s",
                                  mgl_span_width(member->key->text), member->key->text.data,
                                  type->name);
        MGL_TRY(want_scalar(load, member, name));
    }
    if (type->takes_attribute && attribute == NULL)
        return mgl_place_fail(&place, load->err,
                              "which column does it protect? add attribute: COLUMN");
    mgl_buffer text = {0};
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < type->n_parameters; i++) {
        if (given[i] == NULL)
            status = mgl_place_fail(&place, load->err, "lacks %s; add %s: NUMBER",
                                    type->parameters[i].name, type->parameters[i].name);
        else
            mgl_buffer_format(&text, "%s%s", i > 0 ? "," : "", given[i]->text.data);
    }
    if (status == MGL_OK && text.failed)
        status = mgl_fail_memory(load->err);
    if (status == MGL_OK)
        status = mgl_take_model(load->job, type, attribute != NULL ? attribute->text.data : NULL,
                                (mgl_span){text.data != NULL ? text.data : "", text.size}, &place,
                                load->err);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status load_model(const loading *load, const mgl_model_type *type, const mgl_yaml *node,
                             const char *name)
{
    if (node->kind == MGL_YAML_MAPPING)
        return load_parameters(load, type, node, name);
    mgl_place place = place_of(load, node, name);
    if (type->takes_attribute || type->n_parameters != 1)
        return mgl_place_fail(&place, load->err,
                              "its parameters belong here as {name: value}; see mingle help %s",
                              type->name);
    MGL_TRY(want_scalar(load, node, name));
    return mgl_take_model(load->job, type, NULL, node->text, &place, load->err);
}

static mgl_status load_privacy(const loading *load, const mgl_yaml *node)
{
    static const char advice[] = "a list of models belongs here: [{k-anonymity: 5}]";
    mgl_place place = place_of(load, node, "privacy");
    if (node->kind != MGL_YAML_SEQUENCE)
        return mgl_place_fail(&place, load->err, advice);
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        const mgl_yaml *model = item->first;
        place = place_of(load, item, "privacy");
        if (item->kind != MGL_YAML_MAPPING || model == NULL || model->next != NULL)
            return mgl_place_fail(&place, load->err, advice);
        const mgl_model_type *type = mgl_model_type_find(model->key->text.data);
        place = place_of(load, model->key, "privacy");
        if (type == NULL)
            return mgl_unknown_model(model->key->text, &place, load->err);
        MGL_TRY(load_model(load, type, model, dotted(load, "privacy", type->name, NULL)));
    }
    return MGL_OK;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static mgl_status load_attributes(const loading *load, const mgl_yaml *node)
{
    mgl_place place = place_of(load, node, "attributes");
    if (node->kind != MGL_YAML_MAPPING)
        return mgl_place_fail(&place, load->err, "columns belong here: age: {role: quasi}");
    for (const mgl_yaml *column = node->first; column != NULL; column = column->next) {
        const char *name = column->key->text.data;
        place = place_of(load, column, dotted(load, "attributes", name, NULL));
        if (column->kind != MGL_YAML_MAPPING)
            return mgl_place_fail(&place, load->err,
                                  "what is known of the column belongs here: {role: quasi}");
        for (const mgl_yaml *field = column->first; field != NULL; field = field->next) {
            mgl_key key;
            place = place_of(load, field->key, "attributes");
            if (!mgl_span_is(field->key->text, "role") &&
                !mgl_key_find_field(field->key->text, &key))
                return mgl_unknown_field(field->key->text, &place, load->err);
            MGL_TRY(load_field(load, name, field->key->text.data, field,
                               dotted(load, "attributes", name, field->key->text.data)));
        }
    }
    return MGL_OK;
}

static mgl_status load_by_column(const loading *load, const mgl_key *key, const mgl_yaml *node)
{
    for (const mgl_yaml *column = node->first; column != NULL; column = column->next)
        MGL_TRY(load_field(load, column->key->text.data, key->field, column,
                           dotted(load, key->name, column->key->text.data, NULL)));
    return MGL_OK;
}

static mgl_status load_key(const loading *load, const mgl_key *key, const mgl_yaml *node)
{
    bool list = key->kind == MGL_KEY_LIST || key->kind == MGL_KEY_COLUMNS;
    if (list && node->kind == MGL_YAML_SEQUENCE)
        return load_items(load, key, node, key->name);
    if (key->kind == MGL_KEY_BY_COLUMN && node->kind == MGL_YAML_MAPPING)
        return load_by_column(load, key, node);
    if (key->kind == MGL_KEY_MODEL && node->kind == MGL_YAML_MAPPING)
        return load_parameters(load, key->model, node, key->name);
    mgl_place place = place_of(load, node, key->name);
    if (key->kind == MGL_KEY_BY_COLUMN)
        return mgl_place_fail(&place, load->err, "columns belong here: {COLUMN: VALUE}");
    MGL_TRY(want_scalar(load, node, key->name));
    mgl_span value = node->text;
    if (key->kind == MGL_KEY_PATH)
        value = beside(load, (mgl_span){"", 0}, value, (mgl_span){"", 0});
    if (value.data == NULL)
        return mgl_fail_memory(load->err);
    return mgl_take_option(load->job, key, value, &place, load->err);
}

static mgl_status load_document(const loading *load, const mgl_yaml *document)
{
    if (document->kind != MGL_YAML_MAPPING)
        return mgl_fail_at(load->err, MGL_USAGE, load->path, document->line,
                           "a job file holds keys and values; write for example data: FILE");
    for (const mgl_yaml *node = document->first; node != NULL; node = node->next) {
        mgl_key key;
        mgl_place place = place_of(load, node->key, node->key->text.data);
        if (mgl_span_is(node->key->text, "attributes"))
            MGL_TRY(load_attributes(load, node));
        else if (mgl_span_is(node->key->text, "privacy"))
            MGL_TRY(load_privacy(load, node));
        else if (mgl_span_is(node->key->text, "quasi-identifiers"))
            MGL_TRY(load_quasi_identifiers(load, node));
        else if (mgl_key_find(node->key->text, &key))
            MGL_TRY(load_key(load, &key, node));
        else
            return mgl_unknown_key(node->key->text, &place, load->err);
    }
    return MGL_OK;
}

mgl_status mgl_job_load(mgl_job *job, const char *path, mgl_error *err)
{
    const char *slash = strrchr(path, '/');
    loading load = {.job = job,
                    .arena = mgl_arena_new(),
                    .path = path,
                    .folder = {path, slash != NULL ? (size_t)(slash - path) + 1 : 0},
                    .err = err};
    if (load.arena == NULL)
        return mgl_fail_memory(err);
    mgl_yaml *document;
    mgl_status status = mgl_yaml_read(path, load.arena, err, &document);
    if (status == MGL_OK) {
        job->n_loads++;
        status = load_document(&load, document);
    }
    mgl_arena_free(load.arena);
    return status;
}
