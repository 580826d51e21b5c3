/* Tells which nodes around a release with one level per column hold, where the lattice is small
 * enough to be drawn. figures.c calls it. */
#include "findings/figures/figure_kinds.h"

/* More nodes cannot be drawn. More work, in tuples looked at, would be noticed beside the search;
 * for a page one waits longer. */
enum { MOST_NODES = 400, MOST_WORK = 200000, MOST_WORK_FOR_A_PAGE = 40000000 };

typedef struct table {
    uint8_t *holds;       /* [nodes] */
    uint64_t *suppressed; /* [nodes] */
} table;

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)node, (void)err;
    table *t = context;
    t->holds[number] = e->holds;
    t->suppressed[number] = e->suppressed_rows;
    return MGL_OK;
}

static json_t *levels_json(const uint32_t *node, size_t n)
{
    json_t *levels = json_array();
    for (size_t a = 0; a < n; a++)
        mgl_json_append(levels, mgl_json_count(node[a]));
    return levels;
}

/* Nodes as lists of levels, in the order of the columns. */
static mgl_status tell(const mgl_problem *p, const table *t, uint64_t size, mgl_error *err,
                       json_t *object)
{
    size_t n = p->list->n_attributes, n_minimal = 0;
    uint32_t *node = mgl_alloc_array(n, sizeof *node), *minimal = NULL;
    mgl_status status = MGL_OK;
    if (node == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_minimal_nodes(p, t->holds, err, &minimal, &n_minimal));
    json_t *nodes = json_array(), *list = json_array();
    uint64_t holding = 0;
    for (uint64_t v = 0; v < size; v++) {
        json_t *one = json_object();
        mgl_lattice_node(v, p->min_level, p->max_level, n, node);
        mgl_json_set(one, "levels", levels_json(node, n));
        mgl_json_set(one, "holds", json_boolean(t->holds[v]));
        mgl_json_set(one, "suppressed_rows", mgl_json_count(t->suppressed[v]));
        mgl_json_append(nodes, one);
        holding += t->holds[v];
    }
    for (size_t i = 0; i < n_minimal; i++)
        mgl_json_append(list, levels_json(minimal + i * n, n));
    mgl_json_set(object, "holding", mgl_json_count(holding));
    mgl_json_set(object, "nodes", nodes);
    mgl_json_set(object, "minimal", list);
done:
    mgl_free(node);
    mgl_free(minimal);
    return status;
}

/* The search had its own deadline; this may go on until the time limit. */
static mgl_status sweep(const mgl_outcome *outcome, uint64_t size, mgl_error *err, json_t *object)
{
    mgl_problem p = outcome->task->problem;
    table t = {mgl_zeroed_array(size, sizeof *t.holds),
               mgl_zeroed_array(size, sizeof *t.suppressed)};
    uint64_t visited;
    bool timed_out;
    p.deadline = mgl_deadline(outcome->reading->settings);
    mgl_status status = MGL_OK;
    if (t.holds == NULL || t.suppressed == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_lattice_visit(&p, visit, &t, err, &visited, &timed_out));
    if (timed_out)
        mgl_json_set(object, "left_out", json_string("time-limit"));
    else
        MGL_GO(tell(&p, &t, size, err, object));
done:
    mgl_free(t.holds);
    mgl_free(t.suppressed);
    return status;
}

mgl_status mgl_figures_lattice(const mgl_outcome *outcome, mgl_error *err, json_t *figures)
{
    const mgl_problem *p = &outcome->task->problem;
    if (outcome->solution->node == NULL)
        return MGL_OK;
    uint64_t size = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    json_t *object = json_object();
    mgl_json_set(object, "total", mgl_json_count(size));
    mgl_json_set(object, "chosen", levels_json(outcome->solution->node, p->list->n_attributes));
    uint64_t most =
        outcome->reading->settings->saved.report != NULL ? MOST_WORK_FOR_A_PAGE : MOST_WORK;
    mgl_status status = MGL_OK;
    const char *before =
        mgl_progress_within("measure"); /* it goes through nodes as a search does */
    if (size <= MOST_NODES && size * p->list->n_tuples <= most)
        status = sweep(outcome, size, err, object);
    mgl_progress_go_on(before);
    mgl_json_set(figures, "lattice", object);
    return status;
}
