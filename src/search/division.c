#include "search/division.h"

enum {
    AT_ONCE = 16, /* tasks of a round; not the number of threads */
    ENOUGH_TASKS = 64
};

/* ---- Hands -------------------------------------------------------------------------- */

mgl_status mgl_division_make(mgl_division *division, const mgl_problem *problem, mgl_error *err)
{
    *division = (mgl_division){.problem = problem};
    division->hands = mgl_zeroed_array(mgl_pool_threads(problem->pool), sizeof *division->hands);
    return division->hands != NULL ? MGL_OK : mgl_fail_memory(err);
}

void mgl_division_free(mgl_division *division)
{
    mgl_free(division->hands);
}

mgl_status mgl_division_pause(mgl_division *d, mgl_hand *hand, mgl_error *err)
{
    const mgl_problem *p = d->problem;
    mgl_status status = MGL_OK;
    double now = mgl_sys_seconds();
    pthread_mutex_lock(&d->lock);
    d->n_checked += hand->checked - hand->told;
    hand->told = hand->checked;
    d->timed_out = d->timed_out || (p->deadline > 0 && now > p->deadline);
    hand->stopped = d->timed_out;
    if (now - d->reported >= 0.05) {
        d->reported = now;
        status = mgl_progress_report(p->progress, "search", d->n_checked, d->n_nodes, err);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

/* ---- Tasks -------------------------------------------------------------------------- */

/* What one task found. */
typedef struct task {
    mgl_status status;
    mgl_error error;
    mgl_ties ties;
    uint64_t checked;
} task;

typedef struct tasks {
    mgl_division *division;
    mgl_divided_fn *search;
    size_t n_columns; /* a task fixes the levels of this many */
    uint64_t n, first;
    task round[AT_ONCE];
} tasks;

/* Depends on the problem alone. */
static void divide(tasks *t, double little_work)
{
    const mgl_division *d = t->division;
    t->n = 1;
    while (d->work > little_work && t->n < ENOUGH_TASKS && t->n_columns < d->most_columns)
        t->n *= d->highest[t->n_columns++] + 1u;
}

static void run_task(void *context, size_t number, unsigned thread)
{
    tasks *t = context;
    const mgl_division *d = t->division;
    task *one = &t->round[number];
    mgl_hand *hand = &d->hands[thread];
    uint8_t levels[t->n_columns + 1];
    uint64_t left = t->first + number;
    for (size_t c = t->n_columns; c-- > 0;) { /* the highest levels first */
        size_t n = d->highest[c] + 1u;
        levels[c] = (uint8_t)(n - 1 - left % n);
        left /= n;
    }
    *hand = (mgl_hand){.ties = one->ties, .stopped = hand->stopped};
    one->status = t->search(d->context, thread, levels, t->n_columns, &one->error);
    one->ties = hand->ties;
    one->checked = hand->checked;
    hand->ties = (mgl_ties){0};
}

static mgl_status run_round(tasks *t, mgl_optimum *out, mgl_error *err)
{
    const mgl_problem *p = t->division->problem;
    size_t m = p->list->n_attributes;
    size_t n = t->n - t->first < AT_ONCE ? (size_t)(t->n - t->first) : AT_ONCE;
    for (size_t i = 0; i < n; i++) {
        t->round[i] = (task){0};
        mgl_ties_init(&t->round[i].ties, m);
        t->round[i].ties.best = out->ties.best;
    }
    mgl_pool_run(p->pool, n, run_task, t);
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < n; i++) {
        task *one = &t->round[i];
        if (status == MGL_OK && one->status != MGL_OK) {
            status = one->status;
            if (err != NULL)
                *err = one->error;
        }
        for (size_t j = 0; j < one->ties.n && status == MGL_OK; j++)
            status = mgl_ties_add(&out->ties, one->ties.nodes + j * m, one->ties.costs[j], err);
        out->checked += one->checked;
        mgl_ties_free(&one->ties);
    }
    t->first += n;
    return status;
}

static mgl_status run(mgl_division *d, mgl_divided_fn *search, double little_work, mgl_error *err,
                      mgl_optimum *out)
{
    const mgl_problem *p = d->problem;
    tasks t = {.division = d, .search = search};
    divide(&t, little_work);
    d->n_nodes = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    d->reported = mgl_sys_seconds();
    pthread_mutex_init(&d->lock, NULL);
    mgl_status status = MGL_OK;
    while (t.first < t.n && status == MGL_OK && !d->timed_out)
        status = run_round(&t, out, err);
    pthread_mutex_destroy(&d->lock);
    out->timed_out = d->timed_out;
    return status;
}

/* ---- Order of the answers ----------------------------------------------------------- */

static bool comes_after(const mgl_ties *ties, size_t a, size_t b)
{
    const uint32_t *x = ties->nodes + a * ties->n_attributes;
    const uint32_t *y = ties->nodes + b * ties->n_attributes;
    for (size_t i = 0; i < ties->n_attributes; i++)
        if (x[i] != y[i])
            return x[i] > y[i];
    return false;
}

static void swap_ties(mgl_ties *ties, size_t a, size_t b)
{
    double cost = ties->costs[a];
    ties->costs[a] = ties->costs[b];
    ties->costs[b] = cost;
    for (size_t i = 0; i < ties->n_attributes; i++) {
        uint32_t *x = &ties->nodes[a * ties->n_attributes + i];
        uint32_t *y = &ties->nodes[b * ties->n_attributes + i];
        uint32_t level = *x;
        *x = *y;
        *y = level;
    }
}

/* A heap sort in place. */
static void sort_ties(mgl_ties *ties)
{
    for (size_t start = ties->n / 2, end = ties->n; end > 1;) {
        if (start > 0)
            start--;
        else
            swap_ties(ties, 0, --end);
        for (size_t at = start, child; (child = 2 * at + 1) < end; at = child) {
            child += child + 1 < end && comes_after(ties, child + 1, child);
            if (!comes_after(ties, child, at))
                break;
            swap_ties(ties, child, at);
        }
    }
}

/* ---- The whole ---------------------------------------------------------------------- */

/* *done is false if the problem is too exotic. */
static mgl_status search_all(const mgl_divided *type, const mgl_problem *problem,
                             const mgl_marking *marking, double little_work, mgl_error *err,
                             mgl_optimum *out, bool *done)
{
    mgl_division *division = NULL;
    MGL_TRY(type->begin(problem, marking, err, &division));
    *done = division != NULL;
    if (!*done)
        return MGL_OK;
    out->checked = 0;
    out->timed_out = false;
    mgl_status status =
        division->empty ? MGL_OK : run(division, type->search, little_work, err, out);
    type->free(division);
    return status;
}

mgl_status mgl_divided_optimum(const mgl_divided *type, const mgl_problem *problem,
                               double little_work, mgl_error *err, mgl_optimum *out)
{
    bool done;
    MGL_TRY(search_all(type, problem, NULL, little_work, err, out, &done));
    if (!done)
        return mgl_sweep_optimum(problem, err, out);
    sort_ties(&out->ties);
    return MGL_OK;
}

mgl_status mgl_divided_holding(const mgl_divided *type, const mgl_problem *problem, bool above,
                               double little_work, mgl_error *err, uint8_t *holds,
                               uint64_t *checked)
{
    mgl_optimum found = {0};
    mgl_marking marking = {holds, above};
    bool done;
    mgl_ties_init(&found.ties, problem->list->n_attributes);
    memset(holds, 0,
           mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes));
    mgl_status status = search_all(type, problem, &marking, little_work, err, &found, &done);
    mgl_ties_free(&found.ties);
    *checked = found.checked;
    if (status == MGL_OK && !done)
        status = mgl_sweep_holding(problem, err, holds, checked);
    if (status == MGL_OK && found.timed_out)
        return mgl_fail(err, MGL_UNMET,
                        "the time limit came before all nodes were tried; "
                        "raise --time-limit");
    return status == MGL_OK && above ? mgl_mark_above(problem, err, holds) : status;
}
