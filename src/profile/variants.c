/* Counts values that are one in several spellings: "Male", "male ", "MALE", as --trim and
 * --fold-case make one of them. profile.c calls it. */
#include "profile/looks.h"

/* ---- A set of hashes ----------------------------------------------------------------------- */

/* The two low bits of a hash give way to marks. 0: the slot is free. */
enum { THERE = 1, TWICE = 2 };

typedef struct hash_set {
    uint64_t *slots; /* [mask + 1], at most half of them taken */
    size_t mask;
} hash_set;

static bool make_room(uint32_t n, hash_set *out)
{
    size_t size = 2;
    while (size / 2 < n)
        size *= 2;
    *out = (hash_set){mgl_zeroed_array(size, sizeof *out->slots), size - 1};
    return out->slots != NULL;
}

/* How many values turn out to be variants: of the second one the first is one, too. */
static unsigned put(hash_set *set, uint64_t hash)
{
    uint64_t entry = (hash & ~(uint64_t)(THERE | TWICE)) | THERE;
    size_t at = (size_t)(hash >> 2) & set->mask;
    for (; set->slots[at] != 0; at = (at + 1) & set->mask) {
        uint64_t found = set->slots[at];
        if ((found & ~(uint64_t)TWICE) != entry)
            continue;
        set->slots[at] |= TWICE;
        return (found & TWICE) != 0 ? 1 : 2;
    }
    set->slots[at] = entry;
    return 0;
}

mgl_status mgl_count_variants(const mgl_dictionary *values, const uint64_t *rows, mgl_error *err,
                              uint64_t *out)
{
    const mgl_spelling alike = {.trim = true, .fold_case = true};
    uint32_t n_codes = mgl_dictionary_size(values), missing = mgl_dictionary_missing(values);
    hash_set set;
    mgl_buffer key = {0};
    uint64_t found = 0;
    bool memory = make_room(n_codes, &set);
    for (uint32_t code = 0; code < n_codes && memory; code++) {
        if (code == missing || rows[code] == 0)
            continue;
        memory = mgl_spelling_key(alike, mgl_dictionary_value(values, code), &key);
        found += memory ? put(&set, mgl_hash(key.data, key.size)) : 0;
    }
    mgl_buffer_free(&key);
    mgl_free(set.slots);
    if (!memory)
        return mgl_fail_memory(err);
    *out = found;
    return MGL_OK;
}
