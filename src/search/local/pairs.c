/* Knows all pairs of a few tuples: in which columns they differ, and which match.
 * improve_patterns.c calls it. */
#include "search/local/pairs.h"

enum {
    MOST_TUPLES = 4096,
    MOST_PAIRS = 100000000, /* of a tuple in question and any */
    MOST_COUNTS = 16000000  /* in memory */
};

/* ---- Making --------------------------------------------------------------------------------- */

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
    return n > 0 && n <= MOST_TUPLES && bits <= MGL_PAIRS_BITS && n * l->space->n <= MOST_PAIRS &&
           (n * l->n_sets) << bits <= MOST_COUNTS && n * n * l->n_sets <= 4 * (size_t)MOST_PAIRS;
}

static void squeeze(mgl_local_pairs *p)
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
        for (size_t i = 0; i < bins; i++)
            if ((i & bit) != 0)
                counts[i] += counts[i ^ bit];
}

static void compare_all(mgl_local_pairs *p)
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
                others[i * p->bins + mgl_pairs_bin(p, i, apart)] += l->weights[t];
        }
        for (size_t i = 0; i < p->n_sets; i++)
            sum_subsets(others + i * p->bins, p->bins);
    }
}

/* Nothing suppressed yet. */
static void count_all(mgl_local_pairs *p)
{
    for (size_t v = 0; v < p->n; v++)
        for (size_t i = 0; i < p->n_sets; i++) {
            uint32_t *count = &p->counts[v * p->n_sets + i];
            *count = p->weights[v] +
                     p->others[(v * p->n_sets + i) * p->bins + mgl_pairs_bin(p, i, p->given[v])];
            for (size_t w = 0; w < p->n; w++) {
                uint32_t apart = p->differ[v * p->n + w] & ~(p->given[v] | p->given[w]);
                *count += w != v && (apart & p->l->sets[i]) == 0 ? p->weights[w] : 0;
            }
            p->lacking[v] += *count < p->l->need;
        }
}

static mgl_status make(mgl_local_pairs *p, mgl_error *err)
{
    const mgl_local *l = p->l;
    size_t n = p->n;
    p->n_sets = l->n_sets;
    p->bins = (size_t)1 << most_columns(l);
    p->plain = l->n_sets == 1 && l->sets[0] == l->whole;
    p->tuples = mgl_alloc_array(n, sizeof *p->tuples);
    p->patterns = mgl_alloc_array(n, sizeof *p->patterns);
    p->differ = mgl_zeroed_array(n * n, sizeof *p->differ);
    p->squeezed = mgl_zeroed_array(p->n_sets * 4 * 256, sizeof *p->squeezed);
    p->others = mgl_zeroed_array(n * p->n_sets * p->bins, sizeof *p->others);
    p->counts = mgl_zeroed_array(n * p->n_sets, sizeof *p->counts);
    p->lacking = mgl_zeroed_array(n, sizeof *p->lacking);
    p->touched = mgl_zeroed_array(n, sizeof *p->touched);
    p->rows = mgl_alloc_array(n, sizeof *p->rows);
    p->weights = mgl_alloc_array(n, sizeof *p->weights);
    p->given = mgl_alloc_array(n, sizeof *p->given);
    p->matching = mgl_zeroed_array(p->n_sets * p->bins, sizeof *p->matching);
    p->cured = mgl_zeroed_array(p->n_sets * p->bins, sizeof *p->cured);
    if (p->tuples == NULL || p->patterns == NULL || p->differ == NULL || p->squeezed == NULL ||
        p->others == NULL || p->counts == NULL || p->lacking == NULL || p->rows == NULL ||
        p->weights == NULL || p->given == NULL || p->touched == NULL || p->matching == NULL ||
        p->cured == NULL)
        return mgl_fail_memory(err);
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

mgl_status mgl_pairs_new(mgl_local *l, mgl_error *err, mgl_local_pairs **out)
{
    size_t n = 0;
    *out = NULL;
    for (size_t t = 0; t < l->space->n; t++)
        n += is_in_question(l, t);
    if (!fits(l, n))
        return MGL_OK;
    mgl_local_pairs *p = mgl_zeroed_array(1, sizeof *p);
    if (p == NULL)
        return mgl_fail_memory(err);
    p->l = l;
    p->n = n;
    mgl_status status = make(p, err);
    if (status != MGL_OK) {
        mgl_pairs_free(p);
        return status;
    }
    *out = p;
    return MGL_OK;
}

void mgl_pairs_free(mgl_local_pairs *p)
{
    if (p == NULL)
        return;
    mgl_free(p->tuples);
    mgl_free(p->patterns);
    mgl_free(p->differ);
    mgl_free(p->squeezed);
    mgl_free(p->others);
    mgl_free(p->counts);
    mgl_free(p->lacking);
    mgl_free(p->touched);
    mgl_free(p->rows);
    mgl_free(p->weights);
    mgl_free(p->given);
    mgl_free(p->matching);
    mgl_free(p->cured);
    mgl_free(p);
}

/* ---- Changing patterns ---------------------------------------------------------------------- */

/* Adds rows to a count, or takes them away. */
static void change(mgl_local_pairs *p, size_t v, size_t set, uint32_t rows, bool more)
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

void mgl_pairs_set(mgl_local_pairs *p, size_t v, uint32_t pattern)
{
    uint32_t old = p->patterns[v];
    const uint32_t *sets = p->l->sets, *differ = p->differ + v * p->n;
    uint32_t changed = old ^ pattern;
    if (changed == 0)
        return;
    for (size_t i = 0; i < p->n_sets; i++) {
        const uint32_t *others = p->others + (v * p->n_sets + i) * p->bins;
        uint32_t before = others[mgl_pairs_bin(p, i, old)];
        uint32_t after = others[mgl_pairs_bin(p, i, pattern)];
        if (after != before)
            change(p, v, i, after > before ? after - before : before - after, after > before);
    }
    for (size_t w = 0; w < p->n; w++) {
        uint32_t apart = differ[w] & ~p->patterns[w];
        if ((apart & changed) == 0)
            continue; /* also for v itself */
        for (size_t i = 0; i < p->n_sets; i++) {
            bool before = (apart & ~old & sets[i]) == 0, after = (apart & ~pattern & sets[i]) == 0;
            if (before == after)
                continue;
            change(p, v, i, p->weights[w], after);
            change(p, w, i, p->weights[v], after);
        }
    }
    p->price -= p->rows[v] * mgl_local_price(p->l, old & ~p->given[v]);
    p->price += p->rows[v] * mgl_local_price(p->l, pattern & ~p->given[v]);
    p->patterns[v] = pattern;
    p->work += p->n * (1 + p->n_sets / 8);
}

bool mgl_pairs_can_drop(mgl_local_pairs *p, size_t v, uint32_t column)
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
        uint64_t lost = others[mgl_pairs_bin(p, i, old)] - others[mgl_pairs_bin(p, i, less)];
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
