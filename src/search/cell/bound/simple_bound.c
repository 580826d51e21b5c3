/* The simple bound: each tuple by itself costs at least what the cheapest class does that may hold
 * in the whole table. Nodes are tried from the cheapest on; where the work allowed ends, the tuples
 * still open cost at least what the next node does. cell.c and local suppression call it. */
#include "search/box/box.h"
#include "search/cell/bound/bound.h"
#include "search/cell/bound/frontier.h"
#include "search/cell/bound/lanes.h"
#include "search/cell/bound/raised_rows.h"

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
    mgl_raised_choices raised;
    mgl_key_table **tables; /* [n_workers] theirs */
} simple;

/* ---- A node ------------------------------------------------------------------------------ */

/* The open tuples whose class at the node may have enough rows. */
MGL_SPECIALIZE size_t find_candidates(const simple *x, worker *w, const mgl_raised_rows *from,
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

MGL_SPECIALIZE void count_rows(const simple *x, worker *w, const mgl_raised_rows *from,
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
    const mgl_raised_rows *from = mgl_raised_rows_for(&x->raised, levels);
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
static uint64_t work_of(const simple *x, const mgl_raised_rows *from)
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

static mgl_status run(simple *x, mgl_cell_frontier *f, uint64_t work, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint64_t alone = mgl_cell_simple_work_of(s), done = 0;
    size_t at_once = 2;
    while (x->n_open > 0 && f->n_heap > 0 && done < work && !mgl_problem_is_late(s->problem)) {
        if (!s->upward && x->n_open * alone <= done)
            return mgl_cell_simple_bound_of(s, x->open, x->n_open, err, x->bound);
        for (x->n_nodes = 0; x->n_nodes < at_once && f->n_heap > 0; x->n_nodes++) {
            uint8_t *levels = x->levels + x->n_nodes * s->m;
            MGL_TRY(mgl_cell_frontier_pop(f, err, levels));
            mgl_raised_choices_want(&x->raised, levels);
        }
        MGL_TRY(mgl_raised_choices_make(&x->raised, are_few(x, s->n) ? OFTEN : 1, x->tables, err));
        for (size_t i = 0; i < x->n_nodes; i++)
            done += work_of(x, mgl_raised_rows_for(&x->raised, x->levels + i * s->m));
        at_once = at_once < AT_ONCE ? 2 * at_once : AT_ONCE; /* the first nodes close the most */
        mgl_pool_run(s->problem->pool, x->n_nodes, try_node, x);
        close_tuples(x, mgl_cell_frontier_next(f));
        MGL_TRY(mgl_progress_report(s->problem->progress, "search", s->n - x->n_open, s->n, err));
    }
    uint32_t next = mgl_cell_frontier_next(f);
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
    w->best = mgl_alloc_array(s->n, sizeof *w->best);
    w->candidate = mgl_alloc_array(s->n + 1, sizeof *w->candidate);
    w->entry_of = mgl_alloc_array(s->n, sizeof *w->entry_of);
    w->members = mgl_alloc_array(s->upward ? s->n : 1, sizeof *w->members);
    w->start = mgl_alloc_array(s->upward ? s->n + 2 : 1, sizeof *w->start);
    if (w->best == NULL || w->candidate == NULL || w->entry_of == NULL || w->members == NULL ||
        w->start == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < s->n; t++)
        w->best[t] = UINT32_MAX;
    return mgl_box_judge_new(s, err, &w->judge);
}

static mgl_status begin(simple *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    x->n_workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    x->n_open = s->n;
    x->open = mgl_alloc_array(s->n, sizeof *x->open);
    x->keys = mgl_alloc_array(s->n, s->words * sizeof *x->keys);
    x->levels = mgl_alloc_array(AT_ONCE, s->m);
    x->workers = mgl_zeroed_array(x->n_workers, sizeof *x->workers);
    x->tables = mgl_alloc_array(x->n_workers, sizeof(mgl_key_table *));
    if (x->open == NULL || x->keys == NULL || x->levels == NULL || x->workers == NULL ||
        x->tables == NULL)
        return mgl_fail_memory(err);
    memcpy(x->keys, s->keys, s->n * s->words * sizeof *x->keys);
    for (size_t t = 0; t < s->n; t++) {
        x->open[t] = (uint32_t)t;
        x->bound[t] = s->top_cost;
    }
    for (unsigned w = 0; w < x->n_workers; w++) {
        MGL_TRY(begin_worker(&x->workers[w], s, err));
        x->tables[w] = &x->workers[w].table;
    }
    return mgl_raised_choices_begin(&x->raised, s, err);
}

static void end(simple *x)
{
    for (unsigned i = 0; x->workers != NULL && i < x->n_workers; i++) {
        worker *w = &x->workers[i];
        mgl_key_table_free(&w->table);
        mgl_row_filter_free(&w->filter);
        mgl_box_judge_free(w->judge);
        mgl_free(w->best);
        mgl_free(w->candidate);
        mgl_free(w->entry_of);
        mgl_free(w->members);
        mgl_free(w->start);
    }
    mgl_raised_choices_end(&x->raised);
    mgl_free(x->workers);
    mgl_free(x->tables);
    mgl_free(x->open);
    mgl_free(x->keys);
    mgl_free(x->levels);
}

mgl_status mgl_cell_simple_bound(const mgl_box_space *s, uint64_t work, mgl_error *err,
                                 uint32_t *bound)
{
    simple x = {.space = s, .bound = bound};
    mgl_cell_frontier f = {0};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, err));
    MGL_GO(mgl_cell_frontier_begin(&f, s, err));
    MGL_GO(run(&x, &f, work, err));
done:
    mgl_cell_frontier_end(&f);
    end(&x);
    return status;
}
