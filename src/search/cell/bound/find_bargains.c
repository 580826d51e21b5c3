/* Looks for bargains in all closed classes, on all threads. find_prices.c and the offers call
 * it. */
#include "search/cell/bound/prices.h"
#include "search/node/node.h"

#include <stdlib.h>

enum { NODES_AT_ONCE = 64 };

/* Tuples, the dearest first. */
typedef struct sorted {
    uint32_t *tuple, *price, *rows;
    uint64_t *keys;
} sorted;

typedef struct scan {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    sorted by_price;
    uint32_t raise, now;
    mgl_key_table *tables;    /* [workers] */
    mgl_cell_bargains *found; /* [items] */
    uint8_t *out_of_memory;   /* [items] */
    uint64_t **room;          /* [workers] rows of the members gathered, by entry */
} scan;

/* ---- The order of prices ----------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static mgl_status sort_by_price(scan *c, const uint32_t *prices, mgl_error *err)
{
    const mgl_box_space *s = c->space;
    sorted *o = &c->by_price;
    uint64_t *items = mgl_alloc_array(s->n, sizeof *items);
    o->tuple = mgl_alloc_array(s->n, sizeof *o->tuple);
    o->price = mgl_alloc_array(s->n, sizeof *o->price);
    o->rows = mgl_alloc_array(s->n, sizeof *o->rows);
    o->keys = mgl_alloc_array(s->n, s->words * sizeof *o->keys);
    bool whole =
        items != NULL && o->tuple != NULL && o->price != NULL && o->rows != NULL && o->keys != NULL;
    for (size_t t = 0; whole && t < s->n; t++)
        items[t] = (uint64_t)(UINT32_MAX - prices[t]) << 32 | t;
    if (whole)
        qsort(items, s->n, sizeof *items, compare);
    for (size_t i = 0; whole && i < s->n; i++) {
        uint32_t t = (uint32_t)items[i];
        uint64_t price = (uint64_t)prices[t] + c->raise;
        o->tuple[i] = t;
        o->price[i] = price < s->top_cost ? (uint32_t)price : s->top_cost;
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
        if (c->by_price.price[middle] > cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- One node ----------------------------------------------------------------------------- */

/* Adds a row set to a class: all rows worth more than they cost, others while rows are wanted.
 * Tuples come the dearest first, so that these are the best rows. True if the class wanted rows
 * before and does not any more. */
static inline bool take(mgl_key_table *table, uint32_t e, uint32_t need, uint32_t price,
                        uint32_t rows)
{
    uint32_t cost = table->cost[e], taken = table->rows[e];
    bool wanted = taken < need && table->worth[e] >= 0;
    if (price > cost) {
        table->worth[e] += (int64_t)rows * (price - cost);
        table->rows[e] += rows;
    } else if (wanted) {
        uint32_t more = need - taken < rows ? need - taken : rows;
        table->worth[e] -= (int64_t)more * (cost - price);
        table->rows[e] += more;
    }
    return wanted && (table->rows[e] >= need || table->worth[e] < 0);
}

/* What the best rows of each class are worth: only classes with a row that is worth more than
 * it costs can be bargains. Returns how many are. */
MGL_SPECIALIZE size_t weigh(const scan *c, mgl_key_table *table, const uint8_t *levels,
                            const uint64_t *mask, const uint64_t *member, size_t above,
                            size_t words)
{
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_price;
    size_t wanting = 0, bargains = 0;
    mgl_key_table_clear(table, above);
    for (size_t i = 0; i < above; i++) {
        if (!mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t before = table->n;
        uint32_t e = mgl_key_table_add(table, o->keys + i * words, mask, words, o->tuple[i]);
        if (e > before) {
            table->cost[e] = mgl_box_cost(s, levels, o->tuple[i]);
            table->worth[e] = 0;
            wanting++;
        }
        wanting -= take(table, e, s->need, o->price[i], o->rows[i]);
    }
    for (size_t i = above; i < s->n && wanting > 0; i++) {
        if (!mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, o->keys + i * words, mask, words);
        if (e != 0)
            wanting -= take(table, e, s->need, o->price[i], o->rows[i]);
    }
    for (uint32_t e = 1; e <= table->n; e++) {
        table->mark[e] = table->rows[e] >= s->need && table->worth[e] > 0;
        bargains += table->mark[e];
    }
    return bargains;
}

/* Of a bargain the best members are kept: those that make it one, and as many rows again as
 * may take their place when prices change. */
static uint64_t rows_wanted(const mgl_key_table *table, uint32_t e, uint32_t need)
{
    return (table->rows[e] > need ? table->rows[e] : need) + 2 * (uint64_t)need;
}

MGL_SPECIALIZE bool gather(const scan *c, mgl_key_table *table, uint64_t *room, uint32_t node,
                           size_t n_bargains, mgl_cell_bargains *out, size_t words)
{
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_price;
    const uint64_t *member = c->closed->member[node],
                   *mask = c->closed->nodes->masks + node * words;
    if (!mgl_grow(&out->items, &out->capacity, out->n + n_bargains, sizeof *out->items))
        return false;
    size_t first = out->n;
    for (uint32_t e = 1; e <= table->n; e++) {
        if (table->mark[e] == 0)
            continue;
        uint64_t id = node + 1;
        for (size_t w = 0; w < words; w++)
            id = (id ^ table->keys[e * words + w]) * UINT64_C(0x9E3779B97F4A7C15) + (id >> 31);
        out->items[out->n++] =
            (mgl_cell_bargain){.id = id, .node = node, .cost = table->cost[e], .found = c->now};
        table->mark[e] = (uint32_t)(out->n - first);
        room[e] = 0;
    }
    /* Members come in the order of prices; each is put behind the last of all, with the
     * number of its bargain beside it, and they are sorted by it afterwards. */
    size_t begin = out->n_members, full = 0;
    for (size_t i = 0; i < s->n && full < n_bargains; i++) {
        if (!mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, o->keys + i * words, mask, words);
        uint32_t mark = table->mark[e];
        if (e == 0 || mark == 0 || room[e] >= rows_wanted(table, e, s->need))
            continue;
        if (!mgl_grow(&out->members, &out->members_capacity, out->n_members + 2,
                      sizeof *out->members))
            return false;
        out->members[out->n_members++] = mark - 1;
        out->members[out->n_members++] = o->tuple[i];
        out->items[first + mark - 1].n++;
        room[e] += o->rows[i];
        full += room[e] >= rows_wanted(table, e, s->need);
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
        mgl_cell_bargain *b = &out->items[first + pairs[2 * i]];
        out->members[b->start + b->n++] = pairs[2 * i + 1];
    }
    out->n_members = start;
    mgl_free(pairs);
    return true;
}

MGL_SPECIALIZE bool scan_node(scan *c, uint32_t node, mgl_key_table *table, uint64_t *room,
                              mgl_cell_bargains *out, size_t words)
{
    const mgl_box_space *s = c->space;
    const mgl_box_nodes *nodes = c->closed->nodes;
    const uint64_t *member = c->closed->member[node], *mask = nodes->masks + node * words;
    size_t above = member != NULL ? count_above(c, nodes->least[node]) : 0;
    if (above == 0)
        return true;
    size_t n = weigh(c, table, nodes->levels + node * s->m, mask, member, above, words);
    return n == 0 || gather(c, table, room, node, n, out, words);
}

static void run_item(void *context, size_t item, unsigned worker)
{
    scan *c = context;
    size_t first = item * NODES_AT_ONCE, n = c->closed->nodes->n;
    bool whole = true;
    for (size_t i = first; whole && i < n && i < first + NODES_AT_ONCE; i++) {
        mgl_key_table *table = &c->tables[worker];
        uint64_t *room = c->room[worker];
        whole = c->space->words == 1
                    ? scan_node(c, (uint32_t)i, table, room, &c->found[item], 1)
                    : scan_node(c, (uint32_t)i, table, room, &c->found[item], c->space->words);
    }
    c->out_of_memory[item] = !whole;
}

/* ---- All nodes ------------------------------------------------------------------------------ */

static bool append(mgl_cell_bargains *to, const mgl_cell_bargains *from)
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

static mgl_status run(scan *c, unsigned workers, size_t items, mgl_error *err,
                      mgl_cell_bargains *out)
{
    c->tables = mgl_zeroed_array(workers, sizeof *c->tables);
    c->room = mgl_zeroed_array(workers, sizeof *c->room);
    c->found = mgl_zeroed_array(items, sizeof *c->found);
    c->out_of_memory = mgl_zeroed_array(items, 1);
    if (c->tables == NULL || c->room == NULL || c->found == NULL || c->out_of_memory == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < workers; w++) {
        MGL_TRY(mgl_key_table_init(&c->tables[w], c->space->n, c->space->words, err));
        c->room[w] = mgl_alloc_array(c->space->n + 1, sizeof **c->room);
        if (c->room[w] == NULL)
            return mgl_fail_memory(err);
    }
    mgl_pool_run(c->space->problem->pool, items, run_item, c);
    for (size_t i = 0; i < items; i++)
        if (c->out_of_memory[i] || !append(out, &c->found[i]))
            return mgl_fail_memory(err);
    return MGL_OK;
}

mgl_status mgl_cell_scan(const mgl_cell_closed *closed, const uint32_t *prices, uint32_t raise,
                         uint32_t now, mgl_error *err, mgl_cell_bargains *out)
{
    const mgl_box_space *s = closed->space;
    unsigned workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    size_t items = (closed->nodes->n + NODES_AT_ONCE - 1) / NODES_AT_ONCE;
    scan c = {.closed = closed, .space = s, .raise = raise, .now = now};
    mgl_status status = sort_by_price(&c, prices, err);
    if (status == MGL_OK)
        status = run(&c, workers, items, err, out);
    for (unsigned w = 0; w < workers; w++) {
        if (c.tables != NULL)
            mgl_key_table_free(&c.tables[w]);
        if (c.room != NULL)
            mgl_free(c.room[w]);
    }
    for (size_t i = 0; c.found != NULL && i < items; i++)
        mgl_cell_bargains_free(&c.found[i]);
    mgl_free(c.tables);
    mgl_free(c.room);
    mgl_free(c.found);
    mgl_free(c.out_of_memory);
    mgl_free(c.by_price.tuple);
    mgl_free(c.by_price.price);
    mgl_free(c.by_price.rows);
    mgl_free(c.by_price.keys);
    return status;
}
