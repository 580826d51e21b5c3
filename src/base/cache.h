/* A cache of objects that are costly to make, each under a key that names all it was made of.
 * Entries are pinned while they are in use; of those that are not, the least recently used go, and
 * of each kind a fixed number stays. One thread at a time.
 *
 * Numbers are never given twice. A key that is made of the numbers of its sources therefore never
 * finds an object whose sources are gone. */
#ifndef MGL_BASE_CACHE_H
#define MGL_BASE_CACHE_H

#include "base/buffer.h"
#include "base/error.h"

#include <stdint.h>

typedef struct mgl_cache mgl_cache;

/* What objects of one kind have in common. */
typedef struct mgl_cache_kind {
    void (*free)(void *object);
    size_t most; /* entries that stay without being pinned */
} mgl_cache_kind;

typedef struct mgl_cache_entry {
    const mgl_cache_kind *kind;
    void *object;
    uint64_t number; /* unique in the cache, now and later */
} mgl_cache_entry;

/* NULL when memory is out. Free with mgl_cache_free, after all pins. */
mgl_cache *mgl_cache_new(void);
void mgl_cache_free(mgl_cache *cache);
/* Returns the next unused number. */
uint64_t mgl_cache_number(mgl_cache *cache);

/* The entries that one user of the cache has pinned. Starts empty with the cache set; end it with
 * mgl_cache_unpin. */
typedef struct mgl_cache_pins {
    mgl_cache *cache;
    const mgl_cache_entry **list;
    size_t n, capacity;
} mgl_cache_pins;
/* Unpins all of them and evicts what is then too much. */
void mgl_cache_unpin(mgl_cache_pins *pins);

/* Finds the entry with the key and pins it; *out is NULL if there is none. */
mgl_status mgl_cache_find(mgl_cache_pins *pins, const mgl_cache_kind *kind, const mgl_buffer *key,
                          mgl_error *err, const mgl_cache_entry **out);
/* Adds an entry and pins it. Takes the object over, on failure too, which frees it. */
mgl_status mgl_cache_add(mgl_cache_pins *pins, const mgl_cache_kind *kind, const mgl_buffer *key,
                         void *object, mgl_error *err, const mgl_cache_entry **out);

#endif
