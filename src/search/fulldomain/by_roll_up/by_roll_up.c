/* Searches with any models: judges node by node, from lists that are rolled up. */
#include "search/fulldomain/by_roll_up/by_roll_up.h"
#include "search/fulldomain/by_roll_up/floors.h"

#include <stdlib.h>

/* ---- Nodes that hold ------------------------------------------------------------------------- */

/* Marks the nodes that hold, height by height: where holding is monotone, what lies above a node
 * that holds is not judged.
 *
 * Where suppressed rows are kept, holding is not monotone, since few rows are no class that holds.
 * But the rows that must be suppressed become fewer further up: above a node that keeps the limit,
 * a node holds if those that it must suppress are none, or enough for a class. */

/* Beyond, nodes are judged in the order of their numbers, all of them. */
static const uint64_t MOST_NODES = UINT64_C(1) << 24;

typedef struct marks {
    const mgl_problem *problem;
    size_t m;
    uint64_t size;
    bool rising;     /* nodes above one that holds do, or count as if they did */
    uint64_t enough; /* see mgl_rows_enough */
    uint8_t *within; /* [size] models have no more rows suppressed than the limit allows; NULL: not
                        looked at */
    mgl_row_floors rows;
    mgl_batch *batch;
    size_t *start;     /* [height + 2] where the nodes of each height lie */
    uint32_t *numbers; /* [size] by height, then by number */
    uint64_t *step;    /* [m] what a level adds to a number */
    uint32_t *node;    /* [m] */
    uint32_t *nodes;   /* of those that are to be judged */
    uint32_t *open;    /* their numbers */
    mgl_judged *judged;
    size_t room, open_room, judged_room;
    uint8_t *holds;
    uint64_t checked;
    bool timed_out;
} marks;

/* ---- Nodes by height ------------------------------------------------------------------------ */

static uint64_t height_of(const marks *s)
{
    return mgl_node_height(s->node, s->m) - mgl_node_height(s->problem->min_level, s->m);
}

static mgl_status sort_by_height(marks *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t heights =
        mgl_node_height(p->max_level, s->m) - mgl_node_height(p->min_level, s->m) + 1;
    s->start = mgl_zeroed_array(heights + 2, sizeof *s->start);
    s->numbers = mgl_alloc_array(s->size, sizeof *s->numbers);
    if (s->start == NULL || s->numbers == NULL)
        return mgl_fail_memory(err);
    memcpy(s->node, p->min_level, s->m * sizeof *s->node);
    do
        s->start[height_of(s) + 2]++;
    while (mgl_lattice_next(s->node, p->min_level, p->max_level, s->m));
    for (uint64_t h = 0; h < heights; h++)
        s->start[h + 2] += s->start[h + 1];
    memcpy(s->node, p->min_level, s->m * sizeof *s->node);
    for (uint32_t number = 0; number < s->size; number++) {
        s->numbers[s->start[height_of(s) + 1]++] = number; /* moves starts to where they belong */
        mgl_lattice_next(s->node, p->min_level, p->max_level, s->m);
    }
    return MGL_OK;
}

/* ---- One height ------------------------------------------------------------------------------ */

/* Is a node just below marked? */
static bool is_above(const marks *s, const uint8_t *marked, uint32_t number)
{
    for (size_t a = 0; a < s->m; a++)
        if (s->node[a] > s->problem->min_level[a] && marked[number - s->step[a]])
            return true;
    return false;
}

/* What is known of a node without a look. */
static uint8_t mark_known(marks *s, uint32_t number)
{
    if (s->rising && is_above(s, s->holds, number))
        return MGL_HOLDS;
    uint64_t rows = mgl_row_floor_of(&s->rows, s->node);
    if (rows > s->problem->limit)
        return MGL_HOLDS_NOT;
    if (s->rows.exact && rows == 0)
        return MGL_HOLDS;
    bool within = s->within != NULL && is_above(s, s->within, number);
    if (within)
        s->within[number] = true;
    return within && rows >= s->enough ? MGL_HOLDS : MGL_HOLDS_OPEN;
}

static bool make_room(marks *s, size_t n)
{
    return mgl_grow(&s->nodes, &s->room, n * s->m, sizeof *s->nodes) &&
           mgl_grow(&s->open, &s->open_room, n, sizeof *s->open) &&
           mgl_grow(&s->judged, &s->judged_room, n, sizeof *s->judged);
}

static mgl_status mark_height(marks *s, size_t h, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t n = 0;
    if (!make_room(s, s->start[h + 1] - s->start[h]))
        return mgl_fail_memory(err);
    for (size_t i = s->start[h]; i < s->start[h + 1]; i++) {
        uint32_t number = s->numbers[i];
        mgl_lattice_node(number, p->min_level, p->max_level, s->m, s->node);
        s->holds[number] = mark_known(s, number);
        if (s->within != NULL && s->holds[number] == MGL_HOLDS)
            s->within[number] = true;
        if (s->holds[number] != MGL_HOLDS_OPEN)
            continue;
        memcpy(s->nodes + n * s->m, s->node, s->m * sizeof *s->node);
        s->open[n++] = number;
    }
    if (n == 0)
        return MGL_OK;
    MGL_TRY(mgl_batch_run(s->batch, s->nodes, n, err, s->judged, &s->timed_out));
    s->checked += n;
    for (size_t i = 0; i < n; i++) {
        s->holds[s->open[i]] = s->judged[i].holds ? MGL_HOLDS : MGL_HOLDS_NOT;
        if (s->within != NULL && s->judged[i].holds)
            s->within[s->open[i]] = true;
    }
    return MGL_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

static mgl_status mark_all(marks *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t step = 1;
    s->node = mgl_alloc_array(s->m, sizeof *s->node);
    s->step = mgl_alloc_array(s->m, sizeof *s->step);
    if (s->node == NULL || s->step == NULL)
        return mgl_fail_memory(err);
    for (size_t a = s->m; a-- > 0; step *= (uint64_t)p->max_level[a] - p->min_level[a] + 1)
        s->step[a] = step;
    MGL_TRY(sort_by_height(s, err));
    MGL_TRY(mgl_batch_new(p, err, &s->batch));
    mgl_batch_without_costs(s->batch);
    MGL_TRY(mgl_row_floors_make(p, err, &s->rows, &s->timed_out));
    s->enough = s->rising ? 0 : mgl_rows_enough(&s->rows);
    if (s->enough > 0 && (s->within = mgl_zeroed_array(s->size, 1)) == NULL)
        return mgl_fail_memory(err);
    for (size_t h = 0; s->start[h] < s->size && !s->timed_out; h++)
        MGL_TRY(mark_height(s, h, err));
    return MGL_OK;
}

static void forget(marks *s)
{
    mgl_batch_free(s->batch);
    mgl_row_floors_free(&s->rows);
    mgl_free(s->start);
    mgl_free(s->numbers);
    mgl_free(s->step);
    mgl_free(s->node);
    mgl_free(s->nodes);
    mgl_free(s->open);
    mgl_free(s->judged);
    mgl_free(s->within);
}

static mgl_status take_mark(void *context, uint64_t number, const uint32_t *node,
                            const mgl_evaluation *e, mgl_error *err)
{
    uint8_t *holds = context;
    (void)node, (void)err;
    holds[number] = e->holds ? MGL_HOLDS : MGL_HOLDS_NOT;
    return MGL_OK;
}

/* Of the top node, a history may violate a model by itself that was suppressed further below. */
static bool rises(const mgl_problem *problem)
{
    return problem->histories == NULL && mgl_holding_is_monotone(problem);
}

mgl_status mgl_by_roll_up_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                  uint8_t *holds, uint64_t *checked)
{
    size_t m = problem->list->n_attributes;
    marks s = {.problem = problem,
               .m = m,
               .size = mgl_lattice_size(problem->min_level, problem->max_level, m),
               .rising = above || rises(problem),
               .holds = holds};
    mgl_status status = s.size <= MOST_NODES ? mark_all(&s, err)
                                             : mgl_lattice_visit(problem, take_mark, holds, err,
                                                                 &s.checked, &s.timed_out);
    forget(&s);
    *checked = s.checked;
    if (status == MGL_OK && s.timed_out)
        return mgl_fail_nodes_left(err);
    return status == MGL_OK && above && s.size > MOST_NODES ? mgl_mark_above(problem, err, holds)
                                                            : status;
}

/* ---- The best nodes -------------------------------------------------------------------------- */

/* Finds the best nodes: those that can cost least are judged first, until none that is left can be
 * as good as the best. */

/* So many nodes are put in order at once, and so many judged before the best is looked at again:
 * whatever the number of threads. */
enum { NODES_IN_ORDER = 1 << 20, NODES_AT_ONCE = 64 };

typedef struct candidate {
    double floor;
    uint64_t number;
} candidate;

typedef struct search {
    const mgl_problem *problem;
    size_t m;
    mgl_row_floors rows;
    mgl_cost_floors costs;
    mgl_batch *batch;
    uint32_t *node;        /* [m] */
    candidate *candidates; /* [n] ascending */
    size_t n;
    uint32_t *nodes; /* [NODES_AT_ONCE * m] */
    mgl_judged *judged;
    mgl_optimum *out;
} search;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->floor != y->floor)
        return x->floor < y->floor ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Those of the nodes first..end-1 that may be among the best. */
static void list_candidates(search *s, uint64_t first, uint64_t end)
{
    const mgl_problem *p = s->problem;
    double worst = mgl_cost_floor_worst(&s->costs, s->out->ties.best);
    s->n = 0;
    mgl_lattice_node(first, p->min_level, p->max_level, s->m, s->node);
    for (uint64_t number = first; number < end; number++) {
        uint64_t rows = mgl_row_floor_of(&s->rows, s->node);
        double floor = rows <= p->limit ? mgl_cost_floor_of(&s->costs, s->node, rows) : INFINITY;
        if (rows <= p->limit && floor <= worst)
            s->candidates[s->n++] = (candidate){floor, number};
        mgl_lattice_next(s->node, p->min_level, p->max_level, s->m);
    }
    qsort(s->candidates, s->n, sizeof *s->candidates, compare_candidates);
}

static mgl_status judge(search *s, const candidate *candidates, size_t n, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    for (size_t i = 0; i < n; i++)
        mgl_lattice_node(candidates[i].number, p->min_level, p->max_level, s->m,
                         s->nodes + i * s->m);
    MGL_TRY(mgl_batch_run(s->batch, s->nodes, n, err, s->judged, &s->out->timed_out));
    s->out->checked += n;
    for (size_t i = 0; i < n; i++)
        if (s->judged[i].holds)
            MGL_TRY(mgl_ties_add(&s->out->ties, s->nodes + i * s->m, s->judged[i].cost, err));
    return MGL_OK;
}

static mgl_status judge_candidates(search *s, mgl_error *err)
{
    size_t n;
    for (size_t first = 0; first < s->n && !s->out->timed_out; first += n) {
        double worst = mgl_cost_floor_worst(&s->costs, s->out->ties.best);
        for (n = 0; n < NODES_AT_ONCE && first + n < s->n; n++)
            if (s->candidates[first + n].floor > worst)
                break;
        if (n == 0)
            break;
        MGL_TRY(judge(s, s->candidates + first, n, err));
    }
    return MGL_OK;
}

static mgl_status search_all(search *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t size = mgl_lattice_size(p->min_level, p->max_level, s->m);
    if (size > MGL_TOO_MANY_NODES)
        return mgl_refuse_lattice(err);
    s->candidates =
        mgl_alloc_array(size < NODES_IN_ORDER ? size : NODES_IN_ORDER, sizeof *s->candidates);
    if (s->candidates == NULL)
        return mgl_fail_memory(err);
    for (uint64_t first = 0; first < size && !s->out->timed_out; first += NODES_IN_ORDER) {
        uint64_t rest = size - first;
        list_candidates(s, first, first + (rest < NODES_IN_ORDER ? rest : NODES_IN_ORDER));
        MGL_TRY(judge_candidates(s, err));
        s->out->timed_out = s->out->timed_out || (first > 0 && mgl_problem_is_late(p));
    }
    return MGL_OK;
}

mgl_status mgl_by_roll_up_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    size_t m = problem->list->n_attributes;
    search s = {.problem = problem, .m = m, .out = out};
    mgl_status status = MGL_OK;
    out->checked = 0;
    out->timed_out = false;
    s.node = mgl_alloc_array(m, sizeof *s.node);
    s.nodes = mgl_alloc_array(m, NODES_AT_ONCE * sizeof *s.nodes);
    s.judged = mgl_alloc_array(NODES_AT_ONCE, sizeof *s.judged);
    if (s.node == NULL || s.nodes == NULL || s.judged == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_batch_new(problem, err, &s.batch));
    MGL_GO(mgl_cost_floors_make(problem, err, &s.costs));
    MGL_GO(mgl_row_floors_make(problem, err, &s.rows, &out->timed_out));
    if (!out->timed_out)
        MGL_GO(search_all(&s, err));
    mgl_ties_sort(&out->ties);
done:
    mgl_batch_free(s.batch);
    mgl_cost_floors_free(&s.costs);
    mgl_row_floors_free(&s.rows);
    mgl_free(s.node);
    mgl_free(s.nodes);
    mgl_free(s.judged);
    mgl_free(s.candidates);
    return status;
}
