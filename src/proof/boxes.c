/* Checks that every box that can hold costs at least its prices. Boxes matter that have enough rows
 * and sensitive values and a row that is priced above their cost. Saving and checking a certificate
 * both call it. */
#include "proof/checks.h"

#include <stdlib.h>

/* Lattices with more nodes, times tuples, are gone through from each tuple. */
#define MOST_SWEPT 2e10

typedef struct check {
    const mgl_proof *proof;
    mgl_proof_costs costs;
    mgl_proof_demand demand;
    mgl_proof_walk walk;
    mgl_proof_verdict *found;
} check;

static bool matters(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    check *c = context;
    return c->proof->prices[tuples[0]] > cost && mgl_proof_can_hold(&c->demand, tuples, n);
}

static void keep_example(check *c)
{
    const mgl_proof *p = c->proof;
    char shown[MGL_SHOWN];
    for (size_t a = 0; c->found->bargains == 1 && a < p->n_columns; a++)
        mgl_buffer_format(&c->found->example, "%s%s %s", a > 0 ? ", " : "", p->columns[a].name,
                          mgl_shown(p->columns[a].labels[c->walk.values[a]], shown));
}

/* What it costs at least, beyond their prices, to add so many rows of tuples that are priced no
 * higher than the cost: a tuple joins whole. So it is one that has them all, or smaller ones, of
 * which rows are counted one by one. Tuples come the dearest first. */
static mgl_proof_sum fill(const mgl_proof *p, const uint32_t *tuples, size_t n, int64_t cost,
                          uint64_t missing)
{
    mgl_proof_sum one = -1, small = 0;
    uint64_t left = missing;
    for (size_t i = 0; i < n; i++) {
        mgl_proof_sum loss = cost - p->prices[tuples[i]];
        uint64_t count = p->counts[tuples[i]], taken = count < left ? count : left;
        if (count < missing) {
            small += loss * (mgl_proof_sum)taken;
            left -= taken;
        } else if (one < 0 || loss * (mgl_proof_sum)count < one) {
            one = loss * (mgl_proof_sum)count;
        }
    }
    return one >= 0 && (left > 0 || one < small) ? one : small;
}

/* The best set of tuples that may be a class: all that are priced above the cost, and others if
 * these have too few rows. Tuples come the dearest first, and have enough rows together. */
static void weigh(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    check *c = context;
    const mgl_proof *p = c->proof;
    mgl_proof_sum worth = 0;
    uint64_t rows = 0, need = c->demand.rows;
    size_t dear = 0;
    for (; dear < n && p->prices[tuples[dear]] > cost; dear++) {
        uint64_t count = p->counts[tuples[dear]];
        worth += (mgl_proof_sum)(p->prices[tuples[dear]] - cost) * (mgl_proof_sum)count;
        rows += count;
    }
    if (rows < need)
        worth -= fill(p, tuples + dear, n - dear, cost, need - rows);
    c->found->boxes++;
    if (worth > 0) {
        c->found->bargains++;
        keep_example(c);
    }
}

/* ---- From each tuple --------------------------------------------------------------- */

/* The least that a box with both the anchor and a leaf costs in this column. */
static void price_leaves(const check *c, size_t a, int64_t *price)
{
    const mgl_proof_column *x = &c->proof->columns[a];
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        price[leaf] = INT64_MAX / 4;
        for (uint32_t l = x->low; l <= x->high; l++) {
            uint32_t v = mgl_proof_value_of(c->proof, c->walk.anchor, a, l);
            if (x->value[l][leaf] == v && c->costs.of[a][v] < price[leaf])
                price[leaf] = c->costs.of[a][v];
        }
    }
}

/* The tuples that can be in a box of the anchor which costs less than the anchor is priced. */
static size_t find_near(const check *c, const uint32_t *order, int64_t *const *price,
                        uint32_t *near)
{
    const mgl_proof *p = c->proof;
    size_t m = p->n_columns, n = 0;
    int64_t most = p->prices[c->walk.anchor];
    for (size_t i = 0; i < p->n_tuples; i++) {
        const uint32_t *leaf = p->leaves + (size_t)order[i] * m;
        int64_t cost = 0;
        for (size_t a = 0; a < m && cost < most; a++)
            cost += price[a][leaf[a]];
        if (cost < most)
            near[n++] = order[i];
    }
    return n;
}

/* A box with a bargain has a tuple that is priced above its cost. */
static void look_from_each(check *c, const uint32_t *order, int64_t **price, uint32_t *near)
{
    const mgl_proof *p = c->proof;
    for (uint32_t t = 0; t < p->n_tuples && !mgl_proof_walk_is_over(&c->walk, p->n_tuples); t++) {
        c->walk.anchor = t;
        for (size_t a = 0; a < p->n_columns; a++)
            price_leaves(c, a, price[a]);
        mgl_proof_walk_go(&c->walk, near, find_near(c, order, price, near));
    }
}

static mgl_status go_from_each(check *c, const uint32_t *order)
{
    const mgl_proof *p = c->proof;
    int64_t **price = mgl_zeroed_array(p->n_columns, sizeof *price);
    uint32_t *near = mgl_alloc_array(p->n_tuples, sizeof *near);
    bool room = price != NULL && near != NULL;
    for (size_t a = 0; room && a < p->n_columns; a++) {
        price[a] = mgl_alloc_array(p->columns[a].n_leaves, sizeof **price);
        room = price[a] != NULL;
    }
    if (room)
        look_from_each(c, order, price, near);
    for (size_t a = 0; price != NULL && a < p->n_columns; a++)
        mgl_free(price[a]);
    mgl_free(price);
    mgl_free(near);
    return room ? c->walk.status : mgl_fail_memory(c->walk.err);
}

/* ---- All --------------------------------------------------------------------------- */

typedef struct priced {
    int64_t price;
    uint32_t tuple;
} priced;

static int compare_priced(const void *a, const void *b)
{
    const priced *x = a, *y = b;
    if (x->price != y->price)
        return x->price > y->price ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static mgl_status sort_by_price(const mgl_proof *p, mgl_error *err, uint32_t *order)
{
    priced *items = mgl_alloc_array(p->n_tuples, sizeof *items);
    if (items == NULL)
        return mgl_fail_memory(err);
    for (uint32_t t = 0; t < p->n_tuples; t++)
        items[t] = (priced){p->prices[t], t};
    qsort(items, p->n_tuples, sizeof *items, compare_priced);
    for (size_t t = 0; t < p->n_tuples; t++)
        order[t] = items[t].tuple;
    mgl_free(items);
    return MGL_OK;
}

static double nodes_of(const mgl_proof *p)
{
    double nodes = 1;
    for (size_t a = 0; a < p->n_columns; a++)
        nodes *= p->columns[a].high - p->columns[a].low + 1;
    return nodes;
}

static mgl_status look(check *c, uint32_t *order, mgl_error *err)
{
    const mgl_proof *p = c->proof;
    MGL_TRY(mgl_proof_demand_init(&c->demand, p, err));
    MGL_TRY(mgl_proof_costs_find(p, err, &c->costs));
    c->walk.cost = c->costs.of;
    MGL_TRY(mgl_proof_walk_begin(&c->walk));
    MGL_TRY(sort_by_price(p, err, order));
    for (size_t t = 0; t < p->n_tuples; t++)
        c->found->too_dear += p->prices[t] > c->costs.top;
    if (nodes_of(p) * (double)p->n_tuples > MOST_SWEPT)
        return go_from_each(c, order);
    mgl_proof_walk_go(&c->walk, order, p->n_tuples);
    return c->walk.status;
}

mgl_status mgl_proof_verify(const mgl_proof *p, const mgl_progress *progress, mgl_error *err,
                            mgl_proof_verdict *out)
{
    *out = (mgl_proof_verdict){0};
    check c = {.proof = p, .found = out};
    c.walk = (mgl_proof_walk){.proof = p,
                              .matters = matters,
                              .visit = weigh,
                              .context = &c,
                              .progress = progress,
                              .err = err};
    mgl_proof_sum sum = 0;
    uint32_t *order = mgl_alloc_array(p->n_tuples, sizeof *order);
    mgl_status status = order == NULL ? mgl_fail_memory(err) : look(&c, order, err);
    mgl_proof_walk_end(&c.walk);
    mgl_proof_costs_free(&c.costs, p->n_columns);
    mgl_proof_demand_free(&c.demand);
    mgl_free(order);
    for (size_t t = 0; t < p->n_tuples; t++)
        sum += (mgl_proof_sum)p->prices[t] * (mgl_proof_sum)p->counts[t];
    out->proved = mgl_proof_value(p, (double)sum / MGL_PROOF_UNIT);
    if (status == MGL_OK && p->exact != NULL)
        status = mgl_proof_follow(p, progress, err, out);
    out->holds = out->bargains == 0 && out->too_dear == 0 && out->overpriced == 0 && !out->open;
    return status;
}
