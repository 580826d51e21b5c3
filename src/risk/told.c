/* Keeps which label and which ground value each row has in the generalized columns of a release.
 * The guards of rows and of counts call it. */
#include "risk/recovery.h"

static bool is_generalized(const mgl_recoding *recoding, size_t a, size_t tuple)
{
    return recoding->columns[a]->values[recoding->cells[a][tuple]].level != 0;
}

/* ---- Pairs --------------------------------------------------------------------------------- */

/* Different pairs of cell and leaf, numbered as they come. There are far fewer than tuples. */
typedef struct pair_table {
    uint64_t *pairs; /* cell << 32 | leaf */
    uint32_t *slots; /* [n_slots] a number, or MGL_NOT_FOUND */
    size_t n, room, n_slots;
} pair_table;

static size_t slot_of(const pair_table *t, uint64_t pair)
{
    size_t slot = (size_t)((pair * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (t->n_slots - 1);
    while (t->slots[slot] != MGL_NOT_FOUND && t->pairs[t->slots[slot]] != pair)
        slot = (slot + 1) & (t->n_slots - 1);
    return slot;
}

static bool widen(pair_table *t)
{
    size_t n_slots = t->n_slots > 0 ? 4 * t->n_slots : 1024;
    uint32_t *slots = mgl_alloc_array(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    mgl_free(t->slots);
    t->slots = slots;
    t->n_slots = n_slots;
    memset(slots, 0xFF, n_slots * sizeof *slots);
    for (size_t i = 0; i < t->n; i++)
        slots[slot_of(t, t->pairs[i])] = (uint32_t)i;
    return true;
}

/* MGL_NOT_FOUND if memory is out. */
static uint32_t number_of(pair_table *t, uint64_t pair)
{
    if (2 * t->n >= t->n_slots && !widen(t))
        return MGL_NOT_FOUND;
    size_t slot = slot_of(t, pair);
    if (t->slots[slot] != MGL_NOT_FOUND)
        return t->slots[slot];
    if (!mgl_grow(&t->pairs, &t->room, t->n + 1, sizeof *t->pairs))
        return MGL_NOT_FOUND;
    t->pairs[t->n] = pair;
    return t->slots[slot] = (uint32_t)t->n++;
}

/* ---- An attribute -------------------------------------------------------------------------- */

static bool allocate(mgl_told *told, size_t n)
{
    told->label_of_pair = mgl_alloc_array(n, sizeof *told->label_of_pair);
    told->leaf_of_pair = mgl_alloc_array(n, sizeof *told->leaf_of_pair);
    told->first_pair = mgl_alloc_array(n + 1, sizeof *told->first_pair);
    told->rows_of_pair = mgl_zeroed_array(n, sizeof *told->rows_of_pair);
    return told->label_of_pair != NULL && told->leaf_of_pair != NULL && told->first_pair != NULL &&
           told->rows_of_pair != NULL;
}

/* Numbers the pairs anew, by label and leaf; place[old number]. */
static bool sort_pairs(mgl_told *told, const pair_table *t, uint32_t *place)
{
    uint64_t *sorted = mgl_alloc_array(t->n, sizeof *sorted);
    if (sorted == NULL || !allocate(told, t->n)) {
        mgl_free(sorted);
        return false;
    }
    memcpy(sorted, t->pairs, t->n * sizeof *sorted);
    mgl_sort_u64(sorted, t->n);
    for (size_t i = 0; i < t->n; i++) {
        if (i == 0 || sorted[i] >> 32 != sorted[i - 1] >> 32)
            told->first_pair[told->n_labels++] = told->n_pairs;
        told->label_of_pair[i] = told->n_labels - 1;
        told->leaf_of_pair[i] = (uint32_t)sorted[i];
        place[t->slots[slot_of(t, sorted[i])]] = told->n_pairs++;
    }
    told->first_pair[told->n_labels] = told->n_pairs;
    mgl_free(sorted);
    return true;
}

static bool number_tuples(const mgl_generalized *g, mgl_told *told, bool drop, pair_table *t)
{
    uint32_t a = told->attribute;
    for (uint32_t tuple = 0; tuple < g->list->n_tuples; tuple++) {
        told->pair_of_tuple[tuple] = MGL_NOT_FOUND;
        if (!is_generalized(g->recoding, a, tuple) || (drop && g->recoding->suppressed[tuple]))
            continue;
        uint64_t pair =
            (uint64_t)g->recoding->cells[a][tuple] << 32 | mgl_list_leaf(g->list, tuple, a);
        told->pair_of_tuple[tuple] = number_of(t, pair);
        if (told->pair_of_tuple[tuple] == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

static bool tell(const mgl_generalized *g, mgl_told *told, bool drop)
{
    pair_table t = {0};
    told->pair_of_tuple = mgl_alloc_array(g->list->n_tuples, sizeof *told->pair_of_tuple);
    bool whole = told->pair_of_tuple != NULL && number_tuples(g, told, drop, &t);
    uint32_t *place = mgl_alloc_array(t.n, sizeof *place);
    whole = whole && place != NULL && sort_pairs(told, &t, place);
    for (size_t tuple = 0; whole && tuple < g->list->n_tuples; tuple++) {
        uint32_t *pair = &told->pair_of_tuple[tuple];
        if (*pair == MGL_NOT_FOUND)
            continue;
        *pair = place[*pair];
        told->rows_of_pair[*pair] += g->list->counts[tuple];
    }
    mgl_free(place);
    mgl_free(t.pairs);
    mgl_free(t.slots);
    return whole;
}

/* ---- All ----------------------------------------------------------------------------------- */

static bool any_generalized(const mgl_recoding *recoding, size_t a, bool drop)
{
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (is_generalized(recoding, a, t) && !(drop && recoding->suppressed[t]))
            return true;
    return false;
}

/* What threads share that look at an attribute each. */
typedef struct telling {
    mgl_generalized *generalized;
    bool drop;
    bool *failed; /* [attribute] */
} telling;

static void tell_attribute(void *context, size_t a, unsigned worker)
{
    (void)worker;
    telling *t = context;
    mgl_told *told = &t->generalized->told[a];
    told->attribute = (uint32_t)a;
    t->failed[a] = any_generalized(t->generalized->recoding, a, t->drop) &&
                   !tell(t->generalized, told, t->drop);
}

/* Those that are generalized move together. */
static bool gather(mgl_generalized *g, const bool *failed, size_t n_attributes)
{
    bool whole = true;
    for (size_t a = 0; a < n_attributes; a++) {
        whole = whole && !failed[a];
        if (g->told[a].pair_of_tuple == NULL)
            continue;
        mgl_told told = g->told[a];
        g->told[a] = (mgl_told){0};
        g->told[g->n++] = told;
    }
    return whole;
}

mgl_status mgl_generalized_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               bool drop, mgl_pool *pool, mgl_error *err, mgl_generalized **out)
{
    mgl_generalized *g = mgl_zeroed_array(1, sizeof *g);
    if (g == NULL)
        return mgl_fail_memory(err);
    *g = (mgl_generalized){.list = list, .recoding = recoding};
    g->told = mgl_zeroed_array(list->n_attributes, sizeof *g->told);
    telling t = {.generalized = g,
                 .drop = drop,
                 .failed = mgl_zeroed_array(list->n_attributes, sizeof *t.failed)};
    bool whole = g->told != NULL && t.failed != NULL;
    if (whole) {
        mgl_pool_run(pool, list->n_attributes, tell_attribute, &t);
        whole = gather(g, t.failed, list->n_attributes);
    }
    mgl_free(t.failed);
    if (!whole) {
        mgl_generalized_free(g);
        return mgl_fail_memory(err);
    }
    *out = g;
    return MGL_OK;
}

void mgl_generalized_free(mgl_generalized *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; g->told != NULL && i < g->n; i++) {
        mgl_free(g->told[i].pair_of_tuple);
        mgl_free(g->told[i].label_of_pair);
        mgl_free(g->told[i].leaf_of_pair);
        mgl_free(g->told[i].first_pair);
        mgl_free(g->told[i].rows_of_pair);
    }
    mgl_free(g->told);
    mgl_free(g);
}

size_t mgl_generalized_count(const mgl_generalized *g)
{
    return g->n;
}

uint32_t mgl_generalized_attribute(const mgl_generalized *g, size_t i)
{
    return g->told[i].attribute;
}

uint32_t mgl_told_find(const mgl_told *told, uint32_t label, uint32_t leaf)
{
    uint32_t low = told->first_pair[label], high = told->first_pair[label + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (told->leaf_of_pair[middle] == leaf)
            return middle;
        if (told->leaf_of_pair[middle] < leaf)
            low = middle + 1;
        else
            high = middle;
    }
    return MGL_NOT_FOUND;
}
