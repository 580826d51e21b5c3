#include "search/cell_prices.h"
#include "search/cell_table.h"

#include <stdlib.h>

#define MOST_BYTES ((uint64_t)512 << 20)

typedef struct worker {
    mgl_cell_table table;
    uint32_t *entry_of; /* [n] */
    uint64_t *differ;   /* [(n + 1) * words] bits in which members differ from the first one */
    uint32_t *cheapest; /* [n] */
    mgl_cell_judge *judge;
    size_t *start;     /* [n + 2] if classes are judged: members of the marked ones */
    uint32_t *members; /* [n] */
    uint64_t n_classes;
    bool out_of_memory;
} worker;

typedef struct finder {
    mgl_cell_closed *closed;
    worker *workers;
    unsigned n_workers;
} finder;

MGL_SPECIALIZE void group(worker *w, const mgl_cell_space *s, const uint64_t *mask, size_t words)
{
    mgl_cell_table_clear(&w->table, s->n);
    for (uint32_t t = 0; t < s->n; t++) {
        const uint64_t *key = s->keys + t * words;
        uint32_t before = w->table.n;
        uint32_t e = mgl_cell_table_add(&w->table, key, mask, words, t);
        const uint64_t *first = s->keys + w->table.first[e] * words;
        for (size_t i = 0; i < words; i++)
            w->differ[e * words + i] =
                e > before ? 0 : w->differ[e * words + i] | (key[i] ^ first[i]);
        w->table.rows[e] += s->rows[t];
        w->entry_of[t] = e;
    }
}

static bool is_closed(const mgl_cell_space *s, const uint8_t *levels, const uint64_t *differ)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_cell_attribute *x = &s->attributes[a];
        if (levels[a] > x->low && (differ[x->word] & x->mask[levels[a] - 1]) == 0)
            return false;
    }
    return true;
}

/* Unmarks the classes that models rule out. */
static void judge_marked(worker *w, const mgl_cell_space *s)
{
    mgl_cell_table *table = &w->table;
    memset(w->start, 0, (table->n + 2) * sizeof *w->start);
    for (size_t t = 0; t < s->n; t++)
        w->start[w->entry_of[t] + 1]++;
    for (uint32_t e = 1; e <= table->n; e++)
        w->start[e + 1] += w->start[e];
    for (uint32_t t = 0; t < s->n; t++)
        w->members[w->start[w->entry_of[t]]++] = t;
    size_t begin = 0;
    for (uint32_t e = 1; e <= table->n; e++) { /* filling moved the starts to the ends */
        if (table->mark[e] != 0)
            table->mark[e] =
                mgl_cell_may_hold(w->judge, w->members + begin, w->start[e] - begin, UINT64_MAX);
        begin = w->start[e];
    }
}

static void find_at_node(void *context, size_t node, unsigned number)
{
    finder *f = context;
    worker *w = &f->workers[number];
    mgl_cell_closed *closed = f->closed;
    const mgl_cell_space *s = closed->space;
    const uint8_t *levels = closed->nodes->levels + node * s->m;
    const uint64_t *mask = closed->nodes->masks + node * s->words;
    if (closed->nodes->least[node] >= closed->cap)
        return;
    if (s->words == 1)
        group(w, s, mask, 1);
    else
        group(w, s, mask, s->words);
    bool any = false;
    for (uint32_t e = 1; e <= w->table.n; e++) {
        w->table.mark[e] =
            w->table.rows[e] >= s->need &&
            (mgl_cell_box_is_top(s, levels) || is_closed(s, levels, w->differ + e * s->words));
        any = any || w->table.mark[e] != 0;
    }
    if (!any)
        return;
    if (s->judged)
        judge_marked(w, s);
    for (uint32_t e = 1; e <= w->table.n; e++) {
        w->n_classes += w->table.mark[e];
        w->table.cost[e] =
            w->table.mark[e] != 0 ? mgl_cell_box_cost(s, levels, w->table.first[e]) : UINT32_MAX;
    }
    uint64_t *bits = mgl_zeroed_array((s->n + 63) / 64, sizeof *bits);
    if (bits == NULL) {
        w->out_of_memory = true;
        return;
    }
    for (uint32_t t = 0; t < s->n; t++) {
        uint32_t cost = w->table.cost[w->entry_of[t]];
        bits[t / 64] |= (uint64_t)w->table.mark[w->entry_of[t]] << t % 64;
        w->cheapest[t] = cost < w->cheapest[t] ? cost : w->cheapest[t];
    }
    closed->member[node] = bits;
}

static mgl_status make_workers(finder *f, mgl_error *err)
{
    const mgl_cell_space *s = f->closed->space;
    f->n_workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    f->workers = mgl_zeroed_array(f->n_workers, sizeof *f->workers);
    if (f->workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned i = 0; i < f->n_workers; i++) {
        worker *w = &f->workers[i];
        MGL_TRY(mgl_cell_table_init(&w->table, s->n, s->words, err));
        w->entry_of = mgl_alloc_array(s->n, sizeof *w->entry_of);
        w->differ = mgl_alloc_array(s->n + 1, s->words * sizeof *w->differ);
        w->cheapest = mgl_alloc_array(s->n, sizeof *w->cheapest);
        w->start = mgl_alloc_array(s->judged ? s->n + 2 : 1, sizeof *w->start);
        w->members = mgl_alloc_array(s->judged ? s->n : 1, sizeof *w->members);
        if (w->entry_of == NULL || w->differ == NULL || w->cheapest == NULL || w->start == NULL ||
            w->members == NULL)
            return mgl_fail_memory(err);
        for (size_t t = 0; t < s->n; t++)
            w->cheapest[t] = s->top_cost;
        MGL_TRY(mgl_cell_judge_new(s, err, &w->judge));
    }
    return MGL_OK;
}

static int compare_costs(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The cost from which on nodes are left out, so that no more than `most` are looked at. */
static mgl_status find_cap(const mgl_cell_nodes *nodes, uint64_t most, mgl_error *err,
                           uint32_t *out)
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

mgl_status mgl_cell_closed_new(const mgl_cell_space *space, const mgl_cell_nodes *nodes,
                               uint64_t work, mgl_error *err, mgl_cell_closed **out)
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
    *closed = (mgl_cell_closed){.space = space, .nodes = nodes, .cap = cap};
    closed->member = mgl_zeroed_array(nodes->n, sizeof *closed->member);
    closed->cheapest = mgl_alloc_array(space->n, sizeof *closed->cheapest);
    finder f = {.closed = closed};
    mgl_status status = closed->member == NULL || closed->cheapest == NULL ? mgl_fail_memory(err)
                                                                           : make_workers(&f, err);
    for (size_t t = 0; status == MGL_OK && t < space->n; t++)
        closed->cheapest[t] = space->top_cost;
    if (status == MGL_OK)
        mgl_pool_run(space->problem->pool, nodes->n, find_at_node, &f);
    for (unsigned i = 0; f.workers != NULL && i < f.n_workers; i++) {
        worker *w = &f.workers[i];
        closed->n += w->n_classes;
        if (status == MGL_OK && w->out_of_memory)
            status = mgl_fail_memory(err);
        for (size_t t = 0; status == MGL_OK && t < space->n; t++)
            if (w->cheapest[t] < closed->cheapest[t])
                closed->cheapest[t] = w->cheapest[t];
        mgl_cell_table_free(&w->table);
        mgl_cell_judge_free(w->judge);
        mgl_free(w->cheapest);
        mgl_free(w->start);
        mgl_free(w->members);
        mgl_free(w->entry_of);
        mgl_free(w->differ);
    }
    mgl_free(f.workers);
    if (status != MGL_OK) {
        mgl_cell_closed_free(closed);
        return status;
    }
    *out = closed;
    return MGL_OK;
}

void mgl_cell_closed_free(mgl_cell_closed *closed)
{
    if (closed == NULL)
        return;
    for (size_t i = 0; closed->member != NULL && i < closed->nodes->n; i++)
        mgl_free(closed->member[i]);
    mgl_free(closed->member);
    mgl_free(closed->cheapest);
    mgl_free(closed);
}
