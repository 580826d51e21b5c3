/* Lower bounds of the measures, from levels and the number of suppressed rows.
 *
 * All measures only grow when a level rises or another row is suppressed; complementary
 * suppression moves more rows to the top and is the same case. So a node costs at least
 * what its columns cost at lower levels with the rows suppressed that a coarser node must
 * suppress. */
#include "search/fulldomain/by_size/counts.h"

/* Rounding must never exclude a node that ties. */
static const double SLACK = 1e-9;

static double mean_original_bits(const mgl_ladder *ladder)
{
    double sum = 0;
    for (size_t a = 0; a < ladder->problem->list->n_attributes; a++)
        sum += ladder->problem->costs->original_bits[a];
    return sum / (double)ladder->n_rows;
}

static double on_scale(const mgl_ladder *ladder, double cost)
{
    double n = (double)ladder->n_rows;
    size_t m = ladder->problem->list->n_attributes;
    switch (ladder->measure) {
    case MGL_COST_SUM:
        if (ladder->problem->measure->higher_is_better)
            return 1 + cost; /* the cost is the negative measure, 1 minus the mean */
        if (ladder->cells == MGL_CELLS_BITS)
            return cost / n + mean_original_bits(ladder);
        return cost;
    case MGL_COST_PRODUCT:
        return pow(cost + 1, (double)m);
    case MGL_COST_TUPLES:
        return log2(cost);
    case MGL_COST_SQUARES:
        return cost / n / n;
    case MGL_COST_CLASSES:
        return -1 / cost;
    case MGL_COST_LOGS:
        return n > 1 ? cost * log2(n) + ladder->problem->costs->original_log_sum / n : 0;
    case MGL_COST_LEVELS:
    case MGL_COST_MAJORITY:
    case MGL_COST_UNKNOWN:
        break;
    }
    return cost;
}

double mgl_ladder_worst(const mgl_ladder *ladder, double best)
{
    if (best == INFINITY)
        return INFINITY;
    double worst = on_scale(ladder, best);
    return worst + SLACK * (1 + fabs(worst));
}

/* ---- Cells ------------------------------------------------------------------------ */

/* Suppressing so many rows of the column costs least if they have the values whose
 * suppression costs least. */
static inline double cheapest(const mgl_ladder_level *level, double rows)
{
    double sum = 0;
    const mgl_ladder_step *step = level->steps;
    for (; rows > step->rows; step++) {
        sum += step->rows * step->penalty;
        rows -= step->rows;
    }
    return sum + rows * step->penalty;
}

static const mgl_ladder_level *level_of(const mgl_ladder *ladder, const uint8_t *levels, size_t b,
                                        size_t i)
{
    const mgl_ladder_block *block = &ladder->block;
    if (i < block->n_columns)
        return &block->columns[i]->levels[block->nodes[b].levels[i]];
    return &ladder->columns[i - block->n_columns]->levels[levels[i - block->n_columns]];
}

/* The suppressed rows lie in classes of at most so many rows, mostly k-1, and their tuples have
 * an entropy of at least log2(rows/(k-1)); guessing their cells column by column cannot cost
 * less. */
static double least_bits(const mgl_ladder *ladder, double rows)
{
    if (ladder->cells != MGL_CELLS_BITS || rows == 0)
        return 0;
    return rows * log2(rows / (double)ladder->largest_small) / (double)ladder->n_rows;
}

static double bound_sum(const mgl_ladder *ladder, const uint8_t *levels, size_t b, double rows)
{
    double base = 0, penalty = 0;
    for (size_t i = 0; i < ladder->block.n_columns + ladder->n_columns; i++) {
        const mgl_ladder_level *level = level_of(ladder, levels, b, i);
        base += level->base;
        penalty += cheapest(level, rows);
    }
    double least = least_bits(ladder, rows);
    return base + (least > penalty ? least : penalty);
}

static double bound_product(const mgl_ladder *ladder, const uint8_t *levels, size_t b, double rows)
{
    double product = 1;
    for (size_t i = 0; i < ladder->block.n_columns + ladder->n_columns; i++) {
        const mgl_ladder_level *level = level_of(ladder, levels, b, i);
        product *= 1 + level->base + cheapest(level, rows);
    }
    return product;
}

static double bound_height(const mgl_ladder *ladder, const uint8_t *levels, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < ladder->block.n_columns; i++)
        sum += ladder->block.columns[i]->low + ladder->block.nodes[b].levels[i];
    for (size_t c = 0; c < ladder->n_columns; c++)
        sum += ladder->columns[c]->low + levels[c];
    return sum;
}

/* ---- Sizes of classes --------------------------------------------------------------- */

/* x log2 x of the suppressed rows, log2 k for each of the others; the more are suppressed
 * the higher, once they are more than k/e. */
static double bound_entropy(const mgl_ladder *ladder, double rows)
{
    double n = (double)ladder->n_rows, k = (double)ladder->k;
    if (n <= 1)
        return 0;
    double least = fmin(fmax(rows, k / exp(1)), n);
    double sum = least * log2(least) + (n - least) * log2(k);
    return fmax(sum, ladder->problem->costs->original_log_sum) / n;
}

double mgl_ladder_bound_by_floor(const mgl_ladder *ladder, const mgl_ladder_counts *finest,
                                 size_t b, uint64_t rows)
{
    double n = (double)ladder->n_rows, k = (double)ladder->k;
    double least = (double)rows, most = (double)finest->rows[b];
    if (ladder->measure == MGL_COST_CLASSES)
        return -((double)finest->classes[b] + floor((most - least) / k) + 1) / n;
    if (ladder->measure == MGL_COST_SQUARES)
        return (finest->sum[b] + k * (most - least) + n * least) / n / n;
    double top = fmax(fmin(k / exp(1), most), least);
    double sum = finest->sum[b] + (most - top) * log2(k) + (top > 0 ? top * log2(top) : 0);
    return n > 1 ? sum / n : 0;
}

double mgl_ladder_bound(const mgl_ladder *ladder, const uint8_t *levels, size_t b, uint64_t rows)
{
    double n = (double)ladder->n_rows, k = (double)ladder->k, s = (double)rows;
    switch (ladder->measure) {
    case MGL_COST_SUM:
    case MGL_COST_TUPLES: /* the mean of products is at least the product of means of logs */
        return bound_sum(ladder, levels, b, s);
    case MGL_COST_PRODUCT:
        return bound_product(ladder, levels, b, s);
    case MGL_COST_SQUARES:
        return (n * s + fmin(k, n) * (n - s)) / n / n;
    case MGL_COST_CLASSES:
        return -(floor((n - s) / k) + 1) / n;
    case MGL_COST_LOGS:
        return bound_entropy(ladder, s);
    case MGL_COST_LEVELS:
        return bound_height(ladder, levels, b);
    case MGL_COST_MAJORITY:
        return fmax(s, (double)ladder->least_misclassified) / n;
    case MGL_COST_UNKNOWN:
        break;
    }
    return 0;
}

/* ---- Linear bounds ---------------------------------------------------------------------- */

double mgl_ladder_surplus_of(const mgl_ladder_column *column, size_t level, uint32_t value)
{
    const mgl_ladder_level *l = &column->levels[level];
    return l->weight * (column->penalty[value] - l->steps[0].penalty);
}

/* Products are taken as sums of logarithms. log(1 + base + penalty) is concave: up to the
 * penalty of line_rows rows it lies above a straight line, whose slope is the weight; more
 * rows count as line_rows of them. */
static bool draw_level(mgl_ladder *ladder, const mgl_ladder_column *column, size_t l)
{
    mgl_ladder_level *level = &column->levels[l];
    level->line = (mgl_ladder_line){0, 0};
    if (ladder->measure == MGL_COST_LEVELS)
        level->line.base = (double)column->low + (double)l;
    if (ladder->cells == MGL_CELLS_NONE)
        return true;
    level->weight = 1;
    level->line.base = level->base;
    if (ladder->measure == MGL_COST_PRODUCT) {
        double most = ladder->line_rows * column->most_penalty;
        level->weight = most > 0 ? (log1p(level->base + most) - log1p(level->base)) / most : 0;
        level->line.base = log1p(level->base);
    }
    level->line.slope = level->weight * level->steps[0].penalty;
    if (level->uniform || level->n_codes == 0)
        return true;
    double *surplus = mgl_arena_alloc(ladder->arena, level->n_codes * sizeof *surplus);
    for (size_t code = 0; surplus != NULL && code < level->n_codes; code++)
        surplus[code] = mgl_ladder_surplus_of(column, l, level->value_of_code[code]);
    level->surplus_of_code = surplus;
    return surplus != NULL;
}

/* What does not depend on levels. */
static mgl_ladder_line common_line(const mgl_ladder *ladder)
{
    double n = (double)ladder->n_rows, k = (double)ladder->k;
    switch (ladder->measure) {
    case MGL_COST_SQUARES:
        return (mgl_ladder_line){fmin(k, n) / n, (n - fmin(k, n)) / n / n};
    case MGL_COST_CLASSES:
        return (mgl_ladder_line){-(n / k + 1) / n, 1 / k / n};
    case MGL_COST_MAJORITY:
        return (mgl_ladder_line){0, 1 / n};
    case MGL_COST_LOGS:
        return (mgl_ladder_line){-INFINITY, 0};
    default:
        return (mgl_ladder_line){0, 0};
    }
}

static void draw_block(mgl_ladder *ladder)
{
    mgl_ladder_block *block = &ladder->block;
    memset(block->surplus, 0, sizeof block->surplus);
    for (size_t b = 0; b < block->n_nodes; b++) {
        mgl_ladder_node *node = &block->nodes[b];
        node->line = common_line(ladder);
        for (size_t i = 0; i < block->n_columns; i++) {
            const mgl_ladder_column *column = block->columns[i];
            const mgl_ladder_level *level = &column->levels[node->levels[i]];
            node->line.base += level->line.base;
            node->line.slope += level->line.slope;
            for (size_t g = 0; g < node->n_groups && ladder->cells != MGL_CELLS_NONE; g++)
                block->surplus[node->first_row + g] += mgl_ladder_surplus_of(
                    column, node->levels[i], block->values[node->first_row + g][i]);
        }
    }
}

mgl_status mgl_ladder_lines_make(mgl_ladder *ladder, mgl_error *err)
{
    ladder->line_rows = (double)ladder->n_rows;
    if (ladder->measure == MGL_COST_PRODUCT)
        ladder->line_rows = fmin((double)ladder->limit, (double)ladder->n_rows / 8);
    for (size_t a = 0; a < ladder->problem->list->n_attributes; a++)
        for (size_t l = 0; l < ladder->all[a].n_levels; l++)
            if (!draw_level(ladder, &ladder->all[a], l))
                return mgl_fail_memory(err);
    draw_block(ladder);
    return MGL_OK;
}

mgl_ladder_line mgl_ladder_line_of(const mgl_ladder *ladder, const uint8_t *levels, size_t b)
{
    mgl_ladder_line line = ladder->block.nodes[b].line;
    for (size_t c = 0; c < ladder->n_columns; c++) {
        line.base += ladder->columns[c]->levels[levels[c]].line.base;
        line.slope += ladder->columns[c]->levels[levels[c]].line.slope;
    }
    return line;
}

double mgl_ladder_line_at(const mgl_ladder *ladder, mgl_ladder_line line, uint64_t rows,
                          double surplus)
{
    double n = (double)rows, penalty = line.slope * n + surplus;
    return line.base + (n > ladder->line_rows ? penalty * (ladder->line_rows / n) : penalty);
}

double mgl_ladder_worst_line(const mgl_ladder *ladder, double worst)
{
    if (ladder->measure == MGL_COST_PRODUCT && worst < INFINITY)
        return log(worst) + SLACK;
    return worst;
}
