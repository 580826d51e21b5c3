/* Keeps what a job was told, with the place where it was told, until settings are made of it.
 * Whatever takes values in puts them here. */
#include "job/store/entries.h"

#include <stdio.h>

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
        uint32_t place = number == MGL_NOT_FOUND ? MGL_NOT_FOUND : job->places[number];
        return place == MGL_NOT_FOUND ? NULL : &job->entries[place];
    }
    for (size_t i = 0; i < job->n_entries; i++) {
        const char *other = job->entries[i].subject != NULL ? job->entries[i].subject : "";
        if (strcmp(job->entries[i].field, field) == 0 && strcmp(other, column) == 0)
            return &job->entries[i];
    }
    return NULL;
}

bool mgl_place_copy(mgl_job *job, const mgl_place *place, mgl_place *out)
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

void mgl_store_index(mgl_job *job)
{
    uint32_t n = mgl_map_size(job->index);
    for (uint32_t i = 0; i < n; i++)
        job->places[i] = MGL_NOT_FOUND;
    for (size_t i = 0; i < job->n_entries; i++)
        job->places[job->entries[i].number] = (uint32_t)i;
}

/* The number of field and subject; MGL_NOT_FOUND: memory is out. */
static uint32_t number_of(mgl_job *job, const char *field, const char *subject)
{
    uint32_t n = mgl_map_size(job->index), number = MGL_NOT_FOUND;
    mgl_buffer key = {0};
    entry_key(&key, field, subject);
    if (!key.failed &&
        mgl_grow(&job->places, &job->places_capacity, (size_t)n + 1, sizeof *job->places)) {
        number = mgl_map_add(job->index, (mgl_span){key.data, key.size});
        if (number == n)
            job->places[number] = MGL_NOT_FOUND;
    }
    mgl_buffer_free(&key);
    return number;
}

static mgl_status add_entry(mgl_job *job, const char *field, const char *subject, mgl_span value,
                            const mgl_place *place, mgl_error *err)
{
    mgl_entry entry = {0};
    entry.field = mgl_arena_copy(job->arena, field, strlen(field));
    entry.subject = subject == NULL ? NULL : mgl_arena_copy(job->arena, subject, strlen(subject));
    entry.value = mgl_arena_copy(job->arena, value.data, value.size);
    bool fine =
        entry.field != NULL && (subject == NULL || entry.subject != NULL) && entry.value != NULL &&
        mgl_place_copy(job, place, &entry.place) &&
        mgl_grow(&job->entries, &job->entries_capacity, job->n_entries + 1, sizeof *job->entries);
    if (!fine || (entry.number = number_of(job, field, subject)) == MGL_NOT_FOUND)
        return mgl_fail_memory(err);
    job->places[entry.number] = (uint32_t)job->n_entries;
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

/* About how much of the arena nobody needs any more. */
static void drop(mgl_job *job, const mgl_entry *entry)
{
    job->garbage += sizeof *entry + strlen(entry->value) + strlen(entry->place.name);
}

static mgl_status put_in_place(mgl_job *job, mgl_entry *there, mgl_span value,
                               const mgl_place *place, mgl_error *err)
{
    mgl_entry replaced = *there;
    replaced.value = mgl_arena_copy(job->arena, value.data, value.size);
    if (replaced.value == NULL || !mgl_place_copy(job, place, &replaced.place) ||
        !mgl_undo_keep(job))
        return mgl_fail_memory(err);
    drop(job, there);
    *there = replaced;
    return MGL_OK;
}

/* A column with another role stands behind those that had theirs before. */
static mgl_status put_behind(mgl_job *job, const char *field, const char *subject, mgl_span value,
                             const mgl_place *place, mgl_error *err)
{
    const mgl_selection own = {.about = MGL_ABOUT_COLUMN,
                               .field = field,
                               .one_subject = true,
                               .subject = {mgl_span_of(subject), false}};
    MGL_TRY(mgl_store_remove(job, &own, err));
    return add_entry(job, field, subject, value, place, err);
}

/* Does the new value contradict the one that is there? A list of columns (`qi`, `sensitive`) takes
 * no column away from another role that the caller gave; the role of one column is set anew. */
static bool contradicts(const mgl_entry *there, bool role, mgl_span value, const mgl_place *place)
{
    if (place->turn == 0)
        return there->place.load == place->load;
    bool list = role && strncmp(place->name, "attributes.", strlen("attributes.")) != 0;
    return there->place.turn == place->turn ||
           (list && there->place.load == 0 && !mgl_span_is(value, there->value));
}

mgl_status mgl_store_put(mgl_job *job, const char *field, const char *subject, mgl_span value,
                         const mgl_place *place, mgl_error *err)
{
    mgl_entry *there = (mgl_entry *)mgl_store_find(job, field, subject);
    bool role = subject != NULL && strcmp(field, "role") == 0;
    if (there == NULL) {
        mgl_store_changed(job);
        return add_entry(job, field, subject, value, place, err);
    }
    if (contradicts(there, role, value, place)) {
        /* A column may lie in several quasi-identifiers. */
        bool same_quasi = role && mgl_span_is(value, "quasi") && strcmp(there->value, "quasi") == 0;
        return same_quasi ? MGL_OK
                          : mgl_blame_attribute(err, refuse_second(there, value, place, err),
                                                subject, field);
    }
    if (place->load != 0)
        return MGL_OK; /* what was set before overrides the file */
    mgl_store_changed(job);
    return role && place->turn != 0 && !mgl_span_is(value, there->value)
               ? put_behind(job, field, subject, value, place, err)
               : put_in_place(job, there, value, place, err);
}

/* ---- Taking back ------------------------------------------------------------------------------
 */

static mgl_status remove_entries(mgl_job *job, const mgl_selection *selection, mgl_error *err)
{
    size_t kept = 0, n = job->n_entries;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < n; i++) {
        const mgl_entry entry = job->entries[i];
        if (status != MGL_OK || !mgl_selection_has(selection, &entry)) {
            job->entries[kept++] = entry;
            continue;
        }
        drop(job, &entry);
        if (entry.subject != NULL && strcmp(entry.field, "role") == 0 &&
            strcmp(entry.value, "quasi") == 0)
            status = mgl_store_leave_sets(job, entry.subject, err);
    }
    job->n_entries = kept;
    mgl_store_index(job);
    return status;
}

mgl_status mgl_store_remove(mgl_job *job, const mgl_selection *selection, mgl_error *err)
{
    if (!mgl_undo_keep(job))
        return mgl_fail_memory(err);
    mgl_store_changed(job);
    if (selection->role != NULL && strcmp(selection->role, "quasi") == 0)
        job->n_sets = 0; /* also those whose columns got another role since */
    return remove_entries(job, selection, err);
}
