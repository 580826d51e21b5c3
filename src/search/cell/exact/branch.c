/* Chooses classes that have each tuple once: by cuts, and by branching on whether two tuples are in
 * the same class. exact.c calls it once the classes are named. */
#include "search/cell/exact/inner.h"

#include <math.h>

#define FRACTION 1e-4

enum { MOST_ROUNDS = 30 }; /* of cuts at one branch */

/* ---- Closing and opening classes ---------------------------------------------------------- */

/* Basic columns that may not be chosen cost as much as what is lacking. */
static void set_costs(mgl_exact *x)
{
    mgl_lp *lp = &x->lp;
    for (size_t place = 0; place < lp->n_rows; place++) {
        uint32_t class = lp->basic[place];
        if (class == MGL_LP_LACK || (class < MGL_LP_OWN && x->candidates.closed[class] != 0))
            lp->cost[place] = lp->lack;
        else
            lp->cost[place] = class < MGL_LP_OWN ? (double)x->candidates.cost[class] : 0;
    }
    mgl_lp_reprice(lp);
}

static void open_again(mgl_exact *x, uint32_t depth)
{
    for (size_t c = 0; c < x->candidates.n; c++)
        if (x->candidates.closed[c] >= depth)
            x->candidates.closed[c] = 0;
}

/* Closes classes with one of the two tuples (together), or with both (not). */
static void close_pair(mgl_exact *x, uint32_t depth, uint32_t t, uint32_t u, bool together)
{
    mgl_exact_candidates *p = &x->candidates;
    for (size_t c = 0; c < p->n; c++) {
        unsigned n = 0;
        for (size_t i = p->start[c]; i < p->start[c + 1]; i++)
            n += p->members[i] == t || p->members[i] == u;
        if (p->closed[c] == 0 && n == (together ? 1 : 2))
            p->closed[c] = depth;
    }
    x->work += p->n > 0 ? p->start[p->n] : 0;
}

/* Closes classes that no release has that costs little enough. */
static void close_dear(mgl_exact *x, uint32_t depth, int64_t bound)
{
    mgl_exact_candidates *p = &x->candidates;
    if (depth == 1)
        x->first_bound = bound;
    for (size_t c = 0; c < p->n; c++) {
        if (p->closed[c] != 0)
            continue;
        int64_t lack = mgl_exact_lacks(x, c);
        if (depth == 1)
            p->lack[c] = lack;
        if (bound + lack >= x->upper - x->tolerance)
            p->closed[c] = depth;
    }
    x->work += p->n > 0 ? 2 * p->start[p->n] : 0;
}

/* ---- Choices -------------------------------------------------------------------------------- */

/* Takes the program's solution if it is a release, and the best so far. */
static void take_choice(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    mgl_exact_candidates *p = &x->candidates;
    uint32_t class_of[MGL_EXACT_MOST_TUPLES], n_classes = 0;
    uint64_t left_out = 0;
    int64_t cost = 0;
    for (size_t t = 0; t < s->n; t++)
        class_of[t] = MGL_NOT_FOUND;
    for (size_t place = 0; place < x->lp.n_rows; place++) {
        uint32_t class = x->lp.basic[place];
        if (class >= MGL_LP_OWN || x->lp.x[place] < 0.5)
            continue;
        n_classes += !p->left_out[class];
        for (size_t i = p->start[class]; i < p->start[class + 1]; i++) {
            if (class_of[p->members[i]] != MGL_NOT_FOUND)
                return;
            class_of[p->members[i]] = p->left_out[class] ? 0 : n_classes;
            left_out += p->left_out[class] ? s->rows[p->members[i]] : 0;
        }
        cost += p->cost[class];
    }
    for (size_t t = 0; t < s->n; t++)
        if (class_of[t] == MGL_NOT_FOUND)
            return;
    if (cost >= x->upper || left_out > x->limit)
        return;
    x->upper = cost;
    x->found = true;
    memcpy(x->best, class_of, s->n * sizeof *class_of);
    for (size_t c = 0; c < p->n; c++)
        if (x->first_bound + p->lack[c] >= x->upper - x->tolerance)
            p->closed[c] = 1;
}

/* Two tuples that are in one class about half and half. False if there are none. */
static bool find_pair(mgl_exact *x, uint32_t *t, uint32_t *u)
{
    const mgl_exact_candidates *p = &x->candidates;
    size_t n = x->space->n;
    double *shares = mgl_alloc_array(n, sizeof *shares), nearest = 1;
    if (shares == NULL) {
        x->gave_up = true;
        return false;
    }
    for (uint32_t first = 0; first < n; first++) {
        memset(shares, 0, n * sizeof *shares);
        for (size_t place = 0; place < x->lp.n_rows; place++) {
            uint32_t class = x->lp.basic[place];
            bool has = false;
            if (class >= MGL_LP_OWN || x->lp.x[place] < FRACTION)
                continue;
            for (size_t i = p->start[class]; !has && i < p->start[class + 1]; i++)
                has = p->members[i] == first;
            for (size_t i = p->start[class]; has && i < p->start[class + 1]; i++)
                shares[p->members[i]] += x->lp.x[place];
        }
        for (uint32_t second = first + 1; second < n; second++)
            if (shares[second] > FRACTION && shares[second] < 1 - FRACTION &&
                fabs(shares[second] - 0.5) < nearest - 1e-9) {
                nearest = fabs(shares[second] - 0.5);
                *t = first;
                *u = second;
            }
    }
    mgl_free(shares);
    return nearest < 1;
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* Does the solution have columns that may not be chosen? */
static bool is_lacking(const mgl_exact *x)
{
    for (size_t place = 0; place < x->lp.n_rows; place++) {
        uint32_t class = x->lp.basic[place];
        bool closed = class < MGL_LP_OWN && x->candidates.closed[class] != 0;
        if ((closed || class == MGL_LP_LACK) && x->lp.x[place] > FRACTION)
            return true;
    }
    return false;
}

/* The bound. It rises with what is lacking costs, if nothing can be chosen. */
static mgl_status find_bound(mgl_exact *x, mgl_error *err, int64_t *bound)
{
    do {
        set_costs(x);
        MGL_TRY(mgl_exact_optimize(x, err, bound));
        if (*bound >= x->upper - x->tolerance || mgl_exact_is_over(x) || !is_lacking(x))
            return MGL_OK;
    } while (mgl_exact_raise_lack(x));
    x->gave_up = true;
    return MGL_OK;
}

/* Raises the bound by cuts as long as that helps. True if nothing is left to look for. */
static mgl_status tighten(mgl_exact *x, uint32_t depth, mgl_error *err, bool *done)
{
    int64_t bound, before = INT64_MIN;
    for (int round = 0;; round++) {
        MGL_TRY(find_bound(x, err, &bound));
        mgl_exact_log_prices(x);
        take_choice(x);
        *done = bound >= x->upper - x->tolerance;
        if (*done || mgl_exact_is_over(x) || round == MOST_ROUNDS)
            return MGL_OK;
        close_dear(x, depth, bound);
        if (depth == 1 && !mgl_exact_candidates_shrink(&x->candidates, &x->lp))
            return mgl_fail_memory(err);
        int64_t open = x->upper - bound;
        if (round > 2 && bound - before < open / 50)
            return MGL_OK;
        before = bound;
        size_t added;
        MGL_TRY(mgl_exact_separate(x, err, &added));
        if (added == 0)
            return MGL_OK;
    }
}

static mgl_status branch(mgl_exact *x, uint32_t depth, mgl_error *err)
{
    bool done;
    uint32_t t = 0, u = 0;
    MGL_TRY(mgl_progress_report(x->space->problem->progress, "search", x->work + x->lp.work,
                                x->most_work, err));
    MGL_TRY(tighten(x, depth, err, &done));
    if (done || mgl_exact_is_over(x))
        return MGL_OK;
    if (!find_pair(x, &t, &u)) {
        x->gave_up = true; /* rounding: an integral solution that is no release */
        return MGL_OK;
    }
    x->branched = true;
    for (int together = 1; together >= 0; together--) {
        mgl_exact_log_pair(x, together ? MGL_STEP_TOGETHER : MGL_STEP_APART, t, u);
        close_pair(x, depth + 1, t, u, together);
        mgl_status status = branch(x, depth + 1, err);
        open_again(x, depth + 1);
        MGL_TRY(status);
    }
    mgl_exact_log_pair(x, MGL_STEP_END, t, u);
    return MGL_OK;
}

mgl_status mgl_exact_branch(mgl_exact *x, mgl_error *err)
{
    x->first_bound = INT64_MIN / 2;
    x->branched = false;
    x->lp.lack = (double)x->upper;
    mgl_exact_log_begin(x);
    return branch(x, 1, err);
}
