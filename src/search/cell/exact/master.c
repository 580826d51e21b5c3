/* Sets up the linear program over the candidate classes, and rounds its prices to bounds that they
 * prove. base_prices.c and branch.c call it. */
#include "search/cell/exact/inner.h"

/* Classes that gain less than this, in units of cost, are not taken into the basis. */
#define LEAST_GAIN 0.25

enum { CANDIDATES = 4 }; /* looked at closely at a time, for each tuple */

/* ---- Columns ------------------------------------------------------------------------------ */

/* Counts how many tuples of the class each cut has; returns how many cuts have any. */
static size_t hit_cuts(mgl_exact *x, size_t class)
{
    const mgl_exact_candidates *p = &x->candidates;
    mgl_exact_cuts *c = &x->cuts;
    size_t n = 0;
    for (size_t i = p->start[class]; c->n > 0 && i < p->start[class + 1]; i++)
        for (uint32_t j = c->start[p->members[i]]; j < c->start[p->members[i] + 1]; j++)
            if (c->hits[c->of[j]]++ == 0)
                c->touched[n++] = c->of[j];
    return n;
}

static size_t column(void *context, uint32_t class, mgl_lp_entry *out)
{
    mgl_exact *x = context;
    const mgl_exact_candidates *p = &x->candidates;
    mgl_exact_cuts *c = &x->cuts;
    size_t n = 0, first_cut = x->space->n + x->may_leave_out, n_cuts = hit_cuts(x, class);
    for (size_t i = p->start[class]; i < p->start[class + 1]; i++)
        out[n++] = (mgl_lp_entry){p->members[i], 1};
    if (p->left_out[class])
        out[n++] =
            (mgl_lp_entry){(uint32_t)x->space->n, x->space->rows[p->members[p->start[class]]]};
    for (size_t i = 0; i < n_cuts; i++) {
        uint32_t cut = c->touched[i];
        uint32_t pairs = c->hits[cut] / 2;
        if (pairs > 0 && first_cut + cut < x->lp.n_rows)
            out[n++] = (mgl_lp_entry){(uint32_t)(first_cut + cut), pairs};
        c->hits[cut] = 0;
    }
    return n;
}

int64_t mgl_exact_lacks(mgl_exact *x, size_t class)
{
    const mgl_exact_candidates *p = &x->candidates;
    mgl_exact_cuts *c = &x->cuts;
    int64_t lack = p->cost[class];
    for (size_t i = p->start[class]; i < p->start[class + 1]; i++)
        lack -= x->prices[p->members[i]];
    if (p->left_out[class])
        lack += x->space->rows[p->members[p->start[class]]] * x->left_price;
    size_t n_cuts = hit_cuts(x, class);
    for (size_t i = 0; i < n_cuts; i++) {
        lack += c->hits[c->touched[i]] / 2 * x->cut_prices[c->touched[i]];
        c->hits[c->touched[i]] = 0;
    }
    return lack;
}

mgl_status mgl_exact_lp_begin(mgl_exact *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint32_t most_rows = 0;
    for (size_t t = 0; t < s->n; t++)
        most_rows = s->rows[t] > most_rows ? s->rows[t] : most_rows;
    double lack = 2.0 * most_rows * (double)mgl_exact_cost(x, s->top_cost);
    MGL_TRY(mgl_lp_init(&x->lp, s->n + 1 + MGL_EXACT_MOST_CUTS, lack, column, x, err));
    for (size_t t = 0; t < s->n; t++)
        mgl_lp_add_tuple(&x->lp);
    if (x->may_leave_out)
        mgl_lp_add_sum(&x->lp, (double)x->limit);
    return MGL_OK;
}

/* ---- Prices -------------------------------------------------------------------------------- */

/* Of a sum that is at most something: not negative. */
static int64_t price_of_sum(double price, int64_t most)
{
    return price < 0 ? mgl_exact_round_up(-price, most) : 0;
}

void mgl_exact_round_prices(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    for (size_t t = 0; t < s->n; t++)
        x->prices[t] = mgl_exact_round_down(x->lp.prices[t], mgl_exact_most_price(x));
    x->left_price =
        x->may_leave_out ? price_of_sum(x->lp.prices[s->n], mgl_exact_most_left_price(x)) : 0;
    for (size_t i = 0; i < x->cuts.n; i++)
        x->cut_prices[i] =
            price_of_sum(x->lp.prices[s->n + x->may_leave_out + i], mgl_exact_most_cut_price());
}

static int64_t sum_prices(const mgl_exact *x)
{
    int64_t sum = -x->left_price * (int64_t)x->limit;
    for (size_t t = 0; t < x->space->n; t++)
        sum += x->prices[t];
    for (size_t i = 0; i < x->cuts.n; i++)
        sum -= x->cuts.cuts[i].n / 2 * x->cut_prices[i];
    return sum;
}

/* Each class has a tuple, so that it lacks that much more then. */
int64_t mgl_exact_lower_prices(mgl_exact *x, int64_t by)
{
    for (size_t t = 0; t < x->space->n; t++)
        x->prices[t] -= by;
    return sum_prices(x);
}

bool mgl_exact_stands_out(int64_t *best, const uint32_t *tuples, size_t n, int64_t lack)
{
    bool better = false;
    for (size_t i = 0; i < n; i++) {
        better = better || lack < best[tuples[i]] - best[tuples[i]] / 4;
        best[tuples[i]] = lack < best[tuples[i]] ? lack : best[tuples[i]];
    }
    return better;
}

/* Takes candidates into the basis, the best ones first, while that gains. Returns how many. */
static size_t enter_all(mgl_exact *x, const uint32_t *candidates, size_t n)
{
    size_t entered = 0;
    while (!mgl_exact_is_over(x)) {
        double least = -LEAST_GAIN;
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            double gain =
                mgl_lp_reduced(&x->lp, candidates[i], (double)x->candidates.cost[candidates[i]]);
            if (gain < least) {
                best = i;
                least = gain;
            }
        }
        if (!mgl_lp_enter_left(&x->lp, -least)) {
            if (best == n || !mgl_lp_enter(&x->lp, candidates[best],
                                           (double)x->candidates.cost[candidates[best]]))
                break;
        }
        entered++;
    }
    return entered;
}

/* Classes that gain, at most so many; *least is the least that one lacks. */
static size_t find_candidates(mgl_exact *x, int64_t *best, uint32_t *out, int64_t *least)
{
    const mgl_exact_candidates *p = &x->candidates;
    size_t n = 0, most = CANDIDATES * x->space->n;
    *least = 0;
    memset(best, 0, x->space->n * sizeof *best);
    for (size_t c = 0; c < p->n; c++) {
        int64_t lack = p->closed[c] == 0 ? mgl_exact_lacks(x, c) : 0;
        if (lack >= 0)
            continue;
        *least = lack < *least ? lack : *least;
        if (mgl_exact_stands_out(best, p->members + p->start[c], p->start[c + 1] - p->start[c],
                                 lack) &&
            n < most)
            out[n++] = (uint32_t)c;
    }
    x->work += p->n > 0 ? 2 * p->start[p->n] : 0;
    return n;
}

mgl_status mgl_exact_optimize(mgl_exact *x, mgl_error *err, int64_t *bound)
{
    uint32_t *candidates = mgl_alloc_array(CANDIDATES * x->space->n, sizeof *candidates);
    int64_t *best = mgl_alloc_array(x->space->n, sizeof *best), least = 0;
    if (candidates == NULL || best == NULL) {
        mgl_free(candidates);
        mgl_free(best);
        return mgl_fail_memory(err);
    }
    for (bool better = true; better;) {
        mgl_exact_round_prices(x);
        size_t n = find_candidates(x, best, candidates, &least);
        better = enter_all(x, candidates, n) > 0;
    }
    *bound = mgl_exact_lower_prices(x, -least);
    mgl_free(candidates);
    mgl_free(best);
    return MGL_OK;
}
