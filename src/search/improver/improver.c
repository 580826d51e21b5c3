/* The rounds of large-neighbourhood search, shared by all that improve: the cell level and local
 * suppression call it with functions of their own. */
#include "search/improver/improver.h"

enum { MOST_DEAD_ENDS = 1000 }; /* in a row: a few classes have no neighbourhood to choose */

typedef struct rounds {
    const mgl_improver *how;
    void *search;
    mgl_quick_random *random;
    uint64_t round;
    bool *better;       /* [at_once] */
    double leeway;      /* in this round */
    unsigned dead_ends; /* in a row */
    bool none_left;
} rounds;

static bool may_cost(const rounds *r, uint64_t cost, uint64_t before)
{
    return cost <= before || (double)(cost - before) <= r->leeway * (double)before;
}

/* The first that costs no more is kept: among equals a change, too, leads to other places. */
static void run_item(void *context, size_t number, unsigned worker)
{
    rounds *r = context;
    const mgl_improver *how = r->how;
    mgl_quick_random own = {r->round * how->at_once + number};
    mgl_improver_item item = {r->round, number, worker, how->at_once > 1 ? &own : r->random};
    uint64_t before, cost;
    r->better[number] = false;
    if (!how->open(r->search, &item, &before))
        return;
    for (size_t i = 0; i < how->tries && !r->better[number]; i++)
        r->better[number] = how->rebuild(r->search, &item, i, &cost) && may_cost(r, cost, before) &&
                            (how->keep == NULL || how->keep(r->search, &item));
}

static size_t choose(rounds *r)
{
    mgl_improver_item item = {.round = r->round, .random = r->random};
    for (size_t i = 0; i < r->how->at_once && !r->none_left; i++) {
        mgl_improver_choice choice = r->how->choose(r->search, &item);
        item.number += choice == MGL_CHOSEN;
        r->dead_ends = choice == MGL_DEAD_END ? r->dead_ends + 1 : 0;
        r->none_left = choice == MGL_NONE_LEFT || r->dead_ends > MOST_DEAD_ENDS;
    }
    return item.number;
}

static mgl_status run_round(rounds *r, mgl_pool *threads, mgl_error *err)
{
    mgl_status status = MGL_OK;
    r->round++;
    size_t n = choose(r);
    mgl_pool_run(threads, n, run_item, r);
    for (size_t i = 0; i < n; i++) {
        if (status == MGL_OK && r->better[i])
            status = r->how->take(r->search, i, err);
        else if (r->how->leave != NULL)
            r->how->leave(r->search, i);
    }
    return status;
}

static mgl_status run(rounds *r, mgl_improver_limits *limits, mgl_error *err)
{
    const mgl_problem *problem = limits->problem;
    while (!r->none_left && *limits->work < limits->most_work) {
        if (r->round % r->how->look_every == 0) {
            limits->timed_out = limits->timed_out || mgl_problem_is_late(problem);
            MGL_TRY(mgl_progress_report(problem->progress, "search", *limits->work,
                                        limits->most_work, err));
        }
        if (limits->timed_out)
            return MGL_OK;
        r->leeway = r->how->leeway * (1 - (double)*limits->work / (double)limits->most_work);
        MGL_TRY(run_round(r, problem->pool, err));
    }
    return MGL_OK;
}

mgl_status mgl_improve(const mgl_improver *how, void *search, mgl_quick_random *random,
                       mgl_improver_limits *limits, mgl_error *err)
{
    rounds r = {.how = how, .search = search, .random = random};
    MGL_TRY(mgl_new_array(how->at_once, sizeof *r.better, err, &r.better));
    mgl_status status = run(&r, limits, err);
    mgl_free(r.better);
    return status;
}
