/* The search up the ladder: rungs wait in a queue, the one with the least bound first. */
#include "search/ladder.h"
#ifdef LADDER_STATS
#include <stdio.h>
#include <stdlib.h>
uint64_t st_rolls, st_src, st_out;
#endif

mgl_status mgl_ladder_pause(mgl_ladder *ladder, mgl_ladder_worker *worker, mgl_error *err)
{
    const mgl_problem *p = ladder->problem;
    mgl_status status = MGL_OK;
    double now = mgl_sys_seconds();
    pthread_mutex_lock(&ladder->lock);
    ladder->n_checked += worker->checked - worker->told;
    worker->told = worker->checked;
    if (p->deadline > 0 && now > p->deadline)
        ladder->timed_out = true;
    worker->stopped = ladder->timed_out;
    if (now - ladder->reported >= 0.05) {
        ladder->reported = now;
        status = mgl_progress_report(p->progress, "search", ladder->n_checked, ladder->n_nodes, err);
    }
    pthread_mutex_unlock(&ladder->lock);
    return status;
}

static mgl_status run(mgl_ladder *ladder, mgl_optimum *out, mgl_error *err)
{
    mgl_ladder_worker *worker = &ladder->workers[0];
    mgl_ladder_rung *rung = mgl_alloc(mgl_ladder_rung_size(ladder));
    if (rung == NULL)
        return mgl_fail_memory(err);
    worker->worst = INFINITY;
    rung->wanted = UINT64_MAX >> (64 - ladder->block.n_nodes);
    memset(worker->levels, 0, ladder->n_columns);
    mgl_status status =
        mgl_ladder_look(worker, &ladder->first[0], ladder->highest, worker->levels, rung, err);
    if (status == MGL_OK)
        status = mgl_ladder_climb(worker, rung, 0, err);
    mgl_free(rung);
    for (size_t i = 0; i < worker->ties.n && status == MGL_OK; i++)
        status = mgl_ties_add(&out->ties, worker->ties.nodes + i * out->ties.n_attributes, worker->ties.costs[i], err);
    out->checked = worker->checked;
    out->timed_out = ladder->timed_out;
    return status;
}

/* ---- Order of the answers ---------------------------------------------------------- */

static bool comes_after(const mgl_ties *ties, size_t a, size_t b)
{
    const uint32_t *x = ties->nodes + a * ties->n_attributes;
    const uint32_t *y = ties->nodes + b * ties->n_attributes;
    for (size_t i = 0; i < ties->n_attributes; i++)
        if (x[i] != y[i])
            return x[i] > y[i];
    return false;
}

static void swap_ties(mgl_ties *ties, size_t a, size_t b)
{
    double cost = ties->costs[a];
    ties->costs[a] = ties->costs[b];
    ties->costs[b] = cost;
    for (size_t i = 0; i < ties->n_attributes; i++) {
        uint32_t *x = &ties->nodes[a * ties->n_attributes + i];
        uint32_t *y = &ties->nodes[b * ties->n_attributes + i];
        uint32_t level = *x;
        *x = *y;
        *y = level;
    }
}

/* Lexicographic, as a sweep would find them: a heap sort in place. */
static void sort_ties(mgl_ties *ties)
{
    for (size_t start = ties->n / 2, end = ties->n; end > 1;) {
        if (start > 0)
            start--;
        else
            swap_ties(ties, 0, --end);
        for (size_t at = start, child; (child = 2 * at + 1) < end; at = child) {
            child += child + 1 < end && comes_after(ties, child + 1, child);
            if (!comes_after(ties, child, at))
                break;
            swap_ties(ties, child, at);
        }
    }
}

mgl_status mgl_ladder_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    mgl_ladder *ladder = NULL;
    MGL_TRY(mgl_ladder_new(problem, false, err, &ladder));
    if (ladder == NULL)
        return mgl_sweep_optimum(problem, err, out);
    out->checked = 0;
    out->timed_out = false;
    mgl_status status = MGL_OK;
    if (!ladder->impossible) {
        pthread_mutex_init(&ladder->lock, NULL);
        status = run(ladder, out, err);
        pthread_mutex_destroy(&ladder->lock);
    }
#ifdef LADDER_STATS
    extern uint64_t st_rolls, st_src, st_out;
    if (getenv("LS")) { fprintf(stderr, "rolls %lu src %lu out %lu ; order", st_rolls, st_src, st_out);
    for (size_t i = 0; i < ladder->n_columns; i++) fprintf(stderr, " %u(%u)", ladder->columns[i]->attribute, ladder->columns[i]->levels[0].n_values);
    fprintf(stderr, " block"); for (size_t i = 0; i < ladder->block.n_columns; i++) fprintf(stderr, " %u", ladder->block.columns[i]->attribute);
    fprintf(stderr, " ground %zu\n", ladder->first[ladder->n_columns].n);}
    st_rolls = st_src = st_out = 0;
#endif
    mgl_ladder_free(ladder);
    if (status == MGL_OK)
        sort_ties(&out->ties);
    return status;
}
