/* Prices a node exactly, by the same sums over the same whole numbers as the plain evaluation
 * makes, or by the plain evaluation itself. Only for nodes that the bounds leave. */
#include "search/fulldomain/by_size/counts.h"

/* Counts the classes of large tables on all threads of the pool: each takes ranges of records, and
 * what they found is added up in the order of the records. */

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

static void find_small_range(void *context, size_t i, unsigned thread)
{
    const counting *c = context;
    mgl_by_size_range range = range_of(c->table, i);
    mgl_by_size_table some = view(c->search, c->table, range);
    (void)thread;
    c->search->kernel->find_small(c->search, &some, c->b, c->small + range.first, c->of_group[i]);
}

static void by_size_find_small(const mgl_by_size *search, const mgl_by_size_table *table, size_t b,
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

typedef struct weighing {
    const mgl_by_size *search;
    const mgl_by_size_table *table;
    const mgl_by_size_surplus_plan *plan;
    double (*sums)[MGL_BLOCK_NODES]; /* [RANGES] */
} weighing;

static inline uint64_t code_of(const mgl_branch_column *column, size_t level, const char *record)
{
    uint64_t word;
    memcpy(&word, record + column->word * sizeof word, sizeof word);
    return (word >> column->shift & column->levels[level].mask) >> column->levels[level].shift;
}

static void add_surplus(const mgl_by_size *search, const mgl_by_size_table *table,
                        const mgl_branch_column *column, size_t l, double *surplus)
{
    const mgl_branch_level *level = &column->levels[l];
    const char *record = table->records;
    for (size_t i = 0; i < table->n; i++) {
        record += search->stride;
        uint64_t code = code_of(column, l, record);
        surplus[i] += level->surplus_of_code != NULL
                          ? level->surplus_of_code[code]
                          : mgl_bound_surplus_of(column, l,
                                                 mgl_branch_value(&search->frame, column, l, code));
    }
}

/* The same of a table, with room for its records. */
static void by_size_weigh(const mgl_by_size *search, const mgl_by_size_table *table,
                          const mgl_by_size_surplus_plan *plan, double *of_record, double *sums)
{
    memset(of_record, 0, table->n * sizeof *of_record);
    for (size_t c = 0; c < plan->depth; c++)
        if (!search->frame.columns[c]->levels[plan->levels[c]].uniform)
            add_surplus(search, table, search->frame.columns[c], plan->levels[c], of_record);
    search->kernel->weigh(search, table, plan->wanted, of_record, sums);
}

static void weigh_range(void *context, size_t i, unsigned thread)
{
    const weighing *w = context;
    mgl_by_size_range range = range_of(w->table, i);
    mgl_by_size_table some = view(w->search, w->table, range);
    (void)thread;
    by_size_weigh(w->search, &some, w->plan, w->plan->of_record + range.first, w->sums[i]);
}

static void by_size_weigh_all(const mgl_by_size *search, const mgl_by_size_table *table,
                              const mgl_by_size_surplus_plan *plan, double *sums)
{
    mgl_pool *pool = mgl_by_size_helpers(search, table->n);
    weighing w = {.search = search, .table = table, .plan = plan};
    if (pool != NULL)
        w.sums = mgl_alloc_array(RANGES, sizeof *w.sums);
    if (w.sums == NULL) {
        by_size_weigh(search, table, plan, plan->of_record, sums);
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

bool mgl_by_size_is_uneven(const mgl_by_size *search, const uint8_t *levels, size_t depth, size_t b)
{
    if (search->frame.cells == MGL_PAYS_NONE)
        return false;
    for (size_t i = 0; i < search->frame.block.n_columns; i++)
        if (!search->frame.block.columns[i]->levels[search->frame.block.nodes[b].levels[i]].uniform)
            return true;
    for (size_t c = 0; c < depth; c++)
        if (!search->frame.columns[c]->levels[levels[c]].uniform)
            return true;
    return false;
}

mgl_status mgl_by_size_surplus(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                               const uint8_t *levels, size_t depth, uint64_t wanted, mgl_error *err,
                               double *sums)
{
    const mgl_by_size *search = worker->search;
    size_t room = table->n + MGL_MOST_AT_ONCE; /* the kernel reads whole chunks */
    if (worker->n_surplus < room) {
        mgl_free(worker->surplus);
        worker->n_surplus = 0;
        MGL_TRY(mgl_new_array(room, sizeof *worker->surplus, err, &worker->surplus));
        worker->n_surplus = room;
    }
    memset(worker->surplus + table->n, 0, (room - table->n) * sizeof *worker->surplus);
    mgl_by_size_surplus_plan plan = {levels, depth, wanted, worker->surplus};
    by_size_weigh_all(search, table, &plan, sums);
    return MGL_OK;
}

/* Rows with each released value when nothing is suppressed. */
static void fill_rows(const mgl_by_size *search, const mgl_branch_column *column, size_t level,
                      uint64_t *rows)
{
    const mgl_problem *p = search->frame.problem;
    const mgl_released_column *released = p->columns[column->attribute];
    uint32_t l = column->low + (uint32_t)level;
    const mgl_level *values = &released->hierarchy->levels[l];
    memset(rows, 0, released->n_values * sizeof *rows);
    for (uint32_t v = 0; v < values->n_values; v++) {
        uint32_t number = released->of_leaf[l][values->first_leaf[v]];
        rows[number] = mgl_rows_at(p->costs, released, column->attribute, l, v);
    }
}

static void finish_column(mgl_by_size_worker *worker, const mgl_branch_column *column,
                          uint64_t suppressed)
{
    const mgl_problem *p = worker->search->frame.problem;
    const mgl_released_column *released = p->columns[column->attribute];
    worker->statistics.scratch[released->top] += suppressed;
    mgl_statistics_column(&worker->statistics, p->costs, column->attribute,
                          worker->statistics.scratch, released->n_values);
}

static mgl_status find_small(mgl_by_size_worker *worker, const mgl_by_size_table *table, size_t b,
                             mgl_error *err)
{
    if (table->n > worker->n_small) {
        mgl_free(worker->small);
        worker->n_small = 0;
        MGL_TRY(mgl_new_array(table->n, sizeof *worker->small, err, &worker->small));
        worker->n_small = table->n;
    }
    by_size_find_small(worker->search, table, b, worker->small, worker->of_group);
    return MGL_OK;
}

static void sum_cells(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                      const uint8_t *levels, size_t b, uint64_t suppressed)
{
    const mgl_by_size *search = worker->search;
    const mgl_branch_block *block = &search->frame.block;
    const mgl_branch_block_node *node = &block->nodes[b];
    uint64_t *rows = worker->statistics.scratch;
    for (size_t i = 0; i < block->n_columns; i++) {
        fill_rows(search, block->columns[i], node->levels[i], rows);
        for (size_t g = 0; suppressed > 0 && g < node->n_groups; g++)
            rows[block->values[node->first_row + g][i]] -= worker->of_group[g];
        finish_column(worker, block->columns[i], suppressed);
    }
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        fill_rows(search, column, levels[c], rows);
        const char *record = table->records;
        for (size_t i = 0; suppressed > 0 && i < table->n; i++) {
            record += search->stride;
            if (worker->small[i] > 0)
                rows[mgl_branch_value(&search->frame, column, levels[c],
                                      code_of(column, levels[c], record))] -= worker->small[i];
        }
        finish_column(worker, column, suppressed);
    }
}

/* What is added up over the classes that are not suppressed. */
typedef struct class_sums {
    mgl_whole_sum logs, products; /* of sizes; of rows and leaves */
} class_sums;

static mgl_whole_sum leaves_of_record(const mgl_by_size *search, const uint8_t *levels,
                                      const char *record)
{
    mgl_whole_sum product = 1;
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_branch_column *column = search->frame.columns[c];
        uint32_t value =
            mgl_branch_value(&search->frame, column, levels[c], code_of(column, levels[c], record));
        product *= search->frame.problem->columns[column->attribute]->values[value].leaves;
    }
    return product;
}

/* Rows times leaves of the block, by record of a chunk. */
static void sum_groups(const mgl_by_size *search, size_t b, const uint32_t *sizes,
                       mgl_whole_sum *of_record)
{
    const mgl_branch_block_node *node = &search->frame.block.nodes[b];
    size_t at_once = search->kernel->at_once;
    memset(of_record, 0, at_once * sizeof *of_record);
    for (size_t g = 0; g < node->n_groups; g++, sizes += at_once) {
        const uint32_t *values = search->frame.block.values[node->first_row + g];
        const mgl_branch_block *block = &search->frame.block;
        mgl_whole_sum product = 1;
        for (size_t i = 0; i < block->n_columns; i++)
            product *= search->frame.problem->columns[block->columns[i]->attribute]
                           ->values[values[i]]
                           .leaves;
        mgl_whole_sum leaves = product;
        for (size_t i = 0; i < at_once; i++)
            of_record[i] += leaves * sizes[i];
    }
}

static void sum_classes(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                        const uint8_t *levels, size_t b, class_sums *sums)
{
    const mgl_by_size *search = worker->search;
    size_t at_once = search->kernel->at_once, n = search->frame.block.nodes[b].n_groups * at_once;
    uint32_t sizes[MGL_MOST_LANES * MGL_MOST_AT_ONCE];
    mgl_whole_sum of_record[MGL_MOST_AT_ONCE];
    *sums = (class_sums){0};
    for (size_t first = 0; first < table->n; first += at_once) {
        search->kernel->list_sizes(search, table, first, b, sizes);
        if (search->frame.measure == MGL_COST_LOGS) {
            for (size_t i = 0; i < n; i++)
                sums->logs += mgl_log_term(&worker->log_terms, sizes[i]);
            continue;
        }
        sum_groups(search, b, sizes, of_record);
        const char *record = table->records + first * search->stride;
        for (size_t i = 0; i < at_once && first + i < table->n; i++) {
            record += search->stride;
            if (of_record[i] > 0)
                sums->products += of_record[i] * leaves_of_record(search, levels, record);
        }
    }
}

/* Entropy distortion and ambiguity. */
static void measure_classes(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                            const uint8_t *levels, size_t b, uint64_t suppressed)
{
    const mgl_problem *p = worker->search->frame.problem;
    class_sums sums;
    sum_classes(worker, table, levels, b, &sums);
    mgl_whole_sum top = suppressed;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        top *= p->columns[a]->values[p->columns[a]->top].leaves;
    worker->statistics.log_sum = mgl_log_sum_value(sums.logs);
    worker->statistics.original_log_sum = p->costs->original_log_sum;
    worker->statistics.ambiguity = (double)(sums.products + top);
}

static void name_node(mgl_by_size_worker *worker, const uint8_t *levels, size_t b)
{
    const mgl_by_size *search = worker->search;
    for (size_t i = 0; i < search->frame.block.n_columns; i++)
        worker->node[search->frame.block.columns[i]->attribute] =
            search->frame.block.columns[i]->low + search->frame.block.nodes[b].levels[i];
    for (size_t c = 0; c < search->frame.n_columns; c++)
        worker->node[search->frame.columns[c]->attribute] =
            search->frame.columns[c]->low + levels[c];
}

static mgl_status evaluate_plainly(mgl_by_size_worker *worker, mgl_error *err,
                                   mgl_by_size_evaluated *out)
{
    if (worker->evaluator == NULL)
        MGL_TRY(mgl_evaluator_new(worker->search->frame.problem, err, &worker->evaluator));
    mgl_evaluation evaluation;
    if (mgl_evaluate_node(worker->evaluator, worker->node, &evaluation) != MGL_OK)
        return mgl_fail_memory(err);
    *out = (mgl_by_size_evaluated){evaluation.holds, evaluation.cost};
    return MGL_OK;
}

/* Complementary suppression is for the plain evaluation, and so are labels and sums that are
 * rounded. */
static bool is_plain_case(const mgl_by_size *search, uint64_t rows)
{
    return (search->frame.problem->treatment == MGL_KEEP && rows > 0 && rows < search->frame.k) ||
           (search->frame.measure == MGL_COST_TUPLES && !search->whole_products) ||
           search->frame.measure == MGL_COST_MAJORITY;
}

mgl_status mgl_by_size_evaluate(mgl_by_size_worker *worker, const mgl_by_size_table *table,
                                const uint8_t *levels, size_t b, const mgl_branch_counts *counts,
                                mgl_error *err, mgl_by_size_evaluated *out)
{
    const mgl_by_size *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    uint64_t rows = counts->rows[b];
    name_node(worker, levels, b);
    *out = (mgl_by_size_evaluated){0};
    if (rows > search->frame.limit || (search->frame.some_stay && rows == search->frame.n_rows))
        return MGL_OK;
    if (search->frame.holds != NULL) {
        bool joined = p->treatment == MGL_KEEP && rows > 0 && rows < search->frame.k;
        if (joined && search->frame.above && rows + search->frame.k <= search->frame.limit)
            mgl_branch_leave_open(&search->frame, levels, b);
        out->holds = !joined || (!search->frame.above && counts->least[b] != UINT64_MAX &&
                                 rows + counts->least[b] <= search->frame.limit);
        return MGL_OK;
    }
    if (is_plain_case(search, rows))
        return evaluate_plainly(worker, err, out);
    mgl_statistics *s = &worker->statistics;
    s->n_rows = search->frame.n_rows;
    s->top_rows = rows;
    s->n_classes = counts->classes[b];
    s->squares = counts->sum[b];
    s->weights = p->weights;
    s->node = worker->node;
    bool by_class =
        search->frame.measure == MGL_COST_LOGS || search->frame.measure == MGL_COST_TUPLES;
    if (by_class)
        measure_classes(worker, table, levels, b, rows);
    bool by_cell = search->frame.cells != MGL_PAYS_NONE && !by_class;
    if (by_cell && rows > 0)
        MGL_TRY(find_small(worker, table, b, err));
    if (by_cell)
        sum_cells(worker, table, levels, b, rows);
    *out = (mgl_by_size_evaluated){true, mgl_measure_cost(p->measure, s)};
    return MGL_OK;
}
