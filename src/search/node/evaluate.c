/* Evaluates one node plainly: the definition that faster searches are compared with.
 *
 * In this order: tuples are grouped by their released cells; classes that violate a model are
 * suppressed, with several quasi-identifiers until all of them hold; while suppressed rows are kept
 * and violate a model themselves, the smallest class joins them; then the statistics are
 * gathered. */
#include "search/node/node.h"

struct mgl_evaluator {
    const mgl_problem *problem;
    size_t n_tuples, n_attributes;
    uint32_t **leaves;  /* [a][t]; NULL: the caller fills in the cells */
    uint32_t **cells;   /* [a][t] */
    uint32_t *n_values; /* [a] */
    uint32_t *heights;  /* [a] */
    mgl_suppressor *suppressor;
    mgl_classes released; /* the classes of the whole released tuples */
    mgl_statistics statistics;
    mgl_owned own;
};

static mgl_status make_cells(mgl_evaluator *e, mgl_error *err)
{
    const mgl_problem *p = e->problem;
    e->cells = mgl_own_rows(&e->own, e->n_attributes, e->n_tuples, sizeof **e->cells);
    e->n_values = mgl_own_array(&e->own, e->n_attributes, sizeof *e->n_values);
    e->heights = mgl_own_array(&e->own, e->n_attributes, sizeof *e->heights);
    MGL_TRY(mgl_owned_check(&e->own, err));
    for (size_t a = 0; a < e->n_attributes; a++) {
        e->n_values[a] = p->columns[a]->n_values;
        e->heights[a] = p->columns[a]->hierarchy->height;
    }
    return MGL_OK;
}

static mgl_status make_leaves(mgl_evaluator *e, mgl_error *err)
{
    e->leaves = mgl_own_rows(&e->own, e->n_attributes, e->n_tuples, sizeof **e->leaves);
    MGL_TRY(mgl_owned_check(&e->own, err));
    for (size_t a = 0; a < e->n_attributes; a++)
        for (size_t t = 0; t < e->n_tuples; t++)
            e->leaves[a][t] = mgl_list_leaf(e->problem->list, t, a);
    return MGL_OK;
}

mgl_status mgl_evaluator_of_cells(const mgl_problem *problem, mgl_error *err, mgl_evaluator **out)
{
    mgl_evaluator *e;
    MGL_TRY(mgl_new_zeroed(1, sizeof *e, err, &e));
    e->problem = problem;
    e->n_tuples = problem->list->n_tuples;
    e->n_attributes = problem->list->n_attributes;
    mgl_status status = MGL_OK;
    MGL_GO(make_cells(e, err));
    MGL_GO(mgl_suppressor_new(problem, err, &e->suppressor));
    MGL_GO(mgl_classes_init(&e->released, e->n_tuples, e->n_attributes, err));
    MGL_GO(mgl_statistics_init(&e->statistics, problem->columns, e->n_attributes, err));
    *out = e;
    e = NULL;
done:
    mgl_evaluator_free(e);
    return status;
}

mgl_status mgl_evaluator_new(const mgl_problem *problem, mgl_error *err, mgl_evaluator **out)
{
    mgl_evaluator *e;
    MGL_TRY(mgl_evaluator_of_cells(problem, err, &e));
    mgl_status status = make_leaves(e, err);
    if (status != MGL_OK) {
        mgl_evaluator_free(e);
        return status;
    }
    *out = e;
    return MGL_OK;
}

void mgl_evaluator_free(mgl_evaluator *e)
{
    if (e == NULL)
        return;
    mgl_owned_free(&e->own);
    mgl_suppressor_free(e->suppressor);
    mgl_classes_free(&e->released);
    mgl_statistics_free(&e->statistics);
    mgl_free(e);
}

/* Suppressed rows count as rows at the top node under every treatment: what is dropped is
 * lost as well. */
static mgl_status measure(mgl_evaluator *e, const uint32_t *node)
{
    const mgl_problem *p = e->problem;
    mgl_classes_group(&e->released, e->cells, e->n_values, NULL, e->n_attributes, p->list->counts);
    mgl_released_tuples tuples = {
        .n_attributes = e->n_attributes,
        .n_tuples = e->n_tuples,
        .cells = e->cells,
        .first = e->released.first,
        .class_of = e->released.of_tuple,
        .class_sizes = e->released.sizes,
        .n_classes = e->released.n_classes,
    };
    mgl_statistics_gather(&e->statistics, p->costs, p->columns, p->list->n_rows, &tuples, NULL);
    e->statistics.node = node;
    e->statistics.heights = e->heights;
    e->statistics.weights = p->weights;
    e->statistics.k = p->no_k ? 0 : (double)p->k;
    e->statistics.regrouped = p->list->regrouped;
    if (p->label == NULL)
        return MGL_OK;
    return mgl_statistics_label(&e->statistics, p->label, p->columns, &tuples, NULL);
}

uint32_t *const *mgl_evaluator_fit(mgl_evaluator *e)
{
    e->n_tuples = e->problem->list->n_tuples;
    mgl_classes_fit(&e->released, e->n_tuples);
    mgl_suppressor_fit(e->suppressor);
    return e->cells;
}

mgl_status mgl_evaluate_node(mgl_evaluator *e, const uint32_t *node, mgl_evaluation *out)
{
    for (size_t a = 0; a < e->n_attributes; a++) {
        const uint32_t *of_leaf = e->problem->columns[a]->of_leaf[node[a]];
        for (size_t t = 0; t < e->n_tuples; t++)
            e->cells[a][t] = of_leaf[e->leaves[a][t]];
    }
    return mgl_evaluate_cells(e, node, out);
}

void mgl_judge_cells(mgl_evaluator *e, mgl_evaluation *out)
{
    mgl_suppression suppression;
    mgl_suppress(e->suppressor, e->cells, &suppression);
    *out = (mgl_evaluation){
        .holds = suppression.holds && suppression.rows <= e->problem->limit,
        .met = suppression.holds,
        .suppressed_rows = suppression.rows,
        .suppressed = suppression.tuples,
        .cells = e->cells,
    };
}

mgl_status mgl_evaluate_cells(mgl_evaluator *e, const uint32_t *node, mgl_evaluation *out)
{
    const mgl_problem *p = e->problem;
    mgl_judge_cells(e, out);
    for (size_t t = 0; out->suppressed_rows > 0 && t < e->n_tuples; t++)
        if (out->suppressed[t])
            for (size_t a = 0; a < e->n_attributes; a++)
                e->cells[a][t] = p->columns[a]->top;
    MGL_TRY(measure(e, node));
    out->n_classes = e->statistics.n_classes;
    out->cost = mgl_measure_cost(p->measure, &e->statistics);
    out->statistics = &e->statistics;
    return MGL_OK;
}

uint64_t mgl_evaluation_classes(const mgl_problem *problem, const mgl_evaluation *e)
{
    uint64_t top = e->statistics->top_rows, judged = top;
    if (problem->treatment == MGL_DROP)
        judged = top - e->suppressed_rows;
    if (problem->treatment == MGL_EXEMPT)
        judged = top == problem->list->n_rows ? top : 0;
    return e->n_classes + (judged > 0);
}
