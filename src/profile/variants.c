/* Counts values that are one in several spellings: "Male", "male ", "MALE", as models take them
 * (docs/definitions.md#sensitive-values). profile.c calls it. */
#include "profile/looks.h"

/* ---- A set of hashes ----------------------------------------------------------------------- */

/* One value, in one spelling or several. */
typedef struct entry {
    uint64_t hash; /* never 0: 0 is a free slot */
    uint64_t rows;
    uint64_t spellings;
} entry;

typedef struct hash_set {
    entry *slots; /* [mask + 1], at most half of them taken */
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

static entry *put(hash_set *set, uint64_t hash)
{
    size_t at = (size_t)hash & set->mask;
    hash |= UINT64_C(1) << 63;
    while (set->slots[at].hash != 0 && set->slots[at].hash != hash)
        at = (at + 1) & set->mask;
    set->slots[at].hash = hash;
    return &set->slots[at];
}

/* Of the second spelling the first is a variant, too. */
static void note(entry *value, uint64_t rows, mgl_profile *p)
{
    value->rows += rows;
    value->spellings++;
    p->values += value->spellings == 1;
    p->variants += value->spellings == 1 ? 0 : value->spellings == 2 ? 2 : 1;
    p->commonest = value->rows > p->commonest ? value->rows : p->commonest;
}

mgl_status mgl_count_variants(const mgl_dictionary *values, const uint64_t *rows, mgl_error *err,
                              mgl_profile *p)
{
    const mgl_cell_rule alike = {0};
    uint32_t n_codes = mgl_dictionary_size(values), missing = mgl_dictionary_missing(values);
    hash_set set;
    mgl_buffer key = {0};
    bool memory = make_room(n_codes, &set);
    for (uint32_t code = 0; code < n_codes && memory; code++) {
        if (code == missing || rows[code] == 0)
            continue;
        memory = mgl_value_key(&alike, mgl_dictionary_value(values, code), &key);
        if (memory)
            note(put(&set, mgl_hash(key.data, key.size)), rows[code], p);
    }
    mgl_buffer_free(&key);
    mgl_free(set.slots);
    return memory ? MGL_OK : mgl_fail_memory(err);
}
