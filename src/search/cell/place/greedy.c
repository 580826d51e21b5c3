/* Places greedily: nodes in order of cost, and whatever holds among the tuples that are not placed
 * yet is released there. What is left joins the classes that grow least. It runs twice in two
 * orders: what rows cost the first time are dual values that say the second time what it pays to
 * borrow. */
#include "search/cell/place/place.h"

#include <stdlib.h>

/* A tuple that may help out a class at a node. */
typedef struct mgl_cell_donor {
    uint32_t class; /* of the node, that wants it */
    uint32_t cost;  /* of a row where it is now */
    uint32_t tuple;
} mgl_cell_donor;

typedef struct mgl_greedy {
    const mgl_box_space *space;
    const mgl_greedy_options *how;
    mgl_box_release *out;
    mgl_key_table table;
    mgl_row_filter filter;
    mgl_box_judge *judge;
    /* Tuples not placed yet, by what they cost at least. */
    size_t n_rest;
    uint32_t *rest, *rows, *bound; /* [n_rest] */
    uint64_t *keys;                /* [n_rest * words] */
    uint32_t *entry_of;            /* [n_rest] its class at the node */
    /* Classes 1..n of a node that have rows enough, or nearly. */
    uint32_t *members; /* [n] one class after another */
    size_t *start;     /* [n + 2] */
    /* Tuples of classes with more rows than they need. */
    uint32_t *donors;     /* [n_donors] */
    uint64_t *donor_keys; /* [n_donors * words] */
    size_t n_donors;
    uint64_t borrow_work;   /* that is left */
    mgl_row_filter wanting; /* slots of classes that want rows */
    uint32_t *gathered;     /* [n] a class in the making */
    uint32_t *from;         /* [n] donor of each */
    mgl_cell_donor *candidates;
    size_t n_candidates, candidates_capacity;
    uint32_t *given; /* [class] rows that it is about to give */
    size_t given_capacity;
    mgl_owned own;
} mgl_greedy;

/* Borrowing. The greedy puts all it can into a class, and what comes later may lack a row that the
 * class would not miss. With dual values, estimates of what a row costs otherwise, it is known
 * whether a class at this node pays although some of its rows come from cheaper ones: its
 * donors. */

#define LEAST_SHARE 0.75 /* of the rows of a class that are its own */

/* What each of these must gain at least, as a share of what it costs at the node: dual values are
 * only estimates. */
#define LEAST_GAIN 0.15

enum { WORK_PER_TUPLE = 200, MOST_WORK = 25000000 }; /* donors looked at */

/* Rows from which on a class of the rest is looked at. A class is filled up to what it needs, which
 * does not help where its values need more. */
static uint32_t cell_least_rows(const mgl_greedy *g)
{
    if (g->space->for_values > g->space->need)
        return g->space->for_values;
    if (g->how->duals == NULL || g->borrow_work == 0)
        return g->space->need;
    uint32_t own = (uint32_t)(LEAST_SHARE * g->space->need);
    return own < 1 ? 1 : own;
}

/* Lists the members as donors if the class has more rows than it needs. A class with rows of donors
 * has none left over, so each tuple is listed at most once. */
static void cell_list_donors(mgl_greedy *g, uint32_t class)
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

static mgl_status cell_borrow_begin(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    if (g->how->duals == NULL)
        return MGL_OK;
    g->borrow_work = WORK_PER_TUPLE * (uint64_t)s->n;
    g->borrow_work = g->borrow_work < MOST_WORK ? g->borrow_work : MOST_WORK;
    g->donors = mgl_own_array(&g->own, s->n, sizeof *g->donors);
    g->donor_keys = mgl_own_array(&g->own, s->n, s->words * sizeof *g->donor_keys);
    g->gathered = mgl_own_array(&g->own, s->n, sizeof *g->gathered);
    g->from = mgl_own_array(&g->own, s->n, sizeof *g->from);
    MGL_TRY(mgl_owned_check(&g->own, err));
    for (uint32_t c = 1; c < g->out->n_classes; c++)
        cell_list_donors(g, c);
    return mgl_row_filter_init(&g->wanting, s->n, err);
}

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

/* Classes of the node, gathered, that lack a few rows are released if tuples of classes with rows
 * to spare make them whole and that pays. True if any was. */
static bool cell_borrow(mgl_greedy *g, const uint8_t *levels, const uint64_t *mask)
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

/* Places what the greedy left: each tuple joins the class that grows least by it. */

/* What the class costs more with the tuple. False if it may be none then. */
static bool find_growth(const mgl_greedy *g, uint32_t class, uint32_t t, int64_t *more)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class];
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, c->levels, s->m);
    mgl_box_join(s, levels, c->members[0], t);
    uint64_t cost = mgl_box_cost(s, levels, t);
    *more = (int64_t)(cost * (c->rows + s->rows[t])) - (int64_t)(c->cost * c->rows);
    return cost < s->top_cost || mgl_box_may_be_class(s, levels, t);
}

/* The class that grows least, or 0. */
static uint32_t find_host(mgl_greedy *g, mgl_box_growing *growing, uint32_t t)
{
    uint32_t best = 0;
    int64_t least = 0;
    for (uint32_t c = 1; c < g->out->n_classes; c++) {
        if (g->out->classes[c].n == 0)
            continue;
        int64_t more;
        if (find_growth(g, c, t, &more) && (best == 0 || more < least) &&
            mgl_box_growing_may_join(growing, c, t)) {
            best = c;
            least = more;
        }
    }
    uint64_t suppressed = g->out->classes[0].rows + g->space->rows[t];
    bool may_suppress =
        g->space->problem->treatment != MGL_KEEP && suppressed <= g->space->problem->limit;
    if (may_suppress && (best == 0 || (int64_t)g->space->rows[t] * g->space->top_cost < least))
        return 0;
    return may_suppress || best > 0 ? best : MGL_NOT_FOUND;
}

/* Is time up, or was the job cancelled? Then what is left becomes one class. */
static bool is_late(const mgl_greedy *g)
{
    mgl_progress_remind();
    return mgl_problem_is_late(g->space->problem);
}

static void join_one_by_one(mgl_greedy *g, mgl_box_growing *growing)
{
    size_t kept = 0;
    bool late = false;
    for (size_t i = 0; i < g->n_rest; i++) {
        late = late || is_late(g);
        uint32_t host = late ? MGL_NOT_FOUND : find_host(g, growing, g->rest[i]);
        if (host == MGL_NOT_FOUND)
            g->rest[kept++] = g->rest[i];
        else
            mgl_box_growing_join(growing, host, g->rest[i]);
    }
    g->n_rest = kept;
}

/* What it costs to put a class and another one together. */
typedef int64_t dual(const mgl_greedy *g, uint32_t class, uint32_t other);

/* What rows cost more if two classes become one. */
static int64_t dual_of_union(const mgl_greedy *g, uint32_t class, uint32_t other)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class], *d = &g->out->classes[other];
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, c->levels, s->m);
    for (size_t a = 0; a < s->m; a++)
        levels[a] = d->levels[a] > levels[a] ? d->levels[a] : levels[a];
    mgl_box_join(s, levels, c->members[0], d->members[0]);
    uint64_t cost = mgl_box_cost(s, levels, c->members[0]);
    return (int64_t)(cost * (c->rows + d->rows)) - (int64_t)(c->cost * c->rows) -
           (int64_t)(d->cost * d->rows);
}

/* By its first tuple alone. */
static int64_t dual_of_first(const mgl_greedy *g, uint32_t class, uint32_t other)
{
    int64_t more;
    find_growth(g, other, g->out->classes[class].members[0], &more);
    return more;
}

/* The class takes in others, the cheapest first, until all together hold. False if they never do,
 * or not in time. */
static bool take_in(mgl_greedy *g, mgl_box_growing *growing, uint32_t class, dual *dual_of)
{
    while (!g->out->out_of_memory && !mgl_box_growing_holds(growing, class)) {
        uint32_t best = 0;
        if (is_late(g))
            return false;
        int64_t least = 0;
        for (uint32_t c = 1; c < g->out->n_classes; c++) {
            if (g->out->classes[c].n == 0 || c == class)
                continue;
            int64_t more = dual_of(g, class, c);
            if (best == 0 || more < least) {
                best = c;
                least = more;
            }
        }
        if (best == 0)
            return false;
        mgl_box_growing_take_in(growing, class, best);
    }
    return true;
}

/* A tuple becomes a class, which may take some of the others then. Where it is the top and may be
 * no class, all of them go there. */
static bool join_each(mgl_greedy *g, mgl_box_growing *growing)
{
    bool met = true;
    while (met && g->n_rest > 0 && !g->out->out_of_memory) {
        if (is_late(g))
            return false;
        uint32_t t = g->rest[--g->n_rest], class = mgl_box_release_add(g->out, &t, 1);
        met = take_in(g, growing, class, dual_of_union);
        bool top = !g->out->out_of_memory &&
                   !mgl_box_may_be_class(g->space, g->out->classes[class].levels, t);
        while (top && g->n_rest > 0)
            mgl_box_growing_join(growing, class, g->rest[--g->n_rest]);
        join_one_by_one(g, growing);
    }
    return met;
}

/* Are no more rows suppressed, or at the top, than may be? */
static bool keeps_limit(const mgl_box_release *r)
{
    const mgl_box_space *s = r->space;
    uint64_t rows = r->classes[0].rows;
    if (s->problem->treatment == MGL_KEEP)
        return mgl_box_release_keeps_limit(r);
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0 &&
            !mgl_box_may_be_class(s, r->classes[c].levels, r->classes[c].members[0]))
            rows += r->classes[c].rows;
    return rows <= s->problem->limit;
}

/* No class can take them one by one: they take in classes, all together or each by itself,
 * whichever is cheaper. */
static mgl_status take_in_classes(mgl_greedy *g, mgl_box_growing *growing, mgl_error *err,
                                  bool *met)
{
    mgl_box_release *out = g->out, *other = NULL;
    mgl_box_growing *of_other = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_box_release_new(g->space, err, &other));
    mgl_box_release_copy(other, out);
    MGL_GO(mgl_box_growing_new(other, g->judge, err, &of_other));
    *met = take_in(g, growing, mgl_box_release_add(g->out, g->rest, g->n_rest), dual_of_first);
    g->out = other;
    bool each = !other->out_of_memory && join_each(g, of_other) && keeps_limit(other);
    g->out = out;
    out->out_of_memory = out->out_of_memory || other->out_of_memory;
    if (each &&
        (!*met || !keeps_limit(out) || mgl_box_release_cost(other) < mgl_box_release_cost(out))) {
        mgl_box_release_copy(out, other);
        *met = true;
    }
    g->n_rest = 0;
done:
    mgl_box_growing_free(of_other);
    mgl_box_release_free(other);
    return status;
}

/* Puts the rest into classes that grow by it; false in *met if that cannot be. */
static mgl_status join_rest(mgl_greedy *g, mgl_error *err, bool *met)
{
    mgl_box_growing *growing = NULL;
    mgl_status status = MGL_OK;
    *met = true;
    if (g->n_rest == 0)
        return MGL_OK;
    MGL_GO(mgl_box_growing_new(g->out, g->judge, err, &growing));
    join_one_by_one(g, growing);
    if (g->n_rest > 0)
        MGL_GO(take_in_classes(g, growing, err, met));
done:
    mgl_box_growing_free(growing);
    return status;
}

enum { GUIDES = 256 }; /* to further nodes */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* Sorts by the upper halves, digit by digit; equal ones stay as they are. */
static void sort_by_bound(uint64_t *order, uint64_t *other, size_t n)
{
    uint64_t *from = order, *to = other;
    for (unsigned shift = 32; shift < 64; shift += DIGIT_BITS) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i] >> shift & (DIGITS - 1)) + 1]++;
        for (size_t d = 0; d < DIGITS; d++)
            start[d + 1] += start[d];
        for (size_t i = 0; i < n; i++)
            to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
}

/* Tuples that are in no class, those that may cost least first: a node places the first of them. */
static mgl_status list_rest(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    uint64_t *order;
    MGL_TRY(mgl_new_array(s->n, 2 * sizeof *order, err, &order));
    for (size_t t = 0; t < s->n; t++)
        if (g->out->class_of[t] == MGL_NOT_FOUND)
            order[g->n_rest++] = (uint64_t)g->how->bounds[t] << 32 | t;
    sort_by_bound(order, order + s->n, g->n_rest);
    for (size_t i = 0; i < g->n_rest; i++) {
        uint32_t t = (uint32_t)order[i];
        g->rest[i] = t;
        g->rows[i] = s->rows[t];
        g->bound[i] = g->how->bounds[t];
        memcpy(g->keys + i * s->words, s->keys + t * s->words, s->words * sizeof *g->keys);
    }
    mgl_free(order);
    return MGL_OK;
}

/* How many of the rest may be in a class where a row costs at most this. */
static size_t count_within(const mgl_greedy *g, uint32_t most)
{
    size_t low = 0, high = g->n_rest;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (g->bound[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void move_rest(mgl_greedy *g, size_t to, size_t from, size_t n)
{
    size_t words = g->space->words;
    memmove(g->rest + to, g->rest + from, n * sizeof *g->rest);
    memmove(g->rows + to, g->rows + from, n * sizeof *g->rows);
    memmove(g->bound + to, g->bound + from, n * sizeof *g->bound);
    memmove(g->keys + to * words, g->keys + from * words, n * words * sizeof *g->keys);
}

/* After a look at the first n: of these, only those with an entry can have been placed. */
static void forget_placed(mgl_greedy *g, size_t n)
{
    size_t kept = 0, from = 0; /* those from here on that stay are moved together */
    for (size_t i = 0; i < n; i++) {
        if (g->entry_of[i] == 0 || g->out->class_of[g->rest[i]] == MGL_NOT_FOUND)
            continue;
        if (kept != from)
            move_rest(g, kept, from, i - from);
        kept += i - from;
        from = i + 1;
    }
    if (kept != from)
        move_rest(g, kept, from, g->n_rest - from);
    g->n_rest -= from - kept;
}

/* Sums up the rows of the first n by slots; may a class have so many? */
MGL_SPECIALIZE bool filter_words(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least,
                                 size_t words)
{
    mgl_row_filter_clear(&g->filter, n, least);
    mgl_row_filter filter = g->filter; /* which the compiler can keep in registers */
    const uint64_t *keys = g->keys;
    const uint32_t *rows = g->rows;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        size_t slot = mgl_row_filter_slot(&filter, keys + i * words, mask, words);
        uint32_t sum = filter.rows[slot] += rows[i];
        any |= sum >= least;
    }
    return any;
}

MGL_SPECIALIZE void group_words(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least,
                                size_t words)
{
    mgl_key_table_clear(&g->table, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *key = g->keys + i * words;
        g->entry_of[i] = 0;
        if (g->filter.rows[mgl_row_filter_slot(&g->filter, key, mask, words)] < least)
            continue;
        uint32_t e = mgl_key_table_add(&g->table, key, mask, words, g->rest[i]);
        g->table.rows[e] += g->rows[i];
        g->entry_of[i] = e;
    }
}

/* Puts the first n into classes by their masked keys; false if none can have so many rows. */
static bool group(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least)
{
    if (g->space->words == 1) {
        if (!filter_words(g, mask, n, least, 1))
            return false;
        group_words(g, mask, n, least, 1);
    } else {
        if (!filter_words(g, mask, n, least, g->space->words))
            return false;
        group_words(g, mask, n, least, g->space->words);
    }
    return true;
}

/* Gathers the members of the classes with so many rows; their numbers are the marks of their
 * entries. Returns how many there are. */
static size_t gather(mgl_greedy *g, size_t n, uint32_t least)
{
    size_t n_classes = 0;
    for (uint32_t e = 1; e <= g->table.n; e++)
        g->table.mark[e] = g->table.rows[e] >= least ? (uint32_t)++n_classes : 0;
    if (n_classes == 0)
        return 0;
    memset(g->start, 0, (n_classes + 2) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->table.mark[g->entry_of[i]] + 1]++;
    g->start[1] = 0; /* those in no such class */
    for (size_t c = 1; c <= n_classes; c++)
        g->start[c + 1] += g->start[c];
    for (size_t i = 0; i < n; i++) {
        uint32_t mark = g->table.mark[g->entry_of[i]];
        if (mark > 0)
            g->members[g->start[mark]++] = g->rest[i];
    }
    for (size_t c = n_classes; c > 1; c--) /* filling moved the starts to the ends */
        g->start[c] = g->start[c - 1];
    g->start[1] = 0;
    return n_classes;
}

static bool place(mgl_greedy *g, const uint32_t *members, size_t n)
{
    if (g->space->judged && !mgl_box_holds(g->judge, members, n))
        return false;
    uint32_t class = mgl_box_release_add(g->out, members, n);
    if (!g->out->out_of_memory)
        cell_list_donors(g, class);
    return true;
}

static void visit_node(mgl_greedy *g, const mgl_box_nodes *nodes, size_t node)
{
    const mgl_box_space *s = g->space;
    const uint64_t *mask = nodes->masks + node * s->words;
    uint32_t least = cell_least_rows(g);
    size_t n = count_within(g, nodes->most[node]);
    bool is_top = nodes->most[node] >= s->top_cost &&
                  !mgl_box_may_be_class(s, nodes->levels + node * s->m, 0);
    if (is_top || n == 0 || !group(g, mask, n, least))
        return;
    if (gather(g, n, least) == 0)
        return;
    bool placed = false;
    for (uint32_t e = 1; e <= g->table.n; e++) {
        size_t c = g->table.mark[e];
        if (c > 0 && g->table.rows[e] >= s->need)
            placed = place(g, g->members + g->start[c], g->start[c + 1] - g->start[c]) || placed;
    }
    if (least < s->need)
        placed = cell_borrow(g, nodes->levels + node * s->m, mask) || placed;
    if (placed)
        forget_placed(g, n);
}

static mgl_status visit_nodes(mgl_greedy *g, const mgl_box_nodes *nodes, mgl_error *err)
{
    double most = nodes->n > 0 ? g->how->coarse * nodes->rank[nodes->n - 1] : 0; /* the top's */
    for (size_t i = 0, end; i < nodes->n && nodes->rank[i] <= most; i = end) {
        for (end = i; end < nodes->n && nodes->rank[end] == nodes->rank[i];)
            end++;
        for (size_t j = i; j < end && g->n_rest > 0 && !is_late(g); j++)
            visit_node(g, nodes, g->how->backwards ? end - 1 - (j - i) : j);
    }
    return g->out->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* In a large lattice nodes are those of near neighbours. What is left shows others, as long as
 * that helps; then ever coarser ones up to the top. */
static mgl_status go_on(mgl_greedy *g, mgl_error *err)
{
    for (size_t before = SIZE_MAX, n = g->n_rest; n > 0; n = before > g->n_rest ? g->n_rest : 0) {
        mgl_box_nodes *nodes;
        before = g->n_rest;
        MGL_TRY(mgl_box_nodes_new(g->space, g->rest, n, GUIDES, err, &nodes));
        mgl_status status = visit_nodes(g, nodes, err);
        mgl_box_nodes_free(nodes);
        MGL_TRY(status);
    }
    mgl_box_nodes *nodes;
    MGL_TRY(mgl_box_nodes_new(g->space, NULL, 0, 0, err, &nodes));
    mgl_status status = visit_nodes(g, nodes, err);
    mgl_box_nodes_free(nodes);
    return status;
}

static mgl_status begin(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    g->rest = mgl_own_array(&g->own, s->n, sizeof *g->rest);
    g->rows = mgl_own_array(&g->own, s->n, sizeof *g->rows);
    g->bound = mgl_own_array(&g->own, s->n, sizeof *g->bound);
    g->keys = mgl_own_array(&g->own, s->n, s->words * sizeof *g->keys);
    g->entry_of = mgl_own_array(&g->own, s->n, sizeof *g->entry_of);
    g->members = mgl_own_array(&g->own, s->n, sizeof *g->members);
    g->start = mgl_own_array(&g->own, s->n + 2, sizeof *g->start);
    MGL_TRY(mgl_owned_check(&g->own, err));
    MGL_TRY(list_rest(g, err));
    MGL_TRY(mgl_key_table_init(&g->table, s->n, s->words, err));
    MGL_TRY(mgl_row_filter_init(&g->filter, s->n, err));
    MGL_TRY(mgl_box_judge_new(s, err, &g->judge));
    return cell_borrow_begin(g, err);
}

static void end(mgl_greedy *g)
{
    mgl_free(g->candidates);
    mgl_free(g->given);
    mgl_row_filter_free(&g->wanting);
    mgl_key_table_free(&g->table);
    mgl_row_filter_free(&g->filter);
    mgl_box_judge_free(g->judge);
    mgl_owned_free(&g->own);
}

mgl_status mgl_cell_greedy(const mgl_box_space *space, const mgl_box_nodes *nodes,
                           const mgl_greedy_options *how, mgl_error *err, mgl_box_release *out,
                           bool *met)
{
    mgl_greedy g = {.space = space, .how = how, .out = out};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&g, err));
    MGL_GO(visit_nodes(&g, nodes, err));
    if (!nodes->all && !is_late(&g))
        MGL_GO(go_on(&g, err));
    MGL_GO(join_rest(&g, err, met));
    if (mgl_progress_stopped(space->problem->progress))
        MGL_GO(mgl_fail_cancelled(err));
    if (out->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    end(&g);
    return status;
}

/* Runs the greedy twice in two orders: what rows cost the first time are dual values that say the
 * second time what it pays to borrow. */

enum { ORDERS = 2 }; /* of nodes of equal cost */

typedef struct attempts {
    const mgl_box_space *space;
    const mgl_box_nodes *nodes;
    const uint32_t *bounds, *duals;
    struct {
        mgl_box_release *release;
        bool met;
        mgl_status status;
        mgl_error error;
    } each[ORDERS];
} attempts;

static void attempt(void *context, size_t i, unsigned worker)
{
    (void)worker;
    attempts *x = context;
    mgl_error *err = &x->each[i].error;
    mgl_greedy_options how = {
        .bounds = x->bounds, .duals = x->duals, .backwards = i > 0, .coarse = 1};
    x->each[i].status = mgl_box_release_new(x->space, err, &x->each[i].release);
    if (x->each[i].status == MGL_OK)
        x->each[i].status =
            mgl_cell_greedy(x->space, x->nodes, &how, err, x->each[i].release, &x->each[i].met);
}

static mgl_status run(attempts *x, mgl_error *err)
{
    mgl_pool_run(x->space->problem->pool, ORDERS, attempt, x);
    for (size_t i = 0; i < ORDERS; i++)
        if (x->each[i].status != MGL_OK) {
            if (err != NULL)
                *err = x->each[i].error;
            return x->each[i].status;
        }
    return MGL_OK;
}

/* What a row of each tuple costs, on average over both. False if there are not both. */
static bool take_duals(const attempts *x, uint32_t *duals)
{
    for (size_t t = 0; t < x->space->n; t++)
        duals[t] = 0;
    for (size_t i = 0; i < ORDERS; i++) {
        const mgl_box_release *r = x->each[i].release;
        if (!x->each[i].met)
            return false;
        for (size_t t = 0; t < x->space->n; t++)
            duals[t] += r->classes[r->class_of[t]].cost / ORDERS;
    }
    return true;
}

static void keep_best(attempts *x, mgl_box_release **best)
{
    for (size_t i = 0; i < ORDERS; i++) {
        mgl_box_release *r = x->each[i].release;
        bool better = x->each[i].met &&
                      (*best == NULL || mgl_box_release_cost(r) < mgl_box_release_cost(*best));
        mgl_box_release_free(better ? *best : r);
        *best = better ? r : *best;
    }
}

static mgl_status place_twice(const mgl_box_space *s, const mgl_box_nodes *nodes,
                              const uint32_t *bounds, uint32_t *duals, bool borrow, mgl_error *err,
                              mgl_box_release **best)
{
    attempts first = {.space = s, .nodes = nodes, .bounds = bounds};
    attempts second = {.space = s, .nodes = nodes, .bounds = bounds, .duals = duals};
    mgl_status status = run(&first, err);
    bool estimated =
        status == MGL_OK && borrow && !mgl_problem_is_late(s->problem) && take_duals(&first, duals);
    keep_best(&first, best);
    if (estimated) {
        status = run(&second, err);
        keep_best(&second, best);
    }
    return status;
}

mgl_status mgl_cell_place(const mgl_box_space *space, const mgl_box_nodes *nodes,
                          const uint32_t *bounds, bool borrow, mgl_error *err,
                          mgl_box_release **out, bool *met)
{
    mgl_box_release *best = NULL;
    uint32_t *duals = mgl_alloc_array(space->n, sizeof *duals);
    mgl_status status = duals == NULL
                            ? mgl_fail_memory(err)
                            : place_twice(space, nodes, bounds, duals, borrow, err, &best);
    mgl_free(duals);
    if (status != MGL_OK) {
        mgl_box_release_free(best);
        return status;
    }
    *met = best != NULL;
    *out = best;
    return MGL_OK;
}
