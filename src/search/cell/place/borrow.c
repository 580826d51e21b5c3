/* Borrowing. The greedy puts all it can into a class, and what comes later may lack a row that the
 * class would not miss. With dual values, estimates of what a row costs otherwise, it is known
 * whether a class at this node pays although some of its rows come from cheaper ones: its
 * donors. */
#include "search/cell/place/greedy.h"

#include <stdlib.h>

#define LEAST_SHARE 0.75 /* of the rows of a class that are its own */

/* What each of these must gain at least, as a share of what it costs at the node: dual values are
 * only estimates. */
#define LEAST_GAIN 0.15

enum { WORK_PER_TUPLE = 200, MOST_WORK = 25000000 }; /* donors looked at */

/* A class is filled up to what it needs, which does not help where its values need more. */
uint32_t mgl_cell_least_rows(const mgl_greedy *g)
{
    if (g->space->for_values > g->space->need)
        return g->space->for_values;
    if (g->how->duals == NULL || g->borrow_work == 0)
        return g->space->need;
    uint32_t own = (uint32_t)(LEAST_SHARE * g->space->need);
    return own < 1 ? 1 : own;
}

mgl_status mgl_cell_borrow_begin(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    if (g->how->duals == NULL)
        return MGL_OK;
    g->borrow_work = WORK_PER_TUPLE * (uint64_t)s->n;
    g->borrow_work = g->borrow_work < MOST_WORK ? g->borrow_work : MOST_WORK;
    g->donors = mgl_alloc_array(s->n, sizeof *g->donors);
    g->donor_keys = mgl_alloc_array(s->n, s->words * sizeof *g->donor_keys);
    g->gathered = mgl_alloc_array(s->n, sizeof *g->gathered);
    g->from = mgl_alloc_array(s->n, sizeof *g->from);
    if (g->donors == NULL || g->donor_keys == NULL || g->gathered == NULL || g->from == NULL)
        return mgl_fail_memory(err);
    for (uint32_t c = 1; c < g->out->n_classes; c++)
        mgl_cell_list_donors(g, c);
    return mgl_row_filter_init(&g->wanting, s->n, err);
}

void mgl_cell_borrow_end(mgl_greedy *g)
{
    mgl_free(g->donors);
    mgl_free(g->donor_keys);
    mgl_free(g->gathered);
    mgl_free(g->from);
    mgl_free(g->candidates);
    mgl_free(g->given);
    mgl_row_filter_free(&g->wanting);
}

/* A class with rows of donors has no rows to spare, so each tuple is listed at most once. */
void mgl_cell_list_donors(mgl_greedy *g, uint32_t class)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class];
    for (size_t i = 0; g->how->duals != NULL && i < c->n; i++) {
        uint32_t t = c->members[i];
        if (c->rows < (uint64_t)s->need + s->rows[t])
            continue;
        memcpy(g->donor_keys + g->n_donors * s->words, s->keys + t * s->words,
               s->words * sizeof *g->donor_keys);
        g->donors[g->n_donors++] = t;
    }
}

/* ---- Candidates ----------------------------------------------------------------------------- */

static bool can_spare(const mgl_greedy *g, uint32_t class, uint32_t t)
{
    uint64_t rows = g->out->classes[class].rows - g->given[class];
    return rows >= (uint64_t)g->space->need + g->space->rows[t];
}

/* Of each class of the node the donors that lose least come first. */
static int compare(const void *a, const void *b)
{
    const mgl_cell_donor *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static bool candidate(mgl_greedy *g, uint32_t class, uint32_t t)
{
    if (!mgl_grow(&g->candidates, &g->candidates_capacity, g->n_candidates + 1,
                  sizeof *g->candidates)) {
        g->out->out_of_memory = true;
        return false;
    }
    uint32_t cost = g->out->classes[g->out->class_of[t]].cost;
    g->candidates[g->n_candidates++] = (mgl_cell_donor){class, cost, t};
    return true;
}

/* Marks the slots of the classes that want rows: those with a worth above 0. They are few, and what
 * else there is passes by quickly. */
static void mark_wanting(mgl_greedy *g, const uint64_t *mask, size_t n_wanting)
{
    const mgl_box_space *s = g->space;
    mgl_row_filter_clear(&g->wanting, 2 * n_wanting, 1);
    for (uint32_t e = 1; e <= g->table.n; e++)
        if (g->table.worth[e] > 0)
            g->wanting.rows[mgl_row_filter_slot(&g->wanting, g->table.keys + e * s->words, mask,
                                                s->words)] = 1;
}

/* Donors under the boxes of the classes that lack rows. */
MGL_SPECIALIZE void find_donors(mgl_greedy *g, const uint64_t *mask, size_t words)
{
    mgl_row_filter wanting = g->wanting;
    g->n_candidates = 0;
    for (size_t i = 0; i < g->n_donors; i++) {
        const uint64_t *key = g->donor_keys + i * words;
        if (wanting.rows[mgl_row_filter_slot(&wanting, key, mask, words)] == 0)
            continue;
        uint32_t e = mgl_key_table_find(&g->table, key, mask, words), t = g->donors[i];
        if (e == 0 || g->table.mark[e] == 0 || g->table.worth[e] <= 0 ||
            !can_spare(g, g->out->class_of[t], t))
            continue;
        if (!candidate(g, g->table.mark[e], t))
            return;
    }
    if (g->n_candidates > 0)
        qsort(g->candidates, g->n_candidates, sizeof *g->candidates, compare);
}

/* ---- Classes that lack rows ------------------------------------------------------------------ */

/* What the rows of a class would gain here. */
static int64_t worth_of(const mgl_greedy *g, size_t class, uint32_t cost)
{
    int64_t worth = 0;
    for (size_t i = g->start[class]; i < g->start[class + 1]; i++) {
        uint32_t t = g->members[i];
        worth += (int64_t)g->space->rows[t] * ((int64_t)g->how->duals[t] - cost);
    }
    return worth;
}

/* The worth of classes that lack rows; how many of them may pay. */
static size_t weigh(mgl_greedy *g, const uint8_t *levels)
{
    const mgl_box_space *s = g->space;
    mgl_key_table *table = &g->table;
    size_t n_wanting = 0;
    for (uint32_t e = 1; e <= table->n; e++) {
        table->worth[e] = 0;
        if (table->mark[e] == 0 || table->rows[e] >= s->need)
            continue;
        table->cost[e] = mgl_box_cost(s, levels, table->first[e]);
        table->worth[e] = worth_of(g, table->mark[e], table->cost[e]) -
                          (int64_t)(LEAST_GAIN * table->cost[e] * table->rows[e]);
        n_wanting += table->worth[e] > 0;
    }
    return n_wanting;
}

/* Donors of a class into `chosen`, at the front of its candidates, until it has rows enough. False
 * if it does not pay. */
static bool choose(mgl_greedy *g, uint32_t e, const mgl_cell_donor *candidates, size_t n,
                   uint32_t *chosen, size_t *n_chosen)
{
    const mgl_box_space *s = g->space;
    const mgl_box_release *out = g->out;
    uint64_t rows = g->table.rows[e];
    int64_t worth = g->table.worth[e];
    *n_chosen = 0;
    for (size_t i = 0; i < n && rows < s->need && worth > 0; i++) {
        uint32_t t = candidates[i].tuple, from = out->class_of[t];
        if (!can_spare(g, from, t))
            continue;
        g->given[from] += s->rows[t];
        rows += s->rows[t];
        worth -= (int64_t)s->rows[t] * ((int64_t)g->table.cost[e] - out->classes[from].cost);
        chosen[(*n_chosen)++] = t;
    }
    for (size_t i = 0; i < *n_chosen; i++)
        g->given[out->class_of[chosen[i]]] = 0;
    return rows >= s->need && worth > 0;
}

/* Do the new class and its donors hold? The tuples have left their classes. */
static bool all_hold(mgl_greedy *g, size_t n, const uint32_t *from, size_t n_chosen)
{
    bool hold = !g->space->judged || mgl_box_holds(g->judge, g->gathered, n);
    for (size_t i = 0; g->space->judged && hold && i < n_chosen; i++) {
        const mgl_box_class *c = &g->out->classes[from[i]];
        hold = mgl_box_holds(g->judge, c->members, c->n);
    }
    return hold;
}

/* Releases the class with rows of its donors, if that pays. */
static bool place_with(mgl_greedy *g, uint32_t e, const mgl_cell_donor *candidates, size_t n)
{
    size_t class = g->table.mark[e], n_own = g->start[class + 1] - g->start[class], n_chosen;
    uint32_t *chosen = g->gathered + n_own;
    if (!choose(g, e, candidates, n, chosen, &n_chosen))
        return false;
    memcpy(g->gathered, g->members + g->start[class], n_own * sizeof *g->gathered);
    for (size_t i = 0; i < n_chosen; i++) {
        g->from[i] = g->out->class_of[chosen[i]];
        mgl_box_release_leave(g->out, chosen[i]);
    }
    if (all_hold(g, n_own + n_chosen, g->from, n_chosen)) {
        mgl_box_release_add(g->out, g->gathered, n_own + n_chosen);
        return true;
    }
    for (size_t i = 0; i < n_chosen; i++)
        mgl_box_release_join(g->out, g->from[i], chosen[i]);
    return false;
}

static bool make_room(mgl_greedy *g)
{
    size_t before = g->given_capacity;
    if (!mgl_grow(&g->given, &g->given_capacity, g->out->n_classes, sizeof *g->given)) {
        g->out->out_of_memory = true;
        return false;
    }
    for (size_t i = before; i < g->given_capacity; i++)
        g->given[i] = 0;
    return true;
}

bool mgl_cell_borrow(mgl_greedy *g, const uint8_t *levels, const uint64_t *mask)
{
    bool any = false;
    size_t n_wanting = weigh(g, levels);
    if (n_wanting == 0 || !make_room(g))
        return false;
    mark_wanting(g, mask, n_wanting);
    g->borrow_work -= g->n_donors < g->borrow_work ? g->n_donors : g->borrow_work;
    if (g->space->words == 1)
        find_donors(g, mask, 1);
    else
        find_donors(g, mask, g->space->words);
    uint32_t e = 1;
    for (size_t i = 0, end; i < g->n_candidates && !g->out->out_of_memory; i = end) {
        for (end = i; end < g->n_candidates && g->candidates[end].class == g->candidates[i].class;)
            end++;
        while (g->table.mark[e] != g->candidates[i].class)
            e++;
        any = place_with(g, e, g->candidates + i, end - i) || any;
    }
    return any;
}
