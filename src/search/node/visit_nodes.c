/* Goes through all nodes of the lattice on all threads and evaluates each: for the sweep, for
 * `mingle lattice`, and for what is said where nothing holds. */
#include "search/node/node.h"

#include <pthread.h>

enum { NODES_AT_ONCE = 64 };

typedef struct sweep {
    const mgl_problem *problem;
    mgl_visit_fn *visit;
    void *context;
    uint64_t n_nodes;
    mgl_evaluator **evaluators; /* [threads] */
    uint32_t *nodes;            /* [threads * n_attributes] scratch */
    pthread_mutex_t lock;       /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done;
    bool timed_out;
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

static void sweep_nodes(void *context, size_t item, unsigned worker)
{
    sweep *s = context;
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    if (must_stop(s))
        return;
    uint32_t *node = s->nodes + worker * m;
    uint64_t first = (uint64_t)item * NODES_AT_ONCE;
    uint64_t end = first + NODES_AT_ONCE < s->n_nodes ? first + NODES_AT_ONCE : s->n_nodes;
    mgl_lattice_node(first, p->min_level, p->max_level, m, node);
    mgl_status status = MGL_OK;
    mgl_error error = {0};
    for (uint64_t number = first; status == MGL_OK && number < end; number++) {
        mgl_evaluation evaluation;
        status = mgl_evaluate_node(s->evaluators[worker], node, &evaluation);
        if (status != MGL_OK)
            mgl_fail_memory(&error);
        else
            status = s->visit(s->context, number, node, &evaluation, &error);
        mgl_lattice_next(node, p->min_level, p->max_level, m);
    }
    finish_item(s, status, &error, end - first);
}

mgl_status mgl_refuse_lattice(mgl_error *err)
{
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_LIMIT,
                 "the lattice has more than %llu nodes, too many to search it whole; bound "
                 "levels with `level`, use fewer quasi-identifiers, or `method: top-down` or "
                 "cell, which need not look at all",
                 (unsigned long long)MGL_TOO_MANY_NODES),
        "method");
}

mgl_status mgl_lattice_sweep(const mgl_problem *problem, mgl_visit_fn *visit, void *context,
                             mgl_error *err, uint64_t *visited, bool *timed_out)
{
    unsigned threads = mgl_pool_threads(problem->pool);
    size_t m = problem->list->n_attributes;
    sweep s = {.problem = problem, .visit = visit, .context = context};
    s.n_nodes = mgl_lattice_size(problem->min_level, problem->max_level, m);
    if (s.n_nodes > MGL_TOO_MANY_NODES)
        return mgl_refuse_lattice(err);
    s.evaluators = mgl_zeroed_array(threads, sizeof *s.evaluators);
    s.nodes = mgl_alloc_array(threads * m, sizeof *s.nodes);
    mgl_status status = MGL_OK;
    if (s.evaluators == NULL || s.nodes == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (unsigned i = 0; i < threads; i++)
        MGL_GO(mgl_evaluator_new(problem, err, &s.evaluators[i]));
    pthread_mutex_init(&s.lock, NULL);
    mgl_pool_run(problem->pool, (size_t)((s.n_nodes + NODES_AT_ONCE - 1) / NODES_AT_ONCE),
                 sweep_nodes, &s);
    pthread_mutex_destroy(&s.lock);
    status = s.status;
    if (status != MGL_OK && err != NULL)
        *err = s.error;
done:
    for (unsigned i = 0; s.evaluators != NULL && i < threads; i++)
        mgl_evaluator_free(s.evaluators[i]);
    mgl_free(s.evaluators);
    mgl_free(s.nodes);
    *visited = s.done;
    *timed_out = s.timed_out;
    return status;
}
