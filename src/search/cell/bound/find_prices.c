/* Finds prices: all are raised a little, then what bargains are worth too much is taken back from
 * their rows, again and again, by ever smaller steps. cell.c calls it. */
#include "search/cell/bound/prices.h"

#include <math.h>

/* The first step, as a share of what an average row costs beyond its own values. The last one is
 * that share by the number of sweeps: many sweeps end with smaller steps. */
#define FIRST_STEP 0.05

enum {
    FIRST_GAP = 5,       /* sweeps from the first look at all classes to the next */
    FORGET = 3,          /* gaps after which a class that was no bargain is forgotten */
    RAISE = 2,           /* steps by which a scan looks ahead */
    PATIENT_REPAIRS = 4, /* tries to repair prices gently */
};

typedef struct pricing {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    double *exact;    /* [t] prices at work */
    uint32_t *prices; /* [t] the same, rounded down */
    mgl_cell_bargains bargains;
} pricing;

/* ---- Sweeps --------------------------------------------------------------------------- */

static void raise_all(pricing *p, double step)
{
    double most = p->closed->cap < p->space->top_cost ? p->closed->cap : p->space->top_cost;
    for (size_t t = 0; t < p->space->n; t++)
        p->exact[t] = p->exact[t] + step < most ? p->exact[t] + step : most;
}

/* Nearly sorted already: an insertion sort. */
static void sort_members(const pricing *p, uint32_t *members, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t t = members[i];
        size_t at = i;
        for (; at > 0 && p->exact[members[at - 1]] < p->exact[t]; at--)
            members[at] = members[at - 1];
        members[at] = t;
    }
}

/* If the class is a bargain, its best rows get cheaper until it is none: by the smallest
 * change, each tuple as much as it has rows among them. */
static bool take_back(pricing *p, const mgl_cell_bargain *b)
{
    const mgl_box_space *s = p->space;
    uint32_t *members = p->bargains.members + b->start;
    double cost = b->cost, worth = 0, squares = 0;
    uint64_t rows = 0;
    size_t n = 0;
    sort_members(p, members, b->n);
    for (; n < b->n; n++) {
        uint32_t t = members[n];
        double more = p->exact[t] - cost;
        if (more <= 0 && rows >= s->need)
            break;
        double taken = s->rows[t];
        if (more <= 0 && rows + s->rows[t] > s->need)
            taken = (double)(s->need - rows);
        worth += taken * more;
        squares += taken * taken / s->rows[t];
        rows += s->rows[t];
        if (worth <= 0)
            return false;
    }
    if (rows < s->need || worth <= 1)
        return false;
    uint64_t before = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t t = members[i];
        double taken = s->rows[t];
        if (p->exact[t] <= cost && before + s->rows[t] > s->need)
            taken = (double)(s->need - before);
        before += s->rows[t];
        p->exact[t] -= worth / squares * taken / s->rows[t];
    }
    return true;
}

static void round_down(pricing *p)
{
    for (size_t t = 0; t < p->space->n; t++)
        p->prices[t] = p->exact[t] > 0 ? (uint32_t)p->exact[t] : 0;
}

/* What rows cost beyond their own values, on average. */
static double mean_excess(const pricing *p)
{
    const mgl_box_space *s = p->space;
    uint8_t lowest[MGL_MOST_COLUMNS];
    double sum = 0;
    mgl_box_begin(s, lowest);
    for (uint32_t t = 0; t < s->n; t++)
        sum += s->rows[t] * (p->exact[t] - mgl_box_cost(s, lowest, t));
    return sum / (double)s->n_rows;
}

static mgl_status sweep(pricing *p, uint32_t sweeps, mgl_error *err)
{
    const mgl_problem *problem = p->space->problem;
    double step = FIRST_STEP * mean_excess(p);
    double shrink = pow(1 / (FIRST_STEP * sweeps), 1.0 / sweeps);
    uint32_t next = 0, gap = FIRST_GAP;
    for (uint32_t now = 0; now < sweeps; now++, step *= shrink) {
        raise_all(p, step);
        if (now == next) {
            uint32_t since = now > FORGET * gap ? now - FORGET * gap : 0;
            round_down(p);
            MGL_TRY(mgl_cell_scan(p->closed, p->prices, (uint32_t)(RAISE * step), now, err,
                                  &p->bargains));
            MGL_TRY(mgl_cell_bargains_tidy(&p->bargains, since, err));
            gap += gap / 3 + 1;
            next = now + gap;
            MGL_TRY(mgl_progress_report(problem->progress, "search", now, sweeps, err));
            if (mgl_problem_is_late(problem))
                break;
        }
        for (size_t i = 0; i < p->bargains.n; i++)
            if (take_back(p, &p->bargains.items[i]))
                p->bargains.items[i].found = now;
    }
    round_down(p);
    return MGL_OK;
}

/* ---- The proof --------------------------------------------------------------------------- */

/* Lowers the prices above the cost until the class is no bargain; gently: so that it just is
 * none, if its members are all that count. */
static void repair(pricing *p, const mgl_cell_bargain *b, bool gently)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->bargains.members + b->start;
    uint64_t above = 0, below = 0, rows = 0;
    for (size_t i = 0; gently && i < b->n; i++) {
        uint32_t t = members[i];
        if (p->prices[t] > b->cost) {
            above += (uint64_t)s->rows[t] * (p->prices[t] - b->cost);
            rows += s->rows[t];
        }
    }
    /* Members are in the order of prices as they were; others may have been lowered since,
     * which makes this sum too small, never too large: the next scan will tell. */
    for (size_t i = 0; gently && rows < s->need && i < b->n; i++) {
        uint32_t t = members[i];
        if (p->prices[t] > b->cost)
            continue;
        uint64_t taken = s->need - rows < s->rows[t] ? s->need - rows : s->rows[t];
        below += taken * (b->cost - p->prices[t]);
        rows += taken;
    }
    if (gently && above <= below)
        return;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t *price = &p->prices[members[i]];
        if (*price > b->cost)
            *price = b->cost + (gently ? (uint32_t)((double)(*price - b->cost) * (double)below /
                                                    (double)above * (1 - 0x1p-40))
                                       : 0);
    }
}

/* Lowering prices makes no other class a bargain, so this ends; and it ends with a look at all
 * classes that finds none, which is the proof. */
static mgl_status prove(pricing *p, mgl_error *err)
{
    for (int round = 0;; round++) {
        mgl_cell_bargains_free(&p->bargains);
        MGL_TRY(mgl_cell_scan(p->closed, p->prices, 0, 0, err, &p->bargains));
        if (p->bargains.n == 0)
            return MGL_OK;
        for (size_t i = 0; i < p->bargains.n; i++)
            repair(p, &p->bargains.items[i], round < PATIENT_REPAIRS);
    }
}

mgl_status mgl_cell_find_prices(const mgl_cell_closed *closed, uint32_t sweeps, uint32_t *prices,
                                mgl_error *err)
{
    const mgl_box_space *s = closed->space;
    pricing p = {.closed = closed, .space = s, .prices = prices};
    p.exact = mgl_alloc_array(s->n, sizeof *p.exact);
    mgl_status status = MGL_OK;
    if (p.exact == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t t = 0; t < s->n; t++) {
        prices[t] = prices[t] < closed->cap ? prices[t] : closed->cap;
        p.exact[t] = prices[t];
    }
    if (sweeps > 0 && mean_excess(&p) > 0)
        MGL_GO(sweep(&p, sweeps, err));
    MGL_GO(prove(&p, err));
done:
    mgl_cell_bargains_free(&p.bargains);
    mgl_free(p.exact);
    return status;
}

uint64_t mgl_cell_sum(const mgl_box_space *space, const uint32_t *prices)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < space->n; t++)
        sum += (uint64_t)space->rows[t] * prices[t];
    return sum;
}
