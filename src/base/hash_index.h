/* Hash indexes: numbers 0, 1, 2, ... of entries, found by their keys. An index stores no keys but
 * their hashes; the caller compares. A key index stores keys that are so many bytes each. */
#ifndef MGL_BASE_HASH_INDEX_H
#define MGL_BASE_HASH_INDEX_H

#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct mgl_hash_slot {
    uint32_t number_plus_1; /* 0: free */
    uint32_t hash;          /* its lower half: most mismatches need no look at the key */
} mgl_hash_slot;

/* Open addressing with linear probing, at most half full. All zero is an empty index; free it with
 * mgl_hash_index_free. */
typedef struct mgl_hash_index {
    mgl_hash_slot *slots;
    size_t mask;
    size_t n;
} mgl_hash_index;

/* Is the key sought that of the entry with this number? */
typedef bool mgl_same_key_fn(const void *context, uint32_t number);

/* The number of the entry, or MGL_NOT_FOUND. Inlined, with `same` where that is a constant. */
static inline uint32_t mgl_hash_index_find(const mgl_hash_index *index, uint64_t hash,
                                           mgl_same_key_fn *same, const void *context)
{
    if (index->n == 0)
        return MGL_NOT_FOUND;
    for (size_t at = (uint32_t)hash & index->mask;; at = (at + 1) & index->mask) {
        const mgl_hash_slot *slot = &index->slots[at];
        if (slot->number_plus_1 == 0 ||
            (slot->hash == (uint32_t)hash && same(context, slot->number_plus_1 - 1)))
            return slot->number_plus_1 - 1; /* free: MGL_NOT_FOUND */
    }
}

/* Makes room for so many entries altogether, after which adding cannot fail. False: memory is
 * out. */
bool mgl_hash_index_reserve(mgl_hash_index *index, size_t n);
/* Adds an entry whose key is not in the index. False: memory is out. */
bool mgl_hash_index_add(mgl_hash_index *index, uint64_t hash, uint32_t number);
void mgl_hash_index_free(mgl_hash_index *index);

/* Numbers keys in the order in which they are added. {.size = sizeof key} is an empty one; free it
 * with mgl_key_index_free. */
typedef struct mgl_key_index {
    size_t size; /* bytes of a key, without gaps */
    void *keys;  /* [n * size]; may be read, and moves when keys are added */
    uint32_t n;
    size_t room;
    mgl_hash_index index;
} mgl_key_index;

/* The number of the key, or MGL_NOT_FOUND. */
uint32_t mgl_key_index_find(const mgl_key_index *index, const void *key);
/* These with the hash (mgl_hash) of the key, and what can be done long before: fetching the place
 * where it is looked for. */
uint32_t mgl_key_index_find_hashed(const mgl_key_index *index, const void *key, uint64_t hash);
uint32_t mgl_key_index_add_hashed(mgl_key_index *index, const void *key, uint64_t hash);
static inline void mgl_key_index_fetch(const mgl_key_index *index, uint64_t hash)
{
    if (index->n > 0)
        __builtin_prefetch(&index->index.slots[(uint32_t)hash & index->index.mask]);
}
/* The number of the key, which is added if it is new: then it is what n was. MGL_NOT_FOUND: memory
 * is out. */
uint32_t mgl_key_index_add(mgl_key_index *index, const void *key);
void mgl_key_index_free(mgl_key_index *index);

#endif
