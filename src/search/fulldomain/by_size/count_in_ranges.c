/* Counts the classes of large tables on all threads of the pool: each takes ranges of records, and
 * what they found is added up in the order of the records. */
#include "search/fulldomain/by_size/counts.h"

enum { RANGES = 32, ALIGNED = MGL_MOST_AT_ONCE }; /* kernels look at so many records together */

typedef struct counting {
    const mgl_by_size *search;
    const mgl_by_size_table *table;
    uint64_t wanted;                      /* nodes of the block */
    size_t b;                             /* one of them */
    mgl_branch_counts *counts;            /* [RANGES] */
    uint64_t (*of_group)[MGL_MOST_LANES]; /* [RANGES] */
    uint32_t *small;                      /* by record */
} counting;

static mgl_by_size_range range_of(const mgl_by_size_table *table, size_t i)
{
    size_t n = (table->n + ALIGNED - 1) / ALIGNED;
    size_t first = n * i / RANGES * ALIGNED, end = n * (i + 1) / RANGES * ALIGNED;
    return (mgl_by_size_range){first, end < table->n ? end : table->n};
}

/* Some of the records as a table of their own. */
static mgl_by_size_table view(const mgl_by_size *search, const mgl_by_size_table *table,
                              mgl_by_size_range range)
{
    return (mgl_by_size_table){.records = table->records + range.first * search->stride,
                               .n = range.end - range.first};
}

/* ---- Nodes of the block ------------------------------------------------------------------- */

static void count_range(void *context, size_t i, unsigned thread)
{
    const counting *c = context;
    mgl_by_size_table some = view(c->search, c->table, range_of(c->table, i));
    (void)thread;
    c->search->kernel->count(c->search, &some, c->wanted, &c->counts[i]);
}

static void add_counts(const mgl_branch_counts *ranges, size_t n_nodes, mgl_branch_counts *out)
{
    *out = ranges[0];
    for (size_t i = 1; i < RANGES; i++)
        for (size_t b = 0; b < n_nodes; b++) {
            out->rows[b] += ranges[i].rows[b];
            out->classes[b] += ranges[i].classes[b];
            out->sum[b] += ranges[i].sum[b];
            out->least[b] = ranges[i].least[b] < out->least[b] ? ranges[i].least[b] : out->least[b];
        }
}

void mgl_by_size_count(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                       mgl_branch_counts *out)
{
    mgl_pool *pool = mgl_by_size_helpers(search, table->n);
    counting c = {.search = search, .table = table, .wanted = wanted};
    if (pool != NULL)
        c.counts = mgl_alloc_array(RANGES, sizeof *c.counts);
    if (c.counts == NULL) { /* one thread needs no memory */
        search->kernel->count(search, table, wanted, out);
        return;
    }
    mgl_pool_run(pool, RANGES, count_range, &c);
    add_counts(c.counts, search->frame.block.n_nodes, out);
    mgl_free(c.counts);
}

/* ---- Rows below k -------------------------------------------------------------------------- */

static void find_small_range(void *context, size_t i, unsigned thread)
{
    const counting *c = context;
    mgl_by_size_range range = range_of(c->table, i);
    mgl_by_size_table some = view(c->search, c->table, range);
    (void)thread;
    c->search->kernel->find_small(c->search, &some, c->b, c->small + range.first, c->of_group[i]);
}

void mgl_by_size_find_small(const mgl_by_size *search, const mgl_by_size_table *table, size_t b,
                            uint32_t *of_record, uint64_t *of_group)
{
    mgl_pool *pool = mgl_by_size_helpers(search, table->n);
    counting c = {.search = search, .table = table, .b = b, .small = of_record};
    if (pool != NULL)
        c.of_group = mgl_alloc_array(RANGES, sizeof *c.of_group);
    if (c.of_group == NULL) {
        search->kernel->find_small(search, table, b, of_record, of_group);
        return;
    }
    mgl_pool_run(pool, RANGES, find_small_range, &c);
    for (size_t g = 0; g < search->frame.block.nodes[b].n_groups; g++) {
        of_group[g] = 0;
        for (size_t i = 0; i < RANGES; i++)
            of_group[g] += c.of_group[i][g];
    }
    mgl_free(c.of_group);
}

/* ---- What they cost more ------------------------------------------------------------------- */

typedef struct weighing {
    const mgl_by_size *search;
    const mgl_by_size_table *table;
    const mgl_by_size_surplus_plan *plan;
    double (*sums)[MGL_BLOCK_NODES]; /* [RANGES] */
} weighing;

static void weigh_range(void *context, size_t i, unsigned thread)
{
    const weighing *w = context;
    mgl_by_size_range range = range_of(w->table, i);
    mgl_by_size_table some = view(w->search, w->table, range);
    (void)thread;
    mgl_by_size_weigh(w->search, &some, w->plan, w->plan->of_record + range.first, w->sums[i]);
}

void mgl_by_size_weigh_all(const mgl_by_size *search, const mgl_by_size_table *table,
                           const mgl_by_size_surplus_plan *plan, double *sums)
{
    mgl_pool *pool = mgl_by_size_helpers(search, table->n);
    weighing w = {.search = search, .table = table, .plan = plan};
    if (pool != NULL)
        w.sums = mgl_alloc_array(RANGES, sizeof *w.sums);
    if (w.sums == NULL) {
        mgl_by_size_weigh(search, table, plan, plan->of_record, sums);
        return;
    }
    mgl_pool_run(pool, RANGES, weigh_range, &w);
    for (uint64_t rest = plan->wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        sums[b] = 0;
        for (size_t i = 0; i < RANGES; i++)
            sums[b] += w.sums[i][b];
    }
    mgl_free(w.sums);
}
