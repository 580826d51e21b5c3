/* Lower bounds of the measures, from levels and the number of suppressed rows.
 *
 * All measures only grow when a level rises or another row is suppressed; complementary
 * suppression moves more rows to the top and is the same case. So a node costs at least
 * what its columns cost at lower levels with the rows suppressed that a coarser node must
 * suppress. */
#include "search/ladder.h"

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
    case MGL_LADDER_SUM:
        if (ladder->cells == MGL_LADDER_DISTORTION)
            return 1 + cost; /* the cost is the negative precision */
        if (ladder->cells == MGL_LADDER_BITS)
            return cost / n + mean_original_bits(ladder);
        return cost;
    case MGL_LADDER_PRODUCT:
        return pow(cost + 1, (double)m);
    case MGL_LADDER_AMBIGUITY:
        return log2(cost);
    case MGL_LADDER_DISCERNIBILITY:
        return cost / n / n;
    case MGL_LADDER_CLASSES:
        return -1 / cost;
    case MGL_LADDER_ENTROPY:
        return n > 1 ? cost * log2(n) + ladder->problem->costs->original_log_sum / n : 0;
    case MGL_LADDER_HEIGHT:
    case MGL_LADDER_CLASSIFICATION:
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

static inline double penalty_of(const mgl_ladder_column *column, const mgl_ladder_level *level,
                                double rows, const double *penalties)
{
    double least = cheapest(level, rows);
    return penalties != NULL && penalties[column->attribute] > least
               ? penalties[column->attribute]
               : least;
}

static const mgl_ladder_level *level_of(const mgl_ladder *ladder, const uint8_t *levels,
                                        size_t b, size_t i, const mgl_ladder_column **column)
{
    const mgl_ladder_block *block = &ladder->block;
    if (i < block->n_columns) {
        *column = block->columns[i];
        return &(*column)->levels[block->nodes[b].levels[i]];
    }
    *column = ladder->columns[i - block->n_columns];
    return &(*column)->levels[levels[i - block->n_columns]];
}

/* The suppressed rows lie in classes of at most k-1, so their tuples have an entropy of at
 * least log2(rows/(k-1)); guessing their cells column by column cannot cost less. */
static double least_bits(const mgl_ladder *ladder, double rows)
{
    if (ladder->cells != MGL_LADDER_BITS || rows == 0)
        return 0;
    return rows * log2(rows / (double)(ladder->k - 1)) / (double)ladder->n_rows;
}

static double bound_sum(const mgl_ladder *ladder, const uint8_t *levels, size_t b, double rows,
                        const double *penalties)
{
    double base = 0, penalty = 0;
    for (size_t i = 0; i < ladder->block.n_columns + ladder->n_columns; i++) {
        const mgl_ladder_column *column;
        const mgl_ladder_level *level = level_of(ladder, levels, b, i, &column);
        base += level->base;
        penalty += penalty_of(column, level, rows, penalties);
    }
    double least = least_bits(ladder, rows);
    return base + (least > penalty ? least : penalty);
}

static double bound_product(const mgl_ladder *ladder, const uint8_t *levels, size_t b,
                            double rows, const double *penalties)
{
    double product = 1;
    for (size_t i = 0; i < ladder->block.n_columns + ladder->n_columns; i++) {
        const mgl_ladder_column *column;
        const mgl_ladder_level *level = level_of(ladder, levels, b, i, &column);
        product *= 1 + level->base + penalty_of(column, level, rows, penalties);
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

double mgl_ladder_bound(const mgl_ladder *ladder, const uint8_t *levels, size_t b, uint64_t rows,
                        const double *penalties)
{
    double n = (double)ladder->n_rows, k = (double)ladder->k, s = (double)rows;
    switch (ladder->measure) {
    case MGL_LADDER_SUM:
    case MGL_LADDER_AMBIGUITY: /* the mean of products is at least the product of means of logs */
        return bound_sum(ladder, levels, b, s, penalties);
    case MGL_LADDER_PRODUCT:
        return bound_product(ladder, levels, b, s, penalties);
    case MGL_LADDER_DISCERNIBILITY:
        return (n * s + fmin(k, n) * (n - s)) / n / n;
    case MGL_LADDER_CLASSES:
        return -(floor((n - s) / k) + 1) / n;
    case MGL_LADDER_ENTROPY:
        return bound_entropy(ladder, s);
    case MGL_LADDER_HEIGHT:
        return bound_height(ladder, levels, b);
    case MGL_LADDER_CLASSIFICATION:
        break;
    }
    return fmax(s, (double)ladder->least_misclassified) / n;
}
