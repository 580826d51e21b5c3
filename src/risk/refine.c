/* Goes through all sets of columns by dividing classes column by column. candidates.c and suda.c
 * call it and say what is counted. */
#include "risk/refine.h"

/* What one worker needs. Each depth has its own stretch of the arrays: a class is divided while the
 * larger class it lies in is still being looked at. */
typedef struct scratch {
    uint32_t *tuples; /* [m * n_tuples] */
    uint32_t *starts; /* [leaf] */
    uint32_t *counts; /* [leaf] all 0 between uses */
} scratch;

typedef struct refiner {
    const mgl_refine_visitor *visitor;
    size_t m, n;
    uint32_t **cells;   /* [a][t] */
    uint32_t *n_leaves; /* [a] */
    size_t most_leaves;
    scratch *workers;
    unsigned n_workers;
    /* The classes on the one column that is the last of the sets now looked at. */
    uint32_t *order; /* [n] tuples by class */
    size_t *begins;  /* [classes + 1] */
    size_t n_begins;
    uint32_t last;
} refiner;

/* Puts tuples with the same cell side by side: few by insertion, many by counting, group after
 * group as they first appear. */
static void group_by_column(const refiner *r, scratch *s, uint32_t a, const uint32_t *tuples,
                            size_t n, uint32_t *grouped)
{
    const uint32_t *cells = r->cells[a];
    if (n < 24) {
        for (size_t i = 0; i < n; i++) {
            size_t at = i;
            for (; at > 0 && cells[grouped[at - 1]] > cells[tuples[i]]; at--)
                grouped[at] = grouped[at - 1];
            grouped[at] = tuples[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++)
        s->counts[cells[tuples[i]]]++;
    for (uint32_t i = 0, at = 0; i < n; i++) {
        uint32_t leaf = cells[tuples[i]];
        if (s->counts[leaf] > 0) {
            s->starts[leaf] = at;
            at += s->counts[leaf];
            s->counts[leaf] = 0;
        }
        grouped[s->starts[leaf]++] = tuples[i];
    }
}

static void divide(const refiner *r, unsigned worker, uint64_t mask, size_t depth,
                   const uint32_t *tuples, size_t n);

/* Looks at a class on a set whose first column is `first`, then at what it divides into on larger
 * sets. */
static void look(const refiner *r, unsigned worker, uint64_t mask, size_t depth,
                 const uint32_t *tuples, size_t n)
{
    const mgl_refine_visitor *v = r->visitor;
    if (n == 1)
        v->on_single(v->context, worker, mask, tuples[0]);
    else if (v->on_class == NULL || v->on_class(v->context, worker, mask, tuples, n))
        divide(r, worker, mask, depth, tuples, n);
}

static void divide(const refiner *r, unsigned worker, uint64_t mask, size_t depth,
                   const uint32_t *tuples, size_t n)
{
    if (depth >= r->visitor->most_columns)
        return;
    scratch *s = &r->workers[worker];
    uint32_t *grouped = s->tuples + depth * r->n, first = (uint32_t)__builtin_ctzll(mask);
    for (uint32_t a = 0; a < first; a++) {
        const uint32_t *cells = r->cells[a];
        group_by_column(r, s, a, tuples, n, grouped);
        for (size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && cells[grouped[end]] == cells[grouped[begin]];)
                end++;
            look(r, worker, mask | UINT64_C(1) << a, depth + 1, grouped + begin, end - begin);
        }
    }
}

static void look_at_class(void *context, size_t item, unsigned worker)
{
    const refiner *r = context;
    size_t begin = r->begins[item];
    look(r, worker, UINT64_C(1) << r->last, 1, r->order + begin, r->begins[item + 1] - begin);
}

/* The classes on one column, which are then divided by the columns before it. */
static void begin_column(refiner *r, uint32_t a)
{
    uint32_t *all = r->workers[0].tuples;
    for (size_t t = 0; t < r->n; t++)
        all[t] = (uint32_t)t;
    group_by_column(r, &r->workers[0], a, all, r->n, r->order);
    r->last = a;
    r->n_begins = 0;
    for (size_t i = 0; i < r->n; i++)
        if (i == 0 || r->cells[a][r->order[i]] != r->cells[a][r->order[i - 1]])
            r->begins[r->n_begins++] = i;
    r->begins[r->n_begins] = r->n;
}

static mgl_status begin(refiner *r, const mgl_frequency_list *list, mgl_pool *pool, mgl_error *err)
{
    r->m = list->n_attributes;
    r->n = list->n_tuples;
    r->n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    r->cells = mgl_zeroed_array(r->m, sizeof *r->cells);
    r->n_leaves = mgl_alloc_array(r->m, sizeof *r->n_leaves);
    r->workers = mgl_zeroed_array(r->n_workers, sizeof *r->workers);
    r->order = mgl_alloc_array(r->n, sizeof *r->order);
    r->begins = mgl_alloc_array(r->n + 1, sizeof *r->begins);
    bool whole = r->cells != NULL && r->n_leaves != NULL && r->workers != NULL &&
                 r->order != NULL && r->begins != NULL;
    for (size_t a = 0; whole && a < r->m; a++) {
        r->n_leaves[a] = list->hierarchies[a]->n_leaves;
        r->most_leaves = r->n_leaves[a] > r->most_leaves ? r->n_leaves[a] : r->most_leaves;
        r->cells[a] = mgl_alloc_array(r->n, sizeof **r->cells);
        whole = r->cells[a] != NULL;
        for (size_t t = 0; whole && t < r->n; t++)
            r->cells[a][t] = mgl_list_leaf(list, t, a);
    }
    for (unsigned w = 0; whole && w < r->n_workers; w++) {
        r->workers[w].tuples = mgl_alloc_array(r->n, (r->m + 1) * sizeof *r->workers[w].tuples);
        r->workers[w].starts = mgl_alloc_array(r->most_leaves, sizeof *r->workers[w].starts);
        r->workers[w].counts = mgl_zeroed_array(r->most_leaves, sizeof *r->workers[w].counts);
        whole = r->workers[w].tuples != NULL && r->workers[w].starts != NULL &&
                r->workers[w].counts != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

static void end(refiner *r)
{
    for (size_t a = 0; r->cells != NULL && a < r->m; a++)
        mgl_free(r->cells[a]);
    for (unsigned w = 0; r->workers != NULL && w < r->n_workers; w++) {
        mgl_free(r->workers[w].tuples);
        mgl_free(r->workers[w].starts);
        mgl_free(r->workers[w].counts);
    }
    mgl_free(r->cells);
    mgl_free(r->n_leaves);
    mgl_free(r->workers);
    mgl_free(r->order);
    mgl_free(r->begins);
}

mgl_status mgl_refine(const mgl_frequency_list *list, const mgl_refine_visitor *visitor,
                      mgl_pool *pool, mgl_error *err)
{
    refiner r = {.visitor = visitor};
    mgl_status status = begin(&r, list, pool, err);
    for (uint32_t a = 0; status == MGL_OK && a < r.m; a++) {
        begin_column(&r, a);
        mgl_pool_run(pool, r.n_begins, look_at_class, &r);
    }
    end(&r);
    return status;
}
