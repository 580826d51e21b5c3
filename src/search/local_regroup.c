/* Classes that lie near each other are taken apart and put together anew: the patterns by which
 * their tuples are alike are tried from the cheapest on, in an order that is a little different
 * every time, and whoever is enough at one is a class there. What costs no more is kept. */
#include "search/cell_random.h"
#include "search/local.h"

#include <stdlib.h>

enum {
    MOST_POOL = 40,       /* tuples that are put together at once */
    LEAST_CHOSEN = 3,     /* tuples whose classes are taken apart */
    MOST_CHOSEN = 16,     /* likewise */
    MOST_LOOKED_AT = 4096 /* tuples, for the nearest ones */
};

#define PRICE_NOISE 0.5 /* of what columns are worth */
#define NODE_NOISE 0.15 /* of a column, for each pattern */
#define NEAR_NOISE 1.5  /* of how near tuples are, in columns */

/* Work to do, in steps of about a nanosecond: what a small table may take, and more for each tuple,
 * but not too much. */
#define SMALL_WORK 16000000
#define TUPLE_WORK 20000
#define MOST_WORK 250000000

typedef struct class
{
    uint32_t first; /* tuple; MGL_NOT_FOUND: there is none */
    uint32_t n, pattern;
    uint64_t rows;
} class;

typedef struct part {
    uint32_t pattern;
    uint64_t rows;
    uint32_t members[MOST_POOL]; /* places in the pool */
    size_t n;
} part;

typedef struct node {
    double price;
    uint32_t pattern;
} node;

typedef struct regroup {
    mgl_local *l;
    mgl_cell_judge *judge;
    mgl_cell_random random;
    class *classes; /* [n_classes] 0: suppressed rows */
    size_t n_classes, capacity;
    uint32_t *class_of, *next; /* [n] */
    uint32_t *empty;           /* [n_empty] numbers of classes without members */
    size_t n_empty, empty_capacity;
    uint32_t *open; /* [n_open] tuples with suppressed cells */
    size_t n_open;
    uint64_t work;
    /* The pool. */
    uint32_t tuples[MOST_POOL], before[MOST_POOL]; /* and the class it was in */
    size_t n_pool;
    uint32_t differ[MOST_POOL][MOST_POOL];
    part parts[MOST_POOL];
    size_t n_parts;
    uint32_t suppressed[MOST_POOL]; /* places */
    size_t n_suppressed;
    double prices[MGL_LOCAL_COLUMNS]; /* with noise */
    node *nodes;
    size_t n_nodes, nodes_capacity;
    double near[MOST_LOOKED_AT];
    uint32_t judged[MOST_POOL];
} regroup;

/* ---- Classes ----------------------------------------------------------------------------------
 */

/* Levels as a pattern; the top is the whole row. */
static uint32_t pattern_of(const mgl_local *l, const uint8_t *levels)
{
    uint32_t pattern = 0;
    for (size_t a = 0; a < l->space->m; a++)
        pattern |= (uint32_t)(levels[a] > 0) << a;
    return (pattern & ~l->free) != 0 ? l->whole : pattern;
}

static uint32_t allowed(const mgl_local *l, uint32_t pattern)
{
    return (pattern & ~l->free) != 0 ? l->whole : pattern;
}

static void put(regroup *x, uint32_t tuple, uint32_t number)
{
    class *c = &x->classes[number];
    x->next[tuple] = c->first;
    c->first = tuple;
    c->n++;
    c->rows += x->l->space->rows[tuple];
    x->class_of[tuple] = number;
}

static bool take_release(regroup *x, const mgl_cell_release *release)
{
    size_t n = release->n_classes;
    if (!mgl_grow(&x->classes, &x->capacity, n, sizeof *x->classes) ||
        !mgl_grow(&x->empty, &x->empty_capacity, n, sizeof *x->empty))
        return false;
    x->n_classes = n;
    for (uint32_t c = 0; c < n; c++) {
        const mgl_cell_class *from = &release->classes[c];
        x->classes[c] = (class){.first = MGL_NOT_FOUND};
        x->classes[c].pattern = c == 0 ? x->l->whole : pattern_of(x->l, from->levels);
        for (size_t i = from->n; i-- > 0;)
            put(x, from->members[i], c);
        if (c > 0 && from->n == 0)
            x->empty[x->n_empty++] = c;
    }
    return true;
}

static bool new_class(regroup *x, uint32_t pattern, uint32_t *out)
{
    if (x->n_empty > 0) {
        *out = x->empty[--x->n_empty];
    } else {
        if (!mgl_grow(&x->classes, &x->capacity, x->n_classes + 1, sizeof *x->classes) ||
            !mgl_grow(&x->empty, &x->empty_capacity, x->n_classes + 1, sizeof *x->empty))
            return false;
        *out = (uint32_t)x->n_classes++;
    }
    x->classes[*out] = (class){.first = MGL_NOT_FOUND, .pattern = pattern};
    return true;
}

static void remove_one(regroup *x, uint32_t tuple)
{
    class *c = &x->classes[x->class_of[tuple]];
    uint32_t *link = &c->first;
    while (*link != tuple)
        link = &x->next[*link];
    *link = x->next[tuple];
    c->n--;
    c->rows -= x->l->space->rows[tuple];
    if (c->n == 0 && x->class_of[tuple] > 0)
        x->empty[x->n_empty++] = x->class_of[tuple];
}

static mgl_status give_release(const regroup *x, mgl_cell_release *release, mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(x->l->space->n, sizeof *members);
    if (members == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < release->n_classes; c++)
        mgl_cell_release_dissolve(release, (uint32_t)c);
    for (size_t c = 0; c < x->n_classes; c++) {
        size_t n = 0;
        for (uint32_t t = x->classes[c].first; x->classes[c].n > 0 && t != MGL_NOT_FOUND;
             t = x->next[t]) {
            if (c == 0)
                mgl_cell_release_join(release, 0, t);
            members[n++] = t;
        }
        if (c > 0 && n > 0)
            mgl_cell_release_add(release, members, n);
    }
    mgl_free(members);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- Choosing a pool ----------------------------------------------------------------------------
 */

static void find_open(regroup *x)
{
    x->n_open = 0;
    for (uint32_t t = 0; t < x->l->space->n; t++)
        if (x->classes[x->class_of[t]].pattern != 0)
            x->open[x->n_open++] = t;
    x->work += x->l->space->n;
}

/* Takes in the class of a tuple, or, of the suppressed ones, the tuple alone. */
static void add_class(regroup *x, uint32_t tuple)
{
    uint32_t number = x->class_of[tuple];
    size_t n = number == 0 ? 1 : x->classes[number].n;
    for (size_t i = 0; i < x->n_pool; i++)
        if (x->tuples[i] == tuple)
            return;
    if (x->n_pool + n > MOST_POOL)
        return;
    uint32_t t = number == 0 ? tuple : x->classes[number].first;
    for (size_t i = 0; i < n; i++, t = x->next[t]) {
        x->before[x->n_pool] = number;
        x->tuples[x->n_pool++] = t;
    }
}

/* The classes of tuples that are near to one that has suppressed cells. */
static void choose_pool(regroup *x)
{
    size_t wanted =
        LEAST_CHOSEN + mgl_cell_random_below(&x->random, MOST_CHOSEN - LEAST_CHOSEN + 1);
    size_t at = mgl_cell_random_below(&x->random, x->n_open);
    size_t n = x->n_open < MOST_LOOKED_AT ? x->n_open : MOST_LOOKED_AT;
    size_t from = at < n / 2 ? 0 : at - n / 2;
    from = from + n > x->n_open ? x->n_open - n : from;
    x->n_pool = 0;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(mgl_local_differ(x->l, x->open[at], x->open[from + i])) +
                     NEAR_NOISE * mgl_cell_random_unit(&x->random);
    x->near[at - from] = -1;
    for (size_t k = 0; k < wanted && k < n; k++) {
        size_t nearest = 0;
        for (size_t i = 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        add_class(x, x->open[from + nearest]);
        x->near[nearest] = 2 * MGL_LOCAL_COLUMNS;
    }
    x->work += n * (8 + wanted);
}

/* ---- Putting it together
 * -------------------------------------------------------------------------- */

static bool add_node(regroup *x, uint32_t pattern)
{
    if (!mgl_grow(&x->nodes, &x->nodes_capacity, x->n_nodes + 1, sizeof *x->nodes))
        return false;
    x->nodes[x->n_nodes++] = (node){.pattern = allowed(x->l, pattern)};
    return true;
}

static double noisy_price(const regroup *x, uint32_t pattern)
{
    double price = 0;
    for (; pattern != 0; pattern &= pattern - 1)
        price += x->prices[__builtin_ctz(pattern)];
    return price;
}

/* The patterns of a tuple with its nearest neighbours, one after another until they are enough. */
static bool add_nearest(regroup *x, size_t i)
{
    bool used[MOST_POOL] = {false};
    uint32_t pattern = 0;
    uint64_t rows = x->l->space->rows[x->tuples[i]];
    double price[MOST_POOL];
    for (size_t j = 0; j < x->n_pool; j++)
        price[j] = noisy_price(x, x->differ[i][j]);
    used[i] = true;
    while (rows < x->l->need) {
        size_t best = MOST_POOL;
        for (size_t j = 0; j < x->n_pool; j++)
            if (!used[j] && (best == MOST_POOL || price[j] < price[best]))
                best = j;
        if (best == MOST_POOL)
            return true;
        used[best] = true;
        pattern |= x->differ[i][best];
        rows += x->l->space->rows[x->tuples[best]];
        if (!add_node(x, pattern))
            return false;
    }
    return true;
}

static int by_pattern(const void *a, const void *b)
{
    const node *x = a, *y = b;
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static int by_price(const void *a, const void *b)
{
    const node *x = a, *y = b;
    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    return by_pattern(a, b);
}

static bool make_nodes(regroup *x)
{
    const mgl_cell_space *s = x->l->space;
    double sum = 0;
    for (size_t a = 0; a < s->m; a++) {
        double price = (double)mgl_local_price(x->l, UINT32_C(1) << a);
        sum += price;
        x->prices[a] = price * (1 + PRICE_NOISE * (mgl_cell_random_unit(&x->random) - 0.5));
    }
    x->n_nodes = 0;
    bool room = add_node(x, 0) && add_node(x, x->l->whole);
    for (size_t i = 0; room && i < x->n_pool; i++) {
        for (size_t j = 0; room && j < i; j++)
            room = add_node(x, x->differ[i][j]);
        room = room && add_nearest(x, i);
    }
    if (!room)
        return false;
    qsort(x->nodes, x->n_nodes, sizeof *x->nodes, by_pattern);
    size_t n = 0;
    for (size_t i = 0; i < x->n_nodes; i++) {
        uint32_t pattern = x->nodes[i].pattern;
        if (n > 0 && x->nodes[n - 1].pattern == pattern)
            continue;
        double noise = NODE_NOISE * sum / (double)s->m * mgl_cell_random_unit(&x->random);
        x->nodes[n++] = (node){pattern == 0 ? 0 : noisy_price(x, pattern) + noise, pattern};
    }
    x->work += x->n_nodes * 16;
    x->n_nodes = n;
    qsort(x->nodes, n, sizeof *x->nodes, by_price);
    return true;
}

static bool holds(regroup *x, const part *p, size_t extra)
{
    if (p->rows < x->l->need)
        return false;
    if (!x->l->space->judged)
        return true;
    size_t n = 0;
    for (; n < p->n; n++)
        x->judged[n] = x->tuples[p->members[n]];
    if (extra < MOST_POOL)
        x->judged[n++] = x->tuples[extra];
    x->work += 64 * n;
    return mgl_cell_holds(x->judge, x->judged, n);
}

/* Parts of the places that are left, at one pattern; returns how many places are left then. */
static size_t visit(regroup *x, uint32_t pattern, uint32_t *rest, size_t n)
{
    bool taken[MOST_POOL] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        part *p = &x->parts[x->n_parts];
        if (taken[i])
            continue;
        *p = (part){.pattern = pattern};
        for (size_t j = i; j < n; j++)
            if (!taken[j] && (x->differ[rest[i]][rest[j]] & ~pattern) == 0) {
                p->members[p->n++] = rest[j];
                p->rows += x->l->space->rows[x->tuples[rest[j]]];
            }
        if (!holds(x, p, MOST_POOL))
            continue;
        for (size_t j = i; j < n; j++)
            taken[j] = taken[j] || (x->differ[rest[i]][rest[j]] & ~pattern) == 0;
        x->n_parts++;
    }
    for (size_t i = 0; i < n; i++)
        if (!taken[i])
            rest[kept++] = rest[i];
    x->work += n * n / 2 + 8;
    return kept;
}

static uint64_t price_of(const regroup *x, uint32_t pattern)
{
    return mgl_local_price(x->l, pattern);
}

static bool may_suppress(const regroup *x, uint32_t place)
{
    const mgl_problem *problem = x->l->space->problem;
    uint64_t rows = x->classes[0].rows + x->l->space->rows[x->tuples[place]];
    for (size_t i = 0; i < x->n_suppressed; i++)
        rows += x->l->space->rows[x->tuples[x->suppressed[i]]];
    return problem->treatment != MGL_KEEP && rows <= problem->limit;
}

/* What is left joins the part that grows least, or is suppressed. */
static bool join(regroup *x, uint32_t place)
{
    uint64_t rows = x->l->space->rows[x->tuples[place]], least = UINT64_MAX;
    part *best = NULL;
    if (may_suppress(x, place))
        least = rows * price_of(x, x->l->whole);
    for (size_t i = 0; i < x->n_parts; i++) {
        part *p = &x->parts[i];
        uint32_t pattern = allowed(x->l, p->pattern | x->differ[place][p->members[0]]);
        uint64_t more = (p->rows + rows) * price_of(x, pattern) - p->rows * price_of(x, p->pattern);
        if (more < least && p->n < MOST_POOL && holds(x, p, place)) {
            least = more;
            best = p;
        }
    }
    if (best != NULL) {
        best->pattern = allowed(x->l, best->pattern | x->differ[place][best->members[0]]);
        best->members[best->n++] = place;
        best->rows += rows;
    } else if (least < UINT64_MAX) {
        x->suppressed[x->n_suppressed++] = place;
    }
    return least < UINT64_MAX;
}

/* False if not all tuples of the pool could be put together. */
static bool rebuild(regroup *x)
{
    uint32_t rest[MOST_POOL];
    size_t n = x->n_pool;
    x->n_parts = x->n_suppressed = 0;
    for (uint32_t i = 0; i < n; i++)
        rest[i] = i;
    for (size_t i = 0; i < x->n_nodes && n > 0; i++)
        n = visit(x, x->nodes[i].pattern, rest, n);
    for (size_t i = 0; i < n; i++)
        if (!join(x, rest[i]))
            return false;
    return true;
}

/* ---- The search
 * ------------------------------------------------------------------------------------- */

static uint64_t cost_before(const regroup *x)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < x->n_pool; i++)
        cost += x->l->space->rows[x->tuples[i]] * price_of(x, x->classes[x->before[i]].pattern);
    return cost;
}

static uint64_t cost_after(const regroup *x)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < x->n_parts; i++)
        cost += x->parts[i].rows * price_of(x, x->parts[i].pattern);
    for (size_t i = 0; i < x->n_suppressed; i++)
        cost += x->l->space->rows[x->tuples[x->suppressed[i]]] * price_of(x, x->l->whole);
    return cost;
}

static bool accept(regroup *x)
{
    for (size_t i = 0; i < x->n_pool; i++)
        remove_one(x, x->tuples[i]);
    for (size_t i = 0; i < x->n_parts; i++) {
        uint32_t number;
        if (!new_class(x, x->parts[i].pattern, &number))
            return false;
        for (size_t k = 0; k < x->parts[i].n; k++)
            put(x, x->tuples[x->parts[i].members[k]], number);
    }
    for (size_t i = 0; i < x->n_suppressed; i++)
        put(x, x->tuples[x->suppressed[i]], 0);
    return true;
}

/* One pool; false if memory is out. */
static bool try_pool(regroup *x, bool *better)
{
    *better = false;
    choose_pool(x);
    if (x->n_pool < 2)
        return true;
    for (size_t i = 0; i < x->n_pool; i++)
        for (size_t j = 0; j <= i; j++)
            x->differ[i][j] = x->differ[j][i] = mgl_local_differ(x->l, x->tuples[i], x->tuples[j]);
    x->work += x->n_pool * x->n_pool * 4;
    if (!make_nodes(x))
        return false;
    *better = rebuild(x) && cost_after(x) <= cost_before(x);
    return !*better || accept(x);
}

static mgl_status search(regroup *x, mgl_error *err)
{
    uint64_t most = SMALL_WORK + TUPLE_WORK * (uint64_t)x->n_open;
    most = most < MOST_WORK ? most : MOST_WORK;
    for (size_t round = 0; x->work < most && !x->l->timed_out; round++) {
        bool better;
        if (round % 64 == 0)
            MGL_TRY(mgl_local_pause(x->l, x->work, most, err));
        if (round % 1024 == 0)
            find_open(x);
        if (x->n_open < 2)
            return MGL_OK;
        if (!try_pool(x, &better))
            return mgl_fail_memory(err);
        x->work += 256;
    }
    return MGL_OK;
}

mgl_status mgl_local_regroup(mgl_local *l, mgl_cell_release *release, mgl_error *err)
{
    regroup *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    x->l = l;
    x->random = (mgl_cell_random){1};
    x->class_of = mgl_alloc_array(l->space->n, sizeof *x->class_of);
    x->next = mgl_alloc_array(l->space->n, sizeof *x->next);
    x->open = mgl_alloc_array(l->space->n, sizeof *x->open);
    bool room =
        x->class_of != NULL && x->next != NULL && x->open != NULL && take_release(x, release);
    mgl_status status = room ? mgl_cell_judge_new(l->space, err, &x->judge) : mgl_fail_memory(err);
    if (status == MGL_OK) {
        find_open(x);
        status = search(x, err);
    }
    if (status == MGL_OK)
        status = give_release(x, release, err);
    mgl_cell_judge_free(x->judge);
    mgl_free(x->classes);
    mgl_free(x->class_of);
    mgl_free(x->next);
    mgl_free(x->empty);
    mgl_free(x->open);
    mgl_free(x->nodes);
    mgl_free(x);
    return status;
}
