/* Groups many tuples into classes by all threads of a pool. Ranges of tuples are shared out among
 * pieces by the hash of what they are released as, so that those that look alike meet in one piece,
 * which finds the first of them. Then the first ones are numbered in their order, so that classes
 * have the numbers that one thread gives them. Solutions of large tables are grouped by it. */
#include "classes/classes.h"

#include "classes/counter.h"
#include "classes/group.h"

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
    mgl_group_keys(g->classes, g->cells, range.first, range.end);
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
        .classes = classes, .cells = cells, .words = mgl_group_words(cells), .sums = classes->keys};
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
