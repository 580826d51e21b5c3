/* Makes the closed classes of the cheapest nodes: each the smallest box around its tuples. cell.c
 * calls it before it looks for prices. */
#include "search/cell/bound/prices.h"
#include "search/cell/bound/rollup.h"

#include <stdlib.h>

#define MOST_BYTES ((uint64_t)512 << 20)

enum { NODES_AT_ONCE = 64 };

typedef struct worker {
    mgl_cell_rollup rollup;
    mgl_row_filter filter; /* of a large table */
    uint8_t *marks;        /* [n + 1] of the classes, or of those a step below */
    uint8_t *spread;
    mgl_box_judge *judge;
    size_t *start;     /* [n + 2] if classes are judged: their members */
    uint32_t *members; /* [n] */
    uint64_t n_classes;
    bool out_of_memory, late;
} worker;

typedef struct finder {
    mgl_cell_closed *closed;
    uint32_t *order; /* [n_nodes] nodes that cost less than the cap, neighbours together */
    size_t n_nodes;
    worker *workers;
    unsigned n_workers;
} finder;

/* ---- One node -------------------------------------------------------------------------------- */

/* Unmarks the classes that models rule out. How large a box is in the population is not looked at:
 * a box that is not closed may hold there. */
static void judge_marked(worker *w, const mgl_box_space *s, const uint32_t *of_tuple, size_t n)
{
    memset(w->start, 0, (n + 2) * sizeof *w->start);
    for (size_t t = 0; t < s->n; t++)
        w->start[of_tuple[t] + 1]++;
    for (size_t c = 0; c < n; c++)
        w->start[c + 1] += w->start[c];
    for (uint32_t t = 0; t < s->n; t++)
        w->members[w->start[of_tuple[t]]++] = t;
    size_t begin = 0;
    for (size_t c = 0; c < n; c++) { /* filling moved the starts to the ends */
        if (w->marks[c] != 0)
            w->marks[c] =
                mgl_box_may_hold(w->judge, w->members + begin, w->start[c] - begin, UINT64_MAX);
        begin = w->start[c];
    }
}

/* The marks of the classes as a bit for each tuple. NULL: memory is out. */
static uint64_t *set_bits(const mgl_box_space *s, const uint32_t *of_tuple, const uint8_t *marks)
{
    uint64_t *bits = mgl_alloc_array((s->n + 63) / 64, sizeof *bits);
    for (size_t first = 0; bits != NULL && first < s->n; first += 64) {
        size_t n = s->n - first < 64 ? s->n - first : 64;
        uint64_t word = 0;
        for (size_t i = 0; i < n; i++)
            word |= (uint64_t)marks[of_tuple[first + i]] << i;
        bits[first / 64] = word;
    }
    return bits;
}

static uint64_t *set_step_bits(worker *w, const mgl_box_space *s, mgl_cell_step *step)
{
    const uint8_t *marks = w->marks;
    mgl_cell_step *from = step;
    if (!step->spread) { /* it is quicker to mark the classes below than to spread these */
        from = step->below;
        for (size_t c = 0; c < from->n; c++)
            w->spread[c] = w->marks[step->of_below[c]];
        marks = w->spread;
    }
    const uint32_t *of_tuple = mgl_cell_rollup_spread(&w->rollup, from);
    return of_tuple != NULL ? set_bits(s, of_tuple, marks) : NULL;
}

static bool find_at_node(const finder *f, worker *w, uint32_t node)
{
    mgl_cell_closed *closed = f->closed;
    const mgl_box_space *s = closed->space;
    const uint8_t *levels = closed->nodes->levels + node * s->m;
    bool top = mgl_box_is_top(s, levels);
    mgl_cell_step *step = mgl_cell_rollup_go(&w->rollup, levels);
    size_t n = 0;
    if (step == NULL)
        return false;
    for (size_t c = 0; c < step->n; c++) {
        w->marks[c] = step->rows[c] >= s->need &&
                      (top || mgl_cell_is_closed(s, levels, step->differ + c * s->words));
        n += w->marks[c];
    }
    if (n == 0)
        return true;
    if (s->upward) {
        const uint32_t *of_tuple = mgl_cell_rollup_spread(&w->rollup, step);
        if (of_tuple == NULL)
            return false;
        judge_marked(w, s, of_tuple, step->n);
    }
    for (size_t c = 0; c < step->n; c++)
        w->n_classes += w->marks[c];
    closed->member[node] = set_step_bits(w, s, step);
    return closed->member[node] != NULL;
}

/* ---- One node of a large table --------------------------------------------------------------- */

MGL_SPECIALIZE void mark_words(const finder *f, worker *w, uint32_t node, uint64_t *bits,
                               size_t words)
{
    const mgl_box_space *s = f->closed->space;
    const uint64_t *keys = s->keys, *mask = f->closed->nodes->masks + node * words;
    mgl_row_filter_clear(&w->filter, s->n, s->need);
    mgl_row_filter filter = w->filter; /* which the compiler can keep in registers */
    for (size_t t = 0; t < s->n; t++)
        filter.rows[mgl_row_filter_slot(&filter, keys + t * words, mask, words)] += s->rows[t];
    for (size_t t = 0; t < s->n; t++) {
        size_t slot = mgl_row_filter_slot(&filter, keys + t * words, mask, words);
        bits[t / 64] |= (uint64_t)(filter.rows[slot] >= s->need) << t % 64;
    }
}

/* Classes that seem to have enough rows, closed or not, which scans will see. */
static bool mark_large(const finder *f, worker *w, uint32_t node)
{
    const mgl_box_space *s = f->closed->space;
    uint64_t *bits = f->closed->member[node] = mgl_zeroed_array((s->n + 63) / 64, sizeof *bits);
    if (bits == NULL)
        return false;
    if (s->words == 1)
        mark_words(f, w, node, bits, 1);
    else
        mark_words(f, w, node, bits, s->words);
    return true;
}

static void run_item(void *context, size_t item, unsigned number)
{
    finder *f = context;
    worker *w = &f->workers[number];
    size_t first = item * NODES_AT_ONCE;
    for (size_t i = first; i < f->n_nodes && i < first + NODES_AT_ONCE && !w->out_of_memory; i++) {
        w->late = mgl_problem_is_late(f->closed->space->problem);
        if (w->late)
            return;
        w->out_of_memory =
            f->closed->large ? !mark_large(f, w, f->order[i]) : !find_at_node(f, w, f->order[i]);
    }
}

/* ---- All nodes ------------------------------------------------------------------------------- */

static mgl_status begin_worker(worker *w, const mgl_box_space *s, mgl_error *err)
{
    MGL_TRY(mgl_cell_rollup_begin(&w->rollup, s, err));
    w->marks = mgl_alloc_array(s->n + 1, 1);
    w->spread = mgl_alloc_array(s->n + 1, 1);
    w->start = mgl_alloc_array(s->upward ? s->n + 2 : 1, sizeof *w->start);
    w->members = mgl_alloc_array(s->upward ? s->n : 1, sizeof *w->members);
    MGL_TRY(mgl_row_filter_init(&w->filter, s->n, err));
    if (w->marks == NULL || w->spread == NULL || w->start == NULL || w->members == NULL)
        return mgl_fail_memory(err);
    return mgl_box_judge_new(s, err, &w->judge);
}

static void end_worker(worker *w)
{
    mgl_cell_rollup_end(&w->rollup);
    mgl_box_judge_free(w->judge);
    mgl_row_filter_free(&w->filter);
    mgl_free(w->marks);
    mgl_free(w->spread);
    mgl_free(w->start);
    mgl_free(w->members);
}

static int compare_costs(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_items(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What prices may be at most. */
static mgl_status take_limits(mgl_cell_closed *closed, const uint32_t *limits, mgl_error *err)
{
    uint32_t cap = closed->cap < closed->space->top_cost ? closed->cap : closed->space->top_cost;
    closed->most = mgl_alloc_array(closed->space->n, sizeof *closed->most);
    if (closed->most == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < closed->space->n; t++)
        closed->most[t] = limits[t] < cap ? limits[t] : cap;
    return MGL_OK;
}

/* The cost from which on nodes are left out, so that no more than `most` are looked at. */
static mgl_status find_cap(const mgl_box_nodes *nodes, uint64_t most, mgl_error *err, uint32_t *out)
{
    *out = UINT32_MAX;
    if (nodes->n <= most)
        return MGL_OK;
    uint32_t *costs = mgl_alloc_array(nodes->n, sizeof *costs);
    if (costs == NULL)
        return mgl_fail_memory(err);
    memcpy(costs, nodes->least, nodes->n * sizeof *costs);
    qsort(costs, nodes->n, sizeof *costs, compare_costs);
    *out = costs[most];
    mgl_free(costs);
    return MGL_OK;
}

/* A node to be sorted. */
typedef struct visit {
    const mgl_cell_rollup *rollup;
    const uint8_t *levels;
    uint32_t node;
} visit;

static int compare_visits(const void *a, const void *b)
{
    const visit *x = a, *y = b;
    return mgl_cell_rollup_compare(x->rollup, x->levels, y->levels);
}

static mgl_status order_nodes(finder *f, mgl_error *err)
{
    const mgl_box_nodes *nodes = f->closed->nodes;
    visit *visits = mgl_alloc_array(nodes->n, sizeof *visits);
    f->order = mgl_alloc_array(nodes->n, sizeof *f->order);
    if (visits == NULL || f->order == NULL) {
        mgl_free(visits);
        return mgl_fail_memory(err);
    }
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->least[i] < f->closed->cap)
            visits[f->n_nodes++] =
                (visit){&f->workers[0].rollup, nodes->levels + i * f->closed->space->m, i};
    if (f->n_nodes > 0)
        qsort(visits, f->n_nodes, sizeof *visits, compare_visits);
    for (size_t i = 0; i < f->n_nodes; i++)
        f->order[i] = visits[i].node;
    mgl_free(visits);
    return MGL_OK;
}

static mgl_status sort_by_rows(mgl_cell_closed *closed, mgl_error *err)
{
    const mgl_box_space *s = closed->space;
    uint64_t *items = mgl_alloc_array(s->n, sizeof *items);
    closed->by_rows = mgl_alloc_array(s->n, sizeof *closed->by_rows);
    bool whole = items != NULL && closed->by_rows != NULL;
    for (size_t t = 0; whole && t < s->n; t++)
        items[t] = (uint64_t)s->rows[t] << 32 | t;
    if (whole)
        qsort(items, s->n, sizeof *items, compare_items);
    for (size_t i = 0; whole && i < s->n; i++)
        closed->by_rows[i] = (uint32_t)items[i];
    mgl_free(items);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status find(finder *f, mgl_error *err)
{
    mgl_cell_closed *closed = f->closed;
    const mgl_box_space *s = closed->space;
    f->n_workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    closed->member = mgl_zeroed_array(closed->nodes->n, sizeof *closed->member);
    f->workers = mgl_zeroed_array(f->n_workers, sizeof *f->workers);
    if (closed->member == NULL || f->workers == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(sort_by_rows(closed, err));
    for (unsigned i = 0; i < f->n_workers; i++)
        MGL_TRY(begin_worker(&f->workers[i], s, err));
    MGL_TRY(order_nodes(f, err));
    mgl_pool_run(s->problem->pool, (f->n_nodes + NODES_AT_ONCE - 1) / NODES_AT_ONCE, run_item, f);
    for (unsigned i = 0; i < f->n_workers; i++) {
        closed->n += f->workers[i].n_classes;
        if (f->workers[i].out_of_memory)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

mgl_status mgl_cell_closed_new(const mgl_box_space *space, const mgl_box_nodes *nodes,
                               const uint32_t *limits, uint64_t work, bool large, mgl_error *err,
                               mgl_cell_closed **out)
{
    uint64_t by_work = work / (space->n + 1), by_memory = MOST_BYTES / (space->n / 8 + 8);
    uint32_t cap;
    *out = NULL;
    MGL_TRY(find_cap(nodes, by_work < by_memory ? by_work : by_memory, err, &cap));
    if (cap == 0)
        return MGL_OK;
    mgl_cell_closed *closed = mgl_zeroed_array(1, sizeof *closed);
    if (closed == NULL)
        return mgl_fail_memory(err);
    *closed = (mgl_cell_closed){
        .space = space, .nodes = nodes, .cap = cap, .large = large && !space->upward};
    finder f = {.closed = closed};
    bool late = false;
    mgl_status status = MGL_OK;
    MGL_GO(take_limits(closed, limits, err));
    MGL_GO(find(&f, err));
done:
    for (unsigned i = 0; f.workers != NULL && i < f.n_workers; i++) {
        late = late || f.workers[i].late;
        end_worker(&f.workers[i]);
    }
    mgl_free(f.workers);
    mgl_free(f.order);
    /* Some of the classes are of no use: prices must be right for all. */
    if (status == MGL_OK && !late)
        *out = closed;
    else
        mgl_cell_closed_free(closed);
    return status;
}

void mgl_cell_closed_free(mgl_cell_closed *closed)
{
    if (closed == NULL)
        return;
    for (size_t i = 0; closed->member != NULL && i < closed->nodes->n; i++)
        mgl_free(closed->member[i]);
    mgl_free(closed->member);
    mgl_free(closed->by_rows);
    mgl_free(closed->most);
    mgl_free(closed);
}
