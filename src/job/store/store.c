/* Keeps what a job was told, with the place where it was told, until settings are made of it.
 * Whatever takes values in puts them here. */
#include "job/store/entries.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_job_new(mgl_error *err, mgl_job **out)
{
    mgl_job *job = mgl_zeroed_array(1, sizeof *job);
    if (job == NULL)
        return mgl_fail_memory(err);
    job->arena = mgl_arena_new();
    job->index = mgl_map_new();
    if (job->arena == NULL || job->index == NULL) {
        mgl_job_free(job);
        return mgl_fail_memory(err);
    }
    *out = job;
    return MGL_OK;
}

void mgl_store_changed(mgl_job *job)
{
    for (size_t i = 0; i < MGL_COMMANDS; i++) {
        mgl_arena_free(job->prepared[i].arena);
        job->prepared[i] = (mgl_prepared){0};
    }
}

void mgl_job_free(mgl_job *job)
{
    if (job == NULL)
        return;
    mgl_store_changed(job);
    mgl_free(job->entries);
    mgl_free(job->sets);
    mgl_free(job->own);
    mgl_free(job->files);
    mgl_map_free(job->index);
    mgl_arena_free(job->arena);
    json_decref(job->claims);
    mgl_shelf_clear(&job->given);
    mgl_free(job);
}

mgl_status mgl_job_give_bytes(mgl_job *job, const char *name, const void *data, size_t size,
                              void (*done)(void *user), void *user, mgl_error *err)
{
    if (name == NULL || name[0] == '\0' || (data == NULL && size > 0))
        return mgl_fail(err, MGL_USAGE, "bytes in memory need a name and a place");
    mgl_store_changed(job);
    return mgl_shelf_put_bytes(&job->given, name, (mgl_span){data, size}, done, user, err);
}

const mgl_shelf *mgl_job_given(const mgl_job *job)
{
    return &job->given;
}

/* The keys that name tables; "parts" is a list of them. */
bool mgl_job_in_memory(const mgl_job *job)
{
    static const char *const tables[] = {"data",     "parts",   "population",
                                         "external", "release", "output"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const mgl_entry *entry = mgl_store_find(job, tables[i], NULL);
        if (entry != NULL && strstr(entry->value, "memory:") != NULL)
            return true;
    }
    return false;
}

void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user)
{
    mgl_store_changed(job);
    job->progress = (mgl_progress){fn, user};
}

void mgl_job_action(mgl_job *job, const char *action)
{
    mgl_store_changed(job);
    job->action = action;
}

const char *mgl_job_action_of(const mgl_job *job)
{
    return job->action;
}

const mgl_progress *mgl_job_progress(const mgl_job *job)
{
    return &job->progress;
}

const char *mgl_place_said(const mgl_place *place, char text[MGL_SAID])
{
    const char *quote = place->file == NULL && place->load == 0 ? "`" : "";
    snprintf(text, MGL_SAID, "%s%.*s%s", quote, MGL_SAID - 3, place->name, quote);
    return text;
}

/* The key of a place; nothing if its name is words. "policy: strict" is of the key "policy". */
static void write_key(const mgl_place *place, char *key, size_t room)
{
    const char *name = place->name + strspn(place->name, "`");
    size_t size = strcspn(name, "`: ");
    snprintf(key, room, "%.*s", name[size] == ' ' ? 0 : (int)size, name);
}

mgl_status mgl_place_fail(const mgl_place *place, mgl_code code, mgl_error *err, const char *format,
                          ...)
{
    char message[sizeof err->message], said[MGL_SAID], key[sizeof err->key];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    write_key(place, key, sizeof key);
    mgl_where where = {place->file, place->line, place->column};
    mgl_status status =
        mgl_fail_in(err, code, &where, "%s: %s", mgl_place_said(place, said), message);
    return mgl_blame_key(err, status, key);
}

/* ---- Entries --------------------------------------------------------------------- */

static void entry_key(mgl_buffer *key, const char *field, const char *subject)
{
    mgl_buffer_text(key, field);
    mgl_buffer_text(key, "\x1f");
    mgl_buffer_text(key, subject != NULL ? subject : "");
}

/* Without any allocation: a value that is not found for want of memory would silently
 * give way to its default. */
const mgl_entry *mgl_store_find(const mgl_job *job, const char *field, const char *subject)
{
    char key[512];
    const char *column = subject != NULL ? subject : "";
    size_t of_field = strlen(field), of_column = strlen(column), size = of_field + 1 + of_column;
    if (size <= sizeof key) {
        memcpy(key, field, of_field);
        key[of_field] = '\x1f';
        memcpy(key + of_field + 1, column, of_column);
        uint32_t number = mgl_map_find(job->index, (mgl_span){key, size});
        return number == MGL_NOT_FOUND ? NULL : &job->entries[number];
    }
    for (size_t i = 0; i < job->n_entries; i++) {
        const char *other = job->entries[i].subject != NULL ? job->entries[i].subject : "";
        if (strcmp(job->entries[i].field, field) == 0 && strcmp(other, column) == 0)
            return &job->entries[i];
    }
    return NULL;
}

const char *mgl_job_get(const mgl_job *job, const char *key)
{
    const mgl_entry *entry = mgl_store_find(job, key, NULL);
    return entry != NULL ? entry->value : NULL;
}

static bool copy_place(mgl_job *job, const mgl_place *place, mgl_place *out)
{
    mgl_place copy = *place;
    copy.name = mgl_arena_copy(job->arena, place->name, strlen(place->name));
    if (place->file != NULL)
        copy.file = mgl_arena_copy(job->arena, place->file, strlen(place->file));
    if (copy.name == NULL || (place->file != NULL && copy.file == NULL))
        return false;
    *out = copy;
    return true;
}

static mgl_status add_entry(mgl_job *job, const char *field, const char *subject, mgl_span value,
                            const mgl_place *place, mgl_error *err)
{
    mgl_entry entry = {0};
    entry.field = mgl_arena_copy(job->arena, field, strlen(field));
    entry.subject = subject == NULL ? NULL : mgl_arena_copy(job->arena, subject, strlen(subject));
    entry.value = mgl_arena_copy(job->arena, value.data, value.size);
    mgl_buffer key = {0};
    entry_key(&key, field, subject);
    bool fine =
        entry.field != NULL && (subject == NULL || entry.subject != NULL) && entry.value != NULL &&
        copy_place(job, place, &entry.place) && !key.failed &&
        mgl_grow(&job->entries, &job->entries_capacity, job->n_entries + 1, sizeof *job->entries);
    fine = fine && mgl_map_add(job->index, (mgl_span){key.data, key.size}) != MGL_NOT_FOUND;
    mgl_buffer_free(&key);
    if (!fine)
        return mgl_fail_memory(err);
    job->entries[job->n_entries++] = entry;
    return MGL_OK;
}

static mgl_status refuse_second(const mgl_entry *first, mgl_span value, const mgl_place *place,
                                mgl_error *err)
{
    char where[64] = "", said[MGL_SAID];
    mgl_place_said(&first->place, said);
    if (first->place.file != NULL)
        snprintf(where, sizeof where, " (line %llu)", (unsigned long long)first->place.line);
    if (strcmp(first->field, "role") == 0 && mgl_span_is(value, first->value))
        return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                              "column '%.60s' is named twice, first by %s%s; name it "
                              "once",
                              first->subject, said, where);
    if (strcmp(first->field, "role") == 0)
        return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                              "column '%.60s' has two roles, %s by %s%s and now %.*s; give it one",
                              first->subject, first->value, said, where, mgl_span_width(value),
                              value.data);
    if (first->subject != NULL)
        return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                              "given twice for '%.60s', first by %s%s; leave one out",
                              first->subject, said, where);
    return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                          "given twice, first by %s%s; leave one out", said, where);
}

mgl_status mgl_store_put(mgl_job *job, const char *field, const char *subject, mgl_span value,
                         const mgl_place *place, mgl_error *err)
{
    mgl_entry *there = (mgl_entry *)mgl_store_find(job, field, subject);
    if (there == NULL) {
        mgl_store_changed(job);
        return add_entry(job, field, subject, value, place, err);
    }
    if (there->place.load == place->load) {
        /* A column may lie in several quasi-identifiers. */
        bool same_quasi = strcmp(field, "role") == 0 && mgl_span_is(value, "quasi") &&
                          strcmp(there->value, "quasi") == 0;
        return same_quasi ? MGL_OK
                          : mgl_blame_attribute(err, refuse_second(there, value, place, err),
                                                subject, field);
    }
    if (place->load != 0)
        return MGL_OK; /* what was set before overrides the file */
    mgl_store_changed(job);
    mgl_entry replaced = *there;
    replaced.value = mgl_arena_copy(job->arena, value.data, value.size);
    if (replaced.value == NULL || !copy_place(job, place, &replaced.place))
        return mgl_fail_memory(err);
    *there = replaced;
    return MGL_OK;
}

/* ---- Quasi-identifiers -------------------------------------------------------------- */

static mgl_status refuse_twice(mgl_span name, const mgl_place *place, mgl_error *err)
{
    char column[sizeof err->column];
    snprintf(column, sizeof column, "%.*s", mgl_span_width(name), name.data);
    return mgl_blame_column(err,
                            mgl_place_fail(place, MGL_CODE_REPEATED, err,
                                           "column '%s' is named twice; name it once", column),
                            column);
}

static mgl_status check_set(const mgl_span *names, size_t n_names, const mgl_place *place,
                            mgl_error *err)
{
    mgl_map *seen = mgl_map_new();
    mgl_status status = seen == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (n_names == 0)
        status = mgl_place_fail(place, MGL_CODE_BAD_VALUE, err,
                                "a quasi-identifier without columns; name some");
    for (size_t i = 0; status == MGL_OK && i < n_names; i++) {
        uint32_t number = mgl_map_add(seen, names[i]);
        if (number == MGL_NOT_FOUND)
            status = mgl_fail_memory(err);
        else if (number < i)
            status = refuse_twice(names[i], place, err);
    }
    mgl_map_free(seen);
    return status;
}

static bool add_set(mgl_job *job, const mgl_span *names, size_t n_names, const mgl_place *place)
{
    mgl_named_set set = {.n_names = n_names};
    set.names = mgl_arena_alloc(job->arena, n_names * sizeof *set.names);
    if (set.names == NULL || !copy_place(job, place, &set.place) ||
        !mgl_grow(&job->sets, &job->sets_capacity, job->n_sets + 1, sizeof *job->sets))
        return false;
    for (size_t i = 0; i < n_names; i++) {
        set.names[i] = mgl_arena_copy(job->arena, names[i].data, names[i].size);
        if (set.names[i] == NULL)
            return false;
    }
    job->sets[job->n_sets++] = set;
    return true;
}

mgl_status mgl_store_put_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             const mgl_place *place, mgl_error *err)
{
    MGL_TRY(check_set(names, n_names, place, err));
    if (job->n_sets > 0 && job->sets[0].place.load != place->load) {
        if (place->load != 0)
            return MGL_OK; /* the sets that were set before override the file's */
        job->n_sets = 0;
    }
    if (job->n_sets > 0 && strcmp(job->sets[0].place.name, place->name) != 0 && place->load != 0)
        return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                              "given twice, first by %s (line %llu); leave one out",
                              job->sets[0].place.name, (unsigned long long)job->sets[0].place.line);
    mgl_store_changed(job);
    if (!add_set(job, names, n_names, place))
        return mgl_fail_memory(err);
    const mgl_named_set *set = &job->sets[job->n_sets - 1];
    for (size_t i = 0; i < n_names; i++)
        MGL_TRY(mgl_store_put(job, "role", set->names[i], mgl_span_of("quasi"), place, err));
    return MGL_OK;
}
