/* Divides a branch and bound among threads, in items that do not depend on their number, and puts
 * together what they found. Both engines are run by it. */
#include "search/fulldomain/branch/branch.h"

/* Which nodes are known to hold without a look, where holding is monotone or taken to be: those
 * above one that does. Levels are those of the columns outside the block. The searches of both
 * engines ask it before they look at a node. */

static uint64_t number_of(const mgl_branching *branching, const uint8_t *levels)
{
    uint64_t number = 0;
    for (size_t c = 0; c < branching->n_columns; c++)
        number += branching->columns[c]->node_offset + levels[c] * branching->columns[c]->node_step;
    return number;
}

static uint64_t number_in_block(const mgl_branch_block *block, size_t b)
{
    uint64_t number = 0;
    for (size_t i = 0; i < block->n_columns; i++)
        number += block->columns[i]->node_offset +
                  block->nodes[b].levels[i] * block->columns[i]->node_step;
    return number;
}

/* Does one hold that lies just below? Levels of other items are none of ours: when these are
 * looked at is not known. */
static bool holds_below(const mgl_branching *branching, size_t n_fixed, const uint8_t *levels,
                        size_t b, uint64_t number)
{
    const mgl_branch_block *block = &branching->block;
    for (size_t c = n_fixed; c < branching->n_columns; c++)
        if (levels[c] > 0 &&
            branching->holds[number - branching->columns[c]->node_step] == MGL_HOLDS)
            return true;
    for (size_t i = 0; i < block->n_columns; i++)
        if (block->nodes[b].levels[i] > 0 &&
            branching->holds[number - block->columns[i]->node_step] == MGL_HOLDS)
            return true;
    return false;
}

uint64_t mgl_branch_known(const mgl_branching *branching, size_t n_fixed, const uint8_t *levels,
                          uint64_t nodes)
{
    uint64_t known = 0, first = number_of(branching, levels);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        uint64_t number = first + number_in_block(&branching->block, b);
        if (branching->holds[number] != MGL_HOLDS &&
            !holds_below(branching, n_fixed, levels, b, number))
            continue;
        branching->holds[number] = MGL_HOLDS;
        known |= UINT64_C(1) << b;
    }
    return known;
}

/* number: of the node at the lowest levels, with those of the columns before `depth`. */
static void mark(const mgl_branching *branching, const uint8_t *lowest, size_t depth,
                 uint64_t number)
{
    if (depth == branching->n_columns) {
        branching->holds[number] = MGL_HOLDS;
        return;
    }
    for (uint8_t l = lowest[depth]; l < branching->columns[depth]->n_levels; l++) {
        mark(branching, lowest, depth + 1, number);
        number += branching->columns[depth]->node_step;
    }
}

void mgl_branch_leave_open(const mgl_branching *branching, const uint8_t *levels, size_t b)
{
    uint8_t *mark =
        &branching->holds[number_of(branching, levels) + number_in_block(&branching->block, b)];
    *mark = *mark == MGL_HOLDS ? MGL_HOLDS : MGL_HOLDS_OPEN;
}

void mgl_branch_mark_above(const mgl_branching *branching, const uint8_t *lowest, size_t depth,
                           uint64_t nodes)
{
    uint64_t first = number_of(branching, lowest);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1)
        mark(branching, lowest, depth,
             first + number_in_block(&branching->block, (size_t)__builtin_ctzll(rest)));
}

/* Begins a branch and bound: the problem and what is marked, and how much there is to share out. */

mgl_status mgl_branching_begin(mgl_branching *branching, const mgl_problem *problem,
                               const mgl_marking *marking, mgl_error *err)
{
    branching->problem = problem;
    branching->n_rows = problem->list->n_rows;
    branching->limit = problem->limit;
    if (marking != NULL) {
        branching->holds = marking->holds;
        branching->above = marking->above;
    }
    branching->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(branching->arena != NULL, err));
    return mgl_some_must_stay(problem, err, &branching->some_stay);
}

void mgl_branching_divide(mgl_branching *branching, size_t n_classes, size_t most_columns)
{
    mgl_parallel *parallel = &branching->parallel;
    parallel->highest = branching->highest;
    parallel->most_columns = most_columns;
    parallel->work = (double)n_classes;
    for (size_t c = 0; c < branching->n_columns; c++)
        parallel->work *= branching->columns[c]->n_levels;
}

enum {
    AT_ONCE = 16, /* items of a round; not the number of threads */
    ENOUGH_ITEMS = 64
};

mgl_status mgl_parallel_make(mgl_parallel *parallel, const mgl_problem *problem, mgl_error *err)
{
    *parallel = (mgl_parallel){.problem = problem};
    parallel->results =
        mgl_zeroed_array(mgl_pool_threads(problem->pool), sizeof *parallel->results);
    return parallel->results != NULL ? MGL_OK : mgl_fail_memory(err);
}

void mgl_parallel_free(mgl_parallel *parallel)
{
    mgl_free(parallel->results);
}

mgl_status mgl_parallel_pause(mgl_parallel *d, mgl_thread_result *result, mgl_error *err)
{
    const mgl_problem *p = d->problem;
    mgl_status status = MGL_OK;
    double now = mgl_sys_seconds();
    pthread_mutex_lock(&d->lock);
    d->n_checked += result->checked - result->reported;
    result->reported = result->checked;
    d->timed_out = d->timed_out || (p->deadline > 0 && now > p->deadline);
    result->stopped = d->timed_out;
    bool mute = mgl_progress_is_mute();
    if (mute || now - d->reported >= 0.05) {
        d->reported = mute ? d->reported : now;
        status = d->cancelled
                     ? mgl_fail_cancelled(err)
                     : mgl_progress_report(p->progress, "search", d->n_checked, d->n_nodes, err);
        d->cancelled = status != MGL_OK;
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* What one item found. */
typedef struct item {
    mgl_status status;
    mgl_error error;
    mgl_ties ties;
    uint64_t checked;
} item;

typedef struct items {
    mgl_parallel *parallel;
    const mgl_engine *type;
    size_t n_columns; /* an item fixes the levels of this many */
    uint64_t n, first;
    item round[AT_ONCE];
} items;

/* Depends on the problem alone. */
static void divide(items *t, double little_work)
{
    const mgl_parallel *d = t->parallel;
    t->n = 1;
    while (d->work > little_work && t->n < ENOUGH_ITEMS && t->n_columns < d->most_columns)
        t->n *= d->highest[t->n_columns++] + 1u;
}

static void run_item(void *context, size_t number, unsigned thread)
{
    items *t = context;
    const mgl_parallel *d = t->parallel;
    item *one = &t->round[number];
    mgl_thread_result *result = &d->results[thread];
    uint8_t levels[MGL_MOST_COLUMNS];
    uint64_t left = t->first + number;
    for (size_t c = t->n_columns; c-- > 0;) { /* the highest levels first */
        size_t n = d->highest[c] + 1u;
        levels[c] = (uint8_t)(n - 1 - left % n);
        left /= n;
    }
    *result = (mgl_thread_result){.ties = one->ties, .stopped = result->stopped};
    one->status = t->type->search(d->context, thread, levels, t->n_columns, &one->error);
    one->ties = result->ties;
    one->checked = result->checked;
    result->ties = (mgl_ties){0};
}

static mgl_status take_item(const item *one, size_t m, mgl_error *err, mgl_ties *ties)
{
    if (one->status != MGL_OK && err != NULL)
        *err = one->error;
    MGL_TRY(one->status);
    for (size_t i = 0; i < one->ties.n; i++)
        MGL_TRY(mgl_ties_add(ties, one->ties.nodes + i * m, one->ties.costs[i], err));
    return MGL_OK;
}

static mgl_status run_round(items *t, mgl_error *err, mgl_optimum *out)
{
    const mgl_problem *p = t->parallel->problem;
    size_t m = p->list->n_attributes;
    size_t n = t->n - t->first < AT_ONCE ? (size_t)(t->n - t->first) : AT_ONCE;
    for (size_t i = 0; i < n; i++) {
        t->round[i] = (item){0};
        mgl_ties_init(&t->round[i].ties, m);
        t->round[i].ties.best = out->ties.best;
    }
    t->parallel->round++;
    mgl_pool_run(p->pool, n, run_item, t);
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < n; i++) {
        item *one = &t->round[i];
        if (status == MGL_OK)
            status = take_item(one, m, err, &out->ties);
        out->checked += one->checked;
        mgl_ties_free(&one->ties);
    }
    t->first += n;
    return status;
}

static mgl_status run_rounds(items *t, mgl_error *err, mgl_optimum *out)
{
    mgl_parallel *d = t->parallel;
    mgl_ties first;
    mgl_status status = MGL_OK;
    mgl_ties_init(&first, out->ties.n_attributes);
    if (t->n > 1 && t->type->find_first != NULL)
        MGL_GO(t->type->find_first(d->context, err, &first));
    out->checked += d->results[0].checked;
    out->ties.best = first.best < out->ties.best ? first.best : out->ties.best;
    d->divided = t->n > 1;
    while (t->first < t->n && !d->timed_out)
        MGL_GO(run_round(t, err, out));
    if (d->timed_out && out->ties.n == 0)
        for (size_t i = 0; i < first.n; i++)
            MGL_GO(mgl_ties_add(&out->ties, first.nodes + i * first.n_attributes, first.costs[i],
                                err));
done:
    mgl_ties_free(&first);
    return status;
}

static mgl_status run(mgl_parallel *d, const mgl_engine *type, double little_work, mgl_error *err,
                      mgl_optimum *out)
{
    const mgl_problem *p = d->problem;
    items *t = mgl_zeroed_array(1, sizeof *t); /* too much for a small stack */
    MGL_TRY(mgl_check_memory(t != NULL, err));
    t->parallel = d;
    t->type = type;
    divide(t, little_work);
    d->n_nodes = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    d->reported = mgl_sys_seconds();
    pthread_mutex_init(&d->lock, NULL);
    mgl_status status = run_rounds(t, err, out);
    pthread_mutex_destroy(&d->lock);
    mgl_free(t);
    out->timed_out = d->timed_out;
    return status;
}

/* A search from its beginning to its end. */
typedef struct whole {
    const mgl_engine *type;
    mgl_problem problem;
    const mgl_marking *marking; /* NULL: the best nodes are wanted */
    double little_work;
    mgl_optimum *out;
    mgl_parallel *parallel; /* NULL once it has begun: the problem is left to the sweep */
    bool ended;
    mgl_status status;
    mgl_error error;
} whole;

/* Begins, and goes on to the end if there is little to do: one thread does it then. */
static void begin_whole(void *context, size_t number, unsigned worker)
{
    (void)worker;
    whole *w = (whole *)context + number;
    w->out->checked = 0;
    w->out->timed_out = false;
    w->status = w->type->begin(&w->problem, w->marking, &w->error, &w->parallel);
    w->ended = w->status != MGL_OK || w->parallel == NULL || w->parallel->empty;
    if (w->ended || w->parallel->work > w->little_work)
        return;
    w->status = run(w->parallel, w->type, w->little_work, &w->error, w->out);
    w->ended = true;
}

/* *done is false if the problem is left to the sweep. */
static mgl_status end_whole(whole *w, mgl_error *err, bool *done)
{
    if (!w->ended)
        w->status = run(w->parallel, w->type, w->little_work, &w->error, w->out);
    *done = w->parallel != NULL;
    if (w->parallel != NULL)
        w->type->free(w->parallel);
    if (w->status != MGL_OK && err != NULL)
        *err = w->error;
    return w->status;
}

static mgl_status end_optimum(whole *w, mgl_error *err)
{
    bool done;
    MGL_TRY(end_whole(w, err, &done));
    if (!done)
        return mgl_sweep_optimum(&w->problem, err, w->out);
    mgl_ties_sort(&w->out->ties);
    return MGL_OK;
}

static mgl_status end_holding(whole *w, mgl_error *err)
{
    const mgl_problem *problem = &w->problem;
    bool done;
    MGL_TRY(end_whole(w, err, &done));
    if (!done)
        MGL_TRY(mgl_sweep_holding(problem, err, w->marking->holds, &w->out->checked));
    if (w->out->timed_out)
        return mgl_fail_nodes_left(err);
    return w->marking->above ? mgl_mark_above(problem, err, w->marking->holds) : MGL_OK;
}

mgl_status mgl_engine_optimum(const mgl_engine *type, const mgl_problem *problem,
                              double little_work, mgl_error *err, mgl_optimum *out)
{
    whole w = {.type = type, .problem = *problem, .little_work = little_work, .out = out};
    begin_whole(&w, 0, 0);
    return end_optimum(&w, err);
}

/* All is zero that will be marked. */
static whole begin_holding(const mgl_engine *type, const mgl_problem *problem,
                           const mgl_marking *marking, double little_work, mgl_optimum *found)
{
    size_t m = problem->list->n_attributes;
    mgl_ties_init(&found->ties, m);
    memset(marking->holds, 0, mgl_lattice_size(problem->min_level, problem->max_level, m));
    return (whole){.type = type,
                   .problem = *problem,
                   .marking = marking,
                   .little_work = little_work,
                   .out = found};
}

mgl_status mgl_engine_holding(const mgl_engine *type, const mgl_problem *problem, bool above,
                              double little_work, mgl_error *err, uint8_t *holds, uint64_t *checked)
{
    mgl_optimum found = {0};
    mgl_marking marking = {holds, above};
    whole w = begin_holding(type, problem, &marking, little_work, &found);
    begin_whole(&w, 0, 0);
    mgl_status status = end_holding(&w, err);
    mgl_ties_free(&found.ties);
    *checked = found.checked;
    return status;
}

mgl_status mgl_engine_both(const mgl_engine *type, const mgl_problem *problem, double little_work,
                           mgl_error *err, mgl_optimum *out, uint8_t *holds)
{
    mgl_optimum found = {0};
    mgl_marking marking = {holds, true};
    whole both[2] = {
        {.type = type, .problem = *problem, .little_work = little_work, .out = out},
        begin_holding(type, problem, &marking, little_work, &found),
    };
    both[1].problem.progress = NULL; /* one thread at a time may report */
    bool in_turn = type->takes_all != NULL && type->takes_all(problem);
    mgl_pool_run(in_turn ? NULL : problem->pool, 2, begin_whole, both);
    both[1].problem.progress = problem->progress;
    mgl_status status = end_optimum(&both[0], err);
    mgl_status marked = end_holding(&both[1], status == MGL_OK ? err : NULL);
    mgl_ties_free(&found.ties);
    return status != MGL_OK ? status : marked;
}
