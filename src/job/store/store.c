/* Jobs, and how one is changed so that a failure leaves it as it was. What it was told is in
 * entries.c and named_sets.c.
 *
 * Entries that a failed change added are cut off again; before it replaces anything the entries are
 * copied. */
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

/* Frees all that the job was told. */
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

void mgl_job_on_progress(mgl_job *job, mgl_progress_fn *fn, void *user)
{
    mgl_store_changed(job);
    job->progress.fn = fn;
    job->progress.user = user;
}

void mgl_job_on_refusal(mgl_job *job, mgl_refusal_fn *fn, void *user)
{
    mgl_store_changed(job);
    job->refusal = (mgl_refusal_listener){fn, user};
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

void mgl_blame_no_file(mgl_error *err)
{
    if (err != NULL && strcmp(err->file, MGL_JOB_TEXT) == 0)
        err->file[0] = '\0';
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
    mgl_blame_no_file(err);
    return mgl_blame_key(err, status, key);
}

/* ---- Changes that may fail --------------------------------------------------------------------
 */

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

bool mgl_undo_keep(mgl_job *job)
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
    mgl_store_index(job);
}

/* Moves what one job was told, which then was told nothing, to another that has forgotten all. */
static void hand_over(mgl_job *from, mgl_job *to)
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
    if (mgl_store_copy(job, NULL, fresh) == MGL_OK) {
        forget(job);
        hand_over(fresh, job);
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
