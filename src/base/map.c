/* A hash map from texts to numbers, in the order they were added. Dictionaries, hierarchies,
 * sources and job files use it; mgl_hash is for others that only need the hash. */
#include "base/map.h"

#include "base/fault.h"
#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Open addressing with linear probing, at most half full. A slot holds the text's
 * number + 1 and the upper hash bits, so that most mismatches cost no look at the
 * text. */
typedef struct slot {
    uint32_t number_plus_1;
    uint32_t hash_top;
} slot;

struct mgl_map {
    mgl_arena *texts;
    mgl_span *by_number;
    size_t capacity;
    uint32_t size;
    slot *slots;
    size_t mask;
};

uint64_t mgl_hash(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

mgl_map *mgl_map_new(void)
{
    mgl_map *map = mgl_zeroed_array(1, sizeof *map);
    if (map == NULL)
        return NULL;
    map->mask = 63;
    map->slots = mgl_zeroed_array(map->mask + 1, sizeof *map->slots);
    map->texts = mgl_arena_new();
    if (map->slots == NULL || map->texts == NULL) {
        mgl_map_free(map);
        return NULL;
    }
    return map;
}

void mgl_map_free(mgl_map *map)
{
    if (map == NULL)
        return;
    mgl_arena_free(map->texts);
    mgl_free(map->by_number);
    mgl_free(map->slots);
    mgl_free(map);
}

uint32_t mgl_map_size(const mgl_map *map)
{
    return map->size;
}

mgl_span mgl_map_text(const mgl_map *map, uint32_t number)
{
    return map->by_number[number];
}

static slot *find_slot(const mgl_map *map, mgl_span text, uint64_t hash)
{
    for (size_t i = hash & map->mask;; i = (i + 1) & map->mask) {
        slot *s = &map->slots[i];
        if (s->number_plus_1 == 0 || (s->hash_top == (uint32_t)(hash >> 32) &&
                                      mgl_span_equal(map->by_number[s->number_plus_1 - 1], text)))
            return s;
    }
}

static bool double_slots(mgl_map *map)
{
    size_t mask = map->mask * 2 + 1;
    slot *slots = mgl_zeroed_array(mask + 1, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint32_t n = 0; n < map->size; n++) {
        uint64_t hash = mgl_hash(map->by_number[n].data, map->by_number[n].size);
        size_t i = hash & mask;
        while (slots[i].number_plus_1 != 0)
            i = (i + 1) & mask;
        slots[i] = (slot){n + 1, (uint32_t)(hash >> 32)};
    }
    mgl_free(map->slots);
    map->slots = slots;
    map->mask = mask;
    return true;
}

uint32_t mgl_map_find(const mgl_map *map, mgl_span text)
{
    return find_slot(map, text, mgl_hash(text.data, text.size))->number_plus_1 - 1;
}

uint32_t mgl_map_add(mgl_map *map, mgl_span text)
{
    uint64_t hash = mgl_hash(text.data, text.size);
    slot *s = find_slot(map, text, hash);
    if (s->number_plus_1 != 0)
        return s->number_plus_1 - 1;
    if (map->size >= MGL_NOT_FOUND - 1 || mgl_fault_hits(MGL_FAULT_CODES))
        return MGL_NOT_FOUND;
    if (map->size >= map->mask / 2) {
        if (!double_slots(map))
            return MGL_NOT_FOUND;
        s = find_slot(map, text, hash);
    }
    if (!mgl_grow(&map->by_number, &map->capacity, (size_t)map->size + 1, sizeof *map->by_number))
        return MGL_NOT_FOUND;
    char *copy = mgl_arena_copy(map->texts, text.data, text.size);
    if (copy == NULL)
        return MGL_NOT_FOUND;
    map->by_number[map->size] = (mgl_span){copy, text.size};
    *s = (slot){map->size + 1, (uint32_t)(hash >> 32)};
    return map->size++;
}
