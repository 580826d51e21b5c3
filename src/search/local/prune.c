/* Restores cells that nobody needs suppressed, where tuples are too many or sets too wide to know
 * all pairs: each cell is tried by looking at all tuples. matches_all.c calls it. */
#include "search/local/patterns.h"

#define MOST_WORK 200000000 /* pairs of tuples looked at, on each set */

typedef struct prune {
    mgl_local *l;
    uint32_t *counts; /* [t * n_sets + set] rows that match, of tuples that are in question */
    uint64_t work;
} prune;

static bool is_in_question(const mgl_local *l, size_t t)
{
    return !l->gone[t] && (l->concerned[t] || l->patterns[t] != l->given[t]);
}

static void count_all(prune *p)
{
    const mgl_local *l = p->l;
    for (size_t t = 0; t < l->space->n; t++)
        for (size_t u = 0; is_in_question(l, t) && u < l->space->n; u++) {
            uint32_t apart = mgl_local_differ(l, t, u) & ~(l->patterns[t] | l->patterns[u]);
            for (size_t i = 0; i < l->n_sets && !l->gone[u]; i++)
                if ((apart & l->sets[i]) == 0)
                    p->counts[t * l->n_sets + i] += l->weights[u];
        }
}

/* Takes the cell's matches away, or gives them back; false if too few are left for someone. */
static bool change(prune *p, size_t t, uint32_t column, bool give_back)
{
    mgl_local *l = p->l;
    uint32_t with = l->patterns[t] | column;
    bool enough = true;
    for (size_t u = 0; u < l->space->n; u++) {
        uint32_t apart = mgl_local_differ(l, t, u) & ~l->patterns[u];
        if (u == t || l->gone[u] || (apart & column) == 0)
            continue;
        for (size_t i = 0; i < l->n_sets; i++) {
            if ((l->sets[i] & column) == 0 || (apart & ~with & l->sets[i]) != 0)
                continue;
            uint32_t *own = &p->counts[t * l->n_sets + i], *other = &p->counts[u * l->n_sets + i];
            *own = give_back ? *own + l->weights[u] : *own - l->weights[u];
            enough = enough && *own >= l->need;
            if (!is_in_question(l, u))
                continue;
            *other = give_back ? *other + l->weights[t] : *other - l->weights[t];
            enough = enough && *other >= l->need;
        }
    }
    p->work += l->space->n * l->n_sets;
    return enough;
}

static mgl_status try_tuple(prune *p, size_t t, mgl_error *err)
{
    mgl_local *l = p->l;
    uint32_t left = l->patterns[t] & ~l->given[t];
    while (left != 0 && p->work < MOST_WORK && !l->timed_out) {
        uint32_t column = left & -left;
        for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
            if (mgl_local_price(l, rest & -rest) > mgl_local_price(l, column))
                column = rest & -rest;
        left &= ~column;
        if ((l->patterns[t] & ~column & ~(l->free | l->given[t])) != 0)
            continue; /* whole rows only */
        MGL_TRY(mgl_local_pause(l, p->work, MOST_WORK, err));
        l->patterns[t] &= ~column;
        if (!change(p, t, column, false)) {
            change(p, t, column, true);
            l->patterns[t] |= column;
        }
    }
    return MGL_OK;
}

mgl_status mgl_local_prune(mgl_local *l, mgl_error *err)
{
    size_t n = l->space->n, in_question = 0;
    prune p = {.l = l};
    for (size_t t = 0; t < n; t++)
        in_question += is_in_question(l, t);
    p.work = in_question * n * l->n_sets;
    if (p.work >= MOST_WORK / 2)
        return MGL_OK;
    p.counts = mgl_zeroed_array(n * l->n_sets, sizeof *p.counts);
    if (p.counts == NULL)
        return mgl_fail_memory(err);
    count_all(&p);
    mgl_status status = MGL_OK;
    for (size_t t = 0; status == MGL_OK && t < n; t++)
        if (!l->gone[t])
            status = try_tuple(&p, t, err);
    mgl_free(p.counts);
    return status;
}
