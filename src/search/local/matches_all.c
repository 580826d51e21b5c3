/* Local suppression where a suppressed cell matches every value. Patterns are given from the
 * cheapest on: at each, tuples that differ in its columns at most are a group; where a group is
 * large enough, some of its tuples in need take the pattern, until none in it is in need any more.
 * Where lattices are too large, a tuple takes one from its nearest neighbours. At the end cells
 * that are not needed are restored. */
#include "search/local/patterns.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

#include <stdlib.h>

/* Makes a pattern from the nearest neighbours of a tuple: the cheapest difference first, until
 * enough rows match, then without the columns that were not needed. */

/* Whether the search shall end now; then l->timed_out. MGL_CANCELLED if the job was cancelled. */
static mgl_status local_pause(mgl_local *l, uint64_t done, uint64_t total, mgl_error *err)
{
    const mgl_problem *p = l->space->problem;
    l->timed_out = l->timed_out || mgl_problem_is_late(p);
    return mgl_progress_report(p->progress, "search", done, total, err);
}

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
    uint32_t columns; /* the current set */
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
    mgl_owned own;
} place;

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
    MGL_TRY(mgl_check_memory(added, err));
    if (p->n_nodes > 0)
        qsort(p->nodes, p->n_nodes, sizeof *p->nodes, compare_nodes);
    return MGL_OK;
}

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
    /* What keys have in these columns. */
    const mgl_box_space *s = p->l->space;
    memset(p->mask, 0, s->words * sizeof *p->mask);
    for (size_t a = 0; a < s->m; a++)
        if (columns >> a & 1)
            p->mask[s->attributes[a].word] |= s->attributes[a].mask[0];
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

static void give(place *p, uint32_t t, uint32_t pattern, uint32_t first)
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
            give(p, t, pattern, first);
    }
    for (size_t i = 0; i < p->n_needy; i++)
        if (p->needy[p->list[i]])
            p->list[kept++] = p->list[i];
    p->n_needy = kept;
}

typedef void pattern_fn(place *p, uint32_t pattern, const uint32_t *tuples, size_t n);

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
        mgl_sort_u64(p->sorted, n);
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
            MGL_TRY(local_pause(l, i, p->n_needy, err));
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
        MGL_TRY(local_pause(l, i, p->n_nodes, err));
        visit(p, p->nodes[i].pattern);
        l->n_tried++;
    }
    return take_near(p, err);
}

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

/* Gives patterns to the tuples that too few rows match, the cheapest patterns
 * first, until enough do on all sets. */
static mgl_status local_place(mgl_local *l, mgl_error *err)
{
    place p;
    mgl_status status = MGL_OK;
    size_t n = l->space->n;
    p = (place){.l = l};
    p.counts = mgl_own_zeroed(&p.own, n, sizeof *p.counts);
    p.watched = mgl_own_zeroed(&p.own, n, 1);
    p.needy = mgl_own_zeroed(&p.own, n, 1);
    p.list = mgl_own_array(&p.own, n, sizeof *p.list);
    p.sorted = mgl_own_array(&p.own, n, sizeof *p.sorted);
    p.next = mgl_own_array(&p.own, n, sizeof *p.next);
    p.scratch = mgl_own_array(&p.own, MGL_LOCAL_NEAR, sizeof *p.scratch);
    p.mask = mgl_own_array(&p.own, l->space->words, sizeof *p.mask);
    MGL_GO(mgl_owned_check(&p.own, err));
    MGL_GO(mgl_key_table_init(&p.table, l->space->n, l->space->words, err));
    for (size_t i = 0; i < l->n_sets; i++)
        MGL_GO(place_set(&p, l->sets[i], err));
    if (l->n_sets == 1)
        each_pattern(&p, undo_idle);
done:
    mgl_key_table_free(&p.table);
    mgl_owned_free(&p.own);
    mgl_free(p.nodes);
    return status;
}

/* Restores cells that need not be suppressed, where tuples are too many or sets too wide to know
 * all pairs: each cell is tried by looking at all tuples. */

#define MOST_WORK 200000000 /* pairs of tuples looked at, on each set */

typedef struct prune {
    mgl_local *l;
    uint32_t *counts; /* [t * n_sets + set] rows that match, of tuples that are in question */
    uint64_t work;
} prune;

static bool is_in_question(const mgl_local *l, size_t t)
{
    return !l->gone[t] && (l->concerned[t] || l->patterns[t] != l->given[t]);
}

static void count_all(prune *p)
{
    const mgl_local *l = p->l;
    for (size_t t = 0; t < l->space->n; t++)
        for (size_t u = 0; is_in_question(l, t) && u < l->space->n; u++) {
            uint32_t apart = mgl_local_differ(l, t, u) & ~(l->patterns[t] | l->patterns[u]);
            for (size_t i = 0; i < l->n_sets && !l->gone[u]; i++)
                if ((apart & l->sets[i]) == 0)
                    p->counts[t * l->n_sets + i] += l->weights[u];
        }
}

/* Takes the cell's matches away, or gives them back; false if too few are left for someone. */
static bool change(prune *p, size_t t, uint32_t column, bool give_back)
{
    mgl_local *l = p->l;
    uint32_t with = l->patterns[t] | column;
    bool enough = true;
    for (size_t u = 0; u < l->space->n; u++) {
        uint32_t apart = mgl_local_differ(l, t, u) & ~l->patterns[u];
        if (u == t || l->gone[u] || (apart & column) == 0)
            continue;
        for (size_t i = 0; i < l->n_sets; i++) {
            if ((l->sets[i] & column) == 0 || (apart & ~with & l->sets[i]) != 0)
                continue;
            uint32_t *own = &p->counts[t * l->n_sets + i], *other = &p->counts[u * l->n_sets + i];
            *own = give_back ? *own + l->weights[u] : *own - l->weights[u];
            enough = enough && *own >= l->need;
            if (!is_in_question(l, u))
                continue;
            *other = give_back ? *other + l->weights[t] : *other - l->weights[t];
            enough = enough && *other >= l->need;
        }
    }
    p->work += l->space->n * l->n_sets;
    return enough;
}

static mgl_status try_tuple(prune *p, size_t t, mgl_error *err)
{
    mgl_local *l = p->l;
    uint32_t left = l->patterns[t] & ~l->given[t];
    while (left != 0 && p->work < MOST_WORK && !l->timed_out) {
        uint32_t column = left & -left;
        for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
            if (mgl_local_cost(l, rest & -rest) > mgl_local_cost(l, column))
                column = rest & -rest;
        left &= ~column;
        if ((l->patterns[t] & ~column & ~(l->free | l->given[t])) != 0)
            continue; /* whole rows only */
        MGL_TRY(local_pause(l, p->work, MOST_WORK, err));
        l->patterns[t] &= ~column;
        if (!change(p, t, column, false)) {
            change(p, t, column, true);
            l->patterns[t] |= column;
        }
    }
    return MGL_OK;
}

/* Releases cells that need not be suppressed, as far as that does not take_recoding long. */
static mgl_status local_prune(mgl_local *l, mgl_error *err)
{
    size_t n = l->space->n, in_question = 0;
    prune p = {.l = l};
    for (size_t t = 0; t < n; t++)
        in_question += is_in_question(l, t);
    p.work = in_question * n * l->n_sets;
    if (p.work >= MOST_WORK / 2)
        return MGL_OK;
    MGL_TRY(mgl_new_zeroed(n * l->n_sets, sizeof *p.counts, err, &p.counts));
    count_all(&p);
    mgl_status status = MGL_OK;
    for (size_t t = 0; status == MGL_OK && t < n; t++)
        if (!l->gone[t])
            status = try_tuple(&p, t, err);
    mgl_free(p.counts);
    return status;
}

uint64_t mgl_local_work(const mgl_problem *problem, size_t n_tuples)
{
    static const struct {
        uint64_t few;        /* for each of few tuples */
        uint64_t any, tuple; /* for any number of them, and for each more */
        uint64_t most;
    } efforts[] = {
        [MGL_EFFORT_FAST] = {0, 0, 0, 0},
        [MGL_EFFORT_BALANCED] = {80000, 18000000, 20000, 100000000},
        [MGL_EFFORT_BEST] = {2000000, 500000000, 500000, 5000000000},
    };
    uint64_t few = efforts[problem->effort].few * n_tuples;
    uint64_t work = efforts[problem->effort].any + efforts[problem->effort].tuple * n_tuples;
    work = few < work ? few : work;
    return work < efforts[problem->effort].most ? work : efforts[problem->effort].most;
}

/* Rows of each tuple. A person whose rows lie in several tuples counts in the first: rows that
 * match are then of at least as many persons as are counted. */
static mgl_status weigh(mgl_local *l, mgl_error *err)
{
    const mgl_frequency_list *list = l->space->problem->list;
    const mgl_persons *persons = list->persons;
    for (size_t t = 0; t < list->n_tuples; t++)
        l->weights[t] = persons != NULL ? (uint32_t)persons->local[t] : l->space->rows[t];
    if (persons == NULL)
        return MGL_OK;
    uint8_t *seen;
    MGL_TRY(mgl_new_zeroed(persons->spread.n_ids, 1, err, &seen));
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t i = persons->spread.start[t]; i < persons->spread.start[t + 1]; i++) {
            uint32_t person = persons->spread.ids[i];
            l->weights[t] += !seen[person];
            seen[person] = 1;
        }
    mgl_free(seen);
    return MGL_OK;
}

void mgl_local_columns(mgl_local *l, const mgl_box_space *s)
{
    l->space = s;
    l->need = s->need;
    for (size_t a = 0; a < s->m; a++) {
        l->whole |= UINT32_C(1) << a;
        l->free |= (uint32_t)(s->attributes[a].high > 0) << a;
    }
    for (size_t byte = 0; byte < 4; byte++)
        for (uint32_t bits = 1; bits < 256; bits++) {
            size_t a = byte * 8 + (size_t)__builtin_ctz(bits);
            double importance = a < s->m ? s->importance[a] * s->scale : 0;
            l->costs[byte][bits] =
                l->costs[byte][bits & (bits - 1)] + (importance < 1 ? 1 : (uint32_t)importance);
        }
}

static mgl_status begin(mgl_local *l, const mgl_problem *problem, mgl_error *err)
{
    mgl_box_space *s;
    MGL_TRY(mgl_box_space_flat(problem, mgl_local_importance(problem), err, &s));
    mgl_local_columns(l, s);
    l->weights = mgl_own_array(&l->own, s->n, sizeof *l->weights);
    l->given = mgl_own_zeroed(&l->own, s->n, sizeof *l->given);
    l->patterns = mgl_own_array(&l->own, s->n, sizeof *l->patterns);
    l->concerned = mgl_own_zeroed(&l->own, s->n, 1);
    l->gone = mgl_own_zeroed(&l->own, s->n, 1);
    MGL_TRY(mgl_owned_check(&l->own, err));
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        for (size_t t = 0; t < s->n; t++)
            l->given[t] |=
                (uint32_t)(x->released[0][s->leaves[t * s->m + a]] == problem->columns[a]->top)
                << a;
    }
    return weigh(l, err);
}

static void end(mgl_local *l)
{
    mgl_box_space_free((mgl_box_space *)l->space);
    mgl_owned_free(&l->own);
}

/* Rows that are suppressed as a whole match every row if they are kept, and none if they are
 * not. */
static bool is_new(const mgl_local *l, size_t t)
{
    return l->space->problem->treatment != MGL_KEEP && l->patterns[t] == l->whole && !l->gone[t];
}

/* True if there are new ones. */
static bool leave_out(mgl_local *l)
{
    bool more = false;
    for (size_t t = 0; t < l->space->n; t++)
        if (is_new(l, t))
            l->gone[t] = more = true;
    return more;
}

/* Others still count rows that improving would leave out: then it is not done. */
static mgl_status improve(mgl_local *l, mgl_error *err, bool *done)
{
    size_t n = l->space->n;
    uint32_t *before;
    MGL_TRY(mgl_new_array(n, sizeof *before, err, &before));
    memcpy(before, l->patterns, n * sizeof *before);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_local_improve(l, err, done));
    for (size_t t = 0; *done && t < n; t++)
        *done = !is_new(l, t);
    if (!*done)
        memcpy(l->patterns, before, n * sizeof *before);
done:
    mgl_free(before);
    return status;
}

static mgl_status search(mgl_local *l, mgl_error *err)
{
    memcpy(l->patterns, l->given, l->space->n * sizeof *l->patterns);
    do {
        for (size_t t = 0; t < l->space->n; t++)
            l->patterns[t] = l->gone[t] ? l->whole : l->given[t];
        leave_out(l);
        MGL_TRY(local_place(l, err));
    } while (leave_out(l));
    bool improved;
    MGL_TRY(improve(l, err, &improved));
    return improved ? MGL_OK : local_prune(l, err);
}

static mgl_status take_recoding(const mgl_local *l, const mgl_problem *problem, mgl_error *err,
                                mgl_solution *out)
{
    const mgl_box_space *s = l->space;
    uint64_t left = 0;
    MGL_TRY(mgl_recoding_new(problem->columns, s->m, s->n, err, &out->recoding));
    for (size_t t = 0; t < s->n; t++) {
        if (l->patterns[t] == l->whole) {
            mgl_recoding_suppress(out->recoding, t);
            out->suppressed_rows += s->rows[t];
            continue;
        }
        left += s->rows[t];
        for (size_t a = 0; a < s->m; a++) {
            bool suppressed = l->patterns[t] >> a & 1;
            out->recoding->cells[a][t] =
                s->attributes[a].released[suppressed][s->leaves[t * s->m + a]];
        }
    }
    bool may_go = true;
    if (left == 0)
        MGL_TRY(mgl_local_all_may_go(problem, err, &may_go));
    if (!may_go || (problem->limited && out->suppressed_rows > problem->limit))
        return mgl_local_unmet(problem, err);
    out->timed_out = l->timed_out;
    out->nodes_checked = l->n_tried;
    return MGL_OK;
}

mgl_status mgl_local_matching(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                              mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    mgl_local l = {.sets = sets, .n_sets = n_sets};
    uint64_t rows = 0;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&l, mgl_unite_sets(problem, &united), err));
    for (size_t t = 0; t < l.space->n; t++)
        rows += l.weights[t];
    if (rows < l.need)
        MGL_GO(mgl_local_unmet(problem, err));
    MGL_GO(search(&l, err));
    MGL_GO(take_recoding(&l, problem, err, out));
done:
    end(&l);
    return status;
}
