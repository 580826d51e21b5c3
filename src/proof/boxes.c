/* Every box that can hold costs at least its prices.
 *
 * A box is one value per column. All boxes are gone through column by column: the tuples at hand
 * are divided by their values on each level of the column, and each part by the next column. A part
 * is left where nothing under it can matter: it has too few rows or too few sensitive values, or
 * none of its rows is priced above what the cells so far cost. */
#include "proof/parts.h"

#include <stdlib.h>

/* Lattices with more nodes, times tuples, are gone through from each tuple. */
#define MOST_SWEPT 2e10
/* Steps in all; a step is a look at one tuple. */
#define MOST_STEPS UINT64_C(400000000000)
#define REPORT_STEPS UINT64_C(50000000)

/* The parts of the tuples at one column. */
typedef struct parts {
    uint32_t *tuples; /* [n] one part behind the other, each with the dearest tuples first */
    uint32_t *values; /* [n_values] those of the parts */
    size_t *count;    /* [n_values] all 0 between divisions */
    size_t *end;      /* [n_values] */
} parts;

typedef struct walk {
    const mgl_proof *proof;
    mgl_proof_costs costs;
    uint64_t need;
    uint64_t *distinct; /* [n_sensitive] values that a class has at least */
    int64_t *rest;      /* [n_columns + 1] what the columns from here on cost at least */
    uint32_t *seen;     /* [most codes] the last look in which a code was seen */
    uint32_t look;
    parts *parts;     /* [n_columns] */
    uint32_t *chosen; /* [n_columns] values of the box so far */
    uint32_t anchor;  /* only boxes of this tuple; MGL_NOT_FOUND: all boxes */
    uint64_t steps, next_report;
    const mgl_progress *progress;
    mgl_error *err;
    mgl_status status;
    mgl_proof_verdict *found;
} walk;

static bool is_over(walk *w, size_t steps)
{
    w->steps += steps;
    if (w->steps >= w->next_report && w->status == MGL_OK) {
        w->next_report = w->steps + REPORT_STEPS;
        w->status = mgl_progress_report(w->progress, "check", w->found->boxes, 0, w->err);
    }
    if (w->steps > MOST_STEPS && w->status == MGL_OK)
        w->status = mgl_fail(w->err, MGL_UNMET,
                             "the proof was not checked: it has more boxes than are looked at");
    return w->status != MGL_OK;
}

/* ---- One box ----------------------------------------------------------------------------------
 */

static uint32_t value_of(const walk *w, uint32_t t, size_t a, uint32_t level)
{
    const mgl_proof *p = w->proof;
    return p->columns[a].value[level][p->leaves[t * p->n_columns + a]];
}

static bool has_rows(const walk *w, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n && rows < w->need; i++)
        rows += w->proof->counts[tuples[i]];
    return rows >= w->need;
}

static bool has_values(walk *w, const mgl_proof_sensitive *s, uint64_t wanted,
                       const uint32_t *tuples, size_t n)
{
    uint64_t found = 0;
    if (++w->look == 0)
        w->look = 1;
    for (size_t i = 0; i < n && found < wanted; i++)
        for (size_t j = s->start[tuples[i]]; j < s->start[tuples[i] + 1]; j++) {
            found += w->seen[s->codes[j]] != w->look;
            w->seen[s->codes[j]] = w->look;
        }
    return found >= wanted;
}

/* Do these tuples meet what models demand, all together? */
static bool can_hold(walk *w, const uint32_t *tuples, size_t n)
{
    if (!has_rows(w, tuples, n))
        return false;
    for (size_t s = 0; s < w->proof->n_sensitive; s++)
        if (w->distinct[s] > 1 &&
            !has_values(w, &w->proof->sensitive[s], w->distinct[s], tuples, n))
            return false;
    return true;
}

static void keep_example(walk *w)
{
    const mgl_proof *p = w->proof;
    char shown[MGL_SHOWN];
    for (size_t a = 0; w->found->bargains == 1 && a < p->n_columns; a++)
        mgl_buffer_format(&w->found->example, "%s%s %s", a > 0 ? ", " : "", p->columns[a].name,
                          mgl_shown(p->columns[a].labels[w->chosen[a]], shown));
}

/* The best set of rows that may be a class: all that are priced above the cost, and the dearest of
 * the others until there are enough. Tuples come the dearest first. */
static void weigh(walk *w, const uint32_t *tuples, size_t n, int64_t cost)
{
    const mgl_proof *p = w->proof;
    mgl_proof_sum worth = 0;
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t price = p->prices[tuples[i]];
        uint64_t count = p->counts[tuples[i]];
        if (price <= cost && rows >= w->need)
            break;
        if (price <= cost && rows + count > w->need)
            count = w->need - rows;
        worth += (mgl_proof_sum)(price - cost) * (mgl_proof_sum)count;
        rows += count;
    }
    w->found->boxes++;
    if (worth > 0) {
        w->found->bargains++;
        keep_example(w);
    }
}

/* ---- All boxes ---------------------------------------------------------------------------------
 */

static void divide(walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost);

/* Do all have the same value one level lower, which costs no more? Then every box of this part is
 * one of that value's, too. */
static bool is_nothing_new(const walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                           size_t n)
{
    const mgl_proof_column *x = &w->proof->columns[a];
    if (level == x->low)
        return false;
    uint32_t lower = value_of(w, tuples[0], a, level - 1);
    if (w->costs.of[a][lower] > w->costs.of[a][value_of(w, tuples[0], a, level)])
        return false;
    for (size_t i = 1; i < n; i++)
        if (value_of(w, tuples[i], a, level - 1) != lower)
            return false;
    return true;
}

static void take_part(walk *w, size_t a, uint32_t level, const uint32_t *tuples, size_t n,
                      int64_t cost)
{
    uint32_t value = value_of(w, tuples[0], a, level);
    cost += w->costs.of[a][value];
    if (w->proof->prices[tuples[0]] <= cost + w->rest[a + 1] || !can_hold(w, tuples, n) ||
        is_nothing_new(w, a, level, tuples, n))
        return;
    w->chosen[a] = value;
    divide(w, a + 1, tuples, n, cost);
}

/* Divides the tuples by their values on a level; their order stays. Returns how many values. */
static size_t sort_out(walk *w, size_t a, uint32_t level, const uint32_t *tuples, size_t n)
{
    parts *x = &w->parts[a];
    size_t n_values = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = value_of(w, tuples[i], a, level);
        if (x->count[v]++ == 0)
            x->values[n_values++] = v;
    }
    for (size_t i = 0; i < n_values; i++) {
        x->end[x->values[i]] = at;
        at += x->count[x->values[i]];
    }
    for (size_t i = 0; i < n; i++)
        x->tuples[x->end[value_of(w, tuples[i], a, level)]++] = tuples[i];
    return n_values;
}

static void divide_level(walk *w, size_t a, uint32_t level, const uint32_t *tuples, size_t n,
                         int64_t cost)
{
    parts *x = &w->parts[a];
    size_t n_values = sort_out(w, a, level, tuples, n), at = 0;
    for (size_t i = 0; i < n_values; i++) {
        size_t size = x->count[x->values[i]];
        x->count[x->values[i]] = 0;
        take_part(w, a, level, x->tuples + at, size, cost);
        at += size;
    }
}

/* The part that the anchor is in. */
static void follow_level(walk *w, size_t a, uint32_t level, const uint32_t *tuples, size_t n,
                         int64_t cost)
{
    uint32_t *part = w->parts[a].tuples, value = value_of(w, w->anchor, a, level);
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        if (value_of(w, tuples[i], a, level) == value)
            part[size++] = tuples[i];
    take_part(w, a, level, part, size, cost);
}

static void divide(walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost)
{
    if (a == w->proof->n_columns) {
        weigh(w, tuples, n, cost);
        return;
    }
    const mgl_proof_column *x = &w->proof->columns[a];
    for (uint32_t level = x->low; level <= x->high && !is_over(w, n); level++) {
        if (w->anchor == MGL_NOT_FOUND)
            divide_level(w, a, level, tuples, n, cost);
        else
            follow_level(w, a, level, tuples, n, cost);
    }
}

/* ---- From each tuple ---------------------------------------------------------------------------
 */

/* What a box costs in this column at least that has both the anchor and a leaf. */
static void price_leaves(const walk *w, size_t a, int64_t *price)
{
    const mgl_proof_column *x = &w->proof->columns[a];
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        price[leaf] = INT64_MAX / 4;
        for (uint32_t l = x->low; l <= x->high; l++) {
            uint32_t v = value_of(w, w->anchor, a, l);
            if (x->value[l][leaf] == v && w->costs.of[a][v] < price[leaf])
                price[leaf] = w->costs.of[a][v];
        }
    }
}

/* The tuples that can be in a box of the anchor which costs less than the anchor is priced. */
static size_t find_near(walk *w, const uint32_t *order, int64_t *const *price, uint32_t *near)
{
    const mgl_proof *p = w->proof;
    size_t m = p->n_columns, n = 0;
    for (size_t i = 0; i < p->n_tuples; i++) {
        const uint32_t *leaf = p->leaves + (size_t)order[i] * m;
        int64_t cost = 0;
        for (size_t a = 0; a < m && cost < p->prices[w->anchor]; a++)
            cost += price[a][leaf[a]];
        if (cost < p->prices[w->anchor])
            near[n++] = order[i];
    }
    return n;
}

/* A box with a bargain has a tuple that is priced above its cost. */
static void walk_from_each(walk *w, const uint32_t *order, int64_t **price, uint32_t *near)
{
    const mgl_proof *p = w->proof;
    for (uint32_t t = 0; t < p->n_tuples && !is_over(w, p->n_tuples); t++) {
        w->anchor = t;
        for (size_t a = 0; a < p->n_columns; a++)
            price_leaves(w, a, price[a]);
        size_t n = find_near(w, order, price, near);
        if (n > 0 && can_hold(w, near, n))
            divide(w, 0, near, n, 0);
    }
}

static mgl_status go_from_each(walk *w, const uint32_t *order)
{
    const mgl_proof *p = w->proof;
    int64_t **price = mgl_zeroed_array(p->n_columns, sizeof *price);
    uint32_t *near = mgl_alloc_array(p->n_tuples, sizeof *near);
    bool room = price != NULL && near != NULL;
    for (size_t a = 0; room && a < p->n_columns; a++) {
        price[a] = mgl_alloc_array(p->columns[a].n_leaves, sizeof **price);
        room = price[a] != NULL;
    }
    if (room)
        walk_from_each(w, order, price, near);
    for (size_t a = 0; price != NULL && a < p->n_columns; a++)
        mgl_free(price[a]);
    mgl_free(price);
    mgl_free(near);
    return room ? w->status : mgl_fail_memory(w->err);
}

/* ---- All ---------------------------------------------------------------------------------------
 */

typedef struct priced {
    int64_t price;
    uint32_t tuple;
} priced;

static int compare_priced(const void *a, const void *b)
{
    const priced *x = a, *y = b;
    if (x->price != y->price)
        return x->price > y->price ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static mgl_status sort_by_price(const mgl_proof *p, mgl_error *err, uint32_t *order)
{
    priced *items = mgl_alloc_array(p->n_tuples, sizeof *items);
    if (items == NULL)
        return mgl_fail_memory(err);
    for (uint32_t t = 0; t < p->n_tuples; t++)
        items[t] = (priced){p->prices[t], t};
    qsort(items, p->n_tuples, sizeof *items, compare_priced);
    for (size_t t = 0; t < p->n_tuples; t++)
        order[t] = items[t].tuple;
    mgl_free(items);
    return MGL_OK;
}

/* The least that any value costs which cells of the column may have. */
static int64_t least_cost(const walk *w, size_t a)
{
    const mgl_proof_column *x = &w->proof->columns[a];
    int64_t least = INT64_MAX;
    for (uint32_t l = x->low; l <= x->high; l++)
        for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
            int64_t cost = w->costs.of[a][x->value[l][leaf]];
            least = cost < least ? cost : least;
        }
    return least;
}

static mgl_status prepare(walk *w)
{
    const mgl_proof *p = w->proof;
    uint32_t codes = 0;
    MGL_TRY(mgl_proof_costs_find(p, w->err, &w->costs));
    w->distinct = mgl_alloc_array(p->n_sensitive, sizeof *w->distinct);
    w->rest = mgl_alloc_array(p->n_columns + 1, sizeof *w->rest);
    w->parts = mgl_zeroed_array(p->n_columns, sizeof *w->parts);
    w->chosen = mgl_zeroed_array(p->n_columns, sizeof *w->chosen);
    if (w->distinct == NULL || w->rest == NULL || w->parts == NULL || w->chosen == NULL)
        return mgl_fail_memory(w->err);
    for (size_t a = 0; a < p->n_columns; a++) {
        uint32_t n = p->columns[a].n_values;
        w->parts[a] = (parts){
            mgl_alloc_array(p->n_tuples, sizeof(uint32_t)), mgl_alloc_array(n, sizeof(uint32_t)),
            mgl_zeroed_array(n, sizeof(size_t)), mgl_alloc_array(n, sizeof(size_t))};
        if (w->parts[a].tuples == NULL || w->parts[a].values == NULL || w->parts[a].count == NULL ||
            w->parts[a].end == NULL)
            return mgl_fail_memory(w->err);
    }
    w->rest[p->n_columns] = 0;
    for (size_t a = p->n_columns; a-- > 0;)
        w->rest[a] = w->rest[a + 1] + least_cost(w, a);
    for (size_t s = 0; s < p->n_sensitive; s++) {
        w->distinct[s] = mgl_proof_distinct_needed(p, s);
        for (size_t i = 0; i < p->sensitive[s].start[p->n_tuples]; i++)
            codes = p->sensitive[s].codes[i] >= codes ? p->sensitive[s].codes[i] + 1 : codes;
    }
    w->seen = mgl_zeroed_array(codes, sizeof *w->seen);
    return w->seen == NULL ? mgl_fail_memory(w->err) : MGL_OK;
}

static void forget(walk *w)
{
    for (size_t a = 0; w->parts != NULL && a < w->proof->n_columns; a++) {
        mgl_free(w->parts[a].tuples);
        mgl_free(w->parts[a].values);
        mgl_free(w->parts[a].count);
        mgl_free(w->parts[a].end);
    }
    mgl_proof_costs_free(&w->costs, w->proof->n_columns);
    mgl_free(w->distinct);
    mgl_free(w->rest);
    mgl_free(w->parts);
    mgl_free(w->chosen);
    mgl_free(w->seen);
}

static double nodes_of(const mgl_proof *p)
{
    double nodes = 1;
    for (size_t a = 0; a < p->n_columns; a++)
        nodes *= p->columns[a].high - p->columns[a].low + 1;
    return nodes;
}

static mgl_status look(walk *w, uint32_t *order)
{
    const mgl_proof *p = w->proof;
    MGL_TRY(prepare(w));
    MGL_TRY(sort_by_price(p, w->err, order));
    for (size_t t = 0; t < p->n_tuples; t++)
        w->found->too_dear += p->prices[t] > w->costs.top;
    if (nodes_of(p) * (double)p->n_tuples > MOST_SWEPT)
        return go_from_each(w, order);
    if (can_hold(w, order, p->n_tuples))
        divide(w, 0, order, p->n_tuples, 0);
    return w->status;
}

mgl_status mgl_proof_verify(const mgl_proof *p, const mgl_progress *progress, mgl_error *err,
                            mgl_proof_verdict *out)
{
    *out = (mgl_proof_verdict){0};
    walk w = {.proof = p,
              .need = mgl_proof_rows_needed(p),
              .anchor = MGL_NOT_FOUND,
              .progress = progress,
              .err = err,
              .status = MGL_OK,
              .found = out};
    mgl_proof_sum sum = 0;
    uint32_t *order = mgl_alloc_array(p->n_tuples, sizeof *order);
    mgl_status status = order == NULL ? mgl_fail_memory(err) : look(&w, order);
    forget(&w);
    mgl_free(order);
    for (size_t t = 0; t < p->n_tuples; t++)
        sum += (mgl_proof_sum)p->prices[t] * (mgl_proof_sum)p->counts[t];
    out->holds = out->bargains == 0 && out->too_dear == 0;
    out->proved = mgl_proof_value(p, sum);
    return status;
}
