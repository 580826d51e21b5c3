/* Taking values in, from options and from job files alike: checked, then put. set.c calls it for
 * programs, load.c for job files, recall.c and said.c for what other files tell. */
#include "job/store/entries.h"

#include "job/keys/keys.h"

#include <unistd.h>

static mgl_status refuse_value(mgl_span value, mgl_buffer *wrong, const mgl_place *place,
                               mgl_error *err)
{
    mgl_status status = wrong->failed ? mgl_fail_memory(err)
                                      : mgl_place_fail(place, MGL_CODE_BAD_VALUE, err,
                                                       "'%.*s' %.*s", mgl_span_width(value),
                                                       value.data, (int)wrong->size, wrong->data);
    mgl_buffer_free(wrong);
    return status;
}

static mgl_status check_value(const mgl_value_parser *form, mgl_span value, const mgl_place *place,
                              mgl_error *err)
{
    bool plain = form->kind == MGL_PARSE_TEXT && form->check == NULL;
    if (memchr(value.data, '\0', value.size) != NULL)
        return mgl_place_fail(place, MGL_CODE_BAD_VALUE, err, "holds a NUL byte; remove it");
    if (plain && value.size == 0)
        return mgl_place_fail(place, MGL_CODE_BAD_VALUE, err,
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
                             const mgl_place *place, mgl_error *err)
{
    MGL_TRY(check_value(&key->parser, value, place, err));
    /* Standard output has one name from here on, so that nothing takes it for a file. */
    if (key->kind == MGL_KEY_OUTPUT && is_standard_output(value))
        value = mgl_span_of("-");
    return mgl_store_put(job, key->name, NULL, value, place, err);
}

static mgl_status take_columns(mgl_job *job, const mgl_key *key, const mgl_span *names,
                               size_t n_names, const mgl_place *place, mgl_error *err)
{
    for (size_t i = 0; i < n_names; i++)
        if (names[i].size == 0 || memchr(names[i].data, '\0', names[i].size) != NULL)
            return mgl_place_fail(place, MGL_CODE_BAD_VALUE, err,
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
                         const mgl_place *place, mgl_error *err)
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
                          const mgl_place *place, mgl_error *err)
{
    mgl_key key = {.field = "role",
                   .parser = {.kind = MGL_PARSE_OWN, .read = read_role, .wrong = no_role}};
    if (!mgl_span_is(field, "role") && !mgl_key_find_field(field, &key))
        return mgl_blame_column(err, mgl_unknown_field(field, place, err), column);
    if (column[0] == '\0')
        return mgl_place_fail(place, MGL_CODE_BAD_VALUE, err,
                              "the column name is empty; name a column");
    MGL_TRY(
        mgl_blame_attribute(err, check_value(&key.parser, value, place, err), column, key.field));
    return mgl_store_put(job, key.field, column, value, place, err);
}

mgl_status mgl_take_model(mgl_job *job, const mgl_model_type *type, const char *attribute,
                          mgl_span parameters, const mgl_place *place, mgl_error *err)
{
    double values[MGL_MAX_PARAMETERS];
    mgl_buffer wrong = {0};
    if (!mgl_value_parameters(type, parameters, values, &wrong))
        return mgl_blame_column(err, refuse_value(parameters, &wrong, place, err), attribute);
    return mgl_store_put(job, type->name, attribute, parameters, place, err);
}

/* ---- Values as options write them --------------------------------------------------- */

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
                             const mgl_place *place, mgl_error *err)
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
                             const mgl_place *place, mgl_error *err)
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

mgl_status mgl_take_option(mgl_job *job, const mgl_key *key, mgl_span value, const mgl_place *place,
                           mgl_error *err)
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

/* ---- Unknown names -------------------------------------------------------------------- */

static mgl_status refuse_name(mgl_code code, const char *what, const mgl_nearest *nearest,
                              const mgl_place *place, const char *otherwise, mgl_error *err)
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

mgl_status mgl_unknown_key(const mgl_job *job, mgl_span name, const mgl_place *place,
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
    return refuse_name(MGL_CODE_UNKNOWN_KEY, "key", &nearest, place, "see `help keys`", err);
}

mgl_status mgl_unknown_field(mgl_span name, const mgl_place *place, mgl_error *err)
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

mgl_status mgl_unknown_model(mgl_span name, const mgl_place *place, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(&nearest, types[i]->name);
    return refuse_name(MGL_CODE_UNKNOWN_NAME, "model", &nearest, place, "see `help models`", err);
}
