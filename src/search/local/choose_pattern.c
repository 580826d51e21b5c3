/* Chooses the pattern that a tuple is given which too few rows match. improve_patterns.c calls
 * it. */
#include "search/local/pairs.h"

/* The columns that patterns are made of: those of the sets on which too few match, the ones that
 * are in most of them if they are too many. */
static uint32_t choose_columns(const mgl_local_pairs *p, size_t v)
{
    uint32_t times[MGL_LOCAL_COLUMNS] = {0}, columns = 0, able = p->l->free & ~p->patterns[v];
    for (size_t i = 0; i < p->n_sets; i++)
        for (uint32_t a = 0; p->counts[v * p->n_sets + i] < p->l->need && a < MGL_LOCAL_COLUMNS;
             a++)
            times[a] += p->l->sets[i] & able ? p->l->sets[i] >> a & able >> a & 1 : 0;
    for (size_t n = 0; n < MGL_PAIRS_BITS; n++) {
        uint32_t best = MGL_LOCAL_COLUMNS;
        for (uint32_t a = 0; a < MGL_LOCAL_COLUMNS; a++)
            if ((columns >> a & 1) == 0 && times[a] > 0 &&
                (best == MGL_LOCAL_COLUMNS || times[a] > times[best]))
                best = a;
        columns |= best < MGL_LOCAL_COLUMNS ? UINT32_C(1) << best : 0;
    }
    return columns;
}

static void sum_subsets(uint32_t *counts, size_t bins)
{
    for (size_t bit = 1; bit < bins; bit *= 2)
        for (size_t block = bit; block < bins; block += 2 * bit)
            for (size_t i = block; i < block + bit; i++)
                counts[i] += counts[i - bit];
}

static void sum_cured(float *cured, size_t bins)
{
    for (size_t bit = 1; bit < bins; bit *= 2)
        for (size_t block = bit; block < bins; block += 2 * bit)
            for (size_t i = block; i < block + bit; i++)
                cured[i] += cured[i - bit];
}

/* Rows that match v by each pattern, on the sets where too few do. */
static void count_matching(mgl_local_pairs *p, size_t v)
{
    const uint32_t *differ = p->differ + v * p->n;
    for (size_t i = 0; i < p->n_sets; i++) {
        uint32_t *matching = p->matching + i * p->bins;
        if (p->counts[v * p->n_sets + i] >= p->l->need)
            continue;
        memset(matching, 0, p->bins * sizeof *matching);
        for (size_t w = 0; w < p->n; w++) /* v itself is as it is */
            matching[mgl_pairs_bin(p, i, differ[w] & ~p->patterns[w])] += p->weights[w];
        sum_subsets(matching, p->bins);
        const uint32_t *others = p->others + (v * p->n_sets + i) * p->bins;
        for (size_t bin = 0; bin < p->bins; bin++)
            matching[bin] += others[bin];
        p->work += p->n + p->bins * MGL_PAIRS_BITS / 4;
    }
}

/* What each pattern of v does for others, a tuple that lacks nothing any more counting 1. */
static void count_cured(mgl_local_pairs *p, size_t v)
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
            p->cured[i * p->bins + mgl_pairs_bin(p, i, apart)] +=
                (float)(rows < lacks ? rows : lacks) / ((float)lacks * (float)p->lacking[w]);
        }
    }
    for (size_t i = 0; i < p->n_sets; i++)
        sum_cured(p->cured + i * p->bins, p->bins);
    p->work += p->n + p->n_sets * p->bins * MGL_PAIRS_BITS / 4;
}

static bool is_enough(const mgl_local_pairs *p, size_t v, uint32_t pattern)
{
    for (size_t i = 0; i < p->n_sets; i++)
        if (p->counts[v * p->n_sets + i] < p->l->need &&
            p->matching[i * p->bins + mgl_pairs_bin(p, i, pattern)] < p->l->need)
            return false;
    return true;
}

/* Would fewer cells do? */
static bool is_least(const mgl_local_pairs *p, size_t v, uint32_t pattern)
{
    for (uint32_t rest = pattern & ~p->patterns[v]; rest != 0; rest &= rest - 1)
        if (is_enough(p, v, pattern & ~(rest & -rest)))
            return false;
    return true;
}

static double worth(const mgl_local_pairs *p, size_t v, uint32_t pattern)
{
    double cured = 1;
    uint64_t price = p->rows[v] * mgl_local_price(p->l, pattern & ~p->patterns[v]);
    for (size_t i = 0; i < p->n_sets; i++)
        cured += (double)p->cured[i * p->bins + mgl_pairs_bin(p, i, pattern)];
    return cured / (double)price;
}

mgl_local_option mgl_pairs_choose(mgl_local_pairs *p, size_t v, double noise,
                                  mgl_quick_random *random)
{
    mgl_local_option best = {.worth = -1};
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
            best = (mgl_local_option){pattern, value};
    }
    bool kept = p->l->space->problem->treatment == MGL_KEEP;
    uint32_t all = own | p->l->free;
    if (best.worth < 0 && is_enough(p, v, all) && (all != p->l->whole || kept))
        best = (mgl_local_option){all, worth(p, v, all)};
    if (best.worth < 0 && kept)
        best = (mgl_local_option){p->l->whole, worth(p, v, p->l->whole)};
    return best;
}
