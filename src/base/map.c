/* Texts and their numbers, in the order in which they were added: a hash index of copies. */
#include "base/map.h"

#include "base/fault.h"
#include "base/hash_index.h"
#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct mgl_map {
    mgl_arena *texts;
    mgl_span *by_number;
    size_t capacity;
    uint32_t size;
    mgl_hash_index index;
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
    map->texts = mgl_arena_new();
    if (map->texts == NULL || !mgl_hash_index_reserve(&map->index, 1)) {
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
    mgl_hash_index_free(&map->index);
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

typedef struct sought {
    const mgl_map *map;
    mgl_span text;
} sought;

static bool is_same(const void *context, uint32_t number)
{
    const sought *s = context;
    return mgl_span_equal(s->map->by_number[number], s->text);
}

static uint32_t find(const mgl_map *map, mgl_span text, uint64_t hash)
{
    return mgl_hash_index_find(&map->index, hash, is_same, &(sought){map, text});
}

uint32_t mgl_map_find(const mgl_map *map, mgl_span text)
{
    return find(map, text, mgl_hash(text.data, text.size));
}

uint32_t mgl_map_add(mgl_map *map, mgl_span text)
{
    uint64_t hash = mgl_hash(text.data, text.size);
    uint32_t number = find(map, text, hash);
    if (number != MGL_NOT_FOUND)
        return number;
    if (map->size >= MGL_NOT_FOUND - 1 || mgl_fault_hits(MGL_FAULT_CODES) ||
        !mgl_hash_index_reserve(&map->index, (size_t)map->size + 1) ||
        !mgl_grow(&map->by_number, &map->capacity, (size_t)map->size + 1, sizeof *map->by_number))
        return MGL_NOT_FOUND;
    char *copy = mgl_arena_copy(map->texts, text.data, text.size);
    if (copy == NULL)
        return MGL_NOT_FOUND;
    map->by_number[map->size] = (mgl_span){copy, text.size};
    mgl_hash_index_add(&map->index, hash, map->size);
    return map->size++;
}
