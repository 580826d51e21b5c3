/* A toy method: all columns go up together, so many levels at a time, until the models hold. */
#include "search/node/node.h"
#include "search/search.h"

typedef struct even_options {
    uint32_t step;           /* levels at a time */
    const uint32_t *patient; /* [n_attributes] steps in which a column stays where it is */
} even_options;

/* The node so many levels up; false: it is the last. */
static bool go_up(const mgl_problem *p, uint64_t n_steps, uint32_t *node)
{
    const even_options *options = p->options;
    bool higher = false;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint32_t step = options->patient[a] < n_steps ? options->step : 0;
        higher = higher || node[a] < p->max_level[a];
        node[a] = p->max_level[a] - node[a] > step ? node[a] + step : p->max_level[a];
    }
    return higher;
}

static mgl_status climb(const mgl_problem *p, mgl_evaluator *evaluator, uint32_t *node,
                        uint64_t *n_steps, mgl_error *err, mgl_solution *out)
{
    mgl_evaluation found;
    do {
        MGL_TRY(mgl_evaluate_node(evaluator, node, &found));
        out->nodes_checked++;
        if (found.holds)
            return mgl_solution_take_node(out, p, node, err);
    } while (go_up(p, ++*n_steps, node));
    return mgl_fail_no_node(p, "toy-even", err);
}

static mgl_status run(const mgl_problem *p, mgl_error *err, mgl_solution *out)
{
    size_t m = p->list->n_attributes;
    mgl_evaluator *evaluator;
    uint32_t *node = mgl_alloc_array(m, sizeof *node);
    uint64_t *n_steps = out->findings = mgl_zeroed_array(1, sizeof *n_steps);
    if (node == NULL || n_steps == NULL) {
        mgl_free(node);
        return mgl_fail_memory(err);
    }
    memcpy(node, p->min_level, m * sizeof *node);
    mgl_status status = mgl_evaluator_new(p, err, &evaluator);
    if (status == MGL_OK) {
        status = climb(p, evaluator, node, n_steps, err, out);
        mgl_evaluator_free(evaluator);
    }
    mgl_free(node);
    return status;
}

static void report(const void *findings, mgl_findings *out)
{
    mgl_findings_count(out, "toy_steps", *(const uint64_t *)findings);
}

static const mgl_method_option options[] = {
    {.name = "toy-step",
     .value = "N",
     .fallback = "1",
     .help = "toy-even: how many levels at a time",
     .parser = {.kind = MGL_PARSE_SMALL,
                .min = 1,
                .max = 9,
                .wrong = "is no step; give a whole number from 1 to 9"},
     .place = offsetof(even_options, step)},
    {.name = "toy-patience",
     .value = "COLUMN=N,...",
     .fallback = "0",
     .help = "toy-even: steps in which the column stays where it is",
     .by_column = true,
     .parser = {.kind = MGL_PARSE_SMALL, .max = 9, .wrong = "is no number of steps; give 0 to 9"},
     .place = offsetof(even_options, patient)},
};

static const char *const keys[] = {"toy_steps", NULL};

const mgl_method_type mgl_toy_even = {
    .name = "toy-even",
    .help = "toy: all columns go up together until the models hold",
    .when = "in tests",
    .cost = "one node per level",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(even_options),
    .full_domain = true,
    .several_sets = true,
    .run = run,
    .reported = keys,
    .report = report,
};
