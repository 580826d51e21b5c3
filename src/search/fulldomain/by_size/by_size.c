/* The engine that searches by class sizes: sets up the models, the columns, the block, the keys of
 * all tuples and the table of the classes of the finest node, and runs the search. */
#include "search/fulldomain/by_size/counts.h"

/* Finds a good node before a search is divided, so that all items know a bound from the beginning.
 *
 * Columns that distinguish little for what their lowest levels save come first. Each takes the
 * lowest level at which the node gets better, with those before it at the levels that they took and
 * those after it at their highest. */

/* A column and the bits that it distinguishes for what its lowest level saves. */
typedef struct column_bits {
    size_t column;
    double bits;
} column_bits;

typedef struct descent {
    mgl_by_size_worker *worker;
    column_bits ranked[MGL_MOST_COLUMNS];
    mgl_by_size_table *tables; /* [n_columns] the columns of so many ranks at their lowest levels */
    uint8_t levels[MGL_MOST_COLUMNS];
    double best; /* what a node of the block costs at these levels, by the linear bound */
} descent;

/* The entropy of the column's values at its lowest level. */
static double bits_of(const mgl_branching *frame, const mgl_branch_column *column)
{
    const mgl_problem *p = frame->problem;
    const mgl_released_column *released = p->columns[column->attribute];
    double sum = 0, n = (double)frame->n_rows;
    for (uint32_t v = 0; v < released->hierarchy->levels[column->low].n_values; v++) {
        double rows = (double)mgl_rows_at(p->costs, released, column->attribute, column->low, v);
        sum += rows > 0 ? rows * log2(n / rows) : 0;
    }
    return sum / n;
}

static const mgl_sort_key fewer_bits_first[] = {MGL_ASCENDING(column_bits, bits),
                                                MGL_ASCENDING(column_bits, column), MGL_SORT_END};

static void rank_columns(descent *d)
{
    const mgl_branching *frame = &d->worker->search->frame;
    for (size_t c = 0; c < frame->n_columns; c++) {
        const mgl_branch_column *column = frame->columns[c];
        double saved = column->levels[frame->highest[c]].line.base - column->levels[0].line.base;
        d->ranked[c] = (column_bits){c, saved > 0 ? bits_of(frame, column) / saved : INFINITY};
    }
    mgl_sort(d->ranked, frame->n_columns, sizeof *d->ranked, fewer_bits_first);
}

/* Each from the one with a column more. */
static mgl_status make_tables(descent *d, mgl_error *err)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *finer = &search->first[search->frame.n_columns].table;
    uint8_t levels[MGL_MOST_COLUMNS] = {0};
    for (size_t n = search->frame.n_columns - 1; n > 0; n--) {
        size_t c = d->ranked[n].column;
        levels[c] = search->frame.highest[c];
        MGL_TRY(mgl_by_size_roll_up(d->worker, finer, levels, err, &d->tables[n]));
        MGL_TRY(mgl_by_size_pack(d->worker, &d->tables[n], err));
        finer = &d->tables[n];
    }
    return MGL_OK;
}

static const mgl_by_size_table *table_after(const descent *d, size_t n)
{
    const mgl_by_size *search = d->worker->search;
    return n < search->frame.n_columns ? &d->tables[n] : &search->first[n].table;
}

/* What the cheapest node of the block costs that suppresses no more than it may. */
static double least_cost(const descent *d, const mgl_by_size_table *table,
                         mgl_branch_counts *counts)
{
    const mgl_by_size *search = d->worker->search;
    size_t n = search->frame.block.n_nodes;
    double least = INFINITY;
    mgl_by_size_count(search, table, UINT64_MAX >> (64 - n), counts);
    d->worker->result->checked += n;
    for (size_t b = 0; b < n; b++) {
        mgl_bound_line line = mgl_bound_line_of(&search->frame, d->levels, b);
        if (counts->rows[b] <= search->frame.limit)
            least = fmin(least, mgl_bound_line_at(&search->frame, line, counts->rows[b], 0));
    }
    return least;
}

static mgl_status take_turn(descent *d, size_t n, mgl_error *err)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *table = table_after(d, n + 1);
    size_t c = d->ranked[n].column;
    mgl_branch_counts counts;
    for (d->levels[c] = 0; d->levels[c] < search->frame.highest[c]; d->levels[c]++) {
        MGL_TRY(mgl_by_size_roll_to_scratch(d->worker, table, d->levels, err, &table));
        double cost = least_cost(d, table, &counts);
        if (cost >= d->best)
            continue;
        d->best = cost;
        return MGL_OK;
    }
    return MGL_OK;
}

static mgl_status find_cost(descent *d, mgl_error *err, mgl_ties *out)
{
    const mgl_by_size *search = d->worker->search;
    const mgl_by_size_table *table = table_after(d, search->frame.n_columns);
    mgl_branch_counts counts;
    MGL_TRY(mgl_by_size_roll_to_scratch(d->worker, table, d->levels, err, &table));
    least_cost(d, table, &counts);
    for (size_t b = 0; b < search->frame.block.n_nodes; b++) {
        mgl_by_size_evaluated evaluated;
        MGL_TRY(mgl_by_size_evaluate(d->worker, table, d->levels, b, &counts, err, &evaluated));
        if (evaluated.holds)
            MGL_TRY(mgl_ties_add(out, d->worker->node, evaluated.cost, err));
    }
    return MGL_OK;
}

static mgl_status go_down(descent *d, mgl_error *err, mgl_ties *out)
{
    mgl_by_size_worker *worker = d->worker;
    size_t n = worker->search->frame.n_columns;
    MGL_TRY(make_tables(d, err));
    for (size_t i = 0; i < n && !worker->result->stopped; i++) {
        MGL_TRY(mgl_parallel_pause(&worker->search->frame.parallel, worker->result, err));
        MGL_TRY(take_turn(d, i, err));
    }
    return find_cost(d, err, out);
}

mgl_status mgl_by_size_first_node(mgl_by_size *search, mgl_error *err, mgl_ties *out)
{
    descent d = {.worker = &search->workers[0], .best = INFINITY};
    size_t n = search->frame.n_columns;
    if (!search->by_level || search->has_floor || search->frame.holds != NULL)
        return MGL_OK;
    rank_columns(&d);
    memcpy(d.levels, search->frame.highest, n);
    MGL_TRY(mgl_new_zeroed(n + 1, sizeof *d.tables, err, &d.tables));
    mgl_status status = go_down(&d, err, out);
    for (size_t i = 0; i < n; i++)
        mgl_by_size_empty(d.worker, &d.tables[i]);
    mgl_by_size_empty(d.worker, &d.worker->scratch[0]);
    mgl_by_size_empty(d.worker, &d.worker->scratch[1]);
    mgl_free(d.tables);
    return status;
}

/* Chooses the block, a few columns with few values that are held as lanes of counts, and plans how
 * the counts of all its nodes are made from the lanes. */

/* The best choice of columns whose values have exactly so many combinations. */
typedef struct choice {
    size_t nodes, rows;
    uint64_t columns;
} choice;

static bool better(const choice *a, const choice *b)
{
    return a->nodes != b->nodes ? a->nodes > b->nodes : a->rows < b->rows;
}

/* As many nodes as possible in the lanes and groups that the kernel has: each table of classes is
 * then looked at for all of them. */
static choice choose(const mgl_by_size *search, const mgl_by_size_kernel *kernel)
{
    size_t m = search->frame.problem->list->n_attributes;
    choice best[MGL_MOST_LANES + 1] = {[1] = {1, 1, 0}};
    for (size_t a = 0; a < m && a < 64; a++) {
        const mgl_branch_column *column = &search->frame.all[a];
        size_t values = column->levels[0].n_values;
        if (column->n_levels < 2 || values > kernel->lanes)
            continue;
        for (size_t lanes = kernel->lanes / values; lanes > 0; lanes--) {
            choice with = best[lanes];
            with.nodes *= column->n_levels;
            size_t rows = 0;
            for (size_t l = 0; l < column->n_levels; l++)
                rows += column->levels[l].n_values;
            with.rows *= rows;
            with.columns |= UINT64_C(1) << a;
            if (with.nodes > 0 && with.nodes <= MGL_BLOCK_NODES && with.rows <= kernel->groups &&
                __builtin_popcountll(with.columns) <= MGL_BLOCK_COLUMNS &&
                !(best[lanes].columns >> a & 1) && better(&with, &best[lanes * values]))
                best[lanes * values] = with;
        }
    }
    choice chosen = best[1];
    for (size_t lanes = 2; lanes <= kernel->lanes; lanes++)
        if (better(&best[lanes], &chosen))
            chosen = best[lanes];
    return chosen;
}

/* Where counts of half a byte do, a record has room for more lanes; that pays if there are more
 * nodes for it. */
static uint64_t choose_columns(mgl_by_size *search)
{
    choice chosen = choose(search, search->kernel);
    if (!search->halves)
        return chosen.columns;
    const mgl_by_size_kernel *halves = mgl_by_size_kernel_for(4);
    choice larger = choose(search, halves);
    if (larger.nodes <= chosen.nodes)
        return chosen.columns;
    search->kernel = halves;
    return larger.columns;
}

/* The codes of a column of the block in ascending order, at each level. */
typedef struct ranks {
    size_t n;
    uint64_t codes[MGL_MOST_LANES];
    uint64_t code_at[MGL_BLOCK_NODES][MGL_MOST_LANES]; /* [level][rank there] */
} ranks;

static void rank_values(const mgl_by_size *search, const mgl_branch_column *column, ranks *r)
{
    const mgl_released_column *released = search->frame.problem->columns[column->attribute];
    r->n = 0;
    for (uint32_t leaf = 0; leaf < released->hierarchy->n_leaves; leaf++) {
        uint64_t code = column->code_of_leaf[leaf];
        if (!mgl_branch_occurs(&search->frame, column, leaf))
            continue;
        size_t at = 0;
        while (at < r->n && r->codes[at] < code)
            at++;
        if (at < r->n && r->codes[at] == code)
            continue;
        memmove(r->codes + at + 1, r->codes + at, (r->n++ - at) * sizeof *r->codes);
        r->codes[at] = code;
    }
    for (size_t l = 0; l < column->n_levels; l++) {
        size_t rank = 0;
        for (size_t i = 0; i < r->n; i++) {
            uint64_t code = r->codes[i] >> column->levels[l].shift;
            rank += i > 0 && code != r->codes[i - 1] >> column->levels[l].shift;
            r->code_at[l][rank] = code;
        }
    }
}

/* What a leaf adds to the number of a tuple's lane, in place of its code. */
static void number_lanes(const mgl_by_size *search, mgl_branch_column *column, const ranks *r,
                         size_t stride)
{
    const mgl_released_column *released = search->frame.problem->columns[column->attribute];
    for (uint32_t leaf = 0; leaf < released->hierarchy->n_leaves; leaf++) {
        size_t rank = 0;
        while (rank < r->n && r->codes[rank] != column->code_of_leaf[leaf])
            rank++;
        column->code_of_leaf[leaf] = rank < r->n ? rank * stride : 0;
    }
}

/* Splits the number of a group into the ranks of its values. */
static void split(const mgl_branch_block *block, const mgl_branch_block_node *node, size_t group,
                  size_t *digits)
{
    for (size_t i = 0; i < block->n_columns; i++) {
        size_t n = block->columns[i]->levels[node->levels[i]].n_values;
        digits[i] = group % n;
        group /= n;
    }
}

static size_t join(const mgl_branch_block *block, const mgl_branch_block_node *node,
                   const size_t *digits)
{
    size_t group = 0;
    for (size_t i = block->n_columns; i-- > 0;)
        group = group * block->columns[i]->levels[node->levels[i]].n_values + digits[i];
    return group;
}

/* The finer node with the fewest groups of those one step below. */
static size_t find_finer(const mgl_branch_block *block, size_t b)
{
    const mgl_branch_block_node *node = &block->nodes[b];
    size_t step = 1, best = b;
    for (size_t i = 0; i < block->n_columns; i++) {
        if (node->levels[i] > 0 &&
            (best == b || block->nodes[b - step].n_groups < block->nodes[best].n_groups))
            best = b - step;
        step *= block->columns[i]->n_levels;
    }
    return best;
}

/* Which groups of the finer node make up each group. */
static bool plan_node(mgl_by_size *search, const ranks *r, size_t b)
{
    mgl_branch_block *block = &search->frame.block;
    mgl_branch_block_node *node = &block->nodes[b];
    const mgl_branch_block_node *finer = &block->nodes[find_finer(block, b)];
    uint8_t group_of[MGL_MOST_LANES];
    size_t digits[MGL_BLOCK_COLUMNS];
    node->needs |= finer->needs;
    for (size_t f = 0; f < finer->n_groups; f++) {
        split(block, finer, f, digits);
        for (size_t i = 0; i < block->n_columns; i++) {
            uint64_t code = r[i].code_at[finer->levels[i]][digits[i]];
            unsigned up = block->columns[i]->levels[node->levels[i]].shift -
                          block->columns[i]->levels[finer->levels[i]].shift;
            size_t rank = 0;
            while (r[i].code_at[node->levels[i]][rank] != code >> up)
                rank++;
            digits[i] = rank;
        }
        group_of[f] = (uint8_t)join(block, node, digits);
    }
    uint16_t *members = mgl_arena_alloc(search->frame.arena, 2 * MGL_MOST_LANES * sizeof *members);
    if (members == NULL)
        return false;
    node->members = members;
    for (size_t g = 0; g < node->n_groups; g++) {
        uint16_t *n = members++;
        *n = 0;
        for (size_t f = 0; f < finer->n_groups; f++)
            if (group_of[f] == g) {
                *members++ = (uint16_t)(finer->first_row + f);
                ++*n;
            }
    }
    return true;
}

static void name_values(mgl_by_size *search, const ranks *r, const mgl_branch_block_node *node)
{
    mgl_branch_block *block = &search->frame.block;
    size_t digits[MGL_BLOCK_COLUMNS];
    for (size_t g = 0; g < node->n_groups; g++) {
        split(block, node, g, digits);
        for (size_t i = 0; i < block->n_columns; i++)
            block->values[node->first_row + g][i] =
                mgl_branch_value(&search->frame, block->columns[i], node->levels[i],
                                 r[i].code_at[node->levels[i]][digits[i]]);
    }
}

static bool make_nodes(mgl_by_size *search, const ranks *r)
{
    mgl_branch_block *block = &search->frame.block;
    uint8_t levels[MGL_BLOCK_COLUMNS] = {0};
    size_t row = 0;
    for (size_t b = 0; b < block->n_nodes; b++) {
        mgl_branch_block_node *node = &block->nodes[b];
        memcpy(node->levels, levels, sizeof levels);
        node->needs = UINT64_C(1) << b;
        node->first_row = (uint16_t)row;
        node->n_groups = 1;
        for (size_t i = 0; i < block->n_columns; i++)
            node->n_groups *= (uint16_t)block->columns[i]->levels[levels[i]].n_values;
        row += node->n_groups;
        if (b > 0 && !plan_node(search, r, b))
            return false;
        name_values(search, r, node);
        for (size_t i = 0; i < block->n_columns && ++levels[i] == block->columns[i]->n_levels;)
            levels[i++] = 0;
    }
    return true;
}

static mgl_status by_size_block_make(mgl_by_size *search, mgl_error *err)
{
    mgl_branch_block *block = &search->frame.block;
    uint64_t chosen = choose_columns(search);
    ranks *r;
    MGL_TRY(mgl_new_array(MGL_BLOCK_COLUMNS, sizeof *r, err, &r));
    block->n_nodes = block->n_lanes = 1;
    for (size_t a = 0; a < 64 && chosen >> a != 0; a++) {
        if (!(chosen >> a & 1))
            continue;
        mgl_branch_column *column = &search->frame.all[a];
        column->in_block = true;
        rank_values(search, column, &r[block->n_columns]);
        number_lanes(search, column, &r[block->n_columns], block->n_lanes);
        block->columns[block->n_columns++] = column;
        block->n_nodes *= column->n_levels;
        block->n_lanes *= column->levels[0].n_values;
    }
    bool made = make_nodes(search, r);
    mgl_free(r);
    return made ? MGL_OK : mgl_fail_memory(err);
}

/* Makes the keys of all tuples, with codes in place of leaves. Neighbouring columns of the list's
 * keys are looked up together, in tables that fit into the nearest cache. */

enum { MOST_TABLE_BITS = 11, KEY_RANGES = 32 };

/* What some neighbouring bits of a tuple's key give. */
typedef struct lookup {
    unsigned from_word, to_word, shift, bits;
    uint64_t *sums; /* [n] */
    size_t n;
} lookup;

/* Adds column a to the lookup, whose lowest bits it becomes or is. */
static void add_column(const mgl_by_size *search, size_t a, lookup *l)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_branch_column *column = &search->frame.all[a];
    unsigned bits = list->packing.fields[a].bits, at = list->packing.fields[a].shift - l->shift;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint32_t n_leaves = list->hierarchies[a]->n_leaves;
    for (size_t i = 0; i < l->n; i++) {
        size_t leaf = i >> at & mask;
        l->sums[i] += leaf < n_leaves ? column->code_of_leaf[leaf] << column->shift : 0;
    }
}

/* Lookups for runs of columns, as long as they lie side by side and need few bits; a column
 * that needs many has one of its own. */
static mgl_status make_lookups(const mgl_by_size *search, mgl_error *err, lookup *lookups,
                               size_t *n)
{
    const mgl_packing *packing = &search->frame.problem->list->packing;
    *n = 0;
    for (size_t a = 0, end; a < packing->n_attributes; a = end) {
        lookup *l = &lookups[(*n)++];
        *l = (lookup){packing->fields[a].word,
                      search->frame.all[a].word,
                      packing->fields[a].shift,
                      packing->fields[a].bits,
                      NULL,
                      0};
        for (end = a + 1; end < packing->n_attributes; end++) { /* further down in the word */
            if (packing->fields[end].word != l->from_word ||
                search->frame.all[end].word != l->to_word ||
                packing->fields[end].shift + packing->fields[end].bits != l->shift ||
                l->bits + packing->fields[end].bits > MOST_TABLE_BITS)
                break;
            l->shift = packing->fields[end].shift;
            l->bits += packing->fields[end].bits;
        }
        l->n = (size_t)1 << l->bits;
        if (end == a + 1) /* there may be far fewer leaves */
            l->n = search->frame.problem->list->hierarchies[a]->n_leaves;
        MGL_TRY(mgl_new_zeroed(l->n, sizeof *l->sums, err, &l->sums));
        for (size_t i = a; i < end; i++)
            add_column(search, i, l);
    }
    return MGL_OK;
}

static inline uint64_t look_up(const lookup *l, const uint64_t *key)
{
    return l->sums[key[l->from_word] >> l->shift & ((UINT64_C(1) << l->bits) - 1)];
}

static void make_keys(const mgl_by_size *search, const lookup *lookups, size_t n,
                      mgl_by_size_range range, uint64_t *keys)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    size_t words = search->frame.words, list_words = list->packing.n_words;
    if (words == 1 && list_words == 1 && n <= 4) { /* the usual case without an inner loop */
        lookup l[4];
        uint64_t nothing = 0;
        for (size_t i = 0; i < 4; i++)
            l[i] = i < n ? lookups[i] : (lookup){.sums = &nothing};
        for (size_t t = range.first; t < range.end; t++)
            keys[t] = look_up(&l[0], &list->keys[t]) + look_up(&l[1], &list->keys[t]) +
                      look_up(&l[2], &list->keys[t]) + look_up(&l[3], &list->keys[t]);
        return;
    }
    memset(keys + range.first * words, 0, (range.end - range.first) * words * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        for (size_t t = range.first; t < range.end; t++)
            keys[t * words + lookups[i].to_word] +=
                look_up(&lookups[i], list->keys + t * list_words);
}

typedef struct making {
    const mgl_by_size *search;
    const lookup *lookups;
    size_t n;
    uint64_t *keys;
    size_t n_ranges;
} making;

static void make_range(void *context, size_t i, unsigned thread)
{
    const making *m = context;
    size_t n = m->search->frame.problem->list->n_tuples;
    mgl_by_size_range range = {n * i / m->n_ranges, n * (i + 1) / m->n_ranges};
    (void)thread;
    make_keys(m->search, m->lookups, m->n, range, m->keys);
}

/* The first tables, from all tuples. */
static mgl_status keys_gather(mgl_by_size *search, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    uint64_t *keys = mgl_alloc_array(list->n_tuples, search->frame.words * sizeof *keys);
    lookup *lookups = mgl_alloc_array(list->n_attributes, sizeof *lookups);
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(keys != NULL && lookups != NULL, err));
    MGL_GO(make_lookups(search, err, lookups, &n));
    mgl_pool *pool = mgl_by_size_helpers(search, list->n_tuples);
    making m = {search, lookups, n, keys, pool != NULL ? KEY_RANGES : 1};
    mgl_pool_run(pool, m.n_ranges, make_range, &m);
    MGL_GO(mgl_by_size_gather(search, keys, err));
done:
    for (size_t i = 0; i < n; i++)
        mgl_free(lookups[i].sums);
    mgl_free(lookups);
    mgl_free(keys);
    return status;
}

/* Sets up the search by class sizes: the models, the columns, the block, and the table of the
 * classes of the finest node. */

/* Single columns wider than this are left to the sweep. */
enum { MOST_BITS = 56, MOST_IN_HALF_BYTE = 15 };
/* So many numbers of rows, or potentials, are remembered of branches, and pairs are made of no more
 * columns. */
enum { MOST_KNOWN = 1 << 23, MOST_POTENTIALS = 1 << 20, MOST_PAIRED = 32 };
/* A search is large with so many tuples, and then tables of so many records are rolled up by all
 * threads: below that waking them takes longer. */
enum { LARGE_LIST = 1 << 16, LEAST_IN_PIECES = 1 << 13 };

static size_t planes_for(uint32_t n_values)
{
    return (n_values + MGL_SET_BITS - 1) / MGL_SET_BITS;
}

static size_t planes_of(const mgl_model *model)
{
    size_t sum = 0;
    if (!mgl_needs_histograms(model->type))
        return 0;
    if (model->type->takes_attribute)
        return planes_for(mgl_model_sensitive(model)->n_present);
    for (size_t s = 0; s < model->facts->n_sensitive; s++)
        sum += planes_for(model->facts->sensitive[s].n_present);
    return sum;
}

/* With sets a class to suppress can have any size; but one above the limit is too large, however
 * large it is. Counts of two bytes, less a bit, must do: wider ones make the tables so large
 * that the engine by sensitive values is faster. */
static bool sets_are_handled(const mgl_problem *problem, size_t planes)
{
    const uint64_t most = UINT64_C(1) << (MGL_SET_BITS - 1);
    if (planes > MGL_BY_SIZE_PLANES || (problem->treatment == MGL_KEEP && problem->limit > 0))
        return false;
    return mgl_demand_size(problem) <= UINT16_MAX &&
           (problem->list->n_rows < most ||
            (problem->limit < most - 1 && !mgl_branch_wants_sizes(problem)));
}

static bool models_are_plain(const mgl_problem *problem)
{
    size_t planes = 0;
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model *model = &problem->sets[0].models[i];
        const mgl_model_type *type = model->type;
        if (type->scope != MGL_SCOPE_CLASS || type->needs_population || !type->upward_closed ||
            !mgl_demand_is_whole(type))
            return false;
        planes += planes_of(model);
    }
    return planes == 0 || sets_are_handled(problem, planes);
}

bool mgl_by_size_handles(const mgl_problem *problem)
{
    return problem->list->persons == NULL && mgl_branch_handles(problem) &&
           models_are_plain(problem);
}

/* With little memory it is one thread's: pieces take some of their own. */
bool mgl_by_size_is_large(const mgl_problem *problem)
{
    return problem->list->n_tuples >= LARGE_LIST && problem->memory == 0;
}

static mgl_status set_demand(mgl_by_size *search, mgl_error *err)
{
    MGL_TRY(
        mgl_demand_make(search->frame.problem, search->frame.arena, err, &search->frame.demand));
    size_t n = search->frame.demand.n_varieties;
    search->first_plane =
        mgl_arena_alloc(search->frame.arena, (n + 1) * sizeof *search->first_plane);
    MGL_TRY(mgl_check_memory(search->first_plane != NULL, err));
    for (size_t i = 0; i < n; i++) {
        search->first_plane[i] = search->n_planes;
        search->n_planes += planes_for(search->frame.demand.varieties[i].n_bits);
    }
    search->first_plane[n] = search->n_planes;
    search->frame.k = search->threshold = search->frame.demand.size;
    search->frame.largest_small = search->frame.k - 1;
    if (search->n_planes > 0) {
        search->threshold = UINT64_C(1) << (MGL_SET_BITS - 1);
        search->frame.largest_small = search->frame.n_rows;
    }
    return MGL_OK;
}

static mgl_status make_logs(mgl_by_size *search, mgl_error *err)
{
    if (search->frame.measure != MGL_COST_LOGS)
        return MGL_OK;
    double *logs = mgl_arena_alloc(search->frame.arena, MGL_SIZES_WITH_LOGS * sizeof *logs);
    MGL_TRY(mgl_check_memory(logs != NULL, err));
    for (size_t size = 0; size < MGL_SIZES_WITH_LOGS; size++)
        logs[size] = size > 0 ? (double)size * log2((double)size) : 0;
    search->log_of_size = logs;
    return MGL_OK;
}

static void choose_kernel(mgl_by_size *search)
{
    const mgl_problem *p = search->frame.problem;
    /* The smallest class that could join the suppressed rows is looked for. */
    bool joins = p->treatment == MGL_KEEP && search->frame.limit > 0;
    search->exact_sizes =
        search->frame.sizes || (search->frame.holds != NULL && joins && !search->frame.above);
    uint64_t most = search->exact_sizes ? search->frame.n_rows : search->frame.k;
    if (search->n_planes > 0)
        search->kernel = mgl_by_size_kernel_for(16);
    else if (most <= UINT8_MAX && !search->exact_sizes)
        search->kernel = mgl_by_size_kernel_for(8);
    else
        search->kernel = mgl_by_size_kernel_for(most <= UINT16_MAX ? 16 : 32);
    /* Where nothing may be suppressed few nodes are looked at, and set-up is what counts. */
    search->halves = search->n_planes == 0 && most <= MOST_IN_HALF_BYTE && !search->exact_sizes &&
                     search->frame.limit > 0;
}

/* Columns with many values come first: they decide most. */
static mgl_status lay_out_keys(mgl_by_size *search, mgl_error *err)
{
    /* The number of the lane is the lowest bits of a key. */
    unsigned lane_bits = (unsigned)__builtin_ctzll(search->kernel->lanes);
    MGL_TRY(mgl_branch_columns_order(&search->frame, true, lane_bits, err));
    /* With sets tables cost too much for a look ahead, and so do large ones of whole sizes. */
    search->use_pairs = search->n_planes == 0 && search->frame.n_columns <= MOST_PAIRED &&
                        !(search->has_floor && mgl_by_size_is_large(search->frame.problem));
    size_t branches = search->frame.block.n_nodes;
    for (size_t c = search->frame.n_columns; c-- > 0 && branches <= MOST_KNOWN;) {
        search->frame.all[search->frame.columns[c]->attribute].known_stride =
            branches / search->frame.block.n_nodes;
        branches *= search->frame.columns[c]->n_levels;
    }
    search->n_known = branches <= MOST_KNOWN ? branches : 0;
    search->n_potentials = branches <= MOST_POTENTIALS && search->has_floor ? branches : 0;
    search->least_in_pieces =
        mgl_by_size_is_large(search->frame.problem) ? LEAST_IN_PIECES : SIZE_MAX;
    search->sorts = mgl_by_size_sorting_pays(search);
    search->stride =
        search->frame.words * sizeof(uint64_t) + (1 + search->n_planes) * search->kernel->plane;
    return MGL_OK;
}

/* What the levels of a column make a difference of, at most. */
static double span_of(const mgl_branch_column *column)
{
    return column->levels[column->n_levels - 1].base - column->levels[0].base;
}

/* Has the first column more than twice its share of what levels decide? */
static bool first_decides_most(const mgl_by_size *search)
{
    const mgl_branching *frame = &search->frame;
    size_t m = frame->problem->list->n_attributes;
    double sum = 0;
    if (frame->cells == MGL_PAYS_NONE || frame->n_columns == 0)
        return false;
    for (size_t a = 0; a < m; a++)
        sum += span_of(&frame->all[a]);
    return (double)m * span_of(frame->columns[0]) > 2 * sum;
}

/* The first columns, whose lowest levels come first: good nodes are fine there. Measures of class
 * sizes are bounded by finer nodes; but with a look ahead, what coarser nodes suppress says as
 * much about the columns that come later. */
static size_t columns_that_go_up(const mgl_by_size *search)
{
    if (!search->has_floor)
        return first_decides_most(search) ? 1 : 0;
    return search->use_pairs ? 2 : search->frame.n_columns;
}

static mgl_status build(mgl_by_size *search, mgl_error *err, bool *to_sweep)
{
    const mgl_problem *p = search->frame.problem;
    MGL_TRY(mgl_parallel_make(&search->frame.parallel, p, err));
    MGL_TRY(set_demand(search, err));
    MGL_TRY(mgl_branch_measure_make(&search->frame, err));
    search->by_level =
        search->frame.cells != MGL_PAYS_NONE || search->frame.measure == MGL_COST_LEVELS;
    search->has_floor =
        (search->frame.measure == MGL_COST_CLASSES || search->frame.measure == MGL_COST_SQUARES ||
         search->frame.measure == MGL_COST_LOGS) &&
        search->frame.limit > 0;
    search->whole_products =
        mgl_products_are_whole(p->columns, p->list->n_attributes, p->list->n_rows);
    MGL_TRY(make_logs(search, err));
    choose_kernel(search);
    MGL_TRY(mgl_branch_columns_make(&search->frame, err));
    for (size_t a = 0; a < p->list->n_attributes; a++)
        *to_sweep = *to_sweep || search->frame.all[a].n_bits > MOST_BITS;
    if (search->frame.impossible || *to_sweep)
        return MGL_OK;
    MGL_TRY(by_size_block_make(search, err));
    MGL_TRY(lay_out_keys(search, err));
    search->n_up = columns_that_go_up(search);
    MGL_TRY(mgl_bound_lines_make(&search->frame, err));
    MGL_TRY(keys_gather(search, err));
    return mgl_by_size_share_pairs(search, err);
}

mgl_status mgl_by_size_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                           mgl_by_size **out)
{
    mgl_by_size *search;
    MGL_TRY(mgl_new_zeroed(1, sizeof *search, err, &search));
    bool to_sweep = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_branching_begin(&search->frame, problem, marking, err));
    MGL_GO(build(search, err, &to_sweep));
    *out = NULL;
    if (!to_sweep) {
        *out = search;
        search = NULL;
    }
done:
    mgl_by_size_free(search);
    return status;
}

void mgl_by_size_free(mgl_by_size *search)
{
    if (search == NULL)
        return;
    mgl_free(search->first);
    mgl_free(search->shared.before);
    mgl_free(search->shared.all);
    for (unsigned i = 0; search->workers != NULL && i < search->n_workers; i++)
        mgl_by_size_worker_free(&search->workers[i]);
    mgl_free(search->workers);
    mgl_free(search->pairs);
    mgl_parallel_free(&search->frame.parallel);
    mgl_arena_free(search->frame.arena);
    mgl_free(search);
}

static mgl_status begin(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                        mgl_parallel **out)
{
    mgl_by_size *search = NULL;
    MGL_TRY(mgl_by_size_new(problem, marking, err, &search));
    if (search == NULL)
        return MGL_OK;
    *out = &search->frame.parallel;
    (*out)->context = search;
    (*out)->empty = search->frame.impossible;
    if (!search->frame.impossible)
        mgl_branching_divide(&search->frame, search->first[search->frame.n_columns].table.n,
                             search->frame.n_columns);
    return MGL_OK;
}

static void end(mgl_parallel *parallel)
{
    mgl_by_size_free(parallel->context);
}

static mgl_status search_branch(void *context, unsigned thread, const uint8_t *levels, size_t n,
                                mgl_error *err)
{
    mgl_by_size *search = context;
    return mgl_by_size_search(&search->workers[thread], levels, n, err);
}

static mgl_status find_first(void *context, mgl_error *err, mgl_ties *out)
{
    return mgl_by_size_first_node(context, err, out);
}

const mgl_engine mgl_engine_by_size = {begin, end, search_branch, find_first, mgl_by_size_is_large};
