/* Gives patterns, from the cheapest on: at each, tuples that differ in its columns at most are a
 * group; where a group is large enough, some of its tuples in need take the pattern, until none in
 * it is in need any more. Where lattices are too large, a tuple takes one from its nearest
 * neighbours. */
#include "search/local/patterns.h"
#include "search/node/node.h"

#include <stdlib.h>

/* ---- Patterns from neighbours ---------------------------------------------------------------- */

/* Makes a pattern from the nearest neighbours of a tuple: the cheapest difference first, until
 * enough rows match, then without the columns that were not needed. */

/* Rows that match by this pattern; *best is the neighbour that would cost least to match as well,
 * or SIZE_MAX. */
static uint64_t count(const mgl_local *l, const uint32_t *apart, size_t n, size_t step,
                      uint32_t pattern, size_t *best)
{
    uint64_t rows = 0, least = UINT64_MAX;
    *best = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t more = apart[i] & ~pattern;
        if (l->gone[i * step])
            continue;
        if (more == 0) {
            rows += l->weights[i * step];
        } else if ((more & ~l->free) == 0 && mgl_local_cost(l, more) < least) {
            least = mgl_local_cost(l, more);
            *best = i;
        }
    }
    return rows;
}

/* A pattern for one tuple from its nearest neighbours, if lattices are too large. */
static uint32_t local_near(const mgl_local *l, uint32_t columns, size_t t, uint32_t *apart)
{
    /* In a large table every so many tuples, and whatever is equal to the tuple is left out if it
     * is not among them: rows that match are then more than are counted. */
    size_t step = (l->space->n + MGL_LOCAL_NEAR - 1) / MGL_LOCAL_NEAR;
    size_t n = (l->space->n + step - 1) / step, best;
    uint32_t pattern = l->patterns[t] & columns;
    for (size_t i = 0; i < n; i++)
        apart[i] = mgl_local_differ(l, t, i * step) & columns & ~l->given[i * step];
    while (count(l, apart, n, step, pattern, &best) < l->need) {
        if (best == SIZE_MAX)
            return l->whole;
        pattern |= apart[best];
    }
    for (uint32_t a = UINT32_C(1) << 31; a != 0; a >>= 1) {
        uint32_t less = pattern & ~a;
        if (less != pattern && (a & l->patterns[t]) == 0 &&
            count(l, apart, n, step, less, &best) >= l->need)
            pattern = less;
    }
    return pattern;
}

/* ---- Giving ---------------------------------------------------------------------------------- */

enum {
    MOST_LATTICE = 10, /* columns of which all patterns are tried */
    NEAR_WORK = 8      /* looking at a neighbour, in steps over a tuple of a group */
};

typedef struct node {
    uint64_t cost;
    uint32_t pattern;
} node;

typedef struct place {
    mgl_local *l;
    uint32_t columns; /* the set at hand */
    uint32_t *counts; /* [n] rows known to match, without what the pattern taken here adds */
    uint8_t *watched; /* [n] 1: was in need on this set */
    uint8_t *needy;   /* [n] 1: still is */
    uint32_t *list;   /* [n_needy] those in need */
    size_t n_needy;
    mgl_key_table table;
    uint64_t *mask;    /* [words] of the columns that groups have in common */
    uint32_t *next;    /* [n] in the same group and watched; MGL_NOT_FOUND ends it */
    uint64_t *sorted;  /* [n] tuples by pattern */
    uint32_t *scratch; /* [MGL_LOCAL_NEAR] */
    node *nodes;
    size_t n_nodes, capacity;
} place;

/* ---- Nodes ------------------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    const node *x = a, *y = b;
    int more = __builtin_popcount(x->pattern) - __builtin_popcount(y->pattern);
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (more != 0)
        return more;
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static bool add_node(place *p, uint32_t pattern)
{
    if (!mgl_grow(&p->nodes, &p->capacity, p->n_nodes + 1, sizeof *p->nodes))
        return false;
    p->nodes[p->n_nodes++] = (node){mgl_local_cost(p->l, pattern), pattern};
    return true;
}

/* All patterns of the set, or those of one and two columns; then whole rows. */
static mgl_status make_nodes(place *p, mgl_error *err)
{
    uint32_t columns = p->columns & p->l->free;
    bool all = __builtin_popcount(columns) <= MOST_LATTICE, added = true;
    p->n_nodes = 0;
    for (uint32_t s = columns & -columns; all && added && s != 0; s = (s - columns) & columns)
        added = add_node(p, s);
    for (size_t a = 0; !all && added && a < p->l->space->m; a++)
        for (size_t b = a; added && b < p->l->space->m; b++) {
            uint32_t s = UINT32_C(1) << a | UINT32_C(1) << b;
            if ((s & ~columns) == 0)
                added = add_node(p, s);
        }
    if (!added)
        return mgl_fail_memory(err);
    if (p->n_nodes > 0)
        qsort(p->nodes, p->n_nodes, sizeof *p->nodes, compare_nodes);
    return MGL_OK;
}

/* ---- Groups ------------------------------------------------------------------------------ */

/* The tuples given are entries; a tuple in the group of one is counted there. Members that are
 * watched are chained, the first at the entry's mark. */
MGL_SPECIALIZE void group_words(place *p, const uint32_t *tuples, size_t n, size_t words)
{
    const mgl_local *l = p->l;
    const uint64_t *keys = l->space->keys, *mask = p->mask;
    mgl_key_table_clear(&p->table, n);
    for (size_t i = 0; i < n; i++)
        mgl_key_table_add(&p->table, keys + tuples[i] * words, mask, words, tuples[i]);
    for (uint32_t e = 1; e <= p->table.n; e++)
        p->table.mark[e] = MGL_NOT_FOUND;
    for (size_t t = l->space->n; t-- > 0;) {
        uint32_t e = l->gone[t] ? 0 : mgl_key_table_find(&p->table, keys + t * words, mask, words);
        if (e == 0)
            continue;
        p->table.rows[e] += l->weights[t];
        if (p->watched[t]) {
            p->next[t] = p->table.mark[e];
            p->table.mark[e] = (uint32_t)t;
        }
    }
}

static void group(place *p, uint32_t columns, const uint32_t *tuples, size_t n)
{
    mgl_local_mask(p->l, columns, p->mask);
    if (p->l->space->words == 1)
        group_words(p, tuples, n, 1);
    else
        group_words(p, tuples, n, p->l->space->words);
}

static uint32_t entry_of(const place *p, uint32_t t)
{
    const mgl_box_space *s = p->l->space;
    return mgl_key_table_find(&p->table, s->keys + t * s->words, p->mask, s->words);
}

/* The tuple matches others by its pattern from now on: a tuple that did not match it before has
 * more rows that match. */
static void add_matches(place *p, uint32_t t, uint32_t before, uint32_t first)
{
    const mgl_local *l = p->l;
    for (uint32_t v = first; v != MGL_NOT_FOUND; v = p->next[v]) {
        uint32_t apart = mgl_local_differ(l, t, v) & p->columns & ~(before | l->patterns[v]);
        if (v == t || apart == 0)
            continue;
        p->counts[v] += l->weights[t];
        p->needy[v] = p->needy[v] && p->counts[v] < l->need;
    }
}

static void take(place *p, uint32_t t, uint32_t pattern, uint32_t first)
{
    mgl_local *l = p->l;
    uint32_t before = l->patterns[t];
    l->patterns[t] |= pattern;
    p->needy[t] = 0;
    if (l->patterns[t] != l->whole || l->space->problem->treatment == MGL_KEEP)
        add_matches(p, t, before, first);
}

/* The member that lacks most of those that can take the pattern. */
static uint32_t most_needy(const place *p, uint32_t pattern, uint32_t first)
{
    uint32_t best = MGL_NOT_FOUND;
    for (uint32_t v = first; v != MGL_NOT_FOUND; v = p->next[v])
        if (p->needy[v] && (p->l->patterns[v] & p->columns & ~pattern) == 0 &&
            (best == MGL_NOT_FOUND || p->counts[v] < p->counts[best]))
            best = v;
    return best;
}

static void visit(place *p, uint32_t pattern)
{
    size_t kept = 0;
    group(p, p->columns & ~pattern, p->list, p->n_needy);
    for (uint32_t e = 1; e <= p->table.n; e++) {
        uint32_t first = p->table.mark[e], t;
        if (p->table.rows[e] < p->l->need)
            continue;
        while ((t = most_needy(p, pattern, first)) != MGL_NOT_FOUND)
            take(p, t, pattern, first);
    }
    for (size_t i = 0; i < p->n_needy; i++)
        if (p->needy[p->list[i]])
            p->list[kept++] = p->list[i];
    p->n_needy = kept;
}

/* ---- One set of columns ---------------------------------------------------------------------- */

typedef void pattern_fn(place *p, uint32_t pattern, const uint32_t *tuples, size_t n);

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Calls for each pattern that tuples have here, with these tuples. */
static void each_pattern(place *p, pattern_fn *call)
{
    const mgl_local *l = p->l;
    size_t n = 0, n_plain = 0;
    for (size_t t = 0; t < l->space->n; t++) {
        uint32_t pattern = l->patterns[t] & p->columns;
        if (l->gone[t])
            continue;
        if (pattern == 0)
            p->list[n_plain++] = (uint32_t)t;
        else
            p->sorted[n++] = (uint64_t)pattern << 32 | t;
    }
    if (n_plain > 0)
        call(p, 0, p->list, n_plain);
    if (n > 0)
        qsort(p->sorted, n, sizeof *p->sorted, compare_keys);
    for (size_t i = 0, same; i < n; i += same) {
        uint32_t pattern = (uint32_t)(p->sorted[i] >> 32);
        for (same = 0; i + same < n && p->sorted[i + same] >> 32 == pattern; same++)
            p->list[same] = (uint32_t)p->sorted[i + same];
        call(p, pattern, p->list, same);
    }
}

/* How many match by the tuples' own patterns. */
static void count_own(place *p, uint32_t pattern, const uint32_t *tuples, size_t n)
{
    group(p, p->columns & ~pattern, tuples, n);
    for (size_t i = 0; i < n; i++)
        p->counts[tuples[i]] = p->table.rows[entry_of(p, tuples[i])];
    for (size_t i = 0; i < n; i++)
        p->watched[tuples[i]] = p->counts[tuples[i]] < p->l->need;
}

/* And by the patterns of others. */
static void count_others(place *p, uint32_t pattern, const uint32_t *tuples, size_t n)
{
    if (pattern == 0)
        return;
    group(p, p->columns & ~pattern, tuples, n);
    for (size_t i = 0; i < n; i++)
        add_matches(p, tuples[i], 0, p->table.mark[entry_of(p, tuples[i])]);
}

static void begin_set(place *p, uint32_t columns)
{
    const mgl_local *l = p->l;
    size_t n = l->space->n;
    p->columns = columns;
    memset(p->watched, 0, n);
    each_pattern(p, count_own);
    memcpy(p->needy, p->watched, n);
    each_pattern(p, count_others);
    p->n_needy = 0;
    for (size_t t = 0; t < n; t++) {
        l->concerned[t] |= p->watched[t];
        if (p->needy[t])
            p->list[p->n_needy++] = (uint32_t)t;
    }
}

/* What no node helped, or nodes would take longer for. */
static mgl_status take_near(place *p, mgl_error *err)
{
    mgl_local *l = p->l;
    for (size_t i = 0; i < p->n_needy; i++) {
        uint32_t t = p->list[i];
        if (i % 64 == 0 && !l->timed_out)
            MGL_TRY(mgl_local_pause(l, i, p->n_needy, err));
        l->patterns[t] |= l->timed_out ? l->whole : local_near(l, p->columns, t, p->scratch);
    }
    return MGL_OK;
}

static mgl_status place_set(place *p, uint32_t columns, mgl_error *err)
{
    mgl_local *l = p->l;
    size_t n = l->space->n, near = n < MGL_LOCAL_NEAR ? n : MGL_LOCAL_NEAR;
    begin_set(p, columns);
    if (p->n_needy == 0)
        return MGL_OK;
    MGL_TRY(make_nodes(p, err));
    for (size_t i = 0; i < p->n_nodes && p->n_needy > 0 && !l->timed_out; i++) {
        if (p->n_needy * near * NEAR_WORK < (p->n_nodes - i) * n)
            break;
        MGL_TRY(mgl_local_pause(l, i, p->n_nodes, err));
        visit(p, p->nodes[i].pattern);
        l->n_tried++;
    }
    return take_near(p, err);
}

/* ---- Patterns that are not needed after all -------------------------------------------------- */

/* A tuple can do without its pattern if enough rows match it by the patterns of others, and every
 * tuple that matches it by this pattern has enough rows without. Tuples with a pattern of their own
 * have enough by that. */
static bool is_idle(const place *p, uint32_t t, uint32_t first)
{
    const mgl_local *l = p->l;
    if (l->patterns[t] == l->given[t] || p->counts[t] < l->need)
        return false;
    for (uint32_t v = first; v != MGL_NOT_FOUND; v = p->next[v])
        if (v != t && l->patterns[v] == l->given[v] && p->counts[v] < l->need + l->weights[t])
            return false;
    return true;
}

static void undo_idle(place *p, uint32_t pattern, const uint32_t *tuples, size_t n)
{
    mgl_local *l = p->l;
    group(p, p->columns & ~pattern, tuples, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t t = tuples[i], first = p->table.mark[entry_of(p, t)];
        if (!is_idle(p, t, first))
            continue;
        l->patterns[t] = l->given[t];
        for (uint32_t v = first; v != MGL_NOT_FOUND; v = p->next[v])
            if (v !=
                t) /* a tuple that matches it in other ways, too, counts one too few from now on */
                p->counts[v] -= p->counts[v] < l->weights[t] ? p->counts[v] : l->weights[t];
    }
}

/* ---- All sets -------------------------------------------------------------------------------- */

static mgl_status begin(place *p, mgl_local *l, mgl_error *err)
{
    size_t n = l->space->n;
    *p = (place){.l = l};
    p->counts = mgl_zeroed_array(n, sizeof *p->counts);
    p->watched = mgl_zeroed_array(n, 1);
    p->needy = mgl_zeroed_array(n, 1);
    p->list = mgl_alloc_array(n, sizeof *p->list);
    p->sorted = mgl_alloc_array(n, sizeof *p->sorted);
    p->next = mgl_alloc_array(n, sizeof *p->next);
    p->scratch = mgl_alloc_array(MGL_LOCAL_NEAR, sizeof *p->scratch);
    p->mask = mgl_alloc_array(l->space->words, sizeof *p->mask);
    if (p->counts == NULL || p->watched == NULL || p->needy == NULL || p->list == NULL ||
        p->sorted == NULL || p->next == NULL || p->scratch == NULL || p->mask == NULL)
        return mgl_fail_memory(err);
    return mgl_key_table_init(&p->table, l->space->n, l->space->words, err);
}

static void end(place *p)
{
    mgl_key_table_free(&p->table);
    mgl_free(p->counts);
    mgl_free(p->watched);
    mgl_free(p->needy);
    mgl_free(p->list);
    mgl_free(p->sorted);
    mgl_free(p->next);
    mgl_free(p->scratch);
    mgl_free(p->mask);
    mgl_free(p->nodes);
}

mgl_status mgl_local_place(mgl_local *l, mgl_error *err)
{
    place p;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&p, l, err));
    for (size_t i = 0; i < l->n_sets; i++)
        MGL_GO(place_set(&p, l->sets[i], err));
    if (l->n_sets == 1)
        each_pattern(&p, undo_idle);
done:
    end(&p);
    return status;
}
