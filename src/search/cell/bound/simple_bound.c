/* The simple bound: each tuple by itself costs at least what the cheapest class does that may hold
 * in the whole table. Nodes are tried from the cheapest on; where the work allowed ends, the tuples
 * still open cost at least what the next node does. */
#include "search/cell/bound/lanes.h"
#include "search/box/box.h"
#include "search/cell/bound/bound.h"
#include "search/node/node.h"

/* ---- Bound by tuple ------------------------------------------------------------------------- */

/* The simple bound of a few tuples: rather than all tuples at one node after another, one tuple at
 * all nodes at once. The rows whose smallest common box with the tuple has just these levels are
 * counted for each node; summed up along the lattice they are the classes of the tuple. */

enum {
    NEIGHBOURS_AT_ONCE = 1024, /* neighbours */
    MOST_ATTRIBUTES = 1000     /* see OUT_OF_REACH */
};

typedef struct around_worker {
    mgl_cell_lanes *place; /* [n_values] by attribute and leaf: what it adds to the node's number */
    uint32_t *counts;      /* [MGL_CELL_LANES * n_nodes] rows with just these levels in common */
    mgl_cell_lanes *rows;  /* [n_nodes] rows of the class there */
} around_worker;

typedef struct around {
    const mgl_box_space *space;
    const uint32_t *tuples;
    size_t n;
    uint32_t *bound;
    size_t n_nodes;
    size_t *stride;      /* [m] of the levels above the lowest, in the numbers of nodes */
    size_t *first_value; /* [m] of the attribute's leaves in place */
    size_t n_values;
    uint64_t *by_cost; /* [n_nodes] what a row costs there at least, then the number */
    around_worker *workers;
    unsigned n_workers;
    mgl_owned own;
} around;

/* ---- One group of tuples --------------------------------------------------------------------- */

/* Leaves that meet the tuple's own on no level that is allowed are out of reach: more than any
 * number of a node, and the sum over all attributes is no more than 32 bits. */
#define OUT_OF_REACH UINT32_C(0x100000)

static void place_leaves(const around *x, around_worker *w, uint32_t t, size_t lane)
{
    const mgl_box_space *s = x->space;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *attribute = &s->attributes[a];
        mgl_cell_lanes *place = w->place + x->first_value[a];
        for (uint32_t leaf = 0; leaf < attribute->n_leaves; leaf++) {
            uint32_t level = mgl_cell_level_between(attribute, s->leaves[t * s->m + a], leaf);
            place[leaf].of[lane] = level > attribute->high
                                       ? OUT_OF_REACH
                                       : (uint32_t)((level - attribute->low) * x->stride[a]);
        }
    }
}

/* Rows by the levels that they share with each tuple. Numbers come first, a batch of them, so that
 * one tuple's counts are in use at a time. */
static void count_levels(const around *x, around_worker *w)
{
    const mgl_box_space *s = x->space;
    const uint32_t *leaf = s->leaves;
    size_t n_nodes = x->n_nodes, m = s->m;
    uint32_t number[NEIGHBOURS_AT_ONCE][MGL_CELL_LANES];
    memset(w->counts, 0, n_nodes * MGL_CELL_LANES * sizeof *w->counts);
    for (size_t first = 0; first < s->n; first += NEIGHBOURS_AT_ONCE) {
        size_t n = s->n - first < NEIGHBOURS_AT_ONCE ? s->n - first : NEIGHBOURS_AT_ONCE;
        for (size_t i = 0; i < n; i++, leaf += m) {
            mgl_cell_lanes sum = {{0}};
            for (size_t a = 0; a < m; a++)
                sum = mgl_cell_lanes_add(sum, w->place[x->first_value[a] + leaf[a]]);
            memcpy(number[i], &sum.of, sizeof sum.of);
        }
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
            uint32_t *counts = w->counts + lane * n_nodes;
            for (size_t i = 0; i < n; i++)
                if (number[i][lane] < OUT_OF_REACH)
                    counts[number[i][lane]] += s->rows[first + i];
        }
    }
}

/* Sums over all nodes below, attribute by attribute. */
static void sum_up(const around *x, around_worker *w)
{
    const mgl_box_space *s = x->space;
    for (size_t i = 0; i < x->n_nodes; i++)
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            w->rows[i].of[lane] = w->counts[lane * x->n_nodes + i];
    for (size_t a = 0; a < s->m; a++) {
        size_t step = x->stride[a], size = s->attributes[a].high - s->attributes[a].low + 1;
        for (size_t start = 0; start < x->n_nodes; start += step * size)
            for (size_t i = start + step; i < start + step * size; i++)
                w->rows[i] = mgl_cell_lanes_add(w->rows[i], w->rows[i - step]);
    }
}

static uint32_t cost_at(const around *x, uint32_t t, size_t number)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < s->m; a++) {
        size_t n = s->attributes[a].high - s->attributes[a].low + 1;
        levels[a] = (uint8_t)(s->attributes[a].low + number / x->stride[a] % n);
    }
    return mgl_box_cost(s, levels, t);
}

static void take_cheapest(const around *x, const around_worker *w, uint32_t t, size_t lane)
{
    uint32_t best = x->space->top_cost;
    for (size_t i = 0; i < x->n_nodes && x->by_cost[i] >> 32 < best; i++) {
        size_t number = (uint32_t)x->by_cost[i];
        if (w->rows[number].of[lane] < x->space->need)
            continue;
        uint32_t cost = cost_at(x, t, number);
        best = cost < best ? cost : best;
    }
    x->bound[t] = best;
}

static void look_around(void *context, size_t group, unsigned number)
{
    around *x = context;
    around_worker *w = &x->workers[number];
    size_t first = group * MGL_CELL_LANES,
           n = x->n - first < MGL_CELL_LANES ? x->n - first : MGL_CELL_LANES;
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
        place_leaves(x, w, x->tuples[first + (lane < n ? lane : 0)], lane);
    count_levels(x, w);
    sum_up(x, w);
    for (size_t lane = 0; lane < n; lane++)
        take_cheapest(x, w, x->tuples[first + lane], lane);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static mgl_status sort_nodes(around *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    x->by_cost = mgl_own_array(&x->own, x->n_nodes, sizeof *x->by_cost);
    MGL_TRY(mgl_owned_check(&x->own, err));
    mgl_box_begin(s, levels);
    for (size_t i = 0; i < x->n_nodes; i++) {
        uint64_t cost = 0;
        for (size_t a = 0; a < s->m; a++)
            cost += s->attributes[a].least[levels[a]];
        x->by_cost[i] = cost << 32 | i;
        for (size_t a = s->m; a-- > 0;) {
            if (levels[a]++ < s->attributes[a].high)
                break;
            levels[a] = (uint8_t)s->attributes[a].low;
        }
    }
    mgl_sort_u64(x->by_cost, x->n_nodes);
    return MGL_OK;
}

static mgl_status begin_around(around *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->stride = mgl_own_array(&x->own, s->m, sizeof *x->stride);
    x->first_value = mgl_own_array(&x->own, s->m, sizeof *x->first_value);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    MGL_TRY(mgl_owned_check(&x->own, err));
    x->n_nodes = 1;
    for (size_t a = s->m; a-- > 0;) {
        x->stride[a] = x->n_nodes;
        x->n_nodes *= s->attributes[a].high - s->attributes[a].low + 1;
        x->first_value[a] = x->n_values;
        x->n_values += s->attributes[a].n_leaves;
    }
    for (unsigned i = 0; i < x->n_workers; i++) {
        around_worker *w = &x->workers[i];
        w->place = mgl_own_array(&x->own, x->n_values, sizeof *w->place);
        w->counts = mgl_own_array(&x->own, x->n_nodes, MGL_CELL_LANES * sizeof *w->counts);
        w->rows = mgl_own_array(&x->own, x->n_nodes, sizeof *w->rows);
    }
    return sort_nodes(x, err);
}

/* The same as the simple bound, without models, for each of these tuples by
 * itself. About that many tuples are looked at for each. */
static mgl_status cell_simple_bound_of(const mgl_box_space *space, const uint32_t *tuples, size_t n,
                                       mgl_error *err, uint32_t *bound)
{
    around x = {.space = space, .tuples = tuples, .n = n, .bound = bound};
    mgl_status status = begin_around(&x, err);
    if (status == MGL_OK)
        mgl_pool_run(space->problem->pool, (n + MGL_CELL_LANES - 1) / MGL_CELL_LANES, look_around,
                     &x);
    mgl_owned_free(&x.own);
    return status;
}

static uint64_t cell_simple_work_of(const mgl_box_space *s)
{
    uint64_t size = mgl_lattice_size(s->problem->min_level, s->problem->max_level, s->m);
    if (size > MGL_BOX_MOST_NODES || s->m > MOST_ATTRIBUTES)
        return UINT64_MAX / s->n;
    uint64_t work = (s->n + size / 8) * s->m;
    for (size_t a = 0; a < s->m; a++)
        work += s->attributes[a].n_leaves;
    return work;
}

/* ---- Nodes in the order of costs ------------------------------------------------------------- */

/* Goes through the nodes of a lattice from the cheapest on, with a heap of those that may be
 * next. */

/* Nodes that may come next, the cheapest first: what a row costs at least counts. */
typedef struct frontier {
    const mgl_box_space *space;
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

/* A node's successors raise its last raised attribute or one after it, so that each node comes
 * once. */
static bool push(frontier *f, const uint8_t *levels, uint16_t last)
{
    const mgl_box_space *s = f->space;
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
static mgl_status frontier_pop(frontier *f, mgl_error *err, uint8_t *levels)
{
    const mgl_box_space *s = f->space;
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
            MGL_TRY(mgl_check_memory(pushed, err));
        }
    return MGL_OK;
}

/* What it costs; the top if all were given. */
static uint32_t frontier_next(const frontier *f)
{
    return f->n_heap > 0 ? f->costs[f->heap[0]] : f->space->top_cost;
}

/* End with frontier_end, also after a failure. */
static mgl_status frontier_begin(frontier *f, const mgl_box_space *space, mgl_error *err)
{
    uint8_t lowest[MGL_MOST_COLUMNS];
    *f = (frontier){.space = space, .size = space->m + sizeof(uint16_t)};
    mgl_box_begin(space, lowest);
    return push(f, lowest, 0) ? MGL_OK : mgl_fail_memory(err);
}

static void frontier_end(frontier *f)
{
    mgl_free(f->levels);
    mgl_free(f->costs);
    mgl_free(f->heap);
}

/* ---- Raised rows ----------------------------------------------------------------------------- */

/* Makes records that stand for all rows at nodes where some attributes are raised, of which there
 * are fewer than tuples. */

enum { MOST_RAISED = 5 }; /* attributes */

/* All rows with some attributes one level above their lowest. */
typedef struct raised_rows {
    bool made;
    unsigned wanted; /* how often it was asked for: making it takes about as long as one look at the
                        one below */
    size_t n;
    const uint64_t *keys;      /* [n * words] */
    const uint32_t *rows;      /* [n] */
    void *own_keys, *own_rows; /* NULL: the tuples' own */
} raised_rows;

/* Rows for every choice among the attributes that may be raised. */
typedef struct raised_choices {
    const mgl_box_space *space;
    size_t raised[MOST_RAISED]; /* attributes */
    size_t n_raised;
    raised_rows *each; /* [2^n_raised] bit i of the number: raised[i] is */
    uint64_t bytes;    /* of all that are made */
    /* While some are made. */
    size_t *missing; /* numbers of those that are made at once */
    mgl_key_table *const *tables;
    mgl_owned own;
} raised_choices;

#define MOST_BYTES ((uint64_t)64 << 20) /* for all choices together */

/* The attributes with the most leaves that can be raised, those with the most first. */
static void choose_raised(raised_choices *x)
{
    const mgl_box_space *s = x->space;
    while (x->n_raised < MOST_RAISED) {
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

static uint64_t bytes_of(const mgl_box_space *s, size_t n)
{
    return n * (s->words * sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t number_of(const raised_choices *x, const uint8_t *levels)
{
    size_t number = 0;
    for (size_t i = 0; i < x->n_raised; i++)
        if (levels[x->raised[i]] > x->space->attributes[x->raised[i]].low)
            number |= (size_t)1 << i;
    return number;
}

/* The number without its last attribute, which has the fewest leaves. */
static size_t below(size_t number)
{
    return number & ~((size_t)1 << (63 - (unsigned)__builtin_clzll(number)));
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void add_up(const raised_choices *x, const raised_rows *from, size_t number,
                   mgl_key_table *table)
{
    const mgl_box_space *s = x->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    uint64_t mask[MGL_BOX_MOST_WORDS];
    mgl_box_begin(s, levels);
    for (size_t i = 0; i < x->n_raised; i++)
        levels[x->raised[i]] += number >> i & 1;
    mgl_box_mask(s, levels, mask);
    mgl_key_table_clear(table, from->n);
    for (size_t i = 0; i < from->n; i++)
        table->rows[mgl_key_table_add(table, from->keys + i * s->words, mask, s->words, 0)] +=
            from->rows[i];
}

static void make(void *context, size_t i, unsigned worker)
{
    raised_choices *x = context;
    size_t number = x->missing[i], words = x->space->words;
    raised_rows *out = &x->each[number];
    mgl_key_table *table = x->tables[worker];
    add_up(x, &x->each[below(number)], number, table);
    size_t n = table->n;
    uint64_t *keys = out->own_keys = mgl_alloc_array(n, words * sizeof *keys);
    uint32_t *rows = out->own_rows = mgl_alloc_array(n, sizeof *rows);
    if (keys == NULL || rows == NULL)
        return; /* which the waiting thread sees */
    memcpy(keys, table->keys + words, n * words * sizeof *keys);
    memcpy(rows, table->rows + 1, n * sizeof *rows);
    *out = (raised_rows){true, out->wanted, n, keys, rows, keys, rows};
}

/* Those that can be made from what there is, within the memory allowed. */
static size_t find_missing(raised_choices *x, unsigned often)
{
    size_t n = 0;
    uint64_t bytes = x->bytes;
    for (size_t number = 1; number < (size_t)1 << x->n_raised; number++) {
        const raised_rows *from = &x->each[below(number)];
        if (x->each[number].made || x->each[number].wanted < often || !from->made)
            continue;
        bytes += bytes_of(x->space, from->n);
        if (bytes > MOST_BYTES)
            break;
        x->missing[n++] = number;
    }
    return n;
}

/* Makes those that were wanted so often. No other thread may look for its rows meanwhile. tables:
 * [worker], for as many classes as there are tuples. */
static mgl_status raised_choices_make(raised_choices *x, unsigned often,
                                      mgl_key_table *const *tables, mgl_error *err)
{
    x->tables = tables;
    for (size_t n; (n = find_missing(x, often)) > 0;) {
        mgl_pool_run(x->space->problem->pool, n, make, x);
        for (size_t i = 0; i < n; i++) {
            MGL_TRY(mgl_check_memory(x->each[x->missing[i]].made, err));
            x->bytes += bytes_of(x->space, x->each[x->missing[i]].n);
        }
    }
    return MGL_OK;
}

/* The fewest rows made so far from which the classes of a node can be counted. */
static const raised_rows *raised_rows_for(const raised_choices *x, const uint8_t *levels)
{
    size_t number = number_of(x, levels);
    while (!x->each[number].made)
        number = below(number);
    return &x->each[number];
}

/* ---- The bound ------------------------------------------------------------------------------- */

enum {
    AT_ONCE = 16, /* nodes tried before the open tuples are counted again */
    FEW = 16,     /* open tuples are few if there are so many records for each */
    OFTEN = 8     /* wanted so often, raised rows are made for few tuples, too */
};

typedef struct worker {
    mgl_key_table table;
    mgl_row_filter filter;
    mgl_box_judge *judge;
    uint32_t *best;      /* [n] by place among the open: the cheapest class found */
    uint32_t *candidate; /* [n] places of open tuples whose class may be large enough */
    uint32_t *entry_of;  /* [n] their classes */
    uint32_t *members;   /* [n] tuples of classes that are judged */
    size_t *start;       /* [n + 2] theirs */
    mgl_owned own;
} worker;

typedef struct simple {
    const mgl_box_space *space;
    uint32_t *bound; /* [t] */
    uint32_t *open;  /* tuples without a class yet */
    uint64_t *keys;  /* [n_open * words] theirs */
    size_t n_open;
    uint8_t *levels; /* [AT_ONCE * m] */
    size_t n_nodes;
    worker *workers;
    unsigned n_workers;
    raised_choices raised;
    mgl_key_table **tables; /* [n_workers] theirs */
    mgl_owned own;
} simple;

/* ---- A node ------------------------------------------------------------------------------ */

/* The open tuples whose class at the node may have enough rows. */
MGL_SPECIALIZE size_t find_candidates(const simple *x, worker *w, const raised_rows *from,
                                      const uint64_t *mask, size_t words)
{
    uint32_t need = x->space->need, *candidate = w->candidate;
    const uint64_t *keys = from->keys;
    const uint32_t *rows = from->rows;
    size_t n = 0, n_records = from->n, n_open = x->n_open;
    mgl_row_filter_clear(&w->filter, n_records, need);
    mgl_row_filter filter = w->filter; /* which the compiler can keep in registers */
    for (size_t i = 0; i < n_records; i++)
        filter.rows[mgl_row_filter_slot(&filter, keys + i * words, mask, words)] += rows[i];
    keys = x->keys;
    for (size_t i = 0; i < n_open; i++) {
        candidate[n] = (uint32_t)i;
        n += filter.rows[mgl_row_filter_slot(&filter, keys + i * words, mask, words)] >= need;
    }
    return n;
}

static bool are_few(const simple *x, size_t n_records)
{
    return x->n_open * FEW <= n_records;
}

/* Few tuples are all candidates: the records that are in none of their classes are passed over more
 * quickly than all classes are counted. */
static size_t take_all(const simple *x, worker *w)
{
    mgl_row_filter_clear(&w->filter, 2 * x->n_open, 1);
    for (size_t i = 0; i < x->n_open; i++)
        w->candidate[i] = (uint32_t)i;
    return x->n_open;
}

#define WANTED (UINT32_C(1) << 31) /* beside the rows of a slot: a candidate's class is there */

/* The class of a record, 0 if it is not one of the candidates'. */
MGL_SPECIALIZE uint32_t class_of(const mgl_row_filter *filter, const mgl_key_table *table,
                                 const uint64_t *key, const uint64_t *mask, size_t words)
{
    if (filter->rows[mgl_row_filter_slot(filter, key, mask, words)] < WANTED)
        return 0;
    return mgl_key_table_find(table, key, mask, words);
}

MGL_SPECIALIZE void count_rows(const simple *x, worker *w, const raised_rows *from,
                               const uint64_t *mask, size_t n, size_t words)
{
    mgl_key_table_clear(&w->table, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *key = x->keys + w->candidate[i] * words;
        w->filter.rows[mgl_row_filter_slot(&w->filter, key, mask, words)] |= WANTED;
        w->entry_of[i] = mgl_key_table_add(&w->table, key, mask, words, x->open[w->candidate[i]]);
    }
    mgl_row_filter filter = w->filter;
    mgl_key_table table = w->table;
    const uint64_t *keys = from->keys;
    const uint32_t *rows = from->rows;
    for (size_t i = 0, n_records = from->n; i < n_records; i++) {
        uint32_t e = class_of(&filter, &table, keys + i * words, mask, words);
        if (e != 0)
            table.rows[e] += rows[i];
    }
}

/* Rows of the population under the boxes of the classes, into their worth. */
static void count_population(const simple *x, worker *w, const uint64_t *mask)
{
    const mgl_box_space *s = x->space;
    const mgl_frequency_list *population = s->problem->population;
    for (uint32_t e = 0; e <= w->table.n; e++)
        w->table.worth[e] = 0;
    for (size_t t = 0; population != NULL && t < population->n_tuples; t++)
        w->table
            .worth[class_of(&w->filter, &w->table, s->population + t * s->words, mask, s->words)] +=
            (int64_t)population->counts[t];
}

/* Takes the rows of classes that models rule out. */
static void judge_classes(const simple *x, worker *w, const uint64_t *mask)
{
    const mgl_box_space *s = x->space;
    mgl_key_table *table = &w->table;
    count_population(x, w, mask);
    memset(w->start, 0, (table->n + 2) * sizeof *w->start);
    for (uint32_t t = 0; t < s->n; t++)
        w->start[class_of(&w->filter, table, s->keys + t * s->words, mask, s->words) + 1]++;
    for (uint32_t e = 0; e <= table->n; e++)
        w->start[e + 1] += w->start[e];
    for (uint32_t t = 0; t < s->n; t++)
        w->members[w->start[class_of(&w->filter, table, s->keys + t * s->words, mask,
                                     s->words)]++] = t;
    for (uint32_t e = 1; e <= table->n; e++) { /* filling moved the starts to the ends */
        const uint32_t *members = w->members + w->start[e - 1];
        if (table->rows[e] >= s->need &&
            !mgl_box_may_hold(w->judge, members, w->start[e] - w->start[e - 1],
                              (uint64_t)table->worth[e]))
            table->rows[e] = 0;
    }
}

/* What the open tuples cost at the node, if their class there may hold. */
MGL_SPECIALIZE void try_words(simple *x, worker *w, const uint8_t *levels, size_t words)
{
    const mgl_box_space *s = x->space;
    const raised_rows *from = raised_rows_for(&x->raised, levels);
    uint64_t mask[MGL_BOX_MOST_WORDS];
    mgl_box_mask(s, levels, mask);
    size_t n = are_few(x, from->n) ? take_all(x, w) : find_candidates(x, w, from, mask, words);
    if (n == 0)
        return;
    count_rows(x, w, from, mask, n, words);
    if (s->upward)
        judge_classes(x, w, mask);
    for (uint32_t e = 1; e <= w->table.n; e++)
        w->table.cost[e] =
            w->table.rows[e] >= s->need ? mgl_box_cost(s, levels, w->table.first[e]) : UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t cost = w->table.cost[w->entry_of[i]], *best = &w->best[w->candidate[i]];
        *best = cost < *best ? cost : *best;
    }
}

static void try_node(void *context, size_t number, unsigned worker)
{
    simple *x = context;
    const uint8_t *levels = x->levels + number * x->space->m;
    if (x->space->words == 1)
        try_words(x, &x->workers[worker], levels, 1);
    else
        try_words(x, &x->workers[worker], levels, x->space->words);
}

/* ---- All nodes --------------------------------------------------------------------------- */

/* A tuple is done when no node to come can be cheaper than what it has. */
static void close_tuples(simple *x, uint32_t next)
{
    size_t kept = 0, words = x->space->words;
    for (size_t i = 0; i < x->n_open; i++) {
        uint32_t *bound = &x->bound[x->open[i]];
        for (unsigned w = 0; w < x->n_workers; w++) {
            uint32_t *best = &x->workers[w].best[i];
            *bound = *best < *bound ? *best : *bound;
            *best = UINT32_MAX;
        }
        if (*bound <= next)
            continue;
        x->open[kept] = x->open[i];
        memmove(x->keys + kept * words, x->keys + i * words, words * sizeof *x->keys);
        kept++;
    }
    x->n_open = kept;
}

/* Tuples looked at for a node. */
static uint64_t work_of(const simple *x, const raised_rows *from)
{
    const mgl_box_space *s = x->space;
    return (are_few(x, from->n) ? from->n / 4 : from->n) + 2 * x->n_open +
           (s->upward ? 8 * s->n : 0);
}

/* A row of the tuple costs as much in any box. */
static uint32_t cost_alone(const mgl_box_space *s, uint32_t t)
{
    uint32_t sum = 0;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        uint32_t leaf = s->leaves[t * s->m + a], least = UINT32_MAX;
        for (uint32_t l = x->low; l <= x->high; l++)
            least = x->cost[l][leaf] < least ? x->cost[l][leaf] : least;
        sum += least;
    }
    return sum;
}

static mgl_status run(simple *x, frontier *f, uint64_t work, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint64_t alone = cell_simple_work_of(s), done = 0;
    size_t at_once = 2;
    while (x->n_open > 0 && f->n_heap > 0 && done < work && !mgl_problem_is_late(s->problem)) {
        if (!s->upward && x->n_open * alone <= done)
            return cell_simple_bound_of(s, x->open, x->n_open, err, x->bound);
        for (x->n_nodes = 0; x->n_nodes < at_once && f->n_heap > 0; x->n_nodes++) {
            uint8_t *levels = x->levels + x->n_nodes * s->m;
            MGL_TRY(frontier_pop(f, err, levels));
            /* A node that will be looked at. */
            for (size_t number = number_of(&x->raised, levels); !x->raised.each[number].made;
                 number = below(number))
                x->raised.each[number].wanted++;
        }
        MGL_TRY(raised_choices_make(&x->raised, are_few(x, s->n) ? OFTEN : 1, x->tables, err));
        for (size_t i = 0; i < x->n_nodes; i++)
            done += work_of(x, raised_rows_for(&x->raised, x->levels + i * s->m));
        at_once = at_once < AT_ONCE ? 2 * at_once : AT_ONCE; /* the first nodes close the most */
        mgl_pool_run(s->problem->pool, x->n_nodes, try_node, x);
        close_tuples(x, frontier_next(f));
        MGL_TRY(mgl_progress_report(s->problem->progress, "search", s->n - x->n_open, s->n, err));
    }
    uint32_t next = frontier_next(f);
    for (size_t i = 0; i < x->n_open; i++) {
        uint32_t t = x->open[i], own = cost_alone(s, t), least = own > next ? own : next;
        x->bound[t] = least < x->bound[t] ? least : x->bound[t];
    }
    return MGL_OK;
}

static mgl_status begin_worker(worker *w, const mgl_box_space *s, mgl_error *err)
{
    MGL_TRY(mgl_key_table_init(&w->table, s->n, s->words, err));
    MGL_TRY(mgl_row_filter_init(&w->filter, s->n, err));
    w->best = mgl_own_array(&w->own, s->n, sizeof *w->best);
    w->candidate = mgl_own_array(&w->own, s->n + 1, sizeof *w->candidate);
    w->entry_of = mgl_own_array(&w->own, s->n, sizeof *w->entry_of);
    w->members = mgl_own_array(&w->own, s->upward ? s->n : 1, sizeof *w->members);
    w->start = mgl_own_array(&w->own, s->upward ? s->n + 2 : 1, sizeof *w->start);
    MGL_TRY(mgl_owned_check(&w->own, err));
    for (size_t t = 0; t < s->n; t++)
        w->best[t] = UINT32_MAX;
    return mgl_box_judge_new(s, err, &w->judge);
}

static mgl_status begin(simple *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->n_open = s->n;
    x->open = mgl_own_array(&x->own, s->n, sizeof *x->open);
    x->keys = mgl_own_array(&x->own, s->n, s->words * sizeof *x->keys);
    x->levels = mgl_own_array(&x->own, AT_ONCE, s->m);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    x->tables = mgl_own_array(&x->own, x->n_workers, sizeof(mgl_key_table *));
    MGL_TRY(mgl_owned_check(&x->own, err));
    memcpy(x->keys, s->keys, s->n * s->words * sizeof *x->keys);
    for (size_t t = 0; t < s->n; t++) {
        x->open[t] = (uint32_t)t;
        x->bound[t] = s->top_cost;
    }
    for (unsigned w = 0; w < x->n_workers; w++) {
        MGL_TRY(begin_worker(&x->workers[w], s, err));
        x->tables[w] = &x->workers[w].table;
    }
    /* End with raised_choices_end, also after a failure. */
    x->raised = (raised_choices){.space = s};
    choose_raised(&x->raised);
    size_t n = (size_t)1 << x->raised.n_raised;
    x->raised.each = mgl_own_zeroed(&x->raised.own, n, sizeof *x->raised.each);
    x->raised.missing = mgl_own_array(&x->raised.own, n, sizeof *x->raised.missing);
    MGL_TRY(mgl_owned_check(&x->raised.own, err));
    x->raised.each[0] = (raised_rows){.made = true, .n = s->n, .keys = s->keys, .rows = s->rows};
    return MGL_OK;
}

static void end(simple *x)
{
    for (unsigned i = 0; x->workers != NULL && i < x->n_workers; i++) {
        worker *w = &x->workers[i];
        mgl_key_table_free(&w->table);
        mgl_row_filter_free(&w->filter);
        mgl_box_judge_free(w->judge);
        mgl_owned_free(&w->own);
    }
    for (size_t i = 0; x->raised.each != NULL && i < (size_t)1 << x->raised.n_raised; i++) {
        mgl_free(x->raised.each[i].own_keys);
        mgl_free(x->raised.each[i].own_rows);
    }
    mgl_owned_free(&x->raised.own);
    mgl_owned_free(&x->own);
}

mgl_status mgl_cell_simple_bound(const mgl_box_space *s, uint64_t work, mgl_error *err,
                                 uint32_t *bound)
{
    simple x = {.space = s, .bound = bound};
    frontier f = {0};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, err));
    MGL_GO(frontier_begin(&f, s, err));
    MGL_GO(run(&x, &f, work, err));
done:
    frontier_end(&f);
    end(&x);
    return status;
}
