/* Finds sets of columns on which rows are unique: classes on every set of columns are found by
 * dividing classes column by column; special uniques (SUDA) and candidates for quasi-identifiers
 * count them. */
#include "risk/risk.h"

#include <math.h>
#include <stdlib.h>

/* Called for each class of tuples on each set of columns (bit a: attribute a). A tuple that is
 * alone in its class is reported once, on the first such set `mask`: it stands for all sets that
 * add columns before the first one of `mask`. For each tuple, sets come in increasing order of
 * their masks, so that all subsets come before a set; a tuple is handled by one worker at a
 * time. */
typedef struct refine_visitor {
    void *context;
    size_t most_columns; /* in a set */
    /* Of two tuples or more; false: do not divide it further. NULL: always do. */
    bool (*on_class)(void *context, unsigned worker, uint64_t mask, const uint32_t *tuples,
                     size_t n);
    void (*on_single)(void *context, unsigned worker, uint64_t mask, uint32_t tuple);
} refine_visitor;

/* Memory of one worker. Each depth has its own part of the arrays: a class is divided while the
 * larger class that contains it is still in use. */
typedef struct scratch {
    uint32_t *tuples; /* [m * n_tuples] */
    uint32_t *starts; /* [leaf] */
    uint32_t *counts; /* [leaf] all 0 between uses */
} scratch;

typedef struct refiner {
    mgl_owned owned;
    const refine_visitor *visitor;
    size_t m, n;
    uint32_t **cells;   /* [a][t] */
    uint32_t *n_leaves; /* [a] */
    size_t most_leaves;
    scratch *workers;
    unsigned n_workers;
    /* The classes on the column that is the last one of the current sets. */
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

/* Visits a class, then its parts on larger sets. */
static void visit(const refiner *r, unsigned worker, uint64_t mask, size_t depth,
                  const uint32_t *tuples, size_t n)
{
    const refine_visitor *v = r->visitor;
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
            visit(r, worker, mask | UINT64_C(1) << a, depth + 1, grouped + begin, end - begin);
        }
    }
}

static void visit_item(void *context, size_t item, unsigned worker)
{
    const refiner *r = context;
    size_t begin = r->begins[item];
    visit(r, worker, UINT64_C(1) << r->last, 1, r->order + begin, r->begins[item + 1] - begin);
}

static mgl_status begin_refining(refiner *r, const mgl_frequency_list *list, mgl_pool *pool,
                                 mgl_error *err)
{
    r->m = list->n_attributes;
    r->n = list->n_tuples;
    r->n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    for (size_t a = 0; a < r->m; a++)
        if (list->hierarchies[a]->n_leaves > r->most_leaves)
            r->most_leaves = list->hierarchies[a]->n_leaves;
    r->cells = mgl_own_rows(&r->owned, r->m, r->n, sizeof **r->cells);
    r->n_leaves = mgl_own_array(&r->owned, r->m, sizeof *r->n_leaves);
    r->workers = mgl_own_array(&r->owned, r->n_workers, sizeof *r->workers);
    r->order = mgl_own_array(&r->owned, r->n, sizeof *r->order);
    r->begins = mgl_own_array(&r->owned, r->n + 1, sizeof *r->begins);
    for (unsigned w = 0; r->workers != NULL && w < r->n_workers; w++)
        r->workers[w] =
            (scratch){.tuples = mgl_own_array(&r->owned, r->n, (r->m + 1) * sizeof(uint32_t)),
                      .starts = mgl_own_array(&r->owned, r->most_leaves, sizeof(uint32_t)),
                      .counts = mgl_own_zeroed(&r->owned, r->most_leaves, sizeof(uint32_t))};
    MGL_TRY(mgl_owned_check(&r->owned, err));
    for (size_t a = 0; a < r->m; a++) {
        r->n_leaves[a] = list->hierarchies[a]->n_leaves;
        for (size_t t = 0; t < r->n; t++)
            r->cells[a][t] = mgl_list_leaf(list, t, a);
    }
    return MGL_OK;
}

static mgl_status refine(const mgl_frequency_list *list, const refine_visitor *visitor,
                         mgl_pool *pool, mgl_error *err)
{
    refiner r = {.visitor = visitor};
    mgl_status status = begin_refining(&r, list, pool, err);
    for (uint32_t a = 0; status == MGL_OK && a < r.m; a++) {
        /* The classes on one column, which are then divided by the columns before it. */
        uint32_t *all = r.workers[0].tuples;
        for (size_t t = 0; t < r.n; t++)
            all[t] = (uint32_t)t;
        group_by_column(&r, &r.workers[0], a, all, r.n, r.order);
        r.last = a;
        r.n_begins = 0;
        for (size_t i = 0; i < r.n; i++)
            if (i == 0 || r.cells[a][r.order[i]] != r.cells[a][r.order[i - 1]])
                r.begins[r.n_begins++] = i;
        r.begins[r.n_begins] = r.n;
        mgl_pool_run(pool, r.n_begins, visit_item, &r);
    }
    mgl_owned_free(&r.owned);
    return status;
}

/* ---- Special uniques ------------------------------------------------------------------------- */

/* A minimal sample unique of a tuple. */
typedef struct unique {
    uint64_t mask;
    struct unique *next; /* of the same tuple */
} unique;

typedef struct finder {
    mgl_arena *arena;
    bool failed;
    uint64_t *by_size;     /* [m + 1] */
    uint64_t *with_column; /* [m * (m + 1)] by column and size */
} finder;

typedef struct search {
    mgl_owned owned;
    const mgl_frequency_list *list;
    size_t m;
    unique **of_tuple;
    finder *workers;
    unsigned n_workers;
    double *scores;     /* [t] */
    double *factorials; /* [m + 1] */
} search;

/* A class in which every tuple stands for several rows cannot become a unique row. */
static bool has_single_rows(void *context, unsigned worker, uint64_t mask, const uint32_t *tuples,
                            size_t n)
{
    const search *s = context;
    (void)worker, (void)mask;
    for (size_t i = 0; i < n; i++)
        if (s->list->counts[tuples[i]] == 1)
            return true;
    return false;
}

/* The tuple is unique on the set: minimal if it is on no subset, all of which came before. */
static void note_unique(void *context, unsigned worker, uint64_t mask, uint32_t t)
{
    search *s = context;
    if (s->list->counts[t] > 1)
        return;
    for (const unique *u = s->of_tuple[t]; u != NULL; u = u->next)
        if ((u->mask & ~mask) == 0)
            return;
    finder *f = &s->workers[worker];
    unique *fresh = mgl_arena_alloc(f->arena, sizeof *fresh);
    if (fresh == NULL) {
        f->failed = true;
        return;
    }
    *fresh = (unique){mask, s->of_tuple[t]};
    s->of_tuple[t] = fresh;
    size_t size = (size_t)__builtin_popcountll(mask);
    s->scores[t] += s->factorials[s->m - size];
    f->by_size[size]++;
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
        f->with_column[(size_t)__builtin_ctzll(rest) * (s->m + 1) + size]++;
}

static mgl_status begin_suda(search *s, mgl_pool *pool, mgl_error *err)
{
    size_t sizes = s->m + 1;
    bool whole = true;
    s->n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    s->of_tuple = mgl_own_zeroed(&s->owned, s->list->n_tuples, sizeof(unique *));
    s->workers = mgl_own_zeroed(&s->owned, s->n_workers, sizeof *s->workers);
    s->factorials = mgl_own_array(&s->owned, sizes, sizeof *s->factorials);
    for (unsigned w = 0; s->workers != NULL && w < s->n_workers; w++) {
        finder *f = &s->workers[w];
        f->arena = mgl_arena_new();
        f->by_size = mgl_own_zeroed(&s->owned, sizes, sizeof *f->by_size);
        f->with_column = mgl_own_zeroed(&s->owned, s->m * sizes, sizeof *f->with_column);
        whole = whole && f->arena != NULL;
    }
    MGL_TRY(mgl_owned_check(&s->owned, err));
    MGL_TRY(mgl_check_memory(whole, err));
    s->factorials[0] = 1;
    for (size_t i = 1; i <= s->m; i++)
        s->factorials[i] = s->factorials[i - 1] * (double)i;
    return MGL_OK;
}

static void end_suda(search *s)
{
    for (unsigned w = 0; s->workers != NULL && w < s->n_workers; w++)
        mgl_arena_free(s->workers[w].arena);
    mgl_owned_free(&s->owned);
}

static void sum_scores(const search *s, mgl_suda *out)
{
    for (unsigned w = 0; w < s->n_workers; w++)
        for (size_t size = 1; size <= s->m; size++) {
            out->by_size[size] += s->workers[w].by_size[size];
            for (size_t a = 0; a < s->m; a++)
                out->contribution[a] += (double)s->workers[w].with_column[a * (s->m + 1) + size] *
                                        s->factorials[s->m - size];
        }
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        out->rows_above_zero += out->scores[t] > 0;
        out->sum_score += out->scores[t];
        out->max_score = out->scores[t] > out->max_score ? out->scores[t] : out->max_score;
    }
}

/* Scores as probabilities (DIS-SUDA): 1 / (1 + [P (1 - d) / d] / (s^Q A)), P rows in pairs, d the
 * sampling fraction, Q = 1 + (8 - K) / 20, A the sum of s^-Q. */
static void fill_dis(const search *s, double fraction, mgl_suda *out)
{
    double power = 1 + (8 - (double)s->m) / 20, sum = 0, pairs = 0;
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        sum += out->scores[t] > 0 ? pow(out->scores[t], -power) : 0;
        pairs += s->list->counts[t] == 2 ? 2 : 0;
    }
    double odds = pairs * (1 - fraction) / fraction;
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        if (!(out->scores[t] > 0))
            continue;
        out->dis[t] = 1 / (1 + odds / (pow(out->scores[t], power) * sum));
        out->sum_dis += out->dis[t];
    }
}

static mgl_status find(search *s, double fraction, mgl_pool *pool, mgl_error *err, mgl_suda *out)
{
    refine_visitor visitor = {s, s->m, has_single_rows, note_unique};
    MGL_TRY(begin_suda(s, pool, err));
    MGL_TRY(refine(s->list, &visitor, pool, err));
    for (unsigned w = 0; w < s->n_workers; w++)
        if (s->workers[w].failed)
            return mgl_fail_memory(err);
    sum_scores(s, out);
    fill_dis(s, fraction, out);
    return MGL_OK;
}

mgl_status mgl_suda_new(const mgl_frequency_list *list, double fraction, mgl_pool *pool,
                        mgl_error *err, mgl_suda **out)
{
    size_t m = list->n_attributes;
    mgl_suda *suda;
    MGL_TRY(mgl_new_zeroed(1, sizeof *suda, err, &suda));
    suda->n_attributes = m;
    suda->scores = mgl_own_zeroed(&suda->owned, list->n_tuples, sizeof *suda->scores);
    suda->dis = mgl_own_zeroed(&suda->owned, list->n_tuples, sizeof *suda->dis);
    suda->by_size = mgl_own_zeroed(&suda->owned, m + 1, sizeof *suda->by_size);
    suda->contribution = mgl_own_zeroed(&suda->owned, m, sizeof *suda->contribution);
    search s = {.list = list, .m = m, .scores = suda->scores};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&suda->owned, err));
    MGL_GO(find(&s, fraction, pool, err, suda));
    *out = suda;
    suda = NULL;
done:
    end_suda(&s);
    mgl_suda_free(suda);
    return status;
}

void mgl_suda_free(mgl_suda *suda)
{
    if (suda == NULL)
        return;
    mgl_owned_free(&suda->owned);
    mgl_free(suda);
}

/* ---- Candidates ------------------------------------------------------------------------------ */

/* Sums over the classes on a set. */
typedef struct sums {
    uint64_t classes, uniques;
    double pairs; /* of rows in the same class */
} sums;

typedef struct counter {
    mgl_owned owned;
    const mgl_frequency_list *list;
    uint64_t *masks; /* [n] all sets, ascending */
    size_t n, m, most_columns;
    sums *divided; /* [worker * n] classes of several tuples */
    sums *single;  /* [worker * n] tuples that got a class of their own with this set */
} counter;

static size_t index_of(const counter *c, uint64_t mask)
{
    size_t low = 0, high = c->n;
    if (c->n == ((size_t)1 << c->m) - 1)
        return (size_t)mask - 1;
    MGL_BISECT(low, high, i, c->masks[i] < mask)
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
    add(&c->divided[worker * c->n + index_of(c, mask)], (double)rows);
    return true;
}

static void count_single(void *context, unsigned worker, uint64_t mask, uint32_t t)
{
    counter *c = context;
    add(&c->single[worker * c->n + index_of(c, mask)], (double)c->list->counts[t]);
}

/* Returns the most columns a set can have if at most so many sets are to be counted. */
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
static void sum_pairs(counter *c, unsigned n_workers, mgl_candidates *out)
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
            const sums *before = &c->single[index_of(c, smaller)];
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
    c->masks = mgl_own_array(&c->owned, c->n, sizeof *c->masks);
    c->divided = mgl_own_zeroed(&c->owned, c->n * n_workers, sizeof *c->divided);
    c->single = mgl_own_zeroed(&c->owned, c->n * n_workers, sizeof *c->single);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&c->owned, err));
    MGL_GO(mgl_new_array(c->n, sizeof *out->sets, err, &out->sets));
    refine_visitor visitor = {c, c->most_columns, count_class, count_single};
    list_masks(c);
    MGL_GO(refine(c->list, &visitor, pool, err));
    sum_pairs(c, n_workers, out);
    out->n = c->n;
    out->most_columns = c->most_columns;
    qsort(out->sets, out->n, sizeof *out->sets, compare_sets);
done:
    mgl_owned_free(&c->owned);
    return status;
}

mgl_status mgl_candidates_new(const mgl_frequency_list *list, double work, mgl_pool *pool,
                              mgl_error *err, mgl_candidates **out)
{
    counter c = {.list = list, .m = list->n_attributes};
    mgl_candidates *sets;
    MGL_TRY(mgl_new_zeroed(1, sizeof *sets, err, &sets));
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
