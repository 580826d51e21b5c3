/* Borrowing. The greedy puts all it can into a class, and what comes later may lack a row that the
 * class would not miss. With prices, which say what a row will cost if nothing is done, it is known
 * whether a class at this node pays although some of its rows come from cheaper ones. greedy.c
 * calls it. */
#include "search/cell/place/greedy.h"

#include <stdlib.h>

#define LEAST_SHARE 0.75 /* of the rows of a class that are its own */

/* What each of these must gain at least, as a share of what it costs at the node: prices are but
 * guesses. */
#define LEAST_GAIN 0.15

enum { WORK_PER_TUPLE = 200, MOST_WORK = 25000000 }; /* lenders looked at */

/* A class is filled up to what it needs, which does not help where its values need more. */
uint32_t mgl_cell_least_rows(const mgl_greedy *g)
{
    if (g->space->for_values > g->space->need)
        return g->space->for_values;
    if (g->how->prices == NULL || g->borrow_work == 0)
        return g->space->need;
    uint32_t own = (uint32_t)(LEAST_SHARE * g->space->need);
    return own < 1 ? 1 : own;
}

mgl_status mgl_cell_borrow_begin(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    if (g->how->prices == NULL)
        return MGL_OK;
    g->borrow_work = WORK_PER_TUPLE * (uint64_t)s->n;
    g->borrow_work = g->borrow_work < MOST_WORK ? g->borrow_work : MOST_WORK;
    g->lenders = mgl_alloc_array(s->n, sizeof *g->lenders);
    g->lender_keys = mgl_alloc_array(s->n, s->words * sizeof *g->lender_keys);
    g->gathered = mgl_alloc_array(s->n, sizeof *g->gathered);
    g->from = mgl_alloc_array(s->n, sizeof *g->from);
    if (g->lenders == NULL || g->lender_keys == NULL || g->gathered == NULL || g->from == NULL)
        return mgl_fail_memory(err);
    for (uint32_t c = 1; c < g->out->n_classes; c++)
        mgl_cell_lend(g, c);
    return mgl_row_filter_init(&g->wanting, s->n, err);
}

void mgl_cell_borrow_end(mgl_greedy *g)
{
    mgl_free(g->lenders);
    mgl_free(g->lender_keys);
    mgl_free(g->gathered);
    mgl_free(g->from);
    mgl_free(g->offered);
    mgl_free(g->lent);
    mgl_row_filter_free(&g->wanting);
}

/* A class that is made of loans has no rows to spare, so each tuple is listed at most once. */
void mgl_cell_lend(mgl_greedy *g, uint32_t class)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class];
    for (size_t i = 0; g->how->prices != NULL && i < c->n; i++) {
        uint32_t t = c->members[i];
        if (c->rows < (uint64_t)s->need + s->rows[t])
            continue;
        memcpy(g->lender_keys + g->n_lenders * s->words, s->keys + t * s->words,
               s->words * sizeof *g->lender_keys);
        g->lenders[g->n_lenders++] = t;
    }
}

/* ---- Offers --------------------------------------------------------------------------------- */

static bool can_spare(const mgl_greedy *g, uint32_t class, uint32_t t)
{
    uint64_t rows = g->out->classes[class].rows - g->lent[class];
    return rows >= (uint64_t)g->space->need + g->space->rows[t];
}

/* Of each class of the node the lenders that lose least come first. */
static int compare(const void *a, const void *b)
{
    const mgl_cell_lender *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static bool offer(mgl_greedy *g, uint32_t class, uint32_t t)
{
    if (!mgl_grow(&g->offered, &g->offered_capacity, g->n_offered + 1, sizeof *g->offered)) {
        g->out->out_of_memory = true;
        return false;
    }
    uint32_t cost = g->out->classes[g->out->class_of[t]].cost;
    g->offered[g->n_offered++] = (mgl_cell_lender){class, cost, t};
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

/* Lenders under the boxes of the classes that want rows. */
MGL_SPECIALIZE void find_lenders(mgl_greedy *g, const uint64_t *mask, size_t words)
{
    mgl_row_filter wanting = g->wanting;
    g->n_offered = 0;
    for (size_t i = 0; i < g->n_lenders; i++) {
        const uint64_t *key = g->lender_keys + i * words;
        if (wanting.rows[mgl_row_filter_slot(&wanting, key, mask, words)] == 0)
            continue;
        uint32_t e = mgl_key_table_find(&g->table, key, mask, words), t = g->lenders[i];
        if (e == 0 || g->table.mark[e] == 0 || g->table.worth[e] <= 0 ||
            !can_spare(g, g->out->class_of[t], t))
            continue;
        if (!offer(g, g->table.mark[e], t))
            return;
    }
    if (g->n_offered > 0)
        qsort(g->offered, g->n_offered, sizeof *g->offered, compare);
}

/* ---- Classes that lack rows ------------------------------------------------------------------ */

/* What the rows of a class would gain here. */
static int64_t worth_of(const mgl_greedy *g, size_t class, uint32_t cost)
{
    int64_t worth = 0;
    for (size_t i = g->start[class]; i < g->start[class + 1]; i++) {
        uint32_t t = g->members[i];
        worth += (int64_t)g->space->rows[t] * ((int64_t)g->how->prices[t] - cost);
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

/* Lenders of a class into `chosen`, at the front of its offers, until it has rows enough. False if
 * it does not pay. */
static bool choose(mgl_greedy *g, uint32_t e, const mgl_cell_lender *offers, size_t n,
                   uint32_t *chosen, size_t *n_chosen)
{
    const mgl_box_space *s = g->space;
    const mgl_box_release *out = g->out;
    uint64_t rows = g->table.rows[e];
    int64_t worth = g->table.worth[e];
    *n_chosen = 0;
    for (size_t i = 0; i < n && rows < s->need && worth > 0; i++) {
        uint32_t t = offers[i].tuple, from = out->class_of[t];
        if (!can_spare(g, from, t))
            continue;
        g->lent[from] += s->rows[t];
        rows += s->rows[t];
        worth -= (int64_t)s->rows[t] * ((int64_t)g->table.cost[e] - out->classes[from].cost);
        chosen[(*n_chosen)++] = t;
    }
    for (size_t i = 0; i < *n_chosen; i++)
        g->lent[out->class_of[chosen[i]]] = 0;
    return rows >= s->need && worth > 0;
}

/* Do the new class and those that lent to it hold? The tuples have left their classes. */
static bool all_hold(mgl_greedy *g, size_t n, const uint32_t *from, size_t n_chosen)
{
    bool hold = !g->space->judged || mgl_box_holds(g->judge, g->gathered, n);
    for (size_t i = 0; g->space->judged && hold && i < n_chosen; i++) {
        const mgl_box_class *c = &g->out->classes[from[i]];
        hold = mgl_box_holds(g->judge, c->members, c->n);
    }
    return hold;
}

/* Releases the class with what others lend it, if that pays. */
static bool place_with(mgl_greedy *g, uint32_t e, const mgl_cell_lender *offers, size_t n)
{
    size_t class = g->table.mark[e], n_own = g->start[class + 1] - g->start[class], n_chosen;
    uint32_t *chosen = g->gathered + n_own;
    if (!choose(g, e, offers, n, chosen, &n_chosen))
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
    size_t before = g->lent_capacity;
    if (!mgl_grow(&g->lent, &g->lent_capacity, g->out->n_classes, sizeof *g->lent)) {
        g->out->out_of_memory = true;
        return false;
    }
    for (size_t i = before; i < g->lent_capacity; i++)
        g->lent[i] = 0;
    return true;
}

bool mgl_cell_borrow(mgl_greedy *g, const uint8_t *levels, const uint64_t *mask)
{
    bool any = false;
    size_t n_wanting = weigh(g, levels);
    if (n_wanting == 0 || !make_room(g))
        return false;
    mark_wanting(g, mask, n_wanting);
    g->borrow_work -= g->n_lenders < g->borrow_work ? g->n_lenders : g->borrow_work;
    if (g->space->words == 1)
        find_lenders(g, mask, 1);
    else
        find_lenders(g, mask, g->space->words);
    uint32_t e = 1;
    for (size_t i = 0, end; i < g->n_offered && !g->out->out_of_memory; i = end) {
        for (end = i; end < g->n_offered && g->offered[end].class == g->offered[i].class;)
            end++;
        while (g->table.mark[e] != g->offered[i].class)
            e++;
        any = place_with(g, e, g->offered + i, end - i) || any;
    }
    return any;
}
