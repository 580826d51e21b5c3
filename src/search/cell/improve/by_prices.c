/* Improves a release by large neighbourhoods, chosen and put together anew by prices. cell.c calls
 * it. */
#include "search/cell/place/place.h"
#include "search/cell/improve/improve.h"

enum {
    AT_ONCE = 32,     /* pools between two looks at the result; not the number of threads */
    TRIES = 3,        /* to put a pool together */
    CONTEST = 4,      /* classes of which the one that costs most above its price begins a pool */
    LEAST_POOL = 2,   /* classes */
    MOST_POOL = 14,   /* likewise */
    MOST_LARGE = 6,   /* likewise, where they have many tuples: */
    MANY = 30,        /* so many on average */
    DEAD_ENDS = 6,    /* steps per class that may lead nowhere */
    POOL_ROWS = 4000, /* more tuples than this do not make a pool */
    STEP_WORK = 20    /* that a step from class to class is, in choosing a pool */
};

#define NOISE 0.5 /* of prices */

/* Nodes where a row costs more than this, as a part of the top, are not for what offers left. */
#define COARSE 0.3

typedef struct task {
    uint32_t classes[MOST_POOL];
    size_t n_classes;
    bool better;
    uint64_t work;
    uint32_t *tuples, *part_of; /* [n_tuples] the new parts */
    size_t n_tuples, n_parts, capacity;
} task;

typedef struct search {
    const mgl_cell_offers *offers;
    const mgl_box_space *space;
    mgl_box_release *release;
    mgl_cell_pool **pools; /* [workers] */
    unsigned n_workers;
    double *excess; /* [class] what it costs above the prices of its rows */
    size_t excess_capacity;
    uint32_t *used; /* [class] round in which it was last in a pool */
    size_t used_capacity;
    mgl_quick_random random;
    uint32_t round;
    task tasks[AT_ONCE];
    size_t n_tasks;
    uint64_t work;      /* so far */
    uint32_t *gathered; /* [n] */
} search;

/* ---- Choosing pools -------------------------------------------------------------------- */

static void weigh_class(search *x, uint32_t class)
{
    const mgl_box_class *c = &x->release->classes[class];
    x->excess[class] = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t t = c->members[i];
        x->excess[class] += x->space->rows[t] * ((double)c->cost - x->offers->prices[t]);
    }
}

static bool is_free(const search *x, uint32_t class)
{
    return class != 0 && x->release->classes[class].n > 0 && x->used[class] != x->round;
}

/* A class that costs much more than it is priced. 0: none was found. */
static uint32_t choose_first(search *x)
{
    uint32_t best = 0;
    for (int i = 0; i < CONTEST; i++) {
        uint32_t c = mgl_quick_random_below(&x->random, x->release->n_classes);
        if (is_free(x, c) && (best == 0 || x->excess[c] > x->excess[best]))
            best = c;
    }
    return best;
}

/* A class that shares an offer with one of the pool; 0: a dead end. */
static uint32_t choose_next(search *x, const task *pool)
{
    const mgl_cell_offers *o = x->offers;
    uint32_t from = pool->classes[mgl_quick_random_below(&x->random, pool->n_classes)];
    const mgl_box_class *c = &x->release->classes[from];
    uint32_t t = c->members[mgl_quick_random_below(&x->random, c->n)];
    size_t n = o->start[t + 1] - o->start[t];
    if (n == 0)
        return 0;
    const mgl_cell_bargain *b =
        &o->list.items[o->of[o->start[t] + mgl_quick_random_below(&x->random, n)]];
    uint32_t to =
        x->release->class_of[o->list.members[b->start + mgl_quick_random_below(&x->random, b->n)]];
    return is_free(x, to) ? to : 0;
}

static void add_to_pool(search *x, task *pool, uint32_t class)
{
    pool->classes[pool->n_classes++] = class;
    x->used[class] = x->round;
}

static bool choose_pool(search *x, task *pool)
{
    pool->n_classes = 0;
    uint32_t first = choose_first(x);
    x->work += STEP_WORK;
    if (first == 0)
        return false;
    add_to_pool(x, pool, first);
    bool large = x->space->n > MANY * x->release->n_classes;
    size_t most = large ? MOST_LARGE : MOST_POOL;
    size_t wanted = LEAST_POOL + mgl_quick_random_below(&x->random, most - LEAST_POOL);
    size_t tuples = x->release->classes[first].n;
    for (size_t i = 0; pool->n_classes < wanted && i < wanted * DEAD_ENDS; i++) {
        uint32_t next = choose_next(x, pool);
        x->work += STEP_WORK;
        if (next == 0 || tuples + x->release->classes[next].n > POOL_ROWS)
            continue;
        tuples += x->release->classes[next].n;
        add_to_pool(x, pool, next);
    }
    return pool->n_classes > 1 && tuples <= POOL_ROWS;
}

/* ---- Putting them together anew ------------------------------------------------------------ */

static bool keep_parts(task *k, mgl_cell_parts parts)
{
    size_t capacity = k->capacity;
    if (!mgl_grow(&k->tuples, &capacity, parts.n_tuples, sizeof *k->tuples) ||
        !mgl_grow(&k->part_of, &k->capacity, parts.n_tuples, sizeof *k->part_of))
        return false;
    memcpy(k->tuples, parts.tuples, parts.n_tuples * sizeof *k->tuples);
    memcpy(k->part_of, parts.part_of, parts.n_tuples * sizeof *k->part_of);
    k->n_tuples = parts.n_tuples;
    k->n_parts = parts.n_parts;
    return true;
}

/* The first new arrangement that costs no more is kept: among equals a change, too, leads to
 * other places. */
static void run_task(void *context, size_t number, unsigned worker)
{
    search *x = context;
    task *k = &x->tasks[number];
    mgl_cell_pool *pool = x->pools[worker];
    mgl_quick_random random = {(uint64_t)x->round * AT_ONCE + number};
    uint64_t before = 0;
    k->better = false;
    k->work = 0;
    mgl_cell_pool_clear(pool);
    for (size_t i = 0; i < k->n_classes; i++) {
        const mgl_box_class *c = &x->release->classes[k->classes[i]];
        before += c->rows * c->cost;
        if (!mgl_cell_pool_add_class(pool, c))
            return;
    }
    for (int i = 0; i < TRIES && !k->better; i++) {
        bool made = mgl_cell_pool_rebuild(pool, i == 0 ? NOISE / 3 : NOISE, &random, true);
        mgl_cell_parts parts = mgl_cell_pool_parts(pool);
        k->work = parts.work;
        k->better = made && !parts.impossible && parts.cost <= before && keep_parts(k, parts);
    }
}

static bool make_room(search *x)
{
    size_t n = x->release->n_classes + 1, before = x->used_capacity;
    if (!mgl_grow(&x->excess, &x->excess_capacity, n, sizeof *x->excess) ||
        !mgl_grow(&x->used, &x->used_capacity, n, sizeof *x->used))
        return false;
    for (size_t i = before; i < x->used_capacity; i++)
        x->used[i] = 0;
    return true;
}

/* Releases the parts of a pool as classes. */
static bool release_parts(search *x, size_t n_tuples, size_t n_parts, const uint32_t *tuples,
                          const uint32_t *part_of)
{
    for (size_t i = 0; i < n_parts; i++) {
        size_t n = 0;
        for (size_t j = 0; j < n_tuples; j++)
            if (part_of[j] == i)
                x->gathered[n++] = tuples[j];
        if (n == 0)
            continue;
        uint32_t class = mgl_box_release_add(x->release, x->gathered, n);
        if (x->release->out_of_memory || !make_room(x))
            return false;
        weigh_class(x, class);
    }
    return true;
}

static mgl_status run_round(search *x, mgl_error *err)
{
    x->round++;
    x->n_tasks = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        x->n_tasks += choose_pool(x, &x->tasks[x->n_tasks]);
    mgl_pool_run(x->space->problem->pool, x->n_tasks, run_task, x);
    for (size_t i = 0; i < x->n_tasks; i++) {
        task *k = &x->tasks[i];
        x->work += k->work;
        if (!k->better)
            continue;
        for (size_t j = 0; j < k->n_classes; j++)
            mgl_box_release_dissolve(x->release, k->classes[j]);
        if (!release_parts(x, k->n_tuples, k->n_parts, k->tuples, k->part_of))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

/* ---- The first release ----------------------------------------------------------------------- */

/* By offers, as far as they go; then the greedy, at nodes that are not too coarse. */
static mgl_status release_offers(search *x, const mgl_box_nodes *nodes, const uint32_t *bounds,
                                 mgl_error *err, bool *met)
{
    const mgl_box_space *s = x->space;
    /* By prices that are proved no class pays more than it costs: there is nothing to borrow. */
    mgl_greedy_options how = {.bounds = bounds, .coarse = COARSE};
    mgl_cell_pool *pool;
    MGL_TRY(mgl_cell_pool_new(x->offers, s->n, err, &pool));
    for (size_t t = 0; t < s->n; t++)
        x->gathered[t] = (uint32_t)t;
    bool made =
        mgl_cell_pool_add(pool, x->gathered, s->n) && mgl_cell_pool_rebuild(pool, 0, NULL, false);
    mgl_cell_parts parts = mgl_cell_pool_parts(pool);
    /* Parts of all tuples, in one go: members by part. */
    size_t *start = mgl_zeroed_array(parts.n_parts + 2, sizeof *start);
    mgl_status status = MGL_OK;
    if (!made || start == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < s->n; i++)
        if (parts.part_of[i] != MGL_NOT_FOUND)
            start[parts.part_of[i] + 2]++;
    for (size_t i = 1; i <= parts.n_parts; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < s->n; i++)
        if (parts.part_of[i] != MGL_NOT_FOUND)
            x->gathered[start[parts.part_of[i] + 1]++] = parts.tuples[i];
    for (size_t i = 0; i < parts.n_parts; i++)
        mgl_box_release_add(x->release, x->gathered + start[i], start[i + 1] - start[i]);
    if (x->release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_cell_greedy(s, nodes, &how, err, x->release, met));
done:
    mgl_free(start);
    mgl_cell_pool_free(pool);
    return status;
}

static mgl_status begin(search *x, const mgl_cell_offers *offers, mgl_error *err)
{
    const mgl_box_space *s = offers->space;
    x->offers = offers;
    x->space = s;
    x->n_workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    x->pools = mgl_zeroed_array(x->n_workers, sizeof *x->pools);
    x->gathered = mgl_alloc_array(s->n, sizeof *x->gathered);
    if (x->pools == NULL || x->gathered == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++)
        MGL_TRY(mgl_cell_pool_new(offers, POOL_ROWS, err, &x->pools[w]));
    return mgl_box_release_new(s, err, &x->release);
}

static void end(search *x)
{
    for (unsigned w = 0; x->pools != NULL && w < x->n_workers; w++)
        mgl_cell_pool_free(x->pools[w]);
    for (size_t i = 0; i < AT_ONCE; i++) {
        mgl_free(x->tasks[i].tuples);
        mgl_free(x->tasks[i].part_of);
    }
    mgl_box_release_free(x->release);
    mgl_free(x->pools);
    mgl_free(x->excess);
    mgl_free(x->used);
    mgl_free(x->gathered);
}

static mgl_status improve(search *x, uint64_t most_work, mgl_error *err, bool *timed_out)
{
    const mgl_problem *problem = x->space->problem;
    if (!make_room(x))
        return mgl_fail_memory(err);
    for (uint32_t c = 0; c < x->release->n_classes; c++)
        weigh_class(x, c);
    while (x->work < most_work && !*timed_out) {
        MGL_TRY(run_round(x, err));
        MGL_TRY(mgl_progress_report(problem->progress, "search", x->work, most_work, err));
        *timed_out = mgl_problem_is_late(problem);
    }
    return MGL_OK;
}

mgl_status mgl_cell_improve(const mgl_cell_offers *offers, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out)
{
    search x = {0};
    bool met = false;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, offers, err));
    MGL_GO(release_offers(&x, nodes, bounds, err, &met));
    /* In a large lattice offers are few, and the release may be the better start. */
    bool start_there =
        !met || (!nodes->all && mgl_box_release_cost(release) < mgl_box_release_cost(x.release));
    if (start_there)
        mgl_box_release_copy(x.release, release);
    MGL_GO(improve(&x, work, err, timed_out));
    if (mgl_box_release_cost(x.release) < mgl_box_release_cost(release))
        mgl_box_release_copy(release, x.release);
    if (release->out_of_memory || x.release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    end(&x);
    return status;
}
