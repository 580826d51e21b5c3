/* One key at a time, as programs and options give them: own keys of the caller, values that are
 * checked and put, unknown names, which entries a key means, and the public functions that set,
 * add, unset and get. */
#include "job/keys/keys.h"
#include "job/store/store.h"

#include <stdio.h>
#include <unistd.h>

/* ---- Keys of the caller ---------------------------------------------------------------------- */

/* Of our own program; a job file that it reads is a job for any other program, too. */
static const char *const reserved[] = {"quiet", "json", NULL};

static const char *key_alias(const char *name);

const char *const *mgl_reserved_keys(void)
{
    return reserved;
}

static mgl_key key_of(const char *name, const char *const *values)
{
    return (mgl_key){
        .name = name,
        .kind = MGL_KEY_VALUE,
        .record = MGL_RECORD_NEVER,
        .parser = {.kind = values != NULL ? MGL_PARSE_WORD : MGL_PARSE_TEXT, .words = values}};
}

bool mgl_job_key_find(const mgl_job *job, mgl_span name, mgl_key *out)
{
    if (mgl_key_find(name, out))
        return true;
    for (size_t i = 0; i < job->n_own; i++)
        if (mgl_span_is(name, job->own[i].name)) {
            *out = key_of(job->own[i].name, job->own[i].values);
            return true;
        }
    for (size_t i = 0; reserved[i] != NULL; i++)
        if (mgl_span_is(name, reserved[i])) {
            *out = key_of(reserved[i], NULL);
            return true;
        }
    return false;
}

/* The words in the memory of the job; NULL: memory is out. */
static const char *const *copy_values(mgl_job *job, const char *const *values)
{
    size_t n = 0;
    while (values[n] != NULL)
        n++;
    const char **copy = mgl_arena_alloc(job->arena, (n + 1) * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < n; i++)
        if ((copy[i] = mgl_arena_copy(job->arena, values[i], strlen(values[i]))) == NULL)
            return NULL;
    if (copy != NULL)
        copy[n] = NULL;
    return copy;
}

static mgl_status add(mgl_job *job, const mgl_own_key *key, mgl_error *err)
{
    mgl_key known;
    mgl_own_key copy = {0};
    if (key->name == NULL || key->name[0] == '\0')
        return mgl_fail(err, MGL_CODE_USAGE, "an own key without a name; give it one");
    if (mgl_key_find(mgl_span_of(key->name), &known))
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "'%.60s' is a key of the library; give the own key another name",
                        key->name);
    copy.name = mgl_arena_copy(job->arena, key->name, strlen(key->name));
    if (key->values != NULL)
        copy.values = copy_values(job, key->values);
    if (copy.name == NULL || (key->values != NULL && copy.values == NULL) ||
        !mgl_grow(&job->own, &job->own_capacity, job->n_own + 1, sizeof *job->own))
        return mgl_fail_memory(err);
    job->own[job->n_own++] = copy;
    return MGL_OK;
}

mgl_status mgl_job_own_keys(mgl_job *job, const mgl_own_key *keys, size_t n, mgl_error *err)
{
    for (size_t i = 0; i < n; i++)
        MGL_TRY(add(job, &keys[i], err));
    return MGL_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static mgl_status refuse_value(mgl_span value, mgl_buffer *wrong, const mgl_origin *place,
                               mgl_error *err)
{
    mgl_status status = wrong->failed ? mgl_fail_memory(err)
                                      : mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err,
                                                        "'%.*s' %.*s", mgl_span_width(value),
                                                        value.data, (int)wrong->size, wrong->data);
    mgl_buffer_free(wrong);
    return status;
}

static mgl_status check_value(const mgl_value_parser *form, mgl_span value, const mgl_origin *place,
                              mgl_error *err)
{
    bool plain = form->kind == MGL_PARSE_TEXT && form->check == NULL;
    if (memchr(value.data, '\0', value.size) != NULL)
        return mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err, "holds a NUL byte; remove it");
    if (plain && value.size == 0)
        return mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err,
                               "is empty; give a value or leave it out");
    mgl_buffer wrong = {0};
    return mgl_value_parser_check(form, value, &wrong) ? MGL_OK
                                                       : refuse_value(value, &wrong, place, err);
}

static bool is_standard_output(mgl_span value)
{
    char path[64];
    if (value.size >= sizeof path)
        return false;
    memcpy(path, value.data, value.size);
    path[value.size] = '\0';
    return mgl_sys_stream_of(path) == STDOUT_FILENO;
}

static mgl_status take_value(mgl_job *job, const mgl_key *key, mgl_span value,
                             const mgl_origin *place, mgl_error *err)
{
    MGL_TRY(check_value(&key->parser, value, place, err));
    /* Standard output has one name from here on, so that nothing takes it for a file. */
    if (key->kind == MGL_KEY_OUTPUT && is_standard_output(value))
        value = mgl_span_of("-");
    return mgl_store_put(job, key->name, NULL, value, place, err);
}

static mgl_status take_columns(mgl_job *job, const mgl_key *key, const mgl_span *names,
                               size_t n_names, const mgl_origin *place, mgl_error *err)
{
    for (size_t i = 0; i < n_names; i++)
        if (names[i].size == 0 || memchr(names[i].data, '\0', names[i].size) != NULL)
            return mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err,
                                   "column name %zu is empty; name columns with one comma between",
                                   i + 1);
    if (strcmp(key->role, "quasi") == 0)
        return mgl_store_put_set(job, names, n_names, key->is_set, place, err);
    for (size_t i = 0; i < n_names; i++) {
        mgl_buffer name = {0};
        mgl_buffer_span(&name, names[i]);
        mgl_buffer_append(&name, "", 1);
        mgl_status status =
            name.failed ? mgl_fail_memory(err)
                        : mgl_store_put(job, "role", name.data, mgl_span_of(key->role), place, err);
        mgl_buffer_free(&name);
        MGL_TRY(status);
    }
    return MGL_OK;
}

mgl_status mgl_take_list(mgl_job *job, const mgl_key *key, const mgl_span *items, size_t n_items,
                         const mgl_origin *place, mgl_error *err)
{
    if (key->kind == MGL_KEY_COLUMNS)
        return take_columns(job, key, items, n_items, place, err);
    mgl_buffer list = {0};
    for (size_t i = 0; i < n_items; i++) {
        mgl_status status = check_value(&key->parser, items[i], place, err);
        if (status != MGL_OK) {
            mgl_buffer_free(&list);
            return status;
        }
        mgl_list_append(&list, items[i]);
    }
    mgl_status status =
        list.failed
            ? mgl_fail_memory(err)
            : mgl_store_put(job, key->name, NULL,
                            (mgl_span){list.data != NULL ? list.data : "", list.size}, place, err);
    mgl_buffer_free(&list);
    return status;
}

static const char no_role[] = "is no role; give quasi, sensitive, identifier, insensitive or items";

static bool read_role(mgl_span text, void *place)
{
    mgl_role role;
    if (!mgl_role_parse(text, &role) || role == MGL_ROLE_NONE)
        return false;
    *(mgl_role *)place = role;
    return true;
}

mgl_status mgl_take_field(mgl_job *job, const char *column, mgl_span field, mgl_span value,
                          const mgl_origin *place, mgl_error *err)
{
    mgl_key key = {.field = "role",
                   .parser = {.kind = MGL_PARSE_OWN, .read = read_role, .wrong = no_role}};
    if (!mgl_span_is(field, "role") && !mgl_key_find_field(field, &key))
        return mgl_blame_column(err, mgl_unknown_field(field, place, err), column);
    if (column[0] == '\0')
        return mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err,
                               "the column name is empty; name a column");
    MGL_TRY(
        mgl_blame_attribute(err, check_value(&key.parser, value, place, err), column, key.field));
    return mgl_store_put(job, key.field, column, value, place, err);
}

mgl_status mgl_take_model(mgl_job *job, const mgl_model_type *type, const char *attribute,
                          mgl_span parameters, const mgl_origin *place, mgl_error *err)
{
    double values[MGL_MAX_PARAMETERS];
    mgl_buffer wrong = {0};
    if (!mgl_value_parameters(type, parameters, values, &wrong))
        return mgl_blame_column(err, refuse_value(parameters, &wrong, place, err), attribute);
    return mgl_store_put(job, type->name, attribute, parameters, place, err);
}

/* ---- Values as options write them ------------------------------------------------------------ */

typedef struct item_list {
    mgl_arena *arena;
    mgl_span *items;
    size_t n, capacity;
} item_list;

static bool add_item(item_list *list, const mgl_buffer *item)
{
    char *copy = mgl_arena_copy(list->arena, item->data != NULL ? item->data : "", item->size);
    if (copy == NULL || !mgl_grow(&list->items, &list->capacity, list->n + 1, sizeof *list->items))
        return false;
    list->items[list->n++] = (mgl_span){copy, item->size};
    return true;
}

static mgl_status take_items(mgl_job *job, const mgl_key *key, mgl_span value,
                             const mgl_origin *place, mgl_error *err)
{
    item_list list = {.arena = mgl_arena_new()};
    mgl_list rest = mgl_list_of(value);
    mgl_buffer item = {0}, wrong = {0};
    bool memory = list.arena != NULL;
    while (memory && mgl_list_next(&rest, &item, &wrong))
        memory = add_item(&list, &item) && !item.failed;
    mgl_status status;
    if (!memory)
        status = mgl_fail_memory(err);
    else if (wrong.size > 0 || wrong.failed)
        status = refuse_value(value, &wrong, place, err);
    else
        status = mgl_take_list(job, key, list.items, list.n, place, err);
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    mgl_free(list.items);
    mgl_arena_free(list.arena);
    return status;
}

static mgl_status take_pairs(mgl_job *job, const mgl_key *key, mgl_span value,
                             const mgl_origin *place, mgl_error *err)
{
    /* A builder or a file name holds commas of its own: one pair per option. */
    bool single = key->single || key->kind == MGL_KEY_MODEL;
    mgl_list rest = mgl_list_of(value);
    mgl_buffer column = {0}, text = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    while (mgl_list_next_pair(&rest, single, &column, &text, &wrong)) {
        mgl_buffer_append(&column, "", 1);
        mgl_buffer_reserve(&text, 1); /* data is not NULL then */
        if (column.failed || text.failed)
            MGL_GO(mgl_fail_memory(err));
        else if (key->kind == MGL_KEY_MODEL)
            MGL_GO(mgl_take_model(job, key->model, column.data, (mgl_span){text.data, text.size},
                                  place, err));
        else
            MGL_GO(mgl_take_field(job, column.data, mgl_span_of(key->field),
                                  (mgl_span){text.data, text.size}, place, err));
    }
    if (wrong.size > 0 || wrong.failed)
        MGL_GO(refuse_value(value, &wrong, place, err));
done:
    mgl_buffer_free(&column);
    mgl_buffer_free(&text);
    mgl_buffer_free(&wrong);
    return status;
}

mgl_status mgl_take_option(mgl_job *job, const mgl_key *key, mgl_span value,
                           const mgl_origin *place, mgl_error *err)
{
    switch (key->kind) {
    case MGL_KEY_ALL_OR:
        return mgl_key_is_all_or_none(value) ? take_value(job, key, value, place, err)
                                             : take_items(job, key, value, place, err);
    case MGL_KEY_LIST:
    case MGL_KEY_INPUTS:
    case MGL_KEY_COLUMNS:
        return take_items(job, key, value, place, err);
    case MGL_KEY_BY_COLUMN:
        return take_pairs(job, key, value, place, err);
    case MGL_KEY_MODEL:
        return key->model->takes_attribute
                   ? take_pairs(job, key, value, place, err)
                   : mgl_take_model(job, key->model, NULL, value, place, err);
    default:
        return take_value(job, key, value, place, err);
    }
}

/* ---- Unknown names --------------------------------------------------------------------------- */

static mgl_status refuse_name(mgl_code code, const char *what, const mgl_nearest *nearest,
                              const mgl_origin *place, const char *otherwise, mgl_error *err)
{
    mgl_span name = nearest->wanted;
    const char *best = nearest->best != NULL ? nearest->best : otherwise;
    const char *before = nearest->best != NULL ? "did you mean '" : "";
    const char *behind = nearest->best != NULL ? "'?" : "";
    mgl_where where = {place->file, place->line, place->column};
    return mgl_blame_key(err,
                         mgl_fail_in(err, code, &where, "unknown %s '%.*s'; %s%s%s", what,
                                     mgl_span_width(name), name.data, before, best, behind),
                         place->name);
}

mgl_status mgl_unknown_key(const mgl_job *job, mgl_span name, const mgl_origin *place,
                           mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        mgl_nearest_try(&nearest, key.name);
    for (size_t i = 0; i < job->n_own; i++)
        mgl_nearest_try(&nearest, job->own[i].name);
    for (const char *const *known = mgl_reserved_keys(); *known != NULL; known++)
        mgl_nearest_try(&nearest, *known);
    mgl_nearest_try(&nearest, "attributes");
    mgl_nearest_try(&nearest, "privacy");
    mgl_nearest_try(&nearest, "quasi-identifiers");
    if (mgl_span_is(name, "models"))
        nearest.best = "privacy";
    else if (mgl_span_is(name, "columns"))
        nearest.best = "attributes";
    else if (mgl_key_meant(name) != NULL)
        nearest.best = mgl_key_meant(name);
    return refuse_name(MGL_CODE_UNKNOWN_KEY, "key", &nearest, place, "see `help keys`", err);
}

mgl_status mgl_unknown_field(mgl_span name, const mgl_origin *place, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    mgl_buffer known = {0};
    mgl_key key, first;
    mgl_nearest_try(&nearest, "role");
    mgl_buffer_text(&known, "there are role");
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if (key.kind != MGL_KEY_BY_COLUMN)
            continue;
        mgl_nearest_try(&nearest, key.field);
        /* Two options may mean one field. */
        if (mgl_key_find_field(mgl_span_of(key.field), &first) && strcmp(first.name, key.name) == 0)
            mgl_buffer_format(&known, ", %s", key.field);
    }
    mgl_buffer_append(&known, "", 1);
    mgl_status status = known.failed ? mgl_fail_memory(err)
                                     : refuse_name(MGL_CODE_UNKNOWN_KEY, "key of an attribute",
                                                   &nearest, place, known.data, err);
    mgl_buffer_free(&known);
    return status;
}

mgl_status mgl_unknown_model(mgl_span name, const mgl_origin *place, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(&nearest, types[i]->name);
    return refuse_name(MGL_CODE_UNKNOWN_NAME, "model", &nearest, place, "see `help models`", err);
}

/* ---- Which entries a key means --------------------------------------------------------------- */

bool mgl_selection_has(const mgl_selection *s, const mgl_entry *entry)
{
    bool model = mgl_model_type_find(entry->field) != NULL;
    bool of_kind = s->about == MGL_ABOUT_MODEL ? model
                   : s->about == MGL_ABOUT_JOB ? entry->subject == NULL && !model
                                               : entry->subject != NULL && !model;
    if (!of_kind || (s->field != NULL && strcmp(s->field, entry->field) != 0))
        return false;
    if (s->one_subject && (entry->subject == NULL || !mgl_name_is(s->subject, entry->subject)))
        return false;
    return s->role == NULL || strcmp(s->role, entry->value) == 0;
}

/* Takes the name behind a dot off; false if there is no dot or no name. */
static bool take_name(mgl_span *rest, mgl_name *out)
{
    if (rest->size < 2 || rest->data[0] != '.')
        return false;
    *rest = (mgl_span){rest->data + 1, rest->size - 1};
    return mgl_name_take(rest, ".", out);
}

/* "key 'attributes.age' is not complete". */
static mgl_status key_incomplete(const char *key, mgl_error *err)
{
    mgl_status status =
        mgl_fail(err, MGL_CODE_UNKNOWN_KEY,
                 "key '%.60s' is not complete; write attributes.COLUMN.role or privacy.MODEL, "
                 "with quotes around a name that holds a dot",
                 key);
    return mgl_blame_key(err, status, key);
}

/* attributes, attributes.COLUMN, attributes.COLUMN.FIELD */
static mgl_status select_columns(const char *key, mgl_span rest, mgl_error *err, mgl_selection *out)
{
    const mgl_origin place = {.name = key};
    mgl_name field;
    mgl_key row = {.field = "role"};
    *out = (mgl_selection){.about = MGL_ABOUT_COLUMN};
    if (rest.size == 0)
        return MGL_OK;
    out->one_subject = true;
    if (!take_name(&rest, &out->subject))
        return key_incomplete(key, err);
    if (rest.size == 0)
        return MGL_OK;
    if (!take_name(&rest, &field) || rest.size > 0)
        return key_incomplete(key, err);
    if (!mgl_name_is(field, "role") && !mgl_key_find_field(field.text, &row))
        return mgl_unknown_field(field.text, &place, err);
    out->field = row.field;
    return MGL_OK;
}

/* privacy, privacy.MODEL, privacy.MODEL.COLUMN */
static mgl_status select_models(const char *key, mgl_span rest, mgl_error *err, mgl_selection *out)
{
    const mgl_origin place = {.name = key};
    mgl_name name;
    *out = (mgl_selection){.about = MGL_ABOUT_MODEL};
    if (rest.size == 0)
        return MGL_OK;
    if (!take_name(&rest, &name))
        return key_incomplete(key, err);
    char text[80]; /* no model has a longer name */
    snprintf(text, sizeof text, "%.*s", (int)name.text.size, name.text.data);
    const mgl_model_type *model = name.text.size < sizeof text ? mgl_model_type_find(text) : NULL;
    if (model == NULL)
        return mgl_unknown_model(name.text, &place, err);
    out->field = model->name;
    out->one_subject = rest.size > 0;
    if (rest.size > 0 && (!take_name(&rest, &out->subject) || rest.size > 0))
        return key_incomplete(key, err);
    return MGL_OK;
}

/* MGL_USAGE: there is no such key. It points into the key. */
static mgl_status selection_of(const mgl_job *job, const char *name, mgl_error *err,
                               mgl_selection *out)
{
    const mgl_origin place = {.name = name};
    mgl_span rest = mgl_span_of(name);
    mgl_name first;
    mgl_key key;
    if (!mgl_name_take(&rest, ".", &first))
        return key_incomplete(name, err);
    if (mgl_name_is(first, "attributes"))
        return select_columns(name, rest, err, out);
    if (mgl_name_is(first, "privacy"))
        return select_models(name, rest, err, out);
    if (!mgl_job_key_find(job, mgl_span_of(key_alias(name)), &key))
        return mgl_unknown_key(job, mgl_span_of(name), &place, err);
    *out = key.kind == MGL_KEY_MODEL
               ? (mgl_selection){.about = MGL_ABOUT_MODEL, .field = key.model->name}
           : key.kind == MGL_KEY_BY_COLUMN
               ? (mgl_selection){.about = MGL_ABOUT_COLUMN, .field = key.field}
           : key.kind == MGL_KEY_COLUMNS
               ? (mgl_selection){.about = MGL_ABOUT_COLUMN, .field = "role", .role = key.role}
               : (mgl_selection){.about = MGL_ABOUT_JOB, .field = key.name};
    return MGL_OK;
}

/* ---- Setting and getting --------------------------------------------------------------------- */

/* Takes one part off a key with dots: attributes."a.b".role has three. */
static bool take_part(mgl_span *rest, mgl_buffer *part)
{
    mgl_name name;
    part->size = 0;
    if (!mgl_name_take(rest, ".", &name) ||
        (rest->size > 0 && (rest->data[0] != '.' || rest->size == 1)))
        return false;
    if (rest->size > 0)
        *rest = (mgl_span){rest->data + 1, rest->size - 1};
    mgl_name_append(part, name);
    mgl_buffer_append(part, "", 1); /* also a C string */
    part->size--;
    return !part->failed;
}

static mgl_span span_of(const mgl_buffer *buffer)
{
    return (mgl_span){buffer->data, buffer->size};
}

/* Three parts of a nested key: attributes.COLUMN.FIELD, privacy.MODEL, privacy.MODEL.COLUMN. */
typedef struct parts {
    mgl_buffer first, second, third;
} parts;

static void free_parts(parts *p)
{
    mgl_buffer_free(&p->first);
    mgl_buffer_free(&p->second);
    mgl_buffer_free(&p->third);
}

static mgl_status put_model(mgl_job *job, const parts *p, mgl_span value, const mgl_origin *place,
                            mgl_error *err)
{
    const mgl_model_type *type = mgl_model_type_find(p->second.data);
    const mgl_key key = {.kind = MGL_KEY_MODEL, .model = type};
    if (type == NULL)
        return mgl_unknown_model(span_of(&p->second), place, err);
    if (p->third.data == NULL)
        return mgl_take_option(job, &key, value, place, err);
    if (!type->takes_attribute || p->third.size == 0)
        return key_incomplete(place->name, err);
    return mgl_take_model(job, type, p->third.data, value, place, err);
}

static mgl_status put_nested(mgl_job *job, parts *p, mgl_span rest, mgl_span value,
                             const mgl_origin *place, mgl_error *err)
{
    bool attribute = strcmp(p->first.data, "attributes") == 0;
    bool whole = rest.size > 0 && take_part(&rest, &p->second) &&
                 (rest.size > 0 ? take_part(&rest, &p->third) : !attribute) && rest.size == 0;
    MGL_TRY(mgl_check_memory(!p->second.failed && !p->third.failed, err));
    if (!whole)
        return key_incomplete(place->name, err);
    return attribute ? mgl_take_field(job, p->second.data, span_of(&p->third), value, place, err)
                     : put_model(job, p, value, place, err);
}

/* "qi-set" for "quasi-identifiers", which job files call a list of sets; else the name itself. */
static const char *key_alias(const char *name)
{
    return strcmp(name, "quasi-identifiers") == 0 ? "qi-set" : name;
}

/* A list of columns, set anew, is all of the columns with that role. */
static mgl_status clear_columns(mgl_job *job, const mgl_key *key, const mgl_origin *place,
                                mgl_error *err)
{
    const mgl_selection columns = {.about = MGL_ABOUT_COLUMN, .field = "role", .role = key->role};
    return key->kind == MGL_KEY_COLUMNS && place->turn != 0 ? mgl_store_remove(job, &columns, err)
                                                            : MGL_OK;
}

static mgl_status put_key(mgl_job *job, const char *name, mgl_span value, const mgl_origin *place,
                          mgl_error *err)
{
    mgl_key key;
    if (!mgl_job_key_find(job, mgl_span_of(key_alias(name)), &key))
        return mgl_unknown_key(job, mgl_span_of(name), place, err);
    MGL_TRY(clear_columns(job, &key, place, err));
    return mgl_take_option(job, &key, value, place, err);
}

static mgl_status put(mgl_job *job, const char *key, const char *value, uint64_t turn,
                      mgl_error *err)
{
    if (key == NULL || key[0] == '\0')
        return mgl_fail(err, MGL_CODE_UNKNOWN_KEY, "a key without a name; see `help keys`");
    if (value == NULL)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, key, "%.60s: no value; give one", key);
    mgl_origin place = {.name = key, .turn = turn};
    mgl_span rest = mgl_span_of(key);
    parts p = {0};
    mgl_status status = MGL_OK;
    bool whole = take_part(&rest, &p.first);
    MGL_GO(mgl_check_memory(!p.first.failed, err));
    if (!whole)
        MGL_GO(strchr(key, '"') != NULL
                   ? mgl_fail_key(err, MGL_CODE_UNKNOWN_KEY, key,
                                  "key '%.60s' has a quote that is not closed; close it", key)
                   : key_incomplete(key, err));
    if (strcmp(p.first.data, "attributes") == 0 || strcmp(p.first.data, "privacy") == 0)
        MGL_GO(put_nested(job, &p, rest, mgl_span_of(value), &place, err));
    else
        MGL_GO(put_key(job, key, mgl_span_of(value), &place, err));
done:
    free_parts(&p);
    return status;
}

static mgl_status put_whole(mgl_job *job, const char *key, const char *value, uint64_t turn,
                            mgl_error *err)
{
    mgl_undo undo;
    mgl_locale locale = mgl_locale_enter();
    mgl_undo_begin(job, &undo);
    mgl_status status = mgl_undo_end(job, put(job, key, value, turn, err));
    mgl_locale_leave(locale);
    return status;
}

mgl_status mgl_job_set(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    return put_whole(job, key, value, ++job->n_puts, err);
}

mgl_status mgl_job_add(mgl_job *job, const char *key, const char *value, mgl_error *err)
{
    return put_whole(job, key, value, 0, err);
}

mgl_status mgl_job_unset(mgl_job *job, const char *key, mgl_error *err)
{
    mgl_selection selection;
    mgl_undo undo;
    if (key == NULL)
        return mgl_fail(err, MGL_CODE_UNKNOWN_KEY, "a key without a name; see `help keys`");
    MGL_TRY(selection_of(job, key, err, &selection));
    mgl_undo_begin(job, &undo);
    return mgl_undo_end(job, mgl_store_remove(job, &selection, err));
}

/* Does the selection mean one value and no more? */
static bool is_of_one(const mgl_selection *s)
{
    return s->field != NULL && s->role == NULL && (s->about != MGL_ABOUT_COLUMN || s->one_subject);
}

const char *mgl_job_get(const mgl_job *job, const char *key)
{
    mgl_selection s;
    if (key == NULL || selection_of(job, key, NULL, &s) != MGL_OK || !is_of_one(&s))
        return NULL;
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        if (mgl_selection_has(&s, entry) && (s.one_subject || entry->subject == NULL))
            return entry->value;
    }
    return NULL;
}
