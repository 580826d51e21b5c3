/* Counts for every set of columns how well it tells rows apart, and finds the smallest sets that
 * single out. `risk` calls it. */
#include "risk/refine.h"

#include <math.h>
#include <stdlib.h>

/* What the classes on a set add up to. */
typedef struct sums {
    uint64_t classes, uniques;
    double pairs; /* of rows in the same class */
} sums;

typedef struct counter {
    const mgl_frequency_list *list;
    uint64_t *masks; /* [n] all sets, ascending */
    size_t n, m, most_columns;
    sums *divided; /* [worker * n] classes of several tuples */
    sums *single;  /* [worker * n] tuples that got a class of their own with this set */
} counter;

static size_t place_of(const counter *c, uint64_t mask)
{
    size_t low = 0, high = c->n;
    if (c->n == ((size_t)1 << c->m) - 1)
        return (size_t)mask - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->masks[middle] < mask)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add(sums *s, double rows)
{
    s->classes++;
    s->uniques += rows == 1;
    s->pairs += rows * (rows - 1) / 2;
}

static bool count_class(void *context, unsigned worker, uint64_t mask, const uint32_t *tuples,
                        size_t n)
{
    counter *c = context;
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += c->list->counts[tuples[i]];
    add(&c->divided[worker * c->n + place_of(c, mask)], (double)rows);
    return true;
}

static void count_single(void *context, unsigned worker, uint64_t mask, uint32_t t)
{
    counter *c = context;
    add(&c->single[worker * c->n + place_of(c, mask)], (double)c->list->counts[t]);
}

/* The most columns a set may have without there being more sets than can be counted. */
static size_t count_sets(size_t m, double most, size_t *n_sets)
{
    size_t columns = 0, sum = 0;
    for (double choices = 1; columns < m; sum += (size_t)choices) {
        choices = choices * (double)(m - columns) / (double)(columns + 1);
        if (columns > 0 && (double)sum + choices > most)
            break;
        columns++;
    }
    *n_sets = sum;
    return columns;
}

static void list_masks(counter *c)
{
    size_t n = 0;
    for (uint64_t mask = 1; mask >> c->m == 0; mask++) {
        /* Goes from a set that is too large to the next one that may be small enough. */
        while (mask >> c->m == 0 && (size_t)__builtin_popcountll(mask) > c->most_columns)
            mask += mask & -mask;
        if (mask >> c->m == 0)
            c->masks[n++] = mask;
    }
}

/* Tuples that are alone on a set stay so on the sets that add columns before its first. */
static void sum_up(counter *c, unsigned n_workers, mgl_candidates *out)
{
    double rows = (double)c->list->n_rows, pairs = rows * (rows - 1) / 2;
    for (size_t i = 0; i < c->n; i++) {
        sums *alone = &c->single[i], *others = &c->divided[i];
        for (unsigned w = 1; w < n_workers; w++) {
            const sums *more[2] = {&c->single[w * c->n + i], &c->divided[w * c->n + i]};
            sums *to[2] = {alone, others};
            for (size_t j = 0; j < 2; j++) {
                to[j]->classes += more[j]->classes;
                to[j]->uniques += more[j]->uniques;
                to[j]->pairs += more[j]->pairs;
            }
        }
        uint64_t mask = c->masks[i], smaller = mask & (mask - 1);
        if (smaller != 0) {
            const sums *before = &c->single[place_of(c, smaller)];
            alone->classes += before->classes;
            alone->uniques += before->uniques;
            alone->pairs += before->pairs;
        }
        out->sets[i] = (mgl_candidate){
            .columns = mask,
            .distinction = (double)(alone->classes + others->classes) / rows,
            .separation = pairs > 0 ? 1 - (alone->pairs + others->pairs) / pairs : 0,
            .uniques = (double)(alone->uniques + others->uniques) / rows,
        };
    }
}

static int compare_sets(const void *p, const void *q)
{
    const mgl_candidate *x = p, *y = q;
    if (x->distinction != y->distinction)
        return x->distinction > y->distinction ? -1 : 1;
    if (x->separation != y->separation)
        return x->separation > y->separation ? -1 : 1;
    int size = __builtin_popcountll(x->columns) - __builtin_popcountll(y->columns);
    return size != 0 ? size : (x->columns > y->columns) - (x->columns < y->columns);
}

static mgl_status count_all(counter *c, mgl_pool *pool, mgl_error *err, mgl_candidates *out)
{
    unsigned n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    c->masks = mgl_alloc_array(c->n, sizeof *c->masks);
    c->divided = mgl_zeroed_array(c->n * n_workers, sizeof *c->divided);
    c->single = mgl_zeroed_array(c->n * n_workers, sizeof *c->single);
    out->sets = mgl_alloc_array(c->n, sizeof *out->sets);
    mgl_status status = MGL_OK;
    if (c->masks == NULL || c->divided == NULL || c->single == NULL || out->sets == NULL)
        MGL_GO(mgl_fail_memory(err));
    mgl_refine_visitor visitor = {c, c->most_columns, count_class, count_single};
    list_masks(c);
    MGL_GO(mgl_refine(c->list, &visitor, pool, err));
    sum_up(c, n_workers, out);
    out->n = c->n;
    out->most_columns = c->most_columns;
    qsort(out->sets, out->n, sizeof *out->sets, compare_sets);
done:
    mgl_free(c->masks);
    mgl_free(c->divided);
    mgl_free(c->single);
    return status;
}

mgl_status mgl_candidates_new(const mgl_frequency_list *list, double work, mgl_pool *pool,
                              mgl_error *err, mgl_candidates **out)
{
    counter c = {.list = list, .m = list->n_attributes};
    mgl_candidates *sets = mgl_zeroed_array(1, sizeof *sets);
    if (sets == NULL)
        return mgl_fail_memory(err);
    c.most_columns =
        count_sets(c.m, fmin(MGL_MOST_CANDIDATES, work / (double)list->n_tuples), &c.n);
    mgl_status status = count_all(&c, pool, err, sets);
    if (status != MGL_OK) {
        mgl_candidates_free(sets);
        return status;
    }
    *out = sets;
    return MGL_OK;
}

void mgl_candidates_free(mgl_candidates *sets)
{
    if (sets == NULL)
        return;
    mgl_free(sets->sets);
    mgl_free(sets);
}

void mgl_candidates_minimal(const mgl_candidates *sets, double share, size_t *chosen,
                            size_t *n_chosen)
{
    size_t n = 0;
    for (int size = 1; size <= (int)sets->most_columns; size++)
        for (size_t i = 0, before = n; i < sets->n; i++) {
            const mgl_candidate *set = &sets->sets[i];
            bool minimal = __builtin_popcountll(set->columns) == size &&
                           set->uniques >= share * (1 - 1e-12) && set->uniques > 0;
            for (size_t j = 0; minimal && j < before; j++)
                minimal = (sets->sets[chosen[j]].columns & ~set->columns) != 0;
            if (minimal)
                chosen[n++] = i;
        }
    *n_chosen = n;
}
