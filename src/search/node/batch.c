/* Evaluates nodes side by side on all threads. incognito.c and top_down.c call it with lists of
 * nodes. */
#include "search/node/node.h"

#include <pthread.h>

struct mgl_batch {
    const mgl_problem *problem;
    mgl_evaluator **evaluators; /* [threads] made when first needed */
    const uint32_t *nodes;
    mgl_judged *judged;
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
    b->evaluators = mgl_zeroed_array(mgl_pool_threads(problem->pool), sizeof *b->evaluators);
    if (b->evaluators == NULL) {
        mgl_free(b);
        return mgl_fail_memory(err);
    }
    pthread_mutex_init(&b->lock, NULL);
    *out = b;
    return MGL_OK;
}

void mgl_batch_free(mgl_batch *b)
{
    if (b == NULL)
        return;
    for (unsigned i = 0; i < mgl_pool_threads(b->problem->pool); i++)
        mgl_evaluator_free(b->evaluators[i]);
    pthread_mutex_destroy(&b->lock);
    mgl_free(b->evaluators);
    mgl_free(b);
}

static bool must_stop(mgl_batch *b, size_t item)
{
    const mgl_problem *p = b->problem;
    pthread_mutex_lock(&b->lock);
    if (item > 0 && mgl_problem_is_late(p))
        b->timed_out = true;
    bool stop = b->status != MGL_OK || (b->timed_out && item > 0);
    pthread_mutex_unlock(&b->lock);
    return stop;
}

static mgl_status judge(mgl_batch *b, size_t item, unsigned thread, mgl_error *err)
{
    mgl_evaluation e;
    if (b->evaluators[thread] == NULL)
        MGL_TRY(mgl_evaluator_new(b->problem, err, &b->evaluators[thread]));
    const uint32_t *node = b->nodes + item * b->problem->list->n_attributes;
    if (mgl_evaluate_node(b->evaluators[thread], node, &e) != MGL_OK)
        return mgl_fail_memory(err);
    b->judged[item] = (mgl_judged){e.holds, e.cost};
    return MGL_OK;
}

static void run_item(void *context, size_t item, unsigned thread)
{
    mgl_batch *b = context;
    mgl_error error = {0};
    if (must_stop(b, item))
        return;
    mgl_status status = judge(b, item, thread, &error);
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

mgl_status mgl_batch_run(mgl_batch *b, const uint32_t *nodes, size_t n, mgl_error *err,
                         mgl_judged *out, bool *timed_out)
{
    b->nodes = nodes;
    b->judged = out;
    b->timed_out = false;
    for (size_t i = 0; i < n; i++)
        out[i] = (mgl_judged){false, INFINITY};
    mgl_pool_run(b->problem->pool, n, run_item, b);
    if (b->status != MGL_OK && err != NULL)
        *err = b->error;
    *timed_out = b->timed_out;
    return b->status;
}
