/* Finds dual values: all are raised a little, then those of the rows of negative classes are
 * lowered until the class is no longer negative, again and again, by ever smaller steps. */
#include "search/cell/bound/duals.h"

#include <math.h>

/* The first step, as a share of what an average row costs beyond its own values. The last one is
 * another share by the number of sweeps: many sweeps end with smaller steps. Large first steps come
 * nearer to the linear program, but make many classes negative, which takes time. */
#define FIRST_STEP 0.1
#define LAST_STEP 0.5

enum {
    FIRST_GAP = 5,       /* sweeps from the first look at all classes to the next */
    FORGET = 3,          /* gaps after which a class that was not negative is removed */
    RAISE = 2,           /* steps by which a scan looks ahead */
    PATIENT_REPAIRS = 4, /* tries to repair dual values gently */
};

typedef struct pricing {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    double *exact;   /* [t] dual values while they are found */
    uint32_t *duals; /* [t] the same, rounded down */
    mgl_cell_negatives negatives;
} pricing;

/* ---- Sweeps --------------------------------------------------------------------------- */

static void raise_all(pricing *p, double step)
{
    const uint32_t *most = p->closed->most;
    for (size_t t = 0; t < p->space->n; t++)
        p->exact[t] = p->exact[t] + step < most[t] ? p->exact[t] + step : most[t];
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

/* The best of a class: its dear members, whose dual value is above the cost, the first ones; and,
 * if these have too few rows, either one other, whole, or the rows of smaller ones. */
typedef struct choice {
    size_t n_dear, n; /* members up to here; those from n_dear on that are smaller than `wanted` */
    uint32_t single;  /* the one other; MGL_NOT_FOUND: there is none */
    uint64_t wanted;  /* rows that the dear ones lack */
    double worth;     /* all together, above what they cost */
    double squares;   /* of the rows that are taken, by those of the tuple */
} choice;

/* Fills up with one tuple, if that is better. */
static void choose_single(const pricing *p, const mgl_cell_negative *b, double dear, choice *out)
{
    const uint32_t *members = p->negatives.members + b->start;
    double least = dear - out->worth;
    for (size_t i = out->n_dear; i < b->n; i++) {
        uint32_t t = members[i], rows = p->space->rows[t];
        double loss = b->cost - p->exact[t];
        if ((double)out->wanted * loss >= least)
            break; /* others have lower dual values */
        if (rows < out->wanted || rows * loss >= least)
            continue;
        least = rows * loss;
        out->single = t;
    }
    out->worth = dear - least;
}

static void choose_small(const pricing *p, const mgl_cell_negative *b, choice *out)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t left = out->wanted;
    for (; left > 0 && out->n < b->n && out->worth > 0; out->n++) {
        uint32_t t = members[out->n];
        if (s->rows[t] >= out->wanted)
            continue;
        double taken = s->rows[t] < left ? s->rows[t] : (double)left;
        out->worth -= taken * (b->cost - p->exact[t]);
        out->squares += taken * taken / s->rows[t];
        left -= (uint64_t)taken;
    }
    if (left > 0)
        out->worth = 0;
}

static choice choose(pricing *p, const mgl_cell_negative *b)
{
    const mgl_box_space *s = p->space;
    uint32_t *members = p->negatives.members + b->start;
    choice out = {.single = MGL_NOT_FOUND};
    uint64_t rows = 0;
    sort_members(p, members, b->n);
    for (; out.n < b->n && p->exact[members[out.n]] > b->cost; out.n++) {
        uint32_t t = members[out.n];
        out.worth += s->rows[t] * (p->exact[t] - b->cost);
        rows += s->rows[t];
    }
    out.n_dear = out.n;
    out.squares = (double)rows;
    out.wanted = rows < s->need ? s->need - rows : 0;
    if (out.wanted == 0 || out.worth <= 0)
        return out;
    double dear = out.worth;
    choose_small(p, b, &out);
    choose_single(p, b, dear, &out);
    if (out.single != MGL_NOT_FOUND)
        out.squares = (double)(rows + s->rows[out.single]);
    return out;
}

/* If the class is negative, the dual values of its best rows are lowered until it is not: by the
 * smallest change, each tuple as much as it has rows among them. */
static bool take_back(pricing *p, const mgl_cell_negative *b)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    choice best = choose(p, b);
    if (best.worth <= 1)
        return false;
    double share = best.worth / best.squares;
    for (size_t i = 0; i < best.n_dear; i++)
        p->exact[members[i]] -= share;
    if (best.single != MGL_NOT_FOUND) {
        p->exact[best.single] -= share;
        return true;
    }
    uint64_t left = best.wanted;
    for (size_t i = best.n_dear; i < best.n; i++) {
        uint32_t t = members[i], rows = s->rows[t];
        if (rows >= best.wanted)
            continue;
        uint64_t taken = rows < left ? rows : left;
        p->exact[t] -= share * (double)taken / rows;
        left -= taken;
    }
    return true;
}

static void round_down(pricing *p)
{
    for (size_t t = 0; t < p->space->n; t++)
        p->duals[t] = p->exact[t] > 0 ? (uint32_t)p->exact[t] : 0;
}

/* What rows cost beyond their own values, on average over those that may cost more. */
static double mean_excess(const pricing *p)
{
    const mgl_box_space *s = p->space;
    uint8_t lowest[MGL_MOST_COLUMNS];
    double sum = 0, rows = 0;
    mgl_box_begin(s, lowest);
    for (uint32_t t = 0; t < s->n; t++) {
        if (p->exact[t] >= p->closed->most[t])
            continue;
        sum += s->rows[t] * (p->exact[t] - mgl_box_cost(s, lowest, t));
        rows += s->rows[t];
    }
    return rows > 0 ? sum / rows : 0;
}

static mgl_status sweep(pricing *p, uint32_t sweeps, mgl_error *err)
{
    const mgl_problem *problem = p->space->problem;
    double step = FIRST_STEP * mean_excess(p);
    double shrink = pow(LAST_STEP / (FIRST_STEP * sweeps), 1.0 / sweeps);
    uint32_t next = 0, gap = FIRST_GAP;
    for (uint32_t now = 0; now < sweeps; now++, step *= shrink) {
        raise_all(p, step);
        if (now == next) {
            uint32_t since = now > FORGET * gap ? now - FORGET * gap : 0;
            round_down(p);
            mgl_pricing_look ahead = {
                .raise = (uint32_t)(RAISE * step), .most = p->closed->most, .now = now};
            MGL_TRY(mgl_cell_scan(p->closed, p->duals, &ahead, err, &p->negatives));
            MGL_TRY(mgl_cell_negatives_tidy(&p->negatives, since, err));
            gap += gap / 3 + 1;
            next = now + gap;
            MGL_TRY(mgl_progress_report(problem->progress, "search", now, sweeps, err));
            if (mgl_problem_is_late(problem))
                break;
        }
        for (size_t i = 0; i < p->negatives.n; i++)
            if (take_back(p, &p->negatives.items[i]))
                p->negatives.items[i].found = now;
    }
    round_down(p);
    return MGL_OK;
}

/* ---- The proof --------------------------------------------------------------------------- */

/* What the rows that the dear members lack cost at least beyond their dual values, by the members;
 * 0 if they are too few. Members are in the order of dual values as they were; others may have been
 * lowered since, which makes this too small, never too large: the next scan finds such a class
 * again. */
static uint64_t cost_of_filling(const pricing *p, const mgl_cell_negative *b, uint64_t wanted)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t small = 0, left = wanted, single = UINT64_MAX;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t t = members[i], rows = s->rows[t];
        if (p->duals[t] > b->cost)
            continue;
        uint64_t loss = b->cost - p->duals[t], taken = rows < left ? rows : left;
        if (rows >= wanted) {
            single = rows * loss < single ? rows * loss : single;
            continue;
        }
        small += taken * loss;
        left -= taken;
    }
    small = left == 0 ? small : UINT64_MAX;
    uint64_t least = small < single ? small : single;
    return least < UINT64_MAX ? least : 0;
}

/* Lowers the dual values above the cost until the class is not negative; gently: so that its
 * reduced cost is just zero, if its members are all that count. */
static void repair(pricing *p, const mgl_cell_negative *b, bool gently)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t above = 0, rows = 0;
    for (size_t i = 0; gently && i < b->n; i++) {
        uint32_t t = members[i];
        if (p->duals[t] > b->cost) {
            above += (uint64_t)s->rows[t] * (p->duals[t] - b->cost);
            rows += s->rows[t];
        }
    }
    uint64_t below = gently && rows < s->need ? cost_of_filling(p, b, s->need - rows) : 0;
    if (gently && above <= below)
        return;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t *dual = &p->duals[members[i]];
        if (*dual > b->cost)
            *dual = b->cost + (gently ? (uint32_t)((double)(*dual - b->cost) * (double)below /
                                                   (double)above * (1 - 0x1p-40))
                                      : 0);
    }
}

/* Lowering dual values makes no other class negative, so this ends: with a look at all classes but
 * those of nodes where an earlier look found none, dual values being no higher since. That is the
 * proof. */
static mgl_status prove(pricing *p, mgl_error *err)
{
    size_t n_nodes = p->closed->nodes->n;
    uint8_t *open = mgl_alloc_array(n_nodes, sizeof *open);
    mgl_status status = MGL_OK;
    if (open == NULL)
        MGL_GO(mgl_fail_memory(err));
    memset(open, 1, n_nodes);
    for (int round = 0;; round++) {
        mgl_cell_negatives_free(&p->negatives);
        MGL_GO(mgl_cell_scan(p->closed, p->duals, &(mgl_pricing_look){.open = open}, err,
                             &p->negatives));
        if (p->negatives.n == 0)
            break;
        for (size_t i = 0; i < p->negatives.n; i++)
            repair(p, &p->negatives.items[i], round < PATIENT_REPAIRS);
    }
done:
    mgl_free(open);
    return status;
}

mgl_status mgl_cell_find_duals(const mgl_cell_closed *closed, uint32_t sweeps, uint32_t *duals,
                               mgl_error *err)
{
    const mgl_box_space *s = closed->space;
    pricing p = {.closed = closed, .space = s, .duals = duals};
    p.exact = mgl_alloc_array(s->n, sizeof *p.exact);
    mgl_status status = MGL_OK;
    if (p.exact == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t t = 0; t < s->n; t++) {
        duals[t] = duals[t] < closed->most[t] ? duals[t] : closed->most[t];
        p.exact[t] = duals[t];
    }
    if (sweeps > 0 && mean_excess(&p) > 0)
        MGL_GO(sweep(&p, sweeps, err));
    MGL_GO(prove(&p, err));
done:
    mgl_cell_negatives_free(&p.negatives);
    mgl_free(p.exact);
    return status;
}

uint64_t mgl_cell_sum(const mgl_box_space *space, const uint32_t *duals)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < space->n; t++)
        sum += (uint64_t)space->rows[t] * duals[t];
    return sum;
}
