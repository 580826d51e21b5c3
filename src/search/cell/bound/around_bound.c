/* A bound from whole classes, for lattices too large to try from the cheapest node on: a tuple
 * costs at least what the cheapest box around it does that has enough rows. Whether there is one
 * below a given cost is found by branching on the tuples in it; the cost is raised until there is
 * one, or until the work allowed is done. It is stronger than the bound from neighbours, which
 * knows pairs of tuples only. */
#include "search/cell/bound/bound.h"
#include "search/cell/bound/lanes.h"

#include <math.h>

enum {
    UNITS = 16383,          /* that all columns together cost at most, so that sums are 16 bits */
    OUT_OF_REACH = 1 << 20, /* more than that; sums over all columns are no more than 32 bits */
    MOST_NEAR = 4096,       /* neighbours that are looked at */
    FIRST_NEAR = 24,        /* in the first look beyond those that fill a class */
    AT_ONCE = 8,            /* columns, or neighbours, that are added up at once */
    CHEAPER = 4             /* times, is looking at the first neighbours one after the other */
};

typedef enum answer { NO, YES, TOO_LONG } answer;

/* A tuple that may be in the box, in the order of what the smallest box around both costs. */
typedef struct neighbour {
    uint32_t tuple, rows, cost;
} neighbour;

typedef struct worker {
    mgl_cell_lanes *costs; /* [n_values] by attribute and leaf: of a cell where it meets the leaf */
    uint32_t *pairs[MGL_CELL_LANES]; /* [n] what the smallest box around two tuples costs */
    uint32_t *places;                /* [UNITS + 2] of neighbours by cost, to sort them */
    neighbour *near;                 /* [n_near] */
    size_t n_near, most_near;
    uint32_t all_below;   /* all neighbours that cost less are there */
    int16_t *cells;       /* [n_near * width] what each column costs with it */
    int16_t *by_column;   /* the same, column by column for AT_ONCE neighbours each */
    int16_t *first_costs; /* [most_near] what a box costs with the first ones */
    int16_t *box;         /* [depth * width] what each column of a box costs */
    uint16_t *lists;      /* [depth * most_near] neighbours that may still join */
    /* The question: is there a box below this cost? */
    uint32_t cost, found;
    uint64_t work, most_work;
    mgl_owned own;
} worker;

typedef struct around {
    const mgl_box_space *space;
    uint32_t *bound;  /* [t] */
    uint64_t work;    /* for each tuple */
    uint32_t unit;    /* costs are counted in these, rounded down */
    size_t width;     /* columns, up to a multiple of AT_ONCE; the others cost nothing */
    size_t most_near; /* neighbours of a tuple that are looked at */
    size_t depth;     /* boxes that lie one in the other */
    size_t *first_value;
    size_t n_values;
    worker *workers;
    unsigned n_workers;
    mgl_owned own;
} around;

/* What the box costs that is raised until it has the neighbour. */
static inline uint32_t cost_with(const int16_t *box, const int16_t *cells, size_t width)
{
    int16_t sums[AT_ONCE] = {0}, sum = 0;
    for (size_t first = 0; first < width; first += AT_ONCE)
        for (size_t i = 0; i < AT_ONCE; i++) {
            int16_t x = box[first + i], y = cells[first + i];
            sums[i] = (int16_t)(sums[i] + (x > y ? x : y));
        }
    for (size_t i = 0; i < AT_ONCE; i++)
        sum = (int16_t)(sum + sums[i]);
    return (uint32_t)sum;
}

/* The same for the first n neighbours, a few at a time. */
static void cost_with_first(const int16_t *box, const worker *w, size_t m, size_t n)
{
    for (size_t first = 0; first < n; first += AT_ONCE) {
        const int16_t *cells = w->by_column + first * m;
        int16_t sums[AT_ONCE] = {0};
        for (size_t a = 0; a < m; a++)
            for (size_t i = 0; i < AT_ONCE; i++) {
                int16_t x = box[a], y = cells[a * AT_ONCE + i];
                sums[i] = (int16_t)(sums[i] + (x > y ? x : y));
            }
        memcpy(w->first_costs + first, sums, sizeof sums);
    }
}

/* A box, the rows in it, and the neighbours that may still join it. */
typedef struct state {
    size_t depth;
    uint32_t cost;
    uint64_t rows, joining; /* rows of those in the list */
    uint16_t *list;
    size_t n;
} state;

static state begin_state(worker *w, size_t depth, uint32_t cost, uint64_t rows)
{
    return (state){depth, cost, rows, 0, w->lists + depth * w->most_near, 0};
}

/* The neighbour is in the box, may join it, or is too far away: so much the box costs with it. */
static inline void look_at(const worker *w, state *now, uint16_t one, uint32_t cost)
{
    if (cost == now->cost) {
        now->rows += w->near[one].rows;
    } else if (cost < w->cost) {
        now->list[now->n++] = one;
        now->joining += w->near[one].rows;
    }
}

static answer extend(const around *x, worker *w, const state *now);

/* Each time one neighbour joins for sure, and those before it do not. */
static answer branch(const around *x, worker *w, const state *now)
{
    const int16_t *box = w->box + now->depth * x->width;
    int16_t *larger = w->box + (now->depth + 1) * x->width;
    uint64_t joining = now->joining;
    for (size_t i = 0; i < now->n && now->rows + joining >= x->space->need; i++) {
        const int16_t *cells = w->cells + now->list[i] * x->width;
        uint32_t rows = w->near[now->list[i]].rows;
        for (size_t a = 0; a < x->width; a++)
            larger[a] = box[a] > cells[a] ? box[a] : cells[a];
        state next =
            begin_state(w, now->depth + 1, cost_with(box, cells, x->width), now->rows + rows);
        for (size_t j = i + 1; j < now->n; j++) {
            uint16_t one = now->list[j];
            look_at(w, &next, one, cost_with(larger, w->cells + one * x->width, x->width));
        }
        w->work += now->n - i;
        answer found = extend(x, w, &next);
        if (found != NO)
            return found;
        joining -= rows;
    }
    return NO;
}

/* Is there a box below the cost in question that has this one, and what it lacks by neighbours of
 * the list? */
static answer extend(const around *x, worker *w, const state *now)
{
    if (now->rows >= x->space->need) {
        w->found = now->cost;
        return YES;
    }
    if (now->rows + now->joining < x->space->need)
        return NO;
    return w->work > w->most_work ? TOO_LONG : branch(x, w, now);
}

/* Is there a box around the tuple below the cost in question? Each time one of the n neighbours is
 * the farthest in it: so the first boxes have few to choose from. */
static answer ask(const around *x, worker *w, uint32_t t, size_t n)
{
    uint64_t rows = x->space->rows[t];
    for (size_t i = 0; i < n; i++) {
        rows += w->near[i].rows;
        if (rows < x->space->need)
            continue;
        state first = begin_state(w, 0, w->near[i].cost, x->space->rows[t] + w->near[i].rows);
        memcpy(w->box, w->cells + i * x->width, x->width * sizeof *w->box);
        cost_with_first(w->box, w, x->space->m, i);
        for (size_t j = 0; j < i; j++)
            look_at(w, &first, (uint16_t)j, (uint32_t)w->first_costs[j]);
        w->work += i / CHEAPER;
        answer found = w->work > w->most_work ? TOO_LONG : extend(x, w, &first);
        if (found != NO)
            return found;
    }
    return NO;
}

static size_t count_below(const worker *w, uint32_t cost)
{
    size_t low = 0, high = w->n_near;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->near[middle].cost < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The next cost to ask about, above the one that is known: with more neighbours by two fifths, or
 * half-way to a box that was found. */
static uint32_t next_cost(const worker *w, uint32_t known, uint32_t found)
{
    if (found != UINT32_MAX)
        return known + (found - known + 1) / 2;
    size_t n = count_below(w, known + 1);
    n += n * 2 / 5 + FIRST_NEAR;
    return n < w->n_near ? w->near[n].cost : w->all_below;
}

/* What every box around the tuple that has enough rows costs at least. */
static uint32_t find_least(const around *x, worker *w, uint32_t t)
{
    uint32_t known = x->bound[t] / x->unit, found = UINT32_MAX;
    w->work = 0;
    w->most_work = x->work;
    while (known < found && known < w->all_below) {
        w->cost = next_cost(w, known, found);
        answer is_there = ask(x, w, t, count_below(w, w->cost));
        if (is_there == TOO_LONG)
            break;
        if (is_there == YES)
            found = w->found;
        else
            known = w->cost;
    }
    return known;
}

/* The nearest neighbours in order, as many as there is room for, and what each column costs with
 * them. */
static void gather(const around *x, worker *w, size_t lane)
{
    const mgl_box_space *s = x->space;
    const uint32_t *pairs = w->pairs[lane];
    memset(w->places, 0, (UNITS + 2) * sizeof *w->places);
    for (size_t u = 0; u < s->n; u++)
        if (pairs[u] <= UNITS)
            w->places[pairs[u] + 1]++;
    w->all_below = 0;
    while (w->all_below <= UNITS &&
           w->places[w->all_below + 1] + w->places[w->all_below] <= w->most_near) {
        w->places[w->all_below + 1] += w->places[w->all_below];
        w->all_below++;
    }
    w->n_near = w->places[w->all_below];
    for (uint32_t u = 0; u < s->n; u++) {
        if (pairs[u] >= w->all_below)
            continue;
        size_t place = w->places[pairs[u]]++;
        w->near[place] = (neighbour){u, s->rows[u], pairs[u]};
        int16_t *cells = w->cells + place * x->width;
        int16_t *column = w->by_column + place / AT_ONCE * AT_ONCE * s->m + place % AT_ONCE;
        for (size_t a = 0; a < s->m; a++)
            column[a * AT_ONCE] = cells[a] =
                (int16_t)w->costs[x->first_value[a] + s->leaves[u * s->m + a]].of[lane];
    }
}

/* What each tuple costs with all others; with itself, or one of another history, it is no pair. */
static void cost_pairs(const around *x, worker *w, const uint32_t *tuples)
{
    const mgl_box_space *s = x->space;
    for (uint32_t u = 0; u < s->n; u++) {
        mgl_cell_lanes sum = {{0}};
        for (size_t a = 0; a < s->m; a++)
            sum = mgl_cell_lanes_add(sum, w->costs[x->first_value[a] + s->leaves[u * s->m + a]]);
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            w->pairs[lane][u] = sum.of[lane];
    }
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
        w->pairs[lane][tuples[lane]] = OUT_OF_REACH;
        for (uint32_t u = 0; s->history_mask != 0 && u < s->n; u++)
            if (mgl_cell_are_apart(s, tuples[lane], u))
                w->pairs[lane][u] = OUT_OF_REACH;
    }
}

static void look_around(void *context, size_t group, unsigned number)
{
    around *x = context;
    const mgl_box_space *s = x->space;
    worker *w = &x->workers[number];
    mgl_cell_lane_costs how = {s, x->first_value, x->unit, OUT_OF_REACH};
    uint32_t tuples[MGL_CELL_LANES];
    size_t first = group * MGL_CELL_LANES;
    if (mgl_problem_is_late(s->problem))
        return;
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
        tuples[lane] = (uint32_t)(first + lane < s->n ? first + lane : s->n - 1);
        mgl_cell_place_costs(&how, tuples[lane], lane, w->costs);
    }
    cost_pairs(x, w, tuples);
    for (size_t lane = 0; lane < MGL_CELL_LANES && first + lane < s->n; lane++) {
        uint32_t t = tuples[lane];
        if (s->rows[t] >= s->need)
            continue;
        gather(x, w, lane);
        uint32_t least = find_least(x, w, t) * x->unit;
        least = least < s->top_cost ? least : s->top_cost;
        x->bound[t] = least > x->bound[t] ? least : x->bound[t];
    }
}

/* Looking at all pairs of neighbours takes about the work that is allowed. */
static void choose_most_near(around *x)
{
    const mgl_box_space *s = x->space;
    size_t most = 2 * (size_t)sqrt((double)CHEAPER * (double)x->work) + 2 * s->need;
    most = most < MOST_NEAR ? most : MOST_NEAR;
    x->most_near = (most + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
}

/* All columns at their highest levels, where each costs most, are UNITS at most. */
static void choose_unit(around *x)
{
    const mgl_box_space *s = x->space;
    uint64_t most = 0;
    for (size_t a = 0; a < s->m; a++)
        most += s->attributes[a].most[s->attributes[a].high];
    uint64_t steps = most / s->step / UNITS + 1; /* whole costs stay exact if these are 1 */
    x->unit = (uint32_t)steps * s->step;
}

static mgl_status begin_worker(const around *x, worker *w, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    w->costs = mgl_own_array(&w->own, x->n_values, sizeof *w->costs);
    w->places = mgl_own_array(&w->own, UNITS + 2, sizeof *w->places);
    w->most_near = x->most_near;
    w->near = mgl_own_array(&w->own, x->most_near, sizeof *w->near);
    w->cells = mgl_own_zeroed(&w->own, x->most_near, x->width * sizeof *w->cells);
    w->by_column = mgl_own_zeroed(&w->own, x->most_near, s->m * sizeof *w->by_column);
    w->first_costs = mgl_own_array(&w->own, x->most_near, sizeof *w->first_costs);
    w->box = mgl_own_array(&w->own, x->depth, x->width * sizeof *w->box);
    w->lists = mgl_own_array(&w->own, x->depth, x->most_near * sizeof *w->lists);
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
        w->pairs[lane] = mgl_own_array(&w->own, s->n, sizeof *w->pairs[lane]);
    return mgl_owned_check(&w->own, err);
}

static mgl_status begin(around *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    x->first_value = mgl_own_array(&x->own, s->m, sizeof *x->first_value);
    MGL_TRY(mgl_owned_check(&x->own, err));
    choose_unit(x);
    choose_most_near(x);
    x->width = (s->m + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    x->depth = 2; /* the first box, one more for each level that can be raised, and the next */
    for (size_t a = 0; a < s->m; a++) {
        x->first_value[a] = x->n_values;
        x->n_values += s->attributes[a].n_leaves;
        x->depth += s->attributes[a].high - s->attributes[a].low;
    }
    for (unsigned i = 0; i < x->n_workers; i++)
        MGL_TRY(begin_worker(x, &x->workers[i], err));
    return MGL_OK;
}

mgl_status mgl_cell_around_bound(const mgl_box_space *s, uint64_t work, mgl_error *err,
                                 uint32_t *bound)
{
    around x = {.space = s, .work = work, .bound = bound};
    if (s->need <= 2) /* a class of two is a pair: nothing is left to find */
        return MGL_OK;
    mgl_status status = begin(&x, err);
    if (status == MGL_OK)
        mgl_pool_run(s->problem->pool, (s->n + MGL_CELL_LANES - 1) / MGL_CELL_LANES, look_around,
                     &x);
    for (unsigned i = 0; x.workers != NULL && i < x.n_workers; i++)
        mgl_owned_free(&x.workers[i].own);
    mgl_owned_free(&x.own);
    return status;
}
