/* Counts the rows of the population that match each class of a recoding. For models that look at a
 * population. */
#include "search/node/population_matches.h"

#include <stdlib.h>

/* Classes whose cells stand at the same levels are matched together: the population is
 * generalized to these levels once and looked up among them. A full-domain recoding has one
 * such signature, or a few where labels stand on several levels. */
typedef struct entry {
    uint64_t signature; /* hash of the levels */
    uint32_t class;
} entry;

struct mgl_population {
    const mgl_problem *problem;
    size_t n_tuples;          /* of the population */
    uint32_t **leaves;        /* [a][t] */
    uint64_t *hashes;         /* [n_tuples] of their cells at the levels at hand */
    const uint32_t **of_leaf; /* [a] the cells of these levels */
    entry *entries;           /* [classes] */
    uint32_t *slots;          /* class + 1; 0: free */
    size_t n_slots;
};

mgl_status mgl_population_new(const mgl_problem *problem, mgl_error *err, mgl_population **out)
{
    const mgl_frequency_list *list = problem->population;
    size_t m = problem->list->n_attributes;
    mgl_population *p = mgl_zeroed_array(1, sizeof *p);
    if (p == NULL)
        return mgl_fail_memory(err);
    p->problem = problem;
    p->n_tuples = list->n_tuples;
    p->n_slots = 64;
    while (p->n_slots <= problem->list->n_tuples * 2)
        p->n_slots *= 2;
    p->leaves = mgl_zeroed_array(m, sizeof *p->leaves);
    p->entries = mgl_alloc_array(problem->list->n_tuples, sizeof *p->entries);
    p->slots = mgl_alloc_array(p->n_slots, sizeof *p->slots);
    p->hashes = mgl_alloc_array(p->n_tuples, sizeof *p->hashes);
    p->of_leaf = mgl_alloc_array(m, sizeof *p->of_leaf);
    bool whole = p->leaves != NULL && p->entries != NULL && p->slots != NULL && p->hashes != NULL &&
                 p->of_leaf != NULL;
    for (size_t a = 0; whole && a < m; a++) {
        p->leaves[a] = mgl_alloc_array(list->n_tuples, sizeof **p->leaves);
        whole = p->leaves[a] != NULL;
        for (size_t t = 0; whole && t < list->n_tuples; t++)
            p->leaves[a][t] = mgl_list_leaf(list, t, a);
    }
    if (!whole) {
        mgl_population_free(p);
        return mgl_fail_memory(err);
    }
    *out = p;
    return MGL_OK;
}

void mgl_population_free(mgl_population *p)
{
    if (p == NULL)
        return;
    for (size_t a = 0; p->leaves != NULL && a < p->problem->list->n_attributes; a++)
        mgl_free(p->leaves[a]);
    mgl_free(p->leaves);
    mgl_free(p->entries);
    mgl_free(p->slots);
    mgl_free(p->hashes);
    mgl_free(p->of_leaf);
    mgl_free(p);
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static int32_t cell_level(const mgl_population *p, uint32_t a, uint32_t value)
{
    return p->problem->columns[a]->values[value].level;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->signature != y->signature)
        return x->signature < y->signature ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

static bool same_levels(const mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                        uint32_t t, uint32_t u)
{
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        if (cell_level(p, a, cells[a][t]) != cell_level(p, a, cells[a][u]))
            return false;
    }
    return true;
}

/* Generalizes the population to the levels of the sample's cells. */
static void hash_population(mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                            uint32_t sample)
{
    memset(p->hashes, 0, p->n_tuples * sizeof *p->hashes);
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        const uint32_t *leaves = p->leaves[a];
        const uint32_t *of_leaf =
            p->problem->columns[a]->of_leaf[cell_level(p, a, cells[a][sample])];
        p->of_leaf[a] = of_leaf;
        for (size_t t = 0; t < p->n_tuples; t++)
            p->hashes[t] = mix(p->hashes[t], of_leaf[leaves[t]]);
    }
}

/* Does tuple t of the population match the class of tuple u? */
static bool is_under(const mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                     size_t t, uint32_t u)
{
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        if (cells[a][u] != p->of_leaf[a][p->leaves[a][t]])
            return false;
    }
    return true;
}

/* Counts the population under the classes of entries first..end-1, which stand at the same
 * levels. */
static void match_signature(mgl_population *p, const mgl_quasi_set *set, const mgl_classes *classes,
                            uint32_t *const *cells, size_t first, size_t end, uint64_t *matching)
{
    size_t mask = 15;
    while (mask < (end - first) * 2)
        mask = mask * 2 + 1;
    memset(p->slots, 0, (mask + 1) * sizeof *p->slots);
    for (size_t e = first; e < end; e++) {
        uint32_t class = p->entries[e].class, t = classes->first[class];
        uint64_t hash = 0;
        for (size_t i = 0; i < set->n_attributes; i++)
            hash = mix(hash, cells[set->attributes[i]][t]);
        size_t slot = hash & mask;
        while (p->slots[slot] != 0)
            slot = (slot + 1) & mask;
        p->slots[slot] = class + 1;
    }
    hash_population(p, set, cells, classes->first[p->entries[first].class]);
    for (size_t t = 0; t < p->n_tuples; t++)
        for (size_t slot = p->hashes[t] & mask; p->slots[slot] != 0; slot = (slot + 1) & mask) {
            uint32_t class = p->slots[slot] - 1;
            if (is_under(p, set, cells, t, classes->first[class])) {
                matching[class] += p->problem->population->counts[t];
                break;
            }
        }
}

void mgl_population_match(mgl_population *p, const mgl_quasi_set *set, const mgl_classes *classes,
                          uint32_t *const *cells, uint64_t *matching)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t signature = 0;
        for (size_t i = 0; i < set->n_attributes; i++) {
            uint32_t a = set->attributes[i];
            signature = mix(signature, (uint64_t)cell_level(p, a, cells[a][classes->first[c]]));
        }
        p->entries[c] = (entry){signature, c};
        matching[c] = 0;
    }
    qsort(p->entries, classes->n_classes, sizeof *p->entries, compare_entries);
    for (size_t first = 0, end; first < classes->n_classes; first = end) {
        end = first + 1;
        while (end < classes->n_classes &&
               same_levels(p, set, cells, classes->first[p->entries[first].class],
                           classes->first[p->entries[end].class]))
            end++;
        match_signature(p, set, classes, cells, first, end, matching);
    }
}
