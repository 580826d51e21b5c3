/* Names the classes that a release can have. A release that costs little more than its prices has
 * only classes that do, and these are few enough to name them all. A class that is two classes at
 * once is not needed: apart they cost no more. steps.c calls it. */
#include "proof/checks.h"

#include <stdlib.h>

enum { MOST_CLASSES = 4000000 };

#define NEVER ((mgl_proof_sum)1 << 120)

typedef struct namer {
    const mgl_proof *proof;
    const mgl_proof_whole *whole;
    const mgl_proof_step *base; /* prices that no class exceeds */
    mgl_proof_sum gap;
    mgl_proof_demand demand;
    mgl_proof_walk walk;
    mgl_proof_candidates *candidates;
    uint64_t *overpriced;
    uint32_t *chosen; /* [n] the class in the making */
    bool above;       /* the box is the top, above the highest levels */
    bool out_of_memory;
} namer;

void mgl_proof_candidates_free(mgl_proof_candidates *candidates)
{
    mgl_free(candidates->cost);
    mgl_free(candidates->start);
    mgl_free(candidates->members);
    mgl_free(candidates->left_out);
    mgl_free(candidates->closed);
}

static bool add(mgl_proof_candidates *p, const uint32_t *tuples, size_t n, mgl_proof_sum cost,
                bool left_out)
{
    size_t at = p->n > 0 ? p->start[p->n] : 0;
    if (!mgl_grow(&p->cost, &p->cost_room, p->n + 1, sizeof *p->cost) ||
        !mgl_grow(&p->start, &p->start_room, p->n + 2, sizeof *p->start) ||
        !mgl_grow(&p->members, &p->members_room, at + n, sizeof *p->members) ||
        !mgl_grow(&p->left_out, &p->left_out_room, p->n + 1, sizeof *p->left_out) ||
        !mgl_grow(&p->closed, &p->closed_room, p->n + 1, sizeof *p->closed))
        return false;
    memcpy(p->members + at, tuples, n * sizeof *tuples);
    p->cost[p->n] = cost;
    p->left_out[p->n] = left_out;
    p->closed[p->n] = 0;
    p->start[p->n++] = at;
    p->start[p->n] = at + n;
    return true;
}

static void keep(namer *k, const uint32_t *tuples, size_t n, mgl_proof_sum cost, mgl_proof_sum lack,
                 bool left_out)
{
    *k->overpriced += lack < 0;
    k->out_of_memory = k->out_of_memory || !add(k->candidates, tuples, n, cost, left_out);
    if (k->candidates->n > MOST_CLASSES && k->walk.status == MGL_OK)
        k->walk.status =
            mgl_blame_key(k->walk.err,
                          mgl_fail(k->walk.err, MGL_CODE_UNPROVED,
                                   "the proof was not checked: it has more classes than are named"),
                          "proof");
}

/* ---- What classes lack ------------------------------------------------------------- */

static mgl_proof_sum cost_of(const namer *k, uint64_t rows, int64_t cost)
{
    return (mgl_proof_sum)rows * cost * k->proof->exact->times;
}

static mgl_proof_sum lack_of(const namer *k, uint32_t t, int64_t cost)
{
    return cost_of(k, k->proof->counts[t], cost) - k->base->prices[t];
}

/* The least that is lacking if some of these are taken, with so many rows or more. Tuples come in
 * the order of the prices of their rows, the dearest first. */
static mgl_proof_sum least_lack(const namer *k, const uint32_t *tuples, size_t n, uint64_t more,
                                int64_t cost)
{
    mgl_proof_sum sum = 0;
    for (size_t i = 0; i < n; i++) {
        mgl_proof_sum lack = lack_of(k, tuples[i], cost);
        uint64_t rows = k->proof->counts[tuples[i]];
        if (lack >= 0 && more == 0)
            break;
        if (lack >= 0 && rows > more) {
            sum += lack / (mgl_proof_sum)rows * (mgl_proof_sum)more;
            more = 0;
        } else {
            sum += lack;
            more -= rows < more ? rows : more;
        }
    }
    return more > 0 ? NEVER : sum;
}

static bool matters(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    namer *k = context;
    return mgl_proof_can_hold(&k->demand, tuples, n) &&
           least_lack(k, tuples, n, k->demand.rows, cost) <= k->gap;
}

/* ---- One box ----------------------------------------------------------------------- */

int64_t mgl_proof_least_cost(const mgl_proof *p, const mgl_proof_whole *whole, size_t a,
                             const uint32_t *tuples, size_t n)
{
    int64_t least = -1;
    for (uint32_t l = p->columns[a].low; l <= p->columns[a].high; l++)
        if (mgl_proof_read_alike(p, a, l, tuples, n)) {
            int64_t cost = whole->of[a][mgl_proof_value_of(p, tuples[0], a, l)];
            least = least < 0 || cost < least ? cost : least;
        }
    return least;
}

/* Does no other box have the chosen tuples for less? */
static bool is_cheapest(const namer *k, size_t n, int64_t cost)
{
    int64_t sum = 0;
    for (size_t a = 0; a < k->proof->n_columns; a++) {
        int64_t least = mgl_proof_least_cost(k->proof, k->whole, a, k->chosen, n);
        if (least < 0)
            return true; /* they are only in the top */
        sum += least;
    }
    return sum >= cost && !(k->above && sum == cost);
}

/* Is the class two classes at once? It is if it has rows enough for two however they lie in tuples,
 * or if one tuple and the others each have enough. */
static bool is_divisible(uint64_t rows, uint64_t largest, uint64_t need)
{
    return rows + 1 >= 2 * need + largest || (largest >= need && rows - largest >= need);
}

/* The tuples that are chosen so far. */
typedef struct choice {
    size_t n;
    uint64_t rows;
    uint64_t largest; /* rows of one tuple */
    mgl_proof_sum lack;
} choice;

static void name(namer *k, const uint32_t *tuples, size_t n, choice so_far, int64_t cost)
{
    uint64_t need = k->demand.rows, rows = so_far.rows;
    mgl_proof_sum lack = so_far.lack;
    if (rows >= need && lack <= k->gap && is_cheapest(k, so_far.n, cost) &&
        mgl_proof_can_hold(&k->demand, k->chosen, so_far.n))
        keep(k, k->chosen, so_far.n, cost_of(k, rows, cost), lack, false);
    for (size_t i = 0; i < n && !mgl_proof_walk_is_over(&k->walk, 1); i++) {
        uint64_t r = k->proof->counts[tuples[i]], then = rows + r;
        uint64_t larger = r > so_far.largest ? r : so_far.largest;
        mgl_proof_sum with = lack + lack_of(k, tuples[i], cost);
        if (lack + least_lack(k, tuples + i, n - i, rows < need ? need - rows : 0, cost) > k->gap)
            return;
        if (!k->demand.looks && is_divisible(then, larger, need))
            continue;
        if (with + least_lack(k, tuples + i + 1, n - i - 1, then < need ? need - then : 0, cost) >
            k->gap)
            continue;
        k->chosen[so_far.n] = tuples[i];
        name(k, tuples + i + 1, n - i - 1, (choice){so_far.n + 1, then, larger, with}, cost);
    }
}

static bool is_exempt(const mgl_proof *p)
{
    return strcmp(p->treatment, "exempt") == 0;
}

/* Rows that read as the top are no class if they are exempt. */
static bool reads_as_top(const mgl_proof *p, const uint32_t *values)
{
    for (size_t a = 0; a < p->n_columns; a++)
        if (values[a] != p->columns[a].value[p->columns[a].height][0])
            return false;
    return true;
}

static void visit(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    namer *k = context;
    for (size_t a = 0; a < k->proof->n_columns; a++)
        if (mgl_proof_is_nothing_new(&k->walk, a, k->walk.levels[a], tuples, n))
            return;
    if (!is_exempt(k->proof) || !reads_as_top(k->proof, k->walk.values))
        name(k, tuples, n, (choice){0}, cost);
}

bool mgl_proof_keeps_suppressed(const mgl_proof *p)
{
    return strcmp(p->treatment, "keep") == 0 && p->limit > 0;
}

/* Suppressed rows that are kept are a class at the top, whatever the highest levels are. */
static void visit_above(namer *k, const uint32_t *order)
{
    const mgl_proof *p = k->proof;
    bool bounded = false;
    for (size_t a = 0; a < p->n_columns; a++)
        bounded = bounded || p->columns[a].high < p->columns[a].height;
    k->above = true;
    if (bounded && mgl_proof_keeps_suppressed(p) && matters(k, order, p->n_tuples, k->whole->top))
        name(k, order, p->n_tuples, (choice){0}, k->whole->top);
    k->above = false;
}

/* ---- Rows left out ----------------------------------------------------------------- */

uint64_t mgl_proof_most_left_out(const mgl_proof *p)
{
    if (strcmp(p->treatment, "keep") == 0)
        return 0;
    return p->limit < p->n_rows ? p->limit : p->n_rows - 1;
}

/* A tuple that holds as a class by itself costs no more alone. */
static bool is_class_alone(namer *k, uint32_t t)
{
    const mgl_proof *p = k->proof;
    for (size_t a = 0; a < p->n_columns; a++)
        k->walk.values[a] = mgl_proof_value_of(p, t, a, p->columns[a].low);
    return mgl_proof_can_hold(&k->demand, &t, 1) &&
           !(is_exempt(p) && reads_as_top(p, k->walk.values));
}

static void name_left_out(namer *k)
{
    const mgl_proof *p = k->proof;
    uint64_t most = mgl_proof_most_left_out(p);
    for (uint32_t t = 0; t < p->n_tuples; t++) {
        mgl_proof_sum cost = cost_of(k, p->counts[t], k->whole->top);
        mgl_proof_sum lack =
            cost - k->base->prices[t] + (mgl_proof_sum)p->counts[t] * (mgl_proof_sum)k->base->left;
        if (p->counts[t] <= most && lack <= k->gap && !is_class_alone(k, t))
            keep(k, &t, 1, cost, lack, true);
    }
}

/* ---- All --------------------------------------------------------------------------- */

typedef struct ranked {
    mgl_proof_sum price;
    uint64_t rows;
    uint32_t tuple;
} ranked;

/* By the prices of rows, the dearest first. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    mgl_proof_sum left = x->price * (mgl_proof_sum)y->rows;
    mgl_proof_sum right = y->price * (mgl_proof_sum)x->rows;
    if (left != right)
        return left > right ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static bool sort_by_price(const namer *k, uint32_t *order)
{
    size_t n = k->proof->n_tuples;
    ranked *items = mgl_alloc_array(n, sizeof *items);
    for (uint32_t t = 0; items != NULL && t < n; t++)
        items[t] = (ranked){k->base->prices[t], k->proof->counts[t], t};
    if (items != NULL)
        qsort(items, n, sizeof *items, compare_ranked);
    for (size_t i = 0; items != NULL && i < n; i++)
        order[i] = items[i].tuple;
    mgl_free(items);
    return items != NULL;
}

static mgl_status look(namer *k, uint32_t *order, mgl_error *err)
{
    MGL_TRY(mgl_proof_demand_init(&k->demand, k->proof, err));
    MGL_TRY(mgl_proof_walk_begin(&k->walk));
    if (!sort_by_price(k, order))
        return mgl_fail_memory(err);
    mgl_proof_walk_go(&k->walk, order, k->proof->n_tuples);
    visit_above(k, order);
    name_left_out(k);
    return k->out_of_memory ? mgl_fail_memory(err) : k->walk.status;
}

mgl_status mgl_proof_name_classes(const mgl_proof *p, const mgl_proof_whole *whole,
                                  mgl_proof_sum gap, const mgl_progress *progress, mgl_error *err,
                                  mgl_proof_candidates *out, uint64_t *overpriced)
{
    namer k = {.proof = p,
               .whole = whole,
               .base = &p->exact->steps[0],
               .gap = gap,
               .candidates = out,
               .overpriced = overpriced};
    k.walk = (mgl_proof_walk){.proof = p,
                              .cost = whole->of,
                              .matters = matters,
                              .visit = visit,
                              .context = &k,
                              .progress = progress,
                              .err = err};
    uint32_t *order = mgl_alloc_array(p->n_tuples, sizeof *order);
    k.chosen = mgl_alloc_array(p->n_tuples, sizeof *k.chosen);
    mgl_status status =
        order == NULL || k.chosen == NULL ? mgl_fail_memory(err) : look(&k, order, err);
    mgl_proof_walk_end(&k.walk);
    mgl_proof_demand_free(&k.demand);
    mgl_free(order);
    mgl_free(k.chosen);
    return status;
}
