/* Tuples of a neighbourhood, put together anew by offers: the best offers first, then what is left
 * joins the clump that grows least, then tuples move where they cost less. Improving by prices
 * calls it. */
#include "search/cell/improve/rebuild.h"

enum { MOVES = 3 }; /* rounds of moving tuples */

mgl_status mgl_cell_rebuilder_new(const mgl_cell_offers *offers, size_t most, mgl_error *err,
                                  mgl_cell_rebuilder **out)
{
    const mgl_box_space *s = offers->space;
    mgl_cell_rebuilder *p = mgl_zeroed_array(1, sizeof *p);
    if (p == NULL)
        return mgl_fail_memory(err);
    p->offers = offers;
    p->space = s;
    p->most = most;
    p->tuples = mgl_alloc_array(most, sizeof *p->tuples);
    p->price = mgl_alloc_array(most, sizeof *p->price);
    p->cost = mgl_alloc_array(most, sizeof *p->cost);
    p->clump_of = mgl_alloc_array(most, sizeof *p->clump_of);
    p->next = mgl_alloc_array(most, sizeof *p->next);
    p->seen = mgl_zeroed_array(offers->list.n + 1, sizeof *p->seen);
    p->clumps = mgl_alloc_array(most, sizeof *p->clumps);
    p->levels = mgl_alloc_array(most, s->m);
    p->lone = mgl_alloc_array(most, s->m * sizeof *p->lone);
    p->order = mgl_alloc_array(most, sizeof *p->order);
    p->spare = mgl_alloc_array(most, sizeof *p->spare);
    p->scratch = mgl_alloc_array(s->m, 1);
    p->mask = mgl_alloc_array(s->words, sizeof *p->mask);
    p->chosen = mgl_alloc_array(most, sizeof *p->chosen);
    p->judged = mgl_alloc_array(most, sizeof *p->judged);
    bool whole = p->tuples != NULL && p->price != NULL && p->cost != NULL && p->clump_of != NULL &&
                 p->next != NULL && p->seen != NULL && p->clumps != NULL && p->levels != NULL &&
                 p->lone != NULL && p->order != NULL && p->spare != NULL && p->scratch != NULL &&
                 p->mask != NULL && p->chosen != NULL && p->judged != NULL;
    mgl_status status = whole ? mgl_box_judge_new(s, err, &p->judge) : mgl_fail_memory(err);
    if (status != MGL_OK) {
        mgl_cell_rebuilder_free(p);
        return status;
    }
    *out = p;
    return MGL_OK;
}

void mgl_cell_rebuilder_free(mgl_cell_rebuilder *p)
{
    if (p == NULL)
        return;
    mgl_box_judge_free(p->judge);
    mgl_free(p->tuples);
    mgl_free(p->price);
    mgl_free(p->cost);
    mgl_free(p->clump_of);
    mgl_free(p->next);
    mgl_free(p->locals);
    mgl_free(p->members);
    mgl_free(p->seen);
    mgl_free(p->heap);
    mgl_free(p->clumps);
    mgl_free(p->levels);
    mgl_free(p->lone);
    mgl_free(p->order);
    mgl_free(p->spare);
    mgl_free(p->scratch);
    mgl_free(p->mask);
    mgl_free(p->chosen);
    mgl_free(p->judged);
    mgl_free(p);
}

void mgl_cell_rebuilder_clear(mgl_cell_rebuilder *p)
{
    p->n = p->n_classes = p->n_clumps = 0;
    p->work = 0;
}

bool mgl_cell_rebuilder_add(mgl_cell_rebuilder *p, const uint32_t *tuples, size_t n)
{
    if (n > p->most - p->n)
        return false;
    memcpy(p->tuples + p->n, tuples, n * sizeof *tuples);
    for (size_t i = 0; i < n; i++)
        p->cost[p->n + i] = p->offers->prices[tuples[i]];
    p->n += n;
    return true;
}

bool mgl_cell_rebuilder_add_class(mgl_cell_rebuilder *p, const mgl_box_class *class)
{
    if (p->n_classes == MGL_NEIGHBOURHOOD_CLASSES ||
        !mgl_cell_rebuilder_add(p, class->members, class->n))
        return false;
    for (size_t i = p->n - class->n; i < p->n; i++)
        p->cost[i] = class->cost;
    p->classes[p->n_classes++] = class;
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static void change_prices(mgl_cell_rebuilder *p, const mgl_price_change *change,
                          mgl_quick_random *random)
{
    double way = change->toward_cost > 0 ? change->toward_cost * mgl_quick_random_unit(random) : 0;
    for (size_t i = 0; i < p->n; i++) {
        double price = p->offers->prices[p->tuples[i]];
        double off = change->noise > 0 ? change->noise * (mgl_quick_random_unit(random) - 0.5) : 0;
        p->price[i] = (price + way * (p->cost[i] - price)) * (1 + off);
    }
}

bool mgl_cell_rebuild(mgl_cell_rebuilder *p, const mgl_price_change *change,
                      mgl_quick_random *random, bool all)
{
    change_prices(p, change, random);
    mgl_order_by_price(p);
    mgl_find_local_offers(p);
    if (p->out_of_memory || !mgl_grow(&p->heap, &p->heap_capacity, p->n_locals, sizeof *p->heap)) {
        p->out_of_memory = true;
        return false;
    }
    p->n_clumps = 0;
    for (size_t i = 0; i < p->n; i++)
        p->clump_of[i] = MGL_NOT_FOUND;
    mgl_take_offers(p);
    if (!all)
        return true;
    if (p->n_clumps == 0 || !mgl_clumps_place_rest(p))
        return false;
    for (int i = 0; i < MOVES && mgl_clumps_move_tuples(p); i++)
        ;
    return true;
}

mgl_cell_clumps mgl_cell_rebuilder_clumps(const mgl_cell_rebuilder *p)
{
    mgl_cell_clumps clumps = {.n_tuples = p->n,
                              .n_clumps = p->n_clumps,
                              .tuples = p->tuples,
                              .clump_of = p->clump_of,
                              .work = p->work};
    for (size_t i = 0; i < p->n_clumps; i++) {
        const mgl_clump *x = &p->clumps[i];
        clumps.cost += x->cost * x->rows;
        bool is_top = x->cost >= p->space->top_cost && x->first != MGL_NOT_FOUND;
        if (is_top &&
            !mgl_box_may_be_class(p->space, p->levels + i * p->space->m, p->tuples[x->first]))
            clumps.impossible = true;
    }
    return clumps;
}
