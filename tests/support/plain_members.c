/* Clusters as k-member does, looking at every tuple each time. test_k_member.c compares the method
 * with it. */
#include "plain_members.h"

#include "search/node/demand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 1 << 20 };

/* ---- What is lost -------------------------------------------------------------------- */

static bool is_range(const mgl_problem *p, size_t a, mgl_scale **scale)
{
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    *scale = NULL;
    if (!h->given && p->min_level[a] == 0 && p->max_level[a] == h->height &&
        mgl_scale_new(h, NULL, scale) != MGL_OK)
        abort();
    return *scale != NULL;
}

/* Where a number lies among all numbers of the column. */
static long position(const mgl_problem *p, size_t a, const mgl_scale *scale, double number)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t t = 0; t < p->list->n_tuples; t++) {
        double other = scale->of_leaf[mgl_list_leaf(p->list, t, a)];
        least = fmin(least, other); /* not a number: the other one */
        most = fmax(most, other);
    }
    return most > least ? lround((number - least) / (most - least) * UNIT) : 0;
}

static uint32_t range_width(const mgl_problem *p, size_t a, const mgl_scale *scale,
                            const uint32_t *tuples, size_t n)
{
    uint32_t first = mgl_list_leaf(p->list, tuples[0], a);
    double low = INFINITY, high = -INFINITY;
    bool all_numbers = true, all_alike = true;
    for (size_t i = 0; i < n; i++) {
        uint32_t leaf = mgl_list_leaf(p->list, tuples[i], a);
        all_alike = all_alike && leaf == first;
        all_numbers = all_numbers && !isnan(scale->of_leaf[leaf]);
        low = fmin(low, scale->of_leaf[leaf]);
        high = fmax(high, scale->of_leaf[leaf]);
    }
    if (all_alike)
        return 0;
    if (!all_numbers)
        return UNIT;
    return (uint32_t)(position(p, a, scale, high) - position(p, a, scale, low));
}

uint32_t plain_width(const mgl_problem *p, size_t a, const uint32_t *tuples, size_t n)
{
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    mgl_scale *scale;
    if (is_range(p, a, &scale)) {
        uint32_t width = range_width(p, a, scale, tuples, n);
        mgl_scale_free(scale);
        return width;
    }
    uint32_t first = mgl_list_leaf(p->list, tuples[0], a), level = p->min_level[a];
    for (size_t i = 1; i < n; i++)
        while (h->levels[level].of_leaf[mgl_list_leaf(p->list, tuples[i], a)] !=
               h->levels[level].of_leaf[first])
            level++;
    return (uint32_t)llround((double)level / h->height * UNIT);
}

static uint64_t loss(const mgl_problem *p, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0, width = 0;
    for (size_t i = 0; i < n; i++)
        rows += p->list->counts[tuples[i]];
    for (size_t a = 0; a < p->list->n_attributes; a++)
        width += plain_width(p, a, tuples, n);
    return rows * width;
}

static uint64_t distance(const mgl_problem *p, uint32_t t, uint32_t u)
{
    uint64_t sum = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        sum += plain_width(p, a, (uint32_t[]){t, u}, 2);
    return sum;
}

/* ---- The greedy ---------------------------------------------------------------------- */

typedef struct plain {
    const mgl_problem *problem;
    mgl_group_maker *maker;
    size_t n;
    bool *placed;        /* [n] */
    uint32_t **clusters; /* [n][n] */
    size_t *sizes, n_clusters;
    bool *holds; /* [n] */
} plain;

static bool holds(plain *x, const uint32_t *tuples, size_t n)
{
    const mgl_quasi_set *set = &x->problem->sets[0];
    const mgl_group *group = mgl_group_maker_gather(x->maker, tuples, n);
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

static bool sees_sizes_only(const plain *x)
{
    for (size_t i = 0; i < x->problem->sets[0].n_models; i++)
        if (mgl_needs_histograms(x->problem->sets[0].models[i].type))
            return false;
    return x->problem->list->persons == NULL;
}

/* May the tuples ever be in one class? */
static bool fit(const mgl_problem *p, uint32_t t, uint32_t u)
{
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        const uint32_t *of_leaf = p->columns[a]->hierarchy->levels[p->max_level[a]].of_leaf;
        if (of_leaf[mgl_list_leaf(p->list, t, a)] != of_leaf[mgl_list_leaf(p->list, u, a)])
            return false;
    }
    return true;
}

static uint64_t rows_of(const plain *x, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += x->problem->list->counts[tuples[i]];
    return rows;
}

static uint32_t most_frequent(const plain *x, uint32_t block)
{
    uint32_t best = block;
    for (uint32_t t = 0; t < x->n; t++)
        if (fit(x->problem, t, block) &&
            x->problem->list->counts[t] > x->problem->list->counts[best])
            best = t;
    return best;
}

/* Not placed, in the block, and furthest from a tuple; MGL_NOT_FOUND: none is left. */
static uint32_t furthest(const plain *x, uint32_t block, uint32_t from)
{
    uint32_t best = MGL_NOT_FOUND;
    uint64_t most = 0;
    for (uint32_t t = 0; t < x->n; t++) {
        if (x->placed[t] || !fit(x->problem, t, block))
            continue;
        uint64_t d = distance(x->problem, from, t);
        if (best == MGL_NOT_FOUND || d > most) {
            best = t;
            most = d;
        }
    }
    return best;
}

/* tuples has room for one more. */
static uint32_t nearest(const plain *x, uint32_t *tuples, size_t n)
{
    uint32_t best = MGL_NOT_FOUND;
    uint64_t least = 0;
    for (uint32_t t = 0; t < x->n; t++) {
        if (x->placed[t] || !fit(x->problem, t, tuples[0]))
            continue;
        tuples[n] = t;
        uint64_t l = loss(x->problem, tuples, n + 1);
        if (best == MGL_NOT_FOUND || l < least) {
            best = t;
            least = l;
        }
    }
    return best;
}

/* The last cluster; its members are the left-overs if it does not hold. A cluster of over 64 rows
 * is judged only when it has grown by a 64th. */
static bool grow(plain *x, uint32_t seed)
{
    uint32_t *tuples = x->clusters[x->n_clusters];
    size_t n = 0;
    uint64_t next = mgl_demand_size(x->problem);
    for (uint32_t t = seed; t != MGL_NOT_FOUND; t = nearest(x, tuples, n)) {
        tuples[n++] = t;
        x->placed[t] = true;
        x->sizes[x->n_clusters] = n;
        uint64_t rows = rows_of(x, tuples, n);
        if (rows < next && nearest(x, tuples, n) != MGL_NOT_FOUND)
            continue;
        if (holds(x, tuples, n))
            return true;
        next = sees_sizes_only(x) ? 0 : rows + rows / 64;
    }
    return false;
}

static void grow_block(plain *x, uint32_t block)
{
    uint32_t last = most_frequent(x, block), seed;
    bool held = true;
    while (held && (seed = furthest(x, block, last)) != MGL_NOT_FOUND) {
        held = grow(x, seed);
        if (held) {
            size_t n = x->sizes[x->n_clusters];
            last = x->clusters[x->n_clusters][n - 1];
            x->holds[x->n_clusters++] = true;
        }
    }
    if (held)
        return;
    for (uint32_t t = 0; t < x->n; t++) /* each of what is left by itself */
        for (size_t i = 0; i < x->sizes[x->n_clusters]; i++)
            if (x->clusters[x->n_clusters][i] == t)
                x->placed[t] = false;
}

/* ---- What is left -------------------------------------------------------------------- */

static bool all_upward(const mgl_problem *p)
{
    for (size_t i = 0; i < p->sets[0].n_models; i++)
        if (p->sets[0].models[i].type->scope == MGL_SCOPE_CLASS &&
            !p->sets[0].models[i].type->upward_closed)
            return false;
    return true;
}

/* The best cluster that the tuple can join and that comes after the given one, in order of what
 * is lost, then of number. */
static size_t next_host(const plain *x, size_t lone, bool any, uint64_t *after, size_t after_number)
{
    const mgl_problem *p = x->problem;
    uint32_t t = x->clusters[lone][0];
    size_t best = SIZE_MAX;
    uint64_t least = 0;
    for (size_t c = 0; c < x->n_clusters; c++) {
        size_t n = x->sizes[c];
        if (n == 0 || !x->holds[c] || !fit(p, x->clusters[c][0], t))
            continue;
        uint64_t before = loss(p, x->clusters[c], n) + loss(p, &t, 1);
        x->clusters[c][n] = t;
        uint64_t more = loss(p, x->clusters[c], n + 1) - before;
        bool later = !any || more > *after || (more == *after && c > after_number);
        if (later && (best == SIZE_MAX || more < least)) {
            best = c;
            least = more;
        }
    }
    *after = least;
    return best;
}

static bool join(plain *x, size_t lone)
{
    uint64_t after = 0;
    size_t host = 0;
    for (int tries = 0; tries < 64; tries++) {
        host = next_host(x, lone, tries > 0, &after, host);
        if (host == SIZE_MAX)
            return false;
        size_t n = x->sizes[host];
        x->clusters[host][n] = x->clusters[lone][0];
        if (all_upward(x->problem) || holds(x, x->clusters[host], n + 1)) {
            x->sizes[host]++;
            x->sizes[lone] = 0;
            return true;
        }
    }
    return false;
}

static void join_part(plain *x, size_t first)
{
    for (bool any = true; any;) {
        any = false;
        for (size_t c = first; c < x->n_clusters; c++)
            if (x->sizes[c] > 0 && !x->holds[c])
                any = join(x, c) || any;
    }
}

static void place_block(plain *x, uint32_t block)
{
    size_t first = x->n_clusters;
    grow_block(x, block);
    for (uint32_t t = 0; t < x->n; t++) {
        if (x->placed[t] || !fit(x->problem, t, block))
            continue;
        x->placed[t] = true;
        x->clusters[x->n_clusters][0] = t;
        x->sizes[x->n_clusters] = 1;
        x->holds[x->n_clusters++] = holds(x, &t, 1);
    }
    join_part(x, first);
}

/* ---- All of it ----------------------------------------------------------------------- */

static void tell(const plain *x, plain_members *out)
{
    for (size_t c = 0; c < x->n_clusters; c++) {
        uint32_t first = MGL_NOT_FOUND;
        for (size_t i = 0; i < x->sizes[c]; i++)
            first = x->clusters[c][i] < first ? x->clusters[c][i] : first;
        for (size_t i = 0; i < x->sizes[c]; i++) {
            out->cluster_of[x->clusters[c][i]] = first;
            out->holds[x->clusters[c][i]] = x->holds[c];
        }
    }
}

bool plain_members_make(const mgl_problem *problem, plain_members *out)
{
    size_t n = problem->list->n_tuples;
    plain x = {.problem = problem, .n = n};
    *out = (plain_members){calloc(n, sizeof *out->cluster_of), calloc(n, sizeof *out->holds)};
    x.placed = calloc(n, sizeof *x.placed);
    x.holds = calloc(n + 1, sizeof *x.holds);
    x.sizes = calloc(n + 1, sizeof *x.sizes);
    x.clusters = calloc(n + 1, sizeof *x.clusters);
    bool whole = x.placed != NULL && x.holds != NULL && x.sizes != NULL && x.clusters != NULL &&
                 out->cluster_of != NULL && out->holds != NULL &&
                 mgl_group_maker_new(problem->list, NULL, &x.maker) == MGL_OK;
    for (size_t c = 0; whole && c <= n; c++)
        whole = (x.clusters[c] = calloc(n + 1, sizeof **x.clusters)) != NULL;
    for (uint32_t t = 0; whole && t < n; t++)
        if (!x.placed[t])
            place_block(&x, t);
    if (whole)
        tell(&x, out);
    for (size_t c = 0; x.clusters != NULL && c <= n; c++)
        free(x.clusters[c]);
    free(x.clusters);
    free(x.placed);
    free(x.holds);
    free(x.sizes);
    mgl_group_maker_free(x.maker);
    return whole;
}

void plain_members_free(plain_members *members)
{
    free(members->cluster_of);
    free(members->holds);
}
