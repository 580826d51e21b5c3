/* The ladder's doors: tasks for the threads, and the order of the answers. */
#include "search/ladder.h"

enum {
    AT_ONCE = 16, /* tasks between two looks at the best; not the number of threads */
    ENOUGH_TASKS = 64
};

/* Classes times tables of a search that is not worth dividing. */
#define LITTLE_WORK 3e8

/* ---- Pauses --------------------------------------------------------------------------- */

mgl_status mgl_ladder_pause(mgl_ladder_worker *worker, mgl_error *err)
{
    mgl_ladder *ladder = worker->ladder;
    const mgl_problem *p = ladder->problem;
    mgl_status status = MGL_OK;
    double now = mgl_sys_seconds();
    pthread_mutex_lock(&ladder->lock);
    ladder->n_checked += worker->checked - worker->told;
    worker->told = worker->checked;
    ladder->timed_out = ladder->timed_out || (p->deadline > 0 && now > p->deadline);
    worker->stopped = ladder->timed_out;
    if (now - ladder->reported >= 0.05) {
        ladder->reported = now;
        status =
            mgl_progress_report(p->progress, "search", ladder->n_checked, ladder->n_nodes, err);
    }
    pthread_mutex_unlock(&ladder->lock);
    return status;
}

/* ---- Tasks ------------------------------------------------------------------------------ */

/* What one task found. */
typedef struct task {
    mgl_status status;
    mgl_error error;
    mgl_ties ties;
    uint64_t checked;
} task;

typedef struct tasks {
    mgl_ladder *ladder;
    size_t n_columns; /* a task fixes the levels of this many */
    uint64_t n, first;
    task round[AT_ONCE];
} tasks;

/* Division into tasks depends on the problem alone, so that the threads do not change how
 * many nodes are looked at. */
static void divide(tasks *t, double little_work)
{
    const mgl_ladder *ladder = t->ladder;
    double work = (double)ladder->first[ladder->n_columns].table.n;
    for (size_t c = 0; c < ladder->n_columns; c++)
        work *= ladder->columns[c]->n_levels;
    t->n = 1;
    while (work > little_work && t->n < ENOUGH_TASKS && t->n_columns < ladder->n_columns)
        t->n *= ladder->columns[t->n_columns++]->n_levels;
}

static void run_task(void *context, size_t number, unsigned w)
{
    tasks *t = context;
    task *one = &t->round[number];
    mgl_ladder_worker *worker = &t->ladder->workers[w];
    uint8_t levels[t->n_columns + 1];
    uint64_t left = t->first + number;
    for (size_t c = t->n_columns; c-- > 0;) { /* the highest levels first */
        size_t n = t->ladder->columns[c]->n_levels;
        levels[c] = (uint8_t)(n - 1 - left % n);
        left /= n;
    }
    worker->ties = one->ties;
    worker->checked = worker->told = 0;
    one->status = mgl_ladder_search(worker, levels, t->n_columns, &one->error);
    one->ties = worker->ties;
    one->checked = worker->checked;
    worker->ties = (mgl_ties){0};
}

static mgl_status run_round(tasks *t, mgl_optimum *out, mgl_error *err)
{
    size_t m = t->ladder->problem->list->n_attributes;
    size_t n = t->n - t->first < AT_ONCE ? (size_t)(t->n - t->first) : AT_ONCE;
    for (size_t i = 0; i < n; i++) {
        t->round[i] = (task){0};
        mgl_ties_init(&t->round[i].ties, m);
        t->round[i].ties.best = out->ties.best;
    }
    mgl_pool_run(t->ladder->problem->pool, n, run_task, t);
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

static mgl_status run(mgl_ladder *ladder, double little_work, mgl_optimum *out, mgl_error *err)
{
    const mgl_problem *p = ladder->problem;
    tasks t = {.ladder = ladder};
    divide(&t, little_work);
    ladder->n_nodes = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    ladder->reported = mgl_sys_seconds();
    pthread_mutex_init(&ladder->lock, NULL);
    mgl_status status = MGL_OK;
    while (t.first < t.n && status == MGL_OK && !ladder->timed_out)
        status = run_round(&t, out, err);
    pthread_mutex_destroy(&ladder->lock);
    out->timed_out = ladder->timed_out;
    return status;
}

/* ---- Order of the answers ---------------------------------------------------------- */

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

/* Lexicographic, as a sweep would find them: a heap sort in place. */
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

/* ---- The doors ------------------------------------------------------------------------- */

mgl_status mgl_ladder_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    return mgl_ladder_divided(problem, LITTLE_WORK, err, out);
}

mgl_status mgl_ladder_divided(const mgl_problem *problem, double little_work, mgl_error *err,
                              mgl_optimum *out)
{
    mgl_ladder *ladder = NULL;
    MGL_TRY(mgl_ladder_new(problem, NULL, err, &ladder));
    if (ladder == NULL)
        return mgl_sweep_optimum(problem, err, out);
    out->checked = 0;
    out->timed_out = false;
    mgl_status status = ladder->impossible ? MGL_OK : run(ladder, little_work, out, err);
    mgl_ladder_free(ladder);
    if (status == MGL_OK)
        sort_ties(&out->ties);
    return status;
}

mgl_status mgl_ladder_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                              uint64_t *checked)
{
    mgl_ladder *ladder = NULL;
    MGL_TRY(mgl_ladder_new(problem, holds, err, &ladder));
    if (ladder == NULL)
        return mgl_sweep_holding(problem, err, holds, checked);
    mgl_optimum found = {0};
    mgl_ties_init(&found.ties, problem->list->n_attributes);
    memset(holds, 0,
           mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes));
    mgl_status status = MGL_OK;
    if (!ladder->impossible)
        status = run(ladder, LITTLE_WORK, &found, err);
    mgl_ties_free(&found.ties);
    mgl_ladder_free(ladder);
    *checked = found.checked;
    if (status == MGL_OK && found.timed_out)
        return mgl_fail(err, MGL_UNMET,
                        "the time limit came before all nodes were tried; "
                        "raise --time-limit");
    return status;
}
