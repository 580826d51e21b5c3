/* Divides few tuples in all ways: every set of them that may be a class, and the best way to each
 * set of tuples that are left. It takes the same time however much alike the tuples are. */
#include "search/cell/exact/inner.h"

#define NONE INT64_MAX

typedef struct sets {
    mgl_exact *x;
    const mgl_box_space *space;
    int64_t *lack;    /* [set] what it lacks as a class; NONE: it is none */
    int64_t *excess;  /* [set] the least that all lack that are gone when these are left */
    uint32_t *taken;  /* [set] the class that went last on that way; 0: these are left at first */
    uint8_t *judged;  /* [set] 1: it holds */
    uint64_t *rows;   /* [set] */
    uint32_t *tuples; /* [n] scratch */
    uint8_t *levels;  /* [n * m] scratch */
    int64_t room;     /* releases whose classes lack more are not looked for */
} sets;

static int64_t base_of(const sets *k, uint32_t set)
{
    int64_t sum = 0;
    for (; set != 0; set &= set - 1)
        sum += k->x->base[__builtin_ctz(set)];
    return sum;
}

static size_t list_tuples(const sets *k, uint32_t set)
{
    size_t n = 0;
    for (; set != 0; set &= set - 1)
        k->tuples[n++] = (uint32_t)__builtin_ctz(set);
    return n;
}

/* Larger sets are made of this one by tuples from `first` on. */
static void make_sets(sets *k, uint32_t set, size_t depth, uint32_t first, int64_t base)
{
    const mgl_box_space *s = k->space;
    for (uint32_t t = first; t < s->n; t++) {
        uint32_t larger = set | UINT32_C(1) << t;
        uint8_t *levels = k->levels + depth * s->m;
        if (depth == 0) {
            mgl_box_begin(s, levels);
        } else {
            memcpy(levels, levels - s->m, s->m);
            mgl_box_join(s, levels, (uint32_t)__builtin_ctz(set), t);
        }
        uint64_t rows = k->rows[larger] = k->rows[set] + s->rows[t];
        int64_t duals = base + k->x->base[t];
        bool class = rows >= s->need && mgl_box_may_be_class(s, levels, t);
        int64_t cost = mgl_exact_cost(k->x, mgl_box_cost(s, levels, t));
        k->lack[larger] = class ? (int64_t)rows * cost - duals : NONE;
        make_sets(k, larger, depth + 1, t + 1, duals);
    }
}

/* Models are asked once for each set, and only for sets that come into question. */
static bool holds(sets *k, uint32_t set)
{
    if (!k->space->judged || k->judged[set])
        return true;
    size_t n = list_tuples(k, set);
    k->judged[set] = mgl_box_holds(k->x->judge, k->tuples, n);
    if (!k->judged[set])
        k->lack[set] = NONE;
    return k->judged[set];
}

/* Takes a class from the tuples that are left. */
static void take(sets *k, uint32_t left, uint32_t class)
{
    uint32_t rest = left & ~class;
    int64_t excess = k->excess[left] + k->lack[class];
    if (excess >= k->excess[rest] || !holds(k, class))
        return;
    k->excess[rest] = excess;
    k->taken[rest] = class;
    if (rest == 0)
        k->room = excess - k->x->tolerance;
}

/* The class of the first tuple that is left: all there are, or all that are left if these are too
 * few for two. */
static void take_all(sets *k, uint32_t left)
{
    uint32_t low = left & -left, others = left ^ low;
    int64_t most = k->room - k->excess[left];
    if (k->rows[left] < 2 * (uint64_t)k->space->need) {
        if (k->lack[left] < most)
            take(k, left, left);
        return;
    }
    for (uint32_t some = others;; some = (some - 1) & others) {
        if (k->lack[low | some] < most) {
            take(k, left, low | some);
            most = k->room - k->excess[left];
        }
        if (some == 0)
            break;
    }
    k->x->work += UINT64_C(2) << __builtin_popcount(others);
}

/* From all tuples, or all but those that are left out. */
static void search(sets *k)
{
    const mgl_box_space *s = k->space;
    uint32_t all = (uint32_t)((UINT64_C(1) << s->n) - 1);
    int64_t top = mgl_exact_cost(k->x, s->top_cost);
    for (uint32_t left = 0; left <= all; left++) {
        uint64_t out = s->n_rows - k->rows[left];
        bool may_begin = left == all || (k->x->may_leave_out && out <= k->x->limit);
        k->excess[left] = may_begin ? (int64_t)out * top - base_of(k, all & ~left) : NONE;
        k->taken[left] = 0;
    }
    if (k->excess[0] < k->room)
        k->room = k->excess[0] - k->x->tolerance;
    for (uint32_t left = all; left > 0 && !mgl_exact_is_late(k->x); left--)
        if (k->excess[left] < k->room)
            take_all(k, left);
}

static void take_best(sets *k)
{
    mgl_exact *x = k->x;
    uint32_t all = (uint32_t)((UINT64_C(1) << k->space->n) - 1);
    int64_t cost = k->excess[0] == NONE ? NONE : k->excess[0] + base_of(k, all);
    if (cost >= x->upper)
        return;
    x->upper = cost;
    x->found = true;
    memset(x->best, 0, k->space->n * sizeof *x->best);
    uint32_t class_number = 0;
    for (uint32_t left = 0; k->taken[left] != 0; left |= k->taken[left]) {
        size_t n = list_tuples(k, k->taken[left]);
        class_number++;
        for (size_t i = 0; i < n; i++)
            x->best[k->tuples[i]] = class_number;
    }
}

mgl_status mgl_exact_try_sets(mgl_exact *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    size_t n_sets = (size_t)1 << s->n;
    sets k = {.x = x, .space = s};
    k.lack = mgl_alloc_array(n_sets, sizeof *k.lack);
    k.excess = mgl_alloc_array(n_sets, sizeof *k.excess);
    k.taken = mgl_alloc_array(n_sets, sizeof *k.taken);
    k.judged = mgl_zeroed_array(n_sets, 1);
    k.rows = mgl_zeroed_array(n_sets, sizeof *k.rows);
    k.tuples = mgl_alloc_array(s->n, sizeof *k.tuples);
    k.levels = mgl_alloc_array(s->n, s->m);
    bool room = k.lack != NULL && k.excess != NULL && k.taken != NULL && k.judged != NULL &&
                k.rows != NULL && k.tuples != NULL && k.levels != NULL;
    if (room) {
        uint32_t all = (uint32_t)(n_sets - 1);
        k.lack[0] = NONE;
        k.room = x->upper - x->tolerance - base_of(&k, all);
        x->work += n_sets * (s->m + 4);
        make_sets(&k, 0, 0, 0, 0);
        search(&k);
        take_best(&k);
    }
    mgl_free(k.lack);
    mgl_free(k.excess);
    mgl_free(k.taken);
    mgl_free(k.judged);
    mgl_free(k.rows);
    mgl_free(k.tuples);
    mgl_free(k.levels);
    return room ? MGL_OK : mgl_fail_memory(err);
}
