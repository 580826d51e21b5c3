/* Tuples of classes that were taken apart are put together anew, for regroup_classes.c: the
 * patterns by which they are alike are tried from the cheapest on, in an order that is a little
 * different every time; whoever is enough at one is a clump there. What is left joins the clump
 * that grows least. */
#include "search/local/rebuild_classes.h"

#include <stdlib.h>

enum { SEEN = 1 << MGL_LOCAL_SEEN_BITS };

#define PRICE_NOISE 0.5 /* of what columns are worth */
#define NODE_NOISE 0.15 /* of a column, for each pattern */

static uint64_t rows_of(const mgl_local_neighbourhood *p, uint32_t place)
{
    return p->l->space->rows[p->tuples[place]];
}

/* ---- Patterns ---------------------------------------------------------------------------------
 */

static double noisy_price(const mgl_local_neighbourhood *p, uint32_t pattern)
{
    return p->prices[0][pattern & 255] + p->prices[1][pattern >> 8 & 255] +
           p->prices[2][pattern >> 16 & 255] + p->prices[3][pattern >> 24];
}

static void make_prices(mgl_local_neighbourhood *p, mgl_quick_random *random)
{
    for (size_t byte = 0; byte * 8 < p->l->space->m; byte++)
        for (uint32_t bits = 1; bits < 256; bits++) {
            uint32_t rest = bits & (bits - 1), last = bits ^ rest;
            if (rest == 0)
                p->prices[byte][bits] = (double)mgl_local_price(p->l, bits << 8 * byte) *
                                        (1 + PRICE_NOISE * (mgl_quick_random_unit(random) - 0.5));
            else
                p->prices[byte][bits] = p->prices[byte][rest] + p->prices[byte][last];
        }
}

/* Each pattern once, as far as there is room for them. */
static void add_node(mgl_local_neighbourhood *p, uint32_t pattern)
{
    pattern = mgl_local_allowed(p->l, pattern);
    uint32_t slot = (pattern * UINT32_C(0x9E3779B1)) >> (32 - MGL_LOCAL_SEEN_BITS);
    while (p->seen[slot] != 0 && p->nodes[p->seen[slot] - 1].pattern != pattern)
        slot = (slot + 1) % SEEN;
    if (p->seen[slot] != 0 || p->n_nodes == MGL_LOCAL_NODES)
        return;
    p->nodes[p->n_nodes] = (mgl_local_node){.pattern = pattern};
    p->seen[slot] = (uint16_t)++p->n_nodes;
}

/* A tuple with its nearest neighbours, one after another until they are enough. */
static void add_nearest(mgl_local_neighbourhood *p, uint32_t i)
{
    bool used[MGL_LOCAL_NEIGHBOURHOOD] = {false};
    double price[MGL_LOCAL_NEIGHBOURHOOD];
    uint32_t pattern = 0;
    uint64_t rows = rows_of(p, i);
    for (size_t j = 0; j < p->n; j++)
        price[j] = noisy_price(p, p->differ[i][j]);
    used[i] = true;
    while (rows < p->l->need) {
        uint32_t best = MGL_LOCAL_NEIGHBOURHOOD;
        for (uint32_t j = 0; j < p->n; j++)
            if (!used[j] && (best == MGL_LOCAL_NEIGHBOURHOOD || price[j] < price[best]))
                best = j;
        if (best == MGL_LOCAL_NEIGHBOURHOOD)
            return;
        used[best] = true;
        pattern |= p->differ[i][best];
        rows += rows_of(p, best);
        add_node(p, pattern);
    }
}

static int by_price(const void *a, const void *b)
{
    const mgl_local_node *x = a, *y = b;
    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static void make_nodes(mgl_local_neighbourhood *p, mgl_quick_random *random)
{
    double mean = (double)mgl_local_price(p->l, p->l->whole) / (double)p->l->space->m;
    p->n_nodes = 0;
    memset(p->seen, 0, sizeof p->seen);
    add_node(p, 0);
    add_node(p, p->l->whole);
    for (uint32_t i = 0; i < p->n; i++) {
        add_nearest(p, i);
        for (size_t j = 0; j < i; j++)
            add_node(p, p->differ[i][j]);
    }
    for (size_t i = 0; i < p->n_nodes; i++) {
        uint32_t pattern = p->nodes[i].pattern;
        double noise = NODE_NOISE * mean * mgl_quick_random_unit(random);
        p->nodes[i].price = pattern == 0 ? 0 : noisy_price(p, pattern) + noise;
    }
    qsort(p->nodes, p->n_nodes, sizeof *p->nodes, by_price);
    p->work += p->n * p->n * 2 + p->n_nodes * 32;
}

/* ---- Clumps -------------------------------------------------------------------------------------
 */

/* With one tuple more, unless extra is none. */
static bool holds(mgl_local_neighbourhood *p, const mgl_local_clump *clump, uint32_t extra)
{
    size_t n = 0;
    if (clump->rows < p->l->need)
        return false;
    if (!p->l->space->judged)
        return true;
    for (; n < clump->n; n++)
        p->judged[n] = p->tuples[clump->members[n]];
    if (extra != MGL_NOT_FOUND)
        p->judged[n++] = p->tuples[extra];
    p->work += 64 * n;
    return mgl_box_holds(p->judge, p->judged, n);
}

static bool alike(const mgl_local_neighbourhood *p, uint32_t i, uint32_t j, uint32_t pattern)
{
    return (p->differ[i][j] & ~pattern) == 0;
}

/* Clumps at one pattern of the places that are left; returns how many are left then. */
static size_t visit(mgl_local_neighbourhood *p, uint32_t pattern, uint32_t *rest, size_t n)
{
    bool taken[MGL_LOCAL_NEIGHBOURHOOD] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        mgl_local_clump *clump = &p->clumps[p->n_clumps];
        if (taken[i])
            continue;
        clump->pattern = pattern;
        clump->n = 0;
        clump->rows = 0;
        for (size_t j = i; j < n; j++)
            if (!taken[j] && alike(p, rest[i], rest[j], pattern)) {
                clump->members[clump->n++] = rest[j];
                clump->rows += rows_of(p, rest[j]);
            }
        if (!holds(p, clump, MGL_NOT_FOUND))
            continue;
        for (size_t j = i; j < n; j++)
            taken[j] = taken[j] || alike(p, rest[i], rest[j], pattern);
        p->n_clumps++;
    }
    for (size_t i = 0; i < n; i++)
        if (!taken[i])
            rest[kept++] = rest[i];
    p->work += n * n / 2 + 8;
    return kept;
}

/* Puts a tuple that is left into the clump that grows least, or suppresses it. */
static bool join(mgl_local_neighbourhood *p, uint32_t place)
{
    uint64_t rows = rows_of(p, place), least = UINT64_MAX;
    mgl_local_clump *best = NULL;
    uint32_t with = 0;
    if (rows <= p->may_suppress)
        least = rows * mgl_local_price(p->l, p->l->whole);
    for (size_t i = 0; i < p->n_clumps; i++) {
        mgl_local_clump *clump = &p->clumps[i];
        uint32_t pattern =
            mgl_local_allowed(p->l, clump->pattern | p->differ[place][clump->members[0]]);
        uint64_t more = (clump->rows + rows) * mgl_local_price(p->l, pattern) -
                        clump->rows * mgl_local_price(p->l, clump->pattern);
        if (more < least && holds(p, clump, place)) {
            least = more;
            best = clump;
            with = pattern;
        }
    }
    if (least == UINT64_MAX)
        return false;
    if (best != NULL) {
        best->pattern = with;
        best->members[best->n++] = place;
        best->rows += rows;
    } else {
        p->suppressed[p->n_suppressed++] = place;
        p->may_suppress -= rows;
    }
    return true;
}

bool mgl_local_rebuild(mgl_local_neighbourhood *p, mgl_quick_random *random)
{
    uint32_t rest[MGL_LOCAL_NEIGHBOURHOOD];
    size_t n = p->n;
    for (uint32_t i = 0; i < n; i++) {
        rest[i] = i;
        for (uint32_t j = 0; j <= i; j++)
            p->differ[i][j] = p->differ[j][i] = mgl_local_differ(p->l, p->tuples[i], p->tuples[j]);
    }
    p->work += n * n * 4 + 256;
    make_prices(p, random);
    make_nodes(p, random);
    p->n_clumps = p->n_suppressed = 0;
    for (size_t i = 0; i < p->n_nodes && n > 0; i++)
        n = visit(p, p->nodes[i].pattern, rest, n);
    for (size_t i = 0; i < n; i++)
        if (!join(p, rest[i]))
            return false;
    return true;
}

uint64_t mgl_local_neighbourhood_cost(const mgl_local_neighbourhood *p)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < p->n_clumps; i++)
        cost += p->clumps[i].rows * mgl_local_price(p->l, p->clumps[i].pattern);
    for (size_t i = 0; i < p->n_suppressed; i++)
        cost += rows_of(p, p->suppressed[i]) * mgl_local_price(p->l, p->l->whole);
    return cost;
}
