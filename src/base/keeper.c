/* Keeps what was made once for whoever needs it again. Sessions keep columns, hierarchies and
 * frequency lists here (src/pipeline/session). */
#include "base/keeper.h"

#include "base/memory.h"

#include <string.h>

typedef struct entry {
    mgl_kept kept; /* first: a kept thing is found in its entry */
    char *key;
    size_t key_size;
    size_t holders;
    uint64_t last_use;
} entry;

struct mgl_keeper {
    entry **entries;
    size_t n, capacity;
    const mgl_kept_kind **kinds; /* that there ever were things of */
    size_t n_kinds, kinds_capacity;
    uint64_t numbers, uses;
};

mgl_keeper *mgl_keeper_new(void)
{
    return mgl_zeroed_array(1, sizeof(mgl_keeper));
}

uint64_t mgl_keeper_number(mgl_keeper *keeper)
{
    return ++keeper->numbers;
}

static void drop(entry *e)
{
    e->kept.kind->free(e->kept.thing);
    mgl_free(e->key);
    mgl_free(e);
}

void mgl_keeper_free(mgl_keeper *keeper)
{
    if (keeper == NULL)
        return;
    while (keeper->n > 0)
        drop(keeper->entries[--keeper->n]);
    mgl_free(keeper->entries);
    mgl_free(keeper->kinds);
    mgl_free(keeper);
}

/* The one of the kind that was used longest ago, of those that nobody holds, if these are too many;
 * else the number of entries. */
static size_t find_superfluous(const mgl_keeper *keeper, const mgl_kept_kind *kind)
{
    size_t idle = 0, oldest = keeper->n;
    for (size_t i = 0; i < keeper->n; i++) {
        const entry *e = keeper->entries[i];
        if (e->kept.kind != kind || e->holders > 0)
            continue;
        idle++;
        if (oldest == keeper->n || e->last_use < keeper->entries[oldest]->last_use)
            oldest = i;
    }
    return idle > kind->most ? oldest : keeper->n;
}

static void forget_superfluous(mgl_keeper *keeper, const mgl_kept_kind *kind)
{
    for (size_t i; (i = find_superfluous(keeper, kind)) < keeper->n;) {
        drop(keeper->entries[i]);
        keeper->n--;
        memmove(keeper->entries + i, keeper->entries + i + 1,
                (keeper->n - i) * sizeof *keeper->entries);
    }
}

void mgl_holds_end(mgl_holds *holds)
{
    mgl_keeper *keeper = holds->keeper;
    for (size_t i = 0; i < holds->n; i++)
        ((entry *)holds->list[i])->holders--;
    for (size_t i = 0; holds->n > 0 && i < keeper->n_kinds; i++)
        forget_superfluous(keeper, keeper->kinds[i]);
    mgl_free(holds->list);
    *holds = (mgl_holds){.keeper = keeper};
}

static entry *find(const mgl_keeper *keeper, const mgl_kept_kind *kind, const mgl_buffer *key)
{
    for (size_t i = 0; i < keeper->n; i++) {
        entry *e = keeper->entries[i];
        if (e->kept.kind == kind && e->key_size == key->size &&
            memcmp(e->key, key->data, key->size) == 0)
            return e;
    }
    return NULL;
}

static bool make_room(mgl_holds *holds)
{
    return mgl_grow(&holds->list, &holds->capacity, holds->n + 1, sizeof *holds->list);
}

static void hold(mgl_holds *holds, entry *e)
{
    e->last_use = ++holds->keeper->uses;
    e->holders++;
    holds->list[holds->n++] = &e->kept;
}

mgl_status mgl_hold(mgl_holds *holds, const mgl_kept_kind *kind, const mgl_buffer *key,
                    mgl_error *err, const mgl_kept **out)
{
    if (key->failed || !make_room(holds))
        return mgl_fail_memory(err);
    entry *e = find(holds->keeper, kind, key);
    if (e != NULL)
        hold(holds, e);
    *out = e != NULL ? &e->kept : NULL;
    return MGL_OK;
}

static bool know_kind(mgl_keeper *keeper, const mgl_kept_kind *kind)
{
    for (size_t i = 0; i < keeper->n_kinds; i++)
        if (keeper->kinds[i] == kind)
            return true;
    if (!mgl_grow(&keeper->kinds, &keeper->kinds_capacity, keeper->n_kinds + 1,
                  sizeof *keeper->kinds))
        return false;
    keeper->kinds[keeper->n_kinds++] = kind;
    return true;
}

mgl_status mgl_keep(mgl_holds *holds, const mgl_kept_kind *kind, const mgl_buffer *key, void *thing,
                    mgl_error *err, const mgl_kept **out)
{
    mgl_keeper *keeper = holds->keeper;
    entry *e = mgl_zeroed_array(1, sizeof *e);
    char *text = mgl_alloc(key->size + 1);
    if (e == NULL || text == NULL || key->failed || !make_room(holds) || !know_kind(keeper, kind) ||
        !mgl_grow(&keeper->entries, &keeper->capacity, keeper->n + 1, sizeof *keeper->entries)) {
        kind->free(thing);
        mgl_free(text);
        mgl_free(e);
        return mgl_fail_memory(err);
    }
    memcpy(text, key->data, key->size);
    *e = (entry){
        .kept = {kind, thing, mgl_keeper_number(keeper)}, .key = text, .key_size = key->size};
    keeper->entries[keeper->n++] = e;
    hold(holds, e);
    *out = &e->kept;
    return MGL_OK;
}
