/* Keeps the quasi-identifiers that a job names. take.c puts them here, settings are made of them.
 */
#include "job/store/entries.h"

#include <stdio.h>

/* otherwise: what else may have been meant; "": nothing. */
static mgl_status refuse_twice(mgl_span name, const char *otherwise, const mgl_place *place,
                               mgl_error *err)
{
    char column[sizeof err->column];
    snprintf(column, sizeof column, "%.*s", mgl_span_width(name), name.data);
    return mgl_blame_column(err,
                            mgl_place_fail(place, MGL_CODE_REPEATED, err,
                                           "column '%s' is named twice; name it once%s", column,
                                           otherwise),
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
                    const mgl_place *place)
{
    mgl_named_set set = {.n_names = n_names, .one_of_several = one_of_several};
    set.names = mgl_arena_alloc(job->arena, n_names * sizeof *set.names);
    if (set.names == NULL || !mgl_place_copy(job, place, &set.place) ||
        !mgl_grow(&job->sets, &job->sets_capacity, job->n_sets + 1, sizeof *job->sets) ||
        !copy_names(job, names, n_names, set.names))
        return false;
    job->sets[job->n_sets++] = set;
    return true;
}

/* Adds columns to the only quasi-identifier. */
static mgl_status extend_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             const mgl_place *place, mgl_error *err)
{
    mgl_named_set *set = &job->sets[0];
    for (size_t i = 0; i < n_names; i++)
        for (size_t j = 0; j < set->n_names; j++)
            if (mgl_span_is(names[i], set->names[j]))
                return refuse_twice(names[i],
                                    "; several quasi-identifiers that share columns are given by "
                                    "`qi-set`, once for each",
                                    place, err);
    if (!mgl_undo_keep(job))
        return mgl_fail_memory(err);
    const char **all = mgl_arena_alloc(job->arena, (set->n_names + n_names) * sizeof *all);
    if (all == NULL || !copy_names(job, names, n_names, all + set->n_names))
        return mgl_fail_memory(err);
    memcpy(all, set->names, set->n_names * sizeof *all);
    set->names = all;
    set->n_names += n_names;
    return MGL_OK;
}

/* What was given before, and from where, stands against another quasi-identifier? */
static mgl_status check_beside(const mgl_job *job, bool one_of_several, const mgl_place *place,
                               mgl_error *err)
{
    const mgl_named_set *first = &job->sets[0];
    if (place->load != 0 && strcmp(first->place.name, place->name) != 0)
        return mgl_place_fail(place, MGL_CODE_REPEATED, err,
                              "given twice, first by %s (line %llu); leave one out",
                              first->place.name, (unsigned long long)first->place.line);
    if (first->one_of_several != one_of_several)
        return mgl_place_fail(place, MGL_CODE_CONFLICT, err,
                              "`qi` is the only quasi-identifier, `qi-set` one of several; give "
                              "each of several by `qi-set`");
    return MGL_OK;
}

mgl_status mgl_store_put_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             bool one_of_several, const mgl_place *place, mgl_error *err)
{
    MGL_TRY(check_set(names, n_names, place, err));
    if (job->n_sets > 0 && job->sets[0].place.load != place->load) {
        if (place->load != 0)
            return MGL_OK; /* the sets that were set before override the file's */
        if (!mgl_undo_keep(job))
            return mgl_fail_memory(err);
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

mgl_status mgl_store_keep_set(mgl_job *job, const mgl_named_set *set, mgl_error *err)
{
    mgl_span *names = mgl_alloc_array(set->n_names, sizeof *names);
    if (names == NULL)
        return mgl_fail_memory(err);
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

static bool has_name(const mgl_named_set *set, const char *column)
{
    for (size_t i = 0; i < set->n_names; i++)
        if (strcmp(set->names[i], column) == 0)
            return true;
    return false;
}

mgl_status mgl_store_leave_sets(mgl_job *job, const char *column, mgl_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->n_sets; i++) {
        mgl_named_set set = job->sets[i];
        if (has_name(&set, column)) {
            set.names = without(job, &set, column);
            if (set.names == NULL)
                return mgl_fail_memory(err);
            set.n_names--;
        }
        if (set.n_names > 0)
            job->sets[kept++] = set;
    }
    job->n_sets = kept;
    return MGL_OK;
}
