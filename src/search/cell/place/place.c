/* Runs the greedy twice in two orders: what rows cost the first time are prices that say the second
 * time what it pays to borrow. cell.c and local suppression call it. */
#include "search/cell/place/place.h"

enum { ORDERS = 2 }; /* of nodes of equal cost */

typedef struct attempts {
    const mgl_box_space *space;
    const mgl_box_nodes *nodes;
    const uint32_t *bounds, *prices;
    struct {
        mgl_box_release *release;
        bool met;
        mgl_status status;
        mgl_error error;
    } each[ORDERS];
} attempts;

static void attempt(void *context, size_t i, unsigned worker)
{
    (void)worker;
    attempts *x = context;
    mgl_error *err = &x->each[i].error;
    mgl_greedy_options how = {
        .bounds = x->bounds, .prices = x->prices, .backwards = i > 0, .coarse = 1};
    x->each[i].status = mgl_box_release_new(x->space, err, &x->each[i].release);
    if (x->each[i].status == MGL_OK)
        x->each[i].status =
            mgl_cell_greedy(x->space, x->nodes, &how, err, x->each[i].release, &x->each[i].met);
}

static mgl_status run(attempts *x, mgl_error *err)
{
    mgl_pool_run(x->space->problem->pool, ORDERS, attempt, x);
    for (size_t i = 0; i < ORDERS; i++)
        if (x->each[i].status != MGL_OK) {
            if (err != NULL)
                *err = x->each[i].error;
            return x->each[i].status;
        }
    return MGL_OK;
}

/* What a row of each tuple costs, on average over both. False if there are not both. */
static bool take_prices(const attempts *x, uint32_t *prices)
{
    for (size_t t = 0; t < x->space->n; t++)
        prices[t] = 0;
    for (size_t i = 0; i < ORDERS; i++) {
        const mgl_box_release *r = x->each[i].release;
        if (!x->each[i].met)
            return false;
        for (size_t t = 0; t < x->space->n; t++)
            prices[t] += r->classes[r->class_of[t]].cost / ORDERS;
    }
    return true;
}

static void keep_best(attempts *x, mgl_box_release **best)
{
    for (size_t i = 0; i < ORDERS; i++) {
        mgl_box_release *r = x->each[i].release;
        bool better = x->each[i].met &&
                      (*best == NULL || mgl_box_release_cost(r) < mgl_box_release_cost(*best));
        mgl_box_release_free(better ? *best : r);
        *best = better ? r : *best;
    }
}

static mgl_status place(const mgl_box_space *s, const mgl_box_nodes *nodes, const uint32_t *bounds,
                        uint32_t *prices, bool borrow, mgl_error *err, mgl_box_release **best)
{
    attempts first = {.space = s, .nodes = nodes, .bounds = bounds};
    attempts second = {.space = s, .nodes = nodes, .bounds = bounds, .prices = prices};
    mgl_status status = run(&first, err);
    bool priced = status == MGL_OK && borrow && !mgl_problem_is_late(s->problem) &&
                  take_prices(&first, prices);
    keep_best(&first, best);
    if (priced) {
        status = run(&second, err);
        keep_best(&second, best);
    }
    return status;
}

mgl_status mgl_cell_place(const mgl_box_space *space, const mgl_box_nodes *nodes,
                          const uint32_t *bounds, bool borrow, mgl_error *err,
                          mgl_box_release **out, bool *met)
{
    mgl_box_release *best = NULL;
    uint32_t *prices = mgl_alloc_array(space->n, sizeof *prices);
    mgl_status status = prices == NULL ? mgl_fail_memory(err)
                                       : place(space, nodes, bounds, prices, borrow, err, &best);
    mgl_free(prices);
    if (status != MGL_OK) {
        mgl_box_release_free(best);
        return status;
    }
    *met = best != NULL;
    *out = best;
    return MGL_OK;
}
