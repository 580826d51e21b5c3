/* Classes of a node by their masked keys. */
#ifndef MGL_SEARCH_NODE_KEY_TABLE_H
#define MGL_SEARCH_NODE_KEY_TABLE_H

#include "base/base.h"

#include <string.h>

/* Classes 1..n, found by key; 0 is for what is in none. What is known of each lies in arrays of
 * its own, since loops over many tuples touch one or two of them. */
typedef struct mgl_key_table {
    uint32_t *slots;
    uint64_t *keys;
    uint32_t *rows;
    uint32_t *first; /* tuple */
    uint32_t *cost, *mark;
    int64_t *worth; /* what its rows are worth more than they cost, so far */
    uint32_t n;
    size_t mask, capacity;
} mgl_key_table;

/* Room for so many classes with keys of so many words. */
mgl_status mgl_key_table_init(mgl_key_table *table, size_t n_classes, size_t words, mgl_error *err);
void mgl_key_table_free(mgl_key_table *table);

static inline void mgl_key_table_clear(mgl_key_table *table, size_t expected)
{
    size_t size = 64;
    while (size < expected * 4 && size < table->capacity)
        size *= 2;
    table->mask = size - 1;
    table->n = 0;
    memset(table->slots, 0, size * sizeof *table->slots);
}

MGL_SPECIALIZE size_t mgl_key_table_slot(const mgl_key_table *table, const uint64_t *key,
                                         const uint64_t *mask, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++)
        hash = (hash ^ (key[w] & mask[w])) * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (hash ^ hash >> 29) & table->mask;
    for (;; slot = (slot + 1) & table->mask) {
        uint32_t number = table->slots[slot];
        bool same = true;
        for (size_t w = 0; number != 0 && w < words; w++)
            same = same && table->keys[number * words + w] == (key[w] & mask[w]);
        if (number == 0 || same)
            return slot;
    }
}

/* 0: there is none. */
MGL_SPECIALIZE uint32_t mgl_key_table_find(const mgl_key_table *table, const uint64_t *key,
                                           const uint64_t *mask, size_t words)
{
    return table->slots[mgl_key_table_slot(table, key, mask, words)];
}

/* The class, a new one without rows if there was none. */
MGL_SPECIALIZE uint32_t mgl_key_table_add(mgl_key_table *table, const uint64_t *key,
                                          const uint64_t *mask, size_t words, uint32_t tuple)
{
    size_t slot = mgl_key_table_slot(table, key, mask, words);
    uint32_t number = table->slots[slot];
    if (number != 0)
        return number;
    number = table->slots[slot] = ++table->n;
    for (size_t w = 0; w < words; w++)
        table->keys[number * words + w] = key[w] & mask[w];
    table->rows[number] = 0;
    table->first[number] = tuple;
    return number;
}

#endif
