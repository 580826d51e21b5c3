/* Names all classes that can be in a best release. */
#include "search/cell/exact/inner.h"

#include <stdlib.h>

enum { MOST_CLASSES = 1100000, MOST_MEMBERS = 16000000, STEP_WORK = 8, GAIN_TABLES = 256 };

void mgl_exact_candidates_free(mgl_exact_candidates *candidates)
{
    mgl_free(candidates->cost);
    mgl_free(candidates->start);
    mgl_free(candidates->members);
    mgl_free(candidates->closed);
    mgl_free(candidates->left_out);
    mgl_free(candidates->lack);
    *candidates = (mgl_exact_candidates){0};
}

bool mgl_exact_candidates_add(mgl_exact_candidates *p, const uint32_t *tuples, size_t n,
                              int64_t cost, bool left_out)
{
    size_t at = p->n > 0 ? p->start[p->n] : 0;
    if (!mgl_grow(&p->cost, &p->cost_room, p->n + 1, sizeof *p->cost) ||
        !mgl_grow(&p->start, &p->start_room, p->n + 2, sizeof *p->start) ||
        !mgl_grow(&p->members, &p->members_room, at + n, sizeof *p->members) ||
        !mgl_grow(&p->closed, &p->closed_room, p->n + 1, sizeof *p->closed) ||
        !mgl_grow(&p->left_out, &p->left_out_room, p->n + 1, sizeof *p->left_out) ||
        !mgl_grow(&p->lack, &p->lack_room, p->n + 1, sizeof *p->lack))
        return false;
    memcpy(p->members + at, tuples, n * sizeof *tuples);
    p->cost[p->n] = cost;
    p->closed[p->n] = 0;
    p->left_out[p->n] = left_out;
    p->lack[p->n] = 0;
    p->start[p->n++] = at;
    p->start[p->n] = at + n;
    return true;
}

bool mgl_exact_candidates_shrink(mgl_exact_candidates *p, mgl_lp *lp)
{
    uint32_t *number = mgl_zeroed_array(p->n, sizeof *number);
    size_t n = 0, at = 0;
    if (number == NULL)
        return false;
    for (size_t place = 0; place < lp->n_rows; place++)
        if (lp->basic[place] < MGL_LP_OWN)
            number[lp->basic[place]] = 1;
    for (size_t c = 0; c < p->n; c++) {
        size_t start = p->start[c], size = p->start[c + 1] - start;
        if (p->closed[c] != 0 && number[c] == 0)
            continue;
        memmove(p->members + at, p->members + start, size * sizeof *p->members);
        p->cost[n] = p->cost[c];
        p->closed[n] = p->closed[c];
        p->left_out[n] = p->left_out[c];
        p->lack[n] = p->lack[c];
        p->start[n] = at;
        at += size;
        number[c] = (uint32_t)n++;
    }
    if (p->n > 0)
        p->start[n] = at;
    p->n = n;
    for (size_t place = 0; place < lp->n_rows; place++)
        if (lp->basic[place] < MGL_LP_OWN)
            lp->basic[place] = number[lp->basic[place]];
    mgl_free(number);
    return true;
}

/* A class in the making: the tuples chosen so far, and the smallest box around them. */
typedef struct namer {
    mgl_exact *x;
    const mgl_box_space *space;
    int64_t slack;
    uint32_t *chosen; /* [depth] */
    uint8_t *levels;  /* [depth * m] of the box around the first depth + 1 */
    uint32_t *tuples; /* [n] that may be chosen, the highest dual values first */
    int64_t *lacks;   /* [n] the reduced cost of each */
    size_t n;
    const uint8_t *box; /* levels of the box that all are under */
    bool out_of_memory, too_many;
    int64_t *gain_cost; /* [GAIN_TABLES] cost that a table is for; INT64_MIN: none yet */
    int64_t *gains;     /* [GAIN_TABLES * (n + 1)] what the tuples from each on make good */
} namer;

static void choose(namer *k, size_t depth, uint32_t t)
{
    size_t m = k->space->m;
    uint8_t *levels = k->levels + depth * m;
    k->chosen[depth] = t;
    if (depth == 0) {
        mgl_box_begin(k->space, levels);
        return;
    }
    memcpy(levels, levels - m, m);
    mgl_box_join(k->space, levels, k->chosen[0], t);
}

static void take(namer *k, size_t n, int64_t cost)
{
    mgl_exact_candidates *p = &k->x->candidates;
    if (!mgl_exact_candidates_add(p, k->chosen, n, cost, false))
        k->out_of_memory = true;
    k->too_many = k->too_many || p->n > MOST_CLASSES || p->start[p->n] > MOST_MEMBERS;
}

static bool is_over(namer *k, size_t steps)
{
    k->x->work += STEP_WORK * steps;
    return k->out_of_memory || k->too_many || mgl_exact_is_over(k->x);
}

/* ---- Only sizes count: box by box ------------------------------------------------------- */

/* Tuples under a box in the order of the dual values of their rows. */
typedef struct ranked {
    double dual;
    uint32_t tuple;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->dual != y->dual)
        return x->dual > y->dual ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

/* The least that is lacking if those from i on may be taken, and `more` rows of them must. */
static int64_t least_lack(const namer *k, size_t i, uint64_t more)
{
    const uint32_t *rows = k->space->rows;
    int64_t sum = 0;
    for (; i < k->n && (more > 0 || k->lacks[i] < 0); i++) {
        uint32_t r = rows[k->tuples[i]];
        if (k->lacks[i] >= 0 && r > more) {
            sum += k->lacks[i] / r * (int64_t)more;
            more = 0;
        } else {
            sum += k->lacks[i];
            more -= r < more ? r : more;
        }
    }
    return more > 0 ? INT64_MAX / 2 : sum;
}

static bool is_the_box(const namer *k, size_t n)
{
    const uint8_t *levels = k->levels + (n - 1) * k->space->m;
    return memcmp(levels, k->box, k->space->m) == 0 ||
           (mgl_box_is_top(k->space, levels) && mgl_box_is_top(k->space, k->box));
}

/* Classes that are two classes at once are not needed: apart they cost no more. */
static bool is_divisible(uint64_t rows, uint64_t largest, uint64_t need)
{
    return rows + 1 >= 2 * need + largest || (largest >= need && rows - largest >= need);
}

static void name_under_box(namer *k, size_t first, size_t depth, uint64_t rows, uint64_t largest,
                           int64_t lack, int64_t cost)
{
    uint64_t need = k->space->need;
    if (rows >= need && lack <= k->slack && is_the_box(k, depth))
        take(k, depth, (int64_t)rows * cost);
    for (size_t i = first; i < k->n && !is_over(k, 1); i++) {
        uint64_t r = k->space->rows[k->tuples[i]];
        if (lack + least_lack(k, i, rows < need ? need - rows : 0) > k->slack)
            return;
        uint64_t then = rows + r, larger = r > largest ? r : largest;
        if (is_divisible(then, larger, need))
            continue;
        if (lack + k->lacks[i] + least_lack(k, i + 1, then < need ? need - then : 0) > k->slack)
            continue;
        choose(k, depth, k->tuples[i]);
        name_under_box(k, i + 1, depth + 1, then, larger, lack + k->lacks[i], cost);
    }
}

static void name_by_boxes(namer *k, ranked *room)
{
    const mgl_exact_boxes *b = &k->x->boxes;
    const mgl_box_space *s = k->space;
    for (size_t g = 0; g < b->n && !is_over(k, 1); g++) {
        k->n = b->start[g + 1] - b->start[g];
        k->box = b->levels + g * s->m;
        int64_t cost = mgl_exact_cost(k->x, b->cost[g]);
        for (size_t i = 0; i < k->n; i++) {
            uint32_t t = b->members[b->start[g] + i];
            room[i] = (ranked){(double)k->x->base[t] / s->rows[t], t};
        }
        qsort(room, k->n, sizeof *room, compare_ranked);
        for (size_t i = 0; i < k->n; i++) {
            k->tuples[i] = room[i].tuple;
            k->lacks[i] = s->rows[room[i].tuple] * cost - k->x->base[room[i].tuple];
        }
        name_under_box(k, 0, 0, 0, 0, 0, cost);
    }
}

/* ---- Classes are judged: set by set ------------------------------------------------------- */

/* What those from i on may make good at this cost, and any higher one. Boxes have few costs: the
 * sums of the last ones are kept, since a step would otherwise take as long as there are tuples. */
static int64_t most_gain(const namer *k, size_t i, int64_t cost)
{
    const mgl_box_space *s = k->space;
    size_t place = (size_t)((uint64_t)cost * UINT64_C(0x9E3779B97F4A7C15) >> 32) % GAIN_TABLES;
    int64_t *gains = k->gains + place * (s->n + 1);
    if (k->gain_cost[place] != cost) {
        k->gain_cost[place] = cost;
        gains[s->n] = 0;
        for (size_t t = s->n; t-- > 0;) {
            int64_t lack = s->rows[t] * cost - k->x->base[t];
            gains[t] = gains[t + 1] - (lack < 0 ? lack : 0);
        }
    }
    return gains[i];
}

static void name_sets(namer *k, uint32_t first, size_t depth, uint64_t rows, int64_t dual_sum)
{
    const mgl_box_space *s = k->space;
    for (uint32_t t = first; t < s->n && !is_over(k, 1 + depth + s->m); t++) {
        choose(k, depth, t);
        const uint8_t *levels = k->levels + depth * s->m;
        int64_t cost = mgl_exact_cost(k->x, mgl_box_cost(s, levels, t));
        uint64_t then = rows + s->rows[t];
        int64_t duals = dual_sum + k->x->base[t], lack = (int64_t)then * cost - duals;
        if (!mgl_box_may_be_class(s, levels, t) || lack - most_gain(k, t + 1, cost) > k->slack)
            continue;
        if (lack <= k->slack && then >= s->need && mgl_box_holds(k->x->judge, k->chosen, depth + 1))
            take(k, depth + 1, (int64_t)then * cost);
        name_sets(k, t + 1, depth + 1, then, duals);
    }
}

/* ---- All ------------------------------------------------------------------------------------ */

static bool is_class_alone(const mgl_exact *x, uint32_t t)
{
    uint8_t levels[MGL_MOST_COLUMNS];
    mgl_box_begin(x->space, levels);
    return mgl_box_may_be_class(x->space, levels, t) && mgl_box_holds(x->judge, &t, 1);
}

mgl_status mgl_exact_name_left_out(mgl_exact *x, int64_t slack, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    for (uint32_t t = 0; x->may_leave_out && t < s->n; t++) {
        int64_t cost = s->rows[t] * mgl_exact_cost(x, s->top_cost);
        int64_t lack = cost - x->base[t] + (int64_t)s->rows[t] * x->base_left;
        if (s->rows[t] <= x->limit && lack <= slack && !is_class_alone(x, t) &&
            !mgl_exact_candidates_add(&x->candidates, &t, 1, cost, true))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

mgl_status mgl_exact_name_classes(mgl_exact *x, int64_t slack, mgl_error *err, bool *whole)
{
    const mgl_box_space *s = x->space;
    namer k = {.x = x, .space = s, .slack = slack};
    k.chosen = mgl_alloc_array(s->n, sizeof *k.chosen);
    k.levels = mgl_alloc_array(s->n, s->m);
    k.tuples = mgl_alloc_array(s->n, sizeof *k.tuples);
    k.lacks = mgl_alloc_array(s->n, sizeof *k.lacks);
    k.gain_cost = mgl_alloc_array(GAIN_TABLES, sizeof *k.gain_cost);
    k.gains = mgl_alloc_array(GAIN_TABLES * (s->n + 1), sizeof *k.gains);
    ranked *room = mgl_alloc_array(s->n, sizeof *room);
    for (size_t c = 0; c < x->candidates.n; c++)
        x->candidates.closed[c] = 1;
    k.out_of_memory = k.chosen == NULL || k.levels == NULL || k.tuples == NULL || k.lacks == NULL ||
                      k.gain_cost == NULL || k.gains == NULL || room == NULL ||
                      !mgl_exact_candidates_shrink(&x->candidates, &x->lp);
    for (size_t c = 0; c < x->candidates.n; c++)
        x->candidates.closed[c] = 0;
    for (size_t i = 0; !k.out_of_memory && i < GAIN_TABLES; i++)
        k.gain_cost[i] = INT64_MIN;
    if (!k.out_of_memory && s->judged)
        name_sets(&k, 0, 0, 0, 0);
    else if (!k.out_of_memory)
        name_by_boxes(&k, room);
    *whole = !k.too_many && !mgl_exact_is_over(x);
    mgl_free(k.chosen);
    mgl_free(k.levels);
    mgl_free(k.tuples);
    mgl_free(k.lacks);
    mgl_free(k.gain_cost);
    mgl_free(k.gains);
    mgl_free(room);
    return k.out_of_memory ? mgl_fail_memory(err) : mgl_exact_name_left_out(x, slack, err);
}
