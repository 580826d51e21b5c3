/* For a recoding that is saved: its hierarchies with the leaves that did not occur, and what each
 * released text costs, so that the recoding says what becomes of other values. save_recoding.c
 * calls it. */
#include "command/saved_trees.h"

#include <math.h>

/* What a cell pays by the measure of the job, if that adds up over cells and all values have what
 * it looks at; else it pays by its leaves. */
typedef struct prices {
    const mgl_cell_costs *costs;
    mgl_measured_cells cells;
    bool weighted;
} prices;

static bool has_made_values(const mgl_recoding *recoding)
{
    for (size_t a = 0; a < recoding->n_attributes; a++)
        if (recoding->columns[a]->scale != NULL)
            return true;
    return false;
}

static prices prices_of(const mgl_problem *problem, const mgl_recoding *recoding,
                        const mgl_cell_costs *costs)
{
    const mgl_measure_type *measure = problem->measure;
    bool adds_up = measure != NULL && mgl_adds_up(measure);
    bool levels = adds_up && measure->cells == MGL_PAYS_LEVEL;
    mgl_measured_cells cells = adds_up ? measure->cells : MGL_PAYS_LEAVES;
    if (levels && has_made_values(recoding))
        cells = MGL_PAYS_LEAVES;
    return (prices){costs, cells, adds_up && measure->weighted};
}

static double price_of(const prices *p, const mgl_problem *problem, size_t a, uint32_t v)
{
    double *const *by = p->cells == MGL_PAYS_LEVEL  ? p->costs->distortion
                        : p->cells == MGL_PAYS_BITS ? p->costs->log_rows
                                                    : p->costs->loss;
    double price = by[a][v] * (p->weighted ? problem->weights[a] : 1);
    return isfinite(price) && price > 0 ? price : 0;
}

static void tell_label(const mgl_released_column *column, uint32_t v, mgl_saved_label *out)
{
    const mgl_released_value *value = &column->values[v];
    const mgl_scale *scale = column->scale;
    out->level = value->level >= 0 ? (uint32_t)value->level : MGL_NOT_FOUND;
    out->leaves = value->leaves;
    out->first_leaf = value->first_leaf;
    out->low = out->high = NAN;
    if (scale == NULL || v < column->first_made)
        return;
    out->first_leaf = scale->ordered[value->begin];
    out->low = scale->of_leaf[scale->ordered[value->begin]];
    out->high = scale->of_leaf[scale->ordered[value->begin + value->leaves - 1]];
}

static mgl_status take_levels(const mgl_hierarchy *h, mgl_arena *arena, mgl_error *err,
                              mgl_saved_tree *out)
{
    size_t levels = (size_t)h->height + 1;
    out->n_values = mgl_arena_alloc(arena, levels * sizeof *out->n_values);
    out->labels = mgl_arena_alloc(arena, levels * sizeof *out->labels);
    out->of_leaf = mgl_arena_alloc(arena, levels * sizeof *out->of_leaf);
    if (out->n_values == NULL || out->labels == NULL || out->of_leaf == NULL)
        return mgl_fail_memory(err);
    for (size_t l = 0; l < levels; l++) { /* borrowed: they are only written */
        out->n_values[l] = h->levels[l].n_values;
        out->labels[l] = (mgl_span *)h->levels[l].labels;
        out->of_leaf[l] = (uint32_t *)h->levels[l].of_leaf;
    }
    return MGL_OK;
}

/* A builder is a rule unless it looks into a file or at other columns: then the leaves are all
 * there is to it. */
static const char *rule_of(const mgl_hierarchy *h)
{
    bool builder = mgl_hierarchy_is_builder(h->resolved);
    bool alone = builder && mgl_hierarchy_path(h->resolved).size == 0 &&
                 mgl_hierarchy_columns(h->resolved).size == 0;
    return alone ? h->resolved : "";
}

static mgl_status take_tree(const mgl_outcome *outcome, size_t a, const uint32_t *number,
                            mgl_arena *arena, mgl_error *err, mgl_saved_quasi *out)
{
    const mgl_hierarchy *h = outcome->reading->quasi[a].hierarchy;
    const mgl_released_column *column = outcome->solution->recoding->columns[a];
    const uint32_t *node = outcome->solution->node;
    mgl_saved_tree *tree = mgl_arena_alloc(arena, sizeof *tree);
    if (tree == NULL)
        return mgl_fail_memory(err);
    *tree =
        (mgl_saved_tree){.rule = rule_of(h),
                         .scale = column->scale == NULL                      ? 0
                                  : column->scale->kind == MGL_SCALE_NUMBERS ? 1
                                                                             : 2,
                         .height = h->height,
                         .n_leaves = h->n_leaves,
                         .missing_leaf = h->missing_leaf,
                         .level = node != NULL ? node[a] : MGL_NOT_FOUND,
                         .leaf_of = mgl_arena_alloc(arena, out->n_leaves * sizeof *tree->leaf_of),
                         .told = mgl_arena_alloc(arena, out->n_labels * sizeof *tree->told)};
    if (tree->leaf_of == NULL || tree->told == NULL)
        return mgl_fail_memory(err);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        if (number[leaf] != MGL_NOT_FOUND)
            tree->leaf_of[number[leaf]] = leaf;
    for (uint32_t v = 0; v < out->n_labels; v++)
        tell_label(column, v, &tree->told[v]);
    out->tree = tree;
    return take_levels(h, arena, err, tree);
}

mgl_status mgl_saved_trees(const mgl_outcome *outcome, uint32_t *const *number, mgl_arena *arena,
                           mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_problem *problem = &outcome->task->problem;
    const mgl_recoding *recoding = outcome->solution->recoding;
    mgl_cell_costs *own = NULL; /* of values that were made for this release */
    mgl_status status = MGL_OK;
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(problem->list, recoding->columns, problem->pool, err, &own));
    prices p = prices_of(problem, recoding, own != NULL ? own : problem->costs);
    for (size_t a = 0; a < out->n_quasi; a++) {
        MGL_GO(take_tree(outcome, a, number[a], arena, err, &out->quasi[a]));
        for (uint32_t v = 0; v < out->quasi[a].n_labels; v++)
            out->quasi[a].tree->told[v].cost = price_of(&p, problem, a, v);
    }
done:
    mgl_cell_costs_free(own);
    return status;
}
