/* Hash indexes: how they grow, and those that store keys of a fixed size. */
#include "base/hash_index.h"

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

static void put(mgl_hash_slot *slots, size_t mask, mgl_hash_slot slot)
{
    size_t at = slot.hash & mask;
    while (slots[at].number_plus_1 != 0)
        at = (at + 1) & mask;
    slots[at] = slot;
}

bool mgl_hash_index_reserve(mgl_hash_index *index, size_t n)
{
    size_t old = index->slots != NULL ? index->mask + 1 : 0, n_slots = old > 0 ? old : FIRST_SLOTS;
    while (n_slots / 2 < n)
        n_slots *= 2;
    if (n_slots == old)
        return true;
    mgl_hash_slot *slots = mgl_zeroed_array(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < old; i++)
        if (index->slots[i].number_plus_1 != 0)
            put(slots, n_slots - 1, index->slots[i]);
    mgl_free(index->slots);
    index->slots = slots;
    index->mask = n_slots - 1;
    return true;
}

bool mgl_hash_index_add(mgl_hash_index *index, uint64_t hash, uint32_t number)
{
    if (!mgl_hash_index_reserve(index, index->n + 1))
        return false;
    put(index->slots, index->mask, (mgl_hash_slot){number + 1, (uint32_t)hash});
    index->n++;
    return true;
}

void mgl_hash_index_free(mgl_hash_index *index)
{
    mgl_free(index->slots);
    *index = (mgl_hash_index){0};
}

typedef struct sought {
    const mgl_key_index *in;
    const void *key;
} sought;

static bool is_same(const void *context, uint32_t number)
{
    const sought *s = context;
    return memcmp((const char *)s->in->keys + number * s->in->size, s->key, s->in->size) == 0;
}

uint32_t mgl_key_index_find_hashed(const mgl_key_index *index, const void *key, uint64_t hash)
{
    return mgl_hash_index_find(&index->index, hash, is_same, &(sought){index, key});
}

uint32_t mgl_key_index_find(const mgl_key_index *index, const void *key)
{
    return mgl_key_index_find_hashed(index, key, mgl_hash(key, index->size));
}

uint32_t mgl_key_index_add(mgl_key_index *index, const void *key)
{
    return mgl_key_index_add_hashed(index, key, mgl_hash(key, index->size));
}

uint32_t mgl_key_index_add_hashed(mgl_key_index *index, const void *key, uint64_t hash)
{
    uint32_t number = mgl_key_index_find_hashed(index, key, hash);
    if (number != MGL_NOT_FOUND)
        return number;
    if (index->n >= MGL_NOT_FOUND - 1 ||
        !mgl_grow(&index->keys, &index->room, (size_t)index->n + 1, index->size) ||
        !mgl_hash_index_add(&index->index, hash, index->n))
        return MGL_NOT_FOUND;
    memcpy((char *)index->keys + index->n * index->size, key, index->size);
    return index->n++;
}

void mgl_key_index_free(mgl_key_index *index)
{
    mgl_hash_index_free(&index->index);
    mgl_free(index->keys);
    *index = (mgl_key_index){.size = index->size};
}
