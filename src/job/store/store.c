/* What a job holds: entries, sets of columns, tables in memory, progress; how it is changed so
 * that a failure leaves it as it was, and how it is copied. Entries that a failed change added are
 * cut off again; before entries are replaced, all of them are copied. */
#include "io/io.h"
#include "job/store/store.h"

#include <stdarg.h>
#include <stdio.h>

static void store_index(mgl_job *job);
static mgl_status store_copy(const mgl_job *job, mgl_error *err, mgl_job *copy);
static mgl_status store_leave_sets(mgl_job *job, const char *column, mgl_error *err);

/* ---- Jobs ------------------------------------------------------------------------------------ */

mgl_status mgl_job_new(mgl_error *err, mgl_job **out)
{
    mgl_job *job = mgl_zeroed_array(1, sizeof *job);
    MGL_TRY(mgl_check_memory(job != NULL, err));
    job->arena = mgl_arena_new();
    job->index = mgl_map_new();
    job->progress.stop = &job->stop;
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

/* Frees all values of the job. */
static void forget(mgl_job *job)
{
    mgl_free(job->entries);
    mgl_free(job->places);
    mgl_free(job->sets);
    mgl_free(job->own);
    mgl_free(job->files);
    mgl_map_free(job->index);
    mgl_arena_free(job->arena);
}

void mgl_job_free(mgl_job *job)
{
    if (job == NULL)
        return;
    mgl_store_changed(job);
    forget(job);
    json_decref(job->claims);
    mgl_memory_store_clear(&job->given);
    mgl_free(job);
}

mgl_status mgl_job_give_bytes(mgl_job *job, const char *name, const void *data, size_t size,
                              void (*done)(void *user), void *user, mgl_error *err)
{
    if (name == NULL || name[0] == '\0' || (data == NULL && size > 0))
        return mgl_fail(err, MGL_USAGE, "bytes in memory need a name and a place");
    mgl_store_changed(job);
    return mgl_memory_store_put_bytes(&job->given, name, (mgl_span){data, size}, done, user, err);
}

const mgl_memory_store *mgl_job_given(const mgl_job *job)
{
    return &job->given;
}

/* The keys that name tables; "parts" and "guard-counts" are lists of them. */
bool mgl_job_in_memory(const mgl_job *job)
{
    static const char *const tables[] = {"data",    "parts",  "population",  "external",
                                         "release", "output", "guard-counts"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const mgl_entry *entry = mgl_store_find(job, tables[i], NULL);
        if (entry != NULL && strstr(entry->value, "memory:") != NULL)
            return true;
    }
    return false;
}

/* ---- Progress -------------------------------------------------------------------------------- */

void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user)
{
    mgl_store_changed(job);
    job->progress.fn = fn;
    job->progress.user = user;
}

void mgl_job_on_refusal(mgl_job *job, mgl_refusal_fn *fn, void *user)
{
    mgl_store_changed(job);
    job->refusal = (mgl_refusal_callback){fn, user};
}

void mgl_job_cancel(mgl_job *job)
{
    atomic_store(&job->stop, true);
}

const mgl_progress *mgl_job_progress(const mgl_job *job)
{
    return &job->progress;
}

void mgl_job_take_progress(mgl_job *job, const mgl_progress *progress)
{
    mgl_store_changed(job);
    job->progress = *progress;
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

/* ---- Messages about values ------------------------------------------------------------------- */

const char *mgl_origin_text(const mgl_origin *place, char text[MGL_ORIGIN_TEXT])
{
    const char *quote = place->file == NULL && place->load == 0 ? "`" : "";
    snprintf(text, MGL_ORIGIN_TEXT, "%s%.*s%s", quote, MGL_ORIGIN_TEXT - 3, place->name, quote);
    return text;
}

void mgl_blame_no_file(mgl_error *err)
{
    if (err != NULL && strcmp(err->file, MGL_JOB_TEXT) == 0)
        err->file[0] = '\0';
}

static mgl_status fail(mgl_error *err, const mgl_origin *place, mgl_code code, const char *format,
                       va_list args)
{
    char message[sizeof err->message], origin[MGL_ORIGIN_TEXT], key[sizeof err->key];
    vsnprintf(message, sizeof message, format, args);
    /* The key of a place; nothing if its name is words. "policy: strict" is of the key "policy". */
    const char *name = place->name + strspn(place->name, "`");
    size_t size = strcspn(name, "`: ");
    snprintf(key, sizeof key, "%.*s", name[size] == ' ' ? 0 : (int)size, name);
    mgl_where where = {place->file, place->line, place->column};
    mgl_status status =
        mgl_fail_in(err, code, &where, "%s: %s", mgl_origin_text(place, origin), message);
    mgl_blame_no_file(err);
    return mgl_blame_key(err, status, key);
}

mgl_status mgl_origin_fail(const mgl_origin *place, mgl_code code, mgl_error *err,
                           const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fail(err, place, code, format, args);
    va_end(args);
    return status;
}

mgl_status mgl_entry_fail(const mgl_entry *entry, const char *field, mgl_code code, mgl_error *err,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_status status = fail(err, &entry->place, code, format, args);
    va_end(args);
    return mgl_blame_attribute(err, status, entry->subject, field);
}

/* ---- Changes that may fail ------------------------------------------------------------------- */

/* Replaced texts stay in the arena until there are so many bytes of them. */
enum { MUCH_GARBAGE = 1 << 16 };

void mgl_undo_begin(mgl_job *job, mgl_undo *undo)
{
    *undo = (mgl_undo){.n_entries = job->n_entries,
                       .n_sets = job->n_sets,
                       .n_files = job->n_files,
                       .n_loads = job->n_loads};
    job->undo = undo;
}

static void *copy_of(const void *data, size_t n, size_t size)
{
    void *copy = mgl_alloc_array(n > 0 ? n : 1, size);
    if (copy != NULL && n > 0)
        memcpy(copy, data, n * size);
    return copy;
}

/* Before something that was there is changed. False: memory is out. */
static bool undo_keep(mgl_job *job)
{
    mgl_undo *undo = job->undo;
    if (undo == NULL || undo->kept)
        return true;
    undo->entries = copy_of(job->entries, undo->n_entries, sizeof *undo->entries);
    undo->sets = copy_of(job->sets, undo->n_sets, sizeof *undo->sets);
    undo->kept = undo->entries != NULL && undo->sets != NULL;
    return undo->kept;
}

static void take_back(mgl_job *job, const mgl_undo *undo)
{
    mgl_store_changed(job);
    job->n_entries = undo->n_entries;
    job->n_sets = undo->n_sets;
    job->n_files = undo->n_files;
    job->n_loads = undo->n_loads;
    if (undo->kept && undo->n_entries > 0)
        memcpy(job->entries, undo->entries, undo->n_entries * sizeof *undo->entries);
    if (undo->kept && undo->n_sets > 0)
        memcpy(job->sets, undo->sets, undo->n_sets * sizeof *undo->sets);
    store_index(job);
}

/* Moves all values from `from`, which becomes empty, to `to`, whose values are freed already. */
static void move_values(mgl_job *from, mgl_job *to)
{
    to->arena = from->arena;
    to->garbage = from->garbage;
    to->index = from->index;
    to->places = from->places;
    to->places_capacity = from->places_capacity;
    to->entries = from->entries;
    to->entries_capacity = from->entries_capacity;
    to->sets = from->sets;
    to->sets_capacity = from->sets_capacity;
    to->own = from->own;
    to->own_capacity = from->own_capacity;
    to->files = from->files;
    to->files_capacity = from->files_capacity;
    from->arena = NULL;
    from->index = NULL;
    from->places = NULL;
    from->entries = NULL;
    from->sets = NULL;
    from->own = NULL;
    from->files = NULL;
}

/* Has what is left of a job written anew, without what was replaced. For want of memory it stays as
 * it is. */
static void sweep(mgl_job *job)
{
    mgl_job *fresh;
    if (mgl_job_new(NULL, &fresh) != MGL_OK)
        return;
    if (store_copy(job, NULL, fresh) == MGL_OK) {
        forget(job);
        move_values(fresh, job);
    }
    mgl_job_free(fresh);
}

mgl_status mgl_undo_end(mgl_job *job, mgl_status status)
{
    mgl_undo *undo = job->undo;
    job->undo = NULL;
    if (status != MGL_OK)
        take_back(job, undo);
    else if (job->garbage > MUCH_GARBAGE)
        sweep(job);
    mgl_free(undo->entries);
    mgl_free(undo->sets);
    return status;
}

/* ---- Entries --------------------------------------------------------------------------------- */

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

static bool place_copy(mgl_job *job, const mgl_origin *place, mgl_origin *out)
{
    mgl_origin copy = *place;
    copy.name = mgl_arena_copy(job->arena, place->name, strlen(place->name));
    if (place->file != NULL)
        copy.file = mgl_arena_copy(job->arena, place->file, strlen(place->file));
    if (copy.name == NULL || (place->file != NULL && copy.file == NULL))
        return false;
    *out = copy;
    return true;
}

/* Finds the entries again after some have moved. */
static void store_index(mgl_job *job)
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
    mgl_buffer_text(&key, field);
    mgl_buffer_text(&key, "\x1f");
    mgl_buffer_text(&key, subject != NULL ? subject : "");
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
                            const mgl_origin *place, mgl_error *err)
{
    mgl_entry entry = {0};
    entry.field = mgl_arena_copy(job->arena, field, strlen(field));
    entry.subject = subject == NULL ? NULL : mgl_arena_copy(job->arena, subject, strlen(subject));
    entry.value = mgl_arena_copy(job->arena, value.data, value.size);
    bool fine =
        entry.field != NULL && (subject == NULL || entry.subject != NULL) && entry.value != NULL &&
        place_copy(job, place, &entry.place) &&
        mgl_grow(&job->entries, &job->entries_capacity, job->n_entries + 1, sizeof *job->entries);
    if (!fine || (entry.number = number_of(job, field, subject)) == MGL_NOT_FOUND)
        return mgl_fail_memory(err);
    job->places[entry.number] = (uint32_t)job->n_entries;
    job->entries[job->n_entries++] = entry;
    return MGL_OK;
}

static mgl_status refuse_second(const mgl_entry *first, mgl_span value, const mgl_origin *place,
                                mgl_error *err)
{
    char where[64] = "", origin[MGL_ORIGIN_TEXT];
    mgl_origin_text(&first->place, origin);
    if (first->place.file != NULL)
        snprintf(where, sizeof where, " (line %llu)", (unsigned long long)first->place.line);
    if (strcmp(first->field, "role") == 0 && mgl_span_is(value, first->value))
        return mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                               "column '%.60s' is named twice, first by %s%s; name it "
                               "once",
                               first->subject, origin, where);
    if (strcmp(first->field, "role") == 0)
        return mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                               "column '%.60s' has two roles, %s by %s%s and now %.*s; give it one",
                               first->subject, first->value, origin, where, mgl_span_width(value),
                               value.data);
    if (first->subject != NULL)
        return mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                               "given twice for '%.60s', first by %s%s; leave one out",
                               first->subject, origin, where);
    return mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                           "given twice, first by %s%s; leave one out", origin, where);
}

/* Adds up about how much of the arena is garbage. */
static void drop(mgl_job *job, const mgl_entry *entry)
{
    job->garbage += sizeof *entry + strlen(entry->value) + strlen(entry->place.name);
}

static mgl_status put_in_place(mgl_job *job, mgl_entry *there, mgl_span value,
                               const mgl_origin *place, mgl_error *err)
{
    mgl_entry replaced = *there;
    replaced.value = mgl_arena_copy(job->arena, value.data, value.size);
    MGL_TRY(mgl_check_memory(
        replaced.value != NULL && place_copy(job, place, &replaced.place) && undo_keep(job), err));
    drop(job, there);
    *there = replaced;
    return MGL_OK;
}

/* A column with another role goes behind those that had theirs before. */
static mgl_status put_behind(mgl_job *job, const char *field, const char *subject, mgl_span value,
                             const mgl_origin *place, mgl_error *err)
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
static bool contradicts(const mgl_entry *there, bool role, mgl_span value, const mgl_origin *place)
{
    if (place->turn == 0)
        return there->place.load == place->load;
    bool list = role && strncmp(place->name, "attributes.", strlen("attributes.")) != 0;
    return there->place.turn == place->turn ||
           (list && there->place.load == 0 && !mgl_span_is(value, there->value));
}

mgl_status mgl_store_put(mgl_job *job, const char *field, const char *subject, mgl_span value,
                         const mgl_origin *place, mgl_error *err)
{
    mgl_entry *there = (mgl_entry *)mgl_store_find(job, field, subject);
    bool role = subject != NULL && strcmp(field, "role") == 0;
    if (there == NULL) {
        mgl_store_changed(job);
        return add_entry(job, field, subject, value, place, err);
    }
    if (contradicts(there, role, value, place)) {
        /* A column may be in several quasi-identifiers. */
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

/* ---- Taking back ----------------------------------------------------------------------------- */

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
            status = store_leave_sets(job, entry.subject, err);
    }
    job->n_entries = kept;
    store_index(job);
    return status;
}

mgl_status mgl_store_remove(mgl_job *job, const mgl_selection *selection, mgl_error *err)
{
    MGL_TRY(mgl_check_memory(undo_keep(job), err));
    mgl_store_changed(job);
    if (selection->role != NULL && strcmp(selection->role, "quasi") == 0)
        job->n_sets = 0; /* also those whose columns got another role since */
    return remove_entries(job, selection, err);
}

/* ---- Sets of columns ------------------------------------------------------------------------- */

/* otherwise: what else may have been meant; "": nothing. */
static mgl_status refuse_twice(mgl_span name, const char *otherwise, const mgl_origin *place,
                               mgl_error *err)
{
    char column[sizeof err->column];
    snprintf(column, sizeof column, "%.*s", mgl_span_width(name), name.data);
    return mgl_blame_column(err,
                            mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                                            "column '%s' is named twice; name it once%s", column,
                                            otherwise),
                            column);
}

static mgl_status check_set(const mgl_span *names, size_t n_names, const mgl_origin *place,
                            mgl_error *err)
{
    mgl_map *seen = mgl_map_new();
    mgl_status status = seen == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (n_names == 0)
        status = mgl_origin_fail(place, MGL_CODE_BAD_VALUE, err,
                                 "a quasi-identifier without columns; name some");
    for (size_t i = 0; status == MGL_OK && i < n_names; i++) {
        uint32_t number = mgl_map_add(seen, names[i]);
        if (number == MGL_NOT_FOUND)
            status = mgl_fail_memory(err);
        else if (number < i)
            status = refuse_twice(names[i], "", place, err);
    }
    mgl_map_free(seen);
    return status;
}

static bool copy_names(mgl_job *job, const mgl_span *names, size_t n_names, const char **out)
{
    for (size_t i = 0; i < n_names; i++)
        if ((out[i] = mgl_arena_copy(job->arena, names[i].data, names[i].size)) == NULL)
            return false;
    return true;
}

static bool add_set(mgl_job *job, const mgl_span *names, size_t n_names, bool one_of_several,
                    const mgl_origin *place)
{
    mgl_named_set set = {.n_names = n_names, .one_of_several = one_of_several};
    set.names = mgl_arena_alloc(job->arena, n_names * sizeof *set.names);
    if (set.names == NULL || !place_copy(job, place, &set.place) ||
        !mgl_grow(&job->sets, &job->sets_capacity, job->n_sets + 1, sizeof *job->sets) ||
        !copy_names(job, names, n_names, set.names))
        return false;
    job->sets[job->n_sets++] = set;
    return true;
}

/* Adds columns to the only quasi-identifier. */
static mgl_status extend_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             const mgl_origin *place, mgl_error *err)
{
    mgl_named_set *set = &job->sets[0];
    for (size_t i = 0; i < n_names; i++)
        for (size_t j = 0; j < set->n_names; j++)
            if (mgl_span_is(names[i], set->names[j]))
                return refuse_twice(names[i],
                                    "; several quasi-identifiers that share columns are given by "
                                    "`qi-set`, once for each",
                                    place, err);
    MGL_TRY(mgl_check_memory(undo_keep(job), err));
    const char **all = mgl_arena_alloc(job->arena, (set->n_names + n_names) * sizeof *all);
    MGL_TRY(
        mgl_check_memory(all != NULL && copy_names(job, names, n_names, all + set->n_names), err));
    memcpy(all, set->names, set->n_names * sizeof *all);
    set->names = all;
    set->n_names += n_names;
    return MGL_OK;
}

/* Refuses another quasi-identifier if it contradicts those before. */
static mgl_status check_beside(const mgl_job *job, bool one_of_several, const mgl_origin *place,
                               mgl_error *err)
{
    const mgl_named_set *first = &job->sets[0];
    if (place->load != 0 && strcmp(first->place.name, place->name) != 0)
        return mgl_origin_fail(place, MGL_CODE_REPEATED, err,
                               "given twice, first by %s (line %llu); leave one out",
                               first->place.name, (unsigned long long)first->place.line);
    if (first->one_of_several != one_of_several)
        return mgl_origin_fail(place, MGL_CODE_CONFLICT, err,
                               "`qi` is the only quasi-identifier, `qi-set` one of several; give "
                               "each of several by `qi-set`");
    return MGL_OK;
}

mgl_status mgl_store_put_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             bool one_of_several, const mgl_origin *place, mgl_error *err)
{
    MGL_TRY(check_set(names, n_names, place, err));
    if (job->n_sets > 0 && job->sets[0].place.load != place->load) {
        if (place->load != 0)
            return MGL_OK; /* the sets that were set before override the file's */
        MGL_TRY(mgl_check_memory(undo_keep(job), err));
        job->n_sets = 0;
    }
    if (job->n_sets > 0)
        MGL_TRY(check_beside(job, one_of_several, place, err));
    mgl_store_changed(job);
    if (job->n_sets > 0 && !one_of_several)
        MGL_TRY(extend_set(job, names, n_names, place, err));
    else if (!add_set(job, names, n_names, one_of_several, place))
        return mgl_fail_memory(err);
    const mgl_named_set *set = &job->sets[job->n_sets - 1];
    for (size_t i = set->n_names - n_names; i < set->n_names; i++)
        MGL_TRY(mgl_store_put(job, "role", set->names[i], mgl_span_of("quasi"), place, err));
    return MGL_OK;
}

static mgl_status store_keep_set(mgl_job *job, const mgl_named_set *set, mgl_error *err)
{
    mgl_span *names = mgl_alloc_array(set->n_names, sizeof *names);
    MGL_TRY(mgl_check_memory(names != NULL, err));
    for (size_t i = 0; i < set->n_names; i++)
        names[i] = mgl_span_of(set->names[i]);
    bool fine = add_set(job, names, set->n_names, set->one_of_several, &set->place);
    mgl_free(names);
    return fine ? MGL_OK : mgl_fail_memory(err);
}

/* The names without one of them; NULL: memory is out. */
static const char **without(mgl_job *job, const mgl_named_set *set, const char *column)
{
    const char **names = mgl_arena_alloc(job->arena, set->n_names * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; names != NULL && i < set->n_names; i++)
        if (strcmp(set->names[i], column) != 0)
            names[n++] = set->names[i];
    return names;
}

/* A column is no quasi-identifier any more. */
static mgl_status store_leave_sets(mgl_job *job, const char *column, mgl_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->n_sets; i++) {
        mgl_named_set set = job->sets[i];
        if (mgl_names_have(set.names, set.n_names, column)) {
            set.names = without(job, &set, column);
            MGL_TRY(mgl_check_memory(set.names != NULL, err));
            set.n_names--;
        }
        if (set.n_names > 0)
            job->sets[kept++] = set;
    }
    job->n_sets = kept;
    return MGL_OK;
}

/* ---- Tables from streams --------------------------------------------------------------------- */

/* The job's number of threads so far; one if it is not a number, which is refused when the job
 * runs. */
static unsigned threads_of(const mgl_job *job)
{
    const mgl_entry *entry = mgl_store_find(job, "threads", NULL);
    uint64_t number;
    if (entry == NULL)
        return 0;
    return mgl_parse_u64(mgl_span_of(entry->value), &number) && number <= UINT16_MAX
               ? (unsigned)number
               : 1;
}

/* Under the name that messages and jobs have for it. */
static mgl_status give(mgl_job *job, const char *name, struct ArrowArrayStream *stream,
                       mgl_error *err)
{
    mgl_buffer text = {0};
    char *location = NULL;
    mgl_arrow_table *table = NULL;
    mgl_arrow_helpers helpers = {.threads = threads_of(job)};
    mgl_progress_state before = mgl_progress_enter(&job->progress);
    mgl_status status = MGL_OK;
    mgl_buffer_format(&text, "memory:%s", name);
    MGL_GO(mgl_buffer_take(&text, err, &location));
    mgl_progress_plan("import");
    MGL_GO(mgl_arrow_import_with(stream, location, &helpers, &job->progress, err, &table));
    mgl_store_changed(job);
    MGL_GO(mgl_arrow_put(&job->given, name, table, err));
    mgl_progress_end();
done:
    mgl_progress_leave(&before);
    mgl_arrow_release(table);
    mgl_pool_free(helpers.pool);
    mgl_free(location);
    return status;
}

mgl_status mgl_job_give_stream(mgl_job *job, const char *name, struct ArrowArrayStream *stream,
                               mgl_error *err)
{
    if (stream == NULL || stream->release == NULL)
        return mgl_fail(err, MGL_USAGE, "the stream was released already");
    mgl_status status = name != NULL && name[0] != '\0'
                            ? give(job, name, stream, err)
                            : mgl_fail(err, MGL_USAGE, "a table in memory needs a name");
    if (stream->release != NULL) /* it was not even begun */
        stream->release(stream);
    return status;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Copies all values of `job` to an empty one. */
static mgl_status store_copy(const mgl_job *job, mgl_error *err, mgl_job *copy)
{
    MGL_TRY(mgl_job_own_keys(copy, job->own, job->n_own, err));
    for (size_t i = 0; i < job->n_entries; i++) {
        const mgl_entry *entry = &job->entries[i];
        MGL_TRY(mgl_store_put(copy, entry->field, entry->subject, mgl_span_of(entry->value),
                              &entry->place, err));
    }
    for (size_t i = 0; i < job->n_sets; i++)
        MGL_TRY(store_keep_set(copy, &job->sets[i], err));
    for (size_t i = 0; i < job->n_files; i++)
        MGL_TRY(mgl_store_keep_file(copy, job->files[i], err));
    copy->n_loads = job->n_loads;
    return MGL_OK;
}

/* Copies values, tables in memory and action, but no progress callback. */
static mgl_status copy_job(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    mgl_job *copy = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_new(err, &copy));
    MGL_GO(store_copy(job, err, copy));
    MGL_GO(mgl_memory_store_share(&job->given, err, &copy->given));
    copy->n_puts = job->n_puts;
    copy->action = job->action;
    copy->refusal = job->refusal;
    *out = copy;
    copy = NULL;
done:
    mgl_job_free(copy);
    return status;
}

mgl_status mgl_job_copy(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    MGL_TRY(copy_job(job, err, out));
    mgl_job_on_progress(*out, job->progress.fn, job->progress.user);
    return MGL_OK;
}

mgl_status mgl_job_for_run(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    MGL_TRY(copy_job(job, err, out));
    mgl_job_take_progress(*out, &job->progress);
    return MGL_OK;
}
