/* Classes that lie near each other are taken apart and put together anew. What costs no more is
 * kept: among equals a change, too, leads to other places. */
#include "search/local/rebuild_classes.h"

enum {
    LEAST_CHOSEN = 3,     /* tuples whose classes are taken apart */
    MOST_CHOSEN = 16,     /* likewise */
    MOST_LOOKED_AT = 4096 /* tuples, for the nearest ones */
};

#define NEAR_NOISE 1.5 /* of how near tuples are, in columns */

typedef struct group {
    uint32_t first; /* tuple; MGL_NOT_FOUND: there is none */
    uint32_t n, pattern;
    uint64_t rows;
} group;

typedef struct regroup {
    mgl_local *l;
    mgl_local_pool *pool;
    mgl_quick_random random;
    group *groups; /* [n_groups] 0: suppressed rows */
    size_t n_groups, capacity;
    uint32_t *group_of, *next; /* [n] */
    uint32_t *empty;           /* [n_empty] numbers of groups without members */
    size_t n_empty, empty_capacity;
    uint32_t *open; /* [n_open] tuples with suppressed cells */
    size_t n_open;
    double near[MOST_LOOKED_AT];
} regroup;

/* ---- Groups ------------------------------------------------------------------------------------
 */

static uint32_t pattern_of(const mgl_local *l, const uint8_t *levels)
{
    uint32_t pattern = 0;
    for (size_t a = 0; a < l->space->m; a++)
        pattern |= (uint32_t)(levels[a] > 0) << a;
    return mgl_local_allowed(l, pattern);
}

static void put(regroup *x, uint32_t tuple, uint32_t number)
{
    group *g = &x->groups[number];
    x->next[tuple] = g->first;
    g->first = tuple;
    g->n++;
    g->rows += x->l->space->rows[tuple];
    x->group_of[tuple] = number;
}

static void take_out(regroup *x, uint32_t tuple)
{
    group *g = &x->groups[x->group_of[tuple]];
    uint32_t *link = &g->first;
    while (*link != tuple)
        link = &x->next[*link];
    *link = x->next[tuple];
    g->n--;
    g->rows -= x->l->space->rows[tuple];
    if (g->n == 0 && x->group_of[tuple] > 0)
        x->empty[x->n_empty++] = x->group_of[tuple];
}

static bool make_room(regroup *x, size_t n)
{
    return mgl_grow(&x->groups, &x->capacity, n, sizeof *x->groups) &&
           mgl_grow(&x->empty, &x->empty_capacity, n, sizeof *x->empty);
}

static bool new_group(regroup *x, uint32_t pattern, uint32_t *out)
{
    if (x->n_empty == 0 && !make_room(x, x->n_groups + 1))
        return false;
    *out = x->n_empty > 0 ? x->empty[--x->n_empty] : (uint32_t)x->n_groups++;
    x->groups[*out] = (group){.first = MGL_NOT_FOUND, .pattern = pattern};
    return true;
}

static bool take_release(regroup *x, const mgl_box_release *release)
{
    if (!make_room(x, release->n_classes))
        return false;
    x->n_groups = release->n_classes;
    for (uint32_t c = 0; c < release->n_classes; c++) {
        const mgl_box_class *from = &release->classes[c];
        uint32_t pattern = c == 0 ? x->l->whole : pattern_of(x->l, from->levels);
        x->groups[c] = (group){.first = MGL_NOT_FOUND, .pattern = pattern};
        for (size_t i = from->n; i-- > 0;)
            put(x, from->members[i], c);
        if (c > 0 && from->n == 0)
            x->empty[x->n_empty++] = c;
    }
    return true;
}

static mgl_status give_release(const regroup *x, mgl_box_release *release, mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(x->l->space->n, sizeof *members);
    if (members == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < release->n_classes; c++)
        mgl_box_release_dissolve(release, (uint32_t)c);
    for (size_t g = 0; g < x->n_groups; g++) {
        size_t n = 0;
        for (uint32_t t = x->groups[g].first; n < x->groups[g].n; t = x->next[t])
            members[n++] = t;
        for (size_t i = 0; g == 0 && i < n; i++)
            mgl_box_release_join(release, 0, members[i]);
        if (g > 0 && n > 0)
            mgl_box_release_add(release, members, n);
    }
    mgl_free(members);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- Choosing a pool
 * ----------------------------------------------------------------------------- */

static void find_open(regroup *x)
{
    x->n_open = 0;
    for (uint32_t t = 0; t < x->l->space->n; t++)
        if (x->groups[x->group_of[t]].pattern != 0)
            x->open[x->n_open++] = t;
    x->pool->work += x->l->space->n;
}

/* Takes in the group of a tuple, or, of the suppressed ones, the tuple alone. */
static void add_group(regroup *x, uint32_t tuple)
{
    mgl_local_pool *pool = x->pool;
    uint32_t number = x->group_of[tuple];
    size_t n = number == 0 ? 1 : x->groups[number].n;
    for (size_t i = 0; i < pool->n; i++)
        if (pool->tuples[i] == tuple)
            return;
    if (pool->n + n > MGL_POOL_TUPLES)
        return;
    for (uint32_t t = number == 0 ? tuple : x->groups[number].first; n > 0; t = x->next[t], n--)
        pool->tuples[pool->n++] = t;
}

/* The groups of tuples that are near to one that has suppressed cells. */
static void choose_pool(regroup *x)
{
    size_t wanted =
        LEAST_CHOSEN + mgl_quick_random_below(&x->random, MOST_CHOSEN - LEAST_CHOSEN + 1);
    size_t at = mgl_quick_random_below(&x->random, x->n_open);
    size_t n = x->n_open < MOST_LOOKED_AT ? x->n_open : MOST_LOOKED_AT;
    size_t from = at < n / 2 ? 0 : at - n / 2;
    from = from + n > x->n_open ? x->n_open - n : from;
    x->pool->n = 0;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(mgl_local_differ(x->l, x->open[at], x->open[from + i])) +
                     NEAR_NOISE * mgl_quick_random_unit(&x->random);
    x->near[at - from] = -1;
    for (size_t k = 0; k < wanted && k < n; k++) {
        size_t nearest = 0;
        for (size_t i = 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        add_group(x, x->open[from + nearest]);
        x->near[nearest] = 2 * MGL_LOCAL_COLUMNS;
    }
    x->pool->work += n * (8 + wanted);
}

/* ---- The search
 * ------------------------------------------------------------------------------------ */

static uint64_t cost_before(const regroup *x)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < x->pool->n; i++) {
        uint32_t t = x->pool->tuples[i];
        cost += x->l->space->rows[t] * mgl_local_price(x->l, x->groups[x->group_of[t]].pattern);
    }
    return cost;
}

/* Rows that may be suppressed besides those that are and stay so. */
static uint64_t may_suppress(const regroup *x)
{
    const mgl_problem *problem = x->l->space->problem;
    uint64_t rows = x->groups[0].rows;
    for (size_t i = 0; i < x->pool->n; i++)
        if (x->group_of[x->pool->tuples[i]] == 0)
            rows -= x->l->space->rows[x->pool->tuples[i]];
    return problem->treatment != MGL_KEEP && problem->limit > rows ? problem->limit - rows : 0;
}

static bool accept(regroup *x)
{
    const mgl_local_pool *pool = x->pool;
    for (size_t i = 0; i < pool->n; i++)
        take_out(x, pool->tuples[i]);
    for (size_t i = 0; i < pool->n_parts; i++) {
        uint32_t number;
        if (!new_group(x, pool->parts[i].pattern, &number))
            return false;
        for (size_t k = 0; k < pool->parts[i].n; k++)
            put(x, pool->tuples[pool->parts[i].members[k]], number);
    }
    for (size_t i = 0; i < pool->n_suppressed; i++)
        put(x, pool->tuples[pool->suppressed[i]], 0);
    return true;
}

static mgl_status search(regroup *x, mgl_error *err)
{
    find_open(x);
    uint64_t most = mgl_local_work(x->l->space->problem, x->n_open);
    for (size_t round = 0; x->pool->work < most && !x->l->timed_out; round++) {
        if (round % 64 == 0)
            MGL_TRY(mgl_local_pause(x->l, x->pool->work, most, err));
        if (round % 1024 == 1023)
            find_open(x);
        if (x->n_open < 2)
            return MGL_OK;
        choose_pool(x);
        x->pool->may_suppress = may_suppress(x);
        if (mgl_local_pool_rebuild(x->pool, &x->random) &&
            mgl_local_pool_cost(x->pool) <= cost_before(x) && !accept(x))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status begin(regroup *x, const mgl_box_release *release, mgl_error *err)
{
    size_t n = x->l->space->n;
    x->pool = mgl_zeroed_array(1, sizeof *x->pool);
    x->group_of = mgl_alloc_array(n, sizeof *x->group_of);
    x->next = mgl_alloc_array(n, sizeof *x->next);
    x->open = mgl_alloc_array(n, sizeof *x->open);
    if (x->pool == NULL || x->group_of == NULL || x->next == NULL || x->open == NULL ||
        !take_release(x, release))
        return mgl_fail_memory(err);
    x->pool->l = x->l;
    return mgl_box_judge_new(x->l->space, err, &x->pool->judge);
}

mgl_status mgl_local_regroup(mgl_local *l, mgl_box_release *release, mgl_error *err)
{
    regroup *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    x->l = l;
    x->random = (mgl_quick_random){1};
    mgl_status status = MGL_OK;
    MGL_GO(begin(x, release, err));
    MGL_GO(search(x, err));
    MGL_GO(give_release(x, release, err));
done:
    if (x->pool != NULL)
        mgl_box_judge_free(x->pool->judge);
    mgl_free(x->pool);
    mgl_free(x->groups);
    mgl_free(x->group_of);
    mgl_free(x->next);
    mgl_free(x->empty);
    mgl_free(x->open);
    mgl_free(x);
    return status;
}
