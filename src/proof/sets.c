/* Finds out for few tuples what each set of them costs as a class, and the cheapest way to divide
 * them all. A bound that is found so needs no steps. steps.c calls it when it checks, saving a
 * certificate when it makes one. */
#include "proof/checks.h"

#include <math.h>

#define NONE ((mgl_proof_sum)1 << 120)
#define MOST_BOUND 0x1p61

enum { REPORT_SETS = 1 << 12 };

/* A set has a bit for each of its tuples. */
typedef struct sets {
    const mgl_proof *proof;
    const mgl_proof_whole *whole;
    mgl_proof_demand demand;
    mgl_proof_sum *cost; /* [set] as a class; NONE: it is none */
    mgl_proof_sum *gone; /* [set] the least that the other tuples cost; NONE: there is no way */
    mgl_proof_sum alone[MGL_PROOF_FEW]; /* what a tuple costs at least, whatever class it is in */
    uint32_t all;
} sets;

static size_t list_tuples(uint32_t set, uint32_t tuples[MGL_PROOF_FEW])
{
    size_t n = 0;
    for (; set != 0; set &= set - 1)
        tuples[n++] = (uint32_t)__builtin_ctz(set);
    return n;
}

static uint64_t count_rows(const mgl_proof *p, uint32_t set)
{
    uint64_t rows = 0;
    for (; set != 0; set &= set - 1)
        rows += p->counts[__builtin_ctz(set)];
    return rows;
}

/* ---- Classes ----------------------------------------------------------------------- */

/* Do the tuples, for this cost, have only the top in common in this column? */
static bool is_top(const sets *k, size_t a, int64_t least, const uint32_t *tuples, size_t n)
{
    const mgl_proof_column *x = &k->proof->columns[a];
    uint32_t top = x->value[x->height][0];
    for (uint32_t l = x->low; l <= x->high; l++) {
        uint32_t v = mgl_proof_value_of(k->proof, tuples[0], a, l);
        if (v != top && k->whole->of[a][v] == least &&
            mgl_proof_read_alike(k->proof, a, l, tuples, n))
            return false;
    }
    return true;
}

/* What a row costs in the cheapest box around the tuples; -1: they are no class. Kept rows
 * that are suppressed are a class at the top; exempt rows there are none. */
static int64_t row_cost(const sets *k, const uint32_t *tuples, size_t n)
{
    const mgl_proof *p = k->proof;
    bool keep = mgl_proof_keeps_suppressed(p);
    bool exempt = strcmp(p->treatment, "exempt") == 0;
    bool top = true;
    int64_t sum = 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        int64_t least = mgl_proof_least_cost(p, k->whole, a, tuples, n);
        if (least < 0)
            return keep ? k->whole->top : -1;
        top = top && exempt && is_top(k, a, least, tuples, n);
        sum += least;
    }
    if (exempt && top)
        return -1;
    return keep && k->whole->top < sum ? k->whole->top : sum;
}

static void price_set(sets *k, uint32_t set, uint64_t *classes)
{
    uint32_t tuples[MGL_PROOF_FEW];
    size_t n = list_tuples(set, tuples);
    bool holds = mgl_proof_can_hold(&k->demand, tuples, n);
    int64_t cost = holds ? row_cost(k, tuples, n) : -1;
    k->cost[set] = cost < 0 ? NONE : (mgl_proof_sum)cost * count_rows(k->proof, set);
    *classes += cost >= 0;
    for (size_t i = 0; cost >= 0 && i < n; i++) {
        mgl_proof_sum own = (mgl_proof_sum)cost * k->proof->counts[tuples[i]];
        if (own < k->alone[tuples[i]])
            k->alone[tuples[i]] = own;
    }
}

/* The least that the tuples of the set cost. */
static mgl_proof_sum cost_at_least(const sets *k, uint32_t set)
{
    mgl_proof_sum sum = 0;
    for (; set != 0; set &= set - 1)
        sum += k->alone[__builtin_ctz(set)];
    return sum;
}

/* ---- Divisions --------------------------------------------------------------------- */

/* At first only the tuples that are left out are gone. */
static void leave_out(sets *k)
{
    const mgl_proof *p = k->proof;
    for (uint32_t left = 1; left <= k->all; left++) {
        uint64_t out = count_rows(p, k->all & ~left);
        bool may = out <= mgl_proof_most_left_out(p);
        k->gone[left] = may ? (mgl_proof_sum)out * k->whole->top : NONE;
    }
}

/* Every class of the first tuple that is left may go next. */
static void take_classes(sets *k, uint32_t left)
{
    uint32_t first = left & -left, others = left ^ first;
    mgl_proof_sum gone = k->gone[left];
    for (uint32_t some = others;; some = (some - 1) & others) {
        mgl_proof_sum cost = gone + k->cost[first | some];
        if (cost < k->gone[others & ~some])
            k->gone[others & ~some] = cost;
        if (some == 0)
            return;
    }
}

static mgl_status run(sets *k, const mgl_progress *progress, mgl_error *err, uint64_t *classes)
{
    MGL_TRY(mgl_proof_demand_init(&k->demand, k->proof, err));
    for (size_t t = 0; t < k->proof->n_tuples; t++)
        k->alone[t] = (mgl_proof_sum)k->whole->top * k->proof->counts[t];
    for (uint32_t set = 1; set <= k->all; set++)
        price_set(k, set, classes);
    leave_out(k);
    for (uint32_t left = k->all; left > 0; left--) {
        if (left % REPORT_SETS == 0)
            MGL_TRY(mgl_progress_report(progress, "check", k->all - left, k->all, err));
        if (k->gone[left] + cost_at_least(k, left) < k->gone[0])
            take_classes(k, left);
    }
    return MGL_OK;
}

mgl_status mgl_proof_try_sets(const mgl_proof *p, const mgl_proof_whole *whole, mgl_proof_sum most,
                              const mgl_progress *progress, mgl_error *err, mgl_proof_sum *least,
                              uint64_t *classes)
{
    mgl_proof_sum top = (mgl_proof_sum)p->n_rows * whole->top;
    size_t n = (size_t)1 << p->n_tuples;
    sets k = {.proof = p,
              .whole = whole,
              .cost = mgl_alloc_array(n, sizeof *k.cost),
              .gone = mgl_alloc_array(n, sizeof *k.gone),
              .all = (uint32_t)(n - 1)};
    bool room = k.cost != NULL && k.gone != NULL;
    *classes = 0;
    if (room)
        k.gone[0] = top < most ? top : most; /* all rows at the top are a release, too */
    mgl_status status = room ? run(&k, progress, err, classes) : mgl_fail_memory(err);
    *least = status == MGL_OK ? k.gone[0] : 0;
    mgl_proof_demand_free(&k.demand);
    mgl_free(k.cost);
    mgl_free(k.gone);
    return status;
}

/* ---- For a certificate ------------------------------------------------------------- */

/* In whole numbers, or rounded ones. */
static mgl_status find_whole(const mgl_proof *p, mgl_error *err, mgl_proof_whole *out,
                             bool *rounded)
{
    *rounded = false;
    MGL_TRY(mgl_proof_whole_find(p, false, err, out));
    if (out->known)
        return MGL_OK;
    mgl_proof_whole_free(out, p->n_columns);
    *rounded = true;
    return mgl_proof_whole_find(p, true, err, out);
}

/* A little more than any release costs that is as good. */
static mgl_proof_sum whole_cost(const mgl_proof *p, const mgl_proof_whole *whole, double value)
{
    double cost = mgl_proof_cost(p, value) * mgl_proof_total(p) / whole->unit;
    return cost > 0 && cost < MOST_BOUND ? (mgl_proof_sum)ceil(cost * (1 + 1e-9)) + 1 : 0;
}

mgl_status mgl_proof_divide(const mgl_proof *p, double value, const mgl_progress *progress,
                            mgl_error *err, bool *found, mgl_proof_exact *out)
{
    mgl_proof_whole whole;
    mgl_proof_sum least = 0;
    uint64_t classes;
    *out = (mgl_proof_exact){.sets = true, .times = 1, .step = 1};
    *found = false;
    if (p->n_tuples > MGL_PROOF_FEW)
        return MGL_OK;
    mgl_status status = find_whole(p, err, &whole, &out->rounded);
    if (status == MGL_OK && whole.known)
        status = mgl_proof_try_sets(p, &whole, whole_cost(p, &whole, value), progress, err, &least,
                                    &classes);
    mgl_proof_whole_free(&whole, p->n_columns);
    *found = least > 0;
    out->bound = (int64_t)least;
    return status;
}
