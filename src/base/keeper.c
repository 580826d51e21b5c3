/* Keeps what was made once for whoever needs it again. Sessions keep columns, hierarchies and
 * frequency lists here (src/pipeline/session). */
#include "base/keeper.h"

#include "base/map.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    mgl_kept kept; /* first: a kept thing is found in its entry */
    char *key;
    size_t key_size;
    size_t holders;
    uint64_t last_use;
    uint64_t hash;      /* of the key */
    struct entry *next; /* in the same bucket */
} entry;

struct mgl_keeper {
    entry **entries; /* the oldest first */
    size_t n, capacity;
    entry **buckets; /* [n_buckets] by hashes of keys; as many as entries, or more */
    size_t n_buckets;
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
    mgl_free(keeper->buckets);
    mgl_free(keeper->kinds);
    mgl_free(keeper);
}

/* ---- Finding -------------------------------------------------------------------------------- */

static void put_into_bucket(mgl_keeper *keeper, entry *e)
{
    entry **bucket = &keeper->buckets[e->hash & (keeper->n_buckets - 1)];
    e->next = *bucket;
    *bucket = e;
}

static void fill_buckets(mgl_keeper *keeper)
{
    memset(keeper->buckets, 0, keeper->n_buckets * sizeof *keeper->buckets);
    for (size_t i = 0; i < keeper->n; i++)
        put_into_bucket(keeper, keeper->entries[i]);
}

/* Room for one more. */
static bool grow_buckets(mgl_keeper *keeper)
{
    if (keeper->n < keeper->n_buckets)
        return true;
    size_t n = keeper->n_buckets > 0 ? 2 * keeper->n_buckets : 16;
    entry **buckets = mgl_zeroed_array(n, sizeof *buckets);
    if (buckets == NULL)
        return false;
    mgl_free(keeper->buckets);
    keeper->buckets = buckets;
    keeper->n_buckets = n;
    fill_buckets(keeper);
    return true;
}

/* ---- Forgetting ------------------------------------------------------------------------------ */

static bool is_idle(const entry *e, const mgl_kept_kind *kind)
{
    return e->kept.kind == kind && e->holders == 0;
}

static int compare_uses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The last use up to which entries of the kind that nobody holds go; 0: all may stay. Without
 * memory for it all stay, too, until the next time. */
static uint64_t find_limit(const mgl_keeper *keeper, const mgl_kept_kind *kind)
{
    size_t idle = 0, n = 0;
    for (size_t i = 0; i < keeper->n; i++)
        idle += is_idle(keeper->entries[i], kind);
    uint64_t *uses = idle > kind->most ? mgl_alloc_array(idle, sizeof *uses) : NULL;
    if (uses == NULL)
        return 0;
    for (size_t i = 0; i < keeper->n; i++)
        if (is_idle(keeper->entries[i], kind))
            uses[n++] = keeper->entries[i]->last_use;
    qsort(uses, n, sizeof *uses, compare_uses);
    uint64_t limit = uses[idle - kind->most - 1];
    mgl_free(uses);
    return limit;
}

static void forget_superfluous(mgl_keeper *keeper, const mgl_kept_kind *kind)
{
    uint64_t limit = find_limit(keeper, kind);
    size_t n = 0;
    if (limit == 0)
        return;
    for (size_t i = 0; i < keeper->n; i++) {
        entry *e = keeper->entries[i];
        if (is_idle(e, kind) && e->last_use <= limit)
            drop(e);
        else
            keeper->entries[n++] = e;
    }
    keeper->n = n;
    fill_buckets(keeper);
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
    uint64_t hash = mgl_hash(key->data, key->size);
    entry *e = keeper->n_buckets > 0 ? keeper->buckets[hash & (keeper->n_buckets - 1)] : NULL;
    while (e != NULL && (e->hash != hash || e->kept.kind != kind || e->key_size != key->size ||
                         memcmp(e->key, key->data, key->size) != 0))
        e = e->next;
    return e;
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
        !grow_buckets(keeper) ||
        !mgl_grow(&keeper->entries, &keeper->capacity, keeper->n + 1, sizeof *keeper->entries)) {
        kind->free(thing);
        mgl_free(text);
        mgl_free(e);
        return mgl_fail_memory(err);
    }
    memcpy(text, key->data, key->size);
    *e = (entry){.kept = {kind, thing, mgl_keeper_number(keeper)},
                 .key = text,
                 .key_size = key->size,
                 .hash = mgl_hash(key->data, key->size)};
    keeper->entries[keeper->n++] = e;
    put_into_bucket(keeper, e);
    hold(holds, e);
    *out = &e->kept;
    return MGL_OK;
}
