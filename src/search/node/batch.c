/* Judges nodes side by side on all threads. */
#include "search/node/node.h"

#include <pthread.h>
#include <stdlib.h>

enum { NODES_AT_ONCE = 16 };

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
};

mgl_status mgl_batch_new(const mgl_problem *problem, mgl_error *err, mgl_batch **out)
{
    mgl_batch *b = mgl_zeroed_array(1, sizeof *b);
    if (b == NULL)
        return mgl_fail_memory(err);
    b->problem = problem;
    b->rollers = mgl_zeroed_array(mgl_pool_threads(problem->pool), sizeof *b->rollers);
    b->order = mgl_alloc_array(problem->list->n_attributes, sizeof *b->order);
    if (b->rollers == NULL || b->order == NULL) {
        mgl_free(b->rollers);
        mgl_free(b->order);
        mgl_free(b);
        return mgl_fail_memory(err);
    }
    mgl_roller_request(problem, b->order);
    pthread_mutex_init(&b->lock, NULL);
    *out = b;
    return MGL_OK;
}

void mgl_batch_free(mgl_batch *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; i < mgl_pool_threads(b->problem->pool); i++)
        mgl_roller_free(b->rollers[i]);
    pthread_mutex_destroy(&b->lock);
    mgl_free(b->rollers);
    mgl_free(b->placed);
    mgl_free(b->order);
    mgl_free(b);
}

void mgl_batch_without_costs(mgl_batch *b)
{
    b->without_costs = true;
}

static bool must_stop(mgl_batch *b, size_t i)
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
    if (must_stop(b, i))
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
    size_t first = item * NODES_AT_ONCE;
    for (size_t i = first; i < first + NODES_AT_ONCE && i < b->n; i++)
        judge_placed(b, i, thread);
}

static int compare_places(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Nodes that have much in common come one after the other. */
static mgl_status order_nodes(mgl_batch *b, mgl_error *err)
{
    size_t m = b->problem->list->n_attributes;
    if (!mgl_grow(&b->placed, &b->capacity, b->n, sizeof *b->placed))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < b->n; i++)
        b->placed[i] = (placed){mgl_roller_place(b->problem, b->order, b->nodes + i * m), i};
    qsort(b->placed, b->n, sizeof *b->placed, compare_places);
    return MGL_OK;
}

mgl_status mgl_batch_run(mgl_batch *b, const uint32_t *nodes, size_t n, mgl_error *err,
                         mgl_judged *out, bool *timed_out)
{
    b->nodes = nodes;
    b->n = n;
    b->judged = out;
    b->timed_out = false;
    for (size_t i = 0; i < n; i++)
        out[i] = (mgl_judged){false, INFINITY};
    MGL_TRY(order_nodes(b, err));
    mgl_pool_run(b->problem->pool, (n + NODES_AT_ONCE - 1) / NODES_AT_ONCE, run_item, b);
    if (b->status != MGL_OK && err != NULL)
        *err = b->error;
    *timed_out = b->timed_out;
    return b->status;
}
