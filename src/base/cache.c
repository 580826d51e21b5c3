/* A cache with pinned entries: a hash table of all entries, and eviction of the least recently used
 * by kind. */
#include "base/cache.h"

#include "base/hash_index.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

typedef struct entry {
    mgl_cache_entry public; /* first: see mgl_cache_unpin */
    char *key;
    size_t key_size;
    size_t pins;
    uint64_t last_use;
    uint64_t hash; /* of the key */
} entry;

struct mgl_cache {
    entry **entries; /* the oldest first */
    size_t n, capacity;
    mgl_hash_index index;         /* of their keys */
    const mgl_cache_kind **kinds; /* of all entries so far */
    size_t n_kinds, kinds_capacity;
    uint64_t numbers, uses;
};

mgl_cache *mgl_cache_new(void)
{
    return mgl_zeroed_array(1, sizeof(mgl_cache));
}

uint64_t mgl_cache_number(mgl_cache *cache)
{
    return ++cache->numbers;
}

static void drop(entry *e)
{
    e->public.kind->free(e->public.object);
    mgl_free(e->key);
    mgl_free(e);
}

void mgl_cache_free(mgl_cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->n > 0)
        drop(cache->entries[--cache->n]);
    mgl_free(cache->entries);
    mgl_hash_index_free(&cache->index);
    mgl_free(cache->kinds);
    mgl_free(cache);
}

static bool is_idle(const entry *e, const mgl_cache_kind *kind)
{
    return e->public.kind == kind && e->pins == 0;
}

/* The last use up to which entries of the kind that are not pinned go; 0: all may stay. Without
 * memory for it all stay, too, until the next time. */
static uint64_t find_limit(const mgl_cache *cache, const mgl_cache_kind *kind)
{
    size_t idle = 0, n = 0;
    for (size_t i = 0; i < cache->n; i++)
        idle += is_idle(cache->entries[i], kind);
    uint64_t *uses = idle > kind->most ? mgl_alloc_array(idle, sizeof *uses) : NULL;
    if (uses == NULL)
        return 0;
    for (size_t i = 0; i < cache->n; i++)
        if (is_idle(cache->entries[i], kind))
            uses[n++] = cache->entries[i]->last_use;
    mgl_sort_u64(uses, n);
    uint64_t limit = uses[idle - kind->most - 1];
    mgl_free(uses);
    return limit;
}

static void evict(mgl_cache *cache, const mgl_cache_kind *kind)
{
    uint64_t limit = find_limit(cache, kind);
    size_t n = 0;
    if (limit == 0)
        return;
    for (size_t i = 0; i < cache->n; i++) {
        entry *e = cache->entries[i];
        if (is_idle(e, kind) && e->last_use <= limit)
            drop(e);
        else
            cache->entries[n++] = e;
    }
    cache->n = n;
    /* The index has room for all of them. */
    memset(cache->index.slots, 0, (cache->index.mask + 1) * sizeof *cache->index.slots);
    cache->index.n = 0;
    for (size_t i = 0; i < cache->n; i++)
        (void)mgl_hash_index_add(&cache->index, cache->entries[i]->hash, (uint32_t)i);
}

void mgl_cache_unpin(mgl_cache_pins *pins)
{
    mgl_cache *cache = pins->cache;
    for (size_t i = 0; i < pins->n; i++)
        ((entry *)pins->list[i])->pins--;
    for (size_t i = 0; pins->n > 0 && i < cache->n_kinds; i++)
        evict(cache, cache->kinds[i]);
    mgl_free(pins->list);
    *pins = (mgl_cache_pins){.cache = cache};
}

typedef struct sought {
    const mgl_cache *cache;
    const mgl_cache_kind *kind;
    const mgl_buffer *key;
} sought;

static bool is_same(const void *context, uint32_t number)
{
    const sought *s = context;
    const entry *e = s->cache->entries[number];
    return e->public.kind == s->kind && e->key_size == s->key->size &&
           memcmp(e->key, s->key->data, s->key->size) == 0;
}

static bool grow_pins(mgl_cache_pins *pins)
{
    return mgl_grow(&pins->list, &pins->capacity, pins->n + 1, sizeof *pins->list);
}

static void pin(mgl_cache_pins *pins, entry *e)
{
    e->last_use = ++pins->cache->uses;
    e->pins++;
    pins->list[pins->n++] = &e->public;
}

mgl_status mgl_cache_find(mgl_cache_pins *pins, const mgl_cache_kind *kind, const mgl_buffer *key,
                          mgl_error *err, const mgl_cache_entry **out)
{
    if (key->failed || !grow_pins(pins))
        return mgl_fail_memory(err);
    uint32_t number = mgl_hash_index_find(&pins->cache->index, mgl_hash(key->data, key->size),
                                          is_same, &(sought){pins->cache, kind, key});
    entry *e = number != MGL_NOT_FOUND ? pins->cache->entries[number] : NULL;
    if (e != NULL)
        pin(pins, e);
    *out = e != NULL ? &e->public : NULL;
    return MGL_OK;
}

static bool know_kind(mgl_cache *cache, const mgl_cache_kind *kind)
{
    for (size_t i = 0; i < cache->n_kinds; i++)
        if (cache->kinds[i] == kind)
            return true;
    if (!mgl_grow(&cache->kinds, &cache->kinds_capacity, cache->n_kinds + 1, sizeof *cache->kinds))
        return false;
    cache->kinds[cache->n_kinds++] = kind;
    return true;
}

mgl_status mgl_cache_add(mgl_cache_pins *pins, const mgl_cache_kind *kind, const mgl_buffer *key,
                         void *object, mgl_error *err, const mgl_cache_entry **out)
{
    mgl_cache *cache = pins->cache;
    entry *e = mgl_zeroed_array(1, sizeof *e);
    char *text = mgl_alloc(key->size + 1);
    if (e == NULL || text == NULL || key->failed || !grow_pins(pins) || !know_kind(cache, kind) ||
        !mgl_hash_index_reserve(&cache->index, cache->n + 1) ||
        !mgl_grow(&cache->entries, &cache->capacity, cache->n + 1, sizeof *cache->entries)) {
        kind->free(object);
        mgl_free(text);
        mgl_free(e);
        return mgl_fail_memory(err);
    }
    memcpy(text, key->data, key->size);
    *e = (entry){.public = {kind, object, mgl_cache_number(cache)},
                 .key = text,
                 .key_size = key->size,
                 .hash = mgl_hash(key->data, key->size)};
    (void)mgl_hash_index_add(&cache->index, e->hash, (uint32_t)cache->n);
    cache->entries[cache->n++] = e;
    pin(pins, e);
    *out = &e->public;
    return MGL_OK;
}
