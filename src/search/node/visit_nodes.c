/* Numbers the nodes of the lattice and goes through all of them on all threads, evaluating each:
 * plainly for the sweep, from lists that are rolled up for `mingle lattice` and for what is said
 * where nothing holds. The sweep is the oracle of the tests, which compare the engines with it, and
 * the way to search with models that allow no pruning. */
#include "search/node/node.h"

#include <pthread.h>

/* Numbers the nodes of the lattice and goes through them. */

uint64_t mgl_lattice_size(const uint32_t *min_level, const uint32_t *max_level, size_t n)
{
    uint64_t size = 1;
    for (size_t a = 0; a < n; a++) {
        uint64_t levels = (uint64_t)max_level[a] - min_level[a] + 1;
        if (size > UINT64_MAX / levels)
            return UINT64_MAX;
        size *= levels;
    }
    return size;
}

bool mgl_lattice_next(uint32_t *node, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n)
{
    for (size_t a = n; a-- > 0;) {
        if (node[a] < max_level[a]) {
            node[a]++;
            return true;
        }
        node[a] = min_level[a];
    }
    return false;
}

void mgl_lattice_node(uint64_t number, const uint32_t *min_level, const uint32_t *max_level,
                      size_t n, uint32_t *node)
{
    for (size_t a = n; a-- > 0;) {
        uint64_t levels = (uint64_t)max_level[a] - min_level[a] + 1;
        node[a] = min_level[a] + (uint32_t)(number % levels);
        number /= levels;
    }
}

uint64_t mgl_node_height(const uint32_t *node, size_t n)
{
    uint64_t height = 0;
    for (size_t a = 0; a < n; a++)
        height += node[a];
    return height;
}

enum { NODES_AT_ONCE = 64, ITEMS_PER_THREAD = 16 };

typedef struct sweep {
    const mgl_problem *problem;
    mgl_visit_fn *visit;
    void *context;
    uint64_t n_nodes, at_once;
    mgl_evaluator **evaluators; /* [threads] NULL: nodes are rolled up to */
    mgl_roller **rollers;       /* [threads] otherwise */
    uint32_t *order;            /* [n_attributes] of the columns then */
    uint32_t *nodes;            /* [threads * n_attributes] scratch */
    pthread_mutex_t lock;       /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done;
    bool timed_out;
    mgl_owned own;
} sweep;

static bool must_stop(sweep *s)
{
    pthread_mutex_lock(&s->lock);
    if (mgl_problem_is_late(s->problem))
        s->timed_out = true;
    bool stop = s->status != MGL_OK || s->timed_out;
    pthread_mutex_unlock(&s->lock);
    return stop;
}

static void finish_item(sweep *s, mgl_status status, const mgl_error *error, uint64_t n)
{
    pthread_mutex_lock(&s->lock);
    s->done += n;
    mgl_error stopped = *error;
    if (status == MGL_OK)
        status = mgl_progress_report(s->problem->progress, "search", s->done, s->n_nodes, &stopped);
    if (status != MGL_OK && s->status == MGL_OK) {
        s->status = status;
        s->error = stopped;
    }
    pthread_mutex_unlock(&s->lock);
}

static mgl_status visit_plainly(sweep *s, uint64_t number, const uint32_t *node, unsigned worker,
                                mgl_error *err)
{
    mgl_evaluation evaluation;
    if (mgl_evaluate_node(s->evaluators[worker], node, &evaluation) != MGL_OK)
        return mgl_fail_memory(err);
    return s->visit(s->context, number, node, &evaluation, err);
}

/* In the order of the roller. */
static mgl_status visit_rolled(sweep *s, uint64_t at, uint32_t *node, unsigned worker,
                               mgl_error *err)
{
    mgl_evaluation evaluation;
    uint64_t number = mgl_roller_node(s->problem, s->order, at, node);
    MGL_TRY(mgl_roller_evaluate(s->rollers[worker], node, err, &evaluation));
    return s->visit(s->context, number, node, &evaluation, err);
}

static void sweep_nodes(void *context, size_t item, unsigned worker)
{
    sweep *s = context;
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    if (must_stop(s))
        return;
    uint32_t *node = s->nodes + worker * m;
    uint64_t first = (uint64_t)item * s->at_once;
    uint64_t end = first + s->at_once < s->n_nodes ? first + s->at_once : s->n_nodes;
    mgl_lattice_node(first, p->min_level, p->max_level, m, node);
    mgl_status status = MGL_OK;
    mgl_error error = {0};
    for (uint64_t number = first; status == MGL_OK && number < end; number++) {
        if (s->evaluators == NULL) {
            status = visit_rolled(s, number, node, worker, &error);
            continue;
        }
        status = visit_plainly(s, number, node, worker, &error);
        mgl_lattice_next(node, p->min_level, p->max_level, m);
    }
    finish_item(s, status, &error, end - first);
}

mgl_status mgl_refuse_lattice(mgl_error *err)
{
    return mgl_fail_key(
        err, MGL_CODE_LIMIT, "method",
        "the lattice has more than %llu nodes, too many to search it whole; bound "
        "levels with `level`, use fewer quasi-identifiers, or `method: top-down` or "
        "cell, which need not look at all",
        (unsigned long long)MGL_TOO_MANY_NODES);
}

static mgl_status make_workers(sweep *s, bool plainly, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    unsigned threads = mgl_pool_threads(p->pool);
    void *made = mgl_own_zeroed(&s->own, threads, sizeof(void *));
    s->nodes = mgl_own_array(&s->own, threads * p->list->n_attributes, sizeof *s->nodes);
    s->order = mgl_own_array(&s->own, p->list->n_attributes, sizeof *s->order);
    if (plainly)
        s->evaluators = made;
    else
        s->rollers = made;
    MGL_TRY(mgl_owned_check(&s->own, err));
    mgl_roller_request(p, s->order);
    for (unsigned i = 0; i < threads; i++)
        MGL_TRY(plainly ? mgl_evaluator_new(p, err, &s->evaluators[i])
                        : mgl_roller_new(p, err, &s->rollers[i]));
    return MGL_OK;
}

static void free_workers(sweep *s)
{
    for (unsigned i = 0; i < mgl_pool_threads(s->problem->pool); i++) {
        if (s->evaluators != NULL)
            mgl_evaluator_free(s->evaluators[i]);
        if (s->rollers != NULL)
            mgl_roller_free(s->rollers[i]);
    }
    mgl_owned_free(&s->own);
}

static mgl_status run_sweep(sweep *s, bool plainly, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    s->n_nodes = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    if (s->n_nodes > MGL_TOO_MANY_NODES)
        return mgl_refuse_lattice(err);
    uint64_t share = s->n_nodes / (mgl_pool_threads(p->pool) * (uint64_t)ITEMS_PER_THREAD);
    s->at_once = plainly || share < NODES_AT_ONCE ? NODES_AT_ONCE : share;
    mgl_status status = MGL_OK;
    MGL_GO(make_workers(s, plainly, err));
    pthread_mutex_init(&s->lock, NULL);
    mgl_pool_run(p->pool, (size_t)((s->n_nodes + s->at_once - 1) / s->at_once), sweep_nodes, s);
    pthread_mutex_destroy(&s->lock);
    status = s->status;
    if (status != MGL_OK && err != NULL)
        *err = s->error;
done:
    free_workers(s);
    return status;
}

mgl_status mgl_lattice_sweep(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                             mgl_error *err, uint64_t *visited, bool *timed_out)
{
    sweep s = {.problem = problem, .visit = visit, .context = context};
    mgl_status status = run_sweep(&s, true, err);
    *visited = s.done;
    *timed_out = s.timed_out;
    return status;
}

mgl_status mgl_lattice_visit(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                             mgl_error *err, uint64_t *visited, bool *timed_out)
{
    sweep s = {.problem = problem, .visit = visit, .context = context};
    mgl_status status = run_sweep(&s, false, err);
    *visited = s.done;
    *timed_out = s.timed_out;
    return status;
}

/* Judges nodes side by side on all threads. */

enum { BATCH_AT_ONCE = 16 };

/* A node of the list, by its place in the order of the rollers. */
typedef struct placed {
    uint64_t place;
    size_t number;
} placed;

struct mgl_batch {
    const mgl_problem *problem;
    mgl_roller **rollers; /* [threads] made when first needed */
    const uint32_t *nodes;
    size_t n;
    placed *placed; /* [n] */
    size_t capacity;
    uint32_t *order; /* [n_attributes] of the columns */
    mgl_judged *judged;
    bool without_costs;
    pthread_mutex_t lock; /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done; /* in all runs */
    bool timed_out;
    mgl_owned own;
};

mgl_status mgl_batch_new(const mgl_problem *problem, mgl_error *err, mgl_batch **out)
{
    mgl_batch *b;
    MGL_TRY(mgl_new_zeroed(1, sizeof *b, err, &b));
    b->problem = problem;
    pthread_mutex_init(&b->lock, NULL);
    b->rollers = mgl_own_zeroed(&b->own, mgl_pool_threads(problem->pool), sizeof *b->rollers);
    b->order = mgl_own_array(&b->own, problem->list->n_attributes, sizeof *b->order);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&b->own, err));
    mgl_roller_request(problem, b->order);
    *out = b;
    b = NULL;
done:
    mgl_batch_free(b);
    return status;
}

void mgl_batch_free(mgl_batch *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; b->rollers != NULL && i < mgl_pool_threads(b->problem->pool); i++)
        mgl_roller_free(b->rollers[i]);
    pthread_mutex_destroy(&b->lock);
    mgl_free(b->placed);
    mgl_owned_free(&b->own);
    mgl_free(b);
}

void mgl_batch_without_costs(mgl_batch *b)
{
    b->without_costs = true;
}

static bool batch_must_stop(mgl_batch *b, size_t i)
{
    const mgl_problem *p = b->problem;
    pthread_mutex_lock(&b->lock);
    if (i > 0 && mgl_problem_is_late(p))
        b->timed_out = true;
    bool stop = b->status != MGL_OK || (b->timed_out && i > 0);
    pthread_mutex_unlock(&b->lock);
    return stop;
}

static mgl_status judge(mgl_batch *b, size_t number, unsigned thread, mgl_error *err)
{
    mgl_evaluation e;
    if (b->rollers[thread] == NULL)
        MGL_TRY(mgl_roller_new(b->problem, err, &b->rollers[thread]));
    const uint32_t *node = b->nodes + number * b->problem->list->n_attributes;
    if (b->without_costs)
        MGL_TRY(mgl_roller_judge(b->rollers[thread], node, err, &e));
    else
        MGL_TRY(mgl_roller_evaluate(b->rollers[thread], node, err, &e));
    b->judged[number] = (mgl_judged){e.holds, b->without_costs ? NAN : e.cost};
    return MGL_OK;
}

static void judge_placed(mgl_batch *b, size_t i, unsigned thread)
{
    mgl_error error = {0};
    if (batch_must_stop(b, i))
        return;
    mgl_status status = judge(b, b->placed[i].number, thread, &error);
    pthread_mutex_lock(&b->lock);
    b->done++;
    if (status == MGL_OK)
        status = mgl_progress_report(b->problem->progress, "search", b->done, 0, &error);
    if (status != MGL_OK && b->status == MGL_OK) {
        b->status = status;
        b->error = error;
    }
    pthread_mutex_unlock(&b->lock);
}

static void run_item(void *context, size_t item, unsigned thread)
{
    mgl_batch *b = context;
    size_t first = item * BATCH_AT_ONCE;
    for (size_t i = first; i < first + BATCH_AT_ONCE && i < b->n; i++)
        judge_placed(b, i, thread);
}

static const mgl_sort_key by_place[] = {MGL_ASCENDING(placed, place), MGL_ASCENDING(placed, number),
                                        MGL_SORT_END};

mgl_status mgl_batch_run(mgl_batch *b, const uint32_t *nodes, size_t n, mgl_error *err,
                         mgl_judged *out, bool *timed_out)
{
    b->nodes = nodes;
    b->n = n;
    b->judged = out;
    b->timed_out = false;
    for (size_t i = 0; i < n; i++)
        out[i] = (mgl_judged){false, INFINITY};
    /* Nodes that have much in common come one after the other. */
    size_t m = b->problem->list->n_attributes;
    MGL_TRY(mgl_grow_array(&b->placed, &b->capacity, b->n, sizeof *b->placed, err));
    for (size_t i = 0; i < b->n; i++)
        b->placed[i] = (placed){mgl_roller_place(b->problem, b->order, b->nodes + i * m), i};
    mgl_sort(b->placed, b->n, sizeof *b->placed, by_place);
    mgl_pool_run(b->problem->pool, (n + BATCH_AT_ONCE - 1) / BATCH_AT_ONCE, run_item, b);
    if (b->status != MGL_OK && err != NULL)
        *err = b->error;
    *timed_out = b->timed_out;
    return b->status;
}

typedef struct best_of {
    pthread_mutex_t lock;
    mgl_ties *ties;
} best_of;

static mgl_status visit_best(void *context, uint64_t number, const uint32_t *node,
                             const mgl_evaluation *e, mgl_error *err)
{
    (void)number;
    best_of *best = context;
    if (!e->holds)
        return MGL_OK;
    pthread_mutex_lock(&best->lock);
    mgl_status status = mgl_ties_add(best->ties, node, e->cost, err);
    pthread_mutex_unlock(&best->lock);
    return status;
}

mgl_status mgl_sweep_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    best_of best = {.ties = &out->ties};
    pthread_mutex_init(&best.lock, NULL);
    mgl_status status =
        mgl_lattice_sweep(problem, visit_best, &best, err, &out->checked, &out->timed_out);
    pthread_mutex_destroy(&best.lock);
    return status;
}

static mgl_status visit_holding(void *context, uint64_t number, const uint32_t *node,
                                const mgl_evaluation *e, mgl_error *err)
{
    (void)node;
    (void)err;
    uint8_t *holds = context;
    holds[number] = e->holds;
    return MGL_OK;
}

mgl_status mgl_fail_nodes_left(mgl_error *err)
{
    return mgl_fail_key(err, MGL_CODE_TIME_LIMIT, "time-limit",
                        "the time limit came before all nodes were tried; "
                        "raise `time-limit`");
}

mgl_status mgl_sweep_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                             uint64_t *checked)
{
    bool timed_out;
    MGL_TRY(mgl_lattice_sweep(problem, visit_holding, holds, err, checked, &timed_out));
    return timed_out ? mgl_fail_nodes_left(err) : MGL_OK;
}
