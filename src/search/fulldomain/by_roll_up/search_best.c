/* Finds the best nodes: those that can cost least are judged first, until none that is left can be
 * as good as the best. by_roll_up.h has its door. */
#include "search/fulldomain/by_roll_up/by_roll_up.h"
#include "search/fulldomain/by_roll_up/floors.h"

#include <stdlib.h>

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
