/* Makes the closed classes of the cheapest nodes: each the smallest box around its tuples. */
#include "search/box/box.h"
#include "search/cell/bound/duals.h"
#include "search/node/node.h"

#include <stdlib.h>

/* ---- Rolling up ------------------------------------------------------------------------------ */

/* Rolls classes up from node to node, on all threads. */

/* Classes with the levels of a node in some attributes and the lowest ones in the others. */
typedef struct cell_step cell_step;
struct cell_step {
    cell_step *below; /* where the classes come from; NULL: the lowest node */
    size_t n, capacity;
    uint32_t *first, *rows; /* [n] a member, and how many rows there are */
    uint64_t *differ;       /* [n * words] bits in which members differ from the first one */
    uint32_t *of_below;     /* [below->n] into which class a class below goes */
    uint32_t *of_tuple;     /* [tuples] if spread */
    bool spread;
};

typedef struct cell_rollup {
    const mgl_box_space *space;
    cell_step *steps; /* [m + 1] */
    cell_step **at;   /* [m + 1] the step after so many attributes */
    size_t *order;    /* [m] attributes, those with the most leaves first */
    uint8_t *levels;  /* [m] of the last node */
    uint8_t *partly;  /* [m] of a step */
    uint64_t *mask;   /* [words] */
    mgl_key_table table;
    mgl_owned own;
} cell_rollup;

/* The attributes with the most leaves are raised first: most nodes then follow from few classes. */
static void choose_order(cell_rollup *r)
{
    const mgl_box_space *s = r->space;
    for (size_t i = 0; i < s->m; i++) {
        size_t at = i;
        for (; at > 0 && s->attributes[r->order[at - 1]].n_bits < s->attributes[i].n_bits; at--)
            r->order[at] = r->order[at - 1];
        r->order[at] = i;
    }
}

static bool make_room(cell_step *step, size_t n, size_t words)
{
    size_t first = step->capacity, rows = first, differ = first;
    return mgl_grow(&step->first, &first, n, sizeof *step->first) &&
           mgl_grow(&step->rows, &rows, n, sizeof *step->rows) &&
           mgl_grow(&step->differ, &differ, n, words * sizeof *step->differ) &&
           mgl_grow(&step->of_below, &step->capacity, n, sizeof *step->of_below);
}

/* Adds the members of a class to the class of the first one's masked key. */
MGL_SPECIALIZE uint32_t join(cell_rollup *r, cell_step *step, uint32_t first, uint32_t rows,
                             const uint64_t *differ, size_t words)
{
    const uint64_t *key = r->space->keys + first * words;
    uint32_t before = r->table.n;
    uint32_t e = mgl_key_table_add(&r->table, key, r->mask, words, first) - 1;
    if (e == before) {
        step->first[e] = first;
        step->rows[e] = 0;
        memset(step->differ + e * words, 0, words * sizeof *step->differ);
    }
    const uint64_t *other = r->space->keys + step->first[e] * words;
    for (size_t w = 0; w < words; w++)
        step->differ[e * words + w] |= (differ != NULL ? differ[w] : 0) | (key[w] ^ other[w]);
    step->rows[e] += rows;
    return e;
}

MGL_SPECIALIZE void raise_words(cell_rollup *r, const cell_step *below, cell_step *step,
                                size_t words)
{
    mgl_key_table_clear(&r->table, below->n);
    for (size_t c = 0; c < below->n; c++)
        step->of_below[c] =
            join(r, step, below->first[c], below->rows[c], below->differ + c * words, words);
    step->n = r->table.n;
}

/* The classes of `below` with one more attribute raised. */
static bool raise(cell_rollup *r, cell_step *below, cell_step *step)
{
    size_t words = r->space->words;
    step->below = below;
    step->spread = false;
    if (!make_room(step, below->n, words))
        return false;
    if (words == 1)
        raise_words(r, below, step, 1);
    else
        raise_words(r, below, step, words);
    return true;
}

static mgl_status make_lowest(cell_rollup *r, mgl_error *err)
{
    const mgl_box_space *s = r->space;
    cell_step *step = &r->steps[0];
    mgl_box_begin(s, r->levels);
    mgl_box_mask(s, r->levels, r->mask);
    step->of_tuple = mgl_own_array(&r->own, s->n, sizeof *step->of_tuple);
    MGL_TRY(mgl_check_memory(!r->own.missing && make_room(step, s->n, s->words), err));
    mgl_key_table_clear(&r->table, s->n);
    for (uint32_t t = 0; t < s->n; t++)
        step->of_tuple[t] = join(r, step, t, s->rows[t], NULL, s->words);
    step->n = r->table.n;
    step->spread = true;
    for (size_t a = 0; a <= s->m; a++)
        r->at[a] = step;
    return MGL_OK;
}

static void rollup_end(cell_rollup *r)
{
    for (size_t i = 0; r->steps != NULL && i <= r->space->m; i++) {
        mgl_free(r->steps[i].first);
        mgl_free(r->steps[i].rows);
        mgl_free(r->steps[i].differ);
        mgl_free(r->steps[i].of_below);
    }
    mgl_key_table_free(&r->table);
    mgl_owned_free(&r->own);
}

/* The order in which nodes have most in common with the one before. */
static int rollup_compare(const cell_rollup *r, const uint8_t *levels, const uint8_t *others)
{
    for (size_t i = 0; i < r->space->m; i++) {
        size_t a = r->order[i];
        if (levels[a] != others[a])
            return levels[a] < others[a] ? -1 : 1;
    }
    return 0;
}

/* The classes of the node; the top is not one. NULL: memory is out. */
static cell_step *rollup_go(cell_rollup *r, const uint8_t *levels)
{
    const mgl_box_space *s = r->space;
    size_t i = 0;
    mgl_box_begin(s, r->partly);
    for (; i < s->m && levels[r->order[i]] == r->levels[r->order[i]]; i++)
        r->partly[r->order[i]] = levels[r->order[i]];
    for (; i < s->m; i++) {
        size_t a = r->order[i];
        r->partly[a] = r->levels[a] = levels[a];
        r->at[i + 1] = r->at[i];
        if (levels[a] == s->attributes[a].low)
            continue;
        mgl_box_mask(s, r->partly, r->mask);
        if (!raise(r, r->at[i], &r->steps[i + 1]))
            return NULL;
        r->at[i + 1] = &r->steps[i + 1];
    }
    return r->at[s->m];
}

/* The class of each tuple. NULL: memory is out. */
static const uint32_t *rollup_spread(cell_rollup *r, cell_step *step)
{
    size_t n = r->space->n;
    if (step->spread)
        return step->of_tuple;
    const uint32_t *below = rollup_spread(r, step->below);
    if (step->of_tuple == NULL)
        step->of_tuple = mgl_own_array(&r->own, n, sizeof *step->of_tuple);
    if (below == NULL || step->of_tuple == NULL)
        return NULL;
    uint32_t *of_tuple = step->of_tuple;
    const uint32_t *of_below = step->of_below;
    for (size_t t = 0; t < n; t++)
        of_tuple[t] = of_below[below[t]];
    step->spread = true;
    return of_tuple;
}

/* ---- Closed classes -------------------------------------------------------------------------- */

#define MOST_BYTES ((uint64_t)512 << 20)

enum { NODES_AT_ONCE = 64 };

typedef struct worker {
    cell_rollup rollup;
    mgl_row_filter filter; /* of a large table */
    uint8_t *marks;        /* [n + 1] of the classes, or of those a step below */
    uint8_t *spread;
    mgl_box_judge *judge;
    size_t *start;     /* [n + 2] if classes are judged: their members */
    uint32_t *members; /* [n] */
    uint64_t n_classes;
    bool out_of_memory, late;
    mgl_owned own;
} worker;

typedef struct finder {
    mgl_cell_closed *closed;
    uint32_t *order; /* [n_nodes] nodes that cost less than the cap, neighbours together */
    size_t n_nodes;
    worker *workers;
    unsigned n_workers;
    mgl_owned own;
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

static uint64_t *set_step_bits(worker *w, const mgl_box_space *s, cell_step *step)
{
    const uint8_t *marks = w->marks;
    cell_step *from = step;
    if (!step->spread) { /* it is quicker to mark the classes below than to spread these */
        from = step->below;
        for (size_t c = 0; c < from->n; c++)
            w->spread[c] = w->marks[step->of_below[c]];
        marks = w->spread;
    }
    const uint32_t *of_tuple = rollup_spread(&w->rollup, from);
    return of_tuple != NULL ? set_bits(s, of_tuple, marks) : NULL;
}

static bool find_at_node(const finder *f, worker *w, uint32_t node)
{
    mgl_cell_closed *closed = f->closed;
    const mgl_box_space *s = closed->space;
    const uint8_t *levels = closed->nodes->levels + node * s->m;
    bool top = mgl_box_is_top(s, levels);
    cell_step *step = rollup_go(&w->rollup, levels);
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
        const uint32_t *of_tuple = rollup_spread(&w->rollup, step);
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
    /* End with rollup_end, also after a failure. One per thread. */
    size_t m = s->m;
    w->rollup = (cell_rollup){.space = s};
    w->rollup.steps = mgl_own_zeroed(&w->rollup.own, m + 1, sizeof *w->rollup.steps);
    w->rollup.at = mgl_own_array(&w->rollup.own, m + 1, sizeof *w->rollup.at);
    w->rollup.order = mgl_own_array(&w->rollup.own, m, sizeof *w->rollup.order);
    w->rollup.levels = mgl_own_array(&w->rollup.own, m, 1);
    w->rollup.partly = mgl_own_array(&w->rollup.own, m, 1);
    w->rollup.mask = mgl_own_array(&w->rollup.own, s->words, sizeof *w->rollup.mask);
    MGL_TRY(mgl_owned_check(&w->rollup.own, err));
    choose_order(&w->rollup);
    MGL_TRY(mgl_key_table_init(&w->rollup.table, s->n, s->words, err));
    MGL_TRY(make_lowest(&w->rollup, err));
    w->marks = mgl_own_array(&w->own, s->n + 1, 1);
    w->spread = mgl_own_array(&w->own, s->n + 1, 1);
    w->start = mgl_own_array(&w->own, s->upward ? s->n + 2 : 1, sizeof *w->start);
    w->members = mgl_own_array(&w->own, s->upward ? s->n : 1, sizeof *w->members);
    MGL_TRY(mgl_row_filter_init(&w->filter, s->n, err));
    MGL_TRY(mgl_owned_check(&w->own, err));
    return mgl_box_judge_new(s, err, &w->judge);
}

/* What dual values may be at most. */
static mgl_status take_limits(mgl_cell_closed *closed, const uint32_t *limits, mgl_error *err)
{
    uint32_t cap = closed->cap < closed->space->top_cost ? closed->cap : closed->space->top_cost;
    closed->most = mgl_own_array(&closed->own, closed->space->n, sizeof *closed->most);
    MGL_TRY(mgl_owned_check(&closed->own, err));
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
    uint32_t *costs;
    MGL_TRY(mgl_new_array(nodes->n, sizeof *costs, err, &costs));
    memcpy(costs, nodes->least, nodes->n * sizeof *costs);
    mgl_sort_u32(costs, nodes->n);
    *out = costs[most];
    mgl_free(costs);
    return MGL_OK;
}

/* A node to be sorted. */
typedef struct visit {
    const cell_rollup *rollup;
    const uint8_t *levels;
    uint32_t node;
} visit;

static int compare_visits(const void *a, const void *b)
{
    const visit *x = a, *y = b;
    return rollup_compare(x->rollup, x->levels, y->levels);
}

static mgl_status order_nodes(finder *f, mgl_error *err)
{
    const mgl_box_nodes *nodes = f->closed->nodes;
    visit *visits = mgl_own_array(&f->own, nodes->n, sizeof *visits);
    f->order = mgl_own_array(&f->own, nodes->n, sizeof *f->order);
    MGL_TRY(mgl_owned_check(&f->own, err));
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->least[i] < f->closed->cap)
            visits[f->n_nodes++] =
                (visit){&f->workers[0].rollup, nodes->levels + i * f->closed->space->m, i};
    if (f->n_nodes > 0)
        qsort(visits, f->n_nodes, sizeof *visits, compare_visits);
    for (size_t i = 0; i < f->n_nodes; i++)
        f->order[i] = visits[i].node;
    return MGL_OK;
}

static mgl_status sort_by_rows(mgl_cell_closed *closed, mgl_error *err)
{
    const mgl_box_space *s = closed->space;
    uint64_t *items;
    closed->by_rows = mgl_own_array(&closed->own, s->n, sizeof *closed->by_rows);
    MGL_TRY(mgl_owned_check(&closed->own, err));
    MGL_TRY(mgl_new_array(s->n, sizeof *items, err, &items));
    for (size_t t = 0; t < s->n; t++)
        items[t] = (uint64_t)s->rows[t] << 32 | t;
    mgl_sort_u64(items, s->n);
    for (size_t i = 0; i < s->n; i++)
        closed->by_rows[i] = (uint32_t)items[i];
    mgl_free(items);
    return MGL_OK;
}

static mgl_status find(finder *f, mgl_error *err)
{
    mgl_cell_closed *closed = f->closed;
    const mgl_box_space *s = closed->space;
    f->n_workers = mgl_pool_threads(s->problem->pool);
    closed->member = mgl_own_zeroed(&closed->own, closed->nodes->n, sizeof *closed->member);
    f->workers = mgl_own_zeroed(&f->own, f->n_workers, sizeof *f->workers);
    MGL_TRY(mgl_owned_check(&closed->own, err));
    MGL_TRY(mgl_owned_check(&f->own, err));
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
    mgl_cell_closed *closed;
    MGL_TRY(mgl_new_zeroed(1, sizeof *closed, err, &closed));
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
        rollup_end(&f.workers[i].rollup);
        mgl_box_judge_free(f.workers[i].judge);
        mgl_row_filter_free(&f.workers[i].filter);
        mgl_owned_free(&f.workers[i].own);
    }
    mgl_owned_free(&f.own);
    /* Some of the classes are of no use: dual values must be right for all. */
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
    mgl_owned_free(&closed->own);
    mgl_free(closed);
}
