/* Finds prices without bargains among all classes of all boxes; classes are made as they are
 * wanted. exact.c calls it first. */
#include "search/cell/exact/inner.h"

#define MOST_FILL ((size_t)256 << 20) /* bytes: classes of more rows are not filled up */

typedef struct pricer {
    mgl_exact *x;
    int64_t *best;   /* [n] */
    uint64_t lot;    /* rows of tuples are multiples of it */
    size_t width;    /* lots that a class needs, and one more */
    int64_t *fill;   /* [width] least that so many lots lack */
    uint8_t *used;   /* [n * width] */
    uint32_t *rest;  /* [n] tuples that lack something */
    uint32_t *class; /* [n] the class found */
} pricer;

/* cost: of a row, in the units of the search. */
static int64_t lack_of(const mgl_exact *x, uint32_t t, int64_t cost)
{
    return x->space->rows[t] * cost - x->prices[t];
}

/* Fills up to so many rows more from the rest, whole tuples at a time. */
static int64_t fill_up(pricer *k, int64_t cost, size_t n_rest, uint64_t more_rows, size_t *n)
{
    const mgl_box_space *s = k->x->space;
    size_t width = k->width, more = (size_t)((more_rows + k->lot - 1) / k->lot);
    k->fill[0] = 0;
    for (size_t j = 1; j <= more; j++)
        k->fill[j] = INT64_MAX / 2;
    for (size_t i = 0; i < n_rest; i++) {
        int64_t lack = lack_of(k->x, k->rest[i], cost);
        size_t lots = (size_t)(s->rows[k->rest[i]] / k->lot);
        for (size_t j = more; j > 0; j--) {
            int64_t with = k->fill[j > lots ? j - lots : 0] + lack;
            k->used[i * width + j] = with < k->fill[j];
            k->fill[j] = with < k->fill[j] ? with : k->fill[j];
        }
    }
    k->x->work += n_rest * more;
    int64_t least = k->fill[more];
    for (size_t i = n_rest; i-- > 0 && more > 0;)
        if (k->used[i * width + more]) {
            size_t lots = (size_t)(s->rows[k->rest[i]] / k->lot);
            k->class[(*n)++] = k->rest[i];
            more -= lots < more ? lots : more;
        }
    return least;
}

/* The least that a class of the box lacks, if that is negative; 0: there is no bargain. */
static int64_t price_box(pricer *k, size_t box, size_t *n)
{
    const mgl_exact_boxes *b = &k->x->boxes;
    const mgl_box_space *s = k->x->space;
    int64_t cost = mgl_exact_cost(k->x, b->cost[box]), lack = 0;
    uint64_t rows = 0;
    size_t n_rest = 0;
    *n = 0;
    for (size_t i = b->start[box]; i < b->start[box + 1]; i++) {
        uint32_t t = b->members[i];
        int64_t more = lack_of(k->x, t, cost);
        if (more >= 0) {
            k->rest[n_rest++] = t;
            continue;
        }
        k->class[(*n)++] = t;
        lack += more;
        rows += s->rows[t];
    }
    k->x->work += b->start[box + 1] - b->start[box];
    if (lack < 0 && rows < s->need)
        lack += fill_up(k, cost, n_rest, s->need - rows, n);
    return lack < 0 ? lack : 0;
}

static int64_t class_cost(const mgl_exact *x, const uint32_t *tuples, size_t n)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    uint64_t rows = s->rows[tuples[0]];
    mgl_box_begin(s, levels);
    for (size_t i = 1; i < n; i++) {
        mgl_box_join(s, levels, tuples[0], tuples[i]);
        rows += s->rows[tuples[i]];
    }
    return (int64_t)rows * mgl_exact_cost(x, mgl_box_cost(s, levels, tuples[0]));
}

/* Adds bargains to the candidates; *least is the least that one lacks. */
static mgl_status price_boxes(pricer *k, mgl_error *err, int64_t *least)
{
    mgl_exact *x = k->x;
    memset(k->best, 0, x->space->n * sizeof *k->best);
    *least = 0;
    for (size_t g = 0; g < x->boxes.n; g++) {
        size_t n;
        int64_t lack = price_box(k, g, &n);
        *least = lack < *least ? lack : *least;
        if (lack < 0 && mgl_exact_stands_out(k->best, k->class, n, lack) &&
            !mgl_exact_candidates_add(&x->candidates, k->class, n, class_cost(x, k->class, n),
                                      false))
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

/* Until no box has a bargain, or nearly so. */
static mgl_status generate(pricer *k, mgl_error *err)
{
    mgl_exact *x = k->x;
    int64_t least = -1, before = INT64_MIN, bound;
    while (least < 0 && !mgl_exact_is_over(x)) {
        MGL_TRY(mgl_exact_optimize(x, err, &bound));
        mgl_exact_round_prices(x);
        MGL_TRY(price_boxes(k, err, &least));
        if (least >= -4 && before >= -4)
            break; /* rounding */
        before = least;
    }
    x->base_sum = mgl_exact_lower_prices(x, -least);
    return MGL_OK;
}

/* ---- Which boxes to look at ------------------------------------------------------------------ */

/* A box that costs more than its tuples are priced has no bargain. True if all left out are
 * such; else the caps are raised. */
static bool caps_suffice(const mgl_exact *x, int64_t *cap)
{
    const mgl_box_space *s = x->space;
    bool suffice = true;
    for (size_t t = 0; t < s->n; t++) {
        int64_t price = mgl_exact_price_per_row(x, x->prices[t], s->rows[t]);
        if (price > cap[t] && cap[t] < s->top_cost) {
            cap[t] = price + s->top_cost / 32;
            suffice = false;
        }
    }
    return suffice;
}

/* Begins with the classes of a release, as far as they may be classes here. */
static mgl_status enter_known(mgl_exact *x, const mgl_box_release *known, mgl_error *err)
{
    for (size_t c = 1; c < known->n_classes; c++) {
        const mgl_box_class *class = &known->classes[c];
        int64_t cost = (int64_t) class->rows * mgl_exact_cost(x, class->cost);
        if (class->n == 0 || class->rows < x->space->need ||
            !mgl_box_may_be_class(x->space, class->levels, class->members[0]))
            continue;
        if (!mgl_exact_candidates_add(&x->candidates, class->members, class->n, cost, false))
            return mgl_fail_memory(err);
        mgl_lp_enter(&x->lp, (uint32_t)x->candidates.n - 1, (double)cost);
    }
    return MGL_OK;
}

static mgl_status find(pricer *k, const mgl_box_release *known, int64_t *cap, mgl_error *err,
                       bool *whole)
{
    mgl_exact *x = k->x;
    MGL_TRY(mgl_exact_name_left_out(x, INT64_MAX / 4, err));
    MGL_TRY(mgl_exact_lp_begin(x, err));
    MGL_TRY(enter_known(x, known, err));
    do {
        MGL_TRY(mgl_exact_boxes_find(x, cap, err, whole));
        if (!*whole)
            return MGL_OK;
        MGL_TRY(generate(k, err));
    } while (!mgl_exact_is_over(x) && !caps_suffice(x, cap));
    *whole = !mgl_exact_is_over(x);
    if (*whole) {
        memcpy(x->base, x->prices, x->space->n * sizeof *x->base);
        x->base_left = x->left_price;
    }
    return MGL_OK;
}

static uint64_t find_lot(const mgl_box_space *s)
{
    uint64_t lot = s->rows[0];
    for (size_t t = 1; t < s->n && lot > 1; t++)
        for (uint64_t other = s->rows[t], rest; other != 0; other = rest) {
            rest = lot % other;
            lot = other;
        }
    return lot;
}

mgl_status mgl_exact_find_base(mgl_exact *x, const mgl_box_release *known, int64_t *cap,
                               mgl_error *err, bool *whole)
{
    size_t n = x->space->n;
    pricer k = {.x = x, .lot = find_lot(x->space)};
    k.width = (size_t)((x->space->need + k.lot - 1) / k.lot) + 1;
    *whole = k.width <= MOST_FILL / n;
    if (!*whole)
        return MGL_OK;
    k.best = mgl_alloc_array(n, sizeof *k.best);
    k.fill = mgl_alloc_array(k.width, sizeof *k.fill);
    k.used = mgl_alloc_array(n, k.width);
    k.rest = mgl_alloc_array(n, sizeof *k.rest);
    k.class = mgl_alloc_array(n, sizeof *k.class);
    bool room =
        k.best != NULL && k.fill != NULL && k.used != NULL && k.rest != NULL && k.class != NULL;
    mgl_status status = room ? find(&k, known, cap, err, whole) : mgl_fail_memory(err);
    mgl_free(k.best);
    mgl_free(k.fill);
    mgl_free(k.used);
    mgl_free(k.rest);
    mgl_free(k.class);
    return status;
}
