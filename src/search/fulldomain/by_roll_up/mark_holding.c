/* Marks the nodes that hold, height by height: where holding is monotone, what lies above a node
 * that holds is not judged. by_roll_up.h has its door.
 *
 * Where suppressed rows are kept, holding is not monotone, since few rows are no class that holds.
 * But the rows that must be suppressed become fewer further up: above a node that keeps the limit,
 * a node holds if those that it must suppress are none, or enough for a class. */
#include "search/fulldomain/by_roll_up/by_roll_up.h"
#include "search/fulldomain/by_roll_up/floors.h"

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

/* ---- All ---------------------------------------------------------------------------------------
 */

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

/* Of the top node, a past may violate a model by itself that was suppressed further below. */
static bool rises(const mgl_problem *problem)
{
    return problem->pasts == NULL && mgl_holding_is_monotone(problem);
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
