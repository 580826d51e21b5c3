/* The climb's doors: tasks for the threads, and the order of the answers. */
#include "search/climb.h"

#include <stdlib.h>

enum {
    AT_ONCE = 16, /* tasks between two looks at the best; not the number of threads */
    ENOUGH_TASKS = 64
};

/* Classes times nodes of a search that is not worth dividing. */
static const double LITTLE_WORK = 3e8;

/* ---- Pauses ------------------------------------------------------------------------- */

mgl_status mgl_climb_pause(mgl_climb_worker *worker, mgl_error *err)
{
    mgl_climb *climb = worker->climb;
    const mgl_problem *p = climb->frame.problem;
    mgl_status status = MGL_OK;
    double now = mgl_sys_seconds();
    pthread_mutex_lock(&climb->lock);
    climb->n_checked += worker->checked - worker->told;
    worker->told = worker->checked;
    climb->timed_out = climb->timed_out || (p->deadline > 0 && now > p->deadline);
    worker->stopped = climb->timed_out;
    if (now - climb->reported >= 0.05) {
        climb->reported = now;
        status = mgl_progress_report(p->progress, "search", climb->n_checked, climb->n_nodes, err);
    }
    pthread_mutex_unlock(&climb->lock);
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
    mgl_climb *climb;
    size_t n_columns; /* a task fixes the levels of this many */
    uint64_t n, first;
    task round[AT_ONCE];
} tasks;

/* Division into tasks depends on the problem alone, so that the threads do not change how
 * many nodes are looked at. */
static void divide(tasks *t)
{
    const mgl_ladder *frame = &t->climb->frame;
    double work = (double)t->climb->first[frame->n_columns].n;
    for (size_t c = 0; c < frame->n_columns; c++)
        work *= frame->columns[c]->n_levels;
    t->n = 1;
    while (work > LITTLE_WORK && t->n < ENOUGH_TASKS && t->n_columns + 1 < frame->n_columns)
        t->n *= frame->columns[t->n_columns++]->n_levels;
}

static void run_task(void *context, size_t number, unsigned w)
{
    tasks *t = context;
    task *one = &t->round[number];
    mgl_climb_worker *worker = &t->climb->workers[w];
    uint8_t levels[t->n_columns + 1];
    uint64_t left = t->first + number;
    for (size_t c = t->n_columns; c-- > 0;) { /* the highest levels first */
        size_t n = t->climb->frame.columns[c]->n_levels;
        levels[c] = (uint8_t)(n - 1 - left % n);
        left /= n;
    }
    worker->ties = one->ties;
    worker->checked = worker->told = 0;
    one->status = mgl_climb_search(worker, levels, t->n_columns, &one->error);
    one->ties = worker->ties;
    one->checked = worker->checked;
    worker->ties = (mgl_ties){0};
}

static mgl_status run_round(tasks *t, mgl_optimum *out, mgl_error *err)
{
    const mgl_problem *p = t->climb->frame.problem;
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

static mgl_status run(mgl_climb *climb, mgl_optimum *out, mgl_error *err)
{
    const mgl_problem *p = climb->frame.problem;
    tasks t = {.climb = climb};
    divide(&t);
    climb->n_nodes = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    climb->reported = mgl_sys_seconds();
    pthread_mutex_init(&climb->lock, NULL);
    mgl_status status = MGL_OK;
    while (t.first < t.n && status == MGL_OK && !climb->timed_out)
        status = run_round(&t, out, err);
    pthread_mutex_destroy(&climb->lock);
    out->timed_out = climb->timed_out;
    return status;
}

/* ---- Order of the answers ----------------------------------------------------------- */

typedef struct numbered {
    uint64_t number;
    double cost;
} numbered;

static int compare_numbers(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Lexicographic, as a sweep would find them. */
static mgl_status sort_ties(mgl_ties *ties, const mgl_problem *p, mgl_error *err)
{
    size_t m = ties->n_attributes;
    numbered *order = mgl_alloc_array(ties->n, sizeof *order);
    if (order == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < ties->n; i++) {
        order[i] = (numbered){0, ties->costs[i]};
        for (size_t a = 0; a < m; a++)
            order[i].number = order[i].number * ((uint64_t)p->max_level[a] - p->min_level[a] + 1) +
                              (ties->nodes[i * m + a] - p->min_level[a]);
    }
    qsort(order, ties->n, sizeof *order, compare_numbers);
    for (size_t i = 0; i < ties->n; i++) {
        ties->costs[i] = order[i].cost;
        mgl_lattice_node(order[i].number, p->min_level, p->max_level, m, ties->nodes + i * m);
    }
    mgl_free(order);
    return MGL_OK;
}

/* ---- The doors ---------------------------------------------------------------------- */

mgl_status mgl_climb_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    mgl_climb *climb = NULL;
    MGL_TRY(mgl_climb_new(problem, NULL, err, &climb));
    if (climb == NULL)
        return mgl_sweep_optimum(problem, err, out);
    out->checked = 0;
    out->timed_out = false;
    mgl_status status = climb->frame.impossible ? MGL_OK : run(climb, out, err);
    mgl_climb_free(climb);
    return status == MGL_OK ? sort_ties(&out->ties, problem, err) : status;
}

mgl_status mgl_climb_holding(const mgl_problem *problem, mgl_error *err, uint8_t *holds,
                             uint64_t *checked)
{
    mgl_climb *climb = NULL;
    MGL_TRY(mgl_climb_new(problem, holds, err, &climb));
    if (climb == NULL)
        return mgl_sweep_holding(problem, err, holds, checked);
    mgl_optimum found = {0};
    mgl_ties_init(&found.ties, problem->list->n_attributes);
    memset(holds, 0,
           mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes));
    mgl_status status = climb->frame.impossible ? MGL_OK : run(climb, &found, err);
    mgl_ties_free(&found.ties);
    mgl_climb_free(climb);
    *checked = found.checked;
    if (status == MGL_OK && found.timed_out)
        return mgl_fail(err, MGL_UNMET,
                        "the time limit came before all nodes were tried; "
                        "raise --time-limit");
    return status;
}
