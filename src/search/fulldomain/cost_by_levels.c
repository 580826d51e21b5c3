/* Prices nodes by their levels alone: if nothing may be suppressed, what a node costs by a measure
 * of cells follows from them, and its classes need not be looked at. */
#include "search/fulldomain/optimum.h"

bool mgl_levels_decide(const mgl_problem *problem)
{
    return problem->limit == 0 && problem->list->n_tuples > 0 && mgl_is_by_column(problem->measure);
}

/* What the statistics have for an attribute. */
typedef struct sums {
    double distortion, loss, bits;
} sums;

static void sum_level(const mgl_problem *p, size_t a, uint32_t l, mgl_statistics *s, sums *out)
{
    const mgl_released_column *column = p->columns[a];
    const mgl_level *level = &column->hierarchy->levels[l];
    uint64_t *rows = s->scratch;
    memset(rows, 0, column->n_values * sizeof *rows);
    for (uint32_t v = 0; v < level->n_values; v++) {
        uint32_t value = column->of_leaf[l][level->first_leaf[v]];
        rows[value] = mgl_rows_at(p->costs, column, a, l, v);
    }
    mgl_statistics_column(s, p->costs, a, rows, column->n_values);
    *out = (sums){s->distortion[a], s->loss[a], s->bits[a]};
}

/* Those of all attributes, one level after the other. */
typedef struct level_sums {
    sums *of_level;
    size_t *first; /* [attribute] */
} level_sums;

static mgl_status find_costs(const mgl_problem *p, const uint8_t *holds, const level_sums *levels,
                             uint32_t *node, mgl_statistics *s, mgl_error *err, mgl_ties *ties)
{
    size_t m = p->list->n_attributes;
    memcpy(node, p->min_level, m * sizeof *node);
    s->n_rows = p->list->n_rows;
    s->weights = p->weights;
    s->node = node;
    uint64_t number = 0;
    do {
        if (!holds[number++])
            continue;
        for (size_t a = 0; a < m; a++) {
            const sums *level = &levels->of_level[levels->first[a] + node[a] - p->min_level[a]];
            s->distortion[a] = level->distortion;
            s->loss[a] = level->loss;
            s->bits[a] = level->bits;
        }
        MGL_TRY(mgl_ties_add(ties, node, mgl_measure_cost(p->measure, s), err));
    } while (mgl_lattice_next(node, p->min_level, p->max_level, m));
    return MGL_OK;
}

mgl_status mgl_levels_cost(const mgl_problem *p, const uint32_t *node, mgl_error *err, double *out)
{
    size_t m = p->list->n_attributes;
    mgl_statistics s = {0};
    sums of_level;
    MGL_TRY(mgl_statistics_init(&s, p->columns, m, err));
    for (size_t a = 0; a < m; a++)
        sum_level(p, a, node[a], &s, &of_level); /* the statistics keep it as well */
    s.n_rows = p->list->n_rows;
    s.weights = p->weights;
    s.node = node;
    *out = mgl_measure_cost(p->measure, &s);
    mgl_statistics_free(&s);
    return MGL_OK;
}

mgl_status mgl_levels_best(const mgl_problem *problem, const uint8_t *holds, mgl_error *err,
                           mgl_ties *ties)
{
    size_t m = problem->list->n_attributes, n = 0;
    size_t *first = mgl_alloc_array(m, sizeof *first);
    uint32_t *node = mgl_alloc_array(m, sizeof *node);
    for (size_t a = 0; first != NULL && a < m; a++) {
        first[a] = n;
        n += problem->max_level[a] - problem->min_level[a] + 1;
    }
    sums *of_level = mgl_alloc_array(n, sizeof *of_level);
    mgl_statistics statistics = {0};
    mgl_status status = first == NULL || node == NULL || of_level == NULL
                            ? mgl_fail_memory(err)
                            : mgl_statistics_init(&statistics, problem->columns, m, err);
    if (status == MGL_OK) {
        for (size_t a = 0; a < m; a++)
            for (uint32_t l = problem->min_level[a]; l <= problem->max_level[a]; l++)
                sum_level(problem, a, l, &statistics,
                          &of_level[first[a] + l - problem->min_level[a]]);
        level_sums levels = {of_level, first};
        status = find_costs(problem, holds, &levels, node, &statistics, err, ties);
    }
    mgl_statistics_free(&statistics);
    mgl_free(of_level);
    mgl_free(first);
    mgl_free(node);
    return status;
}
