/* Fewer or less important cells, where a suppressed cell matches every value: the tuples in
 * question are given patterns anew, those first that help most for their cost; then, again and
 * again, some near each other lose theirs, and what is wanting after that is given anew in a
 * slightly different order. */
#include "search/improver/improver.h"
#include "search/local/patterns.h"

/* Knows all pairs of a few tuples: in which columns they differ, and which match. */

enum { PAIRS_BITS = 10 }; /* columns of a set */

/* Tuples are numbered 0..n-1 here. All others keep their cells. */
typedef struct pairs {
    mgl_local *l;
    size_t n, n_sets, bins;
    uint32_t *tuples;         /* [n] what they are in the table */
    uint32_t *patterns;       /* [n] */
    uint32_t *differ;         /* [v * n + w] columns */
    uint16_t *squeezed;       /* [set][byte][256] columns of the set, side by side */
    uint32_t *others;         /* [v][set][bin] rows of all others that match by this pattern */
    uint32_t *counts;         /* [v][set] rows that match */
    uint32_t *lacking;        /* [v] sets on which too few do */
    uint32_t *rows, *weights; /* [n] */
    uint32_t *given;          /* [n] */
    bool plain;               /* one set of all columns */
    uint32_t *touched;        /* [n] when its counts changed last */
    uint32_t now;             /* the caller's clock for that */
    uint64_t cost;            /* of all patterns */
    uint64_t work;            /* done so far */
    /* Of pairs_choose. */
    uint32_t *matching; /* [set][bin] */
    float *cured;       /* [set][bin] */
    mgl_owned own;
} pairs;

/* The columns of a pattern that are in a set, as a number below bins. */
static inline uint32_t pairs_bin(const pairs *p, size_t set, uint32_t pattern)
{
    const uint16_t *to = p->squeezed + set * 4 * 256;
    if (p->plain)
        return pattern;
    return (uint32_t)(to[pattern & 255] | to[256 + (pattern >> 8 & 255)] |
                      to[512 + (pattern >> 16 & 255)] | to[768 + (pattern >> 24)]);
}

typedef struct option {
    uint32_t pattern;
    double worth; /* tuples cured per cost, about; less than 0: there is none */
} option;

enum {
    MOST_TUPLES = 4096,
    MOST_PAIRS = 100000000, /* of a tuple in question and any */
    MOST_COUNTS = 16000000  /* in memory */
};

static size_t most_columns(const mgl_local *l)
{
    size_t most = 0;
    for (size_t i = 0; i < l->n_sets; i++) {
        size_t columns = (size_t)__builtin_popcount(l->sets[i]);
        most = columns > most ? columns : most;
    }
    return most;
}

/* Those that too few rows match, or that got a pattern. */
static bool is_in_question(const mgl_local *l, size_t t)
{
    return !l->gone[t] && (l->concerned[t] || l->patterns[t] != l->given[t]);
}

static bool fits(const mgl_local *l, size_t n)
{
    size_t bits = most_columns(l);
    return n > 0 && n <= MOST_TUPLES && bits <= PAIRS_BITS && n * l->space->n <= MOST_PAIRS &&
           (n * l->n_sets) << bits <= MOST_COUNTS && n * n * l->n_sets <= 4 * (size_t)MOST_PAIRS;
}

static void squeeze(pairs *p)
{
    for (size_t i = 0; i < p->n_sets; i++)
        for (uint32_t byte = 0; byte < 4; byte++)
            for (uint32_t bits = 0; bits < 256; bits++) {
                uint32_t bin = 0, place = 0;
                for (uint32_t a = 0; a < 32; a++) {
                    if ((p->l->sets[i] >> a & 1) == 0)
                        continue;
                    bin |= ((bits << 8 * byte) >> a & 1) << place;
                    place++;
                }
                p->squeezed[(i * 4 + byte) * 256 + bits] = (uint16_t)bin;
            }
}

/* counts[bin] becomes the sum over all bins that are subsets of it. */
static void sum_subsets(uint32_t *counts, size_t bins)
{
    for (size_t bit = 1; bit < bins; bit *= 2)
        for (size_t block = bit; block < bins; block += 2 * bit)
            for (size_t i = block; i < block + bit; i++)
                counts[i] += counts[i - bit];
}

static void compare_all(pairs *p)
{
    mgl_local *l = p->l;
    for (size_t v = 0; v < p->n; v++)
        for (size_t w = 0; w < v; w++)
            p->differ[v * p->n + w] = p->differ[w * p->n + v] =
                mgl_local_differ(l, p->tuples[v], p->tuples[w]);
    for (size_t v = 0; v < p->n; v++) {
        uint32_t *others = p->others + v * p->n_sets * p->bins;
        for (size_t t = 0; t < l->space->n; t++) {
            if (l->gone[t] || is_in_question(l, t))
                continue;
            uint32_t apart = mgl_local_differ(l, p->tuples[v], t) & ~l->given[t];
            for (size_t i = 0; i < p->n_sets; i++)
                others[i * p->bins + pairs_bin(p, i, apart)] += l->weights[t];
        }
        for (size_t i = 0; i < p->n_sets; i++)
            sum_subsets(others + i * p->bins, p->bins);
    }
}

/* Nothing suppressed yet. */
static void count_all(pairs *p)
{
    for (size_t v = 0; v < p->n; v++)
        for (size_t i = 0; i < p->n_sets; i++) {
            uint32_t *count = &p->counts[v * p->n_sets + i];
            *count = p->weights[v] +
                     p->others[(v * p->n_sets + i) * p->bins + pairs_bin(p, i, p->given[v])];
            for (size_t w = 0; w < p->n; w++) {
                uint32_t apart = p->differ[v * p->n + w] & ~(p->given[v] | p->given[w]);
                *count += w != v && (apart & p->l->sets[i]) == 0 ? p->weights[w] : 0;
            }
            p->lacking[v] += *count < p->l->need;
        }
}

static mgl_status make(pairs *p, mgl_error *err)
{
    const mgl_local *l = p->l;
    size_t n = p->n;
    p->n_sets = l->n_sets;
    p->bins = (size_t)1 << most_columns(l);
    p->plain = l->n_sets == 1 && l->sets[0] == l->whole;
    p->tuples = mgl_own_array(&p->own, n, sizeof *p->tuples);
    p->patterns = mgl_own_array(&p->own, n, sizeof *p->patterns);
    p->differ = mgl_own_zeroed(&p->own, n * n, sizeof *p->differ);
    p->squeezed = mgl_own_zeroed(&p->own, p->n_sets * 4 * 256, sizeof *p->squeezed);
    p->others = mgl_own_zeroed(&p->own, n * p->n_sets * p->bins, sizeof *p->others);
    p->counts = mgl_own_zeroed(&p->own, n * p->n_sets, sizeof *p->counts);
    p->lacking = mgl_own_zeroed(&p->own, n, sizeof *p->lacking);
    p->touched = mgl_own_zeroed(&p->own, n, sizeof *p->touched);
    p->rows = mgl_own_array(&p->own, n, sizeof *p->rows);
    p->weights = mgl_own_array(&p->own, n, sizeof *p->weights);
    p->given = mgl_own_array(&p->own, n, sizeof *p->given);
    p->matching = mgl_own_zeroed(&p->own, p->n_sets * p->bins, sizeof *p->matching);
    p->cured = mgl_own_zeroed(&p->own, p->n_sets * p->bins, sizeof *p->cured);
    MGL_TRY(mgl_owned_check(&p->own, err));
    for (size_t t = 0, v = 0; t < l->space->n; t++) {
        if (!is_in_question(l, t))
            continue;
        p->tuples[v] = (uint32_t)t;
        p->rows[v] = l->space->rows[t];
        p->weights[v] = l->weights[t];
        p->patterns[v] = p->given[v] = l->given[t];
        v++;
    }
    squeeze(p);
    compare_all(p);
    count_all(p);
    return MGL_OK;
}

static void pairs_free(pairs *p)
{
    if (p == NULL)
        return;
    mgl_owned_free(&p->own);
    mgl_free(p);
}

/* *out is NULL if they are too many. Free with pairs_free. */
static mgl_status pairs_new(mgl_local *l, mgl_error *err, pairs **out)
{
    size_t n = 0;
    *out = NULL;
    for (size_t t = 0; t < l->space->n; t++)
        n += is_in_question(l, t);
    if (!fits(l, n))
        return MGL_OK;
    pairs *p;
    MGL_TRY(mgl_new_zeroed(1, sizeof *p, err, &p));
    p->l = l;
    p->n = n;
    mgl_status status = make(p, err);
    if (status != MGL_OK) {
        pairs_free(p);
        return status;
    }
    *out = p;
    return MGL_OK;
}

/* Adds rows to a count, or takes them away. */
static void count_change(pairs *p, size_t v, size_t set, uint32_t rows, bool more)
{
    uint32_t *count = &p->counts[v * p->n_sets + set], need = p->l->need;
    uint32_t before = *count;
    *count = more ? before + rows : before - rows;
    p->touched[v] = p->now;
    if (before < need && *count >= need)
        p->lacking[v]--;
    else if (before >= need && *count < need)
        p->lacking[v]++;
}

static void pairs_set(pairs *p, size_t v, uint32_t pattern)
{
    uint32_t old = p->patterns[v];
    const uint32_t *sets = p->l->sets, *differ = p->differ + v * p->n;
    uint32_t changed = old ^ pattern;
    if (changed == 0)
        return;
    for (size_t i = 0; i < p->n_sets; i++) {
        const uint32_t *others = p->others + (v * p->n_sets + i) * p->bins;
        uint32_t before = others[pairs_bin(p, i, old)];
        uint32_t after = others[pairs_bin(p, i, pattern)];
        if (after != before)
            count_change(p, v, i, after > before ? after - before : before - after, after > before);
    }
    for (size_t w = 0; w < p->n; w++) {
        uint32_t apart = differ[w] & ~p->patterns[w];
        if ((apart & changed) == 0)
            continue; /* also for v itself */
        for (size_t i = 0; i < p->n_sets; i++) {
            bool before = (apart & ~old & sets[i]) == 0, after = (apart & ~pattern & sets[i]) == 0;
            if (before == after)
                continue;
            count_change(p, v, i, p->weights[w], after);
            count_change(p, w, i, p->weights[v], after);
        }
    }
    p->cost -= p->rows[v] * mgl_local_cost(p->l, old & ~p->given[v]);
    p->cost += p->rows[v] * mgl_local_cost(p->l, pattern & ~p->given[v]);
    p->patterns[v] = pattern;
    p->work += p->n * (1 + p->n_sets / 8);
}

/* May the cell be released after all? */
static bool pairs_can_drop(pairs *p, size_t v, uint32_t column)
{
    uint32_t old = p->patterns[v], less = old & ~column, need = p->l->need;
    const uint32_t *differ = p->differ + v * p->n;
    p->work += p->n / 4;
    if ((less & ~(p->l->free | p->given[v])) != 0)
        return false; /* whole rows only */
    for (size_t i = 0; i < p->n_sets; i++) {
        uint32_t set = p->l->sets[i];
        if ((set & column) == 0)
            continue;
        const uint32_t *others = p->others + (v * p->n_sets + i) * p->bins;
        uint64_t lost = others[pairs_bin(p, i, old)] - others[pairs_bin(p, i, less)];
        uint32_t count = p->counts[v * p->n_sets + i];
        if (count < need + lost)
            return false;
        for (size_t w = 0; w < p->n; w++) {
            uint32_t apart = differ[w] & ~p->patterns[w] & set;
            if ((apart & column) == 0 || (apart & ~old) != 0)
                continue;
            lost += p->weights[w];
            if (count < need + lost || p->counts[w * p->n_sets + i] < need + p->weights[v])
                return false;
        }
    }
    return true;
}

/* Chooses the pattern that a tuple is given which too few rows match. */

/* The columns that patterns are made of: those of the sets on which too few match, the ones that
 * are in most of them if they are too many. */
static uint32_t choose_columns(const pairs *p, size_t v)
{
    uint32_t times[MGL_LOCAL_COLUMNS] = {0}, columns = 0, able = p->l->free & ~p->patterns[v];
    for (size_t i = 0; i < p->n_sets; i++)
        for (uint32_t a = 0; p->counts[v * p->n_sets + i] < p->l->need && a < MGL_LOCAL_COLUMNS;
             a++)
            times[a] += p->l->sets[i] & able ? p->l->sets[i] >> a & able >> a & 1 : 0;
    for (size_t n = 0; n < PAIRS_BITS; n++) {
        uint32_t best = MGL_LOCAL_COLUMNS;
        for (uint32_t a = 0; a < MGL_LOCAL_COLUMNS; a++)
            if ((columns >> a & 1) == 0 && times[a] > 0 &&
                (best == MGL_LOCAL_COLUMNS || times[a] > times[best]))
                best = a;
        columns |= best < MGL_LOCAL_COLUMNS ? UINT32_C(1) << best : 0;
    }
    return columns;
}

static void sum_cured(float *cured, size_t bins)
{
    for (size_t bit = 1; bit < bins; bit *= 2)
        for (size_t block = bit; block < bins; block += 2 * bit)
            for (size_t i = block; i < block + bit; i++)
                cured[i] += cured[i - bit];
}

/* Rows that match v by each pattern, on the sets where too few do. */
static void count_matching(pairs *p, size_t v)
{
    const uint32_t *differ = p->differ + v * p->n;
    for (size_t i = 0; i < p->n_sets; i++) {
        uint32_t *matching = p->matching + i * p->bins;
        if (p->counts[v * p->n_sets + i] >= p->l->need)
            continue;
        memset(matching, 0, p->bins * sizeof *matching);
        for (size_t w = 0; w < p->n; w++) /* v itself is as it is */
            matching[pairs_bin(p, i, differ[w] & ~p->patterns[w])] += p->weights[w];
        sum_subsets(matching, p->bins);
        const uint32_t *others = p->others + (v * p->n_sets + i) * p->bins;
        for (size_t bin = 0; bin < p->bins; bin++)
            matching[bin] += others[bin];
        p->work += p->n + p->bins * PAIRS_BITS / 4;
    }
}

/* What each pattern of v does for others, a tuple that lacks nothing any more counting 1. */
static void count_cured(pairs *p, size_t v)
{
    const uint32_t *differ = p->differ + v * p->n;
    memset(p->cured, 0, p->n_sets * p->bins * sizeof *p->cured);
    for (size_t w = 0; w < p->n; w++) {
        uint32_t apart = differ[w] & ~p->patterns[w];
        if (p->lacking[w] == 0 || w == v)
            continue;
        for (size_t i = 0; i < p->n_sets; i++) {
            uint32_t count = p->counts[w * p->n_sets + i];
            if (count >= p->l->need || (apart & ~p->patterns[v] & p->l->sets[i]) == 0)
                continue;
            uint32_t lacks = p->l->need - count, rows = p->weights[v];
            p->cured[i * p->bins + pairs_bin(p, i, apart)] +=
                (float)(rows < lacks ? rows : lacks) / ((float)lacks * (float)p->lacking[w]);
        }
    }
    for (size_t i = 0; i < p->n_sets; i++)
        sum_cured(p->cured + i * p->bins, p->bins);
    p->work += p->n + p->n_sets * p->bins * PAIRS_BITS / 4;
}

static bool is_enough(const pairs *p, size_t v, uint32_t pattern)
{
    for (size_t i = 0; i < p->n_sets; i++)
        if (p->counts[v * p->n_sets + i] < p->l->need &&
            p->matching[i * p->bins + pairs_bin(p, i, pattern)] < p->l->need)
            return false;
    return true;
}

/* Would fewer cells do? */
static bool is_least(const pairs *p, size_t v, uint32_t pattern)
{
    for (uint32_t rest = pattern & ~p->patterns[v]; rest != 0; rest &= rest - 1)
        if (is_enough(p, v, pattern & ~(rest & -rest)))
            return false;
    return true;
}

static double worth(const pairs *p, size_t v, uint32_t pattern)
{
    double cured = 1;
    uint64_t cost = p->rows[v] * mgl_local_cost(p->l, pattern & ~p->patterns[v]);
    for (size_t i = 0; i < p->n_sets; i++)
        cured += (double)p->cured[i * p->bins + pairs_bin(p, i, pattern)];
    return cured / (double)cost;
}

/* A pattern by which enough rows match v, none of its columns left out, that is worth most, worths
 * being off by up to `noise` of themselves. */
static option pairs_choose(pairs *p, size_t v, double noise, mgl_quick_random *random)
{
    option best = {.worth = -1};
    uint32_t own = p->patterns[v], columns = choose_columns(p, v);
    count_matching(p, v);
    count_cured(p, v);
    for (uint32_t more = columns & -columns; more != 0; more = (more - columns) & columns) {
        uint32_t pattern = own | more;
        if (!is_enough(p, v, pattern) || !is_least(p, v, pattern))
            continue;
        double value = worth(p, v, pattern);
        if (noise > 0)
            value *= 1 + noise * (mgl_quick_random_unit(random) - 0.5);
        if (value > best.worth)
            best = (option){pattern, value};
    }
    bool kept = p->l->space->problem->treatment == MGL_KEEP;
    uint32_t all = own | p->l->free;
    if (best.worth < 0 && is_enough(p, v, all) && (all != p->l->whole || kept))
        best = (option){all, worth(p, v, all)};
    if (best.worth < 0 && kept)
        best = (option){p->l->whole, worth(p, v, p->l->whole)};
    return best;
}

enum {
    LOOK_EVERY = 32, /* neighbourhoods between two looks at the clock */
    LEAST_TAKEN = 2, /* patterns that are taken away at once */
    MOST_TAKEN = 9
};

#define NOISE 0.5      /* of what a pattern is worth */
#define NEAR_NOISE 1.5 /* of how near tuples are, in columns */

typedef struct change {
    uint32_t v, pattern; /* before */
} change;

typedef struct improve {
    pairs *p;
    uint32_t *needy; /* [n] */
    option *options; /* [n] by place in needy */
    size_t n_needy;
    change *changes; /* to be undone */
    size_t n_changes, capacity;
    double *near;     /* [n] */
    uint32_t *chosen; /* [n] the first n_chosen lose their patterns */
    size_t n_chosen;
    bool out_of_memory;
    mgl_owned own;
} improve;

static void set(improve *x, uint32_t v, uint32_t pattern)
{
    if (!mgl_grow(&x->changes, &x->capacity, x->n_changes + 1, sizeof *x->changes)) {
        x->out_of_memory = true;
        return;
    }
    x->changes[x->n_changes++] = (change){v, x->p->patterns[v]};
    pairs_set(x->p, v, pattern);
}

static void undo(improve *x)
{
    while (x->n_changes > 0) {
        change c = x->changes[--x->n_changes];
        pairs_set(x->p, c.v, c.pattern);
    }
}

static void forget(improve *x, size_t i)
{
    x->n_needy--;
    x->needy[i] = x->needy[x->n_needy];
    x->options[i] = x->options[x->n_needy];
}

static size_t best_option(const improve *x)
{
    size_t best = 0;
    for (size_t i = 1; i < x->n_needy; i++)
        if (x->options[i].worth > x->options[best].worth ||
            (x->options[i].worth == x->options[best].worth && x->needy[i] < x->needy[best]))
            best = i;
    return best;
}

/* Worths mostly fall while others are helped: the one that seems best is looked at again, and taken
 * if it still is about as good as it seemed. False if a tuple cannot be helped. */
static bool give_patterns(improve *x, double noise, mgl_quick_random *random)
{
    pairs *p = x->p;
    x->n_needy = 0;
    for (size_t v = 0; v < p->n; v++)
        if (p->lacking[v] > 0)
            x->needy[x->n_needy++] = (uint32_t)v;
    for (size_t i = 0; i < x->n_needy; i++)
        x->options[i] = pairs_choose(p, x->needy[i], noise, random);
    while (x->n_needy > 0 && !x->out_of_memory) {
        size_t i = best_option(x);
        uint32_t v = x->needy[i];
        if (p->lacking[v] == 0) {
            forget(x, i);
            continue;
        }
        double before = x->options[i].worth;
        x->options[i] = pairs_choose(p, v, noise, random);
        if (x->options[i].worth < 0)
            return false;
        if (x->options[i].worth < before * (1 - noise / 2) && best_option(x) != i)
            continue;
        set(x, v, x->options[i].pattern);
        forget(x, i);
        p->work += x->n_needy * 2;
    }
    return true;
}

/* Cells that need not be suppressed any more, the most important ones of a row first. Rows whose
 * counts did not change since then are passed over. */
static void drop_cells(improve *x, uint32_t since)
{
    pairs *p = x->p;
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t left = p->touched[v] < since ? 0 : p->patterns[v] & ~p->given[v];
        while (left != 0) {
            uint32_t column = left & -left;
            for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
                if (mgl_local_cost(p->l, rest & -rest) > mgl_local_cost(p->l, column))
                    column = rest & -rest;
            left &= ~column;
            if (pairs_can_drop(p, v, column))
                set(x, v, p->patterns[v] & ~column);
        }
    }
}

/* Tuples with suppressed cells near to one of them: those of a neighbourhood come first in chosen.
 */
static mgl_improver_choice choose(void *search, const mgl_improver_item *item)
{
    improve *x = search;
    pairs *p = x->p;
    size_t n = 0,
           wanted = LEAST_TAKEN + mgl_quick_random_below(item->random, MOST_TAKEN - LEAST_TAKEN);
    for (uint32_t v = 0; v < p->n; v++)
        if (p->patterns[v] != p->given[v])
            x->chosen[n++] = v;
    if (n == 0 || x->out_of_memory)
        return MGL_NONE_LEFT;
    const uint32_t *differ = p->differ + x->chosen[mgl_quick_random_below(item->random, n)] * p->n;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(differ[x->chosen[i]]) +
                     NEAR_NOISE * mgl_quick_random_unit(item->random);
    x->n_chosen = wanted < n ? wanted : n;
    for (size_t k = 0; k < x->n_chosen; k++) {
        size_t nearest = k;
        for (size_t i = k + 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        uint32_t v = x->chosen[nearest];
        x->chosen[nearest] = x->chosen[k];
        x->near[nearest] = x->near[k];
        x->chosen[k] = v;
    }
    p->work += n * (wanted + 4);
    return MGL_CHOSEN;
}

static bool open(void *search, const mgl_improver_item *item, uint64_t *before)
{
    improve *x = search;
    (void)item; /* there is one in a round */
    *before = x->p->cost;
    x->n_changes = 0;
    x->p->now++;
    for (size_t i = 0; i < x->n_chosen; i++)
        set(x, x->chosen[i], x->p->given[x->chosen[i]]);
    return true;
}

static bool rebuild(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    improve *x = search;
    (void)attempt; /* there is one */
    bool made = give_patterns(x, NOISE, item->random);
    drop_cells(x, x->p->now);
    *cost = x->p->cost;
    return made;
}

/* It is there already. */
static mgl_status take(void *search, size_t number, mgl_error *err)
{
    const improve *x = search;
    (void)number;
    return x->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static void leave(void *search, size_t number)
{
    (void)number;
    undo(search);
}

static const mgl_improver by_patterns = {.at_once = 1,
                                         .tries = 1,
                                         .look_every = LOOK_EVERY,
                                         .choose = choose,
                                         .open = open,
                                         .rebuild = rebuild,
                                         .take = take,
                                         .leave = leave};

/* The patterns there are already, if they cannot be given better. */
static void give_first(improve *x, mgl_quick_random *random)
{
    pairs *p = x->p;
    for (size_t v = 0; v < p->n; v++)
        pairs_set(p, v, p->l->patterns[p->tuples[v]]);
    drop_cells(x, 0);
    uint64_t known = p->cost;
    x->n_changes = 0;
    for (uint32_t v = 0; v < p->n && !x->out_of_memory; v++)
        set(x, v, p->given[v]);
    bool made = give_patterns(x, 0, random);
    drop_cells(x, 0);
    if (!made || p->cost >= known)
        undo(x);
}

static mgl_status search(improve *x, mgl_error *err)
{
    pairs *p = x->p;
    mgl_quick_random random = {1};
    mgl_improver_limits limits = {.problem = p->l->space->problem,
                                  .work = &p->work,
                                  .most_work = mgl_local_work(p->l->space->problem, p->n),
                                  .timed_out = p->l->timed_out};
    give_first(x, &random);
    MGL_TRY(mgl_improve(&by_patterns, x, &random, &limits, err));
    p->l->timed_out = limits.timed_out;
    drop_cells(x, 0);
    if (x->out_of_memory)
        return mgl_fail_memory(err);
    for (size_t v = 0; v < p->n; v++)
        p->l->patterns[p->tuples[v]] = p->patterns[v];
    return MGL_OK;
}

mgl_status mgl_local_improve(mgl_local *l, mgl_error *err, bool *done)
{
    improve x = {0};
    mgl_status status = MGL_OK;
    MGL_TRY(pairs_new(l, err, &x.p));
    *done = x.p != NULL;
    if (x.p == NULL)
        return MGL_OK;
    x.needy = mgl_own_array(&x.own, x.p->n, sizeof *x.needy);
    x.options = mgl_own_array(&x.own, x.p->n, sizeof *x.options);
    x.near = mgl_own_array(&x.own, x.p->n, sizeof *x.near);
    x.chosen = mgl_own_array(&x.own, x.p->n, sizeof *x.chosen);
    MGL_GO(mgl_owned_check(&x.own, err));
    MGL_GO(search(&x, err));
done:
    mgl_owned_free(&x.own);
    mgl_free(x.changes);
    pairs_free(x.p);
    return status;
}
