/* Improving a release in a large lattice, where classes of different tuples are hardly ever at one
 * node, so that prices say little. A class is pooled with those of its members' near neighbours;
 * the pool is put together anew, each class from a random tuple by what fits best. What costs no
 * more is kept. */
#include "search/cell/improve/improve.h"
#include "search/box/box.h"

enum {
    AT_ONCE = 128,    /* pools between two looks at the result; not the number of threads */
    TRIES = 4,        /* to put a pool together */
    MOST_POOL = 12,   /* classes */
    FEW_TUPLES = 8,   /* a pool has at least about so many, or two classes */
    MORE_TUPLES = 16, /* and up to so many more */
    DEAD_ENDS = 4,    /* steps per class that may lead nowhere */
    LEAST_ROOM = 64,  /* for tuples of a pool */
    CLASSES_ROOM = 4  /* likewise: this many times what a class needs */
};

/* A class in the making. */
typedef struct part {
    uint32_t first; /* of its tuples, by number in the pool */
    uint64_t rows;
    uint32_t cost; /* of a row */
} part;

typedef struct task {
    uint32_t classes[MOST_POOL];
    size_t n_classes;
    uint32_t *tuples; /* [n_tuples] */
    size_t n_tuples;
    uint32_t *part_of; /* [n_tuples] the new ones */
    part *parts;
    size_t n_parts;
    bool better;
    uint64_t work; /* boxes looked at */
} task;

typedef struct worker {
    uint8_t *levels; /* [room * m] of the parts */
    uint32_t *left;  /* [room] see making */
    uint32_t *members;
    mgl_box_judge *judge;
} worker;

typedef struct search {
    const mgl_box_space *space;
    const uint32_t *near;
    mgl_box_release *release;
    size_t room;    /* for tuples of a pool */
    uint32_t *used; /* [class] round in which it was last in a pool */
    size_t used_capacity;
    uint32_t *tuples; /* [AT_ONCE * room] of the tasks */
    uint32_t *part_of;
    part *parts;
    mgl_quick_random random;
    uint32_t round;
    task tasks[AT_ONCE];
    size_t n_tasks;
    worker *workers;
    unsigned n_workers;
} search;

/* ---- Choosing pools ------------------------------------------------------------------------- */

static bool is_free(const search *x, uint32_t class)
{
    return class != 0 && x->release->classes[class].n > 0 && x->used[class] != x->round;
}

static bool add_to_pool(search *x, task *k, uint32_t class)
{
    const mgl_box_class *c = &x->release->classes[class];
    if (k->n_tuples + c->n > x->room)
        return false;
    memcpy(k->tuples + k->n_tuples, c->members, c->n * sizeof *c->members);
    k->n_tuples += c->n;
    k->classes[k->n_classes++] = class;
    x->used[class] = x->round;
    return true;
}

/* The class of a near neighbour of the pool; 0: a dead end. */
static uint32_t choose_next(search *x, const task *k)
{
    uint32_t t = k->tuples[mgl_quick_random_below(&x->random, k->n_tuples)];
    uint32_t u = x->near[t * MGL_CELL_NEAR + mgl_quick_random_below(&x->random, MGL_CELL_NEAR)];
    uint32_t to = u != MGL_NOT_FOUND ? x->release->class_of[u] : 0;
    return is_free(x, to) ? to : 0;
}

static bool choose_pool(search *x, task *k)
{
    uint32_t first = mgl_quick_random_below(&x->random, x->release->n_classes);
    size_t wanted = FEW_TUPLES + mgl_quick_random_below(&x->random, MORE_TUPLES + 1);
    k->n_classes = k->n_tuples = 0;
    if (!is_free(x, first) || !add_to_pool(x, k, first))
        return false;
    for (size_t i = 0; i < MOST_POOL * DEAD_ENDS; i++) {
        if (k->n_classes == MOST_POOL || (k->n_classes > 1 && k->n_tuples >= wanted))
            break;
        uint32_t next = choose_next(x, k);
        if (next != 0)
            add_to_pool(x, k, next);
    }
    return k->n_classes > 1;
}

/* ---- Putting them together anew ------------------------------------------------------------- */

typedef struct making {
    const mgl_box_space *space;
    task *task;
    worker *worker;
    uint32_t *left; /* numbers in the pool of tuples that have no part yet */
    size_t n_left;
    uint64_t rows_left;
    uint64_t work;
} making;

static uint32_t tuple_of(const making *k, uint32_t number)
{
    return k->task->tuples[number];
}

/* What a row costs if the tuple joins the part; something above `most` if it is more than that. */
static uint32_t cost_with(making *k, size_t p, uint32_t number, uint32_t most)
{
    k->work++;
    return mgl_box_cost_with(k->space, k->worker->levels + p * k->space->m,
                             tuple_of(k, k->task->parts[p].first), tuple_of(k, number), most);
}

static void join(making *k, size_t p, uint32_t number)
{
    const mgl_box_space *s = k->space;
    part *to = &k->task->parts[p];
    uint8_t *levels = k->worker->levels + p * s->m;
    mgl_box_join(s, levels, tuple_of(k, to->first), tuple_of(k, number));
    to->cost = mgl_box_cost(s, levels, tuple_of(k, to->first));
    to->rows += s->rows[tuple_of(k, number)];
    k->task->part_of[number] = (uint32_t)p;
}

static uint32_t take_left(making *k, size_t i)
{
    uint32_t number = k->left[i];
    k->left[i] = k->left[--k->n_left];
    k->rows_left -= k->space->rows[tuple_of(k, number)];
    return number;
}

/* A part of one tuple. */
static size_t begin_part(making *k, uint32_t number)
{
    size_t p = k->task->n_parts++;
    k->task->parts[p] = (part){.first = number};
    mgl_box_begin(k->space, k->worker->levels + p * k->space->m);
    join(k, p, number);
    return p;
}

static void grow_part(making *k, size_t p)
{
    while (k->task->parts[p].rows < k->space->need && k->n_left > 0) {
        size_t best = 0;
        uint32_t least = UINT32_MAX;
        for (size_t i = 0; i < k->n_left; i++) {
            uint32_t cost = cost_with(k, p, k->left[i], least);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        join(k, p, take_left(k, best));
    }
}

/* Where it adds least to the cost of all. */
static void find_host(making *k, uint32_t number)
{
    uint64_t rows = k->space->rows[tuple_of(k, number)], least = UINT64_MAX;
    size_t best = 0;
    for (size_t p = 0; p < k->task->n_parts; p++) {
        const part *to = &k->task->parts[p];
        uint64_t more =
            (to->rows + rows) * cost_with(k, p, number, UINT32_MAX) - to->rows * to->cost;
        if (more < least) {
            least = more;
            best = p;
        }
    }
    join(k, best, number);
}

static uint64_t rebuild(making *k, mgl_quick_random *random)
{
    uint64_t cost = 0;
    k->task->n_parts = k->n_left = 0;
    k->rows_left = 0;
    for (uint32_t i = 0; i < k->task->n_tuples; i++) {
        k->left[k->n_left++] = i;
        k->rows_left += k->space->rows[k->task->tuples[i]];
    }
    while (k->rows_left >= k->space->need) {
        uint32_t seed = take_left(k, mgl_quick_random_below(random, k->n_left));
        grow_part(k, begin_part(k, seed));
    }
    while (k->n_left > 0)
        find_host(k, take_left(k, k->n_left - 1));
    for (size_t p = 0; p < k->task->n_parts; p++)
        cost += k->task->parts[p].rows * k->task->parts[p].cost;
    return cost;
}

static size_t members_of(const task *k, size_t p, uint32_t *members)
{
    size_t n = 0;
    for (size_t i = 0; i < k->n_tuples; i++)
        if (k->part_of[i] == p)
            members[n++] = k->tuples[i];
    return n;
}

static bool all_hold(const making *k)
{
    const mgl_box_space *s = k->space;
    for (size_t p = 0; p < k->task->n_parts; p++)
        if (k->task->parts[p].cost >= s->top_cost &&
            !mgl_box_may_be_class(s, k->worker->levels + p * s->m,
                                  tuple_of(k, k->task->parts[p].first)))
            return false;
    uint32_t *members = k->worker->members;
    for (size_t p = 0; k->space->judged && p < k->task->n_parts; p++)
        if (!mgl_box_holds(k->worker->judge, members, members_of(k->task, p, members)))
            return false;
    return true;
}

/* The first new arrangement that costs no more is kept: among equals a change, too, leads to
 * other places. */
static void run_task(void *context, size_t number, unsigned number_of_worker)
{
    search *x = context;
    task *k = &x->tasks[number];
    worker *w = &x->workers[number_of_worker];
    making making = {.space = x->space, .task = k, .worker = w, .left = w->left};
    mgl_quick_random random = {(uint64_t)x->round * AT_ONCE + number};
    uint64_t before = 0;
    for (size_t i = 0; i < k->n_classes; i++) {
        const mgl_box_class *c = &x->release->classes[k->classes[i]];
        before += c->rows * c->cost;
    }
    k->better = false;
    for (int i = 0; i < TRIES && !k->better; i++)
        k->better = rebuild(&making, &random) <= before && all_hold(&making);
    k->work = making.work;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static bool make_room(search *x)
{
    size_t before = x->used_capacity;
    if (!mgl_grow(&x->used, &x->used_capacity, x->release->n_classes + 1, sizeof *x->used))
        return false;
    for (size_t i = before; i < x->used_capacity; i++)
        x->used[i] = 0;
    return true;
}

static mgl_status run_round(search *x, uint64_t *work, mgl_error *err)
{
    uint32_t *members = x->workers[0].members;
    x->round++;
    x->n_tasks = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        x->n_tasks += choose_pool(x, &x->tasks[x->n_tasks]);
    mgl_pool_run(x->space->problem->pool, x->n_tasks, run_task, x);
    for (size_t i = 0; i < x->n_tasks; i++) {
        const task *k = &x->tasks[i];
        *work += k->work;
        for (size_t j = 0; k->better && j < k->n_classes; j++)
            mgl_box_release_dissolve(x->release, k->classes[j]);
        for (size_t p = 0; k->better && p < k->n_parts; p++)
            mgl_box_release_add(x->release, members, members_of(k, p, members));
    }
    *work += AT_ONCE * MOST_POOL; /* for choosing: rounds without a pool come to an end, too */
    return x->release->out_of_memory || !make_room(x) ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status begin_worker(const search *x, worker *w, mgl_error *err)
{
    w->levels = mgl_alloc_array(x->room, x->space->m);
    w->left = mgl_alloc_array(x->room, sizeof *w->left);
    w->members = mgl_alloc_array(x->room, sizeof *w->members);
    if (w->levels == NULL || w->left == NULL || w->members == NULL)
        return mgl_fail_memory(err);
    return mgl_box_judge_new(x->space, err, &w->judge);
}

static mgl_status begin(search *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    size_t room = (size_t)CLASSES_ROOM * s->need;
    x->room = room < LEAST_ROOM ? LEAST_ROOM : room < s->n ? room : s->n;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    x->tuples = mgl_alloc_array(x->room, AT_ONCE * sizeof *x->tuples);
    x->part_of = mgl_alloc_array(x->room, AT_ONCE * sizeof *x->part_of);
    x->parts = mgl_alloc_array(x->room, AT_ONCE * sizeof *x->parts);
    if (x->workers == NULL || x->tuples == NULL || x->part_of == NULL || x->parts == NULL ||
        !make_room(x))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < AT_ONCE; i++) {
        x->tasks[i].tuples = x->tuples + i * x->room;
        x->tasks[i].part_of = x->part_of + i * x->room;
        x->tasks[i].parts = x->parts + i * x->room;
    }
    for (unsigned i = 0; i < x->n_workers; i++)
        MGL_TRY(begin_worker(x, &x->workers[i], err));
    return MGL_OK;
}

static void end(search *x)
{
    for (unsigned i = 0; x->workers != NULL && i < x->n_workers; i++) {
        mgl_free(x->workers[i].levels);
        mgl_free(x->workers[i].left);
        mgl_free(x->workers[i].members);
        mgl_box_judge_free(x->workers[i].judge);
    }
    mgl_free(x->workers);
    mgl_free(x->tuples);
    mgl_free(x->part_of);
    mgl_free(x->parts);
    mgl_free(x->used);
}

mgl_status mgl_cell_regroup(const uint32_t *near, uint64_t most_work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out)
{
    const mgl_problem *problem = release->space->problem;
    search *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    *x = (search){.space = release->space, .near = near, .release = release};
    mgl_status status = MGL_OK;
    MGL_GO(begin(x, err));
    for (uint64_t work = 0; work < most_work && !*timed_out;) {
        MGL_GO(run_round(x, &work, err));
        MGL_GO(mgl_progress_report(problem->progress, "search", work, most_work, err));
        *timed_out = mgl_problem_is_late(problem);
    }
done:
    end(x);
    mgl_free(x);
    return status;
}
