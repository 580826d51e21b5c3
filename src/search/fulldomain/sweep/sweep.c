/* Evaluates every node of the lattice plainly: the oracle of the tests, and the way to search with
 * models that allow no pruning. Tests compare the engines with it, and engines leave problems to it
 * that are too large for their tables. */
#include "search/fulldomain/sweep/sweep.h"

#include <pthread.h>

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
