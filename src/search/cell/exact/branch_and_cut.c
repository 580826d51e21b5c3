/* Branch and cut: chooses classes that have each tuple once, by cuts, and by branching on whether
 * two tuples are in the same class. */
#include "search/cell/exact/inner.h"

#include <math.h>
#include <stdlib.h>

/* Finds cuts: odd sets of tuples of which the solution of the linear program covers too many
 * pairs. */

enum {
    AT_ONCE = 40,  /* cuts added at a time */
    PER_TUPLE = 3, /* of these, with the same tuple */
    MOST_FOUND = 4000
};

#define FRACTION 1e-4 /* values this near to 0 or 1 are taken for that */
#define VIOLATED 0.02

mgl_status mgl_exact_cuts_init(mgl_exact_cuts *cuts, size_t n_tuples, mgl_error *err)
{
    cuts->n = 0;
    cuts->start = mgl_own_zeroed(&cuts->own, n_tuples + 1, sizeof *cuts->start);
    cuts->of =
        mgl_own_array(&cuts->own, MGL_EXACT_MOST_CUTS * MGL_EXACT_CUT_SIZE, sizeof *cuts->of);
    cuts->hits = mgl_own_zeroed(&cuts->own, MGL_EXACT_MOST_CUTS, 1);
    cuts->touched = mgl_own_array(&cuts->own, MGL_EXACT_MOST_CUTS, sizeof *cuts->touched);
    return mgl_owned_check(&cuts->own, err);
}

void mgl_exact_cuts_free(mgl_exact_cuts *cuts)
{
    mgl_owned_free(&cuts->own);
}

/* The cuts of each tuple. */
static void index_cuts(mgl_exact_cuts *c, size_t n_tuples)
{
    memset(c->start, 0, (n_tuples + 1) * sizeof *c->start);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->cuts[i].n; j++)
            c->start[c->cuts[i].tuples[j] + 1]++;
    for (size_t t = 0; t < n_tuples; t++)
        c->start[t + 1] += c->start[t];
    for (size_t i = c->n; i-- > 0;)
        for (size_t j = 0; j < c->cuts[i].n; j++)
            c->of[--c->start[c->cuts[i].tuples[j] + 1]] = (uint32_t)i;
    /* Filling moved each start to that of the tuple before. */
    memmove(c->start, c->start + 1, n_tuples * sizeof *c->start);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->cuts[i].n;
    c->start[n_tuples] = (uint32_t)n;
}

/* Forgets cuts that hold anyway. */
static void exact_forget_cuts(mgl_exact *x)
{
    mgl_exact_cuts *c = &x->cuts;
    bool kept[MGL_EXACT_MOST_CUTS];
    size_t n = 0;
    mgl_lp_drop_sums(&x->lp, x->space->n + x->may_leave_out, kept);
    for (size_t i = 0; i < c->n; i++)
        if (kept[i])
            c->cuts[n++] = c->cuts[i];
    c->n = n;
    index_cuts(c, x->space->n);
}

typedef struct finder {
    mgl_exact *x;
    uint32_t *classes; /* [n_classes] that are chosen by a fraction */
    double *shares;    /* [n_classes] */
    size_t n_classes;
    uint32_t *tuples; /* [n] of these classes */
    uint32_t *number; /* [n_tuples] place among these, or MGL_NOT_FOUND */
    size_t n;
    double *together; /* [n * n] how far two tuples are in one class */
    uint8_t *in;      /* [n_tuples] 1: in the current set */
    struct found_cut {
        double violation;
        mgl_exact_cut cut;
    } * found;
    size_t n_found;
    mgl_owned own;
} finder;

static bool gather(finder *f)
{
    const mgl_exact *x = f->x;
    const mgl_exact_candidates *p = &x->candidates;
    size_t n_tuples = x->space->n;
    f->classes = mgl_own_array(&f->own, x->lp.n_rows, sizeof *f->classes);
    f->shares = mgl_own_array(&f->own, x->lp.n_rows, sizeof *f->shares);
    f->tuples = mgl_own_array(&f->own, n_tuples, sizeof *f->tuples);
    f->number = mgl_own_array(&f->own, n_tuples, sizeof *f->number);
    f->in = mgl_own_zeroed(&f->own, n_tuples, 1);
    f->found = mgl_own_array(&f->own, MOST_FOUND, sizeof *f->found);
    if (f->own.missing)
        return false;
    for (size_t t = 0; t < n_tuples; t++)
        f->number[t] = MGL_NOT_FOUND;
    for (size_t place = 0; place < x->lp.n_rows; place++) {
        uint32_t class = x->lp.basic[place];
        if (class >= MGL_LP_OWN || x->lp.x[place] < FRACTION || x->lp.x[place] > 1 - FRACTION)
            continue;
        f->classes[f->n_classes] = class;
        f->shares[f->n_classes++] = x->lp.x[place];
        for (size_t i = p->start[class]; i < p->start[class + 1]; i++)
            if (f->number[p->members[i]] == MGL_NOT_FOUND) {
                f->number[p->members[i]] = (uint32_t)f->n;
                f->tuples[f->n++] = p->members[i];
            }
    }
    f->together = mgl_own_zeroed(&f->own, f->n * f->n + 1, sizeof *f->together);
    if (f->together == NULL)
        return false;
    for (size_t c = 0; c < f->n_classes; c++)
        for (size_t i = p->start[f->classes[c]]; i < p->start[f->classes[c] + 1]; i++)
            for (size_t j = p->start[f->classes[c]]; j < p->start[f->classes[c] + 1]; j++)
                if (i != j)
                    f->together[f->number[p->members[i]] * f->n + f->number[p->members[j]]] +=
                        f->shares[c];
    return true;
}

static void insert(mgl_exact_cut *cut, uint32_t t)
{
    size_t at = cut->n++;
    for (; at > 0 && cut->tuples[at - 1] > t; at--)
        cut->tuples[at] = cut->tuples[at - 1];
    cut->tuples[at] = t;
}

/* Takes the set with the marked tuples if it is violated. */
static bool examine(finder *f, const mgl_exact_cut *cut)
{
    const mgl_exact_candidates *p = &f->x->candidates;
    double pairs = 0;
    for (size_t c = 0; c < f->n_classes; c++) {
        unsigned n = 0;
        for (size_t i = p->start[f->classes[c]]; i < p->start[f->classes[c] + 1]; i++)
            n += f->in[p->members[i]];
        size_t whole = n / 2;
        pairs += (double)whole * f->shares[c];
    }
    f->x->work += 4 * f->n_classes;
    size_t most = cut->n / 2;
    double violation = pairs - (double)most;
    if (violation < VIOLATED || f->n_found == MOST_FOUND)
        return false;
    f->found[f->n_found++] = (struct found_cut){violation, *cut};
    return true;
}

static void find_triples(finder *f)
{
    size_t n = f->n;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            double first = f->together[a * n + b];
            for (uint32_t c = b + 1; first > 0 && c < n; c++) {
                if (first + f->together[a * n + c] + f->together[b * n + c] < 1 + VIOLATED)
                    continue;
                mgl_exact_cut cut = {0};
                insert(&cut, f->tuples[a]);
                insert(&cut, f->tuples[b]);
                insert(&cut, f->tuples[c]);
                for (size_t i = 0; i < 3; i++)
                    f->in[cut.tuples[i]] = 1;
                examine(f, &cut);
                for (size_t i = 0; i < 3; i++)
                    f->in[cut.tuples[i]] = 0;
            }
        }
}

/* The tuple that is most together with the set; n: none is. */
static size_t find_next(const finder *f, const mgl_exact_cut *cut)
{
    size_t best = f->n;
    double most = 0;
    for (size_t t = 0; t < f->n; t++) {
        double sum = 0;
        for (size_t i = 0; !f->in[f->tuples[t]] && i < cut->n; i++)
            sum += f->together[t * f->n + f->number[cut->tuples[i]]];
        if (sum > most + 1e-9) {
            best = t;
            most = sum;
        }
    }
    return best;
}

/* From each pair on, the tuple most together with the set joins it. */
static void find_larger(finder *f)
{
    for (uint32_t a = 0; a < f->n; a++)
        for (uint32_t b = 0; b < f->n; b++) {
            if (a == b || f->together[a * f->n + b] <= 0)
                continue;
            mgl_exact_cut cut = {0};
            bool taken = false;
            insert(&cut, f->tuples[a]);
            insert(&cut, f->tuples[b]);
            f->in[f->tuples[a]] = f->in[f->tuples[b]] = 1;
            while (!taken && cut.n < MGL_EXACT_CUT_SIZE) {
                size_t next = find_next(f, &cut);
                if (next == f->n)
                    break;
                insert(&cut, f->tuples[next]);
                f->in[f->tuples[next]] = 1;
                f->x->work += f->n * cut.n;
                taken = cut.n % 2 == 1 && examine(f, &cut);
            }
            for (size_t i = 0; i < cut.n; i++)
                f->in[cut.tuples[i]] = 0;
        }
}

static int compare_found(const void *a, const void *b)
{
    const struct found_cut *x = a, *y = b;
    if (x->violation != y->violation)
        return x->violation > y->violation ? -1 : 1;
    return memcmp(&x->cut, &y->cut, sizeof x->cut);
}

static bool is_known(const mgl_exact_cuts *cuts, const mgl_exact_cut *cut)
{
    for (size_t i = 0; i < cuts->n; i++)
        if (memcmp(&cuts->cuts[i], cut, sizeof *cut) == 0)
            return true;
    return false;
}

/* The most violated ones, not too many with the same tuple. */
static size_t take(finder *f)
{
    mgl_exact *x = f->x;
    mgl_exact_cuts *c = &x->cuts;
    size_t added = 0;
    qsort(f->found, f->n_found, sizeof *f->found, compare_found);
    for (size_t i = 0; i < f->n_found && added < AT_ONCE && c->n < MGL_EXACT_MOST_CUTS; i++) {
        const mgl_exact_cut *cut = &f->found[i].cut;
        bool room = true;
        for (size_t j = 0; j < cut->n; j++)
            room = room && f->in[cut->tuples[j]] < PER_TUPLE;
        if (!room || is_known(c, cut))
            continue;
        for (size_t j = 0; j < cut->n; j++)
            f->in[cut->tuples[j]]++;
        c->cuts[c->n++] = *cut;
        index_cuts(c, x->space->n);
        size_t most = cut->n / 2;
        mgl_lp_add_sum(&x->lp, (double)most);
        added++;
    }
    return added;
}

/* Adds cuts that the program's solution violates, to the program as well. */
static mgl_status separate(mgl_exact *x, mgl_error *err, size_t *added)
{
    finder f = {.x = x};
    exact_forget_cuts(x);
    bool room = gather(&f);
    *added = 0;
    if (room) {
        find_triples(&f);
        if (f.n_found < AT_ONCE / 4)
            find_larger(&f);
        x->work += f.n * f.n * f.n / 8;
        *added = take(&f);
    }
    mgl_owned_free(&f.own);
    return room ? MGL_OK : mgl_fail_memory(err);
}

enum { MOST_ROUNDS = 30 }; /* of cuts at one branch */

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
    mgl_lp_find_duals(lp);
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
        mgl_exact_log_duals(x);
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
        MGL_TRY(separate(x, err, &added));
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
        for (size_t c = 0; c < x->candidates.n; c++) /* opened again */
            if (x->candidates.closed[c] > depth)
                x->candidates.closed[c] = 0;
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
