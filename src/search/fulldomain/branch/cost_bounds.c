/* Bounds the measures from below, from levels and the number of suppressed rows.
 *
 * All measures only grow when a level rises or another row is suppressed; complementary suppression
 * moves more rows to the top and is the same case. So a node costs at least what its columns cost
 * at lower levels with the rows suppressed that a coarser node must suppress. */
#include "search/fulldomain/branch/branch.h"

/* ---- Kinds of measures ----------------------------------------------------------------------- */

/* Finds out what kind of measure a branch and bound has to deal with, and which problems it can
 * deal with at all. */

static double sum_of_weights(const mgl_problem *problem)
{
    double sum = 0;
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        sum += problem->weights[a];
    return sum;
}

/* Can costs be bounded from levels and suppressed rows? */
static bool has_bounds(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    const mgl_measure_type *measure = problem->measure;
    if (list->n_attributes > MGL_MOST_COLUMNS || list->n_tuples == 0 ||
        list->n_rows >= UINT32_MAX || measure->form == MGL_COST_UNKNOWN)
        return false;
    /* Classes are suppressed there because they violate a model, not because of where they are. */
    if (mgl_tops_come_early(problem))
        return false;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (problem->columns[a]->hierarchy->height >= UINT8_MAX - 1)
            return false;
    if ((measure->weighted && !(sum_of_weights(problem) > 0)) || !mgl_distortion_rises(problem))
        return false;
    return measure->form != MGL_COST_MAJORITY || problem->label != NULL;
}

bool mgl_branch_handles(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    return problem->n_sets == 1 && problem->sets[0].n_attributes == list->n_attributes &&
           has_bounds(problem);
}

bool mgl_branch_wants_sizes(const mgl_problem *problem)
{
    mgl_cost_form form = problem->measure->form;
    return form == MGL_COST_SQUARES || form == MGL_COST_LOGS || form == MGL_COST_TUPLES;
}

static void count_misclassified(mgl_branching *branching)
{
    const mgl_sparse *label = branching->problem->label;
    for (size_t t = 0; t < branching->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            branching->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        branching->least_misclassified -= most;
    }
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
mgl_status mgl_branch_measure_make(mgl_branching *branching, mgl_error *err)
{
    const mgl_problem *p = branching->problem;
    const mgl_measure_type *measure = p->measure;
    size_t m = p->list->n_attributes;
    if (branching->holds == NULL) {
        branching->measure = measure->form;
        branching->cells = measure->cells;
        branching->sizes = mgl_branch_wants_sizes(p);
    }
    branching->monotone =
        branching->holds != NULL && (branching->above || mgl_holding_is_monotone(p));
    branching->cell_scale = mgl_arena_alloc(branching->arena, m * sizeof *branching->cell_scale);
    MGL_TRY(mgl_check_memory(branching->cell_scale != NULL, err));
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (branching->holds == NULL && measure->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (branching->measure == MGL_COST_SUM && branching->cells != MGL_PAYS_BITS)
            share = 1 / (double)m;
        branching->cell_scale[a] = share / (double)branching->n_rows;
    }
    if (branching->measure == MGL_COST_MAJORITY)
        count_misclassified(branching);
    return MGL_OK;
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

/* Rounding must never exclude a node that ties. */
static const double SLACK = 1e-9;

static double mean_original_bits(const mgl_branching *branching)
{
    double sum = 0;
    for (size_t a = 0; a < branching->problem->list->n_attributes; a++)
        sum += branching->problem->costs->original_bits[a];
    return sum / (double)branching->n_rows;
}

static double on_scale(const mgl_branching *branching, double cost)
{
    double n = (double)branching->n_rows;
    size_t m = branching->problem->list->n_attributes;
    switch (branching->measure) {
    case MGL_COST_SUM:
        if (branching->problem->measure->higher_is_better)
            return 1 + cost; /* the cost is the negative measure, 1 minus the mean */
        if (branching->cells == MGL_PAYS_BITS)
            return cost / n + mean_original_bits(branching);
        return cost;
    case MGL_COST_PRODUCT:
        return pow(cost + 1, (double)m);
    case MGL_COST_SQUARES:
        return cost / n / n;
    case MGL_COST_CLASSES:
        return -1 / cost;
    case MGL_COST_LOGS:
        return n > 1 ? cost * log2(n) + branching->problem->costs->original_log_sum / n : 0;
    case MGL_COST_TUPLES:
    case MGL_COST_LEVELS:
    case MGL_COST_MAJORITY:
    case MGL_COST_UNKNOWN:
        break;
    }
    return cost;
}

double mgl_branch_worst(const mgl_branching *branching, double best)
{
    if (best == INFINITY)
        return INFINITY;
    double worst = on_scale(branching, best);
    return worst + SLACK * (1 + fabs(worst));
}

/* ---- Cells ------------------------------------------------------------------------ */

/* Suppressing so many rows of the column costs least if they have the values whose
 * suppression costs least. */
static inline double cheapest(const mgl_branch_level *level, double rows)
{
    double sum = 0;
    const mgl_bound_step *step = level->steps;
    for (; rows > step->rows; step++) {
        sum += step->rows * step->penalty;
        rows -= step->rows;
    }
    return sum + rows * step->penalty;
}

static const mgl_branch_level *level_of(const mgl_branching *branching, const uint8_t *levels,
                                        size_t b, size_t i)
{
    const mgl_branch_block *block = &branching->block;
    if (i < block->n_columns)
        return &block->columns[i]->levels[block->nodes[b].levels[i]];
    return &branching->columns[i - block->n_columns]->levels[levels[i - block->n_columns]];
}

/* The suppressed rows lie in classes of at most so many rows, mostly k-1, and their tuples have an
 * entropy of at least log2(rows/(k-1)); guessing their cells column by column cannot cost less. */
static double least_bits(const mgl_branching *branching, double rows)
{
    if (branching->cells != MGL_PAYS_BITS || rows == 0)
        return 0;
    return rows * log2(rows / (double)branching->largest_small) / (double)branching->n_rows;
}

static double bound_sum(const mgl_branching *branching, const uint8_t *levels, size_t b,
                        double rows)
{
    double base = 0, penalty = 0;
    for (size_t i = 0; i < branching->block.n_columns + branching->n_columns; i++) {
        const mgl_branch_level *level = level_of(branching, levels, b, i);
        base += level->base;
        penalty += cheapest(level, rows);
    }
    double least = least_bits(branching, rows);
    return base + (least > penalty ? least : penalty);
}

static double bound_product(const mgl_branching *branching, const uint8_t *levels, size_t b,
                            double rows)
{
    double product = 1;
    for (size_t i = 0; i < branching->block.n_columns + branching->n_columns; i++) {
        const mgl_branch_level *level = level_of(branching, levels, b, i);
        product *= 1 + level->base + cheapest(level, rows);
    }
    return product;
}

/* The mean of products is at least the product of the columns' geometric means; a suppressed row
 * has the widest tuple there is instead of one that is at most as wide as the widest values. */
static double bound_tuples(const mgl_branching *branching, const uint8_t *levels, size_t b,
                           double rows)
{
    double mean = 0, widest = 0, top = 0, n = (double)branching->n_rows;
    for (size_t i = 0; i < branching->block.n_columns + branching->n_columns; i++) {
        const mgl_branch_level *level = level_of(branching, levels, b, i);
        const mgl_branch_column *column = i < branching->block.n_columns
                                              ? branching->block.columns[i]
                                              : branching->columns[i - branching->block.n_columns];
        mean += level->base;
        widest += n * (column->most_penalty - level->steps[0].penalty);
        top += n * column->most_penalty;
    }
    return exp2(mean) + rows / n * (exp2(top) - exp2(widest));
}

static double bound_height(const mgl_branching *branching, const uint8_t *levels, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < branching->block.n_columns; i++)
        sum += branching->block.columns[i]->low + branching->block.nodes[b].levels[i];
    for (size_t c = 0; c < branching->n_columns; c++)
        sum += branching->columns[c]->low + levels[c];
    return sum;
}

/* ---- Sizes of classes --------------------------------------------------------------- */

/* x log2 x of the suppressed rows, log2 k for each of the others; the more are suppressed
 * the higher, once they are more than k/e. */
static double bound_entropy(const mgl_branching *branching, double rows)
{
    double n = (double)branching->n_rows, k = (double)branching->k;
    if (n <= 1)
        return 0;
    double least = fmin(fmax(rows, k / exp(1)), n);
    double sum = least * log2(least) + (n - least) * log2(k);
    return fmax(sum, branching->problem->costs->original_log_sum) / n;
}

double mgl_branch_potential(const mgl_branching *branching, const mgl_branch_counts *counts,
                            size_t b)
{
    double rows = (double)counts->rows[b], k = (double)branching->k;
    switch (branching->measure) {
    case MGL_COST_CLASSES:
        return -((double)counts->classes[b] + rows / k);
    case MGL_COST_SQUARES:
        return counts->sum[b] + rows * k;
    case MGL_COST_LOGS:
        return counts->sum[b] + rows * log2(k);
    default:
        return -INFINITY;
    }
}

double mgl_branch_bound_by_potential(const mgl_branching *branching, double potential,
                                     uint64_t rows)
{
    double n = (double)branching->n_rows, k = (double)branching->k, s = (double)rows;
    switch (branching->measure) {
    case MGL_COST_CLASSES:
        return -(floor(-potential - s / k + SLACK * n) + 1) / n;
    case MGL_COST_SQUARES:
        return (potential + (n - k) * s) / n / n;
    case MGL_COST_LOGS: /* suppressing up to k/e rows makes it cheaper */
        s = fmax(s, k / exp(1));
        return n > 1 ? (potential + s * (log2(s) - log2(k))) / n : 0;
    default:
        return -INFINITY;
    }
}

double mgl_branch_bound(const mgl_branching *branching, const uint8_t *levels, size_t b,
                        uint64_t rows)
{
    double n = (double)branching->n_rows, k = (double)branching->k, s = (double)rows;
    switch (branching->measure) {
    case MGL_COST_SUM:
        return bound_sum(branching, levels, b, s);
    case MGL_COST_TUPLES:
        return bound_tuples(branching, levels, b, s);
    case MGL_COST_PRODUCT:
        return bound_product(branching, levels, b, s);
    case MGL_COST_SQUARES:
        return (n * s + fmin(k, n) * (n - s)) / n / n;
    case MGL_COST_CLASSES:
        return -(floor((n - s) / k) + 1) / n;
    case MGL_COST_LOGS:
        return bound_entropy(branching, s);
    case MGL_COST_LEVELS:
        return bound_height(branching, levels, b);
    case MGL_COST_MAJORITY:
        return fmax(s, (double)branching->least_misclassified) / n;
    case MGL_COST_UNKNOWN:
        break;
    }
    return 0;
}

/* ---- Linear bounds ---------------------------------------------------------------------- */

double mgl_bound_surplus_of(const mgl_branch_column *column, size_t level, uint32_t value)
{
    const mgl_branch_level *l = &column->levels[level];
    return l->weight * (column->penalty[value] - l->steps[0].penalty);
}

/* Products are taken as sums of logarithms; those of tuples are so already, and the mean of
 * products is at least the product of means of logarithms. log(1 + base + penalty) is concave: up
 * to the penalty of line_rows rows it lies above a straight line, whose slope is the weight; more
 * rows count as line_rows of them. */
static bool draw_level(mgl_branching *branching, const mgl_branch_column *column, size_t l)
{
    mgl_branch_level *level = &column->levels[l];
    level->line = (mgl_bound_line){0, 0};
    if (branching->measure == MGL_COST_LEVELS)
        level->line.base = (double)column->low + (double)l;
    if (branching->cells == MGL_PAYS_NONE)
        return true;
    level->weight = 1;
    level->line.base = level->base;
    if (branching->measure == MGL_COST_PRODUCT) {
        double most = branching->line_rows * column->most_penalty;
        level->weight = most > 0 ? (log1p(level->base + most) - log1p(level->base)) / most : 0;
        level->line.base = log1p(level->base);
    }
    level->line.slope = level->weight * level->steps[0].penalty;
    if (level->uniform || level->n_codes == 0)
        return true;
    double *surplus = mgl_arena_alloc(branching->arena, level->n_codes * sizeof *surplus);
    for (size_t code = 0; surplus != NULL && code < level->n_codes; code++)
        surplus[code] = mgl_bound_surplus_of(column, l, level->value_of_code[code]);
    level->surplus_of_code = surplus;
    return surplus != NULL;
}

/* What does not depend on levels. */
static mgl_bound_line common_line(const mgl_branching *branching)
{
    double n = (double)branching->n_rows, k = (double)branching->k;
    switch (branching->measure) {
    case MGL_COST_SQUARES:
        return (mgl_bound_line){fmin(k, n) / n, (n - fmin(k, n)) / n / n};
    case MGL_COST_CLASSES:
        return (mgl_bound_line){-(n / k + 1) / n, 1 / k / n};
    case MGL_COST_MAJORITY:
        return (mgl_bound_line){0, 1 / n};
    case MGL_COST_LOGS:
        return (mgl_bound_line){-INFINITY, 0};
    default:
        return (mgl_bound_line){0, 0};
    }
}

static void draw_block(mgl_branching *branching)
{
    mgl_branch_block *block = &branching->block;
    memset(block->surplus, 0, sizeof block->surplus);
    for (size_t b = 0; b < block->n_nodes; b++) {
        mgl_branch_block_node *node = &block->nodes[b];
        node->line = common_line(branching);
        for (size_t i = 0; i < block->n_columns; i++) {
            const mgl_branch_column *column = block->columns[i];
            const mgl_branch_level *level = &column->levels[node->levels[i]];
            node->line.base += level->line.base;
            node->line.slope += level->line.slope;
            for (size_t g = 0; g < node->n_groups && branching->cells != MGL_PAYS_NONE; g++)
                block->surplus[node->first_row + g] += mgl_bound_surplus_of(
                    column, node->levels[i], block->values[node->first_row + g][i]);
        }
    }
}

mgl_status mgl_bound_lines_make(mgl_branching *branching, mgl_error *err)
{
    branching->line_rows = (double)branching->n_rows;
    if (branching->measure == MGL_COST_PRODUCT)
        branching->line_rows = fmin((double)branching->limit, (double)branching->n_rows / 8);
    for (size_t a = 0; a < branching->problem->list->n_attributes; a++)
        for (size_t l = 0; l < branching->all[a].n_levels; l++)
            MGL_TRY(mgl_check_memory(draw_level(branching, &branching->all[a], l), err));
    draw_block(branching);
    return MGL_OK;
}

mgl_bound_line mgl_bound_line_of(const mgl_branching *branching, const uint8_t *levels, size_t b)
{
    mgl_bound_line line = branching->block.nodes[b].line;
    for (size_t c = 0; c < branching->n_columns; c++) {
        line.base += branching->columns[c]->levels[levels[c]].line.base;
        line.slope += branching->columns[c]->levels[levels[c]].line.slope;
    }
    return line;
}

double mgl_bound_line_at(const mgl_branching *branching, mgl_bound_line line, uint64_t rows,
                         double surplus)
{
    double n = (double)rows, penalty = line.slope * n + surplus;
    return line.base + (n > branching->line_rows ? penalty * (branching->line_rows / n) : penalty);
}

double mgl_bound_worst_line(const mgl_branching *branching, double worst)
{
    if (branching->measure == MGL_COST_PRODUCT && worst < INFINITY)
        return log(worst) + SLACK;
    if (branching->measure == MGL_COST_TUPLES && worst < INFINITY)
        return log2(worst) + SLACK;
    return worst;
}

/* ---- Floors of nodes ------------------------------------------------------------------------- */

/* Classes on all columns together can be small, whatever the models of several quasi-identifiers
 * ask for: nothing is known of their sizes. */
mgl_status mgl_cost_floors_make(const mgl_problem *problem, mgl_error *err, mgl_cost_floors *out)
{
    mgl_branching *frame = &out->frame;
    *out = (mgl_cost_floors){.known = has_bounds(problem)};
    if (!out->known)
        return MGL_OK;
    MGL_TRY(mgl_new_array(problem->list->n_attributes, sizeof *out->levels, err, &out->levels));
    MGL_TRY(mgl_branching_begin(frame, problem, NULL, err));
    MGL_TRY(mgl_branch_measure_make(frame, err));
    frame->k = 1;
    frame->largest_small = frame->n_rows;
    frame->block.n_nodes = 1;
    MGL_TRY(mgl_branch_columns_make(frame, err));
    return mgl_branch_columns_order(frame, true, 0, err);
}

void mgl_cost_floors_free(mgl_cost_floors *floors)
{
    mgl_arena_free(floors->frame.arena);
    mgl_free(floors->levels);
    floors->frame.arena = NULL;
    floors->levels = NULL;
}

double mgl_cost_floor_of(const mgl_cost_floors *floors, const uint32_t *node, uint64_t rows)
{
    if (!floors->known)
        return -INFINITY;
    for (size_t c = 0; c < floors->frame.n_columns; c++) {
        const mgl_branch_column *column = floors->frame.columns[c];
        floors->levels[c] = (uint8_t)(node[column->attribute] - column->low);
    }
    return mgl_branch_bound(&floors->frame, floors->levels, 0, rows);
}

double mgl_cost_floor_worst(const mgl_cost_floors *floors, double best)
{
    return floors->known ? mgl_branch_worst(&floors->frame, best) : INFINITY;
}
