/* Column generation: finds dual values at which no class of any box has a negative reduced cost, by
 * a linear program over candidate classes; classes with a negative reduced cost are added until
 * there are none. The dual values are rounded to bounds that they prove. */
#include "search/cell/exact/inner.h"

#include <math.h>
#include <stdlib.h>

/* ---- Name classes --------------------------------------------------------------------------- */

/* Names all classes that can be in a best release. */

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

static bool exact_candidates_add(mgl_exact_candidates *p, const uint32_t *tuples, size_t n,
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
    mgl_owned own;
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
    if (!exact_candidates_add(p, k->chosen, n, cost, false))
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

/* Adds the tuples that may be left out: those that are no class by themselves, which would cost
 * no more. */
static mgl_status exact_name_left_out(mgl_exact *x, int64_t slack, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    for (uint32_t t = 0; x->may_leave_out && t < s->n; t++) {
        int64_t cost = s->rows[t] * mgl_exact_cost(x, s->top_cost);
        int64_t lack = cost - x->base[t] + (int64_t)s->rows[t] * x->base_left;
        if (s->rows[t] <= x->limit && lack <= slack && !is_class_alone(x, t) &&
            !exact_candidates_add(&x->candidates, &t, 1, cost, true))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

mgl_status mgl_exact_name_classes(mgl_exact *x, int64_t slack, mgl_error *err, bool *whole)
{
    const mgl_box_space *s = x->space;
    namer k = {.x = x, .space = s, .slack = slack};
    k.chosen = mgl_own_array(&k.own, s->n, sizeof *k.chosen);
    k.levels = mgl_own_array(&k.own, s->n, s->m);
    k.tuples = mgl_own_array(&k.own, s->n, sizeof *k.tuples);
    k.lacks = mgl_own_array(&k.own, s->n, sizeof *k.lacks);
    k.gain_cost = mgl_own_array(&k.own, GAIN_TABLES, sizeof *k.gain_cost);
    k.gains = mgl_own_array(&k.own, GAIN_TABLES * (s->n + 1), sizeof *k.gains);
    ranked *room = mgl_own_array(&k.own, s->n, sizeof *room);
    for (size_t c = 0; c < x->candidates.n; c++)
        x->candidates.closed[c] = 1;
    k.out_of_memory = k.own.missing || !mgl_exact_candidates_shrink(&x->candidates, &x->lp);
    for (size_t c = 0; c < x->candidates.n; c++)
        x->candidates.closed[c] = 0;
    for (size_t i = 0; !k.out_of_memory && i < GAIN_TABLES; i++)
        k.gain_cost[i] = INT64_MIN;
    if (!k.out_of_memory && s->judged)
        name_sets(&k, 0, 0, 0, 0);
    else if (!k.out_of_memory)
        name_by_boxes(&k, room);
    *whole = !k.too_many && !mgl_exact_is_over(x);
    mgl_owned_free(&k.own);
    return k.out_of_memory ? mgl_fail_memory(err) : exact_name_left_out(x, slack, err);
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* The units of the exact search: fine enough that rounded dual values prove what they should, and
 * coarse enough that sums of them do not leave 64 bits, however many rows there are. */

/* What all rows may cost: beyond the first, units are made coarser; up to the others finer. */
#define MOST_OF_ALL 0x1p48
#define FINE_OF_ALL 0x1p44
#define FINE_OF_ONE 0x1p36 /* for a tuple: doubles of that size are good to less than a unit */

#define MOST_SUM 0x1p60

static uint32_t most_rows(const mgl_box_space *s)
{
    uint32_t most = 1;
    for (size_t t = 0; t < s->n; t++)
        most = s->rows[t] > most ? s->rows[t] : most;
    return most;
}

static int64_t find_times(double of_all, double of_one)
{
    int64_t times = 1;
    while (2 * of_all <= FINE_OF_ALL && 2 * of_one <= FINE_OF_ONE) {
        times *= 2;
        of_all *= 2;
        of_one *= 2;
    }
    return times;
}

/* Dual values lose less than a unit per tuple by rounding. If a step is a few units for each, that
 * does not matter; else it is taken off what is proved. */
static void choose_whole(mgl_exact *x, double top)
{
    const mgl_box_space *s = x->space;
    int64_t lost = 4 * (int64_t)s->n;
    x->divide = s->step;
    x->times = find_times(top * (double)s->n_rows, top * most_rows(s));
    x->exact = x->times >= lost;
    x->tolerance = x->exact ? x->times - 1 : x->times - 1 + lost;
}

/* Rounded costs differ where the measure does not: such differences are not worth the work. */
static void choose_rounded(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    x->exact = false;
    x->times = x->divide = 1;
    while ((double)(s->top_cost / x->divide) * (double)s->n_rows > MOST_OF_ALL)
        x->divide *= 2;
    x->tolerance = (int64_t)((x->divide == 1 ? s->m + 2 : 1) * s->n_rows);
}

void mgl_exact_choose_units(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    double top = (double)s->top_cost / s->step + 1;
    if (s->whole && top * (double)s->n_rows <= MOST_OF_ALL)
        choose_whole(x, top);
    else
        choose_rounded(x);
}

int64_t mgl_exact_most_dual(const mgl_exact *x)
{
    return (int64_t)(MOST_SUM / (double)(x->space->n + 1));
}

int64_t mgl_exact_most_left_dual(const mgl_exact *x)
{
    return (int64_t)(MOST_SUM / (double)x->space->n_rows);
}

int64_t mgl_exact_most_cut_dual(void)
{
    return (int64_t)(MOST_SUM / (MGL_EXACT_MOST_CUTS * (MGL_EXACT_CUT_SIZE / 2)));
}

int64_t mgl_exact_round_down(double dual, int64_t most)
{
    double rounded = floor(dual);
    if (rounded >= (double)most)
        return most;
    return rounded > -(double)most ? (int64_t)rounded : -most;
}

int64_t mgl_exact_round_up(double dual, int64_t most)
{
    return -mgl_exact_round_down(-dual, most);
}

bool mgl_exact_raise_lack(mgl_exact *x)
{
    const double step = 4;
    if (x->lp.lack * step > (double)mgl_exact_most_dual(x))
        return false;
    x->lp.lack *= step;
    return true;
}

uint64_t mgl_exact_proved(const mgl_exact *x)
{
    uint64_t most = x->space->n_rows * x->space->top_cost; /* where no release was known */
    int64_t proved = x->exact ? x->upper : x->upper - x->tolerance;
    uint64_t bound = proved > 0 ? (uint64_t)(proved / x->times) * x->divide : 0;
    return bound < most ? bound : most;
}

/* ---- The linear program ---------------------------------------------------------------------- */

/* Sets up the linear program over the candidate classes, and rounds its dual values to bounds that
 * they prove. */

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
        lack -= x->duals[p->members[i]];
    if (p->left_out[class])
        lack += x->space->rows[p->members[p->start[class]]] * x->left_dual;
    size_t n_cuts = hit_cuts(x, class);
    for (size_t i = 0; i < n_cuts; i++) {
        lack += c->hits[c->touched[i]] / 2 * x->cut_duals[c->touched[i]];
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

/* ---- Dual values --------------------------------------------------------------------------- */

/* Of a sum that is at most something: not negative. */
static int64_t dual_of_sum(double dual, int64_t most)
{
    return dual < 0 ? mgl_exact_round_up(-dual, most) : 0;
}

static void round_duals(mgl_exact *x)
{
    const mgl_box_space *s = x->space;
    for (size_t t = 0; t < s->n; t++)
        x->duals[t] = mgl_exact_round_down(x->lp.duals[t], mgl_exact_most_dual(x));
    x->left_dual =
        x->may_leave_out ? dual_of_sum(x->lp.duals[s->n], mgl_exact_most_left_dual(x)) : 0;
    for (size_t i = 0; i < x->cuts.n; i++)
        x->cut_duals[i] =
            dual_of_sum(x->lp.duals[s->n + x->may_leave_out + i], mgl_exact_most_cut_dual());
}

/* Lowers the dual value of each tuple; returns the bound. Each class has a tuple, so that its
 * reduced cost rises by as much. */
static int64_t lower_duals(mgl_exact *x, int64_t by)
{
    for (size_t t = 0; t < x->space->n; t++)
        x->duals[t] -= by;
    int64_t sum = -x->left_dual * (int64_t)x->limit;
    for (size_t t = 0; t < x->space->n; t++)
        sum += x->duals[t];
    for (size_t i = 0; i < x->cuts.n; i++)
        sum -= x->cuts.cuts[i].n / 2 * x->cut_duals[i];
    return sum;
}

/* Is a class that lacks so much by far the best so far for one of its tuples? */
static bool stands_out(int64_t *best, const uint32_t *tuples, size_t n, int64_t lack)
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
        if (stands_out(best, p->members + p->start[c], p->start[c + 1] - p->start[c], lack) &&
            n < most)
            out[n++] = (uint32_t)c;
    }
    x->work += p->n > 0 ? 2 * p->start[p->n] : 0;
    return n;
}

mgl_status mgl_exact_optimize(mgl_exact *x, mgl_error *err, int64_t *bound)
{
    mgl_owned own = {0};
    uint32_t *candidates = mgl_own_array(&own, CANDIDATES * x->space->n, sizeof *candidates);
    int64_t *best = mgl_own_array(&own, x->space->n, sizeof *best), least = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&own, err));
    for (bool better = true; better;) {
        round_duals(x);
        size_t n = find_candidates(x, best, candidates, &least);
        better = enter_all(x, candidates, n) > 0;
    }
    *bound = lower_duals(x, -least);
done:
    mgl_owned_free(&own);
    return status;
}

/* ---- Dual values at which no class has a negative reduced cost ------------------------------- */

#define MOST_FILL ((size_t)256 << 20) /* bytes: classes of more rows are not filled up */

typedef struct pricer {
    mgl_exact *x;
    int64_t *best;   /* [n] */
    uint64_t lot;    /* rows of tuples are multiples of it */
    size_t width;    /* lots that a class needs, and one more */
    int64_t *fill;   /* [width] least that so many lots lack */
    uint8_t *used;   /* [n * width] */
    uint32_t *rest;  /* [n] tuples that lack something */
    uint32_t *class; /* [n] the class found */
    mgl_owned own;
} pricer;

/* cost: of a row, in the units of the search. */
static int64_t lack_of(const mgl_exact *x, uint32_t t, int64_t cost)
{
    return x->space->rows[t] * cost - x->duals[t];
}

/* Fills up to so many rows more from the rest, whole tuples at a time. */
static int64_t fill_up(pricer *k, int64_t cost, size_t n_rest, uint64_t more_rows, size_t *n)
{
    const mgl_box_space *s = k->x->space;
    size_t width = k->width, more = (size_t)((more_rows + k->lot - 1) / k->lot);
    k->fill[0] = 0;
    for (size_t j = 1; j <= more; j++)
        k->fill[j] = INT64_MAX / 2;
    for (size_t i = 0; i < n_rest; i++) {
        int64_t lack = lack_of(k->x, k->rest[i], cost);
        size_t lots = (size_t)(s->rows[k->rest[i]] / k->lot);
        for (size_t j = more; j > 0; j--) {
            int64_t with = k->fill[j > lots ? j - lots : 0] + lack;
            k->used[i * width + j] = with < k->fill[j];
            k->fill[j] = with < k->fill[j] ? with : k->fill[j];
        }
    }
    k->x->work += n_rest * more;
    int64_t least = k->fill[more];
    for (size_t i = n_rest; i-- > 0 && more > 0;)
        if (k->used[i * width + more]) {
            size_t lots = (size_t)(s->rows[k->rest[i]] / k->lot);
            k->class[(*n)++] = k->rest[i];
            more -= lots < more ? lots : more;
        }
    return least;
}

/* The least reduced cost of a class of the box, if that is negative; else 0. */
static int64_t price_box(pricer *k, size_t box, size_t *n)
{
    const mgl_exact_boxes *b = &k->x->boxes;
    const mgl_box_space *s = k->x->space;
    int64_t cost = mgl_exact_cost(k->x, b->cost[box]), lack = 0;
    uint64_t rows = 0;
    size_t n_rest = 0;
    *n = 0;
    for (size_t i = b->start[box]; i < b->start[box + 1]; i++) {
        uint32_t t = b->members[i];
        int64_t more = lack_of(k->x, t, cost);
        if (more >= 0) {
            k->rest[n_rest++] = t;
            continue;
        }
        k->class[(*n)++] = t;
        lack += more;
        rows += s->rows[t];
    }
    k->x->work += b->start[box + 1] - b->start[box];
    if (lack < 0 && rows < s->need)
        lack += fill_up(k, cost, n_rest, s->need - rows, n);
    return lack < 0 ? lack : 0;
}

static int64_t class_cost(const mgl_exact *x, const uint32_t *tuples, size_t n)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    uint64_t rows = s->rows[tuples[0]];
    mgl_box_begin(s, levels);
    for (size_t i = 1; i < n; i++) {
        mgl_box_join(s, levels, tuples[0], tuples[i]);
        rows += s->rows[tuples[i]];
    }
    return (int64_t)rows * mgl_exact_cost(x, mgl_box_cost(s, levels, tuples[0]));
}

/* Adds negative classes to the candidates; *least is the least reduced cost. */
static mgl_status price_boxes(pricer *k, mgl_error *err, int64_t *least)
{
    mgl_exact *x = k->x;
    memset(k->best, 0, x->space->n * sizeof *k->best);
    *least = 0;
    for (size_t g = 0; g < x->boxes.n; g++) {
        size_t n;
        int64_t lack = price_box(k, g, &n);
        *least = lack < *least ? lack : *least;
        if (lack < 0 && stands_out(k->best, k->class, n, lack) &&
            !exact_candidates_add(&x->candidates, k->class, n, class_cost(x, k->class, n), false))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

/* Until no box has a negative class, or nearly so. */
static mgl_status generate(pricer *k, mgl_error *err)
{
    mgl_exact *x = k->x;
    int64_t least = -1, before = INT64_MIN, bound;
    while (least < 0 && !mgl_exact_is_over(x)) {
        MGL_TRY(mgl_exact_optimize(x, err, &bound));
        round_duals(x);
        MGL_TRY(price_boxes(k, err, &least));
        if (least >= -4 && before >= -4)
            break; /* rounding */
        before = least;
    }
    x->base_sum = lower_duals(x, -least);
    return MGL_OK;
}

/* ---- Which boxes to look at ------------------------------------------------------------------ */

/* A box that costs more than the dual values of its tuples has no negative class. True if all left
 * out are such; else the caps are raised. */
static bool caps_suffice(const mgl_exact *x, int64_t *cap)
{
    const mgl_box_space *s = x->space;
    bool suffice = true;
    for (size_t t = 0; t < s->n; t++) {
        int64_t dual = mgl_exact_dual_per_row(x, x->duals[t], s->rows[t]);
        if (dual > cap[t] && cap[t] < s->top_cost) {
            cap[t] = dual + s->top_cost / 32;
            suffice = false;
        }
    }
    return suffice;
}

/* Begins with the classes of a release, as far as they may be classes here. */
static mgl_status enter_known(mgl_exact *x, const mgl_box_release *known, mgl_error *err)
{
    for (size_t c = 1; c < known->n_classes; c++) {
        const mgl_box_class *class = &known->classes[c];
        int64_t cost = (int64_t) class->rows * mgl_exact_cost(x, class->cost);
        if (class->n == 0 || class->rows < x->space->need ||
            !mgl_box_may_be_class(x->space, class->levels, class->members[0]))
            continue;
        MGL_TRY(mgl_check_memory(
            exact_candidates_add(&x->candidates, class->members, class->n, cost, false), err));
        mgl_lp_enter(&x->lp, (uint32_t)x->candidates.n - 1, (double)cost);
    }
    return MGL_OK;
}

static mgl_status find(pricer *k, const mgl_box_release *known, int64_t *cap, mgl_error *err,
                       bool *whole)
{
    mgl_exact *x = k->x;
    MGL_TRY(exact_name_left_out(x, INT64_MAX / 4, err));
    MGL_TRY(mgl_exact_lp_begin(x, err));
    MGL_TRY(enter_known(x, known, err));
    do {
        MGL_TRY(mgl_exact_boxes_find(x, cap, err, whole));
        if (!*whole)
            return MGL_OK;
        MGL_TRY(generate(k, err));
    } while (!mgl_exact_is_over(x) && !caps_suffice(x, cap));
    *whole = !mgl_exact_is_over(x);
    if (*whole) {
        memcpy(x->base, x->duals, x->space->n * sizeof *x->base);
        x->base_left = x->left_dual;
    }
    return MGL_OK;
}

static uint64_t find_lot(const mgl_box_space *s)
{
    uint64_t lot = s->rows[0];
    for (size_t t = 1; t < s->n && lot > 1; t++)
        for (uint64_t other = s->rows[t], rest; other != 0; other = rest) {
            rest = lot % other;
            lot = other;
        }
    return lot;
}

mgl_status mgl_exact_find_base(mgl_exact *x, const mgl_box_release *known, int64_t *cap,
                               mgl_error *err, bool *whole)
{
    size_t n = x->space->n;
    pricer k = {.x = x, .lot = find_lot(x->space)};
    k.width = (size_t)((x->space->need + k.lot - 1) / k.lot) + 1;
    *whole = k.width <= MOST_FILL / n;
    if (!*whole)
        return MGL_OK;
    k.best = mgl_own_array(&k.own, n, sizeof *k.best);
    k.fill = mgl_own_array(&k.own, k.width, sizeof *k.fill);
    k.used = mgl_own_array(&k.own, n, k.width);
    k.rest = mgl_own_array(&k.own, n, sizeof *k.rest);
    k.class = mgl_own_array(&k.own, n, sizeof *k.class);
    mgl_status status = mgl_owned_check(&k.own, err);
    if (status == MGL_OK)
        status = find(&k, known, cap, err, whole);
    mgl_owned_free(&k.own);
    return status;
}
