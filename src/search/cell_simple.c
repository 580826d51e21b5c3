/* The simple bound: each tuple by itself costs at least what the cheapest class does that is
 * large enough in the whole table. Nodes are tried from the cheapest on; where the work allowed
 * ends, the tuples still open cost at least what the next node does. */
#include "search/cell_table.h"

#include <stdlib.h>

enum {
    AT_ONCE = 16,    /* nodes tried before the open tuples are counted again */
    MOST_RAISED = 5, /* attributes */
    MOST_SOURCES = 1 << MOST_RAISED
};

#define SOURCE_BYTES ((uint64_t)64 << 20) /* for all sources together */

/* ---- Nodes from the cheapest on --------------------------------------------------------- */

/* Nodes that may come next, the cheapest first. A node's successors raise its last raised
 * attribute or one after it, so that each node comes once. */
typedef struct frontier {
    const mgl_cell_space *space;
    uint8_t *levels; /* [m] each, then the last raised attribute in two bytes */
    uint32_t *costs;
    uint32_t *heap; /* numbers of nodes */
    size_t n, n_heap, capacity, size;
} frontier;

static bool comes_before(const frontier *f, uint32_t x, uint32_t y)
{
    uint32_t cost = f->costs[x], other = f->costs[y];
    return cost == other ? x < y : cost < other;
}

static bool grow(frontier *f)
{
    if (f->n < f->capacity)
        return true;
    size_t wanted = f->capacity * 2 + 64;
    void *levels = mgl_realloc_array(f->levels, wanted, f->size);
    f->levels = levels != NULL ? levels : f->levels;
    void *costs = mgl_realloc_array(f->costs, wanted, sizeof *f->costs);
    f->costs = costs != NULL ? costs : f->costs;
    void *heap = mgl_realloc_array(f->heap, wanted, sizeof *f->heap);
    f->heap = heap != NULL ? heap : f->heap;
    if (levels == NULL || costs == NULL || heap == NULL)
        return false;
    f->capacity = wanted;
    return true;
}

static bool push(frontier *f, const uint8_t *levels, uint16_t last)
{
    const mgl_cell_space *s = f->space;
    if (!grow(f))
        return false;
    uint8_t *to = f->levels + f->n * f->size;
    memcpy(to, levels, s->m);
    memcpy(to + s->m, &last, sizeof last);
    f->costs[f->n] = 0;
    for (size_t a = 0; a < s->m; a++)
        f->costs[f->n] += s->attributes[a].least[levels[a]];
    size_t at = f->n_heap++;
    for (; at > 0 && comes_before(f, (uint32_t)f->n, f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = (uint32_t)f->n++;
    return true;
}

static void sift_down(frontier *f)
{
    uint32_t moved = f->heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < f->n_heap; at = child) {
        if (child + 1 < f->n_heap && comes_before(f, f->heap[child + 1], f->heap[child]))
            child++;
        if (!comes_before(f, f->heap[child], moved))
            break;
        f->heap[at] = f->heap[child];
    }
    f->heap[at] = moved;
}

/* The cheapest node not yet given, into levels. There must be one. */
static bool pop(frontier *f, uint8_t *levels)
{
    const mgl_cell_space *s = f->space;
    const uint8_t *from = f->levels + f->heap[0] * f->size;
    uint16_t last;
    memcpy(levels, from, s->m);
    memcpy(&last, from + s->m, sizeof last);
    f->heap[0] = f->heap[--f->n_heap];
    if (f->n_heap > 0)
        sift_down(f);
    for (size_t a = last; a < s->m; a++)
        if (levels[a] < s->attributes[a].high) {
            levels[a]++;
            bool pushed = push(f, levels, (uint16_t)a);
            levels[a]--;
            if (!pushed)
                return false;
        }
    return true;
}

static uint32_t next_cost(const frontier *f)
{
    return f->n_heap > 0 ? f->costs[f->heap[0]] : f->space->top_cost;
}

/* ---- Sources ------------------------------------------------------------------------------- */

/* All rows with some attributes one level above their lowest: fewer records that serve for all
 * nodes with these attributes raised. Bit i of a source's number: attribute raised[i] is. */
typedef struct source {
    size_t n;
    uint64_t *keys;
    uint32_t *rows;
} source;

typedef struct sources {
    size_t raised[MOST_RAISED];
    size_t n_raised;
    source each[MOST_SOURCES];
} sources;

/* The attributes with the most leaves that can be raised. */
static void choose_raised(const mgl_cell_space *s, sources *x)
{
    uint64_t bytes = s->n * (s->words * sizeof(uint64_t) + sizeof(uint32_t));
    while (x->n_raised < MOST_RAISED && bytes << (x->n_raised + 1) <= SOURCE_BYTES) {
        size_t best = s->m;
        for (size_t a = 0; a < s->m; a++) {
            bool taken = s->attributes[a].high == s->attributes[a].low;
            for (size_t i = 0; i < x->n_raised; i++)
                taken = taken || x->raised[i] == a;
            if (!taken && (best == s->m || s->attributes[a].n_bits > s->attributes[best].n_bits))
                best = a;
        }
        if (best == s->m)
            return;
        x->raised[x->n_raised++] = best;
    }
}

static mgl_status make_source(const mgl_cell_space *s, const sources *x, size_t number,
                              mgl_cell_table *table, source *out, mgl_error *err)
{
    uint8_t levels[s->m + 1];
    uint64_t mask[s->words];
    mgl_cell_box_begin(s, levels);
    for (size_t i = 0; i < x->n_raised; i++)
        levels[x->raised[i]] += number >> i & 1;
    mgl_cell_box_mask(s, levels, mask);
    mgl_cell_table_clear(table, s->n);
    for (uint32_t t = 0; t < s->n; t++)
        table->rows[mgl_cell_table_add(table, s->keys + t * s->words, mask, s->words, t)] +=
            s->rows[t];
    out->n = table->n;
    out->keys = mgl_alloc_array(out->n, s->words * sizeof *out->keys);
    out->rows = mgl_alloc_array(out->n, sizeof *out->rows);
    if (out->keys == NULL || out->rows == NULL)
        return mgl_fail_memory(err);
    memcpy(out->keys, table->keys + s->words, out->n * s->words * sizeof *out->keys);
    for (size_t i = 0; i < out->n; i++)
        out->rows[i] = table->rows[i + 1];
    return MGL_OK;
}

static mgl_status make_sources(const mgl_cell_space *s, mgl_cell_table *table, sources *out,
                               mgl_error *err)
{
    choose_raised(s, out);
    for (size_t i = 0; i < (size_t)1 << out->n_raised; i++)
        MGL_TRY(make_source(s, out, i, table, &out->each[i], err));
    return MGL_OK;
}

static const source *source_of(const mgl_cell_space *s, const sources *x, const uint8_t *levels)
{
    size_t number = 0;
    for (size_t i = 0; i < x->n_raised; i++)
        if (levels[x->raised[i]] > s->attributes[x->raised[i]].low)
            number |= (size_t)1 << i;
    return &x->each[number];
}

static void free_sources(sources *x)
{
    for (size_t i = 0; i < MOST_SOURCES; i++) {
        mgl_free(x->each[i].keys);
        mgl_free(x->each[i].rows);
    }
}

/* ---- Trying nodes -------------------------------------------------------------------------- */

typedef struct simple {
    const mgl_cell_space *space;
    uint32_t *bound; /* [t] */
    uint32_t *open;  /* tuples without a class yet */
    size_t n_open;
    uint8_t *levels; /* [AT_ONCE * m] */
    size_t n_nodes;
    mgl_cell_table *tables; /* [workers] */
    uint32_t *found;        /* [AT_ONCE * n_open] */
    sources sources;
} simple;

/* The cost of each open tuple's class at the node, if it is large enough. */
MGL_SPECIALIZE void try_words(simple *x, mgl_cell_table *table, const uint8_t *levels,
                              uint32_t *found, size_t words)
{
    const mgl_cell_space *s = x->space;
    const source *from = source_of(s, &x->sources, levels);
    uint64_t mask[words];
    mgl_cell_box_mask(s, levels, mask);
    mgl_cell_table_clear(table, x->n_open);
    for (size_t i = 0; i < x->n_open; i++)
        found[i] = mgl_cell_table_add(table, s->keys + x->open[i] * words, mask, words, x->open[i]);
    for (size_t i = 0; i < from->n; i++)
        table->rows[mgl_cell_table_find(table, from->keys + i * words, mask, words)] +=
            from->rows[i];
    for (uint32_t e = 1; e <= table->n; e++)
        table->cost[e] =
            table->rows[e] >= s->need ? mgl_cell_box_cost(s, levels, table->first[e]) : UINT32_MAX;
    for (size_t i = 0; i < x->n_open; i++)
        found[i] = table->cost[found[i]];
}

static void try_node(void *context, size_t number, unsigned worker)
{
    simple *x = context;
    const uint8_t *levels = x->levels + number * x->space->m;
    uint32_t *found = x->found + number * x->n_open;
    if (x->space->words == 1)
        try_words(x, &x->tables[worker], levels, found, 1);
    else
        try_words(x, &x->tables[worker], levels, found, x->space->words);
}

/* A tuple is done when no node to come can be cheaper than what it has. */
static void close_tuples(simple *x, uint32_t next)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->n_open; i++) {
        uint32_t t = x->open[i];
        for (size_t k = 0; k < x->n_nodes; k++) {
            uint32_t cost = x->found[k * x->n_open + i];
            x->bound[t] = cost < x->bound[t] ? cost : x->bound[t];
        }
        if (x->bound[t] > next)
            x->open[kept++] = t;
    }
    x->n_open = kept;
}

static mgl_status run(simple *x, frontier *f, uint64_t work, mgl_error *err)
{
    const mgl_cell_space *s = x->space;
    for (uint64_t done = 0; x->n_open > 0 && f->n_heap > 0 && done < work;) {
        for (x->n_nodes = 0; x->n_nodes < AT_ONCE && f->n_heap > 0; x->n_nodes++)
            if (!pop(f, x->levels + x->n_nodes * s->m))
                return mgl_fail_memory(err);
        mgl_pool_run(s->problem->pool, x->n_nodes, try_node, x);
        done += x->n_nodes * (s->n + 2 * x->n_open);
        close_tuples(x, next_cost(f));
        MGL_TRY(mgl_progress_report(s->problem->progress, "search", s->n - x->n_open, s->n, err));
    }
    uint32_t next = next_cost(f);
    for (size_t i = 0; i < x->n_open; i++)
        if (x->bound[x->open[i]] > next)
            x->bound[x->open[i]] = next;
    return MGL_OK;
}

mgl_status mgl_cell_simple_bound(const mgl_cell_space *s, uint64_t work, uint32_t *bound,
                                 mgl_error *err)
{
    unsigned workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    uint8_t lowest[s->m + 1];
    simple x = {.space = s, .bound = bound, .n_open = s->n};
    frontier f = {.space = s, .size = s->m + sizeof(uint16_t)};
    x.open = mgl_alloc_array(s->n, sizeof *x.open);
    x.levels = mgl_alloc_array(AT_ONCE, s->m);
    x.found = mgl_alloc_array(s->n, AT_ONCE * sizeof *x.found);
    x.tables = mgl_zeroed_array(workers, sizeof *x.tables);
    mgl_cell_box_begin(s, lowest);
    mgl_status status = MGL_OK;
    if (x.open == NULL || x.levels == NULL || x.found == NULL || x.tables == NULL ||
        !push(&f, lowest, 0))
        status = mgl_fail_memory(err);
    for (unsigned w = 0; status == MGL_OK && w < workers; w++)
        status = mgl_cell_table_init(&x.tables[w], s->n, s->words, err);
    if (status == MGL_OK)
        status = make_sources(s, &x.tables[0], &x.sources, err);
    for (size_t t = 0; status == MGL_OK && t < s->n; t++) {
        x.open[t] = (uint32_t)t;
        bound[t] = s->top_cost;
    }
    if (status == MGL_OK)
        status = run(&x, &f, work, err);
    for (unsigned w = 0; x.tables != NULL && w < workers; w++)
        mgl_cell_table_free(&x.tables[w]);
    free_sources(&x.sources);
    mgl_free(x.tables);
    mgl_free(x.open);
    mgl_free(x.levels);
    mgl_free(x.found);
    mgl_free(f.levels);
    mgl_free(f.costs);
    mgl_free(f.heap);
    return status;
}
