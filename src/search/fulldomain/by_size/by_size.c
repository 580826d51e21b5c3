/* The engine that searches by class sizes: sets up the models, the columns, the block, the keys of
 * all tuples and the table of the classes of the finest node, and runs the search. */
#include "search/fulldomain/by_size/counts.h"

/* ---- Keys ------------------------------------------------------------------------------------ */

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
        l->sums = mgl_zeroed_array(l->n, sizeof *l->sums);
        if (l->sums == NULL)
            return mgl_fail_memory(err);
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
    if (keys == NULL || lookups == NULL)
        MGL_GO(mgl_fail_memory(err));
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

/* ---- Setting up ------------------------------------------------------------------------------ */

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

/* ---- The models ------------------------------------------------------------------- */

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
    if (search->first_plane == NULL)
        return mgl_fail_memory(err);
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
    if (logs == NULL)
        return mgl_fail_memory(err);
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

/* ---- Records of the tuples ------------------------------------------------------------------- */

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

/* ---- The search ------------------------------------------------------------------- */

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
    MGL_TRY(mgl_by_size_block_make(search, err));
    MGL_TRY(lay_out_keys(search, err));
    search->n_up = columns_that_go_up(search);
    MGL_TRY(mgl_bound_lines_make(&search->frame, err));
    MGL_TRY(keys_gather(search, err));
    return mgl_by_size_share_pairs(search, err);
}

mgl_status mgl_by_size_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                           mgl_by_size **out)
{
    mgl_by_size *search = mgl_zeroed_array(1, sizeof *search);
    if (search == NULL)
        return mgl_fail_memory(err);
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

/* ---- The engine ------------------------------------------------------------------------------ */

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

mgl_status mgl_by_size_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_engine_optimum(&mgl_engine_by_size, problem, MGL_LITTLE_WORK, err, out);
}

mgl_status mgl_by_size_holding(const mgl_problem *problem, bool above, mgl_error *err,
                               uint8_t *holds, uint64_t *checked)
{
    return mgl_engine_holding(&mgl_engine_by_size, problem, above, MGL_LITTLE_WORK, err, holds,
                              checked);
}
