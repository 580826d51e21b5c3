/* Groups tuples into classes by their released cells.  the fast searches have ways of their own. */
#include "classes/classes.h"
#include "classes/counter.h"

void mgl_classes_fit(mgl_classes *classes, size_t n_tuples)
{
    classes->n_tuples = n_tuples;
    classes->n_slots = 64;
    while (classes->n_slots < n_tuples * 2)
        classes->n_slots *= 2;
}

mgl_status mgl_classes_init(mgl_classes *classes, size_t n_tuples, size_t n_attributes,
                            mgl_error *err)
{
    *classes = (mgl_classes){0};
    classes->key_words = n_attributes > 0 ? n_attributes : 1; /* at most one word each */
    mgl_classes_fit(classes, n_tuples);
    classes->of_tuple = mgl_alloc_array(n_tuples, sizeof *classes->of_tuple);
    classes->sizes = mgl_alloc_array(n_tuples, sizeof *classes->sizes);
    classes->first = mgl_alloc_array(n_tuples, sizeof *classes->first);
    classes->keys = mgl_alloc_array(n_tuples, classes->key_words * sizeof *classes->keys);
    classes->slots = mgl_alloc_array(classes->n_slots, sizeof *classes->slots);
    if (classes->of_tuple == NULL || classes->sizes == NULL || classes->first == NULL ||
        classes->keys == NULL || classes->slots == NULL) {
        mgl_classes_free(classes);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_classes_free(mgl_classes *classes)
{
    mgl_free(classes->of_tuple);
    mgl_free(classes->sizes);
    mgl_free(classes->first);
    mgl_free(classes->keys);
    mgl_free(classes->slots);
    *classes = (mgl_classes){0};
}

mgl_status mgl_classes_copy(const mgl_classes *from, mgl_error *err, mgl_classes *out)
{
    size_t n = from->n_classes;
    mgl_classes copy = {.n_tuples = from->n_tuples, .n_classes = n};
    copy.of_tuple = mgl_alloc_array(from->n_tuples, sizeof *copy.of_tuple);
    copy.sizes = mgl_alloc_array(n, sizeof *copy.sizes);
    copy.first = mgl_alloc_array(n, sizeof *copy.first);
    if (copy.of_tuple == NULL || copy.sizes == NULL || copy.first == NULL) {
        mgl_classes_free(&copy);
        return mgl_fail_memory(err);
    }
    memcpy(copy.of_tuple, from->of_tuple, from->n_tuples * sizeof *copy.of_tuple);
    memcpy(copy.sizes, from->sizes, n * sizeof *copy.sizes);
    memcpy(copy.first, from->first, n * sizeof *copy.first);
    *out = copy;
    return MGL_OK;
}

static size_t attribute_at(const mgl_cells_to_group *cells, size_t i)
{
    return cells->attributes != NULL ? cells->attributes[i] : i;
}

/* Words that a key takes. */
static size_t group_words(const mgl_cells_to_group *cells)
{
    size_t words = 1;
    unsigned used = 0;
    for (size_t i = 0; i < cells->n_attributes; i++) {
        unsigned bits = mgl_bits_for(cells->n_values[attribute_at(cells, i)]);
        if (used + bits > 64) {
            words++;
            used = 0;
        }
        used += bits;
    }
    return words;
}

/* Packs the chosen cells of tuples first..end-1 into classes->keys. */
static void group_keys(mgl_classes *classes, const mgl_cells_to_group *cells, size_t first,
                       size_t end)
{
    size_t words = group_words(cells), word = 0;
    unsigned used = 0;
    memset(classes->keys + first * words, 0, (end - first) * words * sizeof *classes->keys);
    for (size_t i = 0; i < cells->n_attributes; i++) {
        size_t a = attribute_at(cells, i);
        unsigned bits = mgl_bits_for(cells->n_values[a]);
        if (bits == 0)
            continue; /* one value: it separates nothing */
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        for (size_t t = first; t < end; t++)
            classes->keys[t * words + word] |= (uint64_t)cells->cells[a][t] << used;
        used += bits;
    }
}

void mgl_classes_group(mgl_classes *classes, uint32_t *const *cells, const uint32_t *n_values,
                       const uint32_t *attributes, size_t n_attributes, const uint64_t *counts)
{
    mgl_cells_to_group chosen = {cells, n_values, attributes, n_attributes, counts};
    size_t words = group_words(&chosen);
    group_keys(classes, &chosen, 0, classes->n_tuples);
    size_t mask = classes->n_slots - 1;
    memset(classes->slots, 0, classes->n_slots * sizeof *classes->slots);
    classes->n_classes = 0;
    for (size_t t = 0; t < classes->n_tuples; t++) {
        const uint64_t *key = classes->keys + t * words;
        size_t slot = mgl_key_hash(key, words) & mask;
        uint32_t found;
        while ((found = classes->slots[slot]) != 0 &&
               !mgl_key_equal(classes->keys + classes->first[found - 1] * words, key, words))
            slot = (slot + 1) & mask;
        if (found == 0) {
            classes->first[classes->n_classes] = (uint32_t)t;
            classes->sizes[classes->n_classes] = 0;
            classes->slots[slot] = found = (uint32_t)++classes->n_classes;
        }
        classes->of_tuple[t] = found - 1;
        classes->sizes[found - 1] += counts[t];
    }
}

/* ---- On all threads -------------------------------------------------------------------------- */

/* Groups many tuples into classes by all threads of a pool. Ranges of tuples are shared out among
 * pieces by the hash of what they are released as, so that those that look alike meet in one piece,
 * which finds the first of them. Then the first ones are numbered in their order, so that classes
 * have the numbers that one thread gives them. Solutions of large tables are grouped by it. */

enum { LEAST_TUPLES = 1 << 15, PIECE_BITS = 4, PIECES = 1 << PIECE_BITS };

/* Meanwhile `first` lists the tuples of a range piece by piece; of_tuple has the first tuple that
 * looks alike, and `sizes` at that one the rows of all of these. */
typedef struct grouping {
    mgl_classes *classes;
    const mgl_cells_to_group *cells;
    size_t words;
    size_t starts[MGL_RANGES][PIECES + 1]; /* of each piece in the list of a range; its end */
    size_t slots[PIECES + 1];              /* the first of each piece: two for every tuple */
    size_t n_first[MGL_RANGES];            /* tuples that are the first, then those before */
    uint64_t *sums;                        /* `sizes` while these are put in order */
} grouping;

/* ---- Finding the first ---------------------------------------------------------------------- */

static uint64_t hash_of(const grouping *g, size_t t)
{
    return mgl_key_hash(g->classes->keys + t * g->words, g->words);
}

/* By the highest bits: the lower ones choose a slot. */
static size_t piece_of(const grouping *g, size_t t)
{
    return (size_t)(hash_of(g, t) >> (64 - PIECE_BITS));
}

static void sort_range(void *context, mgl_range range)
{
    grouping *g = context;
    size_t *starts = g->starts[range.number], at[PIECES];
    group_keys(g->classes, g->cells, range.first, range.end);
    memset(starts, 0, sizeof g->starts[0]);
    for (size_t t = range.first; t < range.end; t++)
        starts[piece_of(g, t) + 1]++;
    starts[0] = range.first;
    for (size_t p = 0; p < PIECES; p++)
        starts[p + 1] += starts[p];
    memcpy(at, starts, sizeof at);
    for (size_t t = range.first; t < range.end; t++)
        g->classes->first[at[piece_of(g, t)]++] = (uint32_t)t;
}

static void share_slots(grouping *g)
{
    for (size_t p = 0; p < PIECES; p++) {
        size_t n = 0;
        for (size_t i = 0; i < MGL_RANGES; i++)
            n += g->starts[i][p + 1] - g->starts[i][p];
        g->slots[p + 1] = g->slots[p] + 2 * n;
    }
}

/* The first tuple that looks like this one; it itself, if there is none yet. */
static uint32_t find_first(const grouping *g, uint32_t *slots, size_t n_slots, uint32_t t)
{
    const mgl_classes *c = g->classes;
    const uint64_t *key = c->keys + t * g->words;
    size_t slot = (size_t)((hash_of(g, t) & UINT32_MAX) * n_slots >> 32);
    while (slots[slot] != 0 &&
           !mgl_key_equal(c->keys + (slots[slot] - 1) * g->words, key, g->words))
        slot = slot + 1 < n_slots ? slot + 1 : 0;
    if (slots[slot] == 0) {
        slots[slot] = t + 1;
        c->sizes[t] = 0;
    }
    return slots[slot] - 1;
}

static void group_piece(void *context, size_t p, unsigned thread)
{
    const grouping *g = context;
    mgl_classes *c = g->classes;
    uint32_t *slots = c->slots + g->slots[p];
    size_t n_slots = g->slots[p + 1] - g->slots[p];
    (void)thread;
    memset(slots, 0, n_slots * sizeof *slots);
    for (size_t range = 0; range < MGL_RANGES; range++)
        for (size_t i = g->starts[range][p]; i < g->starts[range][p + 1]; i++) {
            uint32_t t = c->first[i], first = find_first(g, slots, n_slots, t);
            c->of_tuple[t] = first;
            c->sizes[first] += g->cells->counts[t];
        }
}

/* ---- Numbering ------------------------------------------------------------------------------ */

/* Keys are no longer needed: their memory takes what is read while `sizes` is written. */
static void count_first(void *context, mgl_range range)
{
    grouping *g = context;
    size_t n = 0;
    for (size_t t = range.first; t < range.end; t++) {
        bool is_first = g->classes->of_tuple[t] == t;
        g->sums[t] = is_first ? g->classes->sizes[t] : 0;
        n += is_first;
    }
    g->n_first[range.number] = n;
}

/* Slots keep the number of each first tuple. */
static void number_range(void *context, mgl_range range)
{
    const grouping *g = context;
    mgl_classes *c = g->classes;
    size_t n = g->n_first[range.number];
    for (size_t t = range.first; t < range.end; t++) {
        if (c->of_tuple[t] != t)
            continue;
        c->slots[t] = (uint32_t)n;
        c->sizes[n] = g->sums[t];
        c->first[n++] = (uint32_t)t;
    }
}

static void name_range(void *context, mgl_range range)
{
    const grouping *g = context;
    for (size_t t = range.first; t < range.end; t++)
        g->classes->of_tuple[t] = g->classes->slots[g->classes->of_tuple[t]];
}

void mgl_classes_group_shared(mgl_classes *classes, const mgl_cells_to_group *cells, mgl_pool *pool)
{
    size_t n = classes->n_tuples;
    if (n < LEAST_TUPLES || mgl_pool_threads(pool) == 1) {
        mgl_classes_group(classes, cells->cells, cells->n_values, cells->attributes,
                          cells->n_attributes, cells->counts);
        return;
    }
    grouping g = {
        .classes = classes, .cells = cells, .words = group_words(cells), .sums = classes->keys};
    mgl_pool_run_ranges(pool, n, sort_range, &g);
    share_slots(&g);
    mgl_pool_run(pool, PIECES, group_piece, &g);
    mgl_pool_run_ranges(pool, n, count_first, &g);
    classes->n_classes = 0;
    for (size_t i = 0; i < MGL_RANGES; i++) {
        size_t more = g.n_first[i];
        g.n_first[i] = classes->n_classes;
        classes->n_classes += more;
    }
    mgl_pool_run_ranges(pool, n, number_range, &g);
    mgl_pool_run_ranges(pool, n, name_range, &g);
}

/* ---- Grouping anew --------------------------------------------------------------------------- */

/* Groups rare tuples level by level until no group is rare. The pipeline calls it for
 * --least-count. */

typedef struct rest {
    const mgl_frequency_list *list;
    size_t n;         /* tuples that are in no group yet */
    uint32_t *tuples; /* [n] */
    uint64_t *counts; /* [n] their rows */
    uint32_t **cells; /* [a][n] what they read at the current level: leaves that stand for it */
    uint32_t *n_values;
    mgl_classes classes;
    mgl_owned own;
} rest;

static void end(rest *r)
{
    mgl_owned_free(&r->own);
    mgl_classes_free(&r->classes);
}

/* Those that are rare by themselves; the others keep their leaves. */
static void find_rare(rest *r, uint64_t least, uint32_t *const *leaves)
{
    const mgl_frequency_list *list = r->list;
    for (size_t t = 0; t < list->n_tuples; t++) {
        for (size_t a = 0; a < list->n_attributes; a++)
            leaves[a][t] = mgl_list_leaf(list, t, a);
        if (list->counts[t] >= least)
            continue;
        r->tuples[r->n] = (uint32_t)t;
        r->counts[r->n++] = list->counts[t];
    }
}

static void group_at(rest *r, uint32_t level)
{
    const mgl_frequency_list *list = r->list;
    for (size_t a = 0; a < list->n_attributes; a++) {
        const mgl_hierarchy *h = list->hierarchies[a];
        const mgl_level *at = &h->levels[level < h->height ? level : h->height];
        for (size_t i = 0; i < r->n; i++)
            r->cells[a][i] = at->stand_in[at->of_leaf[mgl_list_leaf(list, r->tuples[i], a)]];
    }
    mgl_classes_fit(&r->classes, r->n);
    mgl_classes_group(&r->classes, r->cells, r->n_values, NULL, list->n_attributes, r->counts);
}

/* The groups that are large enough are done with. */
static void keep_rare(rest *r, uint64_t least, uint32_t *const *leaves)
{
    size_t left = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (r->classes.sizes[r->classes.of_tuple[i]] < least) {
            r->tuples[left] = r->tuples[i];
            r->counts[left++] = r->counts[i];
            continue;
        }
        for (size_t a = 0; a < r->list->n_attributes; a++)
            leaves[a][r->tuples[i]] = r->cells[a][i];
    }
    r->n = left;
}

mgl_status mgl_regroup_rare(const mgl_frequency_list *list, uint64_t least, mgl_error *err,
                            uint32_t *const *leaves)
{
    rest r = {.list = list};
    mgl_status status = MGL_OK;
    size_t m = r.list->n_attributes, n = r.list->n_tuples;
    r.tuples = mgl_own_array(&r.own, n, sizeof *r.tuples);
    r.counts = mgl_own_array(&r.own, n, sizeof *r.counts);
    r.n_values = mgl_own_array(&r.own, m, sizeof *r.n_values);
    r.cells = mgl_own_rows(&r.own, m, n, sizeof **r.cells);
    MGL_GO(mgl_owned_check(&r.own, err));
    for (size_t a = 0; a < m; a++)
        r.n_values[a] = r.list->hierarchies[a]->n_leaves;
    MGL_GO(mgl_classes_init(&r.classes, n, m, err));
    uint32_t height = 0;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (list->hierarchies[a]->height > height)
            height = list->hierarchies[a]->height;
    uint32_t top = height;
    find_rare(&r, least, leaves);
    for (uint32_t level = 1; r.n > 0 && level <= top; level++) {
        group_at(&r, level);
        keep_rare(&r, level < top ? least : 0, leaves);
    }
done:
    end(&r);
    return status;
}
