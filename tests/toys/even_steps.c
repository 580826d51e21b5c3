/* A toy method: all columns go up together, so many levels at a time, until the models hold. */
#include "search/node/take_solution.h"
#include "search/search.h"

/* The node so many levels up; false: it is the last. */
static bool go_up(const mgl_problem *p, uint32_t step, uint32_t *node)
{
    bool higher = false;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        higher = higher || node[a] < p->max_level[a];
        node[a] = p->max_level[a] - node[a] > step ? node[a] + step : p->max_level[a];
    }
    return higher;
}

static mgl_status climb(const mgl_problem *p, mgl_evaluator *evaluator, uint32_t *node,
                        mgl_error *err, mgl_solution *out)
{
    mgl_evaluation found;
    do {
        MGL_TRY(mgl_evaluate_node(evaluator, node, &found));
        out->nodes_checked++;
        if (found.holds)
            return mgl_solution_take_node(out, p, node, err);
    } while (go_up(p, 1, node));
    return mgl_fail_no_node(p, "toy-even", err);
}

static mgl_status run(const mgl_problem *p, mgl_error *err, mgl_solution *out)
{
    size_t m = p->list->n_attributes;
    mgl_evaluator *evaluator;
    uint32_t *node = mgl_alloc_array(m, sizeof *node);
    if (node == NULL)
        return mgl_fail_memory(err);
    memcpy(node, p->min_level, m * sizeof *node);
    mgl_status status = mgl_evaluator_new(p, err, &evaluator);
    if (status == MGL_OK) {
        status = climb(p, evaluator, node, err, out);
        mgl_evaluator_free(evaluator);
    }
    mgl_free(node);
    return status;
}

const mgl_method_type mgl_toy_even = {
    .name = "toy-even",
    .help = "toy: all columns go up together until the models hold",
    .when = "in tests",
    .cost = "one node per level",
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
