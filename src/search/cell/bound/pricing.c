/* The pricing step of column generation: finds the negative ones among all closed classes, on all
 * threads. */
#include "search/cell/bound/duals.h"
#include "search/node/node.h"

#include <stdlib.h>

enum {
    NODES_AT_ONCE = 16,
    HELPERS = 4 /* members kept that have all rows a class lacks, at most, beside the best */
};

/* Tuples, those with the highest dual values first. */
typedef struct sorted {
    uint32_t *tuple, *dual, *rows;
    uint64_t *keys;
} sorted;

/* What a class lacks whose dear rows, those with a dual value above the cost, are too few. A tuple
 * joins it whole: either one that has all the rows it lacks, or smaller ones, whose rows are
 * counted one by one. */
typedef struct lack {
    uint32_t rows;  /* 0: it is not known yet, or nothing */
    uint32_t place; /* of the best tuple that has so many, by dual value */
    uint32_t kept;  /* tuples that have so many, gathered */
    uint64_t room;  /* rows of the other members gathered */
    int64_t dear;   /* what the dear rows are worth */
    int64_t worth;  /* with that tuple; 0: there is none with which it is worth anything */
} lack;

typedef struct worker {
    mgl_key_table table;   /* classes of a node with dear tuples */
    lack *lacks;           /* [class] */
    mgl_row_filter filter; /* not 0: where classes are that matter */
} worker;

typedef struct scan {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    sorted by_dual;
    const mgl_pricing_look *look;
    worker *workers;
    mgl_cell_negatives *found; /* [items] */
    uint8_t *out_of_memory;    /* [items] */
} scan;

/* ---- The order of dual values ------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t raised(const scan *c, const uint32_t *duals, uint32_t t)
{
    uint32_t most = c->look->most != NULL ? c->look->most[t] : c->space->top_cost;
    return duals[t] < most && most - duals[t] > c->look->raise ? duals[t] + c->look->raise : most;
}

/* Among equals those with few rows come first: one that joins a class does so whole. */
static mgl_status sort_by_dual(scan *c, const uint32_t *duals, mgl_error *err)
{
    const mgl_box_space *s = c->space;
    sorted *o = &c->by_dual;
    uint64_t *items = mgl_alloc_array(s->n, sizeof *items);
    o->tuple = mgl_alloc_array(s->n, sizeof *o->tuple);
    o->dual = mgl_alloc_array(s->n, sizeof *o->dual);
    o->rows = mgl_alloc_array(s->n, sizeof *o->rows);
    o->keys = mgl_alloc_array(s->n, s->words * sizeof *o->keys);
    bool whole =
        items != NULL && o->tuple != NULL && o->dual != NULL && o->rows != NULL && o->keys != NULL;
    for (size_t i = 0; whole && i < s->n; i++)
        items[i] = (uint64_t)(UINT32_MAX - raised(c, duals, c->closed->by_rows[i])) << 32 | i;
    if (whole)
        qsort(items, s->n, sizeof *items, compare);
    for (size_t i = 0; whole && i < s->n; i++) {
        uint32_t t = c->closed->by_rows[(uint32_t)items[i]];
        o->tuple[i] = t;
        o->dual[i] = raised(c, duals, t);
        o->rows[i] = s->rows[t];
        memcpy(o->keys + i * s->words, s->keys + t * s->words, s->words * sizeof *o->keys);
    }
    mgl_free(items);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

static size_t count_above(const scan *c, uint32_t cost)
{
    size_t low = 0, high = c->space->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->by_dual.dual[middle] > cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- One node ----------------------------------------------------------------------------- */

/* A tuple that is not worth what it costs is taken if it helps out; true if the class does not want
 * rows any more: it has enough, or cannot be worth anything, whatever comes, as others have lower
 * dual values. */
static inline bool fill_up(worker *w, uint32_t e, uint32_t need, size_t i, const sorted *o)
{
    mgl_key_table *table = &w->table;
    lack *x = &w->lacks[e];
    uint32_t wanted = need - table->rows[e], rows = o->rows[i];
    int64_t loss = (int64_t)table->cost[e] - o->dual[i];
    if (table->worth[e] <= wanted * loss) {
        table->worth[e] = -1;
        return true;
    }
    if (x->rows == 0) {
        x->rows = wanted;
        x->dear = table->worth[e];
    }
    if (rows >= x->rows) {
        int64_t worth = x->dear - rows * loss;
        if (worth > x->worth) {
            x->worth = worth;
            x->place = (uint32_t)i;
        }
        return false;
    }
    uint32_t more = wanted < rows ? wanted : rows;
    table->worth[e] -= more * loss;
    table->rows[e] += more;
    return table->rows[e] >= need;
}

/* Adds a tuple to a class: all rows worth more than they cost, others while rows are wanted. Tuples
 * come in the order of their dual values, so that these are the best rows. True if the class wanted
 * rows before and does not any more. */
static inline bool take(worker *w, uint32_t e, uint32_t need, size_t i, const sorted *o)
{
    mgl_key_table *table = &w->table;
    bool wanted = table->rows[e] < need && table->worth[e] >= 0;
    if (o->dual[i] <= table->cost[e])
        return wanted && fill_up(w, e, need, i, o);
    table->worth[e] += (int64_t)o->rows[i] * (o->dual[i] - table->cost[e]);
    table->rows[e] += o->rows[i];
    return wanted && table->rows[e] >= need;
}

/* Marks the slots of classes that lack rows, or of negative classes. */
MGL_SPECIALIZE mgl_row_filter mark_slots(worker *w, bool negatives, uint32_t need, size_t words)
{
    uint64_t all[MGL_BOX_MOST_WORDS]; /* keys of classes are masked already */
    memset(all, 0xff, words * sizeof *all);
    const mgl_key_table *table = &w->table;
    mgl_row_filter_clear(&w->filter, table->n, 1);
    for (uint32_t e = 1; e <= table->n; e++)
        if (negatives ? table->mark[e] != 0 : table->rows[e] < need && table->worth[e] >= 0)
            w->filter.rows[mgl_row_filter_slot(&w->filter, table->keys + e * words, all, words)] =
                1;
    return w->filter;
}

/* What the best rows of each class are worth: only classes with a row that is worth more than it
 * costs can be negative. Returns how many are. */
MGL_SPECIALIZE size_t weigh(const scan *c, worker *w, uint32_t node, size_t above, size_t words)
{
    mgl_key_table *table = &w->table;
    const uint64_t *member = c->closed->member[node],
                   *mask = c->closed->nodes->masks + node * words;
    const uint8_t *levels = c->closed->nodes->levels + node * c->space->m;
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_dual;
    size_t wanting = 0, negatives = 0;
    mgl_key_table_clear(table, above);
    for (size_t i = 0; i < above; i++) {
        if (!mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t before = table->n;
        uint32_t e = mgl_key_table_add(table, o->keys + i * words, mask, words, o->tuple[i]);
        if (e > before) {
            table->cost[e] = mgl_box_cost(s, levels, o->tuple[i]);
            table->worth[e] = 0;
            w->lacks[e] = (lack){0};
            wanting++;
        }
        wanting -= take(w, e, s->need, i, o);
    }
    mgl_row_filter filter = mark_slots(w, false, s->need, words);
    for (size_t i = above; i < s->n && wanting > 0; i++) {
        const uint64_t *key = o->keys + i * words;
        if (filter.rows[mgl_row_filter_slot(&filter, key, mask, words)] == 0 ||
            !mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, key, mask, words);
        if (e != 0)
            wanting -= take(w, e, s->need, i, o);
    }
    for (uint32_t e = 1; e <= table->n; e++) {
        table->mark[e] =
            (table->rows[e] >= s->need && table->worth[e] > 0) || w->lacks[e].worth > 0;
        negatives += table->mark[e];
    }
    return negatives;
}

/* Of a negative class the best members are kept: those that make it negative, and as many rows
 * again as may take their place when dual values change. */
static uint64_t rows_wanted(const mgl_key_table *table, uint32_t e, uint32_t need)
{
    return (table->rows[e] > need ? table->rows[e] : need) + 2 * (uint64_t)need;
}

/* Has the tuple, which is not dear, all rows that the class lacks? */
static bool helps_alone(const scan *c, const worker *w, uint32_t e, size_t i)
{
    const sorted *o = &c->by_dual;
    uint32_t lacking = w->lacks[e].rows;
    return lacking > 0 && o->rows[i] >= lacking && o->dual[i] <= w->table.cost[e];
}

static bool is_wanted(const scan *c, const worker *w, uint32_t e, size_t i)
{
    const lack *x = &w->lacks[e];
    bool full = x->room >= rows_wanted(&w->table, e, c->space->need);
    if (helps_alone(c, w, e, i))
        return x->place == i || (x->kept < HELPERS && !(full && x->place < i));
    return !full;
}

/* Removes those whose members are in a box below: their reduced cost is lower there. */
static void forget_open(const scan *c, uint32_t node, size_t first, mgl_cell_negatives *out)
{
    const mgl_box_space *s = c->space;
    const uint8_t *levels = c->closed->nodes->levels + node * s->m;
    size_t n = first;
    for (size_t b = first; b < out->n; b++) {
        const uint32_t *members = out->members + out->items[b].start;
        uint64_t differ[MGL_BOX_MOST_WORDS] = {0};
        for (size_t i = 1; i < out->items[b].n; i++)
            for (size_t w = 0; w < s->words; w++)
                differ[w] |=
                    s->keys[members[0] * s->words + w] ^ s->keys[members[i] * s->words + w];
        if (mgl_cell_is_closed(s, levels, differ))
            out->items[n++] = out->items[b];
    }
    out->n = n;
}

MGL_SPECIALIZE bool gather(const scan *c, worker *w, uint32_t node, size_t n_negatives,
                           mgl_cell_negatives *out, size_t words)
{
    mgl_key_table *table = &w->table;
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_dual;
    const uint64_t *member = c->closed->member[node],
                   *mask = c->closed->nodes->masks + node * words;
    if (!mgl_grow(&out->items, &out->capacity, out->n + n_negatives, sizeof *out->items))
        return false;
    size_t first = out->n;
    for (uint32_t e = 1; e <= table->n; e++) {
        if (table->mark[e] == 0)
            continue;
        uint64_t id = node + 1;
        for (size_t i = 0; i < words; i++)
            id = (id ^ table->keys[e * words + i]) * UINT64_C(0x9E3779B97F4A7C15) + (id >> 31);
        out->items[out->n++] = (mgl_cell_negative){
            .id = id, .node = node, .cost = table->cost[e], .found = c->look->now};
        table->mark[e] = (uint32_t)(out->n - first);
    }
    /* Members come in the order of dual values; each is put behind the last of all, with the number
     * of its negative class beside it, and they are sorted by it afterwards. */
    mgl_row_filter filter = mark_slots(w, true, s->need, words);
    size_t begin = out->n_members, full = 0;
    for (size_t i = 0; i < s->n && full < n_negatives; i++) {
        const uint64_t *key = o->keys + i * words;
        if (filter.rows[mgl_row_filter_slot(&filter, key, mask, words)] == 0 ||
            !mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, key, mask, words);
        uint32_t mark = table->mark[e];
        if (e == 0 || mark == 0 || !is_wanted(c, w, e, i))
            continue;
        if (!mgl_grow(&out->members, &out->members_capacity, out->n_members + 2,
                      sizeof *out->members))
            return false;
        out->members[out->n_members++] = mark - 1;
        out->members[out->n_members++] = o->tuple[i];
        out->items[first + mark - 1].n++;
        if (helps_alone(c, w, e, i))
            w->lacks[e].kept++;
        else
            w->lacks[e].room += o->rows[i];
        full += w->lacks[e].place <= i && w->lacks[e].room >= rows_wanted(table, e, s->need);
    }
    size_t n = (out->n_members - begin) / 2, start = begin;
    uint32_t *pairs = mgl_alloc_array(n * 2, sizeof *pairs);
    if (pairs == NULL)
        return false;
    memcpy(pairs, out->members + begin, n * 2 * sizeof *pairs);
    for (size_t b = first; b < out->n; b++) {
        out->items[b].start = start;
        start += out->items[b].n;
        out->items[b].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        mgl_cell_negative *b = &out->items[first + pairs[2 * i]];
        out->members[b->start + b->n++] = pairs[2 * i + 1];
    }
    out->n_members = start;
    mgl_free(pairs);
    if (c->closed->large)
        forget_open(c, node, first, out);
    return true;
}

MGL_SPECIALIZE bool scan_node(scan *c, uint32_t node, unsigned worker, mgl_cell_negatives *out,
                              size_t words)
{
    uint8_t *open = c->look->open;
    bool any = c->closed->member[node] != NULL && (open == NULL || open[node] != 0);
    size_t above = any ? count_above(c, c->closed->nodes->least[node]) : 0;
    size_t n = above > 0 ? weigh(c, &c->workers[worker], node, above, words) : 0;
    if (open != NULL)
        open[node] = n > 0;
    return n == 0 || gather(c, &c->workers[worker], node, n, out, words);
}

static void run_item(void *context, size_t item, unsigned worker)
{
    scan *c = context;
    size_t first = item * NODES_AT_ONCE, n = c->closed->nodes->n;
    bool whole = true;
    for (size_t i = first; whole && i < n && i < first + NODES_AT_ONCE; i++)
        whole = c->space->words == 1
                    ? scan_node(c, (uint32_t)i, worker, &c->found[item], 1)
                    : scan_node(c, (uint32_t)i, worker, &c->found[item], c->space->words);
    c->out_of_memory[item] = !whole;
}

/* ---- All nodes ------------------------------------------------------------------------------ */

static bool append(mgl_cell_negatives *to, const mgl_cell_negatives *from)
{
    if (!mgl_grow(&to->items, &to->capacity, to->n + from->n, sizeof *to->items) ||
        !mgl_grow(&to->members, &to->members_capacity, to->n_members + from->n_members,
                  sizeof *to->members))
        return false;
    for (size_t i = 0; i < from->n; i++) {
        to->items[to->n] = from->items[i];
        to->items[to->n++].start += to->n_members;
    }
    if (from->n_members > 0)
        memcpy(to->members + to->n_members, from->members, from->n_members * sizeof *to->members);
    to->n_members += from->n_members;
    return true;
}

static mgl_status begin_worker(worker *w, const mgl_box_space *s, mgl_error *err)
{
    MGL_TRY(mgl_key_table_init(&w->table, s->n, s->words, err));
    MGL_TRY(mgl_row_filter_init(&w->filter, s->n, err));
    w->lacks = mgl_alloc_array(s->n + 1, sizeof *w->lacks);
    return w->lacks != NULL ? MGL_OK : mgl_fail_memory(err);
}

static void end_worker(worker *w)
{
    mgl_key_table_free(&w->table);
    mgl_row_filter_free(&w->filter);
    mgl_free(w->lacks);
}

static mgl_status run(scan *c, unsigned workers, size_t items, mgl_error *err,
                      mgl_cell_negatives *out)
{
    c->workers = mgl_zeroed_array(workers, sizeof *c->workers);
    c->found = mgl_zeroed_array(items, sizeof *c->found);
    c->out_of_memory = mgl_zeroed_array(items, 1);
    if (c->workers == NULL || c->found == NULL || c->out_of_memory == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < workers; w++)
        MGL_TRY(begin_worker(&c->workers[w], c->space, err));
    mgl_pool_run(c->space->problem->pool, items, run_item, c);
    for (size_t i = 0; i < items; i++)
        if (c->out_of_memory[i] || !append(out, &c->found[i]))
            return mgl_fail_memory(err);
    return MGL_OK;
}

mgl_status mgl_cell_scan(const mgl_cell_closed *closed, const uint32_t *duals,
                         const mgl_pricing_look *look, mgl_error *err, mgl_cell_negatives *out)
{
    const mgl_box_space *s = closed->space;
    unsigned workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    size_t items = (closed->nodes->n + NODES_AT_ONCE - 1) / NODES_AT_ONCE;
    scan c = {.closed = closed, .space = s, .look = look};
    mgl_status status = sort_by_dual(&c, duals, err);
    if (status == MGL_OK)
        status = run(&c, workers, items, err, out);
    for (unsigned w = 0; c.workers != NULL && w < workers; w++)
        end_worker(&c.workers[w]);
    for (size_t i = 0; c.found != NULL && i < items; i++)
        mgl_cell_negatives_free(&c.found[i]);
    mgl_free(c.workers);
    mgl_free(c.found);
    mgl_free(c.out_of_memory);
    mgl_free(c.by_dual.tuple);
    mgl_free(c.by_dual.dual);
    mgl_free(c.by_dual.rows);
    mgl_free(c.by_dual.keys);
    return status;
}

/* ---- Keeping them ---------------------------------------------------------------------------- */

/* Removes negative classes that are so no longer, and those that were found twice. */

void mgl_cell_negatives_free(mgl_cell_negatives *negatives)
{
    mgl_free(negatives->items);
    mgl_free(negatives->members);
    *negatives = (mgl_cell_negatives){0};
}

/* The newest of each first: it has the best members. */
static int compare_ids(const void *a, const void *b)
{
    const mgl_cell_negative *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->start < y->start) - (x->start > y->start);
}

mgl_status mgl_cell_negatives_tidy(mgl_cell_negatives *negatives, uint32_t since, mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(negatives->n_members, sizeof *members);
    if (members == NULL)
        return mgl_fail_memory(err);
    if (negatives->n > 0)
        qsort(negatives->items, negatives->n, sizeof *negatives->items, compare_ids);
    size_t n = 0, n_members = 0;
    for (size_t i = 0; i < negatives->n; i++) {
        mgl_cell_negative b = negatives->items[i];
        if (b.found < since ||
            (n > 0 && negatives->items[n - 1].id == b.id && negatives->items[n - 1].node == b.node))
            continue;
        memcpy(members + n_members, negatives->members + b.start, b.n * sizeof *members);
        b.start = n_members;
        n_members += b.n;
        negatives->items[n++] = b;
    }
    mgl_free(negatives->members);
    negatives->members = members;
    negatives->members_capacity = negatives->n_members;
    negatives->n = n;
    negatives->n_members = n_members;
    return MGL_OK;
}
