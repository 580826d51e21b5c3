/* Bounds of what tuples cost together: goes through sets of tuples, classes and what must be
 * suppressed. */
#include "proof/checks.h"

#include <math.h>
#include <stdlib.h>

/* A step is a look at one tuple; this many take a few minutes. */
#define MOST_STEPS UINT64_C(400000000000)
#define REPORT_STEPS UINT64_C(50000000)

static mgl_status check_steps(mgl_proof_walk *w)
{
    if (w->steps >= w->next_report) {
        w->next_report = w->steps + REPORT_STEPS;
        MGL_TRY(mgl_progress_report(w->progress, "check", w->steps, 0, w->err));
    }
    if (w->steps > MOST_STEPS)
        return mgl_fail_key(w->err, MGL_CODE_UNPROVED, "proof",
                            "the proof was not checked: it has more boxes than are looked at");
    return MGL_OK;
}

bool mgl_proof_walk_is_over(mgl_proof_walk *w, size_t steps)
{
    w->steps += steps;
    if (w->status == MGL_OK)
        w->status = check_steps(w);
    return w->status != MGL_OK;
}

/* Do all have the same value one level lower, which costs no more? Then every box of these tuples
 * is one of that value's, too. */
static bool proof_is_nothing_new(const mgl_proof_walk *w, size_t a, uint32_t level,
                                 const uint32_t *tuples, size_t n)
{
    const mgl_proof *p = w->proof;
    if (level == p->columns[a].low)
        return false;
    uint32_t lower = mgl_proof_value_of(p, tuples[0], a, level - 1);
    if (w->cost[a][lower] > w->cost[a][mgl_proof_value_of(p, tuples[0], a, level)])
        return false;
    return mgl_proof_read_alike(p, a, level - 1, tuples, n);
}

static void divide(mgl_proof_walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost);

static void take_piece(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                       size_t n, int64_t cost)
{
    uint32_t value = mgl_proof_value_of(w->proof, tuples[0], a, level);
    cost += w->cost[a][value];
    if (!w->matters(w->context, tuples, n, cost + w->rest[a + 1]) ||
        proof_is_nothing_new(w, a, level, tuples, n))
        return;
    w->values[a] = value;
    w->levels[a] = level;
    divide(w, a + 1, tuples, n, cost);
}

/* Divides the tuples by their values on a level; their order stays. Returns how many values. */
static size_t sort_out(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                       size_t n)
{
    mgl_proof_division *x = &w->divisions[a];
    size_t n_values = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = mgl_proof_value_of(w->proof, tuples[i], a, level);
        if (x->count[v]++ == 0)
            x->values[n_values++] = v;
    }
    for (size_t i = 0; i < n_values; i++) {
        x->end[x->values[i]] = at;
        at += x->count[x->values[i]];
    }
    for (size_t i = 0; i < n; i++)
        x->tuples[x->end[mgl_proof_value_of(w->proof, tuples[i], a, level)]++] = tuples[i];
    return n_values;
}

static void divide_level(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                         size_t n, int64_t cost)
{
    mgl_proof_division *x = &w->divisions[a];
    size_t n_values = sort_out(w, a, level, tuples, n), at = 0;
    for (size_t i = 0; i < n_values; i++) {
        size_t size = x->count[x->values[i]];
        x->count[x->values[i]] = 0;
        take_piece(w, a, level, x->tuples + at, size, cost);
        at += size;
    }
}

/* The piece that the anchor is in. */
static void follow_level(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                         size_t n, int64_t cost)
{
    uint32_t *piece = w->divisions[a].tuples;
    uint32_t value = mgl_proof_value_of(w->proof, w->anchor, a, level);
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        if (mgl_proof_value_of(w->proof, tuples[i], a, level) == value)
            piece[size++] = tuples[i];
    take_piece(w, a, level, piece, size, cost);
}

static void divide(mgl_proof_walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost)
{
    if (a == w->proof->n_columns) {
        w->visit(w->context, tuples, n, cost);
        return;
    }
    const mgl_proof_column *x = &w->proof->columns[a];
    for (uint32_t level = x->low; level <= x->high && !mgl_proof_walk_is_over(w, n); level++) {
        if (w->anchor == MGL_NOT_FOUND)
            divide_level(w, a, level, tuples, n, cost);
        else
            follow_level(w, a, level, tuples, n, cost);
    }
}

void mgl_proof_walk_go(mgl_proof_walk *w, const uint32_t *tuples, size_t n)
{
    if (n > 0 && w->matters(w->context, tuples, n, w->rest[0]))
        divide(w, 0, tuples, n, 0);
}

/* The least that any value costs which cells of the column may have. */
static int64_t least_cost(const mgl_proof_walk *w, size_t a)
{
    const mgl_proof_column *x = &w->proof->columns[a];
    int64_t least = INT64_MAX;
    for (uint32_t l = x->low; l <= x->high; l++)
        for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
            int64_t cost = w->cost[a][x->value[l][leaf]];
            least = cost < least ? cost : least;
        }
    return least;
}

static bool begin_division(mgl_proof_division *x, size_t n_tuples, uint32_t n_values)
{
    *x = (mgl_proof_division){.tuples = mgl_alloc_array(n_tuples, sizeof *x->tuples),
                              .values = mgl_alloc_array(n_values, sizeof *x->values),
                              .count = mgl_zeroed_array(n_values, sizeof *x->count),
                              .end = mgl_alloc_array(n_values, sizeof *x->end)};
    return x->tuples != NULL && x->values != NULL && x->count != NULL && x->end != NULL;
}

mgl_status mgl_proof_walk_begin(mgl_proof_walk *w)
{
    const mgl_proof *p = w->proof;
    w->anchor = MGL_NOT_FOUND;
    w->rest = mgl_alloc_array(p->n_columns + 1, sizeof *w->rest);
    w->divisions = mgl_zeroed_array(p->n_columns, sizeof *w->divisions);
    w->values = mgl_zeroed_array(p->n_columns, sizeof *w->values);
    w->levels = mgl_zeroed_array(p->n_columns, sizeof *w->levels);
    MGL_TRY(mgl_check_memory(
        w->rest != NULL && w->divisions != NULL && w->values != NULL && w->levels != NULL, w->err));
    for (size_t a = 0; a < p->n_columns; a++)
        MGL_TRY(mgl_check_memory(
            begin_division(&w->divisions[a], p->n_tuples, p->columns[a].n_values), w->err));
    w->rest[p->n_columns] = 0;
    for (size_t a = p->n_columns; a-- > 0;)
        w->rest[a] = w->rest[a + 1] + least_cost(w, a);
    return MGL_OK;
}

void mgl_proof_walk_end(mgl_proof_walk *w)
{
    for (size_t a = 0; w->divisions != NULL && a < w->proof->n_columns; a++) {
        mgl_free(w->divisions[a].tuples);
        mgl_free(w->divisions[a].values);
        mgl_free(w->divisions[a].count);
        mgl_free(w->divisions[a].end);
    }
    mgl_free(w->divisions);
    mgl_free(w->rest);
    mgl_free(w->values);
    mgl_free(w->levels);
}

/* A row that costs more than this is not counted in whole numbers. */
#define MOST (INT64_C(1) << 55)

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool times(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out < MOST;
}

/* digits * 10^-places is the number that was written. */
typedef struct decimal {
    int64_t digits;
    int places;
} decimal;

static bool parse_decimal(double value, decimal *out)
{
    char text[MGL_NUMBER_TEXT];
    bool point = false;
    const char *c = text;
    mgl_number_write_exact(value, text);
    *out = (decimal){0};
    for (; (*c >= '0' && *c <= '9') || *c == '.'; c++) {
        if (*c != '.' && (!times(out->digits, 10, &out->digits)))
            return false;
        out->digits += *c != '.' ? *c - '0' : 0;
        out->places += *c != '.' && point;
        point = point || *c == '.';
    }
    if (*c == 'e')
        out->places -= atoi(c + 1);
    return true;
}

/* The weights as whole numbers, each by 10^places. */
static bool find_weights(const mgl_proof *p, bool weighted, int64_t *weights, int *places)
{
    *places = 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        decimal d;
        if (!parse_decimal(weighted ? p->columns[a].weight : 1, &d))
            return false;
        *places = d.places > *places ? d.places : *places;
    }
    for (size_t a = 0; a < p->n_columns; a++) {
        decimal d;
        parse_decimal(weighted ? p->columns[a].weight : 1, &d);
        weights[a] = d.digits;
        for (int i = d.places; i < *places; i++)
            if (!times(weights[a], 10, &weights[a]))
                return false;
    }
    return true;
}

static int64_t denominator(const mgl_proof *p, size_t a, bool levels)
{
    const mgl_proof_column *x = &p->columns[a];
    return levels ? x->height : x->n_leaves > 1 ? x->n_leaves - 1 : 1;
}

/* The least common multiple of the denominators. */
static bool find_common(const mgl_proof *p, bool levels, int64_t *out)
{
    *out = 1;
    for (size_t a = 0; a < p->n_columns; a++) {
        int64_t d = denominator(p, a, levels);
        if (!times(*out, d / gcd(*out, d), out))
            return false;
    }
    return true;
}

static bool price_values(const mgl_proof *p, size_t a, bool levels, const mgl_proof_counts *c,
                         int64_t each, int64_t *cost)
{
    for (uint32_t v = 0; v < p->columns[a].n_values; v++) {
        int64_t lost = c->leaves[v] == 0 ? 0 : levels ? c->lowest[v] : (int64_t)c->leaves[v] - 1;
        if (!times(lost, each, &cost[v]))
            return false;
    }
    return true;
}

/* Divides all costs by what they have in common. */
static int64_t reduce(const mgl_proof *p, int64_t **of)
{
    int64_t common = 0;
    for (size_t a = 0; a < p->n_columns; a++)
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            common = gcd(of[a][v], common);
    for (size_t a = 0; common > 1 && a < p->n_columns; a++)
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            of[a][v] /= common;
    return common;
}

static mgl_status fill(const mgl_proof *p, bool levels, const int64_t *weights, int64_t common,
                       mgl_error *err, mgl_proof_whole *out)
{
    for (size_t a = 0; out->known && a < p->n_columns; a++) {
        mgl_proof_counts counts;
        int64_t each;
        mgl_status status = mgl_proof_counts_find(p, a, err, &counts);
        if (status == MGL_OK)
            out->known = times(weights[a], common / denominator(p, a, levels), &each) &&
                         price_values(p, a, levels, &counts, each, out->of[a]);
        mgl_proof_counts_free(&counts);
        MGL_TRY(status);
    }
    return MGL_OK;
}

static void finish(const mgl_proof *p, int64_t common, int places, mgl_proof_whole *out)
{
    int64_t step = reduce(p, out->of);
    out->unit = (double)step / (double)common;
    for (int i = 0; i < places; i++)
        out->unit /= 10;
    for (size_t a = 0; a < p->n_columns; a++)
        out->top += out->of[a][p->columns[a].value[p->columns[a].height][0]];
    out->known = step > 0 && out->top < MOST;
}

static mgl_status find_exact(const mgl_proof *p, mgl_error *err, mgl_proof_whole *out)
{
    bool levels, weighted;
    int places;
    int64_t common;
    *out = (mgl_proof_whole){.of = mgl_zeroed_array(p->n_columns, sizeof *out->of)};
    int64_t *weights = mgl_alloc_array(p->n_columns, sizeof *weights);
    bool room = out->of != NULL && weights != NULL;
    for (size_t a = 0; room && a < p->n_columns; a++) {
        out->of[a] = mgl_zeroed_array(p->columns[a].n_values, sizeof **out->of);
        room = out->of[a] != NULL;
    }
    mgl_status status = room ? MGL_OK : mgl_fail_memory(err);
    out->known = room && mgl_proof_is_fraction(p, &levels, &weighted) &&
                 find_weights(p, weighted, weights, &places) && find_common(p, levels, &common);
    if (out->known)
        status = fill(p, levels, weights, common, err, out);
    if (status == MGL_OK && out->known)
        finish(p, common, places, out);
    mgl_free(weights);
    return status;
}

/* Fewer digits than the costs of rows have, so that sums over many rows can be written down. */
static mgl_status find_rounded(const mgl_proof *p, mgl_error *err, mgl_proof_whole *out)
{
    enum { LESS = 1 << 10 };
    mgl_proof_costs costs;
    mgl_status status = mgl_proof_costs_find(p, err, &costs);
    *out = (mgl_proof_whole){.of = costs.of, .unit = mgl_proof_total(p) * LESS / MGL_PROOF_UNIT};
    MGL_TRY(status); /* the caller frees what was found so far */
    for (size_t a = 0; a < p->n_columns; a++) {
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            out->of[a][v] /= LESS;
        out->top += out->of[a][p->columns[a].value[p->columns[a].height][0]];
    }
    out->known = out->unit > 0;
    return MGL_OK;
}

mgl_status mgl_proof_whole_find(const mgl_proof *p, bool rounded, mgl_error *err,
                                mgl_proof_whole *out)
{
    return rounded ? find_rounded(p, err, out) : find_exact(p, err, out);
}

void mgl_proof_whole_free(mgl_proof_whole *whole, size_t n_columns)
{
    for (size_t a = 0; whole->of != NULL && a < n_columns; a++)
        mgl_free(whole->of[a]);
    mgl_free(whole->of);
}

mgl_status mgl_proof_whole_unit(const mgl_proof *p, bool rounded, mgl_error *err, double *out)
{
    mgl_proof_whole whole;
    mgl_status status = mgl_proof_whole_find(p, rounded, err, &whole);
    *out = status == MGL_OK && whole.known ? whole.unit : 0;
    mgl_proof_whole_free(&whole, p->n_columns);
    return status;
}

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
            mgl_fail_key(k->walk.err, MGL_CODE_UNPROVED, "proof",
                         "the proof was not checked: it has more classes than are named");
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

/* What the tuples cost in this column at least, in levels that cells may have; -1: they have no
 * value in common there. */
static int64_t proof_least_cost(const mgl_proof *p, const mgl_proof_whole *whole, size_t a,
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
        int64_t least = proof_least_cost(k->proof, k->whole, a, k->chosen, n);
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
        if (proof_is_nothing_new(&k->walk, a, k->walk.levels[a], tuples, n))
            return;
    if (!is_exempt(k->proof) || !reads_as_top(k->proof, k->walk.values))
        name(k, tuples, n, (choice){0}, cost);
}

/* May rows be at the top, as a class, where the highest levels do not allow it? */
static bool proof_keeps_suppressed(const mgl_proof *p)
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
    if (bounded && proof_keeps_suppressed(p) && matters(k, order, p->n_tuples, k->whole->top))
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
    MGL_TRY(mgl_check_memory(sort_by_price(k, order), err));
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
    bool keep = proof_keeps_suppressed(p);
    bool exempt = strcmp(p->treatment, "exempt") == 0;
    bool top = true;
    int64_t sum = 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        int64_t least = proof_least_cost(p, k->whole, a, tuples, n);
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
